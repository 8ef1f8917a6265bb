"""Words around a date that say what it is: a day ahead, one that comes again, or how long something took."""

from typing import Final

from recollect.text.dates.tenses import clause_around, tense_of
from recollect.types.regex import lazy_regex

_EVENT: Final = (
    r"(?:appointments?|appt|dentist|doctors?|gp|vets?|opticians?|hairdressers?|physio|chiropodist|midwife"
    r"|exams?|tests?|interview|meeting|flight|train|ferry|op|operation|surgery|procedure|scan|mri|x-?ray"
    r"|check-?up|biopsy|jab|vaccination|booster|blood ?test|hearing|viewing|audition|rehearsal|recital|gig"
    r"|concert|wedding|funeral|christening|party|birthday|anniversary|graduation|deadline|due date|review"
    r"|assessment|inspection|delivery|plumber|electrician|match|game|race|tournament|trip|holiday"
    r"|parents'? evening|school play|mot|service|lesson|class|course|shift|training|session|deposit|move)"
)
"""What is on a day."""
_PLURALS: Final = (
    r"(?:kids|boys|girls|twins|parents|lads|lasses|friends|neighbours|neighbors|grandparents|students|guests"
    r"|others|us|(?:the|these|those|some|all|both|two|three|four) \w+s)"
)
_HAS_GOT: Final = lazy_regex(
    rf"(?<!\w)(?!{_PLURALS} got)(?:\w+ )?\w+s got (?:(?:an?|the|my|his|her|their|our|another) )?"
    rf"(?:[\w'-]+ ){{0,2}}?{_EVENT}(?: (?:at|with|for|in|to|about) [^.!?]*)? ?$"
)
"""Somebody "has got" an event on the day behind it, the apostrophe left out: "nelsons got the vet"."""
_IS_ON: Final = lazy_regex(
    rf"\b{_EVENT}(?: (?:for|with|at|in) [^.!?,]{{1,30}}?)?(?:'s|s| is| are| was| will be| is now| now)?,? $"
    r"|\bdue $"
)
"""Before "the 16th" without "on"."""
_MOVES: Final = (
    r"\b(?:moved?|moving|pushed?|bumped|shift(?:ed)?|changed?|switch(?:ed)?|put|rescheduled?|postponed?|rebooked"
    r"|brought)\b"
)
_LAST_DAY: Final = lazy_regex(r"\blast (?:working )?(?:day|shift|week),? $")
_MOVED_TO: Final = lazy_regex(rf"{_MOVES}[^.!?]*\b(?:to|until|till) $")
_MOVED_BEHIND: Final = lazy_regex(
    rf"(?!.*\b(?:forwards?|earlier)\b)[^.!?]*{_MOVES} [^.!?]*\b(?:to|until|till) (?:the )?(?:following )?"
)
_MOVES_BEFORE: Final = lazy_regex(_MOVES)
"""Between the day that something was on, and the one to which it was moved."""
_ENDS_THERE: Final = lazy_regex(
    r"\s*(?:$|[,.;:!?)|\n]|(?:at|in|from|for|with|and|but|so|then|now|instead|because|around|until|till|to|too"
    r"|as well|was|is|has|got)\b)"
)
"""Behind "the 16th" that is a day and counts nothing."""

