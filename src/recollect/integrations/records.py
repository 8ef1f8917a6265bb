"""Values under keys, as the stores of frameworks keep them: documents that are found by their words."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Final

from recollect import Memory
from recollect.checks import MAX_TOP_K, check_key, check_metadata
from recollect.errors import InvalidInputError, NotFoundError, as_given
from recollect.integrations.value_filters import VALUE, read_value_filter
from recollect.types import JSON, TIER, Labels, MemoryRecord, Recollection, Tier
from recollect.types.characters import without_controls

NEVER: Final = datetime.max.replace(tzinfo=UTC)
"""The end of what has no end any more: an update cannot take an end away."""
WORDLESS: Final = "(no words)"
"""What stands for the words of a value without any. It is archived, so no search finds it."""
Filters = Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Keyed:
    """A value to keep under a key.

    Attributes:
        words: What it is found by; a secret in them is masked, or they are refused, as in ``Memory.add``.
            Without any, no search finds it.
        value: It comes back equal, see ``value_of``.
        marks: What else to keep with it: metadata whose names do not begin with ``value.``.
        valid_until: Until when it holds; after that it is not found. None means for ever.
    """

    key: str
    words: str
    value: Mapping[str, JSON] = field(default_factory=dict)
    marks: Mapping[str, JSON] = field(default_factory=dict)
    valid_until: datetime | None = None

    def metadata(self) -> dict[str, JSON]:
        """What is kept beside the words.

        Raises:
            InvalidInputError: A name in the value is no text.
        """
        if not isinstance(self.value, Mapping) or not all(isinstance(name, str) for name in self.value):
            raise InvalidInputError(
                f"the value of {self.key!r} must be a mapping with text keys, not {as_given(self.value)}"
            )
        return {**self.marks, **{f"{VALUE}{name}": part for name, part in self.value.items()}}


def value_of(record: MemoryRecord) -> dict[str, JSON]:
    """The value of a record, as it was put."""
    named = record.metadata.items()
    return {name.removeprefix(VALUE): part for name, part in named if name.startswith(VALUE)}


def texts_in(value: object) -> Iterator[str]:
    """The texts in a JSON value, in order."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for one in value.values():
            yield from texts_in(one)
    elif isinstance(value, (list, tuple)):
        for one in value:
            yield from texts_in(one)


