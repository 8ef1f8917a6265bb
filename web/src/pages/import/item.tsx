import { CircleAlert, CircleCheck, FileText, FolderPen, Import, RotateCw, X } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { messageOf } from "../../api/problem";
import { momentOf, sizeOf } from "../../design/format";
import { Spinner } from "../../parts/states";
import { TEXTS } from "../../texts";
import { Asking } from "./asking";
import { EditsShown } from "./edits";
import { Progress } from "./progress";
import { isBusy, type Item, lookAgain, remove, stop } from "./queue";
import { ReportShown } from "./report";

const { importing: texts } = TEXTS;
const ICONS = { import: Import, edits: FolderPen, document: FileText } as const;

/** One file: what it is, what it would bring, how far it is, what it brought. */
export function ItemCard({ item, isOneOfSeveral }: { item: Item; isOneOfSeveral: boolean }) {
  const Icon = ICONS[item.taken];
  return (
    <li className="card file" data-phase={item.phase}>
      <header>
        <Icon size={18} strokeWidth={1.75} aria-hidden />
        <div>
          <h2>{item.name}</h2>
          <p className="small soft">{aboutOf(item, isOneOfSeveral)}</p>
        </div>
        {isBusy(item) ? (
          <button type="button" className="button little" onClick={() => stop(item.id)}>
            {texts.stop}
            <span className="unseen"> {item.name}</span>
          </button>
        ) : (
          <button
            type="button"
            className="button plain little icon"
            aria-label={texts.remove(item.name)}
            onClick={() => remove(item.id)}
          >
            <X size={16} aria-hidden />
          </button>
        )}
      </header>
      {item.phase !== "done" && <Found item={item} />}
      <Now item={item} />
    </li>
  );
}

/** What the file was taken for, its size, and when it was changed where others have its name. */
function aboutOf({ taken, report, file }: Item, isOneOfSeveral: boolean): string {
  const size = file ? sizeOf(file.size) : "";
  const changed = isOneOfSeveral && file instanceof File ? texts.changedAt(momentOf(file.lastModified)) : "";
  const what = taken === "import" ? (report?.title ?? "") : texts.taken[taken];
  return [what, size, changed].filter(Boolean).join(" · ");
}

function Found({ item }: { item: Item }) {
  if (item.taken === "document" && item.phase === "ready") {
    return <p className="small">{texts.documentHint}</p>;
  }
  if (item.edits) return <EditsShown applied={item.edits} item={item} />;
  return item.report && <ReportShown report={item.report} />;
}

/** What is wrong, with the name of the file as it is written. */
function whyNot({ name, error }: Item): string {
  const why = messageOf(error);
  return why.toLowerCase().startsWith(name.toLowerCase()) ? `${name}${why.slice(name.length)}` : why;
}

/** What is being done with the file, or was done. */
function Now({ item }: { item: Item }): ReactNode {
  switch (item.phase) {
    case "reading":
      return <Progress item={item} />;
    case "asking":
      return item.asks && <Asking key={item.asks.option} item={item} asks={item.asks} />;
    case "ready":
      return null;
    case "waiting":
      return <Spinner label={texts.waiting} />;
    case "importing":
      return <Progress item={item} />;
    case "done":
      return <Done item={item} />;
    case "failed":
      return (
        <div className="told bad" role="alert">
          <CircleAlert size={16} aria-hidden />
          <p>{whyNot(item)}</p>
          {item.file && (
            <button type="button" className="button little" onClick={() => lookAgain(item.id)}>
              <RotateCw size={14} aria-hidden /> {texts.again}
              <span className="unseen"> {item.name}</span>
            </button>
          )}
        </div>
      );
  }
}

function Done({ item: { outcome, edits } }: { item: Item }) {
  if (!outcome) return null;
  if ("applied" in outcome) {
    return (
      <>
        <EditsShown applied={outcome.applied} />
        <div className="told good" role="status">
          <CircleCheck size={16} aria-hidden />
          <p>
            {edits && texts.applied(outcome.applied.counts)} {texts.folderIsOld}{" "}
            <Link href="/settings">{texts.toDownload}</Link>
          </p>
        </div>
      </>
    );
  }
  return (
    <>
      {outcome.report && <ReportShown report={outcome.report} />}
      <div className={outcome.incomplete ? "told bad" : "told good"} role="status">
        {outcome.incomplete ? <CircleAlert size={16} aria-hidden /> : <CircleCheck size={16} aria-hidden />}
        <p>
          {outcome.incomplete && <strong>{texts.inPart} </strong>}
          {texts.done(outcome.stored, outcome.report?.updated ?? 0, outcome.known, outcome.refused)}{" "}
          <Link href="/memories">{texts.toMemories}</Link>
        </p>
      </div>
    </>
  );
}
