import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import * as api from "../../api/memories";
import { Drawer } from "../../parts/drawer";
import { Failed } from "../../parts/states";
import { useToasts } from "../../parts/toasts";

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
      if (result.status === "refused") throw new Error(result.reason ?? "It was refused.");
      toasts.show({
        text:
          result.status === "redacted" ? `Stored; ${result.reason ?? "something was masked"}.` : "Stored.",
      });
      await queries.invalidateQueries();
      onClose();
    } catch (problem) {
      setError(problem);
    }
  };
  return (
    <Drawer title="Add a memory" onClose={onClose}>
      <form className="stack" onSubmit={(event) => void save(event)}>
        <div className="field">
          <label htmlFor="new-words">What should be remembered?</label>
          <textarea
            id="new-words"
            className="input words"
            rows={6}
            autoFocus
            value={content}
            onChange={(event) => setContent(event.target.value)}
          />
          <p className="hint">
            It is stored word for word; dates, names and tags are found in it. Passwords and keys are masked.
          </p>
        </div>
        <label className="check">
          <input type="checkbox" checked={critical} onChange={(event) => setCritical(event.target.checked)} />
          Critical: it never fades
        </label>
        {error != null && <Failed error={error} what="It was not stored." />}
        <div className="row">
          <button type="submit" className="button main" disabled={!content.trim()}>
            Remember
          </button>
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Drawer>
  );
}
