import { X } from "lucide-react";
import type { MemoryFilters } from "../../api/memories";
import { KINDS } from "../../api/types";
import { plain } from "../../design/format";

/** Narrows the list and the search alike. */
export function Filters({
  filters,
  onChange,
}: {
  filters: MemoryFilters;
  onChange: (filters: MemoryFilters) => void;
}) {
  const set = (change: Partial<MemoryFilters>) => onChange({ ...filters, ...change });
  return (
    <div className="filters" role="group" aria-label="Filters">
      <select
        className="input"
        aria-label="Kind"
        value={filters.kind ?? ""}
        onChange={(event) => set({ kind: KINDS.find((kind) => kind === event.target.value) ?? null })}
      >
        <option value="">All kinds</option>
        {KINDS.map((kind) => (
          <option key={kind} value={kind}>
            {plain(kind)}s
          </option>
        ))}
      </select>
      <select
        className="input"
        aria-label="Archive"
        value={filters.archived ? "archived" : ""}
        onChange={(event) => set({ archived: event.target.value === "archived" })}
      >
        <option value="">In use</option>
        <option value="archived">Archived</option>
      </select>
      <label>
        Since
        <input
          className="input"
          type="date"
          value={filters.since ?? ""}
          onChange={(event) => set({ since: event.target.value || null })}
        />
      </label>
      <label className="check">
        <input
          type="checkbox"
          checked={filters.critical ?? false}
          onChange={(event) => set({ critical: event.target.checked })}
        />
        Critical only
      </label>
      {Object.values(filters).some(Boolean) && (
        <button type="button" className="button plain little" onClick={() => onChange({})}>
          <X size={14} aria-hidden /> Clear
        </button>
      )}
    </div>
  );
}
