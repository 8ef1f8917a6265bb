import "./import.css";
import { FilePlus2, FolderPlus } from "lucide-react";
import { useRef } from "react";
import { useStats } from "../../api/queries";
import { Page } from "../../parts/page";
import { TEXTS } from "../../texts";
import { chosen, type Folder } from "./folders";
import { ItemCard } from "./item";
import { start, useItems } from "./queue";
import { useTake } from "./taking";

const { importing: texts } = TEXTS;
/** Makes a field one for a folder; React does not know it. */
const FOLDERS = { webkitdirectory: "" };

/** Files in: first what each is and what it would bring, then, on a click, the import. */
export default function Import() {
  const items = useItems();
  const ready = items.filter(({ phase }) => phase === "ready").length;
  return (
    <Page title={texts.title} lead={texts.lead}>
      <div className="importing">
        <Choosing small={items.length > 0} />
        {items.length > 0 && (
          <ul className="files" aria-label={texts.list}>
            {items.map((item) => (
              <ItemCard
                key={item.id}
                item={item}
                isOneOfSeveral={items.some(({ id, name }) => id !== item.id && name === item.name)}
              />
            ))}
          </ul>
        )}
        {ready > 0 && (
          <div className="go">
            <button type="button" className="button main" onClick={start}>
              {texts.start(ready)}
            </button>
            <span className="small soft">{texts.startHint}</span>
          </div>
        )}
      </div>
    </Page>
  );
}

function Choosing({ small }: { small: boolean }) {
  const take = useTake();
  const role = useStats().data?.role ?? "admin";
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const taken = (field: HTMLInputElement, given: readonly (File | Folder)[]) => {
    take(given);
    field.value = "";
  };
  return (
    <section className={small ? "choosing small-one" : "choosing"} aria-label={texts.choosing}>
      {!small && (
        <>
          <FilePlus2 size={32} strokeWidth={1.5} aria-hidden />
          {role !== "reader" && <h2>{role === "admin" ? texts.drop : texts.dropDocuments}</h2>}
          {role === "admin" && <p className="soft">{texts.dropHint}</p>}
        </>
      )}
      {role !== "admin" && <p>{texts.who[role]}</p>}
      <div className="row wrap">
        {role !== "reader" && (
          <button type="button" className="button" onClick={() => files.current?.click()}>
            <FilePlus2 size={16} aria-hidden /> {texts.choose}
          </button>
        )}
        {role === "admin" && (
          <button type="button" className="button" onClick={() => folder.current?.click()}>
            <FolderPlus size={16} aria-hidden /> {texts.chooseFolder}
          </button>
        )}
        {small && <span className="small soft">{texts.orDrop}</span>}
      </div>
      <input
        ref={files}
        type="file"
        multiple
        className="unseen"
        tabIndex={-1}
        aria-label={texts.chosen}
        onChange={({ target }) => taken(target, [...(target.files ?? [])])}
      />
      <input
        ref={folder}
        type="file"
        {...FOLDERS}
        className="unseen"
        tabIndex={-1}
        aria-label={texts.chosenFolder}
        onChange={({ target }) => taken(target, chosen([...(target.files ?? [])]))}
      />
    </section>
  );
}
