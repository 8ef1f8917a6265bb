"""Archiving memories and restoring them; the change log has the reason."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice
from typing import Final

from recollect.learning.retraction import WITH_WORDS
from recollect.lifecycle.archival import ARCHIVED, ArchivalPolicy, due, tier_before
from recollect.lifecycle.use import anchored
from recollect.memory.changes.revise import Changes
from recollect.memory.parts import Parts
from recollect.protocols import Entry
from recollect.types import JSON, MemoryRecord
from recollect.types.codec import to_micros
from recollect.types.filters import parse_filter
from recollect.types.records import reason_of

_PAGE: Final = 500
"""Memories changed in one transaction. Chosen by hand."""
_STATE: Final = "tidied"
"""The name under which a store keeps when that was done last."""
_BY_HAND: Final = "archived by hand"
_BROUGHT_BACK: Final = "brought back from the archive"
_BACKWITH_WORDS: Final = "the words it was learned from were brought back from the archive"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tidied:
    """What tidying did.

    Attributes:
        archived: For each reason, how many memories were archived.
        deleted: How many archived ones were deleted, softly.
        ids: The archived memories; ``Lifecycle.untidy`` brings them back.
    """

    archived: dict[str, int]
    deleted: int
    ids: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, JSON]:
        """``archived``, ``deleted`` and ``ids``."""
        return {"archived": {**self.archived}, "deleted": self.deleted, "ids": list(self.ids)}


class Archivist:
    """Archives memories of one user; see ``Memory.archive``."""

    def __init__(self, parts: Parts, user_id: str) -> None:
        self._parts = parts
        self._scope = parts.scope(user_id)
        self._store = parts.store
        self._reviser = parts.reviser
        self._clock = parts.clock
        self._unlearner = parts.learner.unlearner

    def archive(self, ids: Sequence[str], *, reason: str | None = None) -> list[MemoryRecord | None]:
        """Archive memories; None for one that is not there. One that is archived already stays so.

        What only they say goes with them: the facts that no other turn says, and each episode that tells one.
        """
        found = self._store.get(self._scope, ids)
        learned = [one for one in self._unlearner.learned_from(self._scope, ids) if one.tier != ARCHIVED]
        self._put_away([one.id for one in learned if self._rests(one, also=ids)], WITH_WORDS)
        open_ids = [record.id for record in found if record is not None and record.tier != ARCHIVED]
        done = dict(zip(open_ids, self._put_away(open_ids, reason or _BY_HAND), strict=True))
        return [None if record is None else done.get(record.id, record) for record in found]

    def unarchive(self, memory_id: str, *, reason: str | None = None) -> MemoryRecord | None:
        """Bring a memory back to the tier it was in, with what went with it; None when it is not there.

        It counts as used now: the next tidying would put it away again.
        """
        (record,) = self._store.get(self._scope, [memory_id])
        if record is None or record.tier != ARCHIVED:
            return record
        record = self._bring_back(memory_id, reason_of(_BROUGHT_BACK, reason))
        for learned in self._unlearner.learned_from(self._scope, [memory_id]):
            if learned.tier == ARCHIVED and self._went_along(learned.id) and not self._rests(learned):
                self._bring_back(learned.id, _BACKWITH_WORDS)
        return record

    def _bring_back(self, memory_id: str, reason: str) -> MemoryRecord | None:
        tier = tier_before(self._store.history(self._scope, memory_id))

        def back(before: MemoryRecord) -> Entry:
            now = self._clock()
            return self._reviser.revise(anchored(before, now), Changes(tier=tier), now)

        (record,) = self._store.update(self._scope, [memory_id], back, reason=reason)
        return record

    def _rests(self, learned: MemoryRecord, *, also: Sequence[str] = ()) -> bool:
        """Whether what was learned belongs into the archive, with some turns more in it."""
        turns = [one for one in self._store.get(self._scope, learned.origin.sources) if one is not None]
        away = [one.tier == ARCHIVED or one.id in also for one in turns]
        return any(away) if learned.kind == "episode" else all(away)

    def _went_along(self, memory_id: str) -> bool:
        """Whether a memory was archived with its words, and not by itself."""
        moved = [one for one in self._store.history(self._scope, memory_id) if "tier" in one.after]
        return bool(moved) and moved[-1].reason == WITH_WORDS

    def tidy(self, policy: ArchivalPolicy, *, not_within_s: float = 0.0, most: int | None = None) -> Tidied:
        """Do what a policy says, a page of memories after the other; doing it again changes nothing."""
        now = self._clock()
        if not_within_s and self._is_soon(now, not_within_s):
            return Tidied(archived={}, deleted=0)
        archived: dict[str, int] = {}
        ids: list[str] = []
        left = most
        for reason, page in self._pages(policy, now):
            chosen = page if left is None else dict(islice(page.items(), left))
            if put_away := self._put_away_unless_used(chosen, reason):
                archived[reason] = archived.get(reason, 0) + len(put_away)
                ids += put_away
            if left is not None and (left := left - len(chosen)) <= 0:
                return Tidied(archived=archived, deleted=0, ids=tuple(ids))
        deleted = 0 if policy.delete_after_days is None else self._delete(policy.delete_after_days)
        self._store.change_state(self._scope, _STATE, lambda _: now.isoformat())
        return Tidied(archived=archived, deleted=deleted, ids=tuple(ids))

    def _pages(self, policy: ArchivalPolicy, now: datetime) -> Iterator[tuple[str, dict[str, int]]]:
        """What is to be archived and why, a page at a time: ids, and when each was used last."""
        critical = self._store.match(self._scope, parse_filter({"critical": True}))
        rows = self._store.shadow(self._scope, 0).rows
        used = dict(zip(rows.ids, rows.accessed.tolist(), strict=True))
        for group in due(rows, policy, now=to_micros(now), critical=critical):
            for start in range(0, len(group.ids), _PAGE):
                yield group.reason, {one: used[one] for one in group.ids[start : start + _PAGE]}

    def _is_soon(self, now: datetime, not_within_s: float) -> bool:
        """Whether it was finished a short while ago; not when a clock was set back, or nobody can tell."""
        kept = self._store.state(self._scope, _STATE)
        try:
            last = datetime.fromisoformat(kept) if kept else None
            return last is not None and 0 <= (now - last).total_seconds() < not_within_s
        except (TypeError, ValueError):
            return False

    def _put_away_unless_used(self, page: Mapping[str, int], reason: str) -> list[str]:
        """Archive memories unless they were used, deleted or protected meanwhile; returns which."""
        still = [
            record.id
            for record in self._store.get(self._scope, list(page))
            if record is not None
            and not record.worth.critical
            and to_micros(record.times.accessed_at or record.times.created_at) == page[record.id]
        ]
        return [record.id for record in self._put_away(still, reason) if record is not None]

    def _delete(self, days: float) -> int:
        """Delete what was archived long ago."""
        before = self._clock() - timedelta(days=days)
        old = parse_filter({"tier": ARCHIVED, "critical": False, "updated_at": {"lt": before}})
        return self._parts.delete(self._scope, old, reason=f"archived for more than {days:g} days")

    def _put_away(self, ids: Sequence[str], reason: str) -> list[MemoryRecord | None]:
        def away(before: MemoryRecord) -> Entry:
            return self._reviser.revise(before, Changes(tier=ARCHIVED), self._clock())

        return self._store.update(self._scope, ids, away, reason=reason) if ids else []
