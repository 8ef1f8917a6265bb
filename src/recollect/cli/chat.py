"""The command that talks: chat."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Final

import typer

from recollect.checks import CONTEXT_THRESHOLD
from recollect.cli.command import command
from recollect.cli.opening import opened
from recollect.cli.options import (
    DEFAULT_USER,
    AgentId,
    BaseUrl,
    Db,
    EmbedderName,
    Json,
    ModelName,
    SessionId,
    Threshold,
    Timezone,
    UserId,
    key_for,
    text_of,
)
from recollect.cli.output import hit_to_json, left_out_to_json, line_of, show
from recollect.errors import InvalidInputError, ModelError

if TYPE_CHECKING:
    from recollect.agent import AgentAnswer, MemoryAgent
    from recollect.models import OpenAIModel
    from recollect.types import JSON, LeftOut, Recollection

DEFAULT_MODEL: Final = "gpt-4o-mini"
"""From the design of the shadow memory."""
_PROMPT: Final = "> "
_KEPT: Final = frozenset("\n\t\u200c\u200d")
"""Line breaks and tabs, and what joins emoji and divides Persian letters."""


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
    threshold: Threshold = CONTEXT_THRESHOLD,
    show_memories: Annotated[
        bool, typer.Option("--show", help="Show which memories went into the prompt, and which did not.")
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
    with (
        _opened_model(model, base_url) as answering,
        opened(db, embedder=embedder, timezone=timezone, make=True) as memory,
    ):
        from recollect.agent import MemoryAgent  # noqa: PLC0415 - only what is used is loaded

        agent = MemoryAgent(
            memory,
            user_id=user_id,
            agent_id=agent_id,
            session_id=session_id,
            model=answering,
            budget_tokens=budget_tokens,
            threshold=threshold,
        )
        if message is None:
            _converse(agent, show_memories=show_memories)
        elif as_json:
            show(_as_json(agent.chat(message), agent), lines="", as_json=True)
        else:
            _answer(agent, message, show_memories=show_memories)


@contextmanager
def _opened_model(name: str | None, base_url: str | None) -> "Iterator[OpenAIModel | None]":
    """The model asked for, closed afterwards; None when nothing names one."""
    key = key_for(base_url)
    if name is None and base_url is None and key is None:
        yield None
        return
    from recollect.models import OpenAIModel  # noqa: PLC0415 - only what is used is loaded

    model = OpenAIModel(name or DEFAULT_MODEL, base_url=base_url, api_key=key)
    try:
        yield model
    finally:
        model.close()


def _converse(agent: "MemoryAgent", *, show_memories: bool) -> None:
    """Answer line after line, until there is no more. What goes wrong in a turn ends that turn only."""
    for line in _lines():
        try:
            _answer(agent, line, show_memories=show_memories)
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


def _answer(agent: "MemoryAgent", message: str, *, show_memories: bool) -> None:
    """Print an answer as it comes."""
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
        typer.echo("\n".join(_memory_lines(pieces.answer)) or "no memories yet")


def _memory_lines(answer: "AgentAnswer") -> list[str]:
    """The memories that were considered: ✓ went into the prompt, ○ did not."""
    return [
        *(_memory_line("✓", hit) for hit in answer.activated),
        *(_memory_line("○", hit) for hit in answer.candidates),
    ]


def _memory_line(mark: str, hit: "Recollection | LeftOut") -> str:
    return f"[{mark}] {hit.score:4.0%}  {line_of(hit.memory)}"


def harmless(text: str) -> str:
    r"""A text without the control characters that would steer a terminal, its line breaks kept.

    >>> harmless("two\nlines \x1b[31mred")
    'two\nlines  [31mred'
    """
    return "".join(letter if letter.isprintable() or letter in _KEPT else " " for letter in text)


def _as_json(answer: "AgentAnswer", agent: "MemoryAgent") -> "dict[str, JSON]":
    context = answer.context
    return {
        "content": answer.content,
        "activated": [hit_to_json(hit) for hit in answer.activated],
        "candidates": [
            {**left_out_to_json(left), "content": left.memory.content} for left in answer.candidates
        ],
        "context": {
            "text": context.text,
            "tokens": context.tokens,
            "budget_tokens": context.budget_tokens,
            "left_out": [left_out_to_json(left) for left in context.left_out],
        },
        "stored": asdict(answer.stored),
        "session_id": agent.session_id,
        "average_score": answer.average_score,
        "usage": None if answer.usage is None else asdict(answer.usage),
    }
