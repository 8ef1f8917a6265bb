import { Check, Copy } from "lucide-react";
import { lexer, type Token, type Tokens } from "marked";
import { Fragment, type ReactNode, useMemo, useState } from "react";
import { TEXTS } from "../../texts";

/** Turns the number of a citation into what is shown for it; null leaves `[n]` as text. */
export type Cite = (number: number) => ReactNode;

const CITATION = /\[(\d{1,3})\]/;
const SAFE_LINK = /^(https?:|mailto:)/i;
const COPIED_MS = 1_500;

/** An answer's Markdown as elements. HTML in it is shown as text; pictures are shown as links. */
export function Markdown({ text, cite }: { text: string; cite: Cite }) {
  const tokens = useMemo(() => lexer(text, { gfm: true, breaks: true }), [text]);
  return <Blocks tokens={tokens} cite={cite} />;
}

function Blocks({ tokens, cite }: { tokens: readonly Token[]; cite: Cite }) {
  return tokens.map((token, place) => <Block key={place} token={token} cite={cite} />);
}

function Block({ token, cite }: { token: Token; cite: Cite }): ReactNode {
  switch (token.type) {
    case "heading":
      return (
        <p className="heading">
          <Inline tokens={token.tokens ?? []} cite={cite} />
        </p>
      );
    case "paragraph":
      return (
        <p>
          <Inline tokens={token.tokens ?? []} cite={cite} />
        </p>
      );
    case "list":
      return <List list={token as Tokens.List} cite={cite} />;
    case "blockquote":
      return (
        <blockquote>
          <Blocks tokens={token.tokens ?? []} cite={cite} />
        </blockquote>
      );
    case "code":
      return <Code text={String(token.text)} />;
    case "table":
      return <Table table={token as Tokens.Table} cite={cite} />;
    case "hr":
      return <hr />;
    case "space":
    case "def":
      return null;
    default:
      return <Inline tokens={within(token) ?? [token]} cite={cite} />;
  }
}

function List({ list, cite }: { list: Tokens.List; cite: Cite }) {
  const items = list.items.map((item, place) => (
    <li key={place}>
      <Blocks tokens={item.tokens} cite={cite} />
    </li>
  ));
  return list.ordered ? <ol start={Number(list.start) || 1}>{items}</ol> : <ul>{items}</ul>;
}

function Table({ table, cite }: { table: Tokens.Table; cite: Cite }) {
  const cells = (row: readonly Tokens.TableCell[], Cell: "th" | "td") => (
    <tr>
      {row.map((cell, place) => (
        <Cell key={place}>
          <Inline tokens={cell.tokens} cite={cite} />
        </Cell>
      ))}
    </tr>
  );
  return (
    <div className="scroll" tabIndex={0} role="group" aria-label={TEXTS.chat.table}>
      <table className="grid-table">
        <thead>{cells(table.header, "th")}</thead>
        <tbody>
          {table.rows.map((row, place) => (
            <Fragment key={place}>{cells(row, "td")}</Fragment>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Code({ text }: { text: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    window.setTimeout(() => setCopied(false), COPIED_MS);
  };
  return (
    <div className="code">
      <pre tabIndex={0} role="group" aria-label={TEXTS.chat.code}>
        <code>{text}</code>
      </pre>
      {window.isSecureContext && (
        <button type="button" className="button little" onClick={() => void copy()}>
          {copied ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />}
          {copied ? TEXTS.chat.copied : TEXTS.chat.copy}
        </button>
      )}
    </div>
  );
}

function Inline({ tokens, cite }: { tokens: readonly Token[]; cite: Cite }) {
  return tokens.map((token, place) => (
    <Fragment key={place}>
      <Span token={token} cite={cite} />
    </Fragment>
  ));
}

const within = (token: Token): Token[] | undefined => ("tokens" in token ? token.tokens : undefined);

function Span({ token, cite }: { token: Token; cite: Cite }): ReactNode {
  const inside = <Inline tokens={within(token) ?? []} cite={cite} />;
  switch (token.type) {
    case "strong":
      return <strong>{inside}</strong>;
    case "em":
      return <em>{inside}</em>;
    case "del":
      return <del>{inside}</del>;
    case "codespan":
      return <code>{String(token.text)}</code>;
    case "br":
      return <br />;
    case "link":
      return <Away href={String(token.href)}>{inside}</Away>;
    case "image":
      return <Away href={String(token.href)}>{String(token.text)}</Away>;
    case "text":
      return token.tokens ? inside : <Cited text={String(token.text)} cite={cite} />;
    case "escape":
      return String(token.text);
    default:
      return String(token.raw);
  }
}

function Away({ href, children }: { href: string; children: ReactNode }) {
  if (!SAFE_LINK.test(href)) return children;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}

/** Words in which each `[n]` that names a source is shown as `cite` says. */
function Cited({ text, cite }: { text: string; cite: Cite }) {
  return text.split(CITATION).map((piece, place) => {
    const shown = place % 2 ? (cite(Number(piece)) ?? `[${piece}]`) : piece;
    return <Fragment key={place}>{shown}</Fragment>;
  });
}
