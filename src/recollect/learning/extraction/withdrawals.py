"""That a notice was taken back: "I withdrew my notice, I'm staying". The job that it ended goes on."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from recollect.learning.extraction.facts import EXPLICIT, Fact, Turn
from recollect.learning.extraction.masking import own_words
from recollect.types.regex import lazy_regex

WITHDRAWN: Final = "withdrew their notice"
"""The relation of a turn that takes a notice back."""
_HINTS: Final = ("notice", "resign")
_NOTICE: Final = r"(?:notice|resignation)"
_WITHDRAWN: Final = lazy_regex(
    r"\b(?:(?:i|we)(?:'ve| have| had)? (?:just |now |officially |actually |already |finally |since )*"
    rf"(?:(?:withdrew|withdrawn|took back|taken back|rescinded|retracted|revoked|pulled) my {_NOTICE}"
    rf"|(?:took|taken) my {_NOTICE} back)"
    rf"|(?:let|letting|allowed|allowing) me (?:to )?(?:(?:take back|withdraw|rescind) my {_NOTICE}"
    rf"|take my {_NOTICE} back)"
    rf"|(?:my {_NOTICE}|(?<![^,;.] ){_NOTICE})(?:'s| is| was| has been|) (?:now |officially )?"
    r"(?:withdrawn|rescinded|taken back|revoked))\b",
)
_UNREAL: Final = lazy_regex(
    r"\b(?:if|wish|could|would|should|might|may|maybe|want|thinking|considering|not|never|unless|imagine"
    r"|dreamt|dreamed|what happens|can i|do i|did i|whether|ask(?:s|ed|ing)?|claims?|claimed|thinks?|thought"
    r"|believes?|heard|rumou?rs?|jok(?:ed|ing)|pretend(?:ed)?)\b|n't\b"
)
_ANOTHER: Final = lazy_regex(
    r"\b(?:gym|flat|house|apartment|room|lease|tenancy|landlord|landlady|rent|membership|subscription|club)\b"
)
"""What else a notice may be of."""
_SENTENCE: Final = lazy_regex(r"[^.!?\n]+[.!?]*")
NOTICE: Final = lazy_regex(
    r"\b(?:handed|gave|given|put|turned|sent|submitted|giving|handing)\b.{0,30}\b(?:notice|resignation)\b"
    r"|\bi(?:'ve| have)? (?:just |finally |officially )?(?:resigned|quit (?:my|the) job)\b"
)
"""How a message gives notice, in small letters."""


def withdrawals(turns: Sequence[Turn], *, known: int) -> list[Fact]:
    """What new turns of a user say of a notice that they took back.

    >>> said = ["I withdrew my notice, I'm staying.", "I wish I had withdrawn my notice", "she withdrew hers"]
    >>> said += ["My boss asked whether I withdrew my notice.", "I withdrew my notice on the flat."]
    >>> [len(withdrawals([Turn(text=one)], known=0)) for one in said]
    [1, 0, 0, 0, 0]
    """
    return [
        Fact(
            text=f"{turn.speaker or 'User'} {WITHDRAWN}.",
            category="general",
            confidence=EXPLICIT,
            subject=turn.speaker or "User",
            relation=WITHDRAWN,
            object=None,
            source=turn.id,
            quote=turn.text[slice(*span)].strip(),
            only_ends=True,
        )
        for turn in turns[known:]
        if turn.role == "user" and (span := _withdrawn_in(turn.text)) is not None
    ]


def without_withdrawals(turns: Sequence[Turn]) -> list[Turn]:
    """The turns, with blanks for the sentences that take a notice back; every text keeps its length."""
    left = list(turns)
    for place, turn in enumerate(turns):
        if turn.role == "user" and (span := _withdrawn_in(turn.text)) is not None:
            start, end = span
            left[place] = replace(turn, text=turn.text[:start] + " " * (end - start) + turn.text[end:])
    return left


def _withdrawn_in(text: str) -> tuple[int, int] | None:
    if not any(hint in text.lower() for hint in _HINTS):
        return None
    for sentence in _SENTENCE.finditer(own_words(text).replace("\u2019", "'")):
        words = sentence.group().lower()
        found = _WITHDRAWN.search(words)
        if found is None or words.rstrip().endswith("?") or _ANOTHER.search(words):
            continue
        if not _UNREAL.search(words[: found.end()]):
            return sentence.span()
    return None
