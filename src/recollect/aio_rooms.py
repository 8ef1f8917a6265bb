"""The rooms of ``AsyncMemory``: the same methods as those of ``Memory``, awaited."""

from collections.abc import Awaitable, Callable
from datetime import datetime
from os import PathLike
from typing import Any, Final, Literal

from recollect.describing import Description
from recollect.documents import Document, Documents
from recollect.documents.library import LIMIT, Citations, DocumentList, Results
from recollect.documents.reading import ENCODING
from recollect.documents.records import DocumentResult
from recollect.sessions import TIMEOUT_S, Session, SessionList, Sessions
from recollect.text.chunks import MAX_TOKENS
from recollect.types import Scope

Run = Callable[..., Awaitable[Any]]
"""Runs a call in a thread."""


class AsyncDocuments:
    """See ``Documents``.

    Args:
        documents: Those of a memory.
        run: Runs a call in a thread.
    """

    def __init__(self, documents: Documents, run: Run) -> None:
        self._documents: Final = documents
        self._run = run

    async def add(
        self,
        path: str | PathLike[str],
        *,
        user_id: str,
        max_tokens: int = MAX_TOKENS,
        encoding: str = ENCODING,
        remove_missing: bool = False,
    ) -> Results:
        """See ``Documents.add``."""
        found: Results = await self._run(
            self._documents.add,
            path,
            user_id=user_id,
            max_tokens=max_tokens,
            encoding=encoding,
            remove_missing=remove_missing,
        )
        return found

    async def add_text(
        self,
        text: str,
        *,
        user_id: str,
        source: str,
        title: str | None = None,
        format: Literal["markdown", "text", "html"] = "markdown",  # noqa: A002 - as in Documents
        max_tokens: int = MAX_TOKENS,
        timestamp: datetime | None = None,
    ) -> DocumentResult:
        """See ``Documents.add_text``."""
        result: DocumentResult = await self._run(
            self._documents.add_text,
            text,
            user_id=user_id,
            source=source,
            title=title,
            format=format,
            max_tokens=max_tokens,
            timestamp=timestamp,
        )
        return result

    async def list(self, *, user_id: str) -> DocumentList:
        """See ``Documents.list``."""
        found: DocumentList = await self._run(self._documents.list, user_id=user_id)
        return found

    async def get(self, document_id: str, *, user_id: str) -> Document:
        """See ``Documents.get``."""
        document: Document = await self._run(self._documents.get, document_id, user_id=user_id)
        return document

    async def text(self, document_id: str, *, user_id: str) -> str:
        """See ``Documents.text``."""
        words: str = await self._run(self._documents.text, document_id, user_id=user_id)
        return words

    async def parent(self, memory_id: str, *, user_id: str) -> Document:
        """See ``Documents.parent``."""
        document: Document = await self._run(self._documents.parent, memory_id, user_id=user_id)
        return document

    async def search(self, query: str, *, user_id: str, limit: int = LIMIT) -> Citations:
        """See ``Documents.search``."""
        found: Citations = await self._run(self._documents.search, query, user_id=user_id, limit=limit)
        return found

    async def remove(self, source: str | PathLike[str], *, user_id: str) -> DocumentList:
        """See ``Documents.remove``."""
        removed: DocumentList = await self._run(self._documents.remove, source, user_id=user_id)
        return removed


class AsyncSessions:
    """See ``Sessions``.

    Args:
        sessions: Those of a memory.
        run: Runs a call in a thread.
    """

    def __init__(self, sessions: Sessions, run: Run) -> None:
        self._sessions: Final = sessions
        self._run = run

    async def start(
        self,
        *,
        user_id: str,
        agent_id: str | None = None,
        session_id: str | None = None,
        title: str | None = None,
    ) -> Session:
        """See ``Sessions.start``."""
        ids = {"user_id": user_id, "agent_id": agent_id, "session_id": session_id}
        session: Session = await self._run(self._sessions.start, **ids, title=title)
        return session

    async def get(
        self, session_id: str, *, user_id: str, agent_id: str | None = None, timeout_s: float = TIMEOUT_S
    ) -> Session:
        """See ``Sessions.get``."""
        ids = {"user_id": user_id, "agent_id": agent_id}
        session: Session = await self._run(self._sessions.get, session_id, **ids, timeout_s=timeout_s)
        return session

    async def list(
        self,
        *,
        user_id: str,
        agent_id: str | None = None,
        limit: int | None = None,
        timeout_s: float = TIMEOUT_S,
    ) -> SessionList:
        """See ``Sessions.list``."""
        ids = {"user_id": user_id, "agent_id": agent_id}
        found: SessionList = await self._run(self._sessions.list, **ids, limit=limit, timeout_s=timeout_s)
        return found

    async def end(
        self, session_id: str, *, user_id: str, agent_id: str | None = None, learn: bool = True
    ) -> Session:
        """See ``Sessions.end``."""
        ids = {"user_id": user_id, "agent_id": agent_id}
        session: Session = await self._run(self._sessions.end, session_id, **ids, learn=learn)
        return session

    async def entitle(self, session_id: str, *, user_id: str, agent_id: str | None = None) -> Description:
        """See ``Sessions.entitle``."""
        ids = {"user_id": user_id, "agent_id": agent_id}
        title: Description = await self._run(self._sessions.entitle, session_id, **ids)
        return title

    async def summarise(self, session_id: str, *, user_id: str, agent_id: str | None = None) -> Description:
        """See ``Sessions.summarise``."""
        ids = {"user_id": user_id, "agent_id": agent_id}
        summary: Description = await self._run(self._sessions.summarise, session_id, **ids)
        return summary

    async def end_idle(
        self, *, user_id: str, timeout_s: float = TIMEOUT_S, learn: bool = True
    ) -> SessionList:
        """See ``Sessions.end_idle``."""
        found: SessionList = await self._run(
            self._sessions.end_idle, user_id=user_id, timeout_s=timeout_s, learn=learn
        )
        return found

    async def forget_empty(self, scope: Scope) -> None:
        """See ``Sessions.forget_empty``."""
        await self._run(self._sessions.forget_empty, scope)
