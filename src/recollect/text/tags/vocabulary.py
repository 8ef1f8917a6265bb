"""The words of a text that can be tags, and the breaks between them.

Left out are addresses, fenced code, markup, words of grammar and chatter, single letters, numbers other than
years, and strings so long that they are data. All of these, and punctuation, end a phrase. In a text of
another language than the memory's, that language's words of grammar are left out, too (see ``foreign``).
"""

import re
import threading
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from recollect.text.analyse import READ_CHARACTERS, Analyser, listed_stop_words, words
from recollect.text.tags.foreign import foreign_language, foreign_stop_words
from recollect.text.tags.unspaced import cut_unspaced
from recollect.types.regex import lazy_regex

_OTHER_SCRIPTS: Final = ("ar", "el", "he", "hi", "ko", "ru")
"""One language for each script, stopped in every memory: their words cannot be mistaken for Latin ones.
Chinese, Japanese and Thai are cut apart elsewhere (see ``unspaced``)."""

_FILLERS: Final = """
yeah yep yup ya phew alright nope nah okay ok huh hey hi hiya hello bye goodbye cheers lol haha hahaha lmao
omg btw wow woah whoa woohoo yay ugh aww ooh oops hmm umm uh um gonna gotta wanna kinda sorta dunno lemme
cuz cause coz y'all doin thx ty ain't thanks thank please welcome congrats congratulations sorry glad
excited happy luck lucky really totally absolutely super pretty quite actually basically literally honestly
surely finally effectively great good nice awesome amazing cool sweet lovely fantastic wonderful incredible
perfect worth lot lots bunch bit stuff thing kind sort way guy guys people folks sounds sounded love loves
loved loving enjoy enjoys enjoyed enjoying like likes liked feel feels feeling felt hope hopes hoping hoped
guess bet wonder wondering hear hears heard hearing wait waiting waits talk talks talked talking chat
remember remind reminds reminded agree matter matters mean bring brings brought bringing start starts
started starting stay stays stayed staying happen happens happened happening come came coming check checked
checking create help helps helped helping share sharing include includes included including ensure ensures
ensuring stuck decided decide figure add adding added learn learned reach reached hit met meet
"""
"""Chatter, and verbs and adjectives of which every turn has some. Chosen by hand from the 250 most frequent
tags of two sets of chats; whatever could be what a memory is about stayed."""
_TOPICS: Final = (
    "ai cv hr ip ml pr tv uk computer research group groups home room rooms fire bill novel mug web"
)
_COMPANIONS: Final = """
new old young big small high low long short open full early late real special hard easy tough huge true
specific helpful second double first third time times day days life chance mind key set sets work works
problem problems information interest system area areas case order state value values point points page
section test tests result results number numbers member members face side end name
"""
"""Chosen by hand, like the two above."""


@lru_cache(maxsize=8)
def stop_words(language: str) -> frozenset[str]:
    """The words of a language that no tag holds, as ``words`` gives them.

    >>> "the" in stop_words("en"), "computer" in stop_words("en"), "nicht" in stop_words("de")
    (True, False, True)
    """
    listed = {
        part
        for code in (language, *_OTHER_SCRIPTS)
        for word in listed_stop_words(code)
        for part in words(word)
    }
    if language == "en":
        listed = listed - set(words(_TOPICS)) | set(words(_FILLERS))
    return frozenset(listed - companions(language))


@lru_cache(maxsize=8)
def companions(language: str) -> frozenset[str]:
    """The words of a language that are a tag only beside another: "new" in "new york". English only.

    >>> "new" in companions("en"), "neu" in companions("de")
    (True, False)
    """
    return frozenset(words(_COMPANIONS) if language == "en" else ())


_MAX_WORD: Final = 40
"""Characters of a word; longer ones are keys, hashes or data, and not remembered. Chosen by hand."""
_CACHE_WORDS: Final = 50_000
"""Words remembered for each language, some 15 MB. Chosen by hand."""

_NOT_PROSE: Final = (
    ("```", lazy_regex(r"```.*?(?:```|\Z)", re.DOTALL)),
    ("://", lazy_regex(r"\b[a-z][a-z0-9+.-]{0,15}://\S+")),
    ("www.", lazy_regex(r"\bwww\.\S+")),
    ("@", lazy_regex(r"[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,8}")),
    (">", lazy_regex(r"</?[a-z][^<>\n]{0,200}>")),
    ("\x1b", lazy_regex(r"\x1b\[[0-9;?]{0,20}[a-z]")),  # colours of a terminal
    ("\\", lazy_regex(r"\\(?:x1b|033|e|u001b)\[[0-9;?]{0,20}[a-z]")),  # the same in source code
    (" removed]", lazy_regex(r"\[[a-z ]{1,30} removed\]")),  # what ``text.secrets`` leaves in place of a key
)
"""What is cut out, behind a sign of it that is quick to look for."""

