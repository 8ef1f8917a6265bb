"""What is to come: appointments, journeys, deadlines, bookings, changes with a date, and budgets.

Each needs a time in its clause, which must lie ahead of when it was said (``is_to_come``); a budget needs an
amount. Wishes ("I'd love to"), possibilities ("I might") and denials are no plans.
"""

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Final, NamedTuple, TypeGuard

from recollect.learning.extraction.clauses import Clause
from recollect.learning.extraction.facts import HEDGED, PLANNED, SHARED, Fact
from recollect.learning.extraction.forms import third
from recollect.learning.extraction.leads import Lead
from recollect.learning.extraction.subjects import Subject, named_at, subject_of
from recollect.learning.extraction.verbs import KNOWN
from recollect.learning.extraction.when import may_be_past
from recollect.learning.extraction.wording import SaidWords, fact_of, in_third_person
from recollect.learning.listing import DATED_MONTH, DAY, MONTH, any_of, divided, either, listed
from recollect.text.dates import find_dates
from recollect.types.regex import lazy_regex

_EVENT: Final = any_of(
    r"""
    appointment | meeting | exams? | test | interview | flight | train | surgery | operation | check-?up
    | deadline | wedding | party | concert | recital | viewing | tournament | competition | marathon | race
    | match | conference | presentation | rehearsal | graduation | funeral | hearing | scan | mri | x-ray
    | haircut | reservation | booking | holiday | vacation | trip | cruise | retreat | workshop
    | delivery | inspection | audition | demo | reunion | festival | ceremony | performance | due date
    | dinner | lunch | brunch | drinks
    | op | gig | blood test | vaccination | biopsy | procedure | anniversary | driving test
    | parents'? evening
    """
)
"""What one has at a time."""
_PERSON: Final = any_of(
    """
    dentist | doctor | gp | vet | hairdresser | optician | physio | physiotherapist | therapist
    | dermatologist | gyn(?:a)?ecologist | orthodontist | cardiologist | p(?:a)?ediatrician
    | lawyer | accountant | plumber
    | electrician | barber | notary | midwife
    """
)
"""With whom one has an appointment."""
_IS_PERSON: Final = lazy_regex(_PERSON)
_PAPER: Final = any_of(
    """
    rent | salary | contract | lease | passport | visa | subscription | insurance | membership | free trial
    | trial | warranty | licen[cs]e | semester | term | job | probation | mortgage | tenancy | permit | loan
    | thesis | dissertation | assignment | essay | baby | mot | phone contract | tax return | parental leave
    | maternity leave | notice period | internship | course | school | shift
    """
)
"""What begins, ends or changes at a time."""
_CHANGES: Final = any_of(
    """
    goes up | go up | rises | increases | goes down | drops | ends? | expires? | runs? out | starts? | begins?
    | is due | renews | is up | closes? | leaves? | departs? | arrives? | lands? | takes off
    """
)
_DEEDS: Final = any_of(
    r"""
    flying | travell?ing | driving(?! (?:test|lesson|exam)) | moving | meeting | seeing | visiting | starting
    | leaving | attending | hosting | running | going(?! to (?:bed|sleep|work|school|be)\b) | getting
    | graduating | presenting
    | launching | throwing | taking | performing | playing | retiring | returning | hiking | camping | sailing
    | competing | submitting | celebrating | marrying | speaking | opening | joining | holding | organi[sz]ing
    | finishing | picking up | picking(?= (?:(?:my|our|the) )?\w+(?: \w+)? up) | dropping off | babysitting
    | signing | collecting
    """
)
_DO: Final = any_of(
    """
    fly | travel | drive | move | meet | see | visit | start | leave | attend | host | have | run | go | get
    | graduate | present | launch | throw | take | perform | play | retire | return | hike | camp | sail
    | call | buy | compete | submit | celebrate | marry | speak | open | join | hold | organi[sz]e | finish
    | save | lose | reach | learn | write | raise | pay off | publish | qualify
    | pay | renew | hand in | deliver | send | book | pick up | sign | collect | drop off
    """
)
_PRESENT: Final = listed("leave fly land arrive depart move return travel head collect meet see drive")
_DEPARTS: Final = (
    rf"(?:{either(_PRESENT)}|(?:get|come) back|set off|pick up|(?:get|start)(?= (?:my|our|the) )"
    r"|go(?= (?:to|on) (?!(?:bed|sleep|work|school)\b)))"
)
"""What is said of the time to come in the present: "we leave on Friday"."""
_AWAY: Final = "(?:off|back|away|out of (?:town|the office)|on (?:leave|holiday|vacation))"
"""Where one will be."""
_SOON: Final = lazy_regex(
    rf"\b(?:tomorrow|the \d{{1,2}}(?:st|nd|rd|th)|next \w+|{DAY}"
    rf"|this (?:weekend|month|summer|autumn|fall|winter|spring)"
    rf"|\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {DATED_MONTH}|{DATED_MONTH} \d{{1,2}}(?:st|nd|rd|th)?"
    rf"|(?:in|by|until) (?:early |mid |late )?{MONTH}"
    r"|in (?:\d+|an?|one|two|three|four|five|six|ten|a few|a couple of) (?:days?|weeks?|months?|years?)"
    r"|in 20\d\d|\d{1,2}[./]\d{1,2})\b"
)
"""Names a time that may be to come."""
_CURRENCY: Final = "(?:euros?|dollars?|pounds?|eur|usd|gbp|kr|francs?|chf|k|million)"
_AMOUNT: Final = (
    r"(?P<amount>(?:about |around |roughly |up to |only |at most |under )*[$\u20ac\u00a3]?\d[\d.,]*"
    rf"(?: ?{_CURRENCY})*(?: (?:a|per) (?:week|month|year|person|night|day))?)"
)
_ARTICLE: Final = "(?:an? |my |our |the |another )?"
_AHEAD: Final = lazy_regex(
    rf"(?:i|we) (?P<verb>(?:am|are) (?:\w+ly )?(?:(?:going|trying|hoping|aiming|planning) to {_DO}|{_DEEDS}"
    rf"|{_AWAY})|{_DEPARTS}"
    rf"|will (?:be )?(?:{_DO}|{_DEEDS})|plan to {_DO}|(?:have|need) to {_DO}|must {_DO}"
    r"|(?:have )?(?:just )?(?:booked|scheduled|reserved|arranged)"
    rf"|(?:have(?: got)?|(?:am|are) having) {_ARTICLE}(?:\S+ ){{0,3}}?(?:{_PERSON} appointment|{_EVENT}"
    rf"|{_PERSON}))"
    r"\b(?P<o>.*)$"
)
"""Tells what the speaker is about to do, or has to, or has booked."""
_WITHOUT_SUBJECT: Final = lazy_regex(
    rf"(?P<verb>(?!starting (?:with|from|at|on|in|by)\b){_DEEDS}|having(?= {_ARTICLE}(?:\S+ ){{0,2}}{_EVENT})"
    rf"|{_AWAY}(?= (?:to|in|from|on|until)\b)"
    rf"|(?:have|need) to {_DO})\b(?P<o>.*)$"
)
"""The same where nobody is named: "Flying to Bergen on the 23rd"."""
_DAY_TO_COME: Final = lazy_regex(
    rf"\b(?:tomorrow|(?:on|before|by|this|next) {DAY}|next (?:week|weekend|month|year|summer|winter|spring)"
    rf"|(?:on|by) the \d{{1,2}}(?:st|nd|rd|th)|\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {MONTH}|{MONTH} \d{{1,2}})\b"
)
"""Names a day plainly, which a sentence without a subject must do to be a plan."""
_FINITE: Final = listed("is are am was were will can could would should does do did has makes made went")
"""Verbs by which what begins with a deed says something of it: "flying is scary"."""
_CALLERS: Final = f"(?:{_PERSON}|movers|cleaners?|painters?|builders?|babysitter|nanny|landlord)"
_OWN_DEED: Final = lazy_regex(
    r"(?:^|[.!?]\s)\s*(?:(?:I|we)(?:'ve)? |(?:just )?(?:found|got|signed|booked|bought) )[^,.!?]*,\s*$",
    re.IGNORECASE,
)
"""Says what the speaker did, up to a comma: "I found a flat, "."""
_OF_OTHERS: Final = lazy_regex(
    r"(?P<verb>(?:is|are) (?:coming|flying|visiting|arriving|staying|moving(?: in| out)?|leaving|landing"
    r"|starting|turning \d+|graduating|getting married)|comes?|arrives?|visits?|lands?|leaves?|starts?"
    r"|graduates?|moves?(?: in| out)?|turns? \d+|gets? married)\b ?(?P<o>.*)$"
)
"""What somebody close, or somebody expected, is about to do."""
_CALLER: Final = lazy_regex(rf"the (?P<who>{_CALLERS}) ")
_WHEN_FIRST: Final = lazy_regex(
    rf"(?:(?:the day after )?tomorrow|(?:(?:on|this|next|this coming) )?{DAY}|on the \d{{1,2}}(?:st|nd|rd|th)"
    r"|next (?:week|month|year))(?: (?:morning|afternoon|evening|night))? (?=(?:i|we|my|the|our)\b)"
)
"""A time before the subject: "the day after tomorrow I'm picking up"."""
_OF_A_NOUN: Final = lazy_regex(
    r"(?:(?P<whose>my|our|the|(?P<owner>[\w-]+)'s) )?"
    rf"(?P<noun>(?:\S+ ){{0,3}}?(?:(?P<event>{_EVENT}|{_PERSON})|{_PAPER}))"
    r"(?: (?P<of>(?:for|to|with|in|at) \S+(?: \S+){0,3}?))?"
    r" (?P<verb>(?:is|are|will be|is now)(?: (?:due|booked|scheduled|set"
    r"|planned|moved|postponed))?|(?:has been |was |got |has )?(?:moved|postponed|rescheduled|pushed back)"
    rf"|takes place|{_CHANGES}) (?P<o>.+)$"
)
"""Tells when an event is, or when something begins, ends or changes."""
_MOVED_BY: Final = lazy_regex(
    rf"(?:(?:the|my|our) (?:(?P<who>{_PERSON})(?:'s office)?|\S+)|they|we|i) (?:(?:have|has|had to|just) )*"
    r"(?:moved|pushed|postponed|rescheduled|shifted|brought|changed)(?: back| forward)?"
    rf" (?:(?:my|our|the) (?P<noun>(?:\S+ ){{0,2}}?(?:appointment|slot|{_EVENT}|{_PERSON}))|me|us)"
    r"(?: (?:back|forward|up))? (?:to|until|till) (?P<o>.+)$"
)
"""Tells to when somebody moved an event: "the dentist moved my appointment to 19 March"."""
_MOVED: Final = ("moved", "postponed", "rescheduled", "pushed back")
_ALONE: Final = lazy_regex(
    r"(?:an? |my |the )?"
    r"(?P<noun>(?:(?!(?:i|we|is|are|was|had|have|the|for|to|a|during|after|before|at|over)\b)\S+ ){0,2}?"
    rf"(?:(?P<person>{_PERSON})|{_EVENT}))(?: appointment)?"
    rf" (?P<o>(?:on|at|in|next|this|tomorrow|to|with|for|{DAY})\b(?!.*\b(?:is|was|are|will|needs)\b).*)$"
)
"""Without a verb: "Dentist on 14 March at 10"."""
_TAKEN_OUT: Final = lazy_regex(
    r"(?:(?:please|can you|could you) )*(?:remove|delete|cancel|confirm|check|find|show|move|change"
    r"|reschedule|clear)\b"
)
"""Orders about an event that say nothing of when it is."""
_ENTERED: Final = lazy_regex(
    r"(?:(?:please|can you|could you) )*(?:add|put|schedule|note(?: down)?|write down|mark|create|enter"
    r"|set up)"
    r" (?:an? |my |the )?"
)
"""Orders to write an event down."""
_CALENDAR: Final = lazy_regex(
    r"\b(?:to|on|in|into|onto) (?:my|the|our) (?:calendar|schedule|diary|agenda)\b ?", re.IGNORECASE
)
_EVENING: Final = lazy_regex(r"\b(?:dinner|drinks|concert|party)\b")
_HOUR: Final = lazy_regex(r"\bat ([5-9]|1[01])(?= on\b| tomorrow\b|$)")
"""An hour without "am" or "pm": of dinner it is one of the evening."""
_DATE_BEHIND: Final = lazy_regex(
    rf"(?:(?:on )?(?:{DAY}|(?:the )?\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {MONTH}"
    rf"|{MONTH} \d{{1,2}}(?:st|nd|rd|th)?))?"
    r"(?: ?at \d{1,2}(?:[:.]\d\d)?(?: ?[ap]m)?)?(?:(?:at the )?same (?:time|hour|place))?"
)
_STRETCH: Final = lazy_regex(r"\bfor the next [\w ]+$", re.IGNORECASE)
_REMIND: Final = lazy_regex(
    r"(?:hi |hey |hello |ok |also |please |can you |could you |will you |would you |and )*remind me"
    r" (?P<o>(?:to|about|of|that|on|next|tomorrow)\b.+)$"
)
_BUDGETS: Final = (
    lazy_regex(rf"(?:my|our|the) (?:\w+ ){{0,2}}?budget for (?P<what>.+?) is {_AMOUNT}$"),
    lazy_regex(rf"(?:my|our|the) (?:\w+ ){{0,2}}?budget is {_AMOUNT} for (?P<what>.+)$"),
    lazy_regex(
        rf"(?:(?:my|our|the) )?(?P<what>(?!(?:my|our|the|an?|this|that|your|his|her|their)\b)\w+) budget is"
        rf" {_AMOUNT}(?: total| max| in total| all in)?$"
    ),
    lazy_regex(rf"(?:i|we) have a budget of {_AMOUNT}(?: (?:for|on) (?P<what>.+))?$"),
    lazy_regex(
        rf"(?:i|we) (?:have|can spend) {_AMOUNT} (?:budgeted |set aside |to spend )?(?:for|on) (?P<what>.+)$"
    ),
)
_HINTS: Final = tuple(
    divided(
        """
        budget | spend | tomorrow | next | day | week | month | year | summer | autumn | in fall | winter
        | spring | january | february | march | april | may | june | july | august | september | october
        | november | december | jan | feb | mar | apr | jun | jul | aug | sep | oct | nov | dec
        | / | in 20 | the 1 | the 2 | the 3 | the 4 | the 5 | the 6 | the 7 | the 8
        | the 9
        """
    )
)
"""A part of what names a time to come or an amount, looked for first because that is faster."""
_SHORT_DATE: Final = lazy_regex(r"\b(?:[jfmasond][aepuco][nbrlgptvc]\.?|sept\.?) \d")
"""Looks like a short month and a day: "Dec 14"."""
_NOUNS: Final = lazy_regex(rf"\b(?:{_EVENT}|{_CALLERS}|{_PAPER}|budget|remind)\b", re.IGNORECASE)
_BEGINS: Final = lazy_regex(rf"(?:^|[.!\n] *)(?:{_DEEDS}|{_AWAY}|need to|have to|gotta)\b", re.MULTILINE)
_ALONE_IS_ENOUGH: Final = listed(
    """
    leaving flying moving returning travelling traveling graduating retiring leave fly move return travel
    graduate retire off back away landing land arrive depart house
    """
)
"""Verbs that say enough with no more than a time."""
_POINTING: Final = listed(
    "it this these those him her them i i'm we you ya your here there that something it's"
)
_NO_PLAN: Final = listed(
    "not never might maybe would could if wish hopefully possibly every each always usually thinking"
)
_THIRD: Final = (
    (lazy_regex(r"^(?:am|are)\b", re.IGNORECASE), "is"),
    (lazy_regex(r"^have(?: got)?\b", re.IGNORECASE), "has"),
    (lazy_regex(r"^(need|plan)\b", re.IGNORECASE), r"\1s"),
    (lazy_regex(r"^just ", re.IGNORECASE), ""),
)
_SELF: Final = Subject("", "self", "", 0, 0)


