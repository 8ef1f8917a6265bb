"""Plans that were called off: "the Japan trip is off" ends "User is flying to Japan in May".

A plan is called off where a part of a message says so of something that the plan names, in the same word or
in one for the same thing: a wedding is where one gets married. A trip to another place is another trip.
"""

from typing import Final

from recollect.learning.listing import DAY, MONTH, any_of, listed
from recollect.learning.reconcile.statements import Statement
from recollect.text.analyse import Analyser
from recollect.types.regex import lazy_regex

CALLED_OFF: Final = lazy_regex(
    r"\b"
    + any_of(
        r"""
        (?:called|calling) (?:\w+ ){0,4}?off
        | (?:is|are|was|were|got|been|'s|'re) (?:now |all )?off(?=[ ,.;:!?]|$)(?! to\b)
        | cancel(?:l?ed|ling)? | (?:isn't|is not|aren't|not|won't be|no longer) happening | won't happen
        | (?:i'm |im |we're |i am |we are )?not doing | defer(?:red|ring)(?! to (?:you|him|her|them|my|the)\b)
        | (?:fell|fallen|falling) through | (?:pulled|backed|dropped) out of | scrapped | axed
        | (?:not|\w+n't) .*\b(?:after all|any ?more|any longer) | no longer | abgesagt | annulée?
        | cancelad[oa] | inställ[dt]
        """
    )
    + r"(?!\w)"
)
"""Says that something planned will not be. Chosen by hand."""
_ALIKE: Final = tuple(
    listed(row)
    for row in """
    wedding marry married marrying marriage ceremony
    trip holiday vacation flight fly flying travel travelling traveling journey cruise getaway
    move moving relocating relocation
    come coming visit visiting arriving staying
    marathon race run running
    """.strip().splitlines()
)
"""Words for one thing to do. Chosen by hand."""
_ENTERED: Final = lazy_regex(
    r"(?:(?:has|have) )?(?:signed up|registered|enrolled|entered|booked)(?: for| in| on|$)"
)
"""Relations of what somebody said yes to, and can call off."""
_NO_KEYS: Final = lazy_regex(
    rf"(?:{DAY}|{MONTH}|\d.*|user|is|are|has|have|an?|the|my|our|to|on|in|at|of|for|with|and|going|getting|get"
    r"|termin|uhr|heute|morgen|gestern|wurde|ist|der|die|das|am|im|um|beim|bei|mit|neuer?|on|abgesagt"
    r"|plans?|planning|off|not|no|it|we|i|he|she|they|all|after|any|more|was|will|appointment|doing|starting)s?$"
)
_WORD: Final = lazy_regex(r"[^\W_][\w'-]*")


def is_called_off(low: str, raw: str, known: Statement, analyser: Analyser) -> bool:
    """Whether a part of a message says that a plan will not be.

    Args:
        low: The part in small letters.
        raw: The same as it was written.
        known: What is known.
        analyser: Cuts words into stems.

    >>> from datetime import UTC, datetime
    >>> plan = Statement(subject="User", text="User is getting married on 12 June.", planned=True,
    ...                  at=datetime(2026, 1, 1, tzinfo=UTC))
    >>> said = ("we called off the wedding", "we called off the party")
    >>> [is_called_off(text, text, plan, Analyser()) for text in said]
    [True, False]
    """
    planned = known.planned or _ENTERED.match(known.relation or "") is not None
    if not planned or CALLED_OFF.search(low) is None:
        return False
    said = known.text.removeprefix(known.subject)
    ours, theirs = _keys(low, analyser), _keys(said.lower(), analyser)
    names = {one for one in _keys(" ".join(_names(raw)), analyser) if one not in theirs}
    if ours & theirs:
        return not names or bool(_named(raw, analyser) & _named(said, analyser))
    alike = any(ours & group and theirs & group for group in _stems(analyser))
    return alike and not names and not _named(said, analyser)


def _keys(text: str, analyser: Analyser) -> set[str]:
    """The stems of the words by which a plan is known."""
    words = [word for word in _WORD.findall(text.lower()) if not _NO_KEYS.match(word.removesuffix("'s"))]
    return {stem for word in words for stem in analyser.query_stems(word)}


def _names(raw: str) -> list[str]:
    return [word for word in _WORD.findall(raw)[1:] if word[0].isupper() and word[:2] not in {"I", "I'"}]


def _named(raw: str, analyser: Analyser) -> set[str]:
    return _keys(" ".join(_names(raw)), analyser)


def _stems(analyser: Analyser) -> list[set[str]]:
    return [{stem for word in group for stem in analyser.query_stems(word)} for group in _ALIKE]
