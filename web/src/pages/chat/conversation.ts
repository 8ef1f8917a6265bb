import { useSyncExternalStore } from "react";
import { streamChat } from "../../api/chat";
import { endSession, titled, turnsOf } from "../../api/sessions";
import type { Answer, Awareness, SessionTurn, Source } from "../../api/types";
import { forgetAnswers, keepAnswer, type KeptAnswer, keptAnswers } from "./kept";
import { currentUser, subscribe as onOwnerChanged } from "../../api/user";
import { TEXTS } from "../../texts";

/** A document that an answer can cite. */
export type Cited = Pick<Source, "number" | "title" | "page" | "memoryId"> & { deleted: boolean };

export interface Turn {
  id: number;
  /** Empty where an answer stands alone, as in an imported conversation. */
  message: string;
  /** The answer's words so far. */
  words: string;
  state: "waiting" | "streaming" | "done" | "stopped" | "failed";
  /** Who answered; null when memories were quoted, undefined without an answer. */
  model?: string | null | undefined;
  preset?: string;
  /** What was remembered; null for a turn of an earlier visit. */
  aware: Awareness | null;
  sources: readonly Cited[];
  cutOff: boolean;
  error: unknown;
}

interface State {
  session: string | null;
  turns: readonly Turn[];
  loading: boolean;
  error: unknown;
}

const OPEN = "recollect.conversation";
const TITLE_LENGTH = 60;
const NOTHING: State = { session: null, turns: [], loading: false, error: null };
const NEW_TURN = { words: "", aware: null, sources: [], cutOff: false, error: null } as const;

/** A name for a conversation that no other has; `randomUUID` is not there on every address. */
function newSession(): string {
  const random = crypto.getRandomValues(new Uint32Array(3));
  return `web-${[...random].map((part) => part.toString(36)).join("-")}`;
}

/** The conversation that is open in this tab, so that a reload finds it again. */
function remember(session: string | null): void {
  try {
    if (session) sessionStorage.setItem(OPEN, JSON.stringify([currentUser(), session]));
    else sessionStorage.removeItem(OPEN);
  } catch {
    // No storage: a reload begins a new conversation.
  }
}

function remembered(): string | null {
  try {
    const [user, session] = JSON.parse(sessionStorage.getItem(OPEN) ?? "[]") as unknown[];
    return user === currentUser() && typeof session === "string" ? session : null;
  } catch {
    return null;
  }
}

/** A title for a conversation: how it begins. */
function titleOf(message: string): string {
  const line = message.replace(/\s+/g, " ").trim();
  return line.length <= TITLE_LENGTH ? line : `${line.slice(0, TITLE_LENGTH).replace(/\s+\S*$/, "")}…`;
}

/** The conversation with the agent. It outlives the page that shows it, so looking elsewhere loses nothing. */
class Conversation {
  private state: State = NOTHING;
  private abort: AbortController | null = null;
  private readonly listeners = new Set<() => void>();
  private last = 0;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly current = (): State => this.state;

  async send(message: string, preset: string | null): Promise<void> {
    if (this.abort) return;
    const id = ++this.last;
    const abort = new AbortController();
    this.abort = abort;
    const isNew = this.state.turns.every((turn) => turn.state !== "done");
    const session = this.state.session ?? newSession();
    this.set({ session, turns: [...this.state.turns, { ...NEW_TURN, id, message, state: "waiting" }] });
    remember(session);
    try {
      for await (const event of streamChat({ message, session, preset, signal: abort.signal })) {
        if (event.type === "token") {
          this.change(id, (turn) => ({ words: turn.words + event.text, state: "streaming" }));
        } else {
          if (isNew) await titled(session, titleOf(message)).catch(() => null);
          const whole = answered(event.answer);
          keepAnswer(event.answer.storedMemoryId, whole);
          this.change(id, () => ({ ...whole, state: "done" }));
        }
      }
      this.change(id, (turn) =>
        turn.state === "done" ? {} : { state: "failed", error: new Error(TEXTS.problems.cutOff) },
      );
    } catch (error) {
      this.change(id, () => (abort.signal.aborted ? { state: "stopped" } : { state: "failed", error }));
    } finally {
      if (this.abort === abort) this.abort = null;
      this.set({});
    }
  }

  /** Say again what got no answer. */
  async again(turn: Turn, preset: string | null): Promise<void> {
    if (this.abort) return;
    this.set({ turns: this.state.turns.filter((one) => one.id !== turn.id) });
    await this.send(turn.message, preset);
  }

  stop(): void {
    this.abort?.abort();
  }

  /** Go on with a conversation of before. */
  async open(session: string): Promise<void> {
    this.clear();
    this.set({ session, loading: true });
    remember(session);
    try {
      const said = await turnsOf(session);
      if (this.state.session === session) this.set({ turns: this.turnsOf(said), loading: false });
    } catch (error) {
      if (this.state.session === session) this.set({ loading: false, error });
    }
  }

  /** Open what was open before the page was loaded again. */
  restore(): void {
    const session = remembered();
    if (session !== null && this.state.session === null) void this.open(session);
  }

  /** Leave this conversation for a new one; what was said in it is learned. */
  async leave(): Promise<void> {
    const left = this.state.turns.length > 0 ? this.state.session : null;
    this.clear();
    if (left !== null) await endSession(left);
  }

  clear(): void {
    this.stop();
    this.abort = null;
    this.set(NOTHING);
    remember(null);
  }

  private turnsOf(said: readonly SessionTurn[]): Turn[] {
    const turns: Turn[] = [];
    const kept = keptAnswers();
    const stored = new Set<Turn>();
    for (const one of said) {
      const last = turns.at(-1);
      if (one.role !== "assistant") {
        const answer = kept.get(one.id);
        turns.push({ ...NEW_TURN, ...answer, id: ++this.last, message: one.content, state: "done" });
      } else if (last && last.message !== "" && !stored.has(last)) {
        Object.assign(last, saidBefore(one));
        stored.add(last);
      } else {
        turns.push({ ...NEW_TURN, id: ++this.last, message: "", state: "done", ...saidBefore(one) });
      }
    }
    return turns;
  }

  private change(id: number, make: (turn: Turn) => Partial<Turn>): void {
    this.set({ turns: this.state.turns.map((turn) => (turn.id === id ? { ...turn, ...make(turn) } : turn)) });
  }

  private set(change: Partial<State>): void {
    this.state = { ...this.state, ...change };
    for (const listener of this.listeners) listener();
  }
}

const answered = (answer: Answer): KeptAnswer => ({
  words: answer.content,
  model: answer.model,
  preset: answer.preset,
  aware: answer.memoryContext,
  sources: answer.sources.map((one) => ({ ...one, deleted: false })),
});

const saidBefore = (turn: SessionTurn): Partial<Turn> => ({
  words: turn.content,
  model: turn.model ?? undefined,
  cutOff: turn.cut_off,
  sources: turn.sources.map(({ memory_id, ...one }) => ({ ...one, memoryId: memory_id })),
});

export const conversation = new Conversation();
onOwnerChanged(() => {
  conversation.clear();
  forgetAnswers();
});
export const useConversation = (): State =>
  useSyncExternalStore(conversation.subscribe, conversation.current);
