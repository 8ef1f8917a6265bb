"""LangGraph: a long-term store for ``compile(store=...)``, LangMem and deepagents."""

from recollect.integrations.langgraph.store import RecollectStore

__all__ = ["RecollectStore"]
