"""What is said where nothing was found: why, and what to do next, in one line.

The command, HTTP and MCP all take their lines from here; they differ in how the next step is written. Only
the command names other users: who runs it may read the whole file.
"""

from collections.abc import Mapping, Sequence
from typing import Final, Literal, TypeAlias

from recollect.errors import StoreError
from recollect.memory.memory import Memory
from recollect.types import Kind, Stats
from recollect.types.characters import one_line

Looked: TypeAlias = Literal[
    "search", "context", "list", "deleted", "purge", "timeline", "profile", "sessions", "documents", "cite",
    "conflicts", "graph", "projects", "answer",
]  # fmt: skip
"""What was looked for."""
Way: TypeAlias = Literal["command", "http", "mcp"]
"""Where the answer is read."""

_USERS: Final = 5
"""Users a line names. Chosen by hand."""
_NAME: Final = 40
_MANY: Final = 1_000
"""Deleted memories that are counted. Chosen by hand."""

_ADD: Final[Mapping[Way, str]] = {
    "command": 'add one: recollect add "I like tea" --user-id {user}',
    "http": "add some with POST /memories",
    "mcp": "store one with the tool add",
}
_OTHER_WORDS: Final[Mapping[Way, str]] = {
    "command": (
        "use other words, or fewer of --kind, --tier, --since, --until, --filters, --project and --threshold"
    ),
    "http": "use other words, or fewer filters, kinds, tiers and times, no project, or a lower threshold",
    "mcp": "use other words",
}
_NEXT: Final[Mapping[Looked, tuple[str, Mapping[Way, str]]]] = {
    "search": ("none of {memories} match", _OTHER_WORDS),
    "context": ("none of {memories} fit the question and the budget", _OTHER_WORDS),
    "list": ("none of {memories} match", _OTHER_WORDS),
    "profile": (
        "no fact holds at that time and in that project",
        {
            "command": "leave out --as-of or --project",
            "http": "leave out project",
        },
    ),
    "timeline": (
        "nothing in this time and project",
        {
            "command": "widen --since and --until, or leave out --project",
            "http": "widen the time, or leave out project",
        },
    ),
    "sessions": (
        "no conversations",
        {
            "command": "name one: recollect add --session-id trip ...",
            "http": "send session_id with POST /memories",
        },
    ),
    "documents": (
        "no documents",
        {"command": "add one: recollect documents add FILE", "http": "add one with POST /documents"},
    ),
    "cite": ("no document answers this", {"command": "use other words", "http": "use other words"}),
    "conflicts": ("no conflicts", {}),
    "answer": (
        "this asks nothing about the memory itself, and for no time that it tells",
        {
            "command": 'ask such as "what do you know about my sister?"; recollect search finds all else',
            "http": "POST /search and POST /context find all else",
        },
    ),
    "graph": ("no concepts yet", {"command": "they come with learning: recollect worker --once"}),
    "projects": ("no projects", {"command": "hosts name them: recollect install HOST"}),
    "deleted": ("no deleted memories", {}),
    "purge": (
        "nothing to purge: no deleted memories",
        {
            "command": "purge removes what was deleted before: recollect delete ID",
            "http": "purge removes what was deleted before: DELETE /memories/{id}",
        },
    ),
}
_BRING_BACK: Final[Mapping[Way, str]] = {
    "command": "recollect list --deleted, recollect undelete ID",
    "http": "GET /memories/deleted, POST /memories/{id}/restore",
}
_LEARNED: Final[Mapping[Looked, Kind]] = {"profile": "fact", "timeline": "episode"}
"""What is learned from words before it can be found."""
_WORKER: Final[Mapping[Way, str]] = {
    "command": "learn now: recollect worker --once",
    "http": "the server learns in the background",
    "mcp": "the server learns in the background",
}


def nothing_found(
    memory: Memory, looked_for: Looked, *, user_id: str, way: Way, in_project: bool = False
) -> str:
    """One line on why nothing was found, and the next step.

    Args:
        memory: Where it was looked for.
        looked_for: What.
        user_id: Whose.
        way: Where the line is read. Another user's name is said in ``command`` alone.
        in_project: Whether a model looked in one project, and may look in all.
    """
    stats = memory.stats(user_id=user_id)
    if looked_for == "cite" and not stats.kinds.get("document"):
        looked_for = "documents"
    users = memory.users() if way == "command" else []
    needs_documents = looked_for == "documents" and not users
    if not stats.memories and looked_for not in ("deleted", "purge") and not needs_documents:
        gone = _deleted(memory, user_id, way)
        return gone or _no_memories([one for one in users if one != user_id], user_id, way)
    kind = _LEARNED.get(looked_for)
    if kind is not None and not stats.kinds.get(kind):
        return _not_learned(stats, kind, user_id, way)
    said, steps = _NEXT[looked_for]
    step = steps.get(way)
    if in_project:
        step = f"{step}, or leave out project" if step else "leave out project"
    many = "the" if way == "mcp" else f"the {stats.memories:,}"  # a tool may see a part of them alone
    return _line(said.format(memories=f"{many} memories"), user_id, way, step)


def _deleted(memory: Memory, user_id: str, way: Way) -> str | None:
    """What to do where all memories are deleted and can be brought back; None where there are none.

    A tool cannot bring any back, and may see a part of them alone.
    """
    if way not in _BRING_BACK:
        return None
    try:
        many = len(memory.deleted(user_id=user_id, limit=_MANY))
    except StoreError:  # a store that brings nothing back
        return None
    if not many:
        return None
    some = f"{many:,} or more" if many == _MANY else f"{many:,}"
    told = f"{some} memories are" if many > 1 else "1 memory is"
    return _line("no memories", user_id, way, f"{told} deleted and not purged: {_BRING_BACK[way]}")


def _no_memories(users: Sequence[str], user_id: str, way: Way) -> str:
    if not users:
        return _line("no memories", user_id, way, _ADD[way].format(user=user_id))
    more = f" and {len(users) - _USERS} more" if len(users) > _USERS else ""
    named = ", ".join(one_line(one, most=_NAME) for one in users[:_USERS]) + more
    step = f"users here: {named}; use --user-id {one_line(users[0], most=_NAME)}"
    return _line("no memories", user_id, way, step)


def _not_learned(stats: Stats, kind: str, user_id: str, way: Way) -> str:
    """Why there are no facts or no episodes although there are memories."""
    if stats.waiting:
        waiting = (
            "1 job of learning waits" if stats.waiting == 1 else f"{stats.waiting:,} jobs of learning wait"
        )
        return _line(f"no {kind}s yet", user_id, way, f"{waiting}; {_WORKER[way]}")
    if stats.given_up:
        look = "look at: recollect jobs" if way == "command" else None
        failed = f"learning failed {stats.given_up:,} times"
        return _line(f"no {kind}s", user_id, way, f"{failed}; {look}" if look else failed)
    return _line(
        f"no {kind}s learned so far", user_id, way, "plain sentences such as 'I live in Oslo' teach one"
    )


def _line(said: str, user_id: str, way: Way, step: str | None) -> str:
    """The line; a command has a user of its own by default, so it says whose memories were looked at."""
    whose = f" for user {one_line(user_id, most=_NAME)!r}" if way == "command" else ""
    return f"{said}{whose}" + (f"; {step}" if step else "")
