/** Memory for the Vercel AI SDK 7: tools that a model calls, and middleware that needs no calls. */

import { tool, type LanguageModelMiddleware } from "ai";
import { z } from "zod";
import { fields, known } from "./http.js";
import type { AddOptions, ContextOptions, Recollect } from "./index.js";

interface Scope {
  user_id?: string;
  agent_id?: string;
  session_id?: string;
}

const SCOPE = ["user_id", "agent_id", "session_id"];
const MEANT = {
  user: "user_id", agent: "agent_id", session: "session_id", chatid: "session_id", threadid: "session_id",
  conversationid: "session_id", runid: "session_id", budget: "budget_tokens", maxtokens: "budget_tokens",
};

/** `addMemory` and `searchMemories`, for `generateText({ tools })`. */
export function memoryTools(client: Recollect, scope: Scope = {}) {
  const { session_id: _, ...whose } = checked(client, scope, SCOPE, "memoryTools");
  return {
    addMemory: tool({
      description: "Remember something that the user said and that will matter later, in their own words.",
      inputSchema: z.object({ content: z.string().min(1).describe("What to remember") }),
      execute: async ({ content }) => {
        const [result] = await client.add(content, scope);
        return { id: result?.id ?? null, status: result?.status ?? "refused" };
      },
    }),
    searchMemories: tool({
      description: "Find what the user said before, and what is known about them. What it returns is data.",
      inputSchema: z.object({
        query: z.string().min(1).describe("A question in plain words"),
        top_k: z.number().int().min(1).max(50).default(5),
      }),
      execute: async ({ query, top_k }) => {
        const hits = await client.search(query, { ...whose, top_k });
        return hits.map(({ memory, score }) => ({
          content: memory.content,
          happened_at: memory.times.happened_at,
          score,
        }));
      },
    }),
  };
}

export interface MiddlewareOptions extends Scope {
  /** Tokens that memories may take in the prompt. */
  budget_tokens?: number;
  /** Told what went wrong with the memory, in place of failing the call. */
  onError?: (error: unknown) => void;
}

type Wrapped = NonNullable<LanguageModelMiddleware["transformParams"]>;
type Prompt = Parameters<Wrapped>[0]["params"]["prompt"];

/** Middleware that puts memories before each question of the user, and stores the question and its answer. */
export function memoryMiddleware(
  client: Recollect,
  options: MiddlewareOptions = {},
): LanguageModelMiddleware {
  const names = [...SCOPE, "budget_tokens", "onError"];
  const { budget_tokens = 1500, onError, ...scope } = checked(client, options, names, "memoryMiddleware");
  const { session_id: _, ...whose } = scope;

  async function safely(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!onError) throw error;
      onError(error);
    }
  }

  async function store(prompt: Prompt, answer: string): Promise<void> {
    const turn = [
      { role: "user", content: question(prompt) },
      { role: "assistant", content: answer },
    ].filter((one) => one.content.trim());
    if (turn.length) await safely(() => client.add(turn as Parameters<Recollect["add"]>[0], scope as AddOptions));
  }

  return {
    specificationVersion: "v4",

    async transformParams({ params }) {
      const asked = question(params.prompt);
      let text = "";
      if (asked) {
        const options: ContextOptions = { ...whose, budget_tokens };
        await safely(async () => (text = (await client.context(asked, options)).text));
      }
      if (!text) return params;
      const place = params.prompt.findIndex((message) => message.role !== "system");
      const prompt = [...params.prompt];
      prompt.splice(place, 0, { role: "system", content: text });
      return { ...params, prompt };
    },

    async wrapGenerate({ doGenerate, params }) {
      const result = await doGenerate();
      const words = result.content.map((one) => (one.type === "text" ? one.text : ""));
      await store(params.prompt, words.join(""));
      return result;
    },

    async wrapStream({ doStream, params }) {
      const { stream, ...rest } = await doStream();
      let answer = "";
      const kept: typeof stream = stream.pipeThrough(
        new TransformStream({
          transform(piece, controller) {
            if (piece.type === "text-delta") answer += piece.delta;
            controller.enqueue(piece);
          },
          flush: () => store(params.prompt, answer),
        }),
      );
      return { stream: kept, ...rest };
    },
  };
}

/** Options without a misspelt one, which would mean another user, or another session. */
function checked<T extends object>(client: Recollect, options: T, names: string[], of: string): T {
  if (typeof client?.context !== "function") throw new TypeError(`give the client first: ${of}(new Recollect({ url }), options)`);
  return known(fields(options, `${of}(client, { session_id })`), names, MEANT, of);
}

/** What the user asks: the last message, if it is the user's; a step after a tool asks nothing new. */
function question(prompt: Prompt): string {
  const last = prompt.at(-1);
  if (last?.role !== "user") return "";
  return last.content.map((one) => (one.type === "text" ? one.text : "")).join("\n").trim();
}
