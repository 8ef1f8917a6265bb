"""What becomes of a message that was imported before: it may have changed in its source, and here, too."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final, Literal, NamedTuple, Self

from recollect.ingest.sources.source import SourceItem
from recollect.ingest.sources.survey import DIGEST, FROM, Survey, digest_in, keys_of, speaker_of
from recollect.ingest.sources.values import digest_of
from recollect.learning.marks import enders_of, reworded
from recollect.learning.recording import fact_of
from recollect.memory.changes.revise import Changes
from recollect.memory.imported_documents import standing_of
from recollect.protocols import Store
from recollect.types import JSON, Change, MemoryRecord, Scope
from recollect.types.filters import parse_filter

CHANGED: Final = "changed in its source"
"""The reason in the history of a memory that an import changed."""
Standing = Literal["duplicate", "updated", "conflict", "older"]
_NOTHING: Final = Changes()
_STAMPS: Final = frozenset({"times.updated_at", "times.accessed_at"})
"""What is left in a history of a change of words alone once these were purged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reimported:
    """An item beside the memory that it became.

    Attributes:
        standing: ``duplicate``: nothing is new. ``updated``: it changed in its source. ``conflict``: it
            changed there and here; ours stays. ``older``: ours comes from a newer state of the source.
        changes: What to change here; words are not screened.
    """

    standing: Standing
    changes: Changes = field(default=_NOTHING)


class _Digest(NamedTuple):
    """What an item said in its source, see ``digest_in``."""

    words: str
    times: str
    changed_at: int

    @classmethod
    def of(cls, text: str) -> Self:
        words, times, changed = [*text.split("."), "", ""][:3]
        return cls(words, times, int(changed) if changed.isdecimal() else 0)

    def metadata(self, there: Mapping[str, JSON]) -> dict[str, JSON]:
        return {**there, DIGEST: f"{self.words}.{self.times}.{self.changed_at or ''}"}


def compare(item: SourceItem, there: MemoryRecord, history: Callable[[], Sequence[Change]]) -> Reimported:
    """Compare an item with the memory that it became; ``history`` reads the changes of that."""
    changes = _NOTHING
    if item.kind == "message" and (who := speaker_of(item)) != (there.origin.role, there.origin.speaker):
        changes = replace(changes, role=who[0], speaker=who[1])
    before, now = _Digest.of(str(there.metadata.get(DIGEST, ""))), _Digest.of(digest_in(item))
    if not before.words or before[:2] == now[:2]:
        return _updated(changes)
    if now.changed_at < before.changed_at:  # what names no such time was not changed yet
        return Reimported(standing="older", changes=changes)
    here = _changed_here(history())
    our_words, our_times = "content" in here, "times.happened_at" in here
    words, times = before.words != now.words, before.times != now.times
    kept = now
    if words and our_words and digest_of(there.content) not in (before.words, now.words):
        kept = kept._replace(words=before.words)
    elif words:
        changes = replace(changes, content=item.content)
    if times and our_times:
        kept = kept._replace(times=before.times)
    elif times:
        until = None if enders_of(there) else item.valid_until  # what ended it here still does
        changes = replace(changes, happened_at=item.at, valid_until=until)
    if kept[:2] != before[:2]:
        changes = replace(changes, metadata=kept.metadata(_metadata(there, changes.content)))
    return _updated(changes) if kept == now else Reimported(standing="conflict", changes=changes)


def _metadata(there: MemoryRecord, words: str | None) -> Mapping[str, JSON]:
    """The metadata of a memory with other words: what was read of a fact's old words is no part of them."""
    if words is None or fact_of(there) is None:
        return there.metadata
    return reworded(replace(there, content=words), before=there.content).metadata


def expected(store: Store, survey: Survey) -> dict[str, int]:
    """What importing would do to a store, without the counts that are 0: ``new`` and a ``Standing``'s."""
    user = Scope(user_id=survey.user_id)
    where = parse_filter({f"metadata.{FROM}": {"in": [part.source.name for part in survey.parts]}})
    there = {one.idempotency_key: one for one in store.find(user, where)}
    deleted = {one.idempotency_key for one in store.deleted(user, where)}
    counts: Counter[str] = Counter()
    for item in survey.items():
        keys = keys_of(item)
        known = next((there[key] for key in keys if key in there), None)
        if known is not None:
            counts[compare(item, known, partial(store.history, user, known.id)).standing] += 1
        else:
            counts["new" if deleted.isdisjoint(keys) else "deleted"] += 1
    counts.update(standing_of(store, user, document) for document in survey.documents())
    return dict(counts)


def _updated(changes: Changes) -> Reimported:
    return Reimported(standing="duplicate" if changes == _NOTHING else "updated", changes=changes)


def _changed_here(history: Sequence[Change]) -> set[str]:
    """The fields that were changed, but not by an import; the words, if a purge took what they were."""
    ours = [one for one in history if one.action == "update" and one.reason != CHANGED]
    purged = any(one.after.keys() <= _STAMPS for one in ours)
    return {name for one in ours for name in one.after} | ({"content"} if purged else set())
