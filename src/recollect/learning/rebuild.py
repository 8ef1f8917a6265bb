"""What was learned from turns, kept to what those of them say that are still there.

| a turn is      | an episode becomes                         | a fact becomes                              |
|----------------|--------------------------------------------|---------------------------------------------|
| deleted        | one line about the turns that are left     | what a turn that is left says, in its words |
| given other    | one line about the turns as they are       | what a turn says now that it was learned    |
| words          |                                            | from                                        |
| given another  | the same, of that time                     | nothing: it is learned again; what a person |
| time           |                                            | changed or decided gets that time           |
| brought back   | as it was before, else one line about all  | as it was before, else the same             |

What no turn says any more is deleted. The ids of deleted turns are kept with what they were left out of, so
that a turn that is brought back finds it.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Final

from recollect.learning.extraction.changing import sayings_in
from recollect.learning.extraction.episodes import summarise_episode
from recollect.learning.extraction.extract import extract_facts, speaker_of
from recollect.learning.extraction.facts import Fact, Turn
from recollect.learning.marks import KEPT, LEFT_OUT, is_ended_by_a_person, left_out_of
from recollect.learning.parts import LearningParts
from recollect.learning.persons import Persons
from recollect.learning.reconcile.decide import reconcile
from recollect.learning.reconcile.statements import SAID
from recollect.learning.recording import EXTRACTOR, end_of, new_statement, said_by, statement_of, turn_of
from recollect.learning.retiming import REBUILT, RETIMED, begun_anew, given_to
from recollect.learning.retraction import SOURCE_CHANGED, SOURCE_DELETED, Unlearner
from recollect.lifecycle.importance import importance_in_chat
from recollect.protocols import Entry
from recollect.text.analyse import words
from recollect.types import Change, MemoryLabels, MemoryRecord, Scope
from recollect.types.codec import record_to_json, with_fields
from recollect.types.filters import AllOf, Test, by_ids

_SAYS: Final = frozenset({"reinforce", "ignore"})
"""What becomes of a new fact where a known one says the same."""


class Rebuilder:
    """Rebuilds facts and episodes when their turns change."""

    def __init__(self, parts: LearningParts, *, unlearner: Unlearner) -> None:
        self._parts = parts
        self._unlearner = unlearner
        self._persons = Persons(parts.store)

    def rebuild(
        self, user: Scope, memory_id: str, *, edited: Collection[str] = (), retimed: bool = False
    ) -> None:
        """Bring a fact or an episode in line with its turns; doing it again changes nothing.

        ``edited`` are turns with other words, or ``retimed`` with another time.
        """
        made = partial(self._made, user, edited=edited, retimed=retimed)

        def change(before: MemoryRecord) -> Entry:
            after = made(before)
            if after is None:
                raise _UnsaidError
            return self._entry(user, before, after)

        while True:
            (before,) = self._parts.store.get(user, [memory_id])
            if before is None or (after := made(before)) is before:
                return
            try:
                if after is not None:
                    dated = retimed and before.kind == "fact"
                    reason = RETIMED if dated else REBUILT
                    self._parts.store.update(user, [memory_id], change, reason=reason)
                    return
            except _UnsaidError:
                continue
            if self._deleted(user, before, SOURCE_CHANGED if edited else SOURCE_DELETED):
                return

    def _deleted(self, user: Scope, before: MemoryRecord, reason: str) -> bool:
        """Delete what no turn says any more; False when it was changed meanwhile."""
        self._unlearner.reopen(user, self._unlearner.about(user, [before.id]), {before.id})
        unchanged = Test("updated_at", in_metadata=False, operator="eq", value=before.times.updated_at)
        where = AllOf((by_ids([before.id]), unchanged))
        return self._parts.store.delete(user, where, reason=reason) > 0

    def _made(
        self, user: Scope, before: MemoryRecord, *, edited: Collection[str], retimed: bool
    ) -> MemoryRecord | None:
        """What it is by its turns as they are: None when nothing, itself when nothing has changed."""
        left_out = left_out_of(before)
        cited = list(dict.fromkeys((*before.origin.sources, *left_out)))
        found = dict(zip(cited, self._parts.store.get(user, cited), strict=True))
        here = sorted((one for one in found.values() if one is not None), key=_place_of)
        stale = [one for one in before.origin.sources if found[one] is None or one in edited]
        back = {one.id for one in here}.intersection(left_out)
        if not stale and not back:
            return before
        gone = [one for one in cited if found[one] is None]
        if back and not stale and (was := self._as_it_was(user, before, back)):
            return _by_turns(was, [*was.origin.sources, *before.origin.sources], here, gone)
        if before.kind == "episode":
            return self._episode(before, here, gone)
        if retimed:
            given = given_to(self._parts.store, user, before)
            return self._retimed(user, before, here, given) if given else None
        if not stale:
            return _by_turns(before, cited, here, gone)
        return self._fact(user, before, here, stale=stale, edited=edited, gone=gone)

    def _as_it_was(self, user: Scope, before: MemoryRecord, back: Collection[str]) -> MemoryRecord | None:
        """The memory before a turn that is back now was deleted; None where it was changed since."""
        for change in reversed(self._parts.store.history(user, before.id)):
            sources = change.before.get("origin.sources")
            if change.reason == REBUILT and isinstance(sources, list):
                return _undone(before, change) if set(sources).issuperset(back) else None
            if "content" in change.after:
                return None
        return None

    def _episode(
        self, before: MemoryRecord, here: Sequence[MemoryRecord], gone: Sequence[str]
    ) -> MemoryRecord | None:
        turns = [turn_of(one) for one in here]
        told = summarise_episode(turns, rate=importance_in_chat, analyser=self._parts.analyser)
        if told is None:
            return None
        worded = replace(
            before,
            content=told.summary,
            times=replace(
                before.times, happened_at=here[0].times.happened_at, valid_until=end_of(told, here)
            ),
            worth=replace(before.worth, importance=told.importance),
            origin=replace(before.origin, extractor=EXTRACTOR, prompt_id=None),
            metadata={**before.metadata, "context": told.context},
        )
        return _by_turns(worded, told.sources, here, gone)

    def _retimed(
        self, user: Scope, before: MemoryRecord, here: Sequence[MemoryRecord], given: Collection[str]
    ) -> MemoryRecord | None:
        """A fact as of the time of the first of its turns, in the words of that where it says the fact.

        The words and the confidence that a person gave it stay, and so does an end, unless it begins later.
        """
        if not here:
            return None
        turn = min(here, key=lambda one: one.times.happened_at)
        facts = extract_facts([self._turn(turn, self._persons.known(user))])
        said = next((fact for fact in facts if self._says(fact, turn, before)), None)
        after = before if said is None or "content" in given else said_by(before, said)
        sure = before.worth.confidence if "worth.confidence" in given else after.worth.confidence
        ended = before.times.valid_until if is_ended_by_a_person(before) else after.times.valid_until
        times = replace(after.times, happened_at=turn.times.happened_at, valid_until=ended)
        return begun_anew(replace(after, times=times, worth=replace(after.worth, confidence=sure)))

    def _fact(
        self,
        user: Scope,
        before: MemoryRecord,
        here: Sequence[MemoryRecord],
        *,
        stale: Collection[str],
        edited: Collection[str],
        gone: Sequence[str],
    ) -> MemoryRecord | None:
        """The fact in words that a turn says which is there; None when none says it."""
        people = self._persons.known(user)
        said = [(fact, one) for one in here for fact in extract_facts([self._turn(one, people)])]
        same = [(fact, one) for fact, one in said if self._says(fact, one, before)]
        own = [one for one in here if self._quotes(before, one, people, edited=one.id in edited)]
        by_rules = before.origin.extractor == EXTRACTOR
        kept = {one.id for one in own} | {one.id for _, one in same if not (by_rules and one.id in edited)}
        saying = kept | {one.id for _, one in same}
        sources = [one for one in before.origin.sources if one not in edited or one in saying]
        if kept and not self._holds_lost_words(user, before, stale, here):
            return _by_turns(before, sources, here, gone)
        if not same:
            return None
        fact, turn = next(((fact, one) for fact, one in same if fact.text == before.content), same[0])
        return _by_turns(said_by(before, fact), [turn.id, *sources], here, gone)

    def _quotes(
        self, known: MemoryRecord, turn: MemoryRecord, people: Mapping[str, str], *, edited: bool
    ) -> bool:
        """Whether a turn has the words that a fact quotes, and, where it was edited, no rule knows better.

        "It's not true that I hate olives" has the words of "I hate olives", and does not say so.
        """
        quote = str(known.metadata.get("quote") or "")
        if not quote or quote not in turn.content:
            return False
        if not edited:
            return True
        said = self._turn(turn, people)
        if known.metadata.get("relation") == SAID:
            return any(one.object == quote for one in sayings_in(said.text, speaker_of(said), plain=False))
        if known.origin.extractor == EXTRACTOR:
            return False
        alone = extract_facts([replace(said, text=quote)])
        return not any(self._says(fact, turn, known) for fact in alone)

    def _turn(self, record: MemoryRecord, people: Mapping[str, str]) -> Turn:
        return turn_of(record, people, timezone=self._parts.timezone)

    def _says(self, fact: Fact, turn: MemoryRecord, known: MemoryRecord) -> bool:
        """Whether a turn says a known fact, as of when it held."""
        held = replace(known, times=replace(known.times, valid_until=None))
        decision = reconcile(new_statement(fact, turn), [statement_of(held)], analyser=self._parts.analyser)
        return decision.action in _SAYS

    def _holds_lost_words(
        self, user: Scope, fact: MemoryRecord, stale: Collection[str], here: Sequence[MemoryRecord]
    ) -> bool:
        """Whether a fact has a word that none of its turns has any more, or that cannot be checked."""
        old = self._old_words(user, stale)
        if old is None:
            return True
        texts = [fact.content, *(str(fact.metadata.get(name, "")) for name in KEPT)]
        left = self._words_of(one.content for one in here)
        return not self._words_of(texts).isdisjoint(self._words_of(old) - left)

    def _old_words(self, user: Scope, turns: Collection[str]) -> list[str] | None:
        """What turns said before they were deleted or changed; None where it is not kept."""
        dead = self._parts.store.deleted(user, by_ids(list(turns)))
        old = {one.id: one.content for one in dead}
        for turn in turns:
            changes = self._parts.store.history(user, turn)
            before = [str(one.before["content"]) for one in changes if "content" in one.before]
            if turn not in old and before:
                old[turn] = before[-1]
        return list(old.values()) if len(old) == len(turns) else None

    def _words_of(self, texts: Iterable[str]) -> set[str]:
        text = "\n".join(texts)
        return {*words(text.casefold()), *self._parts.analyser.stems(text)}

    def _entry(self, user: Scope, before: MemoryRecord, after: MemoryRecord) -> Entry:
        now = self._parts.clock()
        dated = replace(after, times=replace(after.times, updated_at=now))
        if after.content == before.content:
            return self._parts.indexer.entry(dated)
        (features,) = self._parts.indexer.features([dated])
        rated = [after.kind == "episode"]
        (labelled,) = self._parts.labeller.label(user, [_bare(dated)], [features], rated=rated, now=now)
        return self._parts.indexer.entry(labelled, features)


class _UnsaidError(Exception):
    """Undoes the change of what nothing is left of."""


def _place_of(turn: MemoryRecord) -> tuple[str, int, datetime]:
    return turn.origin.thread, turn.origin.turn, turn.times.happened_at


def _by_turns(
    record: MemoryRecord, sources: Sequence[str], here: Sequence[MemoryRecord], gone: Sequence[str]
) -> MemoryRecord:
    """A memory rebuilt from those of its turns that remain; it names the deleted ones."""
    there = {one.id for one in here}
    left = tuple(one for one in dict.fromkeys(sources) if one in there)
    kept = {name: value for name, value in record.metadata.items() if name != LEFT_OUT}
    metadata = {**kept, LEFT_OUT: list(gone)} if gone else kept
    return replace(record, origin=replace(record.origin, sources=left), metadata=metadata)


def _undone(record: MemoryRecord, change: Change) -> MemoryRecord:
    """The record without a change; what others changed since stays."""
    old, new = change.before.get("metadata"), change.after.get("metadata")
    fields = {name: value for name, value in change.before.items() if not name.startswith("times.updated")}
    if isinstance(old, dict) and isinstance(new, dict):
        now = dict(record_to_json(record)["metadata"])  # type: ignore[arg-type]
        for name in [name for name in old | new if old.get(name) != new.get(name)]:
            now.pop(name, None)
            now |= {name: old[name]} if name in old else {}
        fields["metadata"] = now
    return with_fields(record, fields)


def _bare(record: MemoryRecord) -> MemoryRecord:
    """A record with only those labels that a person gave it."""
    approved = tuple(tag for tag in record.labels.tags if tag.approved)
    return replace(record, labels=MemoryLabels(tags=approved, category=record.labels.category))
