"""The bundled encoder that reads words in their context: two transformer layers, run by NumPy alone.

The weights were distilled from all-MiniLM-L6-v2 (Apache-2.0) by ``scripts/build_contextual.py`` and rounded
to ``int8``. A text's vector has two parts, both of its first 62 tokens. The first, 256 dimensions, is the
mean of the tokens' last states. The second, 96 dimensions, is the sum of the vectors that the tokens have by
themselves.
"""

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from io import BytesIO
from itertools import accumulate, chain, groupby, islice
from threading import Thread
from typing import Final

import numpy as np
from numpy.typing import NDArray

from recollect.checks import check_count
from recollect.embedders.static import DATA, vocabulary
from recollect.embedders.vectors import as_texts, unit_rows
from recollect.embedders.wordpiece import WordPiece
from recollect.errors import EmbedderError

_Floats = NDArray[np.float32]

HEADS: Final = 12
"""Attention heads, as in the teacher."""
MOST_TOKENS: Final = 62
"""How much of a text is read. Measured: docs/use/embedders.md."""
STATIC_SHARE: Final = 0.15
"""What the static part counts in a cosine. Of 0.1, 0.15, 0.2, 0.25 and 0.35 the one that loses on none of
three data sets: docs/use/embedders.md."""
BATCH_TOKENS: Final = 256
"""Encoded at once: twice as fast as one text at a time; 512 and 1,024 are no faster."""
_MOST_THREADS: Final = 256
THREADS: Final = min(4, os.cpu_count() or 1)
"""Cores that encode many texts, one thread for each. Chosen by hand: others use the machine, too."""
LEAST_BATCHES: Final = 4
"""For one thread: some 30 ms of work. Chosen by hand."""
_ROWS, _DEPTH, _COLUMNS = 64, 128, 32
"""A product is cut into products of at most this size. OpenBLAS calculates up to 2**18 multiplications on one
core. Above, it waits for all cores, and while other programs use these, a question takes 300 ms instead of 2.
The cuts cost 15%."""
_EPSILON: Final = 1e-12
"""Of the layer norms; the teacher's."""
_SHA256: Final = "e4c65d9424469a9d2246a37826acb88d73d167457541e79e1abd29eb8bedf57b"
"""Of the weights that the embedder's name stands for."""


class ContextualEmbedder:
    """Vectors of 352 dimensions that depend on the order of words, for the first 62 tokens of a text.

    The texts beside it, and the processor, change a vector in the sixth decimal place or later. Opening one
    reads the weights (12 MB), once per process.

    A text that is mostly of a script the teacher did not learn gets a zero vector: its words still find it.

    Args:
        threads: How many threads encode many texts, 1 to 256.

    Raises:
        InvalidInputError: ``threads`` is no such number.
        EmbedderError: The bundled weights are missing or damaged.

    Example:
        >>> embedder = ContextualEmbedder()
        >>> bit, bitten, tax = embedder.embed_documents(["a dog bit me", "I was bitten by a dog", "my taxes"])
        >>> bool(bit @ bitten > 0.5 > bit @ tax)
        True
    """

    name = "recollect-contextual-v2"

    def __init__(self, *, threads: int = THREADS) -> None:
        self._encoder = _load()
        self._threads = check_count("threads", threads, most=_MOST_THREADS)

    def embed_documents(self, texts: Sequence[str]) -> _Floats:
        """See ``Embedder.embed_documents``; a row is zero if too few words are known.

        Raises:
            InvalidInputError: ``texts`` is one string.
        """
        tokens = [self._encoder.tokens(text) for text in as_texts(texts)]
        rows = np.zeros((len(tokens), self._encoder.dimensions), dtype=np.float32)

        def fill(places: list[int]) -> None:
            rows[places] = self._encoder.encode([tokens[place] for place in places])

        _on_cores(fill, list(_batches(tokens)), most=self._threads)
        return rows

    def embed_query(self, text: str) -> _Floats:
        """The vector of a question, ``float32`` of shape ``(352,)``; made as a document's is."""
        vector: _Floats = self.embed_documents([text])[0]
        return vector


