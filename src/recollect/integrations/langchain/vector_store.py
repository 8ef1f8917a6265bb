"""A vector store that keeps documents in a user's memory."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NoReturn
from urllib.parse import quote
from uuid import uuid4

from recollect import Memory
from recollect.errors import InvalidInputError
from recollect.integrations.records import Keyed, KeyedRecords, value_of
from recollect.types import MemoryRecord
from recollect.types.extras import package_of
from recollect.types.guesses import corrects_arguments

with package_of("langchain", "langchain_core", feature="RecollectVectorStore"):
    from langchain_core.documents import Document
    from langchain_core.embeddings import Embeddings
    from langchain_core.vectorstores import VectorStore
    from langchain_core.vectorstores.utils import maximal_marginal_relevance

_NO_VECTOR: Final = (
    "RecollectVectorStore embeds texts itself, and a vector of another model fits none of them: "
    "search with words, as similarity_search(query) does"
)


@corrects_arguments(
    "add_texts",
    "delete",
    "similarity_search",
    "similarity_search_with_score",
    "max_marginal_relevance_search",
)
class RecollectVectorStore(VectorStore):
    """A user's documents, ranked by words and meaning; text, metadata and id come back equal.

    The memory embeds texts itself: LangChain's embeddings are not used, and there is no search by a vector of
    theirs. Scores are 0 to 1, higher is better.

    Args:
        memory: Where the documents are kept.
        user_id: Whose they are.
        collection: Separates several stores of one user.
    """

    def __init__(self, memory: Memory, *, user_id: str, collection: str = "default") -> None:
        space = f"langchain/{quote(collection, safe='')}"
        self._records = KeyedRecords(memory, user_id=user_id, space=space)
        self._embedder = memory.parts.embedder

    def add_texts(
        self,
        texts: Any,
        metadatas: list[dict[str, Any]] | None = None,
        *,
        ids: Sequence[str | None] | None = None,
        batch_size: int | None = None,  # noqa: ARG002 - LangChain's indexing names one
    ) -> list[str]:
        """Store texts, or replace those that have the ids; returns their ids, new ones where None.

        All are stored at once, whatever the ``batch_size``.
        """
        given = list(texts)
        named = [one or str(uuid4()) for one in (ids or [None] * len(given))]
        about: Sequence[Mapping[str, Any]] = metadatas or [{}] * len(given)
        if not len(given) == len(named) == len(about):
            raise InvalidInputError(
                f"{len(given)} texts need as many ids and metadatas, not {len(named)} and {len(about)}"
            )
        self._records.put(
            [
                Keyed(key=key, words=text, value=metadata, marks={"text": text})
                for key, text, metadata in zip(named, given, about, strict=True)
            ]
        )
        return named

    def delete(self, ids: list[str] | None = None) -> bool:
        """Delete documents by their ids, by default all of the collection; unknown ids are skipped."""
        if ids is None:
            self._records.delete_all()
        else:
            self._records.delete(ids)
        return True

    def get_by_ids(self, ids: Sequence[str], /) -> list[Document]:
        """The documents with these ids, in their order; unknown ids are skipped."""
        found = self._records.get(ids)
        return [self._document(found[one]) for one in ids if one in found]

    def similarity_search(
        self,
        query: str,
        k: int = 4,
        *,
        filter: Mapping[str, Any] | None = None,  # noqa: A002 - the name that LangChain's stores use
    ) -> list[Document]:
        """The documents that answer a question, best first.

        ``filter`` compares metadata: ``{"topic": "dogs", "year": {"$gte": 2024}}``.
        """
        return [document for document, _ in self.similarity_search_with_score(query, k, filter=filter)]

    def similarity_search_with_score(
        self,
        query: str,
        k: int = 4,
        *,
        filter: Mapping[str, Any] | None = None,  # noqa: A002
    ) -> list[tuple[Document, float]]:
        """The same with their scores."""
        found = self._records.search(query, where=filter, top_k=k)
        return [(self._document(hit.memory), hit.score) for hit in found]

    def max_marginal_relevance_search(
        self,
        query: str,
        k: int = 4,
        fetch_k: int = 20,
        lambda_mult: float = 0.5,
        *,
        filter: Mapping[str, Any] | None = None,  # noqa: A002
    ) -> list[Document]:
        """Of the ``fetch_k`` best documents ``k`` that also differ from each other, by their vectors.

        ``lambda_mult`` is 0 for those that differ most and 1 for the nearest.
        """
        found = self.similarity_search(query, fetch_k, filter=filter)
        if not found:
            return []
        chosen = maximal_marginal_relevance(
            self._embedder.embed_query(query),
            list(self._embedder.embed_documents([document.page_content for document in found])),
            lambda_mult=lambda_mult,
            k=k,
        )
        return [found[place] for place in chosen]

    def similarity_search_by_vector(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Do nothing: the vectors of other models fit no memory.

        Raises:
            NotImplementedError: Always.
        """
        raise NotImplementedError(_NO_VECTOR)

    max_marginal_relevance_search_by_vector = similarity_search_by_vector

    @classmethod
    def from_texts(
        cls,
        texts: list[str],
        embedding: Embeddings,  # noqa: ARG003 - LangChain's signature
        metadatas: list[dict[str, Any]] | None = None,
        *,
        ids: list[str] | None = None,
        **kwargs: Any,
    ) -> "RecollectVectorStore":
        """A store with these texts; ``memory``, ``user_id`` and ``collection`` are those of the constructor.

        ``embedding`` is not used: the memory embeds texts itself.
        """
        store = cls(**kwargs)
        store.add_texts(texts, metadatas, ids=ids)
        return store

    def _select_relevance_score_fn(self) -> Callable[[float], float]:
        return float

    def _document(self, record: MemoryRecord) -> Document:
        return Document(
            id=self._records.key_of(record),
            page_content=str(record.metadata["text"]),
            metadata=value_of(record),
        )
