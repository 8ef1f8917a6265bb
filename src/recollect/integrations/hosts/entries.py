"""What of ours stands in the JSON files of a host: hooks that run ``integrations.hosts.hook``, an MCP server.

Hooks are told by their command, the server by its name. So a second installation finds the first one, also
after the host or its user wrote the file anew.
"""

import json
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib import resources
from pathlib import Path
from typing import Any, Final, NamedTuple

from recollect import __version__
from recollect.integrations.hosts import json_text
from recollect.integrations.hosts.catalog import TIMEOUTS_S, Action, Host

MODULE: Final = "recollect.integrations.hosts.hook"
_HOOKS: Final = "hooks"
_SERVER: Final = "recollect"


class HostEntry(NamedTuple):
    """What of ours stands in one file.

    Attributes:
        file: The file, in the host's settings folder.
        containers: What must be there around it; paths in the file.
        add: Adds it to the text of the file; a text that has it stays as it is.
        remove: Removes it.
    """

    file: str
    containers: Sequence[tuple[str, ...]]
    add: Callable[[str], str]
    remove: Callable[[str], str]


def entries_of(host: Host, folder: Path, options: Mapping[str, Any]) -> list[HostEntry]:
    """What a host gets, with the options that the memory is opened with."""
    entries = []
    if host.hooks_file:
        places = [(_HOOKS,), *((_HOOKS, event) for event in host.events)]
        entries.append(
            HostEntry(
                host.hooks_file, places, partial(_with_hooks, host, folder), partial(_without_hooks, host)
            )
        )
    if host.mcp_file:
        path = (host.mcp_key, _SERVER)
        words = {"command": program(), "args": ["mcp", *memory_options(options)], **host.mcp_more}
        entries.append(
            HostEntry(host.mcp_file, [path[:1]], partial(_with_server, path, words), partial(_without, path))
        )
    return entries


def own_files(host: Host, folder: Path, options: Mapping[str, Any]) -> dict[str, str]:
    """The files that are ours as a whole, by their paths in the host's settings folder."""
    files = {}
    if host.skill:
        files[host.skill] = skill_text(command=program(), options=memory_options(options))
    if host.plugin:
        files[host.plugin] = _filled(f"{host.name}.js", command=json.dumps(hook_words(folder)))
    return files


def skill_text(*, command: str, options: Sequence[str]) -> str:
    """Our skill, with the command ``recollect`` and the options that open the memory."""
    chosen = "".join(f" {shlex.quote(option)}" for option in options)
    return _filled("SKILL.md", command=shlex.quote(command), options=chosen)


def _filled(name: str, **values: str) -> str:
    """A text of ours with the version and other values in the places of ``{version}`` and so on."""
    text = resources.files("recollect.integrations.hosts").joinpath("data", name).read_text("utf-8")
    for key, value in {"version": __version__, **values}.items():
        text = text.replace(f"{{{key}}}", value)
    return text


def hook_words(folder: Path) -> list[str]:
    """The command that a host runs at its events.

    It is this interpreter, whatever variables and modules the folder has that the host works in.
    """
    return [sys.executable, "-E", "-P", "-m", MODULE, str(folder)]


def hook_command(folder: Path) -> str:
    """The same for a shell."""
    words = hook_words(folder)
    return subprocess.list2cmdline(words) if os.name == "nt" else shlex.join(words)


def program() -> str:
    """The command ``recollect``: by its name where a shell finds it, else by its path."""
    return "recollect" if shutil.which("recollect") else str(Path(sys.executable).with_name("recollect"))


def memory_options(options: Mapping[str, Any]) -> list[str]:
    """The options that make ``recollect`` open the memory a host was installed for."""
    from recollect.stores import default_path

    db = [] if options["db"] == str(default_path()) else ["--db", str(options["db"])]
    return ["--user-id", str(options["user_id"]), *db]


def _with_hooks(host: Host, folder: Path, text: str) -> str:
    for event, action in host.events.items():
        wanted = _hook(host, folder, action)
        ours = [one for one in json_text.values(text, (_HOOKS, event)) if _is_ours(one)]
        if ours != [wanted]:
            text = json_text.append(_without_ours(text, event), (_HOOKS, event), wanted)
    return text


def _hook(host: Host, folder: Path, action: Action) -> dict[str, Any]:
    limit = {"timeout": TIMEOUTS_S[action] * host.seconds} if host.seconds else {}
    hook = {**host.hook_more, "command": hook_command(folder), **limit}
    return hook if host.flat else {"hooks": [{"type": "command", **hook}]}


def _without_hooks(host: Host, text: str) -> str:
    for event in host.events:
        text = _without_ours(text, event)
    return text


def _without_ours(text: str, event: str) -> str:
    found = json_text.values(text, (_HOOKS, event))
    for place in reversed(range(len(found))):
        if _is_ours(found[place]):
            text = json_text.remove(text, (_HOOKS, event, place))
    return text


def _is_ours(entry: object) -> bool:
    """Whether a hook is ours, or every hook of a group."""
    if not isinstance(entry, dict):
        return False
    hooks = entry.get("hooks", [entry])
    return (
        isinstance(hooks, list)
        and bool(hooks)
        and all(isinstance(one, dict) and MODULE in str(one.get("command")) for one in hooks)
    )


def _with_server(path: tuple[str, str], words: Mapping[str, Any], text: str) -> str:
    return text if json_text.get(text, path) == words else json_text.put(text, path, dict(words))


def _without(path: tuple[str, ...], text: str) -> str:
    return json_text.remove(text, path)
