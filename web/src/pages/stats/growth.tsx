import { useGrowth } from "../../api/queries";
import type { Timeline } from "../../api/types";
import { counted, dayOf, plain, shortly } from "../../design/format";
import { LineLegend, Lines } from "../../parts/charts";
import { Answered } from "../../parts/states";

const DRAWN = ["message", "fact", "episode", "document"] as const;

/** How many memories there were, by when they happened. */
export function Growth() {
  const growth = useGrowth();
  return (
    <section className="card" aria-label="Growth">
      <h2>Growth</h2>
      <Answered query={growth} what="growth" rows={1}>
        {(told) =>
          told.periods.length < 2 ? (
            <p className="soft">A line appears once there are messages of two days.</p>
          ) : (
            <Drawn told={told} />
          )
        }
      </Answered>
    </section>
  );
}

function Drawn({ told }: { told: Timeline }) {
  const series = DRAWN.map((kind) => {
    let sum = 0;
    const begin = [Date.parse(told.periods[0]?.start ?? ""), 0] as const;
    const points = told.periods.map(
      (period) => [Date.parse(period.end), (sum += period.counts[kind] ?? 0)] as const,
    );
    return { name: `${plain(kind)}s`, points: [begin, ...points], sum };
  }).filter((one) => one.sum > 0);
  const spoken = series.map((one) => `${counted(one.sum)} ${one.name.toLowerCase()}`).join(", ");
  return (
    <>
      <LineLegend names={series.map((one) => one.name)} />
      <Lines
        label={`Memories over time; in the end ${spoken}`}
        series={series}
        format={shortly}
        formatX={dayOf}
      />
    </>
  );
}
