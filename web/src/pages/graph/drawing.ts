import { UndirectedGraph } from "graphology";
import Sigma from "sigma";
import type { Settings } from "sigma/settings";
import type { NodeDisplayData, PartialButFor } from "sigma/types";
import { type Colours, coloursOf, onColoursChanged } from "./colours";
import type { FactGraph } from "../../api/types";
import type { NodeType } from "./model";
import type { LayoutStep, LayoutTask } from "./layout.worker";

const SMALLEST = 3;
const LARGEST = 16;
const FRESH_MS = 350;
const CLOSEST = 0.2;
const ROOMY = 150;
const NAMED = 16;
const ROOM_FOR_LABELS = 88;
/** So few edges have room for their names. */
const FEW_EDGES = 24;

type Labelled = PartialButFor<NodeDisplayData, "x" | "y" | "size" | "label" | "color">;

/** Many concepts are drawn smaller: 1 down to 0.3. */
const scaleOf = (nodes: number): number => Math.min(Math.max(Math.sqrt(ROOMY / nodes), 0.3), 1);

/** The graph on a canvas: laid out beside the page's thread, redrawn as it settles. */
export class Drawing {
  private readonly graph = new UndirectedGraph();
  private readonly sigma: Sigma;
  private readonly worker: Worker;
  private readonly unwatch: () => void;
  private colours: Colours;
  private focus: string | null = null;
  private near = new Set<string>();

  constructor(
    element: HTMLElement,
    data: FactGraph,
    events: { pick: (id: string | null) => void; settled: () => void },
  ) {
    this.colours = coloursOf(element);
    this.fill(data);
    this.sigma = new Sigma(this.graph, element, this.settings());
    this.sigma.on("clickNode", ({ node }) => events.pick(node));
    this.sigma.on("clickStage", () => events.pick(null));
    this.sigma.on("enterNode", () => element.style.setProperty("cursor", "pointer"));
    this.sigma.on("leaveNode", () => element.style.removeProperty("cursor"));
    this.unwatch = onColoursChanged(() => {
      this.colours = coloursOf(element);
      this.sigma.setSetting("labelColor", { color: this.colours.ink });
      this.sigma.setSetting("edgeLabelColor", { color: this.colours.ink });
      this.sigma.refresh();
    });
    this.worker = new Worker(new URL("./layout.worker.ts", import.meta.url), { type: "module" });
    this.worker.onmessage = ({ data: step }: MessageEvent<LayoutStep>) => this.place(step, events.settled);
    this.worker.postMessage(this.task(data));
  }

  focusOn(id: string | null): void {
    this.focus = id !== null && this.graph.hasNode(id) ? id : null;
    this.near = new Set(this.focus === null ? [] : this.graph.neighbors(this.focus));
    this.sigma.refresh({ skipIndexation: true });
    if (this.focus === null) return;
    const at = this.sigma.getNodeDisplayData(this.focus);
    if (at)
      void this.sigma
        .getCamera()
        .animate({ x: at.x, y: at.y, ratio: this.reach(at) }, { duration: FRESH_MS });
  }

  zoom(way: "in" | "out" | "all"): void {
    const camera = this.sigma.getCamera();
    if (way === "in") void camera.animatedZoom();
    else if (way === "out") void camera.animatedUnzoom();
    else void camera.animatedReset();
  }

  end(): void {
    this.worker.terminate();
    this.unwatch();
    this.sigma.kill();
  }

  /** How much must be seen so that what is near the focus is. */
  private reach(at: { x: number; y: number }): number {
    let farthest = 0;
    for (const node of this.near) {
      const other = this.sigma.getNodeDisplayData(node);
      if (other) farthest = Math.max(farthest, Math.hypot(other.x - at.x, other.y - at.y));
    }
    return Math.min(Math.max(farthest * 2.3, CLOSEST), 1.1);
  }

  private fill({ nodes, edges }: FactGraph): void {
    const most = Math.max(...nodes.map((one) => one.facts), 1);
    const scale = scaleOf(nodes.length);
    for (const [place, node] of nodes.entries()) {
      const size = SMALLEST * scale + (LARGEST - SMALLEST) * Math.sqrt(scale) * Math.sqrt(node.facts / most);
      this.graph.mergeNode(node.name, {
        label: node.name,
        kind: node.type,
        size,
        x: Math.cos(place),
        y: Math.sin(place),
      });
    }
    for (const { source, target, name, facts } of edges) {
      if (source !== target && this.graph.hasNode(source) && this.graph.hasNode(target)) {
        const before = this.graph.edge(source, target);
        const known = before ? `${this.graph.getEdgeAttribute(before, "label")}, ` : "";
        this.graph.mergeEdge(source, target, {
          label: `${known}${name}`,
          size: Math.min(0.8 + Math.log1p(facts) * 0.5, 3),
        });
      }
    }
  }