class _Told(NamedTuple):
    """A plan in parts: its relation and object, and the words behind the subject, or the whole sentence."""

    relation: str
    object: str
    said: str
    whole: str = ""
    single: bool = False
    subject: Subject = _SELF


def may_plan(text: str, *, unnamed: bool = False) -> bool:
    """Whether a time that may be to come, or a budget, is in a text.

    ``unnamed``: whether nothing else in it speaks of the speaker, so that a noun of an event must.

    >>> may_plan("Dentist on 14 March", unnamed=True), may_plan("Nice weather on Friday", unnamed=True)
    (True, False)
    """
    lowered = text.lower()
    if not any(hint in lowered for hint in _HINTS) and _SHORT_DATE.search(lowered) is None:
        return False
    if unnamed and _NOUNS.search(text) is None and _BEGINS.search(lowered) is None:
        return False
    return _SOON.search(lowered) is not None or "budget" in lowered or "spend" in lowered


def plan_of(clause: Clause, lead: Lead, rest: Sequence[Clause], speaker: str) -> Fact | None:
    """The plan that a clause tells of; None where it tells of none.

    ``rest``: the clauses behind it, which may go on with its date: "on Friday, 14 March".
    """
    if lead.denied or lead.likens or not _NO_PLAN.isdisjoint(clause.words):
        return None
    place, offset = lead.start, _offset(clause, lead.start)
    if first := _WHEN_FIRST.match(clause.read, offset):
        place, offset = clause.read.count(" ", 0, first.end()), first.end()
    told = _budget(clause, offset, speaker) if "budget" in clause.words or "spend" in clause.words else None
    if told is None and _SOON.search(clause.read):
        told = (
            _ahead(clause, offset)
            or _moved_by(clause, offset, speaker)
            or _of_a_noun(clause, offset, speaker)
            or _of_others(clause, place, offset)
            or _reminder(clause, offset)
            or _alone(clause, offset)
        )
    if told is None:
        return None
    when = clause.raw(0, place)
    more = _date_behind(rest)
    when = f" {when[:1].lower()}{when[1:]}" if _SOON.search(when.lower()) else more
    sure = SHARED if clause.words[place : place + 1] == ["we"] else PLANNED
    said = SaidWords(
        relation=told.relation,
        object=told.object + when,
        said=told.said + when if told.said else "",
        whole=told.whole + when if told.whole else "",
        category="plan",
        confidence=HEDGED if lead.hedged else sure,
        quote=clause.raw(0 if when else place, len(clause.words)) + more,
        single=told.single,
        change="corrected" if lead.corrects else None,
    )
    return fact_of(speaker, told.subject, said)


