"""People whom nobody introduced, known by what is said of them.

====================================== ==============================================================
said                                   known
====================================== ==============================================================
"priyas a midwife", "Tom has moved in" Priya, Tom: a given name before what is said of people
"zosia turned 10 on friday"            Zosia: no other word, before what is said of nobody but people
"zosias 9 and leo is 6"                Zosia, by the given name beside it
"mark is 40", "may is lovely"          nobody: a name that is a word needs to be introduced
"Emma Watson is an actress"            nobody: a name behind which a name follows
"if Tom moves in", "let Alice be 12"   nobody
====================================== ==============================================================

Who they are to the speaker stays unknown until it is told. Nobody is known in what is made up: a story, a
riddle, a persona. The words were chosen by hand.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from recollect.learning.extraction.clauses import sentences_of
from recollect.learning.extraction.people import OCCUPATIONS, RELATIVES
from recollect.learning.extraction.tokens import WordToken, tokens_of
from recollect.learning.listing import any_of, either, listed
from recollect.text.entities.kinds import Kind, given_name, kind_of
from recollect.types.regex import lazy_regex

PERSON: Final = "person"
"""What somebody is to the speaker who is known by name alone."""
_MADE_UP: Final = lazy_regex(
    r"\b(?:how (?:many|much|old)|twice (?:as|her|his)|times as|(?:short )?stor(?:y|ies)|novels?|films?"
    r"|movies?|episodes?|season \d|characters?|plots?|scenes?|poems?|essays?|sentences?|translat\w+"
    r"|examples?|personas?|riddles?|puzzles?|pretend|imagine|suppose|fiction\w*|lyrics|sitcom|protagonist"
    r"|dialogue|role-?play|paragraphs?|proofread|rewrite|rephrase|summari[sz]e|users?|customers?|database"
    r"|in (?-i:[A-Z][a-z]+), (?-i:[A-Z][a-z]+) is)\b",
    re.IGNORECASE,
)
"""A text that may tell of people who do not exist, or of somebody's text."""
_PUBLIC: Final = listed(
    """
    elon trump biden obama putin messi ronaldo beyonce adele rihanna shakespeare mozart bach beethoven
    napoleon jesus einstein darwin newton plato socrates buddha moses drake madonna prince zelda mario
    cinderella sherlock frodo gandalf hamlet romeo juliet batman superman taylor kanye harry-potter
    """
)
"""Names that stand for somebody known to all."""
_LEADS: Final = listed(
    "and but so because cos oh also btw plus well yeah ok anyway though that now then yes no ps guess says"
)
"""Words before the name that a sentence tells of."""
_SIGNS: Final = frozenset(',;:(-\u2013\u2014"')
_OFTEN: Final = r"(?:(?:also|just|now|still|really|only|already|never|always|apparently|both) )*"
_AGE: Final = (
    r"\d{1,2}(?= years?\b| yrs?\b| now\b| and\b| so\b| in\b| on\b| today\b| tomorrow\b| but\b|$| [,.(])"
)
_TRADES: Final = OCCUPATIONS - listed(
    "model guide agent assistant composer driver porter ranger minister worker buyer planner editor author"
)
"""Work that is the name of nothing but a person."""
_ONLY_PEOPLE: Final = any_of(
    rf"""
    is (?:{_AGE} | pregnant | allergic to
    | (?:\S+ )?(?:vegan|vegetarian|veggie|coeliac|celiac|diabetic|autistic|dyslexic)\b
    | (?:getting |just |newly |happily )?(?:married|engaged|divorced)\b
    | an? (?:\S+ ){{0,2}}?{either(_TRADES)}\b | in (?:year|reception|grade) ?\w+)
    | (?:has )?(?:just )?turne[ds] \d{{1,2}}\b | turns \d{{1,2}}\b | (?:has )?moved in\b
    | (?:rang|phoned|texted)\b | does not (?:eat|drink)\b | can not (?:eat|drink|have|stand)\b
    | says (?:that )?(?:she|he)\b | wants to be called\b
    """
)
_PEOPLE: Final = any_of(
    rf"""
    is {_OFTEN}(?:{_AGE} | an? (?:\S+ ){{0,3}}?{either(OCCUPATIONS)}\b
    | (?:\S+ )?(?:intolerant|deaf|blind|sober|single|widowed|retired|left-handed|pescatarian|lactose|gluten)
    | (?:moving|coming|visiting|staying|starting|leaving|retiring|expecting|studying|training|working
    |living|learning)\b | doing (?:her|his)\b | from (?:the )?\S+$ | off work | in hospital | based in)
    | (?:has )?{_OFTEN}(?:moved (?:in|out|to|back|from|house|away)
    | left (?:the|her|his|school|uni|work|home|us) | quit | passed (?:her|his|the)
    | started (?:at|in|a|her|his|school|work|uni|nursery|secondary)
    | finished (?:school|uni|her|his|at|on) | broken? (?:up|her|his) | split up | lost (?:her|his)
    | joined (?:the|a) | retired | graduated | got (?:engaged|married|divorced|diagnosed)
    | got (?:a|the|her|his|an) (?:\S+ )?(?:job|place|offer|promotion|puppy|dog|cat|visa|flat)
    | given up | stopped (?:eating|drinking|smoking|taking))\b
    | {_OFTEN}(?:lives|works|studies|teaches|plays|likes|loves|hates|prefers|adores|enjoys|owns|smokes
    |drinks|runs|attends | drives an? | goes to | takes \S+ (?:for|every|twice|once|daily|now)
    | starts (?:at|in|school|nursery|uni|work|a new))\b
    | (?:does not|can not) (?:like|drive|swim|smoke|do)\b
    | has (?:got )?(?:type|asthma|diabetes|adhd|eczema|epilepsy|arthritis|an? \S+ allergy)\b
    """
)
_KNOWN_SAID: Final = lazy_regex(f"(?:{_ONLY_PEOPLE}|{_PEOPLE})")
_NEW_SAID: Final = lazy_regex(_ONLY_PEOPLE)
_THEIRS: Final = listed("birthday mum mom dad wife husband partner boyfriend girlfriend gp school teacher")
"""What only a person has, behind "Leo's"."""
_AGES: Final = lazy_regex(
    r"(?<![\w'])(?P<one>[^\W\d_]{2,20}?)(?:['\u2019]?s| is) \d{1,2}(?:,? and|,| &)"
    r" (?P<other>[^\W\d_]{2,20}?)(?:['\u2019]?s| is) \d{1,2}\b(?! (?:%|percent|miles|km|pounds|quid|mins?))",
    re.IGNORECASE,
)
_NO_NAMES: Final = listed(
    """
    said she he it this that there here what who where when how one mine yours everything everyone someone
    mum mom dad temp weight score price rent age size width height
    """
)
_LONGEST: Final = 2_000
"""Characters of a text in which people are looked for: longer ones are mostly pasted."""


