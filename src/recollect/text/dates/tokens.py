"""A text as the grammar of dates sees it: one letter for each word.

Every kind of word has a letter of its own, so that the grammar is a regular expression over letters.
Numbers are read whole ("2023-05-08", "5pm", "3-5"), so that no part of a version, a price, a telephone
number or a score is taken for a day.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from recollect.text.analyse import ascii_words
from recollect.text.dates import han
from recollect.text.dates.digits import full_year
from recollect.text.dates.words import PHRASES, SIGNS, SINGLE, DateWord
from recollect.types.regex import lazy_regex

_KINDS: Final = """
OTHER BREAK COMMA DOT DASH DAY MORROW OFFSET WEEKDAY SHORT_WEEKDAY MONTH MARCH MAY SEPT SHORT_MONTH SEASON
UNIT LENGTH DAYS_END PART NOON HALF HALF_AFTER OCLOCK ORDER ORDINAL NUMBER NUMBER_WORD HAN_NUMBER ONE AN
YEAR SPAN DECADE LAST PAST NEXT COMING THIS LATER AGO HENCE IN WITHIN ON AT BY SINCE UNTIL BEFORE VOR
AFTER DURING OVER FOR FROM BETWEEN AND TO AU THE OF END START MID EARLY LATE EVERY HOLIDAY EVE PERIOD
WEEKEND NOT_A_DAY WEEKDAY_IN EDGE_OF NIAN YUE RI DIAN FEN ONWARDS ROLLING QUARTER ISO DATE SHORT_DATE
ISO_WEEK YEAR_MONTH CLOCK BARE_CLOCK LOOSE_CLOCK READ_DAY READ_MONTH READ_YEAR READ_ORDINAL READ_OTHER
READ_TIME READ_LOOSE_TIME READ_AMOUNT ZONE NOT_BEFORE OR DUE
DOTTED WEEKDAYS PARTS
"""
LETTERS: Final = {kind: chr(0x100 + place) for place, kind in enumerate(_KINDS.split())}
"""The letter of each kind. The last ones stand for what the grammar has read already (``READ_...``)."""

_YEARS: Final = range(1900, 2100)
"""Four digits that may be a year without more to say so."""

_HAN: Final = "\u4e00-\u9fff"
_BEFORE_YEAR: Final = "".join(LETTERS[kind] for kind in ("MONTH", "SHORT_MONTH", "SEPT", "MAY", "MARCH"))
_DAY_NUMBER: Final = LETTERS["NUMBER"] + LETTERS["ORDINAL"]
_DOTS: Final = LETTERS["DOT"] + "?"
_TAIL: Final = lazy_regex(
    f"(?:[{_DAY_NUMBER}]{_DOTS}{LETTERS['OF']}*[{_BEFORE_YEAR}]{_DOTS}|[{_BEFORE_YEAR}]{_DOTS}[{_DAY_NUMBER}])"
    f"(?P<comma>{LETTERS['COMMA']}?){LETTERS['NUMBER']}"
)
"""A day and a month with a number behind them."""
_END: Final = r"(?![0-9a-z_%]|[.,:/\-\u2013][0-9])"
_TIME: Final = r"[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:[.,][0-9]{1,9})?)?"
_NUMBERS: Final = (
    ("PLAIN", r"[0-9]{1,9}(?![0-9a-z_%.,:/\-\u2013]| [ap])"),  # the most frequent first, for speed
    ("ISO", rf"[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}[t ]{_TIME}(?:z|[+-][0-9]{{2}}:?[0-9]{{2}})?"),
    (
        "DATE",
        (r"(?<!version )(?<!release )(?:[0-9]{4}(?P<a>[-/.])[0-9]{1,2}(?P=a)[0-9]{1,2}"
        r"|[0-9]{1,2}(?P<b>[-/.])[0-9]{1,2}(?P=b)[0-9]{4}"
        r"|[0-9]{1,2}/[0-9]{1,2}/[0-9]{2})"),
    ),
    ("SHORT_DATE", r"[0-9]{2}\.[0-9]{2}\.[0-9]{2}"),
    ("ISO_WEEK", r"[0-9]{4}-w[0-9]{2}"),
    ("YEAR_MONTH", r"(?:19|20)[0-9]{2}-[0-9]{2}"),
    ("LENGTH", r"[0-9]{1,2}[.,][0-9] (?:hours?|hrs?|stunden|heures?|horas?)"),
    ("DOTTED", r"[0-9]{1,2}\.[0-9]{1,2}\."),
    ("CLOCK", r"(?:0?[1-9]|1[0-2])(?:[:.][0-9]{2})? ?(?:am|pm|a\.m\.|p\.m\.|a\.m|p\.m)"),
    ("BARE_CLOCK", r"[0-9]{2}:[0-9]{2}(?::[0-9]{2})?|[0-9]{1,2}\.[0-9]{2}(?= uhr)"),
    ("LOOSE_CLOCK", r"[0-9]:[0-9]{2}|[0-9]{1,2}h(?:[0-9]{2})?"),
    ("ORDINAL", r"[0-9]{1,2}(?:st|nd|rd|th|er)"),
    ("SPAN", r"[0-9]{1,2}[-\u2013][0-9]{1,2}"),
    ("SHORT_YEAR", "['\u2019][0-9]{2}"),
    ("DECADE", r"(?:(?:19|20)?[0-9]0)s"),
    ("NUMBER", r"[0-9]{1,9}"),
)  # fmt: skip
_WORD: Final = rf"[^\W\d_{_HAN}]+"
_DIGITS: Final = (
    r"(?<![0-9a-z$\u20ac\u00a3\u00a5#+@/\\._])(?:"
    + "|".join(f"(?P<{kind}>(?:{pattern}){_END})" for kind, pattern in _NUMBERS)
    + r")|(?P<JUNK>[0-9](?:[0-9a-z.,:/\-\u2013+]*[0-9a-z])?)"
)
_HAN_WORDS: Final = (
    rf"(?=[{_HAN}])(?:(?P<HAN_YEAR>{han.YEAR})|(?P<HAN>{han.COMPOUND}|"
    + "|".join(sorted(han.WORDS, key=len, reverse=True))
    + rf")|(?P<HAN_NUMBER>{han.NUMBER})|[{_HAN}])"
)
_QUARTER: Final = r"(?P<QUARTER>\bq[1-4]\b)"
_TOKEN: Final = lazy_regex(rf"{_QUARTER}|(?P<WORD>{_WORD})|{_DIGITS}|{_HAN_WORDS}|[^\w\s'\u2019\u2018`]|\n")
_ASCII_TOKEN: Final = lazy_regex(rf"(?![q][1-4])(?P<WORD>[a-z]+)|{_QUARTER}|{_DIGITS}|[^\w\s'`]|\n")
"""The same for what is ASCII alone, in half the time."""
_PLAIN_TOKEN: Final = lazy_regex(r"(?P<WORD>[a-z]+)|[^\w\s'`]|\n")
"""The same for ASCII without a digit, in half of that again."""
_BREAKS: Final = r'\n!?;"*|'
_PART: Final = lazy_regex(rf"[^{_BREAKS}]+|[{_BREAKS}]+[^{_BREAKS}]*")
"""A part of a text behind signs that stand in no number and no date."""
_BEGIN: Final = lazy_regex(rf"[{_BREAKS}]")
_MARKED: Final = bytes(
    ord("\n" if sign in '\n!?;"*|' else "0" if sign.isdigit() else sign if sign.isalpha() else " ")
    for sign in map(chr, range(128))
) + bytes(128)
"""A translation of lower-case ASCII: a line's end for the signs of ``_BREAKS``, a zero for each digit."""
_WORDS: Final = lazy_regex(_WORD)
_SIGN_WORDS: Final = frozenset(SIGNS)
_DIGIT: Final = lazy_regex("[0-9]")
_WIDE_DIGIT: Final = lazy_regex("[\uff10-\uff19]")
_BROKEN_LINE: Final = lazy_regex(r"\n(?<=[^\n]{50}\n)(?<=[^\s.!?:;]\n)(?=\w)")
"""Lines of 50 characters and more (chosen by hand) are broken by their length; shorter ones are items."""
_HAN_SIGNS: Final = lazy_regex("[今明昨后前去周月日号年天底晚早点节旦期来礼季钟时]")
_PUNCTUATION: Final = {
    ",": "COMMA",
    ".": "DOT",
    "-": "DASH",
    "\u2013": "DASH",
    "\u2014": "DASH",
    "\uff0c": "COMMA",
}
_FRENCH: Final = """
j je tu il elle nous vous ils elles le les est ai avons avez ont suis était ce cette à au aux qui que et
ne pas soir matin nuit
"""
_FRENCH_SIGNS: Final = frozenset(_FRENCH.split())
_GERMAN: Final = """
ich du er wir ihr ist bin sind war der die das und nicht ein eine es zu auf mit
"""
_GERMAN_SIGNS: Final = frozenset(_GERMAN.split())
_BY_CAPITAL: Final = frozenset({"MAY", "MARCH", "SHORT_WEEKDAY", "ZONE"})
_SMALL_WEEKDAYS: Final = {
    "tues": None, "weds": None, "thur": None, "thurs": None, "fri": None,
    "mon": {"next", "on"}, "tue": {"next", "on"}, "wed": {"next", "on", "this"}, "thu": {"next", "on"},
    "sat": {"next", "on", "this"}, "sun": {"next"},
}  # fmt: skip
"""English weekdays in small letters, and behind what the short ones are no other words; else they need the
day of the month behind them, or a time beside them: "sat 14th", "sun 9am"."""
_NO_WEEKDAYS: Final = """
the a in he she we they i it you who that cat dog got were was get they're
"""
_NO_WEEKDAY_BEHIND: Final = frozenset(_NO_WEEKDAYS.split())
"""Behind one of these "sun" and "sat" are no days though a time follows: "we sat 9:30 to 10:30"."""
_ORDINAL: Final = lazy_regex("[0-9]{1,2}(?:st|nd|rd|th)")
_HOUR: Final = lazy_regex(r"[0-9]{1,2}(?:[:.][0-9]{2})? ?[ap]\.?m\.?|[0-9]{1,2}:[0-9]{2}")
_DAY_OF_MONTH: Final = lazy_regex("(?:0?[1-9]|[12][0-9]|3[01])")
_BEHIND_MAY: Final = frozenset(".,):\n")
_DAYS: Final = frozenset({"WEEKDAY", "SHORT_WEEKDAY"})
_NAMED_MONTHS: Final = frozenset({"MONTH", "SHORT_MONTH", "SEPT", "MAY", "MARCH"})

