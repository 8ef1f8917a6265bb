import { CircleAlert, LoaderCircle, type LucideIcon, RotateCw } from "lucide-react";
import type { ReactNode } from "react";
import { messageOf } from "../api/problem";
import { TEXTS } from "../texts";

const { states: texts } = TEXTS;

/** Nothing to show, and what to do about it. */
export function Empty({
  icon: Icon,
  title,
  children,
}: {
  icon: LucideIcon;
  title: string;
  children: ReactNode;
}) {
  return (
    <div className="empty">
      <Icon size={32} strokeWidth={1.5} aria-hidden />
      <h2>{title}</h2>
      {children}
    </div>
  );
}

/** Something failed: what, and a way to try again. */
export function Failed({ error, retry, what }: { error: unknown; retry?: () => void; what: string }) {
  return (
    <div className="note bad" role="alert">
      <CircleAlert size={18} aria-hidden />
      <div className="stack tight">
        <p>
          <strong>{what}</strong> {messageOf(error)}
        </p>
        {retry && (
          <div>
            <button className="button little" type="button" onClick={retry}>
              <RotateCw size={14} aria-hidden /> {texts.again}
            </button>
          </div>
        )}
      </div>
    </div>
  );
}

/** What a page waits for, as `texts.ts` names it. */
export type Part = keyof typeof texts.parts;

export function Loading({ what, rows = 3 }: { what: Part; rows?: number }) {
  return (
    <div className="bones" role="status" aria-label={texts.loading(texts.parts[what])}>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className="bone" />
      ))}
    </div>
  );
}

export function Spinner({ label }: { label: string }) {
  return (
    <span className="row small soft" role="status">
      <LoaderCircle className="spin" size={16} aria-hidden /> {label}
    </span>
  );
}

interface Asked<T> {
  data: T | undefined;
  error: unknown;
  isPending: boolean;
  refetch: () => unknown;
}

/** What a query gave: bones while it loads, a note when it failed, else its data. */
export function Answered<T>({
  query,
  what,
  rows,
  children,
}: {
  query: Asked<T>;
  what: Part;
  rows?: number;
  children: (data: T) => ReactNode;
}) {
  if (query.data !== undefined) {
    return (
      <>
        {query.error != null && (
          <Failed
            error={query.error}
            retry={() => void query.refetch()}
            what={texts.stale(texts.parts[what])}
          />
        )}
        {children(query.data)}
      </>
    );
  }
  if (query.error != null) {
    return (
      <Failed
        error={query.error}
        retry={() => void query.refetch()}
        what={texts.notLoaded(texts.parts[what])}
      />
    );
  }
  return <Loading what={what} {...(rows === undefined ? {} : { rows })} />;
}
