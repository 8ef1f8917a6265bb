"""Whom and what a question names, and whether a text is about them.

"My mother" is named by "mom" and by her name, "my job" by "works as", "my plumber" by "does the plumbing".
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final
from unicodedata import normalize

from recollect.learning.extraction.foreign_kin import english_nouns
from recollect.learning.extraction.people import OCCUPATIONS
from recollect.learning.kinship import kin_in
from recollect.learning.listing import listed
from recollect.learning.topics import OWN, TOPIC, topic_asked, topics_of
from recollect.text.analyse import Analyser
from recollect.types import MemoryRecord
from recollect.types.regex import lazy_regex

_COGNATE: Final = 7
"""Letters by which long words of several languages are compared: vegetarian, Vegetarier, vegetariana."""
_SELVES: Final = listed(
    """
    user i im ive so my our me us we the a an of s
    ich mich mir mein meine meinen meinem meiner bin habe hab du dir \u00fcber von das der die den
    dem
    je j mon ma mes suis ai moi de la le les mi mis soy tengo estoy yo lo una un el los las
    """
)
"""Stems of words for oneself, and of articles, in several languages: they tell nothing."""
_TITLES: Final = listed(
    "dr doctor mr mrs ms miss prof professor herr frau monsieur madame se\u00f1or se\u00f1ora"
)
"""Before a name, which names somebody without them, too."""
_AND: Final = lazy_regex(r"\s+(?:and|und|et|y|&)\s+|,\s*")
_OWN: Final = lazy_regex(r"(?i:my|our|meine?[mnrs]?|unsere?[mnrs]?|mon|ma|mes|notre|nos|mis?|nuestr[oa]s?)\b")
_TRADE: Final = lazy_regex(r"(?P<what>\w{4,}?)(?:er|or|ist|ian)s?")
_DONE: Final = lazy_regex(
    r"\b(?:do(?:es|ing|ne)?|did|handl(?:es?|ing)) (?:\w+ ){0,2}?(?P<what>\w{4,}?)(?:[mnpt]?ing|ry|al work)\b"
)
_DOES: Final = "does "
"""Before the beginning of a trade: "does plumb" of a plumber and of who is doing the plumbing."""


@dataclass(frozen=True, slots=True)
class Named:
    """What a question names.

    Attributes:
        groups: Sets of terms; a text with all of one is about it.
        own: Whether it is the user's own: "my sister".
    """

    groups: tuple[frozenset[str], ...]
    own: bool

    @property
    def asks_for_topics(self) -> bool:
        """Whether a fact may be about it by its relation alone."""
        return any(term.startswith((TOPIC, OWN)) for group in self.groups for term in group)


class Naming:
    """Compares what is named with what texts say.

    Args:
        analyser: Cuts texts into stems.
    """

    def __init__(self, analyser: Analyser) -> None:
        self._analyser = analyser

    def named(self, what: str, names: Sequence[MemoryRecord]) -> Named:
        """What a question names.

        Args:
            what: The question's words for it.
            names: Facts that say who is called what; of somebody with a name both count, kinship and name.
        """
        own = _OWN.match(what) is not None
        groups = [group for one in _AND.split(what) for group in self._groups(one, own=own)]
        for fact in names:
            groups += self._same_person(fact, groups, names)
        return Named(tuple(map(frozenset, groups)), own)

    def is_about(self, named: Named, text: str, fact: MemoryRecord | None = None) -> bool:
        """Whether a text is about what is named; of a fact its relation counts, too."""
        terms = self.terms(text, own=named.own)
        if fact is not None and named.asks_for_topics:
            terms |= topics_of(fact)
        return any(group <= terms for group in named.groups)

    def telling(self, text: str) -> set[str]:
        """The stems of the words of a question that tell something, and the people it names."""
        return next(iter(self._groups(text, own=False)), set())

    def terms(self, text: str, *, own: bool = False) -> set[str]:
        """The stems of a text, all people it tells of, and the trades that somebody does."""
        kin = kin_in(_english(text), own=own)
        does = {f"{_DOES}{found['what'].lower()}" for found in _DONE.finditer(text)}
        return _cognates(self._analyser.stems(kin.rest)) | kin.told | does

    def _groups(self, what: str, *, own: bool) -> list[set[str]]:
        """The terms of each way in which a text may name something."""
        kin = kin_in(_english(what))
        rest = _cognates(self._analyser.query_stems(kin.rest)) - _SELVES
        rest = rest - _TITLES or rest
        found = [rest | people for people in kin.asked if rest or people]
        words = what.lower().replace("'s", "").split()
        last = words[-1] if words else ""
        others = self._without(what, kin.rest, last)
        if topic := topic_asked(last):
            whole = own and not others and not kin.names
            term = f"{OWN if whole else TOPIC}{topic}"
            found += [others | people | {term} for people in kin.asked if whole or others or people]
        if last in OCCUPATIONS and (trade := _TRADE.fullmatch(last)):
            found.append(others | {f"{_DOES}{trade['what']}"})
        return found

    def _without(self, what: str, rest: str, last: str) -> set[str]:
        if not what.lower().endswith(last):
            return set()
        return _cognates(self._analyser.query_stems(rest.lower().removesuffix(last))) - _SELVES

    def _same_person(
        self, fact: MemoryRecord, groups: Sequence[set[str]], names: Sequence[MemoryRecord]
    ) -> list[set[str]]:
        """The other ways to name somebody whose name a fact tells."""
        whose, name = (str(fact.metadata.get(part) or "") for part in ("subject", "object"))
        owned = whose.partition("'s ")[2]
        kin, called = self.telling(owned), self.telling(name)
        if not kin or not called:
            return []
        if kin | called in groups:
            return [kin, called]
        told = self.terms(owned)
        if kin in groups or ("'s " not in owned and any(group <= told for group in groups)):
            return [called]
        one = sum(other.metadata.get("subject") == whose for other in names) == 1
        return [kin] if one and called in groups else []


def _english(text: str) -> str:
    return " ".join(english_nouns(text))


def _cognates(stems: Iterable[str]) -> set[str]:
    """Stems as they are compared between languages."""
    return {(normalize("NFKD", one).encode("ascii", "ignore").decode() or one)[:_COGNATE] for one in stems}
