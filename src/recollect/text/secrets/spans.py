"""What a secret in a text is, and where it stands."""

from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

SecretKind = Literal[
    "private key", "api key", "access token", "password", "code", "security answer", "payment card"
]
"""What a secret is: keys and tokens by format or name, the others by the words around them."""


class Secret(NamedTuple):
    """A credential in a text.

    Attributes:
        kind: What it is.
        start: Where it begins, in characters; the name before it is not part of it.
        end: Where it ends (exclusive).
    """

    kind: SecretKind
    start: int
    end: int


class TextPart(NamedTuple):
    """A part of a text that may tell a secret.

    Attributes:
        text: The whole text.
        low: The same in lower case.
        start: Where the part begins, in characters.
        end: Where it ends (exclusive).
    """

    text: str
    low: str
    start: int
    end: int


def merged(secrets: Iterable[Secret]) -> Iterator[Secret]:
    """Secrets in order; those that overlap are one, of the first one's kind.

    >>> list(merged([Secret("code", 3, 9), Secret("password", 0, 5)]))
    [Secret(kind='password', start=0, end=9)]
    """
    last: Secret | None = None
    for secret in sorted(secrets, key=lambda secret: (secret.start, -secret.end)):
        if last is None:
            last = secret
        elif secret.start < last.end:
            last = last._replace(end=max(last.end, secret.end))
        else:
            yield last
            last = secret
    if last is not None:
        yield last


def masked(text: str, secrets: Iterable[Secret]) -> str:
    """A text with each secret replaced by what it was.

    Args:
        text: Any words.
        secrets: In order, none of which overlap.

    >>> masked("door 4711", [Secret("code", 5, 9)])
    'door [code removed]'
    """
    parts, end = [], 0
    for secret in secrets:
        parts += [text[end : secret.start], f"[{secret.kind} removed]"]
        end = secret.end
    return "".join([*parts, text[end:]])