_MARKS: Final = (
    "\u0300-\u036f"  # Latin, Greek, Cyrillic
    "\u0591-\u05bd\u05bf\u05c1\u05c2\u0610-\u061a\u064b-\u065f\u0670"  # Hebrew, Arabic
    "\u0900-\u0903\u093a-\u094f\u0951-\u0957\u0962\u0963\u0981-\u0983\u09bc-\u09d7"  # Devanagari, Bengali
    "\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece\u102b-\u103e\u17b4-\u17d3"  # Thai
)
"""Marks that stand on letters or after them; for Python they are no letters."""
_TOKEN: Final = lazy_regex(rf"[^\W_]+(?:(?:[{_MARKS}]+|['-](?=[^\W_]))[^\W_]*)*|(?:[^\w \t]|_)+")
"""A word, with apostrophes and hyphens inside it, or whatever else is not a blank."""
_ASCII: Final = bytes(
    byte if chr(byte).isalnum() or chr(byte) in "'-" else 32 if chr(byte) in " \t" else 46
    for byte in range(128)
) + bytes(128)
"""A translation of lower-case ASCII: a full stop for whatever ends a phrase."""
_LOOSE_MARK: Final = lazy_regex(r"['-](?:(?<![a-z0-9].)|(?![a-z0-9]))")
"""An apostrophe or a hyphen that is not inside a word."""
_IGNORED: Final = lazy_regex("[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\u2122\ufe00-\ufe0f\ufeff]")
"""Invisible characters such as marks of direction, and the trade mark, which NFKC would spell out."""
_ENDINGS: Final = {"en": lazy_regex("(?:'(?:s|re|d|ll|ve|m))+$"), "tr": lazy_regex("'.*$")}
_POSSESSIVE: Final = lazy_regex("(?:'s)+$")
"""What is taken off a word, as in "she'll" or "istanbul'da"; the analyser takes off the possessive, too."""
_ELISION: Final = lazy_regex(
    r"\b(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu|all|dall|dell|nell|sull|coll|un|quest|quell)'"
)
"""Articles and the like, as in "l'école" or "dell'arte"."""
_ELIDING: Final = frozenset({"fr", "it"})
_YEAR: Final = lazy_regex(r"(?:19|20)\d\d")
_AMOUNT: Final = lazy_regex(r"\d+[^\d]{0,2}")


@dataclass(frozen=True, slots=True, eq=False)
class Word:
    """A word of a text.

    Attributes:
        shown: How it is spelt, in lower case; empty when it cannot be a tag and ends a phrase.
        key: Its stems, separated by blanks: words with the same key are forms of one.
        terms: What the store counts it by.
        alone: Whether it can be a tag by itself.
    """

    shown: str
    key: str
    terms: tuple[int, ...]
    alone: bool


BREAK: Final = Word("", "", (), alone=False)
"""What cannot be a tag."""


def words_of(text: str, analyser: Analyser) -> Sequence[Word]:
    """The words of a text and the breaks between them, in order; ``READ_CHARACTERS`` characters are read."""
    known = _known_words(analyser.name)
    prose = _prose(text[:READ_CHARACTERS])
    if analyser.language in _ELIDING:
        prose = _ELISION.sub("\n", prose)
    tokens = _tokens(prose)
    foreign = foreign_language(tokens, analyser.language)
    if foreign is None:
        return [known.get(token) or _learn(token, analyser, known) for token in tokens]
    if foreign in _ELIDING:
        tokens = _tokens(_ELISION.sub("\n", prose))
    stops = foreign_stop_words(foreign)
    return [
        BREAK if token in stops else known.get(token) or _learn(token, analyser, known) for token in tokens
    ]


def _tokens(prose: str) -> list[str]:
    return _ascii_tokens(prose) if prose.isascii() else _TOKEN.findall(prose)


def _ascii_tokens(prose: str) -> list[str]:
    """The same as ``_TOKEN`` finds in lower-case ASCII, in half the time."""
    marked = prose.encode().translate(_ASCII).decode()
    return _LOOSE_MARK.sub(".", marked).replace(".", " . ").split()


def _prose(text: str) -> str:
    """The text in lower case and in one spelling (NFKC), without what is not language."""
    if text.isascii():
        text = text.lower()
    else:
        text = unicodedata.normalize("NFKC", _IGNORED.sub("", text)).lower().replace("\u2019", "'")
        text = cut_unspaced(text.replace("i\u0307", "i"))  # a Turkish capital leaves a dot of its own
    for sign, pattern in _NOT_PROSE:
        if sign in text:
            text = pattern.sub("\n", text)
    return text


_lock: Final = threading.Lock()


@lru_cache(maxsize=8)
def _known_words(_analyser_name: str) -> dict[str, Word]:
    """The words met so far, which depend on the rules of the analyser and nothing else."""
    return {}


def _learn(token: str, analyser: Analyser, known: dict[str, Word]) -> Word:
    if len(token) > _MAX_WORD:
        return BREAK
    shown = _ENDINGS.get(analyser.language, _POSSESSIVE).sub("", token) if "'" in token else token
    word = _word(token, analyser) if shown == token else known.get(shown) or _learn(shown, analyser, known)
    with _lock:
        if len(known) >= _CACHE_WORDS:
            known.clear()
        known[token] = word
    return word


def _word(shown: str, analyser: Analyser) -> Word:
    stops, companion = stop_words(analyser.language), companions(analyser.language)
    parts = [part for part in words(shown) if part not in stops and not _is_empty(part)]
    if not parts:
        return BREAK
    pairs = analyser.pairs(shown)
    return Word(
        shown,
        " ".join([stem for stem, _ in pairs]) or _without_stems(shown),
        tuple([term for _, term in pairs]),
        alone=not companion.issuperset(parts),
    )


def _is_empty(part: str) -> bool:
    """Whether it is a single letter or a number, perhaps with a unit as in 10am; a year is neither."""
    if part.isalpha():
        return len(part) == 1
    if _YEAR.fullmatch(part):
        return False
    digits = sum(map(str.isdigit, part))
    return len(part) == 1 or digits * 2 >= len(part) or _AMOUNT.fullmatch(part) is not None


def key_of(tag: str, analyser: Analyser) -> str:
    """What a tag is matched by: its stems, or the tag itself when it has none."""
    return " ".join(analyser.stems(tag)) or _without_stems(tag)


def _without_stems(tag: str) -> str:
    return unicodedata.normalize("NFKC", tag.casefold()).strip()
