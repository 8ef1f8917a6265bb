"""A disk that fails: full, torn writes, and a power cut that loses what was not synced."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any

import apsw

from benchmarks.torture.figures import Figures, Ground
from recollect import Memory
from recollect.errors import StoreError

_REAL = "unix"
_FILES = ("cut.db", "cut.db-wal")
_ADDS = 40
_WRITES = 2_000
"""Things done in a round, and writes of SQLite before the power is cut at the latest. Chosen by hand."""


class _Disk:
    """What a disk holds for sure, and what was written to it since the last sync."""

    def __init__(self, chance: Random) -> None:
        self.chance = chance
        self.sure: dict[str, bytearray] = {}
        self.pending: dict[str, list[tuple[int, bytes | None]]] = {}
        self.fails = 0.0
        """The share of writes that fail from now on."""
        self.writes_left: int | None = None
        """After so many the power is cut: ``left`` is what the disk then holds, and nothing works."""
        self.left: dict[str, bytes] | None = None

    def check(self) -> None:
        """Fail once the power is cut."""
        if self.writes_left is not None:
            self.writes_left -= 1
            if self.writes_left <= 0:
                self.left = self.left or {one: self.after_a_cut(one) for one in _FILES}
                raise apsw.IOError("no power")

    def wrote(self, name: str, offset: int, data: bytes | None) -> None:
        """Note a write, or with None a truncation to a size."""
        self.pending.setdefault(name, []).append((offset, data))

    def synced(self, name: str) -> None:
        content = self.sure.setdefault(name, bytearray())
        for write in self.pending.pop(name, []):
            _apply(content, *write)

    def after_a_cut(self, name: str) -> bytes:
        """What is left of a file: all that was synced, some of the rest, the last of it torn."""
        content = bytearray(self.sure.get(name, b""))
        for offset, data in self.pending.get(name, []):
            if self.chance.random() < 0.5:
                torn = data if data is None or self.chance.random() < 0.7 else data[: len(data) // 2]
                _apply(content, offset, torn)
        return bytes(content)


def _apply(content: bytearray, offset: int, data: bytes | None) -> None:
    if data is None:
        del content[offset:]
        return
    content.extend(bytes(max(0, offset - len(content))))
    content[offset : offset + len(data)] = data


class _System(apsw.VFS):
    """SQLite's file system, with a disk of ours under its database and log."""

    def __init__(self, disk: _Disk) -> None:
        self.disk = disk
        super().__init__("failing", _REAL, makedefault=True)

    def xOpen(self, name: Any, flags: list[int]) -> "_File":  # noqa: N802 - apsw's name
        return _File(name, flags, self.disk)


class _File(apsw.VFSFile):
    def __init__(self, name: Any, flags: list[int], disk: _Disk) -> None:
        self._disk = disk
        path = name.filename() if isinstance(name, apsw.URIFilename) else name
        self._name = Path(path).name if path else ""
        super().__init__(_REAL, name, flags)

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802
        self._disk.check()
        if self._disk.chance.random() < self._disk.fails:
            if self._disk.chance.random() < 0.5:
                raise apsw.FullError("no space")
            half = data[: len(data) // 2]
            super().xWrite(half, offset)
            raise apsw.IOError("a short write")
        super().xWrite(data, offset)
        self._disk.wrote(self._name, offset, bytes(data))

    def xTruncate(self, size: int) -> None:  # noqa: N802
        self._disk.check()
        super().xTruncate(size)
        self._disk.wrote(self._name, size, None)

    def xSync(self, flags: int) -> None:  # noqa: ARG002, N802
        self._disk.check()
        self._disk.synced(self._name)


@contextmanager
def _failing(chance: Random) -> Iterator[_Disk]:
    system = _System(_Disk(chance))
    try:
        yield system.disk
    finally:
        apsw.set_default_vfs(_REAL)
        system.unregister()


def power_cut(ground: Ground, chance: Random) -> Figures:
    """Add, change, delete, learn and purge, cut the power at any write, open what is left.

    Everything acknowledged is as it was acknowledged; what was under way is whole or not there.
    """
    figures = Figures(name="power cut")
    done: dict[str, set[str | None]] = {}
    with _failing(chance) as disk:
        memory = Memory(ground.folder / "cut.db", embedder="hashing")
        disk.writes_left = chance.randint(1, _WRITES)
        with suppress(StoreError):
            for number in range(_ADDS):
                _change(memory, chance, number, done)
        left = disk.left or {name: disk.after_a_cut(name) for name in _FILES}
        with suppress(StoreError):
            memory.close()
    after = ground.folder / "after"
    after.mkdir()
    for name, data in left.items():
        (after / name).write_bytes(data)
    with Memory(after / "cut.db", embedder="hashing") as memory:
        memory.jobs.drain()
        problems = memory.maintenance.doctor().problems
        found = {one.id: one.content for one in memory.get_all(user_id="ada", kinds=["message"])}
    figures.counts["acknowledged"] += len(done)
    figures.check(problems == (), problems)
    wrong = {key: found.get(key) for key, may in done.items() if found.get(key) not in may}
    figures.check(not wrong, f"after a power cut: {wrong}")
    return figures


def _change(memory: Memory, chance: Random, number: int, done: dict[str, set[str | None]]) -> None:
    """Do one thing; ``done`` says what each memory may hold now, None for nothing."""
    verb, ids = chance.random(), [key for key, may in done.items() if may != {None}]
    if verb < 0.5 or not ids:
        text = f"I like heron {number}."
        (added,) = memory.add(text, user_id="ada", session_id="s")
        done[str(added.id)] = {text}
    elif verb < 0.65:
        key, text = chance.choice(ids), f"I like egret {number}."
        done[key] = done[key] | {text}
        memory.update(key, user_id="ada", content=text)
        done[key] = {text}
    elif verb < 0.8:
        key = chance.choice(ids)
        done[key] = done[key] | {None}
        memory.delete(key, user_id="ada")
        done[key] = {None}
    elif verb < 0.95:
        memory.jobs.drain()
    else:
        memory.purge(user_id="ada")


def failing_writes(ground: Ground, chance: Random) -> Figures:
    """Write while writes fail: each is whole or refused by an error of ours, and it goes on afterwards."""
    figures = Figures(name="full disk and short writes")
    place = ground.folder / "full.db"
    said: list[str] = []
    with _failing(chance) as disk, Memory(place, embedder="hashing") as memory:
        memory.add("the first", user_id="ada")
        for number in range(_ADDS):
            disk.fails = chance.choice((0.0, 0.0, 0.1, 0.5))
            text = f"Ada saw heron {number} by the river"
            try:
                memory.add(text, user_id="ada", session_id="s")
                said.append(text)
            except StoreError:
                figures.counts["refused"] += 1
        disk.fails = 0.0
        memory.add("the last", user_id="ada")
    figures.counts["acknowledged"] += len(said)
    with Memory(place, embedder="hashing") as memory:
        figures.check(memory.maintenance.doctor().problems == (), "damage after a full disk")
        found = [one.content for one in memory.get_all(user_id="ada", kinds=["message"])]
    figures.check(set(found).issuperset([*said, "the last"]), "lost on a full disk")
    figures.check(len(found) == len(set(found)), "stored twice on a full disk")
    return figures
