import { Circle, CircleCheck } from "lucide-react";
import { useState } from "react";
import type { Awareness, Candidate } from "../../api/types";
import { many } from "../../design/format";
import { ScoreBar, ScoreLegend } from "../../parts/score";

const CANDIDATES_SHOWN = 3;
const ACTIVATED_SHOWN = 8;

/** What the agent was aware of for one answer: the activated memories, and the candidates below the line. */
export function AwarePanel({ aware, onWhy }: { aware: Awareness; onWhy: (memory: Candidate) => void }) {
  const [all, setAll] = useState(false);
  const { coreMemories, activatedMemories, candidateMemories, activatedCount, totalMemories, threshold } =
    aware;
  const activated = all ? activatedMemories : activatedMemories.slice(0, ACTIVATED_SHOWN);
  const candidates = all ? candidateMemories : candidateMemories.slice(0, CANDIDATES_SHOWN);
  const hidden = activatedMemories.length + candidateMemories.length - activated.length - candidates.length;
  return (
    <section className="aware" aria-label="Memories for this answer">
      <header>
        <h3>
          {activatedCount === 0
            ? "Nothing activated"
            : `${many(activatedCount, "memory", "memories")} activated`}
          <span className="small faint push">of {many(totalMemories, "memory", "memories")}</span>
        </h3>
        <ScoreLegend all={[...activated, ...candidates].map((one) => one.terms)} threshold={threshold} />
      </header>
      {coreMemories.length > 0 && (
        <>
          <p className="divide">Always known</p>
          <ul aria-label="Always known">
            {coreMemories.map((one) => (
              <li key={one.memoryId} className="words small">
                {one.summary}
              </li>
            ))}
          </ul>
          {activatedMemories.length > 0 && <p className="divide">Activated</p>}
        </>
      )}
      <ul aria-label="Activated memories" hidden={activated.length === 0}>
        {activated.map((one) => (
          <Row key={one.memoryId} one={one} onWhy={onWhy} />
        ))}
      </ul>
      {candidates.length > 0 && (
        <>
          <p className="divide">Considered, not used</p>
          <ul aria-label="Candidate memories">
            {candidates.map((one) => (
              <Row key={one.memoryId} one={one} onWhy={onWhy} />
            ))}
          </ul>
        </>
      )}
      {hidden > 0 && (
        <footer>
          <button type="button" className="link small" onClick={() => setAll(true)}>
            Show {many(hidden, "more memory", "more memories")}
          </button>
        </footer>
      )}
    </section>
  );
}

function Row({ one, onWhy }: { one: Candidate; onWhy: (memory: Candidate) => void }) {
  const Icon = one.activated ? CircleCheck : Circle;
  return (
    <li>
      <button type="button" className={one.activated ? "one" : "one candidate"} onClick={() => onWhy(one)}>
        <Icon size={16} aria-label={one.activated ? "Activated:" : "Candidate:"} role="img" />
        <span>
          <span className="words">{one.summary}</span>
          <ScoreBar score={one.activationScore} terms={one.terms} threshold={one.threshold} />
          <span className="unseen">Why?</span>
        </span>
      </button>
    </li>
  );
}
