import { percent } from "../design/format";

/** A share from 0 to 1, as a short bar with its number. */
export function Meter({ value, label }: { value: number; label: string }) {
  const share = Math.min(Math.max(value, 0), 1);
  return (
    <span className="meter">
      {label}
      <span className="track" aria-hidden>
        <i style={{ width: `${share * 100}%` }} />
      </span>
      <span className="number">{percent(value)}</span>
    </span>
  );
}
