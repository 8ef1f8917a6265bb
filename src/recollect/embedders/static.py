"""The bundled embedder: static token vectors, no download, no network, no model to run.

The vectors were fitted by ``scripts/build_static.py`` so that their sums come near to the vectors that
all-MiniLM-L6-v2 (Apache-2.0) gives to 180,000 lines and passages of dialogue.
A text's vector is the sum of the vectors of its distinct tokens, brought to unit length.
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from recollect.embedders.vectors import as_texts, unit_rows
from recollect.embedders.wordpiece import WordPiece
from recollect.errors import EmbedderError

DATA = Path(__file__).with_name("data")


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
        for place, rows in enumerate(map(pieces.rows, wanted)):
            if rows:
                found = table.take(np.fromiter(rows, np.intp, len(rows)), axis=0)
                np.add.reduce(found, axis=0, dtype=np.int32, out=sums[place])
        return unit_rows(sums)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """The vector of a question, ``float32`` of shape ``(192,)``; made as a document's is."""
        vector: NDArray[np.float32] = self.embed_documents([text])[0]
        return vector


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
