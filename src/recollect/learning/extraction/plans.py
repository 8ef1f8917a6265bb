"""What is to come: appointments, journeys, deadlines, bookings, changes with a date, and budgets.

Each needs a time in its clause, which must lie ahead of when it was said (``is_to_come``); a budget needs an
amount. Wishes ("I'd love to"), possibilities ("I might") and denials are no plans.
"""

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final, NamedTuple, TypeGuard

from recollect.learning.extraction import plan_rules as rules
from recollect.learning.extraction.clauses import Clause
from recollect.learning.extraction.facts import HEDGED, PLANNED, SHARED, Fact
from recollect.learning.extraction.forms import third
from recollect.learning.extraction.leads import Lead
from recollect.learning.extraction.people import RELATIVES
from recollect.learning.extraction.subjects import SELF, Subject, named_at, subject_of
from recollect.learning.extraction.verbs import KNOWN
from recollect.learning.extraction.when import may_be_past
from recollect.learning.extraction.wording import SaidWords, fact_of, in_third_person
from recollect.text.dates import find_dates
from recollect.types.regex import lazy_regex

_THIRD: Final = (
    (lazy_regex(r"^(?:am|are)\b", re.IGNORECASE), "is"),
    (lazy_regex(r"^have(?: got)?\b", re.IGNORECASE), "has"),
    (lazy_regex(r"^(need|plan)\b", re.IGNORECASE), r"\1s"),
    (lazy_regex(r"^just ", re.IGNORECASE), ""),
)


class _Told(NamedTuple):
    """A plan in parts: its relation and object, and the words behind the subject, or the whole sentence."""

    relation: str
    object: str
    said: str
    whole: str = ""
    single: bool = False
    subject: Subject = SELF


def may_plan(text: str, *, unnamed: bool = False) -> bool:
    """Whether a time that may be to come, or a budget, is in a text.

    ``unnamed``: whether nothing else in it speaks of the speaker, so that a noun of an event must.

    >>> may_plan("Dentist on 14 March", unnamed=True), may_plan("Nice weather on Friday", unnamed=True)
    (True, False)
    """
    lowered = text.lower()
    if not any(hint in lowered for hint in rules.HINTS) and rules.SHORT_DATE.search(lowered) is None:
        return False
    if unnamed and rules.NOUNS.search(text) is None and rules.BEGINS.search(lowered) is None:
        return False
    return rules.SOON.search(lowered) is not None or "budget" in lowered or "spend" in lowered


def plan_of(clause: Clause, lead: Lead, rest: Sequence[Clause], speaker: str) -> Fact | None:
    """The plan that a clause tells of; None where it tells of none.

    ``rest``: the clauses behind it, which may go on with its date: "on Friday, 14 March".
    """
    if lead.denied or lead.likens or not rules.NO_PLAN.isdisjoint(clause.words):
        return None
    place, offset = lead.start, _offset(clause, lead.start)
    if first := rules.WHEN_FIRST.match(clause.read, offset):
        place, offset = clause.read.count(" ", 0, first.end()), first.end()
    told = _budget(clause, offset, speaker) if "budget" in clause.words or "spend" in clause.words else None
    if told is None and rules.SOON.search(clause.read):
        told = (
            _ahead(clause, offset)
            or _moved_by(clause, offset, speaker)
            or _now_on(clause, offset, speaker)
            or _of_a_noun(clause, offset, speaker)
            or _of_others(clause, place, offset)
            or _reminder(clause, offset)
            or _alone(clause, offset)
        )
    if told is None:
        return None
    told = _in_the_month_before(told, clause.text[: clause.tokens[0].start])
    when = clause.raw(0, place)
    more = _date_behind(rest)
    when = f" {when[:1].lower()}{when[1:]}" if rules.SOON.search(when.lower()) else more
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


_NTH: Final = lazy_regex(r"\bthe (?P<day>\d{1,2}(?:st|nd|rd|th))\b(?! (?:of )?[A-Z])")


