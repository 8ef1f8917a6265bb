import "./graph.css";
import { GitFork, Maximize, Minus, Plus, X } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { Link } from "wouter";
import { useGraph, useSearch } from "../../api/queries";
import type { ConceptGraph } from "../../api/types";
import { counted, many } from "../../design/format";
import { Page } from "../../parts/page";
import { Answered, Empty, Failed, Spinner } from "../../parts/states";
import { lazily, NotLoaded } from "../../shell/loading";
import { WhyDrawer } from "../memories/why";
import type { Drawing } from "./drawing";

const LISTED = 200;
const loadDrawing = lazily(() => import("./drawing"));

/** What the memories are about, and what goes together. The list beside it does the same from the keyboard. */
export default function Graph() {
  const graph = useGraph();
  return (
    <div className="graph-wide">
      <Page
        title="Graph"
        lead={
          graph.data && graph.data.concepts.length > 0
            ? `${many(graph.data.concepts.length, "concept")}, ${many(graph.data.edges.length, "link")} between those that come up together.`
            : "What the memories are about, and which concepts occur together."
        }
      >
        <Answered query={graph} what="graph">
          {(data) =>
            data.concepts.length === 0 ? (
              <Empty icon={GitFork} title="No concepts yet">
                <p>
                  The names and topics of what you say become concepts; those that come up together are
                  linked. Say a few things first.
                </p>
                <div className="row wrap">
                  <Link className="button main" href="/">
                    Go to the chat
                  </Link>
                </div>
              </Empty>
            ) : (
              <Explorer data={data} />
            )
          }
        </Answered>
      </Page>
    </div>
  );
}

function Explorer({ data }: { data: ConceptGraph }) {
  const [focus, setFocus] = useState<string | null>(null);
  const [memory, setMemory] = useState<string | null>(null);
  return (
    <div className="graph">
      <Canvas data={data} focus={focus} onFocus={setFocus} />
      {focus !== null ? (
        <Focused data={data} name={focus} onFocus={setFocus} onMemory={setMemory} />
      ) : (
        <AllConcepts data={data} onFocus={setFocus} />
      )}
      {memory && <WhyDrawer id={memory} question={focus} onClose={() => setMemory(null)} />}
    </div>
  );
}

function Canvas({
  data,
  focus,
  onFocus,
}: {
  data: ConceptGraph;
  focus: string | null;
  onFocus: (id: string | null) => void;
}) {
  const element = useRef<HTMLDivElement>(null);
  const drawing = useRef<Drawing | null>(null);
  const [state, setState] = useState<"laying out" | "settled" | "impossible">("laying out");
  const [missing, setMissing] = useState<NotLoaded | null>(null);
  useEffect(() => {
    let wanted = true;
    if (missing) return;
    setState("laying out");
    loadDrawing()
      .then(({ Drawing: Drawn }) => {
        if (!wanted || !element.current) return;
        drawing.current = new Drawn(element.current, data, {
          pick: onFocus,
          settled: () => setState("settled"),
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
  }, [data, onFocus, missing]);
  useEffect(() => drawing.current?.focusOn(focus), [focus]);
  if (missing) {
    return (
      <Failed error={missing.cause} what="The graph could not be drawn." retry={() => setMissing(null)} />
    );
  }
  return (
    <div className="view" data-state={state}>
      <div
        className="canvas"
        ref={element}
        role="img"
        aria-label="The graph of concepts; the list beside it can be used from the keyboard"
      />
      <p className="told small">
        {state === "laying out" && <Spinner label="Laying out" />}
        {state === "impossible" &&
          "The graph cannot be drawn here: the browser has no WebGL. The list works."}
      </p>
      <div className="tools">
        <button
          type="button"
          className="button icon"
          aria-label="Zoom in"
          onClick={() => drawing.current?.zoom("in")}
        >
          <Plus size={16} aria-hidden />
        </button>
        <button
          type="button"
          className="button icon"
          aria-label="Zoom out"
          onClick={() => drawing.current?.zoom("out")}
        >
          <Minus size={16} aria-hidden />
        </button>
        <button
          type="button"
          className="button icon"
          aria-label="Show all"
          onClick={() => {
            onFocus(null);
            drawing.current?.zoom("all");
          }}
        >
          <Maximize size={16} aria-hidden />
        </button>
      </div>
    </div>
  );
}

function AllConcepts({ data, onFocus }: { data: ConceptGraph; onFocus: (id: string) => void }) {
  const [text, setText] = useState("");
  const found = useMemo(() => {
    const wanted = text.trim().toLowerCase();
    return data.concepts
      .filter((node) => node.name.toLowerCase().includes(wanted))
      .sort((one, other) => other.memories - one.memories);
  }, [data, text]);
  return (
    <section className="beside card" aria-label="Concepts">
      <div className="field">
        <label htmlFor="concept">Find a concept</label>
        <input
          id="concept"
          className="input"
          type="search"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </div>
      <div className="listed">
        {found.length === 0 && <p className="soft">No concept has this in its name.</p>}
        <ul>
          {found.slice(0, LISTED).map((node) => (
            <li key={node.name}>
              <button type="button" onClick={() => onFocus(node.name)}>
                {node.name}
                <span className="number">{counted(node.memories)}</span>
              </button>
            </li>
          ))}
        </ul>
        {found.length > LISTED && (
          <p className="small faint">And {counted(found.length - LISTED)} more: type to narrow the list.</p>
        )}
      </div>
    </section>
  );
}

function Focused({
  data,
  name,
  onFocus,
  onMemory,
}: {
  data: ConceptGraph;
  name: string;
  onFocus: (id: string | null) => void;
  onMemory: (id: string) => void;
}) {
  const memories = useSearch(name, {});
  const near = useMemo(() => {
    return data.edges
      .filter((edge) => edge.source === name || edge.target === name)
      .map(({ source, target, weight }) => ({ name: source === name ? target : source, weight }))
      .sort((one, other) => other.weight - one.weight);
  }, [data, name]);
  return (
    <section className="beside card" aria-label={`The concept ${name}`}>
      <div className="listed">
        <div className="row">
          <h2>{name}</h2>
          <button
            type="button"
            className="button plain icon push"
            aria-label="Back to all concepts"
            onClick={() => onFocus(null)}
          >
            <X size={16} aria-hidden />
          </button>
        </div>
        <h3>Occurs with</h3>
        {near.length === 0 && <p className="soft">Nothing else yet.</p>}
        <ul>
          {near.slice(0, LISTED).map((node) => (
            <li key={node.name}>
              <button type="button" onClick={() => onFocus(node.name)}>
                {node.name}
                <span className="number">{counted(node.weight)}</span>
              </button>
            </li>
          ))}
        </ul>
        <h3>In the words</h3>
        <Answered query={memories} what="memories" rows={2}>
          {(hits) => (
            <ul>
              {hits.slice(0, 8).map((hit) => (
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
