import "./memories.css";
import { Archive, ArchiveRestore, Pin, Plus, Search, Shapes, Sparkles, Trash2 } from "lucide-react";
import { useDeferredValue, useEffect, useId, useState } from "react";
import type { MemoryFilters } from "../../api/memories";
import { useMemories, useSearch } from "../../api/queries";
import type { Hit, MemoryRecord } from "../../api/types";
import { dayOf, many, momentOf, plain } from "../../design/format";
import { Meter } from "../../parts/meter";
import { Page } from "../../parts/page";
import { ScoreBar, ScoreLegend } from "../../parts/score";
import { Answered, Empty, Failed, Spinner } from "../../parts/states";
import { AddDrawer } from "./add";
import { Filters } from "./filters";
import { useTending } from "./tending";
import { WhyDrawer } from "./why";

const TYPED_MS = 150;

export default function Memories() {
  const [text, setText] = useState("");
  const [filters, setFilters] = useState<MemoryFilters>({});
  const [open, setOpen] = useState<string | null>(null);
  const [adding, setAdding] = useState(false);
  const query = useSettled(text.trim());
  const field = useId();
  return (
    <Page
      title="Memories"
      lead="Everything that is stored, word for word. Search as you would ask."
      actions={
        <button type="button" className="button" onClick={() => setAdding(true)}>
          <Plus size={16} aria-hidden /> Add
        </button>
      }
    >
      <search className="find">
        <div className="searching">
          <Search size={18} aria-hidden />
          <label className="unseen" htmlFor={field}>
            Search the memories
          </label>
          <input
            id={field}
            className="input"
            type="search"
            placeholder="Search, or ask a question"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </div>
        <Filters filters={filters} onChange={setFilters} />
      </search>
      {query ? (
        <Found query={query} filters={filters} onOpen={setOpen} />
      ) : (
        <All filters={filters} onOpen={setOpen} onAdd={() => setAdding(true)} />
      )}
      {open && (
        <WhyDrawer id={open} question={query || null} filters={filters} onClose={() => setOpen(null)} />
      )}
      {adding && <AddDrawer onClose={() => setAdding(false)} />}
    </Page>
  );
}

