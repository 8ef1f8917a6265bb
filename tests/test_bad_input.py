"""What bad input gets: an error of ours that says what to do, and nothing that was stored is touched."""

import inspect
import math
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest
from tests.tables import table

from recollect import Memory, RecollectError
from recollect.errors import (
    ClosedError,
    EmbedderMismatchError,
    InvalidInputError,
    MissingExtraError,
    NotFoundError,
    StoreError,
)
from recollect.retrieval.scoring import Retrieval
from recollect.stores.sqlite import SQLiteStore
from recollect.types import Labels, Within

KEPT = "Ada saw a heron by the river"
NUL, SURROGATE = "a\0b", "a\ud800b"
EAST, WEST = timezone(timedelta(hours=14)), timezone(-timedelta(hours=12))
FIRST_DAY, LAST_DAY = datetime(1, 1, 1, tzinfo=EAST), datetime(9999, 12, 31, 23, tzinfo=WEST)
HUGE = 10**5_000
"""A whole number that Python itself will not write as text."""


class Rude:
    """Something that does not even say what it is."""

    def __repr__(self) -> str:
        raise ZeroDivisionError


@pytest.fixture(params=["file", "in memory"])
def memory(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Memory]:
    """A memory that must hold what it held, and find it, whatever the test did to it."""
    with Memory(
        tmp_path / "brain.db" if request.param == "file" else ":memory:", embedder="hashing"
    ) as memory:
        memory.add({"content": KEPT, "metadata": {"bird": "heron"}}, user_id="ada")
        before = memory.get_all(user_id="ada")
        yield memory
        assert memory.get_all(user_id="ada")[:1] == before
        assert KEPT in texts(memory.search("heron by the river", user_id="ada"))


def texts(hits: list[Any]) -> list[str]:
    return [hit.memory.content for hit in hits]


def only_id(memory: Memory) -> str:
    return memory.get_all(user_id="ada")[0].id


def nested(depth: int, *, inside: type = dict) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = {"a": value} if inside is dict else [value]
    return value


def cyclic() -> dict[str, Any]:
    value: dict[str, Any] = {}
    value["self"] = value
    return value


class Unprintable:
    def __repr__(self) -> str:
        raise RuntimeError("no words for it")


# Words

BAD_WORDS = {
    "nothing": ("", "blank"),
    "blanks": (" \t\n\u3000", "blank"),
    "None": (None, "must be a text"),
    "a number": (5, "must be a text"),
    "bytes": (b"heron", "must be a text"),
    "parts that are none": ([5], "must be a text"),
    "something without a repr": (Unprintable(), "Unprintable"),
    "ten megabytes": ("heron " * 1_700_000, "split"),
    "a NUL": (NUL, "NUL"),
    "half a surrogate pair": (SURROGATE, "surrogate"),
}


@pytest.mark.parametrize("bad", BAD_WORDS)
def test_a_message_without_words_that_can_be_stored_is_refused(memory: Memory, bad: str) -> None:
    words, said = BAD_WORDS[bad]
    with pytest.raises(InvalidInputError, match=said):
        memory.add({"content": words}, user_id="ada")
    assert len(memory.get_all(user_id="ada")) == 1


@pytest.mark.parametrize("bad", BAD_WORDS)
def test_in_a_list_such_an_item_is_refused_by_itself_and_the_rest_is_stored(memory: Memory, bad: str) -> None:
    words, said = BAD_WORDS[bad]
    results = memory.add(["before", {"content": words}, "after"], user_id="ada", session_id="s")
    assert [result.status for result in results] == ["stored", "refused", "stored"]
    assert (results[1].id, said in str(results[1].reason)) == (None, True)
    assert "messages[1]" in str(results[1].reason)
    records = memory.get_all(user_id="ada", session_id="s")
    assert [(record.content, record.origin.turn) for record in records] == [("before", 0), ("after", 1)]


@pytest.mark.parametrize("bad", [name for name in BAD_WORDS if name != "None"])
def test_bad_words_cannot_be_asked_for_or_put_in_place_of_good_ones(memory: Memory, bad: str) -> None:
    words, said = BAD_WORDS[bad]
    for call in (
        lambda: memory.search(words, user_id="ada"),
        lambda: memory.context(words, user_id="ada"),
        lambda: memory.explain(only_id(memory), user_id="ada", query=words),
        lambda: memory.update(only_id(memory), user_id="ada", content=words),
    ):
        with pytest.raises(InvalidInputError, match=said):
            call()
    assert len(memory.history(only_id(memory), user_id="ada")) == 1


@pytest.mark.parametrize("messages", [None, 5, b"heron", {"heron"}, [["heron"]], [None], [5], [b"heron"]])
def test_what_is_no_message_is_refused_whole(memory: Memory, messages: Any) -> None:
    with pytest.raises(InvalidInputError, match=r"message|text"):
        memory.add(messages, user_id="ada")
    assert len(memory.get_all(user_id="ada")) == 1


