"""What began or ended: "moved to Lyon", "quit smoking", "is planning to retire"."""

import re
from dataclasses import replace
from typing import Final

from recollect.learning.extraction.clauses import Clause
from recollect.learning.extraction.forms import INGS, third
from recollect.learning.extraction.guards import NEARLY, NOW, TODAY
from recollect.learning.extraction.idioms import is_idiom
from recollect.learning.extraction.objects import names_a_firm, points, says_something
from recollect.learning.extraction.partings import place_left
from recollect.learning.extraction.predicates import Predicate
from recollect.learning.extraction.rules import Reading, read
from recollect.learning.extraction.states import states_of
from recollect.learning.extraction.verb_rules import EVENTS, HABITS, IN_PROGRESS, KINDS, PLANS, THE_IS_FINE
from recollect.learning.extraction.verbs import ACTIVITIES, BARE, LASTING, TASTES
from recollect.learning.listing import MONTH, listed
from recollect.types.regex import lazy_regex

_BEGIN: Final = listed("start begin")
_END: Final = listed("quit stop give leave")
_JOB: Final = lazy_regex(
    r"(?:my (?:\S+ ){0,2}?(?:job|position|role|post) (?P<p>at|with|in|as|for)|working (?:at|for)(?! (?:free"
    rf"|fun|now|an?|the day)\b)) (?P<o>.+?)(?= in (?:{MONTH}|\d{{4}})\b| last | to |$)"
)
_ALL_WORK: Final = lazy_regex(
    r"(?:my (?:\S+ ){0,2}?job(?: (?:last|in|on|yesterday|today|recently|because|to|after|when|this|a|two"
    r"|three)\b.*)?|working(?: (?:last|yesterday|today|recently|this|altogether|for good)\b.*)?)$"
)
_NOT_GIVEN_UP: Final = listed("on for at when by to in hope trying it that this")
_LIFE: Final = listed("move get have retire go")
"""Verbs whose plans are of a life."""
_OPEN: Final = listed("plan intend hope think")
_PASSIVE: Final = listed("diagnose promote bear raise fire lay")
"""Events that are done to somebody: "was diagnosed with"."""


def event_of(clause: Clause, found: Predicate, end: int) -> Reading | None:
    """What an event says of the time after it; None when the verb is no event."""
    if found.negated or found.form in {"can", "might"} or not NEARLY.isdisjoint(clause.words[: found.behind]):
        return None
    if found.form in {"going on", "present", "has been"}:
        return _plan(clause, found, end)
    if found.form not in {"past", "perfect"}:
        return None
    if found.verb in _BEGIN | _END and (changed := _began_or_ended(clause, found, end)):
        return changed
    if found.verb in {"become", "go", "turn"}:
        states = states_of(clause, found.behind, end, kind="self")
        if states and (found.verb == "become" or states[0].relation == "has diet"):
            return replace(states[0], change="begun")
        if found.verb == "become":
            return None
    said = read(EVENTS.get(found.verb, ()), clause.words, found.behind, end)
    if said is None or not _is_told(clause, said):
        return place_left(clause, found.behind) if found.verb == "leave" else None
    return replace(said, negated=said.change == "ended")


def passive_of(clause: Clause, found: Predicate, end: int, verb: str) -> Reading | None:
    """What was done to someone: "was diagnosed with", "was promoted to".

    Args:
        clause: Where it stands.
        found: The "was" before the participle.
        end: The place behind the last word that belongs to it.
        verb: The verb of the participle.
    """
    if verb not in _PASSIVE or found.negated:
        return None
    said = read(EVENTS[verb], clause.words, found.behind + 1, end)
    if said is None or not _is_told(clause, said):
        return None
    return replace(said, negated=said.change == "ended")


