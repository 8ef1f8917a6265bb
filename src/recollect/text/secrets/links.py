"""What stands right before a value, and whether it leads to it: "is", "type", "changed to"."""

from typing import Final

from recollect.text.secrets.shapes import shape_of
from recollect.text.secrets.stretches import Stretch
from recollect.text.secrets.values import Value
from recollect.text.secrets.words import CHANGE, ENTER, FILLERS, FROM, IS, SIGNS, TO, words


def is_entered(stretch: Stretch, value: Value) -> bool:
    """Whether a word before a value leads to it, or the verb behind it says that it is typed."""
    follower = value.last + 1
    ends = {min(follower, len(stretch.tokens) - 1), stretch.sentence(value.last)[1]}
    is_typed = any(stretch.tokens[end].low in _TYPED for end in ends)
    return is_typed or is_linked(stretch, value.first)


def starts_clause(stretch: Stretch, place: int) -> bool:
    """Whether a clause begins with a token, or with what only fills in before it."""
    lead = _before_fillers(stretch, place)
    return lead < 0 or bool(stretch.tokens[lead].stop)


def _before_fillers(stretch: Stretch, place: int) -> int:
    """The last token before another that ends a clause or does not only fill in; -1 where there is none."""
    tokens, lead, least = stretch.tokens, place - 1, max(-1, place - _FILLED)
    while lead > least and tokens[lead].low in FILLERS and not tokens[lead].stop:
        lead -= 1
    return lead


def is_linked(stretch: Stretch, place: int) -> bool:
    """Whether a word before a token leads to it: "is", "=", "type", or "to" behind a verb of change."""
    if is_changed(stretch, place, place - 1):
        return True
    lead = lead_of(stretch, place)
    if lead is None:
        return False
    word = stretch.tokens[lead].low
    before = stretch.tokens[lead - 1].low if lead else ""
    if word in IS or word in ENTER or (word == "in" and before in _TYPE) or (word in _ON and before in IS):
        return True
    return is_changed(stretch, place, lead)


def is_changed(stretch: Stretch, place: int, lead: int) -> bool:
    """Whether a word such as "to" leads to a token, and a verb says that something changes to it."""
    return (
        lead >= 0
        and (stretch.tokens[lead].low in TO or stretch.tokens[lead].low in FROM)
        and shape_of(stretch.tokens[place].text) != "year"
        and CHANGE.search(stretch.between(*stretch.sentence(place))) is not None
    )


def lead_of(stretch: Stretch, place: int) -> int | None:
    """The token before another in its clause, without what only fills in; None where there is none."""
    tokens, lead = stretch.tokens, _before_fillers(stretch, place)
    return None if lead < 0 or (tokens[lead].stop and tokens[lead].low not in SIGNS) else lead


_TYPE: Final = words("type typed punch punched key keyed put dial tap")
_ON: Final = words("on auf op på sur su")
_TYPED: Final = words(
    "eingeben tippen drücken wählen einstellen eintippen toetsen intoetsen invoeren typen was war"
)
_FILLED: Final = 8
"""Tokens that may fill in between a link and a value. Chosen by hand."""
