"""CrewAI: ``RecollectCrewMemory`` for ``Crew(memory=...)``. It runs in CrewAI's own environment."""

from collections import Counter
from datetime import datetime
from typing import Any

from crewai.memory.types import MemoryMatch, MemoryRecord, ScopeInfo
from crewai.memory.unified_memory import Memory as CrewMemory
from crewai.memory.utils import join_scope_paths

from recollect import Memory
from recollect.integrations.objects import KeyedObjects
from recollect.integrations.records import KeyedRecords
from recollect.types.guesses import corrects_arguments


@corrects_arguments("remember_many", "recall", "update")
class RecollectCrewMemory(CrewMemory):
    """A user's memory for a crew: no language model and no embedder is called for it.

    What a crew remembers is stored whole and ranked by words and meaning. Scopes, categories, ``forget``,
    ``list_records`` and the others work as in CrewAI's own memory.

    Args:
        memory: The memory.
        user_id: The user.
        root_scope: Below which scope all records stand.
        read_only: Whether nothing is stored or changed.
    """

    def __init__(
        self, memory: Memory, *, user_id: str, root_scope: str | None = None, read_only: bool = False
    ) -> None:
        records = _Records(KeyedRecords(memory, user_id=user_id, space="crewai"))
        super().__init__(
            storage=records, llm="none", embedder=_no_embedder, root_scope=root_scope, read_only=read_only
        )

    def remember(self, content: str, *given: Any, **named: Any) -> MemoryRecord | None:
        """Store a text; the options are those of ``remember_many``."""
        return next(iter(self.remember_many([content], *given, **named)), None)

    def remember_many(  # noqa: PLR0917 - CrewAI's signature
        self,
        contents: list[str],
        scope: str | None = None,
        categories: list[str] | None = None,
        metadata: dict[str, Any] | None = None,
        importance: float | None = None,
        source: str | None = None,
        private: bool = False,  # noqa: FBT001, FBT002
        agent_role: str | None = None,  # noqa: ARG002
        root_scope: str | None = None,
    ) -> list[MemoryRecord]:
        """Store texts, before the call returns."""
        if self.read_only:
            return []
        given = {"categories": categories, "metadata": metadata, "importance": importance, "source": source}
        kept = {name: value for name, value in given.items() if value is not None}
        place = join_scope_paths(root_scope or self.root_scope, scope)
        made = [MemoryRecord(content=one, scope=place, private=private, **kept) for one in contents]
        self._storage.save(made)
        return made

    def recall(  # noqa: PLR0917 - CrewAI's signature
        self,
        query: str,
        scope: str | None = None,
        categories: list[str] | None = None,
        limit: int = 10,
        depth: str = "deep",  # noqa: ARG002 - CrewAI's signature
        source: str | None = None,
        *,
        include_private: bool = False,
    ) -> list[MemoryMatch]:
        """The records that answer a query, best first; private ones for their own source only.

        Every ``depth`` is the same: no model is asked.
        """
        inside = join_scope_paths(self.root_scope, scope)

        def visible(one: MemoryRecord) -> bool:
            own = include_private or not one.private or (source is not None and one.source == source)
            return own and _fits(one, inside, categories)

        return [
            MemoryMatch(record=one, score=score, match_reasons=["words and meaning"])
            for one, score in self._storage.search_words(query, top_k=limit, test=visible)
        ]

    def extract_memories(self, content: str) -> list[str]:
        """The text itself: no model decides what is worth keeping."""
        return [content] if content.strip() else []


class _Records:
    """CrewAI's ``StorageBackend``, but for the search by a vector."""

    def __init__(self, records: KeyedRecords) -> None:
        self._objects = KeyedObjects(records=records, write=_written, read=MemoryRecord.model_validate_json)
        self.save = self._objects.put
        self.search_words = self._objects.search

    def update(self, record: MemoryRecord) -> None:
        self.save([record])

    def get_record(self, record_id: str) -> MemoryRecord | None:
        return self._objects.get([record_id]).get(record_id)

    def list_records(
        self, scope_prefix: str | None = None, limit: int = 200, offset: int = 0
    ) -> list[MemoryRecord]:
        return self._inside(scope_prefix)[offset : offset + limit]

    def delete(
        self,
        scope_prefix: str | None = None,
        categories: list[str] | None = None,
        record_ids: list[str] | None = None,
        older_than: datetime | None = None,
        metadata_filter: dict[str, Any] | None = None,
    ) -> int:
        def goes(one: MemoryRecord) -> bool:
            return (
                _fits(one, scope_prefix, categories)
                and (record_ids is None or one.id in record_ids)
                and (older_than is None or one.created_at < older_than)
                and (metadata_filter or {}).items() <= one.metadata.items()
            )

        return self._objects.delete(goes)

    def reset(self, scope_prefix: str | None = None) -> None:
        self.delete(scope_prefix)

    def list_categories(self, scope_prefix: str | None = None) -> dict[str, int]:
        found = self._inside(scope_prefix)
        return dict(Counter(category for one in found for category in one.categories))

    def list_scopes(self, parent: str = "/") -> list[str]:
        start = f"{parent.rstrip('/')}/"
        below = [one.scope[len(start) :] for one in self._inside(parent) if one.scope.startswith(start)]
        return sorted({start + scope.partition("/")[0] for scope in below if scope})

    def get_scope_info(self, scope: str) -> ScopeInfo:
        found = self._inside(scope)
        times = sorted(one.created_at for one in found)
        return ScopeInfo(
            path=scope,
            record_count=len(found),
            categories=sorted(self.list_categories(scope)),
            oldest_record=times[0] if times else None,
            newest_record=times[-1] if times else None,
            child_scopes=self.list_scopes(scope),
        )

    def _inside(self, scope: str | None) -> list[MemoryRecord]:
        """The records in a scope and below it, newest first."""
        return self._objects.find(lambda one: _fits(one, scope))


def _written(one: MemoryRecord) -> str:
    return str(one.model_dump_json(exclude={"embedding"}))


def _fits(one: MemoryRecord, scope: str | None, categories: list[str] | None = None) -> bool:
    """Whether a record is in a scope or below it, and has one of some categories."""
    path = (scope or "").rstrip("/")
    inside = not path or one.scope == path or one.scope.startswith(f"{path}/")
    return inside and (not categories or bool(set(categories) & set(one.categories)))


def _no_embedder(_: object) -> list[list[float]]:
    """No vectors: this memory is searched by words."""
    return []
