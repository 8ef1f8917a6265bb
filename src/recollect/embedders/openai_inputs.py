"""What is asked of an embedding model at a server: its name, its dimensions, and texts that it can take."""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from recollect.checks import check_count
from recollect.errors import InvalidInputError, as_given
from recollect.text.tokens import estimate_tokens
from recollect.types.regex import lazy_regex

MAX_TOKENS: Final = 8_191
"""Tokens of one text that OpenAI's models read; longer texts are refused. From OpenAI's model pages."""
_SIZES: Final = {
    "text-embedding-3-small": 1536,
    "text-embedding-3-large": 3072,
    "text-embedding-ada-002": 1536,
}
"""Dimensions of OpenAI's models, as in the Shadow Memory specification, section 4."""
_FIXED: Final = "text-embedding-ada-002"
"""The one of them whose size cannot be chosen."""
_MOST_DIMENSIONS: Final = 99_999
"""Five digits, so that dates and versions after an ``@`` stay part of a name. Chosen by hand."""
_DIMENSIONS: Final = lazy_regex(r"[1-9][0-9]{0,4}")
_BATCH_BYTES: Final = 200_000
"""OpenAI refuses more than 300,000 tokens in a request; a token is a byte at the least. The rest is room."""
_TOKENS_A_CHARACTER: Final = 3
"""The most that ``estimate_tokens`` counts for a character."""
_CHARACTERS_A_TOKEN: Final = 8
"""The most characters that it counts as one token."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedModel:
    """A model and what it shall return.

    Attributes:
        model: Its name at the server.
        dimensions: The size that is asked for; None for the model's own.
        size: The size that its vectors have, as far as that is known beforehand.
    """

    model: str
    dimensions: int | None
    size: int | None

    @property
    def name(self) -> str:
        """What identifies its vectors."""
        return f"openai:{self.model}" + (f"@{self.dimensions}" if self.dimensions else "")


def wanted_model(model: str, dimensions: int | None) -> WantedModel:
    """The model that is meant by a name at the server, with the dimensions after an ``@`` or as a number.

    Raises:
        InvalidInputError: There is no name, the model cannot return so many dimensions, or two different
            numbers are given.

    >>> wanted_model("text-embedding-3-small@512", None).name
    'openai:text-embedding-3-small@512'
    >>> wanted_model("text-embedding-3-small", 1536).name
    'openai:text-embedding-3-small'
    """
    if not isinstance(model, str) or not model.strip():
        raise InvalidInputError("model must name a model of the server, such as 'text-embedding-3-small'")
    model, written = _split(model)
    if None not in (written, dimensions) and written != dimensions:
        raise InvalidInputError(
            f"dimensions are {as_given(dimensions)} and, after the @, {as_given(written)}; leave one out"
        )
    asked = dimensions if written is None else written
    known = _known_size(model)
    if asked is not None:
        asked = _check_dimensions(model, asked, known=known)
    return WantedModel(model=model, dimensions=None if asked == known else asked, size=asked or known)


def _split(model: str) -> tuple[str, object]:
    """A model's name, and what is written after the ``@`` if that stands for dimensions."""
    name, _, written = model.rpartition("@")
    if name and _DIMENSIONS.fullmatch(written):
        return name, int(written)
    if _known_size(name) is not None:
        return name, written
    return model, None


def _known_size(model: str) -> int | None:
    """The size of an OpenAI model, also by the name that OpenRouter and other gateways give it."""
    return _SIZES.get(model.removeprefix("openai/"))


def _check_dimensions(model: str, asked: object, *, known: int | None) -> int:
    if model.removeprefix("openai/") == _FIXED:
        raise InvalidInputError(
            f"{model} has always {known:,} dimensions; leave dimensions out, or take text-embedding-3-small"
        )
    return check_count(f"dimensions of {model}", asked, most=known or _MOST_DIMENSIONS)


def prepared(text: str, *, max_tokens: int) -> str:
    """A text as it is sent: without blanks around it, no half characters, cut where it grows too long.

    It is cut to the longest beginning of at most ``max_tokens`` estimated tokens.

    >>> prepared("  one two three four ", max_tokens=2)
    'one two'
    """
    text = text.strip()
    if not text.isascii():
        text = text.encode(errors="replace").decode()  # halves of surrogate pairs cannot be sent
    if len(text) * _TOKENS_A_CHARACTER <= max_tokens:
        return text
    text = text[: max_tokens * _CHARACTERS_A_TOKEN]
    if estimate_tokens(text) <= max_tokens:
        return text
    ends = range(len(text) + 1)
    return text[: bisect_right(ends, max_tokens, key=lambda end: estimate_tokens(text[:end])) - 1]


def cut_for_sure(text: str, *, max_tokens: int) -> str:
    """A text that no tokenizer finds too long: a token stands for a byte at the least.

    >>> cut_for_sure("Ամպ", max_tokens=5)
    'Ամ'
    """
    return text.encode()[:max_tokens].decode(errors="ignore")


def batches(texts: list[str], *, size: int) -> Iterator[list[str]]:
    """Runs of at most ``size`` texts and, but for one longer text alone, 200,000 bytes."""
    batch: list[str] = []
    gathered = 0
    for text in texts:
        length = len(text.encode())
        if batch and (len(batch) == size or gathered + length > _BATCH_BYTES):
            yield batch
            batch, gathered = [], 0
        batch.append(text)
        gathered += length
    if batch:
        yield batch
