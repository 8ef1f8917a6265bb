import { FilePlus2 } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { dropped } from "../pages/import/folders";
import { useNews, useTake } from "../pages/import/taking";
import { TEXTS } from "../texts";

const { importing: texts } = TEXTS;

/** Takes files and folders that are dropped anywhere on the page, and tells what becomes of them. */
export function DropZone() {
  const [over, setOver] = useState(false);
  const take = useTake();
  const latest = useRef(take);
  latest.current = take;
  useNews();
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
      if (!hasFiles(event) || !event.dataTransfer) return;
      event.preventDefault();
      setOver(false);
      void dropped(event.dataTransfer).then((files) => latest.current(files));
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
      <strong>{texts.over}</strong>
      <span className="soft">{texts.overHint}</span>
    </div>
  );
}
