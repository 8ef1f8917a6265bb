import { UndirectedGraph } from "graphology";
import forceAtlas2 from "graphology-layout-forceatlas2";

/** What is laid out: `edges` holds places of nodes, two to an edge. */
export interface LayoutTask {
  nodes: number;
  edges: Uint32Array;
  weights: Float32Array;
}

/** Two numbers to a node; `done` with the last ones. */
export interface LayoutStep {
  positions: Float32Array;
  done: boolean;
}

const ROUNDS = 30;
const PER_ROUND = 10;
const AT_MOST_MS = 8_000;
const SHOWN_EVERY_MS = 250;
const MANY = 500;
const GOLDEN = Math.PI * (3 - Math.sqrt(5));

function started({ nodes, edges, weights }: LayoutTask): UndirectedGraph {
  const graph = new UndirectedGraph();
  for (let node = 0; node < nodes; node++) {
    const reach = Math.sqrt(node + 1) * 10;
    graph.addNode(node, { x: reach * Math.cos(node * GOLDEN), y: reach * Math.sin(node * GOLDEN) });
  }
  for (let edge = 0; edge < weights.length; edge++) {
    const [one, other] = [edges[2 * edge], edges[2 * edge + 1]];
    if (one !== undefined && other !== undefined && one !== other && !graph.hasEdge(one, other)) {
      graph.addEdge(one, other, { weight: weights[edge] });
    }
  }
  return graph;
}

function positionsOf(graph: UndirectedGraph): Float32Array {
  const positions = new Float32Array(graph.order * 2);
  graph.forEachNode((node, { x, y }) => positions.set([x, y], Number(node) * 2));
  return positions;
}

self.onmessage = ({ data }: MessageEvent<LayoutTask>) => {
  const graph = started(data);
  const settings = {
    ...forceAtlas2.inferSettings(graph),
    barnesHutOptimize: data.nodes > MANY,
    gravity: 0.6,
    adjustSizes: false,
  };
  const begun = performance.now();
  let shown = begun;
  for (let round = 1; round <= ROUNDS; round++) {
    forceAtlas2.assign(graph, { iterations: PER_ROUND, settings, getEdgeWeight: "weight" });
    const now = performance.now();
    const done = round === ROUNDS || now - begun > AT_MOST_MS;
    if (!done && now - shown < SHOWN_EVERY_MS) continue;
    shown = now;
    const positions = positionsOf(graph);
    self.postMessage({ positions, done } satisfies LayoutStep, { transfer: [positions.buffer] });
    if (done) return;
  }
};
