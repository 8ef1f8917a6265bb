"""The bundled encoder that reads words in their context: two transformer layers, run by NumPy alone.

The weights were distilled from all-MiniLM-L6-v2 (Apache-2.0) by ``scripts/build_contextual.py`` and rounded
to ``int8``. A text's vector is the mean of its tokens' last states, projected to 256 dimensions.
"""

import hashlib
from collections.abc import Sequence
from functools import cache
from io import BytesIO
from itertools import islice
from typing import Final

import numpy as np
from numpy.typing import NDArray

from recollect.embedders.static import DATA, vocabulary
from recollect.embedders.vectors import as_texts, unit_rows
from recollect.embedders.wordpiece import WordPiece
from recollect.errors import EmbedderError

__all__ = ["ContextualEmbedder"]

_Floats = NDArray[np.float32]

HEADS: Final = 12
"""Attention heads, as in the teacher."""
MOST_TOKENS: Final = 62
"""How much of a text is read. Measured: docs/embedders.md, "Long messages"."""
_EPSILON: Final = 1e-12
"""Of the layer norms; the teacher's."""
_SHA256: Final = "e4c65d9424469a9d2246a37826acb88d73d167457541e79e1abd29eb8bedf57b"
"""Of the weights that the embedder's name stands for."""


class ContextualEmbedder:
    """Vectors of 256 dimensions that depend on the order of words, for the first 62 tokens of a text.

    Each text is encoded alone, so a vector does not depend on the texts beside it; on another processor its
    last digits may differ. Opening one reads the weights (11 MB), once per process.

    A text that is mostly of a script the teacher did not learn gets a zero vector: its words still find it.

    Raises:
        EmbedderError: The bundled weights are missing or damaged.

    Example:
        >>> embedder = ContextualEmbedder()
        >>> bit, bitten, tax = embedder.embed_documents(["a dog bit me", "I was bitten by a dog", "my taxes"])
        >>> bool(bit @ bitten > 0.5 > bit @ tax)
        True
    """

    name = "recollect-contextual-v1"

    def __init__(self) -> None:
        self._encoder = _load()

    def embed_documents(self, texts: Sequence[str]) -> _Floats:
        """One vector per text.

        Returns:
            ``float32`` of shape ``(len(texts), 256)``: unit rows, or zero where too few words are known.

        Raises:
            InvalidInputError: ``texts`` is one string.
        """
        wanted = as_texts(texts)
        rows = np.zeros((len(wanted), self._encoder.dimensions), dtype=np.float32)
        for place, text in enumerate(wanted):
            tokens = self._encoder.tokens(text)
            if tokens:
                rows[place] = self._encoder.encode(tokens)
        return unit_rows(rows)

    def embed_query(self, text: str) -> _Floats:
        """The vector of a question, ``float32`` of shape ``(256,)``; made as a document's is."""
        vector: _Floats = self.embed_documents([text])[0]
        return vector


class _Encoder:
    """A BERT with its tokenizer.

    Args:
        arrays: The weights by name: ``int8`` matrices with a scale per output in ``NAME.scale``, the rest
            ``float32``. Rows of ``tokens`` are those of the vocabulary, then the start and the end of a text.
        words: The vocabulary.
    """

    def __init__(self, arrays: dict[str, NDArray[np.int8] | _Floats], words: list[str]) -> None:
        self._table, self._scales = arrays["tokens"], arrays["tokens.scale"].astype(np.float32)
        self._start, self._end = len(words), len(words) + 1
        self._foreign = frozenset(row for row, word in enumerate(words) if not word.isascii())
        self._pieces = WordPiece(words)
        self._weights = {
            name: _restored(arrays, name)
            for name in arrays
            if not name.startswith("tokens") and not name.endswith(".scale")
        }
        self._layers = sum(name.endswith(".attention") for name in arrays)
        if self._table.shape != (len(words) + 2, len(self._weights["widen"])):
            raise ValueError("the weights do not fit their vocabulary")
        self.dimensions = self._weights["project"].shape[1]

    def tokens(self, text: str) -> list[int]:
        """The rows of a text's first tokens; none when most of them are of a script that is not known."""
        found = list(islice(self._pieces.sequence(text), MOST_TOKENS))
        foreign = sum(row in self._foreign for row in found)
        return [] if 2 * foreign > len(found) else found

    def encode(self, tokens: list[int]) -> _Floats:
        """The vector of a text's tokens, at least one."""
        weights = self._weights
        rows = [self._start, *tokens, self._end]
        known: _Floats = self._table[rows] * self._scales[rows, None]
        states = self._normed(known @ weights["widen"] + weights["positions"][: len(rows)], "input")
        for layer in range(self._layers):
            states = self._normed(states + self._attended(states, layer), f"{layer}.attended")
            states = self._normed(states + self._fed(states, layer), f"{layer}.fed")
        mean: _Floats = self._dense(states.mean(axis=0), "project")
        return mean

    def _attended(self, states: _Floats, layer: int) -> _Floats:
        """Each token's view of all tokens."""
        count, width = states.shape
        parts = self._dense(states, f"{layer}.attention").reshape(count, 3, HEADS, width // HEADS)
        query, key, value = parts.transpose(1, 2, 0, 3)
        scores: _Floats = query @ key.transpose(0, 2, 1)
        scores *= np.float32((width // HEADS) ** -0.5)
        scores -= scores.max(axis=-1, keepdims=True)
        np.exp(scores, out=scores)
        scores /= scores.sum(axis=-1, keepdims=True)
        seen: _Floats = (scores @ value).transpose(1, 0, 2).reshape(count, width)
        return self._dense(seen, f"{layer}.joined")

    def _fed(self, states: _Floats, layer: int) -> _Floats:
        """The two dense layers with GELU between them, in its tanh form."""
        inner = self._dense(states, f"{layer}.inner")
        curve = inner * inner
        curve *= np.float32(0.044715)
        curve += 1
        curve *= inner
        curve *= np.float32((2 / np.pi) ** 0.5)
        np.tanh(curve, out=curve)
        curve += 1
        curve *= inner
        curve *= np.float32(0.5)
        return self._dense(curve, f"{layer}.outer")

    def _dense(self, states: _Floats, name: str) -> _Floats:
        made: _Floats = states @ self._weights[name]
        made += self._weights[f"{name}.bias"]
        return made

    def _normed(self, states: _Floats, name: str) -> _Floats:
        states -= states.mean(axis=-1, keepdims=True)
        variance = np.einsum("ij,ij->i", states, states)[:, None] / states.shape[1]
        states /= np.sqrt(variance + np.float32(_EPSILON))
        states *= self._weights[f"{name}.norm"]
        states += self._weights[f"{name}.norm.bias"]
        return states


def _restored(arrays: dict[str, NDArray[np.int8] | _Floats], name: str) -> _Floats:
    values = arrays[name].astype(np.float32)
    return values * arrays[f"{name}.scale"] if f"{name}.scale" in arrays else values


@cache
def _load() -> _Encoder:
    try:
        with np.load(BytesIO(_undamaged()), allow_pickle=False) as arrays:
            return _Encoder(dict(arrays), vocabulary())
    except (OSError, ValueError) as error:
        raise EmbedderError(
            f"the weights of the contextual embedder cannot be used: {error}; reinstall recollect"
        ) from error


def _undamaged() -> bytes:
    file = (DATA / "contextual-v1.npz").read_bytes()
    if hashlib.sha256(file).hexdigest() != _SHA256:
        raise ValueError("the file was changed")
    return file
