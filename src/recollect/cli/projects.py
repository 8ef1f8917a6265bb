"""The commands projects list and projects rename."""

from typing import Annotated

import typer

from recollect.cli.command import Group, command
from recollect.cli.opening import StoreOptions, opened
from recollect.cli.options import DEFAULT_USER, UserId
from recollect.cli.output import lines_of_items, plain
from recollect.types.codec import fields_to_json


@command("list", example="recollect projects list --user-id ada")
def _list(*, user_id: UserId = DEFAULT_USER, at: StoreOptions) -> None:
    """List the projects in which hosts captured something, the last one first."""
    from recollect.hosts.project_names import projects_of

    with opened(at) as memory:
        found = projects_of(memory, user_id=user_id)
    lines = lines_of_items(
        found,
        line=lambda one: (
            f"{one.last_at:%Y-%m-%d %H:%M}  {one.messages:,}  {', '.join(one.hosts)}  {plain(one.name)}"
        ),
        columns={
            "last": lambda one: f"{one.last_at:%Y-%m-%d %H:%M}",
            "messages": lambda one: f"{one.messages:,}",
            "hosts": lambda one: ", ".join(one.hosts),
            "project": lambda one: one.name,
        },
    )
    at.show([fields_to_json(one) for one in found], lines=lines, hint="no projects")


@command("rename", example="recollect projects rename /home/ada/app github.com/acme/app")
def _rename(
    old: Annotated[str, typer.Argument(metavar="OLD", help="The project's name.")],
    new: Annotated[str, typer.Argument(metavar="NEW", help="Its new name, or another project's.")],
    *,
    user_id: UserId = DEFAULT_USER,
    at: StoreOptions,
) -> None:
    """Give a project another name, now and in what is captured later; two projects may become one."""
    from recollect.hosts.project_names import rename_project

    with opened(at) as memory:
        moved = rename_project(memory, old, new, user_id=user_id)
    at.show({"renamed": moved}, lines=f"{moved:,} messages are in {plain(new)} now")


projects = Group(
    name="projects",
    about="Projects that coding agents worked on, and their names.",
    example="""\
recollect projects list --json
recollect projects rename /home/ada/app github.com/acme/app""",
    commands=(_list, _rename),
)
