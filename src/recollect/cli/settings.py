"""The settings of the command, its servers and its chat: one object, read in one place.

An option on the command line outranks an environment variable, that outranks the settings file, and that the
default. No other module reads the environment.
"""

import os
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import Field, dataclass, field, fields
from difflib import get_close_matches
from pathlib import Path
from types import UnionType
from typing import TYPE_CHECKING, Any, Final, cast, get_args

from recollect.errors import InvalidInputError, as_given
from recollect.types.guesses import instead_of

if TYPE_CHECKING:
    from recollect.ingest.messages import SecretsPolicy

FILE_VARIABLE: Final = "RECOLLECT_CONFIG"
FILE_NAME: Final = "config.toml"
"""The settings file, beside the default memory unless the variable names another."""
_YES: Final = frozenset(["true", "1", "yes", "on"])
_NO: Final = frozenset(["false", "0", "no", "off"])
_MISSPELT: Final = 0.85
"""The likeness, by ``difflib``, from which a variable's name is taken for a mistake; chosen by hand."""
_OWN_EMBEDDERS: Final = frozenset(["mock-semantic-model-v1", "contextual", "static", "hashing"])


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("a text")
    return value


def _whole(value: object) -> int:
    if isinstance(value, str) and value.strip().isdecimal():
        return int(value)
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    raise TypeError("a whole number")


def _number(value: object) -> float:
    try:
        if isinstance(value, (str, int, float)) and not isinstance(value, bool):
            return float(value)
    except ValueError:
        pass
    raise TypeError("a number")


def _truth(value: object) -> bool:
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.strip().lower() in _YES | _NO:
        return value.strip().lower() in _YES
    raise TypeError("true or false")


