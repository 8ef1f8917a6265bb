"""A user's profile, in the fields of Second Brain's design."""

from recollect.learning.profile import KnownFact
from recollect.memory.memory import Memory
from recollect.types import JSON


def profile_to_json(
    memory: Memory, *, user_id: str, agent_id: str | None = None, session_id: str | None = None
) -> dict[str, JSON]:
    """Return a user's profile as JSON values; see ``Memory.profile``."""
    found = memory.profile(user_id=user_id, agent_id=agent_id, session_id=session_id)
    return {
        "user_id": found.user_id,
        "facts": {
            category: [_fact_to_json(fact, category) for fact in facts]
            for category, facts in found.facts.items()
        },
        "total": sum(map(len, found.facts.values())),
    }


def _fact_to_json(known: KnownFact, category: str) -> dict[str, JSON]:
    fact, times = known.memory, known.memory.times
    return {
        "fact_id": fact.id,
        "fact": fact.content,
        "category": category,
        "confidence": fact.worth.confidence,
        "contested": known.contested,
        "source": fact.origin.extractor or "told",
        "sources": [turn.id for turn in known.sources],
        "created_at": times.created_at.isoformat(),
        "updated_at": times.updated_at.isoformat(),
        "valid_from": (times.valid_from or times.happened_at).isoformat(),
        "valid_until": times.valid_until.isoformat() if times.valid_until else None,
    }
