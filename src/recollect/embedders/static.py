"""The bundled embedder: static token vectors, no download, no network, no model to run.

The vectors were fitted by ``scripts/build_static.py`` so that their sums come near to the vectors that
all-MiniLM-L6-v2 (Apache-2.0) gives to 180,000 lines and passages of dialogue.
A text's vector is the sum of the vectors of its distinct tokens, brought to unit length.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import accumulate, chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from recollect.embedders.vectors import as_texts, unit_rows
from recollect.embedders.wordpiece import WordPiece
from recollect.errors import EmbedderError

DATA = Path(__file__).with_name("data")

# Tokens gathered at once: few enough for the processor's cache (summing takes half the time it takes
# with 6,000). A longer text is a block of its own, of at most one row per vocabulary token.
_BLOCK_TOKENS = 256


class StaticEmbedder:
    """Static vectors, 192 dimensions, on one thread, the same on every machine.

    A token counts once however often a text repeats it: this keeps long texts from being all about
    their commonest words. The sums are of integers and so exact: a text's vector does not depend on
    the texts embedded beside it, on the order of addition, or on the processor.

    Creating one costs nothing; the table (5.7 MB) is read when first needed, once per process.

    Example:
        >>> embedder = StaticEmbedder()
        >>> vector = embedder.embed_query("Where does Ana live?")
        >>> vector.shape, round(float(vector @ vector), 3)
        ((192,), 1.0)
    """

    name = "recollect-static-v2"

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """See ``Embedder.embed_documents``; a row is zero if no word is known.

        Raises:
            InvalidInputError: ``texts`` is one string.
            EmbedderError: The bundled data cannot be read.
        """
        wanted = as_texts(texts)
        table, pieces = _load()
        sums = np.zeros((len(wanted), table.shape[1]), dtype=np.int32)
        first = 0
        for block in _blocks(map(pieces.rows, wanted)):
            _add_up(table, block, sums[first : first + len(block)])
            first += len(block)
        return unit_rows(sums)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """The vector of a question, ``float32`` of shape ``(192,)``; made as a document's is."""
        vector: NDArray[np.float32] = self.embed_documents([text])[0]
        return vector


def _blocks(rows_of_texts: Iterator[set[int]]) -> Iterator[list[set[int]]]:
    """Texts, as the rows of their tokens, gathered to about ``_BLOCK_TOKENS`` tokens."""
    block: list[set[int]] = []
    size = 0
    for rows in rows_of_texts:
        if block and size + len(rows) > _BLOCK_TOKENS:
            yield block
            block, size = [], 0
        block.append(rows)
        size += max(len(rows), 1)
    if block:
        yield block


def _add_up(table: NDArray[np.int8], block: list[set[int]], out: NDArray[np.int32]) -> None:
    """Write the sum of each text's token vectors to its row of ``out``."""
    lengths = [len(rows) for rows in block]
    filled = [place for place, length in enumerate(lengths) if length]
    if not filled:
        return
    indices = np.fromiter(chain.from_iterable(block), dtype=np.intp, count=sum(lengths))
    starts = list(accumulate((lengths[place] for place in filled[:-1]), initial=0))
    out[filled] = np.add.reduceat(table[indices], starts, axis=0, dtype=np.int32)


def vocabulary() -> list[str]:
    """The tokens that both bundled embedders know, in the order of their tables' rows.

    Raises:
        OSError, ValueError: The file cannot be read.
    """
    return (DATA / "static-v1.txt").read_text(encoding="utf-8").split("\n")[:-1]


@cache
def _load() -> tuple[NDArray[np.int8], WordPiece]:
    """The token vectors and the tokenizer of their vocabulary."""
    try:
        table: NDArray[np.int8] = np.load(DATA / "static-v2.npy", allow_pickle=False)
        tokens = vocabulary()
    except (OSError, EOFError, ValueError) as error:
        raise EmbedderError("the bundled vectors cannot be read; reinstall recollect") from error
    if table.dtype != np.int8 or len(table) != len(tokens):
        raise EmbedderError("the bundled vectors do not fit their vocabulary; reinstall recollect")
    return table, WordPiece(tokens)
