"""A state machine that does the same to two stores and compares every answer."""

# ruff: noqa: D102, S101  (a rule's name is its sentence, and it asserts)

import json
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Any, ClassVar, Final, TypeVar

import numpy as np
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from numpy.typing import NDArray

from recollect.errors import RecollectError
from recollect.protocols import Entry, Store
from recollect.stores.reference.store import InMemoryStore
from recollect.testing import strategies as draws
from recollect.testing.contract.shadowing import Receiver
from recollect.testing.fakes import entry_of, make_features
from recollect.testing.strategies import USERS, filters_strategy, records, scopes
from recollect.types import Change, ChangeAction, Job, Link, LinkType, MemoryRecord, Scope
from recollect.types.codec import record_to_json
from recollect.types.filters import EVERYTHING, Filter, by_ids

T = TypeVar("T")

HOUR: Final = 3600.0

_placed: Final = st.tuples(records(), st.integers(0, 999))
_wide: Final = st.sampled_from(USERS).map(lambda user: Scope(user_id=user)) | scopes()
"""Scopes, more than half of them with all that a user has: few memories are in a narrow one."""
_jobs: Final = st.builds(
    Job, task=draws.texts, scope=scopes(), payload=draws.metadata(), delay_s=st.sampled_from([0.0, HOUR])
)
_link_types: Final[st.SearchStrategy[LinkType]] = st.sampled_from(["derived-from", "supersedes", "related"])


class ChangeFailedError(Exception):
    """What a change raises to undo an update."""


def store_machine(make_store: Callable[[], Store]) -> type["StorePairMachine"]:
    """The state machine for a store.

    Args:
        make_store: Makes an empty store; called for every example, and the store is closed after it.

    Returns:
        A Hypothesis machine; its ``TestCase`` is what pytest collects::

            TestMyStoreMachine = store_machine(MyStore).TestCase
    """

    class StoreMachine(StorePairMachine):
        make_stores: ClassVar = (make_store, InMemoryStore)

    return StoreMachine