def may_meet(text: str) -> bool:
    """Whether a text may name somebody: by a given name, or behind a title or a relation."""
    words = _WORD.findall(text)
    return any(given_name(word) or given_name(word.removesuffix("s")) for word in words) or (
        _TOLD.search(text) is not None
    )


_WORD: Final = lazy_regex(r"[^\W\d_]{2,20}")
_TOLD: Final = lazy_regex(
    r"\b(?:mr|mrs|ms|miss|dr|prof)\b\.? \w|\b(?:his|her|the) \w+ \w|\bturned \d|\bmoved in\b"
    r"|\b(?:says|rang|phoned|texted|pregnant|allergic)\b|['\u2019]s \w|[a-z]s \d",
    re.IGNORECASE,
)


def tells_of_people(text: str) -> bool:
    """Whether the people in a text exist, as far as its words tell, and nobody pasted it."""
    own = len(text) <= _SHORT or _OWN.search(text) is not None
    return own and len(text) <= _LONGEST and _MADE_UP.search(text) is None


_SHORT: Final = 300
"""Characters of a text that its writer surely wrote for it. Chosen by hand."""
_OWN: Final = lazy_regex(r"\b(?:i|i'm|im|ive|my|me|we|our|us)\b", re.IGNORECASE)


def met_in(text: str, known: Mapping[str, str], speakers: frozenset[str]) -> dict[str, str]:
    """The people whom a text names as nobody before did, each as a person.

    Args:
        text: The speaker's own words.
        known: Names told before.
        speakers: Names, in small letters, of those who speak.
    """
    if not tells_of_people(text):
        return {}
    others = speakers | {name.casefold() for name in known}
    beside = _named_beside(text)
    tokens = tokens_of(text, beside)
    names = {word.title() for word in beside}
    for sentence in sentences_of(tokens):
        if not sentence.asked:
            names.update(_named_in(sentence.tokens, text))
    if not names:
        names.update(_alone(tokens, text))
    return {name: PERSON for name in sorted(names) if name.casefold() not in others | _PUBLIC}


