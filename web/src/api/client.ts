import createClient from "openapi-fetch";
import { problemOf } from "./problem";
import type { paths } from "./schema";
import { currentKey } from "./user";
import { TEXTS } from "../texts";

/** The headers by which the server knows who asks. */
export function credentials(): Record<string, string> {
  const key = currentKey();
  return key ? { Authorization: `Bearer ${key}` } : {};
}

/** The server's API, typed by its OpenAPI. It is where the page is. */
export const server = createClient<paths>({
  baseUrl: new URL(".", document.baseURI).href.replace(/\/$/, ""),
});

server.use({
  onRequest({ request }) {
    for (const [name, value] of Object.entries(credentials())) request.headers.set(name, value);
    return request;
  },
  async onResponse({ response }) {
    if (!response.ok) throw problemOf(response.status, await response.json().catch(() => null));
  },
});

/** The data of an answer; a failed one has been thrown by then. */
export async function dataOf<T>(asked: Promise<{ data?: T }>): Promise<T> {
  const { data } = await asked;
  if (data === undefined) throw new Error(TEXTS.problems.empty);
  return data;
}
