import { useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import * as api from "../../api/memories";
import { messageOf } from "../../api/problem";
import type { MemoryRecord } from "../../api/types";
import { useToasts } from "../../parts/toasts";

const UNDO_MS = 10_000;

interface Step {
  run: () => Promise<unknown>;
  told: string;
  undo?: () => Promise<unknown>;
  /** The memory that this takes away: nothing more is asked about it. */
  gone?: string;
}

/** What a person can do to a memory. Each says what was done, and how to take it back. */
export function useTending() {
  const queries = useQueryClient();
  const toasts = useToasts();
  return useMemo(() => {
    const take = async ({ run, told, undo, gone }: Step): Promise<boolean> => {
      try {
        await run();
        toasts.show(
          {
            text: told,
            ...(undo
              ? { action: { label: "Undo", run: () => void take({ run: undo, told: "Undone." }) } }
              : {}),
          },
          undo ? UNDO_MS : undefined,
        );
        return true;
      } catch (error) {
        toasts.show({ text: messageOf(error), bad: true }, UNDO_MS);
        return false;
      } finally {
        // A deleted memory may still be on the screen for a moment: its reasons are not asked for again.
        await queries.invalidateQueries({
          predicate: ({ queryKey: [what, ...of] }) => what !== "why" || !gone || !of.includes(gone),
        });
      }
    };
    const pin = ({ id, worth }: MemoryRecord) =>
      take({
        run: () => api.update(id, { critical: !worth.critical }),
        told: worth.critical ? "No longer critical." : "Pinned as critical: it never fades.",
        undo: () => api.update(id, { critical: worth.critical }),
      });
    const reinforce = ({ id }: MemoryRecord) =>
      take({ run: () => api.reinforce(id), told: "Reinforced: it matters more, and fades anew from now." });
    const archive = ({ id, tier }: MemoryRecord) =>
      tier === "archived"
        ? take({ run: () => api.unarchive(id), told: "Brought back.", undo: () => api.archive(id) })
        : take({
            run: () => api.archive(id),
            told: "Archived: no search finds it.",
            undo: () => api.unarchive(id),
          });
    const remove = ({ id }: MemoryRecord) =>
      take({ run: () => api.remove(id), told: "Deleted.", undo: () => api.restore(id), gone: id });
    const rewrite = (memory: MemoryRecord, content: string) =>
      take({
        run: () => api.update(memory.id, { content }),
        told: "Changed.",
        undo: () => api.update(memory.id, { content: memory.content }),
      });
    const judge = ({ id }: { id: string }, useful: boolean, query: string | null) =>
      take({
        run: () => api.feedback(id, useful, query),
        told: useful ? "Noted: it helped." : "Noted: it did not help.",
      });
    return { pin, reinforce, archive, remove, rewrite, judge, take };
  }, [queries, toasts]);
}
