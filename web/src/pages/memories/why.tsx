import "./memories.css";
import { Archive, ArchiveRestore, Pencil, Pin, Sparkles, ThumbsDown, ThumbsUp, Trash2 } from "lucide-react";
import { type FormEvent, useState } from "react";
import type { MemoryFilters } from "../../api/memories";
import { useWhy } from "../../api/queries";
import { ServerError } from "../../api/problem";
import type { Candidate, MemoryRecord, Why } from "../../api/types";
import { counted, dayOf, many, momentOf, percent, plain } from "../../design/format";
import { Drawer } from "../../parts/drawer";
import { ScoreBar, TermsTable } from "../../parts/score";
import { Answered } from "../../parts/states";
import { useTending } from "./tending";

const NOT_FOUND = 404;

interface WhyProps {
  id: string;
  question: string | null;
  /** What narrowed the search that found it. */
  filters?: MemoryFilters;
  /** How the agent saw it for the question, when it came from an answer. */
  seen?: Candidate;
  onClose: () => void;
}

/** Everything about one memory: its words, why it came up, where it comes from, what happened to it. */
export function WhyDrawer({ id, question, filters, seen, onClose }: WhyProps) {
  const why = useWhy(id, question, filters ?? null);
  return (
    <Drawer title={question ? "Why this memory" : "Memory"} onClose={onClose}>
      {isGone(why.error) ? (
        <p className="note">It was deleted. Until it is removed for good, it can be brought back.</p>
      ) : (
        <Answered query={why} what="memory">
          {(data) => (
            <>
              <Words memory={data.memory} onGone={onClose} />
              {question !== null && <Score why={data} question={question} {...(seen ? { seen } : {})} />}
              <About memory={data.memory} importance={data.importance} />
              <Sources sources={data.sources} />
              <Past why={data} />
            </>
          )}
        </Answered>
      )}
    </Drawer>
  );
}

const isGone = (error: unknown): boolean => error instanceof ServerError && error.status === NOT_FOUND;

function Words({ memory, onGone }: { memory: MemoryRecord; onGone: () => void }) {
  const [editing, setEditing] = useState(false);
  const tending = useTending();
  const archived = memory.tier === "archived";
  if (editing) {
    return (
      <section>
        <Editor memory={memory} onDone={() => setEditing(false)} />
      </section>
    );
  }
  return (
    <section className="stack">
      <p className="words content">{memory.content}</p>
      <div className="row wrap">
        <button type="button" className="button little" onClick={() => setEditing(true)}>
          <Pencil size={14} aria-hidden /> Edit
        </button>
        <button
          type="button"
          className="button little"
          aria-pressed={memory.worth.critical}
          onClick={() => void tending.pin(memory)}
        >
          <Pin size={14} aria-hidden /> Critical
        </button>
        <button type="button" className="button little" onClick={() => void tending.reinforce(memory)}>
          <Sparkles size={14} aria-hidden /> Reinforce
        </button>
        <button type="button" className="button little" onClick={() => void tending.archive(memory)}>
          {archived ? <ArchiveRestore size={14} aria-hidden /> : <Archive size={14} aria-hidden />}{" "}
          {archived ? "Restore" : "Archive"}
        </button>
        <button
          type="button"
          className="button little risky"
          onClick={() => {
            onGone();
            void tending.remove(memory);
          }}
        >
          <Trash2 size={14} aria-hidden /> Delete
        </button>
      </div>
    </section>
  );
}

function Editor({ memory, onDone }: { memory: MemoryRecord; onDone: () => void }) {
  const [content, setContent] = useState(memory.content);
  const { rewrite } = useTending();
  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (content.trim() === memory.content || (await rewrite(memory, content.trim()))) onDone();
  };
  return (
    <form className="stack tight" onSubmit={(event) => void save(event)}>
      <div className="field">
        <label htmlFor="edited-words">Words</label>
        <textarea
          id="edited-words"
          className="input words"
          rows={6}
          value={content}
          autoFocus
          onChange={(event) => setContent(event.target.value)}
        />
        <p className="hint">Facts learned from this memory are checked again.</p>
      </div>
      <div className="row">
        <button type="submit" className="button main" disabled={!content.trim()}>
          Save
        </button>
        <button type="button" className="button" onClick={onDone}>
          Cancel
        </button>
      </div>
    </form>
  );
}

