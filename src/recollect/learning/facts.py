"""Facts and episodes on their way into the store, and known facts kept true by what is new.

Every step can be stopped and done again. What is new is stored first, and says itself what it does to what is
known; a fact that takes the place of others holds, and those end, in one transaction. So at any moment either
the old one holds or the new one, and any worker that finds an unfinished fact can finish it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice, takewhile
from types import MappingProxyType
from typing import Final

from recollect.errors import InvalidInputError, NotFoundError
from recollect.learning.conflicts import PAGE, open_conflicts
from recollect.learning.earlier import EarlierStatements, likeliest
from recollect.learning.extraction.episodes import Episode
from recollect.learning.extraction.facts import INFERRED, Fact
from recollect.learning.extraction.withdrawals import NOTICE
from recollect.learning.gate import AdmissionGate
from recollect.learning.latest import LastOnes
from recollect.learning.marks import dropped_for, ended, enders_of
from recollect.learning.outcomes import Conflict, Learned
from recollect.learning.parts import LearningParts
from recollect.learning.personal import is_personal, is_said_of_here
from recollect.learning.persons import Persons
from recollect.learning.places import PROJECT, in_reach
from recollect.learning.reconcile.decide import reconcile
from recollect.learning.reconcile.decisions import (
    Decision,
    Ending,
    added,
    ending_at,
    ending_too,
    left_open,
    retracting,
    settle,
)
from recollect.learning.reconcile.doubts import goes_further, have_in_common, touches
from recollect.learning.reconcile.endings import sought_by
from recollect.learning.reconcile.fulfilled import came_true
from recollect.learning.reconcile.last_days import last_day_in
from recollect.learning.reconcile.statements import CHANGED, SAID, Statement
from recollect.learning.reconcile.verdicts import SURE
from recollect.learning.recording import (
    contradicted_by,
    contradicting,
    end_of,
    endings_of,
    fact_id_of,
    links_of,
    new_statement,
    record_of,
    reinforced,
    settled,
    standing,
    statement_of,
    taken_over,
    undecided,
    waits_to_take_over,
    with_source,
)
from recollect.learning.retiming import (
    RETIMED,
    SAID_AGAIN,
    compared_anew,
    decided_with,
    is_decided_between,
)
from recollect.learning.retraction import SOURCE_CHANGED, Unlearner, check_unchanged
from recollect.learning.rewording import in_plain_words
from recollect.learning.unsaying import Unsayer, is_taken_back
from recollect.protocols import Entry, Features, JobsOf
from recollect.retrieval.request import Request
from recollect.text.analyse import normalised
from recollect.types import JSON, TIERS, Change, Job, Kind, Link, MemoryRecord, Origin, Scope, Times, Worth
from recollect.types.filters import EVERYTHING, Filter, by_ids
from recollect.types.records import reason_of
from recollect.types.regex import lazy_regex

KNOWN: Final = 20
"""Facts a new one is compared with. Chosen by hand."""
_KNOWN_ANYWHERE: Final = 5 * KNOWN
"""Facts among which those are looked for that may be seen in its project. Chosen by hand."""
_ENDERS: Final = 8
"""Statements by which one known fact is over, at most. Chosen by hand."""
_OF_A_FACT: Final = 0.08
"""Probability that a message changes a fact which lacks the words that the message shares with the statement
it was learned of. Chosen by hand."""
_NAMING: Final = lazy_regex(r"(?i)\b(?:re)?(?:nam|call)(?:e[ds]?|ing|s)?\b")
"""What a message says that changes a name; "Mia turned eight" does not."""
_WORK: Final = lazy_regex(r"\b(?:works?|working|job|employer|employed|career|role|shifts?|boss)\b")
_DECIDED: Final = "a person decided"
_REOPENED: Final = "the decision was taken back"
_SAID_AS_BEFORE: Final = "its turn says it again"
_ENDED_BY: Final = "no longer true: "
_TAKEN_OVER: Final = "a newer fact holds: "
"""Begin reasons in histories; ids of a turn and of facts follow, never words."""
_COMPARED: Final = "compared with what is known"


@dataclass(frozen=True, slots=True, kw_only=True)
class Maker:
    """What finds facts."""

    name: str
    prompt_id: str | None = None


class FactKeeper:
    """Stores what was found, and changes what is known by it; one worker for a user at a time."""

    def __init__(
        self, parts: LearningParts, *, unlearner: Unlearner, gate: AdmissionGate | None = None
    ) -> None:
        self._parts = parts
        self._unlearner = unlearner
        self._gate = gate
        self._lasts = LastOnes(parts.store)
        self._persons = Persons(parts.store)
        near = partial(self._near, kind="message")
        self._earlier = EarlierStatements(
            near,
            is_unsaid=partial(is_taken_back, parts.store),
            persons=self._persons,
            analyser=parts.analyser,
        )

    def take(
        self,
        fact: Fact,
        source: MemoryRecord,
        *,
        made_by: Maker,
        gate: AdmissionGate | None = None,
        read: Sequence[MemoryRecord] = (),
    ) -> Learned:
        """Store a fact, or let it change one that is known; what was begun before is finished.

        Raises:
            ChangedError: A turn was deleted or changed since it was read; nothing was learned from it.
        """
        turns = [source, *(one for one in read if one.id in fact.also)]
        gate = gate or self._gate
        user = Scope(user_id=source.scope.user_id, agent_id=source.scope.agent_id)
        fact_id = fact_id_of(fact.text, source.id)
        if (before := self._stored_before(user, fact, source, turns)) is not None:
            return before
        unlearned = self._unlearner.is_unlearned(user, fact.text, source.times.happened_at)
        if unlearned or self._is_told(user, fact, fact_id, source):
            return Learned()
        decision = self._timed(user, self._decided(user, fact, source, made_by), fact, source)
        if fact.only_ends and decision.action in {"add", "ignore"}:
            return Learned()
        if gate is not None and gate.refuses(user, fact, source):
            return Learned(refused=1)
        if gate is not None:
            gate.note(user, decision, fact_id=fact_id, source_id=source.id)
        match decision.action:
            case "ignore":
                return self._also_said(user, decision, source, turns)
            case "reinforce" | "retract":
                return self._changed(user, fact_id, decision, source, turns)
        now = self._parts.clock()
        touched = self._concerned(user, decision)
        concerned = touched if decision.confidence >= SURE else []
        said_at = source.times.happened_at.astimezone(self._parts.timezone)
        about = [one.content for one in touched]
        fact = in_plain_words(fact, concerned, said_at=said_at, about=about)
        decision = replace(decision, confidence=min(decision.confidence, fact.confidence))
        if self._contests(user, fact_id_of(fact.text, source.id), fact_id, decision=decision, read=turns):
            return Learned(conflicts=1)
        record = record_of(fact, source, decision, now=now, made_by=made_by.name, prompt_id=made_by.prompt_id)
        record = replace(record, id=fact_id)
        self._lasts.keep(user, fact, fact_id)
        if gone := self._gone(user, fact_id):
            self._store_again(user, _as_of(record, gone), turns)
        else:
            self._store_new(user, record, turns, rated=False)
        self._finish(user, record)
        self._unlearner.follow_into_archive(user, fact_id, source)
        ends = len(endings_of(decision))
        return Learned(facts=1, ended=ends, conflicts=int(decision.action == "conflict"))

    def _retimed(self, user: Scope, fact: Fact, source: MemoryRecord) -> MemoryRecord | None:
        """The fact of these words that stayed when its turn was given another time, still to be compared."""
        for one in self._unlearner.facts_of(user, source.id):
            if one.content == fact.text and self._parts.store.history(user, one.id)[-1].reason == RETIMED:
                return one
        return None

    def _compare_anew(self, user: Scope, kept: MemoryRecord, fact: Fact, source: MemoryRecord) -> Learned:
        """Let a fact that has another time now change what is known as of that, and no longer as before."""
        self._unlearner.reopen(user, self._unlearner.about(user, [kept.id]), {kept.id})
        decided = decided_with(self._parts.store, user, kept)
        related = [
            one
            for one in self._related(user, fact, source)
            if one.id not in {kept.id, *decided} and not is_decided_between(kept, one)
        ]
        decision = self._compared_with(related, user, fact, source)
        ends = endings_of(decision)

        def change(before: MemoryRecord) -> MemoryRecord:
            if before.id == kept.id:
                return compared_anew(before, fact, source, decision)
            return ended(before, at=ends[before.id], by=kept.id)

        self._lasts.keep(user, fact, kept.id)
        reason = f"{_TAKEN_OVER}{kept.id}" if ends else _COMPARED
        self._update(user, [kept.id, *ends], change, reason, [source])
        self._link(user, links_of(compared_anew(kept, fact, source, decision)))
        return Learned(ended=len(ends), conflicts=int(decision.action == "conflict"))

    def unsay(self, before: MemoryRecord, source: MemoryRecord) -> Learned:
        """End what was learned of a turn alone that the next one takes back; what it ended holds again.

        Args:
            before: The turn that is taken back.
            source: The turn that takes it back.

        Raises:
            ChangedError: One of them was deleted or changed since it was read.
        """
        user = Scope(user_id=source.scope.user_id, agent_id=source.scope.agent_id)
        check = self._unless_changed(user, [before, source])
        return Learned(ended=Unsayer(self._parts, self._unlearner).unsay(before, source, jobs=check))

    def withdraw(self, fact: Fact, source: MemoryRecord) -> Learned:
        """Take back the last notice that was given before a turn withdraws it: the job goes on.

        Raises:
            ChangedError: One of them was deleted or changed since it was read.
        """
        user = Scope(user_id=source.scope.user_id, agent_id=source.scope.agent_id)
        asked = replace(fact, text="I handed in my notice. I resigned and quit my job.")
        given = [
            one
            for one in self._near(user, asked, source, kind="message")
            if one.origin.role == "user"
            and one.times.happened_at < source.times.happened_at
            and NOTICE.search(one.content.lower())
        ]
        if not given:
            return Learned()
        return self.unsay(max(given, key=lambda one: one.times.happened_at), source)

    def stand(self, record: MemoryRecord, fact: Fact) -> Learned:
        """Compare a stored fact that came as one, by what it says; it changes what is known, and stays.

        Raises:
            ChangedError: It was deleted or changed since it was read.
        """
        user = Scope(user_id=record.scope.user_id, agent_id=record.scope.agent_id)
        decision = self._compared(user, fact, record)
        (target,) = self._parts.store.get(user, [decision.target_id or ""])
        ends = endings_of(decision)

        def change(before: MemoryRecord) -> MemoryRecord:
            if before.id == record.id:
                return standing(before, fact, decision, target=target)
            return ended(before, at=ends[before.id], by=record.id)

        self._lasts.keep(user, fact, record.id)
        after = change(record)
        (features,) = self._parts.indexer.features([after])
        reason = f"{_TAKEN_OVER}{record.id}" if ends else _COMPARED
        self._update(user, [record.id, *ends], change, reason, [record], features={record.id: features})
        self._link(user, links_of(after))
        return Learned(ended=len(ends), conflicts=int(decision.action == "conflict"))

    def _contests(
        self, user: Scope, twin: str, fact_id: str, *, decision: Decision, read: Sequence[MemoryRecord]
    ) -> bool:
        """Let the fact of the turn that says the same contradict what is known; whether there is one."""
        (known,) = self._parts.store.get(user, [twin])
        if decision.action != "conflict" or twin == fact_id or known is None:
            return False
        reason = _ended_by(read[0].id, fact_id)
        changes = reversed(self._parts.store.history(user, twin))
        if all(one.reason != reason for one in takewhile(lambda one: one.action != "recover", changes)):
            self._link(user, links_of(contradicting(known, decision=decision)))
            self._update(user, [twin], partial(contradicting, decision=decision), reason, read)
        return True

    def _concerned(self, user: Scope, decision: Decision) -> list[MemoryRecord]:
        """The known facts that a decision ends or contradicts, the one that is meant first."""
        ids = [decision.target_id, *(one.id for one in decision.also_ended)]
        found = self._parts.store.get(user, [one for one in dict.fromkeys(ids) if one is not None])
        return [one for one in found if one is not None]

    def _timed(self, user: Scope, decision: Decision, fact: Fact, source: MemoryRecord) -> Decision:
        """The same, and what it ends holds until the last day that the message names."""
        if decision.ended_at is None:
            return decision
        said_at = source.times.happened_at.astimezone(self._parts.timezone)
        last = last_day_in(fact.quote, source.content, now=said_at)
        if last is None or not any(map(_is_work, self._concerned(user, decision))):
            return decision
        return ending_at(decision, last)

    def _decided(self, user: Scope, fact: Fact, source: MemoryRecord, made_by: Maker) -> Decision:
        """What becomes of a fact, and of what is known; what only an older turn says is learned for it."""
        if fact.relation != CHANGED:
            return self._compared(user, fact, source)
        if fact.confidence >= SURE:
            related = self._related(user, fact, source)
            decision = self._compared_with(related, user, fact, source)
            if decision.action == "add" and self._learn_ended(user, fact, source, made_by, related):
                decision = self._compared(user, fact, source)
            if decision.action != "add":
                return retracting(decision) if fact.change == "ended" else decision
        unsure = new_statement(replace(fact, confidence=INFERRED), source)
        if self._settled(user, source):
            return added(unsure, new_valid_until=None, reason="")
        doubted = [statement_of(one) for one in self._doubted(user, fact, source, made_by)]
        if not doubted:
            return added(unsure, new_valid_until=None, reason="")
        return left_open(unsure, doubted[0], new_valid_until=None, others=doubted[1:])

    def _settled(self, user: Scope, source: MemoryRecord) -> bool:
        """Whether a fact of a turn replaced or contradicts a known one, so that nobody is asked once more."""
        return any(map(_decides, self._unlearner.facts_of(user, source.id)))

    def _is_told(self, user: Scope, fact: Fact, fact_id: str, source: MemoryRecord) -> bool:
        """Whether the words of a statement that was kept as it stands did their work already."""
        if fact.relation == SAID and fact.confidence < SURE:
            return any(_tells(one, fact.quote) for one in self._unlearner.facts_of(user, source.id))
        return fact.relation == CHANGED and self._ended_before(user, fact_id, source)

    def _compared(self, user: Scope, fact: Fact, source: MemoryRecord) -> Decision:
        return self._compared_with(self._related(user, fact, source), user, fact, source)

    def _compared_with(
        self, related: Sequence[MemoryRecord], user: Scope, fact: Fact, source: MemoryRecord
    ) -> Decision:
        related = [one for one in related if one.id != source.id]
        if is_said_of_here(fact.quote, source.content):
            related = [one for one in related if not is_personal(one)]
        known = [statement_of(one) for one in related if source.id not in contradicted_by(one)]
        new, *known = self._persons.united(user, [new_statement(fact, source), *known])
        done = [one for one in known if came_true(new, one, self._parts.analyser)]
        left = [one for one in known if one not in done]
        decision = reconcile(new, left, analyser=self._parts.analyser)
        over = [Ending(id=one.id, at=max(new.begins, one.begins)) for one in done if one.id and not one.ends]
        return ending_too(decision, [*over, *self._over_anyway(new, left)], retract=fact.only_ends)

    def _over_anyway(self, new: Statement, known: Sequence[Statement]) -> list[Ending]:
        """What a statement would end if it still held: that stays over when what ended it is deleted."""
        over = [one for one in known if one.ends is not None and one.ends < new.at]
        once = [one for one in over if 0 < len(one.enders) <= _ENDERS]
        again = (
            reconcile(new, [replace(one, valid_until=None)], analyser=self._parts.analyser) for one in once
        )
        return [Ending(id=one, at=at) for decision in again for one, at in endings_of(decision).items()]

    def _learn_ended(
        self,
        user: Scope,
        fact: Fact,
        source: MemoryRecord,
        made_by: Maker,
        related: Sequence[MemoryRecord],
    ) -> bool:
        """Learn what older turns say that a change ends, where no fact was learned; whether any does."""
        learned = {turn for known in related for turn in known.origin.sources}
        ending = self._earlier.ended(user, fact, source, but=learned)
        for said, turn, _ in ending:
            self.take(said, turn, made_by=made_by)
        return bool(ending)

    def _doubted(self, user: Scope, fact: Fact, source: MemoryRecord, made_by: Maker) -> list[MemoryRecord]:
        """The facts that a change may be about; none where one of their turn ended already.

        Where none was learned of an older statement, it is learned as it stands.
        """
        found: list[MemoryRecord] = []
        for said, turn, _ in self._earlier.doubted(user, fact, source):
            if normalised(turn.content) == normalised(source.content):
                continue  # who says the same again changes nothing
            if came_true(new_statement(fact, source), new_statement(said, turn), self._parts.analyser):
                continue
            learned = [one for one in self._near(user, said, source) if turn.id in one.origin.sources]
            if any(goes_further(fact.object or "", one.content) for one in learned):
                continue
            if any(source.id in one.origin.sources for one in learned):
                continue  # the message itself says that this still holds
            if _NAMING.search(fact.object or "") is None:
                learned = [one for one in learned if one.metadata.get("relation") != "is named"]
            if not learned:
                self.take(said, turn, made_by=made_by)
                stored = self._parts.store.get(user, [fact_id_of(said.text, turn.id)])
                learned = [one for one in stored if one is not None]
            if learned and all(one.times.valid_until is None for one in learned):
                told, words = fact.object or "", said.object or ""
                said_there = [one for one in learned if _is_said_in(one, words)] or learned
                about = [one for one in said_there if touches(told, words, one.content)]
                found += about or likeliest(told, learned, least=_OF_A_FACT * have_in_common(told, words))
        return found

    def tell(
        self, episode: Episode, scope: Scope, *, place: int, made_by: Maker, read: Sequence[MemoryRecord]
    ) -> Learned:
        """Store what happened in a session, in one line; nothing when that was done before.

        Raises:
            ChangedError: One of them was deleted or changed since.
        """
        user = Scope(user_id=scope.user_id, agent_id=scope.agent_id)
        episode_id = fact_id_of(f"episode {place}" if place else "episode", read[0].id)
        if self._parts.store.history(user, episode_id):
            return Learned()
        now = self._parts.clock()
        record = MemoryRecord(
            id=episode_id,
            scope=user,
            kind="episode",
            content=episode.summary,
            times=Times(
                created_at=now,
                happened_at=read[0].times.happened_at,
                updated_at=now,
                valid_until=end_of(episode, read),
            ),
            worth=Worth(importance=episode.importance),
            origin=Origin(sources=episode.sources, extractor=made_by.name, prompt_id=made_by.prompt_id),
            metadata={"context": episode.context, "session_id": scope.session_id},
        )
        self._store_new(user, record, read, rated=True)
        return Learned(episodes=1)

    def conflicts(
        self,
        scope: Scope,
        *,
        where: Filter = EVERYTHING,
        after: str | None = None,
        limit: int | None = None,
    ) -> list[Conflict]:
        """Facts that contradict each other and both hold, by the id of the newer one.

        Args:
            scope: Whose.
            where: Only those of which both facts match.
            after: Only those whose newer fact comes after this id.
            limit: How many at most; None for all. Those of the last newer fact come together, so that the
                next page begins with another one.
        """
        at_once, now = min(limit or PAGE, PAGE), self._parts.clock()
        found = open_conflicts(self._parts.store, scope, where, at=now, after=after, at_once=at_once)
        page = list(islice(found, limit))
        last = page[-1].new.id if page else ""
        return page + list(takewhile(lambda one: one.new.id == last, found))

    def resolve(
        self,
        scope: Scope,
        kept: MemoryRecord,
        dropped: MemoryRecord | None,
        *,
        reason: str | None = None,
    ) -> None:
        """End a conflict: what is dropped held at most until the kept one; with None both hold.

        Raises:
            InvalidInputError: The kept one is in no conflict, though none is dropped.
        """
        why = reason_of(_DECIDED, reason)
        pair = [kept] if dropped is None else [kept, dropped]
        waiting = [one for one in pair if one.metadata.get("contested")]
        if dropped is None:
            known = [one.new for one in self.conflicts(scope) if one.known.id == kept.id]
            if not (waiting or known):
                raise InvalidInputError(f"the fact {kept.id!r} contradicts no other")
            waiting += known
        if dropped is not None:
            ending = settle(statement_of(kept), statement_of(dropped))
            self._update(scope, [dropped.id], partial(dropped_for, kept=kept.id, at=ending.at), why)
            still = {one.new.id for one in self.conflicts(scope)}
            waiting = [one for one in waiting if one.id not in still]
        for one in waiting:
            self._update(scope, [one.id], settled, why)

    def reopen(self, scope: Scope, decided: Sequence[MemoryRecord], *, reason: str | None = None) -> int:
        """Take the last decision about each of some facts back; how many were decided."""
        reopened = 0
        for fact in decided:
            before: dict[str, JSON] = {}
            changes = reversed(self._parts.store.history(scope, fact.id))
            for change in takewhile(lambda one: not _is(one, _REOPENED), changes):
                if _is(change, _DECIDED):  # one decision may change a fact twice
                    before.update(change.before)
            if before:
                self._update(
                    scope, [fact.id], partial(undecided, before=before), reason_of(_REOPENED, reason)
                )
                reopened += 1
        return reopened

    def _related(self, user: Scope, fact: Fact, source: MemoryRecord) -> list[MemoryRecord]:
        """The facts nearest to a new one, and the last of its kind that it may end.

        Those that hold no more are among them. Of many that ended, the one that holds may not be near.
        """
        last = self._lasts.of(user, fact)
        near = self._near(user, fact, source)
        ids = {record.id for record in near}
        found = self._parts.store.get(user, [one for one in last if one not in ids])
        more = [record for record in found if record is not None and record.kind == "fact"]
        return near + in_reach(self._parts.store, user, more, of=source)

    def _near(
        self, user: Scope, fact: Fact, source: MemoryRecord, *, kind: Kind = "fact"
    ) -> list[MemoryRecord]:
        is_placed = PROJECT in source.metadata
        request = Request(
            query=f"{fact.text} {sought_by(fact.relation, fact.object)}".strip(),
            top_k=_KNOWN_ANYWHERE if is_placed else KNOWN,
            now=self._parts.clock(),
            kinds=(kind,),
            tiers=TIERS,
            ended=True,
        )
        found = [hit.memory for hit in self._parts.recall.search(user, request)]
        return in_reach(self._parts.store, user, found, of=source)[:KNOWN]

    def _also_said(
        self, user: Scope, decision: Decision, source: MemoryRecord, read: Sequence[MemoryRecord]
    ) -> Learned:
        """Remember a turn that says what another one said in the same breath."""
        (known,) = self._parts.store.get(user, [decision.target_id or ""])
        if known is not None and source.id not in {*known.origin.sources, *enders_of(known)}:
            self._say_again(user, known.id, source, partial(with_source, source=source), read)
        return Learned()

    def _changed(
        self,
        user: Scope,
        fact_id: str,
        decision: Decision,
        source: MemoryRecord,
        read: Sequence[MemoryRecord],
    ) -> Learned:
        """Change the facts that a turn concerns which tells no new one: one grows surer, or some end."""
        ends = endings_of(decision)
        if ends:
            links = [Link(source_id=source.id, target_id=one, type="supersedes") for one in ends]
            self._link(user, links)
            reason = _ended_by(source.id, fact_id)
            self._update(
                user, list(ends), lambda one: ended(one, at=ends[one.id], by=source.id), reason, read
            )
        if decision.action == "reinforce" and decision.target_id:
            grown = partial(reinforced, decision=decision, source=source)
            self._say_again(user, decision.target_id, source, grown, read)
        return Learned(reinforced=int(decision.action == "reinforce"), ended=len(ends))

    def _ended_before(self, user: Scope, fact_id: str, source: MemoryRecord) -> bool:
        """Whether a statement that is not stored itself ended its facts when this job was done before."""
        reason = _ended_by(source.id, fact_id)
        superseded = [
            one.target_id for one in self._parts.store.links(user, source.id) if one.type == "supersedes"
        ]
        return any(
            one.reason == reason for fact in superseded for one in self._parts.store.history(user, fact)
        )

    def _say_again(
        self,
        user: Scope,
        fact_id: str,
        source: MemoryRecord,
        change: Callable[[MemoryRecord], MemoryRecord],
        read: Sequence[MemoryRecord],
    ) -> None:
        """Add a turn to the sources of a fact: the link first, since it may be stored twice."""
        self._link(user, [Link(source_id=fact_id, target_id=source.id, type="derived-from")])
        self._update(user, [fact_id], change, f"{SAID_AGAIN}{source.id}", read)

    def _said_as_before(
        self, user: Scope, fact_id: str, source: MemoryRecord, read: Sequence[MemoryRecord]
    ) -> Learned:
        """Bring a fact back whose turn was corrected, and now says it again; not beside one of its words."""
        told = {one.content for one in self._unlearner.facts_of(user, source.id)}
        gone = self._parts.store.deleted(user, by_ids([fact_id]))
        records = [one for one in gone if one.content not in told]
        made = dict(zip((one.id for one in records), self._parts.indexer.features(records), strict=True))

        def back(before: MemoryRecord) -> Entry:
            times = replace(before.times, updated_at=self._parts.clock())
            return self._parts.indexer.entry(replace(before, times=times), made[before.id])

        self._parts.store.recover(
            user, list(made), back, reason=_SAID_AS_BEFORE, jobs=self._unless_changed(user, read)
        )
        self._unlearner.end_again(user, fact_id)
        return Learned(facts=len(made))

    def _stored_before(
        self, user: Scope, fact: Fact, source: MemoryRecord, turns: Sequence[MemoryRecord]
    ) -> Learned | None:
        """What becomes of a fact that was stored before; None of a new one, and of another time."""
        if (retimed := self._retimed(user, fact, source)) is not None:
            return self._compare_anew(user, retimed, fact, source)
        fact_id = fact_id_of(fact.text, source.id)
        changes = self._parts.store.history(user, fact_id)
        if not changes:
            return None
        if changes[-1].reason != SOURCE_CHANGED:
            return self._finished(user, fact_id)
        gone = self._gone(user, fact_id)
        if gone is not None and gone.times.happened_at != source.times.happened_at:
            return None
        return self._said_as_before(user, fact_id, source, turns)

    def _gone(self, user: Scope, fact_id: str) -> MemoryRecord | None:
        return next(iter(self._parts.store.deleted(user, by_ids([fact_id]))), None)

    def _store_again(self, user: Scope, record: MemoryRecord, read: Sequence[MemoryRecord]) -> None:
        """Store a fact of a turn that has another time now in the place of what it was before."""
        (features,) = self._parts.indexer.features([record])
        self._parts.store.recover(
            user,
            [record.id],
            lambda _: self._parts.indexer.entry(record, features),
            reason=_SAID_AS_BEFORE,
            jobs=self._unless_changed(user, read),
        )

    def _finished(self, user: Scope, fact_id: str) -> Learned:
        """Finish a fact that was stored before, unless it was deleted since."""
        (record,) = self._parts.store.get(user, [fact_id])
        if record is not None:
            self._finish(user, record)
        return Learned()

    def _finish(self, user: Scope, record: MemoryRecord) -> None:
        """Link a fact that is stored, and let it take the place of others."""
        self._link(user, links_of(record))
        ends = waits_to_take_over(record)
        if not ends:
            return

        def change(before: MemoryRecord) -> MemoryRecord:
            if before.id == record.id:
                return taken_over(before)
            return ended(before, at=ends[before.id], by=record.id)

        self._update(user, [record.id, *ends], change, f"{_TAKEN_OVER}{record.id}", [record])

    def _link(self, user: Scope, links: list[Link]) -> None:
        """Link what is still there."""
        try:
            self._parts.store.link(user, links)
        except NotFoundError:
            ids = {end for one in links for end in (one.source_id, one.target_id)}
            there = {one.id for one in self._parts.store.get(user, sorted(ids)) if one is not None}
            self._parts.store.link(user, [one for one in links if {one.source_id, one.target_id} <= there])

    def _update(
        self,
        user: Scope,
        ids: list[str],
        change: Callable[[MemoryRecord], MemoryRecord],
        reason: str,
        read: Sequence[MemoryRecord] = (),
        *,
        features: Mapping[str, Features] = MappingProxyType({}),
    ) -> None:
        """Change facts, unless something that was read for it has changed since."""

        def changed(before: MemoryRecord) -> Entry:
            after = change(before)
            dated = replace(after, times=replace(after.times, updated_at=self._parts.clock()))
            return self._parts.indexer.entry(dated, features.get(before.id))

        self._parts.store.update(user, ids, changed, reason=reason, jobs=self._unless_changed(user, read))

    def _unless_changed(self, user: Scope, read: Sequence[MemoryRecord]) -> JobsOf:
        """Queues nothing, and undoes the write when a memory that was read for it has changed since."""
        whole = Scope(user_id=user.user_id)

        def check(_: Sequence[str]) -> list[Job]:
            check_unchanged(self._parts.store, whole, read)
            return []

        return check

    def _store_new(
        self, user: Scope, record: MemoryRecord, read: Sequence[MemoryRecord], *, rated: bool
    ) -> None:
        (features,) = self._parts.indexer.features([record])
        (labelled,) = self._parts.labeller.label(
            user, [record], [features], rated=[rated], now=self._parts.clock()
        )
        entry = self._parts.indexer.entry(labelled, features)
        self._parts.store.add(user, [entry], jobs=self._unless_changed(user, read))


def _is_work(fact: MemoryRecord) -> bool:
    """Whether a fact is of somebody's work, which has a last day."""
    said = f"{fact.metadata.get('relation') or ''} {fact.content}".lower()
    return _WORK.search(said) is not None


