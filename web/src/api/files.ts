import { credentials, dataOf, server } from "./client";
import { problemOf } from "./problem";
import { sendFile, type Step } from "./sending";
import type { Applied, Loaded } from "./types";
import { owner } from "./user";

const ENDING = /\.[^.]*$/;
/** Times of a file that name no zone are the person's. */
export const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

export type Whose = ReturnType<typeof owner>;

interface Sent {
  whose: Whose;
  name: string;
  signal: AbortSignal;
  onSent?: (step: Step) => void;
  onStep?: (step: Step) => void;
}

/** Import what another program exported, an export of ours, or messages; `dry` only counts. */
export const importFile = (
  file: Blob,
  answers: Readonly<Record<string, string>>,
  { whose, name, dry, ...sent }: Sent & { dry: boolean },
): Promise<Loaded> => {
  const session = name.replace(ENDING, "");
  const how = dry ? { dry_run: "true" } : { stream: "true" };
  const asked = { timezone: ZONE, ...whose, ...answers, ...how, name };
  return sendFile("import", session ? { ...asked, session_id: session } : asked, file, sent);
};

/** Apply the edits of a folder of Markdown, sent as a zip archive; `dry` only tells them. */
export const applyFolder = (
  file: Blob,
  { whose, dry, deleteMissing, name: _, ...sent }: Sent & { dry: boolean; deleteMissing: boolean },
): Promise<Applied> =>
  sendFile("apply", { ...whose, dry_run: String(dry), delete_missing: String(deleteMissing) }, file, sent);

/** Keep a document; how many of its parts are stored and known. */
export async function keepDocument(
  file: Blob,
  { whose, name, ...sent }: Sent,
): Promise<{ stored: number; known: number }> {
  const told = await sendFile<{ status: string; chunks: number; reason: string | null }>(
    "documents/file",
    { ...whose, source: name },
    file,
    sent,
  );
  if (told.reason !== null) throw new Error(told.reason);
  const unchanged = told.status === "unchanged";
  return { stored: unchanged ? 0 : told.chunks, known: unchanged ? told.chunks : 0 };
}

/** Everything of the user, as a file: JSON Lines, or a folder of Markdown in a zip archive. */
export async function exported(format: "lines" | "markdown"): Promise<Blob> {
  const query = new URLSearchParams({ ...owner(), format });
  const answer = await fetch(`export?${query}`, { headers: credentials() });
  if (!answer.ok) throw problemOf(answer.status, await answer.json().catch(() => null));
  return answer.blob();
}

/** Delete everything of the user, for good; how many memories that were. */
export async function erased(): Promise<number> {
  await dataOf(server.DELETE("/memories", { params: { query: { ...owner(), all: true } } }));
  return (await dataOf(server.POST("/purge", { params: { query: owner() } }))).deleted;
}

export const users = async (signal: AbortSignal): Promise<string[]> =>
  (await dataOf(server.GET("/users", { signal }))).users;
