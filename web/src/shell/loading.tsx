import { type ComponentType, type LazyExoticComponent, lazy, Suspense, useState } from "react";
import { Loading } from "../parts/states";
import { TEXTS } from "../texts";

const PATIENCE_MS = 5_000;

/** A file of the page did not come; `cause` says why. */
export class NotLoaded extends Error {}

/** Loads a file when it is asked for, and anew when that failed: then it rejects with `NotLoaded`. */
export function lazily<T>(load: () => Promise<T>): () => Promise<T> {
  let failures = 0;
  return () =>
    load().catch(async (error: unknown) => {
      failures += 1;
      throw new NotLoaded(TEXTS.problems.fileMissing, { cause: await reasonOf(error, failures) });
    });
}

/** A page that is a file of its own, loaded when it is first looked at. */
export function paged(load: () => Promise<{ default: ComponentType }>): ComponentType {
  const loaded = lazily(load);
  let page: LazyExoticComponent<ComponentType> | null = null;
  const attempt = () =>
    loaded().catch((error: unknown) => {
      page = null;
      throw error;
    });
  return function Paged() {
    const [Page] = useState(() => (page ??= lazy(attempt)));
    return (
      <Suspense
        fallback={
          <div className="page">
            <Loading what="page" />
          </div>
        }
      >
        <Page />
      </Suspense>
    );
  };
}

/**
 * Why a file did not come: the server is away, or it is there. Where an upgrade renamed the files, the page is
 * loaded whole; also where a file fails again, for some browsers remember that it did.
 */
async function reasonOf(error: unknown, failures: number): Promise<unknown> {
  try {
    const answer = await fetch(new URL(".", document.baseURI), {
      cache: "no-store",
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    if (!answer.ok) return new Error(TEXTS.problems.status(answer.status));
    if (failures > 1 || isRenamed(await answer.text())) location.reload();
    return new Error(TEXTS.problems.fileMissing);
  } catch {
    return error;
  }
}

/** Whether the server's page now starts from another file than this one did. */
function isRenamed(html: string): boolean {
  const entry = (of: Document) => of.querySelector("script[type=module]")?.getAttribute("src");
  return entry(new DOMParser().parseFromString(html, "text/html")) !== entry(document);
}
