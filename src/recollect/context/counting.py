"""Counters of tokens by name: a tokenizer where one is installed, else the estimate.

Nothing is chosen by itself. ``tiktoken`` fetches its tables from the network when they are not in its cache,
and a memory must not: who wants it names it.
"""

from pathlib import Path
from typing import Final

from recollect.errors import InvalidInputError, as_given
from recollect.protocols import TokenCounter
from recollect.text.tokens import estimate_tokens
from recollect.types.extras import optional_module

ESTIMATE: Final = "estimate"
"""The name of the estimate that needs nothing."""
_EXTRA: Final = "tokens"


def open_token_counter(name: str = ESTIMATE) -> TokenCounter:
    """The counter with a name; give it to ``Memory(token_counter=…)``.

    Args:
        name: ``estimate``; ``tiktoken:MODEL``, with the name of a model of OpenAI or of an encoding such as
            ``o200k_base``; or ``tokenizer:PATH``, with a ``tokenizer.json`` as models are published with.

    Raises:
        InvalidInputError: The name is of no known form, or the tokenizer cannot be read or fetched.
        MissingExtraError: Its package is not installed.

    >>> open_token_counter("estimate")("Do you remember the name of my dog?")
    10
    """
    kind, _, which = name.partition(":") if isinstance(name, str) else ("", "", "")
    if name == ESTIMATE:
        return estimate_tokens
    if kind == "tiktoken" and which:
        return _tiktoken(which)
    if kind == "tokenizer" and which:
        return _tokenizer(Path(which))
    raise InvalidInputError(
        f"token counter {as_given(name)} is unknown; use 'estimate', 'tiktoken:gpt-4o' or "
        "'tokenizer:tokenizer.json'"
    )


def _tiktoken(which: str) -> TokenCounter:
    tiktoken = optional_module("tiktoken", feature="counting with tiktoken", extra=_EXTRA)
    try:
        known = which in tiktoken.list_encoding_names()
        encoding = tiktoken.get_encoding(which) if known else tiktoken.encoding_for_model(which)
    except KeyError:
        raise InvalidInputError(f"tiktoken knows no model or encoding {as_given(which)}") from None
    except Exception as error:  # whatever the client it fetches tables with raises
        raise InvalidInputError(
            f"tiktoken cannot fetch the tables of {as_given(which)} ({type(error).__name__}); set "
            "TIKTOKEN_CACHE_DIR to a folder that has them"
        ) from error

    def count(text: str) -> int:
        return len(encoding.encode_ordinary(_whole(text)))

    return count


def _tokenizer(path: Path) -> TokenCounter:
    tokenizers = optional_module("tokenizers", feature="counting with a tokenizer.json", extra=_EXTRA)
    try:
        tokenizer = tokenizers.Tokenizer.from_str(path.read_text(encoding="utf-8"))
    except Exception as error:  # it raises bare exceptions
        raise InvalidInputError(f"{path} cannot be read as a tokenizer.json: {error}") from error

    def count(text: str) -> int:
        return len(tokenizer.encode(_whole(text), add_special_tokens=False).ids)

    return count


def _whole(text: str) -> str:
    """A text without half characters, which tokenizers refuse."""
    return text.encode(errors="replace").decode()
