"""Files with flipped bytes: what the doctor finds, what reading says, what a rebuild saves."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from random import Random

from benchmarks.torture.figures import Figures, Ground
from recollect import Memory
from recollect.embedders import open_embedder
from recollect.errors import RecollectError, StoreError
from recollect.memory.maintenance import reindex

USERS = ("ada", "bob")
FLIPS = (1, 4, 16, 64)
"""Bytes flipped in a file, in turn. Chosen by hand: from one bad bit to a bad sector."""
FILES = 12
"""Files in a round. Chosen by hand: a few seconds."""

Contents = dict[str, dict[str, str]]
"""The words of each user's memories by id."""


def made(place: Path) -> Contents:
    """A file with messages, facts, edits, deletions, links and jobs; returns what it says."""
    with Memory(place, embedder="hashing") as memory:
        for user in USERS:
            for session in range(6):
                said = [f"{user} saw heron {session}x{number} by the river" for number in range(12)]
                said += [f"I moved to {('Berlin', 'Rome', 'Oslo')[session % 3]}.", f"I like tea{session}."]
                memory.add(said, user_id=user, session_id=f"s{session}")
            memory.jobs.drain()
            some = memory.get_all(user_id=user, kinds=["message"])
            memory.update(some[3].id, user_id=user, content="It was an egret after all")
            memory.delete(some[5].id, user_id=user)
            memory.graph.link(some[0].id, some[1].id, type="related", user_id=user)
            memory.add("I like rain.", user_id=user, session_id="waiting")
        return said_in(memory)


def said_in(memory: Memory) -> Contents:
    """What the memories of a store say."""
    return {user: {one.id: one.content for one in memory.get_all(user_id=user)} for user in memory.users()}


def beside_in(memory: Memory) -> set[str]:
    """What a store keeps beside memories: jobs, and what was learned about each user."""
    store = memory.parts.store
    states = [(user, store.states(memory.parts.scope(user))) for user in USERS]
    return {f"{user} {name} {value}" for user, every in states for name, value in every.items()} | {
        str((job.scope, job.task, job.payload)) for job in memory.jobs.list()
    }


def flip(data: bytes, chance: Random, flips: int) -> bytes:
    """The bytes with so many of them changed, half the time within one page."""
    changed = bytearray(data)
    start, size = 0, len(data)
    if chance.random() < 0.5:
        start, size = chance.randrange(len(data) // 4096) * 4096, 4096
    for _ in range(flips):
        changed[start + chance.randrange(size)] ^= chance.randint(1, 255)
    return bytes(changed)


def reads(memory: Memory) -> Iterator[Callable[[], object]]:
    """Everything that can be read."""
    for user in USERS:
        every = partial(memory.get_all, user_id=user)
        yield every
        yield partial(memory.search, "heron 3x4 tea", user_id=user)
        yield partial(memory.context, "where does she live", user_id=user)
        yield partial(memory.timeline, user_id=user)
        yield partial(memory.sessions.list, user_id=user)
        yield partial(memory.stats, user_id=user)
        with suppress(RecollectError):
            for one in every()[::20]:
                yield partial(memory.history, one.id, user_id=user)
                yield partial(memory.graph.links, one.id, user_id=user)
    yield memory.users
    yield memory.jobs.list
    yield memory.stats


def flipped_bytes(ground: Ground, chance: Random) -> Figures:
    """Flip bytes of files, then check, read and rebuild them."""
    figures = Figures(name="flipped bytes")
    base = ground.folder / "base.db"
    said = made(base)
    with Memory(base, embedder="hashing") as memory:
        beside = beside_in(memory)
    sound = base.read_bytes()
    for number in range(FILES):
        damaged = flip(sound, chance, FLIPS[number % len(FLIPS)])
        place = ground.folder / f"{number}.db"
        figures.counts["files"] += 1
        try:
            _attack(place, damaged, said, beside, figures)
        except Exception as error:  # noqa: BLE001 - a raw error is what is looked for
            figures.check(held=False, otherwise=repr(error))
        for file in ground.folder.glob(f"{number}.db*"):
            file.unlink()
    return figures


def _attack(place: Path, damaged: bytes, said: Contents, beside: set[str], figures: Figures) -> None:
    place.write_bytes(damaged)
    is_clean = _checked(place)
    refused = _refused(place)
    figures.counts["doctor found damage"] += not is_clean
    figures.counts["a read was refused"] += refused
    figures.check(not (is_clean and refused), "the doctor finds nothing, and a read is refused")
    place.write_bytes(damaged)
    for suffix in ("-wal", "-shm"):
        place.with_name(place.name + suffix).unlink(missing_ok=True)
    reindex(place, embedder=open_embedder("hashing"), language="en")
    with Memory(place, embedder="hashing") as memory:
        health = memory.maintenance.doctor(rebuild=True)
        found = said_in(memory)
        changed = beside_in(memory) - beside
    figures.check(not changed, f"other jobs or states after the rebuild: {sorted(changed)}")
    figures.counts["rebuilt"] += not health.problems
    figures.check(not health.problems, health.problems)
    _compare(said, found, "\n".join(health.lost), figures)


def _compare(said: Contents, found: Contents, lost: str, figures: Figures) -> None:
    before, after = _flat(said), _flat(found)
    figures.counts["memories"] += len(before)
    figures.counts["memories saved"] += len(after)
    changed = {key for key, text in after.items() if before.get(key) != text}
    figures.check(not changed, f"other words after the rebuild: {sorted(changed)}")
    missing = before.keys() - after.keys()
    unnamed = [key for _, key in missing if key not in lost]
    figures.counts["lost and named by id"] += len(missing) - len(unnamed)
    figures.check(len(missing) <= lost.count("memory"), f"lost and not named: {unnamed}")


def _flat(said: Contents) -> dict[tuple[str, str], str]:
    return {(user, key): text for user, every in said.items() for key, text in every.items()}


def _checked(place: Path) -> bool:
    try:
        with Memory(place, embedder="hashing") as memory:
            return not memory.maintenance.doctor().problems
    except StoreError:
        return False


def _refused(place: Path) -> bool:
    """Whether the file or something in it cannot be read; any other error than ours is raised."""
    refused = False
    try:
        with Memory(place, embedder="hashing") as memory:
            for read in reads(memory):
                try:
                    read()
                except RecollectError:  # also NotFoundError, for an id that the list showed damaged
                    refused = True
    except StoreError:
        return True
    return refused
