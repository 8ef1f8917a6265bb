"""Out as JSON Lines and in again: nothing is lost, and what is damaged is named by its line."""

import io
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from recollect import InvalidInputError, Memory, MemoryRecord
from recollect.embedders import open_embedder
from recollect.protocols import Store
from recollect.stores.reference.store import InMemoryStore
from recollect.stores.sqlite import SQLiteStore
from recollect.testing import ADA, BOB, entry_of, make_entry
from recollect.testing.strategies import records
from recollect.types import Link, LoadResult, Scope
from recollect.types.characters import without_controls
from recollect.types.filters import Filter

EMBEDDER: Final = open_embedder("hashing")
UNSHRUNK: Final = (Phase.explicit, Phase.reuse, Phase.generate)
"""Examples on files are slow to shrink, longer than a test may take, and small as they are."""
TALK: Final = [{"role": "user", "content": f"heron {number}", "name": "Ada"} for number in range(5)]


@pytest.fixture(params=["file", "in memory"])
def memory(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Memory]:
    where = tmp_path / "brain.db" if request.param == "file" else ":memory:"
    with Memory(where, embedder=EMBEDDER) as memory:
        yield memory


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Memory]:
    with Memory(tmp_path / "other.db", embedder=EMBEDDER) as memory:
        yield memory


def exported(memory: Memory, user_id: str | None = None) -> str:
    out = io.StringIO()
    memory.export(out, user_id=user_id)
    return out.getvalue()


def load(memory: Memory, text: str, user_id: str | None = None) -> LoadResult:
    return memory.load(io.StringIO(text), user_id=user_id)


def links_of(store: Any, scope: Scope, ids: list[str]) -> list[list[Link]]:
    return [store.links(scope, memory_id) for memory_id in ids]


# Without loss


def without_any_controls(value: Any) -> Any:
    """The same without control characters, as deep as they are: no way in lets them into words and names."""
    if isinstance(value, str):
        return without_controls(value)
    if isinstance(value, tuple):
        return tuple(map(without_any_controls, value))
    if not is_dataclass(value) or isinstance(value, type):
        return value
    return replace(
        value, **{one.name: without_any_controls(getattr(value, one.name)) for one in fields(value)}
    )


def worded(record: MemoryRecord, number: int) -> MemoryRecord:
    """The record with an id and words, which every memory has; keys that differ."""
    key = None if record.idempotency_key is None else f"{record.idempotency_key}{number}"
    return replace(
        record,
        summary=without_any_controls(record.summary),
        labels=without_any_controls(record.labels),
        origin=replace(
            record.origin,
            speaker=without_any_controls(record.origin.speaker),
            role=without_controls(record.origin.role),
        ),
        id=f"019a0000-0000-7000-8000-{number:012x}",
        content=f"{without_controls(record.content)} heron {number}",
        idempotency_key=key,
    )


def filled(store: Store, found: list[MemoryRecord], links: list[tuple[int, int]]) -> Memory:
    """A memory whose store holds these records, and links between those of one user."""
    by_id: dict[str, MemoryRecord] = {}
    for number, record in enumerate(found):
        own = worded(record, number)
        store.add(own.scope, [entry_of(own)])
        by_id[own.id] = own
    ids = list(by_id)
    for source, target in links:
        ends = ids[source % len(ids)], ids[target % len(ids)]
        user_id = by_id[ends[0]].scope.user_id
        if by_id[ends[1]].scope.user_id == user_id:
            link: Any = Link(source_id=ends[0], target_id=ends[1], type="derived-from")
            store.link(Scope(user_id=user_id), [link])  # type: ignore[attr-defined]
    return Memory(store, embedder=EMBEDDER)


