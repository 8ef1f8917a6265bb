import { ChevronLeft, ChevronRight, Maximize, ZoomIn, ZoomOut } from "lucide-react";
import { type KeyboardEvent, type PointerEvent, useEffect, useRef } from "react";
import type { Span } from "../../api/memories";
import type { Period } from "../../api/types";
import { dayOf } from "../../design/format";
import { useWidth } from "../../parts/charts";
import { MONTH, monthSpan, monthsOf, moved, named, SPANS, stepOf, within, zoomed } from "./window";
import { TEXTS } from "../../texts";

const { timeline: texts } = TEXTS;

const HEIGHT = 96;
const FLOOR = HEIGHT - 20;
const MARK_PX = 110;
const NEARER = 0.6;
const NARROWEST = 6;

interface StripProps {
  periods: readonly Period[];
  span: Span;
  all: Span;
  onChange: (span: Span) => void;
}

/** When things happened, as bars over time: drag to move, wheel or buttons to zoom, click a bar to go near. */
export function Strip({ periods, span, all, onChange }: StripProps) {
  const zoom = (factor: number) => onChange(zoomed(span, factor, all));
  const step = (share: number) => onChange(moved(span, share * (span.to - span.from), all));
  return (
    <section className="strip card" aria-label={texts.strip}>
      <div className="row wrap">
        <button
          type="button"
          className="button icon little"
          aria-label={texts.back}
          onClick={() => step(-0.5)}
        >
          <ChevronLeft size={16} aria-hidden />
        </button>
        <button
          type="button"
          className="button icon little"
          aria-label={texts.forward}
          onClick={() => step(0.5)}
        >
          <ChevronRight size={16} aria-hidden />
        </button>
        <span className="small soft number" role="status">
          {texts.span(dayOf(span.from), dayOf(span.to))}{" "}
        </span>
        <select
          className="input"
          aria-label={texts.month}
          value=""
          onChange={(event) => onChange(within(monthSpan(Number(event.target.value)), all))}
        >
          <option value="" disabled>
            {texts.toMonth}
          </option>
          {monthsOf(all).map((start) => (
            <option key={start} value={start}>
              {named(start, MONTH)}
            </option>
          ))}
        </select>
        <span className="push row wrap">
          {SPANS.filter(([, length]) => length < all.to - all.from).map(([name, length]) => (
            <button
              key={name}
              type="button"
              className="button plain little"
              onClick={() => onChange(zoomed(span, length / (span.to - span.from), all))}
            >
              {name}
            </button>
          ))}
          <button
            type="button"
            className="button icon little"
            aria-label={texts.zoomIn}
            onClick={() => zoom(NEARER)}
          >
            <ZoomIn size={16} aria-hidden />
          </button>
          <button
            type="button"
            className="button icon little"
            aria-label={texts.zoomOut}
            onClick={() => zoom(1 / NEARER)}
          >
            <ZoomOut size={16} aria-hidden />
          </button>
          <button
            type="button"
            className="button icon little"
            aria-label={texts.all}
            onClick={() => onChange(all)}
          >
            <Maximize size={16} aria-hidden />
          </button>
        </span>
      </div>
      <Axis periods={periods} span={span} all={all} onChange={onChange} />
    </section>
  );
}