def _date_behind(rest: Sequence[Clause]) -> str:
    """The date or time that goes on behind a comma; empty when none does."""
    goes_on = bool(rest) and rest[0].link == "," and _DATE_BEHIND.fullmatch(rest[0].read) is not None
    return f", {rest[0].raw(0, len(rest[0].words))}" if goes_on else ""


def is_to_come(fact: Fact, now: datetime | None) -> bool:
    """Whether a plan that names a time lies ahead of when it was told; other facts are as they are."""
    said = next((one for one in (fact.quote, fact.text) if _SOON.search(one.lower())), None)
    if fact.category != "plan" or now is None or said is None:
        return True
    return any(
        span.end > now and not may_be_past(span, now) and not _STRETCH.search(said[: span.place[1]])
        for span in find_dates(said, now=now, prefer="future")
    )


def _raw(clause: Clause, match: re.Match[str], group: str) -> str:
    """The words of a group as they stand in the text."""
    first, last = (clause.read.count(" ", 0, place) for place in match.span(group))
    return clause.raw(first, last + 1) if match[group] and match[group].strip() else ""


def _ahead(clause: Clause, offset: int) -> _Told | None:
    match = _AHEAD.match(clause.read, offset) or _unsaid(clause, offset)
    if match is None or _is_loose(match["verb"], _SOON.sub("", match["o"]).split()):
        return None
    first = clause.read.count(" ", 0, match.start("verb"))
    verb, rest = (
        match["verb"].removesuffix(" "),
        clause.raw(first + match["verb"].count(" ") + 1, len(clause.words)),
    )
    rest = re.sub("^[Gg]onna ", "to ", rest)
    verb = (
        f"is {verb}"
        if match.re.pattern == _WITHOUT_SUBJECT.pattern and not verb.startswith(("have", "need"))
        else verb
    )
    for pattern, inflected in _THIRD:
        verb = pattern.sub(inflected, verb)
    head, blank, tail = verb.partition(" ")
    if head in _PRESENT | {"get", "come", "set", "pick", "start", "go"}:
        verb = third(head) + blank + tail
    shown = (
        verb
        if match.re.pattern == _WITHOUT_SUBJECT.pattern
        else _written(verb, clause, first, first + match["verb"].count(" ") + 1)
    )
    said = f"{shown} {rest}"
    return _Told(relation=verb, object=rest or shown.partition(" ")[2], said=said)


