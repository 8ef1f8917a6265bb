"""Taking back a deletion: the memory, what was learned from it, and what that had ended."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from recollect import InvalidInputError, Memory, NotFoundError
from recollect.protocols import Store
from recollect.stores.reference.store import InMemoryStore

USER = "ada"


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory(tmp_path / "m.db", embedder="hashing") as opened:
        yield opened


def say(memory: Memory, *turns: str) -> list[str]:
    added = memory.add([{"content": turn} for turn in turns], user_id=USER, session_id="s")
    memory.sessions.end("s", user_id=USER)
    memory.jobs.drain()
    return [str(one.id) for one in added]


def facts(memory: Memory) -> dict[str, bool]:
    """What is known, and whether it still holds."""
    found = memory.get_all(user_id=USER, kinds=["fact"])
    return {fact.content: fact.times.valid_until is None for fact in found}


def test_a_memory_is_found_again_after_its_deletion_was_taken_back(memory: Memory) -> None:
    (kept,) = say(memory, "The spare key hangs behind the blue door.")
    memory.search("spare key", user_id=USER)
    memory.delete(kept, user_id=USER)
    assert kept not in [hit.memory.id for hit in memory.search("spare key", user_id=USER)]
    assert kept in [one.id for one in memory.deleted(user_id=USER)]
    assert memory.undelete(kept, user_id=USER).id == kept
    assert memory.search("spare key", user_id=USER)[0].memory.id == kept
    assert [change.action for change in memory.history(kept, user_id=USER)][-2:] == ["delete", "recover"]
    assert memory.maintenance.doctor().problems == ()


def test_taking_it_back_twice_changes_nothing(memory: Memory) -> None:
    (kept,) = say(memory, "Tea at five.")
    memory.delete(kept, user_id=USER)
    assert memory.undelete(kept, user_id=USER) == memory.undelete(kept, user_id=USER)


def test_a_turn_stands_between_its_neighbours_again(memory: Memory) -> None:
    ids = say(memory, "Which tent?", "The green one, of course.", "Good.", "Bye.")
    before = [(hit.memory.id, hit.score) for hit in memory.search("tent", user_id=USER)]
    memory.delete(ids[1], user_id=USER)
    memory.search("tent", user_id=USER)
    memory.undelete(ids[1], user_id=USER)
    after = [(hit.memory.id, hit.score) for hit in memory.search("tent", user_id=USER)]
    assert [one for one, _ in after] == [one for one, _ in before]
    assert [score for _, score in after] == pytest.approx([score for _, score in before], abs=1e-6)


def test_facts_come_back_with_the_words_they_were_learned_from(memory: Memory) -> None:
    (turn,) = say(memory, "I live in Oslo.")
    known = facts(memory)
    assert known
    memory.delete(turn, user_id=USER)
    assert facts(memory) == {}
    memory.undelete(turn, user_id=USER)
    assert facts(memory) == known


def test_a_fact_that_comes_back_ends_again_what_it_had_ended(memory: Memory) -> None:
    say(memory, "I live in Oslo.")
    say(memory, "I live in Bergen now.")
    held = facts(memory)
    (ended,) = [words for words, holds in held.items() if "Oslo" in words and not holds]
    (newer,) = [fact for fact in memory.get_all(user_id=USER, kinds=["fact"]) if "Bergen" in fact.content]
    memory.delete(newer.id, user_id=USER)
    assert facts(memory)[ended]
    memory.undelete(newer.id, user_id=USER)
    assert facts(memory) == held


def test_a_fact_whose_deletion_was_taken_back_is_learned_again_from_new_words(memory: Memory) -> None:
    say(memory, "I live in Oslo.")
    (fact,) = [one for one in memory.get_all(user_id=USER, kinds=["fact"]) if "Oslo" in one.content]
    memory.delete(fact.id, user_id=USER)
    back = memory.undelete(fact.id, user_id=USER)
    say(memory, "I live in Oslo, still.")
    assert memory.get(back.id, user_id=USER).worth.confidence >= back.worth.confidence


def test_what_was_purged_or_is_of_others_does_not_come_back(memory: Memory) -> None:
    gone, other = (say(memory, words)[0] for words in ("One.", "Two."))
    memory.delete(gone, user_id=USER)
    memory.purge(user_id=USER)
    memory.delete(other, user_id=USER)
    for memory_id, user in ((gone, USER), (other, "bob")):
        with pytest.raises(NotFoundError):
            memory.undelete(memory_id, user_id=user)
    assert memory.deleted(user_id="bob") == []


def test_what_was_deleted_does_not_come_back_with_its_source(memory: Memory) -> None:
    old = str(memory.add("Old.", user_id=USER, idempotency_key="k")[0].id)
    memory.delete(old, user_id=USER)
    (again, new) = memory.add(
        [{"content": "Old.", "idempotency_key": "k"}, {"content": "New.", "idempotency_key": "l"}],
        user_id=USER,
    )
    assert (again.id, again.status, new.status) == (old, "deleted", "stored")
    assert str(again.reason).startswith("it was deleted on 20")
    assert "undelete it, or purge it" in str(again.reason)
    assert [one.content for one in memory.get_all(user_id=USER)] == ["New."]
    memory.purge(user_id=USER)
    (fresh,) = memory.add("Old.", user_id=USER, idempotency_key="k")
    assert fresh.status == "stored"


def test_in_a_store_that_shows_nothing_deleted_there_is_nothing_to_bring_back() -> None:
    class Forgetful(InMemoryStore):
        deleted = Store.deleted
        recover = Store.recover

    with Memory(Forgetful(), embedder="hashing") as memory:
        (added,) = memory.add("Tea.", user_id=USER)
        memory.delete(str(added.id), user_id=USER)
        assert memory.deleted(user_id=USER) == []
        with pytest.raises(NotFoundError):
            memory.undelete(str(added.id), user_id=USER)


def test_a_fact_does_not_come_back_while_its_turn_is_deleted(memory: Memory) -> None:
    (turn,) = say(memory, "I moved to Oslo.")
    (fact,) = memory.get_all(user_id=USER, kinds=["fact"])
    memory.delete(fact.id, user_id=USER)
    memory.delete(turn, user_id=USER)
    memory.jobs.drain()
    with pytest.raises(InvalidInputError, match=f"learned from '{turn}', which is deleted"):
        memory.undelete(fact.id, user_id=USER)
    assert facts(memory) == {}
    memory.undelete(turn, user_id=USER)
    memory.jobs.drain()
    if fact.content not in facts(memory):  # a person deleted it
        memory.undelete(fact.id, user_id=USER)
    assert facts(memory) == {fact.content: True}
    assert memory.maintenance.doctor().problems == ()
