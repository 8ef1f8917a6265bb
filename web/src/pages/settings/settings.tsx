import "./settings.css";
import { useQueryClient } from "@tanstack/react-query";
import { Download, Upload } from "lucide-react";
import { type FormEvent, type ReactNode, useId, useRef, useState } from "react";
import * as api from "../../api/memories";
import * as figures from "../../api/figures";
import { useStats } from "../../api/queries";
import { setKey, setUser, useKey, useUser } from "../../api/user";
import { many, plain } from "../../design/format";
import { currentTheme, setTheme, type Theme, THEMES } from "../../design/theme";
import { Page } from "../../parts/page";
import { Failed, Spinner } from "../../parts/states";
import { useToasts } from "../../parts/toasts";

export default function Settings() {
  return (
    <Page title="Settings" lead="The user, the access key, the models, import and export, and the theme.">
      <div className="settings">
        <Whose />
        <Models />
        <Moving />
        <ThemeChoice />
      </div>
    </Page>
  );
}

/** One text with a button beside it; what fails is said below. */
function OneField({
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
      {error != null && <Failed error={error} what="It was not changed." />}
    </form>
  );
}

function Whose() {
  const user = useUser();
  const key = useKey();
  const toasts = useToasts();
  return (
    <section className="card" aria-label="Whose memories">
      <h2>Whose memories</h2>
      <OneField
        key={user}
        label="User"
        begin={user}
        button="Show"
        placeholder="default user"
        mayBeEmpty
        hint="The user id that your program gives to add and search. Leave it empty for the key's owner or the server's default user."
        onSave={(text) => {
          setUser(text);
          toasts.show({
            text: text ? `Showing the memories of ${text}.` : "Showing the default user's memories.",
          });
        }}
      />
      <OneField
        label="Access key"
        secret
        mayBeEmpty
        button={key ? "Replace" : "Use"}
        hint={
          key ? (
            "A key is in use until this tab is closed; leave the field empty to forget it."
          ) : (
            <>
              Only for a server that asks for one: <code>recollect keys create</code> makes it. It is kept
              until this tab is closed.
            </>
          )
        }
        onSave={(text) => {
          setKey(text);
          toasts.show({ text: text ? "The key is used from now on." : "The key is forgotten." });
        }}
      />
    </section>
  );
}

function Models() {
  const stats = useStats();
  const toasts = useToasts();
  const queries = useQueryClient();
  const has = stats.data?.hasApiKey ?? false;
  return (
    <section className="card" aria-label="Models">
      <h2>Models</h2>
      {stats.error != null ? (
        <Failed
          error={stats.error}
          retry={() => void stats.refetch()}
          what="The server's state could not be loaded."
        />
      ) : stats.isPending ? (
        <Spinner label="Asking the server" />
      ) : (
        <TasksDone models={stats.data.models} />
      )}
      <OneField
        label="API key of the model's server"
        secret
        button={has ? "Replace" : "Set"}
        hint={
          has
            ? "A key is set. It is never shown again."
            : "The server keeps it in RAM until it stops. It is never shown again and never logged."
        }
        onSave={async (text) => {
          await figures.setModelKey(text);
          await queries.invalidateQueries();
          toasts.show({ text: "The API key is set." });
        }}
      />
      {stats.data && <Override tasks={Object.keys(stats.data.models)} />}
    </section>
  );
}

function TasksDone({ models }: { models: Readonly<Record<string, string | null>> }) {
  if (Object.values(models).every((name) => name === null)) {
    return (
      <p className="soft">
        No model is set: answers quote the memories that came up. Everything else works without one.
      </p>
    );
  }
  return (
    <dl className="facts">
      {Object.entries(models).map(([task, name]) => (
        <div key={task} className="contents">
          <dt>{plain(task)}</dt>
          <dd>{name ?? "nobody"}</dd>
        </div>
      ))}
    </dl>
  );
}

function Override({ tasks }: { tasks: readonly string[] }) {
  const [task, setTask] = useState(tasks[0] ?? "");
  const toasts = useToasts();
  const queries = useQueryClient();
  const id = useId();
  return (
    <>
      <div className="field">
        <label htmlFor={id}>Task</label>
        <select id={id} className="input" value={task} onChange={(event) => setTask(event.target.value)}>
          {tasks.map((one) => (
            <option key={one} value={one}>
              {plain(one)}
            </option>
          ))}
        </select>
      </div>
      <OneField
        label="Model"
        button="Use"
        placeholder="gpt-4o-mini"
        hint="The name of the model to use for this task until the server stops."
        onSave={async (text) => {
          await figures.overrideModel(task, text);
          await queries.invalidateQueries();
          toasts.show({ text: `${text} is used for ${plain(task).toLowerCase()}.` });
        }}
      />
    </>
  );
}

function Moving() {
  const [busy, setBusy] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const file = useRef<HTMLInputElement>(null);
  const toasts = useToasts();
  const queries = useQueryClient();
  const during = async (what: string, step: () => Promise<string>) => {
    setBusy(what);
    setError(null);
    try {
      toasts.show({ text: await step() });
    } catch (problem) {
      setError(problem);
    }
    setBusy(null);
  };
  const take = async (chosen: File) => {
    await during("Importing", async () => {
      const { stored, duplicates } = await api.imported(chosen);
      await queries.invalidateQueries();
      return `${many(stored, "memory", "memories")} added, ${many(duplicates, "was", "were")} there already.`;
    });
    if (file.current) file.current.value = "";
  };
  return (
    <section className="card" aria-label="Import and export">
      <h2>Import and export</h2>
      <p className="soft">
        A JSON Lines file with every memory, whole: words, labels, times, sources. Importing adds what is not
        there, and changes nothing else.
      </p>
      <div className="row wrap">
        <button
          type="button"
          className="button"
          disabled={busy !== null}
          onClick={() => void during("Exporting", exported)}
        >
          <Download size={16} aria-hidden /> Export
        </button>
        <button
          type="button"
          className="button"
          disabled={busy !== null}
          onClick={() => file.current?.click()}
        >
          <Upload size={16} aria-hidden /> Import
        </button>
        <input
          ref={file}
          type="file"
          className="unseen"
          tabIndex={-1}
          aria-label="File to import"
          accept=".jsonl,.ndjson,application/x-ndjson"
          onChange={(event) => {
            const chosen = event.target.files?.[0];
            if (chosen) void take(chosen);
          }}
        />
        {busy && <Spinner label={busy} />}
      </div>
      {error != null && <Failed error={error} what="It failed." />}
    </section>
  );
}

async function exported(): Promise<string> {
  const words = await api.exported();
  const link = document.createElement("a");
  link.href = URL.createObjectURL(words);
  link.download = `recollect-${new Date().toISOString().slice(0, 10)}.jsonl`;
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  return "Exported.";
}

function ThemeChoice() {
  const [theme, change] = useState<Theme>(currentTheme);
  return (
    <section className="card" aria-label="Theme">
      <h2>Theme</h2>
      <fieldset className="choice">
        <legend className="unseen">Colours</legend>
        {THEMES.map((one) => (
          <label key={one}>
            <input
              type="radio"
              name="theme"
              value={one}
              checked={theme === one}
              onChange={() => {
                setTheme(one);
                change(one);
              }}
            />
            {one === "system" ? "System" : plain(one)}
          </label>
        ))}
      </fieldset>
    </section>
  );
}
