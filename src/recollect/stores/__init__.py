"""Where memories are kept: a store is a path, a URL, or an object of your own."""

from collections.abc import Callable
from os import PathLike, fspath
from pathlib import Path
from typing import cast

from recollect.errors import InvalidInputError, StoreReadOnlyError
from recollect.protocols import Clock, Store

_GROUP = "recollect.stores"
_IN_MEMORY = (":memory:", "memory://")
_POSTGRES = ("postgresql", "postgres")
_QDRANT = ("qdrant", "qdrant+http", "qdrant+https")
_PINECONE = ("pinecone", "pinecone+http", "pinecone+https")
_SPARQL = ("oxigraph", "sparql+http", "sparql+https")


def default_path() -> Path:
    """The file that is opened when none is named, in the user's data folder; ``recollect`` uses it, too."""
    from platformdirs import user_data_path

    return user_data_path("recollect", appauthor=False) / "memory.db"


def open_store(target: str | PathLike[str] | Store | None, *, clock: Clock) -> Store:
    """Open the store that a target names.

    Args:
        target: A path or ``sqlite:///path`` for a SQLite file, ``:memory:`` for one that is gone when
            closed, ``json:///file``, ``postgresql://user:password@host/database``, ``qdrant:///folder`` or
            ``qdrant+http://host:6333``, ``pinecone://:api-key@index``, ``oxigraph:///folder`` or
            ``sparql+http://user:password@host/path``, a URL whose scheme another package registered in the
            entry-point group ``recollect.stores``, or a store. None is ``default_path``; its folder is made.
        clock: What time it is, for stores opened here.

    Raises:
        InvalidInputError: Nothing is known by that scheme.
        MissingExtraError: The store needs a package that is not installed.
        StoreError: The store cannot be opened.
    """
    if target is None:
        target = _made_folder(default_path())
    if not isinstance(target, (str, PathLike)):
        if isinstance(target, Store) and not isinstance(target, type):
            return target
        raise InvalidInputError(f"a store is a path, a URL or a Store, not {type(target).__name__}")
    text = with_plain_scheme(fspath(target))
    if not text.strip():
        raise InvalidInputError("the path of the store is blank; name a file such as brain.db")
    if text in _IN_MEMORY:
        from recollect.stores.reference.store import InMemoryStore

        return InMemoryStore(clock=clock)
    scheme, separator, rest = text.partition("://")
    if separator and (opener := _opener(scheme)):
        return opener(text, clock=clock)
    if separator and scheme != "sqlite":
        return _registered(scheme)(text)
    from recollect.stores.sqlite import SQLiteStore

    return SQLiteStore(Path(rest.removeprefix("/") if separator else text), clock=clock)


def _made_folder(path: Path) -> Path:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreReadOnlyError(
            f"{path.parent} cannot be created ({error}); name a file: Memory('brain.db')"
        ) from error
    return path


def with_plain_scheme(place: str) -> str:
    """A URL with its scheme in small letters, in which it means the same; a path as it is.

    >>> with_plain_scheme("PostgreSQL://Host/Brain"), with_plain_scheme("Brain.db")
    ('postgresql://Host/Brain', 'Brain.db')
    """
    scheme, separator, rest = place.partition("://")
    return f"{scheme.lower()}{separator}{rest}" if separator else place


def _opener(scheme: str) -> Callable[..., Store] | None:
    """What opens the URLs of a scheme; only what is used is loaded, and some need an extra."""
    if scheme == "json":
        from recollect.stores.json import JSONStore

        return JSONStore.from_url
    if scheme in _POSTGRES:
        from recollect.stores.postgres import PostgresStore

        return PostgresStore
    if scheme in _QDRANT:
        from recollect.stores.qdrant import QdrantStore

        return QdrantStore.from_url
    if scheme in _PINECONE:
        from recollect.stores.pinecone import PineconeStore

        return PineconeStore.from_url
    if scheme in _SPARQL:
        from recollect.stores.sparql import SPARQLStore

        return SPARQLStore.from_url
    return None


def _registered(scheme: str) -> Callable[[str], Store]:
    from importlib.metadata import entry_points

    found = {point.name: point for point in entry_points(group=_GROUP)}
    if scheme not in found:
        ours = ("sqlite", "memory", "json", *_POSTGRES, *_QDRANT, *_PINECONE, *_SPARQL)
        known = ", ".join([*ours, *sorted(found)])
        raise InvalidInputError(f"no store has the scheme {scheme}://; known are {known}")
    return cast("Callable[[str], Store]", found[scheme].load())
