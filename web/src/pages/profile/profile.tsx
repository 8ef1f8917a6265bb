import "./profile.css";
import { ChevronRight, CircleX, UserRound } from "lucide-react";
import { useId, useState } from "react";
import { Link } from "wouter";
import { isOver } from "../../api/memories";
import { useConflicts, useFacts, useWhy } from "../../api/queries";
import type { MemoryRecord } from "../../api/types";
import { dayOf, many, plain } from "../../design/format";
import { Meter } from "../../parts/meter";
import { Page } from "../../parts/page";
import { Answered, Empty } from "../../parts/states";
import { useTending } from "../memories/tending";
import { Quote } from "../memories/why";

const CATEGORIES: readonly (readonly [string, string, string])[] = [
  ["instruction", "Instructions", "How to answer, and what to remember"],
  ["plan", "Plans", "Plans, appointments, deadlines and budgets"],
  ["preference", "Preferences", "What is liked, chosen or avoided"],
  ["context", "About", "People, places, work, health"],
  ["skill", "Skills", "What can be done, and how well"],
  ["knowledge", "Knowledge", "What the user knows"],
  ["general", "Other", "Everything else"],
];

/** What was learned about a person, by category; each fact with the words it stands on. */
export default function Profile() {
  const [past, setPast] = useState(false);
  const facts = useFacts(past);
  const open = useConflicts().data?.length ?? 0;
  return (
    <Page
      title="Profile"
      lead="Facts learned from conversations, each with the messages it came from. A fact that you delete is not learned again from the same messages."
      actions={
        <label className="check small">
          <input type="checkbox" checked={past} onChange={(event) => setPast(event.target.checked)} />
          Show what no longer holds
        </label>
      }
    >
      {open > 0 && (
        <p className="note">
          <span>
            {many(open, "pair")} of facts contradict each other.{" "}
            <Link href="/conflicts">Decide which hold</Link>
          </span>
        </p>
      )}
      <Answered query={facts} what="profile" rows={5}>
        {(all) => (all.length === 0 ? <Nothing /> : <Categories facts={all} />)}
      </Answered>
    </Page>
  );
}

function Nothing() {
  return (
    <Empty icon={UserRound} title="Nothing has been learned yet">
      <p>
        Facts are learned in the background from what is said: after four messages, or half an hour after the
        last one. Tell the chat where you live, what you like, what you work on. What waits to be learned
        stands under Stats.
      </p>
      <div className="row wrap">
        <Link className="button main" href="/">
          Go to the chat
        </Link>
      </div>
    </Empty>
  );
}

function Categories({ facts }: { facts: readonly MemoryRecord[] }) {
  const known = new Set(CATEGORIES.map(([name]) => name));
  const others = [...new Set(facts.map(categoryOf))].filter((name) => !known.has(name));
  const all = [...CATEGORIES, ...others.map((name) => [name, plain(name), ""] as const)];
  return (
    <div className="categories">
      {all.map(([name, title, hint]) => {
        const mine = facts.filter((fact) => categoryOf(fact) === name);
        if (mine.length === 0) return null;
        return (
          <section className="category" key={name} aria-label={title}>
            <header>
              <h2>{title}</h2>
              <p className="small faint">{hint}</p>
            </header>
            <ul className="fact-list">
              {mine.map((fact) => (
                <Fact key={fact.id} fact={fact} />
              ))}
            </ul>
          </section>
        );
      })}
    </div>
  );
}

const categoryOf = (fact: MemoryRecord): string => fact.labels.category ?? "general";

function held(fact: MemoryRecord): string {
  const { valid_from, valid_until, happened_at } = fact.times;
  const since = `since ${dayOf(valid_from ?? happened_at)}`;
  return valid_until ? `${since}, until ${dayOf(valid_until)}` : since;
}

function Fact({ fact }: { fact: MemoryRecord }) {
  const [open, setOpen] = useState(false);
  const { remove } = useTending();
  const sources = useId();
  const over = isOver(fact);
  return (
    <li className={over ? "fact over" : "fact"}>
      <p className="words">{fact.content}</p>
      <div className="about">
        <Meter value={fact.worth.confidence} label="Confidence" />
        <span>Holds {held(fact)}</span>
        {over && <span className="badge">No longer true</span>}
        <button
          type="button"
          className="link open"
          aria-expanded={open}
          aria-controls={sources}
          onClick={() => setOpen(!open)}
        >
          <ChevronRight size={14} aria-hidden /> {many(fact.origin.sources.length, "source")}
        </button>
      </div>
      <div className="acts">
        <button type="button" className="button little risky" onClick={() => void remove(fact)}>
          <CircleX size={14} aria-hidden /> That's wrong
        </button>
      </div>
      <div className="sources" id={sources} hidden={!open}>
        {open && <SourcesOf id={fact.id} />}
      </div>
    </li>
  );
}

function SourcesOf({ id }: { id: string }) {
  const why = useWhy(id, null);
  return (
    <Answered query={why} what="sources" rows={1}>
      {({ sources }) =>
        sources.length ? (
          <>
            {sources.map((source) => (
              <Quote key={source.id} memory={source} />
            ))}
          </>
        ) : (
          <p className="soft">The messages it was learned from are no longer stored.</p>
        )
      }
    </Answered>
  );
}