def test_a_generator_is_refused_before_anything_is_taken_from_it(memory: Memory) -> None:
    given = (word for word in ["heron"])
    with pytest.raises(InvalidInputError, match="generator"):
        memory.add(given, user_id="ada")  # type: ignore[arg-type]
    assert list(given) == ["heron"]


def test_an_empty_list_is_no_message_and_a_far_future_is_warned_about(memory: Memory) -> None:
    with pytest.raises(InvalidInputError, match="nothing was added"):
        memory.add([], user_id="ada")
    (result,) = memory.add("heron", user_id="ada", timestamp="2999-01-01")
    assert (result.status, "over a year ahead" in (result.reason or "")) == ("stored", True)


def test_an_unknown_key_of_a_message_is_named_with_its_place(memory: Memory) -> None:
    with pytest.raises(InvalidInputError, match=r"messages\[1\].*'mood'.*metadata"):
        memory.add(["fine", {"content": "x", "mood": "calm"}], user_id="ada")
    assert len(memory.get_all(user_id="ada")) == 1


def test_a_wrong_field_of_a_message_is_named_as_a_field_of_it(memory: Memory) -> None:
    for field, value in (
        ("tags", "dog"),
        ("name", 5),
        ("role", 5),
        ("critical", "no"),
        ("timestamp", "soon"),
    ):
        with pytest.raises(InvalidInputError, match=f"^the message's {field} "):
            memory.add({"content": "x", field: value}, user_id="u1")
        with pytest.raises(InvalidInputError, match=rf"^messages\[0\] {field} "):
            memory.add([{"content": "x", field: value}], user_id="u1")


def test_the_largest_words_allowed_are_stored_and_found(memory: Memory) -> None:
    (result,) = memory.add("egret " + "x" * 999_994, user_id="ada")
    assert result.status == "stored"
    assert memory.search("egret", user_id="ada", top_k=1)[0].memory.id == result.id


@pytest.mark.parametrize("query", ["?!", '"', "*", "AND OR NOT", "heron) OR user:u2 (", "-", "\n.\n", "🦊"])
def test_a_question_is_never_read_as_a_command(memory: Memory, query: str) -> None:
    memory.add("Bob's own words", user_id="bob")
    assert set(texts(memory.search(query, user_id="ada"))) <= {KEPT}


# Ids

BAD_IDS = {
    "nothing": ("", "blank"),
    "blanks": ("  ", "blank"),
    "a number": (5, "must be a string"),
    "bytes": (b"ada", "must be a string"),
    "a list": (["ada"], "must be a string"),
    "a long one": ("a" * 257, "256"),
    "a NUL": (NUL, "unprintable characters"),
    "half a surrogate pair": (SURROGATE, "unprintable characters"),
    "a line break": ("ada\nbob", "unprintable characters"),
}


@pytest.mark.parametrize("bad", BAD_IDS)
def test_an_id_that_names_nobody_is_refused_everywhere(memory: Memory, bad: str, tmp_path: Path) -> None:
    name, said = BAD_IDS[bad]
    own = only_id(memory)
    calls: list[Callable[[], object]] = [
        lambda: memory.add("x", user_id=name),
        lambda: memory.add("x", user_id="ada", agent_id=name),
        lambda: memory.add("x", user_id="ada", session_id=name),
        lambda: memory.search("x", user_id=name),
        lambda: memory.search("x", user_id="ada", agent_id=name),
        lambda: memory.context("x", user_id="ada", session_id=name),
        lambda: memory.get_all(user_id=name),
        lambda: memory.get_all(user_id="ada", after=name),
        lambda: memory.get(own, user_id=name),
        lambda: memory.get(name, user_id="ada"),
        lambda: memory.update(own, user_id=name, labels=Labels(importance=0.1)),
        lambda: memory.update(name, user_id="ada", labels=Labels(importance=0.1)),
        lambda: memory.delete(own, user_id=name),
        lambda: memory.delete([own, name], user_id="ada"),
        lambda: memory.delete_all(user_id=name),
        lambda: memory.delete_all(user_id="ada", session_id=name),
        lambda: memory.purge(user_id=name),
        lambda: memory.history(name, user_id="ada"),
        lambda: memory.use(own, user_id=name, useful=True)[0],
        lambda: memory.explain(own, user_id=name),
        lambda: memory.stats(user_id=name),
        lambda: memory.jobs.list(user_id=name),
        lambda: memory.jobs.count(user_id=name),
        lambda: memory.export(tmp_path / "out.jsonl", user_id=name),
    ]
    for call in calls:
        with pytest.raises(InvalidInputError, match=said):
            call()
    assert not (tmp_path / "out.jsonl").exists()


