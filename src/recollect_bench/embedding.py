"""The vectors that all systems may share: each text is embedded once a run, and its time charged to all."""

import base64
import time
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from recollect.embedders import open_embedder


class SharedEmbedder:
    """Answers a system's requests for vectors with those of Recollect's bundled embedder.

    Attributes:
        name: The embedder's.
        dimensions: How many numbers a vector has.
    """

    def __init__(self) -> None:
        self._embedder = open_embedder()
        self._known: dict[tuple[str, str], tuple[NDArray[np.float32], float]] = {}
        self.name = self._embedder.name
        self.dimensions = len(self._embedder.embed_query("how many?"))

    def answer(self, kind: str, texts: Sequence[str]) -> tuple[str, float]:
        """The vectors, rows of float32 as base64, and the CPU seconds that they took when they were made."""
        new = list(dict.fromkeys(text for text in texts if (kind, text) not in self._known))
        if new:
            self._learn(kind, new)
        found = [self._known[kind, text] for text in texts]
        rows = b"".join(vector.tobytes() for vector, _ in found)
        return base64.b64encode(rows).decode("ascii"), sum(spent for _, spent in found)

    def _learn(self, kind: str, texts: Sequence[str]) -> None:
        started = time.process_time()
        if kind == "query":
            vectors = [self._embedder.embed_query(text) for text in texts]
        else:
            vectors = list(self._embedder.embed_documents(texts))
        each = (time.process_time() - started) / len(texts)
        for text, vector in zip(texts, vectors, strict=True):
            self._known[kind, text] = (np.asarray(vector, np.float32), each)
