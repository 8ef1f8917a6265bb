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

/** The server refused, with a problem as of RFC 9457. */
export class RecollectError extends Error {
  constructor(
    /** The HTTP status. */
    readonly status: number,
    /** The kind of the problem, such as `not-found`. */
    readonly kind: string,
    message: string,
    /** Finds the request in the server's log. */
    readonly requestId: string | null,
  ) {
    super(message);
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
    this.url = (options.url ?? "http://127.0.0.1:8377").replace(/\/+$/, "");
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
    const response = await this.ask(`${this.url}${path}${search(query)}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
    });
    if (!response.ok) throw await problem(response);
    return response;
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

/** A part of a path that may hold anything. */
export const part = encodeURIComponent;

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
