"""What a message takes back that its speaker said just before: "actually no, delete that, forget I said it".

=============================================== ===================================================
said within half an hour of "I hate olives"     takes it back
=============================================== ===================================================
"forget I said that", "ignore my last message"  yes, whatever is said besides
"scratch that", "no wait, forget that"          yes, where the message says no more, and the one
                                                before asked for nothing
"just kidding", "april fools lol"               yes, where the message says no more
"forget that, what shall I cook?"               no: it is the talk that goes elsewhere
"delete that paragraph", "forget it"            no
"I'm Ada. Forget I said that."                  no: of its own words, those before it are
=============================================== ===================================================
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, timedelta
from typing import Final, NamedTuple

from recollect.learning.extraction.clauses import sentences_of
from recollect.learning.extraction.facts import ASKED, Fact, Turn
from recollect.learning.extraction.instruction_rules import DO
from recollect.learning.extraction.irony import may_joke, takes_back
from recollect.learning.extraction.masking import own_words
from recollect.learning.extraction.reading import as_read
from recollect.learning.extraction.tokens import tokens_of
from recollect.types.regex import lazy_regex

UNSAID: Final = "takes back what was said"
"""The relation of a turn that takes back another one, whose id stands in ``Fact.also``."""
PAUSE: Final = timedelta(minutes=30)
"""Behind which nothing is of the message before: Second Brain's end of a conversation."""
_LONGEST: Final = 160
"""Characters of a sentence that takes something back; of its message twice as many. Chosen by hand."""
_HINTS: Final = (
    "forget", "scratch", "delete", "strike", "disregard", "ignore", "erase", "scrap", "take", "t remember",
    "not remember", "t save", "not save", "t store", "not store", "t note", "not note", "t keep", "not keep",
    "pretend",
)  # fmt: skip
_DROP: Final = "(?:forget|ignore|disregard|delete|scratch|strike|erase|scrap|remove)"
_JUST: Final = "(?:just |ever |even )*"
_I_SAID: Final = rf"(?:that )?i {_JUST}(?:said|told you|mentioned|wrote|brought up)"
_STRONG: Final = (
    rf"(?:(?:can|could|would) you |i (?:want|need|would like) you to |you can )?(?:{_DROP} {_I_SAID}"
    rf" (?:it|that|this|so|anything|about (?:it|that))"
    rf"|{_DROP} (?:about )?(?:what|everything|whatever) i {_JUST}(?:said|told you|wrote|mentioned)"
    rf"(?: (?:just now|there))?"
    rf"|{_DROP} (?:my (?:last|previous) |the (?:last|previous) |that last |that )"
    r"(?:message|statement|remark|comment)(?: of mine)?"
    rf"|pretend i (?:did not|didn['\u2019]?t|never) (?:say|said|mention|mentioned) (?:it|that|this|anything)"
    r"|(?:do not|don['\u2019]?t) (?:remember|save|store|note|keep)(?: down)?"
    rf" (?:that|this|it|what i {_JUST}said|what i {_JUST}told you))"
)
_WEAK: Final = (
    rf"(?:(?:can|could|would) you |you can )?{_DROP} (?:that|this)(?: (?:last )?(?:one|bit|thing|part))?"
    r"|(?:i(?:['\u2019]ll)? )?take (?:that|it|this)(?: all)? back|strike the last(?: one| bit)"
    r"|(?:i did not|i didn['\u2019]?t|i do not|i don['\u2019]?t) mean (?:that|it|to say (?:that|it))"
)
_BESIDE: Final = (
    r"oh|ok|okay|no|nope|actually|wait|(?:hang|hold) on|sorry|oops|whoops|please|pls|plz|nvm|never ?mind|h+m+"
    r"|um+|uh+|er+m?|ah|well|my (?:bad|mistake)|thanks|thank you|then|just|lol|haha|and|so|you know what"
    rf"|on second thoughts?|{_DROP} it|again|ever|at all|that never happened"
    r"|(?:that|it|this)(?:(?:['\u2019]s|s| is| was| isn['\u2019]t| wasn['\u2019]t| is not| was not))"
    r" (?:not )?(?:even )?(?:true|right|wrong|untrue|false|correct|an? (?:lie|mistake)|nonsense|rubbish)"
)
_SIGN: Final = r"[\s,;:.!?\u2013\u2014\u2026-]+"
_SAID_STRONGLY: Final = lazy_regex(
    rf"(?:(?:{_BESIDE}|{_WEAK}|{_STRONG}){_SIGN})*?(?:{_STRONG})(?:{_SIGN}(?:{_BESIDE}|{_WEAK}|{_STRONG}))*"
)
_SAID_WEAKLY: Final = lazy_regex(rf"(?:(?:{_BESIDE}){_SIGN})*(?:{_WEAK})(?:{_SIGN}(?:{_BESIDE}|{_WEAK}))*")
_SIGNS: Final = " \n.,;:!?"
_SENTENCE: Final = lazy_regex(r"[^.!?\n]+[.!?]*")
_OWN: Final = lazy_regex(r"\b(?:i|im|i['\u2019]m|ive|my|we|our|always|never)\b", re.IGNORECASE)
"""Words of what a message says itself."""
_ASKS: Final = lazy_regex(
    r"\?|(?:^|[.!\n]\s*)(?:(?:please|pls|ok(?:ay)?|so|and|now|hey|hi)[, ]+)*"
    r"(?:(?:can|could|would|will) you|what|how|why|when|where|which|who"
    r"|(?!call me\b|always\b|never\b)"
    rf"(?:{DO}|draft|help|make|find|look))\b",
    re.IGNORECASE,
)
"""Asks for an answer, which may be what is taken back."""


