"""Where memories may be seen, while the store changes."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect import Memory
from recollect.errors import InvalidInputError, StoreBusyError
from recollect.memory import places
from recollect.memory.places import Places
from recollect.protocols import Entry
from recollect.stores.reference.store import InMemoryStore
from recollect.types import MemoryRecord, Scope
from recollect.types.filters import EVERYTHING, Filter, by_ids

ADA = Scope(user_id="ada")
PROJECTS = ("app", "shop", None)
SAYINGS = ("User is allergic to nuts.", "User prefers tabs.", "The build takes an hour.")


class Counting(InMemoryStore):
    """Counts the records that are read."""

    read = 0

    def find(self, scope: Scope, where: Filter, **limits: object) -> list[MemoryRecord]:
        found = super().find(scope, where, **limits)  # type: ignore[arg-type]
        self.read += len(found)
        return found


class Failing(InMemoryStore):
    """Finds nothing while it fails."""

    fails = False

    def find(self, scope: Scope, where: Filter, **limits: object) -> list[MemoryRecord]:
        if self.fails:
            raise StoreBusyError("busy")
        return super().find(scope, where, **limits)  # type: ignore[arg-type]


def said(memory: Memory, project: str | None) -> str:
    (one,) = memory.add("Some words", user_id="ada", metadata={"project": project} if project else {})
    return one.id


def learned(memory: Memory, words: str, sources: Sequence[str], *, project: str | None = None) -> str:
    metadata = {"project": project} if project else {}
    (one,) = memory.add(words, user_id="ada", kind="fact", metadata=metadata)
    change(memory, one.id, lambda it: replace(it, origin=replace(it.origin, sources=tuple(sources))))
    return one.id


def change(memory: Memory, memory_id: str, make: Callable[[MemoryRecord], MemoryRecord]) -> None:
    memory.parts.store.update(ADA, [memory_id], lambda it: Entry(record=make(it), features=None))


def seen(memory: Memory, kept: Places, project: str) -> set[str]:
    return {one.id for one in memory.parts.store.find(ADA, kept.seen_in(project))}


def expected(memory: Memory, project: str) -> set[str]:
    """What the table of ``recollect.memory.projects`` says, memory by memory."""
    alive = {one.id: one for one in memory.parts.store.find(ADA, EVERYTHING)}

    def is_seen(one: MemoryRecord) -> bool:
        if one.kind == "fact" and one.content == SAYINGS[0]:
            return True
        sources = [alive[source] for source in one.origin.sources if source in alive]
        return any(it.metadata.get("project") in (None, project) for it in sources or [one])

    return {memory_id for memory_id, one in alive.items() if is_seen(one)}


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["say", "learn", "learn", "delete", "undelete", "move", "move", "purge"]),
            st.integers(0, 9),
            st.integers(0, 9),
        ),
        max_size=15,
    )
)
def test_what_is_kept_at_hand_is_what_the_rules_say_after_any_changes(
    steps: list[tuple[str, int, int]],
) -> None:
    with Memory(InMemoryStore(), embedder="hashing") as memory:
        kept, ids, numbers = Places(memory.parts.store, ADA), list[str](), count()
        for step, first, second in steps:
            project, some = PROJECTS[second % 3], ids[first % len(ids)] if ids else ""
            if step == "say":
                ids.append(said(memory, project))
            elif step == "learn":
                words = SAYINGS[0] if second % 2 else f"The build number {next(numbers)} takes an hour."
                sources = {ids[place % len(ids)] for place in (first, second)} if ids and first % 4 else ()
                ids.append(learned(memory, words, sorted(sources), project=project if first % 3 else None))
            elif step == "delete" and ids:
                memory.parts.store.delete(ADA, by_ids([some]))
            elif step == "undelete" and ids and memory.parts.store.deleted(ADA, by_ids([some])):
                with suppress(InvalidInputError):  # what it was learned from is deleted, too
                    memory.undelete(some, user_id="ada")
            elif step == "move" and ids:
                change(memory, some, lambda it, to=project: replace(it, metadata={"project": to}))  # type: ignore[misc]
            elif step == "purge":
                memory.parts.store.purge(ADA)
            for name in ("app", "shop"):
                assert seen(memory, kept, name) == expected(memory, name)


def test_after_a_write_only_what_is_new_is_read() -> None:
    with Memory(store := Counting(), embedder="hashing") as memory:
        sources = [said(memory, PROJECTS[number % 2]) for number in range(100)]
        for number, source in enumerate(sources):
            learned(memory, f"The build number {number} takes an hour.", [source])
        kept = Places(store, ADA)
        kept.seen_in("app")
        learned(memory, "The last build takes two hours.", [said(memory, "shop")])
        store.read = 0
        kept.seen_in("app")
        assert 0 < store.read < 10


def test_what_nothing_was_learned_from_is_not_read() -> None:
    with Memory(store := Counting(), embedder="hashing") as memory:
        memory.add(["Some words"] * 500, user_id="ada", metadata={"project": "app"})
        for project in ("app", "shop"):
            learned(memory, f"The build of {project} takes an hour.", [said(memory, project)])
        store.read = 0
        Places(store, ADA).seen_in("app")
        assert store.read < 10


def test_a_store_that_fails_once_hides_no_other_project() -> None:
    with Memory(store := Failing(), embedder="hashing") as memory:
        here, kept = said(memory, "app"), Places(store, ADA)
        assert seen(memory, kept, "app") == {here}
        learned(memory, SAYINGS[2], [said(memory, "shop")])
        store.fails = True
        with pytest.raises(StoreBusyError):
            kept.seen_in("app")
        store.fails = False
        assert seen(memory, kept, "app") == {here}


def test_after_very_many_changes_everything_is_read_again() -> None:
    with Memory(InMemoryStore(), embedder="hashing") as memory:
        kept = Places(memory.parts.store, ADA)
        said(memory, "shop")
        assert not seen(memory, kept, "app")
        memory.add(["Some words"] * (places._MANY_CHANGES + 1), user_id="ada")
        assert len(seen(memory, kept, "app")) == places._MANY_CHANGES + 1
