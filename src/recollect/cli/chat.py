"""The chat command."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Final

import typer

from recollect.checks import CONTEXT_THRESHOLD
from recollect.cli.command import command
from recollect.cli.opening import QueryOptions, opened
from recollect.cli.options import (
    DEFAULT_USER,
    AgentId,
    BaseUrl,
    Lifecycle,
    ModelName,
    PresetName,
    SessionId,
    UserId,
    key_for,
    text_of,
)
from recollect.cli.output import plain
from recollect.cli.projects import ProjectName, project_of
from recollect.cli.settings import settings
from recollect.errors import InvalidInputError, ModelError

if TYPE_CHECKING:
    from recollect.memory.agent import MemoryAgent
    from recollect.memory.answers import AgentAnswer
    from recollect.models import LanguageModel

DEFAULT_MODEL: Final = "gpt-4o-mini"
"""From Shadow Memory's design."""
_SHOWN, _CANDIDATES = 100, 20
"""Activated and other memories that --show lists, as the server does."""
_PROMPT: Final = "> "
_KEPT: Final = frozenset("\n\t\u200c\u200d")
"""Line breaks, tabs and zero-width (non-)joiners, which emoji and Persian need."""
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
        typer.Argument(metavar="TEXT", help="One message; without it, a conversation, one message per line."),
    ] = None,
    *,
    user_id: UserId = DEFAULT_USER,
    agent_id: AgentId = None,
    session_id: SessionId = None,
    project: ProjectName = None,
    model: ModelName = None,
    base_url: BaseUrl = None,
    budget_tokens: Annotated[int, typer.Option(help="The most tokens of memories in a prompt.")] = 1_500,
    threshold: Annotated[
        float | None,
        typer.Option(
            help=f"Only scores of at least this, 0 to 1; {CONTEXT_THRESHOLD:g} with the default preset."
        ),
    ] = None,
    preset: PresetName = "default",
    lifecycle: Lifecycle = False,
    show_memories: Annotated[
        bool,
        typer.Option("--show", help="Show the memories considered, which were activated, and the sources."),
    ] = False,
    at: QueryOptions,
) -> None:
    """Chat with a model that has a memory, and store the messages. Without a model, memories are quoted."""
    if at.as_json and not text:
        raise typer.BadParameter("--json is for one message: give a TEXT")
    message = text_of(text) if text else None
    from recollect.memory.agent import ContextOptions, MemoryAgent
    from recollect.presets import open_preset

    chosen = open_preset(preset)
    with (
        _opened_model(model, base_url) as answering,
        opened(at, make=True) as memory,
    ):
        agent = MemoryAgent(
            memory,
            user_id=user_id,
            agent_id=agent_id,
            session_id=session_id,
            model=answering,
            preset=chosen,
            context=ContextOptions(
                budget_tokens=budget_tokens,
                threshold=threshold,
                project=project_of(memory, project, user_id=user_id),
            ),
            lifecycle=lifecycle,
        )
        if message is None:
            _converse(agent, show_memories=show_memories)
        elif at.as_json:
            at.show(agent.chat(message).to_dict(), lines="")
        else:
            _answer(agent, message, show_memories=show_memories)
        if answering is None and not at.as_json:
            typer.echo(_NO_MODEL, err=True)


@contextmanager
def _opened_model(name: str | None, base_url: str | None) -> "Iterator[LanguageModel | None]":
    """Open the requested model and close it afterwards; None if none is named."""
    key = key_for(base_url)
    local = settings().chat_model if name is None else None
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
        router.opened(ModelTask.CHAT)  # fail for a missing extra before a store is created
        yield router.model(ModelTask.CHAT)
    finally:
        router.close()


def _converse(agent: "MemoryAgent", *, show_memories: bool) -> None:
    """Answer line by line until the input ends. An error ends its turn only."""
    for line in _lines():
        try:
            _answer(agent, line, show_memories=show_memories)
        except (ModelError, InvalidInputError) as error:
            typer.echo(f"Error: {' '.join(str(error).split())}", err=True)


def _lines() -> Iterator[str]:
    """Yield the lines typed or piped in, without blank ones."""
    prompt = _PROMPT if sys.stdin.isatty() and sys.stdout.isatty() else ""
    while True:
        try:
            line = input(prompt)
        except EOFError:
            return
        except KeyboardInterrupt:
            if prompt:
                typer.echo()  # start a new line
            raise
        except UnicodeDecodeError:
            raise InvalidInputError("the text on stdin is not UTF-8") from None
        if line.strip():
            yield line


def _answer(agent: "MemoryAgent", message: str, *, show_memories: bool) -> None:
    """Print an answer as it arrives."""
    begun = False
    with agent.stream(message) as pieces:
        try:
            for piece in pieces:
                begun = True
                typer.echo(harmless(piece), nl=False)
        finally:
            if begun:
                typer.echo()
    if show_memories:
        typer.echo("\n".join(_lines_of(pieces.answer)) or "no memories yet")
    if tidied := pieces.answer.tidied and pieces.answer.tidied.ids:
        undo = f"recollect unarchive {' '.join(tidied)}"
        typer.echo(f"archived {len(tidied):,} memories; undo: {undo}", err=True)


def _lines_of(answer: "AgentAnswer") -> Iterator[str]:
    """List the memories considered for an answer, ✓ activated and ○ not, and the documents it may cite."""
    for mark, some in (
        ("✓", answer.context.activated(limit=_SHOWN)),
        ("○", answer.context.candidates(limit=_CANDIDATES)),
    ):
        yield from (f"[{mark}] {one.score:4.0%}  {one.memory_id}  {plain(one.summary)}" for one in some)
    yield from (f"[{one.number}] {plain(one.title)}: {plain(one.snippet)}" for one in answer.sources)


def harmless(text: str) -> str:
    r"""Replace control characters, which could steer a terminal, but keep line breaks.

    >>> harmless("two\nlines \x1b[31mred")
    'two\nlines  [31mred'
    """
    return "".join(letter if letter.isprintable() or letter in _KEPT else " " for letter in text)
