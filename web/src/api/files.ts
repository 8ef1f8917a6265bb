import { credentials, dataOf, server } from "./client";
import { problemOf } from "./problem";
import { sendFile, type Step } from "./sending";
import type { Applied, Loaded, Upload } from "./types";
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

/** Send a file to look at and then import: what it is called there, for a while. */
export const uploadFile = async (file: Blob, { name, whose: _, ...sent }: Sent): Promise<string> =>
  (await sendFile<Upload>("uploads", { name }, file, sent)).id;

/** Remove a file that was sent; the server does so itself in the end. */
export const removeUpload = (upload: string): void =>
  void fetch(`uploads/${upload}`, { method: "DELETE", headers: credentials() }).catch(() => null);

/** Import what another program exported, an export of ours, or messages; `dry` only counts. */
export const importFile = (
  upload: string,
  answers: Readonly<Record<string, string>>,
  { whose, name, dry, ...sent }: Sent & { dry: boolean },
): Promise<Loaded> => {
  const session = name.replace(ENDING, "");
  const how = dry ? { dry_run: "true" } : { stream: "true" };
  const asked = { timezone: ZONE, ...whose, ...answers, ...how, upload };
  return sendFile("import", session ? { ...asked, session_id: session } : asked, null, sent);
};

/** Apply the edits of a folder of Markdown, sent as a zip archive; `dry` only tells them. */
export const applyFolder = (
  upload: string,
  { whose, dry, deleteMissing, name: _, ...sent }: Sent & { dry: boolean; deleteMissing: boolean },
): Promise<Applied> => {
  const asked = { ...whose, upload, dry_run: String(dry), delete_missing: String(deleteMissing) };
  return sendFile("apply", asked, null, sent);
};

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
