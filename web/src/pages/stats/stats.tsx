import "./stats.css";
import { Activity } from "lucide-react";
import { Link } from "wouter";
import { useNewSince, useStats } from "../../api/queries";
import type { Stats as Figures } from "../../api/types";
import { counted, plain, shortly } from "../../design/format";
import { Bars } from "../../parts/charts";
import { Page } from "../../parts/page";
import { Answered, Empty } from "../../parts/states";
import { TEXTS } from "../../texts";
import { Growth } from "./growth";
import { Latency } from "./latency";
import { Precision, ThresholdsOverTime } from "./thresholds";

const { stats: texts } = TEXTS;

/** How the memory grows, how fast it answers, and how its thresholds learn. */
export default function Stats() {
  const stats = useStats();
  return (
    <Page title={texts.title} lead={texts.lead}>
      <Answered query={stats} what="figures" rows={4}>
        {(figures) => (figures.totalMemories === 0 ? <Nothing /> : <All figures={figures} />)}
      </Answered>
    </Page>
  );
}

function Nothing() {
  return (
    <Empty icon={Activity} title={texts.none}>
      <p>{texts.noneLead}</p>
      <div className="row wrap">
        <Link className="button main" href="/">
          {texts.toChat}
        </Link>
      </div>
    </Empty>
  );
}

function All({ figures }: { figures: Figures }) {
  return (
    <>
      <Tiles figures={figures} />
      <Growth />
      <details className="details">
        <summary>{texts.details}</summary>
        <div className="figures">
          <Latency />
          <Kinds figures={figures} />
          <Precision />
          <ThresholdsOverTime />
          <Cost figures={figures} />
        </div>
      </details>
    </>
  );
}

const WEEK_MS = 7 * 86_400_000;

/** What most people want to know, in plain words. */
function Tiles({ figures }: { figures: Figures }) {
  const { kinds, retrievals, waitingJobs, failedJobs, usage } = figures;
  const week = useNewSince(WEEK_MS).data;
  const tiles: [string, string, string][] = [
    [texts.learned, texts.learnedValue(week?.fact ?? 0), texts.learnedHint(week?.message ?? 0)],
    [texts.answered, texts.answeredValue(retrievals), retrievals ? texts.answeredHint : texts.answeredNone],
    [
      texts.size,
      texts.sizeValue(figures.totalMemories),
      texts.sizeHint(kinds.fact ?? 0, kinds.document ?? 0),
    ],
    [
      texts.waiting,
      waitingJobs ? counted(waitingJobs) : texts.waitingNothing,
      failedJobs
        ? texts.waitingFailed(failedJobs)
        : waitingJobs
          ? texts.waitingHint(waitingJobs)
          : texts.waitingDone,
    ],
    [
      texts.cost,
      usage.calls === 0
        ? texts.costNone
        : usage.costUsd === null
          ? texts.costUnknown
          : texts.costValue(usage.costUsd),
      usage.calls ? texts.costHint(usage.calls, usage.inputTokens + usage.outputTokens) : texts.costNoneHint,
    ],
  ];
  return (
    <dl className="tiles">
      {tiles.map(([name, value, hint]) => (
        <div className="tile" key={name}>
          <dt>{name}</dt>
          <dd className="value">{value}</dd>
          <dd className="hint">{hint}</dd>
        </div>
      ))}
    </dl>
  );
}

function Kinds({ figures }: { figures: Figures }) {
  const bars = Object.entries(figures.kinds).map(([kind, value]) => ({ name: plain(kind), value }));
  const told = bars.map((bar) => `${bar.name} ${bar.value}`).join(", ");
  return (
    <section className="card" aria-label={texts.kinds}>
      <h2>{texts.kinds}</h2>
      <Bars label={texts.kindsSpoken(told)} bars={bars} format={shortly} />
      {figures.embeddingModel && (
        <p className="small faint">{texts.embedded(figures.embeddingModel, figures.dimensions)} </p>
      )}
    </section>
  );
}

function Cost({ figures }: { figures: Figures }) {
  const { calls, inputTokens, outputTokens, costUsd } = figures.usage;
  return (
    <section className="card" aria-label={texts.cost}>
      <h2>{texts.cost}</h2>
      {calls === 0 ? (
        <p className="soft">{texts.costNoCalls}</p>
      ) : (
        <dl className="facts">
          <dt>{texts.calls}</dt>
          <dd className="number">{counted(calls)}</dd>
          <dt>{texts.tokensIn}</dt>
          <dd className="number">{counted(inputTokens)}</dd>
          <dt>{texts.tokensOut}</dt>
          <dd className="number">{counted(outputTokens)}</dd>
          <dt>{texts.cost}</dt>
          <dd className="number">{costUsd === null ? texts.noPrice : texts.dollars(costUsd)}</dd>
        </dl>
      )}
    </section>
  );
}
