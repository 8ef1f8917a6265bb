"""What a statement points at in the question beside it: "how do I do this in VS Code? switched over in May".

Who asks about something new often tells only behind the question that it is new. What stands for it there,
as "it", "here", or nothing behind "switched", is replaced by it: the statement tells by itself what is new.
"""

from functools import lru_cache
from typing import Final

from recollect.learning.reconcile.topics import VALUES, topics_of, words_in
from recollect.types.regex import lazy_regex

_NAME: Final = lazy_regex(r"(?<=[a-z,;] )\b[A-Z][\w&'-]*\w(?: (?:[A-Z][\w&'-]*|\d+))*")
_POINTS: Final = (
    (lazy_regex(r"\b(moved|relocated) (?:here|there)\b"), r"\1 to {}"),
    (lazy_regex(r"\b(live|living|based|been|settled in|new) (?:here|there)\b"), r"\1 in {}"),
    (
        lazy_regex(
            r"\b((?:[Ss]witched|[Cc]onverted|[Mm]igrated|[Cc]hanged|[Mm]oved)(?: over)?)"
            r"(?= (?:a|last|in|this|to it|yesterday|recently|and|from)\b|$|[,.;!])(?: to it)?"
        ),
        r"\1 to {}",
    ),
    (
        lazy_regex(r"\b([Gg]ot|[Bb]ought|[Pp]icked|[Aa]dopted|[Oo]rdered|signed) (?:it|one|them|him|her)\b"),
        r"\1 {}",
    ),
    (lazy_regex(r"\b([Cc]hanged) it\b"), r"\1 it to {}"),
)
"""What points at something, and what stands for it. Chosen by hand."""


def pointed_out(statement: str, question: str) -> str:
    """A statement with what it points at in a question in its place.

    Args:
        statement: What was stated.
        question: What was asked beside it.

    >>> pointed_out("moved here in May", "any good running routes in Bristol?")
    'moved to Bristol in May'
    >>> pointed_out("moved to Rome in May", "any good running routes in Bristol?")
    'moved to Rome in May'
    """
    for pattern, told in _POINTS:
        if pattern.search(statement) and (what := _named(question)):
            return pattern.sub(told.format(what.replace("\\", "")), statement, count=1)
    return statement


@lru_cache(maxsize=8)
def _named(question: str) -> str:
    """The last name in a question, or a word for one of several things of a kind; empty without."""
    names: list[str] = [name for name in _NAME.findall(question) if name not in {"I", "I'm", "I've"}]
    if names:
        return names[-1]
    values = [word for word in words_in(question.lower()) if topics_of(word).keys() & VALUES]
    return f"the {values[-1]}" if values else ""
