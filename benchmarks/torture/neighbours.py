"""Hostile clients: ``python -m benchmarks.torture.neighbours NAME PORT SECONDS`` is four of them.

They are a process of their own, since those who are timed would else wait for the interpreter of the hostile.
"""

import http.client
import socket
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Final

from benchmarks.client import Client, local_url

_SOCKETS: Final = 100
_CLIENTS: Final = 4


def many_conditions(port: int) -> None:
    """Search with as many conditions as a filter may have."""
    tests = [{"content": {"contains": f"x{number}"}} for number in range(1_000)]
    with Client(local_url(port)) as client:
        client.ask("POST", "/search", {"query": "tea", "user_id": "eve", "filters": {"or": tests}})


def long_documents(port: int) -> None:
    """Add a document of one row of full stops."""
    with Client(local_url(port)) as client:
        body = {"source": "dots.txt", "text": "." * 60_000 + " end.", "user_id": "eve"}
        client.ask("POST", "/documents", body)


def many_tags(port: int) -> None:
    """Add a memory of more tags than it may have, and look at the graph."""
    with Client(local_url(port)) as client:
        tags = [f"tag{number}" for number in range(4_000)]
        client.ask("POST", "/memories", {"messages": "tags", "user_id": "eve", "labels": {"tags": tags}})
        client.ask("GET", "/graph?user_id=eve")


def hostile_texts(port: int) -> None:
    """Add rows of what the rules of texts begin with."""
    with Client(local_url(port)) as client:
        for text in ("“" * 50_000, "<a b='" * 8_000, "?" * 60_000, "a." * 30_000):
            client.ask("POST", "/memories", {"messages": text, "user_id": "eve"})


def silent_sockets(port: int) -> None:
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


HOSTILE: Final = (many_conditions, long_documents, many_tags, hostile_texts, silent_sockets)


def _repeat(attack: Callable[[int], None], port: int, until: float) -> int:
    times = 0
    while time.monotonic() < until:
        with suppress(OSError, http.client.HTTPException, ValueError):
            attack(port)
        times += 1
    return times


def main() -> None:
    """Be hostile for some seconds, and print how often."""
    name, port, seconds = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
    (attack,) = (one for one in HOSTILE if one.__name__ == name)
    until = time.monotonic() + seconds
    with ThreadPoolExecutor(_CLIENTS) as pool:
        print(sum(pool.map(lambda _: _repeat(attack, port, until), range(_CLIENTS))))


if __name__ == "__main__":
    main()
