import { dataOf, server } from "./client";
import { type FactGraph, IN_USE, type Kind, type MemoryPage, type MemoryRecord, type Tier } from "./types";
import { owner } from "./user";
import { TEXTS } from "../texts";

/** A stretch of time, in milliseconds since 1970. */
export interface Span {
  from: number;
  to: number;
}

/** What narrows a list or a search. */
export interface MemoryFilters {
  kind?: Kind | null;
  archived?: boolean;
  since?: string | null;
  critical?: boolean;
  tag?: string | null;
  speaker?: string | null;
  session?: string | null;
}

const PAGE = 30;
const FOUND = 30;
const SOON = 200;
const AT_ONCE = 1_000;
/** Nodes of the graph that are listed; far fewer are drawn to begin with. */
const NODES = 2_000;
/** How the facts call the user. */
const USER = "User";
const MOMENTS = 200;

const note = () => ({ body: { ...owner() } });
const at = (memory_id: string) => ({ params: { path: { memory_id } } });
/** What a list and a search compare with the fields of a memory. */
const fieldsOf = ({ critical, tag, speaker, session }: MemoryFilters) => ({
  ...(critical ? { critical: true } : {}),
  ...(tag ? { tags: { contains: tag } } : {}),
  ...(speaker ? { speaker } : {}),
  ...(session ? { session_id: session } : {}),
});
const tiersOf = ({ archived }: MemoryFilters): Tier[] => (archived ? ["archived"] : [...IN_USE]);

export function list(
  filters: MemoryFilters,
  cursor: string | null,
  signal: AbortSignal,
): Promise<MemoryPage> {
  const query = {
    ...owner(),
    tier: tiersOf(filters),
    limit: PAGE,
    ...(filters.kind ? { kind: [filters.kind] } : {}),
    ...(filters.since ? { since: filters.since } : {}),
    filters: JSON.stringify(fieldsOf(filters)),
    ...(cursor ? { cursor } : {}),
  };
  return dataOf(server.GET("/memories", { params: { query }, signal }));
}

export async function search(query: string, filters: MemoryFilters, signal: AbortSignal) {
  const body = {
    ...owner(),
    query,
    top_k: FOUND,
    tiers: tiersOf(filters),
    ...(filters.kind ? { kinds: [filters.kind] } : {}),
    ...(filters.since ? { since: filters.since } : {}),
    filters: fieldsOf(filters),
  };
  return (await dataOf(server.POST("/search", { body, signal }))).results;
}

/** A page of the facts in the order in which they were learned; the first one is short, to be there soon. */
export function facts(cursor: string | null, signal: AbortSignal): Promise<MemoryPage> {
  const query = {
    ...owner(),
    kind: ["fact" as const],
    tier: [...IN_USE],
    limit: cursor ? AT_ONCE : SOON,
    newest_first: false,
    ...(cursor ? { cursor } : {}),
  };
  return dataOf(server.GET("/memories", { params: { query }, signal }));
}

/** Who and what the facts that hold are about; the user is "You". */
export async function factGraph(signal: AbortSignal): Promise<FactGraph> {
  const query = { ...owner(), limit: NODES };
  const { nodes, edges } = await dataOf(server.GET("/graph/facts", { params: { query }, signal }));
  const shown = (name: string) => (name === USER ? TEXTS.graph.you : name);
  return {
    nodes: nodes.map((node) => ({ ...node, name: shown(node.name) })),
    edges: edges.map((edge) => ({ ...edge, source: shown(edge.source), target: shown(edge.target) })),
  };
}

export function isOver(fact: MemoryRecord): boolean {
  return fact.times.valid_until != null && new Date(fact.times.valid_until) <= new Date();
}

/** What happened in a stretch of time, or ever: how much of each period, and the latest of it. */
export const timeline = (words: boolean, span: Span | null, signal: AbortSignal) =>
  dataOf(
    server.GET("/timeline", {
      params: {
        query: {
          ...owner(),
          kind: words ? ["episode", "message"] : ["episode"],
          limit: MOMENTS,
          ...(span
            ? { since: new Date(span.from).toISOString(), until: new Date(span.to).toISOString() }
            : {}),
        },
      },
      signal,
    }),
  );

