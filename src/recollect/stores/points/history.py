"""The change log: a point in the ledger for each change, found by counting.

The adding of a memory is part of the memory's own point, unless it was copied from another store.
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from recollect.stores.histories import has_texts, without_texts
from recollect.stores.points.connection import Point
from recollect.stores.points.ledger import PointLedger
from recollect.stores.points.points import PointRow, point_id
from recollect.stores.points.user import User
from recollect.stores.sql.rows import dump
from recollect.types import Change, MemoryRecord
from recollect.types.codec import changed_fields, from_micros, to_micros


def change_ids(tenant: str, row: PointRow) -> list[str]:
    """The ids of a memory's points in the change log."""
    return [_id(tenant, row.key, number) for number in range(1, row.changes + 1)]


def change_point(
    tenant: str, row: PointRow, *, at: int, action: str, reason: str | None, **told: Any
) -> Point:
    """The point of a memory's last change."""
    change = {"number": row.changes, "at": at, "action": action, "reason": reason, **told}
    payload = {"type": "change", "tenant": tenant, "key": row.key, "change": dump(change)}
    return Point(_id(tenant, row.key, row.changes), payload)


def told_points(tenant: str, row: PointRow, history: Sequence[Change]) -> list[Point]:
    """The points of a whole history that comes from another store."""
    return [
        change_point(
            tenant,
            replace(row, changes=number),
            at=to_micros(change.at),
            action=change.action,
            reason=change.reason,
            before=change.before,
            after=change.after,
        )
        for number, change in enumerate(history, 1)
    ]


def bare_points(tenant: str, row: PointRow, history: Sequence[Change]) -> list[Point]:
    """The points of the changes in a history that hold words, without them."""
    own = history if row.added_at is None else history[1:]
    return [
        point
        for point, change in zip(told_points(tenant, row, without_texts(own)), own, strict=True)
        if has_texts(change.before) or has_texts(change.after)
    ]


def difference(before: MemoryRecord, after: MemoryRecord) -> dict[str, Any]:
    """The entry of the change log for two versions of a record."""
    old, new = changed_fields(before, after)
    return {"before": old, "after": new}


def read_histories(ledger: PointLedger, user: User, rows: Sequence[PointRow]) -> dict[int, list[Change]]:
    """The changes of some memories, by key, oldest first."""
    ids = [point for row in rows for point in change_ids(user.tenant, row)]
    found = ledger.connection.fetch(ledger.layout.ledger, ids, ["key", "change"])
    told: dict[int, list[dict[str, Any]]] = {row.key: [] for row in rows}
    for payload in found:
        told[payload["key"]].append(json.loads(payload["change"]))
    return {row.key: _history(row, told[row.key]) for row in rows}


def _history(row: PointRow, told: list[dict[str, Any]]) -> list[Change]:
    changes = [_change(row.id, each) for each in sorted(told, key=lambda each: int(each["number"]))]
    if row.added_at is None:
        return changes
    return [Change(at=from_micros(row.added_at), action="add", memory_id=row.id), *changes]


def _change(memory_id: str, change: dict[str, Any]) -> Change:
    return Change(
        at=from_micros(change["at"]),
        action=change["action"],
        memory_id=memory_id,
        before=change.get("before", {}),
        after=change.get("after", {}),
        reason=change["reason"],
    )


def _id(tenant: str, key: int, number: int) -> str:
    return point_id("change", tenant, key, number)
