"""Any function from texts to vectors as an embedder."""

from recollect.checks import check_name
from recollect.embedders.adapter import EmbedderAdapter
from recollect.protocols import EmbedFunction

__all__ = ["FunctionEmbedder"]


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