def test_no_user_at_all_is_refused(memory: Memory) -> None:
    for call in (memory.add, memory.search):
        with pytest.raises(InvalidInputError, match="user_id"):
            call("heron", user_id=None)  # type: ignore[arg-type]


@pytest.mark.parametrize("user", ["ada", "bob"])
def test_an_unknown_id_and_one_of_another_user_are_the_same_to_a_user(memory: Memory, user: str) -> None:
    asked = "01900000-0000-7000-8000-000000000000" if user == "ada" else only_id(memory)
    for call in (
        lambda: memory.get(asked, user_id=user),
        lambda: memory.update(asked, user_id=user, content="x"),
        lambda: memory.delete(asked, user_id=user),
        lambda: memory.history(asked, user_id=user),
        lambda: memory.use(asked, user_id=user, useful=True)[0],
        lambda: memory.explain(asked, user_id=user, query="heron"),
    ):
        with pytest.raises(NotFoundError, match="for this user"):
            call()
    assert len(memory.history(only_id(memory), user_id="ada")) == 1


# Times

BAD_TIMES = {
    "a word": "yesterday",
    "nothing": "",
    "half a surrogate pair": "2026-\ud800",
    "the year 0": "0000-01-01",
    "the year 10000": "10000-01-01T00:00:00Z",
    "month 13": "2026-13-01",
    "a huge float": 1e300,
    "NaN": math.nan,
    "infinity": -math.inf,
    "a huge number": HUGE,
    "a bool": True,
    "a list": [2026, 5, 1],
    "a Decimal": Decimal(5),
    "before the calendar": FIRST_DAY,
    "after the calendar": LAST_DAY,
    "before the calendar, as text": FIRST_DAY.isoformat(),
}


@pytest.mark.parametrize("bad", BAD_TIMES)
def test_an_unreadable_time_is_refused_with_an_example(memory: Memory, bad: str) -> None:
    time: Any = BAD_TIMES[bad]
    for call in (
        lambda: memory.add("x", user_id="ada", timestamp=time),
        lambda: memory.add(["fine", {"content": "x", "timestamp": time}], user_id="ada"),
        lambda: memory.add({"content": "x", "valid_until": time}, user_id="ada"),
        lambda: memory.search("x", user_id="ada", within=Within(since=time)),
        lambda: memory.search("x", user_id="ada", within=Within(until=time)),
        lambda: memory.search("x", user_id="ada", within=Within(as_of=time)),
        lambda: memory.get_all(user_id="ada", within=Within(since=time)),
        lambda: memory.update(only_id(memory), user_id="ada", timestamp=time),
        lambda: memory.update(only_id(memory), user_id="ada", valid_until=time),
    ):
        with pytest.raises(InvalidInputError, match="is not a time; write it as 2026-05-01T10:00:00Z"):
            call()
    assert len(memory.get_all(user_id="ada")) == 1


@pytest.mark.parametrize("moment", [1_700_000_000_000, 1_700_000_000_000.5])
def test_milliseconds_are_named_as_such(memory: Memory, moment: float) -> None:
    with pytest.raises(InvalidInputError, match=r"timestamp 17000.* is in milliseconds: divide by 1000"):
        memory.add("egret", user_id="ada", timestamp=moment)
    with pytest.raises(InvalidInputError, match=r"since 17000.* is in milliseconds"):
        memory.search("x", user_id="ada", within=Within(since=moment))
    (result,) = memory.add("egret", user_id="ada", timestamp=moment / 1000)
    assert (
        memory.get(result.id, user_id="ada").times.happened_at.year == datetime.fromtimestamp(1.7e9, UTC).year
    )


def test_a_date_is_its_first_moment(memory: Memory) -> None:
    day = date(2026, 5, 1)
    (result,) = memory.add("egret on a day", user_id="ada", timestamp=day)
    assert memory.get(result.id, user_id="ada").times.happened_at == datetime(2026, 5, 1, tzinfo=UTC)
    for within in (Within(since=day, until=date(2026, 5, 2)), Within(as_of=day)):
        assert memory.search("egret", user_id="ada", within=within)
    for moment in (day, "2026-05-01"):
        assert memory.get_all(user_id="ada", filters={"happened_at": {"gte": moment, "lte": moment}})
    assert not memory.get_all(
        user_id="ada", filters={"happened_at": {"lt": day}, "content": "egret on a day"}
    )


