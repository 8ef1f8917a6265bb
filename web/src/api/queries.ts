import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { users } from "./files";
import * as figures from "./figures";
import * as api from "./memories";
import type { MemoryFilters, Span } from "./memories";
import { projects } from "./projects";
import { sessions } from "./sessions";
import { useKey, useUser } from "./user";

/** What is learned in the background is asked for again so often. */
const LEARNING_MS = 15_000;
/** Pages of facts that are loaded: some ten thousand facts. */
const MOST_PAGES = 11;

/** Data of one user with one key are not those of another. */
function useOwner(): readonly [string, string] {
  return [useUser(), useKey()];
}

/** Whether this key may import, download and delete everything; until it is known, yes. */
export const useIsAdmin = (): boolean => (useStats().data?.role ?? "admin") === "admin";

export function useMemories(filters: MemoryFilters) {
  return useInfiniteQuery({
    queryKey: ["memories", ...useOwner(), filters],
    queryFn: ({ pageParam, signal }) => api.list(filters, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor ?? null,
    placeholderData: keepPreviousData,
  });
}

export function useSessions() {
  return useInfiniteQuery({
    queryKey: ["sessions", ...useOwner()],
    queryFn: ({ pageParam, signal }) => sessions(pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor ?? null,
  });
}

export function useSearch(query: string, filters: MemoryFilters) {
  return useQuery({
    queryKey: ["search", ...useOwner(), query, filters],
    queryFn: ({ signal }) => api.search(query, filters, signal),
    enabled: query !== "",
    placeholderData: keepPreviousData,
  });
}

export function useWhy(id: string, question: string | null, filters: MemoryFilters | null = null) {
  return useQuery({
    queryKey: ["why", ...useOwner(), id, question, filters],
    queryFn: ({ signal }) => api.why(id, question, filters, signal),
  });
}

/** Facts, loaded page by page while they are shown; many are not asked for again by themselves. */
export function useFacts(past: boolean) {
  const asked = useInfiniteQuery({
    queryKey: ["facts", ...useOwner()],
    queryFn: ({ pageParam, signal }) => api.facts(pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page, pages) => (pages.length < MOST_PAGES ? page.next_cursor : null),
    refetchInterval: (query) => (query.state.data?.pages.length === 1 ? LEARNING_MS : false),
  });
  const { data, error, isPending, refetch, hasNextPage, isFetching, isError, fetchNextPage } = asked;
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [hasNextPage, isFetching, isError, fetchNextPage]);
  const facts = useMemo(
    () => data?.pages.flatMap((page) => page.items).filter((fact) => past || !api.isOver(fact)),
    [data, past],
  );
  return { data: facts, error, isPending, refetch };
}

export function useConflicts() {
  return useQuery({
    queryKey: ["conflicts", ...useOwner()],
    queryFn: ({ signal }) => api.conflicts(signal),
    refetchInterval: LEARNING_MS,
  });
}

export function useDecided() {
  return useQuery({
    queryKey: ["decided", ...useOwner()],
    queryFn: ({ signal }) => api.decided(signal),
  });
}

export function useTimeline(words: boolean, span: Span | null) {
  return useQuery({
    queryKey: ["timeline", ...useOwner(), words, span],
    queryFn: ({ signal }) => api.timeline(words, span, signal),
    placeholderData: keepPreviousData,
  });
}

export function useGrowth() {
  return useQuery({ queryKey: ["growth", ...useOwner()], queryFn: ({ signal }) => figures.growth(signal) });
}

export function useNewSince(span_ms: number) {
  return useQuery({
    queryKey: ["new", ...useOwner(), span_ms],
    queryFn: ({ signal }) => figures.newSince(span_ms, signal),
  });
}

export function useStats() {
  return useQuery({
    queryKey: ["stats", ...useOwner()],
    queryFn: ({ signal }) => figures.stats(signal),
    refetchInterval: LEARNING_MS,
  });
}

export function useThresholds() {
  return useQuery({
    queryKey: ["thresholds", ...useOwner()],
    queryFn: ({ signal }) => figures.thresholds(signal),
  });
}

export function useLatencies() {
  return useQuery({
    queryKey: ["latencies", ...useOwner()],
    queryFn: ({ signal }) => figures.latencies(signal),
  });
}

export function useFactGraph() {
  return useQuery({
    queryKey: ["graph", ...useOwner()],
    queryFn: ({ signal }) => api.factGraph(signal),
    staleTime: 60_000,
  });
}

export function useProjects() {
  return useQuery({ queryKey: ["projects", ...useOwner()], queryFn: ({ signal }) => projects(signal) });
}

/** Who has memories; a key for one user sees that user alone. */
export function useUsers() {
  return useQuery({ queryKey: ["users", useKey()], queryFn: ({ signal }) => users(signal) });
}
