"""What may stand in a secret's place: an odd token, a code, a phrase, a plain word."""

import re
from typing import Final

from recollect.text.secrets import lexicon, links
from recollect.text.secrets.nouns import Noun
from recollect.text.secrets.plain_words import speaks_about
from recollect.text.secrets.shapes import is_code, is_odd, is_placeholder, is_year
from recollect.text.secrets.stretches import Stretch
from recollect.text.secrets.tokens import Token


def hard(stretch: Stretch, noun: Noun, place: int, *, tight: bool) -> int | None:
    """The last token of a value that looks like no ordinary word, or is quoted."""
    if place >= len(stretch.tokens):
        return None
    token = stretch.tokens[place]
    if token.quoted:
        return place if _is_quoted_value(token, noun) else None
    if noun.kind == "list":
        return listed(stretch, place)
    if noun.kind in {"code", "cvc"}:
        return _code(stretch, noun, place, tight=tight)
    if not is_odd(token, stretch.after(place)) or (is_year(token.text) and not tight):
        return None
    return None if noun.kind == "odd" and token.text.isdigit() and not tight else place


def listed(stretch: Stretch, place: int) -> int | None:
    """The last token of one more code of a list."""
    is_one = is_odd(stretch.tokens[place], stretch.after(place))
    return place if is_one and not stretch.tokens[place].text.isdigit() else code_run(stretch, place)


def _is_quoted_value(token: Token, noun: Noun) -> bool:
    if is_placeholder(token.text) or len(token.text) < _LEAST or token.text.endswith("?"):
        return False
    if token.text.count(" ") > _QUOTED_WORDS and noun.kind != "phrase":
        return False
    if noun.kind in {"code", "list", "cvc"}:
        return any(map(str.isdigit, token.text))
    return not speaks_about(token.text, noun.language)


def _code(stretch: Stretch, noun: Noun, place: int, *, tight: bool) -> int | None:
    token = stretch.tokens[place]
    if noun.kind == "cvc":
        return place if token.text.isdigit() and _CVC <= len(token.text) <= _LONGEST_CODE else None
    end = code_run(stretch, place)
    if end is None or lexicon.UNITS.match(stretch.after(end)):
        return None
    if may_be_postal(stretch, noun, place):
        return None
    return None if is_year(token.text) and end == place and not tight else end


def may_be_postal(stretch: Stretch, noun: Noun, place: int) -> bool:
    """Whether six digits may be a postal code of India, where the sentence names no lock and no account."""
    if len(stretch.tokens[place].text) != _POSTAL or "code" not in stretch.between(noun.first, noun.last):
        return False
    sentence = stretch.between(*stretch.sentence(noun.first))
    return not lexicon.LOCKS.search(sentence) and not lexicon.ACCOUNTS.search(sentence)


def code_run(stretch: Stretch, place: int) -> int | None:
    """The last token of a code whose groups may stand apart: "4821 9930"."""
    tokens, end = stretch.tokens, place
    is_whole = is_code(tokens[place].text)
    if not is_whole and not is_group(tokens[place]):
        return None
    last = min(place + _GROUP, len(tokens) - 1)
    while end < last and not tokens[end].stop and is_group(tokens[end + 1]):
        end += 1
    digits = sum(map(str.isdigit, "".join(token.text for token in tokens[place : end + 1])))
    return end if (end > place or is_whole) and digits <= _MOST_DIGITS else None


def code_nearby(stretch: Stretch, place: int) -> int | None:
    """The last token of a code that no word beside it explains as a count, a time or a place."""
    tokens = stretch.tokens
    end = code_run(stretch, place)
    if end is None or lexicon.UNITS.match(stretch.after(end)):
        return None
    code = stretch.text[tokens[place].start : tokens[end].end]
    if sum(map(str.isdigit, code)) < _PIN or is_year(code) or not code[:1].isdigit():
        return None
    return None if _is_counted(stretch, place) or _counts(stretch, end) else end


