"""What many users need: servers, memory, disk and money, from measured costs and stated assumptions.

Nothing was measured at the sizes told of here: what one operation and one memory cost on one machine is
multiplied. ``simulate`` says what multiplying does not: how long requests wait, and how often a user's shadow
must be read again.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from math import ceil
from typing import Final, NamedTuple

from benchmarks.simulate import shadow_reads
from benchmarks.targets import Result

DAY_S: Final = 86_400.0
ROOMS: Final = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5)
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
    "utilisation": Assumption(
        0.5, "share of each core used in the busiest hour", "below where the p99 bends; half may fail"
    ),
    "copies": Assumption(2, "copies of the data", "a database server and a replica"),
    "server_cores": Assumption(16, "cores of a database server", "a usual size"),
    "server_ram_gb": Assumption(64, "GB of memory of a database server", "a usual size beside 16 cores"),
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
        turn_ms, search_ms: Processor time of the server, over HTTP, of a user with 1,000 memories.
        learn_ms: Processor time of learning by rules, for each turn.
        add_ms: From a durable ``add`` to its answer, on a SQLite file.
        stored_ms: Processor time of the PostgreSQL server for an ``add``.
        shadow_ms: Processor time of that server to read 1,000 memories for a shadow.
        shadow_here_ms: The same of the process that reads them, with the search.
        shadow_bytes: Of a memory in a shadow.
        process_mb: Of a server with the shadows of a few users.
        file_bytes, table_bytes: Of a memory in a SQLite file, and in PostgreSQL's tables and indexes.
    """

    turn_ms: float
    search_ms: float
    learn_ms: float
    add_ms: float
    stored_ms: float
    shadow_ms: float
    shadow_here_ms: float
    shadow_bytes: float
    process_mb: float
    file_bytes: float
    table_bytes: float


def costs_of(results: Mapping[str, Result]) -> Costs:
    """The costs in the results ``scaling``, ``speed`` and ``extraction``, by name.

    Raises:
        KeyError: A result, or a figure in it, is missing.
    """
    speed, http, postgres = results["speed"], results["scaling"]["http"], results["scaling"]["postgres"]
    many, alone = speed["users"], speed["sizes"]["1000"]["search"]["peak_memory_first_mb"]
    return Costs(
        turn_ms=http["turn"]["cpu_ms"],
        search_ms=http["search"]["cpu_ms"],
        learn_ms=1_000 / results["extraction"]["speed"]["locomo"]["per_second"],
        add_ms=speed["sizes"]["10000"]["single_add"]["p50_ms"],
        stored_ms=postgres["add"]["server_cpu_ms"],
        shadow_ms=postgres["first_search"]["server_cpu_ms"],
        shadow_here_ms=postgres["first_search"]["client_cpu_ms"],
        shadow_bytes=(many["search"]["peak_memory_mb"] - alone) * 1e6 / 99_000,
        process_mb=http["search"]["process_mb"],
        file_bytes=many["write"]["bytes_per_memory"],
        table_bytes=postgres["bytes_per_memory"],
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """What so many users need in their busiest hour.

    Attributes:
        turns_s, searches_s: A second.
        room: The share of the users whose shadows have room.
        reads: The share of turns and searches that read the user's shadow first.
        cores: Of the servers that answer and learn.
        ram_gb: For these shadows, and the processes.
        disk_gb: Of all copies.
        shards: Database servers, each with its copies; 0 with SQLite.
        money: A month, by what it is paid for.
    """

    users: float
    turns_s: float
    searches_s: float
    room: float
    reads: float
    cores: float
    ram_gb: float
    disk_gb: float
    shards: int
    money: Mapping[str, float]


def assumed(**other: float) -> dict[str, float]:
    """The values of ``ASSUMED``, with others in their place.

    Raises:
        KeyError: There is no such assumption.
    """
    if unknown := other.keys() - ASSUMED.keys():
        raise KeyError(f"nothing like that is assumed: {', '.join(sorted(unknown))}")
    return {name: one.value for name, one in ASSUMED.items()} | other


def need(users: float, costs: Costs, given: Mapping[str, float], *, sqlite: bool = False) -> Need:
    """What so many users need, with as much room for shadows as costs least.

    ``sqlite`` puts them into one file, without a database server.
    """
    rooms = reads_by_room(given["active"]).items()
    found = [_need(users, costs, given, room=room, reads=reads, sqlite=sqlite) for room, reads in rooms]
    return min(found, key=lambda one: sum(one.money.values()))


def _need(
    users: float, costs: Costs, given: Mapping[str, float], *, room: float, reads: float, sqlite: bool
) -> Need:
    active_s = users * given["active"] / DAY_S * given["peak"]
    turns, searches = active_s * given["turns"], active_s * given["searches"]
    read_s = (turns + searches) * reads * given["memories"] / 1_000
    work_ms = turns * (costs.turn_ms + costs.learn_ms) + searches * costs.search_ms
    cores = max(1.0, (work_ms + read_s * costs.shadow_here_ms) / 1_000 / given["utilisation"])
    memories = users * given["memories"]
    disk_gb = memories * (costs.file_bytes if sqlite else costs.table_bytes) * given["copies"] / 1e9
    stored_ms = turns * costs.stored_ms + read_s * costs.shadow_ms
    shards = 0 if sqlite else _shards(given, busy_ms=stored_ms, disk_gb=disk_gb)
    ram_gb = (memories * room * costs.shadow_bytes + cores * costs.process_mb * 1e6) / 1e9
    servers = shards * given["copies"]
    rented = {
        "core": cores + servers * given["server_cores"],
        "ram_gb": ram_gb + servers * given["server_ram_gb"],
        "disk_gb": disk_gb,
    }
    return Need(
        users=users,
        turns_s=turns,
        searches_s=searches,
        room=room,
        reads=reads,
        cores=cores,
        ram_gb=ram_gb,
        disk_gb=disk_gb,
        shards=shards,
        money={name: count * given[name] for name, count in rented.items()},
    )


def _shards(given: Mapping[str, float], *, busy_ms: float, disk_gb: float) -> int:
    """Database servers: as many as the data need, or the writes and the shadows that are read."""
    by_work = busy_ms / 1_000 / given["utilisation"] / given["server_cores"]
    by_size = disk_gb / given["copies"] / given["server_gb"]
    return max(1, ceil(max(by_work, by_size)))


def bends(costs: Costs, given: Mapping[str, float]) -> dict[str, float]:
    """The number of users from which on something is too small, by what that is."""
    million = need(1_000_000, costs, given)
    return {
        "process": million.users / million.cores,
        "file": given["utilisation"] * 1_000 / costs.add_ms / (million.turns_s / million.users),
        "shadows": 1e9 / (million.room * given["memories"] * costs.shadow_bytes),
        "database": million.users / (million.disk_gb / given["copies"] / given["server_gb"]),
    }


@cache
def reads_by_room(active: float) -> Mapping[float, float]:
    """See ``simulate.shadow_reads``: two sessions on a day on which a user is active."""
    return shadow_reads(ROOMS, sessions_a_day=2 * active, turns=SESSION_TURNS)
