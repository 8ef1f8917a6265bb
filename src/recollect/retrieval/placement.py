"""How one memory fares for a question: its place among the hits of a search, or why it has none."""

from dataclasses import dataclass

from recollect.retrieval.hits import Hits
from recollect.retrieval.request import Request
from recollect.retrieval.surroundings import LEARNED
from recollect.types import MemoryRecord, Recollection


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement:
    """How one memory fares for a question; see ``Explanation``.

    Attributes:
        recollection: Its score and terms; None when it may not be returned.
        rank: Its place among the hits, from 1; None when it is no hit.
        ranked: How many memories were ranked.
        reason: Why it is no hit.
    """

    recollection: Recollection | None = None
    rank: int | None = None
    ranked: int = 0
    reason: str | None = None


def place_of(record: MemoryRecord, hits: Hits, own: Recollection | None, ranked: int) -> Placement:
    """A memory that is a hit, or that another hit represents."""
    shown = hits.shown_as[record.id]
    place, hit = next((place, one) for place, one in enumerate(hits.found, 1) if one.memory.id == shown)
    if shown == record.id:
        return Placement(recollection=hit, rank=place, ranked=ranked)
    what = "the message it was learned from" if record.kind in LEARNED else "the same words once"
    reason = f"search shows {what}, as {shown} at rank {place}"
    return Placement(recollection=own, ranked=ranked, reason=reason)


def not_ranked(own: Recollection | None, ranked: int, request: Request) -> str:
    """Why a memory that may be returned is no hit."""
    if own is not None and own.score < request.threshold:
        return f"its score is below the threshold of {request.threshold:g}"
    return f"it is not among the best {ranked} memories, which alone are ranked"
