import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { users } from "./files";
import * as figures from "./figures";
import * as api from "./memories";
import type { MemoryFilters, Span } from "./memories";
import { projects } from "./projects";
import { sessions } from "./sessions";
import { useKey, useUser } from "./user";

/** What is learned in the background is asked for again so often. */
const LEARNING_MS = 15_000;

/** Data of one user with one key are not those of another. */
function useOwner(): readonly [string, string] {
  return [useUser(), useKey()];
}

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

export function useFacts(past: boolean) {
  return useQuery({
    queryKey: ["facts", ...useOwner(), past],
    queryFn: ({ signal }) => api.facts(past, signal),
    refetchInterval: LEARNING_MS,
    placeholderData: keepPreviousData,
  });
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
