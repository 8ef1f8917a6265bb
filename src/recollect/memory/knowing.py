"""What memory has to say of itself: the facts and messages that a question about it asks for.

Nothing is shown that a search with the same options could not show: facts of other agents, sessions and
projects are left out, and so are the words that a fact was learned from where those were said elsewhere.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cached_property
from itertools import pairwise
from typing import Final

from recollect.checks import CONTEXT_THRESHOLD
from recollect.learning.ageing import Ageing
from recollect.learning.forget_requests import ForgetLog, ForgetRequest
from recollect.learning.marks import ids_of, replaced_by
from recollect.learning.naming import Naming
from recollect.learning.profile import holds
from recollect.learning.recording import contradicted_by, waits_to_take_over
from recollect.learning.retiming import REBUILT, RETIMED
from recollect.lifecycle.archival import ARCHIVED
from recollect.memory.parts import Parts
from recollect.retrieval.request import Request, why_not_allowed
from recollect.retrieval.search import LEAST_MEANING, LEAST_SCORE
from recollect.text.memory_questions import MemoryQuestion, read_memory_question
from recollect.text.traits import is_bare_question
from recollect.types import Change, Kind, MemoryRecord, Recollection, Scope
from recollect.types.filters import AllOf, parse_filter

_FACTS: Final = parse_filter({"kind": "fact"})
_LAST_SAID: Final = timedelta(minutes=30)
"""How long an answer is the last one where no session is named: as long as a conversation goes on."""
_LOOKED_AT: Final = 30
"""Messages looked at for what a question is about. Chosen by hand."""
_SUPPORTS: Final = 0.5
"""The share of a claim's stems, or of a fact's object, that the other must hold. Chosen by hand."""
_MOST_WHY: Final = 3
"""Facts told to explain one claim. Chosen by hand."""
_MOST_NEAR: Final = 3
"""Messages that are only near to what is asked about. Chosen by hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownFact:
    """A fact that may be shown.

    Attributes:
        sources: The messages it was learned from that may be shown, first to last.
        holds: Whether it holds at the moment asked about; False before it begins, too.
        ended: Whether it no longer holds then.
        passed: Whether it is a plan for days that are all over then.
    """

    fact: MemoryRecord
    sources: tuple[MemoryRecord, ...]
    holds: bool
    ended: bool
    passed: bool

    @property
    def quote(self) -> tuple[MemoryRecord, str] | None:
        """A message and the words in it that say the fact; None where no message may be shown."""
        words = self.fact.metadata.get("quote")
        for source in self.sources:
            if isinstance(words, str) and words.strip() and words in source.content:
                return source, words
        return (self.sources[0], self.sources[0].content) if self.sources else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """What a question about the memory asks for.

    Attributes:
        facts: Those it is about, in the order in which they are told.
        messages: What was said about it beside the words of the facts, best first.
        last: The message whose source is asked for, where the question names no claim.
        near: Whether facts and messages are only the nearest, and none says what was claimed or asked for.
    """

    asked: MemoryQuestion
    facts: tuple[ShownFact, ...] = ()
    messages: tuple[MemoryRecord, ...] = ()
    last: MemoryRecord | None = None
    near: bool = False