@pytest.mark.parametrize(
    "moment", [datetime(1, 1, 1, tzinfo=UTC), datetime(9999, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC)]
)
def test_the_ends_of_the_calendar_are_kept_to_the_microsecond(memory: Memory, moment: datetime) -> None:
    (result,) = memory.add("egret at the edge", user_id="ada", timestamp=moment)
    assert memory.get(result.id, user_id="ada").times.happened_at == moment
    assert memory.search("egret", user_id="ada", within=Within(since=moment))[0].memory.id == result.id
    assert result.id not in [
        hit.memory.id for hit in memory.search("egret", user_id="ada", within=Within(until=moment))
    ]
    assert "egret" in memory.context("egret", user_id="ada", within=Within(as_of=moment)).text


# Numbers

BAD_SHARES = [math.nan, math.inf, -0.1, 1.1, HUGE, -HUGE, "0.5", True, [0.5], 1j]
BAD_COUNTS = [0, -1, True, 1.5, "3", HUGE, None, math.nan]


@pytest.mark.parametrize("bad", BAD_SHARES, ids=lambda value: type(value).__name__)
def test_a_share_outside_0_to_1_is_refused(memory: Memory, bad: Any) -> None:
    for call in (
        lambda: memory.search("x", user_id="ada", threshold=bad),
        lambda: memory.context("x", user_id="ada", threshold=bad),
        lambda: memory.update(only_id(memory), user_id="ada", labels=Labels(importance=bad)),
        lambda: memory.update(only_id(memory), user_id="ada", labels=Labels(confidence=bad)),
        lambda: memory.add({"content": "x", "importance": bad}, user_id="ada"),
    ):
        with pytest.raises(InvalidInputError, match="must be a number from 0 to 1"):
            call()


@pytest.mark.parametrize("bad", [*BAD_COUNTS, 10_001], ids=lambda value: type(value).__name__)
def test_a_count_that_is_none_is_refused(memory: Memory, bad: Any) -> None:
    with pytest.raises(InvalidInputError, match="top_k must be a whole number from 1 to 10,000"):
        memory.search("x", user_id="ada", top_k=bad)


@pytest.mark.parametrize("bad", BAD_COUNTS, ids=lambda value: type(value).__name__)
def test_a_budget_or_limit_that_is_none_is_refused(memory: Memory, bad: Any) -> None:
    with pytest.raises(InvalidInputError, match="budget_tokens must be a whole number"):
        memory.context("x", user_id="ada", budget_tokens=bad)
    if bad is not None:
        with pytest.raises(InvalidInputError, match="limit must be a whole number"):
            memory.get_all(user_id="ada", limit=bad)
        for name in ("limit", "after"):
            with pytest.raises(InvalidInputError, match=f"{name} must be a whole number"):
                memory.jobs.list(**{name: bad})
        with pytest.raises(InvalidInputError, match="limit must be a whole number"):
            memory.facts.conflicts(user_id="ada", limit=bad)


@pytest.mark.parametrize("bad", [1, 0, "yes"])
def test_what_is_neither_true_nor_false_is_refused(memory: Memory, bad: Any) -> None:
    for call in (
        lambda: memory.use(only_id(memory), user_id="ada", useful=bad),
        lambda: memory.jobs.list(failed=bad),
        lambda: memory.jobs.count(failed=bad),
    ):
        with pytest.raises(InvalidInputError, match="must be True or False"):
            call()


def methods(memory: Memory) -> Iterator[tuple[Any, str, inspect.Signature]]:
    """What a user calls: the methods of a memory, and of what it is reached through."""
    rooms = [getattr(memory, name) for name, one in vars(Memory).items() if isinstance(one, cached_property)]
    graph, lifecycle = memory.graph, memory.lifecycle
    made = (graph.concepts, graph.clusters, lifecycle.intents, lifecycle.thresholds)
    for room in (memory, *rooms, *(make(user_id="ada") for make in made)):
        for name in dir(room):
            if (
                not name.startswith("_")
                and name != "over"
                and callable(method := getattr(type(room), name, None))
            ):
                yield room, name, inspect.signature(method)


@pytest.mark.parametrize(
    "bad",
    [
        "x" * 100_000,
        SURROGATE,
        HUGE,
        -1e300,
        {"x" * 1_000_000: {"x" * 1_000_000: HUGE}},
        ["x" * 100_000],
        Rude(),
    ],
    ids=lambda bad: type(bad).__name__,
)
def test_no_error_of_any_method_repeats_all_it_was_given(memory: Memory, bad: Any, tmp_path: Path) -> None:
    good = {"user_id": "ada", "items": "tea", "memory_ids": [], "useful": True, "path": tmp_path / "none.md"}
    refused = set()
    for room, name, signature in methods(memory):
        if name in ("close", "purge", "delete", "delete_all", "forget_empty"):
            continue
        parameters = list(signature.parameters.values())[1:]
        needed = {one.name: good.get(one.name, "tea") for one in parameters if one.default is one.empty}
        for one in parameters:
            try:
                getattr(room, name)(**{**needed, one.name: bad})
            except RecollectError as error:
                refused.add(name)
                told = str(error)
                assert len(told.encode()) < 1_000, (name, one.name)
    assert {"add", "search", "get_all", "drain", "list", "concepts", "recluster"} <= refused


