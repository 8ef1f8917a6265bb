"""Where an object ends, and whether it is something to keep."""

import re
from collections.abc import Sequence
from typing import Final

from recollect.learning.extraction.clauses import ADVERBS
from recollect.learning.extraction.forms import INGS, PASTS, THIRDS
from recollect.learning.extraction.verbs import KNOWN, TALK
from recollect.learning.listing import divided, listed
from recollect.text.entities.reading import LEGAL_FORMS
from recollect.text.entities.vocabulary import MADE
from recollect.types.regex import lazy_regex

MOST_WORDS: Final = 16
"""Words of an object that are kept; the rest of a long one is detail. Chosen by hand."""

_STOPS: Final = listed(
    """
    that i he she they we you which who where when if because although though but whereas what why how whose
    """
)
"""Words that begin something else behind an object."""
_TAILS: Final = listed(
    """
    now too also though actually currently anyway lol haha hahaha lmao btw either anymore honestly again
    already right still really yes yeah mate man bro dude please thanks sorry then well just instead
    unfortunately sadly luckily obviously basically literally definitely probably maybe perhaps imo imho fyi
    nowadays presently xd alright okay ok eh huh hey guys everyone folks thankfully even ever yet lately
    recently personally back there here and or so is am are to a an the of with as for about by at from my
    """
)
"""Words that end a statement without adding to it, and those that a cut leaves hanging."""
_TAIL_PHRASES: Final = tuple(
    tuple(phrase.split())
    for phrase in divided(
        """
        these days | at the moment | right now | as well | at all | of course | by the way | in fact | for now
        | so far | i think | any more | no more | you know | ya know | at present | and so on | and all
        | or something | and stuff | or so | more than anything | with a passion | so much | very much | a lot
        | for sure | to death | of late | in general | no problem | ever since | in my life | in my whole life
        | after all | in my entire life | to be honest | a bit | if possible | very well
        | really well | pretty well | quite well | fairly well | so well | extremely well
        """
    )
)
_TAILS_BY_LAST_WORD: Final = {
    last: tuple(phrase for phrase in _TAIL_PHRASES if phrase[-1] == last)
    for last in {phrase[-1] for phrase in _TAIL_PHRASES}
}
_COUNTS: Final = listed("two three four five six other")
"""Before "guys", which addresses nobody then."""
_BEHIND_SO: Final = listed("much many that far called long good hard often well on to too and very")
"""Behind "so", what makes it more of a word rather than what follows from it."""
_OWN: Final = listed("my our his her their")
_PREPOSITIONS: Final = listed(
    """
    in on at to for with from of by about near under over after before into between among without than
    as and or like during since until through around behind beside against outside inside via per plus
    including towards toward across along beyond within despite but not versus vs also both is am are
    was were
    """
)
DEICTIC: Final = listed(
    """
    it that this these those him them you ya your yours me us i we he she they his her their its hers theirs
    last next everything something anything nothing some one ones what how why when where who so there here
    such another
    other each same myself yourself themselves himself herself someone anyone everyone somebody everybody
    somewhere is are was were has and or
    """
)
"""Words that point at something outside the sentence, when an object begins with them."""
_POINTING: Final = listed("it this these those him them you ya your yours here there that something")
"""The same anywhere in it."""
_VERBAL: Final = listed("is are was were will would can could should might does did has has'nt")
"""Words that make a clause of what should be an object."""
_HOLLOW: Final = DEICTIC | listed(
    """
    a an the my our of in on at to for with from by about not more most less much many lot lots bit
    little few way ways thing things stuff ton tons bunch loads all any no only just very really too
    well good great best better nice idea time times part kind sort am be been do had have out up off
    away back down over around along together with into new old
    """
)
"""Words that do not make an object worth keeping."""


def object_end(words: Sequence[str], start: int) -> int:
    """Where the object that begins at ``start`` ends (exclusive), its empty tail cut off.

    Where another clause cuts it short, what the cut leaves hanging goes as well; ``start`` when that is
    all.

    >>> words = "a hori knife my brother gave me".split()
    >>> words[: object_end(words, 0)]
    ['a', 'hori', 'knife']
    >>> object_end("sharing what i know".split(), 0)
    0
    """
    end = min(len(words), start + MOST_WORDS)
    for place in range(start + 1, end):
        if words[place] in _STOPS or _is_reduced_relative(words, place) or _is_simile(words, place):
            return _without_loose_end(words, start, place)
        if words[place] == "so" and words[place + 1 : place + 2] and words[place + 1] not in _BEHIND_SO:
            return _without_loose_end(words, start, place)
    if end < len(words):
        end = _before_last_preposition(words, start, end)
    return _without_tail(words, start, end)


def _without_loose_end(words: Sequence[str], start: int, end: int) -> int:
    """Takes away what needs the words that were cut off: "to help them", "sharing"."""
    end = _without_tail(words, start, end)
    while end > start:
        last, before = words[end - 1], words[end - 2] if end - 2 >= start else ""
        if before == "to" and (last in KNOWN or last in TALK):
            end = _without_tail(words, start, end - 2)
        elif last in _PREPOSITIONS or last in INGS:
            end = _without_tail(words, start, end - 1)
        else:
            return end
    return end


def _before_last_preposition(words: Sequence[str], start: int, end: int) -> int:
    """A long object is cut where a detail of it begins."""
    for place in range(end - 1, start + 3, -1):
        if words[place] in _PREPOSITIONS:
            return place
    return end


