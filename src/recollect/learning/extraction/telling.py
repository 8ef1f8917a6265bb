"""From a clause with a subject and a verb to facts: what is said, when it holds, how sure it is."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Final, Literal

from recollect.learning.extraction import guards
from recollect.learning.extraction.appositions import lists_names
from recollect.learning.extraction.clauses import ADVERBS, Clause
from recollect.learning.extraction.events import passive_of
from recollect.learning.extraction.facts import (
    ASKED,
    EXPLICIT,
    HEDGED,
    SHARED,
    Change,
    Fact,
    is_felt,
)
from recollect.learning.extraction.forms import INGS, PASTS
from recollect.learning.extraction.habits import habit_of
from recollect.learning.extraction.idioms import is_idiom
from recollect.learning.extraction.leads import Lead
from recollect.learning.extraction.lists import end_of_list
from recollect.learning.extraction.objects import names_a_firm, object_end
from recollect.learning.extraction.partings import goes_on_its_way
from recollect.learning.extraction.predicates import MORE_THAN, Predicate
from recollect.learning.extraction.rules import Reading
from recollect.learning.extraction.states import states_of
from recollect.learning.extraction.subjects import Subject
from recollect.learning.extraction.verbs import KNOWN
from recollect.learning.extraction.wording import SaidWords, fact_of
from recollect.learning.foods import FOODS
from recollect.learning.reconcile.relations import TOOLS
from recollect.types.regex import lazy_regex

Doubt = Literal["no rule", "long", "activity", "another", "cut", "going on", "other time"]
"""Why a statement may be read wrongly or say too much:

``no rule``: its verb is read as it stands; ``long``: its object has more than ``SHORT`` words; ``activity``:
it is about doing something, which is often said of the moment; ``another``: it is about somebody else;
``cut``: what follows its object in the clause is left out; ``going on``: it tells of what is under way;
``other time``: it tells of what began or ended."""
SHORT: Final = 5
"""Words of an object that nothing is left to doubt of. Chosen by hand."""
STEPS: Final[dict[Doubt, float]] = {
    "no rule": 0.07,
    "long": 0.1,
    "activity": 0.07,
    "another": 0.03,
    "cut": 0.1,
    "going on": 0.03,
    "other time": 0.02,
}
"""What each doubt takes. Chosen by hand, so that facts of 0.9 and more are nearly all true
(``python -m benchmarks keeping`` counts them)."""
LEAST: Final = 0.7
"""What a statement without a hedge is worth at least: Second Brain's "fairly confident"."""


def sureness(*doubts: Doubt) -> float:
    """The confidence in a plain statement, 0.7 to 0.95.

    >>> sureness(), sureness("another"), sureness("long", "cut", "no rule")
    (0.95, 0.92, 0.7)
    """
    return max(LEAST, round(EXPLICIT - sum(STEPS[doubt] for doubt in set(doubts)), 2))


