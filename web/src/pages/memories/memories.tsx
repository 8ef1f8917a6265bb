import "./memories.css";
import { Import, Plus, Search, Shapes } from "lucide-react";
import { useDeferredValue, useEffect, useId, useMemo, useState } from "react";
import { Link } from "wouter";
import type { MemoryFilters } from "../../api/memories";
import { useIsAdmin, useMemories, useSearch } from "../../api/queries";
import { Page } from "../../parts/page";
import { ScoreLegend } from "../../parts/score";
import { Answered, Empty, Failed, Spinner } from "../../parts/states";
import { TEXTS } from "../../texts";
import { AddDrawer } from "./add";
import { Filters } from "./filters";
import { Row, type Shown } from "./row";
import { Selection } from "./selection";
import { WhyDrawer } from "./why";

const { memories: texts } = TEXTS;
const TYPED_MS = 60;
const NONE: readonly Shown[] = [];

export default function Memories() {
  const [text, setText] = useState("");
  const [filters, setFilters] = useState<MemoryFilters>({});
  const [open, setOpen] = useState<string | null>(null);
  const [adding, setAdding] = useState(false);
  const query = useSettled(text.trim());
  const found = useFound(query, useDeferredValue(filters));
  const shown = found.hits ?? NONE;
  const records = useMemo(() => shown.map((hit) => hit.memory), [shown]);
  const field = useId();
  return (
    <Page
      title={texts.title}
      lead={texts.lead}
      actions={
        <button type="button" className="button" onClick={() => setAdding(true)}>
          <Plus size={16} aria-hidden /> {texts.add}
        </button>
      }
    >
      <search className="find">
        <div className="searching">
          <Search size={18} aria-hidden />
          <label className="unseen" htmlFor={field}>
            {texts.search}
          </label>
          <input
            id={field}
            className="input"
            type="search"
            placeholder={texts.placeholder}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </div>
        <Filters filters={filters} shown={records} onChange={setFilters} />
      </search>
      <Answered query={{ ...found.asked, data: found.hits }} what={query ? "search" : "memories"} rows={6}>
        {(hits) =>
          hits.length === 0 ? (
            <Nothing asked={query !== ""} narrowed={narrowed(filters)} onAdd={() => setAdding(true)} />
          ) : (
            <List
              hits={hits}
              question={query || null}
              onOpen={setOpen}
              onTag={(tag) => setFilters({ ...filters, tag })}
            />
          )
        }
      </Answered>
      {!query && <More pages={found.pages} />}
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

/** What a search found, best first; without words what is stored, the newest first. */
function useFound(query: string, filters: MemoryFilters) {
  const search = useSearch(query, filters);
  const pages = useMemories(filters);
  const listed = useMemo(
    () => pages.data?.pages.flatMap((page) => page.items).map((memory): Shown => ({ memory })),
    [pages.data],
  );
  const hits: readonly Shown[] | undefined = query ? search.data : listed;
  return { hits, pages, asked: query ? search : pages };
}

function List({
  hits,
  question,
  onOpen,
  onTag,
}: {
  hits: readonly Shown[];
  question: string | null;
  onOpen: (id: string) => void;
  onTag: (tag: string) => void;
}) {
  const [scores, setScores] = useState(false);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const picked = hits.map((hit) => hit.memory).filter((memory) => chosen.has(memory.id));
  const toggle = (id: string) => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    setChosen(next);
  };
  return (
    <div className="stack tight">
      {picked.length > 0 ? (
        <Selection
          chosen={picked}
          others={hits.length - picked.length}
          onAll={() => setChosen(new Set(hits.map((hit) => hit.memory.id)))}
          onNone={() => setChosen(new Set())}
        />
      ) : (
        question !== null && <Heading hits={hits} scores={scores} onScores={setScores} />
      )}
      <ul className={picked.length > 0 ? "memories choosing" : "memories"} aria-label={texts.list}>
        {hits.map((hit) => (
          <Row
            key={hit.memory.id}
            hit={hit}
            question={question}
            scores={scores}
            chosen={chosen.has(hit.memory.id)}
            onChoose={toggle}
            onOpen={onOpen}
            onTag={onTag}
          />
        ))}
      </ul>
    </div>
  );
}

function Heading({
  hits,
  scores,
  onScores,
}: {
  hits: readonly Shown[];
  scores: boolean;
  onScores: (scores: boolean) => void;
}) {
  return (
    <div className="row wrap found">
      <p className="small soft" role="status">
        {texts.found(hits.length)}
      </p>
      {scores && <ScoreLegend all={hits.map((hit) => hit.terms ?? {})} />}
      <label className="check small push">
        <input type="checkbox" checked={scores} onChange={(event) => onScores(event.target.checked)} />
        {texts.scores}
      </label>
    </div>
  );
}

function More({ pages }: { pages: ReturnType<typeof useMemories> }) {
  if (!pages.hasNextPage && !pages.isFetchNextPageError) return null;
  return (
    <div className="more">
      {pages.isFetchNextPageError ? (
        <Failed error={pages.error} what={texts.noMore} retry={() => void pages.fetchNextPage()} />
      ) : pages.isFetchingNextPage ? (
        <Spinner label={texts.loadingMore} />
      ) : (
        <button type="button" className="button" onClick={() => void pages.fetchNextPage()}>
          {texts.older}
        </button>
      )}
    </div>
  );
}

function Nothing({
  asked,
  narrowed: isNarrowed,
  onAdd,
}: {
  asked: boolean;
  narrowed: boolean;
  onAdd: () => void;
}) {
  const isAdmin = useIsAdmin();
  if (asked) {
    return (
      <Empty icon={Search} title={texts.notFound}>
        <p>{isNarrowed ? texts.clearFilters : texts.otherWords}</p>
      </Empty>
    );
  }
  if (isNarrowed) {
    return (
      <Empty icon={Shapes} title={texts.noMatch}>
        <p>{texts.noMatchLead}</p>
      </Empty>
    );
  }
  return (
    <Empty icon={Shapes} title={texts.empty}>
      <p>{texts.emptyLead}</p>
      <div className="row wrap">
        <button type="button" className="button main" onClick={onAdd}>
          <Plus size={16} aria-hidden /> {texts.addFirst}
        </button>
        {isAdmin && (
          <Link href="/import" className="button">
            <Import size={16} aria-hidden /> {texts.importFirst}
          </Link>
        )}
      </div>
    </Empty>
  );
}
