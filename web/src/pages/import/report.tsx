import { withoutCommands } from "../../api/problem";
import type { Report } from "../../api/types";
import { dayOf } from "../../design/format";
import { TEXTS } from "../../texts";
import { ZONE } from "../../api/files";

const { importing: texts } = TEXTS;
/** Formats whose times name no zone. */
const LOCAL_TIMES = ["whatsapp", "table", "markdown"];

/** What a file holds, what it would change here, and what is left out and why. */
export function ReportShown({ report }: { report: Report }) {
  const { since, until } = report;
  const expected = Object.entries(report.expected);
  const left = Object.entries(report.left_out);
  return (
    <>
      <p>
        {texts.holds(report)}
        {since && until && <span className="soft"> {texts.span(dayOf(since), dayOf(until))}</span>}
      </p>
      {expected.length > 0 && (
        <ul className="standings" aria-label={texts.expected}>
          {expected.map(([standing, count]) => (
            <li key={standing} className={standing === "conflict" ? "badge warn" : "badge"}>
              {texts.standing(standing, count)}
            </li>
          ))}
        </ul>
      )}
      {left.length > 0 && (
        <p className="small soft">{texts.leftOut(left.map(([what, count]) => texts.left(what, count)))}</p>
      )}
      {LOCAL_TIMES.includes(report.format) && <p className="small soft">{texts.zone(ZONE)}</p>}
      {report.incomplete && (
        <p className="told bad" role="alert">
          {texts.incomplete}
        </p>
      )}
      {report.notes.map((note) => (
        <p key={note} className="small soft">
          {withoutCommands(note)}
        </p>
      ))}
      <Places title={texts.broken(report.broken_count)} places={report.broken} of={report.broken_count} />
      <Places title={texts.conflicts(report.conflict)} places={report.conflicts} of={report.conflict} />
    </>
  );
}

/** Where something stands in the file, and why it is not taken. */
function Places({ title, places, of }: { title: string; places: Report["broken"]; of: number }) {
  if (places.length === 0) return null;
  return (
    <details className="places">
      <summary className="small">{title}</summary>
      <ul className="small" tabIndex={0} aria-label={title}>
        {places.map(({ where, reason }, at) => (
          <li key={at}>
            <strong>{where}</strong> {withoutCommands(reason)}
          </li>
        ))}
        {of > places.length && <li>{texts.more(of - places.length)}</li>}
      </ul>
    </details>
  );
}
