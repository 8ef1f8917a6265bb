import { X } from "lucide-react";
import { useId } from "react";
import type { MemoryFilters } from "../../api/memories";
import { useSessions } from "../../api/queries";
import { KINDS, type MemoryRecord } from "../../api/types";
import { TEXTS } from "../../texts";
import { nameOf } from "../chat/names";

const { memories: texts } = TEXTS;

interface FiltersProps {
  filters: MemoryFilters;
  /** The memories in sight: their tags and speakers are offered. */
  shown: readonly MemoryRecord[];
  onChange: (filters: MemoryFilters) => void;
}

const distinct = (all: readonly (string | null | undefined)[]): string[] =>
  [...new Set(all.filter((one): one is string => Boolean(one)))].sort();

/** Narrows the list and the search alike. */
export function Filters({ filters, shown, onChange }: FiltersProps) {
  const set = (change: Partial<MemoryFilters>) => onChange({ ...filters, ...change });
  const tags = useId();
  const speakers = distinct([filters.speaker, ...shown.map((one) => one.origin.speaker)]);
  return (
    <div className="filters" role="group" aria-label={texts.filters}>
      <select
        className="input"
        aria-label={texts.kind}
        value={filters.kind ?? ""}
        onChange={(event) => set({ kind: KINDS.find((kind) => kind === event.target.value) ?? null })}
      >
        <option value="">{texts.allKinds}</option>
        {KINDS.map((kind) => (
          <option key={kind} value={kind}>
            {TEXTS.kinds[kind]}
          </option>
        ))}
      </select>
      <SessionChoice session={filters.session ?? null} onChange={(session) => set({ session })} />
      {speakers.length > 0 && (
        <select
          className="input"
          aria-label={texts.bySpeaker}
          value={filters.speaker ?? ""}
          onChange={(event) => set({ speaker: event.target.value || null })}
        >
          <option value="">{texts.anySpeaker}</option>
          {speakers.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      )}
      <input
        className="input tagged"
        aria-label={texts.byTag}
        placeholder={texts.byTag}
        list={tags}
        value={filters.tag ?? ""}
        onChange={(event) => set({ tag: event.target.value || null })}
      />
      <datalist id={tags}>
        {distinct(shown.flatMap((one) => one.labels.tags.map(({ text }) => text))).map((tag) => (
          <option key={tag} value={tag} />
        ))}
      </datalist>
      <label>
        {texts.since}
        <input
          className="input"
          type="date"
          value={filters.since ?? ""}
          onChange={(event) => set({ since: event.target.value || null })}
        />
      </label>
      <select
        className="input"
        aria-label={texts.tier}
        value={filters.archived ? "archived" : ""}
        onChange={(event) => set({ archived: event.target.value === "archived" })}
      >
        <option value="">{texts.inUse}</option>
        <option value="archived">{texts.archived}</option>
      </select>
      <label className="check">
        <input
          type="checkbox"
          checked={filters.critical ?? false}
          onChange={(event) => set({ critical: event.target.checked })}
        />
        {texts.criticalOnly}
      </label>
      {Object.values(filters).some(Boolean) && (
        <button type="button" className="button plain little" onClick={() => onChange({})}>
          <X size={14} aria-hidden /> {texts.clear}
        </button>
      )}
    </div>
  );
}

function SessionChoice({
  session,
  onChange,
}: {
  session: string | null;
  onChange: (session: string | null) => void;
}) {
  const listed = useSessions().data?.pages.flatMap((page) => page.sessions) ?? [];
  return (
    <select
      className="input"
      aria-label={texts.bySession}
      value={session ?? ""}
      onChange={(event) => onChange(event.target.value || null)}
    >
      <option value="">{texts.anySession}</option>
      {session !== null && !listed.some((one) => one.id === session) && <option>{session}</option>}
      {listed.map((one) => (
        <option key={one.id} value={one.id}>
          {nameOf(one)}
        </option>
      ))}
    </select>
  );
}
