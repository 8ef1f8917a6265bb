"""A connection to a server, by the ``openai`` SDK: with a key that can be sent, and only where it belongs."""

from typing import Any, Final

from recollect.errors import InvalidInputError, ModelError
from recollect.models.failures import Endpoint
from recollect.types.extras import optional_module

# Sent to a server of one's own that asks for no key. The SDK needs one, and would otherwise send
# the key for OpenAI that it finds in the environment to whatever ``base_url`` names.
_NO_KEY: Final = "none"


def connect(
    name: str, *, model: str, base_url: str | None, api_key: str | None, timeout_s: float
) -> tuple[Any, Endpoint]:
    """The SDK's client, without retries, and the endpoint that makes its errors; see ``OpenAIModel``.

    ``name`` is Recollect's name of the model, ``model`` the server's. A server that is named is sent nothing
    from the environment. ``timeout_s`` is how long the next bytes may take.

    Raises:
        MissingExtraError: The SDK is not installed.
        ModelError: There is no key, or the SDK cannot be used, as with an unknown proxy.
        InvalidInputError: The key or the address cannot be used.
    """
    client = _client(name, base_url=base_url, api_key=api_key, timeout_s=timeout_s)
    key = client.api_key
    return client, Endpoint(
        name=name,
        model=model,
        url=str(client.base_url),
        key="" if key == _NO_KEY else key,
        timeout_s=timeout_s,
    )


def _client(name: str, *, base_url: str | None, api_key: str | None, timeout_s: float) -> Any:
    package = optional_module("openai", feature=name, extra="openai")
    key = api_key if api_key is not None or base_url is None else _NO_KEY
    try:
        client = package.OpenAI(base_url=base_url, api_key=key, timeout=timeout_s, max_retries=0)
    except package.OpenAIError as error:
        raise _no_key(name) from error
    except Exception as error:
        if type(error).__name__ == "InvalidURL":  # by name, as in failures.py
            raise InvalidInputError(
                "base_url, or OPENAI_BASE_URL, is not an address; write it as http://localhost:11434/v1"
            ) from None
        raise ModelError(f"{name} cannot be asked: {error}") from error
    if base_url is not None:
        client.organization = client.project = None  # read from the environment
    _check_key(name, client.api_key)
    return client


def _check_key(name: str, key: str) -> None:
    """A key that HTTP can carry; the HTTP client's own error would show the key."""
    if not key.strip():
        raise _no_key(name)
    if not key.isascii() or not key.isprintable() or key != key.strip():
        raise InvalidInputError(
            "the API key contains a blank, a line break or another character that keys do not; strip() it"
        )


def _no_key(name: str) -> ModelError:
    return ModelError(f"{name} has no key: set OPENAI_API_KEY or pass api_key")
