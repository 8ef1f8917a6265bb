"""The commands projects list and projects rename, and the option ``--project`` of others."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from recollect.cli.command import Group, command
from recollect.cli.opening import StoreOptions, opened
from recollect.cli.options import DEFAULT_USER, UserId, mapping_of
from recollect.cli.output import hint_on, lines_of_items, many, plain
from recollect.errors import InvalidInputError
from recollect.types.codec import fields_to_json

if TYPE_CHECKING:
    from recollect.memory.memory import Memory
    from recollect.types import Within


ProjectName = Annotated[
    str | None,
    typer.Option(
        "--project",
        metavar="NAME",
        help="In this project of coding agents; . is that of this folder.",
    ),
]


def project_of(memory: "Memory", name: str | None, *, user_id: str) -> str | None:
    """The project of ``--project``."""
    if name is None:
        return None
    from recollect.integrations.hosts.project_names import project_named

    return project_named(memory, name, user_id=user_id)


def within_project(memory: "Memory", name: str | None, *, user_id: str | None) -> "Within | None":
    """Where ``--project`` looks; None without one.

    Raises:
        InvalidInputError: It is a project of everyone.
    """
    from recollect.types import Within

    if name is None:
        return None
    if user_id is None:
        raise InvalidInputError("a project is of one user: add --user-id")
    return Within(project=project_of(memory, name, user_id=user_id))


def placed_in(
    memory: "Memory", metadata: str | None, project: str | None, *, user_id: str
) -> Mapping[str, Any] | None:
    """The metadata of ``--metadata`` and ``--project``."""
    given = mapping_of("--metadata", metadata)
    named = project_of(memory, project, user_id=user_id)
    return given if named is None else {**(given or {}), "project": named}


@command("list", example="recollect projects list --user-id ada")
def _list(*, user_id: UserId = DEFAULT_USER, at: StoreOptions) -> None:
    """List projects in which hosts captured something, last first."""
    from recollect.integrations.hosts.project_names import projects_of

    with opened(at) as memory:
        found = projects_of(memory, user_id=user_id)
        hint = hint_on(memory, "projects", found, user_id=user_id)
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
    at.show([fields_to_json(one) for one in found], lines=lines, hint=hint)


@command("rename", example="recollect projects rename /home/ada/app github.com/acme/app")
def _rename(
    old: Annotated[str, typer.Argument(metavar="OLD", help="The project's name.")],
    new: Annotated[str, typer.Argument(metavar="NEW", help="Its new name, or another project's.")],
    *,
    user_id: UserId = DEFAULT_USER,
    at: StoreOptions,
) -> None:
    """Give a project another name, for now and later. Two projects may become one."""
    from recollect.integrations.hosts.project_names import rename_project

    with opened(at) as memory:
        moved = rename_project(memory, old, new, user_id=user_id)
    at.show({"renamed": moved}, lines=f"{many(moved, 'message')} moved to {plain(new)}")


projects = Group(
    name="projects",
    about="Projects that coding agents worked on, and their names.",
    example="""\
recollect projects list --json
recollect projects rename /home/ada/app github.com/acme/app""",
    commands=(_list, _rename),
)
