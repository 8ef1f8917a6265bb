"""Processes that end before each rename, link and removal of a file: what they replace is always whole."""

import subprocess
import sys
from itertools import count
from pathlib import Path
from random import Random
from typing import Final

import apsw

from benchmarks.torture.figures import Figures, Ground
from recollect import Memory, restore
from recollect.embedders import open_embedder
from recollect.memory.maintenance import reindex

_ENDED: Final = 9
_STOPPED: Final = """
import os, sys
import recollect.stores.json.store, recollect.stores.sqlite.rescue
from recollect import Memory, restore
from recollect.embedders import open_embedder
from recollect.memory.maintenance import reindex
verb, place, backup, left = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
sys.dont_write_bytecode = True

def stop(event, _):
    global left
    if event in ("os.rename", "os.link", "os.remove"):
        left -= 1
        if left == 0:
            os._exit(9)

sys.addaudithook(stop)
if verb == "rebuild":
    reindex(place, embedder=open_embedder("hashing"), language="en")
elif verb == "restore":
    restore(backup, place, overwrite=True)
else:
    with Memory(place, embedder="hashing") as memory:
        for number in range(12):
            (result,) = memory.add(f"heron {number} " * 200, user_id="ada")
            print(result.id, flush=True)
            if number % 5 == 4:
                memory.delete(result.id, user_id="ada")
                memory.purge(user_id="ada")
                print(result.id, "gone", flush=True)
"""
_PURGED: Final = 5
"""Each fifth memory is deleted and purged."""
_SAID: Final = [f"Ada saw heron {number} by the river" for number in range(20)]


def ended_at_renames(ground: Ground, chance: Random) -> Figures:
    """Rebuild or restore a file, or write to a store of JSON, and end before each change of a name."""
    verb = chance.choice(("rebuild", "restore", "json"))
    figures = Figures(name=f"ended at renames: {verb}")
    for stop in count(1):
        folder = ground.folder / str(stop)
        folder.mkdir()
        ended = {"rebuild": _rebuilt, "restore": _restored, "json": _written}[verb](folder, stop, figures)
        if not ended:
            return figures
        figures.counts["processes ended"] += 1
    return figures


def _run(verb: str, place: object, backup: Path, stop: int, figures: Figures) -> tuple[bool, list[str]]:
    """Let a process work until it changes a name for the ``stop``-th time; whether it did, and its lines."""
    command = [sys.executable, "-c", _STOPPED, verb, str(place), str(backup), str(stop)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - our own code
    figures.check(done.returncode in (0, _ENDED), f"{verb} failed: {done.stderr[-500:]}")
    return done.returncode == _ENDED, done.stdout.splitlines()


def _made(place: Path, texts: list[str]) -> None:
    with Memory(place, embedder="hashing") as memory:
        memory.add(texts, user_id="ada", session_id="s")


def _said_in(place: object) -> list[str]:
    with Memory(str(place), embedder="hashing") as memory:
        return sorted(one.content for one in memory.get_all(user_id="ada"))


def _rebuilt(folder: Path, stop: int, figures: Figures) -> bool:
    place = folder / "m.db"
    _made(place, _SAID)
    db = apsw.Connection(str(place))
    db.execute("UPDATE memories SET content = 'Ada saw an egret' WHERE key = 8")
    db.close()
    ended, _ = _run("rebuild", place, folder, stop, figures)
    figures.check(place.exists(), f"no file after step {stop} of a rebuild")
    reindex(place, embedder=open_embedder("hashing"), language="en")
    wanted = sorted({*_SAID} - {_SAID[7]})
    figures.check(_said_in(place) == wanted, f"lost at step {stop} of a rebuild: {_said_in(place)}")
    return ended


def _restored(folder: Path, stop: int, figures: Figures) -> bool:
    place, backup = folder / "m.db", folder / "backup.db"
    _made(backup, _SAID)
    _made(place, ["what stood there"])
    ended, _ = _run("restore", place, backup, stop, figures)
    found = _said_in(place)
    figures.check(found in (sorted(_SAID), ["what stood there"]), f"at step {stop} of a restoration: {found}")
    restore(backup, place, overwrite=True)
    figures.check(_said_in(place) == sorted(_SAID), f"not restored after step {stop}")
    return ended


def _written(folder: Path, stop: int, figures: Figures) -> bool:
    place = f"json:///{folder / 'm.json'}"
    ended, lines = _run("json", place, folder, stop, figures)
    gone = {line.split()[0] for line in lines if line.endswith(" gone")}
    with Memory(place, embedder="hashing") as memory:
        found = {one.id for one in memory.get_all(user_id="ada")}
    added = [line for line in lines if " " not in line]
    figures.counts["acknowledged"] += len(added)
    going = {added[-1]} if added and len(added) % _PURGED == 0 else set()
    figures.check(found >= {*added} - gone - going, f"lost at step {stop}")
    figures.check(not found & gone, f"back at step {stop}")
    return ended
