import type { Session } from "../../api/types";
import { dayOf } from "../../design/format";
import { TEXTS } from "../../texts";

/** What a conversation is called: its title, how it begins, or its day. */
export const nameOf = (session: Session): string =>
  session.title ?? session.begins ?? TEXTS.chat.untitled(dayOf(session.started_at));