def _in_the_month_before(told: _Told, before: str) -> _Told:
    """A plan on "the 20th" with the month that was named before: "on 28 December, we fly on the 20th"."""
    named = rules.NAMED_MONTH.findall(before)
    if not named or _NTH.search(told.whole or told.said) is None:
        return told
    put = rf"the \g<day> of {named[-1]}"
    said, whole, what = (_NTH.sub(put, words) for words in (told.said, told.whole, told.object))
    return told._replace(said=said, whole=whole, object=what)


def _date_behind(rest: Sequence[Clause]) -> str:
    """The date or time that goes on behind a comma; empty when none does."""
    goes_on = bool(rest) and rest[0].link == "," and rules.DATE_BEHIND.fullmatch(rest[0].read) is not None
    return f", {rest[0].raw(0, len(rest[0].words))}" if goes_on else ""


def is_to_come(fact: Fact, now: datetime | None) -> bool:
    """Whether a plan that names a time lies ahead of when it was told; other facts are as they are."""
    said = next((one for one in (fact.quote, fact.text) if rules.SOON.search(one.lower())), None)
    if fact.category != "plan" or now is None or said is None:
        return True
    return any(
        span.end > now and not may_be_past(span, now) and not rules.STRETCH.search(said[: span.place[1]])
        for span in find_dates(said, now=now, timezone=now.tzinfo or UTC, prefer="future")
    )


def _raw(clause: Clause, match: re.Match[str], group: str) -> str:
    """The words of a group as they stand in the text."""
    first, last = (clause.read.count(" ", 0, place) for place in match.span(group))
    return clause.raw(first, last + 1) if match[group] and match[group].strip() else ""


def _ahead(clause: Clause, offset: int) -> _Told | None:
    match = rules.AHEAD.match(clause.read, offset) or _unsaid(clause, offset)
    if match is None or _is_loose(match["verb"], rules.SOON.sub("", match["o"]).split()):
        return None
    first = clause.read.count(" ", 0, match.start("verb"))
    verb, rest = (
        match["verb"].removesuffix(" "),
        clause.raw(first + match["verb"].count(" ") + 1, len(clause.words)),
    )
    rest = re.sub("^[Gg]onna ", "to ", rest)
    verb = (
        f"is {verb}"
        if match.re.pattern == rules.WITHOUT_SUBJECT.pattern and not verb.startswith(("have", "need"))
        else verb
    )
    for pattern, inflected in _THIRD:
        verb = pattern.sub(inflected, verb)
    head, blank, tail = verb.partition(" ")
    if head in rules.PRESENT | {"get", "come", "set", "pick", "start", "go"}:
        verb = third(head) + blank + tail
    shown = (
        verb
        if match.re.pattern == rules.WITHOUT_SUBJECT.pattern
        else _written(verb, clause, first, first + match["verb"].count(" ") + 1)
    )
    said = f"{shown} {rest}"
    return _Told(relation=verb, object=rest or shown.partition(" ")[2], said=said)


def _unsaid(clause: Clause, offset: int) -> re.Match[str] | None:
    """A plan whose subject is left out, at the beginning of a sentence or behind what the speaker did."""
    told = clause.text[: clause.tokens[0].start]
    begins = not clause.link or (clause.link == "," and rules.OWN_DEED.search(told) is not None)
    if (
        not begins
        or not rules.FINITE.isdisjoint(clause.words)
        or rules.DAY_TO_COME.search(clause.read) is None
    ):
        return None
    return rules.WITHOUT_SUBJECT.match(clause.read, offset)


