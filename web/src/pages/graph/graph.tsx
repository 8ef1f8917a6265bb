import "./graph.css";
import { GitFork, Maximize, Minus, Plus, X } from "lucide-react";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { Link } from "wouter";
import { useFactGraph, useSearch } from "../../api/queries";
import type { FactGraph } from "../../api/types";
import { counted } from "../../design/format";
import { Page } from "../../parts/page";
import { Answered, Empty, Failed, Spinner } from "../../parts/states";
import { lazily, NotLoaded } from "../../shell/loading";
import { TEXTS } from "../../texts";
import { WhyDrawer } from "../memories/why";
import type { Drawing } from "./drawing";
import { neighboursOf, partOf, TYPES } from "./model";

const { graph: texts } = TEXTS;
const LISTED = 200;
/** So many nodes are drawn to begin with. */
const FIRST = 150;
const MEMORIES = 8;
const loadDrawing = lazily(() => import("./drawing"));

/** Who and what the facts are about, and what they are to each other. */
export default function Graph() {
  const graph = useFactGraph();
  return (
    <div className="graph-wide">
      <Page title={texts.title} lead={texts.lead}>
        <Answered query={graph} what="graph">
          {(found) => (found.nodes.length === 0 ? <Nothing /> : <Explorer whole={found} />)}
        </Answered>
      </Page>
    </div>
  );
}

function Nothing() {
  return (
    <Empty icon={GitFork} title={texts.none}>
      <p>{texts.noneLead}</p>
      <div className="row wrap">
        <Link className="button main" href="/">
          {texts.toChat}
        </Link>
      </div>
    </Empty>
  );
}

function Explorer({ whole }: { whole: FactGraph }) {
  const [focus, setFocus] = useState<string | null>(null);
  const [wanted, setWanted] = useState<ReadonlySet<string>>(new Set());
  const [memory, setMemory] = useState<string | null>(null);
  const returned = useRef(false);
  const drawn = useMemo(() => partOf(whole, FIRST, wanted), [whole, wanted]);
  const pick = useCallback(
    (name: string | null) => {
      setFocus(name);
      returned.current = name === null;
      if (name === null) return;
      const near = [name, ...neighboursOf(whole, name).map((one) => one.name)];
      setWanted((before) => (near.every((one) => before.has(one)) ? before : new Set([...before, ...near])));
    },
    [whole],
  );
  return (
    <div
      className="graph"
      onKeyDown={({ key }) => {
        if (key === "Escape" && focus !== null && memory === null) pick(null);
      }}
    >
      <Canvas data={drawn} focus={focus} onFocus={pick} />
      {focus === null ? (
        <All graph={whole} returned={returned.current} onFocus={pick} />
      ) : (
        <Focused graph={whole} name={focus} onFocus={pick} onMemory={setMemory} />
      )}
      {memory && <WhyDrawer id={memory} question={focus} onClose={() => setMemory(null)} />}
    </div>
  );
}

interface CanvasProps {
  data: FactGraph;
  focus: string | null;
  onFocus: (name: string | null) => void;
}

function Canvas({ data, focus, onFocus }: CanvasProps) {
  const element = useRef<HTMLDivElement>(null);
  const drawing = useRef<Drawing | null>(null);
  const latest = useRef({ focus, onFocus });
  latest.current = { focus, onFocus };
  const [state, setState] = useState<"laying-out" | "settled" | "impossible">("laying-out");
  const [missing, setMissing] = useState<NotLoaded | null>(null);
  const shape = useShape(data);
  useEffect(() => {
    let wanted = true;
    if (missing) return;
    setState("laying-out");
    loadDrawing()
      .then(({ Drawing: Drawn }) => {
        if (!wanted || !element.current) return;
        drawing.current = new Drawn(element.current, shape, {
          pick: (name) => latest.current.onFocus(name),
          settled: () => {
            setState("settled");
            drawing.current?.focusOn(latest.current.focus);
          },
        });
      })
      .catch((error: unknown) => {
        if (!wanted) return;
        if (error instanceof NotLoaded) setMissing(error);
        else setState("impossible");
      });
    return () => {
      wanted = false;
      drawing.current?.end();
      drawing.current = null;
    };
  }, [shape, missing]);
  useEffect(() => drawing.current?.focusOn(focus), [focus]);
  if (missing) {
    return <Failed error={missing.cause} what={texts.notDrawn} retry={() => setMissing(null)} />;
  }
  const zoom = (way: "in" | "out" | "all") => {
    if (way === "all") onFocus(null);
    drawing.current?.zoom(way);
  };
  return (
    <div className="view" data-state={state}>
      <div className="canvas" ref={element} role="img" aria-label={texts.canvas} />
      <ul className="legend types" aria-label={texts.legend}>
        {TYPES.filter((type) => data.nodes.some((node) => node.type === type)).map((type) => (
          <li key={type}>
            <i className={type} /> {texts.types[type]}
          </li>
        ))}
      </ul>
      <p className="told small">
        {state === "laying-out" && <Spinner label={texts.layingOut} />}
        {state === "impossible" && texts.noWebGL}
      </p>
      <div className="tools">
        <button type="button" className="button icon" aria-label={texts.zoomIn} onClick={() => zoom("in")}>
          <Plus size={16} aria-hidden />
        </button>
        <button type="button" className="button icon" aria-label={texts.zoomOut} onClick={() => zoom("out")}>
          <Minus size={16} aria-hidden />
        </button>
        <button type="button" className="button icon" aria-label={texts.showAll} onClick={() => zoom("all")}>
          <Maximize size={16} aria-hidden />
        </button>
      </div>
    </div>
  );
}

