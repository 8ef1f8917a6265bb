import { type FormEvent, type ReactNode, useId, useState } from "react";
import { Failed } from "../../parts/states";
import { TEXTS } from "../../texts";

const { settings: texts } = TEXTS;

/** One text with a button beside it; what fails is said below. */
export function OneField({
  label,
  hint,
  button,
  secret = false,
  begin = "",
  mayBeEmpty = false,
  placeholder,
  onSave,
}: {
  label: string;
  hint: ReactNode;
  button: string;
  secret?: boolean;
  begin?: string;
  mayBeEmpty?: boolean;
  placeholder?: string;
  onSave: (text: string) => Promise<void> | void;
}) {
  const [text, setText] = useState(begin);
  const [error, setError] = useState<unknown>(null);
  const id = useId();
  const save = async (event: FormEvent) => {
    event.preventDefault();
    setError(null);
    try {
      await onSave(text.trim());
      if (secret) setText("");
    } catch (problem) {
      setError(problem);
    }
  };
  return (
    <form onSubmit={(event) => void save(event)}>
      <div className="field">
        <label htmlFor={id}>{label}</label>
        <div className="beside">
          <input
            id={id}
            className="input"
            type={secret ? "password" : "text"}
            autoComplete="off"
            spellCheck={false}
            placeholder={placeholder}
            value={text}
            onChange={(event) => setText(event.target.value)}
            aria-invalid={error != null}
            aria-describedby={`${id}-hint`}
          />
          <button type="submit" className="button" disabled={!mayBeEmpty && !text.trim()}>
            {button}
          </button>
        </div>
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      </div>
      {error != null && <Failed error={error} what={texts.notChanged} />}
    </form>
  );
}
