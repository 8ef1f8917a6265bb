"""Options that commands share. Their variables and defaults are those of ``cli.settings``."""

import json
import sys
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final

import typer

from recollect.cli.settings import settings
from recollect.errors import InvalidInputError

DEFAULT_USER: Final = "default"
STDIN: Final = "-"

Db = Annotated[
    str | None,
    typer.Option(
        envvar="RECOLLECT_DB",
        metavar="PATH",
        help="The store, a path or URL; by default a file in your data folder.",
    ),
]
EmbedderName = Annotated[
    str | None,
    typer.Option(
        "--embedder",
        envvar="RECOLLECT_EMBEDDER",
        metavar="NAME",
        help="The embedder; by default the store's own, contextual for a new one.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
UserId = Annotated[
    str, typer.Option("--user-id", "-u", envvar="RECOLLECT_USER_ID", metavar="ID", help="The user.")
]
OnlyUser = Annotated[
    str | None, typer.Option("--user-id", "-u", metavar="ID", help="Only this user; by default everyone.")
]
AgentId = Annotated[
    str | None, typer.Option("--agent-id", metavar="ID", help="Limit to, or store for, this agent.")
]
SessionId = Annotated[
    str | None, typer.Option("--session-id", "-s", metavar="ID", help="Limit to, or store in, this session.")
]
Tiers = Annotated[
    list[str] | None,
    typer.Option("--tier", metavar="TIER", help="Only this tier, such as archived; may be repeated."),
]
Kinds = Annotated[
    list[str] | None, typer.Option("--kind", metavar="KIND", help="Only this kind; may be repeated.")
]
Filters = Annotated[
    str | None,
    typer.Option(
        "--filters", metavar="JSON", help="""Only memories that match, such as '{"kind": "fact"}'."""
    ),
]
Since = Annotated[
    str | None, typer.Option(metavar="TIME", help="Only from this time on, such as 2026-05-01.")
]
Until = Annotated[str | None, typer.Option(metavar="TIME", help="Only before this time.")]
AsOf = Annotated[str | None, typer.Option(metavar="TIME", help="Only what was valid at this time.")]
Threshold = Annotated[float, typer.Option(help="Only scores of at least this, 0 to 1.")]
CoreShare = Annotated[
    float,
    typer.Option(help="The share of the budget for the core, which every context contains; 0 omits it."),
]
Metadata = Annotated[
    str | None,
    typer.Option("--metadata", metavar="JSON", help="""A JSON object, such as '{"source": "mail"}'."""),
]
Tags = Annotated[list[str] | None, typer.Option("--tag", metavar="TAG", help="A label; may be repeated.")]
Time = Annotated[
    str | None,
    typer.Option("--timestamp", metavar="TIME", help="When it was said, such as 2026-05-01T10:00:00Z."),
]
ValidUntil = Annotated[str | None, typer.Option("--valid-until", metavar="TIME", help="When it expires.")]
Reason = Annotated[str | None, typer.Option(metavar="TEXT", help="The reason, for the history.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]
ModelName = Annotated[
    str | None,
    typer.Option(
        "--model",
        envvar="OPENAI_MODEL",
        metavar="NAME",
        help="The language model that answers; by default gpt-4o-mini with a key or --base-url, else none.",
    ),
]
BaseUrl = Annotated[
    str | None,
    typer.Option(
        "--base-url",
        envvar="OPENAI_BASE_URL",
        metavar="URL",
        help="The model's server, such as http://localhost:11434/v1; by default OpenAI.",
    ),
]
ServerUrl = Annotated[
    str | None,
    typer.Option(
        "--base-url",
        envvar="OPENAI_BASE_URL",
        metavar="URL",
        help="The model's server; by default Ollama here.",
    ),
]
PresetName = Annotated[
    str,
    typer.Option(
        "--preset",
        envvar="RECOLLECT_PRESET",
        metavar="NAME",
        help="How to recall and answer: default, shadow, semem, recall, second_brain or chloe.",
    ),
]
Lifecycle = Annotated[
    bool,
    typer.Option(
        "--lifecycle",
        help="Let answers count as use and archive old memories, once a day; they say which.",
    ),
]
Language = Annotated[
    str | None,
    typer.Option(metavar="CODE", help="The main language of the text, such as en or de."),
]
Timezone = Annotated[
    str | None,
    typer.Option(
        "--timezone",
        envvar="RECOLLECT_TIMEZONE",
        metavar="NAME",
        help="The time zone of relative dates, such as Europe/Berlin. The store remembers it.",
    ),
]
Secrets = Annotated[
    str,
    typer.Option(
        metavar="POLICY",
        envvar="RECOLLECT_SECRETS",
        help="Passwords and keys in the text: redact, refuse or keep them.",
    ),
]
Pii = Annotated[
    list[str] | None,
    typer.Option(
        "--pii",
        metavar="[KIND=]ACTION",
        envvar="RECOLLECT_PII",
        help="Personal data in the text: mask, refuse or keep all of it, or a KIND such as phone; "
        "region=US sets the country of phone numbers.",
    ),
]
MemoryId = Annotated[str, typer.Argument(metavar="ID", help="The id of a memory, or its first characters.")]
Words = Annotated[
    list[str], typer.Argument(metavar="TEXT", help="The text; several words are joined, - reads stdin.")
]


def key_for(base_url: str | None) -> str | None:
    """Return the API key of the settings for a model at ``base_url``.

    The key is only for OpenAI or the server named in the settings, never for one named on the command line.
    """
    own = base_url is None or base_url == settings().base_url
    return settings().api_key if own else None


def task_models() -> dict[str, str]:
    """Return the models of the tasks other than chat that the settings name."""
    made = settings()
    named = {
        "memory_extraction": made.extraction_model,
        "summarization": made.summary_model,
        "title_generation": made.title_model,
    }
    return {task: model for task, model in named.items() if model}


def text_of(words: Sequence[str]) -> str:
    """Join arguments to a text, or read stdin for a single ``-``."""
    if list(words) != [STDIN]:
        return " ".join(words)
    try:
        return sys.stdin.buffer.read().decode("utf-8-sig").strip()
    except UnicodeDecodeError:
        raise InvalidInputError("the text on stdin is not UTF-8") from None


def mapping_of(option: str, text: str | None) -> Mapping[str, Any] | None:
    """Parse the JSON object of an option."""
    if text is None:
        return None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise typer.BadParameter(f"{option} is not JSON: {error}") from None
    if not isinstance(value, dict):
        raise typer.BadParameter(f"{option} must be a JSON object such as '{{\"key\": 1}}'")
    return value
