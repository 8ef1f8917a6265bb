"""LangChain: a retriever, a vector store, and middleware that gives an agent a memory."""

from recollect.integrations.langchain.documents import RecollectRetriever, RecollectVectorStore
from recollect.integrations.langchain.middleware import RecollectMiddleware

__all__ = ["RecollectMiddleware", "RecollectRetriever", "RecollectVectorStore"]
