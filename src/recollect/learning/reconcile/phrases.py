"""Phrases compared by their words: which say the same, which says more, which are of one kind.

"Coffee with oat milk" says more than "coffee", and so does "black coffee"; but "chocolate chip cookies" are
no chocolate, and "New York" is not York. What stands behind a preposition is detail, and words in front of a
noun that is no name make a kind of it. Words that merely follow ("Berlin-Mitte", "Python pandas library")
may name a part or something else: who asks decides by what is said of them.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final, Literal

from recollect.learning.listing import listed
from recollect.text.analyse import Analyser
from recollect.text.analyse import words as words_of
from recollect.types.regex import lazy_regex

SAME_SHARE: Final = 0.8
"""Least Jaccard index of the stems of two phrases that say the same, where one holds all of the other's: one
word more in five. Two that each have a word of their own differ, for it may be the one that counts.
Chosen by hand."""
_COMPARED_CHARACTERS: Final = 2_000
"""Of a phrase; facts are sentences. It bounds the time. Chosen by hand."""
_REMEMBERED: Final = 8_192
"""Phrases remembered with their stems, a few MB of ordinary facts. Chosen by hand."""
_LAST_YEAR: Final = 2_100
_FIRST_YEAR: Final = 1_900
"""Numbers from here to there are taken for years, which count nothing."""


_DETERMINERS: Final = listed("a an the my our your his her its their some any")
_EMPTY: Final = listed(
    """
    really very so much lot lots absolutely definitely still now currently nowadays actually also too
    """
)
"""Words that say how strongly, or that it is so now."""
_LISTING: Final = listed("and or")
_CONNECTORS: Final = listed(
    """
    with without in at as for from of on over to by near since until during before after about when while
    because if than rather instead especially particularly mainly including such like every each between
    """
)
"""What begins a detail behind a noun."""
_DIRECTED: Final = listed("over than to from into before after rather instead")
"""Words on whose two sides things cannot change places."""
_NO_KIND: Final = listed(
    """
    new papua north south east west northern southern eastern western san saint st
    assistant vice deputy trainee former ex future
    """
)
"""In front of a word they make something else of it: New York, vice president."""
_DENIALS: Final = listed(
    """
    no not never nor dont doesnt didnt isnt arent wasnt werent cant cannot couldnt wont wouldnt hasnt havent
    hadnt shouldnt
    """
)
_OTHERWISE: Final = _NO_KIND | _DENIALS
_DROPPED: Final = _DETERMINERS | _EMPTY
_OF_DENIAL: Final = listed("longer anymore more does do did")
"""Words that only help to deny."""
_COUNTED: Final = "zero one two three four five six seven eight nine ten eleven twelve"
_NUMBERS: Final = {word: str(number) for number, word in enumerate(_COUNTED.split())}

Places = frozenset[tuple[tuple[str, ...], tuple[str, ...]]]
"""Places and those they lie in, each by its words."""
Extra = Literal["detail", "kind", "tail", "place", "list"]
"""What the longer phrase has more: a detail behind ("coffee with milk"), a kind in front ("black coffee"),
words that merely follow ("Berlin-Mitte"), a place or a name in front ("a flat in Berlin", "Mitte, Berlin"),
another thing ("coffee and tea")."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrase:
    """A phrase, cut into what is compared.

    Attributes:
        words: Lower case, without determiners and emphasis, numbers as digits.
        stems: The telling ones, each once, in order; a denial is one.
        named: Whether it begins like a name.
        denied: Whether its words deny something.
    """

    words: tuple[str, ...]
    stems: tuple[str, ...]
    named: bool
    denied: bool

    @property
    def head(self) -> tuple[str, ...]:
        """The words before the first detail."""
        place = next((place for place, word in enumerate(self.words) if word in _CONNECTORS), len(self.words))
        return self.words[:place]

    @property
    def counts(self) -> frozenset[str]:
        """Its numbers that are no years."""
        return frozenset(word for word in self.words if word.isdecimal() and not _is_year(word))

    def without_counts(self) -> frozenset[str]:
        """Its stems that are no such numbers."""
        return frozenset(self.stems) - self.counts


def phrase_of(text: str | None, analyser: Analyser) -> Phrase:
    """A phrase as it is compared; long ones by their first 2,000 characters."""
    return _cut((text or "")[:_COMPARED_CHARACTERS], "", analyser, denials=True)


def sentence_of(text: str, subject: str, analyser: Analyser) -> Phrase:
    """A sentence without its subject and without what denies it."""
    return _cut(text[:_COMPARED_CHARACTERS], subject[:_COMPARED_CHARACTERS], analyser, denials=False)


def plain(text: str) -> tuple[str, ...]:
    """The words of a subject, a relation or a sentence, lower case and without accents."""
    return _plain(text) if len(text) <= _COMPARED_CHARACTERS else tuple(words_of(text))


@lru_cache(maxsize=_REMEMBERED)
def _plain(text: str) -> tuple[str, ...]:
    return tuple(words_of(text))


