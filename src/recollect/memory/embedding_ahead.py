"""Vectors that are made before they are asked for, so that every core works while many memories are stored.

NumPy gives up Python's lock many times for each text, and waits each time until the thread that labels lets
go of it. So the bundled encoder runs in new interpreters; others, which may ask a server, in threads.
"""

import pickle
from collections import defaultdict, deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from queue import SimpleQueue
from subprocess import Popen
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from recollect.embedders.contextual import ContextualEmbedder
from recollect.embedders.remembered import Remembered
from recollect.ingest.add import checked
from recollect.interpreters import MOST_PROCESSES, cores, start_interpreter
from recollect.protocols import Embedder

_Vectors = NDArray[np.float32]

TEXTS: Final = 32
"""Texts of one piece of work, some 0.2 s of the bundled encoder: a conversation keeps several processes
busy. Chosen by hand."""
LEAST_TEXTS: Final = 200
"""For a process: it takes half a second to start, in which so many are embedded. Chosen by measurement."""
THREADS: Final = 2
"""That wait for an embedder which is none of ours. Chosen by hand."""
_CODE: Final = "from recollect.embedders.helper import main; main()"


class _Begun(NamedTuple):
    """A vector that is being made."""

    piece: "Future[_Vectors]"
    row: int

    def vector(self) -> _Vectors:
        made: _Vectors = self.piece.result()[self.row]
        return made


class EmbedderAhead:
    """An ``Embedder`` that can begin before it is asked.

    What was not begun is embedded when it is asked for, and so is everything where no process can be started.

    Args:
        embedder: Whose vectors.
        expected: How many texts are to come.
    """

    def __init__(self, embedder: Embedder, *, expected: int) -> None:
        self.name = embedder.name
        self._embedder = embedder
        self._helpers: SimpleQueue[_Helper] = SimpleQueue()
        self._all: list[_Helper] = []
        self._begun: defaultdict[str, deque[_Begun]] = defaultdict(deque)
        bundled = embedder.name == ContextualEmbedder.name
        bundled = bundled and isinstance(embedder, (ContextualEmbedder, Remembered))
        most = (cores() if cores() > 1 else 0) if bundled else THREADS
        count = min(MOST_PROCESSES, most, expected // LEAST_TEXTS)
        self._pool = ThreadPoolExecutor(count) if count else None
        self._make: Callable[[list[str]], _Vectors] = self._by_helper if bundled else embedder.embed_documents
        for _ in range(count if bundled else 0):
            self._all.append(_Helper())
            self._helpers.put(self._all[-1])

    def begin(self, texts: Sequence[str]) -> None:
        """Begin to embed texts that are asked for soon, each as often as it stands here."""
        if self._pool is None:
            return
        for start in range(0, len(texts), TEXTS):
            some = list(texts[start : start + TEXTS])
            piece = self._pool.submit(self._piece, some)
            for row, text in enumerate(some):
                self._begun[text].append(_Begun(piece, row))

    def embed_documents(self, texts: Sequence[str]) -> _Vectors:
        """See ``Embedder.embed_documents``; of what was begun, it is waited for the vectors."""
        begun = [self._taken(text) for text in texts]
        late = [text for text, one in zip(texts, begun, strict=True) if one is None]
        made = iter(checked(self._embedder.embed_documents(late), len(late)) if late else ())
        return np.stack([next(made) if one is None else one.vector() for one in begun])

    def embed_query(self, text: str) -> _Vectors:
        """See ``Embedder.embed_query``."""
        return self._embedder.embed_query(text)

    def close(self) -> None:
        """Begin nothing more, and end the processes."""
        for helper in self._all:
            helper.end()
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
        for helper in self._all:
            helper.close()

    def _taken(self, text: str) -> _Begun | None:
        if text not in self._begun:
            return None
        taken = self._begun[text].popleft()
        if not self._begun[text]:
            del self._begun[text]
        return taken

    def _piece(self, texts: list[str]) -> _Vectors:
        return checked(self._make(texts), len(texts))

    def _by_helper(self, texts: list[str]) -> _Vectors:
        helper = self._helpers.get()
        try:
            made = helper.embed(texts)
        finally:
            self._helpers.put(helper)
        return self._embedder.embed_documents(texts) if made is None else made


class _Helper:
    """A process that embeds."""

    def __init__(self) -> None:
        self._process: Popen[bytes] | None = start_interpreter(_CODE)

    def embed(self, texts: list[str]) -> _Vectors | None:
        """The vectors of texts; None when the process failed, which is then ended."""
        if self._process is None or self._process.stdin is None or self._process.stdout is None:
            return None
        try:
            pickle.dump(texts, self._process.stdin)
            self._process.stdin.flush()
            made: _Vectors = pickle.load(self._process.stdout)  # noqa: S301 - of a process that we started
        except (OSError, ValueError, EOFError, pickle.UnpicklingError):
            self.end()
            return None
        return made

    def end(self) -> None:
        """End the process, also one that is at work."""
        if self._process is not None:
            self._process.kill()

    def close(self) -> None:
        """Wait until it ended, and close its pipes."""
        if self._process is not None:
            with suppress(OSError), self._process:
                self.end()
