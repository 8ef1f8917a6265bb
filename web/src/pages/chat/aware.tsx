import { ChevronRight, Circle, CircleCheck } from "lucide-react";
import { useState } from "react";
import type { Awareness, Candidate } from "../../api/types";
import { ScoreBar, ScoreLegend } from "../../parts/score";
import { TEXTS } from "../../texts";

const CANDIDATES_SHOWN = 3;
const ACTIVATED_SHOWN = 8;
const { remembered: texts } = TEXTS;

/** What was remembered for one answer: one line, and on demand the memories with their scores. */
export function AwarePanel({ aware, onWhy }: { aware: Awareness; onWhy: (memory: Candidate) => void }) {
  const [open, setOpen] = useState(false);
  return (
    <section className="aware" aria-label={texts.panel}>
      <button type="button" className="fold" aria-expanded={open} onClick={() => setOpen(!open)}>
        <ChevronRight size={16} aria-hidden /> {texts.line(aware.activatedCount, aware.totalMemories)}
      </button>
      {open && <Opened aware={aware} onWhy={onWhy} />}
    </section>
  );
}

function Opened({ aware, onWhy }: { aware: Awareness; onWhy: (memory: Candidate) => void }) {
  const [all, setAll] = useState(false);
  const { coreMemories, activatedMemories, candidateMemories, threshold } = aware;
  const activated = all ? activatedMemories : activatedMemories.slice(0, ACTIVATED_SHOWN);
  const candidates = all ? candidateMemories : candidateMemories.slice(0, CANDIDATES_SHOWN);
  const hidden = activatedMemories.length + candidateMemories.length - activated.length - candidates.length;
  return (
    <div className="opened">
      {activated.length > 0 && <p className="divide">{texts.used}</p>}
      <ul aria-label={texts.usedList} hidden={activated.length === 0}>
        {activated.map((one) => (
          <Row key={one.memoryId} one={one} onWhy={onWhy} />
        ))}
      </ul>
      {candidates.length > 0 && (
        <>
          <p className="divide">{texts.candidates}</p>
          <ul aria-label={texts.candidateList}>
            {candidates.map((one) => (
              <Row key={one.memoryId} one={one} onWhy={onWhy} />
            ))}
          </ul>
        </>
      )}
      {coreMemories.length > 0 && (
        <>
          <p className="divide">{texts.core}</p>
          <ul aria-label={texts.core}>
            {coreMemories.map((one) => (
              <li key={one.memoryId} className="words small">
                {one.summary}
              </li>
            ))}
          </ul>
        </>
      )}
      <footer>
        <ScoreLegend all={[...activated, ...candidates].map((one) => one.terms)} threshold={threshold} />
        {hidden > 0 && (
          <button type="button" className="link small" onClick={() => setAll(true)}>
            {texts.more(hidden)}
          </button>
        )}
      </footer>
    </div>
  );
}

function Row({ one, onWhy }: { one: Candidate; onWhy: (memory: Candidate) => void }) {
  const Icon = one.activated ? CircleCheck : Circle;
  return (
    <li>
      <button type="button" className={one.activated ? "one" : "one candidate"} onClick={() => onWhy(one)}>
        <Icon size={16} aria-label={one.activated ? texts.activated : texts.candidate} role="img" />
        <span>
          <span className="words">{one.summary}</span>
          <ScoreBar score={one.activationScore} terms={one.terms} threshold={one.threshold} />
          <span className="unseen">{texts.why}</span>
        </span>
      </button>
    </li>
  );
}
