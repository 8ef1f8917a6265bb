/** Files on their way in. They stay while the person looks at other pages, and go one after the other. */

import { useSyncExternalStore } from "react";
import { applyFolder, importFile, keepDocument, removeUpload, uploadFile, type Whose } from "../../api/files";
import { type Question, ServerError } from "../../api/problem";
import type { Step } from "../../api/sending";
import type { Applied, Loaded, Report } from "../../api/types";
import { owner, subscribe as whenOwnerChanges } from "../../api/user";
import { sizeOf } from "../../design/format";
import { TEXTS } from "../../texts";
import { type Folder, zipped } from "./folders";

const { importing: texts } = TEXTS;

/** What a file is taken for: an import, edits of a folder that was exported, or a document to cite. */
export type Taken = "import" | "edits" | "document";

/** What became of a file. */
export type Outcome =
  | { stored: number; known: number; refused: number; report: Report | null; incomplete?: ServerError }
  | { applied: Applied };

export interface Item {
  id: number;
  name: string;
  whose: Whose;
  taken: Taken;
  /** What is being done, or what it waits for. */
  phase: "reading" | "asking" | "ready" | "waiting" | "importing" | "done" | "failed";
  file: Blob | null;
  /** What the server calls the file, which it keeps for a while. */
  upload: string | null;
  /** How much of the file was sent, then how much of it is done; null as long as nobody knows. */
  sent: Step | null;
  step: Step | null;
  begun_ms: number;
  report: Report | null;
  edits: Applied | null;
  asks: Question | null;
  answers: Readonly<Record<string, string>>;
  deleteMissing: boolean;
  outcome: Outcome | null;
  error: unknown;
}

/** How large files may be, in bytes. */
export interface Sizes {
  document: number;
  import: number;
}

/** A document by its name; a text may be a chat of WhatsApp, too. */
const DOCUMENT = /\.(md|markdown|mdown|rst|org|adoc|html?|xhtml|pdf)$/i;
const TEXT = /\.(txt|text)$/i;
const PAGE_OF_OURS = /^---\r?\nrecollect: /;
/** Google Takeout's page of what was said to Gemini; its styles come first. */
const ACTIVITY = /<p class="mdl-typography--title">[^<]{0,100}(?:Gemini|Bard)/;
const BEGINNING = 1 << 20;
/** The statuses for a key that may keep documents and may not import, and for a file that is not kept any more. */
const MAY_NOT = 403;
const GONE = 404;
const EXPORTED = "urn:recollect:ExportedFolderError";

let items: readonly Item[] = [];
let last = 0;
let line: Promise<void> = Promise.resolve();
const listeners = new Set<() => void>();
const stops = new Map<number, AbortController>();

function changed(next: readonly Item[]): void {
  items = next;
  for (const listener of listeners) listener();
}

const change = (id: number, part: Partial<Item>): void =>
  changed(items.map((one) => (one.id === id ? { ...one, ...part } : one)));

const found = (id: number): Item | undefined => items.find((one) => one.id === id);

export const useItems = (): readonly Item[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => items,
  );

/** Look at some files and folders: what each is, and what it would bring. Nothing is stored. */
export function take(given: readonly (File | Folder)[], sizes: () => Promise<Sizes>): void {
  for (const one of given) {
    const isFolder = !(one instanceof File);
    const id = ++last;
    changed([
      ...items,
      {
        id,
        name: isFolder ? `${one.name}.zip` : one.name,
        whose: owner(),
        taken: !isFolder && DOCUMENT.test(one.name) ? "document" : "import",
        phase: "reading",
        file: isFolder ? null : one,
        upload: null,
        sent: null,
        step: null,
        begun_ms: 0,
        report: null,
        edits: null,
        asks: null,
        answers: {},
        deleteMissing: false,
        outcome: null,
        error: null,
      },
    ]);
    next(id, async () => {
      const file = isFolder ? await zipped(one) : one;
      if (file === null) throw new Error(texts.tooMany);
      change(id, { file });
      await check(id, file, await sizes());
      await look(id);
    });
  }
}

/** Do something with a file when all before it is done; what fails is said beside the file. */
function next(id: number, work: (signal: AbortSignal) => Promise<void>): void {
  const stop = new AbortController();
  stops.set(id, stop);
  line = line.then(async () => {
    if (!found(id) || stop.signal.aborted) return;
    await work(stop.signal).catch((error: unknown) => {
      if (stop.signal.aborted) change(id, { phase: "failed", error: new Error(texts.stopped) });
      else change(id, { phase: "failed", error });
    });
  });
}

async function check(id: number, file: Blob, sizes: Sizes): Promise<void> {
  const item = found(id);
  if (item?.taken === "document" && /\.(md|html?)$/i.test(item.name)) {
    const start = await file.slice(0, BEGINNING).text();
    if (PAGE_OF_OURS.test(start) || ACTIVITY.test(start)) change(id, { taken: "import" });
  }
  const most = found(id)?.taken === "document" ? sizes.document : sizes.import;
  if (file.size > most) throw new Error(texts.size(sizeOf(file.size), sizeOf(most)));
}