@lru_cache(maxsize=_REMEMBERED)
def _cut(text: str, subject: str, analyser: Analyser, *, denials: bool) -> Phrase:
    found = words_of(text)
    whose = words_of(subject)
    if whose and found[: len(whose)] == whose:
        found = found[len(whose) :]
    denied = not _DENIALS.isdisjoint(found)
    dropped = _DROPPED if denials or not denied else _DROPPED | _DENIALS | _OF_DENIAL
    kept = tuple(_NUMBERS.get(word, word) for word in found if word not in dropped)
    stems = tuple(analyser.query_stems(" ".join(kept))) if kept else ()
    return Phrase(
        words=kept,
        stems=(*stems, "not") if denied and denials else stems,
        named=text[:1].isupper(),
        denied=denied,
    )


def _is_year(word: str) -> bool:
    return len(word) == len(str(_LAST_YEAR)) and _FIRST_YEAR <= int(word) < _LAST_YEAR


_ARTICLES: Final = listed("a an")
_ANOTHER: Final = listed("new different second better")


def tells_a_kind(one: str | None, other: str | None) -> bool:
    """Whether a phrase tells of what kind something is that another may name: "a bank", of "Siemens".

    "A bank in Rome" has a name of its own, and "a new bank" is another one.

    >>> [tells_a_kind(kind, "Siemens") for kind in ("a bank", "a new bank", "a bank in Rome", "Bosch")]
    [True, False, False, False]
    """
    words = (one or "").split()
    named = (other or "")[:1].isupper() and not any(word[:1].isupper() for word in words)
    return named and len(words) > 1 and words[0] in _ARTICLES and words[1] not in _ANOTHER


def same(one: Phrase, other: Phrase) -> bool:
    """Whether two phrases say the same: equal stems, or nearly (see ``SAME_SHARE``)."""
    ours, theirs = frozenset(one.stems), frozenset(other.stems)
    if ours == theirs:
        return one.stems == other.stems or _DIRECTED.isdisjoint(one.words + other.words)
    if not (ours < theirs or theirs < ours) or one.counts != other.counts or one.denied != other.denied:
        return False
    return min(len(ours), len(theirs)) >= SAME_SHARE * max(len(ours), len(theirs))


def extra(longer: Phrase, shorter: Phrase) -> Extra | None:
    """What one phrase says more than another; None when it does not hold the other's words so.

    >>> analyser = Analyser()
    >>> coffee = phrase_of("coffee", analyser)
    >>> [extra(phrase_of(text, analyser), coffee) for text in ("coffee with milk", "black coffee", "tea")]
    ['detail', 'kind', None]
    """
    size = len(shorter.words)
    if len(longer.words) <= size:
        return None
    if longer.words[:size] == shorter.words:
        following = longer.words[size]
        if following in _LISTING:
            return "list"
        return "detail" if not size or following in _CONNECTORS else "tail"
    return _extra_in_front(longer, shorter)


def _extra_in_front(longer: Phrase, shorter: Phrase) -> Extra | None:
    head = longer.head
    if not shorter.named and _ends_with(head, shorter.words):
        before = head[: -len(shorter.words)]
        return "kind" if _LISTING.isdisjoint(before) else "list"
    return "place" if _ends_with(longer.words, shorter.words) else None


def _ends_with(words: tuple[str, ...], ending: tuple[str, ...]) -> bool:
    """Whether words end so, and nothing in front makes something else of it."""
    size = len(ending)
    if len(words) <= size or words[-size:] != ending:
        return False
    return _OTHERWISE.isdisjoint(words[:-size])


def counts_differ(one: Phrase, other: Phrase) -> bool:
    """Whether two phrases differ in nothing but how many: "two kids", "3 kids"."""
    if not one.counts or not other.counts or one.counts == other.counts:
        return False
    return one.without_counts() == other.without_counts() != frozenset()


def share_head(one: Phrase, other: Phrase, analyser: Analyser) -> bool:
    """Whether two phrases name kinds of the same thing: "window seats", "aisle seats"."""
    ours, theirs = one.head, other.head
    if len(ours) < 2 or len(theirs) < 2:  # noqa: PLR2004 - a noun, and what kind of it
        return False
    return analyser.stems(ours[-1]) == analyser.stems(theirs[-1])


_LIES_IN: Final = lazy_regex(r",\s*|\s+in\s+")
"""Between a place and the one it lies in: "Kreuzberg, Berlin", "Mitte in Berlin"."""


def nested_places(texts: Iterable[str | None]) -> Places:
    """Which places lie in which, as far as somebody said so.

    >>> sorted(nested_places(["Kreuzberg, Berlin", "Rome", None]))
    [(('kreuzberg',), ('berlin',))]
    """
    found = set()
    for text in texts:
        parts = [plain(part) for part in _LIES_IN.split((text or "")[:_COMPARED_CHARACTERS])]
        found |= {(part, whole) for part, whole in pairwise(parts) if part and whole}
    return frozenset(found)
