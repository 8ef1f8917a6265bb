import { dataOf, server } from "./client";
import type { SessionPage, SessionTurn } from "./types";
import { owner } from "./user";

const PAGE = 30;
const TURNS = 200;

const inPath = (session_id: string) => ({ params: { path: { session_id } } });

/** Conversations, the last active first. */
export const sessions = (cursor: string | null, signal: AbortSignal): Promise<SessionPage> =>
  dataOf(
    server.GET("/sessions", {
      params: { query: { ...owner(), limit: PAGE, ...(cursor ? { cursor } : {}) } },
      signal,
    }),
  );

/** The last messages of a conversation, oldest first. */
export async function turnsOf(session_id: string): Promise<SessionTurn[]> {
  const asked = { path: { session_id }, query: { ...owner(), limit: TURNS } };
  return (await dataOf(server.GET("/sessions/{session_id}/turns", { params: asked }))).turns;
}

export const titled = (session_id: string, title: string) =>
  dataOf(server.POST("/sessions", { body: { ...owner(), session_id, title } }));

/** Say that a conversation is over: what is new in it is learned, however little it is. */
export const endSession = (session_id: string) =>
  dataOf(server.POST("/sessions/{session_id}/end", { ...inPath(session_id), body: { ...owner() } }));
