import { useQueryClient } from "@tanstack/react-query";
import { FilePlus2 } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { refusalOf, sendFile } from "../api/files";
import { messageOf } from "../api/problem";
import { useStats } from "../api/queries";
import { sizeOf } from "../design/format";
import { useToasts } from "../parts/toasts";
import { TEXTS } from "../texts";

const { files: texts } = TEXTS;
const TOLD_MS = 12_000;

/** Remembers what is in some files, one after the other, and says what became of each. */
export function useTakeFiles(): (files: readonly File[]) => Promise<void> {
  const toasts = useToasts();
  const queries = useQueryClient();
  const stats = useStats();
  /** Why a file cannot be read; null when it is worth sending. */
  const whyNot = async (file: File): Promise<string | null> => {
    const told = stats.data ?? (await stats.refetch({ cancelRefetch: false })).data;
    const largest_bytes = told?.maxBodyBytes ?? Infinity;
    const refusal = refusalOf(file, largest_bytes);
    if (refusal === "kind") return texts.kind;
    return refusal && texts.size(sizeOf(file.size), sizeOf(largest_bytes));
  };
  const take = async (file: File): Promise<string> => {
    const { stored, known, refused } = await sendFile(file);
    return texts.taken(file.name, stored, known) + (refused ? ` ${texts.someRefused(refused)}` : "");
  };
  return async (files) => {
    const readable: File[] = [];
    for (const file of files) {
      const why = await whyNot(file);
      if (why === null) readable.push(file);
      else toasts.show({ text: texts.refused(file.name, messageOf(new Error(why))), bad: true }, TOLD_MS);
    }
    for (const [place, file] of readable.entries()) {
      const reading = toasts.show({ text: texts.reading(file.name, place + 1, readable.length) }, Infinity);
      const told = await take(file).then(
        (text) => ({ text }),
        (error: unknown) => ({ text: texts.refused(file.name, messageOf(error)), bad: true }),
      );
      toasts.drop(reading);
      toasts.show(told, TOLD_MS);
    }
    await queries.invalidateQueries();
  };
}

/** Takes files that are dropped anywhere on the page. */
export function DropZone() {
  const [over, setOver] = useState(false);
  const takeFiles = useTakeFiles();
  const latest = useRef(takeFiles);
  latest.current = takeFiles;
  useEffect(() => {
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
    const onOver = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const onLeave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false);
    };
    const onDrop = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(false);
      void latest.current([...(event.dataTransfer?.files ?? [])]);
    };
    window.addEventListener("dragover", onOver);
    window.addEventListener("dragleave", onLeave);
    window.addEventListener("drop", onDrop);
    return () => {
      window.removeEventListener("dragover", onOver);
      window.removeEventListener("dragleave", onLeave);
      window.removeEventListener("drop", onDrop);
    };
  }, []);
  if (!over) return null;
  return (
    <div className="drop" aria-hidden>
      <FilePlus2 size={32} strokeWidth={1.5} />
      <strong>{texts.drop}</strong>
      <span className="soft">{texts.dropHint}</span>
    </div>
  );
}
