"""What retrievals make of memories: Semem's decay factor and its promotion, worked out when they are read.

Semem multiplies the decay factor of what a retrieval returns by 1.1, and that of every other memory by 0.9.
Nothing is written to those others here. A user's latest retrievals are kept as a list of moments; a record
holds its factor as of when it was last accessed, and each later retrieval took a tenth of it.
"""

import json
from dataclasses import dataclass, replace
from math import ceil, log
from typing import Final, overload

import numpy as np
from numpy.typing import NDArray

from recollect.errors import StoreCorruptError, StoreFormatError
from recollect.lifecycle.use import anchored
from recollect.types import MemoryRecord, Tier
from recollect.types.codec import from_micros, to_micros

RAISED: Final = 1.1
LOWERED: Final = 0.9
"""Semem: what a retrieval does to the factor of a memory that it returns, and to that of every other."""
LEAST_FACTOR: Final = 1e-3
MOST_FACTOR: Final = 1e3
"""Where a factor stops. Semem has no bounds, so that its factors end as 0 and as infinity. Chosen by hand: 66
retrievals without a memory lead from 1 to the least, and 73 in a row that return it to the most."""
KEPT_MOMENTS: Final = ceil(log(MOST_FACTOR / LEAST_FACTOR) / -log(LOWERED)) + 1
"""After 132 retrievals every factor is the least, wherever it was; these and the one that looks back."""
PROMOTED_AFTER: Final = 10
"""Semem: more accesses than this make a memory long-term."""
STATE: Final = "retrievals"
"""The name under which a store keeps a user's retrievals."""

SHORT_TERM: Final[Tier] = "short-term"
LONG_TERM: Final[Tier] = "long-term"
_VERSION: Final = 1
_MOST: Final = 1 << 57
"""More than a count or a moment can be: the year 6537."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Retrievals:
    """A user's retrievals.

    Attributes:
        moments: When the latest were, at most ``KEPT_MOMENTS``: microseconds since 1970 UTC, ascending.
    """

    count: int = 0
    moments: tuple[int, ...] = ()

    def missed(self, since: NDArray[np.int64]) -> NDArray[np.int64]:
        """How many of the moments come after each of some others; beyond what is kept it does not matter.

        >>> Retrievals(count=2, moments=(10, 20)).missed(np.array([5, 10, 20])).tolist()
        [2, 1, 0]
        """
        kept = np.array(self.moments, np.int64)
        return len(kept) - np.searchsorted(kept, since, side="right")

    def followed_by(self, now: int) -> "Retrievals":
        """These and one more, which is later than these even where a clock stands or runs back.

        Of memories it knows nothing: ``RetrievalLog.track`` gives a ``now`` that is later than the newest.
        """
        moment = max(now, self.moments[-1] + 1) if self.moments else now
        return Retrievals(count=self.count + 1, moments=(*self.moments, moment)[-KEPT_MOMENTS:])

    @classmethod
    def read(cls, kept: str | None) -> "Retrievals":
        """What ``written`` wrote; none where nothing is kept.

        Raises:
            StoreCorruptError: It is damaged.
            StoreFormatError: A newer version wrote it.
        """
        if kept is None:
            return cls()
        try:
            return cls._parsed(json.loads(kept))
        except (KeyError, TypeError, ValueError, RecursionError) as error:
            raise StoreCorruptError("the moments of retrievals are damaged; restore a backup") from error

    @classmethod
    def _parsed(cls, kept: dict[str, object]) -> "Retrievals":
        version = kept["version"]
        if type(version) is int and version > _VERSION:
            raise StoreFormatError("the moments of retrievals were written by a newer version of Recollect")
        count, moments = kept["count"], kept["moments"]
        if version != _VERSION or type(count) is not int or not isinstance(moments, list):
            raise ValueError(version)
        if any(type(one) is not int or abs(one) > _MOST for one in (count, *moments)):
            raise ValueError(moments)
        if sorted(set(moments)) != moments:
            raise ValueError(moments)
        return cls(count=count, moments=tuple(moments))

    def written(self) -> str:
        """As a store keeps it."""
        kept = {"version": _VERSION, "count": self.count, "moments": self.moments}
        return json.dumps(kept, separators=(",", ":"))


@overload
def decay_factor(factor: float, missed: int) -> float: ...
@overload
def decay_factor(factor: NDArray[np.float32], missed: NDArray[np.int64]) -> NDArray[np.float64]: ...
def decay_factor(
    factor: float | NDArray[np.float32], missed: int | NDArray[np.int64]
) -> float | NDArray[np.float64]:
    """Semem's decay factor after ``missed`` retrievals without the memory: a tenth less with each.

    The result is ``LEAST_FACTOR`` to ``MOST_FACTOR``, and so is ``factor``, once limited to that.

    >>> round(decay_factor(1.0, 2), 3), decay_factor(1.0, 1_000_000)
    (0.81, 0.001)
    """
    within = np.clip(np.asarray(factor, np.float64), LEAST_FACTOR, MOST_FACTOR)
    left: NDArray[np.float64] = np.maximum(within * LOWERED ** np.asarray(missed, np.float64), LEAST_FACTOR)
    return left if isinstance(missed, np.ndarray) else float(left)


def raised_factor(factor: float) -> float:
    """Semem's decay factor after a retrieval that returned the memory: a tenth more, at most the most.

    >>> round(raised_factor(0.81), 3), raised_factor(1e3)
    (0.891, 1000.0)
    """
    return min(max(factor, LEAST_FACTOR) * RAISED, MOST_FACTOR)


def factors_at(
    kept: str | None, factor: NDArray[np.float32], since: NDArray[np.int64]
) -> NDArray[np.float64]:
    """The decay factors of many memories as they are now."""
    return decay_factor(factor, Retrievals.read(kept).missed(since))


def factor_of(record: MemoryRecord, retrievals: Retrievals) -> float:
    """The decay factor of a memory as it is now."""
    missed = retrievals.missed(np.array([counted_from(record)]))
    return decay_factor(record.use.decay_factor, int(missed[0]))


def counted_from(record: MemoryRecord) -> int:
    """Since when retrievals pass a memory over, microseconds since 1970 UTC: its last access, or creation."""
    return to_micros(record.times.accessed_at or record.times.created_at)


def access_count(record: MemoryRecord) -> int:
    """How often a memory was accessed, as Semem counts: storing it was the first time."""
    return record.use.access_count + 1


def promoted(record: MemoryRecord, *, promote_after: int = PROMOTED_AFTER) -> MemoryRecord:
    """Semem's ``classifyMemory``: a short-term memory becomes long-term beyond ``promote_after`` accesses."""
    is_due = record.tier == SHORT_TERM and access_count(record) > promote_after
    return replace(record, tier=LONG_TERM) if is_due else record


def retrieved(
    record: MemoryRecord, retrievals: Retrievals, *, promote_after: int = PROMOTED_AFTER
) -> MemoryRecord:
    """A memory after the last of some retrievals returned it.

    Its access count and its factor rise, time starts again, and it is ``promoted`` when that is due.
    """
    *before, moment = retrievals.moments
    factor = raised_factor(factor_of(record, Retrievals(moments=tuple(before))))
    use = replace(record.use, access_count=record.use.access_count + 1, decay_factor=factor)
    return promoted(replace(anchored(record, from_micros(moment)), use=use), promote_after=promote_after)
