"""What goes out for a question: text for a prompt, and why a memory was found or not."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final, TypeVar

from recollect.context.compose import compose
from recollect.context.core import HEADING, NO_CORE, TOKENS_PER_LINE
from recollect.learning.core_facts import part_of
from recollect.learning.recording import undecided_with
from recollect.lifecycle.use import importance_at
from recollect.memory.parts import Parts
from recollect.retrieval.placement import Placement
from recollect.retrieval.request import Request, read_request
from recollect.text.memory_questions import read_memory_question
from recollect.text.quoting import CLOSING, OPENING
from recollect.text.temporal_questions import read_temporal_question
from recollect.types import (
    AgedConfidence,
    Context,
    Core,
    Explanation,
    LeftOut,
    MemoryRecord,
    Recollection,
    Scope,
    Superseded,
    Within,
)
from recollect.types.characters import one_line
from recollect.types.filters import parse_filter

if TYPE_CHECKING:
    from recollect.memory.telling import MemoryAnswer

_TOKENS_PER_HIT: Final = 25
"""A short turn in a prompt: how many hits are worth considering. 8 gave the same on LoCoMo and BEAM."""
_NAME_SHOWN: Final = 40
_FACTS: Final = parse_filter({"kind": "fact"})
_ASKED_SHARE: Final = 0.75
"""The part of a budget for what memory says of itself, where it is asked; the rest is the core's. By hand."""
_ASKED_HEADING: Final = "[What memory says of this]\n"
_RECKONED_HEADING: Final = "[Reckoned from memory]\n"
_RECKONED_SHARE: Final = 0.25
"""The part of a budget that what was reckoned may have, which is one line. Chosen by hand."""
_TOLD_BY_ONE: Final = frozenset({"when", "at", "rate"})
"""What is reckoned without arithmetic: one memory and its day say it."""
_C = TypeVar("_C", bound=Context)
ASKED: Final = "asked"
"""The signal of a memory that stands in a context because memory was asked about itself."""
_FEWEST_HITS, _MOST_HITS = 10, 1_000
"""Hits considered for one context, however small or large its budget. Chosen by hand."""


def core_of(parts: Parts, scope: Scope, request: Request, *, limit: int) -> Core:
    """What must be known whatever is asked; ``request.since`` and ``until`` are not looked at."""
    return parts.recall.core(scope, request, sort=part_of, against=undecided_with, most=limit)


def marks_of(
    parts: Parts, scope: Scope, ids: Sequence[str], query: str, *, within: Within
) -> dict[str, Superseded]:
    """By their ids the marks of those memories whose words are outdated, however they were chosen."""
    seen = parts.projects.seen_by(scope)
    return parts.recall.marks(scope, ids, read_request(query, now=parts.clock(), seen=seen, within=within))


def marked(
    parts: Parts, scope: Scope, hits: Sequence[Recollection], query: str, *, within: Within
) -> list[Recollection]:
    """Hits that were chosen in another way than by a search, with the marks that it gives."""
    marks = marks_of(
        parts, scope, [hit.memory.id for hit in hits if hit.superseded is None], query, within=within
    )
    return [
        hit if (mark := marks.get(hit.memory.id)) is None else replace(hit, superseded=mark) for hit in hits
    ]


def context_of(
    parts: Parts, scope: Scope, request: Request, *, budget_tokens: int, core_share: float
) -> Context:
    """Text within a budget for a question; hits below ``request.threshold`` are left out of it.

    Where the question finds no more than chance would (``Recall.fits_by_chance``), all are, unless the
    threshold is 0. A question about the memory itself is answered before anything else; of one for a time
    stands first what was reckoned.
    """
    asked = context_if_asked(
        parts, scope, request, budget_tokens=budget_tokens, core_share=core_share, session_id=scope.session_id
    )
    if asked is not None:
        return asked[0]
    made = _found_for(parts, scope, request, budget_tokens=budget_tokens, core_share=core_share)
    answer = reckoned_of(parts, scope, request, budget_tokens=budget_tokens)
    with_line = None if answer is None else with_reckoned(parts, made, answer)
    if answer is None or with_line is None or with_line.tokens <= budget_tokens:
        return with_line or made
    line = with_line.tokens - made.tokens
    if line > budget_tokens * _RECKONED_SHARE:
        return made
    rest = _found_for(parts, scope, request, budget_tokens=budget_tokens - line, core_share=core_share)
    with_line = with_reckoned(parts, replace(rest, budget_tokens=budget_tokens), answer)
    return made if with_line is None or with_line.tokens > budget_tokens else with_line


