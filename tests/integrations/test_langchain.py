"""LangChain: its own suites for retrievers and vector stores, and an agent with a fake model."""

import asyncio
from dataclasses import dataclass
from typing import Any

import pytest

pytest.importorskip("langchain_tests", reason="LangChain is not installed; run: make frameworks")

from langchain.agents import create_agent
from langchain_core.documents import Document
from langchain_core.indexing import InMemoryRecordManager, index
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from langchain_tests.integration_tests import RetrieversIntegrationTests, VectorStoreIntegrationTests
from langgraph.checkpoint.memory import InMemorySaver

from recollect import Memory
from recollect.errors import InvalidInputError
from recollect.integrations.langchain import RecollectMiddleware, RecollectRetriever, RecollectVectorStore


class TestRecollectRetriever(RetrieversIntegrationTests):
    """LangChain's suite."""

    @pytest.fixture(autouse=True)
    def _memory(self, memory: Memory) -> None:
        said = ["Ada plays the cello", "Ada is allergic to nuts", "Ada's dog is called Pixel", "Ada is Dutch"]
        memory.add(said, user_id="ada")
        self.memory = memory

    @property
    def retriever_constructor(self) -> type[RecollectRetriever]:
        return RecollectRetriever

    @property
    def retriever_constructor_params(self) -> dict[str, Any]:
        return {"memory": self.memory, "user_id": "ada"}

    @property
    def retriever_query_example(self) -> str:
        return "Which instrument does Ada play?"


class TestRecollectVectorStore(VectorStoreIntegrationTests):
    """LangChain's suite."""

    @pytest.fixture
    def vectorstore(self, memory: Memory) -> RecollectVectorStore:
        return RecollectVectorStore(memory, user_id="ada")


@pytest.fixture
def store(memory: Memory) -> RecollectVectorStore:
    return RecollectVectorStore(memory, user_id="ada")


def test_a_retriever_gives_what_is_known_of_a_memory(memory: Memory) -> None:
    memory.add({"role": "user", "name": "Ada", "content": "I play the cello"}, user_id="ada", session_id="s1")
    memory.add("I play the cello, too", user_id="bob")
    retriever = RecollectRetriever(memory=memory, user_id="ada")
    (found,) = retriever.invoke("Who plays the cello?")
    assert found.page_content == "I play the cello"
    assert found.metadata["speaker"] == "Ada"
    assert found.metadata["session_id"] == "s1"
    assert 0 < found.metadata["score"] <= 1
    assert found.id == memory.get_all(user_id="ada")[0].id


def test_a_retriever_narrows_by_session_kind_filter_and_score(memory: Memory) -> None:
    memory.add("I play the cello", user_id="ada", session_id="s1", metadata={"topic": "music"})
    for narrowed in (
        {"session_id": "s2"},
        {"kinds": ["fact"]},
        {"filter": {"topic": "dogs"}},
        {"threshold": 1.0},
        {"agent_id": "other"},
    ):
        retriever = RecollectRetriever(memory=memory, user_id="ada", **narrowed)
        assert retriever.invoke("cello") == []
    assert RecollectRetriever(memory=memory, user_id="ada", filter={"topic": "music"}).invoke("cello")


def test_a_question_takes_no_option_but_k(memory: Memory) -> None:
    retriever = RecollectRetriever(memory=memory, user_id="ada")
    with pytest.raises(TypeError, match=r"invoke\(\) has no argument 'filters'"):
        retriever.invoke("cello", filters={"topic": "music"})


@pytest.mark.parametrize("text", ["", " ", "My password is hunter2!", "a\x1bb", "a\r\nb ", "é" * 5_000])
def test_any_text_comes_back_equal(store: RecollectVectorStore, text: str) -> None:
    document = Document(id="1", page_content=text, metadata={"deep": {"list": [1, True, None]}, "text": "x"})
    assert store.add_documents([document]) == ["1"]
    assert store.get_by_ids(["1"]) == [document]


def test_metadata_narrows_a_search(store: RecollectVectorStore) -> None:
    store.add_texts(["a dog", "a dog too"], [{"year": 2023, "tags": ["x"]}, {"year": 2025}], ids=["1", "2"])

    def found(wanted: dict[str, Any]) -> list[str | None]:
        return [document.id for document in store.similarity_search("dog", filter=wanted)]

    assert found({"year": {"$gte": 2024}}) == ["2"]
    assert found({"tags": ["x"]}) == ["1"]
    assert found({"year": 2024}) == []
    with pytest.raises(ValueError, match="unknown operator"):
        found({"year": {"$near": 2024}})


