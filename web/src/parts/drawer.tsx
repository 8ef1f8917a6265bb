import { X } from "lucide-react";
import { type ReactNode, useId, useLayoutEffect, useRef } from "react";
import { useToasts } from "./toasts";
import { TEXTS } from "../texts";

interface DrawerProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
  actions?: ReactNode;
}

/** Details beside the page. The browser's own dialog keeps the focus inside; afterwards it is where it was. */
export function Drawer({ title, onClose, children, actions }: DrawerProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const name = useId();
  const { inside } = useToasts();
  useLayoutEffect(() => {
    const shown = dialog.current;
    const before = document.activeElement;
    if (shown && !shown.open) shown.showModal();
    inside(shown);
    return () => {
      inside(null);
      shown?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, [inside]);
  return (
    <dialog
      ref={dialog}
      className="drawer"
      aria-labelledby={name}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      <header>
        <h2 id={name}>{title}</h2>
        {actions}
        <button className="button plain icon" type="button" aria-label={TEXTS.shell.close} onClick={onClose}>
          <X size={18} aria-hidden />
        </button>
      </header>
      <div className="inside" tabIndex={-1}>
        {children}
      </div>
    </dialog>
  );
}