@pytest.mark.parametrize("timestamp", ["9999-12-31T23:59:59Z", "0001-01-01T00:00:00Z"])
@pytest.mark.parametrize("timeout_s", [1_800.0, 1e300, 10**30])
def test_sessions_at_the_ends_of_time_are_listed(memory: Memory, timestamp: str, timeout_s: float) -> None:
    memory.add("tea", user_id="bo", session_id="s", timestamp=timestamp)
    (session,) = memory.sessions.list(user_id="bo", timeout_s=timeout_s)
    assert (session.ended_at is None) == (timestamp[0] == "9" or timeout_s > 1e10)


# Kinds, names, tags, keys


@pytest.mark.parametrize("bad", ["opinion", "", "FACT", None, 5, ["fact"], SURROGATE, Unprintable()])
def test_an_unknown_kind_is_refused_with_the_known_ones(memory: Memory, bad: Any) -> None:
    for call in (
        lambda: memory.add("x", user_id="ada", kind=bad),
        lambda: memory.add([{"content": "x", "kind": bad}], user_id="ada"),
        lambda: memory.search("x", user_id="ada", kinds=[bad]),
        lambda: memory.get_all(user_id="ada", kinds=[bad]),
    ):
        with pytest.raises(InvalidInputError, match="known are message, episode, fact"):
            call()


@pytest.mark.parametrize("bad", ["fact", {"fact"}, 5])
def test_kinds_that_are_no_list_are_refused(memory: Memory, bad: Any) -> None:
    with pytest.raises(InvalidInputError, match=r"such as \['(fact|task)'\]"):
        memory.search("x", user_id="ada", kinds=bad)


def test_no_kinds_at_all_find_nothing(memory: Memory) -> None:
    assert memory.search("heron", user_id="ada", kinds=[]) == []
    assert memory.get_all(user_id="ada", kinds=[]) == []


@pytest.mark.parametrize("bad", ["", " ", 5, b"Ada", NUL, SURROGATE, "x" * 10_001])
def test_a_name_that_cannot_be_kept_is_refused(memory: Memory, bad: Any) -> None:
    for call in (
        lambda: memory.add({"content": "x", "name": bad}, user_id="ada"),
        lambda: memory.add({"content": "x", "role": bad}, user_id="ada"),
        lambda: memory.add({"content": "x", "idempotency_key": bad}, user_id="ada"),
        lambda: memory.add("x", user_id="ada", idempotency_key=bad),
        lambda: memory.add({"content": "x", "tags": [bad]}, user_id="ada"),
        lambda: memory.update(only_id(memory), user_id="ada", labels=Labels(tags=[bad])),
        lambda: memory.update(only_id(memory), user_id="ada", reason=bad),
        lambda: memory.delete(only_id(memory), user_id="ada", reason=bad),
        lambda: memory.delete_all(user_id="ada", reason=bad),
        lambda: memory.use(only_id(memory), user_id="ada", useful=True, reason=bad)[0],
    ):
        with pytest.raises(InvalidInputError):
            call()
    assert len(memory.get_all(user_id="ada")) == 1


@table("name", ["tags", "concepts"])
def test_more_labels_than_a_memory_may_have_are_refused(name: str) -> None:
    many = [f"label {number}" for number in range(101)]
    with Memory(":memory:", embedder="hashing") as memory:
        (result,) = memory.add({"content": "x", name: many[:100]}, user_id="ada")
        with pytest.raises(InvalidInputError, match=f"{name} has 101 entries; give at most 100"):
            memory.add({"content": "y", name: many}, user_id="ada")
        with pytest.raises(InvalidInputError, match=f"{name} has 101 entries; give at most 100"):
            memory.update(str(result.id), user_id="ada", labels=Labels(**{name: many}))


@pytest.mark.parametrize("bad", ["birds", 5, {"birds"}, [None], [["birds"]], b"birds"])
def test_tags_that_are_no_list_of_texts_are_refused(memory: Memory, bad: Any) -> None:
    with pytest.raises(InvalidInputError, match="tags"):
        memory.add({"content": "x", "tags": bad}, user_id="ada")


# Metadata

