"""Corrections of values: "sorry, I meant Penryn, not Falmouth", "scratch that, it's Saturday". Pure.

What is known with the old value ends, and is known with the new one. What the correction says besides must be
of the same thing: "the dentist is 3.20, not 3.40" corrects what is known of the dentist, and "the boat is in
Penryn, not Falmouth" no home. A value without the old one is of what was told just before (``values``).
"""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Final, Literal, NamedTuple

from recollect.learning.extraction.when import MONTHS
from recollect.learning.listing import DAY, MONTH, listed
from recollect.learning.reconcile.corrections_abroad import LONGEST, in_english
from recollect.learning.reconcile.phrases import plain
from recollect.learning.reconcile.statements import CHANGED, SAID, Statement
from recollect.learning.reconcile.values import Value, is_of, value_alone, with_value
from recollect.text.analyse import Analyser
from recollect.text.analyse import words as words_of
from recollect.text.dates import find_dates
from recollect.types.regex import lazy_regex

CORRECTED: Final = "corrects"
"""The relation of a correction; its object is the new value, the old one, and what it is about."""
_BEFORE: Final = r"(?:(?:the|an?|in|at|on|with|to|from|by) ){0,2}"
_WORDS: Final = r"[\w\u00a3$\u20ac'\u2019:.%-]*[\w%](?: [\w'\u2019-]+){0,2}"
_LED: Final = (
    r"\b(?:meant?|is|are|was|to|called|named|in|at|on|for|with|am|im|be|have|its|it|take|live|work|like)"
    r"(?:'s|\u2019s)?|\w(?:'s|\u2019s)|[^\W\d_]{3,}s(?= (?:on )?the \d)"
)
_LEADING: Final = lazy_regex(r"\b(?:allergic to|in|at|with|to|from|by) ", re.IGNORECASE)
"""Leads to a value within the words before "not": of "allergic to walnuts, not hazelnuts" one is walnuts."""
_NOT: Final = rf"(?:,[^,.;!?\n]{{1,20}})?,? (?:and |but )?not {_BEFORE}"
_OLD: Final = rf"(?P<old>{_WORDS}?)(?=[,;!?)]|[.](?:\s|$)|\s*$| (?:i|it|he|she|we|they|as|like|-)\b)"
_CONTRAST: Final = lazy_regex(rf"(?:{_LED}) {_BEFORE}(?P<new>{_WORDS}?){_NOT}{_OLD}", re.IGNORECASE)
_CLEFT: Final = lazy_regex(
    rf"\bit(?:'s|\u2019s|s| is) {_BEFORE}(?P<new>{_WORDS}?) (?:that )?(?:i|im|i'm|i\u2019m|we|my)\b"
    rf"[^.!?\n]{{0,40}}?,? not {_BEFORE}{_OLD}",
    re.IGNORECASE,
)
_BARE: Final = lazy_regex(
    rf"(?:(?:oh|no|nope|sorry|oops|whoops|actually|wait|correction|i meant?|my (?:bad|mistake)),? )+{_BEFORE}"
    rf"(?P<new>{_WORDS}?){_NOT}(?P<old>{_WORDS})(?:[.!] ?(?:the )?(?P<day>\d{{1,2}}(?:st|nd|rd|th)))?[.!]*$",
    re.IGNORECASE,
)
"""Two values and nothing else: "sorry, 560 not 650"; a day may have its number behind it."""
_TAKEN_BACK: Final = lazy_regex(
    r"\b(?:sorry|oops|whoops|correction|scratch that|strike that|actually|i meant?|misheard|mis-?spoke"
    r"|allerg(?:ic|y is) to|mis-?typed|misremembered|typo|my (?:mistake|bad)|i (?:said|wrote)|wait"
    r"|i (?:got|had) (?:that|it) wrong|i was wrong|i mean|hang on|hold on|should (?:be|say))\b|^no(?:pe)?,? ",
    re.IGNORECASE,
)
_INSTEAD: Final = lazy_regex(
    r"(?:oh |no,? |oops,? |sorry,? |actually,? |wait,? )*"
    r"(?:scratch that|strike that|correction|make (?:that|it)|sorry|oops|whoops|no|actually|wait|i meant?"
    r"|my (?:bad|mistake))"
    r"(?:[,:.;\u2014-]+ ?| )(?:it(?:'s|\u2019s| is)|that(?:'s|\u2019s| is)|i meant?|make (?:it|that)|for)? ?"
    rf"(?:on |at |the )*(?P<new>{DAY}(?: (?:the )?\d{{1,2}}(?:st|nd|rd|th)?)?(?: (?:of )?{MONTH})?"
    rf"|\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {MONTH}|\d{{1,2}}(?:st|nd|rd|th)"
    r"|\d{1,2}[.:][0-5]\d(?: ?[ap]m)?|\d{1,2} ?[ap]m)"
    r"(?:,? (?:at )?(?P<clock>\d{1,2}[.:][0-5]\d(?: ?[ap]m)?|\d{1,2} ?[ap]m|(?<=at )\d{1,2}\b))?"
    r"(?=[,.;!?)]|\s*$| (?:instead|now|because|since|as|her|his|my|their|the|she|he|they|we)\b)",
    re.IGNORECASE,
)
"""Takes a day or a time back that was just told, and names the right one alone."""
_FIRST: Final = lazy_regex(
    r"(?=.{0,20}\b(?:meant?|scratch|strike|correction)\b).{1,60}?(?=[.!] )", re.IGNORECASE
)
_STRONG: Final = lazy_regex(r".*\b(?:scratch|strike|correction|make|i meant?)\b", re.IGNORECASE)
"""Takes back whatever stands behind the day; "sorry" and "no" may begin anything."""
_OF_TODAY: Final = lazy_regex(
    r"[,.;!\s]*(?:(?:i|we)(?:'|\u2019|\b)(?!.*\b(?:mis\w+|mixed|wrong|confused|got it|mistake)\b)"
    r"|(?:so|let|time|why|what|as (?:well|far|usual)|instead of)\b)",
    re.IGNORECASE,
)
"""Behind a day or a time that is told for itself: "sorry, it's 4pm, I need to run"."""
_DATE: Final = lazy_regex(
    rf"\b(\d{{1,2}})(?:st|nd|rd|th)?(?: of)? ({'|'.join(MONTHS)})(?: (\d{{4}}))?\b", re.IGNORECASE
)
_ANY_YEAR: Final = 2028
"""Has every day, for a date without its year."""
_WEEKDAY: Final = lazy_regex(rf"{DAY}\b", re.IGNORECASE)
_NAMES_DAY: Final = lazy_regex(rf"{DAY}\b|\d{{1,2}}(?:st|nd|rd|th)$", re.IGNORECASE)
_DIGITS: Final = lazy_regex(r"\b\d{1,2}(?=\b|st|nd|rd|th)")
_WITHIN: Final = timedelta(hours=1)
"""How long after a plan a day or a time without the old one corrects it. Chosen by hand."""
_HALF_A_WEEK: Final = timedelta(days=3)
_CLOCK: Final = lazy_regex(r"(?P<hour>\d{1,2})[.:](?P<minute>[0-5]\d) ?(?:[ap]m)?$", re.IGNORECASE)
_TIME: Final = lazy_regex(
    r"(?<![\w.:\u00a3$\u20ac])(?:\d{1,2}[.:][0-5]\d(?: ?[ap]m)?|\d{1,2} ?[ap]m|(?<=\bat )\d{1,2})"
    r"(?![\w:]|\.\d)",
    re.IGNORECASE,
)
_COUNTED: Final = lazy_regex(rf"[\u00a3$\u20ac]?\d|(?:{DAY}|{MONTH})\b", re.IGNORECASE)
_NO_VALUE: Final = listed(
    """
    i me my it that this sure really so very too just only good bad here there now yet sorry all the a an you
    true right wrong fine mine yours his hers ours theirs them him her us one any much many well going
    able ready is are was were be am been do does did have has had can could will would should and or but if
    when say said mean
    """
)
_FILLERS: Final = _NO_VALUE | listed(
    """
    sorry oops whoops correction scratch strike actually meant misheard misspoke mistyped misremembered typo
    mistake bad wrote not its itself wait ive ill for with from was oh okay about earlier before course
    """
)
_SHORTEST: Final = 3
"""Letters of a word that two statements have in common. Chosen by hand."""


