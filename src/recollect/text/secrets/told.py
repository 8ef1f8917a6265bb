"""Secrets that the words around them give away: a noun, what links it to a value, and a value.

"The password for the router will be hunter2", "1234, it's the pin they picked", "from hunter2 to hunter3". A
value that looks like no word counts wherever a link or the noun stands beside it. A plain word counts only
where the noun is described and linked without detours, where it ends its clause, and where it does not speak
about passwords itself ("wrong", "expired").
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from recollect.text.secrets import lexicon, links
from recollect.text.secrets.nouns import Noun, find_nouns
from recollect.text.secrets.shapes import is_odd, is_placeholder
from recollect.text.secrets.spans import Secret, SecretKind
from recollect.text.secrets.stretches import Stretch
from recollect.text.secrets.values import (
    code_nearby,
    code_run,
    hard,
    is_group,
    is_plain,
    listed,
    may_be_postal,
    phrase,
    plain_words,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Link:
    """What leads to a value.

    Attributes:
        value: The value's token.
        word: What links.
        tight: Whether a plain word may be the value.
    """

    value: int
    word: str
    tight: bool


def find_told(stretch: Stretch) -> Iterator[Secret]:
    """The secrets that a stretch of text tells, in no order."""
    nouns = list(find_nouns(stretch))
    firsts = {noun.first for noun in nouns}
    for noun in nouns:
        for first, last in (
            *_forward(stretch, noun, firsts),
            *_backward(stretch, noun),
            *_nearby(stretch, noun),
        ):
            tokens = stretch.tokens
            if _REMOVED in stretch.between(min(first, noun.last), max(last, noun.first)):
                continue
            yield Secret(kind=_kind(noun), start=tokens[first].start, end=tokens[last].end)


def _kind(noun: Noun) -> SecretKind:
    return "code" if noun.kind in {"code", "cvc", "list"} else "password"


def _forward(stretch: Stretch, noun: Noun, firsts: set[int]) -> Iterator[tuple[int, int]]:
    """The values behind a noun: right behind it, or behind what links them to it."""
    tokens, found = stretch.tokens, False
    place, limit = noun.last + 1, min(noun.last + _REACH, len(stretch.tokens))
    if end := _beside(stretch, noun):
        yield place, end
        place, found = end + 1, True
    elif tokens[noun.last].ends_sentence and not _goes_on(stretch, place):
        return
    while place < limit and place not in firsts:
        link = _link(stretch, noun, place, found=found)
        end = _value(stretch, noun, link) if link else None
        if link and end is not None:
            yield link.value, end
            place, found = end, True
        elif link and link.word in links.SIGNS and is_placeholder(tokens[link.value].text):
            return
        elif found and noun.kind == "list" and (end := listed(stretch, place)) is not None:
            yield place, end
            place = end
        if tokens[place].ends_sentence and not _goes_on(stretch, place + 1):
            return
        place += 1


def _goes_on(stretch: Stretch, place: int) -> bool:
    """Whether a sentence is about what the one before it named: "It's hunter2."."""
    tokens = stretch.tokens
    return (
        place < len(tokens)
        and tokens[place].low not in links.DASHES
        and (tokens[place].low in links.ANAPHORS or tokens[place].low in links.IS)
    )


def _beside(stretch: Stretch, noun: Noun) -> int | None:
    """The last token of a value right behind the noun: "pin 4711", "user pi and password raspberry"."""
    place = noun.last + 1
    if place >= len(stretch.tokens) or (
        stretch.tokens[noun.last].ends_sentence and not stretch.ends_clause(place)
    ):
        return None
    token = stretch.tokens[place]
    if token.quoted and stretch.tokens[noun.last].stop:
        return None
    if token.text.isdigit() and noun.kind in {"password", "odd"} and len(token.text) < _PIN:
        return None
    end = hard(stretch, noun, place, tight=stretch.tokens[noun.last].ends_sentence)
    if end is None and noun.kind == "list" and is_odd(token, stretch.after(place)):
        end = place
    if end is None and noun.kind == "password" and token.text.count("-") > 1 and is_plain(stretch, place, ""):
        return place
    if (
        end is None
        and noun.kind == "phrase"
        and _WITH.search(stretch.between(noun.first - 2, noun.first - 1))
    ):
        return phrase(stretch, place, listed=False)
    if end is not None or noun.kind not in {"password", "spoken"} or stretch.tokens[noun.last].stop:
        return end
    is_made = _MADE.search(stretch.between(noun.first - 3, noun.first - 1)) is not None
    is_pair = (
        is_made
        or noun.kind == "spoken"
        or _names_user(stretch, noun)
        or stretch.tokens[noun.last].low in _SHORT
    )
    if is_pair and is_plain(stretch, place, noun.language) and stretch.ends_clause(place):
        return place
    return None


def _names_user(stretch: Stretch, noun: Noun) -> bool:
    """Whether a user's name, or the end of a clause, stands right before the noun."""
    before = stretch.tokens[noun.first - 1] if noun.first else None
    if before is not None and before.stop == "," and not stretch.tokens[noun.last].stop:
        return True
    return _USER.search(stretch.between(noun.first - 6, noun.first - 1)) is not None