def _of_others(clause: Clause, place: int, offset: int) -> _Told | None:
    if caller := rules.CALLER.match(clause.read, offset):
        match, what = rules.OF_OTHERS.match(clause.read, caller.end()), f"expects the {caller['who']}"
        if not _is_plain(match):
            return None
        return _Told(what, _raw(clause, match, "o"), f"{what} {_raw(clause, match, 'o')}")
    subject = subject_of(clause, place)
    if subject is None or subject.kind not in {"person", "pet"} or subject.pronoun:
        return None
    match = rules.OF_OTHERS.match(clause.read, _offset(clause, subject.behind))
    if not _is_plain(match):
        return None
    rest, verb = _raw(clause, match, "o"), match["verb"]
    comma = "," if verb.endswith((" in", " out")) and not rest.startswith("with ") else ""
    return _Told(verb, rest, f"{verb}{comma} {rest}".rstrip(), subject=subject)


def _is_plain(match: re.Match[str] | None) -> TypeGuard[re.Match[str]]:
    """Whether words tell by themselves what somebody does."""
    return match is not None and rules.POINTING.isdisjoint(match["o"].split())


def _offset(clause: Clause, place: int) -> int:
    """Where the word at a place begins in what is read."""
    return sum(len(word) + 1 for word in clause.words[:place])


def _is_loose(verb: str, words: Sequence[str]) -> bool:
    """Whether nobody could tell later what was planned: "will start this", "am going to make it"."""
    if not rules.POINTING.isdisjoint(words) or words[:1] in (["by"], ["ready"], ["one"]):
        return True
    if verb.endswith("deadline") and all(word in {"of", ","} or word.isdigit() for word in words):
        return True
    if not words and not verb.startswith("have"):
        return verb.rpartition(" ")[2] not in rules.ALONE_IS_ENOUGH
    return verb.endswith("going") and words[:1] == ["to"] and not KNOWN.isdisjoint(words[1:2])


def _written(verb: str, clause: Clause, first: int, last: int) -> str:
    """A verb with the letters that its nouns have in the text: "has an MRI"."""
    raw = clause.raw(first, last).split()
    return " ".join(next((one for one in raw if one.lower() == word), word) for word in verb.split())


def _of_a_noun(clause: Clause, offset: int, speaker: str) -> _Told | None:
    match = rules.OF_A_NOUN.match(clause.read, offset)
    if match is None or rules.SOON.search(match["o"]) is None:
        return None
    owner = named_at(clause, clause.read.count(" ", 0, offset))[0] if match["owner"] else ""
    owner = owner or (f"{speaker}'s {match['owner']}" if match["owner"] in RELATIVES else "")
    unknown = match["owner"] and not owner
    done = _DONE.sub("", match["verb"])
    moved = done.startswith(rules.MOVED)
    person = rules.IS_PERSON.fullmatch(match["noun"]) is not None
    named = moved or person or rules.SETTLED.search(f"{match['noun']} {match['verb']}") is not None
    named = named or (match["verb"] == "is" and rules.CLOCKED.search(match["o"]) is not None)
    bare = not (match["whose"] or named) and (match["event"] or match["noun"].count(" "))
    of_others = match["whose"] is None and _speaks_of_others(clause.text[: clause.tokens[0].start])
    if unknown or bare or of_others:
        return None
    of = f" {_raw(clause, match, 'of')}" if match["of"] else ""
    noun, rest = _raw(clause, match, "noun"), _raw(clause, match, "o")
    noun = noun if match["whose"] or noun[1:2].isupper() else noun[:1].lower() + noun[1:]
    noun += " appointment" if person and match["verb"] in {"is", "is booked", "is now"} else ""
    verb = f"was {done}" if moved else match["verb"]
    kind = noun if of.startswith(" on ") else noun + of
    relation = kind.lower() if match["event"] else f"{kind.lower()} {verb}"
    whole = in_third_person(f"{noun}{of} {verb} {rest}", speaker, SELF)
    anyones = match["whose"] == "the" and rules.OF_ANYONE.fullmatch(noun.lower()) is not None
    whose = "The" if anyones else f"{owner or speaker}'s"
    return _Told(relation, rest, "", whole=f"{whose} {whole}", single=not owner)


