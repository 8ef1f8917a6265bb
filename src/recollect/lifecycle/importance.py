"""The importance of a text, from six factors that can be measured without understanding it.

The factors are Chloe's; Chloe gives no formulas, so those are ours:

- ``length``: ``n / (n + 12)`` of ``n`` distinct telling words, words of courtesy left out.
- ``tags``: their number times their mean confidence (an approved tag has 1), of 5 sure tags.
- ``source``: from the table ``SOURCES``.
- ``centrality``: how near the text is to the middle of all that is remembered, see ``centralities``.
- ``keywords``: of the kinds of things worth keeping that it tells of, the share of 5 there are. The list is
  English: for a text without a sign of English (see ``_SURE_ENGLISH``) nothing is known of them.
- ``recency``: ``0.5 ** (age_days / 365)``.

``python -m benchmarks.importance`` measures what each says of turns that hold an answer.
"""

import math
import numbers
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from recollect.checks import check_share
from recollect.errors import InvalidInputError, as_given
from recollect.text.analyse import READ_CHARACTERS
from recollect.text.analyse import words as words_of
from recollect.types import Tag
from recollect.types.regex import lazy_regex

Level = Literal["CRITICAL", "HIGH", "MEDIUM", "LOW"]
"""An importance in a word, as Chloe calls it."""

FACTORS: Final[tuple[str, ...]] = ("length", "tags", "source", "centrality", "keywords", "recency")
"""The names of the factors, in the order in which they are listed."""

WEIGHTS: Final[Mapping[str, float]] = MappingProxyType(
    {"length": 4.0, "tags": 4.0, "source": 4.0, "centrality": 1.0, "keywords": 4.0, "recency": 1.0}
)
"""What each factor weighs, chosen by hand: what a text is and says counts four times as much as what
surrounds it, which told nothing of its substance on LoCoMo or on BEAM."""

CRITICAL_FROM: Final = 0.8
HIGH_FROM: Final = 0.6
MEDIUM_FROM: Final = 0.4
"""Where the levels begin; chosen by hand. Below is LOW."""

SOURCES: Final[Mapping[str, float]] = MappingProxyType(
    {
        **dict.fromkeys(("markdown", "md"), 1.0),
        **dict.fromkeys(("document", "pdf", "docx", "odt", "rst"), 0.8),
        **dict.fromkeys(("text", "plain", "txt"), 0.6),
        **dict.fromkeys(("web", "html", "htm", "chat", "message"), 0.5),
        "assistant": 0.0,
    }
)
"""The worth of a source type or of a file's ending. Chloe puts Markdown first; the rest was chosen by hand:
what was written to be kept before what was said in passing, and last what an assistant could say again."""

HALF_LENGTH: Final = 12
"""Telling words at which ``length`` is a half: the median turn of LoCoMo."""
FULL_TAGS: Final = 5
FULL_KINDS: Final = 5
"""So many sure tags, and kinds of keywords, count in full. Chosen by hand."""
HALF_LIFE_DAYS: Final = 365.0
"""Age at which ``recency`` is a half. Chosen by hand, and long: what nobody uses is left to decay."""

COURTESY: Final = "courtesy"
"""The kind of words that are neither telling nor worth anything."""

