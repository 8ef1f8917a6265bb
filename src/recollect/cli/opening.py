"""Open the memory of a command; only commands that write may create one."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, cast
from urllib.parse import quote

from recollect.cli.options import Db, EmbedderName, Json, Timezone, key_for
from recollect.cli.output import show
from recollect.cli.settings import embedder_of, settings
from recollect.errors import InvalidInputError, as_given
from recollect.types.regex import lazy_regex

if TYPE_CHECKING:
    from recollect.ingest.messages import SecretsPolicy
    from recollect.learning.admission import AdmissionPolicy, Learning
    from recollect.memory.memory import Memory
    from recollect.models import ModelRouter
    from recollect.models.routing import Doer
    from recollect.protocols import Embedder, Store
    from recollect.text.pii import PiiPolicy

DEFAULT_LANGUAGE = "en"
_PASSWORD = lazy_regex(r"(?<=password=)[^&]*", re.IGNORECASE)


def place_of(db: str | None, *, make: bool = False) -> str:
    """Return the path or URL of the store; ``make`` creates the folder of the default path."""
    if db is not None:
        return db
    from recollect.stores import default_path

    path = default_path()
    if make:
        path.parent.mkdir(parents=True, exist_ok=True)
    return str(path)


def whole_place(place: str) -> str:
    """A path or URL that means the same in every folder."""
    return place if "://" in place else str(Path(place).absolute())


def shown(place: str) -> str:
    """Return a path or URL for printing: a URL without user, key and passwords.

    >>> shown("pinecone://:secret@brain?prefix=team"), shown("postgresql://db/brain?password=secret&a=1")
    ('pinecone://brain?prefix=team', 'postgresql://db/brain?password=***&a=1')
    >>> shown("json:///ada@home.json")
    'json:///ada@home.json'
    """
    scheme, separator, rest = place.partition("://")
    if not separator:
        return place
    where, mark, options = rest.partition("?")
    if not where.startswith("/"):
        where = where.rpartition("@")[2]
    return f"{scheme}://{where}{mark}{_PASSWORD.sub('***', options)}"


@dataclass(frozen=True, kw_only=True)
class StoreOptions:
    """The options that say which memory a command opens, and how it prints what it found.

    A command has those options whose types say how they are given; see ``command``.
    """

    timezone: str | None = None
    embedder: str | None = None
    db: Db = None
    as_json: Json = False

    def show(self, value: object, *, lines: str, hint: str = "nothing found") -> None:
        """Print a value as one JSON document or as lines; see ``output.show``."""
        show(value, lines=lines, as_json=self.as_json, hint=hint)


@dataclass(frozen=True, kw_only=True)
class EmbedderOptions(StoreOptions):
    """The same for a command that needs vectors."""

    embedder: EmbedderName = None


@dataclass(frozen=True, kw_only=True)
class QueryOptions(EmbedderOptions):
    """The same for a command that also reads dates."""

    timezone: Timezone = None


@contextmanager
def opened(
    at: StoreOptions,
    *,
    language: str | None = None,
    secrets: str | None = None,
    pii: Sequence[str] | None = None,
    make: bool = False,
    models: "ModelRouter | None" = None,
    admission: "AdmissionPolicy | None" = None,
) -> "Iterator[Memory]":
    """Open the memory of a command and close it afterwards; first it takes what hosts captured for it.

    Without an embedder, a time zone and a language they are the store's own, without ``secrets`` and
    ``pii`` (the values of ``--pii``) the settings'. ``make`` creates a missing memory. For the rest see
    ``Memory`` and ``Learning``.

    Raises:
        InvalidInputError: The memory does not exist, and ``make`` is false.
    """
    from recollect.integrations.hosts.drain import store_captured
    from recollect.memory.memory import Memory

    with placed(at, make=make) as (store, maker):
        memory = Memory(
            store,
            embedder=maker,
            language=chosen_language(store, language),
            secrets=cast("SecretsPolicy", settings().secrets if secrets is None else secrets),
            pii=pii_policy(settings().pii if pii is None else pii),
            timezone=at.timezone or settings().timezone,
            models=models,
            learning=learning(admission),
        )
        with memory:
            store_captured(memory, whole_place(place_of(at.db)))
            yield memory


def whole_of(memory: "Memory", start: str, *, user_id: str, deleted: bool = False) -> str:
    """The id of a user's memory by its first characters; see ``whole_id``."""
    from recollect.memory.short_ids import whole_id

    return whole_id(memory.parts.store, memory.parts.scope(user_id), start, deleted=deleted)


