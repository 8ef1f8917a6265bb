"""Nobody sees or changes another's memories, and what was deleted and purged is nowhere any more."""

import io
import json
import random
import string
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from recollect import InvalidInputError, Memory, NotFoundError
from recollect.embedders import open_embedder
from recollect.retrieval.scoring import Retrieval
from recollect.types import Labels, Link, MemoryRecord, Scope, Within

USERS: Final = ("ada", "bob", "eve")
AGENTS: Final = (None, "tutor")
SESSIONS: Final = (None, "mon", "ada")
EMBEDDER: Final = open_embedder("hashing")
UNSHRUNK: Final = (Phase.explicit, Phase.reuse, Phase.generate)
"""Examples on files are slow to shrink, longer than a test may take, and small as they are."""
TARGETS: Final = ("file", "in memory")


# Random users doing random things


def filters_over(ids: list[str]) -> st.SearchStrategy[dict[str, Any] | None]:
    """Filters that try to reach further than they may."""
    one = st.sampled_from(ids)
    return st.one_of(
        st.none(),
        st.sampled_from(
            [
                {"not": {"content": "nothing"}},
                {"or": [{"metadata.user_id": user} for user in USERS]},
                {"metadata.user_id": {"ne": "nobody"}},
                {"agent_id": None},
                {"session_id": {"in": list(SESSIONS)}},
                {"content": {"contains": "secret"}},
                {"and": []},
                {"not": {"or": []}},
            ]
        ),
        one.map(lambda memory_id: {"id": memory_id}),
        one.map(lambda memory_id: {"or": [{"id": memory_id}, {"content": {"nin": []}}]}),
        st.lists(one, max_size=4).map(lambda some: {"id": {"in": some}}),
    )


class Crowd:
    """Several users of one memory, each trying whatever it can with everybody's ids."""

    def __init__(self, memory: Memory, data: st.DataObject) -> None:
        self.memory = memory
        self.data = data
        self.ids: list[str] = ["unknown"]

    def draw(self, what: st.SearchStrategy[Any]) -> Any:
        return self.data.draw(what)

    def where(self) -> dict[str, Any]:
        return {
            "agent_id": self.draw(st.sampled_from(AGENTS)),
            "session_id": self.draw(st.sampled_from(SESSIONS)),
        }

    def some_id(self) -> str:
        return str(self.draw(st.sampled_from(self.ids)))

    def filters(self) -> dict[str, Any] | None:
        found: dict[str, Any] | None = self.draw(filters_over(self.ids))
        return found

    def add(self, user: str) -> None:
        words = [f"{user}'s secret number {len(self.ids)}", f"{user}'s other secret"]
        key = self.draw(st.sampled_from([None, "k"]))
        metadata = {"user_id": self.draw(st.sampled_from(USERS))}
        results = self.memory.add(words, user_id=user, metadata=metadata, idempotency_key=key, **self.where())
        self.ids += [str(result.id) for result in results]

    def search(self, user: str) -> None:
        query = self.draw(st.sampled_from(["secret", "ada's secret number", "bob", "other"]))
        hits = self.memory.search(query, user_id=user, filters=self.filters(), **self.where())
        self.own(user, [hit.memory for hit in hits])
        context = self.memory.context(query, user_id=user, filters=self.filters())
        assert not any(f"{other}'s" in context.text for other in USERS if other != user)

    def read(self, user: str) -> None:
        found = self.memory.get_all(
            user_id=user,
            filters=self.filters(),
            after=self.draw(st.none() | st.sampled_from(self.ids)),
            limit=self.draw(st.none() | st.integers(1, 3)),
            **self.where(),
        )
        self.own(user, found)
        self.own(user, [self.memory.get(self.some_id(), user_id=user)])

    def change(self, user: str) -> None:
        changed = self.memory.update(
            self.some_id(), user_id=user, content=f"{user}'s changed secret", reason=f"{user}'s"
        )
        self.own(user, [changed])

    def look_back(self, user: str) -> None:
        memory_id = self.some_id()
        history = self.memory.history(memory_id, user_id=user)
        assert all(change.reason in (None, f"{user}'s") for change in history)
        explained = self.memory.explain(memory_id, user_id=user, query="secret")
        self.own(user, [explained.memory, *explained.sources])
        assert explained.ranked <= self.memory.stats(user_id=user).memories

    def praise(self, user: str) -> None:
        self.own(user, [self.memory.use(self.some_id(), user_id=user, useful=True)[0]])

    def delete(self, user: str) -> None:
        self.memory.delete(self.some_id(), user_id=user, reason=f"{user}'s")

    def delete_all(self, user: str) -> None:
        self.memory.delete_all(user_id=user, filters=self.filters(), **self.where())

    def purge(self, user: str) -> None:
        self.memory.purge(user_id=user, **self.where())

    def link(self, user: str) -> None:
        store: Any = self.memory.parts.store
        scope = Scope(user_id=user)
        store.link(scope, [Link(source_id=self.some_id(), target_id=self.some_id(), type="related")])
        links = store.links(scope, self.some_id())
        ends = [end for link in links for end in (link.source_id, link.target_id)]
        assert None not in store.get(scope, ends)

    def export(self, user: str) -> None:
        out = io.StringIO()
        self.memory.export(out, user_id=user)
        assert not any(f"{other}'s" in out.getvalue() for other in USERS if other != user)
        out.seek(0)
        assert self.memory.load(out).stored == 0

    STEPS: Final = (
        add, add, add, search, read, change, look_back, praise, delete, delete_all, purge, link, export,
    )  # fmt: skip

    def own(self, user: str, records: list[MemoryRecord]) -> None:
        """What a user was given is its own."""
        assert {record.scope.user_id for record in records} <= {user}
        assert all(record.content.startswith(f"{user}'s") for record in records)

    def seen_by(self, user: str) -> object:
        """All there is to see of a user's memories."""
        records = self.memory.get_all(user_id=user)
        histories = []
        for memory_id in self.ids:
            with suppress(NotFoundError):
                histories.append(self.memory.history(memory_id, user_id=user))
        store: Any = self.memory.parts.store
        links = [store.links(Scope(user_id=user), record.id) for record in records]
        hits = self.memory.search("secret", user_id=user, top_k=50)
        return records, histories, links, hits


