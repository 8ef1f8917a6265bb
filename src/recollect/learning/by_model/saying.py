"""Whether a clause states a claimed relation: as a fact, in the present, about the claimed subject."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from recollect.learning.extraction.clauses import ADVERBS, Clause, clauses_of, sentences_of
from recollect.learning.extraction.forms import INGS, PASTS, THIRDS
from recollect.learning.extraction.leads import lead_of
from recollect.learning.extraction.naming import name_behind
from recollect.learning.extraction.people import PEOPLE
from recollect.learning.extraction.subjects import subject_of
from recollect.learning.extraction.tokens import tokens_of
from recollect.learning.listing import listed
from recollect.types.regex import lazy_regex

_MAY: Final = "will|would|could|should|might|may|must"
_UNREAL: Final = lazy_regex(
    rf"(?:\b(?:{_MAY}|shall)|['\u2019](?:d|ll))"
    r"(?: (?:not|also|just|even|probably|soon|someday|still|really|always|rather|like|love|prefer|have|be"
    r"|get|become|start|try|to))*(?: \w+ing)? $"
    r"|\b(?:want|hop|plan|intend|wish|need|tempt|dream|aim|ought|going|about)\w*(?: (?!to\b)\w+){0,2} to"
    r"(?: (?:be|get|become|start))? $"
    r"|\b(?:need|want)\w*(?: (?:an?|the|new|better|another))+ $|\bdream $"
    r"|\b(?:hop(?:e|es|ed|ing)|wish(?:ed|es)?)(?: (?:that|I|we|he|she|they|can|could))* $"
    r"|\b(?:wanna|gonna|plan\w* on|consider\w*|almost|nearly|practically)(?: \w+)? $"
    r"|\bfe(?:el|els|lt|eling) (?:like|as (?:if|though))(?: \w+){1,2} $"
    r"|\b(?:think\w*|thought|dream\w*|talk\w*|idea) (?:of|about)(?: \w+)? $"
    r"|\b(?:appl(?:y|ied|ying)|look\w*|search\w*|reject\w*|turned down) for(?: \w+){0,2} $"
    r"|\binterview\w*(?: \w+){0,4} $"
)
"""Stands right before what is wanted, planned, looked for or may be."""
_MAY_BE: Final = lazy_regex(
    rf"\b(?:{_MAY}|wants?|hopes?|plans?|intends?|wish(?:es)?|needs?|going to"
    r"|dreams?|considers?|considering|thinking|thinks?)\b"
)
"""The same in a fact, which then claims no more."""
_OF_OTHERS: Final = lazy_regex(
    r"\b(?:he|she|they|you|it|him|her|them|who|everyone|everybody|someone|somebody|nobody)(?:['\u2019]\w+)?"
    r"(?: (?:\w+ly|also|just|now|still|always|never|once|have|has|had|is|are|was|were|been|to))* $",
    re.IGNORECASE,
)
"""Stands right before what is said of somebody else."""
_AS_ONE: Final = lazy_regex(r"\bas (?:someone|somebody|an? (?:\w+ ){1,3}?)\s*who(?: \w+)? $", re.IGNORECASE)
"""Stands right before what the speaker says of themselves in the third person."""
_KIN_ABROAD: Final = lazy_regex(
    r"\W*(?:meine?|unsere?|mon|ma|notre|mi|nuestr[oa]) \w+ (?:wohnt|lebt|arbeitet|liebt|spielt|kommt|habite"
    r"|vit|travaille|aime|joue|vive|trabaja|juega)\b",
    re.IGNORECASE,
)
_STATES: Final = listed("lived resided stayed worked belonged owned had")
"""Verbs of what may be over when it is told so."""
_WAS: Final = lazy_regex(r"\b(?:was|were)(?: \w+)? $", re.IGNORECASE)
_STATE: Final = lazy_regex(r"\w+ing$|based$|employed$|part of$|an? ", re.IGNORECASE)
"""Behind "was" it is over, too."""
_HAS: Final = lazy_regex(r"(?:\b(?:have|has|having)|['\u2019]ve)(?: \w+){0,2} $", re.IGNORECASE)
_TOLD_AS_OVER: Final = lazy_regex(rf"\b(?:{'|'.join(sorted(_STATES))}|was|were|used to)\b", re.IGNORECASE)
_OWN: Final = listed("i we me us my our mine ours")
_SELF: Final = listed("i we me us")
_OTHERS: Final = listed(
    """
    he she they it this that these those there the a an his her their its someone somebody everyone
    everybody nobody
    """
)
_HELPERS: Final = listed("is are was were has have had does did will would can could")
_CALLED: Final = (
    r"\b(?:named|namens|heisst|s'appelle|nomm\u00e9e?|se llama|llamad[oa]|\u53eb"
    r"|(?<!\bi )(?<!\bwe )called(?! (?:my|our|the|an?|his|him|them|me|us|it)\b))"
)
"""Stands between somebody and their name. "I called Bob" is no such word."""
_OF_MENTIONED: Final = (
    r"\b(?:(?:his|her|its|their) name(?: is|'s)|(?:call(?:ed)?|named?) (?:him|her|it|them))"
)
"""Stands before the name of somebody spoken of before."""
_WORDS: Final = r"(?:\w++(?:-\w++)*+\W++)"
"""A word and what divides it from the next. It matches in one way only, or a row of hyphens took hours."""
_LOOKED_BACK: Final = 80
"""Characters before a word of the relation that are looked at. Chosen by hand; it bounds the time."""
_MOST_BETWEEN: Final = 2
"""Words between "my" and whom a name names: "my very best friend Tom". Chosen by hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """How a fact claims its relation."""

    text: str
    own: bool
    denies: bool

    def is_said_by(self, part: str, words: re.Pattern[str]) -> bool:
        """Whether a part of a sentence has words that say the relation, as it is claimed."""
        of_others = self.is_of_others(part)
        return any(
            self._is_meant(part[max(0, one.start() - _LOOKED_BACK) : one.start()], one.group())
            for one in words.finditer(part)
            if not of_others or one.group().casefold() in PEOPLE
        )

    def is_of_others(self, part: str) -> bool:
        """Whether a part of a sentence is about somebody else than the speaker whom the fact is about."""
        clause = next(clauses_in(part), None) if self.own else None
        return clause is not None and (_is_of_others(clause) or _KIN_ABROAD.match(part) is not None)

    def _is_meant(self, before: str, word: str) -> bool:
        others = word.casefold().split()[0] in THIRDS or _OF_OTHERS.search(before)
        if self.own and others and not _AS_ONE.search(before):
            return False
        if _UNREAL.search(before) and not _MAY_BE.search(self.text):
            return False
        return self.denies or _TOLD_AS_OVER.search(self.text) is not None or not _is_over(before, word)


