"""The projects of a user, and other names for them.

A project that moved to another place, or two repositories that are one project to their user, get one name:
the memories take it, and so does what is captured and recalled from then on.
"""

import json
import os
from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime

from recollect.checks import check_name
from recollect.errors import InvalidInputError, NotFoundError, as_given
from recollect.integrations.hosts.projects import project_of
from recollect.memory.memory import Memory
from recollect.memory.projects import STATE, read_names, renamed
from recollect.types import MemoryRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """A project of a user.

    Attributes:
        name: Its name.
        messages: How many messages were said in it.
        hosts: In which hosts, by name.
        last_at: When the last one was said.
    """

    name: str
    messages: int
    hosts: tuple[str, ...]
    last_at: datetime


def project_named(memory: Memory, name: str, *, user_id: str) -> str:
    """A project by its name, also its old one; ``.`` is that of the working folder."""
    project = project_of(os.getcwd()) if name == "." else name
    return renamed(memory.parts.store, memory.parts.scope(user_id)).get(project, project)


def projects_of(memory: Memory, *, user_id: str) -> list[Project]:
    """The projects of a user, the one that was worked on last first."""
    said: defaultdict[str, list[MemoryRecord]] = defaultdict(list)
    for one in _messages(memory, {"project": {"ne": None}}, user_id=user_id):
        said[str(one.metadata["project"])].append(one)
    found = [
        Project(
            name=name,
            messages=len(ones),
            hosts=tuple(sorted({str(one.metadata["host"]) for one in ones if "host" in one.metadata})),
            last_at=max(one.times.happened_at for one in ones),
        )
        for name, ones in said.items()
    ]
    return sorted(found, key=lambda one: (one.last_at, one.name), reverse=True)


def rename_project(memory: Memory, old: str, new: str, *, user_id: str) -> int:
    """Give a project another name, or that of another project, which it then belongs to.

    A renaming that was interrupted goes on when it is done again.

    Returns:
        How many messages have another project now.

    Raises:
        NotFoundError: Nothing was said in a project of the old name.
        InvalidInputError: The new name is blank, or the old one.
    """
    name = check_name("the new name", new)
    if name is None or name == old:
        raise InvalidInputError(f"a project cannot be renamed to {as_given(new)}; give it another name")
    scope = memory.parts.scope(user_id)
    found = _messages(memory, {"project": old}, user_id=user_id)
    if not found and renamed(memory.parts.store, scope).get(old) != name:
        raise NotFoundError(f"there is no project {as_given(old)}; see recollect projects list")

    def changed(text: str | None) -> str:
        return json.dumps(_with(read_names(text), old, name))

    memory.parts.store.change_state(scope, STATE, changed)
    for one in found:
        memory.update(one.id, user_id=user_id, metadata={**one.metadata, "project": name})
    return len(found)


def _with(known: dict[str, str], old: str, new: str) -> dict[str, str]:
    """The names with one more; no name leads to an old one.

    >>> _with({"a": "b"}, "b", "c"), _with({"a": "b"}, "b", "a")
    ({'a': 'c', 'b': 'c'}, {'b': 'a'})
    """
    changed = {one: new if now == old else now for one, now in known.items()} | {old: new}
    return {one: now for one, now in changed.items() if one != new}


def _messages(memory: Memory, filters: dict[str, object], *, user_id: str) -> list[MemoryRecord]:
    return memory.get_all(user_id=user_id, kinds=["message"], filters=filters)
