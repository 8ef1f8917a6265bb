// Against a real server; in Node, Deno, Bun and in a page of another origin.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Recollect, RecollectError } from "../dist/index.js";
import { fresh, url } from "./setup.js";

test("what was added is found, listed and explained", async () => {
  const client = fresh();
  const results = await client.add(
    [
      { role: "user", name: "Ada", content: "We adopted a greyhound. Her name is Pixel." },
      { role: "assistant", content: "Congratulations!" },
    ],
    { session_id: "chat 7 ä" },
  );
  assert.deepEqual(results.map((one) => one.status), ["stored", "stored"]);
  const [hit] = await client.search("What is the dog called?", { top_k: 1 });
  assert.equal(hit.memory.content, "We adopted a greyhound. Her name is Pixel.");
  assert.ok(Math.abs(Object.values(hit.terms).reduce((sum, one) => sum + one, 0) - hit.score) < 1e-4);
  assert.equal((await client.get(hit.memory.id)).id, hit.memory.id);
  assert.equal((await client.explain(hit.memory.id, { query: "dog Pixel" })).rank, 1);
  const { text } = await client.context("What do I know about Pixel?", { budget_tokens: 120 });
  assert.match(text, /^<memories>/);
  const told = await client.facts.answer("What have I told you about Pixel?");
  assert.equal(told.kind, "about");
  assert.match(told.text, /About Pixel/);
  assert.equal((await client.facts.answer("Who is Pixel?")).kind, null);
  assert.equal((await client.sessions.list()).sessions[0].session_id ?? "chat 7 ä", "chat 7 ä");
  assert.equal((await client.sessions.turns("chat 7 ä")).turns.length, 2);
});

test("a memory is changed, used, deleted and brought back, and its history tells", async () => {
  const client = fresh();
  const [{ id }] = await client.add("I live in Lisbon");
  assert.equal((await client.update(id, { content: "I live in Porto" })).content, "I live in Porto");
  assert.equal((await client.use(id)).use.usage_count, 1);
  assert.equal((await client.use(id, { how: "reinforced" })).use.reinforced_count, 1);
  await client.archive(id);
  await client.unarchive(id);
  await client.delete(id, { reason: "moved" });
  await assert.rejects(client.get(id), (error) => error instanceof RecollectError && error.status === 404);
  assert.deepEqual((await client.deleted()).items.map((one) => one.id), [id]);
  assert.equal((await client.undelete(id)).content, "I live in Porto");
  const actions = (await client.history(id)).map((one) => one.action);
  assert.equal(actions[0], "add");
  assert.ok(actions.includes("delete"));
});

test("a list is whole, in order, and as long as asked for", async () => {
  const client = fresh();
  const words = Array.from({ length: 1001 }, (_, number) => `heron h${number.toString(36)}`);
  await client.add(words.slice(0, 1000));
  await client.add(words.slice(1000));
  const listed = (await client.getAll({ kind: ["message"] })).map((one) => one.content);
  assert.equal(listed.join(), words.join());
  assert.equal((await client.getAll({ limit: 3 })).length, 3);
  const gone = words.filter((one) => one.includes("heron h1")).length;
  // An episode that quotes the words goes with them, once the worker has made one.
  assert.ok((await client.deleteAll({ contains: "heron h1" })) >= gone);
  assert.equal((await client.getAll({ kind: ["message"] })).length, 1001 - gone);
});

test("one user never sees another's", async () => {
  const [ada, bob] = [fresh(), fresh()];
  const [{ id }] = await ada.add("My secret garden");
  assert.deepEqual(await bob.search("garden"), []);
  await assert.rejects(bob.get(id), { name: "RecollectError", status: 404 });
});

test("an export goes out and in", async () => {
  const [ada, bob] = [fresh(), fresh()];
  await ada.add("Tea at five");
  const lines = await (await ada.export()).text();
  const loaded = await bob.load(lines);
  assert.deepEqual([loaded.stored, (await bob.getAll()).map((one) => one.content)], [1, ["Tea at five"]]);
  assert.equal(JSON.parse(await (await ada.export({ format: "mem0" })).text()).results.length, 1);
});