_DAY_ALONE: Final = lazy_regex(r"(?:(?:on|by|from) )?(?:the )?\d{1,2}(?:st|nd|rd|th)(?: of the month)?$")
_EVERY_MONTH: Final = lazy_regex(
    r"\b(?:gets?|am|are|is|i'?m|we'?re|he'?s|she'?s|they'?re) paid(?: \w+){0,2} $"
    r"|\b(?:rent|mortgage|pension|wages?|salary|pay ?(?:cheque|check|day)|direct debits?|standing orders?"
    r"|council tax|universal credit|child benefit|benefits|allowance|maintenance|bills?|subscriptions?"
    r"|insurance|loan|car payment|car finance)"
    r"(?: (?!(?:was|were|will|has|had|went|came|left)\b)\w+){0,2}?"
    r" (?:goes|go|comes?|leaves?|lands?|hits?|arrives?|clears?|gets?|is|are|drops?|is due)"
    r"(?: (?!(?:late|early|delayed|coming|moving)\b)\w+){0,4} $"
    r"|(?:\b(?:a|per|each|every) month|\bmonthly),?"
    r"(?: (?:always|usually|normally|due|paid|supposed|meant|to|be|comes?|goes|out|it|is)){0,4} $"
)
"""What is paid comes on its day of every month: "rent is due on the 1st", "80 a month on the 3rd"."""
_DAYS_ALONE: Final = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_DAYS_RANGE: Final = lazy_regex(
    rf"(?:(?:from|on) )?{_DAYS_ALONE} ?(?:to|till?|until|through|-|\u2013) ?{_DAYS_ALONE}$"
)
_HABIT: Final = lazy_regex(
    r"\b(?:(?:is|are|'s|'re|am|'m) (?:(?:always|usually|normally|only) )?(?:open|closed|shut|available)"
    r"|opens?|closes?|hours (?:is|are)|works?|teach(?:es)?|looks? after|minds?|cares? for|attends?"
    r"|volunteers?|goes to (?:the )?(?:nursery|school|college|uni|work|gym|playgroup|daycare)"
    r"|usually|normally|always)\b"
)
"""Tells in the plain present what is so every week, before "monday to friday"."""
_ONE_WEEK: Final = lazy_regex(
    r",? (?:(?:of )?(?:this|next|last|the coming) (?:week|month)|then\b|because|while|instead|this time"
    r"|for (?:once|a change))"
)
_EVERY_WEEK: Final = lazy_regex(
    r",? (?:(?:every|each) (?:(?:other|second|third) )?(?:week|fortnight|month)|(?:most|some) weeks"
    r"|fortnightly|weekly)\b"
)
_SHORT: Final = r"(?:mon|tues?|weds?|thu(?:rs?)?|fri|sat|sun)"
_SHORT_DAY: Final = lazy_regex(rf"{_SHORT}\b")
_BEHIND_DAYS: Final = lazy_regex(rf"\b{_SHORT}[ /]$")
"""A row of days comes every week: "gym mon wed fri 6am"."""
_WEEKDAY: Final = lazy_regex(r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day)$")
_DAY_FOR: Final = lazy_regex(
    r" (?:is|'s) (?:(?:my|our) (?!(?:last|first|big|wedding|moving|next)\b)(?:[\w-]+ )?(?:day|night)\b"
    r"(?! (?:to|of|at) )"
    r"|(?:fish|pizza|bin|curry|bath|wash|washing|laundry|cleaning|date|quiz|pub|takeaway|movie|film|games?|bingo"
    r"|chippy|roast|rest|market|shopping|gym|leg|allotment) (?:day|night)\b)"
)
"""Behind a weekday that is every such day: "Friday is fish night"."""

_FEW: Final = (
    r"(?:\d[\d.,]*|half|(?:half )?an?|one|two|three|four|five|six|seven|eight|nine|ten|a couple of|a few"
    r"|several|many)"
)
_RATE: Final = lazy_regex(
    rf"\b(?:once|twice|thrice|{_FEW} (?:times|x)) $"
    r"|[£$€]\d[\d.,]*(?: \w+)? $"
    rf"|\b{_FEW} ?(?:mg|mcg|µg|g|grams?|ml|units?|iu|tablets?|pills?|capsules?|drops?|puffs?)"
    r"(?: (?:of )?[\w-]+)? $"
    rf"|\b{_FEW} ?(?:doses?|tins?|scoops?|quid|pounds?|euros?|dollars?|bucks|pence|p|k|grand|hours?|hrs?|h"
    r"|mins?|minutes?|days?|nights?|mornings?|afternoons?|evenings?|shifts?|sessions?|lessons?|classes|miles|km"
    r"|steps|cups?|glass(?:es)?|pints?|meals?)(?: of [\w-]+)? $"
    r"|(?<!at )(?<!around )(?<!by )(?<!about )(?<!before )(?<!after )(?<!till )(?<!until )(?<![\d.,:/-])"
    r"\b\d[\d.,]* $"
)
"""Before "a day from today": how often or how much a day, not when."""
_LENGTH: Final = lazy_regex(
    r"in (?:\w+ ){1,4}(?P<unit>hours?|days?|weeks?|fortnights?|months?|years?|yrs?|decades?)$"
)
_SUPERLATIVE: Final = (
    r"(?:first|only|best|worst|most|least"
    r"|(?!(?:test|guest|quest|rest|west|fest|forest|interest|request|contest|harvest|protest|arrest|chest|nest"
    r"|vest|pest|priest|invest|suggest|digest|honest|latest)\b)[a-z]{2,}est)"
)
_SINCE_THEN: Final = lazy_regex(rf"\b{_SUPERLATIVE}\b(?P<what>(?: [\w'-]+){{0,5}}) $")
"""Before a length of time in which something was the first or the best."""
_HAPPENS: Final = lazy_regex(
    r"\b(?:is|are|will|am|starts?|begins?|comes?|coming|goes|arrives?|due|happens?|i|we|he|she|they)\b"
)
_TO_COME: Final = lazy_regex(r"\b(?:have|has|ve|got|start|starts|sit|sits|take|takes|do|doing|having)\b")
_SHORT_UNIT: Final = lazy_regex(r"hour|day|week|fortnight")
_NO_MORE: Final = lazy_regex(r"(?:^|[\s,])(?:no|not|never|nothing|nobody|no one|none)\b(?P<what>[^.!?]*) $")
_OTHER_SUBJECT: Final = lazy_regex(r"\b(?:i|we|he|she|they|you|it|that)(?:'|\b)")
_NEGATED: Final = lazy_regex(r"\b(?:have|has|had|ve|s|d)(?: not|n't|nt)\b")


