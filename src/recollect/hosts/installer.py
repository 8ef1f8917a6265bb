"""Writes what a host needs into its settings, and removes it; everything else there stays byte for byte.

What is ours is told by its command: a hook that runs ``recollect.hosts.hook``. So a second installation finds
the first one, also after the host or its user wrote the file anew.
"""

import difflib
import json
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any, Final

from recollect import __version__
from recollect.errors import InvalidInputError
from recollect.hosts import folder as places
from recollect.hosts import json_text
from recollect.hosts.catalog import HOSTS, Host
from recollect.types.guesses import instead_of

MODULE: Final = "recollect.hosts.hook"
_HOOKS: Final = "hooks"
_BOM: Final = "\ufeff"


@dataclass(frozen=True, slots=True, kw_only=True)
class FileChange:
    """A change of one file.

    Attributes:
        path: The file.
        before: Its text; None where there is no file.
        after: Its new text; None to remove it.
    """

    path: Path
    before: str | None
    after: str | None

    def diff(self) -> str:
        """The lines that go and come, in the form of ``diff -u``; empty when nothing changes."""
        old, new = ((text or "").splitlines(keepends=True) for text in (self.before, self.after))
        lines = difflib.unified_diff(
            old,
            new,
            fromfile=os.devnull if self.before is None else str(self.path),
            tofile=os.devnull if self.after is None else str(self.path),
        )
        return "".join(line if line.endswith("\n") else f"{line}\n" for line in lines)


def host_named(name: str) -> Host:
    """The host of a name.

    Raises:
        InvalidInputError: None has it.
    """
    if name not in HOSTS:
        raise InvalidInputError(f"there is no host {name!r}; {instead_of(name, list(HOSTS))}")
    return HOSTS[name]


def folder_of(host: Host) -> Path:
    """The host's own folder here."""
    return Path(places.hosts_folder()) / host.name


def home_of(host: Host, environ: Mapping[str, str]) -> Path:
    """The host's settings folder."""
    return Path(environ.get(host.home_variable) or host.home).expanduser()


def planned_install(host: Host, options: Mapping[str, Any], environ: Mapping[str, str]) -> list[FileChange]:
    """The changes that install a host's hooks and skill, and write down what was installed.

    Args:
        host: The host.
        options: What its hooks open the memory with: ``db``, ``user_id``, ``timezone``, ``secrets``, ``pii``.
        environ: The environment, which may move the host's settings.

    Raises:
        InvalidInputError: A settings file cannot be read, or is no JSON; nothing was changed.
    """
    home, folder = home_of(host, environ), folder_of(host)
    known = places.installed_in(str(folder)) or {}
    hooks = _settings_change(home / host.hooks_file, lambda text: _with_hooks(text, host, folder))
    skill = home / host.skill
    said = {
        "version": __version__,
        "host": host.name,
        **options,
        "home": str(home),
        "made": sorted({*known.get("made", []), *_missing(hooks.before, host)}),
        "created": bool(known.get("created", hooks.before is None)),
    }
    record = folder / places.INSTALL
    return [
        hooks,
        _own_change(skill, _skill(str(options["user_id"]))),
        FileChange(path=record, before=_text_of(record), after=json.dumps(said, indent=2) + "\n"),
    ]


def planned_uninstall(host: Host, environ: Mapping[str, str]) -> list[FileChange]:
    """The changes that remove what ``planned_install`` wrote; files that were created for it go, too.

    Raises:
        InvalidInputError: A settings file cannot be read, or is no JSON; nothing was changed.
    """
    folder = folder_of(host)
    known = places.installed_in(str(folder)) or {}
    home = Path(known["home"]) if "home" in known else home_of(host, environ)
    made = [tuple(one.split(".")) for one in known.get("made", [])]
    hooks, skill, record = home / host.hooks_file, home / host.skill, folder / places.INSTALL
    changes: list[FileChange] = []
    if hooks.exists():
        change = _settings_change(hooks, lambda text: _without_hooks(text, host, made))
        gone = known.get("created") and change.after is not None and change.after.split() == ["{}"]
        changes.append(FileChange(path=hooks, before=change.before, after=None) if gone else change)
    own = [path for path in (skill, record) if path.exists()]
    return changes + [FileChange(path=path, before=_text_of(path), after=None) for path in own]


def carry_out(changes: Sequence[FileChange]) -> list[FileChange]:
    """Make changes, each file whole or not at all; returns those that changed something.

    Raises:
        InvalidInputError: A file is not as it was when the changes were planned.
        OSError: A file cannot be written.
    """
    needed = [one for one in changes if one.before != one.after]
    for one in needed:
        if _text_of(one.path) != one.before:
            raise InvalidInputError(f"{one.path} was changed meanwhile; try again")
    for one in needed:
        _write(one)
    return needed


