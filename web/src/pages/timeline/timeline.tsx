import "./timeline.css";
import { History } from "lucide-react";
import { useDeferredValue, useEffect, useMemo, useState } from "react";
import { Link, useLocation } from "wouter";
import type { Span } from "../../api/memories";
import { useSessions, useTimeline } from "../../api/queries";
import type { Timeline as Told } from "../../api/types";
import { dayOf, plain } from "../../design/format";
import { Page } from "../../parts/page";
import { Answered, Empty } from "../../parts/states";
import { TEXTS } from "../../texts";
import { conversation } from "../chat/conversation";
import { nameOf } from "../chat/names";
import { WhyDrawer } from "../memories/why";
import { daysOf, type Moment } from "./moments";
import { Strip } from "./strip";
import { spanOf } from "./window";

const { timeline: texts } = TEXTS;
const STILL_MS = 120;
/** A longer stretch is told by conversation: their moments are folded. */
const LONG_MS = 92 * 24 * 3_600_000;
/** Who speaks, before the words of an episode. */
const SPEAKER = /^[^:]{1,40}: /;
const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });

/** What happened when: episodes first, and the words themselves if wanted. */
export default function Timeline() {
  const [words, setWords] = useState(false);
  const ever = useTimeline(words, null);
  return (
    <Page
      title={texts.title}
      lead={texts.lead}
      actions={
        <label className="check small">
          <input type="checkbox" checked={words} onChange={(event) => setWords(event.target.checked)} />
          {texts.every}
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
    <Empty icon={History} title={words ? texts.none : texts.noEpisodes}>
      <p>{words ? texts.noneLead : texts.noEpisodesLead}</p>
      <div className="row wrap">
        {!words && (
          <button type="button" className="button main" onClick={onWords}>
            {texts.every}
          </button>
        )}
        <Link className="button" href="/">
          {texts.toChat}
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
        {(told) => <Days told={told} folded={lengthOf(looked ?? all) > LONG_MS} onOpen={setOpen} />}
      </Answered>
      {open && <WhyDrawer id={open} question={null} onClose={() => setOpen(null)} />}
    </>
  );
}

const lengthOf = ({ from, to }: Span): number => to - from;

interface DaysProps {
  told: Told;
  folded: boolean;
  onOpen: (id: string) => void;
}

function Days({ told, folded, onOpen }: DaysProps) {
  const nameIn = useSessionNames();
  if (told.total === 0) return <p className="soft">{texts.nothingHere}</p>;
  const earlier = told.total - told.memories.length;
  return (
    <>
      <div className="days">
        {daysOf(told.memories).map(([day, talks]) => (
          <section className="day" key={day}>
            <h2>{day}</h2>
            <div className="talks">
              {talks.map(({ session, moments }) => (
                <Talk
                  key={session ?? ""}
                  session={session}
                  name={session === null ? undefined : nameIn(session)}
                  moments={moments}
                  folded={folded && moments.length > 1}
                  onOpen={onOpen}
                />
              ))}
            </div>
          </section>
        ))}
      </div>
      {earlier > 0 && <p className="soft">{texts.earlier(earlier)}</p>}
    </>
  );
}

/** What a conversation is called, by its id; a blank while that is not known yet, so that nothing moves. */
function useSessionNames(): (session: string) => string | undefined {
  const { data, isPending } = useSessions();
  const names = useMemo(
    () => new Map((data?.pages ?? []).flatMap((page) => page.sessions).map((one) => [one.id, nameOf(one)])),
    [data],
  );
  return (session) => names.get(session) ?? (isPending ? "\u00a0" : undefined);
}

interface TalkProps {
  session: string | null;
  name: string | undefined;
  moments: readonly Moment[];
  folded: boolean;
  onOpen: (id: string) => void;
}

/** What happened in one conversation on a day; its title opens it in the chat. */
function Talk({ session, name, moments, folded, onOpen }: TalkProps) {
  const [, go] = useLocation();
  const listed = (
    <ol>
      {moments.map((one) => (
        <Entry key={`${one.memory.id} ${one.at}`} moment={one} title={name} onOpen={onOpen} />
      ))}
    </ol>
  );
  return (
    <div>
      {session !== null && name !== undefined && (
        <h3>
          <button
            type="button"
            className="link"
            onClick={() => {
              void conversation.open(session);
              go("/");
            }}
          >
            {name}
          </button>
        </h3>
      )}
      {folded ? (
        <details>
          <summary className="small soft">{texts.moments(moments.length)}</summary>
          {listed}
        </details>
      ) : (
        listed
      )}
    </div>
  );
}

interface EntryProps {
  moment: Moment;
  title: string | undefined;
  onOpen: (id: string) => void;
}

/** A moment; words that its conversation is called by stand there once. */
function Entry({ moment, title, onOpen }: EntryProps) {
  const { memory, at, said_on } = moment;
  const said = memory.kind === "message";
  const who = said ? (memory.origin.speaker ?? plain(memory.origin.role)) : plain(memory.kind);
  return (
    <li className={said_on !== null ? "event" : said ? "said" : ""}>
      <button type="button" className="moment" onClick={() => onOpen(memory.id)}>
        <span className="small faint">
          {said_on !== null ? (
            texts.event(dayOf(said_on))
          ) : (
            <>
              <time dateTime={memory.times.happened_at}>{clock.format(new Date(at))}</time> · {who}
            </>
          )}
        </span>
        {title !== memory.content.replace(SPEAKER, "") && <span className="words">{memory.content}</span>}
      </button>
    </li>
  );
}