def _is_told(clause: Clause, said: Reading) -> bool:
    words = clause.words[said.start : said.end]
    if said.relation == "lives in" and names_a_firm(clause.raw(said.start, said.end)):
        return False
    with_us = said.relation == "lives with" and words[:1] in (["us"], ["me"])
    if not words and said.relation == "lives with":  # where the speaker lives is theirs
        return {"i", "we"}.isdisjoint(clause.words)
    return (
        not words
        or with_us
        or (words[0] not in listed("it this that these those you there here") and says_something(words))
    )


def _plan(clause: Clause, found: Predicate, end: int) -> Reading | None:
    """What is intended; it may come otherwise."""
    rules = PLANS.get(found.verb)
    bare = found.form != "going on" and found.verb not in {"plan", "intend", "hope"}
    near = TODAY if found.verb in _LIFE else NOW
    if rules is None or bare or near.search(clause.read):
        return None
    said = read(rules, clause.words, found.behind, end)
    words = [] if said is None else clause.words[said.start : said.end]
    if said is None or points(words) or (len(words) == 1 and found.verb in _OPEN):
        return None
    return replace(said, hedged=True)


def _began_or_ended(clause: Clause, found: Predicate, end: int) -> Reading | None:
    """What was taken up or given up: "quit smoking", "gave up football", "started learning Italian"."""
    words, start = clause.words, found.behind
    begun = found.verb in _BEGIN
    if words[start : start + 1] == [{"give": "up", "start": "to", "begin": "to"}.get(found.verb, "")]:
        start += 1
        verb = words[start] if start < end and begun else ""
    elif found.verb == "give":
        return None
    else:
        verb = ""
    verb = verb or (INGS.get(words[start], "") if start < end else "")
    behind = " ".join(words[start:end])
    if not begun and (job := _JOB.match(behind)):
        return _left_job(job, start, end)
    if not begun and _ALL_WORK.match(behind):
        return _left_work(end)
    if verb and verb != "work":
        return _activity(clause, verb, start + 1, end, begun=begun)
    return None if begun or found.verb in {"leave", "stop"} else _thing_given_up(clause, start, end)


def _left_work(end: int) -> Reading:
    """No work any more, wherever it was: "quit my job", "stopped working"."""
    return Reading(
        relation="works", start=end, end=end, until=end, category="context", change="ended", negated=True
    )


def _left_job(job: re.Match[str], start: int, end: int) -> Reading:
    first, last = (start + job.string.count(" ", 0, place) for place in job.span("o"))
    return Reading(
        relation="works as" if job["p"] == "as" else "works at",
        start=first,
        end=last + 1,
        until=end,
        category="context",
        single=True,
        change="ended",
        negated=True,
    )


def _activity(clause: Clause, verb: str, start: int, end: int, *, begun: bool) -> Reading | None:
    """What was begun, or is done no more."""
    words = clause.words[start:end]
    if is_idiom(verb, " ".join(words)) or verb not in ACTIVITIES | LASTING | TASTES | listed("bite be"):
        return None
    rules = IN_PROGRESS[verb] if verb == "learn" else HABITS.get(verb, ())
    said = read(rules, clause.words, start, end)
    start = start if said is None else said.start
    words = clause.words[start:end]
    if words and (points(words) or (words[0] == "the" and verb not in THE_IS_FINE)):
        return None
    if not words and (verb not in BARE or (begun and verb in {"read", "teach"})):
        return None
    return Reading(
        relation=third(verb) if said is None else said.relation,
        start=start,
        end=end,
        until=end,
        category=KINDS.get(verb, "general") if said is None else said.category,
        change="begun" if begun else "ended",
        negated=not begun,
    )


def _thing_given_up(clause: Clause, start: int, end: int) -> Reading | None:
    """A noun given up: "gave up football", "quit the band"."""
    words = clause.words[start:end]
    owned = words[:1] in (["my"], ["the"])
    rest = words[owned:]
    if points(rest) or not says_something(rest) or rest[0] in _NOT_GIVEN_UP:
        return None
    return Reading(
        relation="does",
        start=start + owned,
        end=end,
        until=end,
        category="general",
        change="ended",
        negated=True,
    )
