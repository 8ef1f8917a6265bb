// Records which sources the built files were made from; tests/server/test_web_build.py makes the same sum.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const GENERATED = "src/api/schema.ts"; // types only: nothing of it is in the built files

function filesUnder(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).replaceAll("\\", "/"));
}

export function sumOfSources() {
  const files = [
    ...filesUnder("src"),
    ...filesUnder("public"),
    "index.html",
    "package-lock.json",
    "vite.config.ts",
  ];
  const sum = createHash("sha256");
  for (const file of files.filter((name) => name !== GENERATED).sort()) {
    sum.update(`${file}\0`).update(readFileSync(file)).update("\0");
  }
  return sum.digest("hex");
}

writeFileSync("../src/recollect/server/web/sources.json", `${JSON.stringify({ sha256: sumOfSources() })}\n`);
