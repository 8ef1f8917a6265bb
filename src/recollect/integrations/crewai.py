"""CrewAI: ``RecollectCrewMemory`` for ``Crew(memory=...)``. It runs in CrewAI's own environment."""

from collections import Counter
from collections.abc import Callable
from datetime import datetime
from typing import Any

from crewai.memory.types import MemoryMatch, MemoryRecord, ScopeInfo
from crewai.memory.unified_memory import Memory as CrewMemory
from crewai.memory.utils import join_scope_paths

from recollect import Memory
from recollect.errors import InvalidInputError
from recollect.integrations.records import Keyed, KeyedRecords
from recollect.types import MemoryRecord as Kept
from recollect.types.guesses import corrects_arguments

MOST = 10_000
"""Records among which a recall in a scope looks, as many as a search returns."""


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
            return include_private or not one.private or (source is not None and one.source == source)

        return [
            MemoryMatch(record=one, score=score, match_reasons=["words and meaning"])
            for one, score in self._storage.ranked(query)
            if visible(one) and _fits(one, inside, categories)
        ][:limit]

    def extract_memories(self, content: str) -> list[str]:
        """The text itself: no model decides what is worth keeping."""
        return [content] if content.strip() else []

    def update(  # noqa: PLR0917 - CrewAI's signature
        self,
        record_id: str,
        content: str | None = None,
        scope: str | None = None,
        categories: list[str] | None = None,
        metadata: dict[str, Any] | None = None,
        importance: float | None = None,
    ) -> MemoryRecord:
        """Change a record; what is None stays."""
        known = self._storage.get_record(record_id)
        if known is None:
            raise ValueError(f"Record not found: {record_id}")
        changes = {
            "content": content,
            "scope": scope,
            "categories": categories,
            "metadata": metadata,
            "importance": importance,
        }
        changed = known.model_copy(
            update={name: value for name, value in changes.items() if value is not None}
        )
        if not self.read_only:
            self._storage.update(changed)
        return known if self.read_only else changed

    async def aremember(self, *args: Any, **given: Any) -> MemoryRecord | None:
        """``remember``, which takes milliseconds."""
        return self.remember(*args, **given)

    async def aremember_many(self, *args: Any, **given: Any) -> list[MemoryRecord]:
        """``remember_many``."""
        return self.remember_many(*args, **given)

    async def arecall(self, *args: Any, **given: Any) -> list[MemoryMatch]:
        """``recall``."""
        return self.recall(*args, **given)

    async def aextract_memories(self, content: str) -> list[str]:
        """``extract_memories``."""
        return self.extract_memories(content)


class _Records:
    """CrewAI's ``StorageBackend``, but for the search by a vector."""

    def __init__(self, records: KeyedRecords) -> None:
        self._records = records

    def save(self, records: list[MemoryRecord]) -> None:
        self._records.put(
            [
                Keyed(
                    key=one.id, words=one.content, marks={"json": one.model_dump_json(exclude={"embedding"})}
                )
                for one in records
            ]
        )

    def update(self, record: MemoryRecord) -> None:
        self.save([record])

    def ranked(self, query: str) -> list[tuple[MemoryRecord, float]]:
        if not query.strip():
            return []
        return [(_read(hit.memory), hit.score) for hit in self._records.search(query, top_k=MOST)]

    def get_record(self, record_id: str) -> MemoryRecord | None:
        found = self._records.get([record_id]).get(record_id)
        return None if found is None else _read(found)

    def list_records(
        self, scope_prefix: str | None = None, limit: int = 200, offset: int = 0
    ) -> list[MemoryRecord]:
        return self._matching(lambda one: _fits(one, scope_prefix))[offset : offset + limit]

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

        return self._records.delete([one.id for one in self._matching(goes)])

    def reset(self, scope_prefix: str | None = None) -> None:
        self.delete(scope_prefix)

    def count(self, scope_prefix: str | None = None) -> int:
        return len(self._matching(lambda one: _fits(one, scope_prefix)))

    def list_categories(self, scope_prefix: str | None = None) -> dict[str, int]:
        found = self._matching(lambda one: _fits(one, scope_prefix))
        return dict(Counter(category for one in found for category in one.categories))

    def list_scopes(self, parent: str = "/") -> list[str]:
        start = f"{parent.rstrip('/')}/"
        below = self._matching(lambda one: one.scope.startswith(start) and one.scope != start)
        return sorted({start + one.scope[len(start) :].split("/")[0] for one in below})

    def get_scope_info(self, scope: str) -> ScopeInfo:
        found = self._matching(lambda one: _fits(one, scope))
        times = sorted(one.created_at for one in found)
        return ScopeInfo(
            path=scope,
            record_count=len(found),
            categories=sorted(self.list_categories(scope)),
            oldest_record=times[0] if times else None,
            newest_record=times[-1] if times else None,
            child_scopes=self.list_scopes(scope),
        )

    def _matching(self, test: Callable[[MemoryRecord], bool]) -> list[MemoryRecord]:
        """The records that pass a test, newest first."""
        return [one for one in map(_read, self._records.find()) if test(one)]


def _read(record: Kept) -> MemoryRecord:
    return MemoryRecord.model_validate_json(str(record.metadata["json"]))


def _fits(one: MemoryRecord, scope: str | None, categories: list[str] | None = None) -> bool:
    """Whether a record is in a scope or below it, and has one of some categories."""
    path = (scope or "").rstrip("/")
    inside = not path or one.scope == path or one.scope.startswith(f"{path}/")
    return inside and (not categories or bool(set(categories) & set(one.categories)))


def _no_embedder(_: object) -> list[list[float]]:
    raise InvalidInputError("this memory is not searched by vectors; call recall")
