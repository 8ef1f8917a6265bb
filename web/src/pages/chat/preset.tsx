import { useState } from "react";
import { TEXTS } from "../../texts";

const NAME = "recollect.preset";
const { chat: texts } = TEXTS;

function kept(): string {
  try {
    return localStorage.getItem(NAME) ?? "";
  } catch {
    return "";
  }
}

/** How to recall and answer, kept for the next visit; null leaves it to the server. */
export function usePreset(): [string | null, (preset: string) => void] {
  const [preset, setPreset] = useState(kept);
  const change = (next: string) => {
    setPreset(next);
    try {
      if (next) localStorage.setItem(NAME, next);
      else localStorage.removeItem(NAME);
    } catch {
      // No storage: it holds until the page is left.
    }
  };
  return [preset || null, change];
}

export function PresetChoice({
  preset,
  onChange,
}: {
  preset: string | null;
  onChange: (preset: string) => void;
}) {
  const names = Object.keys(texts.presets);
  const known = preset === null || names.includes(preset) ? names : [...names, preset];
  return (
    <select
      className="input preset"
      aria-label={texts.preset}
      title={texts.presetHint}
      value={preset ?? ""}
      onChange={(event) => onChange(event.target.value)}
    >
      {known.map((name) => (
        <option key={name} value={name}>
          {texts.presets[name] ?? name}
        </option>
      ))}
    </select>
  );
}
