/** A client of Recollect's server. The methods are those of Python's `Memory`, named as TypeScript does. */

import { Connection, fields, part, type RecollectOptions } from "./http.js";
import type { components, paths } from "./schema.js";

export { RecollectError, type RecollectOptions } from "./http.js";
export type { components, paths } from "./schema.js";

type Schemas = components["schemas"];
type Asked<Path extends keyof paths> = paths[Path] extends {
  get: { parameters: { query?: infer Fields } };
}
  ? NonNullable<Fields>
  : never;

export type Memory = Schemas["MemoryOut"];
export type Message = Schemas["MessageIn"];
export type AddResult = Schemas["AddedList"]["results"][number];
export type Hit = Schemas["SearchOut"]["results"][number];
export type AddOptions = Omit<Partial<Schemas["AddIn"]>, "messages">;
export type SearchOptions = Omit<Partial<Schemas["SearchIn"]>, "query">;
export type ContextOptions = Omit<Partial<Schemas["ContextIn"]>, "query">;
export type AnswerOptions = Omit<Partial<Schemas["AnswerIn"]>, "message">;
export type ListOptions = Omit<Asked<"/memories">, "filters"> & Pick<SearchOptions, "filters">;
export type ExportFormat = "lines" | "markdown" | "mem0" | "server-memory" | "card";

interface Owner {
  user_id?: string;
}
interface Noted extends Owner {
  reason?: string;
}

const PAGE = 1000;

/** A memory on a server. */
export class Recollect {
  readonly sessions: Sessions;
  readonly documents: Documents;
  readonly facts: Facts;
  readonly graph: Graph;
  private readonly server: Connection;

  constructor(options: RecollectOptions = {}) {
    this.server = new Connection(options);
    this.sessions = new Sessions(this.server);
    this.documents = new Documents(this.server);
    this.facts = new Facts(this.server);
    this.graph = new Graph(this.server);
  }

  /** Store what was said: a text, a message, or a list of them. */
  async add(messages: Schemas["AddIn"]["messages"], options: AddOptions = {}): Promise<AddResult[]> {
    const added = await this.server.post<Schemas["AddedList"]>("/memories", { ...fields(options, "{ session_id }"), messages });
    return added.results;
  }

  /** Find the memories that answer a question, best first. */
  async search(query: string, options: SearchOptions = {}): Promise<Hit[]> {
    const found = await this.server.post<Schemas["SearchOut"]>("/search", { ...fields(options, "{ top_k: 5 }"), query });
    return found.results;
  }

  /** Text for a prompt, within `budget_tokens`. */
  async context(query: string, options: ContextOptions = {}): Promise<Schemas["ContextOut"]> {
    return this.server.post("/context", { ...fields(options, "{ budget_tokens: 300 }"), query });
  }

  async get(id: string, options: Owner = {}): Promise<Memory> {
    return this.server.get(`/memories/${part(id)}`, options);
  }

  /** All memories that match, oldest first; `limit` says how many at most. */
  async getAll(asked: ListOptions = {}): Promise<Memory[]> {
    const { limit, cursor, ...options } = fields(asked, "getAll({ limit: 5 })");
    const found: Memory[] = [];
    let next = cursor;
    do {
      const size = Math.min(PAGE, (limit ?? Infinity) - found.length);
      const query = { newest_first: false, ...options, limit: size, cursor: next };
      const page = await this.server.get<Schemas["MemoryPage"]>("/memories", query);
      found.push(...page.items);
      next = page.next_cursor;
    } while (next && found.length < (limit ?? Infinity));
    return found;
  }

  async update(id: string, changes: Schemas["UpdateIn"]): Promise<Memory> {
    return this.server.put(`/memories/${part(id)}`, fields(changes, "update(id, { content })"));
  }

  async delete(id: string, options: Noted = {}): Promise<void> {
    await this.server.delete(`/memories/${part(id)}`, options);
  }

  /** Delete what matches; everything of a user only with `all: true`. */
  async deleteAll(options: ListOptions & Noted & { all?: boolean } = {}): Promise<number> {
    const done = await this.server.delete<Schemas["DeletedOut"]>("/memories", options);
    return done.deleted;
  }

  async undelete(id: string, options: Noted = {}): Promise<Memory> {
    return this.server.post(`/memories/${part(id)}/restore`, options);
  }

  /** A page of what was deleted and not purged. */
  async deleted(options: Asked<"/memories/deleted"> = {}): Promise<Schemas["MemoryPage"]> {
    return this.server.get("/memories/deleted", options);
  }

  /** Remove what was deleted for good; needs a key with the role admin. */
  async purge(options: Owner = {}): Promise<number> {
    const query = this.server.owned(options);
    return (await this.server.json<Schemas["PurgedOut"]>("POST", "/purge", { query })).deleted;
  }

  async history(id: string, options: Owner = {}): Promise<Schemas["HistoryOut"]["changes"]> {
    const found = await this.server.get<Schemas["HistoryOut"]>(`/memories/${part(id)}/history`, options);
    return found.changes;
  }

  async archive(id: string, options: Noted = {}): Promise<Memory> {
    return this.server.post(`/memories/${part(id)}/archive`, options);
  }

  async unarchive(id: string, options: Noted = {}): Promise<Memory> {
    return this.server.post(`/memories/${part(id)}/unarchive`, options);
  }

  /** Count a memory as used; `how: "reinforced"` raises its importance. */
  async use(id: string, asked: Noted & { how?: "helped" | "reinforced" } = {}): Promise<Memory> {
    const { how = "helped", ...options } = fields(asked, 'use(id, { how: "reinforced" })');
    if (how !== "helped" && how !== "reinforced") throw new TypeError('how must be "helped" or "reinforced"');
    return this.server.post(`/memories/${part(id)}/${how === "reinforced" ? "reinforce" : "use"}`, options);
  }