class Knowledge:
    """What may be shown of a scope's facts, for one question.

    Args:
        parts: The open memory.
        scope: Whose.
        request: What the question may see; its ``query`` is not looked at.
    """

    def __init__(self, parts: Parts, scope: Scope, request: Request) -> None:
        self._parts = parts
        self._naming = Naming(parts.analyser)
        self._scope = scope
        self._own = Scope(user_id=scope.user_id, agent_id=scope.agent_id)
        self._request = replace(request, ended=True, threshold=0.0)

    @cached_property
    def facts(self) -> dict[str, ShownFact]:
        """All facts that may be shown by their ids: those that hold first, then the newest first."""
        store, moment = self._parts.store, self._request.moment
        found = [
            one
            for one in store.find(self._own, AllOf((self._request.where, _FACTS)))
            if why_not_allowed(one, self._own, self._request) is None and not waits_to_take_over(one)
        ]
        wanted = list(dict.fromkeys(id_ for one in found for id_ in one.origin.sources))
        said = {one.id: one for one in store.get(self._scope, wanted) if one is not None}
        seen = {key for key, one in said.items() if self._may_be_quoted(one)}
        known = [
            ShownFact(
                fact=one,
                sources=tuple(said[id_] for id_ in one.origin.sources if id_ in seen),
                holds=holds(one, moment),
                ended=one.times.valid_until is not None and one.times.valid_until <= moment,
                passed=_is_passed_plan(one, moment),
            )
            for one in found
            if self._scope.session_id in {None, one.scope.session_id}
            or not said.keys().isdisjoint(one.origin.sources)
        ]
        return {one.fact.id: one for one in sorted(known, key=_newest_first)}

    @cached_property
    def ageing(self) -> Ageing:
        """What time does to their confidence."""
        known = self.facts.values()
        turns = {turn.id: turn for one in known for turn in one.sources}
        return Ageing([one.fact for one in known], at=self._request.moment, turns=turns)

    @property
    def is_stored(self) -> bool:
        """Whether the scope has memories at all."""
        return self._parts.store.count(self._own) > 0

    @property
    def of_session(self) -> bool:
        """Whether only one session is looked at."""
        return self._scope.session_id is not None

    def _may_be_quoted(self, record: MemoryRecord) -> bool:
        everything = replace(
            self._request, kinds=None, exclude=(), since=None, until=None, tiers=[record.tier]
        )
        return why_not_allowed(record, self._scope, everything) is None

    @property
    def holding(self) -> list[ShownFact]:
        """The facts that hold."""
        return [one for one in self.facts.values() if one.holds]

    def undecided(self, facts: Sequence[ShownFact]) -> list[tuple[ShownFact, ShownFact]]:
        """The pairs that contradict each other and wait for a person, with one of some facts: known, new."""
        among = {one.fact.id for one in facts}
        return [
            (self.facts[id_], new)
            for new in self.holding
            if new.fact.metadata.get("contested")
            for id_ in contradicted_by(new.fact)
            if id_ in self.facts and self.facts[id_].holds and among & {id_, new.fact.id}
        ]

    def replaced(self, one: ShownFact) -> list[ShownFact]:
        """The facts that ended by a fact."""
        return self._shown(ids_of(one.fact.metadata.get("supersedes")))

    def replacing(self, one: ShownFact) -> list[ShownFact]:
        """The facts by which a fact ended."""
        return self._shown(id_ for id_ in replaced_by(one.fact) if id_ != one.fact.id)

    def _shown(self, ids: Iterable[str]) -> list[ShownFact]:
        return [self.facts[one] for one in ids if one in self.facts]

    def changed(self, one: ShownFact) -> Change | None:
        """The last change that gave a fact other words; None where it says what was learned or stored."""
        if one.fact.metadata.get("quote"):  # a change by hand takes it away
            return None
        edits = [
            change
            for change in self._parts.store.history(self._own, one.fact.id)
            if change.action == "update"
            and "content" in change.after
            and change.reason not in {REBUILT, RETIMED}
        ]
        return edits[-1] if edits else None

    def about(self, what: str) -> tuple[tuple[ShownFact, ...], tuple[MemoryRecord, ...]]:
        """The facts and messages about somebody or something, by its words and its names."""
        names = [one.fact for one in self.holding if one.fact.metadata.get("relation") == "is named"]
        named = self._naming.named(what, names)
        facts = tuple(
            one for one in self.facts.values() if self._naming.is_about(named, one.fact.content, one.fact)
        )
        learned = {id_ for one in facts for id_ in one.fact.origin.sources}
        return facts, tuple(
            one
            for one in self._told(self._hits(what, kind="message"))
            if one.id not in learned and self._naming.is_about(named, one.content)
        )

    @cached_property
    def _requests(self) -> list[ForgetRequest]:
        """What was asked to be forgotten."""
        return list(ForgetLog(self._parts.store, self._own).all().values())

    def asked_to_forget(self, what: str) -> list[MemoryRecord]:
        """The messages that asked to forget what is about something, where that is in the archive since."""
        named = self._naming.named(what, ())
        asked = [
            request.turn
            for request in self._requests
            for one in self._parts.store.get(self._own, request.ids)
            if one is not None and one.tier == ARCHIVED and self._naming.is_about(named, one.content)
        ]
        found = self._parts.store.get(self._scope, list(dict.fromkeys(asked)))
        return [one for one in found if one is not None and self._may_be_quoted(one)]

    def near(self, what: str) -> tuple[MemoryRecord, ...]:
        """The messages nearest to something that none names; none where they fit no better than chance."""
        hits = self._hits(what, kind="message")
        if self._parts.recall.fits_by_chance(hits):
            return ()
        fitting = [
            hit
            for hit in hits
            if hit.score >= CONTEXT_THRESHOLD
            if hit.score >= LEAST_SCORE or hit.signals.get("meaning", 0.0) >= LEAST_MEANING
        ]
        return tuple(self._told(fitting))[:_MOST_NEAR]

    def _told(self, hits: Sequence[Recollection]) -> Iterator[MemoryRecord]:
        """The messages that tell something, and do not ask, nor ask to forget."""
        for hit in hits:
            if hit.memory.id in {one.turn for one in self._requests}:
                continue
            if not is_bare_question(hit.memory.content) and read_memory_question(hit.memory.content) is None:
                yield hit.memory

    def supporting(self, claim: str, *, by_object: bool) -> list[ShownFact]:
        """The facts that say most of what a claim says, those that hold before others, newest first.

        Args:
            claim: The words.
            by_object: Whether a fact also counts whose object the claim holds: of an answer, which says more.
        """
        wanted = self._naming.telling(claim)
        if not wanted:
            return []
        scored = []
        for place, one in enumerate(self.facts.values()):
            relation, value = (str(one.fact.metadata.get(part) or "") for part in ("relation", "object"))
            held = self._naming.terms(f"{one.fact.content} {relation} {value}")
            share, told = len(wanted & held) / len(wanted), self._naming.telling(value)
            if by_object and told:
                share = max(share, len(told & wanted) / len(told))
            if share >= _SUPPORTS:
                scored.append((-share, place, one))
        scored.sort(key=lambda each: each[:2])
        return [one for share, _, one in scored if share == scored[0][0]]

    def nearest(self, claim: str) -> list[ShownFact]:
        """The fact nearest to a claim in meaning; none where it fits no better than chance."""
        hits = self._hits(claim, kind="fact")
        if not hits or hits[0].score < CONTEXT_THRESHOLD or self._parts.recall.fits_by_chance(hits):
            return []
        return [self.facts[hits[0].memory.id]] if hits[0].memory.id in self.facts else []

    def last_said(self, session_id: str | None) -> MemoryRecord | None:
        """The last answer of a conversation, or the last message that has none yet.

        Without a session it is the user's last conversation, if that was within half an hour.
        """
        scope = replace(self._scope, session_id=session_id or self._scope.session_id)
        where = AllOf((self._request.where, parse_filter({"kind": "message"})))
        found = self._parts.store.find(scope, where, limit=1, newest_first=True)
        found = [one for one in found if self._may_be_quoted(one)]
        if scope.session_id is None:
            since = self._request.now - _LAST_SAID
            found = [one for one in found if one.times.happened_at >= since]
        return found[0] if found else None

    def _hits(self, query: str, *, kind: Kind) -> list[Recollection]:
        if kind not in self._request.searched:
            return []
        scope = self._own if kind == "fact" else self._scope
        return self._parts.recall.search(
            scope, replace(self._request, query=query, kinds=(kind,), top_k=_LOOKED_AT, embedding=None)
        )


