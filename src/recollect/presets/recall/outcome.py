"""How a task or a session came out: Recall's SUCCESS, PARTIAL or INTERRUPTED, by a rule of our own.

The design names the outcomes and not how they are told. Here a session is

- INTERRUPTED when it broke off: by an error, or when the user's last words got no answer in a session that
  has answers, unless they say goodbye;
- PARTIAL when the user's last words say that something is left: "it still doesn't work", "the rest later";
- a SUCCESS otherwise.
"""

import re
from collections.abc import Sequence
from typing import Final, Literal, get_args

from recollect.checks import check_one_of
from recollect.types.regex import lazy_regex

Outcome = Literal["SUCCESS", "PARTIAL", "INTERRUPTED"]
"""Recall's outcomes."""
OUTCOMES: Final[tuple[Outcome, ...]] = get_args(Outcome)

_LEFT: Final = lazy_regex(
    r"""(?:
        \b(?:still|yet)\b.{0,30}(?:\bnot\b|\bno\b|n't\b|\bfail|\bbroken|\bwrong|\bopen\b|\bmissing)
        | (?:\bnot|n't)\b.{0,30}\b(?:yet|work|finished|done|help|enough|what\ i\ (?:meant|asked|wanted))
        | \b(?:rest|continue|finish|go\ on|carry\ on)\b.{0,30}\b(?:later|tomorrow|another\ time|next\ time)\b
        | \b(?:later|tomorrow|another\ time)\b.{0,30}\b(?:continue|finish|go\ on|the\ rest)\b
        | \bonly\ (?:half|part)\b | \bgave\ up\b
        | \bnoch\b.{0,30}\b(?:nicht|kein|offen|kaputt|falsch)
        | \b(?:nicht|kein)\w*\b.{0,30}\b(?:fertig|funktionier|geklappt|geholfen|genug)
        | \b(?:rest|weiter)\b.{0,30}\b(?:später|morgen|nächstes\ mal)\b
        | \b(?:später|morgen)\b.{0,30}\b(?:weiter|rest)
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_KIND: Final = lazy_regex(
    r"\b(?:(?:can(?:no|['\u2019])t|can not|couldn['\u2019]t|could not) (?:ever )?thank (?:you|u) enough"
    r"|(?:don['\u2019]t|do not) worry"
    r"|not (?:too |so |at all )?bad(?! enough))\b",
    re.IGNORECASE,
)
"""Denials that say that all is well."""
_GOODBYE: Final = lazy_regex(
    r"\b(?:thanks?|thank you|bye|goodbye|good night|see you|cheers|danke|tschüss|bis (?:bald|morgen|dann)"
    r"|gute nacht)\b",
    re.IGNORECASE,
)


def check_outcome(value: object) -> Outcome:
    """One of Recall's outcomes.

    Raises:
        InvalidInputError: It is none.
    """
    return check_one_of("outcome", value, OUTCOMES)


def outcome_of(turns: Sequence[tuple[str, str]], *, broken: bool = False) -> Outcome:
    """How a session came out.

    Args:
        turns: Who spoke (``user``, ``assistant``, …) and what was said, in order.
        broken: Whether it broke off by an error.

    >>> outcome_of([("user", "Book a table."), ("assistant", "Done."), ("user", "Thanks!")])
    'SUCCESS'
    >>> outcome_of([("assistant", "Try again."), ("user", "It still does not work.")])
    'PARTIAL'
    """
    if broken:
        return "INTERRUPTED"
    said = [words for role, words in turns if role == "user"]
    if said and _LEFT.search(_KIND.sub(" thanks ", said[-1])):
        return "PARTIAL"
    answered = any(role == "assistant" for role, _ in turns)
    if answered and turns[-1][0] == "user" and not _GOODBYE.search(turns[-1][1]):
        return "INTERRUPTED"
    return "SUCCESS"
