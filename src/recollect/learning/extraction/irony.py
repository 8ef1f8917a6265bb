"""Irony that a marker gives away teaches nothing: "I love packing 🙄", "I am so good at this, yeah right".

Irony without a marker is not seen. A mere "lol" marks only praise, "totally" and the impossible ("I totally
live on Mars, lol"): who is afraid of wasps "lol" is afraid.
"""

from collections.abc import Sequence
from typing import Final

from recollect.learning.extraction.clauses import Sentence
from recollect.learning.listing import listed
from recollect.types.regex import lazy_regex

_HINTS: Final = (
    "kidding",
    "jk",
    "yeah",
    "as if",
    "psych",
    "april fool",
    "joking",
    "a joke",
    "said no",
    "lol",
    "lmao",
    "haha",
    "hehe",
    "rofl",
    "\U0001f602",
    "\U0001f923",
    "totally",
    "obviously",
    " not",
    "/s",
    "of course",
    "oh",
    "just",
    "simply",
    "absolutely",
    "diet",
    "love ",
    "adore ",
    "enjoy ",
    " on ",
    "fuel",
    "\U0001f644",
    "\U0001f643",
)
_SIGNS: Final = frozenset("\U0001f644\U0001f643")
"""Rolling eyes, and a face upside down."""
_MARKED: Final = lazy_regex(
    r"(?:said no ?(?:one|body)(?: ever)?|(?:just|only|totally) kidding|i am kidding|\bjk|psych|as if"
    r"|\byeah ,? ?right|[-\u2013\u2014,] not|/ ?s)(?: [!.)]+)*$"
)
"""Ends a sentence that meant the opposite."""
_PRAISE: Final = lazy_regex(
    r"\b(?:love|adore|enjoy|favou?rite|best|amazing|fantastic|so good)\b.*\b(?:lol|lmao)(?: [!.]+)*$"
)
_GLAD: Final = (
    "(?:great|brilliant|fantastic|wonderful|lovely|perfect|joy|goody|marvellous|terrific|splendid|yay)"
)
_OH_GREAT: Final = lazy_regex(
    rf"oh ,? ?(?:{_GLAD}|sure)\b.*\b(?:love|adore|enjoy)\b"
    rf"|{_GLAD}\b.*\b(?:just|simply|absolutely) (?:love|adore|enjoy) \w+ing\b"
)
"""Welcomes what nobody would: "oh great, I just love cleaning cat sick"."""
_MISHAP: Final = lazy_regex(
    rf"(?:oh|well|ah)? ?,? ?(?:what an? )?(?:{_GLAD}|just what i needed)\b.*\b(?:"
    r"broke|broken?|breaks|died|dead|crash\w*"
    r"|fail\w*|late|cancell?ed|delayed|flat|leak\w*|flood\w*|stuck|lost|missed|burn\w*|ruined|spill\w*|again)\b"
)
"""Welcomes something that went wrong: "Oh great, the oven broke again"."""
_LOVED: Final = lazy_regex(r"\b(?:love|adore|enjoy|favou?rite|best|so much fun)\b")
_LAUGHS: Final = listed("lol lmao lmfao rofl haha hahaha hahahaha hehe \U0001f602 \U0001f923 xd")
_NUISANCE: Final = lazy_regex(
    r"\b(?:love|adore|enjoy) (?:paying (?:[$\u20ac\u00a3]?\d\S*|extra|more"
    r"|rent|tax\w*|bills|fines?|for (?:parking|repairs?))"
    r"|queu\w*|standing in (?:the (?:rain|cold)|line|queues?)|sitting in traffic|repeating myself"
    r"|losing (?!myself)\w+"
    r"|filling (?:in|out) (?:\w+ )?forms|scraping ice"
    r"|being (?:\w+ )?(?:stuck|ignored|shouted|yelled|late|ill|sick|broke|skint|ghosted|woken|lied|on hold)"
    r"|getting (?:stuck|soaked|rained|fined|ghosted|dumped|up at (?:[2-5]\b|\d+ am))"
    r"|cleaning (?:up )?(?:\w+ )?(?:sick|vomit|poo)|waiting (?:in|on hold|for (?:buses|the bus|hours)))\b"
)
"""Loves what nobody does: "I just adore standing in the rain". Chosen by hand."""
_SWEARS: Final = lazy_regex(
    r"\b(?:i|we|i am|my \w+ (?:is|are)) (?:am |are |do |have )?(?:totally|obviously|clearly|definitely)\b"
    r"|^(?:(?:lol|haha|oh|yeah|yep|yes|sure) ,? ?){0,3}(?:yeah ,? ?sure|sure|oh yeah|totally|obviously"
    r"|clearly) ,? ?(?:i|we|my)\b|\bobviously(?: [!.]+)*(?: lol| haha| lmao)"
)
"""Swears that something is so, which with laughter says that it is not."""
_IMPOSSIBLE: Final = lazy_regex(
    r"\b(?:(?:on|to|from) (?:mars|venus|jupiter|saturn|pluto|the (?:moon|sun))(?! ,? ?(?:bar|street|\w+ia\b))"
    r"|at (?:the north pole|hogwarts)|in (?:narnia|atlantis|wakanda|neverland|hogwarts)"
    r"|(?:am|have|own|ride|drive|eat|fly|married) (?:an? |the |two |three )?(?:real )?"
    r"(?:unicorn|dragon(?! fruit)|mermaid|vampire|wizard|ninja|alien|superhero|time travell?er|spaceship"
    r"|flying carpet|time machine|billionaire|(?:king|queen|emperor|president) of (?!my|our|the)\w+)s?"
    r"|(?:two|three|four|five) heads|immortal|(?:1[3-9]\d|[2-9]\d\d) years old)\b"
)
"""What nobody is, has or does. Chosen by hand."""
_YEAH_RIGHT: Final = lazy_regex(r"(?:oh )?yeah ,? ?right ,? ?(?:i|we|my)\b")
_OF_COURSE: Final = lazy_regex(
    r"(?:(?:and|but|because|so) )?(?:of course|oh|oh yes|sure) ,? ?(?:i|we) "
    r"(?:(?:just|really|absolutely|so) )*(?:love|adore|enjoy)\b"
)
_SIGHS: Final = listed("ugh argh sigh meh grr ffs urgh bah damn")
"""Words of a bad mood; behind one "of course I adore ..." is meant the other way."""
_FED_ON: Final = lazy_regex(
    r"\b(?:diet (?:is|of|consists of)|(?:liv(?:e|es|ing)|surviv(?:e|es|ing)|run(?:s|ning)?) on|fuell?ed by)"
    r" (?:\S+ ){0,4}?(?:despair|tears|spite|sadness|misery|anxiety|regrets?|chaos|panic|rage|sarcasm|vibes"
    r"|desperation|self-pity|adrenaline)\b"
)
"""Says that somebody lives on a feeling. The words were chosen by hand."""
_SHORT: Final = 60
"""Characters of a message that only takes back. Chosen by hand."""
_EXCLAMATION: Final = 3
"""Words and signs of a sentence that only exclaims: "Oh great!"."""
_LAUGH: Final = r"(?:lol|lmao|haha|hehe|\U0001f602|\U0001f923|[!.,])"
_ALONE: Final = lazy_regex(
    rf"(?:{_LAUGH} )*(?:(?:just |only |i am |i was )*(?:kidding|joking)|jk|not|psych|as if|yeah ,? ?right"
    rf"|april fools?(?: day)?|(?:it|that) (?:is|was) (?:just |only )?a joke)(?: {_LAUGH})*$"
)
"""A sentence of its own that takes back the one before."""
_OF_ANSWERS: Final = ("not", "as if", "yeah", "it is", "that is")
"""Said alone, these doubt what an assistant answered, or scold: "yeah right", "it's a joke"."""
_APRIL: Final = lazy_regex(r"april fools?(?: day)?\b")