def _newest_first(one: ShownFact) -> tuple[bool, float, str]:
    times = one.fact.times
    return one.ended, -(times.valid_from or times.happened_at).timestamp(), one.fact.id


def material_of(
    knowledge: Knowledge, asked: MemoryQuestion, *, session_id: str | None, last: bool
) -> Material | None:
    """What a question asks for; None where it is none after all.

    Args:
        knowledge: What may be shown.
        asked: The question.
        session_id: The conversation whose last answer may be meant.
        last: Whether the last answer may be meant.
    """
    match asked.kind:
        case "everything":
            return Material(asked=asked, facts=tuple(knowledge.holding))
        case "about":
            what = asked.about or asked.before or ""
            facts, messages = knowledge.about(what)
            if facts or messages:
                return Material(asked=asked, facts=facts, messages=messages)
            if knowledge.asked_to_forget(what):
                return Material(asked=asked)
            near = knowledge.near(what) if asked.sure else ()
            return Material(asked=asked, messages=near, near=True) if asked.sure else None
        case "why":
            return _why(knowledge, asked, session_id=session_id, last=last)


def _why(
    knowledge: Knowledge, asked: MemoryQuestion, *, session_id: str | None, last: bool
) -> Material | None:
    if asked.about:
        if facts := knowledge.supporting(asked.about, by_object=False)[:_MOST_WHY]:
            return Material(asked=asked, facts=_alike(facts))
        near = tuple(knowledge.nearest(asked.about))
        _, messages = knowledge.about(asked.about)
        return Material(asked=asked, facts=() if messages else near, messages=messages, near=not messages)
    if asked.before and (facts := knowledge.supporting(asked.before, by_object=True)[:_MOST_WHY]):
        return Material(asked=replace(asked, about=asked.before), facts=_alike(facts))
    said = knowledge.last_said(session_id) if last else None
    if said is None:
        return Material(asked=asked) if last else None
    return Material(asked=asked, facts=tuple(_behind(knowledge, said)), last=said)


def _behind(knowledge: Knowledge, said: MemoryRecord) -> Iterator[ShownFact]:
    """The facts that stand behind a message: an answer's, or those that answer what was asked."""
    question = read_memory_question(said.content) if said.origin.role == "user" else None
    claim = (question.about or "") if question else said.content
    yield from knowledge.supporting(claim, by_object=said.origin.role != "user")[:_MOST_WHY]


def _alike(facts: Sequence[ShownFact]) -> tuple[ShownFact, ...]:
    """The first facts, up to where one no longer holds although the ones before do."""
    for place, (one, following) in enumerate(pairwise(facts), 1):
        if following.ended and not one.ended:
            return tuple(facts[:place])
    return tuple(facts)


def _is_passed_plan(fact: MemoryRecord, moment: datetime) -> bool:
    dates = fact.labels.dates
    return fact.labels.category == "plan" and bool(dates) and all(date.end <= moment for date in dates)
