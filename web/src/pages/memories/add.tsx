import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import * as api from "../../api/memories";
import { Drawer } from "../../parts/drawer";
import { Failed } from "../../parts/states";
import { useToasts } from "../../parts/toasts";
import { TEXTS } from "../../texts";

const { adding: texts } = TEXTS;

/** A form that adds one memory. */
export function AddDrawer({ onClose }: { onClose: () => void }) {
  const [content, setContent] = useState("");
  const [critical, setCritical] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const queries = useQueryClient();
  const toasts = useToasts();
  const save = async (event: FormEvent) => {
    event.preventDefault();
    try {
      const result = await api.add({ content: content.trim(), critical });
      if (result.status === "refused") throw new Error(result.reason ?? texts.refused);
      toasts.show({
        text: result.status === "redacted" ? texts.masked(result.reason ?? texts.something) : texts.stored,
      });
      await queries.invalidateQueries();
      onClose();
    } catch (problem) {
      setError(problem);
    }
  };
  return (
    <Drawer title={texts.title} onClose={onClose}>
      <form className="stack" onSubmit={(event) => void save(event)}>
        <div className="field">
          <label htmlFor="new-words">{texts.words}</label>
          <textarea
            id="new-words"
            className="input words"
            rows={6}
            autoFocus
            value={content}
            onChange={(event) => setContent(event.target.value)}
          />
          <p className="hint">{texts.hint} </p>
        </div>
        <label className="check">
          <input type="checkbox" checked={critical} onChange={(event) => setCritical(event.target.checked)} />
          {texts.critical}{" "}
        </label>
        {error != null && <Failed error={error} what={texts.notStored} />}
        <div className="row">
          <button type="submit" className="button main" disabled={!content.trim()}>
            {texts.save}{" "}
          </button>
          <button type="button" className="button" onClick={onClose}>
            {texts.cancel}{" "}
          </button>
        </div>
      </form>
    </Drawer>
  );
}