def _link(stretch: Stretch, noun: Noun, place: int, *, found: bool) -> _Link | None:
    """What leads from the noun to a value, if it stands here."""
    word, tokens = stretch.tokens[place].low, stretch.tokens
    value = place + 1
    if word in links.DASHES and tokens[place - 1].stop == "\n":
        return None
    if word in links.IS or (found and word in links.NOW):
        tight = (word != "'s" or place == noun.last + 1) and _describes(stretch, noun, place, found=found)
    elif word in links.TO[noun.language] | links.FROM and _changes(stretch, noun, place):
        tight = _is_changed(stretch, noun, place)
    else:
        return None
    while value < len(tokens) - 1 and (
        (
            tokens[value].low in links.ARTICLES
            and (
                any(map(str.isdigit, tokens[value + 1].text))
                or tokens[value + 1].quoted
                or tokens[value + 1].low in links.CALLED
            )
        )
        or tokens[value].low in links.FILLERS
        or tokens[value].low in links.SIGNS - links.DASHES
    ):
        if tokens[value].quoted or tokens[value].stop == "\n":
            break
        value += 1
    return _Link(value=value, word=word, tight=tight) if value < len(tokens) else None


def _changes(stretch: Stretch, noun: Noun, place: int) -> bool:
    begin, end = stretch.sentence(noun.first)
    return links.CHANGE.search(stretch.between(begin, max(end, place))) is not None


def _is_changed(stretch: Stretch, noun: Noun, place: int) -> bool:
    """Whether "to" or "from" leads to a value, and not to what the password is for."""
    tokens, word = stretch.tokens, stretch.tokens[place].low
    if word in links.FROM:
        is_pair = place + 2 < len(tokens) and tokens[place + 2].low in links.TO[noun.language]
        return is_pair and (word in {"from", "von", "från", "desde"} or place > noun.last + 1)
    follower = tokens[min(place + 1, len(tokens) - 1)]
    if place - noun.last > _DESCRIPTION:
        return False
    return place > noun.last + 1 or not follower.text[0].isupper()


def _describes(stretch: Stretch, noun: Noun, place: int, *, found: bool) -> bool:
    """Whether only what the secret is for stands between it and its link: "password for the router is"."""
    between = stretch.tokens[noun.last + 1 : place]
    stops = [token.stop for token in (stretch.tokens[noun.last], *between)]
    link = stretch.tokens[place].low
    if found or _changes(stretch, noun, place):
        last = between[-1].low if between else ""
        if last in links.ANAPHORS or link in links.IT_IS:
            return True
        if found:
            return False
    if stops[0] == "?" and not between:
        return True
    if any(stop and stop in ".!?;\n" for stop in stops) or len(between) > _DESCRIPTION:
        return False
    if not between:
        return not stops[0] or link in links.SIGNS or link in links.IT_IS
    if stops[0] == ",":
        return stops[-1] == "," or link in links.SIGNS
    if "," in stops and link not in links.SIGNS:
        return False
    head = between[0]
    return (
        head.low in links.OF
        or head.low in links.WILL
        or head.low in links.ANAPHORS
        or head.low in links.PLACES
        or (
            (link in links.SIGNS or link in links.IS)
            and not lexicon.NO_PASSWORD.search(head.low)
            and (
                head.text[0].isupper()
                or lexicon.WIRELESS.search(head.low) is not None
                or lexicon.LOCKS.search(head.low) is not None
            )
        )
    )


