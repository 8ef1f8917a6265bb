"""The command that talks: chat."""

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Annotated, Final

import typer

from recollect.checks import CONTEXT_THRESHOLD
from recollect.cli.command import command
from recollect.cli.options import (
    DEFAULT_USER,
    AgentId,
    BaseUrl,
    Db,
    EmbedderName,
    Json,
    ModelName,
    SessionId,
    Timezone,
    UserId,
    chat_model,
    key_for,
    text_of,
)
from recollect.cli.output import show
from recollect.errors import InvalidInputError, ModelError

if TYPE_CHECKING:
    from recollect.cli.talks import Talk
    from recollect.models import LanguageModel

DEFAULT_MODEL: Final = "gpt-4o-mini"
"""From the design of the shadow memory."""
_PROMPT: Final = "> "
_KEPT: Final = frozenset("\n\t\u200c\u200d")
"""Line breaks and tabs, and what joins emoji and divides Persian letters."""
_NO_MODEL: Final = "no language model, so memories were quoted; name one with --model or OPENAI_API_KEY"


@command(
    "chat",
    example="""\
recollect chat
recollect chat "When does Pixel see the vet?" --show
recollect chat --model llama3.2 --base-url http://localhost:11434/v1""",
)
def chat(
    text: Annotated[
        list[str] | None,
        typer.Argument(metavar="TEXT", help="One message; without it a conversation, a line each."),
    ] = None,
    *,
    user_id: UserId = DEFAULT_USER,
    agent_id: AgentId = None,
    session_id: SessionId = None,
    model: ModelName = None,
    base_url: BaseUrl = None,
    budget_tokens: Annotated[int, typer.Option(help="The most tokens of memories in a prompt.")] = 1_500,
    threshold: Annotated[
        float | None,
        typer.Option(help=f"Only scores of at least this, 0 to 1; by default {CONTEXT_THRESHOLD:g}."),
    ] = None,
    activation: Annotated[
        bool,
        typer.Option(
            "--activation",
            help="Recall as Shadow Memory does: by activation score, with thresholds that learn.",
        ),
    ] = False,
    show_memories: Annotated[
        bool,
        typer.Option(
            "--show",
            help="Show which memories went into the prompt (--activation: were activated), and which not.",
        ),
    ] = False,
    timezone: Timezone = "UTC",
    embedder: EmbedderName = None,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """Talk with a model that remembers, and remember what is said. Without a model, memories are quoted."""
    if as_json and not text:
        raise typer.BadParameter("--json is for one message: give a TEXT")
    message = text_of(text) if text else None
    if activation and threshold is not None:
        raise typer.BadParameter("--activation has thresholds of its own: leave --threshold out")
    if activation and agent_id is not None:
        raise typer.BadParameter("--activation is about all of a user's memories: leave --agent-id out")
    from recollect.cli import talks

    with ExitStack() as stack:
        answering = stack.enter_context(_opened_model(model, base_url))
        settings = talks.Settings(
            user_id=user_id,
            session_id=session_id,
            model=answering,
            budget_tokens=budget_tokens,
            timezone=timezone,
            embedder=embedder,
        )
        talk: Talk
        if activation:
            talk = stack.enter_context(talks.activation_talk(db, settings))
        else:
            plainly = talks.plain_talk(db, settings, agent_id=agent_id, threshold=threshold)
            talk = stack.enter_context(plainly)
        if message is None:
            _converse(talk, show_memories=show_memories)
        elif as_json:
            show(talk.as_json(message), lines="", as_json=True)
        else:
            _answer(talk, message, show_memories=show_memories)
        if answering is None and not as_json:
            typer.echo(_NO_MODEL, err=True)


@contextmanager
def _opened_model(name: str | None, base_url: str | None) -> "Iterator[LanguageModel | None]":
    """The model asked for, closed afterwards; None when nothing names one."""
    key = key_for(base_url)
    local = chat_model() if name is None else None
    if name is None and base_url is None and key is None and local is None:
        yield None
        return
    from recollect.models import ModelRouter, ModelTask, Route
    from recollect.models.routing import OLLAMA

    if local is not None:  # a key for OpenAI is not for Ollama
        base_url, key = base_url or OLLAMA, key if base_url else None
    route = Route(model=name or local or DEFAULT_MODEL, base_url=base_url, api_key=key)
    router = ModelRouter({ModelTask.CHAT: route})
    try:
        router.opened(ModelTask.CHAT)  # so that what is missing is said before anything is made
        yield router.model(ModelTask.CHAT)
    finally:
        router.close()


def _converse(talk: "Talk", *, show_memories: bool) -> None:
    """Answer line after line, until there is no more. What goes wrong in a turn ends that turn only."""
    for line in _lines():
        try:
            _answer(talk, line, show_memories=show_memories)
        except (ModelError, InvalidInputError) as error:
            typer.echo(f"Error: {' '.join(str(error).split())}", err=True)


def _lines() -> Iterator[str]:
    """The lines that are typed, or come through a pipe; blank ones are left out."""
    prompt = _PROMPT if sys.stdin.isatty() and sys.stdout.isatty() else ""
    while True:
        try:
            line = input(prompt)
        except EOFError:
            return
        except KeyboardInterrupt:
            if prompt:
                typer.echo()  # what follows stands on a line of its own
            raise
        except UnicodeDecodeError:
            raise InvalidInputError("the text on stdin is not UTF-8") from None
        if line.strip():
            yield line


def _answer(talk: "Talk", message: str, *, show_memories: bool) -> None:
    """Print an answer as it comes."""
    begun = False
    with talk.stream(message) as pieces:
        try:
            for piece in pieces:
                begun = True
                typer.echo(harmless(piece), nl=False)
        finally:
            if begun:
                typer.echo()
    if show_memories:
        typer.echo("\n".join(talk.lines()) or "no memories yet")


def harmless(text: str) -> str:
    r"""A text without the control characters that would steer a terminal, its line breaks kept.

    >>> harmless("two\nlines \x1b[31mred")
    'two\nlines  [31mred'
    """
    return "".join(letter if letter.isprintable() or letter in _KEPT else " " for letter in text)