  private task({ nodes, edges }: FactGraph): LayoutTask {
    const places = new Map(nodes.map((one, place) => [one.name, place]));
    const known = edges.filter((edge) => places.has(edge.source) && places.has(edge.target));
    return {
      nodes: nodes.length,
      edges: Uint32Array.from(
        known.flatMap((edge) => [places.get(edge.source) ?? 0, places.get(edge.target) ?? 0]),
      ),
      weights: Float32Array.from(known, (edge) => edge.facts),
    };
  }

  private place({ positions, done }: LayoutStep, settled: () => void): void {
    let place = 0;
    this.graph.updateEachNodeAttributes((_, attributes) => {
      const at = place++;
      return { ...attributes, x: positions[2 * at] ?? 0, y: positions[2 * at + 1] ?? 0 };
    });
    if (done) settled();
  }

  private settings(): Partial<Settings> {
    return {
      labelFont: getComputedStyle(document.body).fontFamily,
      labelSize: 13,
      labelWeight: "500",
      labelColor: { color: this.colours.ink },
      labelDensity: 1,
      labelGridCellSize: 80,
      labelRenderedSizeThreshold: SMALLEST * scaleOf(this.graph.order),
      hideEdgesOnMove: this.graph.size > 5_000,
      stagePadding: ROOM_FOR_LABELS,
      zIndex: true,
      renderEdgeLabels: true,
      edgeLabelFont: getComputedStyle(document.body).fontFamily,
      edgeLabelSize: 11,
      edgeLabelColor: { color: this.colours.ink },
      nodeReducer: (node, data) => this.shownNode(node, data),
      edgeReducer: (edge, data) => this.shownEdge(edge, data),
      defaultDrawNodeLabel: (context, data, settings) => drawLabel(context, data, settings),
      defaultDrawNodeHover: (context, data, settings) => this.drawHover(context, data, settings),
    };
  }

  private colourOf(node: string): string {
    return this.colours[this.graph.getNodeAttribute(node, "kind") as NodeType];
  }

  private shownNode(node: string, data: Partial<NodeDisplayData>): Partial<NodeDisplayData> {
    if (this.focus === null) return { ...data, color: this.colourOf(node) };
    if (node === this.focus) return { ...data, color: this.colours.focus, forceLabel: true, zIndex: 2 };
    if (this.near.has(node))
      return { ...data, color: this.colourOf(node), forceLabel: this.near.size <= NAMED, zIndex: 1 };
    return { ...data, color: this.colours.faded, label: null, size: (data.size ?? SMALLEST) / 2, zIndex: 0 };
  }

  private shownEdge(edge: string, data: Partial<NodeDisplayData>): Partial<NodeDisplayData> {
    if (this.focus === null) {
      const few = this.graph.size <= FEW_EDGES;
      return { ...data, ...(few ? {} : { label: "" }), forceLabel: few, color: this.colours.edge };
    }
    const lit = this.graph.hasExtremity(edge, this.focus);
    return lit
      ? { ...data, color: this.colours.edgeLit, forceLabel: this.near.size <= NAMED, zIndex: 1 }
      : { ...data, hidden: true };
  }

  private drawHover(context: CanvasRenderingContext2D, data: Labelled, settings: Settings): void {
    if (!data.label) return;
    context.font = `600 ${settings.labelSize}px ${settings.labelFont}`;
    const [left, width, height] = [data.x + data.size + 2, context.measureText(data.label).width + 14, 24];
    context.fillStyle = this.colours.paper;
    context.strokeStyle = this.colours.edgeLit;
    context.beginPath();
    context.roundRect(left, data.y - height / 2, width, height, 6);
    context.fill();
    context.stroke();
    context.fillStyle = this.colours.ink;
    context.fillText(data.label, left + 7, data.y + settings.labelSize / 3);
  }
}

/** A label right of its node, or left of it where the canvas ends. */
function drawLabel(context: CanvasRenderingContext2D, data: Labelled, settings: Settings): void {
  if (!data.label) return;
  context.fillStyle = settings.labelColor.color ?? "";
  context.font = `${settings.labelWeight} ${settings.labelSize}px ${settings.labelFont}`;
  const width = context.measureText(data.label).width;
  const beside = data.size + 3;
  const fits = data.x + beside + width <= context.canvas.clientWidth;
  context.fillText(
    data.label,
    fits ? data.x + beside : data.x - beside - width,
    data.y + settings.labelSize / 3,
  );
}
