"""A retriever over a user's memories."""

from typing import Any

from recollect import Memory
from recollect.types import Kind, Recollection
from recollect.types.extras import package_of
from recollect.types.guesses import corrects_arguments

with package_of("langchain", "langchain_core", feature="RecollectRetriever"):
    from langchain_core.callbacks import CallbackManagerForRetrieverRun
    from langchain_core.documents import Document
    from langchain_core.retrievers import BaseRetriever


@corrects_arguments("_get_relevant_documents=invoke")
class RecollectRetriever(BaseRetriever):
    """Finds what a user said, what was learned and documents, as LangChain documents, best first.

    ``Document.metadata`` is what ``Recollection.to_dict`` returns, without the words and the id.

    Attributes:
        memory: Where to look.
        user_id: Whose memories.
        agent_id: Only this agent's.
        session_id: Only this session's.
        k: How many at most; ``invoke(question, k=...)`` takes another number.
        threshold: Only scores of at least this, 0 to 1.
        filter: Only memories that match, as the ``filters`` of ``Memory.search``.
        kinds: Only these kinds.
    """

    memory: Memory
    user_id: str
    agent_id: str | None = None
    session_id: str | None = None
    k: int = 4
    threshold: float = 0.0
    filter: dict[str, Any] | None = None
    kinds: list[Kind] | None = None

    def _get_relevant_documents(
        self,
        query: str,
        *,
        run_manager: CallbackManagerForRetrieverRun,  # noqa: ARG002 - LangChain's signature
        k: int | None = None,
    ) -> list[Document]:
        found = self.memory.search(
            query,
            user_id=self.user_id,
            agent_id=self.agent_id,
            session_id=self.session_id,
            top_k=self.k if k is None else k,
            threshold=self.threshold,
            filters=self.filter,
            kinds=self.kinds,
        )
        return [_found(hit) for hit in found]


def _found(hit: Recollection) -> Document:
    told = hit.to_dict()
    return Document(
        id=hit.id,
        page_content=hit.content,
        metadata={name: value for name, value in told.items() if name not in ("id", "content")},
    )
