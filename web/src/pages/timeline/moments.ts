import type { MemoryRecord } from "../../api/types";
import { dayOf } from "../../design/format";

/** Something that was said, or that was spoken of for another day. */
export interface Moment {
  memory: MemoryRecord;
  /** Where it stands, in milliseconds since 1970. */
  at: number;
  /** When an event was spoken of; null for what was said then itself. */
  said_on: string | null;
}

export interface Talk {
  session: string | null;
  moments: Moment[];
}

/** Grains of a date that stand on one day. */
const OF_A_DAY: readonly string[] = ["day", "hour", "minute"];

/** Memories by day, the last day first, each day by conversation; events stand on the days they speak of. */
export function daysOf(memories: readonly MemoryRecord[]): [string, Talk[]][] {
  const days = new Map<string, Talk[]>();
  for (const moment of memories.flatMap(momentsOf).sort((one, other) => other.at - one.at)) {
    const day = dayOf(moment.at);
    const talks = days.get(day) ?? [];
    days.set(day, talks);
    const session = sessionOf(moment.memory);
    const talk = talks.find((one) => one.session === session);
    if (talk) talk.moments.push(moment);
    else talks.push({ session, moments: [moment] });
  }
  return [...days];
}

/** The conversation of a memory; an episode names the one that it was made of. */
function sessionOf({ scope, metadata }: MemoryRecord): string | null {
  return scope.session_id ?? (typeof metadata.session_id === "string" ? metadata.session_id : null);
}

function momentsOf(memory: MemoryRecord): Moment[] {
  const said = memory.times.happened_at;
  const spoken = memory.labels.dates
    .filter((date) => OF_A_DAY.includes(date.grain) && dayOf(date.start) !== dayOf(said))
    .map((date): Moment => ({ memory, at: Date.parse(date.start), said_on: said }));
  return [{ memory, at: Date.parse(said), said_on: null }, ...spoken];
}
