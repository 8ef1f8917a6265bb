"""Embedders over models of other packages, or over a function."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recollect.checks import check_name
from recollect.embedders.vectors import as_texts, checked_rows
from recollect.errors import EmbedderError, RecollectError
from recollect.protocols import EmbedFunction
from recollect.types.extras import optional_module

# Embedded once when a dimension is needed before any text has come.
_PROBE = "dimension"


def _loaded(name: str, load: Callable[[], Any]) -> Any:
    """A model of another package, as ``load`` gives it.

    Raises:
        EmbedderError: Whatever went wrong there.
    """
    try:
        return load()
    except Exception as error:
        raise EmbedderError(f"{name} cannot be loaded: {error}") from error


class EmbedderAdapter(ABC):
    """An embedder over another package's model, which a subclass calls in two private hooks.

    Whatever the model returns, the public methods keep the protocol's promise: one finite vector per text,
    unit length, ``float32``, always the same dimension. Blank texts are zero rows and are not sent.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._dim: int | None = None

    @property
    def name(self) -> str:
        """What identifies the vectors: equal names mean comparable vectors."""
        return self._name

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """See ``Embedder.embed_documents``; zero rows for blank texts.

        Raises:
            InvalidInputError: ``texts`` is one string.
            EmbedderError: The model failed or returned something else than a vector per text.
        """
        return self._embed(as_texts(texts), query=False)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """The vector of a question, ``float32`` of shape ``(dim,)``, unit length or zero.

        Raises:
            EmbedderError: The model failed or returned something else than one vector.
        """
        vector: NDArray[np.float32] = self._embed([text], query=True)[0]
        return vector

    @abstractmethod
    def _encode_documents(self, texts: list[str]) -> object:
        """What the model returns for texts, none of them blank, at least one."""

    def _encode_query(self, text: str) -> object:
        """What the model returns for a list of this one question."""
        return self._encode_documents([text])

    def _embed(self, texts: list[str], *, query: bool) -> NDArray[np.float32]:
        said = [place for place, text in enumerate(texts) if text.strip()]
        if not said:
            return np.zeros((len(texts), self._dimension()), dtype=np.float32)
        vectors = self._encoded([texts[place] for place in said], query=query)
        rows = np.zeros((len(texts), vectors.shape[1]), dtype=np.float32)
        rows[said] = vectors
        return rows

    def _dimension(self) -> int:
        if self._dim is not None:
            return self._dim
        return int(self._encoded([_PROBE], query=False).shape[1])

    def _encoded(self, texts: list[str], *, query: bool) -> NDArray[np.float32]:
        """The boundary to the other package: whatever it raises becomes an ``EmbedderError``."""
        try:
            raw = self._encode_query(texts[0]) if query else self._encode_documents(texts)
        except RecollectError:
            raise
        except Exception as error:
            raise EmbedderError(f"{self._name} failed: {error}") from error
        rows = checked_rows(raw, count=len(texts), name=self._name)
        if self._dim not in (None, rows.shape[1]):
            raise EmbedderError(
                f"{self._name} returned {rows.shape[1]} dimensions, not {self._dim} as before"
            )
        self._dim = rows.shape[1]
        return rows


class FastEmbedEmbedder(EmbedderAdapter):
    """A fastembed model, run by ONNX Runtime, told questions from documents.

    Args:
        model: The name of a model fastembed supports; it is downloaded.

    Raises:
        MissingExtraError: The package is not installed.
        EmbedderError: The model cannot be loaded.
    """

    def __init__(self, model: str) -> None:
        super().__init__(f"fastembed:{model}")
        package = optional_module("fastembed", feature=self.name, extra="fastembed")
        self._model = _loaded(self.name, lambda: package.TextEmbedding(model_name=model))

    def _encode_documents(self, texts: list[str]) -> object:
        return list(self._model.passage_embed(texts))

    def _encode_query(self, text: str) -> object:
        return list(self._model.query_embed([text]))


class Model2VecEmbedder(EmbedderAdapter):
    """A model2vec model.

    Args:
        model: A model's name on the hub, which is downloaded, or a folder.

    Raises:
        MissingExtraError: The package is not installed.
        EmbedderError: The model cannot be loaded.
    """

    def __init__(self, model: str) -> None:
        super().__init__(f"model2vec:{model}")
        package = optional_module("model2vec", feature=self.name, extra="model2vec")
        self._model = _loaded(self.name, lambda: package.StaticModel.from_pretrained(model))

    def _encode_documents(self, texts: list[str]) -> object:
        return self._model.encode(texts, use_multiprocessing=False)


class SentenceTransformersEmbedder(EmbedderAdapter):
    """A sentence-transformers model, with the query and document prompts it was trained with.

    Args:
        model: A model's name on the hub, which is downloaded, or a folder.
        device: Where it runs, as torch names it (``"cpu"``, ``"cuda"``); by default torch's choice.

    Raises:
        MissingExtraError: The package is not installed.
        EmbedderError: The model cannot be loaded.
    """

    def __init__(self, model: str, *, device: str | None = None) -> None:
        super().__init__(f"sentence-transformers:{model}")
        package = optional_module("sentence_transformers", feature=self.name, extra="sentence-transformers")
        self._model = _loaded(self.name, lambda: package.SentenceTransformer(model, device=device))

    def _encode_documents(self, texts: list[str]) -> object:
        return self._model.encode_document(texts, show_progress_bar=False)

    def _encode_query(self, text: str) -> object:
        return self._model.encode_query([text], show_progress_bar=False)


class FunctionEmbedder(EmbedderAdapter):
    """A function that gives a vector for each text of a list.

    A store remembers the name and refuses vectors of another one. So give one name to each model: the default
    is made of where the function stands in the code, and cannot tell two models behind it apart.

    Args:
        function: Takes a list of texts, none of them blank, and returns a list of lists of numbers, or an
            array of shape ``(n, dim)``. Vectors are scaled to unit length.
        name: What identifies the vectors; by default ``function:MODULE.NAME``.

    >>> FunctionEmbedder(lambda texts: [[len(text), 1.0] for text in texts], name="by-length").name
    'by-length'
    """

    def __init__(self, function: EmbedFunction, *, name: str | None = None) -> None:
        called = getattr(function, "__qualname__", type(function).__qualname__)
        super().__init__(check_name("name", name) or f"function:{function.__module__}.{called}")
        self._function = function

    def _encode_documents(self, texts: list[str]) -> object:
        return self._function(texts)
