import "./timeline.css";
import { History } from "lucide-react";
import { useDeferredValue, useEffect, useMemo, useState } from "react";
import { Link } from "wouter";
import type { Span } from "../../api/memories";
import { useTimeline } from "../../api/queries";
import type { MemoryRecord, Timeline as Told } from "../../api/types";
import { counted, dayOf, plain } from "../../design/format";
import { Page } from "../../parts/page";
import { Answered, Empty } from "../../parts/states";
import { WhyDrawer } from "../memories/why";
import { Strip } from "./strip";
import { spanOf } from "./window";

const STILL_MS = 120;
const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });

/** What happened when: episodes first, and the words themselves if wanted. */
export default function Timeline() {
  const [words, setWords] = useState(false);
  const ever = useTimeline(words, null);
  return (
    <Page
      title="Timeline"
      lead="What happened when. Drag the strip to move, zoom in, and open an entry to read it."
      actions={
        <label className="check small">
          <input type="checkbox" checked={words} onChange={(event) => setWords(event.target.checked)} />
          Show every message
        </label>
      }
    >
      <Answered query={ever} what="timeline" rows={5}>
        {(told) =>
          told.total === 0 ? (
            <Nothing words={words} onWords={() => setWords(true)} />
          ) : (
            <Moments ever={told} words={words} key={String(words)} />
          )
        }
      </Answered>
    </Page>
  );
}

function Nothing({ words, onWords }: { words: boolean; onWords: () => void }) {
  return (
    <Empty icon={History} title={words ? "Nothing has happened yet" : "No episodes yet"}>
      <p>
        {words
          ? "Your messages appear here, by day."
          : "An episode is the most important sentence of a part of a conversation. It is made when the conversation is learned; until then you can show every message."}
      </p>
      <div className="row wrap">
        {!words && (
          <button type="button" className="button main" onClick={onWords}>
            Show every message
          </button>
        )}
        <Link className="button" href="/">
          Go to the chat
        </Link>
      </div>
    </Empty>
  );
}

/** A value once it stops changing. */
function useStill<T>(value: T): T {
  const [still, setStill] = useState(value);
  useEffect(() => {
    const timer = window.setTimeout(() => setStill(value), STILL_MS);
    return () => window.clearTimeout(timer);
  }, [value]);
  return still;
}

function Moments({ ever, words }: { ever: Told; words: boolean }) {
  const all = useMemo(() => spanOf(ever.periods), [ever.periods]);
  const [chosen, setChosen] = useState<Span | null>(null);
  const [open, setOpen] = useState<string | null>(null);
  const looked = useStill(useDeferredValue(chosen));
  const inside = useTimeline(words, looked);
  return (
    <>
      <Strip
        periods={inside.data?.periods ?? ever.periods}
        span={chosen ?? all}
        all={all}
        onChange={setChosen}
      />
      <Answered query={inside} what="moments" rows={4}>
        {(told) => <Days told={told} onOpen={setOpen} />}
      </Answered>
      {open && <WhyDrawer id={open} question={null} onClose={() => setOpen(null)} />}
    </>
  );
}

function Days({ told, onOpen }: { told: Told; onOpen: (id: string) => void }) {
  if (told.total === 0) return <p className="soft">Nothing happened in this period. Zoom out or move on.</p>;
  const earlier = told.total - told.memories.length;
  return (
    <>
      <div className="days">
        {byDay(told.memories.toReversed()).map(([day, these]) => (
          <section className="day" key={day}>
            <h2>{day}</h2>
            <ol>
              {these.map((one) => (
                <Moment key={one.id} memory={one} onOpen={onOpen} />
              ))}
            </ol>
          </section>
        ))}
      </div>
      {earlier > 0 && (
        <p className="soft">{counted(earlier)} earlier moments in this stretch: zoom in to see them.</p>
      )}
    </>
  );
}

function Moment({ memory, onOpen }: { memory: MemoryRecord; onOpen: (id: string) => void }) {
  const said = memory.kind === "message";
  return (
    <li className={said ? "said" : ""}>
      <button type="button" className="moment" onClick={() => onOpen(memory.id)}>
        <span className="small faint">
          <time dateTime={memory.times.happened_at}>{clock.format(new Date(memory.times.happened_at))}</time>
          {" · "}
          {said ? (memory.origin.speaker ?? plain(memory.origin.role)) : plain(memory.kind)}
        </span>
        <span className="words">{memory.content}</span>
      </button>
    </li>
  );
}

function byDay(moments: readonly MemoryRecord[]): [string, MemoryRecord[]][] {
  const days = new Map<string, MemoryRecord[]>();
  for (const one of moments) {
    const day = dayOf(one.times.happened_at);
    days.set(day, [...(days.get(day) ?? []), one]);
  }
  return [...days];
}
