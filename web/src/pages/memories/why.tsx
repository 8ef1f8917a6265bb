import "./memories.css";
import { Archive, ArchiveRestore, Pencil, Pin, Sparkles, ThumbsDown, ThumbsUp, Trash2 } from "lucide-react";
import { type FormEvent, useState } from "react";
import type { MemoryFilters } from "../../api/memories";
import { useWhy } from "../../api/queries";
import { ServerError } from "../../api/problem";
import type { Candidate, MemoryRecord, Why } from "../../api/types";
import { dayOf, momentOf, percent, plain } from "../../design/format";
import { Drawer } from "../../parts/drawer";
import { ScoreBar, TermsTable } from "../../parts/score";
import { Answered } from "../../parts/states";
import { useTending } from "./tending";
import { TEXTS } from "../../texts";

const { memory: texts } = TEXTS;

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
    <Drawer title={question ? texts.whyTitle : texts.title} onClose={onClose}>
      {isGone(why.error) ? (
        <p className="note">{texts.gone}</p>
      ) : (
        <Answered query={why} what="memory">
          {(data) => (
            <>
              <Words memory={data.memory} onGone={onClose} />
              {question !== null && <Score why={data} question={question} {...(seen ? { seen } : {})} />}
              <About why={data} />
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
          <Pencil size={14} aria-hidden /> {texts.edit}
        </button>
        <button
          type="button"
          className="button little"
          aria-pressed={memory.worth.critical}
          onClick={() => void tending.pin(memory)}
        >
          <Pin size={14} aria-hidden /> {texts.critical}
        </button>
        <button type="button" className="button little" onClick={() => void tending.reinforce(memory)}>
          <Sparkles size={14} aria-hidden /> {texts.reinforce}
        </button>
        <button type="button" className="button little" onClick={() => void tending.archive(memory)}>
          {archived ? <ArchiveRestore size={14} aria-hidden /> : <Archive size={14} aria-hidden />}{" "}
          {archived ? texts.restore : texts.archive}
        </button>
        <button
          type="button"
          className="button little risky"
          onClick={() => {
            onGone();
            void tending.remove(memory);
          }}
        >
          <Trash2 size={14} aria-hidden /> {texts.remove}
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
        <label htmlFor="edited-words">{texts.words}</label>
        <textarea
          id="edited-words"
          className="input words"
          rows={6}
          value={content}
          autoFocus
          onChange={(event) => setContent(event.target.value)}
        />
        <p className="hint">{texts.editHint}</p>
      </div>
      <div className="row">
        <button type="submit" className="button main" disabled={!content.trim()}>
          {texts.save}{" "}
        </button>
        <button type="button" className="button" onClick={onDone}>
          {texts.cancel}{" "}
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
      <h3>{texts.question}</h3>
      <blockquote className="quote words">{question}</blockquote>
      {scoring ? (
        <>
          <ScoreBar score={scoring.score} terms={scoring.terms} threshold={seen?.threshold ?? null} />
          {seen && <p className="small soft">{verdict(seen)}</p>}
          <TermsTable score={scoring.score} terms={scoring.terms} signals={scoring.signals} />
        </>
      ) : null}
      {!seen && why.reason && <p className="soft">{texts.notReturned(why.reason)}</p>}
      {!seen && why.recollection?.via && (
        <p className="small soft">{texts.via(why.recollection.via.kind, why.recollection.via.content)} </p>
      )}
      {!seen && why.recollection && (why.recollection.repeats ?? []).length > 0 && (
        <p className="small soft">
          {texts.repeated(
            (why.recollection.repeats ?? []).map((one) => momentOf(one.happened_at)).join("; "),
          )}{" "}
        </p>
      )}
      {!seen && why.rank != null && <p className="small soft">{texts.place(why.rank, why.ranked)} </p>}
      <div className="row wrap">
        <span className="small soft">{texts.helped}</span>
        <button
          type="button"
          className="button little"
          onClick={() => void judge(why.memory, true, question)}
        >
          <ThumbsUp size={14} aria-hidden /> {texts.yes}
        </button>
        <button
          type="button"
          className="button little"
          onClick={() => void judge(why.memory, false, question)}
        >
          <ThumbsDown size={14} aria-hidden /> {texts.no}
        </button>
      </div>
    </section>
  );
}

function verdict(seen: Candidate): string {
  return texts.verdict(seen.activated, seen.reason);
}

function About({ why: { memory, importance, confidence } }: { why: Why }) {
  const { times, origin, worth, use, labels } = memory;
  const rows: [string, string | null | undefined][] = [
    [texts.rows.speaker, origin.speaker ?? plain(origin.role)],
    [texts.rows.changed, typeof memory.metadata.changed_by === "string" ? memory.metadata.changed_by : null],
    [texts.rows.when, momentOf(times.happened_at)],
    [texts.rows.session, memory.scope.session_id],
    [texts.rows.kind, plain(memory.kind)],
    [texts.rows.tier, plain(memory.tier)],
    [texts.rows.valid, times.valid_until ? texts.until(dayOf(times.valid_until)) : null],
    [texts.rows.importance, texts.importance(percent(importance), percent(worth.importance))],
    [
      texts.rows.confidence,
      confidence
        ? texts.aged(percent(confidence.value), percent(worth.confidence), confidence.reason)
        : memory.kind === "message"
          ? null
          : percent(worth.confidence),
    ],
    [texts.rows.priority, worth.priority && plain(worth.priority)],
    [texts.rows.used, texts.used(use.access_count, use.reinforced_count)],
    [texts.rows.tags, labels.tags.map((tag) => tag.text).join(", ")],
    [texts.rows.extractor, origin.extractor],
    [texts.rows.id, memory.id],
  ];
  return (
    <section>
      <h3>{texts.details}</h3>
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
      <h3>{texts.sources}</h3>
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

function Past({ why }: { why: Why }) {
  return (
    <section>
      <h3>{texts.history}</h3>
      <ol className="history">
        {why.history.map((change, place) => (
          <li key={place}>
            <time dateTime={change.at}>{momentOf(change.at)}</time>
            <span>
              {(texts.actions as Readonly<Record<string, string>>)[change.action] ?? plain(change.action)}
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