class Correction(NamedTuple):
    """Two values, and the sentence that names them; the old one is empty where it is not named.

    ``alone``: the new one with whose it is, where it is no day and no time.
    ``clock``: the time behind a new day.
    """

    new: str
    old: str
    about: str
    alone: Value | None = None
    clock: str = ""


def correction_in(text: str) -> Correction | None:
    """The correction that a message makes; None without words that take something back.

    >>> correction_in("sorry I meant Penryn, not Falmouth")[:2]
    ('Penryn', 'Falmouth')
    >>> correction_in("scratch that, it's Saturday")[:2]
    ('Saturday', '')
    >>> correction_in("I like Penryn, not Falmouth")
    """
    text = in_english(text)
    if len(text) > LONGEST or _TAKEN_BACK.search(text) is None:
        return None
    if " not " not in text.lower():
        instead = _INSTEAD.match(text)
        if instead is None:
            alone = value_alone(text) or _first_alone(text)
            return alone and Correction(alone.new, "", " ".join(text.split()), alone)
        if not _STRONG.match(instead.group()) and _OF_TODAY.match(text, instead.end()):
            return None
        clock = instead["clock"] or ""
        return Correction(instead["new"].strip(), "", " ".join(text.split()), clock=clock)
    about = " ".join(text.split())
    if (found := _CLEFT.search(text) or _CONTRAST.search(text)) is not None:
        new, old = _LEADING.split(found["new"].strip())[-1], found["old"].strip()
    elif (found := _BARE.match(text)) is not None:
        new, old = (
            found["new"].strip() + (f" the {found['day']}" if found["day"] else ""),
            found["old"].strip(),
        )
        about = f"{new} {old}"
    else:
        return None
    words = f"{new} {old}".lower().replace("day the ", "day ").split()
    if not _NO_VALUE.isdisjoint(words) or new.lower() == old.lower() or _counts(new) != _counts(old):
        return None
    return Correction(new, old, about)


