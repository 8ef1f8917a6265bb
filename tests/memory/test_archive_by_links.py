"""Archiving a message finds what was learned from it by its links, however many facts there are."""

import pytest

from recollect import Memory

ADA = {"user_id": "ada"}


def test_archiving_a_message_reads_no_facts_but_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    with Memory(":memory:", embedder="hashing") as memory:
        said = ["I live in Oslo.", "I'm allergic to nuts.", "My sister is called Ines."]
        first, *_ = (one.id for one in memory.add(said, **ADA))
        memory.jobs.drain()
        store, read = memory.parts.store, []
        find = store.find

        def counting(*args: object, **more: object) -> object:
            found = find(*args, **more)  # type: ignore[arg-type]
            read.extend(found)
            return found

        monkeypatch.setattr(store, "find", counting)
        assert first is not None
        memory.archive(first, **ADA)
        assert {one.kind for one in read} <= {"episode"}
        (fact,) = [one for one in memory.get_all(**ADA, kinds=["fact"]) if "Oslo" in one.content]
        assert fact.tier == "archived"
