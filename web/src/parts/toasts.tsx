import { createPortal } from "react-dom";
import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from "react";

export interface Toast {
  id: number;
  text: string;
  bad?: boolean;
  /** What can be done about it; `name` says of what. */
  action?: { label: string; name?: string; run: () => void };
}

interface Toasts {
  show: (toast: Omit<Toast, "id">, lasts_ms?: number) => number;
  drop: (id: number) => void;
  /** Show the news inside this element, such as an open dialog: what is outside of it cannot be clicked. */
  inside: (element: HTMLElement | null) => void;
}

const Context = createContext<Toasts | null>(null);
const SHOWN_MS = 5_000;
const MOST = 5;
let last = 0;

export function useToasts(): Toasts {
  const toasts = useContext(Context);
  if (!toasts) throw new Error("useToasts needs a ToastArea above it");
  return toasts;
}

/** Short news at the foot of the page, read out by screen readers. */
export function ToastArea({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<Toast[]>([]);
  const drop = useCallback((id: number) => setShown((all) => all.filter((one) => one.id !== id)), []);
  const show = useCallback(
    (toast: Omit<Toast, "id">, lasts_ms = SHOWN_MS) => {
      const id = ++last;
      setShown((all) => [...all, { ...toast, id }].slice(-MOST));
      if (lasts_ms !== Infinity) window.setTimeout(() => drop(id), lasts_ms);
      return id;
    },
    [drop],
  );
  const [host, inside] = useState<HTMLElement | null>(null);
  const toasts = useMemo(() => ({ show, drop, inside }), [show, drop]);
  const news = (
    <div className="toasts" role="status" aria-live="polite">
      {shown.map((toast) => (
        <div key={toast.id} className={toast.bad ? "toast bad" : "toast"}>
          <span>{toast.text}</span>
          {toast.action && (
            <button
              className="button little"
              type="button"
              aria-label={toast.action.name}
              onClick={() => {
                toast.action?.run();
                drop(toast.id);
              }}
            >
              {toast.action.label}
            </button>
          )}
        </div>
      ))}
    </div>
  );
  return (
    <Context value={toasts}>
      {children}
      {host ? createPortal(news, host) : news}
    </Context>
  );
}
