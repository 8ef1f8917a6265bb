import type { components } from "./schema";

type Schemas = components["schemas"];

export type MemoryRecord = Schemas["MemoryOut"];
export type MemoryPage = Schemas["MemoryPage"];
export type Hit = Schemas["RecollectionOut"];
export type Why = Schemas["ExplanationOut"];
export type Change = Schemas["ChangeOut"];
export type Conflict = Schemas["ConflictOut"];
export type Candidate = Schemas["MemoryCandidate"];
export type Awareness = Schemas["MemoryContext"];
export type Answer = Schemas["ChatOut"];
export type Source = Schemas["SourceOut"];
export type Session = Schemas["ListedOut"];
export type SessionPage = Schemas["SessionsOut"];
export type SessionTurn = Schemas["TurnOut"];
export type Project = Schemas["ProjectOut"];
export type Loaded = Schemas["LoadedOut"];
export type Upload = Schemas["UploadOut"];
export type Report = Schemas["ImportReportOut"];
export type Applied = Schemas["AppliedOut"];
export type Edit = Schemas["EditOut"];
export type Stats = Schemas["StatsOut"];
export type Thresholds = Schemas["ThresholdsOut"];
export type Timeline = Schemas["TimelineOut"];
export type Period = Schemas["PeriodOut"];
export type FactNode = Schemas["FactNodeOut"];
export type FactEdge = Schemas["FactEdgeOut"];
export interface FactGraph {
  nodes: readonly FactNode[];
  edges: readonly FactEdge[];
}
export type Kind = MemoryRecord["kind"];
export type Tier = MemoryRecord["tier"];

export const KINDS = [
  "message",
  "episode",
  "fact",
  "procedure",
  "document",
  "thought",
  "task",
] as const satisfies readonly Kind[];
/** The tiers a search looks through unless it is told otherwise. */
export const IN_USE = ["working", "short-term", "long-term"] as const satisfies readonly Tier[];
