import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useLocation } from "wouter";
import { useStats } from "../../api/queries";
import { useToasts } from "../../parts/toasts";
import { TEXTS } from "../../texts";
import type { Folder } from "./folders";
import { isBusy, type Item, type Sizes, take, useItems } from "./queue";

const { importing: texts } = TEXTS;
export const IMPORT = "/import";
const TOLD_MS = 12_000;

/** Looks at some files on the page for it. */
export function useTake(): (files: readonly (File | Folder)[]) => void {
  const [, go] = useLocation();
  const stats = useStats();
  const sizes = async (): Promise<Sizes> => {
    const told = stats.data ?? (await stats.refetch({ cancelRefetch: false })).data;
    return { document: told?.maxBodyBytes ?? Infinity, import: told?.maxImportBytes ?? Infinity };
  };
  return (files) => {
    if (files.length === 0) return;
    take(files, sizes);
    go(IMPORT);
  };
}

/** Says on other pages what became of the files, shows what they brought, and asks before the page is left. */
export function useNews(): void {
  const items = useItems();
  const [path] = useLocation();
  const toasts = useToasts();
  const queries = useQueryClient();
  const told = useRef(new Set<number>());
  useEffect(() => {
    for (const item of items) {
      if (!isOver(item)) told.current.delete(item.id);
      else if (!told.current.has(item.id)) {
        told.current.add(item.id);
        void queries.invalidateQueries();
        if (path !== IMPORT) toasts.show(newsOf(item), TOLD_MS);
      }
    }
  }, [items, path, toasts, queries]);
  const busy = items.some(isBusy);
  useEffect(() => {
    if (!busy) return;
    const stay = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", stay);
    return () => window.removeEventListener("beforeunload", stay);
  }, [busy]);
}

const isOver = ({ phase }: Item): boolean => phase === "done" || phase === "failed";

function newsOf({ name, phase, outcome }: Item) {
  if (phase !== "done") return { text: texts.newsFailed(name), bad: true };
  const inPart = outcome !== null && "incomplete" in outcome && outcome.incomplete !== undefined;
  return inPart ? { text: texts.newsInPart(name), bad: true } : { text: texts.newsDone(name) };
}
