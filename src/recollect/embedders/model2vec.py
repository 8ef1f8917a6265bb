"""Any static model of the ``model2vec`` package."""

from recollect.embedders.adapter import EmbedderAdapter, loaded
from recollect.types.extras import optional_module

__all__ = ["Model2VecEmbedder"]


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
        self._model = loaded(self.name, lambda: package.StaticModel.from_pretrained(model))

    def _encode_documents(self, texts: list[str]) -> object:
        return self._model.encode(texts, use_multiprocessing=False)
