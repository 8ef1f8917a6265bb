import "./profile.css";
import { ChevronRight, CircleX, Pencil, Plus, Search, UserRound } from "lucide-react";
import { type FormEvent, type ReactNode, useId, useMemo, useState } from "react";
import { Link } from "wouter";
import * as api from "../../api/memories";
import { isOver } from "../../api/memories";
import { useConflicts, useFacts, useWhy } from "../../api/queries";
import type { MemoryRecord } from "../../api/types";
import { dayOf, percent } from "../../design/format";
import { Page } from "../../parts/page";
import { Answered, Empty } from "../../parts/states";
import { TEXTS } from "../../texts";
import { useTending } from "../memories/tending";
import { Quote } from "../memories/why";
import { peopleOf, type Person } from "./people";

const { profile: texts } = TEXTS;
/** From this confidence on a fact is shown without it. Chosen by hand. */
const SURE = 0.8;
/** Facts of a person, and people, that are shown at first; as many more with each click. */
const FIRST = 30;

/** What was learned about people; each fact with the words it stands on. */
export default function Profile() {
  const [past, setPast] = useState(false);
  const [text, setText] = useState("");
  const facts = useFacts(past);
  const conflicts = useConflicts();
  const open = conflicts.data?.length ?? 0;
  const field = useId();
  return (
    <Page
      title={texts.title}
      lead={texts.lead}
      actions={
        <label className="check small">
          <input type="checkbox" checked={past} onChange={(event) => setPast(event.target.checked)} />
          {texts.past}
        </label>
      }
    >
      <Answered query={conflicts.isPending ? { ...facts, data: undefined } : facts} what="profile" rows={5}>
        {(all) => (
          <>
            {open > 0 && (
              <p className="note">
                <span>
                  {texts.open(open)} <Link href="/conflicts">{texts.decide}</Link>
                </span>
              </p>
            )}
            <div className="tools">
              {all.length > 0 && (
                <search className="searching">
                  <Search size={16} aria-hidden />
                  <label className="unseen" htmlFor={field}>
                    {texts.search}
                  </label>
                  <input
                    id={field}
                    className="input"
                    type="search"
                    placeholder={texts.search}
                    value={text}
                    onChange={(event) => setText(event.target.value)}
                  />
                </search>
              )}
              <Adding />
            </div>
            {all.length === 0 ? <Nothing /> : <People facts={all} words={text} />}
          </>
        )}
      </Answered>
    </Page>
  );
}

function Nothing() {
  return (
    <Empty icon={UserRound} title={texts.none}>
      <p>{texts.noneLead}</p>
      <div className="row wrap">
        <Link className="button main" href="/">
          {texts.toChat}
        </Link>
      </div>
    </Empty>
  );
}

/** A fact that a person states; it is stored as a fact at once. */
function Adding() {
  const [open, setOpen] = useState<boolean | null>(null);
  const [text, setText] = useState("");
  const { take } = useTending();
  const id = useId();
  if (!open) {
    return (
      <button type="button" className="button push" autoFocus={open === false} onClick={() => setOpen(true)}>
        <Plus size={16} aria-hidden /> {texts.add}
      </button>
    );
  }
  const save = async (event: FormEvent) => {
    event.preventDefault();
    const words = text.trim();
    let id_added: string | null = null;
    const done = await take({
      run: async () => {
        const result = await api.add({ content: words, critical: false, kind: "fact" });
        if (result.status === "refused") throw new Error(result.reason ?? texts.title);
        id_added = result.id;
      },
      told: texts.added(words),
      undo: async () => id_added && (await api.remove(id_added)),
    });
    if (!done) return;
    setText("");
    setOpen(false);
  };
  return (
    <form className="adding" onSubmit={(event) => void save(event)}>
      <label className="unseen" htmlFor={id}>
        {texts.addLabel}
      </label>
      <input
        id={id}
        className="input"
        autoFocus
        placeholder={texts.addHint}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => event.key === "Escape" && setOpen(false)}
      />
      <button type="submit" className="button main" disabled={!text.trim()}>
        {texts.remember}
      </button>
      <button type="button" className="button" onClick={() => setOpen(false)}>
        {texts.cancel}
      </button>
    </form>
  );
}