/** Ask the server what a file is and what it would bring. */
async function look(id: number): Promise<void> {
  const item = found(id);
  if (!item?.file) return;
  change(id, { phase: "reading", report: null, sent: null, step: null, error: null });
  const sent = sending(item);
  if (item.taken === "document") {
    change(id, { phase: "ready" });
  } else if (item.taken === "edits") {
    const edits = await uploaded(item, item.file, (upload) =>
      applyFolder(upload, { ...sent, dry: true, deleteMissing: item.deleteMissing }),
    );
    change(id, { phase: "ready", edits });
  } else {
    await uploaded(item, item.file, (upload) =>
      importFile(upload, item.answers, { ...sent, dry: true }),
    ).then(
      ({ report }) => change(id, { ...questionIn(report ?? null), report: report ?? null }),
      (error: unknown) => refused(item, error),
    );
  }
}

/** Do something with a file at the server, which gets it once, or again if it is not kept any more. */
async function uploaded<T>(item: Item, file: Blob, use: (upload: string) => Promise<T>): Promise<T> {
  if (item.upload) {
    const done = await use(item.upload).catch((error: unknown) => {
      if (error instanceof ServerError && error.status === GONE) return null;
      throw error;
    });
    if (done !== null) return done;
  }
  const upload = await uploadFile(file, sending(item));
  change(item.id, { upload });
  return use(upload);
}

/** The server needs the file no more. */
function release(id: number): void {
  const upload = found(id)?.upload;
  if (!upload) return;
  removeUpload(upload);
  change(id, { upload: null });
}

/** What a dry run leaves open. */
function questionIn(report: Report | null): Pick<Item, "phase" | "asks"> {
  if (report?.owners.length) return { phase: "asking", asks: { option: "owner", choices: report.owners } };
  if (report?.unknown_user) {
    const names = Object.entries(report.speakers).sort(([, one], [, other]) => other - one);
    return { phase: "asking", asks: { option: "me", choices: names.map(([name]) => name) } };
  }
  return { phase: "ready", asks: null };
}

/** A file that the server does not import as it is: it may be something else, or lack an answer. */
async function refused(item: Item, error: unknown): Promise<void> {
  if (!(error instanceof ServerError)) throw error;
  if (error.type === EXPORTED) {
    change(item.id, { taken: "edits" });
    return look(item.id);
  }
  const isNoImport = error.asks?.option === "format" || error.status === MAY_NOT;
  if (isNoImport && TEXT.test(item.name)) {
    release(item.id);
    change(item.id, { taken: "document" });
    return look(item.id);
  }
  if (!error.asks) throw error;
  change(item.id, { phase: "asking", asks: error.asks });
}

/** Answer what a file does not say itself. Who the user is changes nothing else: the file is ready then. */
export function answer(id: number, answers: Readonly<Record<string, string>>): void {
  const item = found(id);
  if (!item) return;
  change(id, { answers: { ...item.answers, ...answers } });
  if ("me" in answers) change(id, { phase: "ready", asks: null });
  else lookAgain(id);
}

export function setDeleteMissing(id: number, deleteMissing: boolean): void {
  change(id, { deleteMissing });
  lookAgain(id);
}

/** Look at a file again: with other answers, or after it failed; an import goes on where it stopped. */
export function lookAgain(id: number): void {
  change(id, { phase: "reading" });
  next(id, () => look(id));
}

/** Import what is ready. */
export function start(): void {
  for (const { id } of items.filter(({ phase }) => phase === "ready")) {
    change(id, { phase: "waiting" });
    next(id, () => bring(id));
  }
}

async function bring(id: number): Promise<void> {
  const item = found(id);
  if (!item?.file) return;
  change(id, { phase: "importing", sent: null, step: null, begun_ms: performance.now() });
  change(id, { outcome: await broughtIn(item, item.file), phase: "done" });
  release(id);
}

async function broughtIn(item: Item, file: Blob): Promise<Outcome> {
  const sent = sending(item);
  if (item.taken === "edits") {
    const how = { ...sent, dry: false, deleteMissing: item.deleteMissing };
    return { applied: await uploaded(item, file, (upload) => applyFolder(upload, how)) };
  }
  if (item.taken === "document") {
    return { ...(await keepDocument(file, sent)), refused: 0, report: null };
  }
  const how = { ...sent, dry: false };
  return uploaded(item, file, (upload) => importFile(upload, item.answers, how)).then(
    (loaded) => broughtBy(loaded),
    (error: unknown) => {
      if (!(error instanceof ServerError) || !error.loaded) throw error;
      return { ...broughtBy(error.loaded), incomplete: error };
    },
  );
}

const broughtBy = ({ stored, duplicates, refused, report }: Loaded) => ({
  stored,
  known: duplicates,
  refused,
  report: report ?? null,
});

/** What goes with a file, and what is told of it while it is sent. */
function sending({ id, name, whose }: Item) {
  return {
    whose,
    name,
    signal: stops.get(id)?.signal ?? new AbortController().signal,
    onSent: (sent: Step) => change(id, { sent }),
    onStep: (step: Step) => change(id, { step, ...(step.done === 0 ? { begun_ms: performance.now() } : {}) }),
  };
}

/** Stop what is being done with a file, or was to be done. What was imported stays. */
export function stop(id: number): void {
  stops.get(id)?.abort();
  if (found(id)?.phase === "waiting") change(id, { phase: "ready" });
}

export function remove(id: number): void {
  stop(id);
  stops.delete(id);
  release(id);
  changed(items.filter((one) => one.id !== id));
}

export const isBusy = (item: Item): boolean => item.phase === "importing" || item.phase === "waiting";

// What was dropped for one user is not imported for another; what is under way goes on.
whenOwnerChanges(() => {
  for (const item of items) if (!isBusy(item)) remove(item.id);
});
