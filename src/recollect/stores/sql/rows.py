"""Records as rows of a ``memories`` table, and back: the same columns in every SQL store."""

import json
from collections.abc import Sequence
from datetime import datetime
from struct import Struct
from typing import Any, Final

import numpy as np

from recollect.errors import StoreCorruptError
from recollect.protocols import Moment
from recollect.types import Job, MemoryLabels, MemoryRecord, Origin, Scope, Tag, Times, Use, Worth
from recollect.types.codec import from_micros, parts_from_json, parts_to_json, to_micros

COLUMNS: Final = (
    "id", "agent_id", "session_id", "kind", "tier", "content", "summary", "created_at", "happened_at",
    "updated_at", "valid_from", "valid_until", "accessed_at", "importance", "confidence", "priority",
    "critical", "access_count", "useful_count", "unhelpful_count", "decay_factor", "speaker", "role",
    "thread", "turn", "sources", "extractor", "prompt_id", "tags", "concepts", "entities", "category",
    "emotion", "language", "metadata", "idempotency_key", "dates", "parameters", "factors", "usage_count",
    "reinforced_count", "reinforcements",
)  # fmt: skip
"""The columns of a record, in the order of ``to_row`` and ``from_row``."""

PACKED: Final = np.dtype(
    [
        *((name, "<i8") for name in ("happened", "valid_from", "valid_until", "created", "accessed")),
        ("turns", "<i4"),
        *(
            (name, "<f4")
            for name in ("importance", "confidence", "decay", "useful", "unhelpful", "usage", "access")
        ),
    ]
)
"""The numbers of a record that recall reads, as one blob: ``packed`` is read much faster than columns."""
_PACK: Final = Struct("<5qi7f")
PACKED_BYTES: Final = _PACK.size
"""Of the numbers; the memory's outline stands behind them."""
_FOREVER: Final = (1 << 63) - 1

WRITTEN: Final = (*COLUMNS, "packed")
"""What is written of a record, in the order of ``to_written``."""

SELECT: Final = ", ".join(f"m.{column}" for column in COLUMNS)

SKETCHED: Final = ("id", "kind", "content", "role", "sources", "category", "metadata")
"""The columns of a sketch, in the order of ``sketch_from_row``."""
SKETCH: Final = ", ".join(f"m.{column}" for column in SKETCHED)
_NO_TIMES: Final = Times(created_at=from_micros(0), happened_at=from_micros(0), updated_at=from_micros(0))

_EMPTY_LIST: Final = "[]"
_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
_encode: Final = (made := getattr(json.encoder, "c_make_encoder", None)) and made(
    None, _ENCODER.default, json.encoder.encode_basestring, None, ":", ",", False, False, True
)
"""What ``_ENCODER`` makes anew for each value, which takes longer than to write most; None without C."""
_quoted: Final = json.encoder.encode_basestring
"""A text as JSON, Unicode as it is."""
_decode: Final = json.JSONDecoder().raw_decode


def to_row(record: MemoryRecord, *, turn: int) -> tuple[Any, ...]:
    """The values of a record in the order of ``COLUMNS``."""
    times, worth, use, origin, labels = record.times, record.worth, record.use, record.origin, record.labels
    return (
        record.id, record.scope.agent_id, record.scope.session_id, record.kind, record.tier,
        record.content, record.summary, to_micros(times.created_at), to_micros(times.happened_at),
        to_micros(times.updated_at), _micros(times.valid_from), _micros(times.valid_until),
        _micros(times.accessed_at), float(worth.importance), float(worth.confidence), worth.priority,
        int(worth.critical), use.access_count, use.useful_count, use.unhelpful_count, float(use.decay_factor),
        origin.speaker, origin.role, origin.thread, turn, _list(origin.sources), origin.extractor,
        origin.prompt_id, _tags(labels.tags), _list(labels.concepts), _list(labels.entities),
        labels.category, labels.emotion, labels.language, dump(record.metadata), record.idempotency_key,
        _parts(labels.dates), _parts(labels.parameters), dump(worth.factors), use.usage_count,
        use.reinforced_count, _parts(use.reinforcements),
    )  # fmt: skip


