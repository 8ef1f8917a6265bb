import { useThresholds } from "../../api/queries";
import type { Thresholds } from "../../api/types";
import { counted, dayOf, momentOf, percent, plain, scored } from "../../design/format";
import { LineLegend, Lines } from "../../parts/charts";
import { Answered } from "../../parts/states";
import { TEXTS } from "../../texts";

const { thresholds: texts } = TEXTS;

/** How the thresholds of activation moved, as users said what helped. */
export function ThresholdsOverTime() {
  const thresholds = useThresholds();
  return (
    <section className="card" aria-label={texts.title}>
      <h2>{texts.title}</h2>
      <Answered query={thresholds} what="thresholds" rows={1}>
        {(told) => (told.history.length === 0 ? <Unmoved thresholds={told} /> : <Moved thresholds={told} />)}
      </Answered>
    </section>
  );
}

function Unmoved({ thresholds }: { thresholds: Thresholds }) {
  const judged = Object.values(thresholds.thresholds).reduce((sum, one) => sum + one.outcomes, 0);
  return <p className="soft">{texts.unmoved(judged)} </p>;
}

function Moved({ thresholds: { thresholds, history } }: { thresholds: Thresholds }) {
  const began = Math.min(...history.map((change) => Date.parse(change.at))) - 3_600_000;
  const moved = new Set(history.map((change) => change.context_type));
  const series = Object.entries(thresholds)
    .filter(([name]) => moved.has(name))
    .map(([name, state]) => {
      const mine = history.filter((change) => change.context_type === name);
      const steps = mine.map((change) => [Date.parse(change.at), change.after] as const);
      return {
        name: plain(name),
        points: [
          [began, mine[0]?.before ?? state.start] as const,
          ...steps,
          [Date.now(), state.threshold] as const,
        ],
      };
    });
  const last = history.at(-1);
  return (
    <>
      <LineLegend names={series.map((one) => one.name)} />
      <Lines label={texts.title} series={series} format={scored} formatX={dayOf} top={1} steps />
      {last && (
        <p className="small soft">
          {texts.last(
            plain(last.context_type),
            scored(last.before),
            scored(last.after),
            momentOf(last.at),
            last.reason,
          )}{" "}
        </p>
      )}
    </>
  );
}

const share = (value: number | null) => (value === null ? "–" : percent(value));

/** Of what was judged, how much of the activated was of use, and how much of use was missed. */
export function Precision() {
  const thresholds = useThresholds();
  return (
    <section className="card" aria-label={texts.precision}>
      <h2>{texts.precision}</h2>
      <p className="small soft">{texts.precisionLead} </p>
      <Answered query={thresholds} what="figures" rows={1}>
        {(told) => (
          <div className="scroll" tabIndex={0} role="group" aria-label={texts.table}>
            <table className="grid-table">
              <thead>
                <tr>
                  <th scope="col">{texts.context}</th>
                  <th scope="col" className="number">
                    {texts.threshold}{" "}
                  </th>
                  <th scope="col" className="number">
                    {texts.share}{" "}
                  </th>
                  <th scope="col" className="number">
                    {texts.missed}{" "}
                  </th>
                  <th scope="col" className="number">
                    {texts.judged}{" "}
                  </th>
                </tr>
              </thead>
              <tbody>
                {Object.entries(told.thresholds).map(([name, state]) => (
                  <tr key={name} title={state.note}>
                    <th scope="row">{plain(name)}</th>
                    <td className="number">{scored(state.threshold)}</td>
                    <td className="number">
                      {share(state.false_positive_rate === null ? null : 1 - state.false_positive_rate)}
                    </td>
                    <td className="number">{share(state.false_negative_rate)}</td>
                    <td className="number">{counted(state.outcomes)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </Answered>
    </section>
  );
}
