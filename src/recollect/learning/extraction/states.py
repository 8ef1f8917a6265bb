"""What "to be" says of someone, or of something of theirs, that lasts."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, Literal

from recollect.learning.extraction.clauses import Clause
from recollect.learning.extraction.objects import points, says_something
from recollect.learning.extraction.people import NATIONALITIES, OCCUPATIONS, PETS, is_identity
from recollect.learning.extraction.rules import Reading, read
from recollect.learning.extraction.verb_rules import STATES, THINGS_ARE
from recollect.learning.listing import either, listed
from recollect.text.entities.kinds import Kind as WordKind
from recollect.text.entities.kinds import kind_of as kind_of_word
from recollect.text.entities.vocabulary import GIVEN, MADE, PLACES
from recollect.types.regex import lazy_regex

Kind = Literal["self", "person", "pet", "thing"]
"""What something is said of: the speaker, or who or what is theirs."""

_LEADING: Final = listed(
    """
    really very quite pretty so extremely super rather fairly also still just totally completely absolutely
    naturally deathly severely mildly highly deeply both
    """
)
"""Adverbs that change nothing."""
_DETAILS: Final = either(
    listed(
        """
        of in at for from with on by to who that and or who's based working living studying when since because
        but as than about specializing trying whose doing like before
        """
    )
)
_NOUNS: Final = lazy_regex(
    "(?P<soft>(?:(?:a bit|a little bit|something|more|much|kind|sort) of )+)?(?:an?|two|both) "
    rf"(?P<nouns>\S+(?: (?!{_DETAILS}\b)\S+){{0,4}})(?=\ |$)"
)
"""The nouns behind an article, up to their details."""
_PLURAL: Final = lazy_regex(r"(?P<nouns>(?:\S+ ){0,2}?\S+s)(?= (?:in|at|for|from|with|of) |$)")
"""The same of several people: "retired teachers"."""
_YEARS: Final = lazy_regex(r"(?P<years>\d{1,3})(?:[- ]years?[- ]old|[- ]?yo|[- ]?y/o|[- ]yr[- ]old) ")
_PRAISE: Final = lazy_regex(
    r"\b(?:great|good|nice|bad|terrible|big part|huge part|happy|lucky|real|true|total|complete|proud|sad"
    r"|wonderful|amazing|such|same|changed|different|new|better|worse|worst|best|last|type of|kind of"
    r"|sort of|next|stronger)\b"
)
"""Words that tell how someone is, rather than who; a trade with one is still a trade."""
_SKILLED: Final = listed("listener cook swimmer driver dancer singer eater reader sleeper speller")
"""What "a bad ..." says something of all the same."""
_ANYBODY: Final = listed("guy girl woman man boy person human adult")
"""What says nothing without an adjective."""
_KIN: Final = listed(
    """
    mom mum mother dad father parent grandparent twin widow widower bachelor student undergrad undergraduate
    graduate freshman sophomore junior senior expat immigrant refugee veteran citizen resident native local
    diabetic christian catholic muslim jew buddhist hindu sikh protestant atheist agnostic pensioner retiree
    teenager lesbian
    """
)
"""Nouns that say who someone is, rather than how."""
_NAME: Final = lazy_regex(
    r"(?:Dr\.?|Mr\.?|Mrs\.?|Ms\.?|Prof\.?)$|[^\W\d_a-z][\w'\u2019-]*[a-z\u00df-\u00ff][\w'\u2019-]*$"
)
_NO_NAMES: Final = listed(
    """
    ok okay team the a an so not very just really happy sorry glad sure here back done ready good great
    fine excited i in on at from with monday tuesday wednesday thursday friday saturday sunday god
    please thanks no yes also still always never all more too only tired sad bored hungry lost new
    looking going trying pretty well doing feeling working thinking hoping interested interesting if
    when as for to that this amazing wow
    """
)
_TITLES: Final = frozenset(["dr", "mr", "mrs", "ms", "miss", "prof"])
_PLACED: Final = frozenset(["on", "at", "in"])
"""Behind a name with a title: "my dentist is Mr Pell on Castle Street"."""
_BEHIND_NAMES: Final = listed("from and by but here aka")
_STAGES: Final = listed("step level stage part phase chapter page table day week trouble tears love")


def _is_a_place(name: str) -> bool:
    """Whether a name may be a town's: a known place, or a word that is nothing else."""
    return name in PLACES or (
        name[:1].isupper() and name not in MADE and kind_of_word(name) is WordKind.UNKNOWN
    )


