"""Answers that are known to be no answers, mixed unmarked among those to judge: they grade the judge."""

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from recollect_bench.judged.cases import Case
from recollect_bench.metrics import answer_words

MOST: Final = 50
"""Questions with traps, two each: at a tenth passed, that says so within eight points. Chosen by hand."""
SEED: Final = 1
VAGUE: Final = "vague"
WRONG: Final = "wrong"

_ASKS: Final = re.compile(
    r"\b(when|(?:what|which) (?:year|month|day|date)|where|who|whom|whose"
    r"|how (?:many|much|long|old|often)|why)\b",
    re.IGNORECASE,
)
_VAGUE: Final = {
    "when": ("Some time ago.", "Sometime last year.", "Not long before they talked about it."),
    "where": ("A place that they like.", "Somewhere not too far away.", "Where they usually go."),
    "who": ("A close friend.", "Someone they know well.", "A person who matters to them."),
    "how": ("Quite a few.", "Several.", "More than one might think."),
    "why": ("Because it meant a lot to them.", "For personal reasons.", "It had to do with how they felt."),
    "yes or no": ("It depends on how one looks at it.", "In a way.", "There are signs of both."),
    "": (
        "Something special that means a lot to them.",
        "A favourite of theirs.",
        "The kind of thing they enjoy.",
    ),
}
"""By what a question asks for."""
_YES_OR_NO: Final = re.compile(r"(yes|no)\s*(?:[.,;:!]|$)", re.IGNORECASE)
_YEAR: Final = re.compile(r"\b(?:19|20)\d\d\b")
_MONTHS: Final = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_MONTH: Final = re.compile(rf"\b(?:{'|'.join(_MONTHS)})\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Trap:
    """An answer that no judge may pass.

    Attributes:
        kind: ``vague`` or ``wrong``.
    """

    kind: str
    question: str
    gold: str
    answer: str


def traps_for(cases: Sequence[Case]) -> list[Trap]:
    """For at most ``MOST`` questions a vague answer and a wrong one, the same on every call."""
    rng = random.Random(SEED)  # noqa: S311 - no secret
    chosen = rng.sample(cases, min(MOST, len(cases)))
    return [trap for case in chosen for trap in _traps(case, cases, rng)]


def _traps(case: Case, cases: Sequence[Case], rng: random.Random) -> Iterator[Trap]:
    for kind, answer in ((VAGUE, _vague(case, rng)), (WRONG, _wrong(case, cases, rng))):
        if answer:
            yield Trap(kind=kind, question=case.question, gold=case.gold, answer=answer)


def _vague(case: Case, rng: random.Random) -> str | None:
    return _one_that_differs(case.gold, _VAGUE[_asked_for(case)], rng)


def _asked_for(case: Case) -> str:
    """The key of ``_VAGUE`` for a question."""
    if _YES_OR_NO.match(case.gold):
        return "yes or no"
    asked = _ASKS.search(case.question)
    word = asked[1].lower() if asked else ""
    if word.startswith(("what", "which")):
        return "when"
    return next((kind for kind in _VAGUE if kind and word.startswith(kind)), "")


def _wrong(case: Case, cases: Sequence[Case], rng: random.Random) -> str | None:
    """The opposite, another date, or the gold of a question alike, or of any: the first that there is."""
    said = _YES_OR_NO.match(case.gold)
    if said:
        return "No." if said[1].lower() == "yes" else "Yes."
    if _YEAR.search(case.gold):
        return _YEAR.sub(lambda year: str(int(year[0]) - 1), case.gold)
    if _MONTH.search(case.gold):
        return _MONTH.sub(lambda month: _MONTHS[(_MONTHS.index(month[0]) + 3) % 12], case.gold)
    others = [one for one in cases if one.conversation == case.conversation]
    alike = [one.gold for one in others if _opening(one) == _opening(case)]
    return _one_that_differs(case.gold, alike, rng) or _one_that_differs(
        case.gold, [one.gold for one in others], rng
    )


def _opening(case: Case) -> list[str]:
    """The first words of a question, which say what kind of answer it wants."""
    return case.question.lower().split()[:2]


def _one_that_differs(gold: str, answers: Sequence[str], rng: random.Random) -> str | None:
    """Any that has words which the gold lacks, and lacks some that it has; None when there is none."""
    wanted = answer_words(gold)
    for answer in rng.sample(answers, len(answers)):
        said = answer_words(answer)
        if wanted - said and said - wanted:
            return answer
    return None
