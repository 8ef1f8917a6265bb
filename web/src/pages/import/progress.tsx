import type { Step } from "../../api/sending";
import { Spinner } from "../../parts/states";
import { TEXTS } from "../../texts";
import type { Item } from "./queue";

const { importing: texts } = TEXTS;
/** After so long it is told how long it will take. Chosen by hand. */
const SURE_MS = 2_000;

/** How far a file is: sent, then read, then imported. */
export function Progress({ item: { name, phase, file, sent, step, begun_ms } }: { item: Item }) {
  const total = file?.size ?? 0;
  if (step) {
    return <Bar label={texts.bar(name)} step={step} text={texts.step(step, leftIn(step, begun_ms))} />;
  }
  if (sent && sent.done < total) {
    return <Bar label={texts.bar(name)} step={sent} text={texts.sent(sent.done / Math.max(sent.total, 1))} />;
  }
  return <Spinner label={phase === "reading" ? texts.reading : texts.begun} />;
}

/** Milliseconds until it is done, at the pace so far; null as long as nobody knows. */
function leftIn({ done, total }: Step, begun_ms: number): number | null {
  const took = performance.now() - begun_ms;
  return took < SURE_MS || done === 0 ? null : (took / done) * (total - done);
}

function Bar({ label, step, text }: { label: string; step: Step; text: string }) {
  return (
    <div className="bar">
      <progress aria-label={label} value={step.done} max={Math.max(step.total, 1)} />
      <span className="small soft number">{text}</span>
    </div>
  );
}
