import { useQueryClient } from "@tanstack/react-query";
import { CircleCheckBig, Pencil, SquarePen } from "lucide-react";
import { type FormEvent, useState } from "react";
import { useSessions } from "../../api/queries";
import { endSession, titled } from "../../api/sessions";
import type { Session } from "../../api/types";
import { dayOf } from "../../design/format";
import { Answered, Spinner } from "../../parts/states";
import { TEXTS } from "../../texts";
import { useTending } from "../memories/tending";
import { conversation } from "./conversation";
import { nameOf } from "./names";

const { chat: texts } = TEXTS;

interface ConversationsProps {
  /** The one that is open. */
  current: string | null;
  onLeave: () => Promise<void>;
  /** Called when another one is opened. */
  onGo?: () => void;
}

/** The conversations of the user, the last active first: each is opened, renamed and closed here. */
export function Conversations({ current, onLeave, onGo }: ConversationsProps) {
  const pages = useSessions();
  return (
    <div className="stack tight">
      <button
        type="button"
        className="button"
        onClick={() => {
          void onLeave();
          onGo?.();
        }}
      >
        <SquarePen size={16} aria-hidden /> {texts.fresh}
      </button>
      <Answered query={pages} what="conversations">
        {({ pages: all }) => {
          // With an agent of its own a conversation belongs to another program.
          const listed = all.flatMap((page) => page.sessions).filter((one) => one.agent_id === null);
          return (
            <>
              {listed.length === 0 && <p className="small soft">{texts.none}</p>}
              <ul>
                {listed.map((one) => (
                  <Item key={one.id} session={one} current={one.id === current} {...(onGo ? { onGo } : {})} />
                ))}
              </ul>
            </>
          );
        }}
      </Answered>
      {pages.isFetchingNextPage ? (
        <Spinner label={texts.older} />
      ) : (
        pages.hasNextPage && (
          <button type="button" className="link small" onClick={() => void pages.fetchNextPage()}>
            {texts.older}
          </button>
        )
      )}
    </div>
  );
}

function Item({ session, current, onGo }: { session: Session; current: boolean; onGo?: () => void }) {
  const [naming, setNaming] = useState(false);
  const { take } = useTending();
  if (naming) return <Naming session={session} onDone={() => setNaming(false)} />;
  const about = [dayOf(session.last_activity), texts.messages(session.message_count)];
  return (
    <li className="talked">
      <button
        type="button"
        className="open"
        aria-current={current ? "true" : undefined}
        onClick={() => {
          if (!current) void conversation.open(session.id);
          onGo?.();
        }}
      >
        <span className="name">{nameOf(session)}</span>
        <span className="small faint">
          {[...about, ...(session.ended_at ? [texts.closed] : [])].join(" · ")}
        </span>
      </button>
      <span className="acts">
        <button
          type="button"
          className="button plain icon little"
          aria-label={`${texts.rename}: ${nameOf(session)}`}
          title={texts.rename}
          onClick={() => setNaming(true)}
        >
          <Pencil size={14} aria-hidden />
        </button>
        {session.ended_at === null && (
          <button
            type="button"
            className="button plain icon little"
            aria-label={`${texts.close}: ${nameOf(session)}`}
            title={texts.closing}
            onClick={() =>
              void take({ run: () => endSession(session.id), told: `${nameOf(session)}: ${texts.closed}.` })
            }
          >
            <CircleCheckBig size={14} aria-hidden />
          </button>
        )}
      </span>
    </li>
  );
}

function Naming({ session, onDone }: { session: Session; onDone: () => void }) {
  const [title, setTitle] = useState(session.title ?? "");
  const { take } = useTending();
  const queries = useQueryClient();
  const save = async (event: FormEvent) => {
    event.preventDefault();
    const before = session.title;
    const done = await take({
      run: () => titled(session.id, title.trim()),
      told: texts.renamed,
      ...(before ? { undo: () => titled(session.id, before) } : {}),
    });
    if (!done) return;
    await queries.invalidateQueries({ queryKey: ["sessions"] });
    onDone();
  };
  return (
    <li>
      <form onSubmit={(event) => void save(event)}>
        <input
          className="input"
          aria-label={texts.name}
          value={title}
          autoFocus
          onChange={(event) => setTitle(event.target.value)}
          onKeyDown={(event) => event.key === "Escape" && onDone()}
          onBlur={(event) => (title.trim() && title !== session.title ? void save(event) : onDone())}
        />
      </form>
    </li>
  );
}