def _first_alone(text: str) -> Value | None:
    """The value of a first sentence that says "I meant", whatever the next one tells of it."""
    first = _FIRST.match(text)
    return value_alone(first.group()) if first else None


def corrected_words(words: str, correction: Correction) -> str | None:
    """Words with the new value in place of the old one; None where the old one is not there once.

    >>> corrected_words("on 20 November 2026", Correction("Saturday", "Friday", ""))
    'on 21 November 2026'
    """
    if correction.alone is not None:
        return with_value(words, correction.new)
    if not correction.old or _NAMES_DAY.match(correction.old):
        moved = _with_other_day(words, correction)
        return _at(moved, correction.clock) if moved else _with_other_time(words, correction)
    clock = _CLOCK.match(correction.old), _CLOCK.match(correction.new)
    pairs = [(correction.old, correction.new)]
    if clock[0] and clock[1]:
        (hour, minute), (other, at) = clock[0].groups(), clock[1].groups()
        later = 12 if int(other) < 12 else 0  # noqa: PLR2004 - hours of half a day
        pairs += [(f"{int(hour):02}:{minute}", f"{int(other):02}:{at}")]
        pairs += [(f"{int(hour) + 12}:{minute}", f"{int(other) + later}:{at}")]
    for old, new in pairs:
        pattern = re.compile(rf"(?<![\w:.]){re.escape(old)}(?![\w:]|\.\d)", re.IGNORECASE)
        if len(pattern.findall(words)) == 1:
            return _with_article(pattern, new, words)
    return None


def _with_other_day(words: str, correction: Correction) -> str | None:
    """Words with the one date that is the old day moved to the new day; None without such a date."""
    dates = list(_DATE.finditer(words))
    if len(dates) != 1:
        return None
    number, month, year = dates[0].groups()
    if year is None and _WEEKDAY.search(f"{correction.old} {correction.new}"):
        return None
    try:
        told = datetime(int(year or _ANY_YEAR), MONTHS.index(month.title()) + 1, int(number), tzinfo=UTC)
    except ValueError:
        return None
    if correction.old and not _is_day(correction.old, told):
        return None
    day = next(_days_near(correction.new, told), None)
    if day is None or day.date() == told.date():
        return None
    shown = f"{day.day} {MONTHS[day.month - 1]}" + (f" {day.year}" if year else "")
    return f"{words[: dates[0].start()]}{shown}{words[dates[0].end() :]}"


