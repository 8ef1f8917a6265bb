import { Archive, ArchiveRestore, Pin, Trash2 } from "lucide-react";
import type { Hit, MemoryRecord } from "../../api/types";
import { dayOf, momentOf, plain } from "../../design/format";
import { ScoreBar, type Terms } from "../../parts/score";
import { TEXTS } from "../../texts";
import { Marked } from "./marked";
import { useTending } from "./tending";

const { memories: texts, why } = TEXTS;
const TAGS_SHOWN = 3;
const REASONS = 2;
/** A term below this share of the largest does not explain why a memory was found. Chosen by hand. */
const TELLING = 0.4;

export type Shown = { memory: MemoryRecord } & Partial<
  Pick<Hit, "score" | "terms" | "repeats" | "citation" | "superseded" | "via">
>;

interface RowProps {
  hit: Shown;
  question: string | null;
  scores: boolean;
  chosen: boolean;
  onChoose: (id: string) => void;
  onOpen: (id: string) => void;
  onTag: (tag: string) => void;
}

/** A memory in a list: its words open it. */
export function Row({ hit, question, scores, chosen, onChoose, onOpen, onTag }: RowProps) {
  const { memory, score, terms } = hit;
  return (
    <li className={chosen ? "memory chosen" : "memory"}>
      <input
        type="checkbox"
        className="choose"
        aria-label={texts.choose(memory.content.slice(0, 60))}
        checked={chosen}
        onChange={() => onChoose(memory.id)}
      />
      <button type="button" className="open" onClick={() => onOpen(memory.id)}>
        <span className="words">
          <Marked text={memory.content} question={question} />
        </span>
      </button>
      <About hit={hit} onTag={onTag} />
      {terms && !scores && <p className="small faint because">{becauseOf(hit)}</p>}
      {score !== undefined && terms && scores && <ScoreBar score={score} terms={terms} />}
      <Acts memory={memory} />
    </li>
  );
}

/** Terms of a score that say alike; the first that added anything gives the reason its words. */
const GROUPS: readonly (readonly (keyof typeof why)[])[] = [
  ["words", "words_near", "words_session"],
  ["meaning", "vector", "meaning_near", "meaning_session"],
  ["tags"],
  ["time_match"],
  ["speaker"],
  ["usefulness"],
];

/** One line of why a search found a memory. */
function becauseOf({ terms = {}, via }: Shown): string {
  if (via) return why.found([why.fact(via.content)]);
  const added = (term: string): number => Math.max((terms as Terms)[term] ?? 0, 0);
  const groups = GROUPS.map((group) => ({
    sum: group.reduce((sum, term) => sum + added(term), 0),
    reason: why[group.find((term) => added(term) > 0) ?? "words"] as string,
  })).sort((one, other) => other.sum - one.sum);
  const least = Math.max((groups[0]?.sum ?? 0) * TELLING, Number.EPSILON);
  const telling = groups.filter(({ sum }) => sum >= least).slice(0, REASONS);
  return telling.length ? why.found(telling.map(({ reason }) => reason)) : "";
}

/** Tags that a person gave come first. */
const tagsOf = ({ labels }: MemoryRecord) =>
  labels.tags.toSorted((one, other) => Number(other.approved) - Number(one.approved)).slice(0, TAGS_SHOWN);

/** Who said it, or which document it is of. */
function sourceOf({ kind, metadata, origin }: MemoryRecord): string {
  if (kind === "document" && typeof metadata.title === "string") return metadata.title;
  return origin.speaker ?? plain(origin.role);
}

function About({ hit, onTag }: { hit: Shown; onTag: (tag: string) => void }) {
  const { memory, repeats, superseded, citation } = hit;
  return (
    <div className="about">
      {memory.worth.critical && (
        <span className="pin">
          <Pin size={13} aria-hidden /> {texts.critical}
        </span>
      )}
      {memory.kind !== "message" && <span className="badge">{plain(memory.kind)}</span>}
      {memory.tier === "archived" && <span className="badge">{texts.archived}</span>}
      <time dateTime={memory.times.happened_at}>{dayOf(memory.times.happened_at)}</time>
      <span>{citation ?? sourceOf(memory)}</span>
      {superseded && (
        <span className="badge">
          {superseded.until ? texts.until(dayOf(superseded.until)) : texts.corrected}
        </span>
      )}
      {repeats && repeats.length > 0 && (
        <span className="badge" title={repeats.map((one) => momentOf(one.happened_at)).join("; ")}>
          {texts.said(repeats.length + 1)}
        </span>
      )}
      {tagsOf(memory).map(({ text }) => (
        <button key={text} type="button" className="tag" onClick={() => onTag(text)}>
          #{text}
        </button>
      ))}
    </div>
  );
}

function Acts({ memory }: { memory: MemoryRecord }) {
  const tending = useTending();
  const archived = memory.tier === "archived";
  return (
    <div className="acts">
      <button
        type="button"
        className="button plain icon little"
        aria-pressed={memory.worth.critical}
        aria-label={texts.pin}
        title={texts.pinHint}
        onClick={() => void tending.pin(memory)}
      >
        <Pin size={15} aria-hidden />
      </button>
      <button
        type="button"
        className="button plain icon little"
        aria-label={archived ? texts.restore : texts.archive}
        title={archived ? texts.restoreHint : texts.archiveHint}
        onClick={() => void tending.archive(memory)}
      >
        {archived ? <ArchiveRestore size={15} aria-hidden /> : <Archive size={15} aria-hidden />}
      </button>
      <button
        type="button"
        className="button plain icon little"
        aria-label={texts.remove}
        title={texts.remove}
        onClick={() => void tending.remove(memory)}
      >
        <Trash2 size={15} aria-hidden />
      </button>
    </div>
  );
}