/** A text once the typing pauses. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = window.setTimeout(() => setSettled(text), text ? TYPED_MS : 0);
    return () => window.clearTimeout(timer);
  }, [text]);
  return settled;
}

const narrowed = (filters: MemoryFilters): boolean => Object.values(filters).some(Boolean);

function Found({
  query,
  filters,
  onOpen,
}: {
  query: string;
  filters: MemoryFilters;
  onOpen: (id: string) => void;
}) {
  const found = useSearch(useDeferredValue(query), filters);
  return (
    <Answered query={found} what="search" rows={4}>
      {(hits) =>
        hits.length === 0 ? (
          <Empty icon={Search} title="No memory was found">
            <p>
              {narrowed(filters)
                ? "Clear the filters, or ask in other words."
                : "Ask in other words, or add a memory."}
            </p>
          </Empty>
        ) : (
          <div className="stack">
            <div className="row wrap">
              <p className="small soft" role="status">
                {many(hits.length, "memory", "memories")}, best first
              </p>
              <div className="push">
                <ScoreLegend all={hits.map((hit) => hit.terms)} />
              </div>
            </div>
            <List hits={hits} onOpen={onOpen} />
          </div>
        )
      }
    </Answered>
  );
}

function All({
  filters,
  onOpen,
  onAdd,
}: {
  filters: MemoryFilters;
  onOpen: (id: string) => void;
  onAdd: () => void;
}) {
  const pages = useMemories(filters);
  return (
    <Answered query={pages} what="memories" rows={6}>
      {(data) => {
        const records = data.pages.flatMap((page) => page.items);
        if (records.length === 0) return <Nothing narrowed={narrowed(filters)} onAdd={onAdd} />;
        return (
          <>
            <List hits={records.map((memory) => ({ memory }))} onOpen={onOpen} />
            <div className="more">
              {pages.isFetchNextPageError ? (
                <Failed
                  error={pages.error}
                  what="No more could be loaded."
                  retry={() => void pages.fetchNextPage()}
                />
              ) : pages.isFetchingNextPage ? (
                <Spinner label="Loading more" />
              ) : (
                pages.hasNextPage && (
                  <button type="button" className="button" onClick={() => void pages.fetchNextPage()}>
                    Show older memories
                  </button>
                )
              )}
            </div>
          </>
        );
      }}
    </Answered>
  );
}

function Nothing({ narrowed: isNarrowed, onAdd }: { narrowed: boolean; onAdd: () => void }) {
  if (isNarrowed) {
    return (
      <Empty icon={Shapes} title="No memory matches these filters">
        <p>Choose other filters, or none.</p>
      </Empty>
    );
  }
  return (
    <Empty icon={Shapes} title="No memories yet">
      <p>Chat a little, add a memory here, or import an export under Settings.</p>
      <div className="row wrap">
        <button type="button" className="button main" onClick={onAdd}>
          <Plus size={16} aria-hidden /> Add a memory
        </button>
      </div>
    </Empty>
  );
}

type Shown = { memory: MemoryRecord } & Partial<
  Pick<Hit, "score" | "terms" | "repeats" | "citation" | "superseded">
>;

function List({ hits, onOpen }: { hits: readonly Shown[]; onOpen: (id: string) => void }) {
  return (
    <ul className="memories" aria-label="Memories">
      {hits.map((hit) => (
        <Row key={hit.memory.id} hit={hit} onOpen={onOpen} />
      ))}
    </ul>
  );
}

function Row({ hit, onOpen }: { hit: Shown; onOpen: (id: string) => void }) {
  const { memory, score, terms, repeats } = hit;
  const tending = useTending();
  const archived = memory.tier === "archived";
  return (
    <li className="memory">
      <button type="button" className="open" onClick={() => onOpen(memory.id)}>
        <span className="words">{memory.content}</span>
      </button>
      {score !== undefined && terms && <ScoreBar score={score} terms={terms} />}
      <div className="about">
        {memory.worth.critical && (
          <span className="pin">
            <Pin size={13} aria-hidden /> Critical
          </span>
        )}
        {memory.kind !== "message" && <span className="badge good">{plain(memory.kind)}</span>}
        {archived && <span className="badge">Archived</span>}
        <time dateTime={memory.times.happened_at}>{dayOf(memory.times.happened_at)}</time>
        {hit.superseded && (
          <span className="badge">
            {hit.superseded.until ? `Until ${dayOf(hit.superseded.until)}` : "Corrected later"}
          </span>
        )}
        {repeats && repeats.length > 0 && (
          <span className="badge" title={repeats.map((one) => momentOf(one.happened_at)).join("; ")}>
            Said {many(repeats.length + 1, "time")}
          </span>
        )}
        <span>{hit.citation ?? memory.origin.speaker ?? plain(memory.origin.role)}</span>
        <Meter value={memory.worth.importance} label="Importance" />
      </div>
      <div className="acts">
        <button
          type="button"
          className="button plain icon little"
          aria-pressed={memory.worth.critical}
          aria-label="Pin as critical"
          title="Pin as critical: it never fades"
          onClick={() => tending.pin(memory)}
        >
          <Pin size={15} aria-hidden />
        </button>
        <button
          type="button"
          className="button plain icon little"
          aria-label="Reinforce"
          title="Reinforce: its importance rises by a fifth"
          onClick={() => tending.reinforce(memory)}
        >
          <Sparkles size={15} aria-hidden />
        </button>
        <button
          type="button"
          className="button plain icon little"
          aria-label={archived ? "Restore" : "Archive"}
          title={archived ? "Restore from the archive" : "Archive: searches no longer find it"}
          onClick={() => tending.archive(memory)}
        >
          {archived ? <ArchiveRestore size={15} aria-hidden /> : <Archive size={15} aria-hidden />}
        </button>
        <button
          type="button"
          className="button plain icon little"
          aria-label="Delete"
          title="Delete"
          onClick={() => tending.remove(memory)}
        >
          <Trash2 size={15} aria-hidden />
        </button>
      </div>
    </li>
  );
}