def _at(words: str, clock: str) -> str:
    """Words with their one time of day replaced by the one that was told with the new day."""
    times = list(_TIME.finditer(words)) if clock else []
    return f"{words[: times[0].start()]}{clock}{words[times[0].end() :]}" if len(times) == 1 else words


def _is_day(named: str, told: datetime) -> bool:
    """Whether words such as "Thursday the 26th" name a day."""
    weekday, number = _WEEKDAY.match(named), _DIGITS.search(named)
    named_so = weekday is None or f"{told:%A}".lower() == weekday.group().lower()
    return named_so and (number is None or int(number.group()) == told.day)


def _days_near(named: str, told: datetime) -> Iterator[datetime]:
    """The days that words name which are nearest to another day."""
    named = f"on the {named}" if _DIGITS.fullmatch(named.rstrip("stndrh")) else named
    for span in find_dates(named, now=told - _HALF_A_WEEK, prefer="future"):
        if span.grain == "day":
            yield span.start


def _with_other_time(words: str, correction: Correction) -> str | None:
    """Words with their one time of day replaced; None where none or several are named."""
    times = re.findall(r"\b\d{2}:\d{2}\b", words)
    found = find_dates(f"at {correction.new}", now=datetime(2000, 1, 1, tzinfo=UTC), prefer="future")
    if correction.old or len(times) != 1 or len(found) != 1 or found[0].grain not in {"minute", "hour"}:
        return None
    shown = f"{found[0].start:%H:%M}"
    return words.replace(times[0], shown) if shown != times[0] else None


def _with_article(pattern: re.Pattern[str], new: str, words: str) -> str:
    article = "an" if new[:1].lower() in {"a", "e", "i", "o", "u"} else "a"
    told = pattern.sub(lambda _: new, words)
    return re.sub(rf"\ban? (?={re.escape(new)})", f"{article} ", told)


def end_by_correction(new: Statement, known: Statement, analyser: Analyser) -> Literal["opposite"] | None:
    """Whether what is known has the old value of a correction."""
    correction = correction_in(new.object or "")
    ours = plain(new.subject)
    if correction is None or plain(known.subject)[: len(ours)] != ours:
        return None
    just = new.at - known.last_said <= _WITHIN
    if known.relation in {CHANGED, CORRECTED, None} or (known.relation == SAID and not just):
        return None
    said = known.text.removeprefix(known.subject)
    if corrected_words(said, correction) is None or _names(correction.new, said):
        return None
    if not correction.old:
        return "opposite" if _is_of_the_last(correction, new, known) else None
    return "opposite" if _is_about(correction, known.text, analyser, just=just) else None


def _names(value: str, said: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(value)}(?!\w)", said, re.IGNORECASE) is not None


def _is_of_the_last(correction: Correction, new: Statement, known: Statement) -> bool:
    """Whether a value without the old one is of what is known, which must have been told just before."""
    if new.at - known.last_said > _WITHIN or known.ended_by(new.at):
        return False
    if correction.alone is None:
        return known.planned or _DATE.search(known.text) is not None
    return is_of(
        correction.alone,
        subject=known.subject,
        relation=known.relation or "",
        text=known.text,
        speaker=new.subject,
    )


def _counts(value: str) -> bool:
    return _COUNTED.match(value) is not None


def _is_about(correction: Correction, known: str, analyser: Analyser, *, just: bool) -> bool:
    """Whether a correction is about what is known, or says nothing but the two values.

    A number or a day without more is of what was told just before.
    """
    about = correction.about.lower().replace(correction.new.lower(), " ").replace(correction.old.lower(), " ")
    told = [word for word in words_of(about) if len(word) >= _SHORTEST and word not in _FILLERS]
    if not told:
        return just or not _counts(correction.old)
    return not {stem for word in told for stem in analyser.query_stems(word)}.isdisjoint(
        analyser.query_stems(known)
    )
