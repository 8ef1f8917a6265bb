"""LangChain: a retriever, a vector store, and middleware that gives an agent a memory."""

from recollect.integrations.langchain.middleware import RecollectMiddleware
from recollect.integrations.langchain.retriever import RecollectRetriever
from recollect.integrations.langchain.vector_store import RecollectVectorStore

__all__ = ["RecollectMiddleware", "RecollectRetriever", "RecollectVectorStore"]