  /** Say whether a memory helped. */
  async feedback(body: Schemas["FeedbackIn"]): Promise<Memory> {
    return this.server.post("/feedback", fields(body, "feedback({ memory_id, useful: true })"));
  }

  /** Where a memory comes from and, with `query`, its score and rank. */
  async explain(id: string, options: Asked<"/memories/{memory_id}/why"> = {}): Promise<Schemas["ExplanationOut"]> {
    return this.server.get(`/memories/${part(id)}/why`, options);
  }

  /** The facts that hold now, by category. */
  async profile(options: Owner & { project?: string } = {}): Promise<Schemas["ProfileOut"]> {
    const { user_id, ...query } = fields(options, "profile({ user_id })");
    const user = user_id ?? this.server.userId;
    if (user === undefined) throw new TypeError("profile needs a user: name one, or give the client a userId");
    return this.server.json("GET", `/api/chat/memory/profile/${part(user)}`, { query });
  }

  async timeline(options: Asked<"/timeline"> = {}): Promise<Schemas["TimelineOut"]> {
    return this.server.get("/timeline", options);
  }

  async users(): Promise<string[]> {
    return (await this.server.json<Schemas["UsersOut"]>("GET", "/users")).users;
  }

  async stats(options: Owner = {}): Promise<Schemas["StatsOut"]> {
    return this.server.get("/api/stats", options);
  }

  /** The bytes of an export, as they come; `markdown` is a zip archive. Needs the role admin. */
  async export(options: Owner & { format?: ExportFormat } = {}): Promise<Response> {
    return this.server.raw("GET", "/export", { query: this.server.owned(options) });
  }

  /** Read an export, or messages, in. Needs the role admin. */
  async load(lines: BodyInit, options: Owner & { session_id?: string } = {}): Promise<Schemas["LoadedOut"]> {
    const query = this.server.owned(options);
    return this.server.json("POST", "/import", { query, body: lines, type: "application/x-ndjson" });
  }
}

/** Conversations. */
export class Sessions {
  constructor(private readonly server: Connection) {}

  async start(options: Schemas["SessionIn"] = {}): Promise<Schemas["SessionOut"]> {
    return this.server.post("/sessions", options);
  }

  async get(id: string, options: Owner & { agent_id?: string } = {}): Promise<Schemas["SessionOut"]> {
    return this.server.get(`/sessions/${part(id)}`, options);
  }

  async list(options: Asked<"/sessions"> = {}): Promise<Schemas["SessionsOut"]> {
    return this.server.get("/sessions", options);
  }

  async turns(id: string, options: Owner & { agent_id?: string; limit?: number } = {}): Promise<Schemas["TurnsOut"]> {
    return this.server.get(`/sessions/${part(id)}/turns`, options);
  }

  async end(id: string, options: Owner & { agent_id?: string } = {}): Promise<Schemas["EndedOut"]> {
    return this.server.post(`/sessions/${part(id)}/end`, options);
  }

  async summarise(id: string, options: Owner & { agent_id?: string } = {}): Promise<Schemas["SummaryOut"]> {
    return this.server.post(`/sessions/${part(id)}/summarise`, options);
  }
}

/** Texts and files in parts that can be cited. */
export class Documents {
  constructor(private readonly server: Connection) {}

  async add(document: Schemas["DocumentIn"]): Promise<Schemas["DocumentAdded"]> {
    return this.server.post("/documents", fields(document, "documents.add({ text, source })"));
  }

  async list(options: Asked<"/documents"> = {}): Promise<Schemas["DocumentsOut"]> {
    return this.server.get("/documents", options);
  }

  async search(asked: Schemas["CitingIn"]): Promise<Schemas["CitationsOut"]> {
    return this.server.post("/documents/search", fields(asked, "documents.search({ query, limit: 5 })"));
  }

  async remove(id: string, options: Owner = {}): Promise<void> {
    await this.server.delete(`/documents/${part(id)}`, options);
  }
}

/** Learned facts that contradict each other. */
export class Facts {
  constructor(private readonly server: Connection) {}

  /** Answer "what do you know about me?", "... about my sister?", "why do you think so?" without a model. */
  async answer(message: string, options: AnswerOptions = {}): Promise<Schemas["AnswerOut"]> {
    return this.server.post("/answer", { ...fields(options, "{ budget_tokens: 300 }"), message });
  }

  async conflicts(options: Asked<"/conflicts"> = {}): Promise<Schemas["ConflictsOut"]> {
    return this.server.get("/conflicts", options);
  }

  async resolve(decision: Schemas["ResolveIn"]): Promise<Schemas["ResolvedOut"]> {
    return this.server.post("/conflicts/resolve", fields(decision, "facts.resolve({ keep, drop })"));
  }
}

/** How memories belong together. */
export class Graph {
  constructor(private readonly server: Connection) {}

  async concepts(options: Asked<"/graph"> = {}): Promise<Schemas["GraphOut"]> {
    return this.server.get("/graph", options);
  }

  async facts(options: Asked<"/graph/facts"> = {}): Promise<Schemas["FactGraphOut"]> {
    return this.server.get("/graph/facts", options);
  }

  async links(id: string, options: Owner = {}): Promise<Schemas["LinksOut"]> {
    return this.server.get(`/memories/${part(id)}/links`, options);
  }

  async link(id: string, link: Schemas["LinkIn"]): Promise<Schemas["LinksOut"]> {
    return this.server.post(`/memories/${part(id)}/links`, fields(link, "graph.link(id, { target_id })"));
  }
}