BAD_METADATA = {
    "a list": ([1], "mapping"),
    "a text": ("bird", "mapping"),
    "a number as key": ({1: 2}, "text keys"),
    "a set": ({"a": {1}}, "JSON"),
    "bytes": ({"a": b"x"}, "JSON"),
    "NaN": ({"a": math.nan}, "JSON"),
    "infinity": ({"a": [math.inf]}, "JSON"),
    "a huge number": ({"a": HUGE}, "JSON"),
    "itself": (cyclic(), "itself"),
    "deep mappings": (nested(200), "levels"),
    "very deep lists": ({"a": nested(100_000, inside=list)}, "levels"),
    "megabytes": ({"a": "x" * 2_000_000}, "elsewhere"),
    "a NUL in a value": ({"a": [NUL]}, "NUL"),
    "a NUL in a key": ({NUL: 1}, "NUL"),
    "half a surrogate pair in a value": ({"a": {"b": SURROGATE}}, "surrogate"),
    "half a surrogate pair in a key": ({"a": {SURROGATE: 1}}, "surrogate"),
}


@pytest.mark.parametrize("bad", BAD_METADATA)
def test_metadata_that_cannot_be_kept_is_refused(memory: Memory, bad: str) -> None:
    metadata, said = BAD_METADATA[bad]
    for call in (
        lambda: memory.add("x", user_id="ada", metadata=metadata),
        lambda: memory.add(["fine", {"content": "x", "metadata": metadata}], user_id="ada"),
        lambda: memory.update(only_id(memory), user_id="ada", metadata=metadata),
    ):
        with pytest.raises(InvalidInputError, match=said):
            call()
    assert len(memory.get_all(user_id="ada")) == 1


def test_the_deepest_metadata_allowed_comes_back_by_every_way(memory: Memory, tmp_path: Path) -> None:
    deep = nested(100)
    (result,) = memory.add("x", user_id="ada", metadata=deep)
    assert memory.get(result.id, user_id="ada").metadata == deep
    assert memory.update(result.id, user_id="ada", labels=Labels(importance=0.1)).metadata == deep
    memory.export(tmp_path / "out.jsonl")
    assert memory.load(tmp_path / "out.jsonl", user_id="bob").stored == 2
    assert deep in [record.metadata for record in memory.get_all(user_id="bob")]


def test_a_backslash_before_u0000_is_no_nul(memory: Memory) -> None:
    (result,) = memory.add("x", user_id="ada", metadata={"path": r"C:\u0000"})
    assert memory.get(result.id, user_id="ada").metadata == {"path": r"C:\u0000"}


def test_metadata_is_a_copy_the_caller_cannot_change(memory: Memory) -> None:
    tags = ["a"]
    (result,) = memory.add("x", user_id="ada", metadata={"tags": tags})
    tags.append("b")
    assert memory.get(result.id, user_id="ada").metadata == {"tags": ["a"]}


# Filters

BAD_FILTERS = {
    "a list": ([("kind", "fact")], "mapping"),
    "a text": ("kind=fact", "mapping"),
    "a number as key": ({1: 2}, "strings"),
    "the user": ({"user_id": "bob"}, "argument user_id="),
    "the user, hidden": ({"or": [{"not": {"user_id": "bob"}}]}, "argument user_id="),
    "an unknown operator": ({"kind": {"like": "f%"}}, "unknown operator 'like'.*eq, ne"),
    "no operator": ({"kind": {}}, "names no operator"),
    "a list as value": ({"kind": ["fact"]}, "cannot compare"),
    "an object as value": ({"a": object()}, "cannot compare"),
    "a Decimal": ({"a": {"gt": Decimal(1)}}, "cannot compare"),
    "NaN": ({"a": {"gt": math.nan}}, "cannot compare"),
    "infinity": ({"importance": {"lt": math.inf}}, "cannot compare"),
    "more than 64 bits": ({"a": 2**63}, "cannot compare"),
    "a text where a number stands": ({"importance": {"gt": "0.5"}}, "cannot compare"),
    "a word where a time stands": ({"happened_at": {"gt": "yesterday"}}, "needs a time"),
    "in without a list": ({"kind": {"in": "fact"}}, "takes a list"),
    "equality with a list": ({"tags": "birds"}, "contains"),
    "or without a list": ({"or": {"kind": "fact"}}, "takes a list"),
    "or of texts": ({"or": ["kind"]}, "mapping"),
    "not of a list": ({"not": [{"kind": "fact"}]}, "mapping"),
    "a NUL in a value": ({"a": NUL}, "NUL"),
    "a NUL in a key": ({NUL: 1}, "NUL"),
    "half a surrogate pair in a value": ({"content": {"contains": SURROGATE}}, "surrogate"),
    "half a surrogate pair in a key": ({SURROGATE: 1}, "surrogate"),
}