def _value(stretch: Stretch, noun: Noun, link: _Link) -> int | None:
    """The last token of the value that a link leads to; None where there is none."""
    end = hard(stretch, noun, link.value, tight=link.tight or link.word in links.SIGNS)
    if (
        end is not None
        and not link.tight
        and stretch.tokens[link.value].text.isdigit()
        and not _is_about_noun(stretch, noun, link)
    ):
        return None
    if end is not None or noun.kind not in {"password", "phrase", "spoken"} or not link.tight:
        return end
    if (
        noun.kind == "phrase"
        and (end := phrase(stretch, link.value, listed=link.word in links.SIGNS)) is not None
    ):
        return end
    language = "" if link.word in links.SIGNS else links.LINK_LANGUAGES.get(link.word, noun.language)
    follower = link.value + 1
    if (
        link.word in links.FROM
        and follower < len(stretch.tokens)
        and stretch.tokens[follower].low in links.TO[noun.language]
    ):
        return link.value if is_plain(stretch, link.value, language) else None
    return plain_words(stretch, link.value, language)


def _is_about_noun(stretch: Stretch, noun: Noun, link: _Link) -> bool:
    """Whether the clause of a link speaks of the noun, and not of "my opinion"."""
    first = link.value
    while first > noun.last and not stretch.tokens[first - 1].stop:
        first -= 1
    head = stretch.tokens[first].low
    return (
        first <= noun.last + 1
        or head in links.ANAPHORS
        or head in links.IS
        or head in links.NOW
        or head in links.THEN
    )


def _backward(stretch: Stretch, noun: Noun) -> Iterator[tuple[int, int]]:
    """The values before a noun: "hunter2 is the password", "type 4711 when it asks for the pin"."""
    if noun.kind in {"list", "odd", "cvc"} or lexicon.NO_PASSWORD.search(
        stretch.between(noun.last + 1, noun.last + 1)
    ):
        return
    tokens, (begin, _) = stretch.tokens, stretch.sentence(noun.first)
    for place in range(noun.first - 2, max(begin, noun.first - _REACH) - 1, -1):
        if (
            place > begin
            and is_group(tokens[place])
            and is_group(tokens[place - 1])
            and not tokens[place - 1].stop
        ):
            continue
        run = code_run(stretch, place)
        if (run or place) < noun.first - 1 and _leads_to(stretch, place, run or place, noun):
            end = None if tokens[place].text.isalpha() else hard(stretch, noun, place, tight=False)
            if end is None and "-" in tokens[place].text[1:-1] and _is_entered(stretch, place):
                end = place
            if end is not None and end < noun.first:
                yield place, end
                return
        if _is_plain_before(stretch, place, noun, begin):
            yield place, place
            return


def _leads_to(stretch: Stretch, place: int, end: int, noun: Noun) -> bool:
    """Whether what stands between a value and the noun behind it makes it this noun's value."""
    gap = [token.low for token in stretch.tokens[end + 1 : noun.first]]
    if gap[0] in links.AS and _TYPED.search(stretch.between(place + 1, noun.first)):
        return True
    is_near = len(gap) <= _NEAR and not links.PREPOSITIONS.intersection(gap[1:])
    if is_near and (gap[0] in links.AS or gap[:2] == ["to", "be"]):
        return True
    if not _is_entered(stretch, place):
        return False
    told = links.PROMPTS.search(stretch.between(place + 1, noun.first))
    return told is not None or not links.COMPARES.isdisjoint(gap) or (is_near and gap[0] in links.OWNERS)


