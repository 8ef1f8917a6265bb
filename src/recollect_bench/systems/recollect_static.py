"""Recollect with `embedder="static"`: smaller and quicker, and it finds less by meaning."""

from typing import ClassVar

from recollect_bench.systems.recollect import System as Default


class System(Default):
    """The same memory with the static embedder."""

    embedder: ClassVar = "static"