@pytest.mark.parametrize("wrong", ["filters", "where", "namespace", "score_threshold", "top_k"])
def test_a_search_refuses_what_it_would_ignore(store: RecollectVectorStore, wrong: str) -> None:
    store.add_texts(["a dog"])
    for ask in (
        store.similarity_search,
        store.similarity_search_with_score,
        store.max_marginal_relevance_search,
    ):
        with pytest.raises(TypeError, match=f"has no argument '{wrong}'"):
            ask("dog", **{wrong: {"a": 1}})
    with pytest.raises(TypeError, match=f"has no argument '{wrong}'"):
        store.as_retriever(search_kwargs={wrong: {"a": 1}}).invoke("dog")


def test_a_deletion_that_names_something_else_deletes_nothing(store: RecollectVectorStore) -> None:
    store.add_texts(["a dog"], ids=["1"])
    with pytest.raises(TypeError, match="use one of ids"):
        store.delete(filter={"a": 1})
    assert store.get_by_ids(["1"])


@pytest.mark.parametrize("wrong", [lambda _: True, [("a", 1)], "a"])
def test_a_filter_that_is_no_mapping_is_refused(store: RecollectVectorStore, wrong: Any) -> None:
    with pytest.raises(InvalidInputError, match="a filter must be a mapping"):
        store.similarity_search("dog", filter=wrong)


def test_documents_that_differ_come_before_the_same_again(store: RecollectVectorStore) -> None:
    store.add_texts(["Ada plays the cello", "Ada plays a cello", "Ada has a dog"], [{"a": 1}] * 3)
    question = {"search_type": "mmr", "search_kwargs": {"k": 2, "lambda_mult": 0.2, "filter": {"a": 1}}}
    found = [one.page_content for one in store.as_retriever(**question).invoke("cello")]
    assert found[0].endswith("cello")
    assert found[1] == "Ada has a dog"
    assert store.max_marginal_relevance_search("cello", filter={"a": 2}) == []


def test_a_search_by_a_vector_says_why_there_is_none(store: RecollectVectorStore) -> None:
    with pytest.raises(NotImplementedError, match=r"search with words, as similarity_search\(query\)"):
        store.similarity_search_by_vector([0.1])
    with pytest.raises(NotImplementedError, match="search with words"):
        store.max_marginal_relevance_search_by_vector([0.1])


def test_an_index_of_langchain_fills_and_clears_a_store(store: RecollectVectorStore) -> None:
    known, documents = InMemoryRecordManager("test"), [Document("a dog", metadata={"source": "1"})]
    told = {"record_manager": known, "vector_store": store, "cleanup": "full", "key_encoder": "sha256"}
    assert index(documents, **told)["num_added"] == 1
    assert index([], **told)["num_deleted"] == 1
    assert store.similarity_search("dog") == []


def test_scores_are_relevance_already(store: RecollectVectorStore) -> None:
    store.add_texts(["Ada plays the cello", "The printer is old"])
    scored = store.similarity_search_with_score("Who plays the cello?")
    assert store.similarity_search_with_relevance_scores("Who plays the cello?") == scored
    assert scored[0][0].page_content == "Ada plays the cello"
    assert 1 >= scored[0][1] > scored[1][1] >= 0
    assert store.as_retriever(search_kwargs={"k": 1}).invoke("cello")[0] == scored[0][0]


def test_collections_and_users_are_apart(memory: Memory) -> None:
    stores = [
        RecollectVectorStore(memory, user_id=user, collection=name)
        for user in ("ada", "bob")
        for name in ("a", "a:b", "a/b", "default")
    ]
    for number, store in enumerate(stores):
        store.add_texts([f"a dog {number}"], ids=["same"])
    for number, store in enumerate(stores):
        assert [one.page_content for one in store.similarity_search("dog")] == [f"a dog {number}"]
    stores[0].delete()
    assert stores[0].get_by_ids(["same"]) == []
    assert all(store.get_by_ids(["same"]) for store in stores[1:])


def test_texts_without_as_many_ids_are_refused(memory: Memory, store: RecollectVectorStore) -> None:
    with pytest.raises(InvalidInputError, match="2 texts"):
        store.add_texts(["a", "b"], ids=["1"])
    with pytest.raises(InvalidInputError, match="JSON"):
        store.add_texts(["a", "b"], [{}, {"v": object()}])
    assert memory.get_all(user_id="ada") == []


