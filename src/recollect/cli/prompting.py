"""The command that composes a whole prompt: prompt."""

from pathlib import Path
from typing import Annotated

import typer

from recollect.checks import CONTEXT_THRESHOLD
from recollect.cli.command import command
from recollect.cli.opening import QueryOptions, opened
from recollect.cli.options import (
    DEFAULT_USER,
    SessionId,
    Threshold,
    UserId,
    Words,
    text_of,
)
from recollect.cli.projects import ProjectName, project_of
from recollect.errors import InvalidInputError
from recollect.types import Within

_BLUEPRINT = "You are a helpful assistant with a long-term memory of this user."


@command(
    "prompt",
    example="""\
recollect prompt which language for my project --session-id today
recollect prompt "what next" -s today --blueprint rules.md --total-tokens 4000 --json""",
)
def prompt(
    message: Words,
    *,
    user_id: UserId = DEFAULT_USER,
    session_id: SessionId = None,
    project: ProjectName = None,
    blueprint: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The system prompt; always included.")
    ] = None,
    boundary: Annotated[
        list[str] | None,
        typer.Option("--boundary", metavar="TEXT", help="A safety rule, always included; may be repeated."),
    ] = None,
    name: Annotated[str | None, typer.Option(metavar="NAME", help="The user's name.")] = None,
    total_tokens: Annotated[int, typer.Option(help="The model's context window, or less.")] = 8_000,
    reserved_for_output: Annotated[
        int | None, typer.Option(help="Tokens of these reserved for the answer; by default an eighth.")
    ] = None,
    tokenizer: Annotated[
        str,
        typer.Option(
            metavar="NAME", help="How to count tokens: estimate, tiktoken:gpt-4o or tokenizer:FILE."
        ),
    ] = "estimate",
    top_k: Annotated[int, typer.Option("--top-k", "-k", help="How many memories at most.")] = 5,
    threshold: Threshold = CONTEXT_THRESHOLD,
    at: QueryOptions,
) -> None:
    """Compose the prompt for a message. Rules, time, user, memories and turns fit a budget."""
    from recollect.context.counting import open_token_counter
    from recollect.presets.recall.prompt.budget import ContextBudget
    from recollect.presets.recall.prompt.build import ContextBudgetManager, PromptSources
    from recollect.presets.recall.prompt.history import HistoryTurn
    from recollect.presets.recall.prompt.injection import time_lines, user_lines
    from recollect.types.clock import utc_now

    words, now = text_of(message), utc_now()
    budget = ContextBudget.of(total_tokens, reserved_for_output=reserved_for_output)
    manager = ContextBudgetManager(budget, count_tokens=open_token_counter(tokenizer))
    rules = _BLUEPRINT if blueprint is None else _read(blueprint)
    with opened(at) as memory:
        within = Within(project=project_of(memory, project, user_id=user_id))
        hits = memory.search(words, user_id=user_id, top_k=top_k, threshold=threshold, within=within)
        zone = memory.parts.timezone
        core = memory.core(words, user_id=user_id, within=within)
        known = memory.graph.acquaintance(user_id=user_id, without_session=session_id)
        said = memory.get_all(user_id=user_id, session_id=session_id, kinds=["message"]) if session_id else []
    about_user = user_lines(name=name, stage=known.stage, last_session_at=known.last_at, now=now)
    made = manager.compose(
        PromptSources(
            blueprint=rules,
            boundaries=boundary or (),
            injected=f"{time_lines(now, timezone=zone)}\n{about_user}",
            memories=hits,
            core=core,
            history=[
                HistoryTurn(content=one.content, role=one.origin.role, speaker=one.origin.speaker, id=one.id)
                for one in sorted(said, key=lambda record: record.origin.turn)
            ],
            message=words,
        )
    )
    value = {
        "text": made.text,
        "messages": [{"role": one.role, "content": one.content} for one in made.messages],
        "tokens": made.tokens,
        "available": made.budget.available,
        "included": [hit.memory.id for hit in made.memories.included],
        "pruned": [{"source": one.source, "what": one.what} for one in made.pruned],
    }
    at.show(value, lines=made.text)


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InvalidInputError(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError:
        raise InvalidInputError(f"{path} is not UTF-8 text") from None
