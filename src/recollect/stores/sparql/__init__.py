"""RDF: memories in a SPARQL 1.1 endpoint, embedded with Oxigraph or on a server."""

from recollect.errors import MissingExtraError

try:
    from recollect.stores.sparql.store import SPARQLStore
except ModuleNotFoundError as error:
    if error.name not in ("pyoxigraph", "httpx2"):
        raise
    raise MissingExtraError("SPARQL", extra="sparql") from error

__all__ = ["SPARQLStore"]
