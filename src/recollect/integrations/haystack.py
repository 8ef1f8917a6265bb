"""Haystack: a document store in a user's memory, and a retriever for pipelines."""

import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from recollect import Memory
from recollect.errors import InvalidInputError
from recollect.integrations.objects import KeyedObjects
from recollect.integrations.records import KeyedRecords
from recollect.integrations.transcript import path_of
from recollect.types.extras import package_of
from recollect.types.guesses import corrects_arguments

with package_of("haystack", "haystack", feature="RecollectDocumentStore"):
    from haystack import Document, component, default_from_dict, default_to_dict
    from haystack.document_stores.errors import DuplicateDocumentError
    from haystack.document_stores.types import DuplicatePolicy
    from haystack.utils.filters import document_matches_filter


@corrects_arguments("search", "filter_documents")
class RecollectDocumentStore:
    """A user's documents, found by words and meaning; they come back equal.

    Args:
        memory: An open memory, or the path or URL of a store, which is then opened. Only a store with a path
            can be written with a pipeline (``to_dict``).
        user_id: Whose the documents are.
        collection: Separates several stores of one user.
    """

    def __init__(self, memory: Memory | str, *, user_id: str, collection: str = "default") -> None:
        self._given = memory
        self._memory = Memory(memory) if isinstance(memory, str) else memory
        self._user_id = user_id
        self._collection = collection
        space = f"haystack/{path_of(collection).rstrip('/')}"
        records = KeyedRecords(self._memory, user_id=user_id, space=space)
        self._documents = KeyedObjects(records=records, write=_written, read=_read)

    def to_dict(self) -> dict[str, Any]:
        """What a pipeline writes of this store.

        Raises:
            InvalidInputError: It was given an open memory.
        """
        if not isinstance(self._given, str):
            raise InvalidInputError("give the store a path instead of an open memory to write it down")
        written: dict[str, Any] = default_to_dict(
            self, memory=self._given, user_id=self._user_id, collection=self._collection
        )
        return written

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "RecollectDocumentStore":
        """A store from what ``to_dict`` wrote."""
        made: RecollectDocumentStore = default_from_dict(cls, data)
        return made

    def close(self) -> None:
        """Close the memory, if the store opened it."""
        if isinstance(self._given, str):
            self._memory.close()

    def count_documents(self) -> int:
        """How many documents there are."""
        return len(self._documents.find())

    def filter_documents(self, filters: dict[str, Any] | None = None) -> list[Document]:
        """The documents that match, in the order in which they were first written."""
        return self._documents.find(_test(filters))[::-1]

    def search(self, query: str, *, filters: dict[str, Any] | None = None, top_k: int = 10) -> list[Document]:
        """The documents that answer a question, best first, with their scores from 0 to 1."""
        found = self._documents.search(query, top_k=top_k, test=_test(filters))
        return [replace(one, score=score) for one, score in found]

    def write_documents(
        self, documents: list[Document], policy: DuplicatePolicy = DuplicatePolicy.NONE
    ) -> int:
        """Store documents; returns how many were written.

        Raises:
            ValueError: Something in the list is no document.
            DuplicateDocumentError: One is there already, and the policy is neither to skip nor to overwrite.
        """
        if not isinstance(documents, list) or not all(isinstance(one, Document) for one in documents):
            raise ValueError("write_documents takes a list of Document")
        new = {one.id: one for one in documents}
        known = self._documents.get(new)
        if known and policy not in (DuplicatePolicy.SKIP, DuplicatePolicy.OVERWRITE):
            raise DuplicateDocumentError(f"there is a document {next(iter(known))!r} already")
        written = [one for one in new.values() if policy != DuplicatePolicy.SKIP or one.id not in known]
        self._documents.put(written)
        return len(written)

    def delete_documents(self, document_ids: list[str]) -> None:
        """Delete documents; unknown ids are skipped."""
        self._documents.records.delete(document_ids)

    def delete_all_documents(self) -> None:
        """Delete all documents of the collection."""
        self._documents.delete()

    def delete_by_filter(self, filters: dict[str, Any]) -> int:
        """Delete the documents that match; returns how many."""
        return self._documents.delete(_test(filters))

    def update_by_filter(self, filters: dict[str, Any], meta: dict[str, Any]) -> int:
        """Set these parts of the metadata of the documents that match; returns how many."""
        found = self.filter_documents(filters)
        for one in found:
            one.meta.update(meta)
        self._documents.put(found)
        return len(found)


@component
@corrects_arguments("run")
class RecollectDocumentRetriever:
    """A component that finds documents in a store for a question.

    Args:
        document_store: The store.
        top_k: How many documents at most.
        filters: Only documents that match.
    """

    def __init__(
        self,
        document_store: RecollectDocumentStore,
        *,
        top_k: int = 10,
        filters: dict[str, Any] | None = None,
    ) -> None:
        self._store = document_store
        self._top_k = top_k
        self._filters = filters

    @component.output_types(documents=list[Document])
    def run(
        self, query: str, filters: dict[str, Any] | None = None, top_k: int | None = None
    ) -> dict[str, Any]:
        """The documents that answer ``query``, best first; options given here take precedence."""
        found = self._store.search(query, filters=filters or self._filters, top_k=top_k or self._top_k)
        return {"documents": found}

    def to_dict(self) -> dict[str, Any]:
        """What a pipeline writes of this component."""
        written: dict[str, Any] = default_to_dict(
            self, document_store=self._store.to_dict(), top_k=self._top_k, filters=self._filters
        )
        return written

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "RecollectDocumentRetriever":
        """A component from what ``to_dict`` wrote."""
        given = data["init_parameters"]
        store = RecollectDocumentStore.from_dict(given["document_store"])
        read = {**data, "init_parameters": {**given, "document_store": store}}
        made: RecollectDocumentRetriever = default_from_dict(cls, read)
        return made


def _written(one: Document) -> str:
    return json.dumps({name: part for name, part in one.to_dict(flatten=False).items() if name != "score"})


def _read(text: str) -> Document:
    return Document.from_dict(json.loads(text))


def _test(filters: dict[str, Any] | None) -> Callable[[Document], bool] | None:
    return partial(document_matches_filter, filters) if filters else None