_DONE: Final = lazy_regex("^(?:has been|was|got|has) (?=moved|postponed|rescheduled|pushed|put|brought)")


def _speaks_of_others(before: str) -> bool:
    """Whether the words before are about somebody else, so that "op is on the 2nd" may be theirs."""
    words = (
        word.strip(".,;:!?()").removesuffix("'s") for word in before.lower().replace("\u2019", "'").split()
    )
    return any(word in RELATIVES or word.removesuffix("s") in RELATIVES for word in words)


def _moved_by(clause: Clause, offset: int, speaker: str) -> _Told | None:
    match = rules.MOVED_BY.match(clause.read, offset)
    if match is None or rules.SOON.search(match["o"]) is None:
        return None
    noun = _raw(clause, match, "noun") or "appointment"
    if noun in {"appointment", "slot"}:
        noun = f"{match['who'] or ''} appointment".lstrip() if match["who"] or match["noun"] else ""
    elif rules.IS_PERSON.fullmatch(noun.lower()):
        noun = f"{noun} appointment"
    when = f"was moved to {_raw(clause, match, 'o')}"
    return _Told(noun.lower(), when, "", whole=f"{speaker}'s {noun} {when}", single=True) if noun else None


def _now_on(clause: Clause, offset: int, speaker: str) -> _Told | None:
    """A new date of what was named right before: "the eye clinic rang, it is 17 November now"."""
    match = rules.NOW_ON.match(clause.read, offset)
    before = clause.text[: clause.tokens[0].start].lower()
    named = list(rules.NAMED_BEFORE.finditer(before))
    if match is None or not named or clause.link != "," or rules.SOON.search(match["o"]) is None:
        return None
    noun = named[-1]["noun"]
    noun += " appointment" if named[-1]["who"] else ""
    when = (
        f"is on {_raw(clause, match, 'o')}{_raw(clause, match, 'more') and ', '}{_raw(clause, match, 'more')}"
    )
    return _Told(noun, when, "", whole=f"{speaker}'s {noun} {when}", single=True)


def _alone(clause: Clause, offset: int) -> _Told | None:
    if rules.TAKEN_OUT.match(clause.read, offset):
        return None
    if entry := rules.ENTERED.match(clause.read, offset):
        offset = entry.end()
    match = rules.ALONE.match(clause.read, offset)
    if match is None or clause.link not in {"", ",", "and", ":"} or rules.SOON.search(match["noun"]):
        return None
    noun, rest = _raw(clause, match, "noun"), rules.CALENDAR.sub("", _raw(clause, match, "o")).strip()
    rest = re.sub("^for me (?!and )", "", rest)
    if rules.EVENING.search(noun.lower()):
        rest = rules.HOUR.sub(r"at \1 pm", rest)
    if match["person"]:
        noun = f"{noun} appointment"
    noun = noun if noun.isupper() else noun[:1].lower() + noun[1:]
    article = "an" if noun[:1].lower() in "aeiou" else "a"
    return _Told(f"has {article} {noun}", rest, f"has {article} {noun} {rest}")


def _reminder(clause: Clause, offset: int) -> _Told | None:
    match = rules.REMIND.match(clause.read, offset)
    if match is None:
        return None
    rest = _raw(clause, match, "o")
    return _Told("wants to be reminded", rest, f"wants to be reminded {rest}")


def _budget(clause: Clause, offset: int, speaker: str) -> _Told | None:
    for pattern in rules.BUDGETS:
        if match := pattern.match(clause.read, offset):
            groups = match.groupdict()
            what = _raw(clause, match, "what") if groups.get("what") else ""
            what = what[:1].lower() + what[1:] if match.start("what") == 0 else what
            amount = _raw(clause, match, "amount")
            kind = f"budget for {what}" if what else "budget"
            relation = kind.replace("for the ", "for ")
            return _Told(relation, amount, "", whole=f"{speaker}'s {kind} is {amount}", single=True)
    return None