class KeyedRecords:
    """The values of one user in one space of keys; nothing of other users or spaces is read or changed.

    They are memories of the kind ``document``: nothing is learned from them, and a deleted key may be used
    again. ``Memory.search`` finds them, too.

    Args:
        memory: Where they are kept.
        user_id: Whose they are.
        space: What all their idempotency keys begin with, before a colon.
    """

    def __init__(self, memory: Memory, *, user_id: str, space: str) -> None:
        self._memory = memory
        self._user_id = user_id
        self._start = f"{space}:"

    def key_of(self, record: MemoryRecord) -> str:
        """The key of a record that ``get``, ``find`` or ``search`` returned."""
        return str(record.idempotency_key)[len(self._start) :]

    def put(self, values: Sequence[Keyed]) -> None:
        """Store values, or replace those that have the keys; of two with one key the last counts.

        Raises:
            InvalidInputError: A value is not JSON, or its words cannot be stored, or hold a secret and are
                refused; nothing was stored.
        """
        by_key = {one.key: _with_words(one) for one in values}
        for one in by_key.values():
            self._check(one)
        known = self._known(by_key)
        new = [one for key, one in by_key.items() if key not in known]
        for key, record in known.items():
            ends = record.times.valid_until is not None
            if not self._replace(record.id, by_key[key], ends=ends):
                new.append(by_key[key])
        stored = self._memory.add(list(map(self._item, new)), user_id=self._user_id) if new else []
        for one, result in zip(new, stored, strict=True):
            if result.status == "duplicate":  # somebody else stored it in the meantime
                self._replace(str(result.id), one, ends=True)

    def get(self, keys: Collection[str]) -> dict[str, MemoryRecord]:
        """The records with these keys, by key; a key that is not there is left out."""
        found = self._known(keys) if keys else {}
        now = self._memory.parts.clock()
        return {key: one for key, one in found.items() if (one.times.valid_until or NEVER) > now}

    def find(
        self,
        prefix: str = "",
        *,
        where: Filters | None = None,
        filters: Filters | None = None,
        limit: int | None = None,
    ) -> list[MemoryRecord]:
        """The records whose keys begin with a prefix, newest first.

        Args:
            prefix: How their keys begin.
            where: A filter on their values, see ``value_filters``.
            filters: One on their other metadata and fields, as in ``Memory.search``.
            limit: How many at most.
        """
        conditions, left = read_value_filter({} if where is None else where)
        if limit == 0:
            return []
        wanted = {"and": [self._under(prefix), self._live(), *conditions, filters or {}]}
        found = self._found(wanted, limit=None if left else limit)
        return [one for one in found if all(test.holds(one) for test in left)][:limit]

    def search(
        self,
        query: str,
        *,
        prefix: str = "",
        where: Filters | None = None,
        filters: Filters | None = None,
        top_k: int,
    ) -> list[Recollection]:
        """The records under a prefix that answer a question, best first; none answers a blank one.

        The filters are as in ``find``.
        """
        if not query.strip():
            return []
        conditions, left = read_value_filter({} if where is None else where)
        found = self._memory.search(
            query,
            user_id=self._user_id,
            kinds=["document"],
            filters={"and": [self._under(prefix), self._live(), *conditions, filters or {}]},
            top_k=MAX_TOP_K if left else min(top_k, MAX_TOP_K),
            collapse=False,
        )
        return [hit for hit in found if all(test.holds(hit.memory) for test in left)][:top_k]

    def delete(self, keys: Collection[str]) -> int:
        """Delete what is under these keys, all in one transaction; returns how many there were."""
        return self._delete(self._under_one_of(keys)) if keys else 0

    def delete_all(self, prefix: str = "") -> int:
        """Delete what is under a prefix; returns how many there were."""
        return self._delete(self._under(prefix))

    def delete_expired(self) -> int:
        """Delete what does not hold any more; returns how many there were."""
        return self._delete({"and": [self._under(""), self._expired()]})

    def keep_until(self, record: MemoryRecord, moment: datetime) -> None:
        """Let a record hold until then, unless somebody deleted it in the meantime."""
        with suppress(NotFoundError):
            self._memory.update(record.id, user_id=self._user_id, valid_until=moment)

    def _delete(self, filters: Filters) -> int:
        where = {"and": [{"kind": "document"}, filters]}
        return self._memory.delete_all(user_id=self._user_id, filters=where)

    def _expired(self) -> Filters:
        return {"valid_until": {"lte": self._memory.parts.clock()}}

    def _live(self) -> Filters:
        return {"not": self._expired()}

    def _known(self, keys: Collection[str]) -> dict[str, MemoryRecord]:
        """The records with these keys, those that do not hold any more, too."""
        return {self.key_of(one): one for one in self._found(self._under_one_of(keys))}

    def _under_one_of(self, keys: Collection[str]) -> Filters:
        return {"idempotency_key": {"in": [f"{self._start}{key}" for key in keys]}}

    def _under(self, prefix: str) -> Filters:
        """Keys with a prefix: texts are ordered by code points, so these stand together."""
        start = f"{self._start}{prefix}"
        return {"idempotency_key": {"gte": start, "lt": f"{start[:-1]}{chr(ord(start[-1]) + 1)}"}}

    def _found(self, filters: Filters, *, limit: int | None = None) -> list[MemoryRecord]:
        return self._memory.get_all(
            user_id=self._user_id, kinds=["document"], filters=filters, limit=limit, newest_first=True
        )

    def _check(self, one: Keyed) -> None:
        """Raise what ``add`` would raise, before anything of the call is stored."""
        named = f"the value under {as_given(one.key)}"
        check_key("a key", f"{self._start}{one.key}")
        given = one.metadata()
        kept = check_metadata(named, given)
        if other := next((name for name, part in given.items() if kept[name] != part), None):
            raise InvalidInputError(
                f"{named} would not come back equal: {other.removeprefix(VALUE)!r} is not JSON; write a time "
                "as text (isoformat), a tuple as a list, and keys as texts"
            )
        for text in (one.words, "\n".join(texts_in(one.value))):
            screened = self._memory.maintenance.screen(text) if _has_words(text) else None
            if screened is not None and screened.refused:
                raise InvalidInputError(f"{named} cannot be stored: {screened.refused}")

    def _item(self, one: Keyed) -> dict[str, object]:
        item: dict[str, object] = {
            "content": one.words,
            "kind": "document",
            "role": "document",
            "metadata": one.metadata(),
            "idempotency_key": f"{self._start}{one.key}",
            "tier": _tier(one),
        }
        return item if one.valid_until is None else {**item, "valid_until": one.valid_until}

    def _replace(self, memory_id: str, one: Keyed, *, ends: bool) -> bool:
        """Replace a value; false if somebody deleted it in the meantime."""
        try:
            self._memory.update(
                memory_id,
                user_id=self._user_id,
                content=one.words,
                metadata=one.metadata(),
                labels=Labels(tier=_tier(one)),
                valid_until=one.valid_until or (NEVER if ends else None),
            )
        except NotFoundError:
            return False
        return True


def _with_words(one: Keyed) -> Keyed:
    """The value with words that can be stored: a memory has some."""
    return one if _has_words(one.words) else replace(one, words=WORDLESS)


def _has_words(text: str) -> bool:
    return bool(without_controls(text).strip())


def _tier(one: Keyed) -> Tier:
    return "archived" if one.words is WORDLESS else TIER