_OTHER: Final = DateWord("OTHER")
_BREAK: Final = DateWord("BREAK")
_KNOWN: Final = frozenset(SINGLE) | frozenset(PHRASES)
_HIER: Final = SINGLE["hier"]
_COUNTED_KINDS: Final = "OTHER UNIT LENGTH NIAN MONTH SHORT_MONTH SEPT OCLOCK TO DASH DOT UNTIL PART"
_COUNTED: Final = frozenset(LETTERS[kind] for kind in _COUNTED_KINDS.split())
"""What behind a number of two digits says that it is no year: "5 May 23 people came"."""
_CET: Final = DateWord("ZONE", 60)
"""In small letters it is French."""
_MARKS: Final = {mark: DateWord(kind) for mark, kind in _PUNCTUATION.items()}


@dataclass(frozen=True, slots=True)
class Tokens:
    """The words of a text, a letter for each, and where the first and last part of each begins."""

    letters: str
    words: Sequence[DateWord]
    firsts: Sequence[re.Match[str]]
    lasts: Sequence[re.Match[str]]


def may_hold_dates(lowered: str, words: Sequence[str] | None = None) -> bool:
    """Whether a text, in lower case, holds a digit or words without which there is no date."""
    if words is None:
        words = ascii_words(lowered) if lowered.isascii() else _WORDS.findall(lowered)
    if not _SIGN_WORDS.isdisjoint(words) and _hold_a_sign(set(words)):
        return True
    return _DIGIT.search(lowered) is not None or (
        not lowered.isascii() and _HAN_SIGNS.search(lowered) is not None
    )