@contextmanager
def placed(at: StoreOptions, *, make: bool = False) -> "Iterator[tuple[Store, Embedder]]":
    """Open the store of a command with its embedder, and close it afterwards; see ``opened``.

    An invalid embedder fails before a store is created.
    """
    from recollect.embedders import open_embedder

    named, own = at.embedder, embedder_of(settings())
    if named is None and make and own is not None and missing_store(place_of(at.db)) is not None:
        named = own
    maker = open_embedder(named) if make and named is not None else None
    store = open_place(at.db, make=make)
    try:
        yield store, _chosen_embedder(store, named) if maker is None else maker
    finally:
        store.close()


def pii_policy(said: Sequence[str]) -> "PiiPolicy | None":
    """Parse the values of ``--pii``; None for no values, which leaves personal data unchanged.

    A value is an action for all kinds, ``KIND=ACTION``, or ``region=COUNTRY``. Other kinds are masked.

    >>> policy = pii_policy(["keep", "email=refuse"])
    >>> policy.action("email"), policy.action("phone")
    ('refuse', 'keep')

    Raises:
        InvalidInputError: A kind, an action or a region is unknown.
    """
    if not said:
        return None
    from recollect.text.pii import KINDS, PiiPolicy, find_pii

    chosen: dict[str, str] = {}
    for one in said:
        name, separator, action = one.rpartition("=")
        name = name if separator else "default"
        if name not in {*KINDS, "default", "region"}:
            raise InvalidInputError(
                f"--pii: the kind {as_given(name)} is unknown; known are {', '.join(KINDS)} and region"
            )
        chosen[name] = action
    try:
        policy = PiiPolicy(**chosen)  # type: ignore[arg-type]  # it checks them itself
        if policy.region is not None:
            find_pii("", region=policy.region)
    except InvalidInputError as error:
        raise InvalidInputError(f"--pii: {error}") from None
    return policy


def learning(admission: "AdmissionPolicy | None" = None) -> "Learning":
    """Return what is learned from conversations, and when, by the environment."""
    from recollect.learning.admission import LEARN_AFTER, Learning

    made = settings()
    threshold = made.extraction_threshold
    after = LEARN_AFTER if threshold is None else threshold
    return Learning(admission=admission, after=after, enabled=made.extraction_enabled)


def open_place(db: str | None, *, make: bool) -> "Store":
    """Open the store at a path or URL."""
    from recollect.stores import open_store
    from recollect.types.clock import utc_now

    place = place_of(db, make=make)
    missing = None if make else missing_store(place)
    if missing is not None:
        raise InvalidInputError(f"there are no memories in {missing} yet; make them: recollect init, or add")
    return open_store(keyed(place), clock=utc_now)


def missing_store(place: str) -> str | None:
    """Return a printable name of the file, folder or database if it contains no store, else None."""
    from recollect.memory.maintenance.files import missing_place
    from recollect.memory.maintenance.migrating import is_empty_database

    missing = missing_place(place)
    if missing is not None:
        return str(missing)
    return shown(place) if is_empty_database(place) else None


def keyed(place: str) -> str:
    """Add the key of the settings to the URL of a Pinecone index that has none."""
    scheme, separator, rest = place.partition("://")
    key = settings().pinecone_api_key
    if scheme.lower() != "pinecone" or not separator or "@" in rest or key is None:
        return place
    return f"{scheme}://:{quote(key, safe='')}@{rest}"


def _chosen_embedder(store: "Store", name: str | None) -> "Embedder":
    """Return the named embedder, else the store's own, else that of the settings or the default."""
    from recollect.embedders import embedder_for

    if name is None and store.setting("embedder") is None:
        name = embedder_of(settings())
    return embedder_for(store, name)


def chosen_language(store: "Store", language: str | None) -> str:
    """Return the named language, else the store's own, else the default."""
    remembered = store.setting("analyser")
    if language is not None or remembered is None:
        return language or DEFAULT_LANGUAGE
    return remembered.split("-")[1]


@contextmanager
def routed(
    tasks: Sequence[str], model: str | None, base_url: str | None, budget_tokens: int | None = None
) -> "Iterator[ModelRouter | None]":
    """Open a router with one model for some tasks, closed afterwards; None if no model is named."""
    if model is None:
        yield None
        return
    from recollect.models import ModelRouter, ModelTask, Route
    from recollect.models.routing import OLLAMA

    key = key_for(base_url) if base_url else None  # never send OpenAI's key to Ollama
    route = Route(model=model, base_url=base_url or OLLAMA, api_key=key)
    doers: dict[str, Doer] = {task: route if task in tasks else None for task in ModelTask}
    router = ModelRouter(doers, budget_tokens=budget_tokens)
    try:
        yield router
    finally:
        router.close()