def to_written(record: MemoryRecord, *, turn: int, outline: bytes) -> tuple[Any, ...]:
    """The values of a record in the order of ``WRITTEN``."""
    return (*to_row(record, turn=turn), pack(record, turn=turn, outline=outline))


def pack(record: MemoryRecord, *, turn: int, outline: bytes) -> bytes:
    """What recall reads of a record: its numbers, see ``PACKED``, and behind them its outline.

    ``valid_from`` falls back to when it happened, ``valid_until`` to the largest number, ``accessed`` to when
    it was created.
    """
    times, worth, use = record.times, record.worth, record.use
    happened, created = to_micros(times.happened_at), to_micros(times.created_at)
    numbers = _PACK.pack(
        happened,
        to_micros(times.valid_from) if times.valid_from else happened,
        to_micros(times.valid_until) if times.valid_until else _FOREVER,
        created,
        to_micros(times.accessed_at) if times.accessed_at else created,
        turn,
        worth.importance,
        worth.confidence,
        use.decay_factor,
        use.useful_count,
        use.unhelpful_count,
        use.usage_count,
        use.access_count,
    )
    return numbers + outline


def from_row(user_id: str, row: Sequence[Any]) -> MemoryRecord:
    """The record of a row that ``SELECT`` read.

    Raises:
        StoreCorruptError: The row holds what no record can.
    """
    try:
        return _record(user_id, row)
    except (ValueError, TypeError, KeyError, OverflowError) as error:
        raise _damaged(row[0], error) from error


def sketch_from_row(user_id: str, row: Sequence[Any]) -> MemoryRecord:
    """The record of a row of the columns ``SKETCHED``, see ``Store.sketches``.

    Raises:
        StoreCorruptError: The row holds what no record can.
    """
    memory_id, kind, content, role, sources, category, metadata = row
    try:
        return MemoryRecord(
            id=memory_id,
            scope=Scope(user_id=user_id),
            kind=kind,
            content=content,
            times=_NO_TIMES,
            origin=Origin(role=role, sources=_items(sources)),
            labels=MemoryLabels(category=category),
            metadata=_mapping(metadata),
        )
    except (ValueError, TypeError) as error:
        raise _damaged(memory_id, error) from error


def _damaged(memory_id: object, error: Exception) -> StoreCorruptError:
    return StoreCorruptError(
        f"memory {memory_id!r} is damaged ({error}); restore a backup with 'recollect restore'"
    )


def moments_of(rows: Sequence[Any]) -> list[Moment]:
    """When memories happened, of rows of that, the id and the kind.

    Raises:
        StoreCorruptError: A time is none.
    """
    try:
        return [Moment(from_micros(happened_at), memory_id, kind) for happened_at, memory_id, kind in rows]
    except (ValueError, TypeError, OverflowError) as error:
        raise StoreCorruptError(
            f"the time of a memory is damaged ({error}); restore a backup with 'recollect restore'"
        ) from error


