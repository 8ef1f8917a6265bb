import { useQueryClient } from "@tanstack/react-query";
import { Download, Import, Trash2 } from "lucide-react";
import { type FormEvent, useId, useState } from "react";
import { Link } from "wouter";
import { erased, exported } from "../../api/files";
import { useIsAdmin, useStats } from "../../api/queries";
import { Failed, Spinner } from "../../parts/states";
import { useToasts } from "../../parts/toasts";
import { TEXTS } from "../../texts";

const { data: texts } = TEXTS;
const KEPT_MS = 10_000;

/** Files in, and everything out. */
export function Data() {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const toasts = useToasts();
  const isAdmin = useIsAdmin();
  const download = async (format: "lines" | "markdown") => {
    setBusy(true);
    setError(null);
    try {
      save(await exported(format), format === "lines" ? "jsonl" : "zip");
      toasts.show({ text: format === "lines" ? texts.downloaded : texts.downloadedPages });
    } catch (problem) {
      setError(problem);
    }
    setBusy(false);
  };
  return (
    <section className="card" aria-label={texts.title}>
      <h2>{texts.title}</h2>
      <p className="soft">{isAdmin ? texts.lead : texts.adminOnly}</p>
      {isAdmin && (
        <div className="row wrap">
          <Link href="/import" className="button">
            <Import size={16} aria-hidden /> {texts.choose}
          </Link>
          <button type="button" className="button" disabled={busy} onClick={() => void download("lines")}>
            <Download size={16} aria-hidden /> {texts.download}
          </button>
          <button type="button" className="button" disabled={busy} onClick={() => void download("markdown")}>
            <Download size={16} aria-hidden /> {texts.downloadPages}
          </button>
          {busy && <Spinner label={texts.downloading} />}
        </div>
      )}
      {error != null && <Failed error={error} what={texts.failed} />}
    </section>
  );
}

function save(words: Blob, ending: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(words);
  link.download = `recollect-${new Date().toISOString().slice(0, 10)}.${ending}`;
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(link.href), KEPT_MS);
}

/** Everything of the user deleted for good, once the user's name is typed. */
export function Erase() {
  const user = useStats().data?.userId;
  const isAdmin = useIsAdmin();
  const [typed, setTyped] = useState("");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const toasts = useToasts();
  const queries = useQueryClient();
  const id = useId();
  if (user === undefined || !isAdmin) return null;
  const erase = async (event: FormEvent) => {
    event.preventDefault();
    if (typed !== user) return;
    setBusy(true);
    setError(null);
    try {
      toasts.show({ text: texts.erased(await erased()) });
      setTyped("");
    } catch (problem) {
      setError(problem);
    }
    setBusy(false);
    await queries.invalidateQueries();
  };
  return (
    <section className="card danger" aria-label={texts.erase}>
      <h2>{texts.erase}</h2>
      <p className="soft">{texts.eraseLead(user)}</p>
      <form onSubmit={(event) => void erase(event)}>
        <div className="field">
          <label htmlFor={id}>{texts.eraseConfirm(user)}</label>
          <div className="beside">
            <input
              id={id}
              className="input"
              autoComplete="off"
              spellCheck={false}
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
            />
            <button type="submit" className="button risky" disabled={typed !== user || busy}>
              <Trash2 size={16} aria-hidden /> {texts.erase}
            </button>
          </div>
        </div>
      </form>
      {busy && <Spinner label={texts.erasing} />}
      {error != null && <Failed error={error} what={texts.notErased} />}
    </section>
  );
}
