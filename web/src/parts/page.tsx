import { type ReactNode, useEffect } from "react";

export function Page({
  title,
  lead,
  actions,
  children,
}: {
  title: string;
  lead: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
  useEffect(() => {
    document.title = `${title} · Recollect`;
  }, [title]);
  return (
    <div className="page">
      <header>
        <div>
          <h1>{title}</h1>
          <p>{lead}</p>
        </div>
        {actions}
      </header>
      {children}
    </div>
  );
}
