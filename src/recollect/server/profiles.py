"""What is known about a user: the facts that hold, by category, with confidence and sources."""

from recollect.clock import utc_now
from recollect.memory import Memory
from recollect.types import JSON, MemoryRecord

UNSORTED = "general"
"""The category of facts that have none; Second Brain's."""


def profile_of(memory: Memory, *, user_id: str) -> dict[str, JSON]:
    """The facts of a user that hold now, the surest of each category first."""
    categories: dict[str, list[MemoryRecord]] = {}
    now = utc_now()
    holding = {"or": [{"valid_until": None}, {"valid_until": {"gt": now}}]}
    wanted = {"and": [holding, {"tier": {"ne": "archived"}}]}
    for fact in memory.get_all(user_id=user_id, kinds=["fact"], filters=wanted):
        categories.setdefault(fact.labels.category or UNSORTED, []).append(fact)
    return {
        "user_id": user_id,
        "facts": {
            name: [_told(fact) for fact in sorted(facts, key=lambda one: (-one.worth.confidence, one.id))]
            for name, facts in sorted(categories.items())
        },
        "total": sum(map(len, categories.values())),
    }


def _told(fact: MemoryRecord) -> dict[str, JSON]:
    times = fact.times
    return {
        "fact_id": fact.id,
        "fact": fact.content,
        "category": fact.labels.category or UNSORTED,
        "confidence": fact.worth.confidence,
        "source": fact.origin.extractor or "told",
        "sources": list(fact.origin.sources),
        "created_at": times.created_at.isoformat(),
        "updated_at": times.updated_at.isoformat(),
        "valid_from": (times.valid_from or times.happened_at).isoformat(),
        "valid_until": times.valid_until.isoformat() if times.valid_until else None,
    }
