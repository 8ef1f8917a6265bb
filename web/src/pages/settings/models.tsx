import { useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import * as figures from "../../api/figures";
import { useStats } from "../../api/queries";
import { plain } from "../../design/format";
import { Failed, Spinner } from "../../parts/states";
import { useToasts } from "../../parts/toasts";
import { TEXTS } from "../../texts";
import { OneField } from "./field";

const { settings: texts } = TEXTS;

export function Models() {
  const stats = useStats();
  const toasts = useToasts();
  const queries = useQueryClient();
  const has = stats.data?.hasApiKey ?? false;
  return (
    <section className="card" aria-label={texts.models}>
      <h2>{texts.models}</h2>
      {stats.error != null ? (
        <Failed error={stats.error} retry={() => void stats.refetch()} what={texts.noState} />
      ) : stats.isPending ? (
        <Spinner label={texts.asking} />
      ) : (
        <TasksDone models={stats.data.models} />
      )}
      <OneField
        label={texts.modelKey}
        secret
        button={has ? texts.replace : texts.set}
        hint={has ? texts.modelKeySet : texts.modelKeyHint}
        onSave={async (text) => {
          await figures.setModelKey(text);
          await queries.invalidateQueries();
          toasts.show({ text: texts.modelKeyDone });
        }}
      />
      {stats.data && <Override tasks={Object.keys(stats.data.models)} />}
    </section>
  );
}

function TasksDone({ models }: { models: Readonly<Record<string, string | null>> }) {
  if (Object.values(models).every((name) => name === null)) {
    return <p className="soft">{texts.noModel}</p>;
  }
  return (
    <dl className="facts">
      {Object.entries(models).map(([task, name]) => (
        <div key={task} className="contents">
          <dt>{plain(task)}</dt>
          <dd>{name ?? texts.nobody}</dd>
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
        <label htmlFor={id}>{texts.task}</label>
        <select id={id} className="input" value={task} onChange={(event) => setTask(event.target.value)}>
          {tasks.map((one) => (
            <option key={one} value={one}>
              {plain(one)}
            </option>
          ))}
        </select>
      </div>
      <OneField
        label={texts.model}
        button={texts.use}
        placeholder={texts.modelExample}
        hint={texts.modelHint}
        onSave={async (text) => {
          await figures.overrideModel(task, text);
          await queries.invalidateQueries();
          toasts.show({ text: texts.modelUsed(text, plain(task).toLowerCase()) });
        }}
      />
    </>
  );
}
