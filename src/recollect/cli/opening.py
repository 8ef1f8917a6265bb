"""Opening the memory a command is about; only commands that write may make one."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, cast
from urllib.parse import quote

from recollect.cli.options import (
    embedding_model,
    extraction_variables,
    key_for,
    pii_said,
    pinecone_key,
    secrets_said,
)
from recollect.errors import InvalidInputError, as_given

if TYPE_CHECKING:
    from recollect.ingest.messages import SecretsPolicy
    from recollect.learning.admission import AdmissionPolicy
    from recollect.memory.memory import Memory
    from recollect.models import ModelRouter
    from recollect.models.routing import Doer
    from recollect.protocols import Embedder, Store
    from recollect.text.pii import PiiPolicy

DEFAULT_LANGUAGE = "en"
_PASSWORD = re.compile(r"(?<=password=)[^&]*", re.IGNORECASE)


def place_of(db: str | None, *, make: bool = False) -> str:
    """The path or URL that is meant; with ``make`` the default's folder is made."""
    if db is not None:
        return db
    from recollect.stores import default_path

    path = default_path()
    if make:
        path.parent.mkdir(parents=True, exist_ok=True)
    return str(path)


def shown(place: str) -> str:
    """The place as it may be printed: a URL without its user, its key and its passwords.

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


@contextmanager
def opened(
    db: str | None,
    *,
    embedder: str | None = None,
    language: str | None = None,
    secrets: str | None = None,
    pii: Sequence[str] | None = None,
    timezone: str = "UTC",
    make: bool = False,
    models: "ModelRouter | None" = None,
    admission: "AdmissionPolicy | None" = None,
) -> "Iterator[Memory]":
    """The memory at a path or URL, closed afterwards.

    Args:
        db: Where it is.
        embedder: Which embedder; by default the one it remembers, opened when first needed.
        language: Its language; by default the one it remembers.
        secrets: As for ``Memory``; None asks the environment.
        pii: As ``--pii`` has it; None asks the environment.
        timezone: As for ``Memory``.
        make: Whether one may be made when there is none.
        models: As for ``Memory``.
        admission: As for ``Learning``.

    Raises:
        InvalidInputError: There is none, and none may be made.
    """
    from recollect.learning.admission import Learning
    from recollect.memory.memory import Memory

    with placed(db, embedder=embedder, make=make) as (store, maker):
        memory = Memory(
            store,
            embedder=maker,
            language=chosen_language(store, language),
            secrets=cast("SecretsPolicy", secrets_said() if secrets is None else secrets),
            pii=pii_policy(pii_said() if pii is None else pii),
            timezone=timezone,
            models=models,
            learning=Learning(admission=admission, after=learn_after()),
        )
        with memory:
            yield memory


@contextmanager
def placed(db: str | None, *, embedder: str | None, make: bool = False) -> "Iterator[tuple[Store, Embedder]]":
    """The store at a path or URL, closed afterwards, and its embedder. Arguments as for ``opened``.

    What is wrong with an embedder that is named is said before a store is made.
    """
    from recollect.embedders import open_embedder

    named = embedder
    if named is None and make and embedding_model() is not None and missing_store(place_of(db)) is not None:
        named = embedding_model()
    maker = open_embedder(named) if make and named is not None else None
    store = open_place(db, make=make)
    try:
        yield store, _chosen_embedder(store, named) if maker is None else maker
    finally:
        store.close()


def pii_policy(said: Sequence[str]) -> "PiiPolicy | None":
    """The policy that some words tell; None of none, which leaves personal data as it is.

    Args:
        said: An action for all kinds, ``KIND=ACTION`` for one, and ``region=COUNTRY``. What is not named
            is masked.

    >>> policy = pii_policy(["keep", "email=refuse"])
    >>> policy.action("email"), policy.action("phone")
    ('refuse', 'keep')

    Raises:
        InvalidInputError: A kind, an action or a region is none.
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
                f"--pii knows no {as_given(name)}; it knows {', '.join(KINDS)} and region"
            )
        chosen[name] = action
    try:
        policy = PiiPolicy(**chosen)  # type: ignore[arg-type]  # it checks them itself
        if policy.region is not None:
            find_pii("", region=policy.region)
    except InvalidInputError as error:
        raise InvalidInputError(f"--pii: {error}") from None
    return policy


def learn_after() -> int | None:
    """How many messages of a session queue it: Second Brain's variables, else its number; None for off."""
    from recollect.learning.admission import LEARN_AFTER

    enabled, threshold = extraction_variables()
    if not enabled:
        return None
    return LEARN_AFTER if threshold is None else threshold


def open_place(db: str | None, *, make: bool) -> "Store":
    """The store at a path or URL."""
    from recollect.stores import open_store
    from recollect.types.clock import utc_now

    place = place_of(db, make=make)
    missing = None if make else missing_store(place)
    if missing is not None:
        raise InvalidInputError(f"there are no memories in {missing} yet; make them: recollect init, or add")
    return open_store(keyed(place), clock=utc_now)


def missing_store(place: str) -> str | None:
    """The file, folder or database that is meant, as it may be printed, when there is no store in it."""
    from recollect.memory.maintenance.files import missing_place
    from recollect.memory.maintenance.migrating import is_empty_database

    missing = missing_place(place)
    if missing is not None:
        return str(missing)
    return shown(place) if is_empty_database(place) else None


def keyed(place: str) -> str:
    """The place; the URL of a Pinecone index without a key gets the one in the environment."""
    scheme, separator, rest = place.partition("://")
    key = pinecone_key()
    if scheme.lower() != "pinecone" or not separator or "@" in rest or key is None:
        return place
    return f"{scheme}://:{quote(key, safe='')}@{rest}"


def _chosen_embedder(store: "Store", name: str | None) -> "Embedder":
    """The embedder asked for, else the one the store remembers, else the environment's or the default."""
    from recollect.embedders import embedder_for

    if name is None and store.setting("embedder") is None:
        name = embedding_model()
    return embedder_for(store, name)


def chosen_language(store: "Store", language: str | None) -> str:
    """The language asked for, else the one the store remembers, else the default."""
    remembered = store.setting("analyser")
    if language is not None or remembered is None:
        return language or DEFAULT_LANGUAGE
    return remembered.split("-")[1]


@contextmanager
def routed(
    tasks: Sequence[str], model: str | None, base_url: str | None, budget_tokens: int | None = None
) -> "Iterator[ModelRouter | None]":
    """A router whose named tasks one model does, closed afterwards; None when no model is named.

    Args:
        tasks: Which tasks; nobody does the others.
        model: Its name.
        base_url: Its server; by default the Ollama of this machine.
        budget_tokens: From how many tokens on it is not asked any more.
    """
    if model is None:
        yield None
        return
    from recollect.models import ModelRouter, ModelTask, Route
    from recollect.models.routing import OLLAMA

    key = key_for(base_url) if base_url else None  # that of OpenAI is not for Ollama
    route = Route(model=model, base_url=base_url or OLLAMA, api_key=key)
    doers: dict[str, Doer] = {task: route if task in tasks else None for task in ModelTask}
    router = ModelRouter(doers, budget_tokens=budget_tokens)
    try:
        yield router
    finally:
        router.close()
