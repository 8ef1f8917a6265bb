"""What is stored, counted; see ``Memory.stats``."""

from datetime import timedelta
from typing import Final

from recollect.errors import InvalidInputError
from recollect.memory.jobs import Jobs
from recollect.memory.parts import Parts
from recollect.types import KINDS, TIERS, Stats, Within
from recollect.types.filters import EVERYTHING

GROWTH_DAYS: Final = {"day": 1, "week": 7, "month": 30}
"""How far back ``stats`` looks for what was stored lately."""


def stats_of(parts: Parts, user_id: str | None, within: Within | None = None) -> Stats:
    """What is stored, for one user or for all."""
    parts.check_open()
    if within is not None and user_id is None:
        raise InvalidInputError("stats takes within only with a user_id")
    store, jobs, now = parts.store, Jobs(parts), parts.clock()
    scope = None if user_id is None else parts.scope(user_id)
    seen = EVERYTHING if scope is None else parts.seen(scope, within)
    found = store.census(scope, seen, since=[now - timedelta(days=days) for days in GROWTH_DAYS.values()])
    return Stats(
        memories=sum(found.kinds.values()),
        users=found.users,
        kinds={kind: count for kind in KINDS if (count := found.kinds.get(kind, 0))},
        tiers={tier: count for tier in TIERS if (count := found.tiers.get(tier, 0))},
        store=repr(store),
        embedder=store.setting("embedder"),
        dimensions=int(store.setting("dimensions") or 0),
        waiting=jobs.count(user_id=user_id),
        given_up=jobs.count(user_id=user_id, failed=True),
        stored_within=dict(zip(GROWTH_DAYS, found.since, strict=True)),
    )
