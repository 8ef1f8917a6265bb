"""Memories copied unchanged into and out of a store."""

from collections.abc import Sequence
from dataclasses import replace

from recollect.errors import InvalidInputError
from recollect.protocols import Copied
from recollect.stores.checks import check_makers
from recollect.stores.points.history import read_histories, told_points
from recollect.stores.points.journal import Write
from recollect.stores.points.ledger import Head, PointLedger
from recollect.stores.points.memories import put_memories, read_stored
from recollect.stores.points.points import StoredPoint, row_of
from recollect.stores.points.user import User
from recollect.stores.reference.rows import as_stored
from recollect.stores.sql.copies import check_copies
from recollect.types import Link, Scope


class PointCopyTable:
    """The part of the store that exports and imports memories unchanged."""

    def __init__(self, ledger: PointLedger) -> None:
        self._ledger = ledger

    def known_users(self) -> list[str]:
        with self._ledger.held():
            found = list(self._ledger.walk(["user", "state"], ["type", "tenant", "user_id", "live"]))
            learned = {point["tenant"] for point in found if point["type"] == "state"}
            users = (point for point in found if point["type"] == "user")
            return sorted(user["user_id"] for user in users if user["live"] or user["tenant"] in learned)

    def dump(self, scope: Scope, *, after: int, limit: int) -> list[Copied]:
        with self._ledger.held() as head:
            user = self._ledger.user(scope.user_id)
            ids = {row.key: row.id for row in user.live(scope)}
            chosen = [row for row in user.live(scope) if row.key > after][:limit]
            maker = head.settings.get("embedder", "")
            histories = read_histories(self._ledger, user, chosen)
            return [
                Copied(
                    key=stored.row.key,
                    record=stored.record,
                    features=replace(stored.features, embedder=maker),
                    history=tuple(histories[stored.row.key]),
                    links=tuple(_links_from(user, stored.row.key, ids)),
                    outline=stored.outline,
                )
                for stored in read_stored(self._ledger, user, chosen)
            ]

    def restore(self, scope: Scope, copies: Sequence[Copied]) -> int:
        with self._ledger.held() as head:
            user = self._ledger.user(scope.user_id)
            fresh = check_copies(scope, copies, known={row.id for row in user.rows.values()})
            _check_keys(user, fresh)
            facts = head.settings
            check_makers(
                (copied.features for copied in fresh),
                embedder=facts.get("embedder"),
                dimensions=facts.get("dimensions"),
            )
            if not fresh:
                return 0
            stored, write = _placed(fresh, head), Write()
            put_memories(self._ledger, write, stored)
            for each, copied in zip(stored, fresh, strict=True):
                write.put(self._ledger.layout.ledger, *told_points(user.tenant, each.row, copied.history))
            self._ledger.know(write, scope.user_id, live=True)
            last_key, version = head.last_key + len(fresh), head.version + len(fresh)
            self._ledger.commit(write, replace(head, last_key=last_key, version=version))
            for each in stored:
                user.enter(each.row, each.features)
            self._ledger.keep(scope.user_id, user)
            return len(fresh)


def _links_from(user: User, key: int, ids: dict[int, str]) -> list[Link]:
    ends = sorted(
        (ids[target], kind) for source, target, kind in user.links if source == key and target in ids
    )
    return [Link(source_id=ids[key], target_id=target, type=kind) for target, kind in ends]


def _check_keys(user: User, fresh: Sequence[Copied]) -> None:
    keys = [key for copied in fresh if (key := copied.record.idempotency_key) is not None]
    if len(keys) != len(set(keys)) or any(user.holder(key) for key in keys):
        raise InvalidInputError("a copy cannot take the idempotency key of another memory")


def _placed(fresh: Sequence[Copied], head: Head) -> list[StoredPoint]:
    """The copies with their new keys and versions."""
    placed = []
    for place, copied in enumerate(fresh, 1):
        record = as_stored(copied.record)
        row = row_of(
            record,
            key=head.last_key + place,
            version=head.version + place,
            added_at=None,
            changes=len(copied.history),
        )
        placed.append(StoredPoint(row=row, record=record, features=copied.features, outline=copied.outline))
    return placed
