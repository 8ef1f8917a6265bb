"""A server in a process of its own: killed while clients write, and used by hostile neighbours."""

import http.client
import socket
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from random import Random

from benchmarks.serving import LocalClient, serving_store
from benchmarks.torture.figures import Figures, Ground
from recollect import Memory

_CLIENTS = 12
_SOCKETS = 100
_HOSTILE_S = 4.0
"""How long neighbours are hostile in a round. Chosen by hand."""
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
    with suppress(OSError, http.client.HTTPException), LocalClient(port) as connection:
        for number in range(10**6):
            text = f"client {client} says {number}"
            status, _ = connection.ask("POST", "/memories", {"messages": text, "user_id": "ada"})
            if status == http.client.CREATED:
                said.append(text)
    return said


def hostile_neighbours(ground: Ground, chance: Random) -> Figures:
    """Time small searches while one neighbour does what once made a server deaf."""
    attack = chance.choice(_HOSTILE)
    figures = Figures(name=f"neighbour: {attack.__name__.strip('_').replace('_', ' ')}")
    with serving_store(ground.folder / "m.db") as server:
        with LocalClient(server.port) as client:
            client.ask("POST", "/memories", {"messages": ["I like tea", "I live in Rome"], "user_id": "bob"})
            client.search("tea", user_id="bob")
        until = time.monotonic() + _HOSTILE_S
        with ThreadPoolExecutor(5) as pool:
            hostile = [pool.submit(_repeat, attack, server.port, until) for _ in range(4)]
            _time_searches(server.port, until, figures)
            figures.counts["hostile requests"] += sum(one.result() for one in hostile)
    return figures


def _repeat(attack: Callable[[int], None], port: int, until: float) -> int:
    times = 0
    while time.monotonic() < until:
        with suppress(OSError, http.client.HTTPException, ValueError):
            attack(port)
        times += 1
    return times


def _time_searches(port: int, until: float, figures: Figures) -> None:
    with LocalClient(port) as client:
        while time.monotonic() < until:
            started = time.perf_counter()
            status, _ = client.search("where do I live", user_id="bob")
            figures.times_s.append(time.perf_counter() - started)
            figures.check(status == http.client.OK, f"a neighbour's search was answered {status}")
            time.sleep(1 / _RATE)


def _many_conditions(port: int) -> None:
    tests = [{"content": {"contains": f"x{number}"}} for number in range(1_000)]
    with LocalClient(port) as client:
        client.ask("POST", "/search", {"query": "tea", "user_id": "eve", "filters": {"or": tests}})


def _long_documents(port: int) -> None:
    with LocalClient(port) as client:
        body = {"source": "dots.txt", "text": "." * 60_000 + " end.", "user_id": "eve"}
        client.ask("POST", "/documents", body)


def _many_tags(port: int) -> None:
    with LocalClient(port) as client:
        tags = [f"tag{number}" for number in range(4_000)]
        client.ask("POST", "/memories", {"messages": "tags", "user_id": "eve", "labels": {"tags": tags}})
        client.ask("GET", "/graph?user_id=eve")


def _hostile_texts(port: int) -> None:
    with LocalClient(port) as client:
        for text in ("“" * 50_000, "<a b='" * 8_000, "?" * 60_000, "a." * 30_000):
            client.ask("POST", "/memories", {"messages": text, "user_id": "eve"})


def _silent_sockets(port: int) -> None:
    """Ask over many connections of another address, and read no answer."""
    request = f"GET /export?user_id=eve HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode()
    opened = []
    for _ in range(_SOCKETS):
        with suppress(OSError):
            connection = socket.create_connection(
                ("127.0.0.1", port), timeout=1, source_address=("127.0.0.2", 0)
            )
            opened.append(connection)
            connection.sendall(request)
    time.sleep(1)
    for connection in opened:
        connection.close()


_HOSTILE = (_many_conditions, _long_documents, _many_tags, _hostile_texts, _silent_sockets)