def may_joke(text: str) -> bool:
    """Whether a marker of irony may be in a text; fast, and wrong at most one way."""
    lowered = text.lower()
    return any(hint in lowered for hint in _HINTS)


def is_joke(sentences: Sequence[Sentence], number: int) -> bool:
    """Whether a sentence meant the opposite, by a marker in it or right behind it."""
    words = [token.low for token in sentences[number].tokens]
    said = " ".join(words)
    marks = (_MARKED, _PRAISE, _FED_ON, _NUISANCE)
    before = [token.low for token in sentences[number - 1].tokens] if number else []
    if _APRIL.match(said):
        return True
    if _OH_GREAT.match(" ".join([*before, *words] if len(before) <= _EXCLAMATION else words)):
        return True
    if _MISHAP.match(" ".join(before)) and _LOVED.search(said):
        return True
    if not _SIGNS.isdisjoint(words) or any(mark.search(said) for mark in marks):
        return True
    laughs = not _LAUGHS.isdisjoint(words) or _laughs_behind(sentences, number)
    swears = _SWEARS.search(said) is not None
    if _YEAH_RIGHT.match(said) or (laughs + swears + bool(_IMPOSSIBLE.search(said)) > 1):
        return True
    if _OF_COURSE.match(said) and any(_sighs(one) for one in sentences[: number + 1]):
        return True
    if number + 1 == len(sentences):
        return False
    behind = [token.low for token in sentences[number + 1].tokens]
    return _ALONE.match(" ".join(behind)) is not None or (behind != [] and set(behind) <= _SIGNS)


def takes_back(sentences: Sequence[Sentence]) -> bool:
    """Whether a message says no more than that the one before was a joke: "april fools lol"."""
    words = " ".join(token.low for sentence in sentences for token in sentence.tokens)
    return len(words) <= _SHORT and _ALONE.match(words) is not None and not words.startswith(_OF_ANSWERS)


def _laughs_behind(sentences: Sequence[Sentence], number: int) -> bool:
    """Whether the next sentence is laughter alone."""
    return number + 1 < len(sentences) and {one.low for one in sentences[number + 1].tokens} <= _LAUGHS


def _sighs(sentence: Sentence) -> bool:
    return sentence.tokens[0].low in _SIGHS
