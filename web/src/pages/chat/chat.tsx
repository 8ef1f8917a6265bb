import "./chat.css";
import { useQueryClient } from "@tanstack/react-query";
import { ArrowUp, MessagesSquare, Square, SquarePen } from "lucide-react";
import { type FormEvent, type KeyboardEvent, type Ref, useEffect, useRef, useState } from "react";
import { messageOf } from "../../api/problem";
import type { Answer, Candidate } from "../../api/types";
import { useStats } from "../../api/queries";
import { Empty, Failed, Spinner } from "../../parts/states";
import { useToasts } from "../../parts/toasts";
import { WhyDrawer } from "../memories/why";
import { AwarePanel } from "./aware";
import { conversation, type Turn, useTurns } from "./conversation";

const OPENERS = [
  "I'm Ada, I live in Lisbon and work on compilers.",
  "I'm allergic to peanuts, please keep that in mind.",
  "What do you know about me?",
];

export default function Chat() {
  const turns = useTurns();
  const [why, setWhy] = useState<{ id: string; seen?: Candidate; question: string } | null>(null);
  const newest = useRef<HTMLElement>(null);
  const last = turns.at(-1);
  const toasts = useToasts();
  useEffect(() => {
    document.title = "Chat · Recollect";
  }, []);
  useEffect(() => {
    if (last) newest.current?.scrollIntoView({ block: "start" });
  }, [last?.id]);
  useRefreshAfter(last);
  const leave = async () => {
    try {
      await conversation.leave();
    } catch (error) {
      toasts.show({ text: `The conversation was not queued for learning. ${messageOf(error)}`, bad: true });
    }
  };
  return (
    <div className="page chat">
      <header>
        <div>
          <h1>Chat</h1>
          <p>The panel beside an answer shows which memories were used for it, and why.</p>
        </div>
        {turns.length > 0 && (
          <button type="button" className="button" onClick={() => void leave()}>
            <SquarePen size={16} aria-hidden /> New conversation
          </button>
        )}
      </header>
      {turns.length === 0 ? (
        <Opening />
      ) : (
        <div className="turns" role="log" aria-label="Conversation">
          {turns.map((turn) => (
            <TurnView
              key={turn.id}
              turn={turn}
              ref={turn === last ? newest : null}
              onWhy={(seen) => setWhy({ id: seen.memoryId, seen, question: turn.message })}
              onSource={(id) => setWhy({ id, question: turn.message })}
            />
          ))}
        </div>
      )}
      <Composer busy={last?.state === "waiting" || last?.state === "streaming"} />
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

/** What the server counts has changed when a turn is over. */
function useRefreshAfter(last: Turn | undefined): void {
  const queries = useQueryClient();
  const over = last?.state === "done" ? last.id : null;
  useEffect(() => {
    if (over !== null) void queries.invalidateQueries();
  }, [over, queries]);
}

function Opening() {
  const stats = useStats();
  const known = stats.data?.totalMemories ?? 0;
  return (
    <Empty icon={MessagesSquare} title={known === 0 ? "No memories yet" : "Ask, or say something new"}>
      <p>
        {known === 0
          ? "Say something about yourself. It is stored word for word, and found again when it matters."
          : "Everything you say is stored word for word. Ask about it in other words: the panel beside the answer shows which memories were found, with their scores."}
      </p>
      <div className="row wrap">
        {OPENERS.map((opener) => (
          <button
            key={opener}
            type="button"
            className="button"
            onClick={() => void conversation.send(opener)}
          >
            {opener}
          </button>
        ))}
      </div>
    </Empty>
  );
}

interface TurnProps {
  turn: Turn;
  ref: Ref<HTMLElement>;
  onWhy: (memory: Candidate) => void;
  onSource: (memory: string) => void;
}

/** The documents that an answer may cite, by their numbers. */
function Sources({ sources, onSource }: { sources: Answer["sources"]; onSource: (memory: string) => void }) {
  if (sources.length === 0) return null;
  return (
    <ul className="sources" aria-label="Sources">
      {sources.map((one) => (
        <li key={one.number}>
          <button
            type="button"
            className="link small"
            title={one.snippet}
            onClick={() => onSource(one.memoryId)}
          >
            [{one.number}] {one.title}
            {one.page === null ? "" : `, page ${one.page}`}
          </button>
        </li>
      ))}
    </ul>
  );
}

function TurnView({ turn, ref, onWhy, onSource }: TurnProps) {
  const busy = turn.state === "waiting" || turn.state === "streaming";
  return (
    <article className="turn" ref={ref} aria-busy={busy}>
      <div className="said">
        <div className="bubble">
          <span className="unseen">You said:</span>
          <p className="words">{turn.message}</p>
        </div>
        <div className="answer">
          <span className="unseen">The answer:</span>
          {turn.state === "waiting" && <Spinner label="Searching memories" />}
          {turn.words && <p className={busy ? "words streaming" : "words"}>{turn.words}</p>}
          {turn.state === "stopped" && (
            <p className="small soft">Stopped. The partial answer is not stored.</p>
          )}
          {turn.state === "failed" && (
            <Failed
              error={turn.error}
              what="There is no answer."
              retry={() => void conversation.again(turn)}
            />
          )}
          {turn.answer && <Sources sources={turn.answer.sources} onSource={onSource} />}
          {turn.answer && (
            <p className="small faint">
              {turn.answer.model
                ? `Answered by ${turn.answer.model}`
                : "Quoted from memory: no model is set."}
            </p>
          )}
        </div>
      </div>
      {turn.answer && <AwarePanel aware={turn.answer.memoryContext} onWhy={onWhy} />}
    </article>
  );
}

function Composer({ busy }: { busy: boolean }) {
  const [text, setText] = useState("");
  const field = useRef<HTMLTextAreaElement>(null);
  const send = (event?: FormEvent) => {
    event?.preventDefault();
    const message = text.trim();
    if (!message || busy) return;
    setText("");
    void conversation.send(message);
    field.current?.focus();
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) {
      event.preventDefault();
      send();
    }
  };
  return (
    <div className="composer">
      <form onSubmit={send}>
        <textarea
          ref={field}
          rows={1}
          aria-label="Your message"
          placeholder="Say something, or ask"
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKey}
        />
        {busy ? (
          <button
            type="button"
            className="button icon"
            aria-label="Stop the answer"
            onClick={() => conversation.stop()}
          >
            <Square size={16} aria-hidden />
          </button>
        ) : (
          <button type="submit" className="button main icon" aria-label="Send" disabled={!text.trim()}>
            <ArrowUp size={18} aria-hidden />
          </button>
        )}
      </form>
    </div>
  );
}
