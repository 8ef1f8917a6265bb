import { type FormEvent, useId, useState } from "react";
import type { Question } from "../../api/problem";
import { counted } from "../../design/format";
import { TEXTS } from "../../texts";
import { answer, type Item } from "./queue";

const { importing: texts } = TEXTS;
/** Stands for everybody in a dump of several users. */
const EVERYBODY = "*";
/** What a column of a table can be, as the server calls it; the first must be there. */
const COLUMNS = ["content", "timestamp", "name", "session", "role", "title", "id"] as const;

/** What columns are usually called. */
const HINTS: Readonly<Record<(typeof COLUMNS)[number], RegExp>> = {
  content: /^(content|text|message|body|words|note|memory)$/i,
  timestamp: /^(timestamp|time|date|day|created|created_at|when|at)$/i,
  name: /^(name|author|sender|from|who|speaker|user)$/i,
  session: /^(session|session_id|conversation|conversation_id|chat|thread|room|channel)$/i,
  role: /^role$/i,
  title: /^(title|subject)$/i,
  id: /^(id|nr|no|key|uuid|message_id)$/i,
};

/** What a file does not say itself, to be answered before it is imported. */
export function Asking({ item, asks }: { item: Item; asks: Question }) {
  const [given, setGiven] = useState<Readonly<Record<string, string>>>(() => guessed(asks));
  const isTable = asks.option === "columns";
  const isWhole = isTable ? Boolean(given.content) : Boolean(given[asks.option]);
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (!isWhole) return;
    answer(item.id, isTable ? { columns: columnsIn(given) } : given);
  };
  const set = (name: string) => (value: string) => setGiven({ ...given, [name]: value });
  const names = isTable ? COLUMNS : [asks.option];
  const options = optionsOf(asks, item);
  return (
    <form className="asking" onSubmit={save}>
      {isTable && <h3>{texts.questions.columns}</h3>}
      <div className={isTable ? "columns" : undefined}>
        {names.map((name) => (
          <Choice
            key={name}
            label={isTable ? texts.columns[name as (typeof COLUMNS)[number]] : questionOf(name)}
            value={given[name] ?? ""}
            options={options}
            none={isTable && name !== "content" ? texts.noColumn : texts.pick}
            onChange={set(name)}
          />
        ))}
      </div>
      <div>
        <button type="submit" className="button" disabled={!isWhole}>
          {texts.answer}
        </button>
      </div>
    </form>
  );
}

interface ChoiceProps {
  label: string;
  value: string;
  options: readonly (readonly [value: string, label: string])[];
  none: string;
  onChange: (value: string) => void;
}

function Choice({ label, value, options, none, onChange }: ChoiceProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select id={id} className="input" value={value} onChange={({ target }) => onChange(target.value)}>
        <option value="">{none}</option>
        {options.map(([choice, name]) => (
          <option key={choice} value={choice}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}

const isAsked = (option: string): option is keyof typeof texts.questions => option in texts.questions;
const questionOf = (option: string): string => (isAsked(option) ? texts.questions[option] : option);

function optionsOf({ option, choices }: Question, { report }: Item): ChoiceProps["options"] {
  const offered = option === "timezone" && choices.length === 0 ? Intl.supportedValuesOf("timeZone") : choices;
  const named = offered.map((one) => [one, labelOf(option, one, report?.speakers[one])] as const);
  return option === "owner" ? [...named, [EVERYBODY, texts.everybody] as const] : named;
}

function labelOf(option: string, choice: string, messages: number | undefined): string {
  if (option === "date_order") return texts.dateOrders[choice as keyof typeof texts.dateOrders] ?? choice;
  return messages === undefined ? choice : `${choice} (${counted(messages)})`;
}

/** What the names of a table's columns suggest. */
function guessed({ option, choices }: Question): Record<string, string> {
  if (option !== "columns") return {};
  const found = COLUMNS.map((name) => [name, choices.find((one) => HINTS[name].test(one))] as const);
  return Object.fromEntries(found.filter((pair): pair is [(typeof COLUMNS)[number], string] => !!pair[1]));
}

const columnsIn = (given: Readonly<Record<string, string>>): string =>
  COLUMNS.filter((name) => given[name])
    .map((name) => `${name}=${given[name]}`)
    .join(",");
