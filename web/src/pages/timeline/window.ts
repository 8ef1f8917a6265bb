import type { Span } from "../../api/memories";
import type { Period } from "../../api/types";
import { TEXTS } from "../../texts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
export const MONTH = 30 * DAY;
export const SPANS: readonly (readonly [string, number])[] = [
  [TEXTS.timeline.spans.day, DAY],
  [TEXTS.timeline.spans.week, 7 * DAY],
  [TEXTS.timeline.spans.month, MONTH],
  [TEXTS.timeline.spans.year, 365 * DAY],
];
const SHORTEST = HOUR;
const ROOM = 0.04;

/** All of some periods, with a little room on both sides. */
export function spanOf(periods: readonly Period[]): Span {
  const [first, last] = [periods[0], periods.at(-1)];
  if (!first || !last) return { from: Date.now() - DAY, to: Date.now() };
  const [from, to] = [Date.parse(first.start), Date.parse(last.end)];
  const room = Math.max((to - from) * ROOM, HOUR);
  return { from: from - room, to: to + room };
}

/** Nearer or farther around a moment, never beyond `all`. */
export function zoomed(span: Span, factor: number, all: Span, around = (span.from + span.to) / 2): Span {
  const length = Math.min(Math.max((span.to - span.from) * factor, SHORTEST), all.to - all.from);
  const share = (around - span.from) / (span.to - span.from);
  return clamped({ from: around - share * length, to: around + (1 - share) * length }, all);
}

export function moved(span: Span, by: number, all: Span): Span {
  return clamped({ from: span.from + by, to: span.to + by }, all);
}

/** As long a stretch, moved into `all`. */
function clamped({ from, to }: Span, all: Span): Span {
  const length = Math.min(to - from, all.to - all.from);
  const start = Math.min(Math.max(from, all.from), all.to - length);
  return { from: start, to: start + length };
}

/** When the months of a stretch begin, the last one first. */
export function monthsOf(span: Span): number[] {
  const [first, last] = [new Date(span.from), new Date(span.to)];
  const count = 12 * (last.getFullYear() - first.getFullYear()) + last.getMonth() - first.getMonth();
  return Array.from({ length: count + 1 }, (_, back) =>
    new Date(last.getFullYear(), last.getMonth() - back).getTime(),
  );
}

/** The month that begins at a moment. */
export function monthSpan(start: number): Span {
  const date = new Date(start);
  return { from: start, to: new Date(date.getFullYear(), date.getMonth() + 1).getTime() };
}

/** A stretch as far as it lies in `all`; `all` where it does not. */
export function within(span: Span, all: Span): Span {
  const [from, to] = [Math.max(span.from, all.from), Math.min(span.to, all.to)];
  return from < to ? { from, to } : all;
}

const STEPS = [
  5 * MINUTE,
  15 * MINUTE,
  HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
  DAY,
  2 * DAY,
  7 * DAY,
  14 * DAY,
  30 * DAY,
  91 * DAY,
  182 * DAY,
  365 * DAY,
  3650 * DAY,
];

/** The step at which at most so many marks fit into a stretch. */
export function stepOf(span: Span, most: number): number {
  const wanted = (span.to - span.from) / most;
  return STEPS.find((step) => step >= wanted) ?? STEPS.at(-1) ?? wanted;
}

/** A mark's name: as fine as the step, with the year where it is not clear. */
export function named(at: number, step: number): string {
  const date = new Date(at);
  if (step < DAY) {
    return date.toLocaleString(undefined, {
      day: "numeric",
      month: "short",
      hour: "2-digit",
      minute: "2-digit",
    });
  }
  if (step < 30 * DAY) return date.toLocaleDateString(undefined, { day: "numeric", month: "short" });
  if (step < 365 * DAY) return date.toLocaleDateString(undefined, { month: "short", year: "numeric" });
  return String(date.getFullYear());
}
