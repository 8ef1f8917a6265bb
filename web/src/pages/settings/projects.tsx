import { useQueryClient } from "@tanstack/react-query";
import { renameProject } from "../../api/projects";
import { useProjects } from "../../api/queries";
import { dayOf } from "../../design/format";
import { useToasts } from "../../parts/toasts";
import { TEXTS } from "../../texts";
import { OneField } from "./field";

const { projects: texts } = TEXTS;

/** What coding agents worked on, with a name to change; nothing where no agent did. */
export function Projects() {
  const found = useProjects().data ?? [];
  const toasts = useToasts();
  const queries = useQueryClient();
  if (found.length === 0) return null;
  const rename = async (old: string, name: string) => {
    if (name === old) return;
    const moved = await renameProject(old, name);
    toasts.show({ text: texts.renamed(moved, name) });
    await queries.invalidateQueries();
  };
  return (
    <section className="card" aria-label={texts.title}>
      <h2>{texts.title}</h2>
      <p className="soft">{texts.lead}</p>
      {found.map((one) => (
        <OneField
          key={one.name}
          label={texts.nameOf(one.name)}
          begin={one.name}
          button={texts.rename}
          hint={texts.about(one.messages, one.hosts, dayOf(one.last_at))}
          onSave={(name) => rename(one.name, name)}
        />
      ))}
    </section>
  );
}
