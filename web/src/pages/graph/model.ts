import type { FactEdge, FactGraph, FactNode } from "../../api/types";

export type NodeType = FactNode["type"];
export const TYPES: readonly NodeType[] = ["person", "place", "organisation", "project", "thing"];

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
  edge: FactEdge;
}

export function neighboursOf(graph: FactGraph, name: string): Neighbour[] {
  return graph.edges
    .filter((edge) => edge.source === name || edge.target === name)
    .map((edge) => ({ name: edge.source === name ? edge.target : edge.source, edge }))
    .sort((one, other) => other.edge.facts - one.edge.facts);
}
