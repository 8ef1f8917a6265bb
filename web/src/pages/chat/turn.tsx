import type { Ref } from "react";
import type { Candidate } from "../../api/types";
import { Failed, Spinner } from "../../parts/states";
import { TEXTS } from "../../texts";
import { AwarePanel } from "./aware";
import type { Cited, Turn } from "./conversation";
import { Markdown } from "./markdown";

const { chat: texts } = TEXTS;

interface TurnProps {
  turn: Turn;
  ref: Ref<HTMLElement>;
  onAgain: () => void;
  onWhy: (memory: Candidate) => void;
  onSource: (memory: string) => void;
}

/** A message, its answer, and below it in one line what was remembered. */
export function TurnView({ turn, ref, onAgain, onWhy, onSource }: TurnProps) {
  const busy = turn.state === "waiting" || turn.state === "streaming";
  const cite = (number: number) => {
    const source = turn.sources.find((one) => one.number === number);
    return source ? <Citation source={source} onSource={onSource} /> : null;
  };
  return (
    <article className="turn" ref={ref} aria-busy={busy}>
      {turn.message && (
        <div className="bubble">
          <span className="unseen">{texts.youSaid}</span>
          <p className="words">{turn.message}</p>
        </div>
      )}
      <div className="answer">
        <span className="unseen">{texts.answer}</span>
        {turn.state === "waiting" && <Spinner label={texts.searching} />}
        {turn.words && (
          <div className={busy ? "words markdown streaming" : "words markdown"}>
            <Markdown text={turn.words} cite={cite} />
          </div>
        )}
        {turn.state === "stopped" && <p className="small soft">{texts.stopped}</p>}
        {turn.cutOff && <p className="small soft">{texts.cutOffBefore}</p>}
        {turn.state === "failed" && (
          <Failed error={turn.error} what={turn.words ? texts.cutOff : texts.noAnswer} retry={onAgain} />
        )}
        <Sources sources={turn.sources} onSource={onSource} />
        {turn.model !== undefined && (
          <p className="small faint">{turn.model === null ? texts.quoted : texts.by(turn.model)}</p>
        )}
        {turn.aware && <AwarePanel aware={turn.aware} onWhy={onWhy} />}
      </div>
    </article>
  );
}

/** `[n]` in an answer: opens the part of the document that it cites. */
function Citation({ source, onSource }: { source: Cited; onSource: (memory: string) => void }) {
  if (source.deleted) {
    return (
      <s className="faint" title={texts.deletedHint}>
        [{source.number}]
      </s>
    );
  }
  return (
    <button
      type="button"
      className="link cited"
      aria-label={texts.cites(source.number, source.title)}
      onClick={() => onSource(source.memoryId)}
    >
      [{source.number}]
    </button>
  );
}

function nameOf({ number, title, page }: Cited): string {
  return `[${number}] ${title}${page === null ? "" : `, ${texts.page(page)}`}`;
}

/** The documents that an answer may cite, by their numbers. */
function Sources({ sources, onSource }: { sources: readonly Cited[]; onSource: (memory: string) => void }) {
  if (sources.length === 0) return null;
  return (
    <ul className="sources" aria-label={texts.sources}>
      {sources.map((one) => (
        <li key={one.number} className="small">
          {one.deleted ? (
            <span className="faint" title={texts.deletedHint}>
              <s>{nameOf(one)}</s> ({texts.deletedSource})
            </span>
          ) : (
            <button type="button" className="link" onClick={() => onSource(one.memoryId)}>
              {nameOf(one)}
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}
