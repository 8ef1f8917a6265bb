"""LangGraph's store: the contract that its own stores keep, written anew."""

import asyncio
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, TypedDict

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

pytest.importorskip("langgraph", reason="LangGraph is not installed; run: make frameworks")

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime
from langgraph.store.base import (
    BaseStore,
    GetOp,
    InvalidNamespaceError,
    ListNamespacesOp,
    MatchCondition,
    PutOp,
    SearchOp,
)

from recollect import Memory
from recollect.errors import InvalidInputError
from recollect.integrations.langgraph import RecollectStore

NOON = datetime(2026, 11, 1, 12, tzinfo=UTC)
HOSTILE = ("'; DROP TABLE memories; --", '"', "a-b", "1st", "$", "value.a", "100%", "a\\b", "x' OR '1'='1")


class Clock:
    """A clock that is moved by hand."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def memory(clock: Clock) -> Iterator[Memory]:
    with Memory(":memory:", embedder="static", clock=clock) as opened:
        yield opened


@pytest.fixture
def store(memory: Memory) -> RecollectStore:
    return RecollectStore(memory, user_id="ada")


def keys(found: list[Any]) -> list[str]:
    return sorted(item.key for item in found)


def test_a_value_comes_back_equal(store: RecollectStore) -> None:
    value = {
        "text": "My password is hunter2!",
        "n": 1,
        "f": 0.5,
        "no": None,
        "yes": True,
        "deep": {"a": [{}]},
    }
    store.put(("notes",), "k", value)
    item = store.get(("notes",), "k")
    assert item is not None
    assert item.value == value
    assert (item.namespace, item.key) == (("notes",), "k")
    assert item.created_at == item.updated_at == NOON


@pytest.mark.parametrize("value", ["text", b"text", ["a"], 5])
def test_a_value_that_is_no_mapping_is_refused(store: RecollectStore, value: Any) -> None:
    with pytest.raises(InvalidInputError, match="must be a mapping with text keys"):
        store.put(("notes",), "k", value)
    assert store.get(("notes",), "k") is None


@pytest.mark.parametrize(
    "part",
    [datetime(2026, 1, 1, tzinfo=UTC), (1, 2), {"deep": [(1, 2)]}, {1: "a"}, {"a"}, b"a", float("nan")],
    ids=str,
)
def test_a_value_that_would_come_back_as_another_is_refused(store: RecollectStore, part: Any) -> None:
    store.put(("notes",), "k", {"d": "before"})
    with pytest.raises(InvalidInputError, match="JSON"):
        store.put(("notes",), "k", {"text": "hello", "d": part})
    kept = store.get(("notes",), "k")
    assert kept is not None
    assert kept.value == {"d": "before"}


@given(
    st.dictionaries(
        st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0")),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
            | st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0")),
            lambda inner: st.lists(inner) | st.dictionaries(st.text("abc"), inner),
            max_leaves=8,
        ),
        max_size=4,
    )
)  # fmt: skip
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
def test_any_json_comes_back_equal(store: RecollectStore, value: dict[str, Any]) -> None:
    store.put(("any",), "k", value)
    item = store.get(("any",), "k")
    assert item is not None
    assert item.value == value


def test_a_secret_comes_back_but_is_not_searched(store: RecollectStore, memory: Memory) -> None:
    store.put(("notes",), "k", {"text": "My password is hunter2!"})
    (record,) = memory.get_all(user_id="ada")
    assert "hunter2" not in record.content
    (found,) = store.search(("notes",), query="password")
    assert found.value == {"text": "My password is hunter2!"}


def test_a_store_that_refuses_secrets_keeps_nothing_of_a_put(clock: Clock) -> None:
    with Memory(":memory:", embedder="static", secrets="refuse") as strict:
        store = RecollectStore(strict, user_id="ada")
        puts = [
            PutOp(("n",), "a", {"text": "fine"}),
            PutOp(("n",), "b", {"text": "My password is hunter2!"}),
        ]
        with pytest.raises(InvalidInputError, match="secret"):
            store.batch(puts)
        for index in (False, ["title"]):
            with pytest.raises(InvalidInputError, match="secret"):
                store.put(("n",), "a", {"title": "x", "text": ["My password is hunter2!"]}, index=index)
        assert store.search(("n",)) == []


def test_a_second_put_replaces_the_value_and_keeps_when_it_was_made(
    store: RecollectStore, clock: Clock
) -> None:
    store.put(("n",), "k", {"a": 1, "b": 2})
    clock.now += timedelta(minutes=1)
    store.put(("n",), "k", {"a": 3})
    item = store.get(("n",), "k")
    assert item is not None
    assert item.value == {"a": 3}
    assert (item.created_at, item.updated_at) == (NOON, NOON + timedelta(minutes=1))
    assert len(store.search(("n",))) == 1


def test_a_deleted_key_can_be_put_again(store: RecollectStore) -> None:
    for value in ({"a": 1}, {"a": 2}, {"a": 3}):
        store.put(("n",), "k", value)
        store.delete(("n",), "k")
        assert store.get(("n",), "k") is None
        assert store.search(("n",)) == []
    store.put(("n",), "k", {"a": 4})
    assert store.get(("n",), "k").value == {"a": 4}
    store.delete(("n",), "unknown")


def test_the_results_of_a_batch_have_the_order_of_its_operations(store: RecollectStore) -> None:
    store.put(("a",), "k", {"v": "old"})
    results = store.batch(
        [
            PutOp(("a",), "k", {"v": "new"}),
            GetOp(("a",), "k"),
            SearchOp(("a",)),
            ListNamespacesOp(),
            GetOp(("a",), "missing"),
            PutOp(("b",), "k", {"v": 1}),
        ]
    )
    assert results[0] is None
    assert results[1].value == {"v": "old"}, "reads see the state before the batch"
    assert [item.value for item in results[2]] == [{"v": "old"}]
    assert results[3] == [("a",)]
    assert results[4] is None
    assert results[5] is None
    assert store.get(("a",), "k").value == {"v": "new"}


def test_of_two_puts_in_a_batch_the_last_counts(store: RecollectStore) -> None:
    store.batch([PutOp(("a",), "k", {"v": 1}), PutOp(("a",), "k", {"v": 2})])
    assert store.get(("a",), "k").value == {"v": 2}
    store.batch([PutOp(("a",), "k", None), PutOp(("a",), "k", {"v": 3})])
    assert store.get(("a",), "k").value == {"v": 3}
    store.batch([PutOp(("a",), "k", {"v": 4}), PutOp(("a",), "k", None)])
    assert store.get(("a",), "k") is None


@pytest.mark.parametrize("label", ["%", "_", "*", "?", "[a]", "a%", "A", "a\n", "a/b", " a ", "é", "'", '"'])
def test_a_label_means_itself(store: RecollectStore, label: str) -> None:
    store.put((label,), "k", {"mine": True})
    store.put(("a",), "k", {"mine": False})
    store.put(("ab",), "k", {"mine": False})
    assert [item.namespace for item in store.search((label,))] == [(label,)]
    assert store.get((label,), "k").value == {"mine": True}
    assert store.get((f"{label}x",), "k") is None


def test_a_prefix_matches_whole_labels(store: RecollectStore) -> None:
    for namespace in (("a",), ("a", "b"), ("a", "b", "c"), ("ab",), ("a", "bc"), ("b", "a")):
        store.put(namespace, "k", {"at": list(namespace)})
    assert {item.namespace for item in store.search(("a",))} == {
        ("a",),
        ("a", "b"),
        ("a", "b", "c"),
        ("a", "bc"),
    }
    assert {item.namespace for item in store.search(("a", "b"))} == {("a", "b"), ("a", "b", "c")}
    assert len(store.search(())) == 6


@pytest.mark.parametrize("key", ["/notes/a.md", "..", ".k", "a..b", "", " ", "k\n", "é", *HOSTILE])
def test_a_key_means_itself(store: RecollectStore, key: str) -> None:
    store.put(("a",), key, {"v": "text"})
    store.put(("a", "b"), key, {"v": "other"})
    assert store.get(("a",), key).value == {"v": "text"}
    assert store.get(("a",), f"{key}x") is None
    assert [item.key for item in store.search(("a", "b"))] == [key]


@pytest.mark.parametrize("namespace", [("a.b",), ("",), ("a", ""), ("a\0",), (1,)])
def test_a_label_that_is_none_is_refused_in_every_operation(store: RecollectStore, namespace: Any) -> None:
    for op in (GetOp(namespace, "k"), PutOp(namespace, "k", {}), SearchOp(namespace)):
        with pytest.raises(InvalidNamespaceError):
            store.batch([op])
    with pytest.raises(InvalidNamespaceError):
        store.put((), "k", {})
    with pytest.raises(InvalidNamespaceError):
        store.batch([PutOp((), "k", {})])


def test_filters_compare_by_type(store: RecollectStore) -> None:
    values: dict[str, Any] = {"one": 1, "true": True, "text": "1", "two": 2, "half": 0.5, "none": None}
    for key, value in values.items():
        store.put(("n",), key, {"v": value})
    store.put(("n",), "without", {})

    def found(test: Any) -> list[str]:
        return keys(store.search(("n",), filter={"v": test}))

    assert found(1) == found({"$eq": 1}) == ["one"]
    assert found(True) == ["true"]
    assert found("1") == ["text"]
    assert found({"$ne": 1}) == ["half", "none", "text", "true", "two", "without"]
    assert found({"$gt": 0.5}) == ["one", "two"]
    assert found({"$gte": 0.5}) == ["half", "one", "two"]
    assert found({"$lt": 1}) == ["half"]
    assert found({"$lte": 1}) == ["half", "one"]
    assert found({"$gte": 1, "$lt": 2}) == ["one"]
    assert keys(store.search(("n",), filter={"v": 1, "w": None})) == ["one"]


def test_a_text_that_is_a_time_equals_itself_alone(store: RecollectStore) -> None:
    for key, text in (
        ("day", "2026-01-01"),
        ("midnight", "2026-01-01T00:00:00+00:00"),
        ("next", "2026-01-02"),
    ):
        store.put(("n",), key, {"v": text})
    assert keys(store.search(("n",), filter={"v": "2026-01-01"})) == ["day"]
    assert keys(store.search(("n",), filter={"v": {"$ne": "2026-01-01"}})) == ["midnight", "next"]
    assert keys(store.search(("n",), filter={"v": {"$lt": "2026-01-02"}})) == ["day", "midnight"]


def test_filters_compare_lists_and_mappings(store: RecollectStore) -> None:
    store.put(("n",), "a", {"v": {"x": [1, {"y": True}]}})
    store.put(("n",), "b", {"v": {"x": [1, {"y": 1}]}})
    store.put(("n",), "c", {"v": {"x": [1]}})
    assert keys(store.search(("n",), filter={"v": {"x": [1, {"y": True}]}})) == ["a"]
    assert keys(store.search(("n",), filter={"v": {"$eq": {"x": [1]}}})) == ["c"]
    assert keys(store.search(("n",), filter={"v": {"$ne": {"x": [1]}}})) == ["a", "b"]
    assert keys(store.search(("n",), query="x", filter={"v": {"x": [1]}})) == ["c"]


def test_filters_do_not_confuse_fields_of_a_memory_with_those_of_a_value(store: RecollectStore) -> None:
    store.put(("n",), "a", {"kind": "draft", "content": "x", "user_id": "bob", "and": 1})
    for name, value in {"kind": "draft", "content": "x", "user_id": "bob", "and": 1}.items():
        assert keys(store.search(("n",), filter={name: value})) == ["a"]
        assert store.search(("n",), filter={name: "document"}) == []


@pytest.mark.parametrize("hostile", HOSTILE)
def test_filters_are_data(store: RecollectStore, hostile: str) -> None:
    store.put(("n",), "a", {hostile: hostile})
    store.put(("n",), "b", {"other": "x"})
    assert keys(store.search(("n",), filter={hostile: hostile})) == ["a"]
    assert keys(store.search(("n",), filter={hostile: {"$ne": hostile}})) == ["b"]
    assert store.search(("n",), filter={"other": hostile}) == []
    assert keys(store.search(("n",))) == ["a", "b"]


@pytest.mark.parametrize("test", [{"$in": [1]}, {"$gt": [1]}, {"$eq": 1, "plain": 2}])
def test_an_unknown_comparison_is_a_value_error(store: RecollectStore, test: Any) -> None:
    with pytest.raises(ValueError, match=r"operator|compares"):
        store.search(("n",), filter={"v": test})


def test_a_query_ranks_by_meaning_and_pages(store: RecollectStore) -> None:
    texts = ["Ada plays the cello", "Ada is allergic to nuts", "The printer is called Gutenberg"]
    for number, text in enumerate(texts):
        store.put(("n",), str(number), {"content": text})
    best = store.search(("n",), query="Which instrument does Ada play?", limit=1)
    assert [item.key for item in best] == ["0"]
    assert best[0].score is not None
    pages = [store.search(("n",), query="Ada", limit=1, offset=place)[0].key for place in range(3)]
    assert sorted(pages) == ["0", "1", "2"]


def test_equal_words_under_several_keys_are_several_items(store: RecollectStore) -> None:
    for key in "abc":
        store.put(("n",), key, {"content": "Ada plays the cello"})
    assert keys(store.search(("n",), query="cello")) == ["a", "b", "c"]


def test_what_is_not_indexed_is_found_last_and_without_a_score(store: RecollectStore) -> None:
    store.put(("n",), "hidden", {"content": "Ada plays the cello"}, index=False)
    store.put(("n",), "number", {"n": 7})
    store.put(("n",), "shown", {"content": "The printer is old"})
    found = store.search(("n",), query="Who plays the cello?")
    assert found[0].key == "shown"
    assert {item.key: item.score for item in found[1:]} == {"hidden": None, "number": None}
    assert keys(store.search(("n",))) == ["hidden", "number", "shown"]
    assert [item.key for item in store.search(("n",), query="cello", limit=1)] == ["shown"]


def test_an_index_names_the_texts_that_an_item_is_found_by(memory: Memory) -> None:
    store = RecollectStore(memory, user_id="ada", fields=["title"])
    store.put(("n",), "a", {"title": "Cello", "body": "printer"})
    store.put(("n",), "b", {"title": "Chairs", "parts": [{"name": "violin"}]}, index=["parts[*].name"])
    assert sorted(record.content for record in memory.get_all(user_id="ada")) == ["Cello", "violin"]


def test_without_a_query_the_newest_come_first_and_pages_do_not_overlap(store: RecollectStore) -> None:
    for number in range(25):
        store.put(("n",), f"{number:02}", {"v": number})
    pages = [store.search(("n",), limit=10, offset=start) for start in (0, 10, 20)]
    assert [len(page) for page in pages] == [10, 10, 5]
    assert [item.value["v"] for page in pages for item in page] == list(reversed(range(25)))
    assert len(store.search(("n",))) == 10


def test_namespaces_are_listed_by_prefix_suffix_depth_and_page(store: RecollectStore) -> None:
    for namespace in (("a", "b", "c"), ("a", "b", "d"), ("a", "e"), ("x", "b", "c")):
        store.put(namespace, "k", {})
    assert store.list_namespaces(prefix=("a",)) == [("a", "b", "c"), ("a", "b", "d"), ("a", "e")]
    assert store.list_namespaces(prefix=("*", "b")) == [("a", "b", "c"), ("a", "b", "d"), ("x", "b", "c")]
    assert store.list_namespaces(suffix=("c",)) == [("a", "b", "c"), ("x", "b", "c")]
    assert store.list_namespaces(prefix=("a",), suffix=("*", "d")) == [("a", "b", "d")]
    assert store.list_namespaces(max_depth=2) == [("a", "b"), ("a", "e"), ("x", "b")]
    assert store.list_namespaces(limit=1, offset=1) == [("a", "b", "d")]
    store.delete(("a", "e"), "k")
    assert ("a", "e") not in store.list_namespaces()
    with pytest.raises(ValueError, match="match type"):
        store.batch([ListNamespacesOp(match_conditions=(MatchCondition("middle", ("a",)),))])  # type: ignore[arg-type]


def test_an_item_expires_and_is_swept(store: RecollectStore, memory: Memory, clock: Clock) -> None:
    store.put(("n",), "short", {"content": "soon gone"}, ttl=10)
    store.put(("n",), "long", {"content": "stays"})
    clock.now += timedelta(minutes=10)
    assert store.get(("n",), "short") is None
    assert keys(store.search(("n",))) == keys(store.search(("n",), query="gone")) == ["long"]
    assert store.sweep_ttl() == 1
    assert [record.content for record in memory.get_all(user_id="ada")] == ["stays"]
    assert store.sweep_ttl() == 0


def test_reading_an_item_renews_its_time_unless_told_otherwise(store: RecollectStore, clock: Clock) -> None:
    store.put(("n",), "read", {"v": 1}, ttl=10)
    store.put(("n",), "seen", {"v": 1}, ttl=10)
    clock.now += timedelta(minutes=6)
    store.get(("n",), "read")
    store.get(("n",), "seen", refresh_ttl=False)
    clock.now += timedelta(minutes=6)
    assert keys(store.search(("n",), refresh_ttl=True)) == ["read"]
    clock.now += timedelta(minutes=9)
    assert store.get(("n",), "read") is not None


def test_a_put_sets_removes_and_defaults_the_time_to_live(memory: Memory, clock: Clock) -> None:
    store = RecollectStore(memory, user_id="ada", ttl={"default_ttl": 10, "refresh_on_read": False})
    store.put(("n",), "a", {"v": 1})
    store.put(("n",), "b", {"v": 1})
    store.put(("n",), "b", {"v": 2}, ttl=None)
    clock.now += timedelta(minutes=5)
    assert store.get(("n",), "a") is not None
    clock.now += timedelta(minutes=5)
    assert keys(store.search(())) == ["b"]
    store.put(("n",), "a", {"v": 3})
    assert store.get(("n",), "a").value == {"v": 3}


def test_a_store_never_sees_another_user(memory: Memory) -> None:
    ada, bob = RecollectStore(memory, user_id="ada"), RecollectStore(memory, user_id="bob")
    ada.put(("n",), "k", {"content": "Ada plays the cello"})
    memory.add("A message of Bob", user_id="bob")
    assert bob.search(()) == bob.search((), query="cello") == bob.list_namespaces() == []
    assert bob.get(("n",), "k") is None
    bob.delete(("n",), "k")
    bob.put(("n",), "k", {"content": "Bob's"})
    assert ada.get(("n",), "k").value == {"content": "Ada plays the cello"}


def test_the_user_may_have_a_place_in_the_namespace(memory: Memory) -> None:
    store = RecollectStore(memory, user_at=1)
    store.put(("notes", "ada"), "k", {"content": "Ada plays the cello"})
    store.put(("notes", "bob"), "k", {"content": "Bob paints"})
    assert [item.value for item in store.search(("notes", "ada"))] == [{"content": "Ada plays the cello"}]
    assert [record.content for record in memory.get_all(user_id="bob")] == ["Bob paints"]
    assert store.list_namespaces(prefix=("notes", "bob")) == [("notes", "bob")]
    assert store.list_namespaces(prefix=("*", "bob")) == [("notes", "bob")]
    mixed = [PutOp(("notes", "ada"), "k", None), GetOp(("notes", "bob"), "k")]
    assert store.batch(mixed)[1].value == {"content": "Bob paints"}
    assert store.sweep_ttl(user_id="ada") == 0


def test_a_namespace_without_its_user_is_refused(memory: Memory) -> None:
    store = RecollectStore(memory, user_at=1)
    store.put(("notes", "ada"), "k", {})
    for crossing in (
        lambda: store.search(()),
        lambda: store.search(("notes",), query="x"),
        lambda: store.get(("notes",), "k"),
        lambda: store.put(("notes",), "k", {}),
        store.list_namespaces,
        lambda: store.list_namespaces(prefix=("notes", "*")),
        lambda: store.list_namespaces(suffix=("ada",)),
    ):
        with pytest.raises(InvalidNamespaceError):
            crossing()
    with pytest.raises(InvalidInputError, match=r"sweep_ttl\(user_id=\.\.\.\)"):
        store.sweep_ttl()


@pytest.mark.parametrize("given", [{}, {"user_id": "ada", "user_at": 1}])
def test_a_store_names_its_user_in_one_way(memory: Memory, given: dict[str, Any]) -> None:
    with pytest.raises(InvalidInputError, match="user_id or user_at"):
        RecollectStore(memory, **given)


def test_a_value_that_json_cannot_hold_is_refused_whole(store: RecollectStore) -> None:
    for value in ({"v": object()}, {"v": float("nan")}, {"v": "\0"}, {1: 2}):
        with pytest.raises(InvalidInputError):
            store.put(("n",), "k", value)
    assert store.search(()) == []


def test_everything_is_there_for_async_code(store: RecollectStore) -> None:
    async def use() -> None:
        await asyncio.gather(*(store.aput(("n",), str(number), {"v": number}) for number in range(5)))
        assert (await store.aget(("n",), "3")).value == {"v": 3}
        assert len(await store.asearch(("n",), query="3")) == 5
        await store.adelete(("n",), "3")
        assert await store.aget(("n",), "3") is None
        assert await store.alist_namespaces() == [("n",)]

    asyncio.run(use())


class State(TypedDict):
    """What the graph of the test passes on."""

    heard: str
    said: str


def test_a_graph_remembers_from_one_thread_to_another(memory: Memory) -> None:
    def answer(state: State, runtime: Runtime[None]) -> dict[str, str]:
        store = runtime.store
        assert isinstance(store, BaseStore)
        known = store.search(("memories", "ada"), query=state["heard"], limit=1)
        store.put(("memories", "ada"), state["heard"], {"content": state["heard"]})
        return {"said": known[0].value["content"] if known else "nothing yet"}

    graph = StateGraph(State)
    graph.add_node("answer", answer)
    graph.add_edge(START, "answer")
    graph.add_edge("answer", END)
    run = graph.compile(store=RecollectStore(memory, user_at=1))
    assert run.invoke({"heard": "I am allergic to nuts", "said": ""})["said"] == "nothing yet"
    assert run.invoke({"heard": "Which allergy do I have?", "said": ""})["said"] == "I am allergic to nuts"
    assert "nuts" in memory.context("What am I allergic to?", user_id="ada").text


def test_an_item_gains_and_loses_its_words(store: RecollectStore, memory: Memory) -> None:
    store.put(("n",), "k", {"n": 1})
    assert memory.search("no words", user_id="ada") == []
    store.put(("n",), "k", {"text": "Ada plays the cello"})
    assert store.search(("n",), query="cello")[0].score is not None
    assert memory.search("cello", user_id="ada")
    store.put(("n",), "k", {"n": 2})
    assert [(item.value, item.score) for item in store.search(("n",), query="cello")] == [({"n": 2}, None)]
    assert memory.search("cello", user_id="ada") == []
