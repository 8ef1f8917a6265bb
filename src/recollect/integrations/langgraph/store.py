"""``RecollectStore``: LangGraph's operations on the records of a user."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Final

from recollect import Memory
from recollect.checks import check_count
from recollect.errors import InvalidInputError
from recollect.integrations.langgraph.items import fits, key_of, namespace_of, prefix_of, words_of
from recollect.integrations.records import Filters, Keyed, KeyedRecords, value_of
from recollect.types import MemoryRecord
from recollect.types.extras import package_of
from recollect.types.guesses import corrects_arguments

with package_of("langgraph", "langgraph.store.base", feature="RecollectStore"):
    from langgraph.store.base import (
        BaseStore,
        GetOp,
        InvalidNamespaceError,
        Item,
        ListNamespacesOp,
        MatchCondition,
        Op,
        PutOp,
        Result,
        SearchItem,
        SearchOp,
        TTLConfig,
        validate_op_namespace,
    )

Namespace = tuple[str, ...]
TTL: Final = "ttl_minutes"
"""Under what an item's time to live is kept."""


@corrects_arguments("sweep_ttl")
class RecollectStore(BaseStore):
    """A LangGraph store over a ``Memory``: values come back equal, and are found by words and meaning.

    Args:
        memory: Where the items are kept.
        user_id: The user whose store this is.
        user_at: Instead of ``user_id``: which label of every namespace names the user, from 0. An operation
            on a namespace that is too short to name one is refused, so none sees items of two users.
        fields: JSON paths to the texts that items are found by; by default all texts in a value.
        ttl: The defaults of a time to live. Expired items are never returned; ``sweep_ttl`` deletes them.

    Raises:
        InvalidInputError: Both or none of ``user_id`` and ``user_at`` are given.
    """

    supports_ttl = True

    def __init__(
        self,
        memory: Memory,
        *,
        user_id: str | None = None,
        user_at: int | None = None,
        fields: Sequence[str] | None = None,
        ttl: TTLConfig | None = None,
    ) -> None:
        if (user_id is None) == (user_at is None):
            raise InvalidInputError("name either user_id or user_at: the place of the user in a namespace")
        self._memory = memory
        self._user_id = user_id
        self._user_at = None if user_at is None else check_count("user_at", user_at, least=0, most=100)
        self._fields = fields
        self.ttl_config = ttl

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Do all reads on the state before, then all writes; of two writes to a key the last counts."""
        asked = list(ops)
        for op in asked:
            validate_op_namespace(op)
            if isinstance(op, PutOp) and not op.namespace:
                raise InvalidNamespaceError("the namespace of what is put cannot be empty")
        results = [self._read(op) for op in asked]
        self._write({(op.namespace, op.key): op for op in asked if isinstance(op, PutOp)})
        return results

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """``batch``, in a thread."""
        return await asyncio.to_thread(self.batch, list(ops))

    def sweep_ttl(self, *, user_id: str | None = None) -> int:
        """Delete the expired items of a user, by default of the store's; returns how many."""
        user = user_id or self._user_id
        if user is None:
            raise InvalidInputError("name the user whose items are to be swept: sweep_ttl(user_id=...)")
        return self._records(user).delete_expired()

    def _read(self, op: Op) -> Result:
        if isinstance(op, GetOp):
            return self._get(op)
        if isinstance(op, SearchOp):
            return self._search(op)
        if isinstance(op, ListNamespacesOp):
            return self._namespaces(op)
        if isinstance(op, PutOp):
            return None
        raise ValueError(f"unknown operation {type(op).__name__}")

    def _write(self, puts: Mapping[tuple[Namespace, str], PutOp]) -> None:
        by_user: dict[str, list[PutOp]] = {}
        for op in puts.values():
            by_user.setdefault(self._user(op.namespace), []).append(op)
        for user, asked in by_user.items():
            records = self._records(user)
            records.put([self._keyed(op, op.value) for op in asked if op.value is not None])
            records.delete([key_of(op.namespace, op.key) for op in asked if op.value is None])

    def _keyed(self, op: PutOp, value: Mapping[str, Any]) -> Keyed:
        words = "" if op.index is False else words_of(value, op.index or self._fields)
        one = Keyed(key=key_of(op.namespace, op.key), words=words, value=value)
        if op.ttl is None:
            return one
        return replace(one, marks={TTL: op.ttl}, valid_until=self._ends(op.ttl))

    def _get(self, op: GetOp) -> Item | None:
        records = self._records(self._user(op.namespace))
        found = list(records.get([key_of(op.namespace, op.key)]).values())
        self._refresh(records, found, asked=op.refresh_ttl)
        return Item(**_item(records, found[0])) if found else None

    def _search(self, op: SearchOp) -> list[SearchItem]:
        records = self._records(self._user(op.namespace_prefix))
        found = self._found(records, op)[op.offset : op.offset + op.limit]
        self._refresh(records, [record for record, _ in found], asked=op.refresh_ttl)
        return [SearchItem(**_item(records, record), score=score) for record, score in found]

    def _found(self, records: KeyedRecords, op: SearchOp) -> list[tuple[MemoryRecord, float | None]]:
        """What a search returns, to its last page: what the query ranks, then what has no words."""
        prefix, last = prefix_of(op.namespace_prefix), op.offset + op.limit
        asked = (op.query or "").strip()
        hits = records.search(asked, prefix=prefix, where=op.filter, top_k=max(last, 1))
        left: Filters = {"tier": "archived"} if asked else {}
        rest = records.find(prefix, where=op.filter, filters=left, limit=max(last - len(hits), 0))
        return [(hit.memory, hit.score) for hit in hits] + [(one, None) for one in rest]

    def _namespaces(self, op: ListNamespacesOp) -> list[Namespace]:
        matched = op.match_conditions or ()
        records = self._records(self._user_of(matched))
        found = {namespace_of(records.key_of(record))[0] for record in records.find()}
        matching = {one for one in found if all(fits(one, condition) for condition in matched)}
        cut = sorted({one[: op.max_depth] for one in matching})
        return cut[op.offset : op.offset + op.limit]

    def _refresh(self, records: KeyedRecords, found: Sequence[MemoryRecord], *, asked: bool) -> None:
        for record in found if asked else ():
            minutes = record.metadata.get(TTL)
            if isinstance(minutes, (int, float)):
                records.keep_until(record, self._ends(minutes))

    def _ends(self, minutes: float) -> datetime:
        return self._memory.parts.clock() + timedelta(minutes=minutes)

    def _records(self, user_id: str) -> KeyedRecords:
        return KeyedRecords(self._memory, user_id=user_id, space="langgraph")

    def _user(self, namespace: Namespace) -> str:
        if self._user_at is None:
            return str(self._user_id)
        if len(namespace) <= self._user_at:
            raise InvalidNamespaceError(
                f"the namespace {namespace} names no user; label {self._user_at} must be the user"
            )
        return namespace[self._user_at]

    def _user_of(self, matched: Sequence[MatchCondition]) -> str:
        """The user that the conditions of a list name by a prefix."""
        prefixes = [tuple(one.path) for one in matched if one.match_type == "prefix"]
        user = self._user(max(prefixes, key=len, default=()))
        if self._user_at is not None and user == "*":
            raise InvalidNamespaceError("a list of namespaces must name its user; '*' would mean all of them")
        return user


def _item(records: KeyedRecords, record: MemoryRecord) -> dict[str, Any]:
    namespace, key = namespace_of(records.key_of(record))
    return {
        "namespace": namespace,
        "key": key,
        "value": value_of(record),
        "created_at": record.times.created_at,
        "updated_at": record.times.updated_at,
    }