@settings(max_examples=30, deadline=None, phases=UNSHRUNK)
@given(
    found=st.lists(records(), min_size=1, max_size=6),
    links=st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=4),
)
def test_every_field_and_link_of_any_record_comes_back(
    found: list[MemoryRecord], links: list[tuple[int, int]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("transfer")
    with (
        filled(SQLiteStore(folder / "from.db"), found, links) as source,
        Memory(folder / "to.db", embedder=EMBEDDER) as target,
        Memory(InMemoryStore(), embedder=EMBEDDER) as third,
    ):
        text = exported(source)
        assert load(target, text) == LoadResult(stored=len(found), duplicates=0)
        assert load(third, exported(target)).stored == len(found)
        assert exported(target) == exported(third) == text
        for user_id in ("ada", "bob"):
            there = source.get_all(user_id=user_id)
            assert target.get_all(user_id=user_id) == third.get_all(user_id=user_id) == there
            scope, ids = Scope(user_id=user_id), [record.id for record in there]
            assert links_of(target.parts.store, scope, ids) == links_of(source.parts.store, scope, ids)
            assert links_of(third.parts.store, scope, ids) == links_of(source.parts.store, scope, ids)


def test_what_was_loaded_is_found(memory: Memory, other: Memory) -> None:
    memory.add(TALK, user_id="ada", session_id="s", metadata={"a": [1, {"b": None}]})
    assert load(other, exported(memory)).stored == 5
    assert other.search("heron 3", user_id="ada", session_id="s") == memory.search(
        "heron 3", user_id="ada", session_id="s"
    )
    (added,) = other.add("heron 5", user_id="ada", session_id="s")
    assert other.get(str(added.id), user_id="ada").origin.turn == 5


def test_what_was_learned_comes_along_and_replaces_nothing(memory: Memory, other: Memory) -> None:
    memory.add("tea", user_id="ada")
    for name in ("likes", "habits"):
        memory.parts.store.change_state(ADA, name, lambda _, name=name: f"{name} of old")
    other.parts.store.change_state(ADA, "likes", lambda _: "own")
    load(other, exported(memory))
    assert other.parts.store.states(ADA) == {"likes": "own", "habits": "habits of old"}


def test_what_was_learned_of_a_user_without_memories_comes_along(memory: Memory, other: Memory) -> None:
    memory.parts.store.change_state(ADA, "likes", lambda _: "learned")
    load(other, exported(memory))
    assert other.parts.store.states(ADA) == {"likes": "learned"}


def test_turns_keep_their_order_when_ids_do_not_follow_it(other: Memory) -> None:
    store = InMemoryStore()
    ids = [f"019a0000-0000-7000-8000-{number:012x}" for number in (3, 1, 2)]
    for place, memory_id in enumerate(ids):
        store.add(ADA, [make_entry(f"turn {place}", memory_id=memory_id, thread="t")])
    load(other, exported(Memory(store, embedder=EMBEDDER)))
    turns = {record.content: record.origin.turn for record in other.get_all(user_id="ada")}
    assert turns == {"turn 0": 0, "turn 1": 1, "turn 2": 2}


def test_only_the_users_asked_for_are_written(memory: Memory) -> None:
    memory.add("Ada's", user_id="ada")
    memory.add("Bob's", user_id="bob")
    assert "Bob's" not in exported(memory, "ada")
    assert exported(memory, "nobody").count("\n") == 1
    assert "Ada's" in exported(memory)
    assert "Bob's" in exported(memory)


def test_deleted_memories_are_not_written(memory: Memory) -> None:
    (tea, _) = memory.add(["tea", "jazz"], user_id="ada")
    memory.delete(str(tea.id), user_id="ada")
    assert '"tea"' not in exported(memory)


# Again, and into what is there


def test_loading_twice_adds_nothing(memory: Memory, other: Memory) -> None:
    memory.add(TALK, user_id="ada", idempotency_key="k")
    text = exported(memory)
    assert load(other, text) == LoadResult(stored=5, duplicates=0)
    before = exported(other)
    assert load(other, text) == load(memory, text) == LoadResult(stored=0, duplicates=5)
    assert exported(other) == before == text


def test_what_is_there_stays_as_it_is(memory: Memory) -> None:
    (tea, _) = memory.add(["tea", "jazz"], user_id="ada")
    text = exported(memory)
    memory.update(str(tea.id), user_id="ada", content="coffee")
    assert load(memory, text) == LoadResult(stored=0, duplicates=2)
    assert memory.get(str(tea.id), user_id="ada").content == "coffee"


@pytest.mark.parametrize("purged", [False, True])
def test_what_was_deleted_stays_deleted_until_it_is_purged(memory: Memory, purged: bool) -> None:
    (tea, jazz) = memory.add(["tea", "jazz"], user_id="ada")
    store: Any = memory.parts.store
    store.link(ADA, [Link(source_id=str(tea.id), target_id=str(jazz.id), type="related")])
    text = exported(memory)
    memory.delete_all(user_id="ada", filters={"content": "tea"})
    if purged:
        memory.purge(user_id="ada")
    assert load(memory, text) == LoadResult(stored=int(purged), duplicates=2 - int(purged))
    assert [record.content for record in memory.get_all(user_id="ada")] == ["tea", "jazz"][not purged :]
    assert len(store.links(ADA, str(jazz.id))) == int(purged)


def test_a_line_that_stands_there_twice_is_stored_once(memory: Memory, other: Memory) -> None:
    memory.add("tea", user_id="ada")
    text = exported(memory)
    assert load(other, text + text.splitlines()[1]) == LoadResult(stored=1, duplicates=1)


def test_everything_can_be_given_to_another_user(memory: Memory, other: Memory) -> None:
    memory.add(TALK[:3], user_id="ada", session_id="s", agent_id="tutor")
    memory.add("Bob's", user_id="bob")
    ids = [record.id for record in memory.get_all(user_id="ada")]
    store: Any = memory.parts.store
    store.link(ADA, [Link(source_id=ids[0], target_id=ids[2], type="supersedes")])
    assert load(other, exported(memory), "eve").stored == 4
    found = other.get_all(user_id="eve", session_id="s", agent_id="tutor")
    assert [record.id for record in found] == ids
    assert other.parts.store.user_ids() == ["eve"]
    assert len(links_of(other.parts.store, Scope(user_id="eve"), ids)[0]) == 1
    assert links_of(other.parts.store, ADA, ids) == links_of(other.parts.store, BOB, ids) == [[], [], []]


def test_a_user_may_be_copied_within_one_store(memory: Memory) -> None:
    memory.add(TALK, user_id="ada", idempotency_key="k")
    text = exported(memory, "ada")
    assert load(memory, text, "bob").stored == 5
    assert load(memory, text, "bob").duplicates == 5
    assert [r.content for r in memory.get_all(user_id="bob")] == [turn["content"] for turn in TALK]


# Damage

HEADER = '{"format": "recollect-export", "version": 1}\n'


@pytest.mark.parametrize(
    ("header", "said"),
    [
        ("", "line 1 is not the header"),
        ("\n", "line 1 is not the header"),
        ("dear diary\n", "line 1 is not the header"),
        ("[]\n", "line 1 is not the header"),
        ('{"role": "user", "content": "hi"}\n', "use add for other files"),
        ("[" * 100_000, "line 1 is not the header"),
        ('{"format": "recollect-export", "version": 2}\n', "version 2, known here is 1"),
        ('{"format": "recollect-export"}\n', "version None"),
    ],
    ids=range(8),
)
def test_what_does_not_begin_as_an_export_is_refused(memory: Memory, header: str, said: str) -> None:
    with pytest.raises(InvalidInputError, match=said):
        load(memory, header)


def a_memory(**changes: Any) -> str:
    """The line of a memory, with fields changed by ``group__field``; None takes one out."""
    at = "2026-05-01T12:00:00+00:00"
    memory: dict[str, Any] = {
        "id": "019a0000-0000-7000-8000-000000000099",
        "scope": {"user_id": "ada"},
        "content": "the damaged one",
        "times": {"created_at": at, "happened_at": at, "updated_at": at},
        "metadata": {},
    }
    for path, value in changes.items():
        *groups, name = path.split("__")
        inner = memory
        for group in groups:
            inner = inner.setdefault(group, {})
        inner[name] = value
        if value is None:
            del inner[name]
    return json.dumps({"memory": memory})


BAD_LINES: Mapping[str, tuple[str, str]] = {
    "no JSON": ("{", "property name"),
    "half a line": (a_memory()[:80], ""),
    "a text": ('"link"', ""),
    "a list": ("[1]", ""),
    "a number": ("5", ""),
    "null": ("null", ""),
    "something else": ('{"diary": 1}', "'memory'"),
    "a second header": (HEADER.strip(), "'memory'"),
    "deep JSON": ("[" * 100_000, ""),
    "a list as memory": ('{"memory": []}', ""),
    "no words": (a_memory(content=None), "content"),
    "blank words": (a_memory(content=" "), "blank"),
    "a number as words": (a_memory(content=5), "content"),
    "a NUL in the words": (a_memory(content="a\0b"), "NUL"),
    "half a surrogate pair": (a_memory(content="a\ud800"), "surrogate"),
    "half a surrogate pair in a tag": (a_memory(labels__tags=[{"text": "\ud800"}]), "surrogate"),
    "no id": (a_memory(id=None), "id"),
    "a blank id": (a_memory(id=""), "id"),
    "a long id": (a_memory(id="x" * 37), "not one of ours"),
    "a foreign id": (a_memory(id="é"), "not one of ours"),
    "a number as id": (a_memory(id=5), "id"),
    "no scope": (a_memory(scope=None), "user_id|scope"),
    "a blank user": (a_memory(scope__user_id=""), "user_id"),
    "a number as session": (a_memory(scope__session_id=5), "session_id"),
    "no times": (a_memory(times=None), "created_at"),
    "an unreadable time": (a_memory(times__happened_at="yesterday"), "yesterday"),
    "a number as time": (a_memory(times__happened_at=5), "happened_at cannot be 5"),
    "an unknown kind": (a_memory(kind="opinion"), "kind cannot be 'opinion'"),
    "an unknown tier": (a_memory(tier="attic"), "tier cannot be 'attic'"),
    "an unknown field": (a_memory(colour="red"), "colour"),
    "an unknown field in a group": (a_memory(worth__colour="red"), "colour"),
    "a text as importance": (a_memory(worth__importance="high"), "importance"),
    "NaN as importance": (a_memory(worth__importance=float("nan")), "importance"),
    "a large confidence": (a_memory(worth__confidence=7), "confidence"),
    "an unknown priority": (a_memory(worth__priority="some"), "priority"),
    "a text as critical": (a_memory(worth__critical="yes"), "critical"),
    "infinity as decay": (a_memory(use__decay_factor=float("inf")), "decay_factor"),
    "a text as count": (a_memory(use__useful_count="two"), "useful_count"),
    "a huge count": (a_memory(use__useful_count=2**70), "useful_count"),
    "a number as summary": (a_memory(summary=5), "summary cannot be 5"),
    "a text as sources": (a_memory(origin__sources="abc"), "sources"),
    "numbers as concepts": (a_memory(labels__concepts=[1]), "concepts"),
    "texts as tags": (a_memory(labels__tags=["a"]), ""),
    "a list as metadata": (a_memory(metadata=[1]), "metadata"),
    "NaN in metadata": (a_memory(metadata={"a": float("nan")}), "metadata"),
    "a number as key": (a_memory(idempotency_key=5), "idempotency_key"),
    "a link to nowhere": ('{"link": {"source_id": "a"}, "user_id": "ada"}', "target_id"),
    "a link of an unknown type": (
        '{"link": {"source_id": "a", "target_id": "b", "type": "likes"}, "user_id": "ada"}',
        "type cannot be 'likes'",
    ),
    "a link of nobody": ('{"link": {"source_id": "a", "target_id": "b", "type": "related"}}', "user_id"),
}


@pytest.mark.parametrize("bad", BAD_LINES)
def test_a_damaged_line_is_named_and_the_mended_file_adds_the_rest(memory: Memory, bad: str) -> None:
    line, said = BAD_LINES[bad]
    good, last = a_memory(id="1", content="good"), a_memory(id="2", content="last")
    with pytest.raises(InvalidInputError, match=f"line 3 .*({said})") as caught:
        load(memory, f"{HEADER}{good}\n{line}\n{last}")
    assert len(str(caught.value)) < 400
    load(memory, f"{HEADER}{good}\n{last}")
    assert [record.content for record in memory.get_all(user_id="ada")] == ["good", "last"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (
            json.dumps({"memory": {**json.loads(a_memory())["memory"], "xx": 1}}),
            "it has 'xx', which is not known",
        ),
        (json.dumps({"memory": {"id": "1"}}), "it has no 'user_id'"),
        ('{"memory": []}', "it has another shape"),
        ("[]", "it has another shape"),
    ],
)
def test_what_is_wrong_with_a_line_is_said_without_words_of_python(
    memory: Memory, line: str, said: str
) -> None:
    with pytest.raises(InvalidInputError, match=said) as caught:
        load(memory, f"{HEADER}{line}")
    assert "__init__" not in str(caught.value)
    assert "object" not in str(caught.value)


def test_links_whose_ends_are_missing_are_left_out(memory: Memory) -> None:
    link = '{"link": {"source_id": "1", "target_id": "%s", "type": "related"}, "user_id": "ada"}'
    lines = [a_memory(id="1"), a_memory(id="2"), link % "3", link % "2"]
    assert load(memory, HEADER + "\n".join(lines)).stored == 2
    (found,) = links_of(memory.parts.store, ADA, ["1"])
    assert [one.target_id for one in found] == ["2"]


def test_blank_lines_and_windows_line_ends_are_fine(memory: Memory) -> None:
    text = f"{HEADER}\n\n{a_memory()}\n \n".replace("\n", "\r\n")
    assert load(memory, text).stored == 1


def test_bytes_are_read_as_utf_8(memory: Memory) -> None:
    data: Any = io.BytesIO(f"{HEADER}{a_memory(content='Zürich')}".encode())
    assert memory.load(data).stored == 1


@pytest.mark.parametrize(
    ("use", "said"),
    [
        (lambda memory, folder: memory.load(folder / "none.jsonl"), "cannot be read"),
        (lambda memory, folder: memory.load(folder / "latin.jsonl"), "not UTF-8"),
        (lambda memory, folder: memory.export(folder / "latin.jsonl"), "exists; name a new file"),
    ],
    ids=["missing", "not UTF-8", "there already"],
)
def test_a_file_that_cannot_be_used_is_named(
    memory: Memory, tmp_path: Path, use: Callable[[Memory, Path], object], said: str
) -> None:
    (tmp_path / "latin.jsonl").write_bytes("Zürich".encode("latin-1"))
    with pytest.raises(InvalidInputError, match=said):
        use(memory, tmp_path)
    assert (tmp_path / "latin.jsonl").read_bytes() == "Zürich".encode("latin-1")


# Many


class Counting(io.TextIOBase):
    """A file that counts its lines and keeps none."""

    def __init__(self) -> None:
        self.lines = 0

    def write(self, text: str) -> int:
        assert text.count("\n") == 1
        self.lines += 1
        return len(text)


class Paged(SQLiteStore):
    """A store that notes how many memories were asked for at a time."""

    pages: tuple[int | None, ...] = ()

    def find(
        self, scope: Scope, where: Filter, *, limit: int | None = None, **more: Any
    ) -> list[MemoryRecord]:
        self.pages += (limit,)
        return super().find(scope, where, limit=limit, **more)


def test_ten_thousand_memories_are_written_page_by_page(tmp_path: Path) -> None:
    store, out = Paged(tmp_path / "brain.db"), Counting()
    with Memory(store, embedder=EMBEDDER) as memory:
        memory.add([f"note {number}" for number in range(10_000)], user_id="ada")
        store.pages = ()
        target: Any = out
        assert memory.export(target) == 10_000
    assert out.lines == 10_001
    assert set(store.pages) == {1_000}


def test_lines_are_read_only_as_they_are_stored(memory: Memory) -> None:
    read: list[int] = []

    def lines() -> Iterator[str]:
        yield HEADER
        for number in range(3_000):
            read.append(number)
            yield a_memory(id=str(number))
            if number == 2_500:
                assert len(memory.get_all(user_id="ada")) >= 2_000

    source: Any = lines()
    assert memory.load(source).stored == 3_000
    assert read == list(range(3_000))
