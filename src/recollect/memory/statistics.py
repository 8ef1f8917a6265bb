"""What is stored, counted; see ``Memory.stats``."""

from datetime import datetime, timedelta
from typing import Final

from recollect.errors import InvalidInputError
from recollect.memory.jobs import Jobs
from recollect.memory.parts import Parts
from recollect.types import KINDS, TIERS, Stats, Within
from recollect.types.filters import AllOf, Filter, Test

GROWTH_DAYS: Final = {"day": 1, "week": 7, "month": 30}
"""How far back ``stats`` looks for what was stored lately."""


def stats_of(parts: Parts, user_id: str | None, within: Within | None = None) -> Stats:
    """What is stored, for one user or for all."""
    parts.check_open()
    if within is not None and user_id is None:
        raise InvalidInputError("stats takes within only with a user_id")
    store, jobs = parts.store, Jobs(parts)
    users = store.user_ids() if user_id is None else [user_id]
    scopes = [parts.scope(user) for user in users]

    seen = [parts.seen(scope, within) for scope in scopes]

    def counted(where: Filter) -> int:
        return sum(store.count(scope, AllOf((one, where))) for scope, one in zip(scopes, seen, strict=True))

    kinds = {kind: counted(_is("kind", kind)) for kind in KINDS}
    tiers = {tier: counted(_is("tier", tier)) for tier in TIERS}
    total, now = sum(kinds.values()), parts.clock()
    return Stats(
        memories=total,
        users=len(users) if user_id is None else int(total > 0),
        kinds={kind: count for kind, count in kinds.items() if count},
        tiers={tier: count for tier, count in tiers.items() if count},
        store=repr(store),
        embedder=store.setting("embedder"),
        dimensions=int(store.setting("dimensions") or 0),
        waiting=jobs.count(user_id=user_id),
        given_up=jobs.count(user_id=user_id, failed=True),
        stored_within={name: counted(_created_since(now, days)) for name, days in GROWTH_DAYS.items()},
    )


def _created_since(now: datetime, days: int) -> Filter:
    return Test("created_at", in_metadata=False, operator="gte", value=now - timedelta(days=days))


def _is(field: str, value: str) -> Filter:
    return Test(field, in_metadata=False, operator="eq", value=value)