def _is_over(before: str, word: str) -> bool:
    """Whether a state is told in the simple past: "lived", and not "have lived"."""
    if word.casefold() in _STATES:
        return not _HAS.search(before)
    return _WAS.search(before) is not None and _STATE.match(word) is not None


def _is_of_others(clause: Clause) -> bool:
    words = clause.words
    if not _SELF.isdisjoint(words):
        return False
    subject = subject_of(clause, lead_of(clause).start)
    if subject is not None:
        return bool(subject.pronoun) or (bool(subject.noun) and subject.kind != "thing")
    if not _OWN.isdisjoint(words):
        return False
    if words[:2] == ["this", "is"]:
        return False
    return words[0] in _OTHERS or (clause.raw(0, 1).istitle() and _has_subject(words))


def _has_subject(words: list[str]) -> bool:
    """Whether a verb stands behind the first word, and that is none: "Ann moved", and not "Moved"."""
    if words[0] in PASTS or words[0] in INGS or words[0] in ADVERBS:
        return False
    return any(word in PASTS or word in THIRDS or word in _HELPERS for word in words[1:4])


def clauses_in(part: str) -> Iterator[Clause]:
    """The clauses of a part of a sentence."""
    for sentence in sentences_of(tokens_of(part)):
        yield from clauses_of(sentence, part)


def says_name(part: str, noun: str, name: str, *, owners: frozenset[str], of_others: bool) -> bool:
    """Whether a part of a sentence says the name of somebody: "my partner Jessica", "a cat called Tom"."""
    plain = " ".join(part.casefold().replace("\u2019", "'").split())
    who, its = rf"{re.escape(noun)}s?", rf"\W+{_WORDS}{{0,3}}?{re.escape(name)}\b"
    whose = rf"\b(?:{'|'.join(map(re.escape, sorted(owners)))}) (?:[\w-]+ ){{0,{_MOST_BETWEEN}}}{who}"
    called = rf"\W+{_WORDS}{{0,4}}?{_CALLED}{its}"
    ways = [
        rf"{whose}{called}|{whose}(?:'s name)? (?:is|was) {re.escape(name)}\b|{whose}, {re.escape(name)},",
        rf"\b{re.escape(name)},? (?:is |was )?{whose}\b|{_OF_MENTIONED}{its}",
        *([] if of_others else [rf"\b{who}{called}"]),
    ]
    apposed = (_is_apposed(clause, noun, name, owners) for clause in clauses_in(part))
    return any(re.search(way, plain) for way in ways) or any(apposed)


def _is_apposed(clause: Clause, noun: str, name: str, owners: frozenset[str]) -> bool:
    """Whether a name stands right behind whom it names."""
    for place, word in enumerate(clause.words):
        start = _owner_of(clause.words, place, owners) if word == noun else None
        if start is not None and name in name_behind(clause, start, place + 1)[1].casefold().split():
            return True
    return False


def _owner_of(words: list[str], place: int, owners: frozenset[str]) -> int | None:
    """The place of "my" before a noun, with no other owner between."""
    for start in range(place - 1, max(-1, place - _MOST_BETWEEN - 2), -1):
        if words[start] in owners:
            return start
        if words[start].endswith("'s") or not words[start][0].isalpha():
            return None
    return None