function Axis({ periods, span, all, onChange }: StripProps) {
  const [element, width] = useWidth<HTMLDivElement>();
  const drag = useRef<{ at: number; span: Span; moved: boolean } | null>(null);
  const x = (at: number) => ((at - span.from) / (span.to - span.from)) * width;
  const onKey = (event: KeyboardEvent) => {
    const length = span.to - span.from;
    const next: Record<string, () => Span> = {
      ArrowLeft: () => moved(span, -length / 4, all),
      ArrowRight: () => moved(span, length / 4, all),
      "+": () => zoomed(span, NEARER, all),
      "-": () => zoomed(span, 1 / NEARER, all),
      Home: () => all,
    };
    const change = next[event.key];
    if (!change) return;
    event.preventDefault();
    onChange(change());
  };
  useWheel(element, (event, rect) => {
    const around = span.from + ((event.clientX - rect.left) / rect.width) * (span.to - span.from);
    onChange(zoomed(span, event.deltaY > 0 ? 1.25 : 0.8, all, around));
  });
  const onMove = (event: PointerEvent) => {
    if (!drag.current || width === 0) return;
    const by = event.clientX - drag.current.at;
    if (Math.abs(by) > 4 && !drag.current.moved) {
      drag.current.moved = true;
      event.currentTarget.setPointerCapture(event.pointerId);
    }
    if (drag.current.moved) onChange(moved(drag.current.span, (-by / width) * (span.to - span.from), all));
  };
  return (
    <div
      ref={element}
      tabIndex={0}
      role="group"
      aria-label={texts.bars}
      style={{ minHeight: HEIGHT }}
      onKeyDown={onKey}
      onPointerDown={(event) => {
        drag.current = { at: event.clientX, span, moved: false };
      }}
      onPointerMove={onMove}
      onPointerUp={() => {
        drag.current = null;
      }}
    >
      {width > 0 && <Drawn width={width} periods={periods} span={span} x={x} onPick={onChange} />}
    </div>
  );
}

/** A wheel over an element zooms instead of scrolling; React's own wheel events cannot say so. */
function useWheel(
  element: React.RefObject<HTMLElement | null>,
  onWheel: (event: WheelEvent, rect: DOMRect) => void,
) {
  const latest = useRef(onWheel);
  latest.current = onWheel;
  useEffect(() => {
    const target = element.current;
    if (!target) return;
    const listen = (event: WheelEvent) => {
      if (!event.ctrlKey && Math.abs(event.deltaX) > Math.abs(event.deltaY)) return;
      event.preventDefault();
      latest.current(event, target.getBoundingClientRect());
    };
    target.addEventListener("wheel", listen, { passive: false });
    return () => target.removeEventListener("wheel", listen);
  }, [element]);
}

const sizeOf = (period: Period): number =>
  Object.values(period.counts).reduce((sum, count) => sum + count, 0);

interface DrawnProps {
  width: number;
  periods: readonly Period[];
  span: Span;
  x: (at: number) => number;
  onPick: (span: Span) => void;
}

function Drawn({ width, periods, span, x, onPick }: DrawnProps) {
  const most = Math.max(...periods.map(sizeOf), 1);
  const mark = stepOf(span, Math.max(width / MARK_PX, 1));
  const marks: number[] = [];
  for (let at = Math.ceil(span.from / mark) * mark; at < span.to; at += mark) marks.push(at);
  return (
    <svg className="axis" viewBox={`0 0 ${width} ${HEIGHT}`} height={HEIGHT} aria-hidden>
      <line className="rule" x1={0} x2={width} y1={FLOOR} y2={FLOOR} />
      {marks.map((at) => (
        <g key={at}>
          <line className="rule" x1={x(at)} x2={x(at)} y1={4} y2={FLOOR} />
          <text x={x(at) + 4} y={HEIGHT - 5}>
            {named(at, mark)}
          </text>
        </g>
      ))}
      {periods.map((period) => {
        const [from, to] = [Date.parse(period.start), Date.parse(period.end)];
        const height = Math.max((sizeOf(period) / most) * (FLOOR - 8), 3);
        return (
          <rect
            key={period.start}
            className="bucket"
            rx={2}
            x={x(from) + 1}
            y={FLOOR - height}
            width={Math.max(x(to) - x(from) - 2, NARROWEST)}
            height={height}
            onClick={() => onPick({ from, to })}
          >
            <title>{texts.bar(named(from, to - from), sizeOf(period))}</title>
          </rect>
        );
      })}
    </svg>
  );
}
