"""What every part of the contract starts from: the store under test, and short steps to use it."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Protocol, runtime_checkable

import pytest

from recollect.protocols import (
    Copying,
    Entry,
    Store,
    TextSearch,
    VectorMaintenance,
    VectorSearch,
)
from recollect.testing.fakes import ADA
from recollect.types import MemoryRecord, Scope
from recollect.types.filters import EVERYTHING, parse_filter


class SearchingStore(Store, TextSearch, Protocol):
    """A store that searches text."""


@runtime_checkable
class NearestStore(Store, VectorSearch, Protocol):
    """A store that searches vectors."""


@runtime_checkable
class CopyingStore(Store, Copying, Protocol):
    """A store that gives and takes memories as they are."""


class StoreFixtures:
    """The fixtures a backend's test class overrides, and those for optional powers."""

    @pytest.fixture
    def store(self) -> Store | Iterator[Store]:
        """An empty store; override it: return one, or yield one and close it."""
        raise NotImplementedError("override the fixture store() and yield an empty store")

    def reopen(self, store: Store) -> Store:
        """Close a store and open what it left behind; override it for a durable store."""
        pytest.skip(f"{type(store).__name__} keeps nothing once closed")

    @pytest.fixture
    def recovering_store(self, store: Store) -> Store:
        """The store, when it brings deleted memories back."""
        if type(store).recover is Store.recover:
            pytest.skip(f"{type(store).__name__} brings nothing back")
        return store

    @pytest.fixture
    def text_store(self, store: Store) -> SearchingStore:
        """The store, when it searches text."""
        if not isinstance(store, TextSearch):
            pytest.skip(f"{type(store).__name__} has no text index")
        return store

    @pytest.fixture
    def nearest_store(self, store: Store) -> NearestStore:
        """The store, when it searches vectors."""
        if not isinstance(store, NearestStore):
            pytest.skip(f"{type(store).__name__} has no vector index")
        return store

    @pytest.fixture
    def vector_store(self, store: Store) -> VectorMaintenance:
        """The store, when its vectors can be made again."""
        if not isinstance(store, VectorMaintenance):
            pytest.skip(f"{type(store).__name__} cannot stage vectors")
        return store

    @pytest.fixture
    def copying_store(self, store: Store) -> CopyingStore:
        """The store, when it gives and takes memories as they are."""
        if not isinstance(store, CopyingStore):
            pytest.skip(f"{type(store).__name__} cannot be copied as it is")
        return store


def put(store: Store, *entries: Entry) -> list[str]:
    """Add entries of one user."""
    user = Scope(user_id=entries[0].record.scope.user_id)
    return store.add(user, entries)


def only(store: Store, scope: Scope = ADA) -> MemoryRecord:
    """The one memory of a scope."""
    [record] = store.find(scope, EVERYTHING)
    return record


def contents(store: Store, where: Mapping[str, object] | None = None, *, scope: Scope = ADA) -> list[str]:
    """The contents that match, sorted."""
    return sorted(record.content for record in store.find(scope, parse_filter(where)))


def remove(store: Store, *ids: str, scope: Scope = ADA) -> int:
    """Delete memories by id."""
    return store.delete(scope, parse_filter({"id": {"in": ids}}))


def with_words(record: MemoryRecord, content: str) -> MemoryRecord:
    """The record with other words."""
    return replace(record, content=content)