test("a user who is not given is the client's, and not the key's", async () => {
  const [ada, bob] = [fresh(), fresh()];
  await ada.add("Tea at five", { user_id: undefined });
  await bob.add("Coffee at ten", { user_id: null });
  assert.deepEqual((await ada.getAll({ user_id: undefined })).map((one) => one.content), ["Tea at five"]);
  assert.equal((await bob.profile({ user_id: undefined })).user_id, (await bob.getAll())[0].scope.user_id);
});

test("a key is sent with the global fetch, and one that is unknown is refused", async () => {
  const options = { url, userId: "nobody", fetch: globalThis.fetch };
  assert.deepEqual(await new Recollect(options).search("tea"), []);
  await assert.rejects(new Recollect({ ...options, apiKey: "rcl_1_x" }).search("tea"), /this key is unknown/);
});

test("documents are added, cited and removed", async () => {
  const client = fresh();
  const { document } = await client.documents.add({ text: "The ferry leaves at nine.", title: "Ferry", source: "f" });
  const id = document?.id ?? (await client.documents.list()).documents[0].id;
  const found = await client.documents.search({ query: "When does the ferry leave?" });
  assert.match(JSON.stringify(found), /Ferry/);
  await client.documents.remove(id);
  assert.equal((await client.documents.list()).documents.length, 0);
});

test("facts, profile, timeline, graph and counts answer", async () => {
  const client = fresh();
  const [{ id }, other] = await client.add(["Ada plays the cello", "Ada plays chess"], { kind: "fact" });
  assert.equal((await client.graph.link(id, { target_id: other.id })).links.length, 1);
  assert.equal((await client.graph.links(id)).links.length, 1);
  assert.match(JSON.stringify(await client.profile()), /cello/);
  assert.deepEqual((await client.facts.conflicts()).conflicts ?? [], []);
  for (const answer of [client.timeline(), client.graph.concepts(), client.graph.facts(), client.stats()]) {
    assert.equal(typeof (await answer), "object");
  }
  assert.ok((await client.users()).length >= 1);
});

test("a refusal has its status, kind and words; a server that is down has its address", async () => {
  const client = fresh();
  await assert.rejects(client.search("tea", { top_k: 0 }), (error) => {
    assert.ok(error instanceof RecollectError);
    assert.ok(error.status >= 400 && error.status < 500 && error.kind && error.message && error.requestId);
    return true;
  });
  const nowhere = new Recollect({ url: "http://127.0.0.1:9" });
  for (const asked of [nowhere.search("tea"), nowhere.export(), nowhere.delete("x")]) {
    await assert.rejects(asked, (error) => {
      assert.ok(error instanceof RecollectError && error.cause);
      assert.deepEqual([error.status, error.kind], [0, "unreachable"]);
      assert.match(error.message, /http:\/\/127\.0\.0\.1:9 /);
      return true;
    });
  }
  await assert.rejects(new Recollect({ url }).profile(), TypeError);
});

test("what answers and is no server of Recollect is named", async () => {
  const client = new Recollect({ url, fetch: async () => new Response("<!doctype html>") });
  for (const asked of [client.stats(), client.purge(), client.load("")]) {
    await assert.rejects(asked, { name: "RecollectError", status: 200, kind: "unreadable", message: /is no server of Recollect/ });
  }
});

test("what is sent as a stream says so, as fetch wants it", async () => {
  const { asked, client } = sends();
  await client.load(new Response("{}").body);
  await client.load("{}");
  assert.deepEqual(asked.map(([, { duplex }]) => duplex), ["half", undefined]);
});

const sends = () => {
  const asked = [];
  const client = new Recollect({ url, userId: "ada", fetch: async (...call) => (asked.push(call), Response.json({})) });
  return { asked, client };
};

