"""Records of documents: the metadata of chunks, and the results of adding."""

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
"""The result of adding a document or file."""

_VERSION: Final = "2"
"""Version of reading and chunking; a new one reads all documents again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A stored document.

    Attributes:
        id: Its id; all versions from one source share it.
        source: Its path, or the name given by the caller.
        title: Its own title, else its file name.
        format: The original format.
        chunks: The number of its chunks, each a memory.
        digest: A digest of its contents.
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
    """The result of adding or removing a document.

    Attributes:
        source: Its path, URL or name.
        status: ``added``, ``replaced`` (it had changed), ``unchanged``, ``removed`` (its file is gone),
            ``refused`` (``reason`` says why; the stored version stays) or ``skipped`` (not a document by its
            name or location).
        document_id: Its id, if it is stored.
        chunks: The number of its chunks.
        reason: Why it was ``refused`` or ``skipped``; otherwise what was masked in it.
    """

    source: str
    status: DocumentStatus
    document_id: str | None = None
    chunks: int = 0
    reason: str | None = None


def result_of(path: Path, status: DocumentStatus, reason: str) -> DocumentResult:
    """Make the result of a file that was not stored; U+FFFD replaces invalid bytes of its path."""
    return DocumentResult(source=path_in_words(path), status=status, reason=reason)


def id_of(source: str) -> str:
    """Return the document id of a source."""
    return f"doc-{blake2b(source.encode(), digest_size=12).hexdigest()}"


def version_of(content: str, most: int) -> str:
    """Return the version of a document: the digest of its bytes, and how they are read and chunked."""
    return f"{content}-{_VERSION}-{most}"


def items_of(
    read: Text, *, source: str, version: str, max_tokens: int, happened_at: datetime | None
) -> list[Item]:
    """Make the items to store for a document, one per chunk."""
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
    """Yield the chunks of a text with their page, from 1 or None; no chunk spans two pages."""
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
    place: dict[str, JSON] = {}
    if chunk.headings:
        place["headings"] = list(chunk.headings)
    if chunk.lead:
        place["lead"] = chunk.lead
    if page is not None:
        place["page"] = page
    return place


def is_whole(known: Sequence[MemoryRecord], version: str) -> bool:
    """Whether exactly this version is stored, completely and not archived."""
    return bool(known) and all(
        record.metadata.get("digest") == version
        and record.metadata.get("chunks") == len(known)
        and record.tier != ARCHIVED
        for record in known
    )


def document_of(first: MemoryRecord) -> Document:
    """Read a document's fields from the metadata of its first chunk."""
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
    """Return the number of a chunk in its document, from 0."""
    number = record.metadata.get("chunk")
    return number if isinstance(number, int) else 0