def with_reckoned(parts: Parts, made: _C, answer: "MemoryAnswer") -> _C | None:
    """A context that begins with what was reckoned; None where its text says so already.

    It does where what was reckoned stands in one memory that is in it, with its day.
    """
    told = [one.id for one in answer.memories]
    alone = len(told) == 1 and (answer.reckoned or {}).get("kind") in _TOLD_BY_ONE
    if _RECKONED_HEADING in made.text or (alone and told[0] in {hit.memory.id for hit in made.included}):
        return None
    text = f"{OPENING}{_RECKONED_HEADING}{answer.line}\n{made.text.removeprefix(OPENING) or CLOSING}"
    return replace(made, text=text, tokens=parts.count_tokens(text))


def answer_of(
    parts: Parts, scope: Scope, request: Request, *, budget_tokens: int, session_id: str | None, last: bool
) -> "MemoryAnswer | None":
    """What memory says of itself, within a budget; None where the message asks for nothing of the kind.

    Args:
        parts: The open memory.
        scope: Whose.
        request: Its query is the message.
        budget_tokens: The most tokens of the answer.
        session_id: The conversation whose last answer "why do you think so?" means; None for the last one.
        last: Whether it means the last answer where it names no claim.
    """
    about = _about_itself(
        parts, scope, request, budget_tokens=budget_tokens, session_id=session_id, last=last
    )
    return about or reckoned_of(parts, scope, request, budget_tokens=budget_tokens)


def _about_itself(
    parts: Parts, scope: Scope, request: Request, *, budget_tokens: int, session_id: str | None, last: bool
) -> "MemoryAnswer | None":
    """The answer to a question about the memory itself; None where the message asks something else."""
    asked = read_memory_question(request.query)
    if asked is None:
        return None
    from recollect.memory.knowing import Knowledge, material_of
    from recollect.memory.telling import Teller

    knowledge = Knowledge(parts, scope, request)
    found = material_of(knowledge, asked, session_id=session_id, last=last)
    return None if found is None else Teller(parts, knowledge).answer(found, budget_tokens=budget_tokens)


def reckoned_of(parts: Parts, scope: Scope, request: Request, *, budget_tokens: int) -> "MemoryAnswer | None":
    """The answer to a question for a time; None where it asks for none, or memory tells too little."""
    if not parts.reckoning:
        return None
    asked = read_temporal_question(request.query, now=request.moment, timezone=parts.timezone)
    if asked is None:
        return None
    from recollect.memory.knowing import Knowledge
    from recollect.memory.reckoning import Reckoner
    from recollect.memory.telling import Teller

    found = Reckoner(parts, scope, request).answer(asked)
    if found is None:
        return None
    return Teller(parts, Knowledge(parts, scope, request)).reckoned(found, budget_tokens=budget_tokens)


def context_if_asked(
    parts: Parts,
    scope: Scope,
    request: Request,
    *,
    budget_tokens: int,
    core_share: float,
    session_id: str | None,
) -> "tuple[Context, MemoryAnswer] | None":
    """A context that begins with what memory says of itself, and that; None where it was not asked.

    So it is for a user without memories, too.
    """
    framed = parts.count_tokens(f"{OPENING}{_ASKED_HEADING}{CLOSING}")
    share = int((budget_tokens - framed) * _ASKED_SHARE)
    last = session_id is not None
    answer = _about_itself(parts, scope, request, budget_tokens=share, session_id=session_id, last=last)
    if answer is None or not answer.text:
        return None
    if not answer.memories and not parts.store.count(Scope(user_id=scope.user_id)):
        return None
    told = [one.id for one in answer.memories]
    rest = _found_for(
        parts,
        scope,
        replace(request, exclude=(*request.exclude, *told)),
        budget_tokens=max(budget_tokens - answer.tokens - framed, 1),
        core_share=core_share,
    )
    first = f"{OPENING}{_ASKED_HEADING}{answer.text}\n"
    text = f"{first}{rest.text.removeprefix(OPENING)}" if rest.text else f"{first}{CLOSING}"
    if (tokens := parts.count_tokens(text)) > budget_tokens:  # a counter whose parts are less than the whole
        rest, text = replace(rest, included=(), cited=()), f"{first}{CLOSING}"
        tokens = parts.count_tokens(text)
    if tokens > budget_tokens:
        return None
    made = replace(
        rest,
        text=text,
        tokens=tokens,
        budget_tokens=budget_tokens,
        included=(*map(_told, answer.memories), *rest.included),
        notes=() if answer.memories else rest.notes,
    )
    return made, answer


