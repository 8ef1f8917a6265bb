"""What verbs other than "to be" say that lasts: habits, tastes, trades, skills, possessions."""

from dataclasses import replace
from typing import Final

from recollect.learning.extraction.clauses import Clause
from recollect.learning.extraction.events import event_of
from recollect.learning.extraction.forms import third
from recollect.learning.extraction.guards import LONG, NOW, OFTEN, SHORT
from recollect.learning.extraction.having import having
from recollect.learning.extraction.idioms import is_idiom
from recollect.learning.extraction.objects import (
    DEICTIC,
    NEEDS_MORE,
    is_half,
    names_a_kind,
    points,
    says_something,
)
from recollect.learning.extraction.people import LANGUAGES
from recollect.learning.extraction.predicates import Predicate
from recollect.learning.extraction.rules import Reading, read
from recollect.learning.extraction.states import Kind
from recollect.learning.extraction.verb_rules import HABITS, IN_PROGRESS, KINDS, ONLY_BY_RULE, THE_IS_FINE
from recollect.learning.extraction.verbs import (
    ABLE,
    ACTIVITIES,
    BARE,
    CANNOT,
    CHARACTER,
    KNOWN,
    LASTING,
    SINGLE_DEEDS,
    TALK,
    TASTES,
    UNABLE,
)
from recollect.learning.foods import FOODS
from recollect.learning.listing import listed
from recollect.types.regex import lazy_regex

_ANYMORE: Final = lazy_regex(r"\b(?:any ?more|any longer)\b")
_ONLY_WHEN: Final = lazy_regex(
    r"(?:a lot|regularly|every \S+|daily|often|twice|once|well|alone|on (?:weekends|\S+days)|professionally"
    r"|religiously|at (?:home|night)|before work|after work|in the .+|most \S+|competitively|for (?:an? \S+"
    r"|(?:about )?\S+ (?:years|months)|fun|charity))(?: .+)?$"
)
"""Says only when or how often."""
_PLACES_GONE_TO: Final = lazy_regex(
    r"to (?:(?:the |an? )?(?:(?!after|before|from|near|by|at|with|in|on|and|or)\S+ ){0,4}?"
    r"(?:kindergarten|nursery|preschool|daycare|primary|gym|church|mosque|synagogue|temple|school|university|uni|college|club"
    r"|theatre|academy|class|classes|lessons|practice|rehearsals?|therapy|counsell?ing|yoga|pilates"
    r"|physio(?:therapy)?|dialysis|choir|meetings|bed (?:at|around|about|before|by|after)))\b"
)
"""Where one goes again and again, so that "I go to ..." is a habit without "every"."""
_GONE_FOR: Final = lazy_regex(
    r"(?:fishing|swimming|climbing|hiking|running|cycling|dancing|camping|sailing|riding|bowling|skiing|surfing"
    r"|into the office)\b"
)
_NOT_BORNE: Final = listed("latex nickel caffeine sugar alcohol aspirin ibuprofen penicillin paracetamol")
_NO_HABITS: Final = listed("be do need want hate see have")
_FOR_NOW: Final = lazy_regex(r"\b(?:you|for me|until|him|tonight|now|because of the|if)\b")
_WEAK_ALONE: Final = listed("handle function use keep write read play work run stand relax sleep live")

_OF_THE_LIVING: Final = frozenset(["died", "passed away"])
"""What is said of a phone says that it is empty."""


def habit_of(
    clause: Clause, found: Predicate, end: int, *, kind: Kind, once: bool, since: bool
) -> Reading | None:
    """What a verb says with the words behind it, up to ``end``; None when nothing that lasts.

    Args:
        clause: Where it stands.
        found: The verb.
        end: The place behind the last word that belongs to it.
        kind: What it is said of.
        once: Whether the sentence tells of a time that lasted and is over.
        since: Whether it goes on with "since ...".
    """
    if found.form != "past" and is_idiom(found.verb, " ".join(clause.words[found.behind : end])):
        return None
    if event := event_of(clause, found, end):
        return event if kind != "thing" or event.relation not in _OF_THE_LIVING else None
    match found.form:
        case "present" | "might":
            return _present(clause, found, end, kind=kind)
        case "used to":
            said = _said(clause, found, end, often=True)
            return None if said is None else _over(said)
        case "past":
            return _past(clause, found, end, once=once)
        case "perfect" | "has been":
            return _until_now(clause, found, end, since=since)
        case "going on":
            return (
                _in_progress(clause, found, end)
                if not NOW.search(clause.read) and not found.negated
                else None
            )
        case "can":
            return _ability(clause, found, end)