def _words(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return tuple(value.split())
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return tuple(value)
    raise TypeError("a list of texts")


_READERS: Final[Mapping[object, Callable[[object], object]]] = {
    str: _text, int: _whole, float: _number, bool: _truth, tuple[str, ...]: _words,
}  # fmt: skip
"""What reads a value of each type; a field may also be None."""


def _setting(variable: str, about: str, default: Any = None, *, secret: bool = False) -> Any:
    """A field that is read from a variable, or under its own name from the file."""
    return field(default=default, metadata={"variable": variable, "about": about, "secret": secret})


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What the environment and the settings file say. The fields' names are those of the file."""

    db: str | None = _setting("RECOLLECT_DB", "the store, a path or URL")
    user_id: str = _setting("RECOLLECT_USER_ID", "the user", "default")
    timezone: str | None = _setting("RECOLLECT_TIMEZONE", "where tomorrow begins")
    embedder: str | None = _setting("RECOLLECT_EMBEDDER", "the embedder")
    secrets: str = _setting("RECOLLECT_SECRETS", "passwords and keys", "redact")
    pii: tuple[str, ...] = _setting("RECOLLECT_PII", "personal data", ())
    preset: str = _setting("RECOLLECT_PRESET", "how chat recalls and answers", "default")
    host: str = _setting("RECOLLECT_HOST", "the address of serve", "127.0.0.1")
    port: int = _setting("RECOLLECT_PORT", "the port of serve", 8377)
    allowed_hosts: tuple[str, ...] = _setting("RECOLLECT_ALLOWED_HOSTS", "further host names of serve", ())
    cors_origins: tuple[str, ...] = _setting("RECOLLECT_CORS_ORIGINS", "pages that may call serve", ())
    rate_per_minute: int = _setting("RECOLLECT_RATE_PER_MINUTE", "requests per minute and key", 6_000)
    model: str | None = _setting("OPENAI_MODEL", "the model that answers")
    base_url: str | None = _setting("OPENAI_BASE_URL", "the models' server")
    api_key: str | None = _setting("OPENAI_API_KEY", "the models' key", secret=True)
    embedding_model: str | None = _setting("OPENAI_EMBEDDING_MODEL", "the embedder of a new store")
    embedding_dimensions: int | None = _setting("OPENAI_EMBEDDING_DIMENSIONS", "its dimensions")
    chat_model: str | None = _setting("CHAT_MODEL", "the model that answers, on Ollama")
    extraction_model: str | None = _setting("MEMORY_EXTRACTION_MODEL", "the model that finds facts")
    summary_model: str | None = _setting("SUMMARIZATION_MODEL", "the model that sums up sessions")
    title_model: str | None = _setting("TITLE_GENERATION_MODEL", "the model that writes titles")
    extraction_enabled: bool = _setting(
        "MEMORY_EXTRACTION_ENABLED", "whether sessions are learned", default=True
    )
    extraction_threshold: int | None = _setting("MEMORY_EXTRACTION_THRESHOLD", "after how many messages")
    max_facts: int | None = _setting("MAX_SEMANTIC_MEMORIES", "facts of summary")
    max_episodes: int | None = _setting("MAX_EPISODIC_MEMORIES", "episodes of summary")
    max_documents: int | None = _setting("MAX_DOCUMENT_RESULTS", "documents of summary")
    min_importance: float = _setting("EPISODIC_IMPORTANCE_THRESHOLD", "of an episode in summary", 0.3)
    vectors: bool = _setting("MEMORY_VECTOR_ENABLED", "summary by meaning", default=True)
    retention_days: float | None = _setting("MEMORY_RETENTION_DAYS", "days that tidy keeps")
    pinecone_api_key: str | None = _setting("PINECONE_API_KEY", "the key for Pinecone", secret=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """Settings and where they are from.

    Attributes:
        settings: The settings.
        sources: Where each came from that is no default, by name.
        given: What the file says, by name.
    """

    settings: Settings
    sources: Mapping[str, str]
    given: Mapping[str, object]


def settings() -> Settings:
    """The settings in force, but for options on the command line; see ``load``."""
    return load().settings


def load(environ: Mapping[str, str] = os.environ) -> Loaded:
    """Read the environment and the settings file.

    Raises:
        InvalidInputError: A value cannot be used, the file has an unknown name, a variable is misspelt, or
            two settings contradict each other.
    """
    _check_spelling(environ)
    place, given = _file(environ)
    values = dict(given)
    sources = dict.fromkeys(given, str(place))
    for one in fields(Settings):
        variable = one.metadata["variable"]
        if environ.get(variable):
            values[one.name] = _value(one, environ[variable], variable)
            sources[one.name] = variable
    made = Settings(**values)
    _check(made, sources)
    return Loaded(
        settings=made, sources=sources, given={name: values[name] for name in given if name in values}
    )


def defaults_of(command: Any, given: Mapping[str, object]) -> dict[str, Any]:
    """What the file says, as the defaults of a command's parameters and those of its subcommands."""
    variables = {one.metadata["variable"]: given[one.name] for one in fields(Settings) if one.name in given}
    own = {one.name: variables[one.envvar] for one in command.params if one.envvar in variables}
    inner = getattr(command, "commands", {})
    return own | {name: defaults_of(one, given) for name, one in inner.items()}


def _file(environ: Mapping[str, str]) -> tuple[Path, dict[str, Any]]:
    named = environ.get(FILE_VARIABLE)
    if named:
        place = Path(named)
    else:
        from platformdirs import user_data_path

        place = user_data_path("recollect", appauthor=False) / FILE_NAME
    if not named and not place.is_file():
        return place, {}
    try:
        given = tomllib.loads(place.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise InvalidInputError(f"the settings file {place} cannot be read: {error}") from None
    known = {one.name: one for one in fields(Settings)}
    unknown = next((name for name in given if name not in known), None)
    if unknown is not None:
        instead = instead_of(unknown, list(known))
        raise InvalidInputError(f"{place} has an unknown setting {as_given(unknown)}; {instead}")
    return place, {name: _value(known[name], value, f"{name} in {place}") for name, value in given.items()}


def _check_spelling(environ: Mapping[str, str]) -> None:
    """Refuse a variable that is nearly one of ours.

    Others that begin with ``RECOLLECT_`` may be there for another reason: Kubernetes sets
    ``RECOLLECT_SERVICE_HOST`` in every pod beside a service called recollect.
    """
    known = [FILE_VARIABLE, *(one.metadata["variable"] for one in fields(Settings))]
    for name in environ:
        if name.startswith("RECOLLECT_") and name not in known:
            near = get_close_matches(name, known, n=1, cutoff=_MISSPELT)
            if near:
                raise InvalidInputError(f"the variable {name} is unknown; use {near[0]}")


def _value(one: "Field[Any]", value: object, where: str) -> object:
    try:
        return _READERS[get_args(one.type)[0] if isinstance(one.type, UnionType) else one.type](value)
    except TypeError as error:
        shown = "that" if one.metadata["secret"] else as_given(value)
        raise InvalidInputError(f"{where} must be {error}, not {shown}") from None


def _check(made: Settings, sources: Mapping[str, str]) -> None:
    """Refuse names that nothing has, and settings that contradict each other."""
    for name, check in _CHECKS.items():
        if name in sources and (value := getattr(made, name)):
            try:
                check(value)
            except InvalidInputError as error:
                raise InvalidInputError(f"{sources[name]}: {error}") from None
    if made.model and made.chat_model and made.model != made.chat_model:
        raise _contradiction(made, sources, "model", "chat_model", "both name the model that answers")
    own = embedder_of(made)
    if made.embedder and own and made.embedder.replace(":", "/", 1) != own.replace(":", "/", 1):
        raise _contradiction(made, sources, "embedder", "embedding_model", "both name the embedder")
    if made.embedding_dimensions and not made.embedding_model:
        raise InvalidInputError(
            f"{sources['embedding_dimensions']} sets dimensions of no model; set OPENAI_EMBEDDING_MODEL, too"
        )


def _check_timezone(value: str) -> None:
    from recollect.checks import check_timezone

    check_timezone(value)


def _check_preset(value: str) -> None:
    from recollect.presets import check_preset

    check_preset(value)


def _check_embedder(value: str) -> None:
    from recollect.embedders import check_named

    check_named(value)


def _check_secrets(value: str) -> None:
    from recollect.ingest.messages import Screen

    Screen(secrets=cast("SecretsPolicy", value))


_CHECKS: Final[Mapping[str, Callable[[str], None]]] = {
    "timezone": _check_timezone,
    "preset": _check_preset,
    "embedder": _check_embedder,
    "secrets": _check_secrets,
}
"""What looks at the settings that are names, whatever the command; each imports what it needs."""


def _contradiction(
    made: Settings, sources: Mapping[str, str], first: str, second: str, why: str
) -> InvalidInputError:
    said = " and ".join(f"{as_given(getattr(made, name))} ({sources[name]})" for name in (first, second))
    return InvalidInputError(f"{first} and {second} contradict each other: {said} {why}; keep one of them")


def embedder_of(made: Settings) -> str | None:
    """The embedder that the variables of Shadow Memory's design name, or None."""
    model = made.embedding_model
    if not model or model in _OWN_EMBEDDERS:
        return model
    named = model if model.startswith(("openai/", "openai:")) else f"openai/{model}"
    return f"{named}@{made.embedding_dimensions}" if made.embedding_dimensions else named