_TIMELESS: Final = frozenset(["was", "grew", "comes"])
"""First words of relations that a past form does not end: "was born in"."""
_LASTING_PAST: Final = frozenset(["works as", "has diet", "studies at"])
"""States whose "was" tells of years: "I was a nurse"."""
_OF_OTHERS: Final = frozenset(["is a"])
"""The same of people other than the speaker."""
_TOGETHER: Final = lazy_regex(r" together\b")
"""Of "we", which a fact about one person does not say."""
_LEFT: Final = {"lives in": "lived in", "uses": "used"}
"""Relations whose "from" tells what was so before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldClause:
    """A clause with whom it is about.

    Attributes:
        clause: The clause.
        lead: What leads it in.
        subject: Whom it is about.
        begins: Where its quotation begins in the text: at the subject, which may stand in another clause.
        rest: The clauses behind it.
    """

    clause: Clause
    lead: Lead
    subject: Subject
    begins: int
    rest: Sequence[Clause] = ()


def readings_of(told: ToldClause, found: Predicate) -> list[Reading]:
    """What a statement says: nothing that lasts, or one thing, seldom two."""
    said = [one for one in _said(told, found) if not (_is_cut(told, one) or _is_fed_on(told, one))]
    return [one for one in said if is_felt(one.category, one.relation)] if _likens(told, found) else said


_LOSES: Final = frozenset(["that", "which", "who", "whose", "to", "into"])
"""Words behind a short object that narrow it: "stories that tackle important issues" are not all stories."""


def _is_cut(told: ToldClause, reading: Reading) -> bool:
    """Whether a reading says more than was said, because what narrows it is left out."""
    behind = told.clause.words[reading.until : reading.until + 1]
    if reading.end - reading.start == 1 and behind and behind[0] in _LOSES:
        return True
    return reading.start == reading.end == len(told.clause.words) and any(
        one.link in {"asks", "what", "that", "how"} for one in told.rest[:1]
    )


def _is_fed_on(told: ToldClause, reading: Reading) -> bool:
    """Whether it is a food that somebody "lives on"."""
    return reading.relation == "lives on" and told.clause.words[reading.start] in FOODS


def _likens(told: ToldClause, found: Predicate) -> bool:
    """Whether a statement says what it is like: "I feel like I live here", "I practically live here"."""
    words = told.clause.words
    nearly = words[max(told.subject.behind, found.behind - 2) : found.behind - 1]
    alike = words[found.behind - 1] in guards.ALIKE and words[found.behind : found.behind + 1] in (
        ["a"],
        ["an"],
    )
    return told.lead.likens or not guards.NEARLY.isdisjoint(nearly) or (found.verb == "be" and alike)


def _said(told: ToldClause, found: Predicate) -> list[Reading]:
    clause, rest = told.clause, told.rest
    end = object_end(clause.words, found.behind)
    once = guards.ONCE.search(clause.read) is not None or _tells_of_then(rest)
    if found.verb == "be":
        return _states(told, found, end, once=once)
    if found.form == "can" and (told.subject.shared or clause.link in {"so", "where"}):
        return []
    if _limits(clause.words, found) or (found.form == "present" and guards.TO_COME.search(clause.read)):
        return []
    since = bool(rest) and rest[0].link == "since"
    reading = habit_of(clause, found, end, kind=told.subject.kind, once=once, since=since)
    if reading is None or (reading.only_ends and goes_on_its_way(rest)):
        return []
    return [reading]


def _limits(words: Sequence[str], found: Predicate) -> bool:
    """Whether a denial is of "only" alone: "I don't live only in Rome"."""
    return found.negated and any(word in MORE_THAN for word in words[found.behind : found.behind + 2])


def _tells_of_then(rest: Sequence[Clause]) -> bool:
    """Whether the sentence goes on with "when I was ..." or "until we moved"."""
    if not rest or rest[0].link not in {"when", "until", "till"}:
        return False
    if rest[0].link == "when" and rest[0].words[0] not in {"i", "we", "my"}:
        return False
    return any(word in PASTS and word not in KNOWN for word in rest[0].words[:5])


def _states(told: ToldClause, found: Predicate, end: int, *, once: bool) -> list[Reading]:
    clause, start, kind = told.clause, found.behind, told.subject.kind
    participle = clause.words[start] if start < end else ""
    if found.form in {"past", "perfect"} and participle in PASTS:
        passive = passive_of(clause, found, end, PASTS[participle])
        if passive is not None:
            return [replace(passive, shown=f"was {participle}", shown_from=start + 1)]
    if found.form in {"going on", "has been", "can"} or clause.words[start - 1] == "too":
        return []
    if is_idiom("be", " ".join(clause.words[start:end])) or guards.NOW.search(" ".join(clause.words[start:])):
        return []
    states = states_of(clause, start, end, kind=kind, plural=told.subject.plural)
    if told.subject.shared:  # "we are called The Saltmarsh Four" names a band
        states = [state for state in states if state.relation != "is named"]
    if told.subject.pronoun:  # "he is in Leeds" is of the moment more often than "my parents are"
        states = [state for state in states if state.relation not in _WHEREABOUTS]
    return [then for state in states if (then := _at_its_time(state, found, once=once, own=kind == "self"))]


_WHEREABOUTS: Final = frozenset(["is in", "is at", "is on"])


def _at_its_time(state: Reading, found: Predicate, *, once: bool, own: bool) -> Reading | None:
    """A state, ended where "was" or "used to be" tells of it."""
    if state.relation == "is in" and (found.form != "present" or found.negated):
        return None
    if state.relation == "has been to":
        return state if found.form == "perfect" and found.never else None
    if state.relation == "is named" and found.form in {"might", "past"}:
        return None
    if found.form == "past" and state.relation.partition(" ")[0] not in _TIMELESS:
        lasted = once or state.relation in _LASTING_PAST or (not own and state.relation in _OF_OTHERS)
        return replace(state, past=True, change="ended") if lasted else None
    return replace(state, past=True, change="ended") if found.form == "used to" else state


def facts_told(told: ToldClause, found: Predicate, reading: Reading, speaker: str) -> Iterator[Fact]:
    """The fact that a reading makes, and for "moved from Rome" another of the time before.

    Args:
        told: The statement.
        found: Its verb.
        reading: What it says.
        speaker: How facts call the speaker.
    """
    for one in _shared_home(told, found, reading):
        yield _fact(told, found, one, speaker)
    yield from _left_behind(told, found, reading, speaker)


_BEFORE_TIMES: Final = frozenset(["on", "at", "in", "every", "each", "most"])
_HOME: Final = {"lives in": "with", "lives with": "in", "lives": "in"}
"""Relations of which one home may tell both, and what leads to the other one."""


def _shared_home(told: ToldClause, found: Predicate, reading: Reading) -> list[Reading]:
    """A home and with whom somebody lives there, which end apart: "I live in Leeds with Callum"."""
    words, joint = told.clause.words, _HOME.get(reading.relation)
    if found.verb != "live" or joint not in words[reading.start + 1 : reading.until - 1]:
        return [reading]
    place = words.index(joint, reading.start + 1)
    named = told.clause.raw(place + 1, place + 2)[:1].isupper()
    if not named and words[place + 1] not in _BEFORE_OTHERS[joint]:
        return [reading]
    first = replace(reading, end=min(reading.end, place), until=place)
    second = replace(
        reading, relation=f"lives {joint}", start=place + 1, end=reading.until, single=joint == "in"
    )
    return [first, replace(second, shown_from=place)]


_BEFORE_OTHERS: Final = {"with": frozenset(("my", "our", "the")), "in": frozenset(("a", "an"))}
"""What stands before whom somebody lives with, and before a home, that have no name."""


def _fact(told: ToldClause, found: Predicate, reading: Reading, speaker: str) -> Fact:
    clause, denied = told.clause, told.lead.denied
    one_name = reading.relation == "is named" and not told.subject.plural
    whole = reading.start < reading.end == reading.until and not one_name
    said_until = max(reading.until, found.behind)
    rest = told.rest if reading.relation != "is named" else list(takewhile(lists_names, told.rest))
    end = end_of_list(clause, reading.until, rest) if whole else clause.tokens[said_until - 1].end
    shown_from = found.behind if reading.shown_from < 0 else reading.shown_from
    tail = clause.text[clause.tokens[shown_from].start : end] if reading.until > shown_from else ""
    negated = (found.negated or reading.negated) != denied and not reading.affirms
    past = reading.past or found.form == "used to"
    if tail and clause.tokens[0].start == clause.tokens[0].end:
        tail = _behind_inserted(clause, shown_from, tail)
    if told.subject.shared:
        tail = _TOGETHER.sub("", tail)
    first = clause.tokens[reading.start].start if whole else 0
    said = SaidWords(
        relation=reading.relation,
        object=clause.text[first:end] if whole else clause.raw(reading.start, reading.end),
        said=f"{reading.shown or (found.denied() if denied else found).shown()} {tail}{_often(told)}",
        category=reading.category,
        confidence=_confidence(told, _doubts(told, found, reading), hedged=found.hedged or reading.hedged),
        quote=clause.text[told.begins : end],
        single=reading.single,
        negated=negated,
        past=past,
        change=_change(told, found, reading, negated=negated, past=past),
        only_ends=reading.only_ends,
    )
    return fact_of(speaker, told.subject, said)


def _behind_inserted(clause: Clause, place: int, tail: str) -> str:
    """What stands behind words that were left out: "a forklift mechanic" for "Forklift mechanic"."""
    first = next(token.start for token in clause.tokens if token.start < token.end)
    begins = max(clause.tokens[place].start, first) == first
    tail = tail[0].lower() + tail[1:] if begins and tail[1:2].islower() else tail
    return f"a {tail}" if clause.tokens[place].low == "a" and not tail.startswith("a ") else tail


def _often(told: ToldClause) -> str:
    """The time before a subject at which something is done again and again: " on Tuesday evenings"."""
    when = told.lead.often
    led = when.partition(" ")[0].lower() in _BEFORE_TIMES
    return f" {when[:1].lower()}{when[1:]}" if led else f" on {when}" if when else ""


def _change(
    told: ToldClause, found: Predicate, reading: Reading, *, negated: bool, past: bool
) -> Change | None:
    if past or found.over or (found.negated and guards.NO_MORE.search(told.clause.read)):
        return "ended"
    if reading.change is not None:
        return reading.change
    if told.lead.corrects:
        return "corrected"
    return "begun" if not negated and guards.BEGUN.search(told.clause.read) else None


def _confidence(told: ToldClause, doubts: Iterable[Doubt] = (), *, hedged: bool) -> float:
    if hedged or told.lead.hedged:
        return HEDGED
    if told.lead.asked and not told.subject.pronoun:
        return ASKED
    sure = sureness(*doubts)
    return min(SHARED, sure) if told.subject.shared or told.subject.pronoun else sure


def _doubts(told: ToldClause, found: Predicate, reading: Reading) -> Iterator[Doubt]:
    """The reasons to doubt that a statement says what was meant."""
    words = told.clause.words[reading.start : reading.end]
    if reading.plain:
        yield "no rule"
    if len(words) > SHORT:
        yield "long"
    if words and words[0] in INGS:
        yield "activity"
    if told.subject.kind != "self":
        yield "another"
    behind = told.clause.words[reading.until : reading.until + 2]
    if any(word not in ADVERBS for word in behind) and behind[0] != _HOME.get(reading.relation):
        yield "cut"
    if found.form in {"going on", "has been"}:
        yield "going on"
    if reading.change is not None or reading.past:
        yield "other time"


def _left_behind(told: ToldClause, found: Predicate, reading: Reading, speaker: str) -> Iterator[Fact]:
    """What "moved from Porto" and "switched from Vim" say of the time before."""
    words = told.clause.words
    if (
        reading.change != "begun"
        or reading.relation not in _LEFT
        or "from" not in words[found.behind : reading.until]
    ):
        return
    start = words.index("from", found.behind) + 1
    end = words.index("to", start) if "to" in words[start : reading.until] else reading.until
    if end <= start:
        return
    origin = told.clause.raw(start, end)
    if reading.relation == "uses" and origin.islower() and origin not in TOOLS:
        return
    if reading.relation == "lives in" and names_a_firm(origin):
        return
    said = SaidWords(
        relation=reading.relation,
        object=origin,
        said=f"{_LEFT[reading.relation]} {origin}",
        category=reading.category,
        confidence=_confidence(told, hedged=False),
        quote=told.clause.text[told.begins : told.clause.tokens[reading.until - 1].end],
        single=reading.single,
        past=True,
        change="ended",
    )
    yield fact_of(speaker, told.subject, said)


def name_told(told: ToldClause, speaker: str) -> Fact:
    """The name of a subject: "Ines" in "my sister Ines".

    ``told``: a statement whose subject has a name.
    """
    subject = told.subject
    said = SaidWords(
        relation="is named",
        object=subject.name,
        said=f"{'are' if subject.plural else 'is'} named {subject.name}",
        category="context",
        confidence=EXPLICIT,
        quote=told.clause.raw(subject.start, subject.behind),
        single=not subject.plural,
    )
    return fact_of(speaker, subject, said)
