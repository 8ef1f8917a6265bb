import "./stats.css";
import { Activity } from "lucide-react";
import { Link } from "wouter";
import { useStats } from "../../api/queries";
import type { Stats as Figures } from "../../api/types";
import { counted, percent, plain, shortly } from "../../design/format";
import { Bars } from "../../parts/charts";
import { Page } from "../../parts/page";
import { Answered, Empty } from "../../parts/states";
import { Growth } from "./growth";
import { Latency } from "./latency";
import { Precision, ThresholdsOverTime } from "./thresholds";

/** How the memory grows, how fast it answers, and how its thresholds learn. */
export default function Stats() {
  const stats = useStats();
  return (
    <Page
      title="Stats"
      lead="How much is stored, how fast it is found, and how often the memories shown were useful."
    >
      <Answered query={stats} what="figures" rows={4}>
        {(figures) => (figures.totalMemories === 0 ? <Nothing /> : <All figures={figures} />)}
      </Answered>
    </Page>
  );
}

function Nothing() {
  return (
    <Empty icon={Activity} title="Nothing to count yet">
      <p>Figures appear with the first memory.</p>
      <div className="row wrap">
        <Link className="button main" href="/">
          Go to the chat
        </Link>
      </div>
    </Empty>
  );
}

function All({ figures }: { figures: Figures }) {
  return (
    <>
      <Tiles figures={figures} />
      <div className="figures">
        <Growth />
        <ThresholdsOverTime />
        <Precision />
        <Latency />
        <Kinds figures={figures} />
        <Cost figures={figures} />
      </div>
    </>
  );
}

function queued(waiting: number, failed: number): string {
  if (failed > 0) return `${counted(failed)} given up`;
  return waiting > 0 ? "sessions wait to be learned" : "everything is learned";
}

function Tiles({ figures }: { figures: Figures }) {
  const { kinds, retrievals, waitingJobs, failedJobs } = figures;
  const tiles: [string, string, string][] = [
    ["Memories", counted(figures.totalMemories), `${counted(figures.archivedMemories)} archived`],
    ["Facts learned", counted(kinds.fact ?? 0), `${counted(kinds.episode ?? 0)} episodes`],
    ["Queue", counted(waitingJobs), queued(waitingJobs, failedJobs)],
    [
      "Activation",
      retrievals ? percent(figures.averageActivationScore) : "–",
      retrievals
        ? `mean score in ${shortly(retrievals)} answers`
        : "no chat answers since the server started",
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
    <section className="card" aria-label="Kinds">
      <h2>Kinds</h2>
      <Bars label={`Memories by kind: ${told}`} bars={bars} format={shortly} />
      {figures.embeddingModel && (
        <p className="small faint">
          Embedded with {figures.embeddingModel}, {figures.dimensions} dimensions.
        </p>
      )}
    </section>
  );
}

function Cost({ figures }: { figures: Figures }) {
  const { calls, inputTokens, outputTokens, costUsd } = figures.usage;
  return (
    <section className="card" aria-label="Cost">
      <h2>Cost</h2>
      {calls === 0 ? (
        <p className="soft">No model was called since the server started: no cost.</p>
      ) : (
        <dl className="facts">
          <dt>Calls of models</dt>
          <dd className="number">{counted(calls)}</dd>
          <dt>Tokens in</dt>
          <dd className="number">{counted(inputTokens)}</dd>
          <dt>Tokens out</dt>
          <dd className="number">{counted(outputTokens)}</dd>
          <dt>Cost</dt>
          <dd className="number">
            {costUsd === null ? "unknown: no price is set" : `${costUsd.toFixed(4)} US dollars`}
          </dd>
        </dl>
      )}
    </section>
  );
}
