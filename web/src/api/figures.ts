import { credentials, dataOf, server } from "./client";
import { problemOf, ServerError } from "./problem";
import { KINDS } from "./types";
import { owner } from "./user";
import { TEXTS } from "../texts";

const asked = () => ({ params: { query: owner() } });

export const stats = (signal: AbortSignal) => dataOf(server.GET("/api/stats", { ...asked(), signal }));
export const thresholds = (signal: AbortSignal) => dataOf(server.GET("/thresholds", { ...asked(), signal }));
/** How many memories of each kind there are of each period. */
export const growth = (signal: AbortSignal) =>
  dataOf(
    server.GET("/timeline", {
      params: { query: { ...owner(), kind: [...KINDS], limit: 1 } },
      signal,
    }),
  );

/** How many memories of each kind were made or said within so long. */
export async function newSince(span_ms: number, signal: AbortSignal): Promise<Record<string, number>> {
  const since = new Date(Date.now() - span_ms).toISOString();
  const query = { ...owner(), kind: [...KINDS], since, limit: 1 };
  const told = await dataOf(server.GET("/timeline", { params: { query }, signal }));
  const counts: Record<string, number> = {};
  for (const period of told.periods) {
    for (const [kind, count] of Object.entries(period.counts)) counts[kind] = (counts[kind] ?? 0) + count;
  }
  return counts;
}

export const setModelKey = (apiKey: string) =>
  dataOf(server.POST("/api/config/apikey", { body: { apiKey } }));
export const overrideModel = (task: string, model_name: string) =>
  dataOf(server.POST("/api/chat/models/override", { body: { task, model_name } }));

/** How long one kind of request took, in milliseconds. */
export interface Latency {
  name: string;
  count: number;
  p50_ms: number;
  p95_ms: number;
}

const NAMES: Readonly<Record<string, string>> = {
  "POST /search": TEXTS.stats.routes.search,
  "POST /memories": TEXTS.stats.routes.add,
  "GET /memories": TEXTS.stats.routes.list,
  "POST /context": TEXTS.stats.routes.context,
  "POST /api/chat": TEXTS.stats.routes.chat,
  "GET /memories/{memory_id}/why": TEXTS.stats.routes.why,
};
const FORBIDDEN = 403;
const BUCKET = /^recollect_http_request_seconds_bucket\{(?<labels>[^}]*)\} (?<count>\S+)$/;
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g;

/** What the server counted since it started; null when the key may not see it. */
export async function latencies(signal: AbortSignal): Promise<Latency[] | null> {
  const answer = await fetch("metrics", { headers: credentials(), signal });
  if (answer.ok) return latenciesIn(await answer.text());
  const problem = problemOf(answer.status, await answer.json().catch(() => null));
  if (problem instanceof ServerError && problem.status === FORBIDDEN) return null;
  throw problem;
}

/** The histograms of Prometheus' text format, as two quantiles for each route that has a name. */
export function latenciesIn(text: string): Latency[] {
  const routes = new Map<string, [number, number][]>();
  for (const line of text.split("\n")) {
    const found = BUCKET.exec(line)?.groups;
    if (!found) continue;
    const { method, route, le } = Object.fromEntries(
      [...(found.labels ?? "").matchAll(LABEL)].map(([, name, value]) => [name, value]),
    );
    const name = NAMES[`${method} ${route}`];
    if (name)
      routes.set(name, [
        ...(routes.get(name) ?? []),
        [le === "+Inf" ? Infinity : Number(le), Number(found.count)],
      ]);
  }
  return [...routes].map(([name, buckets]) => ({
    name,
    count: buckets.at(-1)?.[1] ?? 0,
    p50_ms: quantile(buckets, 0.5) * 1000,
    p95_ms: quantile(buckets, 0.95) * 1000,
  }));
}

/** Where a share of the counts ends, straight between the bounds of its bucket, as Prometheus reckons it. */
function quantile(buckets: readonly (readonly [number, number])[], share: number): number {
  const wanted = share * (buckets.at(-1)?.[1] ?? 0);
  let [low, before] = [0, 0];
  for (const [bound, count] of buckets) {
    if (count >= wanted && count > before) {
      return bound === Infinity ? low : low + (bound - low) * ((wanted - before) / (count - before));
    }
    [low, before] = [bound === Infinity ? low : bound, count];
  }
  return low;
}
