"""Whether a message sounds like a change, and of what said before it may be one: by words, not by sentences.

========================================= ================================== ==============================
message                                   said before                        what they have in common
========================================= ================================== ==============================
"Rehomed Mango with a breeder"            "I've got a parrot, Mango"         a word of an end; a name
"new boss: Beatriz"                       "my manager, Joanna"               a word of something new; a topic
"we've raised groceries to 150"           "our grocery budget is 120"        a word of a change; a rare word
========================================= ================================== ==============================

Which of them make a change likely is decided in ``doubts``. The words were chosen by hand.
"""

from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Final, Literal, NamedTuple

from recollect.learning.listing import listed
from recollect.learning.reconcile.topics import words_in
from recollect.text.entities.vocabulary import ADJECTIVES, FUNCTION, KIN, NOUNS, VERBS
from recollect.types.regex import lazy_regex

Cue = Literal["sure", "maybe", "got", "now", "new"]
"""What a message sounds like: surely of a change, maybe of one, of something got,
of the present, or of something new that it names."""

_ROWS: Final = Path(__file__).with_name("cues.txt").read_text(encoding="utf-8")
_APART: Final = lazy_regex(
    r"\b(?:let (?:[\w'-]+ ){1,3}go"
    r"|(?:put|pushed|moved|brought|set|called|broke) (?:[\w'-]+ ){1,4}(?:back|forward|off)"
    r"|(?<!didn't )(?<!not )gave (?:[\w'-]+ ){1,3}(?:up|away)|threw (?:[\w'-]+ ){1,3}(?:out|away)"
    r"|(?:traded|handed) (?:[\w'-]+ ){1,3}in"
    r"|(?:switched|moved|changed|put|took|taken|upped) (?:me|us|him|her) (?:\w+ )?"
    r"(?:over|on|off|to|onto|up|down)"
    r"|gave (?:[\w'-]+ ){1,3}to (?:my|a|the)|haven't \w+ (?:[\w'-]+ ){0,3}since"
    r"|(?:don't|doesn't|didn't|aren't|isn't|not) (?:[\w'-]+ ){1,4}(?:any ?more|any longer)"
    r"|ne \w+ plus|n'\w+ plus|inte (?:\w+ ){0,2}(?:längre|mer)|não (?:\w+ ){1,3}mais|no (?:\w+ ){1,2}más)\b"
)
"""Cues whose words stand apart."""
_IDIOMS: Final = lazy_regex(
    r"\b(?:broke up (?:the|into|in|a)\b|(?:line|connection|call|signal|party) broke up\b"
    r"|(?:when|after|once) (?:[\w'-]+ ){1,4}(?:is|was|are|were) (?:over|done|finished)\b"
    r"|stopped (?:by|at|in)\b|dropped (?:her|him|them|it|by|off)\b|turned (?:on|off|around|up)\b"
    r"|died (?:laughing|of|inside)\b|over (?:the|there|here|at|to my)\b|off (?:to|the|work)\b"
    r"|sold (?:out|my \w+ keys)\b|lost (?:at|my temper)\b|passed (?:by|the|me)\b)"
)
"""Words that look like a cue and are none."""
_WORDS: Final = 4
"""Words of the longest cue."""
_BEHIND_NEW: Final = 3
"""Words behind "new" among which is what is new."""
_DENIALS: Final = lazy_regex(r"(?:not|never|neither|nicht|nie|pas|no|não|nunca|inte|aldrig|\w+n't)$")
_DENIED: Final = frozenset(("any", "anymore", "for", "after"))
"""First words of cues that stand with a denial: "not any more"."""
_NEAR: Final = 3
"""Words before a cue among which a denial denies it. Both chosen by hand."""


def _table() -> dict[str, Cue]:
    rows = (row.partition(":") for row in _ROWS.strip().replace("\n ", " ").splitlines())
    order: tuple[Cue, ...] = ("new", "now", "got", "maybe", "sure")
    told = {name.strip(): words for name, _, words in rows}
    return {word.strip(): cue for cue in order for word in told[cue].split(",") if word.strip()}


