import { credentials, dataOf, server } from "./client";
import { problemOf } from "./problem";
import { owner } from "./user";

/** Files with messages or an export, and documents: the server reads both by these endings. */
const MESSAGES = /\.(jsonl|ndjson|json)$/i;
const DOCUMENTS = /\.(md|markdown|mdown|txt|text|rst|org|adoc|html?|xhtml|pdf)$/i;
export const ENDINGS =
  ".jsonl,.ndjson,.json,.md,.markdown,.mdown,.txt,.text,.rst,.org,.adoc,.html,.htm,.xhtml,.pdf";

export interface Taken {
  stored: number;
  known: number;
  refused: number;
}

/** Why a file cannot be read, by its name and size alone; null when it may be. */
export function refusalOf(file: File, largest_bytes: number): "kind" | "size" | null {
  if (!MESSAGES.test(file.name) && !DOCUMENTS.test(file.name)) return "kind";
  return file.size > largest_bytes ? "size" : null;
}

/** Remember what is in a file: messages, an export, or a document. */
export const sendFile = (file: File): Promise<Taken> =>
  MESSAGES.test(file.name) ? imported(file) : documented(file);

async function imported(file: File): Promise<Taken> {
  const query = { ...owner(), session_id: file.name.replace(MESSAGES, "") };
  const told = await posted<{ stored: number; duplicates: number; refused: number }>("import", query, file);
  return { stored: told.stored, known: told.duplicates, refused: told.refused };
}

async function documented(file: File): Promise<Taken> {
  const query = { ...owner(), source: file.name };
  const told = await posted<{ status: string; chunks: number; reason: string | null }>(
    "documents/file",
    query,
    file,
  );
  if (told.reason !== null) throw new Error(told.reason);
  const unchanged = told.status === "unchanged";
  return { stored: unchanged ? 0 : told.chunks, known: unchanged ? told.chunks : 0, refused: 0 };
}

async function posted<T>(path: string, query: Record<string, string>, file: File): Promise<T> {
  const answer = await fetch(`${path}?${new URLSearchParams(query)}`, {
    method: "POST",
    headers: { ...credentials(), "Content-Type": "application/octet-stream" },
    body: file,
  });
  const told: unknown = await answer.json().catch(() => null);
  if (!answer.ok) throw problemOf(answer.status, told);
  return told as T;
}

/** Everything of the user, as a file. */
export async function exported(): Promise<Blob> {
  const answer = await fetch(`export?${new URLSearchParams(owner())}`, { headers: credentials() });
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