class StorePairMachine(RuleBasedStateMachine):
    """The rules; ``store_machine`` says which two stores they are about."""

    make_stores: ClassVar[tuple[Callable[[], Store], Callable[[], Store]]] = (InMemoryStore, InMemoryStore)

    def __init__(self) -> None:
        super().__init__()
        self.pair = tuple(make() for make in self.make_stores)
        self.ids: list[str] = ["unknown"]
        self.job_ids: list[tuple[int, ...]] = []
        self.receivers = [{user: Receiver(Scope(user_id=user)) for user in USERS} for _ in self.pair]

    def teardown(self) -> None:
        for store in self.pair:
            store.close()

    # Writing

    @initialize(drafts=st.lists(_placed, min_size=3, max_size=6), jobs=st.lists(_jobs, max_size=2))
    def start_with_some_memories(self, drafts: list[tuple[MemoryRecord, int]], jobs: list[Job]) -> None:
        for draft, place in drafts:
            self.add([(draft, place)], draft.scope, jobs)

    @rule(drafts=st.lists(_placed, max_size=4), scope=scopes(), jobs=st.lists(_jobs, max_size=2))
    def add(self, drafts: list[tuple[MemoryRecord, int]], scope: Scope, jobs: list[Job]) -> None:
        entries = [entry_of(replace(draft, id=self._new_id(place), scope=scope)) for draft, place in drafts]
        self._same(lambda store: store.add(scope, entries, jobs=jobs))

    @rule(draft=records(), data=st.data())
    def add_an_id_in_use(self, draft: MemoryRecord, data: st.DataObject) -> None:
        if live := self.pair[1].find(draft.scope, EVERYTHING):
            twin = data.draw(st.sampled_from(live)).id
            entry = entry_of(replace(draft, id=twin, idempotency_key=None))
            self._same(lambda store: store.add(draft.scope, [entry]))

    @rule(data=st.data(), scope=_wide, patch=records())
    def update(self, data: st.DataObject, scope: Scope, patch: MemoryRecord) -> None:
        ids = data.draw(st.lists(self._ids_in(scope), max_size=3, unique=True))
        action: ChangeAction = data.draw(st.sampled_from(["update", "feedback"]))
        words, fails = data.draw(st.tuples(st.booleans(), st.booleans()))
        self._same(
            lambda store: store.update(
                scope, ids, _patcher(patch, words=words, fails=fails), action=action, reason=patch.summary
            )
        )

    @rule(scope=_wide, where=filters_strategy(), reason=st.none() | draws.texts)
    def delete(self, scope: Scope, where: Filter, reason: str | None) -> None:
        self._same(lambda store: store.delete(scope, where, reason=reason))

    @rule(data=st.data(), scope=_wide)
    def delete_by_id(self, data: st.DataObject, scope: Scope) -> None:
        ids = data.draw(st.lists(self._ids_in(scope), max_size=2))
        self._same(lambda store: store.delete(scope, by_ids(ids)))

    def _both_recover(self) -> bool:
        return all(type(store).recover is not Store.recover for store in self.pair)

    @precondition(_both_recover)
    @rule(data=st.data(), scope=_wide, where=filters_strategy(), limit=st.none() | st.integers(1, 4))
    def recover(self, data: st.DataObject, scope: Scope, where: Filter, limit: int | None) -> None:
        self._same(lambda store: store.deleted(scope, where, limit=limit))
        ids = data.draw(st.lists(st.sampled_from(self.ids), max_size=3))
        self._same(lambda store: store.recover(scope, ids, entry_of, reason="undo"))

    @rule(scope=_wide)
    def purge(self, scope: Scope) -> None:
        self._same(lambda store: store.purge(scope))

    # Reading

    @rule(scope=scopes(), where=filters_strategy(), limit=st.none() | st.integers(0, 4), data=st.data())
    def find(self, scope: Scope, where: Filter, limit: int | None, data: st.DataObject) -> None:
        after = data.draw(st.none() | st.sampled_from(self.ids))
        back = data.draw(st.booleans())
        self._same(lambda store: store.find(scope, where, limit=limit, after=after, newest_first=back))

    @rule(scope=scopes(), wheres=st.lists(filters_strategy(), min_size=4, max_size=8))
    def match(self, scope: Scope, wheres: list[Filter]) -> None:
        self._same(lambda store: [_ids_of(store, scope, store.match(scope, where)) for where in wheres])

    @rule(scope=_wide, data=st.data())
    def get_and_history(self, scope: Scope, data: st.DataObject) -> None:
        ids = data.draw(st.lists(self._ids_in(scope), max_size=4))
        self._same(lambda store: store.get(scope, ids))
        self._same(lambda store: [_told(store.history(scope, memory_id)) for memory_id in ids])

    @rule(user=st.sampled_from(USERS))
    def refresh_a_shadow(self, user: str) -> None:
        copies = [receivers[user] for receivers in self.receivers]
        for store, copy in zip(self.pair, copies, strict=True):
            copy.refresh(store)
            assert copy.ids == [record.id for record in store.find(Scope(user_id=user), EVERYTHING)]
        ours, theirs = ({row[0]: row for row in copy.rows.values()} for copy in copies)
        assert ours == theirs

    @invariant()
    def counts_agree(self) -> None:
        self._same(lambda store: [store.count(Scope(user_id=user)) for user in USERS])
        self._same(lambda store: store.user_ids())

    @invariant()
    def statistics_agree(self) -> None:
        ours, theirs = ([_counted(store, user) for user in USERS] for store in self.pair)
        assert ours == theirs

    # Optional powers

    @rule(scope=scopes(), name=st.sampled_from(["intents", "ü'\n"]), value=st.none() | draws.texts)
    def change_a_state(self, scope: Scope, name: str, value: str | None) -> None:
        self._same(lambda store: store.change_state(scope, name, lambda _: value))
        self._same(lambda store: store.states(scope))

    @rule(scope=_wide, data=st.data(), kind=_link_types)
    def link(self, scope: Scope, data: st.DataObject, kind: LinkType) -> None:
        ends = data.draw(st.lists(self._ids_in(scope), max_size=3, unique=True))
        links = [Link(source_id=one, target_id=two, type=kind) for one, two in pairwise(ends)]
        self._same(lambda store: store.link(scope, links))

    @rule(scope=_wide, data=st.data())
    def links(self, scope: Scope, data: st.DataObject) -> None:
        memory_id = data.draw(self._ids_in(scope))
        self._same(lambda store: store.links(scope, memory_id))

    @rule(limit=st.integers(0, 3), lease_s=st.sampled_from([0, HOUR]), early=st.booleans())
    def claim_jobs(self, limit: int, lease_s: float, *, early: bool) -> None:
        claimed = [store.claim_jobs(limit=limit, lease_s=lease_s, early=early) for store in self.pair]
        assert _unnumbered(claimed[0]) == _unnumbered(claimed[1])
        self.job_ids += [(ours.id, theirs.id) for ours, theirs in zip(*claimed, strict=True)]

    @rule(
        data=st.data(),
        wait_s=st.sampled_from([0, HOUR, None]),
        end=st.sampled_from(["finish", "fail", "postpone"]),
    )
    def end_with_a_job(self, data: st.DataObject, wait_s: float | None, end: str) -> None:
        pair = data.draw(st.sampled_from([(-1, -1), *self.job_ids]))
        for store, job_id in zip(self.pair, pair, strict=True):
            if end == "finish":
                store.finish_job(job_id)
            elif end == "fail":
                store.fail_job(job_id, "it failed", retry_in_s=wait_s)
            else:
                store.postpone_job(job_id, delay_s=wait_s or 0)

    @rule(failed=st.booleans())
    def list_jobs(self, *, failed: bool) -> None:
        self._same(lambda store: _unnumbered(store.jobs(failed=failed)))

    # Comparing

    def _new_id(self, place: int) -> str:
        self.ids.append(f"{place:03}-{len(self.ids)}")
        return self.ids[-1]

    def _ids_in(self, scope: Scope) -> st.SearchStrategy[str]:
        """Ids, every other one of a memory that is there: of all ids hardly two in one scope are."""
        there = [record.id for record in self.pair[1].find(scope, EVERYTHING)]
        return st.sampled_from(there or self.ids) | st.sampled_from(self.ids)

    def _same(self, step: Callable[[Store], object]) -> None:
        ours, theirs = (_outcome(step, store) for store in self.pair)
        assert ours == theirs


