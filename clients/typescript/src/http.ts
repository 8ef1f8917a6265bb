/** Asks a server of Recollect over HTTP, and turns its problems into errors. */

export interface RecollectOptions {
  /** Where the server is. */
  url?: string | undefined;
  /** A key of `recollect keys create`; a server on this machine needs none. */
  apiKey?: string | undefined;
  /** Whose memories are meant where a call names nobody; else the key's user. */
  userId?: string | undefined;
  /** What to ask with; by default the global `fetch`. One of your own can set a timeout. */
  fetch?: typeof fetch | undefined;
}

/** The server refused, with a problem as of RFC 9457, or could not be reached. */
export class RecollectError extends Error {
  constructor(
    /** The HTTP status; 0 when no server answered. */
    readonly status: number,
    /** The kind of the problem, such as `urn:recollect:NotFoundError`; `unreachable` when no server answered, `unreadable` when another did. */
    readonly kind: string,
    message: string,
    /** Finds the request in the server's log. */
    readonly requestId: string | null,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = "RecollectError";
  }
}

interface Sent {
  query?: object;
  body?: BodyInit;
  type?: string;
}

/** One connection: where the server is, and who asks. */
export class Connection {
  private readonly url: string;
  private readonly ask: typeof fetch;
  readonly userId: string | undefined;

  constructor(private readonly options: RecollectOptions) {
    this.url = address(checked(options).url ?? DEFAULT_URL);
    const { fetch: given } = options;
    this.ask = (input, init) => (given ?? fetch)(input, init); // browsers call theirs only as a function
    this.userId = options.userId;
  }

  /** Ask with the fields of the query; the user is added. */
  async get<T>(path: string, query: object = {}): Promise<T> {
    return this.json<T>("GET", path, { query: this.owned(query) });
  }

  async delete<T>(path: string, query: object = {}): Promise<T> {
    return this.json<T>("DELETE", path, { query: this.owned(query) });
  }

  /** Send a body; the user is added. */
  async post<T>(path: string, body: object = {}): Promise<T> {
    return this.json<T>("POST", path, written(this.owned(body)));
  }

  async put<T>(path: string, body: object): Promise<T> {
    return this.json<T>("PUT", path, written(this.owned(body)));
  }

  /** The answer as it comes: for exports and files. */
  async raw(
    method: string,
    path: string,
    { query, body, type }: Sent = {},
  ): Promise<Response> {
    const headers: Record<string, string> = {};
    if (this.options.apiKey) headers["Authorization"] = `Bearer ${this.options.apiKey}`;
    if (type) headers["Content-Type"] = type;
    const response = await this.answer(`${path}${search(query)}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
      ...(body instanceof ReadableStream ? { duplex: "half" } : {}),
    });
    if (!response.ok) throw await problem(response);
    return response;
  }

  /** The answer, read as JSON. */
  async json<T>(method: string, path: string, sent: Sent = {}): Promise<T> {
    const response = await this.raw(method, path, sent);
    const text = await response.text();
    try {
      return JSON.parse(text) as T;
    } catch (error) {
      const message = `what answers at ${this.url} is no server of Recollect: it sent no JSON`;
      throw new RecollectError(response.status, "unreadable", message, null, { cause: error });
    }
  }

  /** Fields with the client's user, unless they name another. */
  owned(given: { user_id?: string | null | undefined }): object {
    return { ...fields(given, "{ user_id }"), user_id: given.user_id ?? this.userId };
  }

  private async answer(path: string, asked: RequestInit): Promise<Response> {
    try {
      return await this.ask(`${this.url}${path}`, asked);
    } catch (error) {
      const why = (error as { cause?: { message?: string } })?.cause?.message || String(error);
      const message = `no server of Recollect answers at ${this.url} (${why}); start one with recollect serve${this.forPage()}`;
      throw new RecollectError(0, "unreachable", message, null, { cause: error });
    }
  }

  /** What a server needs for a page of another origin: without it browsers say only that the request failed. */
  private forPage(): string {
    const origin = globalThis.location?.origin;
    return !origin || origin === new URL(this.url).origin ? "" : ` --cors-origin ${origin}`;
  }
}

/** An id as a part of a path. An empty one, or dots, would lead to another route. */
export function part(id: string): string {
  if (typeof id !== "string" || /^[\s.]*$/.test(id)) throw new TypeError(`${JSON.stringify(id)} is no id; give that of one thing`);
  return encodeURIComponent(id);
}

/** What a method takes as an object: a text or a number would be sent as nothing, or as its letters. */
export function fields<T extends object>(given: T, example: string): T {
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    throw new TypeError(`give an object, such as ${example}, not ${Array.isArray(given) ? "a list" : `a ${typeof given}`}`);
  }
  return given;
}

/** Options, none of which has a name that is not `known`; `meant` has the right ones for others, in small letters. */
export function known<T extends object>(given: T, names: readonly string[], meant: Record<string, string>, of: string): T {
  const wrong = Object.keys(given).find((name) => !names.includes(name));
  if (wrong === undefined) return given;
  const bare = (name: string) => name.replace(/[_-]/g, "").toLowerCase();
  const right = names.find((name) => bare(name) === bare(wrong)) ?? meant[bare(wrong)];
  throw new TypeError(`${of} has no option ${JSON.stringify(wrong)}; use ${right ?? names.join(", ")}`);
}

const DEFAULT_URL = "http://127.0.0.1:8377";
const NAMES: (keyof RecollectOptions)[] = ["url", "apiKey", "userId", "fetch"];
const MEANT = {
  baseurl: "url", host: "url", endpoint: "url", address: "url", key: "apiKey", token: "apiKey", user: "userId",
};

/** The options of a client; with a misspelt one it would ask another server, or for another user. */
function checked(options: RecollectOptions): RecollectOptions {
  fields(options, 'new Recollect({ url: "http://127.0.0.1:8377" })');
  if (options instanceof URL) throw new TypeError(`give the address as an option: new Recollect({ url: "${options.href}" })`);
  const { apiKey, fetch: ask } = known(options, NAMES, MEANT, "Recollect");
  if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey)) throw new TypeError("apiKey must be a key of recollect keys create, such as rcl_1_PZ0c");
  if (ask !== undefined && typeof ask !== "function") throw new TypeError(`fetch must be a function, not a ${typeof ask}`);
  return options;
}

function address(url: string): string {
  if (typeof url !== "string" || !/^https?:\/\/[^/]/i.test(url)) {
    throw new TypeError(`url must be an address such as ${DEFAULT_URL}, not ${JSON.stringify(url)}`);
  }
  return url.replace(/\/+$/, "");
}

function written(body: object): Sent {
  return { body: JSON.stringify(body), type: "application/json" };
}

function search(query: object | undefined): string {
  const asked = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value === undefined || value === null) continue;
    const values = Array.isArray(value) ? value : [value];
    for (const one of values) asked.append(name, typeof one === "object" ? JSON.stringify(one) : String(one));
  }
  const text = asked.toString();
  return text ? `?${text}` : "";
}

async function problem(response: Response): Promise<RecollectError> {
  const told = (await response.json().catch(() => ({}))) as Record<string, unknown>;
  const kind = typeof told["type"] === "string" ? told["type"] : "about:blank";
  const words = told["detail"] ?? told["title"];
  const message = typeof words === "string" ? words : `the server answered ${response.status}`;
  return new RecollectError(response.status, kind, message, response.headers.get("x-request-id"));
}
