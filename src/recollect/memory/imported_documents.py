"""The documents of other programs' exports, kept as ``Memory.documents`` keeps others."""

from pathlib import PurePath
from typing import TYPE_CHECKING, Final

from recollect.documents.reading import digest
from recollect.documents.records import id_of, is_whole, version_of
from recollect.errors import InvalidInputError
from recollect.ingest.sources.source import BrokenRecord, SourceDocument
from recollect.text.chunks import MAX_TOKENS
from recollect.types import Scope
from recollect.types.characters import one_line
from recollect.types.filters import AllOf, Test, parse_filter

if TYPE_CHECKING:
    from recollect.memory.memory import Memory
    from recollect.protocols import Store

_KIND: Final = parse_filter({"kind": "document"})
_MOST_TITLE: Final = 200
"""Characters of a title. Chosen by hand."""
_STANDINGS: Final = {"added": "stored", "replaced": "updated", "unchanged": "duplicate"}


def standing_of(store: "Store", user: Scope, document: SourceDocument) -> str:
    """What importing a document would do: ``new``, ``updated``, ``duplicate``, or ``deleted`` before."""
    document_id = id_of(_source_of(document))
    where = AllOf((_KIND, Test("document", in_metadata=True, operator="eq", value=document_id)))
    known = store.find(user, where)
    if known:
        version = version_of(digest(document.content.encode()), MAX_TOKENS)
        return "duplicate" if is_whole(known, version) else "updated"
    return "deleted" if store.deleted(user, where, limit=1) else "new"


def keep(memory: "Memory", user: Scope, document: SourceDocument) -> str | BrokenRecord:
    """Keep a document, unless it was deleted here; returns what became of it, or why it cannot be kept."""
    standing = standing_of(memory.parts.store, user, document)
    if standing in ("duplicate", "deleted"):
        return standing
    try:
        done = memory.documents.add_text(
            document.content,
            user_id=user.user_id,
            source=_source_of(document),
            title=one_line(document.title, most=_MOST_TITLE) or None,
            format="markdown" if PurePath(document.name).suffix.lower() in (".md", ".markdown") else "text",
            timestamp=document.written_at,
        )
    except InvalidInputError as error:
        return BrokenRecord(where=document.where, reason=str(error))
    if done.status == "refused":
        return BrokenRecord(where=document.where, reason=str(done.reason))
    return "redacted" if done.reason and done.status == "added" else _STANDINGS[done.status]


def _source_of(document: SourceDocument) -> str:
    return f"{document.format}:{document.id}"