def _record(user_id: str, row: Sequence[Any]) -> MemoryRecord:
    (
        memory_id, agent_id, session_id, kind, tier, content, summary, created_at, happened_at,
        updated_at, valid_from, valid_until, accessed_at, importance, confidence, priority, critical,
        access_count, useful_count, unhelpful_count, decay_factor, speaker, role, thread, turn, sources,
        extractor, prompt_id, tags, concepts, entities, category, emotion, language, metadata, key, dates,
        parameters, factors, usage_count, reinforced_count, reinforcements,
    ) = row  # fmt: skip
    created = from_micros(created_at)
    return MemoryRecord(
        id=memory_id,
        scope=Scope(user_id=user_id, agent_id=agent_id, session_id=session_id),
        kind=kind,
        tier=tier,
        content=content,
        summary=summary,
        times=Times(
            created_at=created,
            happened_at=created if happened_at == created_at else from_micros(happened_at),
            updated_at=created if updated_at == created_at else from_micros(updated_at),
            valid_from=_moment(valid_from),
            valid_until=_moment(valid_until),
            accessed_at=_moment(accessed_at),
        ),
        worth=Worth(
            importance=importance,
            confidence=confidence,
            priority=priority,
            critical=bool(critical),
            factors=_mapping(factors),
        ),
        use=Use(
            access_count=access_count,
            usage_count=usage_count,
            reinforced_count=reinforced_count,
            reinforcements=_read_parts("reinforcements", reinforcements),
            useful_count=useful_count,
            unhelpful_count=unhelpful_count,
            decay_factor=decay_factor,
        ),
        origin=Origin(
            speaker=speaker,
            role=role,
            thread=thread,
            turn=turn,
            sources=_items(sources),
            extractor=extractor,
            prompt_id=prompt_id,
        ),
        labels=MemoryLabels(
            tags=() if tags == _EMPTY_LIST else tuple([Tag(**tag) for tag in _load(tags)]),
            concepts=_items(concepts),
            entities=_items(entities),
            category=category,
            emotion=emotion,
            language=language,
            dates=_read_parts("dates", dates),
            parameters=_read_parts("parameters", parameters),
        ),
        metadata=_mapping(metadata),
        idempotency_key=key,
    )


def job_of(row: Sequence[Any]) -> Job:
    """The job of a row: id, task, user, agent, session, payload as JSON, attempts, error.

    Raises:
        StoreCorruptError: It cannot be read.
    """
    job_id, task, user_id, agent_id, session_id, payload, attempts, error = row
    try:
        return Job(
            id=job_id,
            task=task,
            scope=Scope(user_id=user_id, agent_id=agent_id, session_id=session_id),
            payload=json.loads(payload),
            attempts=attempts,
            error=error,
        )
    except (ValueError, TypeError) as problem:
        raise StoreCorruptError(
            f"job {job_id} is damaged ({problem}); run 'recollect doctor --rebuild'"
        ) from problem


def dump(value: object) -> str:
    """JSON as it is stored: compact, Unicode as it is."""
    if _encode is None or isinstance(value, str):
        return _ENCODER.encode(value)
    return "".join(_encode(value, 0))


def _load(text: str) -> Any:
    """What ``dump`` wrote; it has no blanks around it, which ``json.loads`` would look for twice."""
    value, end = _decode(text)
    if end != len(text):
        raise ValueError(f"more behind its JSON: {text[end : end + 20]!r}")
    return value


def _mapping(text: str) -> dict[str, Any]:
    return {} if text == "{}" else _load(text)


def _list(items: Sequence[str]) -> str:
    return dump(list(items)) if items else _EMPTY_LIST


def _items(text: str) -> tuple[str, ...]:
    return () if text == _EMPTY_LIST else tuple(_load(text))


def _tags(tags: Sequence[Tag]) -> str:
    """As ``_parts``, in a third of the time: every memory has tags."""
    return "[" + ",".join([_tag(tag) for tag in tags]) + "]"


def _tag(tag: Tag) -> str:
    approved = "true" if tag.approved else "false"
    return f'{{"text":{_quoted(tag.text)},"confidence":{tag.confidence!r},"approved":{approved}}}'


def _parts(parts: Sequence[object]) -> str:
    return dump(parts_to_json(parts)) if parts else _EMPTY_LIST


def _read_parts(name: str, text: str) -> tuple[Any, ...]:
    return () if text == _EMPTY_LIST else parts_from_json(name, _load(text))


def _micros(moment: datetime | None) -> int | None:
    return None if moment is None else to_micros(moment)


def _moment(micros: int | None) -> datetime | None:
    return None if micros is None else from_micros(micros)