def _nearby(stretch: Stretch, noun: Noun) -> Iterator[tuple[int, int]]:
    """Odd values and codes in the noun's sentence that nothing else explains.

    "Our netflix is popcorn77 if you need the password", "hunter22. That's the password."
    """
    if noun.kind not in {"password", "phrase", "code"} or _is_plural(stretch, noun):
        return
    begin, end = stretch.sentence(noun.first)
    if begin and stretch.tokens[begin].low in links.THAT_IS:
        begin = stretch.sentence(begin - 1)[0]
    place, last = max(begin, noun.first - _REACH), min(end, noun.last + _REACH)
    while place <= last:
        found = code_nearby(stretch, place) if noun.kind == "code" else _odd_nearby(stretch, place)
        if (
            found is not None
            and not noun.first <= place <= noun.last
            and not may_be_postal(stretch, noun, place)
        ):
            yield place, found
        place = (place if found is None else found) + 1


def _is_plural(stretch: Stretch, noun: Noun) -> bool:
    return stretch.tokens[noun.last].low.endswith(("words", "codes"))


def _odd_nearby(stretch: Stretch, place: int) -> int | None:
    token = stretch.tokens[place]
    lead = stretch.tokens[place - 1] if place else token
    if token.text.count("-") > 1 and is_plain(stretch, place, ""):
        return place if lead.low in links.ENTER or lead.low in links.IS else None
    if not _MIXED.fullmatch(token.text) or not is_odd(token, stretch.after(place)):
        return None
    is_named = lead.low in links.NAMED and not lead.stop
    return None if is_named or stretch.between(place - 2, place - 2) in links.NAMED_BY_SIGN else place


def _is_entered(stretch: Stretch, place: int) -> bool:
    return place > 0 and stretch.tokens[place - 1].low in links.ENTER


def _is_plain_before(stretch: Stretch, place: int, noun: Noun, begin: int) -> bool:
    """Whether a plain word is said to be the password: "I use pumpkin as my password"."""
    gap = [token.low for token in stretch.tokens[place + 1 : noun.first]]
    if (
        noun.kind not in {"password", "phrase", "spoken"}
        or len(gap) not in {2, 3}
        or gap[1] not in links.OWNERS
    ):
        return False
    if any(token.low in links.NEGATION for token in stretch.tokens[begin:place]):
        return False
    if gap[0] in links.COMPARES and _is_entered(stretch, place):
        return is_plain(stretch, place, noun.language)
    ends = stretch.ends_clause(noun.last) or stretch.tokens[noun.last + 1].low in links.OF
    return place == begin and gap[0] in links.PLAIN_IS and ends and is_plain(stretch, place, noun.language)


_REMOVED: Final = " removed]"
"""What stands for a secret that was masked before, and names no other."""
_REACH: Final = 16
"""Tokens from a noun to the farthest value. Chosen by hand, like the next."""
_DESCRIPTION: Final = 8
_NEAR: Final = 4
_PIN: Final = 4
_MADE: Final = re.compile(r"\b(?:made|set) (?:the|my|our)")
_WITH: Final = re.compile(r"\b(?:with|mit|avec|con|med|com)\b")
_SHORT: Final = frozenset({"pw", "mdp", "pwd"})
_MIXED: Final = re.compile(r"(?=.*[^\W\d_]{3})(?=.*\d)[^/@.:_]{6,}")
_USER: Final = re.compile(
    r"(?:\b(?:user|log-?in|account|benutzer|nutzer|konto|identifiant|utilisateur|compte|usuario|usuário|användar"
    r"|inlogg|kund|cuenta|conta|e-?mail|mail|mejl|id|name|nombre|nome|nom|namn)\w*:?"
    r"(?: (?:is|ist|est|es|är|é))?"
    r" ?[^\s,;]{2,40}|\b(?:admin|root)),?(?: (?:and|und|et|y|och|e|with|mit|avec|con|med|com|/|the|my))*\Z"
)
_TYPED: Final = re.compile(r"\bwhat|was man|was du|ce qu|lo que|vad man|vad du|o que")
