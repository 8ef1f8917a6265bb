"""Words as search sees them: lower case, without accents, stemmed, hashed.

A term is the CRC-32 of a stem's UTF-8 bytes: small, stable between versions and machines. Two of
100,000 different stems share one by chance about once, which costs a little noise and nothing else.
Writing systems without blanks between words are cut into overlapping pairs of characters.
"""

import threading
import unicodedata
import zlib
from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Protocol

from recollect.errors import InvalidInputError, as_given
from recollect.types.regex import lazy_regex

MAX_COUNT: Final = 63
"""The largest term count kept: six bits beside the row number in a posting (see ``retrieval.postings``)."""

READ_CHARACTERS: Final = 20_000
"""Characters of a text that are looked at for tags, dates, priority, details and importance: some ten pages,
more than a turn of a chat. It bounds the time that a text may take. Chosen by hand."""

MAX_QUERY_STEMS: Final = 256
"""Words of a question that are looked for; a longer one is a document. Chosen by hand."""
_MAX_WORD: Final = 64
"""Characters of a word that count; longer ones are data, not words. Chosen by hand."""
_CACHE_WORDS: Final = 50_000
"""Words remembered with their stems, some 10 MB. Chosen by hand."""

_WORD: Final = lazy_regex(r"[^\W_]+(?:['\u2019][^\W_]+)*")
_LOOSE_APOSTROPHE: Final = lazy_regex("'(?:(?<![a-z0-9]')|(?![a-z0-9]))")
"""One that stands at the edge of a word."""
_POSSESSIVE: Final = lazy_regex("'s(?![a-z0-9'])")
_ALONE: Final = bytes(byte if chr(byte).isalnum() else 32 for byte in range(128)).lower() + bytes(128)
"""A translation of ASCII: lower case, and a blank for whatever is neither letter nor digit."""
_WITH_APOSTROPHES: Final = _ALONE[:39] + b"'" + _ALONE[40:]
_MARKS: Final = lazy_regex("[\u0300-\u036f]")
_UNSPACED: Final = (
    "\u0e00-\u0eff"  # Thai, Lao
    "\u1000-\u109f\u1780-\u17ff"  # Burmese, Khmer
    "\u3040-\u30ff\u31f0-\u31ff"  # kana
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"  # Han
    "\uac00-\ud7af"  # Hangul: blanks separate phrases rather than words
    "\U00020000-\U0003ffff"  # Han extensions
)
_RUNS: Final = lazy_regex(f"[{_UNSPACED}]+|[^{_UNSPACED}]+")
_IS_UNSPACED: Final = lazy_regex(f"[{_UNSPACED}]")

_LANGUAGES: Final = {
    "ar": "arabic", "da": "danish", "de": "german", "el": "greek", "en": "english", "es": "spanish",
    "fi": "finnish", "fr": "french", "hu": "hungarian", "id": "indonesian", "it": "italian",
    "nl": "dutch", "no": "norwegian", "pt": "portuguese", "ro": "romanian", "ru": "russian",
    "sv": "swedish", "tr": "turkish",
}  # fmt: skip

_ENGLISH_FUNCTION_WORDS: Final = """
a an the and or but if of to in on at by for from with as is are was were be been being am do does did
doing have has had having i me my mine we us our you your yours he him his she her hers it its they them
their this that these those there here what which who whom whose when where why how not no so than then
too very can could will would shall should may might must s t d ll re ve m
"""
"""Words that carry grammar and no topic. A long list (1,300 English words in stopwords-iso) also holds
words such as "first" or "work" and costs 5 points of R@10 on LoCoMo; none at all costs 4."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """The terms of one text.

    Attributes:
        terms: Little-endian ``uint32`` hashes, ascending, each once.
        counts: One ``uint8`` per term, 1 to 63.
        stems: The stems in the order of the text, separated by blanks.
        telling: How many distinct words are not function words.
    """

    terms: bytes
    counts: bytes
    stems: str
    telling: int


class Analyser:
    """Cuts text into terms for one language; other languages work, only unstemmed.

    Args:
        language: An ISO 639-1 code; it chooses the stemmer and the function words.

    Raises:
        InvalidInputError: There is no stemmer for the language.
    """

    def __init__(self, language: str = "en") -> None:
        named = language.lower() if isinstance(language, str) else None
        if named not in _LANGUAGES:
            known = ", ".join(sorted(_LANGUAGES))
            raise InvalidInputError(f"no stemmer for language {as_given(language)}; known are {known}")
        language = named
        self.name: Final = f"snowball-{language}-1"
        self.language: Final = language
        self._stemmer = _stemmer(language)
        self._stems = dict(_function_stems(language))
        self._lock = threading.Lock()
        self._function_words = _function_words(language)
        self._function_terms = frozenset(term for stems in self._stems.values() for _, term in stems)

    def analyse(self, texts: Iterable[str]) -> list[Analysis]:
        """The terms of each text, for storing."""
        return [self._analyse(text) for text in texts]

    def pairs(self, text: str) -> list[tuple[str, int]]:
        """The stems of a text, each with its number, in its order."""
        known = self._stems.get
        return [pair for word in words(text) for pair in known(word) or self._learn(word)]

    def stems(self, text: str) -> list[str]:
        """The stems of a text, in its order."""
        return [stem for stem, _ in self.pairs(text)]

    def terms(self, text: str) -> list[int]:
        """The numbers of a text's stems, in its order."""
        return [term for _, term in self.pairs(text)]

    def query_stems(self, text: str) -> list[str]:
        """The stems worth searching for, each once; function words only when nothing else is there."""
        return list(self._telling(text))[:MAX_QUERY_STEMS]

    def query_terms(self, text: str) -> list[int]:
        """The numbers of ``query_stems``."""
        known = self._stems.get(text) if text.isascii() else None
        if known is not None and len(known) == 1:
            return [known[0][1]]
        stems = self._telling(text) if known is None else dict(known)
        return list(stems.values())[:MAX_QUERY_STEMS]

    def _telling(self, text: str) -> dict[str, int]:
        found = words(text)
        telling = [word for word in found if word not in self._function_words] or found
        return {stem: term for word in telling for stem, term in self._known(word)}

    def _analyse(self, text: str) -> Analysis:
        pairs = self.pairs(text)
        counted = Counter([term for _, term in pairs])
        terms = sorted(counted)
        counts = list(map(counted.__getitem__, terms))
        if max(counts, default=0) > MAX_COUNT:
            counts = [min(count, MAX_COUNT) for count in counts]
        return Analysis(
            terms=little_endian(array("I", terms)),
            counts=bytes(counts),
            stems=" ".join([stem for stem, _ in pairs]),
            telling=len(terms) - len(self._function_terms.intersection(terms)),
        )

    def _known(self, word: str) -> tuple[tuple[str, int], ...]:
        known = self._stems.get(word)
        return self._learn(word) if known is None else known

    def _learn(self, word: str) -> tuple[tuple[str, int], ...]:
        with self._lock:
            known = _stems_of(word, self._stemmer)
            if len(self._stems) >= _CACHE_WORDS:
                self._stems.clear()
            self._stems[word] = known
        return known


