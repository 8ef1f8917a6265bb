"""Whether a turn does nothing but list how to answer: "keep it terse, no emojis, code first"."""

import re
from collections.abc import Sequence
from typing import Final

from recollect.learning.extraction.instruction_rules import ANSWER, ANSWERS, LEAD, ORDERS, SIGNS, STYLES
from recollect.types.regex import lazy_regex

_STYLED: Final = lazy_regex(
    rf"\b(?:keep (?:it|{ANSWERS})|{ANSWERS}|{ANSWER} in|be|no|use|code|sources"
    r"|examples|short|brief|concise|terse|detailed|long|(?:only|just) (?:short|brief))\b"
)
_FEW: Final = 2
"""Wishes from which a list of them is meant for all answers. Chosen by hand."""
_ALONE: Final = lazy_regex(
    r"\W*(?:(?:give me|use|i use|stick to) (?:metric|imperial|celsius|fahrenheit)(?: units)?"
    r"|(?:(?:please|pls|plz|just) )*(?:keep it|keep (?:your |the )?(?:answers|replies)|be)"
    r" (?:very |really |more )*(?:short|brief|concise|terse)(?: for me)?)(?: (?:please|pls|plz))*\W*",
    re.IGNORECASE,
)
"""A turn that says no more than how answers shall be, and asks for none."""


_WISHED: Final = lazy_regex(
    rf"\b(?:keep it|{ANSWERS}|{ANSWER} in|be (?:more )?(?:brief|concise|formal|informal|casual|polite"
    r"|direct|honest|blunt|friendly)|metric|imperial|celsius|fahrenheit|code (?:first|only)|examples first"
    r"|sources|emojis?|jargon|bullet points|small talk|explanations|fluff|disclaimers|praise|preambles?)\b"
)


_NO_SIGNS: Final = lazy_regex(
    rf"(?=.*\b(?:please|pls|plz|thanks|either|oh|also)\b)(?:(?:oh|and|also|please|pls|plz|ok|okay|so) )*"
    rf"no (?:more )?(?:{SIGNS}|fluff|filler|disclaimers|preambles?|praise|small talk)"
    r"(?: (?:and|or) (?:no )?(?:fluff|filler|disclaimers|praise|\w+ marks|emojis?))?"
    r"(?: (?:please|pls|plz|thanks|either|ok|okay))*"
)
"""What says alone what no answer shall have, politely or as one more wish."""
_REASON: Final = lazy_regex(
    r"i (?:am|read|can ?not|do not|hate|dislike|find|get|use|have)\b(?! to\b)"
    r"|(?:they|it) (?:is|are|look|looks|annoys?|distracts?|breaks?|takes?|makes?)\b"
)
"""Why a wish is told."""


def may_wish(text: str) -> bool:
    """Whether a text may list how to answer."""
    lowered = text.lower()
    return len(_WISHED.findall(lowered)) >= _FEW or _ALONE.fullmatch(text) is not None or "no " in lowered


def lists_wishes(sentences: Sequence[Sequence[str]]) -> bool:
    """Whether the clauses of a turn do nothing but say how to answer, in several ways, and why.

    "Keep it terse, no emojis, code first" goes with no task, so it is meant for all answers; so is "no emojis
    please" alone.
    """
    clauses = [read for sentence in sentences for read in sentence if LEAD.fullmatch(f"{read} ") is None]
    wished = [read for place, read in enumerate(clauses) if not (place and _REASON.match(read))]
    alone = len(wished) == 1 and (_ALONE.fullmatch(wished[0]) or _NO_SIGNS.fullmatch(wished[0])) is not None
    return alone or (len(wished) >= _FEW and all(map(_is_wish, wished)))


def _is_wish(read: str) -> bool:
    lead = LEAD.match(read)
    start = 0 if lead is None else lead.end()
    own = (order for order in ORDERS if order.relation in STYLES)
    return _STYLED.match(read, start) is not None and any(order.pattern.match(read, start) for order in own)