@pytest.mark.parametrize("bad", BAD_FILTERS)
def test_a_filter_that_cannot_be_read_is_refused(memory: Memory, bad: str) -> None:
    filters, said = BAD_FILTERS[bad]
    for call in (
        lambda: memory.search("heron", user_id="ada", filters=filters),
        lambda: memory.context("heron", user_id="ada", filters=filters),
        lambda: memory.get_all(user_id="ada", filters=filters),
        lambda: memory.delete_all(user_id="ada", filters=filters),
    ):
        with pytest.raises(InvalidInputError, match=said):
            call()


@pytest.mark.parametrize("key", ["bird", "id", "content", "speaker"])
@pytest.mark.parametrize("count", [2_000, 40_000])
def test_a_filter_may_list_thousands_of_values(memory: Memory, key: str, count: int) -> None:
    values = [only_id(memory), "heron", KEPT, None, *map(str, range(count))]
    assert len(memory.get_all(user_id="ada", filters={key: {"in": values}})) == 1
    assert memory.get_all(user_id="ada", filters={key: {"nin": values}}) == []


def test_a_filter_may_have_thousands_of_parts(memory: Memory) -> None:
    parts = [{"bird": str(number)} for number in range(1_500)]
    assert memory.get_all(user_id="ada", filters={"or": parts}) == []
    assert len(memory.get_all(user_id="ada", filters={"or": [*parts, {"bird": "heron"}]})) == 1
    assert len(memory.get_all(user_id="ada", filters={"and": [{"not": part} for part in parts]})) == 1


# Stores, embedders, extras


@pytest.mark.parametrize(
    ("store", "said"),
    [
        (5, "a path, a URL or a Store"),
        (b"brain.db", "a path, a URL or a Store"),
        ("", "blank"),
        (" ", "blank"),
        ("mysql://host/db", "known are sqlite, memory"),
        ("brain\0.db", "NUL"),
        ("brain\ud800.db", "surrogate"),
    ],
)
def test_what_is_no_store_is_refused_and_nothing_is_made(
    store: Any, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InvalidInputError, match=said):
        Memory(store, embedder="hashing")
    assert list(tmp_path.iterdir()) == []


def open_with(path: Path, *, retrieval: dict[str, Any] | None = None, **options: Any) -> Memory:
    if retrieval is not None:
        options["retrieval"] = Retrieval(**retrieval)
    return Memory(path, **options)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"embedder": "clever"}, "known are: static"),
        ({"embedder": ""}, "known are: static"),
        ({"language": "xx"}, "known are ar"),
        ({"language": None}, "known are ar"),
        ({"secrets": "shout"}, "redact, refuse, keep"),
        ({"retrieval": {"shadow_limit_mb": 0}}, "shadow_limit_mb"),
        ({"retrieval": {"shadow_limit_mb": "1"}}, "shadow_limit_mb"),
        ({"retrieval": {"token_counter": None}}, "token counter .* not None"),
        ({"retrieval": {"token_counter": str.split}}, "it gave .'How', 'are', 'you"),
        ({"retrieval": {"token_counter": lambda _: None}}, "it gave None"),
        ({"retrieval": {"token_counter": lambda _: math.nan}}, "it gave nan"),
        ({"retrieval": {"token_counter": lambda _: -1}}, "it gave -1"),
    ],
)
def test_an_unknown_option_is_refused_and_nothing_is_made(
    options: dict[str, Any], said: str, tmp_path: Path
) -> None:
    with pytest.raises(InvalidInputError, match=said):
        open_with(tmp_path / "brain.db", **options)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("embedder", "package"),
    [
        ("sentence-transformers:any/model", "sentence_transformers"),
        ("model2vec:any/model", "model2vec"),
        ("fastembed:any/model", "fastembed"),
        ("openai:any-model", "openai"),
    ],
)
def test_an_embedder_whose_extra_is_missing_says_how_to_install_it(
    embedder: str, package: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, package, None)
    with pytest.raises(MissingExtraError, match=r"pip install 'recollect\["):
        Memory(tmp_path / "brain.db", embedder=embedder)
    assert list(tmp_path.iterdir()) == []


def test_another_embedder_is_refused_and_the_right_one_still_works(tmp_path: Path) -> None:
    with Memory(tmp_path / "brain.db", embedder="hashing") as memory:
        memory.add(KEPT, user_id="ada")
    with pytest.raises(EmbedderMismatchError, match=r"mock-semantic-model-v1.*recollect reembed"):
        Memory(tmp_path / "brain.db", embedder="static")
    with Memory(tmp_path / "brain.db", embedder="hashing") as memory:
        assert texts(memory.search("heron", user_id="ada")) == [KEPT]


def test_a_store_whose_first_writer_was_killed_halfway_knows_who_embeds(tmp_path: Path) -> None:
    with Memory(tmp_path / "brain.db", embedder="hashing") as memory:
        memory.parts.store.put_setting("embedder", "mock-semantic-model-v1")
    with pytest.raises(EmbedderMismatchError):
        Memory(tmp_path / "brain.db", embedder="static")
    with Memory(tmp_path / "brain.db", embedder="hashing") as memory:
        memory.add(KEPT, user_id="ada")
        assert (memory.stats().embedder, memory.stats().dimensions) == ("mock-semantic-model-v1", 384)


