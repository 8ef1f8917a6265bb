import "./score.css";
import type { CSSProperties } from "react";
import { plain, scored } from "../design/format";

export type Terms = Readonly<Record<string, number>>;

/** What a term is, for people; a name that is not here is shown as it is. */
const MEANINGS: Readonly<Record<string, { name: string; colour: number }>> = {
  embedding: { name: "Meaning", colour: 1 },
  metadata: { name: "Topics", colour: 2 },
  summary: { name: "Summary", colour: 3 },
  temporal: { name: "Recency", colour: 4 },
  words: { name: "Words", colour: 2 },
  words_near: { name: "Words nearby", colour: 8 },
  words_session: { name: "Words in the session", colour: 5 },
  meaning: { name: "Meaning", colour: 1 },
  meaning_near: { name: "Meaning nearby", colour: 7 },
  meaning_session: { name: "Meaning of the session", colour: 3 },
  vector: { name: "Meaning", colour: 1 },
  tags: { name: "Tags", colour: 2 },
  usage: { name: "Use", colour: 4 },
  time_match: { name: "Time asked for", colour: 4 },
  speaker: { name: "Speaker", colour: 6 },
  shape: { name: "Kind of answer", colour: 6 },
  substance: { name: "Substance", colour: 6 },
  statement: { name: "Statement", colour: 6 },
  usefulness: { name: "Found useful", colour: 6 },
  recent: { name: "Talked about last", colour: 6 },
};
const COLOURS = 8;
/** Terms too small to be told apart; they share a colour and a name in the legend. */
const HINTS: readonly string[] = ["speaker", "shape", "substance", "statement", "usefulness", "recent"];
const legendName = (term: string): string => (HINTS.includes(term) ? "Hints" : termName(term));

export const termName = (term: string): string => MEANINGS[term]?.name ?? plain(term);

function termStyle(term: string): CSSProperties {
  const colour =
    MEANINGS[term]?.colour ??
    ([...term].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % COLOURS) + 1;
  return { "--term": `var(--term-${colour})` } as CSSProperties;
}

const positive = (terms: Terms) => Object.entries(terms).filter(([, value]) => value > 0);

/** In words: "score 0.72: Meaning 0.50, Topics 0.22; threshold 0.30". */
function spoken(score: number, terms: Terms, threshold: number | null): string {
  const parts = positive(terms)
    .sort((one, other) => other[1] - one[1])
    .map(([term, value]) => `${termName(term)} ${scored(value)}`);
  const line = threshold === null ? "" : `; threshold ${scored(threshold)}`;
  return `Score ${scored(score)}${parts.length ? `: ${parts.join(", ")}` : ""}${line}`;
}

/** A score from 0 to 1 as a bar of its terms, with the line that it must reach. */
export function ScoreBar({
  score,
  terms,
  threshold = null,
}: {
  score: number;
  terms: Terms;
  threshold?: number | null;
}) {
  const parts = positive(terms);
  const sum = parts.reduce((total, [, value]) => total + value, 0);
  const scale = sum > 0 ? score / sum : 0;
  const below = threshold !== null && score < threshold;
  return (
    <div className={below ? "score below" : "score"} role="img" aria-label={spoken(score, terms, threshold)}>
      <span className="scale">
        <span className="terms">
          {parts.map(([term, value]) => (
            <i key={term} style={{ ...termStyle(term), width: `${Math.min(value * scale, 1) * 100}%` }} />
          ))}
        </span>
        {threshold !== null && <b style={{ left: `${threshold * 100}%` }} />}
      </span>
      <span className="number">{scored(score)}</span>
    </div>
  );
}

/** Which colour is which term, of all the bars below it. */
export function ScoreLegend({ all, threshold = null }: { all: readonly Terms[]; threshold?: number | null }) {
  const shown = new Map(all.flatMap((terms) => positive(terms)).map(([term]) => [legendName(term), term]));
  if (shown.size === 0) return null;
  return (
    <ul className="legend" aria-label="Legend of the bars">
      {[...shown].map(([name, term]) => (
        <li key={name}>
          <i style={termStyle(term)} /> {name}
        </li>
      ))}
      {threshold !== null && (
        <li>
          <i className="line" /> Threshold {scored(threshold)}
        </li>
      )}
    </ul>
  );
}

/** Every term with what was measured and what it added, the largest first. */
export function TermsTable({ score, terms, signals }: { score: number; terms: Terms; signals: Terms }) {
  const rows = Object.entries(terms).sort((one, other) => Math.abs(other[1]) - Math.abs(one[1]));
  return (
    <table className="grid-table terms-table">
      <thead>
        <tr>
          <th scope="col">How the score adds up</th>
          <th scope="col" className="number">
            Measured
          </th>
          <th scope="col" className="number">
            Added
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([term, value]) => (
          <tr key={term}>
            <th scope="row">
              <span className="swatch" style={termStyle(term)} />
              {termName(term)}
            </th>
            <td className="number">{scored(signals[term] ?? 0)}</td>
            <td className="number">{value.toFixed(3)}</td>
          </tr>
        ))}
        <tr>
          <th scope="row">Score</th>
          <td />
          <td className="number">
            <strong>{score.toFixed(3)}</strong>
          </td>
        </tr>
      </tbody>
    </table>
  );
}
