"""What one known statement makes of a new one that is about the present."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Final, Literal, NamedTuple

from recollect.learning.reconcile.bearings import Bearing
from recollect.learning.reconcile.endings import is_ending
from recollect.learning.reconcile.phrases import tells_a_kind
from recollect.learning.reconcile.statements import Statement
from recollect.types.regex import lazy_regex

SURE: Final = 0.7
"""Least confidence that ends what is surer: Second Brain's "fairly confident" begins here."""
CORRECTED_WITHIN: Final = timedelta(hours=1)
"""How long "Actually, ..." may refer to what was said before: a conversation. Chosen by hand."""
LONG_BEFORE: Final = timedelta(days=365)
"""How long before a known home was told a dated move must lie to belong to the past. Chosen by hand."""
_MOVED: Final = lazy_regex(r"\b(?:moved|relocated|emigrated|immigrated)\b")
Verdict = Literal["reinforce", "conflict", "supersede", "refine", "again", "history"]
ORDER: Final[tuple[Verdict, ...]] = ("reinforce", "conflict", "supersede", "refine", "again", "history")
"""The strongest first."""


class Related(NamedTuple):
    """A known statement, and what the new one is to it."""

    known: Statement
    bearing: Bearing


Rule = Callable[[Statement, Statement, Sequence[Related]], Verdict | None]


def verdict_of(new: Statement, one: Related, found: Sequence[Related]) -> Verdict | None:
    """What one known statement makes of a new one; None for nothing.

    Args:
        new: About the present.
        one: The known one.
        found: All known ones that the new one has to do with.
    """
    return _RULES[one.bearing](new, one.known, found)


def is_doubtful(new: Statement, known: Statement) -> bool:
    """Whether a new statement is too unsure to end a known one."""
    return new.confidence < SURE and new.confidence < known.confidence


def _of_repetition(new: Statement, known: Statement, found: Sequence[Related]) -> Verdict | None:
    if known.ended_by(new.at):
        return "again"
    others = (one.known for one in found if one.bearing == "other")
    if any(new.at < one.begins < known.begins for one in others):
        return None  # it held once before, and something else in between
    return "reinforce"


def _of_less(new: Statement, known: Statement, _: Sequence[Related]) -> Verdict | None:
    return "reinforce" if known.begins <= new.at and not known.ended_by(new.at) else None


def _of_more(new: Statement, known: Statement, _: Sequence[Related]) -> Verdict | None:
    return None if known.ended_by(new.at) else "refine"


def _of_opposite(new: Statement, known: Statement, _: Sequence[Related]) -> Verdict | None:
    single = new.single_valued and known.single_valued
    if known.begins > new.at:
        if known.past:
            return None
        changes = known.changed or known.corrects or is_ending(known)
        return "history" if single or changes else "conflict"
    return _of_rival(new, known, decided=single or new.changed or new.corrects)


def _of_part(new: Statement, known: Statement, _: Sequence[Related]) -> Verdict | None:
    return None if known.ended_by(new.at) else "conflict"


def _of_other_value(new: Statement, known: Statement, _: Sequence[Related]) -> Verdict | None:
    apart = not (tells_a_kind(new.object, known.object) or tells_a_kind(known.object, new.object))
    if _is_long_before(new, known):
        return "history"
    if known.begins > new.at:
        return "history" if apart or known.changed or known.corrects else "conflict"
    return _of_rival(new, known, decided=apart or new.changed or new.corrects)


def _is_long_before(new: Statement, known: Statement) -> bool:
    """Whether a move is dated long before another home was told: "In 2012 I moved to Berlin"."""
    dated = new.valid_from is not None and new.valid_from + LONG_BEFORE < known.begins
    return dated and not new.corrects and known.at <= new.at and _MOVED.search(new.text) is not None


def _of_preference_alike(new: Statement, known: Statement, _: Sequence[Related]) -> Verdict | None:
    marked = (new.corrects or new.changed) and known.begins <= new.at
    return _of_rival(new, known, decided=new.corrects) if marked else None


def _of_preference(new: Statement, known: Statement, _: Sequence[Related]) -> Verdict | None:
    just_said = new.at - known.last_said <= CORRECTED_WITHIN
    marked = (new.corrects or new.changed) and known.begins <= new.at
    return _of_rival(new, known, decided=new.corrects and just_said) if marked else None


def _of_one_kind(new: Statement, known: Statement, _: Sequence[Related]) -> Verdict | None:
    corrected = new.corrects and known.begins <= new.at
    return _of_rival(new, known, decided=False) if corrected else None


def _of_rival(new: Statement, known: Statement, *, decided: bool) -> Verdict | None:
    """Supersede what still held, where that is decided and nothing speaks against it."""
    if known.ended_by(new.at):
        return None
    marked = new.changed or new.corrects
    said_after = known.last_said > new.at or (known.last_said == new.at and not marked)
    return "supersede" if decided and not said_after and not is_doubtful(new, known) else "conflict"


_RULES: Final[dict[Bearing, Rule]] = {
    "same": _of_repetition,
    "coarser": _of_less,
    "wider": lambda *_: None,
    "finer": _of_more,
    "opposite": _of_opposite,
    "partly": _of_part,
    "other": _of_other_value,
    "alike": _of_preference_alike,
    "choice": _of_preference,
    "akin": _of_one_kind,
    "excluded": _of_part,
}
