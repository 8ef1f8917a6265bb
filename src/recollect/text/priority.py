"""The priority that a text states in its own words: high, medium or low.

A table of cues decides, with the few words before each cue. The rules, in order:

1. Quotations, code in backticks and lines with ">" are ignored.
2. Idioms are no cues: "critical thinking", "urgent care", "I can't wait".
3. A cue in a condition ("if it's urgent"), in a question about it ("is it urgent?") or in something that is
   over ("it was urgent last week") is ignored. A past without a time ("it was urgent") counts.
4. A negated cue is low ("not urgent", "less important", "far from urgent"), a double negation medium ("not
   unimportant"). "Not just important" is no negation.
5. "somewhat", "fairly" and "kind of" make a high cue medium; "pretty", "quite" and "rather" change nothing.
6. The highest level wins, since to miss something urgent costs more than to do something early: "important
   but not urgent" is high.

"important" is high, because the specification names it beside "crucial" and "ASAP". "should" and "soon" alone
say nothing; "should be done" and a requested "soon" are medium. English is read, and the commonest words of
German, French, Spanish and Chinese; in other languages negations may be missed.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

from recollect.errors import InvalidInputError
from recollect.text.analyse import READ_CHARACTERS, ascii_words
from recollect.text.priority_cues import FIRM, MILD, OPEN, SIGN_WORDS, SIGNS, Level, cues
from recollect.types.regex import lazy_regex

__all__ = ["Level", "Priority", "find_priority"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Priority:
    """How pressing a text says something is.

    Attributes:
        level: The highest level that its words give.
        words: The words that gave this level, each once, as they stand in the text and in its order; a
            denial begins with the word that denies.
    """

    level: Level
    words: tuple[str, ...]


def find_priority(text: str, *, words: Sequence[str] | None = None) -> Priority | None:
    """How pressing a text says something is; None where it says nothing of it.

    Read are English and the commonest words of German, French, Spanish and Chinese.

    Args:
        text: Its first 20,000 characters are read.
        words: What ``ascii_words`` cuts from these, if they are ASCII and that is known already.

    >>> find_priority("This is crucial and urgent")
    Priority(level='high', words=('crucial', 'urgent'))
    >>> find_priority("It isn't really urgent, take your time.")
    Priority(level='low', words=("isn't really urgent", 'take your time'))
    >>> find_priority("Ada paints when it rains") is None
    True

    Raises:
        InvalidInputError: The text is not a string.
    """
    if not isinstance(text, str):
        raise InvalidInputError(f"text must be a string, not {type(text).__name__}")
    seen = text[:READ_CHARACTERS]
    signs = _signs_in(_runs(seen) if words is None else words)
    if not signs and (seen.isascii() or not _HAN.search(seen)):
        return None
    found = sorted(_signals(seen, signs))
    for level in _LEVELS:
        telling = dict.fromkeys(cue for _, its_level, cue in found if its_level == level)
        if telling:
            return Priority(level=level, words=tuple(telling))
    return None


def _runs(text: str) -> list[str]:
    return ascii_words(text) if text.isascii() else _WORD_PART.findall(_lower(text))


def _signs_in(words: Sequence[str]) -> dict[str, list[str]]:
    """The words of a text with which cues may begin or end, each with the kinds of these cues."""
    if SIGN_WORDS.isdisjoint(words):
        return {}
    there = set(words)
    signs = {word: [kind for kind, others in SIGNS[word] if others <= there] for word in there & SIGN_WORDS}
    return {word: kinds for word, kinds in signs.items() if kinds}


def _lower(text: str) -> str:
    """In lower case, at the same length: the dotted capital I is the only letter that would become two."""
    return text.replace("\u0130", "I").lower().replace("\u2019", "'")


def _signals(text: str, signs: Mapping[str, Sequence[str]]) -> Iterator[tuple[int, Level, str]]:
    """Where the text gives a level, which one, and the words that do."""
    lower = _without_quotes(_lower(text))
    for match in _cues_in(lower, signs):
        kind = match.lastgroup or ""
        if kind in FIRM:
            yield match.start(), FIRM[kind], text[match.start() : match.end()]
        elif kind in OPEN:
            level, start = _weigh(lower, match, OPEN[kind])
            if level is not None:
                yield start, level, text[start : match.end()]
    if not text.isascii() and _HAN.search(text):
        for match in _CHINESE.finditer(lower):
            yield match.start(), FIRM[match.lastgroup or ""], match.group()


def _cues_in(lower: str, signs: Mapping[str, Sequence[str]]) -> Iterator[re.Match[str]]:
    """The cues in the lines that hold one of the words; no cue goes on in the next line."""
    pattern = cues(mild=MILD.issuperset(chain.from_iterable(signs.values())))
    for start, end in sorted({line for word in signs for line in _lines_with(lower, word)}):
        yield from pattern.finditer(lower, start, end)


def _lines_with(text: str, word: str) -> Iterator[tuple[int, int]]:
    """Where the lines begin and end that hold some letters."""
    place = text.find(word)
    while place >= 0:
        end = text.find("\n", place)
        end = len(text) if end < 0 else end
        yield text.rfind("\n", 0, place) + 1, end
        place = text.find(word, end)


def _without_quotes(text: str) -> str:
    """The text with line breaks in place of what is quoted; as long as before."""
    if not _QUOTE_MARK.search(text) and not _OPENING_APOSTROPHE.search(text):
        return text
    return _QUOTED.sub(lambda match: "\n" * len(match.group()), text)


def _weigh(text: str, match: re.Match[str], level: Level) -> tuple[Level | None, int]:
    """The level of a cue after the words before it, and where what decides begins."""
    view = _look_back(text, match.start())
    if _is_open_question(text, match, view):
        return None, match.start()
    if _is_over(text, match, view):
        return None, match.start()
    if match.lastgroup == "soon" and not _REQUEST.search(_sentence(text, match)):
        return None, match.start()
    if match.lastgroup == "swift" and view.denials and view.unable:
        return None, match.start()  # "I can't do it right away" says nothing of its weight
    if view.denials > 1 or (view.denials and level == "low"):
        return "medium", view.start
    if view.denials:
        return "low", view.start
    if view.weakened is not None and level == "high":
        return "medium", view.weakened
    return level, match.start()


@dataclass(slots=True)
class _View:
    """What the words before a cue say of it.

    Attributes:
        unable: What denies is "can't", "couldn't" or "won't".
        stop: The first word, going back, that belongs to something else; empty at the clause's begin.
        past: "was" or "were" is among the words passed.
    """

    denials: int = 0
    start: int = 0
    unable: bool = False
    weakened: int | None = None
    stop: str = ""
    first: str = ""
    past: bool = False


def _look_back(text: str, end: int) -> _View:
    """Goes back from a cue through its clause, over words that hand a denial on ("isn't *all that* ...")."""
    begin = max(0, end - _REACH)
    clause = _BREAK.split(text[begin:end])[-1]
    view, after = _View(start=end), ""
    for match in reversed(list(_WORD.finditer(clause))):
        word, start = match.group(), end - len(clause) + match.start()
        if (word in _DENIALS or word.endswith("n't")) and not (word == "no" and after in _AFTER_A_NO_ALONE):
            if after in _NOT_ONLY or (view.denials == 0 and _more_than_all(word, clause[match.end() :])):
                return _View(start=end, stop=word)
            view.denials, view.start = view.denials + 1, start
            view.unable = word in _UNABLE
            if word in _LAST_DENIALS:
                return view
        elif word in _WEAKENING and after in {"", "of", "more"}:
            view.weakened = start
        elif word not in _PASSED and not (word in _CALLING and after in _CALLED):
            view.stop = word
            return view
        view.past = view.past or word in _PAST
        after = view.first = word
    return view


def _more_than_all(word: str, between: str) -> bool:
    """Whether "nothing is more ..." and its like praise instead of denying."""
    return word in _UNSURPASSED and " more" in between


def _is_open_question(text: str, match: re.Match[str], view: _View) -> bool:
    """Whether the text asks or supposes how pressing it is, and does not say so."""
    if view.stop in _SUPPOSING or _ANSWERED_NO.match(text, match.end()):
        return True
    if view.stop == "how":
        return _ASKS_HOW.match(text, match.end()) is not None
    if view.stop or view.first not in _ASKING:
        return False
    return _ASKED_TO_ITS_END.match(text, match.end()) is not None


def _is_over(text: str, match: re.Match[str], view: _View) -> bool:
    """Whether it is told of a time that has passed: "used to be ...", "was ... last week"."""
    if view.stop == "used" and view.first == "to":
        return True
    return view.past and _PAST_TIME.search(_sentence(text, match)) is not None


def _sentence(text: str, match: re.Match[str]) -> str:
    """The words around a cue, within its sentence."""
    before = _FULL_STOP.split(text[max(0, match.start() - _REACH) : match.start()])[-1]
    return before + _FULL_STOP.split(text[match.start() : match.end() + _REACH], maxsplit=1)[0]


_LEVELS: Final[tuple[Level, ...]] = ("high", "medium", "low")
_REACH: Final = 60
"""Characters before and after a cue that are looked at, about ten words. Chosen by hand."""

_HAN: Final = lazy_regex("[\u4e00-\u9fff]")
_CHINESE_WEIGHT: Final = "(?:紧急|緊急|重要|着急|急)"
_CHINESE: Final = lazy_regex(
    rf"(?P<litotes>(?:不是|并非|並非|不能)不(?:太|很|那么)?{_CHINESE_WEIGHT})"
    r"|(?P<calm>(?:不是|不|没|沒|并非|並非|非|别|別|无|無)"
    rf"(?:什么|那么|那麼|怎么|这么|太|很|算|用|是|要|必)?{_CHINESE_WEIGHT}|有空再|有空的时候|慢慢来)"
    r"|(?P<firm>十万火急|紧急|緊急|重要|加急|急需|尽快|儘快|盡快|立即|立刻)"
)

_WORD_PART: Final = lazy_regex(r"[^\W_]+")
_WORD: Final = lazy_regex(r"[^\W_]+(?:'[^\W_]+)*")
_BREAK: Final = lazy_regex(r"[.,;:!?\n()\u2013\u2014]|\b(?:but|aber|mais|pero)\b")
_FULL_STOP: Final = lazy_regex(r"[.!?\n]")
_ASKED_TO_ITS_END: Final = lazy_regex(r"[^.!?\n]{0,60}\?")
_ASKS_HOW: Final = lazy_regex(r" (?:is|are|was|were|do|does|did|would|should|will)\b")
_REQUEST: Final = lazy_regex(
    r"\b(?:please|pls|need|needs|needed|must|should|has to|have to|got to|gotta|(?:can|could|would|will) you"
    r"|want it|want this|done|fixed|finished)\b"
)
"""What makes of "soon" a wish."""

_ANSWERED_NO: Final = lazy_regex(
    r"\s{0,3}\?[\s\"')]{0,4}(?:no|nope|nah|not|never|hardly|nein|nicht|non|pas)(?!\w)"
)
_PAST: Final = frozenset({"was", "were"})
_PAST_TIME: Final = lazy_regex(
    r"\b(?:yesterday|last (?:night|week|weekend|month|spring|summer|autumn|fall|winter|year|time)"
    r"|(?:days?|weeks?|months?|years?|ages|while) ago|back then|at (?:the|that) time|in the past"
    r"|in (?:19|20)\d\d|until (?:now|recently))\b"
)
_CALLING: Final = frozenset(
    {"call", "called", "find", "found", "thought", "thinks", "believes", "says", "said"}
)
"""Words a denial reaches over when what is denied stands behind: "I wouldn't call it urgent"."""
_CALLED: Final = frozenset({"it", "this", "that", "these", "those", "it's", "that's", "anything"})

_DENIALS: Final = frozenset(
    """
    no not never neither nor without hardly barely scarcely rarely seldom cannot non none nobody less least
    dont isnt wasnt arent doesnt didnt aint cant wont nicht nie niemals weder ohne kein keine keinen keinem
    keiner keines weniger pas jamais ni aucun aucune sans moins nunca sin tampoco menos n\u00e3o
    """.split()  # noqa: SIM905 - words read better than a hundred strings
)
"""Words that deny what follows, besides those in "n't"."""
_LAST_DENIALS: Final = frozenset({"neither", "nor", "weder", "ni", "without", "ohne", "sans", "sin"})
"""Denials that go with another one ("neither ... nor", "no es ni ...") and are one with it."""
_UNABLE: Final = frozenset({"can't", "cannot", "cant", "couldn't", "won't", "wont"})
_UNSURPASSED: Final = frozenset(
    """
    can't cannot couldn't never no nobody none nothing
    """.split()  # noqa: SIM905 - words read better than many strings
)
_NOT_ONLY: Final = frozenset(
    """
    blo\u00df just merely nur only s\u00f3lo seulement simply solely solo
    """.split()  # noqa: SIM905 - words read better than many strings
)
_AFTER_A_NO_ALONE: Final = frozenset(
    """
    i is it it's that that's these this those we you
    """.split()  # noqa: SIM905 - words read better than many strings
)
"""What follows a "no" that answers instead of denying: "no it's urgent"."""
_WEAKENING: Final = frozenset(
    """
    bit fairly kind kinda little mildly moderately reasonably relatively semi slightly somewhat sort
    sorta
    """.split()  # noqa: SIM905 - words read better than many strings
)
_SUPPOSING: Final = frozenset({"if", "unless", "whether", "when", "falls", "wenn", "ob", "si"})
_ASKING: Final = frozenset({"is", "are", "was", "were", "isn't", "aren't", "wasn't", "ist", "es", "est"})
_PASSED: Final = frozenset(
    """
    longer very so too that all really particularly especially terribly super overly exactly actually
    quite as be
    been being is are was were it it's its say this these those there there's that's an a the any anything
    something nothing thing things matter yet longer even considered deemed seem seems seemed look looks
    sound sounds feel feels necessarily of about to need needs needed do done have has had get got think
    believe consider just only merely simply solely more most much enough currently strictly absolutely
    truly extremely or high top sehr ganz besonders wirklich allzu ist sind es das ein eine nur oder
    tr\u00e8s trop vraiment plus est c'est n'est une un ou seulement muy tan tanto una solo s\u00f3lo
    m\u00e1s o nada urgent important critical crucial dringend wichtig urgente importante
    """.split()  # noqa: SIM905 - words read better than a hundred strings
)
"""Words that a denial reaches over: degrees, "to be", "to need", and the cues of "urgent or important"."""

_QUOTE_MARK: Final = lazy_regex('["`>\u2018\u201c\u201d\u201e\u00ab\u00bb\u2039\u203a\u300c\u300e]')
_OPENING_APOSTROPHE: Final = lazy_regex(r"'(?<!\w')")
_QUOTED: Final = lazy_regex(
    r"```[\s\S]*?```|`[^`\n]+`|^[ \t]*>[^\n]*"
    r'|"[^"\n]{1,2000}"'
    r"|(?<!\w)['\u2018](?=\S)(?:[^'\u2018\n]|'(?=\w)){1,200}'(?!\w)"
    "|[\u201c\u201e][^\u201c\u201d\u201e]{1,2000}[\u201c\u201d]"
    "|\u00ab[^\u00ab\u00bb]{1,2000}\u00bb|\u00bb[^\u00ab\u00bb]{1,2000}\u00ab"
    "|\u2039[^\u2039\u203a]{1,2000}\u203a|\u203a[^\u2039\u203a]{1,2000}\u2039"
    "|\u300c[^\u300c\u300d]{1,2000}\u300d|\u300e[^\u300e\u300f]{1,2000}\u300f",
    re.MULTILINE,
)
"""Quotations, bounded so that time grows with length. A mark that is never closed quotes nothing."""