def _unsaid(clause: Clause, offset: int) -> re.Match[str] | None:
    """A plan whose subject is left out, at the beginning of a sentence or behind what the speaker did."""
    told = clause.text[: clause.tokens[0].start]
    begins = not clause.link or (clause.link == "," and _OWN_DEED.search(told) is not None)
    if not begins or not _FINITE.isdisjoint(clause.words) or _DAY_TO_COME.search(clause.read) is None:
        return None
    return _WITHOUT_SUBJECT.match(clause.read, offset)


def _of_others(clause: Clause, place: int, offset: int) -> _Told | None:
    if caller := _CALLER.match(clause.read, offset):
        match, what = _OF_OTHERS.match(clause.read, caller.end()), f"expects the {caller['who']}"
        if not _is_plain(match):
            return None
        return _Told(what, _raw(clause, match, "o"), f"{what} {_raw(clause, match, 'o')}")
    subject = subject_of(clause, place)
    if subject is None or subject.kind not in {"person", "pet"} or subject.pronoun:
        return None
    match = _OF_OTHERS.match(clause.read, _offset(clause, subject.behind))
    if not _is_plain(match):
        return None
    rest, verb = _raw(clause, match, "o"), match["verb"]
    comma = "," if verb.endswith((" in", " out")) else ""
    return _Told(verb, rest, f"{verb}{comma} {rest}".rstrip(), subject=subject)