_MOST_OF_PLACE: Final = 4
"""Words of "in" and a place, behind which nothing says why or how long. Chosen by hand."""
_MOST_NAMES: Final = 3
"""Words of a name. Chosen by hand."""
_NATION: Final = lazy_regex(
    r"(?:half |part |a quarter |originally |proudly )*(?P<first>[\w-]+)(?:[- ](?P<second>[\w-]+))?(?= |$)"
)
_BEHIND_NATIONS: Final = NATIONALITIES | listed("and but by citizen living on")
_THING_NAME: Final = lazy_regex(r"[A-Z][\w-]*|\d+\w*[A-Z]\w*")


def states_of(clause: Clause, start: int, end: int, *, kind: Kind, plural: bool = False) -> list[Reading]:
    """What "is" says with the words from ``start`` to ``end``: nothing, one thing, or a name and an origin.

    ``plural``: whether of several: "are teachers".
    """
    words = clause.words
    first = start
    while first < end and words[first] in _LEADING:
        first += 1
    if first < end and points(words[first:end]) and "and" in words[first + 1 : end]:
        end = words.index("and", first + 1)  # "I'm single and quite happy about it"
    if told := _beside_an_age(clause, first, end, kind=kind, plural=plural):
        return told
    if first >= end or points(words[first:end]):
        return []
    if kind == "thing":
        return _of_thing(clause, first, end)
    provider = clause.raw(first + 1, first + 2)
    named = first + 2 <= end and provider[:1].isupper() and words[first + 1] not in _STAGES
    if kind == "person" and words[first] in {"in", "at", "on"} and named:
        return [
            Reading(relation=f"is {words[first]}", start=first + 1, end=end, until=end, category="context")
        ]
    if kind == "self" and words[first] == "in" and _is_a_place(provider) and end - first <= _MOST_OF_PLACE:
        return [
            Reading(relation="is in", start=first + 1, end=end, until=end, category="context", hedged=True)
        ]
    if kind == "self" and words[first] == "with" and provider[:1].isupper() and provider not in GIVEN:
        return [Reading(relation="is with", start=first + 1, end=end, until=end, category="general")]
    found = read(STATES, words, first, end)
    if found is not None:
        return [found] if _is_said(words, found) else []
    return (
        _nation(clause, first, end)
        or _bare_trade(clause, first, end)
        or _nouns(clause, first, end, kind=kind, plural=plural)
        or _named(clause, first, end, kind=kind)
    )


def _beside_an_age(clause: Clause, first: int, end: int, *, kind: Kind, plural: bool) -> list[Reading]:
    """An age, and what is told behind it: "9 and autistic"; nothing where the rest is no state."""
    behind = first + 2
    if behind >= end or not (clause.words[first].isdigit() and clause.words[first + 1] == "and"):
        return []
    age = states_of(clause, first, first + 1, kind=kind, plural=plural)
    rest = states_of(clause, behind, end, kind=kind, plural=plural)
    return [*age, *(replace(one, shown="is", shown_from=behind) for one in rest)] if age and rest else []


_OTHERS: Final = listed("their his her its this that these those your it them him")


def _is_said(words: Sequence[str], found: Reading) -> bool:
    said = words[found.start : found.end]
    if said and said[0] in _OTHERS:
        return False
    return (
        not said
        or (found.relation in {"is", "is aged", "has marital status", "is named"})
        or says_something(said)
    )


def _nation(clause: Clause, start: int, end: int) -> list[Reading]:
    match = _NATION.match(" ".join(clause.words[start:end]))
    if (
        match is None
        or match["first"] not in NATIONALITIES
        or (match["second"] or "and") not in _BEHIND_NATIONS
    ):
        return []
    return [Reading(relation="has nationality", start=start, end=end, until=end, category="context")]


