"""The options that commands share. Here, and nowhere else, the environment is read.

================== ==================================================== =====================
variable           meaning                                              option
================== ==================================================== =====================
RECOLLECT_DB       where the memories are: a path or URL                ``--db``
RECOLLECT_EMBEDDER which embedder                                       ``--embedder``
RECOLLECT_TIMEZONE where "tomorrow" begins                              ``--timezone``
RECOLLECT_USER_ID  whose memories                                       ``--user-id``
RECOLLECT_SECRETS  passwords and keys: redact, refuse, keep             ``--secrets``
RECOLLECT_PII      personal data, such as ``mask phone=keep``           ``--pii``
RECOLLECT_HOST     the address of ``serve``                             ``--host``
RECOLLECT_PORT     its port                                             ``--port``
OPENAI_EMBEDDING_MODEL       which of OpenAI's embedders a new store gets
OPENAI_EMBEDDING_DIMENSIONS  of how many dimensions
OPENAI_MODEL       who answers in ``chat``                              ``--model``
OPENAI_BASE_URL    the server of that model                             ``--base-url``
OPENAI_API_KEY     the key for OpenAI, or for OPENAI_BASE_URL           none
MEMORY_EXTRACTION_ENABLED      whether messages queue their session to be learned: true or false
MEMORY_EXTRACTION_THRESHOLD    how many of them do
MEMORY_EXTRACTION_MODEL        who finds facts in ``worker``             ``--model``
CHAT_MODEL                     who answers in ``chat``, on this machine's Ollama  ``--model``
MAX_EPISODIC_MEMORIES          of ``summary``                            ``--max-episodes``
MAX_SEMANTIC_MEMORIES          of ``summary``                            ``--max-facts``
MAX_DOCUMENT_RESULTS           of ``summary``                            ``--max-documents``
EPISODIC_IMPORTANCE_THRESHOLD  of ``summary``                            ``--min-importance``
MEMORY_VECTOR_ENABLED          of ``summary``                            ``--vectors``
MEMORY_RETENTION_DAYS          of ``tidy``                               ``--retention-days``
PINECONE_API_KEY   the key for an index named by ``pinecone://index``   none
================== ==================================================== =====================
"""

import json
import os
import sys
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final

import typer

from recollect.errors import InvalidInputError, as_given

DEFAULT_USER: Final = "default"
STDIN: Final = "-"
_YES: Final = frozenset(["true", "1", "yes", "on"])
_NO: Final = frozenset(["false", "0", "no", "off"])