def _is_plain(match: re.Match[str] | None) -> TypeGuard[re.Match[str]]:
    """Whether words tell by themselves what somebody does."""
    return match is not None and _POINTING.isdisjoint(match["o"].split())


def _offset(clause: Clause, place: int) -> int:
    """Where the word at a place begins in what is read."""
    return sum(len(word) + 1 for word in clause.words[:place])


def _is_loose(verb: str, words: Sequence[str]) -> bool:
    """Whether nobody could tell later what was planned: "will start this", "am going to make it"."""
    if not _POINTING.isdisjoint(words) or words[:1] in (["by"], ["ready"], ["one"]):
        return True
    if verb.endswith("deadline") and all(word in {"of", ","} or word.isdigit() for word in words):
        return True
    if not words and not verb.startswith("have"):
        return verb.rpartition(" ")[2] not in _ALONE_IS_ENOUGH
    return verb.endswith("going") and words[:1] == ["to"] and not KNOWN.isdisjoint(words[1:2])


def _written(verb: str, clause: Clause, first: int, last: int) -> str:
    """A verb with the letters that its nouns have in the text: "has an MRI"."""
    raw = clause.raw(first, last).split()
    return " ".join(next((one for one in raw if one.lower() == word), word) for word in verb.split())


def _of_a_noun(clause: Clause, offset: int, speaker: str) -> _Told | None:
    match = _OF_A_NOUN.match(clause.read, offset)
    if match is None or _SOON.search(match["o"]) is None:
        return None
    owner = named_at(clause, clause.read.count(" ", 0, offset))[0] if match["owner"] else ""
    unknown = match["owner"] and not owner
    moved = match["verb"].startswith(_MOVED)
    person = _IS_PERSON.fullmatch(match["noun"]) is not None
    bare = not (match["whose"] or moved or person) and (match["event"] or match["noun"].count(" "))
    if unknown or bare:
        return None
    of = f" {_raw(clause, match, 'of')}" if match["of"] else ""
    noun, rest = _raw(clause, match, "noun") + of, _raw(clause, match, "o")
    noun = noun if match["whose"] or noun[1:2].isupper() else noun[:1].lower() + noun[1:]
    noun += " appointment" if person and match["verb"] in {"is", "is booked", "is now"} else ""
    verb = f"was {match['verb']}" if moved else match["verb"]
    relation = noun.lower() if match["event"] else f"{noun.lower()} {verb}"
    whole = in_third_person(f"{noun} {verb} {rest}", speaker, _SELF)
    return _Told(relation, rest, "", whole=f"{owner or speaker}'s {whole}", single=not owner)


