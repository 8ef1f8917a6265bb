import { useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import * as api from "../../api/memories";
import { messageOf } from "../../api/problem";
import type { MemoryRecord } from "../../api/types";
import { useToasts } from "../../parts/toasts";
import { TEXTS } from "../../texts";

const UNDO_MS = 10_000;
const SHORT = 48;
const { done: texts } = TEXTS;

/** How a memory begins, in quotes. */
export const short = (words: string): string =>
  `“${words.length > SHORT ? `${words.slice(0, SHORT).trimEnd()}…` : words}”`;

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
              ? {
                  action: {
                    label: texts.undo,
                    name: texts.undoOf(told),
                    run: () => void take({ run: undo, told: texts.undone(told) }),
                  },
                }
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
    const pin = ({ id, worth, content }: MemoryRecord) =>
      take({
        run: () => api.update(id, { critical: !worth.critical }),
        told: (worth.critical ? texts.unpinned : texts.pinned)(short(content)),
        undo: () => api.update(id, { critical: worth.critical }),
      });
    const reinforce = ({ id, worth, content }: MemoryRecord) =>
      take({
        run: () => api.reinforce(id),
        told: texts.reinforced(short(content)),
        undo: () => api.update(id, { importance: worth.importance }),
      });
    const archive = ({ id, tier, content }: MemoryRecord) =>
      tier === "archived"
        ? take({
            run: () => api.unarchive(id),
            told: texts.unarchived(short(content)),
            undo: () => api.archive(id),
          })
        : take({
            run: () => api.archive(id),
            told: texts.archived(short(content)),
            undo: () => api.unarchive(id),
          });
    const remove = ({ id, content }: MemoryRecord) =>
      take({
        run: () => api.remove(id),
        told: texts.deleted(short(content)),
        undo: () => api.restore(id),
        gone: id,
      });
    const removeAll = (memories: readonly MemoryRecord[]) =>
      take({
        run: () => api.removeAll(memories.map(({ id }) => id)),
        told: TEXTS.memories.removed(memories.length),
        undo: () => Promise.all(memories.map(({ id }) => api.restore(id))),
      });
    const tagAll = (memories: readonly MemoryRecord[], tag: string) => {
      const tagsOf = ({ labels }: MemoryRecord) => labels.tags.map(({ text }) => text);
      const untagged = memories.filter((one) => !tagsOf(one).includes(tag));
      return take({
        run: () => Promise.all(untagged.map((one) => api.update(one.id, { tags: [tag, ...tagsOf(one)] }))),
        told: TEXTS.memories.tagged(memories.length, tag),
        undo: () => Promise.all(untagged.map((one) => api.update(one.id, { tags: tagsOf(one) }))),
      });
    };
    const rewrite = (memory: MemoryRecord, content: string) =>
      take({
        run: () => api.update(memory.id, { content }),
        told: texts.changed(short(content)),
        undo: () => api.update(memory.id, { content: memory.content }),
      });
    const judge = ({ id }: { id: string }, useful: boolean, query: string | null) =>
      take({
        run: () => api.feedback(id, useful, query),
        told: useful ? texts.helped : texts.notHelped,
      });
    return { pin, reinforce, archive, remove, removeAll, tagAll, rewrite, judge, take };
  }, [queries, toasts]);
}
