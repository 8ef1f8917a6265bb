import "./timeline.css";
import { History } from "lucide-react";
import { useMemo, useState } from "react";
import { Link } from "wouter";
import { useTimeline } from "../../api/queries";
import type { MemoryRecord } from "../../api/types";
import { counted, dayOf, plain } from "../../design/format";
import { Page } from "../../parts/page";
import { Answered, Empty } from "../../parts/states";
import { WhyDrawer } from "../memories/why";
import { Strip } from "./strip";
import { type Span, spanOf } from "./window";

const SHOWN = 200;
const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const at = (memory: MemoryRecord): number => Date.parse(memory.times.happened_at);

/** What happened when: episodes first, and the words themselves if wanted. */
export default function Timeline() {
  const [words, setWords] = useState(false);
  const timeline = useTimeline(words);
  return (
    <Page
      title="Timeline"
      lead="What happened when. Drag the strip, zoom into a stretch, open a moment to see its words."
      actions={
        <label className="check small">
          <input type="checkbox" checked={words} onChange={(event) => setWords(event.target.checked)} />
          Show every message
        </label>
      }
    >
      <Answered query={timeline} what="timeline" rows={5}>
        {(moments) =>
          moments.length === 0 ? (
            <Empty icon={History} title={words ? "Nothing has happened yet" : "No episodes yet"}>
              <p>
                {words
                  ? "What you say appears here by the day."
                  : "An episode is a line about a stretch of conversation, made when it is learned from. Until then every message can be shown."}
              </p>
              <div className="row wrap">
                {!words && (
                  <button type="button" className="button main" onClick={() => setWords(true)}>
                    Show every message
                  </button>
                )}
                <Link className="button" href="/">
                  Go to the chat
                </Link>
              </div>
            </Empty>
          ) : (
            <Moments moments={moments} />
          )
        }
      </Answered>
    </Page>
  );
}

function Moments({ moments }: { moments: readonly MemoryRecord[] }) {
  const times = useMemo(() => moments.map(at), [moments]);
  const all = useMemo(() => spanOf(times), [times]);
  const [chosen, setChosen] = useState<Span | null>(null);
  const [open, setOpen] = useState<string | null>(null);
  const span = chosen ?? all;
  const inside = useMemo(
    () =>
      moments
        .filter((one) => at(one) >= span.from && at(one) <= span.to)
        .sort((one, other) => at(other) - at(one)),
    [moments, span],
  );
  return (
    <>
      <Strip moments={times} span={span} all={all} onChange={setChosen} />
      {inside.length === 0 && <p className="soft">Nothing happened in this stretch. Zoom out, or move on.</p>}
      <div className="days">
        {byDay(inside.slice(0, SHOWN)).map(([day, these]) => (
          <section className="day" key={day}>
            <h2>{day}</h2>
            <ol>
              {these.map((one) => (
                <Moment key={one.id} memory={one} onOpen={setOpen} />
              ))}
            </ol>
          </section>
        ))}
      </div>
      {inside.length > SHOWN && (
        <p className="soft">
          {counted(inside.length - SHOWN)} earlier moments in this stretch: zoom in to see them.
        </p>
      )}
      {open && <WhyDrawer id={open} question={null} onClose={() => setOpen(null)} />}
    </>
  );
}

function Moment({ memory, onOpen }: { memory: MemoryRecord; onOpen: (id: string) => void }) {
  return (
    <li className={memory.kind === "message" ? "said" : ""}>
      <button type="button" className="moment" onClick={() => onOpen(memory.id)}>
        <span className="small faint">
          <time dateTime={memory.times.happened_at}>{clock.format(at(memory))}</time> ·{" "}
          {memory.kind === "message"
            ? (memory.origin.speaker ?? plain(memory.origin.role))
            : plain(memory.kind)}
        </span>
        <span className="words"> {memory.content}</span>
      </button>
    </li>
  );
}

function byDay(moments: readonly MemoryRecord[]): [string, MemoryRecord[]][] {
  const days = new Map<string, MemoryRecord[]>();
  for (const one of moments) {
    const day = dayOf(at(one));
    days.set(day, [...(days.get(day) ?? []), one]);
  }
  return [...days];
}
