import { UserRound } from "lucide-react";
import { useStats, useUsers } from "../../api/queries";
import { setKey, setUser, useKey, useUser } from "../../api/user";
import { useToasts } from "../../parts/toasts";
import { TEXTS } from "../../texts";
import { OneField } from "./field";

const { settings: texts } = TEXTS;

export function Whose() {
  const user = useUser();
  const key = useKey();
  const toasts = useToasts();
  const show = (name: string) => {
    setUser(name);
    toasts.show({ text: texts.showing(name) });
  };
  return (
    <section className="card" aria-label={texts.whose}>
      <h2>{texts.whose}</h2>
      <Users onPick={show} />
      <OneField
        key={user}
        label={texts.user}
        begin={user}
        button={texts.show}
        placeholder={texts.defaultUser}
        mayBeEmpty
        hint={texts.userHint}
        onSave={show}
      />
      <OneField
        label={texts.key}
        secret
        mayBeEmpty
        button={key ? texts.replace : texts.use}
        hint={key ? texts.keyInUse : texts.keyHint}
        onSave={(text) => {
          setKey(text);
          toasts.show({ text: text ? texts.keyUsed : texts.keyForgotten });
        }}
      />
    </section>
  );
}

/** Those who have memories, where the key may see them; a click shows one. */
function Users({ onPick }: { onPick: (user: string) => void }) {
  const users = useUsers().data ?? [];
  const shown = useStats().data?.userId;
  if (users.length < 2) return null;
  return (
    <ul className="users" aria-label={texts.users}>
      {users.map((name) => (
        <li key={name}>
          <button type="button" aria-pressed={name === shown} onClick={() => onPick(name)}>
            <UserRound size={15} aria-hidden /> {name}
          </button>
        </li>
      ))}
    </ul>
  );
}
