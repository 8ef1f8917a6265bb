"""What is known of each host: where its settings are, which events it has, how its hooks speak.

A host with hooks of a known shape is one more row. Sources: the type definitions and plugins that the hosts
publish.
"""

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple

Action = Literal["capture", "store", "recall session", "recall prompt"]
"""What a hook does. Each spools what was said since the last one; ``store`` also puts it into the memory and
learns from it, and the others give back what matters for a session or a prompt."""


class Host(NamedTuple):
    """A host.

    Attributes:
        name: How commands name it.
        title: How people name it.
        home_variable: The environment variable that moves its settings folder.
        home: Its settings folder, ``~`` for the user's home.
        hooks_file: The JSON file with its hooks, in that folder.
        events: What is done at which of its events.
        timeouts: Seconds after which the host may end a hook.
        skill: The folder of our skill in the settings folder.
    """

    name: str
    title: str
    home_variable: str
    home: str
    hooks_file: str
    events: Mapping[str, Action]
    timeouts: Mapping[Action, int]
    skill: str


_TIMEOUTS: Final[Mapping[Action, int]] = {
    "capture": 5,
    "store": 60,
    "recall session": 15,
    "recall prompt": 10,
}
"""A capture takes some 30 ms and a recall about a second; the rest is for busy machines. Chosen by hand."""

HOSTS: Final[Mapping[str, Host]] = {
    host.name: host
    for host in (
        Host(
            name="claude-code",
            title="Claude Code",
            home_variable="CLAUDE_CONFIG_DIR",
            home="~/.claude",
            hooks_file="settings.json",
            events={
                "SessionStart": "recall session",
                "UserPromptSubmit": "recall prompt",
                "Stop": "capture",
                "PreCompact": "capture",
                "SessionEnd": "store",
            },
            timeouts=_TIMEOUTS,
            skill="skills/recollect/SKILL.md",
        ),
    )
}
"""The hosts by name."""
