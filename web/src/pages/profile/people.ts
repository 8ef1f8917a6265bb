import type { MemoryRecord } from "../../api/types";
import { TEXTS } from "../../texts";

const { profile: texts } = TEXTS;
const NAMED = "is named";

/** A person, or "other things", with what is known. */
export interface Person {
  name: string;
  facts: MemoryRecord[];
}

const textOf = (fact: MemoryRecord, name: string): string => {
  const value = fact.metadata[name];
  return typeof value === "string" ? value : "";
};

/**
 * Facts by whom they are about: first the user, then others by how much is known of them.
 *
 * A subject such as "Ada's sister" is of Ada, and is headed by the name that a fact gives her.
 */
export function peopleOf(facts: readonly MemoryRecord[]): Person[] {
  const groups = new Map<string, MemoryRecord[]>();
  const roles = rolesOf(facts);
  for (const fact of facts) {
    const said = textOf(fact, "subject");
    const subject = roles.get(said) ?? said;
    const held = groups.get(subject);
    if (held) held.push(fact);
    else groups.set(subject, [fact]);
  }
  const own = ownerOf([...groups.keys()], groups);
  return [...groups]
    .map(([subject, held]) => ({ subject, name: headingOf(subject, held, own), facts: held }))
    .sort(
      (one, other) =>
        rank(one.subject, own) - rank(other.subject, own) || other.facts.length - one.facts.length,
    )
    .map(({ name, facts: held }) => ({ name, facts: held }));
}

/** The subject with a role for one with a name alone: "User's Caitlin" is "User's partner". */
function rolesOf(facts: readonly MemoryRecord[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const fact of facts) {
    const subject = textOf(fact, "subject");
    const owner = /^(.+?)'s /.exec(subject)?.[1];
    if (owner && textOf(fact, "relation") === NAMED)
      found.set(`${owner}'s ${textOf(fact, "object")}`, subject);
  }
  return found;
}

/** The subject that most others belong to or that most is known of: the user. */
function ownerOf(subjects: readonly string[], groups: ReadonlyMap<string, readonly MemoryRecord[]>): string {
  const weight = (one: string) =>
    (groups.get(one)?.length ?? 0) + subjects.filter((other) => other.startsWith(`${one}'s `)).length;
  return subjects.filter(Boolean).toSorted((one, other) => weight(other) - weight(one))[0] ?? "";
}

function rank(subject: string, own: string): number {
  if (subject === own) return 0;
  return subject === "" ? 2 : 1;
}

function headingOf(subject: string, facts: readonly MemoryRecord[], own: string): string {
  if (subject === "") return texts.others;
  if (subject === own) return own === "User" ? texts.you : own;
  const role = subject.startsWith(`${own}'s `) ? subject.slice(own.length + 3) : "";
  const named = facts.find((fact) => textOf(fact, "relation") === NAMED);
  const name = named ? textOf(named, "object") : "";
  if (!role) return subject;
  const capital = role.charAt(0).toUpperCase() + role.slice(1);
  return name ? `${name}, ${role}` : capital;
}