def _alone(tokens: Sequence[WordToken], text: str) -> Iterator[str]:
    """The one given name of a text, where it goes on with "she's a physio"."""
    given = [place for place, token in enumerate(tokens) if given_name(token.low.removesuffix("'s"))]
    names = {tokens[place].low for place in given}
    behind = tokens[given[0] + 1 : given[0] + 2] if given else []
    surname = behind and behind[0].low.isalpha() and text[behind[0].start].isupper()
    if len(names) != 1 or surname or tokens[given[0]].low.endswith("'s"):
        return
    words = [token.low for token in tokens]
    if _is_introduced(words, given[0]):
        return
    for place in range(given[0] + 1, len(words) - 1):
        if words[place] in {"she", "he"} and _KNOWN_SAID.match(" ".join(words[place + 1 : place + 12])):
            yield given_name(words[given[0]])


def _named_beside(text: str) -> frozenset[str]:
    """Names by their ages beside a given name: "zosias 9 and leo is 6"."""
    for match in _AGES.finditer(text):
        pair = [word.casefold() for word in match.group("one", "other")]
        plain = all(kind_of(word.title()) in {Kind.KNOWN, Kind.UNKNOWN} for word in pair)
        if plain and any(map(given_name, pair)) and _NO_NAMES.isdisjoint(pair):
            return frozenset(pair)
    return frozenset()


def _named_in(tokens: Sequence[WordToken], text: str) -> Iterator[str]:
    """The names of a sentence before what is said of people."""
    words = [token.low for token in tokens]
    for place, word in enumerate(words[:-1]):
        before = words[place - 1] if place else ""
        if before and before not in _LEADS and before not in _SIGNS:
            continue
        name = word.removesuffix("'s")
        shown = (name not in _NO_NAMES and given_name(name)) or _unknown(
            name, text[tokens[place].start : tokens[place].end]
        )
        if not shown or _is_introduced(words, place):
            continue
        if word != name:
            if words[place + 1] in _THEIRS:
                yield shown
            continue
        said = _KNOWN_SAID if given_name(name) else _NEW_SAID
        if said.match(" ".join(words[place + 1 : place + 12])):
            yield shown


def _is_introduced(words: Sequence[str], place: int) -> bool:
    """Whether a relation stands before a name, which other rules read: "our son, Leo, is"."""
    return any(word in RELATIVES or word in _NAMES_OF for word in words[max(0, place - _NEAR) : place])


_NAMES_OF: Final = listed("name called named")
_NEAR: Final = 3
"""Words before a name that may introduce it. Chosen by hand."""


def _unknown(name: str, raw: str) -> str:
    """A word that is none of the language, written as one that may be a name."""
    plain = name.isalpha() and len(name) > len("Al") and name not in _NO_NAMES and not raw.isupper()
    return name.title() if plain and kind_of(name.title()) is Kind.UNKNOWN else ""