function Score({ why, question, seen }: { why: Why; question: string; seen?: Candidate }) {
  const { judge } = useTending();
  const scoring = seen ? { ...seen, score: seen.activationScore } : why.recollection;
  return (
    <section className="stack tight">
      <h3>For the question</h3>
      <blockquote className="quote words">{question}</blockquote>
      {scoring ? (
        <>
          <ScoreBar score={scoring.score} terms={scoring.terms} threshold={seen?.threshold ?? null} />
          {seen && <p className="small soft">{verdict(seen)}</p>}
          <TermsTable score={scoring.score} terms={scoring.terms} signals={scoring.signals} />
        </>
      ) : null}
      {!seen && why.reason && <p className="soft">A search does not return it: {why.reason}.</p>}
      {!seen && why.recollection?.via && (
        <p className="small soft">
          Found through the {why.recollection.via.kind} “{why.recollection.via.content}”
        </p>
      )}
      {!seen && why.recollection && (why.recollection.repeats ?? []).length > 0 && (
        <p className="small soft">
          The same words were said at:{" "}
          {(why.recollection.repeats ?? []).map((one) => momentOf(one.happened_at)).join("; ")}
        </p>
      )}
      {!seen && why.rank != null && (
        <p className="small soft">
          Place {counted(why.rank)} of {counted(why.ranked)} ranked memories.
        </p>
      )}
      <div className="row wrap">
        <span className="small soft">Did it help?</span>
        <button
          type="button"
          className="button little"
          onClick={() => void judge(why.memory, true, question)}
        >
          <ThumbsUp size={14} aria-hidden /> Yes
        </button>
        <button
          type="button"
          className="button little"
          onClick={() => void judge(why.memory, false, question)}
        >
          <ThumbsDown size={14} aria-hidden /> No
        </button>
      </div>
    </section>
  );
}

function verdict(seen: Candidate): string {
  return `${seen.activated ? "Activated" : "Not used"}: ${seen.reason}.`;
}

function About({ memory, importance }: { memory: MemoryRecord; importance: number }) {
  const { times, origin, worth, use, labels } = memory;
  const rows: [string, string | null | undefined][] = [
    ["Said by", origin.speaker ?? plain(origin.role)],
    ["When", momentOf(times.happened_at)],
    ["Session", memory.scope.session_id],
    ["Kind", plain(memory.kind)],
    ["Tier", plain(memory.tier)],
    ["Valid", times.valid_until ? `until ${dayOf(times.valid_until)}` : null],
    ["Importance", `${percent(importance)} now, ${percent(worth.importance)} when last used`],
    ["Confidence", memory.kind === "message" ? null : percent(worth.confidence)],
    ["Priority", worth.priority && plain(worth.priority)],
    ["Used", `recalled ${many(use.access_count, "time")}, reinforced ${many(use.reinforced_count, "time")}`],
    ["Tags", labels.tags.map((tag) => tag.text).join(", ")],
    ["Found by", origin.extractor],
    ["Id", memory.id],
  ];
  return (
    <section>
      <h3>Details</h3>
      <dl className="facts">
        {rows
          .filter(([, value]) => value)
          .map(([name, value]) => (
            <div key={name} className="contents">
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
    </section>
  );
}

function Sources({ sources }: { sources: readonly MemoryRecord[] }) {
  if (sources.length === 0) return null;
  return (
    <section>
      <h3>Learned from</h3>
      {sources.map((source) => (
        <Quote key={source.id} memory={source} />
      ))}
    </section>
  );
}

/** The words a fact stands on. */
export function Quote({ memory }: { memory: MemoryRecord }) {
  return (
    <blockquote className="quote">
      <p className="words">{memory.content}</p>
      <footer>
        {memory.origin.speaker ?? plain(memory.origin.role)}, {momentOf(memory.times.happened_at)}
      </footer>
    </blockquote>
  );
}

const DONE: Readonly<Record<string, string>> = {
  add: "Stored",
  update: "Changed",
  delete: "Deleted",
  feedback: "Rated",
  use: "Used",
  reinforce: "Reinforced",
  recover: "Restored",
};

function Past({ why }: { why: Why }) {
  return (
    <section>
      <h3>History</h3>
      <ol className="history">
        {why.history.map((change, place) => (
          <li key={place}>
            <time dateTime={change.at}>{momentOf(change.at)}</time>
            <span>
              {DONE[change.action] ?? plain(change.action)}
              {change.reason && <span className="soft">: {change.reason}</span>}
              {Object.keys(change.after ?? {}).length > 0 && change.action === "update" && (
                <span className="small faint">
                  {" "}
                  (
                  {Object.keys(change.after ?? {})
                    .map(plain)
                    .join(", ")}
                  )
                </span>
              )}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
