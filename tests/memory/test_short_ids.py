"""Ids by their first characters."""

import pytest

from recollect import InvalidInputError, Memory
from recollect.memory.short_ids import whole_id
from recollect.stores.reference.store import InMemoryStore
from recollect.types import Scope
from recollect.types.ids import short_id

ADA = Scope(user_id="ada")


@pytest.fixture
def memory() -> Memory:
    return Memory(InMemoryStore(), embedder="hashing")


def test_the_first_characters_find_the_one_memory_of_the_scope(memory: Memory) -> None:
    ids = [one.id for one in memory.add(["tea", "rum"], user_id="ada") if one.id]
    store = memory.parts.store
    assert [whole_id(store, ADA, short_id(one)) for one in ids] == ids
    assert [whole_id(store, ADA, one) for one in ids] == ids
    assert whole_id(store, Scope(user_id="bo"), short_id(ids[0])) == short_id(ids[0])
    assert whole_id(store, ADA, ids[0][:4]) == ids[0][:4]


def test_characters_that_begin_several_ids_are_refused(memory: Memory) -> None:
    ids = [one.id for one in memory.add(["tea", "rum"], user_id="ada") if one.id]
    with pytest.raises(InvalidInputError, match=r"several ids begin with .* write more of it"):
        whole_id(memory.parts.store, ADA, ids[0][:8])


def test_a_deleted_memory_is_found_among_the_deleted(memory: Memory) -> None:
    (added,) = memory.add("tea", user_id="ada")
    assert added.id
    memory.delete(added.id, user_id="ada")
    store = memory.parts.store
    assert whole_id(store, ADA, short_id(added.id), deleted=True) == added.id
    assert whole_id(store, ADA, short_id(added.id)) == short_id(added.id)
