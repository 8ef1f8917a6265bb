import { EventSourceParserStream } from "eventsource-parser/stream";
import { credentials } from "./client";
import { problemOf } from "./problem";
import type { Answer } from "./types";
import { currentUser } from "./user";

export type ChatEvent = { type: "token"; text: string } | { type: "done"; answer: Answer };

interface Asked {
  message: string;
  session: string;
  /** How to recall and answer; null leaves it to the server. */
  preset: string | null;
  signal: AbortSignal;
}

/** An answer as it comes: pieces of its words, then the whole with what was remembered for it. */
export async function* streamChat({ message, session, preset, signal }: Asked): AsyncGenerator<ChatEvent> {
  const answer = await fetch("api/chat", {
    method: "POST",
    headers: { ...credentials(), "Content-Type": "application/json" },
    body: JSON.stringify({
      message,
      stream: true,
      ...(currentUser() ? { userId: currentUser() } : {}),
      sessionId: session,
      ...(preset ? { preset } : {}),
    }),
    signal,
  });
  if (!answer.ok || !answer.body) throw problemOf(answer.status, await answer.json().catch(() => null));
  const events = answer.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream())
    .getReader();
  for (;;) {
    const { done, value } = await events.read();
    if (done) return;
    const data: unknown = JSON.parse(value.data);
    if (value.event === "error") throw problemOf(answer.status, data);
    if (value.event === "token" && typeof data === "string") yield { type: "token", text: data };
    if (value.event === "done") yield { type: "done", answer: data as Answer };
  }
}