Db = Annotated[
    str | None,
    typer.Option(
        envvar="RECOLLECT_DB",
        metavar="PATH",
        help="Where the memories are, a path or URL; by default a file in your data folder.",
    ),
]
EmbedderName = Annotated[
    str | None,
    typer.Option(
        "--embedder",
        envvar="RECOLLECT_EMBEDDER",
        metavar="NAME",
        help="Which embedder; by default the store's own, static for a new one.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
UserId = Annotated[
    str, typer.Option("--user-id", "-u", envvar="RECOLLECT_USER_ID", metavar="ID", help="Whose memories.")
]
OnlyUser = Annotated[
    str | None, typer.Option("--user-id", "-u", metavar="ID", help="Only this user's; by default everyone's.")
]
AgentId = Annotated[str | None, typer.Option("--agent-id", metavar="ID", help="Only, or for, this agent.")]
SessionId = Annotated[
    str | None, typer.Option("--session-id", "-s", metavar="ID", help="Only, or for, this conversation.")
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
    typer.Option("--filters", metavar="JSON", help="""Only what matches, such as '{"kind": "fact"}'."""),
]
Since = Annotated[
    str | None, typer.Option(metavar="TIME", help="Only what happened then or later, such as 2026-05-01.")
]
Until = Annotated[str | None, typer.Option(metavar="TIME", help="Only what happened before.")]
AsOf = Annotated[str | None, typer.Option(metavar="TIME", help="Only what held at that moment.")]
Threshold = Annotated[float, typer.Option(help="Only scores of at least this, 0 to 1.")]
CoreShare = Annotated[
    float,
    typer.Option(help="The part of the budget for what must be known whatever is asked; 0 leaves it out."),
]
Metadata = Annotated[
    str | None, typer.Option("--metadata", metavar="JSON", help="""Anything, such as '{"source": "mail"}'.""")
]
Tags = Annotated[list[str] | None, typer.Option("--tag", metavar="TAG", help="A label; may be repeated.")]
Time = Annotated[
    str | None,
    typer.Option("--timestamp", metavar="TIME", help="When it was said, such as 2026-05-01T10:00:00Z."),
]
ValidUntil = Annotated[str | None, typer.Option("--valid-until", metavar="TIME", help="Until when it holds.")]
Reason = Annotated[str | None, typer.Option(metavar="TEXT", help="Why, for the history.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]
ModelName = Annotated[
    str | None,
    typer.Option(
        "--model",
        envvar="OPENAI_MODEL",
        metavar="NAME",
        help="Which language model answers; with a key or a --base-url gpt-4o-mini, else none.",
    ),
]
BaseUrl = Annotated[
    str | None,
    typer.Option(
        "--base-url",
        envvar="OPENAI_BASE_URL",
        metavar="URL",
        help="Its server, such as http://localhost:11434/v1; by default OpenAI.",
    ),
]
ServerUrl = Annotated[
    str | None,
    typer.Option(
        "--base-url", envvar="OPENAI_BASE_URL", metavar="URL", help="Its server; by default Ollama here."
    ),
]
Language = Annotated[
    str | None,
    typer.Option(metavar="CODE", help="What language the words are mostly in, such as en or de."),
]
Timezone = Annotated[
    str,
    typer.Option(
        "--timezone",
        envvar="RECOLLECT_TIMEZONE",
        metavar="NAME",
        help="When 'tomorrow' begins, such as Europe/Berlin.",
    ),
]
Secrets = Annotated[
    str,
    typer.Option(
        metavar="POLICY",
        envvar="RECOLLECT_SECRETS",
        help="Passwords and keys in the words: redact, refuse or keep them.",
    ),
]
Pii = Annotated[
    list[str] | None,
    typer.Option(
        "--pii",
        metavar="[KIND=]ACTION",
        envvar="RECOLLECT_PII",
        help="Personal data in the words: mask, refuse or keep all of it, or a KIND such as phone; "
        "region=US says whose numbers.",
    ),
]
MemoryId = Annotated[str, typer.Argument(metavar="ID", help="Which memory.")]
Words = Annotated[
    list[str], typer.Argument(metavar="TEXT", help="The words; several are joined by blanks, - reads stdin.")
]


def default_user_id() -> str:
    """Whose memories are meant when nobody says so."""
    return os.environ.get("RECOLLECT_USER_ID") or DEFAULT_USER


def secrets_said() -> str:
    """What the environment says becomes of passwords and keys, for commands without the option."""
    return os.environ.get("RECOLLECT_SECRETS") or "redact"


def pii_said() -> list[str]:
    """What the environment says becomes of personal data, likewise."""
    return os.environ.get("RECOLLECT_PII", "").split()


def key_for(base_url: str | None) -> str | None:
    """The key in the environment, for a model at ``base_url``.

    It is for OpenAI, or for the server that the environment names: a server that only the command line
    names is sent none.
    """
    own = base_url is None or base_url == os.environ.get("OPENAI_BASE_URL")
    return os.environ.get("OPENAI_API_KEY") or None if own else None


def pinecone_key() -> str | None:
    """The key in the environment, for Pinecone itself: a server that a URL names is sent none."""
    return os.environ.get("PINECONE_API_KEY") or None


def chat_model() -> str | None:
    """The model that Second Brain's variable names for chats."""
    return os.environ.get("CHAT_MODEL") or None


def extraction_variables() -> tuple[bool, int | None]:
    """Whether sessions are learned, and after how many messages, if the environment says so.

    Raises:
        InvalidInputError: A variable holds something else.
    """
    enabled = os.environ.get("MEMORY_EXTRACTION_ENABLED", "").strip().lower()
    if enabled not in _YES | _NO | {""}:
        raise InvalidInputError(f"MEMORY_EXTRACTION_ENABLED must be true or false, not {as_given(enabled)}")
    threshold = os.environ.get("MEMORY_EXTRACTION_THRESHOLD", "").strip()
    if threshold and not threshold.isdecimal():
        raise InvalidInputError(
            f"MEMORY_EXTRACTION_THRESHOLD must be a whole number, not {as_given(threshold)}"
        )
    return enabled not in _NO, int(threshold) if threshold else None


def embedding_model() -> str | None:
    """The embedder that the variables of Shadow Memory's design name; None when they name none."""
    model = os.environ.get("OPENAI_EMBEDDING_MODEL")
    if not model:
        return None
    if model in {"mock-semantic-model-v1", "contextual", "static", "hashing"}:
        return model
    named = model if model.startswith(("openai/", "openai:")) else f"openai/{model}"
    dimensions = os.environ.get("OPENAI_EMBEDDING_DIMENSIONS")
    return f"{named}@{dimensions}" if dimensions else named


def text_of(words: Sequence[str]) -> str:
    """The text in some arguments, or on stdin when they are a single ``-``."""
    if list(words) != [STDIN]:
        return " ".join(words)
    try:
        return sys.stdin.buffer.read().decode("utf-8-sig").strip()
    except UnicodeDecodeError:
        raise InvalidInputError("the text on stdin is not UTF-8") from None


def mapping_of(option: str, text: str | None) -> Mapping[str, Any] | None:
    """The JSON object given as an option."""
    if text is None:
        return None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise typer.BadParameter(f"{option} is not JSON: {error}") from None
    if not isinstance(value, dict):
        raise typer.BadParameter(f"{option} must be a JSON object such as '{{\"key\": 1}}'")
    return value