def _as_of(record: MemoryRecord, gone: MemoryRecord) -> MemoryRecord:
    """A fact that is learned again, with the labels and the worth that it had."""
    return replace(
        record,
        times=replace(record.times, created_at=gone.times.created_at),
        labels=gone.labels,
        worth=replace(gone.worth, confidence=record.worth.confidence),
        tier=gone.tier,
    )


def _is_said_in(fact: MemoryRecord, words: str) -> bool:
    """Whether a fact was read in these words, or they in what it quotes."""
    quote = " ".join(str(fact.metadata.get("quote") or "").split())
    return quote in words or words in quote


def _decides(fact: MemoryRecord) -> bool:
    """Whether a fact replaced or contradicts a known one."""
    return bool(fact.metadata.get("supersedes") or fact.metadata.get("contested"))


def _tells(fact: MemoryRecord, quote: str) -> bool:
    """Whether a fact that ends or contradicts something was learned of the words of a quotation."""
    changed = fact.metadata.get("relation") == CHANGED
    words = " ".join(str(fact.metadata.get("object" if changed else "quote") or "").split()).rstrip(".")
    return (changed or _decides(fact)) and (words in quote or quote in words)


def _ended_by(turn_id: str, fact_id: str) -> str:
    """The reason in the history of a fact that a statement of a turn ended."""
    return f"{_ENDED_BY}{turn_id} {fact_id}"


def _is(change: Change, what: str) -> bool:
    """Whether a change was made for this reason, whatever was said of it."""
    return change.reason == what or (change.reason or "").startswith(reason_of(what, ""))
