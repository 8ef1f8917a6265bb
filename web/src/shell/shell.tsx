import "./shell.css";
import { useQueryClient } from "@tanstack/react-query";
import { Ellipsis } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Link, Route, Router, Switch, useLocation } from "wouter";
import { useHashLocation } from "wouter/use-hash-location";
import { useConflicts } from "../api/queries";
import { useUser } from "../api/user";
import { Boundary } from "./boundary";
import { DropZone } from "./files";
import { ON_PHONE, PAGES, type PageEntry } from "./pages";
import { TEXTS } from "../texts";

const { shell: texts } = TEXTS;

/** The frame around every page. The page stands after `#`, for the paths before it are the API's. */
export function Shell() {
  return (
    <Router hook={useHashLocation}>
      <Frame />
    </Router>
  );
}

function Frame() {
  const main = useRef<HTMLElement>(null);
  const [path] = useLocation();
  const user = useUser();
  const begun = useRef(path);
  useEffect(() => {
    if (begun.current === path) return;
    begun.current = path;
    main.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [path]);
  return (
    <div className="shell">
      <a
        className="button main skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          main.current?.focus();
        }}
      >
        {texts.skip}
      </a>
      <Side />
      <main className="main" ref={main} tabIndex={-1} key={user}>
        <Boundary key={path}>
          <Switch>
            {PAGES.map(({ path: at, page }) => (
              <Route key={at} path={at} component={page} />
            ))}
            <Route>
              <div className="page">
                <h1>{texts.noPage}</h1>
                <p>
                  <Link href="/">{texts.toChat}</Link>
                </p>
              </div>
            </Route>
          </Switch>
        </Boundary>
      </main>
      <Tabs />
      <DropZone />
    </div>
  );
}

function Side() {
  const user = useUser();
  return (
    <aside className="side">
      <Link href="/" className="brand">
        <img src="./icon.svg" alt="" /> {texts.brand}
      </Link>
      <nav aria-label={texts.pages}>
        <PageList pages={PAGES} />
      </nav>
      <footer>
        <Link href="/settings" className="whose">
          <span className="face" aria-hidden>
            {user.charAt(0) || "M"}
          </span>
          <span>
            <strong>{user || texts.mine}</strong>
            <span className="small soft">{texts.change}</span>
          </span>
        </Link>
      </footer>
    </aside>
  );
}

function PageList({ pages, onGo }: { pages: readonly PageEntry[]; onGo?: () => void }) {
  const [here] = useLocation();
  const open = useConflicts().data?.length ?? 0;
  const queries = useQueryClient();
  return (
    <ul className="pages">
      {pages.map(({ path, name, icon: Icon }) => (
        <li key={path}>
          <Link
            href={path}
            aria-current={here === path ? "page" : undefined}
            onClick={() => {
              void queries.invalidateQueries({ refetchType: "none" });
              onGo?.();
            }}
          >
            <Icon size={18} strokeWidth={1.75} aria-hidden /> {name}
            {path === "/conflicts" && open > 0 && <span className="badge warn">{texts.open(open)}</span>}
          </Link>
        </li>
      ))}
    </ul>
  );
}

function Tabs() {
  const [here] = useLocation();
  const [more, setMore] = useState(false);
  const sheet = useRef<HTMLDialogElement>(null);
  const rest = PAGES.slice(ON_PHONE);
  useEffect(() => {
    if (more) sheet.current?.showModal();
    else sheet.current?.close();
  }, [more]);
  return (
    <nav className="tabs" aria-label={texts.pagesOnPhone}>
      {PAGES.slice(0, ON_PHONE).map(({ path, name, icon: Icon }) => (
        <Link key={path} href={path} aria-current={here === path ? "page" : undefined}>
          <Icon size={20} strokeWidth={1.75} aria-hidden /> {name}
        </Link>
      ))}
      <button
        type="button"
        aria-haspopup="dialog"
        aria-expanded={more}
        aria-current={rest.some(({ path }) => path === here) ? "page" : undefined}
        onClick={() => setMore(true)}
      >
        <Ellipsis size={20} strokeWidth={1.75} aria-hidden /> {texts.more}
      </button>
      <dialog
        ref={sheet}
        className="sheet"
        aria-label={texts.morePages}
        onClose={() => setMore(false)}
        onClick={(event) => event.target === sheet.current && setMore(false)}
      >
        <PageList pages={rest} onGo={() => setMore(false)} />
      </dialog>
    </nav>
  );
}
