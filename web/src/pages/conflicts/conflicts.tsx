import "./conflicts.css";
import { ArrowLeftRight, Check, CheckCheck } from "lucide-react";
import { useState } from "react";
import * as api from "../../api/memories";
import { useConflicts, useWhy } from "../../api/queries";
import type { Conflict, MemoryRecord } from "../../api/types";
import { dayOf } from "../../design/format";
import { Meter } from "../../parts/meter";
import { Page } from "../../parts/page";
import { Answered, Empty } from "../../parts/states";
import { useTending } from "../memories/tending";
import { Quote } from "../memories/why";

/** Facts that cannot both hold, side by side with the words they were learned from. */
export default function Conflicts() {
  const conflicts = useConflicts();
  return (
    <Page
      title="Conflicts"
      lead="Facts that contradict each other. The fact you drop is not deleted: it is kept as true until now."
    >
      <Answered query={conflicts} what="conflicts">
        {(pairs) =>
          pairs.length === 0 ? (
            <Empty icon={CheckCheck} title="Nothing to decide">
              <p>
                When something new contradicts what is known, and it is not clear which holds, both wait here
                for you.
              </p>
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
    </Page>
  );
}

function Pair({ pair }: { pair: Conflict }) {
  const { take } = useTending();
  const [busy, setBusy] = useState(false);
  const decide = async (keep: MemoryRecord, drop: MemoryRecord | null) => {
    setBusy(true);
    const told = drop ? "Decided: the other fact is no longer true." : "Decided: both facts are true.";
    await take({ run: () => api.resolve(keep.id, drop?.id ?? null), told });
    setBusy(false);
  };
  const { known, new: fresh } = pair;
  return (
    <article className="pair" aria-label="Two facts that contradict each other">
      <Claim title="Known" fact={known} busy={busy} onKeep={() => void decide(known, fresh)} />
      <span className="against">
        <ArrowLeftRight size={20} aria-hidden /> or
      </span>
      <Claim title="New" fact={fresh} busy={busy} onKeep={() => void decide(fresh, known)} />
      <div className="both">
        <button type="button" className="button" disabled={busy} onClick={() => void decide(fresh, null)}>
          <CheckCheck size={16} aria-hidden /> Both hold
        </button>
      </div>
    </article>
  );
}

function Claim({
  title,
  fact,
  busy,
  onKeep,
}: {
  title: string;
  fact: MemoryRecord;
  busy: boolean;
  onKeep: () => void;
}) {
  const why = useWhy(fact.id, null);
  return (
    <section className="claim card" aria-label={`${title} fact`}>
      <div className="row wrap">
        <span className="badge">{title}</span>
        <span className="small faint">since {dayOf(fact.times.valid_from ?? fact.times.happened_at)}</span>
        <span className="push">
          <Meter value={fact.worth.confidence} label="Confidence" />
        </span>
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
      <button type="button" className="button main" disabled={busy} onClick={onKeep}>
        <Check size={16} aria-hidden /> Keep this
      </button>
    </section>
  );
}
