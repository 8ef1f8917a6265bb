"""``docs/inside/scale.md``, made from the costs in the results and the assumptions in ``scale``."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from benchmarks.markdown import table
from benchmarks.results import result_name
from benchmarks.scale import (
    ASSUMED,
    SESSION_TURNS,
    Costs,
    Need,
    assumed,
    bends,
    costs_of,
    need,
    reads_by_room,
)
from benchmarks.simulate import waiting_ms
from benchmarks.targets import Result, number

NEEDED: Final = ("scaling", "speed", "extraction")
SIZES: Final = (10**3, 10**6, 10**9)
_SQLITE_UP_TO: Final = 10**4
_BUSY: Final = (0.3, 0.5, 0.7, 0.8, 0.9, 0.95)
_OPENING: Final = """\
# Scale

What a thousand, a million and a thousand million users need. `python -m benchmarks report` makes this page
from [what was measured](benchmarks.md) and the assumptions below.

**Nothing here was run at these sizes.** What one operation and one memory cost on one machine is multiplied;
two small simulations (`benchmarks/simulate.py`) say how long requests wait and how often a shadow is read
again. Networks, their failures, operators and language models are not in it.
"""
_HOW: Final = """\
Of the processor, with the default embedder, {users} users of {each} memories, one operation after the other;
a turn is a context, then an add.
"""
_MEASURED: Final = """\
## Measured

With a load above a quarter of the cores, other work shared the caches: these processor times are too high.
"""
_SHARD: Final = """\
## What to shard, and what not

- **By user, everything.** No question spans two users, so any number of databases works:
  [`ShardedStore`](../use/stores/postgres.md) finds a user's shard from the id, Citus from the tenant, the
  first column of every key.
- **Requests, by user too.** A proxy that sends a user to the same server every time (a hash of the user id)
  keeps one shadow of the user. Sent to any server, each needs the memory of all.
- **Workers** ask every shard for jobs: run a few for each group of shards, not all for all.
- **Everyone at once** (`stats` and `users` without a user) asks every shard, and fails when one is down;
  `doctor`, `reembed` and `backup` are for each shard by itself.
- **Team spaces and keys** are made for tens in each store: at a million users keep sign-in in front of it.
- **Not needed**: a vector database, or an index over all users. One user's memories are searched exactly.
"""


def render_scale(results: Sequence[Result]) -> str:
    """The whole page.

    Raises:
        KeyError: A result that it is made of is missing.
    """
    named = {result_name(one): one for one in results}
    costs, given = costs_of(named), assumed()
    needs = [need(users, costs, given, sqlite=users < _SQLITE_UP_TO) for users in SIZES]
    return "\n".join(
        [
            _OPENING,
            "## What they need\n",
            table(["", *(f"{one.users:,.0f} users" for one in needs)], _needs(needs)),
            _money(given),
            _where_it_bends(costs, given),
            _waiting(costs),
            _shadows(given),
            _SHARD,
            _MEASURED,
            table(["of one operation or memory", "cost", "from"], _costs(costs, named)),
            "## Assumed\n",
            "Other values are one argument of `need` in `benchmarks/scale.py`.\n",
            _assumptions(),
        ]
    )


def _needs(needs: Sequence[Need]) -> Iterator[list[str]]:
    rows: Mapping[str, Callable[[Need], str]] = {
        "store": lambda one: f"{_rough(one.shards)} PostgreSQL" if one.shards else "one SQLite file",
        "turns a second in the busiest hour": lambda one: _rough(one.turns_s),
        "searches a second beside them": lambda one: _rough(one.searches_s),
        "shadows with room, of the users": lambda one: f"{one.room:.1%}",
        "of turns and searches read it first": lambda one: f"{one.reads:.0%}",
        "cores that answer and learn": lambda one: _rough(one.cores),
        "their memory, GB": lambda one: _rough(one.ram_gb),
        "disk with copies, GB": lambda one: _rough(one.disk_gb),
        "money a month": lambda one: _rough(sum(one.money.values())),
        "of it cores / memory / disk": lambda one: " / ".join(map(_rough, one.money.values())),
        "money a user and year": lambda one: _rough(12 * sum(one.money.values()) / one.users),
    }
    for name, show in rows.items():
        yield [name, *map(show, needs)]


def _rough(value: float) -> str:
    """Two digits: more would say that somebody measured it."""
    return f"{float(f'{value:.1e}'):,.10g}"


def _money(given: Mapping[str, float]) -> str:
    return (
        f"Money is in the unit of the prices: {given['core']:g} for a core, {given['ram_gb']:g} for a GB of "
        f"memory and {given['disk_gb']:g} for a GB of disk, a month. Each PostgreSQL has "
        f"{given['copies']:g} servers. A share of everything is idle, as assumed below.\n"
    )


def _where_it_bends(costs: Costs, given: Mapping[str, float]) -> str:
    at = {name: _rough(users) for name, users in bends(costs, given).items()}
    return f"""\
