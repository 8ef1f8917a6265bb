"""The graph's vocabulary (docs/use/stores/sparql.md); every term as text, escaped by pyoxigraph."""

import json
from collections.abc import Iterator
from typing import Any, Final
from urllib.parse import quote, unquote

from pyoxigraph import Literal, NamedNode

from recollect.stores.logged.writes import memory_type
from recollect.types import MemoryRecord

MCP: Final = "http://purl.org/stuff/mcp/"
"""Semem's own vocabulary."""
TERMS: Final = "urn:recollect:terms:"
"""What it has no word for."""
_XSD: Final = "http://www.w3.org/2001/XMLSchema#"
_RDF_TYPE: Final = str(NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#type"))


def mcp(name: str) -> str:
    """A term of Semem's vocabulary."""
    return str(NamedNode(MCP + name))


def term(name: str) -> str:
    """A term of ours."""
    return str(NamedNode(TERMS + name))


def text(value: str) -> str:
    """A literal that people read; halves of surrogate pairs, which RDF cannot hold, are replaced."""
    return str(Literal(value.encode("utf-8", "replace").decode()))


def number(value: float) -> str:
    """A number as ``xsd:integer`` or ``xsd:double``."""
    return str(Literal(value))


def exact(value: Any) -> str:
    """JSON in a literal, read back as it was: with halves of surrogate pairs all in ASCII."""
    written = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    try:
        return str(Literal(written))
    except ValueError:
        return str(Literal(json.dumps(value, separators=(",", ":"))))


def typed(subject: str, name: str) -> str:
    """The triple that says what something is."""
    return f"{subject} {_RDF_TYPE} {name} ."


class StoreIris:
    """The IRIs of a store."""

    def __init__(self, name: str) -> None:
        self.base = f"urn:recollect:store:{name}:"
        self.ledger = str(NamedNode(f"{self.base}ledger"))

    def graph(self, user_id: str) -> str:
        """The graph of a user."""
        return str(NamedNode(f"{self.base}user:{_quoted(user_id)}"))

    def user_of(self, graph: str) -> str | None:
        """Whose graph it is; None for the ledger."""
        prefix = f"{self.base}user:"
        return (
            unquote(graph.removeprefix(prefix), errors="surrogatepass") if graph.startswith(prefix) else None
        )

    def memory(self, key: int) -> str:
        """A memory."""
        return str(NamedNode(f"{self.base}memory:{key}"))

    def entry(self, table: str, key: Any) -> str:
        """Anything else that is kept."""
        return str(NamedNode(f"{self.base}{table}:{_quoted(json.dumps(key))}"))

    def write(self, number: int) -> str:
        """A write."""
        return str(NamedNode(f"{self.base}write:{number}"))


def _quoted(name: str) -> str:
    return quote(name, safe="", errors="surrogatepass")


def described(subject: str, record: MemoryRecord) -> Iterator[str]:
    """The properties of a live memory for people and programs; ``terms:record`` has all of it exactly."""
    yield typed(subject, mcp("Interaction"))
    for predicate, value in _values(record):
        yield f"{subject} {predicate} {value} ."


def _values(record: MemoryRecord) -> Iterator[tuple[str, str]]:
    yield mcp("id"), text(record.id)
    yield mcp("memoryType"), text(memory_type(record.tier))
    yield mcp("timestamp"), _moment(record)
    yield mcp("accessCount"), number(record.use.access_count + 1)  # Semem counts storing it as the first
    yield mcp("decayFactor"), number(float(record.use.decay_factor))
    yield term("content"), text(record.content)
    yield term("kind"), text(record.kind)
    yield term("tier"), text(record.tier)
    yield term("role"), text(record.origin.role)
    yield term("importance"), number(float(record.worth.importance))
    for name, value in (
        ("user", record.scope.user_id),
        ("agent", record.scope.agent_id),
        ("session", record.scope.session_id),
        ("speaker", record.origin.speaker),
        ("summary", record.summary),
    ):
        if value is not None:
            yield term(name), text(value)
    for name, values in (
        ("tag", [tag.text for tag in record.labels.tags]),
        ("concept", record.labels.concepts),
        ("entity", record.labels.entities),
    ):
        yield from ((term(name), text(value)) for value in values)


def _moment(record: MemoryRecord) -> str:
    return str(Literal(record.times.happened_at.isoformat(), datatype=NamedNode(f"{_XSD}dateTime")))
