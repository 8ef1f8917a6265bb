"""What relations say beyond their words: tastes, skills, choices; and what is part of what."""

from functools import lru_cache
from typing import Final, NamedTuple

from recollect.learning.reconcile.phrases import Phrase, plain
from recollect.text.analyse import Analyser

_LIKING: Final = {
    "like": 1, "enjoy": 1, "is fond of": 1, "is into": 1, "love": 2, "adore": 2, "worship": 2,
}  # fmt: skip
_DISLIKING: Final = {
    "dislike": 1, "cannot stand": 2, "cannot bear": 2, "hate": 2, "detest": 2, "loathe": 2, "despise": 2,
}  # fmt: skip
"""Verbs of taste, each with its strength. Chosen by hand."""
_CHOOSING: Final = frozenset(("prefer",))
_KNOWING: Final = frozenset(("know", "speak", "code in", "is familiar with"))
_LEVELS: Final = {
    "beginner": -1, "novice": -1, "newbie": -1, "new": -1, "bad": -1, "terrible": -1,
    "good": 1, "proficient": 1, "skilled": 1, "experienced": 1, "advanced": 1, "great": 1,
    "expert": 2, "fluent": 2, "master": 2, "excellent": 2,
}  # fmt: skip
"""What "is ... in" says of a skill: below 0 little. Chosen by hand."""
_PARTS: Final = {
    "programming": "python java javascript typescript ruby php rust go kotlin swift scala perl haskell c",
    "python": "pandas numpy scipy django flask fastapi pytorch tensorflow matplotlib polars pytest jupyter",
    "javascript": "react vue angular svelte node typescript jquery express ember",
    "java": "spring hibernate",
    "ruby": "rails sinatra",
    "php": "laravel symfony wordpress",
    "css": "tailwind bootstrap sass",
    "sql": "postgresql postgres mysql sqlite",
}
"""What belongs to what, as people name it when they say what they know. Chosen by hand."""
_WHOLES: Final = {
    part: frozenset(whole for whole, parts in _PARTS.items() if part in parts.split())
    for part in " ".join(_PARTS.values()).split()
}
TOOLS: Final = frozenset(_WHOLES) | frozenset(_PARTS)
"""Languages and libraries that are named so."""
PARTNERS: Final = frozenset(
    ("girlfriend", "boyfriend", "partner", "fiance", "fianc\u00e9", "fiancee", "fianc\u00e9e")
)
"""Whom one breaks up with, and need not divorce."""
ONLY_ONES: Final = frozenset(
    (
        "wife",
        "husband",
        "spouse",
        "partner",
        "mother",
        "mom",
        "mum",
        "father",
        "dad",
        "girlfriend",
        "boyfriend",
        "hubby",
        "wifey",
        "missus",
        "fella",
    )
)
"""Others of whom a person has one at a time, mostly; a second friend says nothing of the first."""
_WORK: Final = "works"
"""The relation of who works, wherever and as whatever."""
_NO_WORK: Final = frozenset(
    ("retired", "unemployed", "jobless", "out of work", "between jobs", "out of a job")
)


def family_of(relation: str, said: str | None) -> str:
    """What a statement of a life is about: its relation by its first word; "is retired" is about work.

    >>> [family_of(*one) for one in (("works at", "Siemens"), ("is retired", None), ("is", "unemployed"))]
    ['works', 'works', 'works']
    """
    return _WORK if _is_idle(relation, said) else (relation.split() or [""])[0].casefold()


def denies_all(relation: str, said: str | None, *, negated: bool) -> str | None:
    """The family of relations of which a statement says that none holds; None when it says no such thing.

    >>> denies_all("works", None, negated=True), denies_all("is retired", None, negated=False)
    ('works', 'works')
    >>> denies_all("works at", "Siemens", negated=True) is None
    True
    """
    if _is_idle(relation, said):
        return None if negated else _WORK
    return relation.casefold() if negated and not said and " " not in relation else None


def _is_idle(relation: str, said: str | None) -> bool:
    return relation == "is retired" or (relation == "is" and (said or "").casefold() in _NO_WORK)


class Relation(NamedTuple):
    """A relation as it is compared.

    Attributes:
        stems: Its stems, in order.
        taste: -2 to 2: how much it says that its subject likes the object; 0 for other relations.
        level: -1 to 2: what it says of a skill; 0 says that there is one; None for other relations.
        chooses: Whether it chooses one thing among others.
    """

    stems: tuple[str, ...]
    taste: int
    level: int | None
    chooses: bool


@lru_cache(maxsize=1024)
def relation_of(text: str, analyser: Analyser) -> Relation:
    """A relation as it is compared."""
    words = plain(text)
    name = " ".join((*[word.removesuffix("s") if word != "is" else word for word in words[:1]], *words[1:]))
    return Relation(
        stems=tuple(analyser.stems(text)),
        taste=_LIKING.get(name, 0) - _DISLIKING.get(name, 0),
        level=0 if name in _KNOWING else _level(words),
        chooses=name in _CHOOSING,
    )


def _level(words: tuple[str, ...]) -> int | None:
    if not words or words[0] not in {"is", "are"} or words[-1] not in {"in", "at", "with", "to", "of"}:
        return None
    return next((_LEVELS[word] for word in words[1:] if word in _LEVELS), None)


def wholes_of(phrase: Phrase) -> frozenset[str]:
    """What a tool belongs to, by its name: "React" to "javascript"; nothing for what the table lacks.

    >>> from recollect.learning.reconcile.phrases import phrase_of
    >>> sorted(wholes_of(phrase_of("Node.js", Analyser())))
    ['javascript']
    """
    return _WHOLES.get(tool_name(phrase), frozenset())


def tool_name(phrase: Phrase) -> str:
    """The name of a tool as the table has it; "Node.js" and "Node" are one."""
    words = phrase.words[:-1] if phrase.words[1:] == ("js",) else phrase.words
    return " ".join(words)
