"""Any text model of the ``fastembed`` package."""

from recollect.embedders.adapter import EmbedderAdapter, loaded
from recollect.types.extras import optional_module

__all__ = ["FastEmbedEmbedder"]


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
        self._model = loaded(self.name, lambda: package.TextEmbedding(model_name=model))

    def _encode_documents(self, texts: list[str]) -> object:
        return list(self._model.passage_embed(texts))

    def _encode_query(self, text: str) -> object:
        return list(self._model.query_embed([text]))
