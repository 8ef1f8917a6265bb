import "./chat.css";
import { useQueryClient } from "@tanstack/react-query";
import { MessagesSquare, SquarePen } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useStats } from "../../api/queries";
import { messageOf } from "../../api/problem";
import type { Candidate } from "../../api/types";
import { Drawer } from "../../parts/drawer";
import { Empty, Failed, Loading } from "../../parts/states";
import { useToasts } from "../../parts/toasts";
import { TEXTS } from "../../texts";
import { WhyDrawer } from "../memories/why";
import { Composer, type Draft } from "./composer";
import { conversation, type Turn, useConversation } from "./conversation";
import { Conversations } from "./conversations";
import { PresetChoice, usePreset } from "./preset";
import { TurnView } from "./turn";

const { chat: texts } = TEXTS;

interface Asked {
  id: string;
  seen?: Candidate;
  question: string | null;
}

export default function Chat() {
  const { session, turns, loading, error } = useConversation();
  const [why, setWhy] = useState<Asked | null>(null);
  const [listed, setListed] = useState(false);
  const [preset, setPreset] = usePreset();
  const [draft, setDraft] = useState<Draft>({ text: "" });
  const newest = useRef<HTMLElement>(null);
  const last = turns.at(-1);
  useEffect(() => {
    document.title = `${texts.title} · Recollect`;
    conversation.restore();
  }, []);
  useEffect(() => {
    if (last) newest.current?.scrollIntoView({ block: "start" });
  }, [last?.id]);
  useRefreshAfter(last);
  const leave = useLeave();
  return (
    <div className="page chat">
      <aside className="conversations" aria-label={texts.list}>
        <Conversations current={session} onLeave={leave} />
      </aside>
      <div className="talk">
        <header>
          <h1>{texts.title}</h1>
          <div className="row push">
            <PresetChoice preset={preset} onChange={setPreset} />
            <button
              type="button"
              className="button icon narrow"
              aria-label={texts.list}
              onClick={() => setListed(true)}
            >
              <MessagesSquare size={16} aria-hidden />
            </button>
            {turns.length > 0 && (
              <button
                type="button"
                className="button icon narrow"
                aria-label={texts.fresh}
                onClick={() => void leave()}
              >
                <SquarePen size={16} aria-hidden />
              </button>
            )}
          </div>
        </header>
        {loading ? (
          <Loading what="conversation" />
        ) : error !== null && session !== null ? (
          <Failed error={error} what={texts.notOpened} retry={() => void conversation.open(session)} />
        ) : turns.length === 0 ? (
          <Opening onPick={(text) => setDraft({ text })} />
        ) : (
          <div className="turns" role="log" aria-label={texts.log}>
            {turns.map((turn) => (
              <TurnView
                key={turn.id}
                turn={turn}
                ref={turn === last ? newest : null}
                onAgain={() => void conversation.again(turn, preset)}
                onWhy={(seen) => setWhy({ id: seen.memoryId, seen, question: turn.message })}
                onSource={(id) => setWhy({ id, question: turn.message || null })}
              />
            ))}
          </div>
        )}
        <Composer
          busy={last?.state === "waiting" || last?.state === "streaming"}
          draft={draft}
          onSend={(message) => void conversation.send(message, preset)}
        />
      </div>
      {listed && (
        <Drawer title={texts.list} onClose={() => setListed(false)}>
          <Conversations current={session} onLeave={leave} onGo={() => setListed(false)} />
        </Drawer>
      )}
      {why && (
        <WhyDrawer
          id={why.id}
          question={why.question}
          {...(why.seen ? { seen: why.seen } : {})}
          onClose={() => setWhy(null)}
        />
      )}
    </div>
  );
}

/** Leaves the open conversation; what was said in it is queued to be learned. */
function useLeave(): () => Promise<void> {
  const toasts = useToasts();
  const queries = useQueryClient();
  return async () => {
    try {
      await conversation.leave();
    } catch (error) {
      toasts.show({ text: `${texts.notLearned} ${messageOf(error)}`, bad: true });
    }
    void queries.invalidateQueries({ queryKey: ["sessions"] });
  };
}

/** What the server counts has changed when a turn is over. */
function useRefreshAfter(last: Turn | undefined): void {
  const queries = useQueryClient();
  const over = last?.aware ? last.id : null;
  useEffect(() => {
    if (over !== null) void queries.invalidateQueries();
  }, [over, queries]);
}

function Opening({ onPick }: { onPick: (text: string) => void }) {
  const known = useStats().data?.totalMemories ?? 0;
  return (
    <Empty icon={MessagesSquare} title={known === 0 ? texts.emptyNew : texts.empty}>
      <p>{known === 0 ? texts.emptyNewLead : texts.emptyLead}</p>
      <div className="row wrap">
        {texts.openers.map((opener) => (
          <button key={opener} type="button" className="button chip" onClick={() => onPick(opener)}>
            {opener}
          </button>
        ))}
      </div>
    </Empty>
  );
}
