"""What is known of each host: where its settings are, which events it has, how its hooks speak.

A host with hooks or settings of a known shape is one more row. Sources: the type definitions, documentation
and plugins that the hosts publish.
"""

import sys
from collections.abc import Mapping
from typing import Final, Literal, NamedTuple

Action = Literal["capture", "store", "recall session", "recall prompt"]
"""What a hook does. Each spools what was said since the last one; ``store`` also puts it into the memory and
learns from it, and the others give back what matters for a session or a prompt."""


class Spoken(NamedTuple):
    """Words that an event itself carries, where a host has no transcript that can be read.

    Attributes:
        role: Who said them.
        words: The field with the words.
        id: The field with the host's id of them.
        shared: Whether several things said may have the same id.
    """

    role: str
    words: str
    id: str
    shared: bool = False


class Host(NamedTuple):
    """A host.

    Attributes:
        name: How commands name it.
        title: How people name it.
        home: Its settings folder, ``~`` for the user's home, ``$XDG_CONFIG_HOME`` for that of settings.
        home_variable: The environment variable that moves that folder; empty for none.
        hooks_file: The JSON file with its hooks, in that folder; empty for a host without hooks.
        flat: Whether an event's hooks stand in one list, not in groups.
        empty: What a settings file is that has nothing in it.
        events: What is done at which of its events.
        spoken: The events that carry words.
        seconds: How many of its units of time a second has; 0 for one without time limits.
        hook_more: What a hook needs besides its command and its time limit.
        answer: The field of a hook's answer with text for the model; empty where it is
            ``hookSpecificOutput.additionalContext``, which ``additionalContext`` is written beside.
        skill: The path of our skill in the settings folder, or from ``~`` on; empty for none.
        plugin: The path of our plugin there, which calls the hook; empty for none. Its text is in ``data``.
        transcripts: The folder of its transcripts where that is another one.
        transcript: The path of a session's transcript in the settings folder, ``{}`` for the session's id,
            where not every event tells it.
        mcp_file: The JSON file with its MCP servers; empty where hooks and a skill do.
        mcp_key: The member of that file that holds them.
        mcp_more: What an entry there needs besides ``command`` and ``args``.
        note: What is left to do by hand after an installation.
    """

    name: str
    title: str
    home: str
    home_variable: str = ""
    hooks_file: str = ""
    flat: bool = False
    empty: str = "{}\n"
    events: Mapping[str, Action] = {}
    spoken: Mapping[str, Spoken] = {}
    seconds: int = 1
    hook_more: Mapping[str, object] = {}
    answer: str = ""
    skill: str = ""
    plugin: str = ""
    transcripts: str = ""
    transcript: str = ""
    mcp_file: str = ""
    mcp_key: str = "mcpServers"
    mcp_more: Mapping[str, object] = {}
    note: str = ""


TIMEOUTS_S: Final[Mapping[Action, int]] = {
    "capture": 5,
    "store": 60,
    "recall session": 15,
    "recall prompt": 10,
}
"""A capture takes some 30 ms and a recall about a second; the rest is for busy machines. Chosen by hand."""
_APPLICATIONS: Final = "~/Library/Application Support" if sys.platform == "darwin" else "$XDG_CONFIG_HOME"
"""Where desktop programs keep their settings."""
_SKILL: Final = "skills/recollect/SKILL.md"

HOSTS: Final[Mapping[str, Host]] = {
    host.name: host
    for host in (
        Host(
            name="claude-code",
            title="Claude Code",
            home="~/.claude",
            home_variable="CLAUDE_CONFIG_DIR",
            hooks_file="settings.json",
            events={
                "SessionStart": "recall session",
                "UserPromptSubmit": "recall prompt",
                "Stop": "capture",
                "PreCompact": "capture",
                "SessionEnd": "store",
            },
            skill=_SKILL,
        ),
        Host(
            name="codex",
            title="Codex",
            home="~/.codex",
            home_variable="CODEX_HOME",
            hooks_file="hooks.json",
            events={
                "SessionStart": "recall session",
                "UserPromptSubmit": "recall prompt",
                "Stop": "capture",
            },
            skill=_SKILL,
            note="Codex runs hooks when they are enabled (codex features enable hooks) and trusted (/hooks)",
        ),
        Host(
            name="copilot",
            title="GitHub Copilot",
            home="~/.copilot",
            home_variable="COPILOT_HOME",
            hooks_file="hooks/recollect.json",
            flat=True,
            empty='{\n  "version": 1\n}\n',
            events={
                "SessionStart": "recall session",
                "UserPromptSubmit": "capture",
                "Stop": "capture",
                "PreCompact": "capture",
                "SessionEnd": "store",
            },
            transcript="session-state/{}/events.jsonl",
            hook_more={"type": "command"},
            answer="additionalContext",
            skill=_SKILL,
        ),
        Host(
            name="gemini-cli",
            title="Gemini CLI",
            home="~/.gemini",
            hooks_file="settings.json",
            events={
                "SessionStart": "recall session",
                "BeforeAgent": "recall prompt",
                "AfterAgent": "capture",
                "PreCompress": "capture",
                "SessionEnd": "store",
            },
            seconds=1_000,
            skill=_SKILL,
        ),
        Host(
            name="cursor",
            title="Cursor",
            home="~/.cursor",
            hooks_file="hooks.json",
            flat=True,
            empty='{\n  "version": 1\n}\n',
            events={
                "sessionStart": "recall session",
                "beforeSubmitPrompt": "recall prompt",
                "afterAgentResponse": "capture",
                "sessionEnd": "store",
            },
            spoken={
                "beforeSubmitPrompt": Spoken("user", "prompt", "generation_id", shared=True),
                "afterAgentResponse": Spoken("assistant", "text", "generation_id", shared=True),
            },
            answer="additional_context",
            skill=_SKILL,
        ),
        Host(
            name="opencode",
            title="OpenCode",
            home="$XDG_CONFIG_HOME/opencode",
            home_variable="OPENCODE_CONFIG_DIR",
            events={
                "session.start": "recall session",
                "chat.message": "recall prompt",
                "text.complete": "capture",
            },
            spoken={
                "chat.message": Spoken("user", "prompt", "id"),
                "text.complete": Spoken("assistant", "text", "id"),
            },
            answer="context",
            skill=_SKILL,
            plugin="plugins/recollect.js",
            transcripts="$XDG_DATA_HOME/opencode",
        ),
        Host(
            name="vscode",
            title="VS Code",
            home=f"{_APPLICATIONS}/Code/User",
            mcp_file="mcp.json",
            mcp_key="servers",
            mcp_more={"type": "stdio"},
            note="so that Copilot in VS Code remembers by itself: recollect install copilot",
        ),
        Host(
            name="windsurf",
            title="Windsurf",
            home="~/.codeium/windsurf",
            hooks_file="hooks.json",
            flat=True,
            events={"post_cascade_response_with_transcript": "store"},
            seconds=0,
            skill=_SKILL,
            transcripts="~/.windsurf",
            mcp_file="mcp_config.json",
        ),
        Host(
            name="zed",
            title="Zed",
            home="$XDG_CONFIG_HOME/zed",
            mcp_file="settings.json",
            mcp_key="context_servers",
            mcp_more={"source": "custom"},
            skill="~/.agents/skills/recollect/SKILL.md",
        ),
        Host(
            name="claude-desktop",
            title="Claude Desktop",
            home=f"{_APPLICATIONS}/Claude",
            mcp_file="claude_desktop_config.json",
        ),
    )
}
"""The hosts by name."""
