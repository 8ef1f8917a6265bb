"""Citations of documents: [1], [2], with title and snippet."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from recollect.context.excerpts import Excerpts
from recollect.text.quoting import on_one_line
from recollect.text.tokens import estimate_tokens
from recollect.types import JSON, Recollection
from recollect.types.codec import fields_to_json, recollection_to_json
from recollect.types.regex import lazy_regex

_HEADINGS: Final = lazy_regex(r"^ {0,3}#{1,6} .*$", re.MULTILINE)
SNIPPET_TOKENS: Final = 60
"""Tokens of a snippet: two or three sentences. Chosen by hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """A chunk of a document, as an answer cites it.

    Attributes:
        snippet: The sentences that answer the query, on one line; "…" marks omissions.
        document_id: The document's id; see ``Documents.get`` and ``Documents.text``.
        source: The document's path, URL or name.
        page: The page the chunk begins on, from 1; None without pages.
        hit: The chunk, with its score.
    """

    number: int
    title: str
    snippet: str
    document_id: str
    source: str
    page: int | None
    hit: Recollection

    def __str__(self) -> str:
        """``[1] title: snippet``, as Second Brain writes it."""
        return f"[{self.number}] {self.title}: {self.snippet}"


def citation_to_json(citation: Citation) -> dict[str, JSON]:
    """A citation as plain JSON values."""
    return {**fields_to_json(citation, without=("hit",)), "hit": recollection_to_json(citation.hit)}


def cite(
    hits: Sequence[Recollection], *, query_terms: Iterable[str], terms_of: Callable[[str], Iterable[str]]
) -> list[Citation]:
    """Make citations of chunks, numbered from 1 in their order."""
    excerpts = Excerpts(frozenset(query_terms), terms_of=terms_of, count_tokens=estimate_tokens)
    return [_citation(number, hit, excerpts) for number, hit in enumerate(hits, 1)]


def _citation(number: int, hit: Recollection, excerpts: Excerpts) -> Citation:
    told = hit.memory.metadata
    words = _HEADINGS.sub("", hit.memory.content).strip() or hit.memory.content
    snippet = words if estimate_tokens(words) <= SNIPPET_TOKENS else excerpts.of(words, SNIPPET_TOKENS)
    page = told.get("page")
    return Citation(
        number=number,
        title=on_one_line(str(told.get("title") or hit.memory.kind)),
        snippet=on_one_line(snippet),
        document_id=str(told.get("document") or ""),
        source=str(told.get("source") or ""),
        page=page if isinstance(page, int) else None,
        hit=hit,
    )
