import type { MemoryRecord } from "../../api/types";
import { TEXTS } from "../../texts";

export const TYPES = ["person", "place", "organisation", "project", "thing"] as const;
export type NodeType = (typeof TYPES)[number];

export interface GraphNode {
  name: string;
  type: NodeType;
  /** How many facts name it. */
  facts: number;
}

/** What facts say one thing is to another. */
export interface GraphEdge {
  source: string;
  target: string;
  name: string;
  facts: number;
}

export interface FactGraph {
  nodes: GraphNode[];
  edges: GraphEdge[];
}

const NAMED = "is named";
const SAID = /^(said|says now|asks|answer)/;
/** An object of more words is a description, not the name of something. Chosen by hand. */
const MOST_WORDS = 4;
/** What a relation says of its object. */
const RELATIONS: readonly (readonly [NodeType, RegExp])[] = [
  ["organisation", /\b(works? (at|for)|studies at|is employed|banks? (at|with)|belongs? to)\b/],
  [
    "place",
    /\b(lives?|moves?|moved|was born|is from|comes? from|travels?|visits?|flies|went) ?(in|to|from|at)?\b/,
  ],
  ["project", /\b(works? on|builds?|develops?|is writing|plans|launch)/],
  ["person", /\b(is named|married|broke up|met|is dating)\b/],
];

const textOf = (fact: MemoryRecord, name: string): string => {
  const value = fact.metadata[name];
  return typeof value === "string" ? value : "";
};

/** People, places, organisations, projects and things of some facts, and what they are to each other. */
export function graphOf(facts: readonly MemoryRecord[]): FactGraph {
  const graph = new Building(facts);
  for (const fact of facts) graph.add(fact);
  return graph.made();
}

class Building {
  private readonly votes = new Map<string, Map<NodeType, number>>();
  private readonly links = new Map<string, GraphEdge>();
  private readonly names = new Map<string, string>();

  constructor(facts: readonly MemoryRecord[]) {
    for (const fact of facts) {
      if (textOf(fact, "relation") === NAMED) this.names.set(textOf(fact, "subject"), textOf(fact, "object"));
    }
  }

  add(fact: MemoryRecord): void {
    const [subject, relation, object] = ["subject", "relation", "object"].map((name) => textOf(fact, name));
    if (!subject || !relation || !object) return;
    const source = this.subject(subject);
    if (relation === NAMED) return;
    for (const [target, type] of targetsOf(fact, relation, object)) {
      if (target === source) continue;
      this.vote(target, type);
      this.link(source, target, SAID.test(relation) ? TEXTS.graph.about : relation);
    }
  }

  made(): FactGraph {
    const nodes = [...this.votes].map(([name, votes]) => ({
      name,
      type: typeOf(votes),
      facts: [...votes.values()].reduce((sum, count) => sum + count, 0),
    }));
    return {
      nodes: nodes.sort((one, other) => other.facts - one.facts || one.name.localeCompare(other.name)),
      edges: [...this.links.values()],
    };
  }

  /** The person that a subject means: "Ada's sister" is who a fact names so, and is linked with Ada. */
  private subject(subject: string): string {
    const [, owner, role] = /^(.+?)'s (.+)$/.exec(subject) ?? [];
    const name = !role
      ? subject === "User"
        ? TEXTS.graph.you
        : subject
      : isName(role)
        ? role
        : (this.names.get(subject) ?? subject);
    this.vote(name, "person");
    if (owner && role && !isName(role)) this.link(this.subject(owner), name, role);
    return name;
  }

  private vote(name: string, type: NodeType): void {
    const votes = this.votes.get(name) ?? new Map<NodeType, number>();
    votes.set(type, (votes.get(type) ?? 0) + 1);
    this.votes.set(name, votes);
  }

  private link(source: string, target: string, name: string): void {
    const key = JSON.stringify([source, target, name]);
    const known = this.links.get(key);
    this.links.set(key, { source, target, name, facts: (known?.facts ?? 0) + 1 });
  }
}

/** Whether somebody is told of by name alone: "User's Caitlin", after "my partner Caitlin". */
export const isName = (role: string): boolean => /^\p{Lu}/u.test(role);

/** The type that most facts say; a thing only where none says more. */
function typeOf(votes: ReadonlyMap<NodeType, number>): NodeType {
  const said = TYPES.filter((type) => type !== "thing" && votes.has(type));
  return said.toSorted((one, other) => (votes.get(other) ?? 0) - (votes.get(one) ?? 0))[0] ?? "thing";
}

/** What a fact is about beside its subject: the names in its object, or a short object itself. */
function targetsOf(fact: MemoryRecord, relation: string, object: string): [string, NodeType][] {
  const type = RELATIONS.find(([, pattern]) => pattern.test(relation))?.[0] ?? "thing";
  const named = fact.labels.entities.filter((name) => name !== "User" && object.includes(name));
  if (named.length > 0) {
    return named.map((name) => [
      name,
      new RegExp(`\\b(in|near) ${escaped(name)}`).test(object) ? "place" : type,
    ]);
  }
  const words = object.split(/\s+/);
  const isName = words.length <= MOST_WORDS && !/\d/.test(object) && !SAID.test(relation);
  return isName ? [[object, type]] : [];
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** The part of a graph that is drawn: the most named nodes and those that were asked for. */
export function partOf(graph: FactGraph, most: number, wanted: ReadonlySet<string>): FactGraph {
  const first = new Set(graph.nodes.slice(0, most).map((node) => node.name));
  const nodes = graph.nodes.filter((node) => first.has(node.name) || wanted.has(node.name));
  const drawn = new Set(nodes.map((node) => node.name));
  return { nodes, edges: graph.edges.filter((edge) => drawn.has(edge.source) && drawn.has(edge.target)) };
}

export interface Neighbour {
  name: string;
  /** What it is to the node, read from the fact's subject on. */
  edge: GraphEdge;
}

export function neighboursOf(graph: FactGraph, name: string): Neighbour[] {
  return graph.edges
    .filter((edge) => edge.source === name || edge.target === name)
    .map((edge) => ({ name: edge.source === name ? edge.target : edge.source, edge }))
    .sort((one, other) => other.edge.facts - one.edge.facts);
}
