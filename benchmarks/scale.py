"""What many users need: servers, memory, disk and money, from measured costs and stated assumptions.

Nothing was measured at the sizes told of here: what one operation and one memory cost on one machine is
multiplied. ``simulate`` says what multiplying does not: how long requests wait, and how often a user's shadow
must be read again.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from benchmarks.simulate import shadow_reads
from benchmarks.targets import Result

DAY_S: Final = 86_400.0
ROOMS: Final = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5)
"""Shares of all users whose shadows have room at once."""
SESSION_TURNS: Final = 5


class Assumption(NamedTuple):
    """A number that nobody measured.

    Attributes:
        what: With the unit.
        why: The reason for it.
    """

    value: float
    what: str
    why: str


ASSUMED: Final[Mapping[str, Assumption]] = {
    "memories": Assumption(
        2_000, "memories of a user", "two and a half years at the activity below, with what is learned"
    ),
    "active": Assumption(
        0.2, "share of the users active on a day", "a tool for work has more, an app with many sign-ups less"
    ),
    "turns": Assumption(10, "turns a day of an active user", "two conversations of five"),
    "searches": Assumption(5, "searches a day beside them", "a model's tool call in every second turn"),
    "peak": Assumption(
        3, "the busiest hour, as a multiple of the mean", "users of one region sleep at the same time"
    ),
    "missed": Assumption(
        0.05, "share of turns that may read the shadow first", "it stays out of the p95 of most users"
    ),
    "utilisation": Assumption(
        0.5, "share of each core used in the busiest hour", "below where the p99 bends; half may fail"
    ),
    "copies": Assumption(2, "copies of the data", "a database server and a replica"),
    "server_cores": Assumption(16, "cores of a server", "a usual size"),
    "server_gb": Assumption(
        4_000, "GB of data on a database server", "restored within six hours at 200 MB a second"
    ),
    "core": Assumption(25, "price of a core, a month", "a round number near list prices; put in yours"),
    "ram_gb": Assumption(3, "price of a GB of memory, a month", "likewise"),
    "disk_gb": Assumption(0.1, "price of a GB of SSD, a month", "likewise"),
}
"""What the page assumes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Costs:
    """What was measured, of one process on one machine.

    Attributes:
        turn_ms, search_ms: Of the server's processor, over HTTP.
        learn_ms: Of a processor, for each turn, by rules.
        add_ms: From a durable ``add`` to its answer, on a SQLite file.
        stored_ms: The part of an ``add`` on PostgreSQL that is not the client's processor.
        shadow_ms: The first search of a user on PostgreSQL, of 1,000 memories.
        shadow_bytes: Of a memory in a shadow.
        process_mb: Of a server without shadows.
        file_bytes, table_bytes: Of a memory in a SQLite file, and in PostgreSQL's tables and indexes.
    """

    turn_ms: float
    search_ms: float
    learn_ms: float
    add_ms: float
    stored_ms: float
    shadow_ms: float
    shadow_bytes: float
    process_mb: float
    file_bytes: float
    table_bytes: float


def costs_of(results: Mapping[str, Result]) -> Costs:
    """The costs in the committed results, by name.

    Raises:
        KeyError: A result, or a figure in it, is missing.
    """
    speed, serving, postgres = results["speed"], results["serving"], results["postgres"]
    many = speed["users"]
    small = speed["sizes"]["1000"]["search"]["peak_memory_first_mb"]
    single = postgres["single_add"]
    return Costs(
        turn_ms=serving["costs"]["turn"]["cpu_ms"],
        search_ms=serving["costs"]["search"]["cpu_ms"],
        learn_ms=1_000 / results["extraction"]["speed"]["locomo"]["per_second"],
        add_ms=speed["sizes"]["10000"]["single_add"]["p50_ms"],
        stored_ms=single["p50_ms"] - single["cpu_p50_ms"],
        shadow_ms=postgres["users"]["search"]["first_of_a_user"]["p50_ms"],
        shadow_bytes=(many["search"]["peak_memory_mb"] - small) * 1e6 / 99_000,
        process_mb=serving["costs"]["process_mb"],
        file_bytes=many["write"]["bytes_per_memory"],
        table_bytes=postgres["bytes_per_memory"],
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """What so many users need in their busiest hour.

    Attributes:
        users: How many.
        turns_s, searches_s: A second.
        cores: Of the servers that answer and learn.
        room: The share of the users whose shadows have room.
        ram_gb: For these shadows, and the processes.
        disk_gb: Of all copies.
        shards: Database servers, each with its replicas.
        money: A month, by what it is paid for.
    """

    users: float
    turns_s: float
    searches_s: float
    cores: float
    room: float
    ram_gb: float
    disk_gb: float
    shards: int
    money: Mapping[str, float]


def need(users: float, costs: Costs, *, sqlite: bool = False, **other: float) -> Need:
    """What users need.

    Args:
        users: How many.
        costs: What was measured.
        sqlite: Whether they are in one file, with no database server.
        other: Assumptions by their names, where they are not ``ASSUMED``.
    """
    given = {name: one.value for name, one in ASSUMED.items()} | other
    per_second = users * given["active"] / DAY_S * given["peak"]
    turns, searches = per_second * given["turns"], per_second * given["searches"]
    work_ms = turns * (costs.turn_ms + costs.learn_ms) + searches * costs.search_ms
    cores = work_ms / 1_000 / given["utilisation"]
    room = room_for(missed=given["missed"], active=given["active"])
    memories = users * given["memories"]
    ram_gb = (memories * room * costs.shadow_bytes + max(1.0, cores) * costs.process_mb * 1e6) / 1e9
    disk_gb = memories * (costs.file_bytes if sqlite else costs.table_bytes) * given["copies"] / 1e9
    shards = 0 if sqlite else _shards(costs, given, turns=turns, disk_gb=disk_gb)
    rented = {"core": max(1.0, cores) + shards * given["copies"] * given["server_cores"]}
    rented |= {"ram_gb": ram_gb + shards * given["copies"] * 4 * given["server_cores"], "disk_gb": disk_gb}
    return Need(
        users=users,
        turns_s=turns,
        searches_s=searches,
        cores=cores,
        room=room,
        ram_gb=ram_gb,
        disk_gb=disk_gb,
        shards=shards,
        money={name: count * given[name] for name, count in rented.items()},
    )


def _shards(costs: Costs, given: Mapping[str, float], *, turns: float, disk_gb: float) -> int:
    """Database servers: for the data, or for the writes and the shadows that are read."""
    busy_ms = turns * (costs.stored_ms + given["missed"] * costs.shadow_ms * given["memories"] / 1_000)
    by_work = busy_ms / 1_000 / given["utilisation"] / given["server_cores"]
    by_size = disk_gb / given["copies"] / given["server_gb"]
    return max(1, -int(-max(by_work, by_size) // 1))


def room_for(*, missed: float, active: float) -> float:
    """The least of ``ROOMS`` with which so few turns find no shadow; the largest where none is enough."""
    reads = shadow_reads_by_room(active)
    return next((room for room, share in reads.items() if share <= missed), ROOMS[-1])


def shadow_reads_by_room(active: float) -> dict[float, float]:
    """See ``simulate.shadow_reads``: two sessions on a day on which a user is active."""
    return shadow_reads(ROOMS, sessions_a_day=2 * active, turns=SESSION_TURNS)