def _batches(tokens: Sequence[list[int]]) -> Iterator[list[int]]:
    """Places of texts that have tokens, the shortest first, about ``BATCH_TOKENS`` tokens together."""
    batch: list[int] = []
    size = 0
    for place in sorted(range(len(tokens)), key=lambda place: len(tokens[place])):
        if not tokens[place]:
            continue
        if batch and size + len(tokens[place]) > BATCH_TOKENS:
            yield batch
            batch, size = [], 0
        batch.append(place)
        size += len(tokens[place])
    if batch:
        yield batch


def _on_cores(work: Callable[[list[int]], None], batches: Sequence[list[int]], *, most: int) -> None:
    """Do the work on each batch, in ``most`` threads while there are ``LEAST_BATCHES`` for each.

    A pool of ``concurrent.futures`` would refuse work from a thread that outlives the main one.
    """
    failed: list[BaseException] = []

    def work_off(some: Sequence[list[int]]) -> None:
        try:
            for batch in some:
                work(batch)
        except BaseException as error:  # noqa: BLE001 - it is raised again below
            failed.append(error)

    count = max(1, min(most, len(batches) // LEAST_BATCHES))
    threads = [Thread(target=work_off, args=(batches[place::count],)) for place in range(1, count)]
    for thread in threads:
        thread.start()
    work_off(batches[::count])
    for thread in threads:
        thread.join()
    if failed:
        raise failed[0]


class _Encoder:
    """A BERT with its tokenizer, and static vectors of the same vocabulary.

    Args:
        arrays: The weights by name: ``int8`` matrices with a scale per output in ``NAME.scale``, the rest
            ``float32``. Rows of ``tokens`` are those of the vocabulary, then the start and the end of a text.
        words: The vocabulary.
        static: A row per word, ``int8``.
    """

    def __init__(
        self, arrays: dict[str, NDArray[np.int8] | _Floats], words: list[str], static: NDArray[np.int8]
    ) -> None:
        self._table, self._scales = arrays["tokens"], arrays["tokens.scale"].astype(np.float32)
        self._static = static
        self._start, self._end = len(words), len(words) + 1
        self._foreign = frozenset(row for row, word in enumerate(words) if not word.isascii())
        self._pieces = WordPiece(words)
        self._weights = {
            name: _restored(arrays, name)
            for name in arrays
            if not name.startswith("tokens") and not name.endswith(".scale")
        }
        self._layers = sum(name.endswith(".attention") for name in arrays)
        fits = self._table.shape == (len(words) + 2, len(arrays["widen"]))
        if not fits or len(static) != len(words):
            raise ValueError("the weights do not fit their vocabulary")
        self.dimensions = len(self._weights["project.bias"]) + static.shape[1]

    def tokens(self, text: str) -> list[int]:
        """The rows of a text's first tokens; none when most of them are of a script that is not known."""
        found = list(islice(self._pieces.sequence(text), MOST_TOKENS))
        foreign = sum(row in self._foreign for row in found)
        return [] if 2 * foreign > len(found) else found

    def encode(self, texts: Sequence[list[int]]) -> _Floats:
        """The vectors of texts, each given as its tokens, at least one; texts of equal length in a row."""
        read = unit_rows(self._read([[self._start, *tokens, self._end] for tokens in texts]))
        known = [set(tokens) for tokens in texts]
        gathered = self._static[list(chain.from_iterable(known))]
        summed = np.add.reduceat(gathered, _starts(map(len, known)), axis=0, dtype=np.int32)
        shares = (1 - STATIC_SHARE) ** 0.5, STATIC_SHARE**0.5
        return unit_rows(np.concatenate([shares[0] * read, shares[1] * unit_rows(summed)], axis=1))

    def _read(self, texts: Sequence[list[int]]) -> _Floats:
        """The means of the tokens' last states. States of all texts stand below each other, without gaps."""
        weights = self._weights
        lengths = [len(rows) for rows in texts]
        rows = list(chain.from_iterable(texts))
        known: _Floats = self._table[rows] * self._scales[rows, None]
        positions = np.concatenate([weights["positions"][:length] for length in lengths])
        states = self._normed(_product(known, weights["widen"]) + positions, "input")
        for layer in range(self._layers):
            states = self._normed(states + self._attended(states, layer, lengths), f"{layer}.attended")
            states = self._normed(states + self._fed(states, layer), f"{layer}.fed")
        summed: _Floats = np.add.reduceat(states, _starts(lengths), axis=0)
        return self._dense(summed / np.array(lengths, np.float32)[:, None], "project")

    def _attended(self, states: _Floats, layer: int, lengths: Sequence[int]) -> _Floats:
        """Each token's view of all tokens of its text."""
        parts = self._dense(states, f"{layer}.attention")
        seen = np.empty_like(states)
        start = 0
        for length, same in groupby(lengths):
            end = start + length * len(list(same))
            seen[start:end] = _seen(parts[start:end], length)
            start = end
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
        made = _product(states, self._weights[name])
        made += self._weights[f"{name}.bias"]
        return made

    def _normed(self, states: _Floats, name: str) -> _Floats:
        states -= states.mean(axis=-1, keepdims=True)
        variance = np.einsum("ij,ij->i", states, states)[:, None] / states.shape[1]
        states /= np.sqrt(variance + np.float32(_EPSILON))
        states *= self._weights[f"{name}.norm"]
        states += self._weights[f"{name}.norm.bias"]
        return states


def _seen(parts: _Floats, length: int) -> _Floats:
    """Attention in texts of one length, ``(texts * length, width)`` of queries, keys and values together."""
    width = parts.shape[1] // 3
    query, key, value = parts.reshape(-1, length, 3, HEADS, width // HEADS).transpose(2, 0, 3, 1, 4)
    scores: _Floats = query @ key.transpose(0, 1, 3, 2)
    scores *= np.float32((width // HEADS) ** -0.5)
    scores -= scores.max(axis=-1, keepdims=True)
    np.exp(scores, out=scores)
    scores /= scores.sum(axis=-1, keepdims=True)
    seen: _Floats = (scores @ value).transpose(0, 2, 1, 3).reshape(-1, width)
    return seen


def _starts(lengths: Iterable[int]) -> list[int]:
    """Where parts of these lengths begin that stand one after the other."""
    return list(accumulate(lengths, initial=0))[:-1]


def _restored(arrays: dict[str, NDArray[np.int8] | _Floats], name: str) -> _Floats:
    """A vector as it is; a matrix with its scales, cut for ``_product``."""
    values = arrays[name].astype(np.float32)
    if f"{name}.scale" not in arrays:
        return values
    height, width = values.shape
    parts = (values * arrays[f"{name}.scale"]).reshape(height // _DEPTH, _DEPTH, width // _COLUMNS, _COLUMNS)
    return np.ascontiguousarray(parts.transpose(0, 2, 1, 3)[:, None])


def _product(states: _Floats, matrix: _Floats) -> _Floats:
    """The product of some rows and a matrix, shape ``(depth parts, 1, column parts, _DEPTH, _COLUMNS)``."""
    count, high = len(states), -(-len(states) // _ROWS)
    rows = -(-count // high)
    if high * rows > count:
        states = np.concatenate([states, np.zeros((high * rows - count, states.shape[1]), np.float32)])
    left = states.reshape(high, rows, len(matrix), 1, _DEPTH).transpose(2, 0, 3, 1, 4)
    parts: _Floats = (left @ matrix).sum(axis=0)
    return parts.transpose(0, 2, 1, 3).reshape(high * rows, -1)[:count]


@cache
def _load() -> _Encoder:
    try:
        with np.load(BytesIO(_undamaged()), allow_pickle=False) as arrays:
            words = np.load(DATA / "words-v1.npy", allow_pickle=False)
            return _Encoder(dict(arrays), vocabulary(), words)
    except (OSError, EOFError, ValueError) as error:
        raise EmbedderError(
            f"the weights of the contextual embedder cannot be used: {error}; reinstall recollect"
        ) from error


def _undamaged() -> bytes:
    file = (DATA / "contextual-v1.npz").read_bytes()
    if hashlib.sha256(file).hexdigest() != _SHA256:
        raise ValueError("the file was changed")
    return file
