"""A server in a process of its own: killed while clients write, and used by hostile neighbours."""

import http.client
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from random import Random

from benchmarks.client import Client, local_url, serving_store
from benchmarks.torture.figures import Figures, Ground
from benchmarks.torture.neighbours import HOSTILE
from recollect import Memory

_CLIENTS = 12
_ALONE_S = 2.0
_HOSTILE_S = 4.0
"""How long a user is alone, and neighbours are hostile, in a round. Chosen by hand."""
_RATE = 50
"""Searches a second of those who are measured."""


def killed_server(ground: Ground, chance: Random) -> Figures:
    """Kill or stop a server while clients add over HTTP; what was answered with 201 is there once."""
    figures = Figures(name="killed server")
    place = ground.folder / "m.db"
    said: list[str] = []
    with serving_store(place) as server, ThreadPoolExecutor(_CLIENTS) as pool:
        how, end = chance.choice((("killed", server.process.kill), ("stopped", server.process.terminate)))
        threading.Timer(chance.uniform(0.3, 2), end).start()
        for some in pool.map(lambda number: _add_until_it_ends(server.port, number), range(_CLIENTS)):
            said += some
    figures.counts[how] += 1
    figures.counts["acknowledged"] += len(said)
    with Memory(place) as memory:
        problems = memory.maintenance.doctor().problems
        found = [one.content for one in memory.get_all(user_id="ada", kinds=["message"])]
    figures.check(problems == (), problems)
    figures.check(set(found).issuperset(said), f"lost: {sorted(set(said) - set(found))[:3]}")
    figures.check(len(found) == len(set(found)), "stored twice")
    return figures


def _add_until_it_ends(port: int, client: int) -> list[str]:
    said = []
    with suppress(OSError, http.client.HTTPException), Client(local_url(port)) as connection:
        for number in range(10**6):
            text = f"client {client} says {number}"
            answer = connection.ask("POST", "/memories", {"messages": text, "user_id": "ada"})
            if answer.status == http.client.CREATED:
                said.append(text)
    return said


def hostile_neighbours(ground: Ground, chance: Random) -> Figures:
    """Time small searches alone, and while one neighbour does what once made a server deaf."""
    attack = chance.choice(HOSTILE).__name__
    figures = Figures(name=f"neighbour: {attack.replace('_', ' ')}")
    with serving_store(ground.folder / "m.db") as server, Client(server.url) as client:
        client.ask("POST", "/memories", {"messages": ["I like tea", "I live in Rome"], "user_id": "bob"})
        client.search("tea", user_id="bob")
        figures.alone_s.extend(_search(client, _ALONE_S, figures))
        command = [sys.executable, "-m", "benchmarks.torture.neighbours", attack, str(server.port)]
        with subprocess.Popen([*command, str(_HOSTILE_S)], stdout=subprocess.PIPE) as hostile:  # noqa: S603 - our own code
            figures.times_s.extend(_search(client, _HOSTILE_S, figures))
            figures.counts["hostile requests"] += int(hostile.communicate()[0])
    return figures


def _search(client: Client, seconds: float, figures: Figures) -> Iterator[float]:
    """Search at a rate that is no burden; the seconds of each."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        started = time.perf_counter()
        status = client.search("where do I live", user_id="bob").status
        yield time.perf_counter() - started
        figures.check(status == http.client.OK, f"a neighbour's search was answered {status}")
        time.sleep(1 / _RATE)
