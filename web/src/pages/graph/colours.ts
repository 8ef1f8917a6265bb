import type { NodeType } from "./model";

export interface Colours extends Record<NodeType, string> {
  focus: string;
  faded: string;
  edge: string;
  edgeLit: string;
  ink: string;
  paper: string;
}

const NAMES: Readonly<Record<keyof Colours, string>> = {
  person: "--term-1",
  place: "--term-3",
  organisation: "--term-2",
  project: "--term-4",
  thing: "--term-8",
  focus: "--accent",
  faded: "--line",
  edge: "--line",
  edgeLit: "--line-strong",
  ink: "--ink",
  paper: "--raised",
};

/** The page's colours of now, light or dark, as the canvas needs them. */
export function coloursOf(element: HTMLElement): Colours {
  const probe = element.appendChild(document.createElement("i"));
  const read = (name: string) => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  };
  const colours = Object.fromEntries(Object.entries(NAMES).map(([key, name]) => [key, read(name)]));
  probe.remove();
  return colours as unknown as Colours;
}

/** Calls back when light turns dark or the other way round. */
export function onColoursChanged(changed: () => void): () => void {
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  dark.addEventListener("change", changed);
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  return () => {
    dark.removeEventListener("change", changed);
    observer.disconnect();
  };
}
