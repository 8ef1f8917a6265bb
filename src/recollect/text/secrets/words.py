"""The words around secrets in eight languages, from ``words.txt``; all are chosen by hand."""

from pathlib import Path
from typing import Final

from recollect.text.lists import read_lists
from recollect.types.regex import lazy_regex

_NAMES: Final = "name: "
_PARTS: Final = {
    part: tuple(words.split()) for part, words in read_lists(Path(__file__).with_name("words.txt")).items()
}


def listed(part: str) -> frozenset[str]:
    """The words of a part."""
    return frozenset(_PARTS[part])


def named() -> dict[str, tuple[str, ...]]:
    """The words that name a secret or what one opens, as regular expressions, by what they name, in order."""
    return {part.removeprefix(_NAMES): words for part, words in _PARTS.items() if part.startswith(_NAMES)}


def any_of(part: str) -> str:
    """The words of a part as one regular expression; "_" is a blank."""
    return "|".join(word.replace("_", " ") for word in _PARTS[part])


def words(text: str) -> frozenset[str]:
    """The words of a text, which blanks part.

    >>> sorted(words("mit with"))
    ['mit', 'with']
    """
    return frozenset(text.split())


SIGNS: Final = words(": = == := -> => --> \u2192 - \u2013 \u2014")
LANGUAGE_OF: Final = {
    word: language
    for language, verbs in {
        "en": "is was are were be been being 's it's its it'll that's becomes became equals remains stays",
        "de": "ist war lautet lautete heißt heisst sei bleibt wäre sind gilt",
        "fr": "est était c'est c'était sera devient",
        "es": "es era será sería",
        "sv": "är var blev blir heter lyder",
        "pt": "é foi ficou fica",
        "it": "è era sarà resta",
        "nl": "luidt blijft wordt werd",
    }.items()
    for word in verbs.split()
}
"""What says that a name has a value, and its language."""
IS: Final = SIGNS | LANGUAGE_OF.keys()
ENTER: Final = listed("enter")
"""Before a value that is to be typed."""
TO_BY_LANGUAGE: Final = {
    "en": words("to into as"),
    "de": words("auf in zu als"),
    "fr": words("à en par pour comme"),
    "es": words("a por como"),
    "sv": words("till som på"),
    "pt": words("para por pra como"),
    "it": words("in a con come"),
    "nl": words("naar in op als"),
}
"""Between a verb of change and a value, by the name's language."""
TO: Final = frozenset().union(*TO_BY_LANGUAGE.values())
CHANGE: Final = lazy_regex(
    r"\b(?:chang(?:e|es|ed|ing|é|ée|er|eai)\b|reset|set\b|switch|updat|made\b|picked|rotat|swap|make\b"
    r"|went\b|turned|änder|geänder|gesetzt"
    r"|umgestellt|gestellt|modifi|mis\b|remplac|cambi|puse\b|actualiz|passé à|byt(?:t|er|a)|ställ|ändra|satte"
    r"|troqu|troc"
    r"|mud(?:ei|ou|ar)|alter|coloquei|redefini|reimposta|modifica|messo|verander|gewijzigd|wijzig|gezet"
    r"|staat|st(?:eht|år|and|od)[ a-z]* (?:auf|på)\b)"
)
FROM: Final = listed("from")
CONNECTS: Final = listed("connects")
"""Between one value and the next."""
CALLED: Final = listed("called")
"""Behind an article: "just the word cinnamon"."""
ARTICLES: Final = listed("articles")
FILLERS: Final = ARTICLES | listed("fillers")
"""Between a link and a value."""
ABOUT: Final = listed("about")
"""What begins a description between a name and its value: "pin *for* my card"."""
OWNERS: Final = listed("owners")
ANAPHORS: Final = listed("anaphors")
"""What begins a sentence that goes on about the one before it: "It's hunter2"."""
THAT_IS: Final = listed("that is")
COMPARES: Final = listed("compares")
NEGATION: Final = listed("negation")
CLAUSE_STARTS: Final = listed("clause starts")
"""What begins the next clause, so that a value before it ends one."""
DIGITS: Final = listed("digits")
DIGIT: Final = "|".join(sorted(DIGITS))
SPELLED: Final = rf"[ ,]+(?:{DIGIT})\b"
"""Behind a digit that is written as a word, where another follows."""
