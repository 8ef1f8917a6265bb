// Makes src/schema.ts from the OpenAPI on the standard input (scripts/openapi.py), and notes which it was.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import openapiTS, { astToString } from "openapi-typescript";

const document = readFileSync(0, "utf8");
const sum = createHash("sha256").update(document).digest("hex");
const types = astToString(await openapiTS(JSON.parse(document), { defaultNonNullable: false }));
writeFileSync("src/schema.ts", `// Made by \`make client-types\` from OpenAPI ${sum}\n\n${types}`);