class Unsaid(NamedTuple):
    """A turn that takes back what its speaker said just before.

    Attributes:
        turn: Its place.
        before: The place of the turn that it takes back; None where it takes back its own first words.
        span: Where in its text the words stand that take back: from and to which character.
    """

    turn: int
    before: int | None
    span: tuple[int, int]


def unsaid_in(turns: Sequence[Turn]) -> Iterator[Unsaid]:
    """The turns that take something back; of a speaker's turns the one before is taken back."""
    last: dict[str | None, int] = {}
    for place, turn in enumerate(turns):
        if turn.role != "user":
            continue
        before = last.get(turn.speaker)
        near = before if before is not None and goes_on(turns[before], turn) else None
        span = _taking_back(turn.text, "" if near is None else turns[near].text)
        if span is not None and _OWN.search(turn.text, 0, span[0]):
            yield Unsaid(place, None, span)
        elif span is not None and near is not None:
            yield Unsaid(place, near, span)
            if not (turn.text[: span[0]] + turn.text[span[1] :]).strip(_SIGNS):
                continue  # "scratch that" once more is of the same message
        last[turn.speaker] = place


def without_unsaid(turns: Sequence[Turn]) -> list[Turn]:
    """The turns, with blanks for what was taken back and what takes it back; every text keeps its length.

    >>> turns = [Turn(text="I hate olives"), Turn(text="forget I said that. Hi!")]
    >>> [turn.text.strip() for turn in without_unsaid(turns)]
    ['', 'Hi!']
    """
    left = list(turns)
    for place, before, (start, end) in unsaid_in(turns):
        first = 0 if before is None else start
        left[place] = _blank(left[place], first, end)
        if before is not None:
            left[before] = _blank(left[before], 0, len(left[before].text))
    return left


def _blank(turn: Turn, start: int, end: int) -> Turn:
    return replace(turn, text=turn.text[:start] + " " * (end - start) + turn.text[end:])


def takings_back(turns: Sequence[Turn], *, known: int) -> list[Fact]:
    """What new turns take back of those that were read before.

    Args:
        turns: A part of a conversation, in order, with their ids.
        known: How many of the first were read before.
    """
    return [
        Fact(
            text=f"{turns[one.turn].speaker or 'User'} {UNSAID}.",
            category="general",
            confidence=ASKED,
            subject=turns[one.turn].speaker or "User",
            relation=UNSAID,
            object=None,
            source=turns[one.turn].id,
            quote=turns[one.turn].text[slice(*one.span)].strip(),
            only_ends=True,
            also=(turns[one.before].id,),
        )
        for one in unsaid_in(turns)
        if one.before is not None and one.before < known <= one.turn
    ]


def goes_on(last: Turn, turn: Turn) -> bool:
    """Whether a turn may speak of what its speaker's turn before spoke of."""
    if last.happened_at is None or turn.happened_at is None:
        return last.speaker == turn.speaker
    paused = turn.happened_at.astimezone(UTC) - last.happened_at.astimezone(UTC)
    return last.speaker == turn.speaker and paused < PAUSE


def may_take_back(text: str) -> bool:
    """Whether a message can take something back, by a look at single words."""
    lowered = text.lower()
    return may_joke(text) or (len(text) <= 2 * _LONGEST and any(hint in lowered for hint in _HINTS))


def _taking_back(text: str, before: str) -> tuple[int, int] | None:
    """Where the words stand that take back what was said just before; None where there are none."""
    if not may_take_back(text):
        return None
    if may_joke(text) and takes_back(sentences_of(tokens_of(as_read(text)))):
        return 0, len(text)
    if len(text) > 2 * _LONGEST:
        return None
    for sentence in _SENTENCE.finditer(own_words(text)):
        if _fits(_SAID_STRONGLY, sentence.group()):
            return sentence.span()
    return (0, len(text)) if _fits(_SAID_WEAKLY, text) and _ASKS.search(before) is None else None


def _fits(pattern: re.Pattern[str], words: str) -> bool:
    said = words.lower().strip(" \t\n.,!?;:\u2026\u2013\u2014-")
    return len(said) <= _LONGEST and pattern.fullmatch(said) is not None
