import { Tag, Trash2, X } from "lucide-react";
import { type FormEvent, useState } from "react";
import type { MemoryRecord } from "../../api/types";
import { TEXTS } from "../../texts";
import { useTending } from "./tending";

const { memories: texts } = TEXTS;

interface SelectionProps {
  chosen: readonly MemoryRecord[];
  /** How many more could be selected. */
  others: number;
  onAll: () => void;
  onNone: () => void;
}

/** What can be done to several memories at once; it stays in sight while any are selected. */
export function Selection({ chosen, others, onAll, onNone }: SelectionProps) {
  const [tag, setTag] = useState("");
  const tending = useTending();
  const addTag = async (event: FormEvent) => {
    event.preventDefault();
    if (tag.trim() && (await tending.tagAll(chosen, tag.trim()))) setTag("");
  };
  return (
    <div className="selection" role="group" aria-label={texts.selection}>
      <strong role="status">{texts.chosen(chosen.length)}</strong>
      {others > 0 && (
        <button type="button" className="link small" onClick={onAll}>
          {texts.chooseAll}
        </button>
      )}
      <form className="row push" onSubmit={(event) => void addTag(event)}>
        <input
          className="input"
          aria-label={texts.tag}
          placeholder={texts.tag}
          value={tag}
          onChange={(event) => setTag(event.target.value)}
        />
        <button type="submit" className="button icon" aria-label={texts.tag} disabled={!tag.trim()}>
          <Tag size={16} aria-hidden />
        </button>
      </form>
      <button
        type="button"
        className="button risky"
        onClick={() => {
          void tending.removeAll(chosen).then((done) => done && onNone());
        }}
      >
        <Trash2 size={16} aria-hidden /> {texts.remove}
      </button>
      <button type="button" className="button plain icon" aria-label={texts.chooseNone} onClick={onNone}>
        <X size={16} aria-hidden />
      </button>
    </div>
  );
}