def _hold_a_sign(words: set[str]) -> bool:
    return any(others <= words for word in words & _SIGN_WORDS for others in SIGNS[word])


def lower(text: str) -> str:
    """In lower case, letter by letter, so that every letter keeps its place.

    Digits of double width become plain ones, and the end of a line that was broken by its length a blank.

    >>> lower("５月３日")
    '5月3日'
    """
    lowered = text.lower()
    if len(lowered) != len(text):
        lowered = "".join(small if len(small := letter.lower()) == 1 else letter for letter in text)
    if "\n" in lowered:
        lowered = _BROKEN_LINE.sub(" ", lowered)
    return lowered if lowered.isascii() else _WIDE_DIGIT.sub(lambda found: str(int(found[0])), lowered)


def tokens_of(text: str, lowered: str) -> Tokens:
    """The words of a text that may hold dates; a row of words that mean nothing to dates is one."""
    matches = _matches_in(lowered)
    words: list[DateWord] = []
    firsts: list[re.Match[str]] = []
    lasts: list[re.Match[str]] = []
    over, word = 0, _BREAK
    for place, match in enumerate(matches):
        if place < over:
            continue
        found, kind = match[0], match.lastgroup
        if found in _KNOWN:
            word, over = _word(matches, place, text)
        elif kind == "WORD":
            if word is _OTHER:
                continue
            word, over = _OTHER, place + 1
        else:
            word, over = _sign_or_number(kind, found), place + 1
        words.append(word)
        firsts.append(match)
        lasts.append(matches[over - 1])
    if "hier" in lowered:
        words = _without_hier(words, {match[0] for match in _tokens_in(lowered).finditer(lowered)})
    letters = [LETTERS[word.kind] for word in words]
    joined = "".join(letters)
    for match in _TAIL.finditer(joined):
        place = match.end() - 1
        year = _year_behind(words[place], firsts[place][0], match["comma"], joined[place + 1 : place + 2])
        if year:
            words[place], letters[place] = DateWord("YEAR", year), LETTERS["YEAR"]
    return Tokens("".join(letters), words, firsts, lasts)