_BY_WORDS: Final = _table()
_COMMON: Final = listed(
    """
    btw fyi tbh imo imho ngl idk lol omg rn haha yeah yep nope gonna wanna gotta kinda sorta
    about again also always around because been before being better break busy call called came care change
    come could days doing done down each else even ever every everyone everything feel feeling felt finally
    find first found from gave getting give giving goes going gone good great happy hard have having hear help
    here hope idea into just keep kept kind know last later least less life like little long look looking
    lots love made make making many maybe mean month months more morning most much must name need needs never
    next nice night once only other others part people place plan planning plans please point probably quite
    read real really recently right said same says seen should show since some someone something soon start
    started stay still stop stopped stuff such sure take taken taking talk tell than thank thanks that their
    them then there these they thing things think this those though thought through time times today together
    told took totally tried true trying turn turned until used using usually very want wanted wasn't week
    weekend weeks well went were what when where which while will with without wonder work worked working
    world would year years yesterday your yours haven't hasn't didn't don't doesn't can't won't isn't aren't
    everybody somebody half another minute minutes hour hours half whole half daily weekly monthly evening
    evenings mornings nights afternoon monday tuesday wednesday thursday friday saturday sunday mondays
    tuesdays wednesdays thursdays fridays saturdays sundays january february march april june july august
    september october november december spring summer autumn winter three four five seven eight nine twelve
    aber auch dann dass dein deine denn doch eine einem einen einer immer jeden jetzt kann mein meine meinem
    meinen meiner mich nach nicht noch oder schon sehr sich sind über unser unsere viel wenn werden wieder
    wird wurde zwei drei vier fünf sechs acht neun tage woche jahre
    alors après aussi avec avoir beaucoup bien cette chez comme dans depuis deux elle encore faire fois mais
    même mois mon notre nous parce pour quand sans semaine sont sous suis sur tous tout toute trois très
    ahora años antes aquí casa como con cuando desde dos está estoy hace hasta muy nada para pero poco porque
    que siempre también tengo todo todos tres una vez
    alla alltid att dag efter eller från har hela honom inte jag mycket någon sedan ska som varje vecka vill
    agora anos antes aqui com como depois dois duas esta estou gosto mais meu meus minha minhas muito nada
    para pelo porque quando sempre também tenho três tudo
    """
)
_TOLD: Final = 2
_SHORTEST: Final = 4
"""Letters of a telling word in small letters."""
_ALIKE: Final = 5
"""Letters that two forms of a word begin with: "grocery", "groceries"."""
_NUMBER: Final = lazy_regex(r"\d")


@lru_cache(maxsize=4096)
def cues_of(low: str) -> Mapping[Cue, str]:
    """What a text in small letters sounds like, each with the words where that shows.

    >>> sorted(cues_of("i gave up the flat, i'm in york now")), dict(cues_of("mango is loud"))
    (['now', 'sure'], {})
    >>> dict(cues_of("i have a new boss")), dict(cues_of("we haven't postponed it"))
    ({'new': 'boss'}, {})
    """
    words = words_in(_IDIOMS.sub(",", low))
    found: dict[Cue, str] = {"sure": low} if _APART.search(low) else {}
    for place in range(len(words)):
        denied = any(_DENIALS.match(word) for word in words[max(0, place - _NEAR) : place])
        for end in range(place + 1, place + _WORDS + 1):
            cue = _BY_WORDS.get(" ".join(words[place:end]))
            if cue is not None and (not denied or words[place] in _DENIED):
                found[cue] = " ".join(words[end : end + _BEHIND_NEW]) if cue == "new" else low
    return found


class Telling(NamedTuple):
    """Words that tell what a text is about, in small letters."""

    names: frozenset[str]
    rare: frozenset[str]
    nouns: frozenset[str]


