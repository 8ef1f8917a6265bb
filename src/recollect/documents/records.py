"""Documents as records: what metadata says of a chunk, and what is told of a document."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b
from pathlib import Path
from typing import Final, Literal

from recollect.checks import path_in_words
from recollect.documents.reading import Text
from recollect.ingest.messages import Item
from recollect.lifecycle.archival import ARCHIVED
from recollect.text.chunks import Chunk, chunks_of
from recollect.types import JSON, MemoryRecord

DocumentStatus = Literal["added", "replaced", "unchanged", "removed", "refused", "skipped"]
"""What became of a document, or of a file that was looked at."""

_VERSION: Final = "2"
"""Of how documents are read and cut; another one reads them anew."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A document that is stored.

    Attributes:
        id: Its id; the same for every version of what comes from one source.
        source: Where it came from: a path, or what the caller called it.
        title: What it calls itself, else its file's name.
        format: What it was.
        chunks: In how many memories it is stored.
        digest: Equal for equal contents.
        added_at: When this version was stored.
    """

    id: str
    source: str
    title: str
    format: str
    chunks: int
    digest: str
    added_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentResult:
    """What became of a document.

    Attributes:
        source: Where it comes from.
        status: ``added``, ``replaced`` (it had changed), ``unchanged``, ``removed`` (its file is gone),
            ``refused`` (``reason`` says why, and what was stored of it before stays) or ``skipped`` (no
            document, by its name or place).
        document_id: Its id, if it is stored.
        chunks: How many memories it has now.
        reason: Why, for ``refused`` and ``skipped``; for others what was masked in it.
    """

    source: str
    status: DocumentStatus
    document_id: str | None = None
    chunks: int = 0
    reason: str | None = None


def result_of(path: Path, status: DocumentStatus, reason: str) -> DocumentResult:
    """What became of a file that was not stored; in its path U+FFFD stands for what is no character."""
    return DocumentResult(source=path_in_words(path), status=status, reason=reason)


def id_of(source: str) -> str:
    """The id of what comes from a source."""
    return f"doc-{blake2b(source.encode(), digest_size=12).hexdigest()}"


def version_of(content: str, most: int) -> str:
    """What a document is compared by: its bytes, and how they are read and cut."""
    return f"{content}-{_VERSION}-{most}"


def items_of(
    read: Text, *, source: str, version: str, max_tokens: int, happened_at: datetime | None
) -> list[Item]:
    """The chunks of a document, on their way into a store."""
    about: dict[str, JSON] = {
        "document": id_of(source),
        "title": read.title or source,
        "source": source,
        "format": read.format,
        "digest": version,
    }
    parts = list(_parts(read, max_tokens))
    return [
        Item(
            content=chunk.text,
            kind="document",
            happened_at=happened_at,
            metadata={**about, "chunk": number, "chunks": len(parts), **_place_of(chunk, page)},
            idempotency_key=f"{id_of(source)} {version} {number}",
        )
        for number, (chunk, page) in enumerate(parts)
    ]


def _parts(read: Text, max_tokens: int) -> Iterator[tuple[Chunk, int | None]]:
    """The chunks of a text, each with its page, from 1; of what has pages none goes over to the next."""
    if not read.pages:
        yield from ((chunk, None) for chunk in chunks_of(read.text, max_tokens=max_tokens))
        return
    ends = [*read.pages[1:], len(read.text)]
    start = 0
    for page, end in enumerate(ends, 1):
        if read.text[start:end].strip():  # one without words goes with the next
            yield from ((chunk, page) for chunk in chunks_of(read.text[start:end], max_tokens=max_tokens))
            start = end


def _place_of(chunk: Chunk, page: int | None) -> dict[str, JSON]:
    told: dict[str, JSON] = {}
    if chunk.headings:
        told["headings"] = list(chunk.headings)
    if chunk.lead:
        told["lead"] = chunk.lead
    if page is not None:
        told["page"] = page
    return told


def is_whole(known: Sequence[MemoryRecord], version: str) -> bool:
    """Whether just this version is stored, all of it and in sight."""
    return bool(known) and all(
        record.metadata.get("digest") == version
        and record.metadata.get("chunks") == len(known)
        and record.tier != ARCHIVED
        for record in known
    )


def document_of(first: MemoryRecord) -> Document:
    """What the first chunk of a document tells of it."""
    told = first.metadata
    count = told.get("chunks")
    return Document(
        id=str(told.get("document")),
        source=str(told.get("source")),
        title=str(told.get("title")),
        format=str(told.get("format")),
        chunks=count if isinstance(count, int) else 0,
        digest=str(told.get("digest")).split("-")[0],
        added_at=first.times.created_at,
    )


def number_of(record: MemoryRecord) -> int:
    """Which chunk it is, from 0."""
    number = record.metadata.get("chunk")
    return number if isinstance(number, int) else 0
