import { useSyncExternalStore } from "react";
import { streamChat } from "../../api/chat";
import { endSession } from "../../api/memories";
import type { Answer } from "../../api/types";
import { subscribe as onOwnerChanged } from "../../api/user";

export interface Turn {
  id: number;
  message: string;
  /** The answer's words so far. */
  words: string;
  state: "waiting" | "streaming" | "done" | "stopped" | "failed";
  /** The whole, once it is there. */
  answer: Answer | null;
  error: unknown;
}

const CUT_OFF = "The answer was cut off";

/** A name for a conversation that no other has; `randomUUID` is not there on every address. */
function newSession(): string {
  const random = crypto.getRandomValues(new Uint32Array(3));
  return `web-${[...random].map((part) => part.toString(36)).join("-")}`;
}

/** The conversation with the agent. It outlives the page that shows it, so looking elsewhere loses nothing. */
class Conversation {
  private turns: readonly Turn[] = [];
  private session: string | null = null;
  private abort: AbortController | null = null;
  private readonly listeners = new Set<() => void>();
  private last = 0;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly current = (): readonly Turn[] => this.turns;

  async send(message: string): Promise<void> {
    if (this.abort) return;
    const id = ++this.last;
    const abort = new AbortController();
    this.abort = abort;
    this.session ??= newSession();
    this.turns = [...this.turns, { id, message, words: "", state: "waiting", answer: null, error: null }];
    this.tell();
    try {
      for await (const event of streamChat({ message, session: this.session, signal: abort.signal })) {
        if (event.type === "token") {
          this.change(id, (turn) => ({ words: turn.words + event.text, state: "streaming" }));
        } else {
          this.change(id, () => ({ words: event.answer.content, answer: event.answer, state: "done" }));
        }
      }
      this.change(id, (turn) => (turn.answer ? {} : { state: "failed", error: new Error(CUT_OFF) }));
    } catch (error) {
      this.change(id, () => (abort.signal.aborted ? { state: "stopped" } : { state: "failed", error }));
    } finally {
      if (this.abort === abort) this.abort = null;
      this.tell();
    }
  }

  /** Say again what got no answer. */
  async again(turn: Turn): Promise<void> {
    if (this.abort) return;
    this.turns = this.turns.filter((one) => one.id !== turn.id);
    await this.send(turn.message);
  }

  stop(): void {
    this.abort?.abort();
  }

  /** Leave this conversation for a new one; what was said in it is learned. */
  async leave(): Promise<void> {
    const left = this.turns.some((turn) => turn.answer) ? this.session : null;
    this.clear();
    if (left !== null) await endSession(left);
  }

  clear(): void {
    this.stop();
    this.abort = null;
    this.turns = [];
    this.session = null;
    this.tell();
  }

  private change(id: number, make: (turn: Turn) => Partial<Turn>): void {
    this.turns = this.turns.map((turn) => (turn.id === id ? { ...turn, ...make(turn) } : turn));
    this.tell();
  }

  private tell(): void {
    for (const listener of this.listeners) listener();
  }
}

export const conversation = new Conversation();
onOwnerChanged(() => conversation.clear());
export const useTurns = (): readonly Turn[] =>
  useSyncExternalStore(conversation.subscribe, conversation.current);
