import { useGrowth } from "../../api/queries";
import type { Timeline } from "../../api/types";
import { counted, dayOf, shortly } from "../../design/format";
import { LineLegend, Lines } from "../../parts/charts";
import { Answered } from "../../parts/states";
import { TEXTS } from "../../texts";

const { stats: texts } = TEXTS;

const DRAWN = ["message", "fact", "episode", "document"] as const;

/** How many memories there were, by when they happened. */
export function Growth() {
  const growth = useGrowth();
  return (
    <section className="card" aria-label={texts.growth}>
      <h2>{texts.growth}</h2>
      <Answered query={growth} what="growth" rows={1}>
        {(told) =>
          told.periods.length < 2 ? <p className="soft">{texts.growthNone}</p> : <Drawn told={told} />
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
    return { name: TEXTS.kinds[kind], points: [begin, ...points], sum };
  }).filter((one) => one.sum > 0);
  const spoken = series.map((one) => `${counted(one.sum)} ${one.name.toLowerCase()}`).join(", ");
  return (
    <>
      <LineLegend names={series.map((one) => one.name)} />
      <Lines label={texts.growthSpoken(spoken)} series={series} format={shortly} formatX={dayOf} />
    </>
  );
}