@lru_cache(maxsize=4096)
def telling_words(text: str) -> Telling:
    """The names, the rare words and the common nouns of a text; numbers are values and tell nothing.

    >>> words = telling_words("I take the metformin, and my cat is with Ada")
    >>> [sorted(one) for one in words]
    [['ada'], ['metformin'], ['cat']]
    """
    found = Telling(frozenset(), frozenset(), frozenset())
    names, rare, nouns = (set(one) for one in found)
    for place, word in enumerate(words_in(text.replace("\u2019", "'"))):
        low = word.lower().removesuffix("'s")
        if low in _COMMON or low in FUNCTION or low in _BY_WORDS or "'" in low or len(low) < _TOLD:
            continue
        if _NUMBER.search(low) and "@" not in low:
            continue
        if any(letter.isupper() for letter in word[not place :]) or (
            word[0].isupper() and not is_common(low)
        ):
            names.add(low)
        elif len(low) >= _SHORTEST and not is_common(low):
            rare.add(low)
        elif _is_listed(low, NOUNS) or _is_listed(low, VERBS):
            nouns.add(low)
    return Telling(frozenset(names), frozenset(rare), frozenset(nouns))


_COMPOUND: Final = lazy_regex(
    r"\b(?:the|my|our|an?|for|of|any) (?P<kind>[^\W\d_]{3,})[ -](?P<noun>[^\W\d_]{3,}?)s?\b"
)


def are_other_kinds(low: str, other: str, *, noun: str = "") -> bool:
    """Whether a noun has a noun before it in one text and another one in the other text.

    Args:
        low: A text in small letters.
        other: Another one.
        noun: The noun; empty for any that both have.

    >>> are_other_kinds("i've stopped the canal runs", "i do the school run")
    True
    >>> are_other_kinds("i sold the old bike", "i ride the red bike")
    False
    """
    ours, theirs = _kinds_in(low), _kinds_in(other)
    same = [one for one in ours.keys() & theirs.keys() if not noun or one == noun.removesuffix("s")]
    return any(ours[one].isdisjoint(theirs[one]) for one in same)


def _kinds_in(low: str) -> dict[str, set[str]]:
    """The nouns that stand before each noun: "run" has "school" in "the school run"."""
    kinds: dict[str, set[str]] = {}
    for match in _COMPOUND.finditer(low):
        kind = match["kind"]
        if kind not in ADJECTIVES and kind not in FUNCTION:
            kinds.setdefault(match["noun"], set()).add(kind)
    return kinds


def is_noun(word: str) -> bool:
    """Whether a word is a common English noun and nothing else."""
    return _is_listed(word, NOUNS) and not any(
        _is_listed(word, words) for words in (VERBS, ADJECTIVES, _COMMON, FUNCTION)
    )


def is_common(word: str) -> bool:
    """Whether a word is an English one of everyday use."""
    return any(_is_listed(word, words) for words in (NOUNS, VERBS, ADJECTIVES, KIN))


def _is_listed(word: str, words: Collection[str]) -> bool:
    return any(one in words for one in _forms(word))


@lru_cache(maxsize=20_000)
def _forms(word: str) -> tuple[str, ...]:
    """A word, and what it may be a form of."""
    cut = [
        word.removesuffix(end) for end in ("s", "es", "ed", "ing", "ly", "d", "r", "er") if word.endswith(end)
    ]
    full = [f"{one}e" for one in cut] + [f"{one[:-1]}y" for one in cut if one.endswith("i")]
    short = [one[:-1] for one in cut if one[-1:] == one[-2:-1]]
    return (word, *cut, *full, *short)


def shared_words(ours: Iterable[str], theirs: Collection[str]) -> frozenset[str]:
    """Words of the first that the second has, too, or in another form."""
    return frozenset(word for word in ours if any(_alike(word, other) for other in theirs))


def _alike(one: str, other: str) -> bool:
    if one == other:
        return True
    if _NUMBER.search(one) or _NUMBER.search(other):
        return False
    short, long = sorted((one, other), key=len)
    if len(short) < _SHORTEST:
        return False
    if long.startswith(short) and len(long) - len(short) <= (3 if len(short) > _SHORTEST else 1):
        return True
    return (
        len(short) > _ALIKE
        and len(long) <= len(short) + 4
        and long.startswith(short[: max(_ALIKE, len(short) - 2)])
    )