test("an id that leads to another route is refused, and nothing is sent", async () => {
  const { asked, client } = sends();
  for (const id of ["", " ", ".", "..", undefined, null, 5]) {
    for (const call of [
      () => client.get(id), () => client.update(id, { content: "x" }), () => client.delete(id),
      () => client.undelete(id), () => client.history(id), () => client.archive(id), () => client.unarchive(id),
      () => client.use(id), () => client.explain(id), () => client.sessions.get(id), () => client.sessions.turns(id),
      () => client.sessions.end(id), () => client.sessions.summarise(id), () => client.documents.remove(id),
      () => client.graph.links(id), () => client.graph.link(id, { target_id: "x" }),
    ]) {
      await assert.rejects(call(), { name: "TypeError", message: /is no id/ });
    }
  }
  assert.deepEqual(asked, []);
});

test("a client with an address, or options, that it does not know is refused", () => {
  for (const [options, told] of [
    ["http://127.0.0.1:8482", /new Recollect\(\{ url/],
    [new URL("http://127.0.0.1:8482"), /new Recollect\(\{ url/],
    [5, /not a number/],
    [null, /give an object/],
    [{ baseUrl: "http://127.0.0.1:8482" }, /no option "baseUrl"; use url/],
    [{ url, api_key: "k" }, /no option "api_key"; use apiKey/],
    [{ url, user: "ada" }, /use userId/],
    [{ url, colour: "red" }, /use url, apiKey, userId, fetch/],
    [{ url: "127.0.0.1:8482" }, /url must be an address/],
    [{ url: "" }, /url must be an address/],
    [{ url, apiKey: "" }, /apiKey must be a key/],
    [{ url, apiKey: "rcl_1_ä" }, /apiKey must be a key/],
    [{ url, fetch: "fetch" }, /fetch must be a function, not a string/],
    [{ url: new URL("http://127.0.0.1:8482") }, /url must be an address/],
  ]) {
    assert.throws(() => new Recollect(options), { name: "TypeError", message: told });
  }
});

test("a text where an object belongs is refused with an example, and nothing is sent", async () => {
  const { asked, client } = sends();
  for (const [call, told] of [
    [() => client.documents.search("roses"), /documents.search\(\{ query/],
    [() => client.documents.add("text", { source: "s" }), /documents.add\(\{ text, source/],
    [() => client.update("x", "y"), /update\(id, \{ content/],
    [() => client.feedback("x"), /feedback\(\{ memory_id/],
    [() => client.facts.resolve("x", "y"), /facts.resolve\(\{ keep, drop/],
    [() => client.graph.link("x", "y"), /graph.link\(id, \{ target_id/],
    [() => client.search("x", 5), /not a number/],
    [() => client.context("x", ["y"]), /not a list/],
    [() => client.add("x", "y"), /not a string/],
    [() => client.getAll("ada"), /getAll\(\{ limit/],
    [() => client.profile("ada"), /profile\(\{ user_id/],
    [() => client.use("x", "reinforced"), /use\(id, \{ how/],
    [() => client.use("x", { how: "Helped" }), /how must be "helped" or "reinforced"/],
    [() => client.get("x", "ada"), /\{ user_id \}, not a string/],
    [() => client.delete("x", "moved"), /not a string/],
    [() => client.stats("ada"), /not a string/],
    [() => client.export("mem0"), /not a string/],
    [() => client.sessions.start("chat-7"), /not a string/],
    [() => client.timeline(["episode"]), /not a list/],
  ]) {
    await assert.rejects(call(), { name: "TypeError", message: told });
  }
  assert.deepEqual(asked, []);
});

test("the key is sent, and another fetch can be given", async () => {
  const asked = [];
  const client = new Recollect({
    url: "http://memory.test/",
    apiKey: "rcl_1_x",
    userId: "ada",
    fetch: async (...call) => (asked.push(call), Response.json({ results: [] })),
  });
  assert.deepEqual(await client.search("tea", { top_k: 2 }), []);
  const [[address, { headers, body, method }]] = asked;
  assert.deepEqual([address, method], ["http://memory.test/search", "POST"]);
  assert.equal(headers.Authorization, "Bearer rcl_1_x");
  assert.deepEqual(JSON.parse(body), { user_id: "ada", query: "tea", top_k: 2 });
});
