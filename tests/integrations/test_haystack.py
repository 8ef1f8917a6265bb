"""Haystack: its own suite for document stores, and a pipeline."""

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("haystack", reason="haystack-ai is not installed; run: make frameworks")

from haystack import Document, Pipeline
from haystack.dataclasses import ByteStream, SparseEmbedding
from haystack.testing.document_store import DocumentStoreBaseExtendedTests

from recollect import Memory
from recollect.errors import InvalidInputError
from recollect.integrations.haystack import RecollectDocumentRetriever, RecollectDocumentStore


class TestRecollectDocumentStore(DocumentStoreBaseExtendedTests):
    """Haystack's suite."""

    @pytest.fixture
    def document_store(self, memory: Memory) -> RecollectDocumentStore:
        return RecollectDocumentStore(memory, user_id="ada")

    def test_write_documents(self, document_store: Any) -> None:
        documents = [Document(content="one"), Document(content="two")]
        assert document_store.write_documents(documents) == 2
        assert document_store.filter_documents() == documents


def test_a_document_comes_back_equal_whatever_is_in_it(memory: Memory) -> None:
    store = RecollectDocumentStore(memory, user_id="ada")
    documents = [
        Document(content="My password is hunter2!", meta={"deep": [{"a": None}], "n": 1.5}),
        Document(content=None, blob=ByteStream(b"\0\xff", mime_type="x/y", meta={"page": 1})),
        Document(content="", embedding=[0.25, -1.0], sparse_embedding=SparseEmbedding([1, 5], [0.5, 2.0])),
        Document(content=" \x1b é\r\n"),
    ]
    store.write_documents(documents)
    assert store.filter_documents() == documents
    assert all("hunter2" not in one.content for one in memory.get_all(user_id="ada"))


def test_a_pipeline_finds_documents_and_can_be_written_down(tmp_path: Path) -> None:
    store = RecollectDocumentStore(str(tmp_path / "brain.db"), user_id="ada")
    store.write_documents(
        [
            Document(content="Ada plays the cello", meta={"year": 2025}),
            Document(content="Ada played the violin", meta={"year": 1999}),
            Document(content="The printer is old", meta={"year": 2025}),
        ]
    )
    pipeline = Pipeline()
    pipeline.add_component("memory", RecollectDocumentRetriever(store, top_k=1))
    read = Pipeline.loads(pipeline.dumps(), allowed_modules=["recollect.integrations.haystack"])
    wanted = {"field": "meta.year", "operator": "<", "value": 2000}
    for one in (pipeline, read):
        best = one.run({"memory": {"query": "Who plays the cello?"}})["memory"]["documents"]
        assert [document.content for document in best] == ["Ada plays the cello"]
        assert 0 < best[0].score <= 1
        old = one.run({"memory": {"query": "instrument", "filters": wanted, "top_k": 3}})["memory"][
            "documents"
        ]
        assert [document.content for document in old] == ["Ada played the violin"]
    store.close()
    read.get_component("memory")._store.close()


def test_a_store_over_an_open_memory_cannot_be_written_down(memory: Memory) -> None:
    store = RecollectDocumentStore(memory, user_id="ada")
    with pytest.raises(InvalidInputError, match="path"):
        store.to_dict()
    store.close()
    assert store.count_documents() == 0, "the memory is still open"


def test_users_and_collections_are_apart(memory: Memory) -> None:
    stores = [
        RecollectDocumentStore(memory, user_id=user, collection=name)
        for user in ("ada", "bob")
        for name in ("a", "a/b")
    ]
    for number, store in enumerate(stores):
        store.write_documents([Document(id="same", content=f"a dog {number}")])
    for number, store in enumerate(stores):
        assert [one.content for one in store.search("dog")] == [f"a dog {number}"]
    stores[0].delete_all_documents()
    assert [store.count_documents() for store in stores] == [0, 1, 1, 1]
