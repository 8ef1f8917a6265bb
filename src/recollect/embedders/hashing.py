"""Feature hashing: deterministic vectors from spelling alone, with no data behind them."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from recollect.embedders.vectors import as_texts, unit_rows
from recollect.errors import InvalidInputError
from recollect.types.regex import lazy_regex

_WORDS = lazy_regex(r"\w+")

# A word weighs as much as four of its trigrams; chosen by hand: words decide, spelling helps.
_WORD_WEIGHT = 4

_SPEC_DIM = 384


class HashingEmbedder:
    """Words and their letter trigrams, hashed to signed places (Weinberger et al. 2009).

    It knows no meaning: texts are near when they share words or stems. For tests and for places
    where the bundled data may not be read. The vectors depend on neither the process nor the machine.

    Args:
        dim: How many dimensions; the Shadow Memory specification sets 384 for ``mock-semantic-model-v1``.

    Raises:
        InvalidInputError: ``dim`` is below 1.

    Example:
        >>> cats, dogs, tax = HashingEmbedder().embed_documents(["two cats", "two dogs", "tax form"])
        >>> bool(cats @ dogs > cats @ tax)
        True
    """

    def __init__(self, *, dim: int = _SPEC_DIM) -> None:
        if dim < 1:
            raise InvalidInputError(f"dim must be at least 1, not {dim}")
        self._dim = dim

    @property
    def name(self) -> str:
        """``mock-semantic-model-v1``, with the dimension appended when it is not 384."""
        return "mock-semantic-model-v1" + (f"-{self._dim}" if self._dim != _SPEC_DIM else "")

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """See ``Embedder.embed_documents``; a row is zero if it has no words.

        Raises:
            InvalidInputError: ``texts`` is one string.
        """
        wanted = as_texts(texts)
        sums = np.zeros((len(wanted), self._dim), dtype=np.int32)
        for row, text in zip(sums, wanted, strict=True):
            for word in _WORDS.findall(text.casefold()):
                places, weights = _word_features(word, self._dim)
                np.add.at(row, places, weights)
        return unit_rows(sums)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """The vector of a question, ``float32`` of shape ``(dim,)``; made as a document's is."""
        vector: NDArray[np.float32] = self.embed_documents([text])[0]
        return vector


@lru_cache(maxsize=20_000)  # about 20 MB; chosen by hand
def _word_features(word: str, dim: int) -> tuple[NDArray[np.intp], NDArray[np.int32]]:
    """The places a word touches and what it adds to each."""
    hashed = [(_hashed(feature), weight) for feature, weight in _features(word)]
    places = np.array([(number >> 1) % dim for number, _ in hashed], dtype=np.intp)
    weights = np.array([weight if number & 1 else -weight for number, weight in hashed], dtype=np.int32)
    return places, weights


def _features(word: str) -> Iterator[tuple[str, int]]:
    """The word and its trigrams, its ends marked, each with its weight."""
    yield f"word:{word}", _WORD_WEIGHT
    marked = f"<{word}>"
    for start in range(len(marked) - 2):
        yield f"part:{marked[start : start + 3]}", 1


def _hashed(feature: str) -> int:
    """64 bits that are the same everywhere, unlike ``hash``."""
    return int.from_bytes(blake2b(feature.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")
