import "./charts.css";
import { type CSSProperties, type ReactNode, useEffect, useRef, useState } from "react";

const LEFT = 40;
const BOTTOM = 22;
const TOP = 8;
const HEIGHT = 180;
const TICKS = 4;

/** The width that is there, in pixels. */
export function useWidth<E extends Element>(): [React.RefObject<E | null>, number] {
  const element = useRef<E>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (!element.current) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return [element, width];
}

const ROUND = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];

/** A round number at or above a count, for the top of an axis whose marks are whole numbers, too. */
export function roundUp(value: number): number {
  const wanted = Math.max(value / TICKS, 1);
  const size = 10 ** Math.floor(Math.log10(wanted));
  const step = ROUND.find((one) => one * size >= wanted && Number.isInteger(one * size)) ?? 10;
  return step * size * TICKS;
}

interface Series {
  name: string;
  points: readonly (readonly [number, number])[];
}

interface ChartProps {
  label: string;
  top: number;
  format: (value: number) => string;
  children: (place: { x0: number; x1: number; y: (value: number) => number }) => ReactNode;
}

function Chart({ label, top, format, children }: ChartProps) {
  const [element, width] = useWidth<HTMLDivElement>();
  const y = (value: number) => TOP + (1 - value / top) * (HEIGHT - TOP - BOTTOM);
  return (
    <div ref={element}>
      {width > 0 && (
        <svg
          className="chart"
          height={HEIGHT}
          viewBox={`0 0 ${width} ${HEIGHT}`}
          role="img"
          aria-label={label}
        >
          {Array.from({ length: TICKS + 1 }, (_, tick) => (top * tick) / TICKS).map((value) => (
            <g key={value}>
              <line className="rule" x1={LEFT} x2={width} y1={y(value)} y2={y(value)} />
              <text x={LEFT - 8} y={y(value) + 4} textAnchor="end">
                {format(value)}
              </text>
            </g>
          ))}
          {children({ x0: LEFT, x1: width, y })}
        </svg>
      )}
    </div>
  );
}

/** Bars side by side, named below; names that would touch are left out. */
export function Bars({
  label,
  bars,
  format,
}: {
  label: string;
  bars: readonly { name: string; value: number }[];
  format: (value: number) => string;
}) {
  const top = roundUp(Math.max(...bars.map((bar) => bar.value), 0));
  return (
    <Chart label={label} top={top} format={format}>
      {({ x0, x1, y }) => {
        const step = (x1 - x0) / bars.length;
        const every = Math.max(1, Math.ceil((bars.length * 64) / (x1 - x0)));
        return bars.map((bar, place) => (
          <g key={bar.name}>
            <rect
              className="bar"
              x={x0 + place * step + step * 0.15}
              width={Math.max(Math.min(step * 0.7, 48), 1)}
              y={y(bar.value)}
              height={Math.max(y(0) - y(bar.value), 0)}
              rx={2}
            >
              <title>{`${bar.name}: ${format(bar.value)}`}</title>
            </rect>
            {place % every === 0 && (
              <text x={x0 + place * step + step * 0.15} y={HEIGHT - 4}>
                {bar.name}
              </text>
            )}
          </g>
        ));
      }}
    </Chart>
  );
}

/** Lines over time; `steps` for values that hold until they change. */
export function Lines({
  label,
  series,
  format,
  formatX,
  top,
  steps = false,
}: {
  label: string;
  series: readonly Series[];
  format: (value: number) => string;
  formatX: (at: number) => string;
  top?: number;
  steps?: boolean;
}) {
  const all = series.flatMap((one) => one.points);
  const [from, to] = [Math.min(...all.map(([at]) => at)), Math.max(...all.map(([at]) => at))];
  const highest = top ?? roundUp(Math.max(...all.map(([, value]) => value), 0));
  return (
    <Chart label={label} top={highest} format={format}>
      {({ x0, x1, y }) => {
        const x = (at: number) => (to === from ? x1 : x0 + ((at - from) / (to - from)) * (x1 - x0));
        const drawn = (points: Series["points"]) =>
          points
            .map(([at, value], place) => {
              if (place === 0) return `M${x(at).toFixed(1)} ${y(value).toFixed(1)}`;
              return steps
                ? `H${x(at).toFixed(1)}V${y(value).toFixed(1)}`
                : `L${x(at).toFixed(1)} ${y(value).toFixed(1)}`;
            })
            .join("");
        return (
          <>
            {series.map((one, place) => (
              <path
                key={one.name}
                className="line"
                d={drawn(one.points)}
                style={{ stroke: lineColour(place) }}
              />
            ))}
            <text x={x0} y={HEIGHT - 4}>
              {formatX(from)}
            </text>
            <text x={x1} y={HEIGHT - 4} textAnchor="end">
              {formatX(to)}
            </text>
          </>
        );
      }}
    </Chart>
  );
}

const lineColour = (place: number): string => `var(--term-${(place % 8) + 1})`;

export function LineLegend({ names }: { names: readonly string[] }) {
  return (
    <ul className="legend">
      {names.map((name, place) => (
        <li key={name}>
          <i style={{ "--term": lineColour(place) } as CSSProperties} /> {name}
        </li>
      ))}
    </ul>
  );
}