def _is_counted(stretch: Stretch, place: int) -> bool:
    """Whether a number is said to be a count, a time, a place or a telephone's: "at 0600"."""
    if not place or (lead := stretch.tokens[place - 1]).stop:
        return False
    is_entered = (
        lead.low == "in" and place > 1 and stretch.tokens[place - 2].low in links.ENTER
    )  # "punch in 4711"
    told = stretch.between(place - _TOLD, place - 1)
    return (lead.low in links.COUNTED and not is_entered) or _TELEPHONE.search(told) is not None


def _counts(stretch: Stretch, place: int) -> bool:
    """Whether a number is followed by what it counts: "2500 lines"."""
    if stretch.ends_clause(place):
        return False
    follower = stretch.tokens[place + 1].low
    known = links.OF, links.IS, links.ENTER, links.AS, links.FILLERS, links.THEN, links.COMPARES, links.TO_ANY
    return (
        not any(follower in some for some in known)
        and links.OPENS.match(stretch.low, stretch.tokens[place + 1].start) is None
    )


def is_group(token: Token) -> bool:
    """Whether a token may be a group of a longer code."""
    return token.text.isdigit() and 2 <= len(token.text) <= _GROUP  # noqa: PLR2004


def phrase(stretch: Stretch, place: int, *, listed: bool) -> int | None:
    """The last token of a phrase of several plain words, which goes on to the end of its clause.

    Args:
        stretch: The part of the text.
        place: The first token.
        listed: Whether a sign such as ":" leads to it, so that any words may follow.
    """
    tokens, first = stretch.tokens, stretch.tokens[place]
    if not listed and speaks_about(first.text, "en") and first.low not in links.ARTICLES:
        return None
    end, most = place, min(place + _LONGEST_PHRASE, len(tokens) - 1)
    while end < most and not _ends_phrase(stretch, end, place):
        end += 1
    about = [speaks_about(token.text, "en") for token in tokens[place + 1 : end + 1]]
    return end if about and (listed or 4 * sum(about) <= len(about)) else None


def _ends_phrase(stretch: Stretch, end: int, place: int) -> bool:
    token, follower = stretch.tokens[end], stretch.tokens[end + 1]
    if token.stop and (token.stop != "," or end >= place + 2):
        return True
    return follower.low in links.DASHES or "(" in stretch.text[token.end : follower.start]


def plain_words(stretch: Stretch, place: int, language: str) -> int | None:
    """The last of at most four plain words that end their clause, none of which speaks about a password."""
    for end in range(place, min(place + _PLAIN_WORDS, len(stretch.tokens))):
        if not is_plain(stretch, end, language) or (end > place and not stretch.tokens[end].text.islower()):
            return None
        if stretch.ends_clause(end):
            return end
    return None


def is_plain(stretch: Stretch, place: int, language: str) -> bool:
    """Whether a token is a plain word, or some with hyphens, that does not speak about a password."""
    token = stretch.tokens[place]
    words = token.text.split("-")
    return (
        len(token.text) >= _LEAST
        and not token.quoted
        and len(words) != 2  # noqa: PLR2004 - "up-to-date" has three, and speaks about passwords
        and all(word.isalpha() and not speaks_about(word, language) for word in words)
    )


_LEAST: Final = 3
"""Characters of the shortest password. This and the next are chosen by hand."""
_QUOTED_WORDS: Final = 4
"""Blanks in the longest quoted password that is no phrase."""
_CVC, _LONGEST_CODE = 3, 8
_POSTAL: Final = 6
"""Digits of an Indian postal code, which is called "pin code", too."""
_MOST_DIGITS: Final = 9
"""More are a telephone number."""
_GROUP: Final = 4
_TOLD: Final = 4
_TELEPHONE: Final = re.compile(r"number|numéro|nummer|número|\btel|contact|\(\d{3}\)")
_PIN: Final = 4
_PLAIN_WORDS: Final = 4
_LONGEST_PHRASE: Final = 25
