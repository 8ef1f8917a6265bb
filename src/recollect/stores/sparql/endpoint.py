"""What the store asks of an endpoint: two calls, the same for a folder, memory and a server."""

from collections.abc import Mapping, Sequence
from typing import Protocol

Solution = Mapping[str, str]
"""What a query found, by variable: IRIs and the text of literals."""


class SparqlEndpoint(Protocol):
    """A SPARQL 1.1 endpoint whose errors are ours."""

    name: str
    """What messages call it; without a password."""

    def select(self, query: str) -> Sequence[Solution]:
        """The solutions of a query, all of one state of the data."""

    def update(self, request: str) -> None:
        """Carry out an update, whole or not at all. One that guards itself may be sent again."""

    def forget(self) -> None:
        """Let what was removed leave the files, where they are ours; a server does so when it sees fit."""

    def close(self) -> None:
        """Give back what is held."""
