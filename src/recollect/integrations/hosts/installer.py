"""Writes what a host needs into its settings, and removes it; everything else there stays byte for byte."""

import difflib
import json
import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from recollect import __version__
from recollect.errors import InvalidInputError
from recollect.integrations.hosts import folder as places
from recollect.integrations.hosts import json_text
from recollect.integrations.hosts.catalog import HOSTS, Host
from recollect.integrations.hosts.entries import HostEntry, entries_of, own_files
from recollect.types.guesses import instead_of

_FOLDERS: Final = {"XDG_CONFIG_HOME": "~/.config", "XDG_DATA_HOME": "~/.local/share"}
"""Where programs keep settings and data where the variables are not set, by the XDG Base Directory
specification."""
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
    moved = environ.get(host.home_variable) if host.home_variable else None
    return _expanded(moved or host.home, environ)


def transcripts_of(host: Host, environ: Mapping[str, str]) -> Path:
    """The folder below which a host's transcripts are."""
    return _expanded(host.transcripts, environ) if host.transcripts else home_of(host, environ)


def _place(home: Path, file: str) -> Path:
    """Where a file of ours is: in the settings folder, or from ``~`` on in the user's home."""
    return home / Path(file).expanduser()


def _expanded(path: str, environ: Mapping[str, str]) -> Path:
    for variable, usual in _FOLDERS.items():
        path = path.replace(f"${variable}", environ.get(variable) or usual)
    return Path(path).expanduser()


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
    known = (places.installed_in(str(folder)) or {}).get("files", {})
    changes, files = [], {}
    for entry in entries_of(host, folder, options):
        path = home / entry.file
        change = _settings_change(path, entry.add, start=host.empty)
        before = known.get(str(path), {})
        files[str(path)] = {
            "created": bool(before.get("created", change.before is None)),
            "made": before.get("made") or _missing(change.before, entry),
            "blank": before.get("blank", change.before if _is_blank(change.before) else None),
        }
        changes.append(change)
    own = own_files(host, folder, options)
    changes += [_own_change(_place(home, file), text) for file, text in own.items()]
    said = {"version": __version__, "host": host.name, **options, "home": str(home), "files": files}
    record = folder / places.INSTALL
    after = json.dumps(said, indent=2) + "\n"
    return [*changes, FileChange(path=record, before=_text_of(record), after=after)]


def planned_uninstall(host: Host, environ: Mapping[str, str]) -> list[FileChange]:
    """The changes that remove what ``planned_install`` wrote; files that were created for it go, too.

    Raises:
        InvalidInputError: A settings file cannot be read, or is no JSON; nothing was changed.
    """
    folder = folder_of(host)
    known = places.installed_in(str(folder)) or {}
    home = Path(known["home"]) if "home" in known else home_of(host, environ)
    changes: list[FileChange] = []
    for entry in entries_of(host, folder, {"db": "", "user_id": ""}):
        path = home / entry.file
        if not path.exists():
            continue
        noted = known.get("files", {}).get(str(path), {})
        change = _settings_change(path, partial(_removed, entry, noted.get("made", [])))
        after = change.after
        if after is not None and after.removeprefix(_BOM).split() == host.empty.split():
            blank = noted.get("blank")
            after = None if noted.get("created") else after if blank is None else blank
        changes.append(FileChange(path=path, before=change.before, after=after))
    own = [_place(home, file) for file in (host.skill, host.plugin) if file]
    found = [path for path in (*own, folder / places.INSTALL) if path.exists()]
    return changes + [FileChange(path=path, before=_text_of(path), after=None) for path in found]


def carry_out(changes: Sequence[FileChange]) -> list[FileChange]:
    """Make changes, all of them or none; returns those that changed something.

    Raises:
        InvalidInputError: A file is not as it was when the changes were planned.
        OSError: A file cannot be written; those that were are as before.
    """
    needed = [one for one in changes if one.before != one.after]
    for one in needed:
        if _text_of(one.path) != one.before:
            raise InvalidInputError(f"{one.path} was changed meanwhile; try again")
    for place, one in enumerate(needed):
        try:
            _write(one)
        except OSError:
            for done in reversed(needed[:place]):
                with suppress(OSError):
                    _write(FileChange(path=done.path, before=done.after, after=done.before))
            raise
    return needed


def remove_folder(host: Host) -> None:
    """Remove a host's own folder with what its hooks noted."""
    shutil.rmtree(folder_of(host), ignore_errors=True)


def is_installed(host: Host, environ: Mapping[str, str]) -> bool:
    """Whether every hook stands in the host's settings as it would be written now.

    Raises:
        InvalidInputError: The settings cannot be read.
    """
    folder, home = folder_of(host), home_of(host, environ)
    known = places.installed_in(str(folder)) or {"db": "", "user_id": ""}
    changes = [
        _settings_change(home / entry.file, entry.add, start=host.empty)
        for entry in entries_of(host, folder, known)
    ]
    return all(one.before == one.after for one in changes) and (
        not host.plugin or _text_of(home / host.plugin) == own_files(host, folder, known)[host.plugin]
    )


def _settings_change(path: Path, edit: Callable[[str], str], *, start: str = "") -> FileChange:
    """A change of a JSON file, which is ``start`` where it is missing or has nothing in it."""
    before = _text_of(path)
    text = start if before is None or _is_blank(before) else before.removeprefix(_BOM)
    try:
        json_text.check(text)
        after = edit(text)
    except InvalidInputError as error:
        raise InvalidInputError(f"{path} is left as it is: {error}") from None
    mark = _BOM if before is not None and before.startswith(_BOM) else ""
    return FileChange(path=path, before=before, after=mark + after)


def _is_blank(text: str | None) -> bool:
    return text is not None and not text.removeprefix(_BOM).strip()


def _removed(entry: HostEntry, made: Sequence[Sequence[str]], text: str) -> str:
    """A text without what is ours, and without the empty containers that were made for it."""
    text = entry.remove(text)
    for path in sorted(made, key=len, reverse=True):
        if json_text.get(text, path) in ([], {}):
            text = json_text.remove(text, path)
    return text


def _missing(text: str | None, entry: HostEntry) -> list[tuple[str, ...]]:
    """The containers that a file lacks."""
    plain = "{}" if text is None or _is_blank(text) else text.removeprefix(_BOM)
    return [path for path in entry.containers if json_text.get(plain, path) is None]


def _own_change(path: Path, text: str) -> FileChange:
    """A file that is ours as a whole.

    Raises:
        InvalidInputError: Somebody else's file has its place.
    """
    before = _text_of(path)
    if before is not None and "name: recollect\n" not in before:
        raise InvalidInputError(f"{path} is left as it is: it is not Recollect's; move it away")
    return FileChange(path=path, before=before, after=text)


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