# Closed


def test_a_closed_memory_says_so_in_every_method(memory: Memory, tmp_path: Path) -> None:
    own = only_id(memory)
    closed = Memory(tmp_path / "other.db", embedder="hashing")
    closed.close()
    closed.close()
    calls: list[Callable[[], object]] = [
        lambda: closed.add("x", user_id="ada"),
        lambda: closed.search("x", user_id="ada"),
        lambda: closed.context("x", user_id="ada"),
        lambda: closed.get(own, user_id="ada"),
        lambda: closed.get_all(user_id="ada"),
        lambda: closed.update(own, user_id="ada", content="x"),
        lambda: closed.delete(own, user_id="ada"),
        lambda: closed.delete_all(user_id="ada"),
        lambda: closed.purge(user_id="ada"),
        lambda: closed.history(own, user_id="ada"),
        lambda: closed.use(own, user_id="ada", useful=True)[0],
        lambda: closed.explain(own, user_id="ada"),
        closed.stats,
        lambda: closed.stats(user_id="ada"),
        lambda: closed.export(tmp_path / "out.jsonl"),
        lambda: closed.load(tmp_path / "out.jsonl"),
        closed.maintenance.doctor,
        lambda: closed.maintenance.backup(tmp_path / "backup.db"),
    ]
    for call in calls:
        with pytest.raises(ClosedError, match="open"):
            call()
    assert not (tmp_path / "out.jsonl").exists()


def test_every_refusal_can_be_caught_as_one_error_of_ours(memory: Memory) -> None:
    with pytest.raises(RecollectError):
        memory.search("", user_id="ada")
    with pytest.raises(ValueError, match="blank"):
        memory.search("", user_id="ada")
    with pytest.raises(LookupError):
        memory.get("unknown", user_id="ada")


@pytest.mark.parametrize("embedder", [[], 5, object])
def test_what_is_no_embedder_is_named(embedder: object) -> None:
    with pytest.raises(InvalidInputError, match="embedder"):
        Memory(":memory:", embedder=embedder)


def test_what_is_no_store_path_or_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError, match="a store is"):
        Memory(SQLiteStore)
    with Memory(tmp_path / "brain.db") as memory:
        with pytest.raises(InvalidInputError, match="export takes"):
            memory.export(None)
        with pytest.raises(InvalidInputError, match="backup takes"):
            memory.maintenance.backup(None)
        with pytest.raises(InvalidInputError, match="load takes"):
            memory.load(None)
        for call in (memory.export, memory.load, memory.maintenance.backup):
            for bad in ("", NUL, SURROGATE):
                with pytest.raises(InvalidInputError, match="must be the path of a file"):
                    call(bad)
        with pytest.raises(InvalidInputError, match="rebuild must be True or False"):
            memory.maintenance.doctor(rebuild="no")
        with pytest.raises(StoreError, match="cannot be written"):
            memory.maintenance.backup(tmp_path / ("x" * 300))


def test_a_filter_nested_too_deep_and_a_number_too_long_are_refused() -> None:
    deep: dict[str, object] = {"kind": "fact"}
    for _ in range(400):
        deep = {"not": deep}
    with Memory(":memory:") as memory:
        for bad in (deep, {"x": 10**5000}):
            with pytest.raises(InvalidInputError):
                memory.search("tea", user_id="ada", filters=bad)


def test_of_two_first_writers_with_different_embedders_one_is_refused(tmp_path: Path) -> None:
    first = Memory(tmp_path / "brain.db", embedder="hashing")
    second = Memory(tmp_path / "brain.db", embedder="static")
    first.add("tea", user_id="ada")
    with pytest.raises(EmbedderMismatchError):
        second.add("milk", user_id="ada")
    assert [record.content for record in first.get_all(user_id="ada")] == ["tea"]
    first.close()
    second.close()


def test_a_question_as_long_as_a_book_is_answered() -> None:
    with Memory(":memory:", embedder="hashing") as memory:
        memory.add("tea at four", user_id="ada")
        words = " ".join(f"word{number}" for number in range(50_000))
        assert memory.search(f"tea {words}", user_id="ada")[0].signals["words"] > 0


@table("clock", [5, "now", lambda: 5, lambda: "2026-01-01"])
def test_a_clock_that_tells_no_time_is_refused_when_the_memory_is_opened(clock):
    with pytest.raises(InvalidInputError, match=r"clock must (be a function|return a datetime)"):
        Memory(":memory:", clock=clock)