def test_a_store_is_made_from_texts(memory: Memory) -> None:
    made = RecollectVectorStore.from_texts(
        ["a dog"], TestRecollectVectorStore.get_embeddings(), memory=memory, user_id="ada"
    )
    assert [one.page_content for one in made.similarity_search("dog")] == ["a dog"]
    assert [one.content for one in memory.search("dog", user_id="ada")] == ["a dog"]


class Model(GenericFakeChatModel):
    """LangChain's fake model; it keeps what it was given."""

    seen: list[Any] = []  # noqa: RUF012 - pydantic copies it

    def _generate(self, messages: list[Any], *given: Any, **named: Any) -> Any:
        self.seen.append(messages)
        return super()._generate(messages, *given, **named)


@dataclass
class Who:
    """The context of a run."""

    user_id: str


def agent_of(memory: Memory, *answers: str, **given: Any) -> tuple[Any, Model]:
    model = Model(messages=iter([AIMessage(answer) for answer in answers]))
    middleware = RecollectMiddleware(memory, user_id=lambda runtime: runtime.context.user_id)
    saver = InMemorySaver()
    return create_agent(
        model, middleware=[middleware], context_schema=Who, checkpointer=saver, **given
    ), model


def ask(agent: Any, text: str, *, user: str, thread: str) -> str:
    config = {"configurable": {"thread_id": thread}}
    done = agent.invoke({"messages": [HumanMessage(text)]}, config, context=Who(user))
    return str(done["messages"][-1].text)


def system_of(messages: list[Any]) -> str:
    return "".join(str(message.text) for message in messages if message.type == "system")


def test_an_agent_recalls_what_another_thread_said(memory: Memory) -> None:
    agent, model = agent_of(
        memory, "Noted.", "Not the satay.", "Anything?", system_prompt="You are a waiter."
    )
    ask(agent, "I am allergic to nuts", user="ada", thread="t1")
    ask(agent, "What can I not eat because of my allergy?", user="ada", thread="t2")
    ask(agent, "What can I not eat because of my allergy?", user="bob", thread="t3")
    first, second, third = map(system_of, model.seen)
    assert first == third == "You are a waiter."
    assert second.startswith("You are a waiter.\n\n<memories>")
    assert "allergic to nuts" in second


def test_a_turn_is_stored_once_under_its_thread(memory: Memory) -> None:
    agent, _ = agent_of(memory, "Noted.", "Very well.")
    ask(agent, "I am allergic to nuts", user="ada", thread="t1")
    ask(agent, "I like figs", user="ada", thread="t1")
    stored = memory.get_all(user_id="ada")
    assert [(one.origin.role, one.content) for one in stored] == [
        ("user", "I am allergic to nuts"),
        ("assistant", "Noted."),
        ("user", "I like figs"),
        ("assistant", "Very well."),
    ]
    assert {one.scope.session_id for one in stored} == {"t1"}
    memory.delete(stored[0].id, user_id="ada")
    assert len(memory.get_all(user_id="ada")) == 3


def test_what_the_thread_says_is_not_recalled_into_it_nor_written_into_it(memory: Memory) -> None:
    agent, model = agent_of(memory, "Noted.", "Nuts.")
    ask(agent, "I am allergic to nuts", user="ada", thread="t1")
    ask(agent, "What am I allergic to?", user="ada", thread="t1")
    assert system_of(model.seen[1]) == ""
    thread = agent.get_state({"configurable": {"thread_id": "t1"}}).values["messages"]
    assert [message.type for message in thread] == ["human", "ai", "human", "ai"]


def test_an_agent_remembers_in_async_code_for_a_fixed_user(memory: Memory) -> None:
    memory.add("I am allergic to nuts", user_id="ada")
    model = Model(messages=iter([AIMessage("Not the satay.")]))
    blocks = SystemMessage([{"type": "text", "text": "You are a waiter."}])
    middleware = [RecollectMiddleware(memory, user_id="ada")]
    agent = create_agent(model, middleware=middleware, system_prompt=blocks)
    asyncio.run(agent.ainvoke({"messages": [HumanMessage("What am I allergic to?")]}))
    assert "allergic to nuts" in system_of(model.seen[0])
    assert len(memory.get_all(user_id="ada")) == 3
