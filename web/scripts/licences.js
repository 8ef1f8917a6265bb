// Writes the licences of everything that the built files contain beside them.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";

const NAME = /^(licen[sc]e|copying|unlicense)/i;
const seen = new Map();

function collect(name) {
  const folder = `node_modules/${name}`;
  if (seen.has(name) || !existsSync(`${folder}/package.json`)) return;
  const { version, license, dependencies = {} } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
  const file = readdirSync(folder).find((one) => NAME.test(one));
  seen.set(
    name,
    `${name} ${version} (${license})\n\n${file ? readFileSync(`${folder}/${file}`, "utf8").trim() : ""}`,
  );
  for (const one of Object.keys(dependencies)) collect(one);
}

const { dependencies } = JSON.parse(readFileSync("package.json", "utf8"));
for (const name of Object.keys(dependencies)) collect(name);
const texts = [...seen].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, text]) => text);
writeFileSync("../src/recollect/server/web/LICENSES.txt", `${texts.join(`\n\n${"-".repeat(80)}\n\n`)}\n`);
