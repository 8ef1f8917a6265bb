import { useThresholds } from "../../api/queries";
import type { Thresholds } from "../../api/types";
import { counted, dayOf, momentOf, percent, plain, scored } from "../../design/format";
import { LineLegend, Lines } from "../../parts/charts";
import { Answered } from "../../parts/states";

/** How the thresholds of activation moved, as users said what helped. */
export function ThresholdsOverTime() {
  const thresholds = useThresholds();
  return (
    <section className="card" aria-label="Thresholds over time">
      <h2>Thresholds over time</h2>
      <Answered query={thresholds} what="thresholds" rows={1}>
        {(told) => (told.history.length === 0 ? <Unmoved thresholds={told} /> : <Moved thresholds={told} />)}
      </Answered>
    </section>
  );
}

function Unmoved({ thresholds }: { thresholds: Thresholds }) {
  const judged = Object.values(thresholds.thresholds).reduce((sum, one) => sum + one.outcomes, 0);
  return (
    <p className="soft">
      They have not moved. They learn from “Did it help?” in the panel of a memory, which was answered{" "}
      {counted(judged)} {judged === 1 ? "time" : "times"} so far.
    </p>
  );
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
      <Lines label="Thresholds over time" series={series} format={scored} formatX={dayOf} top={1} steps />
      {last && (
        <p className="small soft">
          Last: {plain(last.context_type)} from {scored(last.before)} to {scored(last.after)} on{" "}
          {momentOf(last.at)}, {last.reason}.
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
    <section className="card" aria-label="Activation precision">
      <h2>Activation precision</h2>
      <p className="small soft">
        Of what was judged: how much of the activated helped, and how much that would have helped was missed.
      </p>
      <Answered query={thresholds} what="figures" rows={1}>
        {(told) => (
          <div className="scroll" tabIndex={0} role="group" aria-label="Table of precision">
            <table className="grid-table">
              <thead>
                <tr>
                  <th scope="col">Context</th>
                  <th scope="col" className="number">
                    Threshold
                  </th>
                  <th scope="col" className="number">
                    Precision
                  </th>
                  <th scope="col" className="number">
                    Missed
                  </th>
                  <th scope="col" className="number">
                    Judged
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
