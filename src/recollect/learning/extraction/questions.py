"""Which clauses of a sentence ask, so that nothing is learned from them."""

from collections.abc import Sequence
from typing import Final

from recollect.learning.extraction.clauses import Clause
from recollect.learning.listing import listed
from recollect.types.regex import lazy_regex

_ASKING: Final = listed("what how why which whose whom who where")
_INVERTED: Final = listed("is are does did could should would will")
_INVERTED_BEFORE_PRONOUNS: Final = listed("do am was were can may might have has had shall must")
_PERSONAL: Final = listed("i you we he she it they there anyone someone")
_PRONOUNS: Final = _PERSONAL | listed("the my our your this that these those any a an")
_FILLERS: Final = listed("so and but ok okay well hey hi hello please um also now then or oh just wait")
_SOUGHT: Final = listed("ideas idea tips thoughts suggestions advice recommendations help options")
_FOREIGN: Final = listed("kennst kennt weißt hast gibt gibt's kannst conoces sabes connais conosci ken weet")
_TO_REMIND: Final = lazy_regex(
    r"(?:(?:hi|hey|hello|ok|and|also|please) )*(?:can|could|will|would) you (?:please )?remind me\b"
)
"""Asks for something to be remembered, question mark or not."""
_TAG_WORDS: Final = 3
"""Words of "do I not", the longest tag."""


def asks_from(clauses: Sequence[Clause], *, asked: bool) -> int:
    """The number of the first clause that is part of a question; a statement may stand before it.

    0 where the whole sentence asks, the number of clauses where none does.

    ``asked``: whether it ends with a question mark.
    """
    if clauses and _TO_REMIND.match(clauses[0].read):
        return len(clauses)
    for number, clause in enumerate(clauses):
        relative = number > 0 and clause.link == "which" and not asked
        if clause.link == "asks" or (_asks(clause) and not relative):
            return 0 if _is_tag(clauses, number) else number
    if not asked:
        return len(clauses)
    colons = [number for number, clause in enumerate(clauses) if number and clause.link == ":"]
    if colons:
        return colons[-1]
    last = clauses[-1] if clauses else None
    return len(clauses) - 1 if last is not None and _only_asks(last) else 0


def _only_asks(last: Clause) -> bool:
    """Whether nothing but the last words ask: "the annexe is empty now, ideas?"."""
    if last.link != ",":
        return False
    return last.words[0] in _FOREIGN or (len(last.words) <= _TAG_WORDS and last.words[-1] in _SOUGHT)


def _is_tag(clauses: Sequence[Clause], number: int) -> bool:
    """Whether a question is "don't I?", which makes one of the statement before it."""
    words = clauses[number].words
    return 0 < number == len(clauses) - 1 and len(words) <= _TAG_WORDS and words[-1] in _PERSONAL


def _asks(clause: Clause) -> bool:
    words, place = clause.words, 0
    while place < len(words) - 1 and words[place] in _FILLERS:
        place += 1
    word, rest = words[place], words[place + 1 : place + 3]
    after = next((one for one in rest if one != "not"), "")
    match clause.link:
        case "where" | "who" | "which" | "whose" | "whom":
            return word in _INVERTED_BEFORE_PRONOUNS | _INVERTED and (
                after in _PRONOUNS or clause.link == "which"
            )
        case "when":
            return word in _INVERTED_BEFORE_PRONOUNS | _INVERTED
    if word in _ASKING:
        return not (word == "what" and after in {"a", "an"})
    if word in {"any", "anyone", "anybody"}:
        return clause.link in {"", ","}
    if word in _INVERTED:
        return clause.link not in {"and", "or"} or after in _PRONOUNS
    return word in _INVERTED_BEFORE_PRONOUNS and after in _PERSONAL