@pytest.mark.parametrize("target", TARGETS)
@settings(max_examples=25, deadline=None, phases=UNSHRUNK)
@given(data=st.data())
def test_whatever_users_do_they_see_and_change_only_their_own(
    target: str, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    where = tmp_path_factory.mktemp("crowd") / "brain.db" if target == "file" else ":memory:"
    with Memory(where, embedder=EMBEDDER) as memory:
        crowd = Crowd(memory, data)
        for user in USERS:
            crowd.add(user)
        for _ in range(data.draw(st.integers(5, 15))):
            user = data.draw(st.sampled_from(USERS))
            others = [other for other in USERS if other != user]
            before = [crowd.seen_by(other) for other in others]
            with suppress(NotFoundError):
                data.draw(st.sampled_from(Crowd.STEPS))(crowd, user)
            assert [crowd.seen_by(other) for other in others] == before


@pytest.mark.parametrize("target", TARGETS)
def test_what_is_loaded_for_a_user_stays_with_that_user(target: str, tmp_path: Path) -> None:
    with Memory(tmp_path / "brain.db" if target == "file" else ":memory:", embedder=EMBEDDER) as memory:
        memory.add("ada's secret", user_id="ada", session_id="s")
        out = io.StringIO()
        memory.export(out, user_id="ada")
        memory.load(io.StringIO(out.getvalue()), user_id="bob")
        memory.update(memory.get_all(user_id="bob")[0].id, user_id="bob", content="bob's now")
        memory.delete_all(user_id="bob")
        assert memory.get_all(user_id="ada")[0].content == "ada's secret"
        assert len(memory.history(memory.get_all(user_id="ada")[0].id, user_id="ada")) == 1


def test_a_user_too_large_to_hold_is_searched_without_a_glance_at_others(tmp_path: Path) -> None:
    with Memory(tmp_path / "brain.db", embedder=EMBEDDER, retrieval=Retrieval(shadow_limit_mb=1)) as memory:
        memory.add([f"ada's heron {number}" for number in range(1_600)], user_id="ada", session_id="s")
        memory.add([f"bob's heron {number}" for number in range(50)], user_id="bob", session_id="s")
        for user, query in (("ada", "bob's heron 7"), ("bob", "ada's heron 7"), ("bob", "heron OR user:u1")):
            hits = memory.search(query, user_id=user, top_k=100)
            assert hits
            assert all(hit.memory.content.startswith(f"{user}'s") for hit in hits)


# Purged


class Marker:
    """Makes words that occur once in the world, with endings that a stemmer takes off."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)  # noqa: S311
        self.roots: list[str] = []

    def word(self) -> str:
        root = "zq" + "".join(self._chance.choices(string.ascii_lowercase.replace("e", ""), k=10)) + "x"
        self.roots.append(root)
        return root + self._chance.choice(["", "ing", "s", "ed"])

    def words(self, count: int) -> str:
        """So many words, every 50th of them marked, and the last."""
        return " ".join([*("river" if number % 50 else self.word() for number in range(count)), self.word()])


def remember_and_change(memory: Memory, mark: Marker, *, user: str, size: int) -> str:
    """A memory with marked words wherever a caller may put some, changed and praised."""
    message = {
        "content": mark.words(size),
        "name": mark.word(),
        "metadata": {mark.word(): mark.word()},
        "tags": [mark.word()],
        "idempotency_key": mark.word(),
    }
    (result,) = memory.add(message, user_id=user, session_id=mark.word(), agent_id=mark.word())
    memory_id = str(result.id)
    for other_size in (2, size, 1):
        memory.update(memory_id, user_id=user, content=mark.words(other_size), reason=mark.word())
    memory.update(
        memory_id, user_id=user, metadata={"note": mark.words(size)}, labels=Labels(tags=[mark.word()])
    )
    memory.use(memory_id, user_id=user, useful=True, reason=mark.word())
    return memory_id


def left_in(file: Path, roots: list[str]) -> list[str]:
    """Which words stand in the bytes of a store, whatever the case.

    Their ends are looked for: an index leaves out beginnings that neighbours share.
    """
    beside = [file.with_name(file.name + suffix) for suffix in ("", "-wal", "-journal")]
    data = b"".join(each.read_bytes() for each in beside if each.exists()).lower()
    return [root for root in roots if root[5:].encode() in data]


@pytest.mark.parametrize("seed", range(4))
def test_purged_words_and_their_stems_are_nowhere_in_the_file(tmp_path: Path, seed: int) -> None:
    file, gone, kept = tmp_path / "brain.db", Marker(seed), Marker(-1 - seed)
    chance = random.Random(seed)  # noqa: S311
    with Memory(file, embedder=EMBEDDER) as memory:
        doomed = []
        for _ in range(20):
            memory.add([kept.words(chance.choice([5, 300])) for _ in range(2)], user_id="ada")
            memory.add(kept.words(5), user_id="bob")
            doomed.append(remember_and_change(memory, gone, user="ada", size=chance.choice([3, 60, 1_500])))
        chance.shuffle(doomed)
        for memory_id in doomed:
            memory.delete(memory_id, user_id="ada", reason=gone.word())
        assert memory.purge(user_id="ada") == len(doomed)
        for memory_id in doomed:
            with pytest.raises(NotFoundError):
                memory.history(memory_id, user_id="ada")
        out = io.StringIO()
        memory.export(out)
        assert [root for root in gone.roots if root in out.getvalue()] == []
        for root in gone.roots[:50]:
            assert all(hit.signals["words"] == 0 for hit in memory.search(root, user_id="ada"))
        assert memory.maintenance.doctor().problems == ()
    assert left_in(file, gone.roots) == []
    assert len(left_in(file, kept.roots)) > len(kept.roots) // 2


def test_purged_words_are_gone_while_the_store_stays_open(tmp_path: Path) -> None:
    file, gone = tmp_path / "brain.db", Marker(0)
    with Memory(file, embedder=EMBEDDER) as memory:
        memory.delete(remember_and_change(memory, gone, user="ada", size=60), user_id="ada")
        memory.purge(user_id="ada")
        assert left_in(file, gone.roots) == []


def test_deleted_words_stay_in_the_history_until_they_are_purged(tmp_path: Path) -> None:
    file, gone = tmp_path / "brain.db", Marker(0)
    with Memory(file, embedder=EMBEDDER) as memory:
        memory_id = remember_and_change(memory, gone, user="ada", size=3)
        memory.delete(memory_id, user_id="ada")
        said = json.dumps([dict(change.before) for change in memory.history(memory_id, user_id="ada")])
        assert gone.roots[0] in said
        assert memory.search(gone.roots[0], user_id="ada") == []
        with pytest.raises(InvalidInputError):
            memory.purge(user_id="")


def test_purging_one_session_leaves_what_was_deleted_in_others(tmp_path: Path) -> None:
    with Memory(tmp_path / "brain.db", embedder=EMBEDDER) as memory:
        (one,) = memory.add("tea", user_id="ada", session_id="one")
        (two,) = memory.add("tea", user_id="ada", session_id="two")
        memory.delete_all(user_id="ada")
        assert memory.purge(user_id="ada", session_id="one") == 1
        assert len(memory.history(str(two.id), user_id="ada")) == 2
        with pytest.raises(NotFoundError):
            memory.history(str(one.id), user_id="ada")


def test_a_purged_key_and_session_start_anew(tmp_path: Path) -> None:
    with Memory(tmp_path / "brain.db", embedder=EMBEDDER) as memory:
        for _ in range(2):
            (result,) = memory.add("tea", user_id="ada", session_id="s", idempotency_key="k")
            assert result.status == "stored"
            assert memory.get(str(result.id), user_id="ada").origin.turn == 0
            memory.delete_all(user_id="ada")
            memory.purge(user_id="ada")


# Superseded


@pytest.fixture(params=TARGETS)
def moved(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Memory]:
    """Ada lived in Paris until 2025, and has lived in Rome since."""
    where = tmp_path / "brain.db" if request.param == "file" else ":memory:"
    paris = {"content": "Ada lives in Paris", "timestamp": "2024-01-01", "valid_until": "2025-01-01"}
    rome = {"content": "Ada lives in Rome", "timestamp": "2025-01-01"}
    with Memory(where, embedder=EMBEDDER) as memory:
        memory.add([paris, rome], user_id="ada")
        yield memory


@pytest.mark.parametrize(
    ("as_of", "places"),
    [
        (None, {"Rome"}),
        ("2023-12-31T23:59:59.999999Z", set()),
        ("2024-01-01", {"Paris"}),
        ("2024-12-31T23:59:59.999999Z", {"Paris"}),
        ("2025-01-01", {"Rome"}),
        ("9999-12-31", {"Rome"}),
    ],
)
def test_what_no_longer_holds_is_left_out_and_seen_as_of_then(
    moved: Memory, as_of: str | None, places: set[str]
) -> None:
    hits = moved.search("where does Ada live", user_id="ada", within=Within(as_of=as_of))
    assert {hit.memory.content.rsplit(" ", 1)[1] for hit in hits} == places
    text = moved.context("where does Ada live", user_id="ada", within=Within(as_of=as_of)).text
    assert {place for place in ("Paris", "Rome") if place in text} == places


def test_what_is_superseded_later_is_left_out_from_then_on(moved: Memory) -> None:
    rome = moved.search("Rome", user_id="ada")[0].memory
    moved.update(rome.id, user_id="ada", valid_until="2026-01-01", reason="moved on")
    find: Callable[..., list[Any]] = moved.search
    assert find("Rome", user_id="ada") == []
    assert [hit.memory.id for hit in find("Rome", user_id="ada", within=Within(as_of="2025-06-01"))] == [
        rome.id
    ]
    assert moved.get(rome.id, user_id="ada").content == "Ada lives in Rome"
