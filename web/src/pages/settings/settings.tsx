import "./settings.css";
import { useState } from "react";
import { plain } from "../../design/format";
import { currentTheme, setTheme, type Theme, THEMES } from "../../design/theme";
import { Page } from "../../parts/page";
import { TEXTS } from "../../texts";
import { Data, Erase } from "./data";
import { Models } from "./models";
import { Projects } from "./projects";
import { Whose } from "./whose";

const { settings: texts } = TEXTS;

export default function Settings() {
  return (
    <Page title={texts.title} lead={texts.lead}>
      <div className="settings">
        <Whose />
        <Data />
        <Projects />
        <Models />
        <ThemeChoice />
        <Erase />
      </div>
    </Page>
  );
}

function ThemeChoice() {
  const [theme, change] = useState<Theme>(currentTheme);
  return (
    <section className="card" aria-label={texts.theme}>
      <h2>{texts.theme}</h2>
      <fieldset className="choice">
        <legend className="unseen">{texts.colours}</legend>
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
            {one === "system" ? texts.system : plain(one)}
          </label>
        ))}
      </fieldset>
    </section>
  );
}
