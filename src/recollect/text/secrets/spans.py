"""What a secret in a text is, and where it stands."""

from dataclasses import dataclass
from typing import Literal

SecretKind = Literal[
    "private key", "api key", "access token", "password", "code", "security answer", "payment card"
]
"""What a secret is: keys and tokens by format or name, the others by the words around them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Secret:
    """A credential in a text.

    Attributes:
        kind: What it is.
        start: Where it begins, in characters; the name before it is not part of it.
        end: Where it ends (exclusive).
    """

    kind: SecretKind
    start: int
    end: int