def remove_folder(host: Host) -> None:
    """Remove a host's own folder with what its hooks noted."""
    shutil.rmtree(folder_of(host), ignore_errors=True)


def hook_command(folder: Path) -> str:
    """The command that a host runs at its events: this interpreter, and not what is in the host's folder."""
    words = [sys.executable, "-P", "-m", MODULE, str(folder)]
    return subprocess.list2cmdline(words) if os.name == "nt" else shlex.join(words)


def is_installed(host: Host, environ: Mapping[str, str]) -> bool:
    """Whether every hook stands in the host's settings as it would be written now.

    Raises:
        InvalidInputError: The settings cannot be read.
    """
    path = home_of(host, environ) / host.hooks_file
    if not path.exists():
        return False
    change = _settings_change(path, lambda text: _with_hooks(text, host, folder_of(host)))
    return change.before == change.after


def _settings_change(path: Path, edit: Callable[[str], str]) -> FileChange:
    """A change of a JSON file that may be missing."""
    before = _text_of(path)
    text = "{}\n" if before is None else before.removeprefix(_BOM)
    try:
        json_text.check(text)
        after = edit(text)
    except InvalidInputError as error:
        raise InvalidInputError(f"{path} is left as it is: {error}") from None
    mark = _BOM if before is not None and before.startswith(_BOM) else ""
    return FileChange(path=path, before=before, after=mark + after)


def _with_hooks(text: str, host: Host, folder: Path) -> str:
    """Settings with our group at each event; where it is as it should be, nothing changes."""
    for event, action in host.events.items():
        wanted = {
            "hooks": [{"type": "command", "command": hook_command(folder), "timeout": host.timeouts[action]}]
        }
        ours = [group for group in json_text.values(text, (_HOOKS, event)) if _is_ours(group)]
        if ours != [wanted]:
            text = json_text.append(_without_groups(text, event), (_HOOKS, event), wanted)
    return text


def _without_hooks(text: str, host: Host, made: Sequence[tuple[str, ...]]) -> str:
    """Settings without our groups, and without the empty containers that were made for them."""
    for event in host.events:
        text = _without_groups(text, event)
    for path in sorted(made, key=len, reverse=True):
        if json_text.get(text, path) in ([], {}):
            text = json_text.remove(text, path)
    return text


def _without_groups(text: str, event: str) -> str:
    groups = json_text.values(text, (_HOOKS, event))
    for place in reversed(range(len(groups))):
        if _is_ours(groups[place]):
            text = json_text.remove(text, (_HOOKS, event, place))
    return text


def _is_ours(group: object) -> bool:
    """Whether every command of a group is ours."""
    commands = group.get("hooks") if isinstance(group, dict) else None
    return (
        isinstance(commands, list)
        and bool(commands)
        and all(isinstance(one, dict) and MODULE in str(one.get("command")) for one in commands)
    )


def _missing(text: str | None, host: Host) -> list[str]:
    """The containers that a file lacks for our hooks."""
    paths = [(_HOOKS,), *((_HOOKS, event) for event in host.events)]
    plain = "{}" if text is None else text.removeprefix(_BOM)
    return [".".join(path) for path in paths if json_text.get(plain, path) is None]


def _own_change(path: Path, text: str) -> FileChange:
    """A file that is ours as a whole.

    Raises:
        InvalidInputError: Somebody else's file has its place.
    """
    before = _text_of(path)
    if before is not None and "name: recollect\n" not in before:
        raise InvalidInputError(f"{path} is left as it is: it is not Recollect's; move it away")
    return FileChange(path=path, before=before, after=text)


def _skill(user_id: str) -> str:
    template = resources.files("recollect.hosts").joinpath("data/SKILL.md").read_text("utf-8")
    beside = str(Path(sys.executable).with_name("recollect"))
    command = "recollect" if shutil.which("recollect") else shlex.quote(beside)
    return template.format(version=__version__, command=command, user_id=shlex.quote(user_id))


def _text_of(path: Path) -> str | None:
    try:
        return path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return None
    except UnicodeDecodeError:
        raise InvalidInputError(f"{path} is left as it is: it is no UTF-8 text") from None


def _write(change: FileChange) -> None:
    path = Path(os.path.realpath(change.path))
    if change.after is None:
        path.unlink(missing_ok=True)
        return
    mode = path.stat().st_mode & 0o777 if path.exists() else None
    places.write_whole(str(path), change.after)
    if mode is not None:
        path.chmod(mode)
