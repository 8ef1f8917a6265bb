import { Fragment, useMemo } from "react";

const WORD = /[\p{L}\p{N}]+/gu;
const SHORTEST = 3;
/** Words alike but for their ending share so many letters, and differ by so few. Chosen by hand. */
const SHARED = 4;
const ENDING = 3;
/** Words of a question that say nothing of what is asked for. */
const COMMON = new Set(
  "the and you for was are what when where which who why how did does has have had not with from that this they them there his her our your can will would should about into than then".split(
    " ",
  ),
);

const folded = (word: string): string => word.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** Whether two words are the same but for their ending. */
function alike(one: string, other: string): boolean {
  if (one === other) return true;
  const shared = Math.max(SHARED, Math.min(one.length, other.length) - ENDING + 1);
  return (
    Math.abs(one.length - other.length) <= ENDING &&
    Math.min(one.length, other.length) >= SHARED &&
    one.slice(0, shared) === other.slice(0, shared)
  );
}

/** A text with the words marked that a question has, too. */
export function Marked({ text, question }: { text: string; question: string | null }) {
  const asked = useMemo(
    () =>
      (question?.match(WORD) ?? [])
        .map(folded)
        .filter((word) => word.length >= SHORTEST && !COMMON.has(word)),
    [question],
  );
  if (asked.length === 0) return text;
  const pieces: [string, boolean][] = [];
  let end = 0;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const bare = folded(word);
    if (bare.length < SHORTEST || !asked.some((one) => alike(one, bare))) continue;
    pieces.push([text.slice(end, index), false], [word, true]);
    end = index + word.length;
  }
  pieces.push([text.slice(end), false]);
  return pieces.map(([piece, marked], place) =>
    marked ? <mark key={place}>{piece}</mark> : <Fragment key={place}>{piece}</Fragment>,
  );
}
