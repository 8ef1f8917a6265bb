import { TEXTS } from "../texts";
import type { Loaded } from "./types";

/** What the server answered when it could not do what was asked: RFC 9457 problem details. */
export interface Problem {
  title?: string;
  detail?: string;
  status?: number;
  /** What it is, for programs. */
  type?: string;
  /** What a file does not say itself, and what it offers for it. */
  asks?: Question;
  /** Of a file that breaks off: what became of the part that could be read. */
  loaded?: Loaded;
}

export interface Question {
  option: string;
  choices: readonly string[];
}

export class ServerError extends Error {
  readonly status: number;
  readonly type: string;
  readonly asks: Question | null;
  readonly loaded: Loaded | null;

  constructor(status: number, problem: Problem) {
    super(problem.detail || problem.title || TEXTS.problems.status(status));
    this.status = status;
    this.type = problem.type ?? "";
    this.asks = problem.asks ?? null;
    this.loaded = problem.loaded ?? null;
  }
}

export function problemOf(status: number, body: unknown): ServerError {
  const problem = typeof body === "object" && body !== null ? (body as Problem) : {};
  return new ServerError(status, {
    ...(typeof problem.title === "string" ? { title: problem.title } : {}),
    ...(typeof problem.detail === "string" ? { detail: problem.detail } : {}),
    ...(typeof problem.type === "string" ? { type: problem.type } : {}),
    ...(problem.asks ? { asks: problem.asks } : {}),
    ...(problem.loaded ? { loaded: problem.loaded } : {}),
  });
}

/** An error in words for a person. */
export function messageOf(error: unknown): string {
  if (error instanceof ServerError) {
    if (error.status === 401) return TEXTS.problems.wantsKey;
    return sentence(withoutCommands(error.message));
  }
  if (error instanceof TypeError) return TEXTS.problems.noServer;
  return sentence(withoutCommands(error instanceof Error ? error.message : String(error)));
}

/** What the server says without the options of the command, such as "(--owner NAME)". */
export const withoutCommands = (text: string): string => text.replace(/ \(--[^()]*\)/g, "");

function sentence(text: string): string {
  const begun = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}
