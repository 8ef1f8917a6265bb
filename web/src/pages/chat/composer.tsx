import { ArrowUp, Square } from "lucide-react";
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import { TEXTS } from "../../texts";
import { conversation } from "./conversation";

const { chat: texts } = TEXTS;

/** A message to begin with; a new object fills the box again. */
export interface Draft {
  text: string;
}

export function Composer({
  busy,
  draft,
  onSend,
}: {
  busy: boolean;
  draft: Draft;
  onSend: (message: string) => void;
}) {
  const [text, setText] = useState("");
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (!draft.text) return;
    setText(draft.text);
    field.current?.focus();
  }, [draft]);
  const send = (event?: FormEvent) => {
    event?.preventDefault();
    const message = text.trim();
    if (!message || busy) return;
    setText("");
    onSend(message);
    field.current?.focus();
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) {
      event.preventDefault();
      send();
    }
  };
  return (
    <div className="composer">
      <form onSubmit={send}>
        <textarea
          ref={field}
          rows={1}
          aria-label={texts.message}
          placeholder={texts.placeholder}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKey}
        />
        {busy ? (
          <button
            type="button"
            className="button icon"
            aria-label={texts.stop}
            onClick={() => conversation.stop()}
          >
            <Square size={16} aria-hidden />
          </button>
        ) : (
          <button type="submit" className="button main icon" aria-label={texts.send} disabled={!text.trim()}>
            <ArrowUp size={18} aria-hidden />
          </button>
        )}
      </form>
    </div>
  );
}