def _present(clause: Clause, found: Predicate, end: int, *, kind: Kind) -> Reading | None:
    verb, behind = found.verb, " ".join(clause.words[found.behind :])
    if verb == "have" and found.form == "present":
        return having(clause, found.behind, end, any_noun=found.regular and not found.negated)
    if NOW.search(behind) and verb not in {"live", "work"}:
        return None
    if verb in TASTES:
        return _taste(clause, found, end)
    if verb in {"do", "see"} or (verb == "want" and found.form == "present" and not found.negated):
        return read(HABITS[verb], clause.words, found.behind, end)
    if found.form == "might" or verb in _NO_HABITS:
        return None
    anymore = found.negated and (found.over or _ANYMORE.search(clause.read) is not None)
    often = found.regular or found.never or OFTEN.search(clause.read) is not None
    named = behind.startswith("to ") and clause.raw(found.behind + 1, found.behind + 2)[:1].isupper()
    if not _is_habit(found, behind, often=often, anymore=anymore, own=kind == "self", named=named):
        return None
    return _said(clause, found, end, often=often or anymore)


def _is_habit(found: Predicate, behind: str, *, often: bool, anymore: bool, own: bool, named: bool) -> bool:
    """Whether the simple present of a verb tells of a habit, rather than of the moment."""
    verb = found.verb
    if verb == "go" and not often:
        return (
            named
            or _GONE_FOR.match(behind) is not None
            or _PLACES_GONE_TO.match(behind) is not None
            or behind.startswith("by ")
        )
    if verb in ACTIVITIES or verb in HABITS:
        return True
    if verb in CHARACTER and found.never:
        return True
    if verb in TALK or verb in CHARACTER:
        return False
    return anymore or (often and own and (verb in KNOWN or not found.negated))


def _taste(clause: Clause, found: Predicate, end: int) -> Reading | None:
    start = found.behind
    words = clause.words[start:end]
    if points(words) or not says_something(words) or is_half(words):
        return None
    if words[0] == "the" and not names_a_kind(" ".join(words), clause.raw(start, end)):
        return None
    return Reading(relation=third(found.verb), start=start, end=end, until=end, category="preference")


def _said(clause: Clause, found: Predicate, end: int, *, often: bool = False) -> Reading | None:
    """What a verb says of its object by its rules, or as it stands."""
    words, verb, start = clause.words, found.verb, found.behind
    if verb == "have":
        return having(clause, start, end, any_noun=found.form == "used to")
    if verb in TASTES:
        return _taste(clause, found, end)
    ruled = read(HABITS.get(verb, ()), words, start, end)
    whole = ruled is not None and ruled.start == ruled.end
    if ruled and (whole or _is_concrete(clause, found, ruled.start, ruled.end, often=often, ruled=True)):
        return ruled
    if verb in ONLY_BY_RULE:
        return None
    bare = start >= end or _ONLY_WHEN.match(" ".join(words[start:end]))
    if bare and (verb in BARE or (often and verb in ACTIVITIES - SINGLE_DEEDS - NEEDS_MORE)):
        return Reading(
            relation=third(verb), start=end, end=end, until=end, category=KINDS.get(verb, "general")
        )
    if bare or not _is_concrete(clause, found, start, end, often=often):
        return None
    return Reading(
        relation=third(verb),
        start=start,
        end=end,
        until=end,
        category=KINDS.get(verb, "general"),
        plain=verb not in KINDS,
    )


def _is_concrete(
    clause: Clause, found: Predicate, start: int, end: int, *, often: bool, ruled: bool = False
) -> bool:
    """Whether an object names something by itself, and not one thing of the moment."""
    words, raw = clause.words[start:end], clause.raw(start, end)
    if ruled and (found.verb, *words[:1]) in _PLAIN_WITH:
        return True
    sure = often or found.negated or found.form != "present"
    if ruled and found.verb in {"go", "live", "work"} and words:
        return raw.startswith("IT ") or _is_placed(words, found.verb)
    if points(words) or not says_something(words):
        return False
    if words[0] == "the" and found.verb not in THE_IS_FINE:
        return sure or names_a_kind(" ".join(words), raw)
    if found.verb == "know":
        if clause.words[start - 1] == "to":
            return not found.negated or words[0] in ABLE
        return _is_known(words, raw)
    if found.verb == "speak":
        return "languages" in words or not LANGUAGES.isdisjoint(words) or raw[:1].isupper()
    if found.verb in SINGLE_DEEDS and not ruled and words[0] in listed("a an my the our"):
        return sure
    return True


_PLAIN_WITH: Final = frozenset([("share", "one"), ("live", "me"), ("live", "us"), ("live", "on")])
"""Verbs with a first word that is plain here: "shares one car", "lives with me"."""
_NO_PLACES: Final = DEICTIC | listed("for since with in at on to")
_DEEDS_AND_PLACES: Final = listed("work practice camp play rehearsal")


def _is_placed(words: list[str], verb: str) -> bool:
    """Whether one lives, works or goes somewhere that is named, rather than "there" or "to relax"."""
    if words[0] in _NO_PLACES or not any(map(str.isalnum, words[-1])):
        return False
    return verb != "go" or words[0] in _DEEDS_AND_PLACES or words[0] not in KNOWN | TALK


_MOST_KNOWN: Final = 3
"""Words of what is known "well": "Kubernetes pretty well". Chosen by hand."""


