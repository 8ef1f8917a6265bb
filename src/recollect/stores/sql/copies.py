"""Memories unchanged between rows and ``Copied``: the same in every SQL store."""

import json
from collections.abc import Container, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from recollect.errors import InvalidInputError, StoreCorruptError
from recollect.protocols import Copied, Features
from recollect.stores.reference.rows import within
from recollect.stores.sql.rows import PACKED_BYTES, dump, from_row
from recollect.types import Change, Link, Scope
from recollect.types.codec import from_micros, to_micros

Row = Sequence[Any]
"""A row as a driver gives it."""


class CopyRows(NamedTuple):
    """The rows of some memories of one user.

    Attributes:
        memories: Key, packed (see ``rows.pack``), vector, terms, counts, traits, and the columns of
            ``rows.COLUMNS``.
        changes: Key, at, action, before, after, reason; by key, oldest first.
        links: Key of the source, id of the target, type; in this order.
        embedder: Who made the vectors.
    """

    memories: Sequence[Row]
    changes: Sequence[Row]
    links: Sequence[Row]
    embedder: str

    def copies(self, scope: Scope) -> list[Copied]:
        """The memories of the rows.

        Raises:
            StoreCorruptError: One has no features.
        """
        changes, links = _by_key(self.changes), _by_key(self.links)
        return [
            self._copied(scope, row, changes.get(row[0], []), links.get(row[0], [])) for row in self.memories
        ]

    def _copied(self, scope: Scope, row: Row, changes: Sequence[Row], links: Sequence[Row]) -> Copied:
        key, packed, vector, terms, counts, traits, *columns = row
        record = from_row(scope.user_id, columns)
        if vector is None:
            raise StoreCorruptError(
                f"the memory {record.id!r} has no features; run 'recollect doctor --rebuild' first"
            )
        features = Features(
            vector=bytes(vector),
            terms=bytes(terms),
            counts=bytes(counts),
            stems="",
            traits=traits,
            embedder=self.embedder,
        )
        return Copied(
            key=key,
            record=record,
            features=features,
            history=tuple(change_of(record.id, change[1:]) for change in changes),
            links=tuple(Link(source_id=record.id, target_id=end, type=kind) for _, end, kind in links),
            outline=bytes(packed)[PACKED_BYTES:],
        )


def _by_key(rows: Sequence[Row]) -> dict[int, list[Row]]:
    return {key: list(some) for key, some in groupby(rows, key=lambda row: row[0])}


def change_of(memory_id: str, row: Row) -> Change:
    """A change from its row: at, action, before, after, reason.

    Raises:
        StoreCorruptError: It cannot be read.
    """
    at, action, before, after, reason = row
    try:
        return Change(
            at=from_micros(at),
            action=action,
            memory_id=memory_id,
            before=json.loads(before or "{}"),
            after=json.loads(after or "{}"),
            reason=reason,
        )
    except (ValueError, TypeError, OverflowError) as error:
        raise StoreCorruptError(
            f"the history of memory {memory_id!r} is damaged ({error}); run 'recollect doctor --rebuild'"
        ) from error


def change_row(change: Change) -> tuple[Any, ...]:
    """What ``change_of`` reads."""
    before = dump(change.before) if change.before else None
    after = dump(change.after) if change.after else None
    return to_micros(change.at), change.action, before, after, change.reason


def check_copies(scope: Scope, copies: Sequence[Copied], *, known: Container[str]) -> list[Copied]:
    """The copies that are new, each id once; ``known`` also holds the ids of deleted memories.

    Raises:
        InvalidInputError: One lies outside the scope or comes without its history.
    """
    fresh: dict[str, Copied] = {}
    for copied in copies:
        memory_id = copied.record.id
        if not within(scope, copied.record):
            raise InvalidInputError(f"the memory {memory_id!r} lies outside the scope it is copied to")
        if not copied.history:
            raise InvalidInputError(f"the memory {memory_id!r} comes without its history")
        if memory_id not in known:
            fresh.setdefault(memory_id, copied)
    return list(fresh.values())