def _told(memory: MemoryRecord) -> Recollection:
    return Recollection(memory=memory, score=1.0, signals={ASKED: 1.0}, terms={ASKED: 1.0})


def _found_for(
    parts: Parts, scope: Scope, request: Request, *, budget_tokens: int, core_share: float
) -> Context:
    """The core, which is of all sessions, and what a search finds."""
    most = min(max(budget_tokens // _TOKENS_PER_HIT, _FEWEST_HITS), _MOST_HITS)
    hits = parts.recall.search(scope, replace(request, top_k=most, threshold=0.0))
    core = NO_CORE
    if core_share:
        lines = min(max(int(budget_tokens * core_share) // TOKENS_PER_LINE, 1), _MOST_HITS)
        whatever = replace(request, threshold=0.0, since=None, until=None)
        core = core_of(parts, replace(scope, session_id=None), whatever, limit=lines)
    fitting = [hit for hit in hits if hit.score >= request.threshold]
    best = max((hit.score for hit in fitting), default=0.0)
    too_far = request.threshold > 0 and parts.recall.fits_by_chance(hits)
    made = compose(
        [] if too_far else fitting,
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
    far, low = f"the best scores {best:.2f}: nothing fits", f"below the threshold of {request.threshold:g}"
    below = [
        LeftOut(
            memory=hit.memory,
            score=hit.score,
            reason=far if hit.score >= request.threshold else low,
            signals=hit.signals,
            terms=hit.terms,
        )
        for hit in (hits if too_far else hits[len(fitting) :])
        if hit.memory.id not in shown
    ]
    known = bool(hits or core.memories) or parts.store.count(Scope(user_id=scope.user_id)) > 0
    notes = list(_notes(made, fits=bool(fitting) and not too_far, user_id=None if known else scope.user_id))
    if known and scope.session_id is not None and not hits:
        notes = [*_of_session(parts, scope, made), *(one for one in notes if one.startswith("no room"))]
    return replace(made, left_out=(*made.left_out, *below), notes=tuple(notes))


def _of_session(parts: Parts, scope: Scope, made: Context) -> Iterator[str]:
    """Why nothing was found in a session, and the next step."""
    new = parts.store.count(scope) == 0
    found = "no memory of this session yet" if new else "nothing in this session fits"
    core = "; this is the core alone" if made.text else ""
    yield f"{found}: session_id searches one conversation, leave it out to search all{core}"


def _notes(made: Context, *, fits: bool, user_id: str | None) -> Iterator[str]:
    """Why a context says little; ``user_id`` is that of a user without memories."""
    if user_id is not None:
        yield f"no memories of the user {one_line(user_id, most=_NAME_SHOWN)!r}"
        return
    if made.core_left_out and HEADING not in made.text:
        yield f"no room for the core ({made.core_left_out} memories): raise budget_tokens or core_share"
    if not fits:
        yield "nothing stored fits the question" + ("; this is the core alone" if made.text else "")
    elif not made.text:
        yield f"no memory fits into {made.budget_tokens} tokens: raise budget_tokens"


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
        confidence=_aged(parts, record, request) if record.kind == "fact" else None,
    )


def _aged(parts: Parts, fact: MemoryRecord, request: Request | None) -> AgedConfidence:
    """A fact's confidence at the moment asked about, beside those that may be seen where it was said."""
    from recollect.learning.ageing import Ageing
    from recollect.learning.personal import is_personal
    from recollect.learning.places import in_reach

    own = Scope(user_id=fact.scope.user_id, agent_id=fact.scope.agent_id)
    turns = {one.id: one for one in parts.store.get(own, fact.origin.sources) if one is not None}
    alike = [one for one in parts.store.find(own, _FACTS) if is_personal(one) == is_personal(fact)]
    facts = in_reach(parts.store, own, alike, of=next(iter(turns.values()), fact))
    at = parts.clock() if request is None else request.moment
    return Ageing(facts, at=at, turns=turns).of(fact)