def _is_reduced_relative(words: Sequence[str], place: int) -> bool:
    """Whether "my" begins a clause that tells of the noun before it: "a knife my brother gave me"."""
    if (
        words[place] not in _OWN
        or words[place - 1] in _PREPOSITIONS
        or words[place - 1].endswith(("ing", "ly"))
    ):
        return False
    return any(word in PASTS or word in THIRDS for word in words[place + 1 : place + _CLOSE])


def _is_simile(words: Sequence[str], place: int) -> bool:
    """Whether a likeness of a person ends the object: "before breakfast like a good girl"."""
    return (
        words[place : place + 2] == ["like", "a"] and words[-1] in _LIKENED and len(words) - place <= _CLOSE
    )


_LIKENED: Final = listed("girl boy adult grown-up pro champ boss maniac idiot champion lunatic madman zombie")
"""Whom people say that they do something like. Chosen by hand."""
_CLOSE: Final = 4
"""Words behind "my" among which the verb of such a clause stands. Chosen by hand."""


def _without_tail(words: Sequence[str], start: int, end: int) -> int:
    while end > start:
        size = _size_of_tail(words, start, end)
        if not size:
            return end
        end -= size
    return end


def _size_of_tail(words: Sequence[str], start: int, end: int) -> int:
    last = words[end - 1]
    for phrase in _TAILS_BY_LAST_WORD.get(last, ()):
        if end - len(phrase) >= start and tuple(words[end - len(phrase) : end]) == phrase:
            return len(phrase)
    counted = last == "guys" and end - 2 >= start and words[end - 2] in _COUNTS
    return 1 if last in _TAILS and not counted else 0


def says_something(words: Sequence[str]) -> bool:
    """Whether words hold one of substance.

    >>> says_something(["a", "lot"]), says_something(["jazz"])
    (False, True)
    """
    return any(word not in _HOLLOW and word not in ADVERBS and any(map(str.isalnum, word)) for word in words)


NEEDS_MORE: Final = listed(
    """
    play do make have get be create share use see go try take give bring help build watch keep put show tell
    say
    know find add feel work meet spend sleep
    """
)
"""Verbs that say nothing without an object."""


def is_half(words: Sequence[str]) -> bool:
    """Whether an object is a verb whose own object is missing: "playing", "to create".

    >>> is_half(["playing"]), is_half(["to", "create"]), is_half(["hiking"])
    (True, True, False)
    """
    if len(words) == 1:
        return INGS.get(words[0]) in NEEDS_MORE
    return words[0] == "to" and len(words) == len(("to", "create")) and words[1] in NEEDS_MORE


def points(words: Sequence[str]) -> bool:
    """Whether an object points at something outside the sentence, or is no noun at all.

    >>> points(["their", "design"]), points(["walking", "there"]), points(["walking"])
    (True, True, False)
    """
    if not words or words[0] in DEICTIC:
        return True
    return not _POINTING.isdisjoint(words) or not _VERBAL.isdisjoint(words)


_FIRMS: Final = frozenset(name.casefold() for name in MADE)
_LEGAL_FORMS: Final = frozenset(form for form in LEGAL_FORMS if len(form) > len("co"))
"""Those of two letters are countries and states, too: "Denver, CO"."""


def names_a_firm(raw: str) -> bool:
    """Whether a name is known as a firm's or a product's, or ends like a firm's.

    A name that goes on behind a known one may be a place's.

    >>> names_a_firm("Google in Munich"), names_a_firm("Acme Corp."), names_a_firm("Apple Valley")
    (True, True, False)
    """
    words = raw.split()
    size = next((place for place, word in enumerate(words) if word in _PREPOSITIONS), len(words))
    name = [word.strip(".,").casefold() for word in words[:size]]
    return " ".join(name) in _FIRMS or (len(name) > 1 and name[-1] in _LEGAL_FORMS)


_KINDS: Final = lazy_regex(
    r"""the\ (?:
    sea|seaside|ocean|beach|mountains?|outdoors|great\ outdoors|cold|heat|rain|snow|sun|sunshine|summer|winter
    |autumn|spring|fall|countryside|city|woods|forest|desert|water|wind|dark|night|morning|quiet|silence|gym
    |theatre|theater|cinema|opera|movies|circus|zoo|internet|piano|guitar|violin|cello|flute|drums
    |window\ seat
    |aisle\ seat|metric\ system|command\ line|terminal|arts|news|holidays|weekends?|stars|smell\ of\ \S+
    |taste\ of\ \S+|feel\ of\ \S+|sound\ of\ \S+|colou?rs?\ (?!and\b)\S+|early\ \S+|old\ (?:songs|films
    |movies|albums|books)
    |[6-9]0s)\b""",
    re.VERBOSE,
)


def names_a_kind(said: str, raw: str) -> bool:
    """Whether "the ..." means a kind of thing or a name, rather than one thing here.

    Args:
        said: The object as it is read, from "the" on.
        raw: The same as it stands in the text.

    >>> names_a_kind("the sea", "the sea"), names_a_kind("the beatles", "the Beatles")
    (True, True)
    >>> names_a_kind("the blue one", "the blue one")
    False
    """
    words = raw.split()
    named = len(words) > 1 and (words[1][:1].isupper() or words[1][:1].isdigit())
    return named or _KINDS.match(said) is not None