def has_event_ahead(text: str, first: int) -> bool:
    """Whether somebody has got an event on the day that begins at ``first``, or one was moved to it.

    The last day of who has quit lies ahead, too.

    >>> has_event_ahead("nelsons got the vet on friday", 20)
    True
    >>> has_event_ahead("the kids got a dog on friday", 18)
    False
    """
    before = _before(text, first)
    return any(one.search(before) is not None for one in (_HAS_GOT, _MOVED_TO, _LAST_DAY))


def is_day_of_an_event(text: str, first: int, over: int) -> bool:
    """Whether "the 16th" is the day of an event, or to which one was moved.

    >>> is_day_of_an_event("dentist is the 16th at 3", 11, 19)
    True
    >>> is_day_of_an_event("my test the 2nd time", 8, 15)
    False
    """
    before = _before(text, first)
    named = _IS_ON.search(before) is not None or _MOVED_TO.search(before) is not None
    return named and _ENDS_THERE.match(text, over) is not None


def is_moved(text: str, behind: int, first: int) -> bool:
    """Whether the day that begins at ``first`` is the one to which that of the date before it was moved.

    >>> is_moved("the one on Monday got moved to Friday", 17, 31), is_moved("on Monday or on Friday", 9, 13)
    (True, False)
    """
    between = text[behind:first].lower()
    if between == " to ":
        return _MOVES_BEFORE.search(_before(text, behind)) is not None
    return _MOVED_BEHIND.fullmatch(between) is not None


def comes_again(text: str, first: int, over: int) -> bool:
    """Whether a day stands for every one of its kind: of every month, or of every week.

    >>> comes_again("I get paid on the 28th", 11, 22), comes_again("I fly on the 28th", 6, 17)
    (True, False)
    """
    said = text[first:over].lower()
    if _DAY_ALONE.match(said):
        return _EVERY_MONTH.search(_before(text, first)) is not None
    if _SHORT_DAY.match(said) and _BEHIND_DAYS.search(_before(text, first)):
        return True
    if _DAYS_RANGE.match(said):
        return _is_every_week(clause_around(text, first, over)[0].lower(), text[over:].lower())
    return _WEEKDAY.match(said) is not None and _DAY_FOR.match(text.lower(), over) is not None


def _is_every_week(before: str, behind: str) -> bool:
    """Whether "monday to friday" is so every week."""
    if _EVERY_WEEK.match(behind):
        return True
    return _HABIT.search(before) is not None and _ONE_WEEK.match(behind) is None


def is_rate(text: str, first: int) -> bool:
    """Whether "a day" that begins at ``first`` says how often or how much.

    >>> is_rate("once a day from today", 5), is_rate("the party is a week from today", 13)
    (True, False)
    """
    return _RATE.search(_before(text, first)) is not None


def is_how_long(text: str, first: int, over: int) -> bool:
    """Whether "in 14 years" says for how long something was so, and not when it will be.

    >>> is_how_long("I haven't smoked in 14 years", 17, 28), is_how_long("My op is in 3 weeks", 9, 19)
    (True, False)
    """
    length = _LENGTH.match(text[first:over].lower())
    if length is None:
        return False
    before, after = clause_around(text, first, over)
    before = before.lower().replace("\u2019", "'")
    since = _SINCE_THEN.search(before)
    if since and not _HAPPENS.search(since["what"]):
        soon = _SHORT_UNIT.match(length["unit"]) is not None
        told = tense_of(before, after) < 0 or before[: since.start()].rstrip().endswith(" the")
        return told or not (soon or _TO_COME.search(before[: since.start()]))
    denied = _NO_MORE.search(before)
    if denied and _NEGATED.search(before) is None and not before.lstrip().startswith(("no", "never")):
        denied = None
    if denied and _OTHER_SUBJECT.search(denied["what"]):
        return False
    return tense_of(before, after) < 0 and (denied is not None or not _OTHER_SUBJECT.search(before[1:]))


def _before(text: str, first: int) -> str:
    return text[max(0, first - 120) : first].lower().replace("\u2019", "'")
