/** Asks a server of Recollect over HTTP, and turns its problems into errors. */

export interface RecollectOptions {
  /** Where the server is. */
  url?: string;
  /** A key of `recollect keys create`; a server on this machine needs none. */
  apiKey?: string;
  /** Whose memories are meant where a call names nobody; else the key's user. */
  userId?: string;
  /** What to ask with; by default the global `fetch`. */
  fetch?: typeof fetch;
}

/** The server refused, with a problem as of RFC 9457, or could not be reached. */
export class RecollectError extends Error {
  constructor(
    /** The HTTP status; 0 when no server answered. */
    readonly status: number,
    /** The kind of the problem, such as `urn:recollect:NotFoundError`; `unreachable` when no server answered. */
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

export type Query = Record<string, unknown>;

/** One connection: where the server is, and who asks. */
export class Connection {
  private readonly url: string;
  private readonly ask: typeof fetch;
  readonly userId: string | undefined;

  constructor(private readonly options: RecollectOptions) {
    this.url = address(checked(options).url ?? DEFAULT_URL);
    this.ask = options.fetch ?? ((input, init) => fetch(input, init));
    this.userId = options.userId;
  }

  /** Ask with the fields of the query; the user is added. */
  get<T>(path: string, query: Query = {}): Promise<T> {
    return this.json<T>("GET", path, { query: this.owned(query) });
  }

  delete<T>(path: string, query: Query = {}): Promise<T> {
    return this.json<T>("DELETE", path, { query: this.owned(query) });
  }

  /** Send a body; the user is added. */
  post<T>(path: string, body: object = {}): Promise<T> {
    return this.json<T>("POST", path, { body: this.owned(body) });
  }

  put<T>(path: string, body: object): Promise<T> {
    return this.json<T>("PUT", path, { body: this.owned(body) });
  }

  /** The answer as it comes: for exports and files. */
  async raw(
    method: string,
    path: string,
    { query, body, type }: { query?: Query; body?: BodyInit; type?: string } = {},
  ): Promise<Response> {
    const headers: Record<string, string> = {};
    if (this.options.apiKey) headers["Authorization"] = `Bearer ${this.options.apiKey}`;
    if (type) headers["Content-Type"] = type;
    const response = await this.answer(`${path}${search(query)}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
    });
    if (!response.ok) throw await problem(response);
    return response;
  }

  private async answer(path: string, asked: RequestInit): Promise<Response> {
    try {
      return await this.ask(`${this.url}${path}`, asked);
    } catch (error) {
      const why = (error as { cause?: { message?: string } })?.cause?.message || String(error);
      const message = `no server of Recollect answers at ${this.url} (${why}); start one with recollect serve`;
      throw new RecollectError(0, "unreachable", message, null, { cause: error });
    }
  }

  owned<T extends object>(given: T): T & { user_id?: string } {
    return this.userId === undefined ? given : { user_id: this.userId, ...given };
  }

  private async json<T>(
    method: string,
    path: string,
    { query, body }: { query?: Query; body?: object },
  ): Promise<T> {
    const sent = body === undefined ? {} : { body: JSON.stringify(body), type: "application/json" };
    const response = await this.raw(method, path, { ...(query ? { query } : {}), ...sent });
    return (await response.json()) as T;
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

const DEFAULT_URL = "http://127.0.0.1:8377";
const KNOWN: (keyof RecollectOptions)[] = ["url", "apiKey", "userId", "fetch"];
const MEANT: Record<string, keyof RecollectOptions> = {
  baseurl: "url", host: "url", endpoint: "url", address: "url", key: "apiKey", token: "apiKey", user: "userId",
};

/** The options of a client; with a misspelt one it would ask another server, or for another user. */
function checked(options: RecollectOptions): RecollectOptions {
  fields(options, 'new Recollect({ url: "http://127.0.0.1:8377" })');
  if (options instanceof URL) throw new TypeError(`give the address as an option: new Recollect({ url: "${options.href}" })`);
  const wrong = Object.keys(options).find((name) => !(KNOWN as string[]).includes(name));
  if (wrong === undefined) return options;
  const bare = wrong.replace(/[_-]/g, "").toLowerCase();
  const right = MEANT[bare] ?? KNOWN.find((name) => name.toLowerCase() === bare);
  throw new TypeError(`Recollect has no option ${JSON.stringify(wrong)}; use ${right ?? KNOWN.join(", ")}`);
}

function address(url: string): string {
  if (typeof url !== "string" || !/^https?:\/\/[^/]/i.test(url)) {
    throw new TypeError(`url must be an address such as ${DEFAULT_URL}, not ${JSON.stringify(url)}`);
  }
  return url.replace(/\/+$/, "");
}

function search(query: Query | undefined): string {
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
