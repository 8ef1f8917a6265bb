/** Fails when words that reach the screen stand anywhere but in `src/texts.ts`. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

const SOURCES = new URL("../src", import.meta.url).pathname;
/** The texts themselves, and what is made from the server's OpenAPI. */
const NOT_READ = ["texts.ts", "schema.ts"];
/** Attributes of which a text is never shown. */
const SILENT = ["className", "d", "href", "points", "rel", "transform", "viewBox"];
/** A sentence, a phrase, or a word with a capital; "sm-wide", "POST" and "Escape" as a key are none. */
const WORDS = /^\s*[A-Z][a-z]+\b|[A-Za-z]{2,} [A-Za-z]{2,}/;
/** What begins like a word and is a name of the platform or of the API. */
const NAMES =
  /^(Alt|Arrow\w+|Authorization|Bearer |Content-Type|Ctrl|End|Enter|Escape|Files|Home|Shift|Tab|User)/;

/** Never shown: a relation that the engine writes, words that are not marked, and errors of a programmer. */
const NOT_SHOWN = ["is named", "the and you for", "index.html has no", "useToasts needs"];

const found = [];

function read(node, source) {
  if (isShown(node)) {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
    found.push(`${source.fileName.slice(SOURCES.length + 1)}:${line + 1}: ${node.text.trim()}`);
  }
  ts.forEachChild(node, (child) => read(child, source));
}

function isShown(node) {
  if (ts.isJsxText(node)) return /[A-Za-z]/.test(node.text);
  const isText =
    ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node);
  if (!isText || ts.isImportDeclaration(node.parent) || ts.isLiteralTypeNode(node.parent)) return false;
  if (ts.isJsxAttribute(node.parent) && /[A-Za-z]/.test(node.text) && isLabel(node.parent)) return true;
  const shown = WORDS.test(node.text) && !NOT_SHOWN.some((one) => node.text.startsWith(one));
  return shown && !NAMES.test(node.text) && !isSilent(node);
}

const isLabel = (attribute) => /^(aria-label|alt|label|placeholder|title)$/.test(attribute.name.getText());

function isSilent(node) {
  for (let up = node.parent; up; up = up.parent) {
    if (ts.isJsxAttribute(up)) return SILENT.includes(up.name.getText());
    if (ts.isStatement(up)) return false;
  }
  return false;
}

for (const name of readdirSync(SOURCES, { recursive: true })) {
  if (!/\.tsx?$/.test(name) || NOT_READ.some((one) => name.endsWith(one))) continue;
  const path = join(SOURCES, name);
  const kind = name.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true, kind);
  read(source, source);
}
if (found.length > 0) {
  console.error(`Words that belong in src/texts.ts:\n${found.join("\n")}`);
  process.exit(1);
}
