"""Ports for servers that tests start."""

import random
import socket
from typing import Final

_BELOW: Final = 32_768
"""From here on systems give ports to connections by themselves, perhaps before a server has its own."""
_CHANCE: Final = random.SystemRandom()


def free_port() -> int:
    """A port of this machine that nobody uses, and nobody is likely to take before it is used."""
    while True:
        port = _CHANCE.randrange(10_000, _BELOW)
        with socket.socket() as one:
            try:
                one.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