def words(text: str) -> list[str]:
    """The words of a text, lower case and without accents.

    >>> words("Léa's café opens at 9!")
    ['lea', 'cafe', 'opens', 'at', '9']
    """
    if text.isascii():
        return _of_ascii(text)
    plain = _MARKS.sub("", unicodedata.normalize("NFKD", text.casefold()))
    text = unicodedata.normalize("NFKC", plain).replace("\u2019", "'")
    return [_bare(word) if "'" in word else word for word in _WORD.findall(text.lower())]


def normalised(text: str) -> str:
    """A text without regard to capitals, spaces and a full stop or exclamation mark at its end.

    >>> normalised("I  use R at work.") == normalised("i use R at work!")
    True
    """
    return " ".join(text.split()).casefold().rstrip(".! ")


def ascii_words(text: str) -> list[str]:
    """The letters and digits of an ASCII text in lower case, cut at everything else.

    A translation is four times as fast as a regular expression.

    >>> ascii_words("Ada's 2nd try")
    ['ada', 's', '2nd', 'try']
    """
    return text.encode().translate(_ALONE).decode().split()


def _of_ascii(text: str) -> list[str]:
    if "'" not in text:
        return ascii_words(text)
    cut = _LOOSE_APOSTROPHE.sub(" ", text.encode().translate(_WITH_APOSTROPHES).decode())
    return _POSSESSIVE.sub("", cut).replace("'", "").split()


def _bare(word: str) -> str:
    return word.removesuffix("'s").replace("'", "")


def hash_term(stem: str) -> int:
    """The number a stem is known by: CRC-32, 0 to 2**32 - 1."""
    return zlib.crc32(stem.encode())


class _Stemmer(Protocol):
    def stemWord(self, word: str) -> str: ...  # noqa: N802 - the library's name


def _stemmer(language: str) -> _Stemmer:
    import Stemmer

    stemmer: _Stemmer = Stemmer.Stemmer(_LANGUAGES[language])
    return stemmer


def _stems_of(word: str, stemmer: _Stemmer) -> tuple[tuple[str, int], ...]:
    stems = [stem for run in _RUNS.findall(word) for stem in _stems_of_run(run, stemmer)]
    return tuple((stem, hash_term(stem)) for stem in stems)


def _stems_of_run(run: str, stemmer: _Stemmer) -> list[str]:
    if _IS_UNSPACED.match(run):
        return [run[i : i + 2] for i in range(max(1, len(run) - 1))]
    return [stemmer.stemWord(run.strip("'")[:_MAX_WORD])]


@lru_cache(maxsize=8)
def _function_words(language: str) -> frozenset[str]:
    if language == "en":
        return frozenset(_ENGLISH_FUNCTION_WORDS.split())
    return frozenset(part for word in listed_stop_words(language) for part in words(word))


@lru_cache(maxsize=8)
def _function_stems(language: str) -> dict[str, tuple[tuple[str, int], ...]]:
    """The function words with their stems and numbers: every analyser of the language begins with them."""
    stemmer = _stemmer(language)
    return {word: _stems_of(word, stemmer) for word in _function_words(language)}


def listed_stop_words(language: str) -> Sequence[str]:
    """The stop words that stopwords-iso lists for a language, as it spells them, in order."""
    import stopwordsiso

    return sorted(stopwordsiso.stopwords(language))


def little_endian(numbers: "array[int]") -> bytes:
    """The bytes of 32-bit numbers, lowest first, on any machine."""
    if array("I", [1]).tobytes()[0] != 1:
        numbers.byteswap()
    return numbers.tobytes()