function People({ facts, words }: { facts: readonly MemoryRecord[]; words: string }) {
  const wanted = words.trim().toLowerCase();
  const people = useMemo(() => {
    const matches = ({ name, facts: held }: Person): Person => ({
      name,
      facts: name.toLowerCase().includes(wanted)
        ? held
        : held.filter((fact) => fact.content.toLowerCase().includes(wanted)),
    });
    return peopleOf(facts)
      .map(matches)
      .filter((person) => person.facts.length > 0);
  }, [facts, wanted]);
  const [shown, more] = useFirst(people, texts.morePeople);
  if (people.length === 0) return <p className="soft">{texts.noMatch}</p>;
  return (
    <div className="categories">
      {shown.map((person) => (
        <About key={person.name} person={person} />
      ))}
      {more}
    </div>
  );
}

function About({ person: { name, facts } }: { person: Person }) {
  const [shown, more] = useFirst(facts, texts.moreFacts);
  return (
    <section className="category" aria-label={name}>
      <header>
        <h2>{name}</h2>
      </header>
      <ul className="fact-list">
        {shown.map((fact) => (
          <Fact key={fact.id} fact={fact} />
        ))}
      </ul>
      {more}
    </section>
  );
}

/** The first of many, and a button for more. */
function useFirst<T>(all: readonly T[], told: (left: number) => string): [readonly T[], ReactNode] {
  const [most, setMost] = useState(FIRST);
  const left = all.length - most;
  const button = left > 0 && (
    <div className="more">
      <button type="button" className="button" onClick={() => setMost(most + FIRST)}>
        {told(left)}
      </button>
    </div>
  );
  return [all.slice(0, most), button];
}

function heldOf({ times: { valid_from, valid_until, happened_at } }: MemoryRecord): string {
  const since = dayOf(valid_from ?? happened_at);
  return valid_until ? texts.until(since, dayOf(valid_until)) : texts.since(since);
}

function Fact({ fact }: { fact: MemoryRecord }) {
  const [open, setOpen] = useState(false);
  const [editing, setEditing] = useState<boolean | null>(null);
  const { remove } = useTending();
  const sources = useId();
  const over = isOver(fact);
  if (editing) {
    return (
      <li className="fact">
        <Editor fact={fact} onDone={() => setEditing(false)} />
      </li>
    );
  }
  return (
    <li className={over ? "fact over" : "fact"}>
      <p className="words">{fact.content}</p>
      <div className="about">
        <span>{heldOf(fact)}</span>
        {over && <span className="badge">{texts.over}</span>}
        {fact.worth.confidence < SURE && (
          <span className="badge warn">{texts.unsure(percent(fact.worth.confidence))}</span>
        )}
        {fact.origin.sources.length > 0 && (
          <button
            type="button"
            className="link open"
            aria-expanded={open}
            aria-controls={sources}
            onClick={() => setOpen(!open)}
          >
            <ChevronRight size={14} aria-hidden /> {texts.sources(fact.origin.sources.length)}
          </button>
        )}
      </div>
      <div className="acts">
        <button
          type="button"
          className="button plain icon little"
          aria-label={texts.edit}
          title={texts.edit}
          autoFocus={editing === false}
          onClick={() => setEditing(true)}
        >
          <Pencil size={15} aria-hidden />
        </button>
        <button
          type="button"
          className="button plain icon little"
          aria-label={texts.wrong}
          title={texts.wrong}
          onClick={() => void remove(fact)}
        >
          <CircleX size={15} aria-hidden />
        </button>
      </div>
      <div className="grounds" id={sources} hidden={!open}>
        {open && <SourcesOf id={fact.id} />}
      </div>
    </li>
  );
}

function Editor({ fact, onDone }: { fact: MemoryRecord; onDone: () => void }) {
  const [text, setText] = useState(fact.content);
  const { rewrite } = useTending();
  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() === fact.content || (await rewrite(fact, text.trim()))) onDone();
  };
  return (
    <form className="adding" onSubmit={(event) => void save(event)}>
      <input
        className="input"
        aria-label={texts.words}
        autoFocus
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => event.key === "Escape" && onDone()}
      />
      <button type="submit" className="button main" disabled={!text.trim()}>
        {texts.save}
      </button>
      <button type="button" className="button" onClick={onDone}>
        {texts.cancel}
      </button>
    </form>
  );
}

function SourcesOf({ id }: { id: string }) {
  const why = useWhy(id, null);
  return (
    <Answered query={why} what="sources" rows={1}>
      {({ memory, sources, confidence }) => (
        <>
          {confidence && (
            <p className="small soft">
              {texts.aged(percent(confidence.value), percent(memory.worth.confidence), confidence.reason)}
            </p>
          )}
          {sources.length ? (
            sources.map((source) => <Quote key={source.id} memory={source} />)
          ) : (
            <p className="soft">{texts.noSources}</p>
          )}
        </>
      )}
    </Answered>
  );
}
