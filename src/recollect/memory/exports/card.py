"""A card: the most important of what is known about a user, as text for any model's context.

First the core, as it stands at the beginning of every context, then the other facts by category, the surest
first, as many as fit. What reads like an attempt to take a model over is treated as in the core: left out, or
marked where the user said it.
"""

from collections.abc import Iterable
from typing import IO, Final

from recollect.context.core import core_within, fact_line, may_stand
from recollect.context.dating import MONTHS
from recollect.context.excerpts import Excerpts
from recollect.learning.profile import KnownFact, profile_of
from recollect.memory.answering import core_of
from recollect.memory.parts import Parts
from recollect.retrieval.request import read_request
from recollect.text.quoting import CLOSING, OPENING
from recollect.types import Scope

CARD_TOKENS: Final = 1_000
"""The most a card has: what fits into a box for custom instructions. Chosen by hand."""
_CORE_TOKENS: Final = 600
"""Those that the core may have of them. Chosen by hand."""
_QUESTION: Final = "Who is the user?"
"""What the core is nearest to when not all of it fits."""


def write_card(parts: Parts, scopes: list[Scope], out: IO[str]) -> int:
    """Write the card of one user, of at most ``CARD_TOKENS`` tokens; returns how many memories are on it."""
    (scope,) = scopes
    now = parts.clock()
    today = now.astimezone(parts.timezone)
    heading = f"What is known about the user on {today.day} {MONTHS[today.month - 1]} {today.year}:\n"
    asked = read_request(_QUESTION, now=now, seen=parts.projects.seen_by(scope))
    core = core_within(
        core_of(parts, scope, asked, limit=_CORE_TOKENS),
        budget_tokens=_CORE_TOKENS,
        core_share=1.0,
        count_tokens=parts.count_tokens,
        excerpts=Excerpts(frozenset(), terms_of=parts.analyser.stems, count_tokens=parts.count_tokens),
        timezone=parts.timezone,
    )
    shown = {one.memory.id for one in core.found}
    profile = profile_of(parts.store, scope, at=now)
    waiting = [
        (category, [one for one in facts if one.memory.id not in shown and may_stand(one.memory)])
        for category, facts in profile.facts.items()
    ]
    begun = f"{heading}{OPENING}{core.text}"
    text, count = _filled(begun, waiting, parts)
    if len(core.found) + count:
        out.write(f"{text}{CLOSING}\n")
    return len(core.found) + count


def _filled(begun: str, waiting: Iterable[tuple[str, list[KnownFact]]], parts: Parts) -> tuple[str, int]:
    """The text with the facts that have room behind it, and how many those are."""
    text, count = begun, 0
    room = CARD_TOKENS - parts.count_tokens(f"{begun}{CLOSING}\n")
    for category, facts in waiting:
        heading = f"[{category.capitalize()}]\n"
        for fact in facts:
            line = f"{heading}{fact_line(fact.memory, parts.timezone, contested=fact.contested)}"
            tokens = parts.count_tokens(line)
            if tokens > room:
                continue
            text, room, count, heading = text + line, room - tokens, count + 1, ""
    return text, count
