import "./score.css";
import type { CSSProperties } from "react";
import { plain, scored } from "../design/format";
import { TEXTS } from "../texts";

const { score: texts } = TEXTS;

export type Terms = Readonly<Record<string, number>>;

const TERM_COLOURS: Readonly<Record<string, number>> = {
  embedding: 1,
  metadata: 2,
  summary: 3,
  temporal: 4,
  words: 2,
  words_near: 8,
  words_session: 5,
  meaning: 1,
  meaning_near: 7,
  meaning_session: 3,
  vector: 1,
  tags: 2,
  usage: 4,
  time_match: 4,
  speaker: 6,
  shape: 6,
  substance: 6,
  statement: 6,
  usefulness: 6,
  recent: 6,
};
const COLOURS = 8;
/** Terms too small to be told apart; they share a colour and a name in the legend. */
const HINTS: readonly string[] = ["speaker", "shape", "substance", "statement", "usefulness", "recent"];
const legendName = (term: string): string => (HINTS.includes(term) ? texts.hints : termName(term));

export const termName = (term: string): string =>
  (texts.terms as Readonly<Record<string, string>>)[term] ?? plain(term);

function termStyle(term: string): CSSProperties {
  const colour =
    TERM_COLOURS[term] ?? ([...term].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % COLOURS) + 1;
  return { "--term": `var(--term-${colour})` } as CSSProperties;
}

const positive = (terms: Terms) => Object.entries(terms).filter(([, value]) => value > 0);

/** In words: "score 0.72: Meaning 0.50, Topics 0.22; threshold 0.30". */
function spoken(score: number, terms: Terms, threshold: number | null): string {
  const parts = positive(terms)
    .sort((one, other) => other[1] - one[1])
    .map(([term, value]) => `${termName(term)} ${scored(value)}`);
  return texts.spoken(scored(score), parts.join(", "), threshold === null ? null : scored(threshold));
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
    <ul className="legend" aria-label={texts.legend}>
      {[...shown].map(([name, term]) => (
        <li key={name}>
          <i style={termStyle(term)} /> {name}
        </li>
      ))}
      {threshold !== null && (
        <li>
          <i className="line" /> {texts.threshold} {scored(threshold)}
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
          <th scope="col">{texts.sum}</th>
          <th scope="col" className="number">
            {texts.measured}
          </th>
          <th scope="col" className="number">
            {texts.added}
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
          <th scope="row">{texts.score}</th>
          <td />
          <td className="number">
            <strong>{score.toFixed(3)}</strong>
          </td>
        </tr>
      </tbody>
    </table>
  );
}