def _year_behind(word: DateWord, written: str, comma: str, after: str) -> int:
    """The year that a number behind a day and a month is ("5 May 23", "May 5, 1850"); 0 if it is none."""
    if len(written) == 4 and word.number and not (comma and after == LETTERS["OTHER"]):  # noqa: PLR2004 - digits
        return word.number
    if len(written) == 2 and not comma and after not in _COUNTED:  # noqa: PLR2004
        return full_year(word.number)
    return 0


def _matches_in(lowered: str) -> list[re.Match[str]]:
    """The tokens of the parts that may hold dates, and a break for the others between two of them."""
    if lowered.isascii():
        return _ascii_matches_in(lowered)
    parts = [match.span() for match in _PART.finditer(lowered)]
    if len(parts) == 1:
        return list(_TOKEN.finditer(lowered))
    matches: list[re.Match[str]] = []
    for start, end in parts:
        if may_hold_dates(lowered[start:end]):
            matches += _TOKEN.finditer(lowered, start, end)
        elif begin := _BEGIN.match(lowered, start):
            matches.append(begin)
    return matches


def _ascii_matches_in(lowered: str) -> list[re.Match[str]]:
    """The same in ASCII: it is cut into its parts by one translation, in a quarter of the time.

    A hundred parts of an answer are looked at, of which twenty may hold dates.
    """
    marked = lowered.encode().translate(_MARKED).decode()
    if "\n" not in marked:
        return list((_ASCII_TOKEN if "0" in marked else _PLAIN_TOKEN).finditer(lowered))
    matches: list[re.Match[str]] = []
    start, skipped = 0, False
    for part in marked.split("\n"):
        end = start + len(part)
        digits, words = "0" in part, part.split()
        if digits or (not _SIGN_WORDS.isdisjoint(words) and _hold_a_sign(set(words))):
            pattern = _ASCII_TOKEN if digits else _PLAIN_TOKEN
            matches += pattern.finditer(lowered, max(0, start - 1), end)
            skipped = False
        elif not skipped and start and (begin := _BEGIN.match(lowered, start - 1)):
            matches.append(begin)
            skipped = True
        start = end + 1
    return matches


def _tokens_in(lowered: str) -> re.Pattern[str]:
    if not lowered.isascii():
        return _TOKEN
    return _ASCII_TOKEN if _DIGIT.search(lowered) else _PLAIN_TOKEN


