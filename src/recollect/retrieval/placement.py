"""Where a memory stands among the hits of a search, documents beside what was said; or why it is none."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from recollect.retrieval.hits import Hits
from recollect.retrieval.request import Request
from recollect.retrieval.surroundings import LEARNED
from recollect.types import MemoryRecord, Recollection

DOCUMENT: Final = "document"
"""The term of a document that stands further behind than its own score would put it."""
SHARE: Final = 3
"""Of so many places documents take one at most while memories are left. Beside 956 chunks of technical
pages, R@10 of the turns of technical chats (BEAM) is 58.6, and 59.0 without the chunks."""


def placed(
    said: Sequence[Recollection], written: Sequence[Recollection], *, is_all: bool = True
) -> Iterator[Recollection]:
    """Conversation and documents as one list, best first; both are given best first.

    A document that scores at least as high as all of the conversation keeps the place of its score, but of
    every three places documents take at most one. The others follow the conversation, if ``is_all`` says that
    nothing else was said. A document that has to wait gets at most the score before it, and its terms say so.
    """
    best = said[0].score if said else 0.0
    waiting = list(written)
    taken = 0
    last = max((one.score for one in (*said[:1], *written[:1])), default=0.0)
    for place, one in enumerate(said):
        while waiting and waiting[0].score >= best and taken * (SHARE - 1) <= place:
            document = _at_most(waiting.pop(0), last)
            last, taken = document.score, taken + 1
            yield document
        last = one.score
        yield one
    if is_all:
        yield from (_at_most(one, last) for one in waiting)


def _at_most(hit: Recollection, score: float) -> Recollection:
    """A hit that scores no higher than what stands before it."""
    if hit.score <= score:
        return hit
    return replace(
        hit,
        score=score,
        signals={**hit.signals, DOCUMENT: 1.0},
        terms={**hit.terms, DOCUMENT: score - hit.score},
    )


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
