"""What the store asks of an endpoint: two calls, the same for a folder, memory and a server."""

from collections.abc import Mapping, Sequence
from typing import Protocol

Solution = Mapping[str, str]
"""What a query found, by variable: IRIs and the text of literals."""


class SparqlEndpoint(Protocol):
    """A SPARQL 1.1 endpoint; its errors become Recollect's."""

    name: str
    """What messages call it; without a password."""

    def select(self, query: str) -> Sequence[Solution]:
        """The solutions of a query, all of one state of the data."""

    def update(self, request: str) -> None:
        """Carry out an update, whole or not at all. One that guards itself may be sent again."""

    def forget(self) -> None:
        """Remove what was deleted from the files, where they are local; a server does so in its own time."""

    def close(self) -> None:
        """Release what is held."""
