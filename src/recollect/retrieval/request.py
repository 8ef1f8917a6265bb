"""What a search asks for, which memories it may return, and why it may not return another. Pure."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import numpy as np
from numpy.typing import NDArray

from recollect.checks import (
    MAX_TOP_K,
    check_bool,
    check_count,
    check_ids,
    check_kinds,
    check_query,
    check_share,
    check_tiers,
    check_time,
    check_within,
    if_given,
)
from recollect.retrieval.rank import Ranker
from recollect.retrieval.vectors import unit_vector
from recollect.types import KINDS, TIERS, Kind, MemoryRecord, Scope, Tier, Within
from recollect.types.codec import to_micros
from recollect.types.filters import EVERYTHING, AllOf, Filter, matches, narrowing, parse_filter

SeenIn = Callable[[object], Filter]
"""Makes the filter for what may be seen in a project of a user."""
SAID: Final[tuple[Kind, ...]] = tuple(kind for kind in KINDS if kind != "document")
"""All kinds but documents."""
TOP_K: Final = 10
"""Memories that a search returns at most by default."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A search.

    Attributes:
        query: The question.
        top_k: How many at most.
        now: The present moment.
        threshold: Only scores of at least this, 0 to 1.
        where: Only memories that match.
        kinds: Only these kinds; None for all, with documents placed beside what was said.
        tiers: Only these tiers; None for all but ``archived``.
        since: Only what happened at or after.
        until: Only what happened before.
        as_of: Only what held at that moment; None means now.
        ended: Also what no longer holds.
        exclude: Ids of memories that ``search`` leaves out.
        collapse: Whether the same words of the same speaker are returned once.
        embedding: The question's vector, when it is known already; ``float32`` of shape ``(dim,)``.
        topics: What the question is about, when that is known; None leaves it to its words.
    """

    query: str
    top_k: int
    now: datetime
    threshold: float = 0.0
    where: Filter = EVERYTHING
    kinds: Sequence[Kind] | None = None
    tiers: Sequence[Tier] | None = None
    since: datetime | None = None
    until: datetime | None = None
    as_of: datetime | None = None
    ended: bool = False
    exclude: Sequence[str] = ()
    collapse: bool = False
    embedding: NDArray[np.float32] | None = None
    topics: Sequence[str] | None = None

    @property
    def moment(self) -> datetime:
        """The moment at which memories must hold."""
        return self.as_of or self.now

    @property
    def searched(self) -> Sequence[Kind]:
        """The kinds that are meant."""
        return KINDS if self.kinds is None else self.kinds

    @property
    def recalled(self) -> Sequence[Tier]:
        """The tiers to search: archived memories only if they are asked for."""
        return [tier for tier in TIERS if tier != "archived"] if self.tiers is None else self.tiers


def read_request(
    query: str,
    *,
    now: datetime,
    seen: SeenIn,
    top_k: int = TOP_K,
    threshold: float = 0.0,
    filters: Mapping[str, object] | None = None,
    kinds: Sequence[Kind] | None = None,
    within: Within | None = None,
    collapse: bool = True,
    embedding: Sequence[float] | NDArray[np.float32] | None = None,
) -> Request:
    """The options of ``Memory.search`` and of what asks alike, checked.

    ``seen`` makes the filter for a project.

    Raises:
        InvalidInputError: An argument cannot be used.
    """
    narrowed = check_within(within)
    return Request(
        query=check_query(query),
        top_k=check_count("top_k", top_k, most=MAX_TOP_K),
        now=now,
        threshold=check_share("threshold", threshold),
        where=_where(filters, narrowed, seen),
        kinds=check_kinds(kinds),
        tiers=check_tiers(narrowed.tiers),
        since=if_given(check_time, "since", narrowed.since),
        until=if_given(check_time, "until", narrowed.until),
        as_of=if_given(check_time, "as_of", narrowed.as_of),
        exclude=check_ids("exclude_ids", narrowed.exclude_ids),
        collapse=check_bool("collapse", collapse),
        embedding=None if embedding is None else unit_vector("embedding", embedding),
    )


def _where(filters: Mapping[str, object] | None, within: Within, seen: SeenIn) -> Filter:
    """The filters, and that for a project."""
    where = parse_filter(filters)
    return where if within.project is None else AllOf((where, seen(within.project)))


def read_conditions(
    filters: Mapping[str, object] | None,
    kinds: Sequence[Kind] | None,
    within: Within | None,
    *,
    seen: SeenIn,
) -> Filter:
    """The same conditions as a filter, for memories that are listed: all tiers, and also what has ended.

    Raises:
        InvalidInputError: An argument cannot be used.
    """
    narrowed = check_within(within)
    parts = [
        _where(filters, narrowed, seen),
        narrowing(
            check_kinds(kinds),
            tiers=check_tiers(narrowed.tiers),
            since=if_given(check_time, "since", narrowed.since),
            until=if_given(check_time, "until", narrowed.until),
        ),
    ]
    if narrowed.as_of is not None:
        moment = check_time("as_of", narrowed.as_of)
        begun = [{"valid_from": {"lte": moment}}, {"valid_from": None, "happened_at": {"lte": moment}}]
        not_ended = [{"valid_until": None}, {"valid_until": {"gt": moment}}]
        parts.append(parse_filter({"and": [{"or": begun}, {"or": not_ended}]}))
    if excluded := check_ids("exclude_ids", narrowed.exclude_ids):
        parts.append(parse_filter({"id": {"nin": list(excluded)}}))
    return AllOf(tuple(parts))


def rows_allowed(ranker: Ranker, scope: Scope, request: Request) -> NDArray[np.bool_]:
    """Which rows of a shadow may be returned, as ``bool`` per row; ``request.where`` is not looked at."""
    shadow = ranker.shadow
    moment = to_micros(request.moment)
    mask: NDArray[np.bool_] = shadow["alive"].copy()
    if ranker.expires and not request.ended:
        mask &= shadow["valid_until"] > moment
    for column, value in (("agent", scope.agent_id), ("session", scope.session_id)):
        if value is not None:
            mask &= shadow[column] == shadow.names[column].numbers.get(value, -1)
    if request.kinds is not None or "document" in shadow.names["kind"].numbers:
        mask &= shadow.holds("kind", request.searched)
    if ranker.has_archived or request.tiers is not None:
        mask &= shadow.holds("tier", request.recalled)
    if request.as_of is not None:
        mask &= shadow["valid_from"] <= moment
    if request.since is not None:
        mask &= shadow["happened"] >= to_micros(request.since)
    if request.until is not None:
        mask &= shadow["happened"] < to_micros(request.until)
    return mask


def holds(record: MemoryRecord, request: Request) -> bool:
    """Whether a memory holds at the moment asked about, as ``rows_allowed`` sees it."""
    times = record.times
    begins = times.valid_from or times.happened_at
    has_begun = request.as_of is None or begins <= request.moment
    return has_begun and (request.ended or times.valid_until is None or times.valid_until > request.moment)


def why_not_allowed(record: MemoryRecord, scope: Scope, request: Request) -> str | None:
    """Why a search may not return a memory, in words; None when it may."""
    times = record.times
    happened = times.happened_at
    reasons = (
        (record.id in request.exclude, "it is one of exclude_ids"),
        (record.kind not in request.searched, f"memories of the kind {record.kind} were not searched"),
        (record.tier not in request.recalled, f"memories of the tier {record.tier} were not searched"),
        (not holds(record, request), _validity(record)),
        (scope.agent_id not in {None, record.scope.agent_id}, "it is another agent's"),
        (scope.session_id not in {None, record.scope.session_id}, "it belongs to another session"),
        (request.since is not None and happened < request.since, "it happened before since"),
        (request.until is not None and happened >= request.until, "it happened at until or later"),
        (not matches(request.where, record), "the filters do not match it"),
    )
    return next((reason for applies, reason in reasons if applies), None)


def _validity(record: MemoryRecord) -> str:
    until = record.times.valid_until
    begins = record.times.valid_from or record.times.happened_at
    held = f"from {begins:%Y-%m-%d}" + ("" if until is None else f" until {until:%Y-%m-%d}")
    return f"it did not hold at that time, but {held}"
