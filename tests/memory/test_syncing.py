"""Two stores come to the same state, whatever was done to either."""

import io
import shutil
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect import EmbedderMismatchError, InvalidInputError, Labels, Memory, NotFoundError, StoreError
from recollect.memory.maintenance import sync_stores
from recollect.memory.maintenance.syncing import SyncResult, SyncSide
from recollect.protocols import Store
from recollect.stores.sqlite import SQLiteStore
from recollect.types import MemoryRecord

NOON: Final = datetime(2026, 3, 14, 12, tzinfo=UTC)
NOTHING: Final = SyncSide()


class Clock:
    """Each look is a second later."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now


class Devices:
    """Two stores, and what users do with them."""

    def __init__(self, one: Path | str, other: Path | str) -> None:
        self.places = one, other
        self.clock = Clock()
        self.open()

    def open(self) -> None:
        self.memories = [Memory(place, embedder="hashing", clock=self.clock) for place in self.places]
        self.one, self.other = self.memories

    def close(self) -> None:
        for memory in self.memories:
            memory.close()

    def sync(self, *, back: bool = False) -> SyncResult:
        first, second = reversed(self.places) if back else self.places
        return sync_stores(first, second)

    def exports(self) -> list[str]:
        return [exported(memory) for memory in self.memories]

    def check_same(self) -> None:
        """Both hold the same, and syncing again changes nothing, in either direction."""
        first, second = self.exports()
        assert first == second
        for back in (False, True):
            done = self.sync(back=back)
            assert (done.one, done.other) == (NOTHING, NOTHING)
            assert self.exports() == [first, second]


def exported(memory: Memory) -> str:
    out = io.StringIO()
    memory.export(out)
    return out.getvalue()


@pytest.fixture
def devices(tmp_path: Path) -> Iterator[Devices]:
    made = Devices(tmp_path / "one.db", tmp_path / "other.db")
    yield made
    made.close()


def contents(memory: Memory, user_id: str = "ada") -> list[str]:
    return sorted(one.content for one in memory.get_all(user_id=user_id, kinds=["message"]))


def both(devices: Devices) -> tuple[list[str], list[str]]:
    return contents(devices.one), contents(devices.other)


def test_what_is_new_on_either_side_is_on_both(devices: Devices) -> None:
    devices.one.add("Tea at five", user_id="ada", session_id="s")
    devices.other.add(["Coffee at ten", "Cake"], user_id="ada", session_id="s")
    devices.other.add("Bob was here", user_id="bob")
    done = devices.sync()
    assert (done.users, done.memories, done.one.added, done.other.added) == (2, 4, 3, 1)
    assert both(devices) == (["Cake", "Coffee at ten", "Tea at five"],) * 2
    assert devices.one.search("coffee", user_id="ada", top_k=1)[0].content == "Coffee at ten"
    devices.check_same()


def test_a_new_store_is_made_on_either_side(devices: Devices, tmp_path: Path) -> None:
    devices.one.add("Tea at five", user_id="ada")
    assert sync_stores(devices.places[0], tmp_path / "new.db").other.added == 1
    assert sync_stores(tmp_path / "newer.db", tmp_path / "new.db").one.added == 1
    with Memory(tmp_path / "newer.db") as newer:
        assert (contents(newer), newer.parts.embedder.name) == (
            ["Tea at five"],
            devices.one.parts.embedder.name,
        )


def test_later_words_win_and_other_fields_that_were_changed_elsewhere_stay(devices: Devices) -> None:
    (said,) = devices.one.add("I live in Lisbon", user_id="ada")
    devices.sync()
    devices.one.update(said.id, user_id="ada", content="I live in Porto")
    devices.other.update(said.id, user_id="ada", content="I live in Faro")
    devices.one.update(said.id, user_id="ada", labels=Labels(category="home"))
    devices.one.use(said.id, user_id="ada")
    devices.sync()
    for memory in devices.memories:
        record = memory.get(said.id, user_id="ada")
        assert (record.content, record.labels.category, record.use.usage_count) == (
            "I live in Faro",
            "home",
            1,
        )
        assert memory.search("Faro", user_id="ada")[0].memory.id == said.id
    devices.check_same()


def test_a_change_that_came_by_a_sync_is_not_newer_than_it_is(devices: Devices, tmp_path: Path) -> None:
    (said,) = devices.one.add("first", user_id="ada")
    third = tmp_path / "third.db"
    sync_stores(devices.places[0], third)
    devices.sync()
    devices.one.update(said.id, user_id="ada", content="second")
    with Memory(third, clock=devices.clock) as memory:
        memory.update(said.id, user_id="ada", content="third")
    devices.sync()
    sync_stores(devices.places[1], third)
    assert both(devices)[1] == ["third"]


def test_a_deletion_wins_over_a_copy_that_nobody_edited(devices: Devices) -> None:
    (said,) = devices.one.add("Tea at five", user_id="ada")
    devices.sync()
    devices.other.delete(said.id, user_id="ada", reason="wrong")
    devices.one.use(said.id, user_id="ada")
    assert devices.sync().one.deleted == 1
    assert both(devices) == ([], [])
    assert devices.one.history(said.id, user_id="ada")[-1].reason == "wrong"
    devices.check_same()


@pytest.mark.parametrize("edited_first", [True, False])
def test_an_edited_copy_survives_a_deletion(devices: Devices, edited_first: bool) -> None:
    (said,) = devices.one.add("Tea at five", user_id="ada")
    devices.sync()
    does: list[Callable[[], object]] = [
        lambda: devices.one.update(said.id, user_id="ada", content="Tea at six"),
        lambda: devices.other.delete(said.id, user_id="ada"),
    ]
    for do in does if edited_first else reversed(does):
        do()
    devices.sync()
    assert both(devices) == (["Tea at six"], ["Tea at six"])
    devices.check_same()


def test_a_deletion_that_was_taken_back_stays_taken_back(devices: Devices) -> None:
    (said,) = devices.one.add("Tea at five", user_id="ada")
    devices.sync()
    devices.one.delete(said.id, user_id="ada")
    devices.sync()
    devices.other.undelete(said.id, user_id="ada")
    devices.sync()
    assert both(devices) == (["Tea at five"], ["Tea at five"])
    devices.check_same()


def test_what_was_purged_does_not_come_back(devices: Devices) -> None:
    (said,) = devices.one.add("Tea at five", user_id="ada")
    devices.one.add("Coffee", user_id="ada")
    devices.sync()
    devices.other.delete(said.id, user_id="ada")
    devices.other.purge(user_id="ada")
    devices.sync()
    assert both(devices) == (["Coffee"], ["Coffee"])
    devices.check_same()


def test_a_user_who_was_purged_does_not_come_back(devices: Devices) -> None:
    devices.one.add("Tea at five", user_id="ada")
    devices.one.add("Bob was here", user_id="bob")
    devices.sync()
    devices.other.delete_all(user_id="ada")
    devices.other.purge(user_id="ada")
    devices.sync()
    assert both(devices) == ([], [])
    assert contents(devices.one, "bob") == ["Bob was here"]
    devices.check_same()


def test_an_older_copy_of_a_store_deletes_nothing(devices: Devices, tmp_path: Path) -> None:
    devices.one.add("Tea at five", user_id="ada")
    devices.sync()
    devices.close()
    shutil.copy(devices.places[1], tmp_path / "backup.db")
    devices.open()
    devices.one.add("Coffee", user_id="ada")
    devices.sync()
    devices.close()
    shutil.copy(tmp_path / "backup.db", devices.places[1])
    for journal in tmp_path.glob("other.db-*"):
        journal.unlink()
    devices.open()
    done = devices.sync()
    assert (done.one, done.other.added) == (NOTHING, 1)
    assert both(devices) == (["Coffee", "Tea at five"],) * 2


def test_a_copied_file_is_another_store(devices: Devices, tmp_path: Path) -> None:
    devices.one.add("Tea at five", user_id="ada")
    devices.sync()
    devices.one.add("Coffee", user_id="ada")
    devices.sync()
    devices.close()
    shutil.copy(devices.places[0], tmp_path / "third.db")
    devices.open()
    devices.one.add("Cake", user_id="ada")
    assert sync_stores(tmp_path / "third.db", devices.places[0]).one.added == 1
    done = devices.sync()
    assert (done.one.deleted, done.other.added) == (0, 1)
    assert both(devices)[1] == ["Cake", "Coffee", "Tea at five"]


def test_one_thing_imported_on_both_sides_is_one(devices: Devices) -> None:
    for memory in devices.memories:
        memory.add("My dog is called Pixel", user_id="ada", session_id="s", idempotency_key="chatgpt:1")
        memory.jobs.drain()
    devices.sync()
    assert both(devices) == (["My dog is called Pixel"],) * 2
    devices.check_same()
    (deleted,) = devices.one.get_all(user_id="ada", kinds=["message"])
    devices.one.delete(deleted.id, user_id="ada")
    devices.sync()
    (again,) = devices.other.add("My dog is called Pixel", user_id="ada", idempotency_key="chatgpt:1")
    assert again.status == "deleted"


def test_facts_come_with_what_they_were_learned_from_and_go_with_it(devices: Devices) -> None:
    devices.one.add("My sister Ines is allergic to nuts", user_id="ada", session_id="s")
    devices.one.jobs.drain()
    devices.sync()
    facts = devices.other.get_all(user_id="ada", kinds=["fact"])
    assert any("nuts" in fact.content for fact in facts)
    devices.check_same()
    (said,) = devices.other.get_all(user_id="ada", kinds=["message"])
    devices.other.delete(said.id, user_id="ada")
    devices.sync()
    assert [memory.get_all(user_id="ada") for memory in devices.memories] == [[], []]
    devices.check_same()
    devices.one.undelete(said.id, user_id="ada")
    devices.sync()
    back = devices.other.get_all(user_id="ada", kinds=["fact"])
    assert [fact.content for fact in back] == [fact.content for fact in facts]
    devices.check_same()


def test_what_only_one_side_learned_is_learned_once(devices: Devices) -> None:
    devices.one.add("My sister Ines is allergic to nuts", user_id="ada", session_id="s")
    devices.sync()
    for memory in devices.memories:
        memory.jobs.drain()
    devices.sync()
    devices.check_same()
    allergies = [one for one in devices.one.get_all(user_id="ada", kinds=["fact"]) if "nuts" in one.content]
    assert len(allergies) == 1


def test_turns_that_the_further_side_had_not_seen_are_learned(devices: Devices) -> None:
    devices.one.add(["I like tea", "I like cake"], user_id="ada", session_id="s")
    devices.one.jobs.drain()
    devices.other.add("My sister Ines is allergic to nuts", user_id="ada", session_id="s")
    devices.sync()
    devices.check_same()
    devices.one.jobs.drain()
    assert any("nuts" in one.content for one in devices.one.get_all(user_id="ada", kinds=["fact"]))


def test_a_fact_that_was_deleted_is_learned_again_by_neither(devices: Devices) -> None:
    devices.one.add("My sister Ines is allergic to nuts", user_id="ada", session_id="s")
    devices.one.jobs.drain()
    devices.sync()
    (fact,) = [one for one in devices.other.get_all(user_id="ada", kinds=["fact"]) if "nuts" in one.content]
    devices.other.delete(fact.id, user_id="ada")
    devices.sync()
    devices.one.add("My sister Ines is allergic to nuts", user_id="ada", session_id="t")
    devices.one.jobs.drain()
    assert fact.id not in [one.id for one in devices.one.get_all(user_id="ada")]


def test_links_are_united(devices: Devices) -> None:
    first, second, third = (one.id for one in devices.one.add(["a", "b", "c"], user_id="ada"))
    devices.sync()
    devices.one.graph.link(first, second, user_id="ada")
    devices.other.graph.link(second, third, user_id="ada")
    devices.sync()
    assert len(devices.one.graph.links(second, user_id="ada")) == 2
    devices.check_same()


def test_a_store_is_not_synced_with_itself_or_with_one_of_another_embedder(
    devices: Devices, tmp_path: Path
) -> None:
    devices.one.add("Tea", user_id="ada")
    with pytest.raises(InvalidInputError, match="same store"):
        sync_stores(devices.places[0], devices.places[0])
    with Memory(tmp_path / "static.db", embedder="static") as memory:
        memory.add("Tea", user_id="ada")
    with pytest.raises(EmbedderMismatchError):
        sync_stores(devices.places[0], tmp_path / "static.db")
    with pytest.raises(InvalidInputError, match="no memories in either"):
        sync_stores(tmp_path / "none.db", tmp_path / "neither.db")
    assert not (tmp_path / "none.db").exists()


def test_a_database_is_not_synced_with_itself_by_another_url(postgres_url: str) -> None:
    with Memory(postgres_url, embedder="hashing") as memory:
        memory.add("Tea", user_id="ada")
    with pytest.raises(InvalidInputError, match="same store"):
        sync_stores(postgres_url, f"{postgres_url}&application_name=other")


WORDS: Final = st.sampled_from(
    ["tea", "I live in Lisbon", "My sister is called Ines", "cake\nat five", "ü 🦊"]
)
METADATA: Final = st.dictionaries(
    st.sampled_from(["b", "a", "ä b"]),
    st.sampled_from(
        [1, 1.0, 0.1, -0.0, 1e22, 12345678901234567890, True, None, "x\u2028", [1, {"z": 1, "a": [2.5]}]]
    ),
    max_size=2,
)


def steps(draw: st.DrawFn, devices: Devices) -> None:
    """One thing that a user does on one of the devices."""
    memory = devices.memories[draw(st.integers(0, 1))]
    user = draw(st.sampled_from(["ada", "ada", "bob"]))
    live = in_order(memory.get_all(user_id=user))
    do = draw(st.sampled_from(
        ["add", "add", "add keyed", "update", "label", "use", "archive", "delete", "undelete", "purge",
         "link", "learn", "sync"]
    ))  # fmt: skip
    if do == "add":
        session_id = draw(st.sampled_from([None, "s"]))
        memory.add(draw(WORDS), user_id=user, session_id=session_id, metadata=draw(METADATA))
    elif do == "add keyed":
        memory.add(draw(WORDS), user_id=user, idempotency_key=draw(st.sampled_from(["k1", "k2"])))
    elif do == "learn":
        memory.jobs.drain()
    elif do == "sync":
        devices.sync(back=draw(st.booleans()))
    elif do == "purge":
        memory.purge(user_id=user)
    elif do == "undelete":
        undelete(draw, memory, user)
    elif live:
        change(draw, memory, user, do, live)


def in_order(found: Iterable[MemoryRecord]) -> list[str]:
    """Ids in an order that is the same on every run: those of one millisecond are in any."""
    return [
        one.id for one in sorted(found, key=lambda one: (one.times.created_at, one.kind, one.content, one.id))
    ]


def undelete(draw: st.DrawFn, memory: Memory, user: str) -> None:
    if gone := in_order(memory.deleted(user_id=user)):
        try:
            memory.undelete(draw(st.sampled_from(gone)), user_id=user)
        except InvalidInputError:
            return  # its source is deleted, or its key is taken


def change(draw: st.DrawFn, memory: Memory, user: str, do: str, live: list[str]) -> None:
    one = draw(st.sampled_from(live))
    if do == "update":
        memory.update(one, user_id=user, content=draw(WORDS))
    elif do == "label":
        memory.update(one, user_id=user, labels=Labels(importance=draw(st.sampled_from([0, 0.1, 0.9, 1]))))
    elif do == "use":
        memory.use(one, user_id=user)
    elif do == "archive":
        memory.archive(one, user_id=user)
    elif do == "delete":
        memory.delete(one, user_id=user)
    else:
        memory.graph.link(one, draw(st.sampled_from(live)), user_id=user)


def edit_and_sync(data: st.DataObject, count: int, devices: Devices) -> None:
    """Let users do something on both devices, and look whether a sync brings them to one state."""
    with closing(devices):
        for _ in range(count):
            steps(data.draw, devices)
        if any(memory.users() for memory in devices.memories):
            devices.sync(back=data.draw(st.booleans()))
            devices.check_same()


@settings(max_examples=40)
@given(st.data(), st.integers(1, 14))
def test_any_edits_on_both_sides_end_in_one_state(data: st.DataObject, count: int) -> None:
    with TemporaryDirectory() as folder:
        edit_and_sync(data, count, Devices(Path(folder, "one.db"), Path(folder, "other.db")))


@pytest.mark.parametrize("servers", [1, 2])
@settings(max_examples=10)
@given(data=st.data(), count=st.integers(1, 14))
def test_so_they_do_where_one_or_both_are_in_postgresql(
    new_postgres: Callable[[], str], servers: int, data: st.DataObject, count: int
) -> None:
    with TemporaryDirectory() as folder:
        one = Path(folder, "one.db") if servers == 1 else new_postgres()
        edit_and_sync(data, count, Devices(one, new_postgres()))


WRITES: Final = ("add", "restore", "update", "delete", "recover", "link", "change_state", "put_setting")


class Dying:
    """Lets some writes of any store of some kinds through, and kills the process before the next one."""

    def __init__(self, patched: pytest.MonkeyPatch, *kinds: type[Store], writes: int) -> None:
        self.left = writes
        for kind in kinds:
            for name in WRITES:
                patched.setattr(kind, name, self._counted(getattr(kind, name)))

    def _counted(self, method: Callable[..., object]) -> Callable[..., object]:
        def counted(*given: object, **named: object) -> object:
            self.left -= 1
            if self.left < 0:
                raise KeyboardInterrupt
            return method(*given, **named)

        return counted


def kill_and_sync(data: st.DataObject, writes: int, devices: Devices, *kinds: type[Store]) -> None:
    """Kill a sync after some writes, and look whether the next one brings both to one state."""
    with closing(devices):
        devices.one.add("I live in Lisbon", user_id="ada", session_id="s")
        devices.sync()
        for _ in range(8):
            steps(data.draw, devices)
        with pytest.MonkeyPatch.context() as patched, suppress(KeyboardInterrupt):
            Dying(patched, *kinds, writes=writes)
            devices.sync()
        devices.sync(back=data.draw(st.booleans()))
        devices.check_same()


@settings(max_examples=25)
@given(st.data(), st.integers(0, 25))
def test_a_sync_that_was_killed_is_resumed(data: st.DataObject, writes: int) -> None:
    with TemporaryDirectory() as folder:
        devices = Devices(Path(folder, "one.db"), Path(folder, "other.db"))
        kill_and_sync(data, writes, devices, SQLiteStore)


@settings(max_examples=10)
@given(data=st.data(), writes=st.integers(0, 25))
def test_so_it_is_where_one_is_in_postgresql(
    new_postgres: Callable[[], str], data: st.DataObject, writes: int
) -> None:
    from recollect.stores.postgres import PostgresStore

    with TemporaryDirectory() as folder:
        devices = Devices(Path(folder, "one.db"), new_postgres())
        kill_and_sync(data, writes, devices, SQLiteStore, PostgresStore)


def test_what_is_added_and_deleted_while_two_stores_are_synced_is_on_both_after_the_next(
    tmp_path: Path, postgres_url: str
) -> None:
    with closing(Devices(tmp_path / "one.db", postgres_url)) as devices:
        devices.one.add("The first", user_id="ada")
        expected = {"The first"}

        def use(place: int) -> None:
            memory = devices.memories[place]
            for number in range(30):
                memory.add(f"{place} keeps {number}", user_id="ada")
                (gone,) = memory.add(f"{place} drops {number}", user_id="ada")
                expected.add(f"{place} keeps {number}")
                with suppress(NotFoundError):  # a sync may be the first
                    memory.delete(gone.id, user_id="ada")

        with ThreadPoolExecutor(2) as pool:
            using = [pool.submit(use, place) for place in (0, 1)]
            while not all(one.done() for one in using):
                with suppress(StoreError):  # they change all the time
                    devices.sync()
        for one in using:
            one.result()
        devices.sync()
        assert both(devices) == (sorted(expected), sorted(expected))
        devices.check_same()
