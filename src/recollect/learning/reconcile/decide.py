"""Keeping facts true: what a new statement does to the known ones. Pure: no store, no clock, no model.

The rules, and why. "Known" are stored statements of the same user; only those about the same subject count.
Nothing is ever deleted: a fact that no longer holds gets an end, and still answers for the time before it.

1. *No news.* What the same source says again, or what is said again within a minute, is ``ignore``: telling
   twice is emphasis, not evidence; nor does a source say again that something was so which it ended. So
   reconciling one statement twice changes nothing.
2. *The same again* is ``reinforce``: equal stems, or nearly (``phrases.SAME_SHARE``), and equal polarity.
   The confidence rises towards 1 in steps that grow smaller; a hedged repetition adds less. What follows
   from a known fact ("lives in Berlin" from "lives in Berlin-Mitte") reinforces it by half. If the known
   fact has ended, it is true again: ``add``, with the ended one as target.
3. *More of the same* is ``refine``: both stay, linked. "Likes coffee with oat milk" after "likes coffee",
   "works at Siemens as a data scientist" after "works at Siemens", "is an expert in pandas" after "knows
   Python". What belongs to what in the world is not known beyond a small table of programming: "lives in
   Berlin" after "lives in Germany" is another place.
   A part of a town is no other place than the town where somebody said so: "Kreuzberg, Berlin".
4. *Another value* of a relation that both statements call single-valued is ``supersede``, from when it was
   said. "A bank" may tell of what kind "Siemens" is, or be another employer: without a marker of change that
   is a ``conflict``. What is said at the same moment needs a marker of change, else it is a ``conflict``.
   Relations with many values just gain one: ``add``.
5. *The past.* "Used to" never supersedes. What equals a valid fact ends it (``retract``); it ends what is
   more particular as well, for who used to play football no longer plays it on Sundays. Else it is added,
   ended.
6. *The opposite*: a denial, love against hate, Python over Java against Java over Python, two kids against
   three. With a marker of change ("now", "no longer", "actually"), or of a single-valued relation, it is
   ``supersede``; without one nobody can tell a change of mind from a slip: ``conflict``. Who denies the
   general denies the particular, and not the other way round: "quit their job" ends "works at Siemens" and
   "works as a nurse", and so does "is retired". What denies one of several things listed
   together would end too much, and is a conflict.
   What nobody denies ends as well (``endings``): work by "left Siemens", a couple by "broke up", studies by
   "graduated", a car by "sold", what was so of a dog by "died". Where the words may mean something else, it
   is a conflict; where they are about another person, place or thing, nothing.
7. *Corrections.* "Actually, I prefer React" names another value of a relation that may have many. It
   supersedes what is said of the same kind ("window seats" and "aisle seats", "Vue" and "React" by the
   table), and whatever was preferred within the last hour, for a correction corrects what was just said.
   Other corrected preferences, and things of one kind that are no preferences, are conflicts.
8. *Doubt.* Less sure than ``SURE`` and less sure than the known fact, a statement ends nothing:
   ``conflict``.
9. *Old conversations* may arrive late. What is said of a single-valued relation before the known value
   began held until then; it is added as ended. If it falls into the validity of another value, that one
   ends there. A value that was said both before and after it is a conflict. So statements make the same
   timeline in whatever order they come, as long as each value is said once.

Of several known statements the strongest bearing decides, in the order ignore, reinforce, conflict,
supersede, refine, add; among equals the one said last, then the surest, then the greatest id. Whatever else
ends with it is in ``also_ended``. While there is a conflict that is not outdone by a repetition, nothing
ends.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from recollect.checks import check_share
from recollect.errors import InvalidInputError
from recollect.learning.reconcile.bearings import Bearing, bearing_of
from recollect.learning.reconcile.decisions import (
    Decision,
    added,
    ignored,
    left_open,
    quoted,
    refined,
    reinforced,
    retracted,
    superseded,
)
from recollect.learning.reconcile.endings import ends_several, is_ending, meant_of
from recollect.learning.reconcile.phrases import Places, nested_places, plain
from recollect.learning.reconcile.statements import Statement
from recollect.learning.reconcile.verdicts import ORDER, Related, Verdict, is_doubtful, verdict_of
from recollect.learning.reconcile.whose import is_by_name
from recollect.text.analyse import Analyser

COARSE_SHARE: Final = 0.5
"""What a repetition that says less is worth. Chosen by hand."""
SAME_BREATH: Final = timedelta(minutes=1)
"""Within it a repetition is no evidence. Chosen by hand."""


class _Ruling(NamedTuple):
    """A known statement that makes something of the new one."""

    known: Statement
    bearing: Bearing
    verdict: Verdict


def reconcile(new: Statement, known: Sequence[Statement], *, analyser: Analyser) -> Decision:
    """What to do with a new statement. The module's text gives the rules.

    Args:
        new: As it was said.
        known: Stored statements of the same user that may have to do with it, ended ones too, in any order,
            each with an id of its own.
        analyser: Cuts words into stems.

    Raises:
        InvalidInputError: A time is naive, a confidence not 0 to 1, or a known statement has no id of its
            own.

    >>> from datetime import UTC
    >>> def lives_in(city, year, **more):
    ...     return Statement(subject="Ada", relation="lives in", object=city, text=f"Ada lives in {city}.",
    ...                      single_valued=True, at=datetime(year, 1, 1, tzinfo=UTC), **more)
    >>> decision = reconcile(lives_in("Rome", 2026), [lives_in("Porto", 2024, id="m1")], analyser=Analyser())
    >>> decision.action, decision.target_id, decision.ended_at.year
    ('supersede', 'm1', 2026)
    """
    _check(new, known)
    places = nested_places(one.object for one in (new, *known) if one.single_valued)
    found = [
        Related(one, _placed(bearing, new, one, places) if places else bearing)
        for one in sorted(known, key=_strength, reverse=True)
        if (bearing := bearing_of(new, one, analyser=analyser)) is not None
    ]
    found = _without_namesakes(new, found)
    found = _sorted_out(new, found, analyser) if new.changed and is_ending(new) else found
    told = next((one for one in found if _is_no_news(new, one)), None)
    if told is not None:
        return ignored(new, told.known)
    return _of_past(new, found) if _is_over(new) else _of_present(new, found)


def _without_namesakes(new: Statement, found: list[Related]) -> list[Related]:
    """Without what is known of several by the name of the new one, where nothing tells which is meant."""
    if not is_by_name(new):
        return found
    others = {plain(one.known.subject) for one in found if plain(one.known.subject) != plain(new.subject)}
    return found if len(others) <= 1 else [one for one in found if plain(one.known.subject) not in others]


def _sorted_out(new: Statement, found: Sequence[Related], analyser: Analyser) -> list[Related]:
    """What ends by "sold" and its like: none of several, and of what ends and what may end, what ends."""
    sure = [one.known for one in found if one.bearing == "opposite" and not one.known.ended_by(new.at)]
    if ends_several(new, sure, analyser=analyser):
        return [one._replace(bearing="partly") if one.known in sure else one for one in found]
    meant = meant_of(new, sure, analyser=analyser)
    found = [one for one in found if one.known not in sure or one.known in meant]
    return [one for one in found if one.bearing != "partly" or not sure]


def _placed(bearing: Bearing, new: Statement, known: Statement, places: Places) -> Bearing:
    """Another place is none, where somebody said that one lies in the other."""
    if bearing != "other":
        return bearing
    ours, theirs = plain(new.object or ""), plain(known.object or "")
    if (ours, theirs) in places:
        return "finer"
    return "coarser" if (theirs, ours) in places else bearing


def _check(new: Statement, known: Sequence[Statement]) -> None:
    for one in (new, *known):
        check_share("confidence", one.confidence)
        moments = (one.at, one.valid_from, one.valid_until, one.repeated_at)
        if any(moment is not None and moment.utcoffset() is None for moment in moments):
            raise InvalidInputError(f"the times of {quoted(one)} need a time zone")
    ids = {one.id for one in known}
    if None in ids or len(ids) < len(known):
        raise InvalidInputError("every known statement needs an id of its own")


def _strength(known: Statement) -> tuple[datetime, float, str]:
    return known.last_said, known.confidence, known.id or ""


def _is_over(new: Statement) -> bool:
    return new.past or new.ended_by(new.at)


def _is_no_news(new: Statement, one: Related) -> bool:
    """Whether the same source, or the same breath, said so already."""
    follows = one.bearing in ("same", "coarser") or (one.bearing == "wider" and _is_over(new))
    if follows and not frozenset(new.sources).isdisjoint(one.known.sources):
        return True
    near = new.at == one.known.at or abs(new.at - one.known.last_said) <= SAME_BREATH
    return one.bearing == "same" and near and _is_over(new) == one.known.ended_by(new.at)


def _of_past(new: Statement, found: Sequence[Related]) -> Decision:
    """What it says still holds for all that is known: that ends. Else the past is added, or surer."""
    end = new.at if new.ends is None else min(new.ends, new.at)
    told = [one.known for one in found if one.bearing in ("same", "coarser", "wider")]
    valid = [one for one in told if not one.ended_by(new.at) and one.last_said <= new.at]
    surer = [one for one in valid if is_doubtful(new, one)]
    if surer:
        return left_open(new, surer[0], new_valid_until=end)
    if valid:
        return retracted(new, valid, end)
    done = [one for one in told if not frozenset(new.sources).isdisjoint(one.enders)]
    if done:
        return ignored(new, done[0])
    ended = [one.known for one in found if one.bearing == "same" and one.known.ended_by(new.at)]
    if ended:
        return reinforced(new, ended[0])
    reason = f"{quoted(new)} is of the past, and no known fact says that it still held."
    return added(new, new_valid_until=end, reason=reason)


def _of_present(new: Statement, found: Sequence[Related]) -> Decision:
    rulings = [
        _Ruling(one.known, one.bearing, verdict)
        for one in found
        if (verdict := verdict_of(new, one, found)) is not None
    ]
    if any(one.verdict == "supersede" for one in rulings):  # who stops eating fish may still love herring
        rulings = [one for one in rulings if one.bearing != "excluded"]
    if not rulings:
        return added(new, new_valid_until=new.valid_until, reason=f"{quoted(new)} is new.")
    chosen = min(rulings, key=lambda one: (ORDER.index(one.verdict), one.bearing != "same"))
    known, until = chosen.known, _until(new, rulings)
    ended = [one.known for one in rulings if one.verdict == "supersede" and one is not chosen]
    match chosen.verdict:
        case "reinforce":
            share = 1.0 if chosen.bearing == "same" else COARSE_SHARE
            return reinforced(new, known, share=share, ended=ended)
        case "conflict":
            return left_open(new, known, new_valid_until=until)
        case "supersede":
            return superseded(new, known, ended, new_valid_until=until)
        case "refine":
            return refined(new, known, new_valid_until=until)
        case "again":
            reason = f"{quoted(new)} is true again; {quoted(known)} had ended."
            return added(new, known, new_valid_until=until, reason=reason)
        case "history":
            reason = f"{quoted(new)} was said before {quoted(known)}, and held until then."
            return added(new, new_valid_until=until, reason=reason)


def _until(new: Statement, rulings: Sequence[_Ruling]) -> datetime | None:
    """Until when it holds: its own end, the first other value said later, the end that it takes over."""
    ends = [one.known.begins for one in rulings if one.verdict == "history"]
    taken = [one.known for one in rulings if one.verdict == "supersede" and one.bearing == "other"]
    ends += [one.ends for one in taken if one.ends is not None]
    ends += [] if new.valid_until is None else [new.valid_until]
    return min(ends, default=None)
