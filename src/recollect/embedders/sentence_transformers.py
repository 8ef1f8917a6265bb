"""Any model of the ``sentence-transformers`` package."""

from recollect.embedders.adapter import EmbedderAdapter, loaded
from recollect.types.extras import optional_module

__all__ = ["SentenceTransformersEmbedder"]


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
        self._model = loaded(self.name, lambda: package.SentenceTransformer(model, device=device))

    def _encode_documents(self, texts: list[str]) -> object:
        return self._model.encode_document(texts, show_progress_bar=False)

    def _encode_query(self, text: str) -> object:
        return self._model.encode_query([text], show_progress_bar=False)