def _is_known(words: list[str], raw: str) -> bool:
    """Whether "I know ..." names something learned, rather than somebody or a thought."""
    if raw[:1].isupper() or not LANGUAGES.isdisjoint(words):
        return True
    return len(words) <= _MOST_KNOWN and words[-1] in {"well", "inside"}


def _past(clause: Clause, found: Predicate, end: int, *, once: bool) -> Reading | None:
    """A simple past: what "never" denies, what one loved by name, or a state that is over."""
    if found.never:
        return None if NOW.search(clause.read) else _said(clause, found, end, often=True)
    if found.negated or NOW.search(clause.read):
        return None
    if once:
        fits = found.verb in (ACTIVITIES | TASTES | {"have"}) - {"learn"}
        said = _said(clause, found, end, often=True) if fits else None
        return None if said is None else _over(said)
    named = found.verb in TASTES and clause.raw(found.behind, found.behind + 1)[:1].isupper()
    return _taste(clause, found, end) if named else None


def _over(said: Reading) -> Reading:
    return replace(said, past=True, change="ended")


def _until_now(clause: Clause, found: Predicate, end: int, *, since: bool) -> Reading | None:
    """The perfect: with a span of time it holds now, and "never" tells what was never done."""
    if found.never:
        said = None if NOW.search(clause.read) else _said(clause, found, end, often=True)
        past = found.verb in TASTES or found.form == "has been"
        return said if said is None or past else replace(said, relation=f"has {found.written}")
    if found.verb == "want":
        return _dream(clause, found, end)
    short = SHORT.search(clause.read) is not None
    long = not short and (since or "always" in found.adverbs or LONG.search(clause.read) is not None)
    if found.form == "has been" and not found.negated and not short and (long or found.verb in LASTING):
        return _in_progress(clause, found, end, habit=long)
    if not long or found.verb not in ACTIVITIES | TASTES | {"have", "touch"}:
        return None
    return _said(clause, found, end, often=True)


_SOMEBODY: Final = listed("someone somebody something somewhere one there")


def _dream(clause: Clause, found: Predicate, end: int) -> Reading | None:
    """What somebody "has always wanted": to see Japan, a horse."""
    words = clause.words[found.behind : end]
    whole = words[1:2] and words[-1] not in _SOMEBODY and not points(words)
    if "always" not in found.adverbs or found.negated or not whole:
        return None
    if words[:3] == ["to", "try", "the"]:
        return None
    if words[:1] == ["to"] and not words[2:] and words[1] not in BARE:
        return None
    return Reading(relation="has always wanted", start=found.behind, end=end, until=end, category="general")


def _in_progress(clause: Clause, found: Predicate, end: int, *, habit: bool = False) -> Reading | None:
    """What goes on for months: "is learning Greek", "has been working nights"."""
    if found.verb not in LASTING and not (habit and found.verb in ACTIVITIES):
        return None
    rules = IN_PROGRESS.get(found.verb)
    said = None if rules is None else read(rules, clause.words, found.behind, end)
    if said is not None:
        words = clause.words[said.start : said.end]
        if not words:
            return said
        return (
            said if says_something(words) and words[0] not in listed("it this that these those you") else None
        )
    if rules is not None and (not habit or found.verb == "try") and found.verb != "work":
        return None
    said = _said(clause, found, end, often=habit)
    return None if said is not None and said.relation == "works on" and not habit else said


def _ability(clause: Clause, found: Predicate, end: int) -> Reading | None:
    """What one can do or not: "can swim", "cannot eat nuts", "cannot stand opera"."""
    words = clause.words[found.behind : end]
    if NOW.search(clause.read) or _FOR_NOW.search(clause.read):
        return None
    if found.negated and found.verb in CANNOT:
        return _dislike(clause, found, end)
    if found.verb not in (UNABLE if found.negated else ABLE):
        return None
    if found.verb == "have" and FOODS.isdisjoint(words) and _NOT_BORNE.isdisjoint(words):
        return None
    lifelong = words[:4] == ["to", "save", "my", "life"]
    if words and not lifelong and not says_something(words):
        return None
    if not words and found.verb in _WEAK_ALONE:
        return None
    if words and not lifelong and (points(words) or words[0] in listed("the to about in with") - THE_IS_FINE):
        return None
    if found.verb in _WEAK_ALONE - ABLE and not (
        OFTEN.search(clause.read) or {"without", "for"} & set(words)
    ):
        return None
    return Reading(
        relation=f"can {found.verb}",
        start=found.behind,
        end=end,
        until=end,
        category="skill" if found.verb in ABLE else "context",
    )


def _dislike(clause: Clause, found: Predicate, end: int) -> Reading | None:
    start = found.behind
    words = clause.words[start:end]
    if points(words) or not says_something(words):
        return None
    if words[0] == "the" and not names_a_kind(" ".join(words), clause.raw(start, end)):
        return None
    relation = f"cannot {found.verb}"
    return Reading(relation=relation, start=start, end=end, until=end, category="preference", affirms=True)