/** Where a memory comes from; with a question, its place in the search with the same filters. */
export const why = (
  memory_id: string,
  question: string | null,
  filters: MemoryFilters | null,
  signal: AbortSignal,
) => {
  const query = {
    ...owner(),
    ...(question ? { query: question } : {}),
    ...(filters ? { tier: tiersOf(filters) } : {}),
    ...(filters?.kind ? { kind: [filters.kind] } : {}),
    ...(filters?.since ? { since: filters.since } : {}),
    ...(filters ? { filters: JSON.stringify(fieldsOf(filters)) } : {}),
  };
  return dataOf(server.GET("/memories/{memory_id}/why", { params: { path: { memory_id }, query }, signal }));
};

export async function add(message: { content: string; critical: boolean; kind?: Kind }) {
  const { results } = await dataOf(server.POST("/memories", { body: { ...owner(), messages: [message] } }));
  const [result] = results;
  if (!result) throw new Error(TEXTS.problems.empty);
  return result;
}

type Change = { content?: string; critical?: boolean; importance?: number; tags?: string[] };

export const update = (id: string, change: Change) =>
  dataOf(server.PUT("/memories/{memory_id}", { ...at(id), body: { ...owner(), ...change } }));
export const remove = (memory_id: string) =>
  dataOf(server.DELETE("/memories/{memory_id}", { params: { path: { memory_id }, query: owner() } }));
/** Delete several at once. */
export const removeAll = (ids: readonly string[]) =>
  dataOf(
    server.DELETE("/memories", {
      params: { query: { ...owner(), filters: JSON.stringify({ id: { in: ids } }) } },
    }),
  );
export const restore = (id: string) =>
  dataOf(server.POST("/memories/{memory_id}/restore", { ...at(id), ...note() }));
export const archive = (id: string) =>
  dataOf(server.POST("/memories/{memory_id}/archive", { ...at(id), ...note() }));
export const unarchive = (id: string) =>
  dataOf(server.POST("/memories/{memory_id}/unarchive", { ...at(id), ...note() }));
export const reinforce = (id: string) =>
  dataOf(server.POST("/memories/{memory_id}/reinforce", { ...at(id), ...note() }));

/** Whether a memory helped; with the question, the threshold of its kind learns from it. */
export const feedback = (memory_id: string, useful: boolean, question: string | null) =>
  dataOf(
    server.POST("/feedback", {
      body: { ...owner(), memory_id, useful, ...(question ? { query: question } : {}) },
    }),
  );

export const conflicts = async (signal: AbortSignal) =>
  (await dataOf(server.GET("/conflicts", { params: { query: owner() }, signal }))).conflicts;
export const resolve = (keep: string, drop: string | null) =>
  dataOf(server.POST("/conflicts/resolve", { body: { ...owner(), keep, ...(drop ? { drop } : {}) } }));

/** Take the decision about some facts back: they wait as a conflict again. */
export const reopen = (ids: string[]) =>
  dataOf(server.POST("/conflicts/reopen", { body: { ...owner(), ids } }));

const DECIDED = 50;

/** The last decided conflicts: the newer fact with those that it contradicted, as they are now. */
export async function decided(signal: AbortSignal): Promise<[MemoryRecord, MemoryRecord[]][]> {
  const listed = async (filters: object): Promise<MemoryRecord[]> => {
    const query = { ...owner(), kind: ["fact" as const], limit: DECIDED, filters: JSON.stringify(filters) };
    return (await dataOf(server.GET("/memories", { params: { query }, signal }))).items;
  };
  const newer = await listed({ "metadata.contested": false });
  const idsOf = ({ metadata: { conflicts_with: with_ } }: MemoryRecord) =>
    [with_].flat().filter((id): id is string => typeof id === "string");
  const others = await listed({ id: { in: newer.flatMap(idsOf) } });
  const known = new Map(others.map((one) => [one.id, one]));
  return newer
    .map((one): [MemoryRecord, MemoryRecord[]] => [one, idsOf(one).flatMap((id) => known.get(id) ?? [])])
    .filter(([, against]) => against.length > 0);
}
