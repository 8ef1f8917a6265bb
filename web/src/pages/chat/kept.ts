import type { Turn } from "./conversation";

/** What the server does not keep of an answer: what was remembered for it, and answers that only quote. */
export type KeptAnswer = Pick<Turn, "words" | "model" | "preset" | "aware" | "sources">;

const NAME = "recollect.answers";
const MOST = 30;

function all(): [string, KeptAnswer][] {
  try {
    return JSON.parse(sessionStorage.getItem(NAME) ?? "[]") as [string, KeptAnswer][];
  } catch {
    return [];
  }
}

/** The last answers of this tab, by the ids of the messages that they answer. */
export const keptAnswers = (): ReadonlyMap<string, KeptAnswer> => new Map(all());

export function keepAnswer(message: string, answer: KeptAnswer): void {
  try {
    sessionStorage.setItem(NAME, JSON.stringify([...all(), [message, answer]].slice(-MOST)));
  } catch {
    // No storage, or no room: a reload shows what the server keeps.
  }
}

export function forgetAnswers(): void {
  try {
    sessionStorage.removeItem(NAME);
  } catch {
    // There was none.
  }
}