_ENGLISH: Final = {
    "self": "i im ive my mine me myself we our ours us",
    "people": """mother mom mum father dad parents sister brother siblings son daughter child children kid
        kids baby wife husband spouse partner fiance fiancee girlfriend boyfriend grandmother grandma
        grandfather grandpa aunt uncle cousin niece nephew family friend friends roommate neighbor
        neighbour colleague coworker boss manager mentor teacher doctor therapist lawyer client dog cat pet
        pets named called""",
    "time": """yesterday today tonight tomorrow ago last next week weeks weekend month months year years
        monday tuesday wednesday thursday friday saturday sunday january february april june july august
        september october november december since recently birthday anniversary""",
    "number": """two three four five six seven eight nine ten dozen hundred thousand million couple twice
        once first second third half""",
    "taste": """love loves loved hate hates hated prefer prefers preferred favorite favourite enjoy enjoys
        enjoyed dislike dislikes passion passionate obsessed allergic allergy allergies vegetarian vegan
        intolerant afraid hobby hobbies interested""",
    "plan": """plan plans planned planning intend hope hoping goal goals deadline due appointment meeting
        schedule scheduled booked reservation trip visiting upcoming signed registered""",
    "event": """was were had went did got took made started began finished met moved married divorced
        engaged born died lost won bought sold adopted graduated hired fired quit retired promoted joined
        left accepted applied decided chose chosen agreed promised visited attended learned diagnosed
        surgery broke injured launched published built tried""",
    "place": """live lives lived living work works worked working job career company office school college
        university home house apartment city town country address""",
    "stake": """important remember remind forget always never must urgent crucial critical password
        emergency asap""",
    COURTESY: """hey hi hello bye goodbye thanks thank please sorry welcome wow cool nice great awesome
        amazing wonderful fantastic haha lol yeah yes yep ok okay sure sounds glad congrats congratulations
        good luck cheers aww oh hmm really""",
}
KEYWORDS: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType(
    {"en": MappingProxyType({word: kind for kind, listed in _ENGLISH.items() for word in listed.split()})}
)
"""By language, words (as ``text.analyse.words`` cuts them) and the kind of thing they tell of: who, when, how
many, what is liked, planned, done, where, what is at stake. Chosen by hand, of plain words in common use."""

_SURE_ENGLISH: Final = frozenset(
    """
    about and are because been being but can could did didn does doesn doing don dont from having here hers
    him his how if isn it its just like may might must not our shall she should some that the their them then
    there these they this those too very were what when where which who whom whose why with would you your
    yours youre
    """.split()  # noqa: SIM905 - words read better than many strings
)
"""English function words, and a few as common, that are none in the Latin-script languages of stopwords-iso:
without "a", "in", "was" or "to", which German, Dutch, French or Polish have too."""
_AMBIGUOUS: Final = frozenset(
    """
    due had hi i im me met mine my nice oh ok once pet six son ten us was we
    """.split()  # noqa: SIM905 - words read better than many strings
)
"""Keywords that are function words elsewhere, as "was" in German; they alone do not make a text English."""
_PRONOUN: Final = lazy_regex(r"(?<!\w)I(?:'|\u2019|(?!\w))(?!\.)")

