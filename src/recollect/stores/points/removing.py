"""Deleting softly, and for good."""

from collections.abc import Sequence
from dataclasses import replace

from recollect.stores.points.connection import Point
from recollect.stores.points.history import change_ids
from recollect.stores.points.journal import Write
from recollect.stores.points.ledger import PointLedger
from recollect.stores.points.points import PointRow, StoredPoint, point_id, staged_id
from recollect.stores.points.queue import link_id
from recollect.stores.points.user import User
from recollect.stores.sql.rows import dump


def buried(doomed: Sequence[StoredPoint], *, version: int) -> list[StoredPoint]:
    """Memories as they are once deleted, versioned from ``version`` on."""
    return [
        replace(
            stored,
            row=replace(stored.row, live=False, version=place, changes=stored.row.changes + 1),
        )
        for place, stored in enumerate(doomed, version + 1)
    ]


def removal(
    ledger: PointLedger, user: User, rows: Sequence[PointRow], states: Sequence[str], *, number: int
) -> Write:
    """The write that removes deleted memories for good, with everything about them.

    Their keys stay known, so that shadows learn of it.
    """
    write, name, tenant = Write(), ledger.layout.ledger, user.tenant
    keys = {row.key for row in rows}
    for row in rows:
        write.drop(ledger.collections.name(row.family, tenant), point_id("memory", tenant, row.key))
        write.drop(name, *change_ids(tenant, row), *([staged_id(row.key)] if ledger.head.staging else []))
    ends = [link for link in user.links if link[0] in keys or link[1] in keys]
    write.drop(name, *(link_id(tenant, link) for link in ends))
    write.drop(name, *(point_id("state", tenant, state) for state in states))
    if rows:
        gone = dump([(row.version, row.key) for row in rows])
        write.put(
            name, Point(point_id("gone", tenant, number), {"type": "gone", "tenant": tenant, "keys": gone})
        )
    return write