def _outcome(step: Callable[[Store], object], store: Store) -> object:
    """What a step returns, or the class of what it raises."""
    try:
        return _exact(step(store))
    except (RecollectError, ChangeFailedError) as error:
        return type(error)


def _exact(value: object) -> object:
    """Records as JSON text, where 1, 1.0 and true differ; anything else as it is."""
    if isinstance(value, list):
        return [_exact(item) for item in value]
    return json.dumps(record_to_json(value), sort_keys=True) if isinstance(value, MemoryRecord) else value


def _patcher(patch: MemoryRecord, *, words: bool, fails: bool) -> Callable[[MemoryRecord], Entry]:
    """A change that takes some of ``patch``; with ``fails`` it raises at the second record."""
    calls: list[str] = []

    def change(record: MemoryRecord) -> Entry:
        calls.append(record.id)
        if fails and len(calls) > 1:
            raise ChangeFailedError
        kept = replace(record, times=patch.times, worth=patch.worth, use=patch.use, metadata=patch.metadata)
        return entry_of(replace(kept, content=patch.content)) if words else Entry(record=kept, features=None)

    return change


def _told(history: list[Change]) -> list[tuple[Any, ...]]:
    """A history without its times; what stands in an ``add`` or ``delete`` is the store's choice."""
    return [
        (change.action, change.reason, *((change.before, change.after) if change.before else ()))
        for change in history
    ]


def _ids_of(store: Store, scope: Scope, keys: NDArray[Any]) -> list[str]:
    rows = store.shadow(scope, 0).rows
    ids = dict(zip(rows.keys.tolist(), rows.ids, strict=True))
    return [ids[key] for key in keys.tolist()]


def _unnumbered(jobs: list[Job]) -> list[Job]:
    return [replace(job, id=0) for job in jobs]


def _counted(store: Store, user: str) -> object:
    """The statistics of a user over the words of all tests, without trailing zeros."""
    scope = Scope(user_id=user)
    features = [make_features(record.content) for record in store.find(scope, EVERYTHING)]
    terms = {term for made in features for term in np.frombuffer(made.terms, "<u4").tolist()}
    found = store.statistics(scope, [*terms, 7])
    return found.documents, dict(found.frequencies), [n for n in found.vector_sum.tolist() if n]
