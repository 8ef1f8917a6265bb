"""The commands of the agenda: what to bring up, what was, what never again, and answers."""

from typing import Annotated

import typer

from recollect.cli.command import Group, command
from recollect.cli.opening import EmbedderOptions, StoreOptions, opened
from recollect.cli.options import DEFAULT_USER, AgentId, UserId, Words, text_of
from recollect.cli.output import plain
from recollect.cli.projects import ProjectName, within_project

_Ids = Annotated[list[str], typer.Argument(metavar="ITEM...", help="Ids as `agenda list` shows them.")]


@command("list", example="recollect agenda list --limit 5")
def _list(
    *,
    user_id: UserId = DEFAULT_USER,
    agent_id: AgentId = None,
    project: ProjectName = None,
    limit: Annotated[int, typer.Option(help="How many at most on one day.")] = 3,
    at: StoreOptions,
) -> None:
    """List what to bring up now, most pressing first. It changes nothing."""
    with opened(at) as memory:
        within = within_project(memory, project, user_id=user_id)
        found = memory.agenda.items(user_id=user_id, agent_id=agent_id, within=within, limit=limit)
    lines = "\n".join(plain(f"{one.id}  {one.text} ({one.reason})") for one in found)
    at.show([one.to_dict() for one in found], lines=lines or "nothing to bring up")


@command("mention", example="recollect agenda mention plan-7d1dcb9fd4")
def _mention(ids: _Ids, *, user_id: UserId = DEFAULT_USER, at: StoreOptions) -> None:
    """Record that items were brought up. They do not come again before their next occasion."""
    with opened(at) as memory:
        memory.agenda.mention(ids, user_id=user_id)
    at.show({"mentioned": ids}, lines="noted")


@command("dismiss", example="recollect agenda dismiss plan-7d1dcb9fd4")
def _dismiss(ids: _Ids, *, user_id: UserId = DEFAULT_USER, at: StoreOptions) -> None:
    """Never bring items up again."""
    with opened(at) as memory:
        memory.agenda.dismiss(ids, user_id=user_id)
    at.show({"dismissed": ids}, lines="noted")


@command(
    "answer",
    example="""\
recollect agenda answer unknown-0a1b2c3d4e it is 4711
recollect agenda answer conflict-0a1b2c3d4e both""",
)
def _answer(
    item_id: Annotated[str, typer.Argument(metavar="ITEM", help="An id as `agenda list` shows it.")],
    answer: Words,
    *,
    user_id: UserId = DEFAULT_USER,
    at: EmbedderOptions,
) -> None:
    """Apply an answer to an item, which then comes no more.

    Of a conflict it is the id of the fact that is true, or both; of a doubt yes or no; else any words.
    """
    with opened(at) as memory:
        memory.agenda.answer(item_id, text_of(answer), user_id=user_id)
    at.show({"answered": item_id}, lines="noted")


agenda = Group(
    name="agenda",
    about="What to bring up: tasks, promises, plans, birthdays, questions.",
    example="""\
recollect agenda list --json
recollect agenda dismiss plan-7d1dcb9fd4""",
    commands=(_list, _mention, _dismiss, _answer),
)
