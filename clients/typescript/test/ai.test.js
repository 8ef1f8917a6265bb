// The Vercel AI SDK with a model that is made up, and a real server.
import assert from "node:assert/strict";
import { test } from "node:test";
import { generateText, isStepCount, simulateReadableStream, streamText, wrapLanguageModel } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { memoryMiddleware, memoryTools } from "../dist/ai.js";
import { Recollect } from "../dist/index.js";
import { fresh } from "./setup.js";

const tokens = { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0, text: 1, reasoning: 0 };
const usage = { inputTokens: tokens, outputTokens: tokens };
const stop = { finishReason: { unified: "stop", raw: "stop" }, usage, warnings: [] };

/** A model that says what it is told to and keeps the prompts. */
function model(words) {
  const pieces = words.split(/(?= )/).map((delta) => ({ type: "text-delta", id: "1", delta }));
  return new MockLanguageModelV4({
    doGenerate: async () => ({ ...stop, content: [{ type: "text", text: words }] }),
    doStream: async () => ({
      stream: simulateReadableStream({
        chunks: [
          { type: "stream-start", warnings: [] },
          { type: "text-start", id: "1" },
          ...pieces,
          { type: "text-end", id: "1" },
          { type: "finish", finishReason: stop.finishReason, usage },
        ],
      }),
    }),
  });
}

const said = async (client) => (await client.getAll({ kind: ["message"] })).map((one) => `${one.origin.role}: ${one.content}`);

test("the middleware brings memories into the prompt and stores the turn", async () => {
  const client = fresh();
  await client.add("We adopted a greyhound. Her name is Pixel.");
  const mock = model("She is called Pixel.");
  const wrapped = wrapLanguageModel({ model: mock, middleware: memoryMiddleware(client, { session_id: "s" }) });
  const { text } = await generateText({ model: wrapped, system: "Be brief.", prompt: "What is my dog called?" });
  assert.equal(text, "She is called Pixel.");
  const [{ prompt }] = mock.doGenerateCalls;
  assert.deepEqual(prompt.map((one) => one.role), ["system", "system", "user"]);
  assert.match(prompt[1].content, /<memories>[^]*Pixel/);
  assert.deepEqual(await said(client), [
    "user: We adopted a greyhound. Her name is Pixel.",
    "user: What is my dog called?",
    "assistant: She is called Pixel.",
  ]);
});

test("a streamed answer is passed on piece by piece and stored whole", async () => {
  const client = fresh();
  const wrapped = wrapLanguageModel({ model: model("Tea is at five."), middleware: memoryMiddleware(client) });
  const pieces = [];
  for await (const piece of streamText({ model: wrapped, prompt: "When is tea?" }).textStream) pieces.push(piece);
  assert.ok(pieces.length > 1);
  assert.equal(pieces.join(""), "Tea is at five.");
  assert.deepEqual(await said(client), ["user: When is tea?", "assistant: Tea is at five."]);
});

test("a memory that fails fails the call, or tells and lets it go on", async () => {
  const gone = new Recollect({ url: "http://127.0.0.1:9", userId: "ada" });
  const call = (options) =>
    generateText({
      model: wrapLanguageModel({ model: model("Yes."), middleware: memoryMiddleware(gone, options) }),
      prompt: "Is it raining?",
      maxRetries: 0,
    });
  await assert.rejects(call({}));
  const told = [];
  assert.equal((await call({ onError: (error) => told.push(error) })).text, "Yes.");
  assert.equal(told.length, 2);
});

test("options that are not known are refused with the right name", () => {
  const client = fresh();
  for (const [options, told] of [
    [{ budgetTokens: 5 }, /memoryMiddleware has no option "budgetTokens"; use budget_tokens/],
    [{ maxTokens: 5 }, /use budget_tokens/],
    [{ userId: "ada" }, /use user_id/],
    [{ user: "ada" }, /use user_id/],
    [{ sessionId: "s" }, /use session_id/],
    [{ chatId: "s" }, /use session_id/],
    [{ onerror: () => {} }, /use onError/],
    [{ colour: "red" }, /use user_id, agent_id, session_id, budget_tokens, onError/],
    ["ada", /not a string/],
  ]) {
    assert.throws(() => memoryMiddleware(client, options), { name: "TypeError", message: told });
  }
  assert.throws(() => memoryTools(client, { userId: "ada" }), { message: /memoryTools has no option "userId"; use user_id/ });
  for (const make of [memoryMiddleware, memoryTools]) {
    assert.throws(() => make({ session_id: "s" }), { name: "TypeError", message: /give the client first/ });
  }
});

test("a model adds and finds memories with tools", async () => {
  const client = fresh();
  const asks = [
    ["addMemory", { content: "I am allergic to nuts" }],
    ["searchMemories", { query: "What am I allergic to?", top_k: 1 }],
  ];
  let step = 0;
  const mock = new MockLanguageModelV4({
    doGenerate: async () => {
      const [toolName, input] = asks[step] ?? [];
      step += 1;
      if (!toolName) return { ...stop, content: [{ type: "text", text: "Nuts." }] };
      const call = { type: "tool-call", toolCallId: `${step}`, toolName, input: JSON.stringify(input) };
      return { ...stop, finishReason: { unified: "tool-calls", raw: "tool-calls" }, content: [call] };
    },
  });
  const wrapped = wrapLanguageModel({ model: mock, middleware: memoryMiddleware(client) });
  const tools = memoryTools(client, { session_id: "s" });
  const done = await generateText({ model: wrapped, tools, stopWhen: isStepCount(5), prompt: "Remember my allergy" });
  assert.equal(done.text, "Nuts.");
  const [first, second] = done.steps.flatMap((one) => one.toolResults.map((result) => result.output));
  assert.equal(first.status, "stored");
  assert.deepEqual(second.map((one) => one.content), ["I am allergic to nuts"]);
  assert.deepEqual(await said(client), [
    "user: Remember my allergy",
    "user: I am allergic to nuts",
    "assistant: Nuts.",
  ]);
});
