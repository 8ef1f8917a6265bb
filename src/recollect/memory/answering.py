"""What goes out for a question: text for a prompt, and why a memory was found or not."""

from dataclasses import replace
from typing import Final

from recollect.context.compose import compose
from recollect.context.core import NO_CORE, TOKENS_PER_LINE
from recollect.learning.core_facts import part_of
from recollect.lifecycle.use import importance_at
from recollect.memory.parts import Parts
from recollect.retrieval.placement import Placement
from recollect.retrieval.request import Request
from recollect.types import Context, Core, Explanation, LeftOut, MemoryRecord, Scope

_TOKENS_PER_HIT: Final = 25
"""A short turn in a prompt: how many hits are worth considering. 8 gave the same on LoCoMo and BEAM."""
_FEWEST_HITS, _MOST_HITS = 10, 1_000
"""Hits considered for one context, however small or large its budget. Chosen by hand."""


def core_of(parts: Parts, scope: Scope, request: Request, *, limit: int) -> Core:
    """What must be known whatever is asked; ``request.since`` and ``until`` are not looked at."""
    return parts.recall.core(scope, request, sort=part_of, most=limit)


def context_of(
    parts: Parts, scope: Scope, request: Request, *, budget_tokens: int, core_share: float
) -> Context:
    """Text within a budget for a question; hits below ``request.threshold`` are left out of it."""
    most = min(max(budget_tokens // _TOKENS_PER_HIT, _FEWEST_HITS), _MOST_HITS)
    hits = parts.recall.search(scope, replace(request, top_k=most, threshold=0.0))
    core = NO_CORE
    if core_share:
        lines = min(max(int(budget_tokens * core_share) // TOKENS_PER_LINE, 1), _MOST_HITS)
        whatever = replace(request, threshold=0.0, since=None, until=None)
        core = core_of(parts, scope, whatever, limit=lines)
    fitting = [hit for hit in hits if hit.score >= request.threshold]
    made = compose(
        fitting,
        budget_tokens=budget_tokens,
        count_tokens=parts.count_tokens,
        query_terms=parts.analyser.query_stems(request.query),
        terms_of=parts.analyser.stems,
        timezone=parts.timezone,
        core=core,
        core_share=core_share,
        collapse=False,
    )
    shown = {hit.memory.id for hit in made.included}
    below = [
        LeftOut(memory=hit.memory, score=hit.score, reason=f"below the threshold of {request.threshold:g}")
        for hit in hits[len(fitting) :]
        if hit.memory.id not in shown
    ]
    return replace(made, left_out=(*made.left_out, *below))


def explanation_of(parts: Parts, scope: Scope, record: MemoryRecord, request: Request | None) -> Explanation:
    """Where a memory comes from and, given a question, how it fares for it."""
    user = Scope(user_id=scope.user_id)
    placed = Placement() if request is None else parts.recall.place(scope, record, request)
    sources = parts.store.get(user, record.origin.sources)
    return Explanation(
        memory=record,
        recollection=placed.recollection,
        rank=placed.rank,
        ranked=placed.ranked,
        importance=importance_at(record, parts.clock()),
        sources=tuple(source for source in sources if source is not None),
        history=tuple(parts.store.history(user, record.id)),
        reason=placed.reason,
    )
