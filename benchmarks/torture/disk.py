"""A disk that fails: full, torn writes, and a power cut that loses what was not synced."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import apsw

from benchmarks.torture.figures import Figures, Ground
from recollect import Memory
from recollect.errors import StoreError

_REAL = "unix"
_ADDS = 25
"""Writes before the power is cut. Chosen by hand."""


class _Disk:
    """What a disk holds for sure, and what was written to it since the last sync."""

    def __init__(self, chance: Random) -> None:
        self.chance = chance
        self.sure: dict[str, bytearray] = {}
        self.pending: dict[str, list[tuple[int, bytes | None]]] = {}
        self.fails = 0.0
        """The share of writes that fail from now on."""

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
        if self._disk.chance.random() < self._disk.fails:
            if self._disk.chance.random() < 0.5:
                raise apsw.FullError("no space")
            half = data[: len(data) // 2]
            super().xWrite(half, offset)
            raise apsw.IOError("a short write")
        super().xWrite(data, offset)
        self._disk.wrote(self._name, offset, bytes(data))

    def xTruncate(self, size: int) -> None:  # noqa: N802
        super().xTruncate(size)
        self._disk.wrote(self._name, size, None)

    def xSync(self, flags: int) -> None:  # noqa: ARG002, N802
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
    """Write, cut the power, open what is left: everything acknowledged is there."""
    figures = Figures(name="power cut")
    place = ground.folder / "cut.db"
    with _failing(chance) as disk:
        memory = Memory(place, embedder="hashing")
        said = []
        for number in range(chance.randint(1, _ADDS)):
            text = f"Ada saw heron {number} by the river"
            memory.add(text, user_id="ada", session_id="s")
            said.append(text)
            if chance.random() < 0.2:
                memory.jobs.drain()
        left = {name: disk.after_a_cut(name) for name in ("cut.db", "cut.db-wal")}
        memory.close()
    after = ground.folder / "after"
    after.mkdir()
    for name, data in left.items():
        (after / name).write_bytes(data)
    figures.counts["acknowledged"] += len(said)
    with Memory(after / "cut.db", embedder="hashing") as memory:
        figures.check(memory.maintenance.doctor().problems == (), "damage after a power cut")
        found = {one.content for one in memory.get_all(user_id="ada")}
    figures.check(found.issuperset(said), f"lost after a power cut: {set(said) - found}")
    return figures


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
