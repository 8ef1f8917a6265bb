"""Memories in the shape of mem0's ``get_all``: one JSON document, a record for each memory.

========================== ===================================================================================
mem0                       here
========================== ===================================================================================
``memory``, ``hash``       the words and their MD5
``created_at``             when it was said
``run_id``                 the session
``actor_id``, ``role``     the speaker, and in which role
``expiration_date``        the day on which it ceases to hold
``metadata``               the memory's own, without ids of memories that it ended or contradicts, and
                           ``recollect``: ``kind``, ``category``, ``importance``, ``confidence``,
                           ``stored_at``, ``valid_from``, ``valid_until``, ``sources``, and ``recollect``
                           of the memory's own
========================== ===================================================================================
"""

import json
from collections.abc import Mapping
from hashlib import md5
from typing import IO, Final

from recollect.ingest.sources.mem0 import OURS
from recollect.learning.marks import without_bearings
from recollect.memory.maintenance.transfer import all_of
from recollect.memory.parts import Parts
from recollect.types import JSON, MemoryRecord, Scope

_LEARNED: Final = ("fact", "episode")
"""Kinds whose metadata name other memories."""


def write_mem0(parts: Parts, scopes: list[Scope], out: IO[str]) -> int:
    """Write every memory of some users; returns how many."""
    out.write('{"results": [')
    total = 0
    for scope in scopes:
        for record in all_of(parts.store, scope):
            out.write(",\n" if total else "\n")
            out.write(json.dumps(as_mem0(record), ensure_ascii=False))
            total += 1
    out.write("\n]}\n")
    return total


def as_mem0(record: MemoryRecord) -> Mapping[str, JSON]:
    """A memory as mem0 returns one; what is unknown is left out."""
    times = record.times
    added: dict[str, JSON] = {
        "kind": record.kind,
        "category": record.labels.category,
        "importance": record.worth.importance,
        "confidence": record.worth.confidence,
        "stored_at": times.created_at.isoformat(),
        "valid_from": times.valid_from.isoformat() if times.valid_from else None,
        "valid_until": times.valid_until.isoformat() if times.valid_until else None,
        "sources": list(record.origin.sources) or None,
        OURS: record.metadata.get(OURS),
    }
    own = record.metadata if record.kind not in _LEARNED else without_bearings(record.metadata)
    made: dict[str, JSON] = {
        "id": record.id,
        "memory": record.content,
        "hash": md5(record.content.encode(), usedforsecurity=False).hexdigest(),
        "metadata": {**own, OURS: _known(added)},
        "created_at": times.happened_at.isoformat(),
        "updated_at": times.updated_at.isoformat(),
        "user_id": record.scope.user_id,
        "agent_id": record.scope.agent_id,
        "run_id": record.scope.session_id,
        "actor_id": record.origin.speaker,
        "role": record.origin.role,
        "expiration_date": times.valid_until.date().isoformat() if times.valid_until else None,
    }
    return _known(made)


def _known(values: Mapping[str, JSON]) -> dict[str, JSON]:
    return {name: value for name, value in values.items() if value is not None}