/** The same graph as long as its nodes and edges are the same, so that it is not laid out anew. */
function useShape(data: FactGraph): FactGraph {
  const key = JSON.stringify([data.nodes.map((node) => node.name), data.edges.length]);
  return useMemo(() => data, [key]);
}

interface AllProps {
  graph: FactGraph;
  /** Whether it stands again in place of one of its nodes: the keyboard goes on here. */
  returned: boolean;
  onFocus: (name: string) => void;
}

function All({ graph, returned, onFocus }: AllProps) {
  const [text, setText] = useState("");
  const wanted = text.trim().toLowerCase();
  const found = graph.nodes.filter((node) => node.name.toLowerCase().includes(wanted));
  return (
    <section className="beside card" aria-label={texts.list}>
      <div className="field">
        <label htmlFor="concept">{texts.find}</label>
        <input
          id="concept"
          autoFocus={returned}
          className="input"
          type="search"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </div>
      <div className="listed">
        {found.length === 0 && <p className="soft">{texts.notFound}</p>}
        <ul>
          {found.slice(0, LISTED).map((node) => (
            <li key={node.name}>
              <button type="button" onClick={() => onFocus(node.name)}>
                <i className={`dot ${node.type}`} aria-label={texts.types[node.type]} role="img" />{" "}
                {node.name}
                <span className="number">{counted(node.facts)}</span>
              </button>
            </li>
          ))}
        </ul>
        {found.length > LISTED && <p className="small faint">{texts.more(found.length - LISTED)}</p>}
      </div>
    </section>
  );
}

interface FocusedProps {
  graph: FactGraph;
  name: string;
  onFocus: (name: string | null) => void;
  onMemory: (id: string) => void;
}

function Focused({ graph, name, onFocus, onMemory }: FocusedProps) {
  const memories = useSearch(name, {});
  const near = useMemo(() => neighboursOf(graph, name), [graph, name]);
  const leave = useRef<HTMLButtonElement>(null);
  useEffect(() => leave.current?.focus({ preventScroll: true }), [name]);
  return (
    <section className="beside card" aria-label={texts.aboutOne(name)}>
      <div className="listed">
        <div className="row">
          <h2>{name}</h2>
          <button
            type="button"
            className="button plain icon push"
            aria-label={texts.back}
            ref={leave}
            onClick={() => onFocus(null)}
          >
            <X size={16} aria-hidden />
          </button>
        </div>
        {near.length === 0 && <p className="soft">{texts.nothingElse}</p>}
        <ul>
          {near.slice(0, LISTED).map(({ name: other, edge }) => (
            <li key={`${edge.source} ${edge.name} ${edge.target}`}>
              <button type="button" onClick={() => onFocus(other)}>
                <span>
                  {edge.source !== name && `${edge.source} `}
                  <span className="faint">{edge.name}</span>
                  {edge.target !== name && ` ${edge.target}`}
                </span>
              </button>
            </li>
          ))}
        </ul>
        <h3>{texts.inWords}</h3>
        <Answered query={memories} what="memories" rows={2}>
          {(hits) => (
            <ul>
              {hits.slice(0, MEMORIES).map((hit) => (
                <li key={hit.memory.id}>
                  <button type="button" className="words" onClick={() => onMemory(hit.memory.id)}>
                    {hit.memory.content}
                  </button>
                </li>
              ))}
            </ul>
          )}
        </Answered>
      </div>
    </section>
  );
}
