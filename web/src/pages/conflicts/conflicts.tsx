import "./conflicts.css";
import { ArrowLeftRight, Check, CheckCheck, Undo2 } from "lucide-react";
import { useState } from "react";
import * as api from "../../api/memories";
import { isOver } from "../../api/memories";
import { useConflicts, useDecided, useWhy } from "../../api/queries";
import type { Conflict, MemoryRecord } from "../../api/types";
import { dayOf } from "../../design/format";
import { Page } from "../../parts/page";
import { Answered, Empty } from "../../parts/states";
import { TEXTS } from "../../texts";
import { short, useTending } from "../memories/tending";
import { Quote } from "../memories/why";

const { conflicts: texts } = TEXTS;

/** Facts that cannot both hold, side by side with the words they were learned from; below, what was decided. */
export default function Conflicts() {
  const conflicts = useConflicts();
  return (
    <Page title={texts.title} lead={texts.lead}>
      <Answered query={conflicts} what="conflicts">
        {(pairs) =>
          pairs.length === 0 ? (
            <Empty icon={CheckCheck} title={texts.none}>
              <p>{texts.noneLead}</p>
            </Empty>
          ) : (
            <div className="pairs">
              {pairs.map((pair) => (
                <Pair key={`${pair.known.id} ${pair.new.id}`} pair={pair} />
              ))}
            </div>
          )
        }
      </Answered>
      <History />
    </Page>
  );
}

const sinceOf = ({ times }: MemoryRecord): string => times.valid_from ?? times.happened_at;

function Pair({ pair: { known, new: fresh } }: { pair: Conflict }) {
  const { take } = useTending();
  const [busy, setBusy] = useState(false);
  const decide = async (keep: MemoryRecord, drop: MemoryRecord | null) => {
    setBusy(true);
    await take({
      run: () => api.resolve(keep.id, drop?.id ?? null),
      told: drop ? texts.keptOne(short(keep.content)) : texts.keptBoth,
      undo: () => api.reopen([known.id, fresh.id]),
    });
    setBusy(false);
  };
  const newer = sinceOf(fresh) >= sinceOf(known) ? fresh : known;
  return (
    <article className="pair" aria-label={texts.pair}>
      <Claim
        title={texts.known}
        fact={known}
        suggested={newer === known}
        busy={busy}
        onKeep={() => void decide(known, fresh)}
      />
      <span className="against" aria-hidden>
        <ArrowLeftRight size={20} />
      </span>
      <Claim
        title={texts.fresh}
        fact={fresh}
        suggested={newer === fresh}
        busy={busy}
        onKeep={() => void decide(fresh, known)}
      />
      <div className="both">
        <button type="button" className="button" disabled={busy} onClick={() => void decide(fresh, null)}>
          <CheckCheck size={16} aria-hidden /> {texts.both}
        </button>
      </div>
    </article>
  );
}

interface ClaimProps {
  title: string;
  fact: MemoryRecord;
  suggested: boolean;
  busy: boolean;
  onKeep: () => void;
}

function Claim({ title, fact, suggested, busy, onKeep }: ClaimProps) {
  const why = useWhy(fact.id, null);
  return (
    <section className={suggested ? "claim card suggested" : "claim card"} aria-label={texts.factOf(title)}>
      <div className="row wrap">
        <span className="badge">{title}</span>
        <span className="small faint">{texts.since(dayOf(sinceOf(fact)))}</span>
        {suggested && <span className="badge good push">{texts.suggested}</span>}
      </div>
      <p className="words fact-words">{fact.content}</p>
      <Answered query={why} what="words" rows={1}>
        {({ sources }) => (
          <div>
            {sources.map((source) => (
              <Quote key={source.id} memory={source} />
            ))}
          </div>
        )}
      </Answered>
      <button type="button" className={suggested ? "button main" : "button"} disabled={busy} onClick={onKeep}>
        <Check size={16} aria-hidden /> {texts.keep}
      </button>
    </section>
  );
}

/** What was decided, the newest first; each decision can be taken back. */
function History() {
  const decided = useDecided();
  const { take } = useTending();
  if (!decided.data || decided.data.length === 0) return null;
  return (
    <section className="decided" aria-label={texts.history}>
      <h2>{texts.history}</h2>
      <ul>
        {decided.data.map(([newer, against]) => (
          <li key={newer.id} className="row">
            <ul>
              {[newer, ...against].map((fact) => (
                <li key={fact.id} className={isOver(fact) ? "over" : ""}>
                  <span className="words">{fact.content}</span>{" "}
                  <span className="small faint">
                    {isOver(fact) ? texts.ended(dayOf(fact.times.valid_until ?? "")) : texts.holds}
                  </span>
                </li>
              ))}
            </ul>
            <button
              type="button"
              className="button little push"
              aria-label={texts.undo(newer.content)}
              onClick={() =>
                void take({
                  run: () => api.reopen([newer, ...against].map(({ id }) => id)),
                  told: texts.reopened,
                })
              }
            >
              <Undo2 size={14} aria-hidden /> {TEXTS.done.undo}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