def _word(matches: Sequence[re.Match[str]], place: int, text: str) -> tuple[DateWord, int]:
    """The longest phrase that begins here, or else the word; and the place of the next word."""
    found = matches[place][0]
    if found in PHRASES and place + 1 < len(matches):
        second = matches[place + 1][0]
        for phrase, word in PHRASES[found]:
            over = place + len(phrase)
            if phrase[1] == second and tuple([match[0] for match in matches[place:over]]) == phrase:
                return word, over
    word = SINGLE.get(found, _OTHER)
    if found == "cet" and text[slice(*matches[place].span())].isupper():
        word = _CET
    if word.kind in _BY_CAPITAL:
        written = text[slice(*matches[place].span())]
        if _is_small_weekday(matches, place):
            return word, place + 1
        meant = word._replace(kind="MONTH") if _is_small_may(matches, place) else word
        word = meant if meant is not word else _with_capital(word, written)
    return word, place + 1


def _is_small_weekday(matches: Sequence[re.Match[str]], place: int) -> bool:
    """Whether a short word in small letters is a weekday, by what stands beside it."""
    found = matches[place][0]
    if found not in _SMALL_WEEKDAYS:
        return False
    leads = _SMALL_WEEKDAYS[found]
    before, behind, next_but_one = (_at(matches, at) for at in (place - 1, place + 1, place + 2))
    if leads is None or before in leads or _ORDINAL.fullmatch(behind):
        return True
    timed = _HOUR.fullmatch(next_but_one if behind == "at" else behind) or _HOUR.fullmatch(before)
    dated = _DAY_OF_MONTH.fullmatch(behind) and _kind(next_but_one) in _NAMED_MONTHS
    return bool(timed or dated) and before not in _NO_WEEKDAY_BEHIND


def _is_small_may(matches: Sequence[re.Match[str]], place: int) -> bool:
    """Whether "may" in small letters is the month of the number before it: "7 may 9am", "sat 2 may"."""
    before, behind = _at(matches, place - 1), _at(matches, place + 1)
    if matches[place][0] != "may" or not _DAY_OF_MONTH.fullmatch(before):
        return False
    first = _at(matches, place - 3 if _at(matches, place - 2) in {"the", ","} else place - 2)
    timed = _HOUR.fullmatch(behind) or (behind == "at" and _at(matches, place + 2)[:1].isdigit())
    return bool(timed) or not behind or behind in _BEHIND_MAY or _kind(first) in _DAYS


def _at(matches: Sequence[re.Match[str]], place: int) -> str:
    """The word at a place; empty where there is none."""
    return matches[place][0] if 0 <= place < len(matches) else ""


def _kind(found: str) -> str:
    return SINGLE.get(found, _OTHER).kind


@lru_cache(4096)
def _sign_or_number(kind: str | None, found: str) -> DateWord:
    if kind is not None:
        return _number(kind, found)
    return _MARKS.get(found) or (_OTHER if "\u4e00" <= found <= "\u9fff" else _BREAK)


def _with_capital(word: DateWord, written: str) -> DateWord:
    if word.kind == "ZONE":
        return word if written.isupper() else _OTHER
    if written[0].isupper():
        return word._replace(kind="MONTH") if word.kind in {"MAY", "MARCH"} else word
    return _OTHER if word.kind == "SHORT_WEEKDAY" else word


def _number(kind: str, found: str) -> DateWord:
    match kind:
        case "NUMBER" | "PLAIN":
            number = int(found)
            return DateWord("YEAR" if len(found) == 4 and number in _YEARS else "NUMBER", number)  # noqa: PLR2004
        case "LENGTH":
            return DateWord(kind, round(float(found.split(maxsplit=1)[0].replace(",", ".")) * 60), "minute")
        case "ORDINAL":
            return DateWord(kind, int(found[:-2]))
        case "HAN_NUMBER":
            return DateWord(kind, han.number_of(found), language="zh")
        case "HAN":
            return han.WORDS.get(found) or han.compound_of(found)
        case "HAN_YEAR":
            return DateWord("YEAR", han.year_of(found), language="zh")
        case "SHORT_YEAR":
            return DateWord("YEAR", full_year(int(found[1:])))
        case "QUARTER":
            return DateWord("QUARTER", int(found[1]))
        case "JUNK":
            return _OTHER
        case _:
            return DateWord(kind, name=found)


def _without_hier(words: list[DateWord], written: set[str]) -> list[DateWord]:
    """The French "hier" is a day; the German one is a place."""
    french = len(written & _FRENCH_SIGNS) > len(written & _GERMAN_SIGNS)
    meant = DateWord("DAY", -1, language="fr") if french else _OTHER
    return [meant if word is _HIER else word for word in words]