## Where it bends

Users for whom one of something is enough:

- **{at["process"]}**: a server process. Python runs one thread at a time beside NumPy, so a process answers
  what one core can, here half used. Then: more processes on the same store, and a proxy by user before them.
- **{at["database"]}**: a database server, by its data, long before its processors are busy.
- **{at["file"]}**: a SQLite file, by durable adds one after the other. But its one machine may fail: from
  some ten thousand users on take PostgreSQL.
- **{at["shadows"]}**: a GB for shadows. More room than for those who talk right now costs more than reading a
  shadow again: the first turn of a session waits for it.
- one user with 1,500,000 memories is larger than `shadow_limit_mb`:
  [candidates come from indexes](retrieval.md#in-large-scopes) then.
"""


def _waiting(costs: Costs) -> str:
    rows = []
    for share in _BUSY:
        found = waiting_ms((costs.search_ms, 2 * costs.search_ms), utilisation=share)
        rows.append([f"{share:.0%}", number(found["p50_ms"]), number(found["p99_ms"])])
    told = (
        "How long a search takes at a process that is busy for a share of the time (simulated; requests at "
        f"random, {number(costs.search_ms)} ms of work in the median and twice that in the p99):\n"
    )
    return f"{told}\n{table(['busy', 'p50, ms', 'p99, ms'], rows)}"


def _shadows(given: Mapping[str, float]) -> str:
    rows = [[f"{room:.1%}", f"{share:.1%}"] for room, share in reads_by_room(given["active"]).items()]
    told = (
        "How many turns find that the user's shadow must be read first, by how many users' shadows have "
        f"room (simulated: {given['active']:.0%} of the users on a day, two sessions of {SESSION_TURNS} "
        "turns, most at noon; the least used go first):\n"
    )
    return f"{told}\n{table(['room for', 'turns that read it'], rows)}"


def _costs(costs: Costs, named: Mapping[str, Result]) -> Iterator[list[str]]:
    made = {name: _made(named[name]["made"]) for name in NEEDED}
    for what, value, unit, source in (
        ("a turn over HTTP: a context, then an add", costs.turn_ms, "ms of a core", "scaling"),
        ("a search over HTTP", costs.search_ms, "ms of a core", "scaling"),
        ("learning from a turn, by rules", costs.learn_ms, "ms of a core", "extraction"),
        ("a durable `add` to a SQLite file", costs.add_ms, "ms", "speed"),
        ("an `add`, at the PostgreSQL server", costs.stored_ms, "ms of a core", "scaling"),
        ("reading 1,000 memories for a shadow, there", costs.shadow_ms, "ms of a core", "scaling"),
        ("the same in the process that reads, and a search", costs.shadow_here_ms, "ms of a core", "scaling"),
        ("a memory in a shadow", costs.shadow_bytes, "bytes", "speed"),
        ("a server process", costs.process_mb, "MB", "scaling"),
        ("a memory in a SQLite file", costs.file_bytes, "bytes", "speed"),
        ("a memory in PostgreSQL, with indexes", costs.table_bytes, "bytes", "scaling"),
    ):
        yield [what, f"{number(value)} {unit}", f"{source}: {made[source]}"]


def _made(made: Result) -> str:
    return f"`{made['commit']}`, {made['date']}, load {made['load_average']} on {made['cores']} cores"


def _assumptions() -> str:
    """A table whose last column is text."""
    rows = [f"| {one.what} | {one.value:,g} | {one.why} |" for one in ASSUMED.values()]
    return "\n".join(["| | value | why |", "|---|---:|---|", *rows, ""])


def scaling_section(result: Result) -> str:
    """What one operation costs the processors."""
    postgres = result["postgres"]
    rows = [[name, number(one["cpu_ms"])] for name, one in result["http"].items()]
    told = (
        f"On PostgreSQL an `add` costs the client {number(postgres['add']['client_cpu_ms'])} ms and the "
        f"server {number(postgres['add']['server_cpu_ms'])} ms, the first search of a user "
        f"{number(postgres['first_search']['client_cpu_ms'])} and "
        f"{number(postgres['first_search']['server_cpu_ms'])} ms; a memory takes "
        f"{postgres['bytes_per_memory']:,.0f} bytes there. [Scale](scale.md) says what that means.\n"
    )
    return "\n".join(
        [
            "## What an operation costs\n",
            _HOW.format(**result),
            table(["over HTTP", "processor, ms"], rows),
            told,
        ]
    )