def _nouns(clause: Clause, start: int, end: int, *, kind: Kind, plural: bool) -> list[Reading]:
    """What someone is: "a nurse", "an early riser", "a retired nurse from Leeds"."""
    said = " ".join(clause.words[start:end])
    match = (_PLURAL if plural else _NOUNS).match(said)
    if match is None or not _fits(match["nouns"].split(), kind):
        return []
    head = match["nouns"].split()[-1]
    if head in _OF_A_PLACE and clause.words[end : end + 1] in (["there"], ["here"]):
        return []
    soft = match.groupdict().get("soft") is not None
    first, last = (start + said.count(" ", 0, place) for place in match.span("nouns"))
    of = re.match(r" of (?:\S+(?: (?!at\b|in\b|for\b|with\b|from\b)\S+)*)", said[match.end("nouns") :])
    aged = _YEARS.match(match["nouns"])
    years = 0 if aged is None else aged.group().count(" ")
    trade = (head in OCCUPATIONS or (plural and head.removesuffix("s") in OCCUPATIONS)) and not soft
    what = [
        Reading(
            relation="works as" if trade else "is a",
            start=first + years,
            end=last + 1 + (0 if of is None else of.group().count(" ")),
            until=end,
            category="context" if trade or kind != "self" or head in _KIN else "general",
            single=trade,
            hedged=soft,
        )
    ]
    return what if aged is None else [_age(aged["years"], first, first + years), *what]


_OF_A_PLACE: Final = listed(
    "resident member regular tenant patient guest customer client volunteer trustee local"
)
"""Nouns that say little without the place that "there" points at: "I'm a resident there"."""


def _bare_trade(clause: Clause, start: int, end: int) -> list[Reading]:
    """A trade without an article, before whom it is for: "head chef at a bistro", "treasurer of the club"."""
    words = clause.words[start:end]
    head = next((place for place, word in enumerate(words) if word in _FOR_WHOM), 0)
    named = 0 < head <= _MOST_OF_TRADE and head + 1 < len(words) and words[0] not in _SEEKS
    if not named or words[head - 1] not in OCCUPATIONS:
        return []
    return [
        Reading(
            relation="works as", start=start, end=start + head, until=end, category="context", single=True
        )
    ]


_SEEKS: Final = frozenset(["after", "looking"])
_FOR_WHOM: Final = frozenset(["at", "for", "of", "in"])
_MOST_OF_TRADE: Final = 3
"""Words of a trade without an article. Chosen by hand."""


def _age(years: str, start: int, end: int) -> Reading:
    """The age in "a 45-year-old nurse"."""
    shown = f"is {years} years old"
    return Reading(
        relation="is aged",
        start=start,
        end=end,
        until=end,
        category="context",
        single=True,
        shown=shown,
        shown_from=end,
    )


def _fits(nouns: Sequence[str], kind: Kind) -> bool:
    """Whether nouns tell who or what someone is, for as long as that matters."""
    head, said = nouns[-1], " ".join(nouns)
    if kind == "pet":
        return head in PETS or _PRAISE.search(said) is None
    if not (is_identity(head) or is_identity(head.removesuffix("s"))):
        return False
    if head in _ANYBODY and len(nouns) == 1:
        return False
    return head in OCCUPATIONS or head in _SKILLED or _PRAISE.search(said) is None


def _named(clause: Clause, start: int, end: int, *, kind: Kind) -> list[Reading]:
    """A name, as in "I'm Ada": a capitalised word that nothing else is known of."""
    last = start
    while last < min(end, start + _MOST_NAMES) and _NAME.match(clause.raw(last, last + 1)):
        last += 1
    behind = clause.words[last] if last < end else ""
    titled = kind != "self" and clause.words[start].rstrip(".") in _TITLES
    if (
        last == start
        or (kind == "pet" and (clause.words[start] in PETS or last < end))
        or (behind and behind not in (_BEHIND_NAMES | _PLACED if titled else _BEHIND_NAMES))
        or clause.words[start] in _NO_NAMES
    ):
        return []
    name = Reading(relation="is named", start=start, end=last, until=last, category="context", single=True)
    if behind != "from":
        return [name]
    origin = read(STATES, clause.words, last, end)
    return [name] if origin is None else [name, replace(origin, shown="is", shown_from=last)]


_WHERE: Final = frozenset(["in", "near", "from"])
"""Behind a house or a line and "is", before a name."""


def _of_thing(clause: Clause, start: int, end: int) -> list[Reading]:
    """What is said of a car or a thesis: what kind it is, how old, or its make."""
    found = read(THINGS_ARE, clause.words, start, end)
    located = clause.words[start] in _WHERE and clause.raw(start + 1, start + 2)[:1].isupper()
    if located and end > start + 1:
        return [Reading(relation="is", start=start, end=end, until=end, category="general")]
    if found is not None:
        return [found] if says_something(clause.words[found.start : found.end]) else []
    if _THING_NAME.match(clause.raw(start, start + 1)):
        return [Reading(relation="is", start=start, end=end, until=end, category="general")]
    return []
