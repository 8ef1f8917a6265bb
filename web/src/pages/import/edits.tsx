import type { Applied, Edit } from "../../api/types";
import { TEXTS } from "../../texts";
import { type Item, setDeleteMissing } from "./queue";

const { importing: texts } = TEXTS;
const SHOWN = 20;
const NOT_DONE = ["conflict", "refused"];

/** What was edited in a folder; with the item, whether to delete what is gone from it. */
export function EditsShown({ applied, item }: { applied: Applied; item?: Item }) {
  const counts = Object.entries(applied.counts);
  const total = counts.reduce((sum, [, count]) => sum + count, 0);
  const gone = (applied.counts.missing ?? 0) + (applied.counts.deleted ?? 0);
  if (total === 0) return <p>{texts.noEdits}</p>;
  return (
    <>
      <ul className="standings" aria-label={texts.edits}>
        {counts.map(([what, count]) => (
          <li key={what} className={NOT_DONE.includes(what) ? "badge warn" : "badge"}>
            {texts.edit(what, count)}
          </li>
        ))}
      </ul>
      <ul className="edits">
        {applied.edits.slice(0, SHOWN).map((edit, at) => (
          <EditShown key={at} edit={edit} />
        ))}
      </ul>
      {total > SHOWN && <p className="small soft">{texts.more(total - SHOWN)}</p>}
      {item?.phase === "ready" && gone > 0 && (
        <label className="check">
          <input
            type="checkbox"
            checked={item.deleteMissing}
            onChange={({ target }) => setDeleteMissing(item.id, target.checked)}
          />
          {texts.deleteMissing(gone)}
        </label>
      )}
    </>
  );
}

function EditShown({ edit: { what, page, line, before, after, reason } }: { edit: Edit }) {
  return (
    <li>
      <p className="small soft">
        {texts.place(what, page, line)}
        {reason && `: ${reason}`}
      </p>
      {before && <del className="words">{before}</del>}
      {after && <ins className="words">{after}</ins>}
    </li>
  );
}