def _moved_by(clause: Clause, offset: int, speaker: str) -> _Told | None:
    match = _MOVED_BY.match(clause.read, offset)
    if match is None or _SOON.search(match["o"]) is None:
        return None
    noun = _raw(clause, match, "noun") or "appointment"
    if noun in {"appointment", "slot"}:
        noun = f"{match['who'] or ''} appointment".lstrip() if match["who"] or match["noun"] else ""
    elif _IS_PERSON.fullmatch(noun.lower()):
        noun = f"{noun} appointment"
    when = f"was moved to {_raw(clause, match, 'o')}"
    return _Told(noun.lower(), when, "", whole=f"{speaker}'s {noun} {when}", single=True) if noun else None


def _alone(clause: Clause, offset: int) -> _Told | None:
    if _TAKEN_OUT.match(clause.read, offset):
        return None
    if entry := _ENTERED.match(clause.read, offset):
        offset = entry.end()
    match = _ALONE.match(clause.read, offset)
    if match is None or clause.link not in {"", ",", "and", ":"} or _SOON.search(match["noun"]):
        return None
    noun, rest = _raw(clause, match, "noun"), _CALENDAR.sub("", _raw(clause, match, "o")).strip()
    if _EVENING.search(noun.lower()):
        rest = _HOUR.sub(r"at \1 pm", rest)
    if match["person"]:
        noun = f"{noun} appointment"
    noun = noun if noun.isupper() else noun[:1].lower() + noun[1:]
    article = "an" if noun[:1].lower() in "aeiou" else "a"
    return _Told(f"has {article} {noun}", rest, f"has {article} {noun} {rest}")


def _reminder(clause: Clause, offset: int) -> _Told | None:
    match = _REMIND.match(clause.read, offset)
    if match is None:
        return None
    rest = _raw(clause, match, "o")
    return _Told("wants to be reminded", rest, f"wants to be reminded {rest}")


def _budget(clause: Clause, offset: int, speaker: str) -> _Told | None:
    for pattern in _BUDGETS:
        if match := pattern.match(clause.read, offset):
            groups = match.groupdict()
            what = _raw(clause, match, "what") if groups.get("what") else ""
            what = what[:1].lower() + what[1:] if match.start("what") == 0 else what
            amount = _raw(clause, match, "amount")
            kind = f"budget for {what}" if what else "budget"
            return _Told(kind, amount, "", whole=f"{speaker}'s {kind} is {amount}", single=True)
    return None