_DIGIT: Final = lazy_regex(r"\d")
_NAME: Final = lazy_regex(r" [A-Z](?<=[a-z,;:] [A-Z])[a-z]")
"""The blank comes first: a regular expression finds it three times as fast as one of many letters."""
_LATIN_LETTER: Final = lazy_regex("[A-Za-z]")
_DIGITS: Final = 4
"""Of a term; more would only fill the store."""
_LONG: Final = 4
"""Characters of a word that tells, where nobody counted them; shorter ones are mostly grammar."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Importance:
    """The importance of a memory, and its factors.

    Attributes:
        score: 0 to 1: the sum of the terms, cut at 1.
        factors: What was measured, each 0 to 1, by the names of ``FACTORS``; what is not known is missing.
        terms: What each known factor added: its weight times its measure, the weights of the known factors
            scaled to a sum of 1; rounded to four digits.
    """

    score: float
    factors: Mapping[str, float]
    terms: Mapping[str, float]

    @property
    def level(self) -> Level:
        """The score in a word."""
        return importance_level(self.score)

    def explain(self) -> str:
        """The score and its terms in a line, the largest first.

        >>> calculate_importance("We moved to Rome in 2019").explain()
        'importance 0.500 (MEDIUM) = keywords +0.400 (factor 0.800), length +0.100 (factor 0.200)'
        """
        terms = sorted(self.terms.items(), key=lambda term: -term[1])
        parts = [f"{name} {value:+.3f} (factor {self.factors[name]:.3f})" for name, value in terms]
        return f"importance {self.score:.3f} ({self.level}) = " + (", ".join(parts) or "nothing known")


def calculate_importance(
    content: str,
    *,
    tags: Sequence[Tag] | None = None,
    source: str | None = None,
    centrality: float | None = None,
    age_days: float | None = None,
    telling: int | None = None,
    keywords: Mapping[str, str] | None = KEYWORDS["en"],
    weights: Mapping[str, float] = WEIGHTS,
    words: Sequence[str] | None = None,
) -> Importance:
    """The importance of a text.

    A sum of factors (see above), each times its weight; a factor that is not known is left out, and the
    weights of the others are scaled up.

    Args:
        content: Its first 20,000 characters are read.
        tags: Its tags; None when they were not looked for, which is not the same as none found.
        source: A source type such as ``"markdown"`` or ``"chat"``, or a file's name; one that is not in
            ``SOURCES`` is not known.
        centrality: 0 to 1, see ``centralities``.
        age_days: Days since it was said; less than 0 (clocks differ) counts as 0.
        telling: Its number of distinct telling words, if counted (``Analysis.telling``); otherwise words of
            four characters or more and numbers stand in.
        keywords: Words and their kinds, ``KEYWORDS[language]``; None for a language that has no list.
        weights: By the names of ``FACTORS``, of any sum; a name left out weighs nothing.
        words: What ``text.analyse.words`` cuts from the characters read, if that is known already.

    Raises:
        InvalidInputError: A weight has an unknown name or is negative or no number, or all are 0; or another
            argument is not what it is said to be.

    >>> told = calculate_importance("My sister Ada's birthday is on 5 May and she is allergic to nuts")
    >>> round(told.score, 3), told.level
    (0.647, 'HIGH')
    >>> {name: round(value, 3) for name, value in told.factors.items()}  # 5 / (5 + 12), and 6 kinds
    {'length': 0.294, 'keywords': 1.0}
    >>> calculate_importance("Hey! How are you?").level
    'LOW'
    """
    _check(content, source, centrality=centrality, age_days=age_days)
    scaled = _SCALED if weights is WEIGHTS else _scaled(weights)
    seen = content[:READ_CHARACTERS]
    factors = _of_text(seen, words_of(seen) if words is None else words, telling, keywords)
    if tags is not None:
        factors["tags"] = _tag_quality(_checked(tags))
    if source is not None and (known := SOURCES.get(source.rpartition(".")[2].strip().lower())) is not None:
        factors["source"] = known
    if centrality is not None:
        factors["centrality"] = min(1.0, max(0.0, centrality))
    if age_days is not None:
        factors["recency"] = 0.5 ** (max(0.0, age_days) / HALF_LIFE_DAYS)
    known_weight = sum([scaled[name] for name in factors]) or 1.0
    terms = {
        name: round(scale / known_weight * factors[name], _DIGITS)
        for name, scale in scaled.items()
        if name in factors
    }
    return Importance(score=min(1.0, sum(terms.values())), factors=factors, terms=terms)


def importance_level(score: float) -> Level:
    """A score in a word: CRITICAL from 0.8, HIGH from 0.6, MEDIUM from 0.4, else LOW.

    >>> [importance_level(score) for score in (0.8, 0.6, 0.4, 0.39)]
    ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW']

    Raises:
        InvalidInputError: The score is no number from 0 to 1.
    """
    score = check_share("score", score)
    if score >= CRITICAL_FROM:
        return "CRITICAL"
    if score >= HIGH_FROM:
        return "HIGH"
    return "MEDIUM" if score >= MEDIUM_FROM else "LOW"


def centralities(vectors: NDArray[np.number], vector_sum: NDArray[np.number]) -> NDArray[np.float64]:
    """How near memories are to a user's average: cosines with the sum of all vectors, 0 to 1.

    ``vectors`` have shape ``(n, dim)`` and any number type; ``vector_sum`` is a sum of vectors of about equal
    length. Negative cosines and zero vectors count 0. With few memories in the sum the number means little.

    >>> centralities(np.array([[3, 4], [0, 0]], np.int8), np.array([300, 0], np.int32)).tolist()
    [0.6, 0.0]
    """
    one, all_of_them = vectors.astype(np.float64), vector_sum.astype(np.float64)
    lengths = np.sqrt(np.einsum("nd,nd->n", one, one)) * np.linalg.norm(all_of_them)
    cosines = np.divide(one @ all_of_them, lengths, out=np.zeros(len(one)), where=lengths > 0)
    found: NDArray[np.float64] = np.clip(cosines, 0.0, 1.0)
    return found


def _of_text(
    text: str, words: Sequence[str], telling: int | None, keywords: Mapping[str, str] | None
) -> dict[str, float]:
    """The factors that follow from the text alone."""
    kind_of = {word: keywords[word] for word in keywords.keys() & words} if keywords else {}
    if telling is None:
        count = len(
            [w for w in set(words) if (len(w) >= _LONG or w.isdigit()) and kind_of.get(w) != COURTESY]
        )
    else:
        count = max(0, telling - list(kind_of.values()).count(COURTESY))
    factors = {"length": count / (count + HALF_LENGTH)}
    if keywords is not None and _can_be_read(text, words, keywords, kind_of):
        factors["keywords"] = min(1.0, _kinds(text, kind_of) / FULL_KINDS)
    return factors


def _can_be_read(
    text: str, words: Sequence[str], keywords: Mapping[str, str], kind_of: Mapping[str, str]
) -> bool:
    """Whether the keywords can say anything of a text, so that few of them mean little to tell."""
    if keywords is not KEYWORDS["en"]:
        return bool(kind_of) or _is_latin(text)
    if not _SURE_ENGLISH.isdisjoint(words) or not kind_of.keys() <= _AMBIGUOUS:
        return True
    return _PRONOUN.search(text) is not None


def _is_latin(text: str) -> bool:
    """Whether a list of words in Latin letters can say anything of a text."""
    return text.isascii() or _LATIN_LETTER.search(text) is not None


def _kinds(text: str, kind_of: Mapping[str, str]) -> int:
    """How many kinds of things a text tells of; digits are numbers and inner capitals names."""
    kinds = set(kind_of.values())
    kinds.discard(COURTESY)
    if _DIGIT.search(text):
        kinds.add("number")
    if _NAME.search(text):
        kinds.add("name")
    return len(kinds)


def _tag_quality(tags: Sequence[Tag]) -> float:
    confidence = sum([1.0 if tag.approved else tag.confidence for tag in tags])
    return min(1.0, max(0.0, confidence / FULL_TAGS))


def _check(content: object, source: object, **numbers_given: object) -> None:
    if not isinstance(content, str):
        raise InvalidInputError(f"content must be a string, not {type(content).__name__}")
    if source is not None and not isinstance(source, str):
        raise InvalidInputError(f"source must be a string such as 'markdown', not {source!r:.80}")
    for name, given in numbers_given.items():
        if given is not None and (not isinstance(given, (float, int, numbers.Real)) or math.isnan(given)):
            raise InvalidInputError(f"{name} must be a number, not {given!r:.80}")


def importance_in_chat(text: str, tags: Sequence[Tag]) -> float:
    """How much a message with these tags matters by its words, 0 to 1."""
    return calculate_importance(text, tags=tags, source="chat").score


def _checked(tags: object) -> Sequence[Tag]:
    if isinstance(tags, str) or not isinstance(tags, Sequence):
        raise InvalidInputError(f"tags must be a list of Tag, not {tags!r:.80}")
    for tag in tags:
        if not isinstance(tag, Tag):
            raise InvalidInputError(f"tags must hold Tag alone, not {tag!r:.80}")
    return tags


def _scaled(weights: Mapping[str, float]) -> dict[str, float]:
    """Weights that add up to 1, by every name."""
    unknown = sorted(set(weights) - set(FACTORS))
    if unknown:
        raise InvalidInputError(f"no factor is named {as_given(unknown[0])}; known are: {', '.join(FACTORS)}")
    for name, weight in weights.items():
        if not 0 <= weight < float("inf"):
            raise InvalidInputError(f"the weight of {name} must be a number of at least 0, not {weight}")
    largest = max(weights.values(), default=0.0)
    if not largest:
        raise InvalidInputError("at least one weight must be above 0")
    shares = {name: weights.get(name, 0.0) / largest for name in FACTORS}  # their sum cannot overflow
    return {name: share / sum(shares.values()) for name, share in shares.items()}


_SCALED: Final = _scaled(WEIGHTS)
