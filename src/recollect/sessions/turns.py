"""What was said in a session, as a page shows it again: the messages with the sources of each answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from recollect.ingest.conversations import thread_of
from recollect.protocols import Store
from recollect.types import JSON, MemoryRecord, Scope
from recollect.types.codec import fields_to_json
from recollect.types.filters import parse_filter


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnSource:
    """A document that an answer could cite.

    Attributes:
        number: The answer cites it as [1], [2] and so on.
        title: The document's title.
        document_id: Its id, as ``Documents.get`` takes it.
        source: Its path, URL or name.
        page: The page of the part that was cited, from 1; None without pages.
        memory_id: The memory that holds the part that was cited.
        deleted: Whether the document was deleted since.
    """

    number: int
    title: str
    document_id: str
    source: str
    page: int | None
    memory_id: str
    deleted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionTurn:
    """A message of a session.

    Attributes:
        id: The memory.
        role: Who said it: ``user``, ``assistant`` and so on.
        speaker: The speaker's name; None without one.
        content: The words.
        said_at: When.
        model: The model that answered; None for other messages.
        cut_off: Whether the model failed before the answer was complete.
        sources: The documents that an answer could cite, [1] first.
    """

    id: str
    role: str
    speaker: str | None
    content: str
    said_at: datetime
    model: str | None
    cut_off: bool
    sources: tuple[TurnSource, ...]

    def to_dict(self) -> dict[str, JSON]:
        """The fields by their names; times as ISO 8601 UTC."""
        return fields_to_json(self)


def turns_in(store: Store, scope: Scope, *, limit: int | None) -> list[SessionTurn]:
    """The last messages of a session, oldest first."""
    user = Scope(user_id=scope.user_id)
    where = parse_filter({"kind": "message", "thread": thread_of(scope)})  # stores index threads
    said = store.find(user, where, limit=limit, newest_first=True)
    records = sorted(said, key=lambda one: one.origin.turn)
    cited = {id_ for record in records for one in _sources(record) if (id_ := _text(one, "document_id"))}
    live = _live(store, user, sorted(cited))
    return [_turn(record, live) for record in records]


def _live(store: Store, user: Scope, documents: Sequence[str]) -> set[str]:
    """Those documents that were not deleted."""
    if not documents:
        return set()
    parts = store.find(user, parse_filter({"kind": "document", "metadata.document": {"in": documents}}))
    return {str(part.metadata["document"]) for part in parts}


def _turn(record: MemoryRecord, live: set[str]) -> SessionTurn:
    told = record.metadata
    model = told.get("model")
    return SessionTurn(
        id=record.id,
        role=record.origin.role,
        speaker=record.origin.speaker,
        content=record.content,
        said_at=record.times.happened_at,
        model=model if isinstance(model, str) else None,
        cut_off=told.get("cut_off") is True,
        sources=tuple(_source(number, one, live) for number, one in enumerate(_sources(record), 1)),
    )


def _source(place: int, told: Mapping[str, JSON], live: set[str]) -> TurnSource:
    number, page = told.get("number"), told.get("page")
    document = _text(told, "document_id")
    return TurnSource(
        number=number if isinstance(number, int) else place,
        title=_text(told, "title"),
        document_id=document,
        source=_text(told, "source"),
        page=page if isinstance(page, int) else None,
        memory_id=_text(told, "memory_id"),
        deleted=document not in live,
    )


def _sources(record: MemoryRecord) -> list[Mapping[str, JSON]]:
    """What an answer's metadata says of its sources; anybody may write metadata."""
    kept = record.metadata.get("sources")
    if record.origin.role != "assistant" or not isinstance(kept, Sequence) or isinstance(kept, str):
        return []
    return [one for one in kept if isinstance(one, Mapping)]


def _text(told: Mapping[str, JSON], name: str) -> str:
    value = told.get(name)
    return value if isinstance(value, str) else ""
