"""The six commands of the memory tool, in the words of Anthropic's reference, which models are trained on."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from recollect import Memory
from recollect.errors import InvalidInputError
from recollect.integrations.claude_memory.tree import PROFILE, ROOT, FileTree

MOST_LINES: Final = 999_999
"""Lines of a file that can be viewed, as in the reference."""
_NUMBER_WIDTH: Final = 6
_AROUND: Final = 2
"""Lines before and after a change that are shown, as in the reference."""
_LEVELS: Final = 2
_PARAMETERS: Final[Mapping[str, Mapping[str, type]]] = {
    "view": {"path": str},
    "create": {"path": str, "file_text": str},
    "str_replace": {"path": str, "old_str": str, "new_str": str},
    "insert": {"path": str, "insert_line": int, "insert_text": str},
    "delete": {"path": str},
    "rename": {"old_path": str, "new_path": str},
}
_UNITS: Final = ("B", "K", "M", "G")


class FileCommands:
    """Runs the commands of a model on a user's files.

    Folders exist while there are files in them. What the memory has learned about the user is in
    ``/memories/profile.md``, which only the memory writes. A secret in a file is masked like all others, and
    the answer says so.

    Args:
        memory: Where the files are kept.
        user_id: Whose they are.
    """

    def __init__(self, memory: Memory, *, user_id: str) -> None:
        self._tree = FileTree(memory, user_id=user_id)

    def run(self, command: Any) -> str:
        """Run a command: an object with ``command``, ``path`` and what else this command needs.

        Raises:
            InvalidInputError: It cannot be done; the model should read why.
        """
        name = str(getattr(command, "command", None))
        if name not in _PARAMETERS:
            raise InvalidInputError(f"Unknown command: {name}")
        for parameter, kind in _PARAMETERS[name].items():
            if not isinstance(getattr(command, parameter, None), kind):
                raise InvalidInputError(f"The command {name} needs `{parameter}`, a {kind.__name__}")
        do: Callable[[Any], str] = getattr(self, f"_{name}")
        return do(command)

    def clear(self) -> None:
        """Delete all files."""
        self._tree.delete(self._tree.below(ROOT))

    def _view(self, command: Any) -> str:
        path = self._tree.path_of(command.path)
        text = self._tree.read(path)
        if text is not None:
            return _numbered_file(command, text)
        if not self._tree.is_folder(path):
            raise _no_such(command.path)
        inside = f"up to 2 levels deep in {command.path}, excluding hidden items:"
        header = f"Here're the files and directories {inside}"
        return "\n".join([header, *_listing(command.path.rstrip("/"), path, self._tree.below(path))])

    def _create(self, command: Any) -> str:
        path = self._tree.path_of(command.path)
        if path == PROFILE or self._tree.read(path) is not None or self._tree.is_folder(path):
            raise InvalidInputError(f"File {command.path} already exists")
        masked = self._tree.write({path: command.file_text})
        return _told(f"File created successfully at: {command.path}", masked)

    def _str_replace(self, command: Any) -> str:
        path, text = self._file(command)
        old, where = command.old_str, f"in {command.path}."
        if not old or old not in text:
            raise InvalidInputError(
                f"No replacement was performed, old_str `{old}` did not appear verbatim {where}"
            )
        lines = _lines_with(old, text)
        if text.count(old) > 1:
            raise InvalidInputError(
                f"No replacement was performed. Multiple occurrences of old_str `{old}` in lines: "
                f"{', '.join(map(str, lines))}. Please ensure it is unique"
            )
        masked = self._tree.write({path: text.replace(old, command.new_str)})
        changed = (self._tree.read(path) or "").split("\n")
        first = max(0, lines[0] - 1 - _AROUND)
        snippet = _numbered(changed[first : lines[0] + _AROUND], first + 1)
        done = "The memory file has been edited. Here is the snippet showing the change (with line numbers):"
        return _told(f"{done}\n{snippet}", masked)

    def _insert(self, command: Any) -> str:
        path, text = self._file(command)
        lines = text.split("\n")
        if lines[-1] == "":
            lines.pop()
        if not 0 <= command.insert_line <= len(lines):
            raise InvalidInputError(
                f"Invalid `insert_line` parameter: {command.insert_line}. "
                f"It should be within the range [0, {len(lines)}]."
            )
        lines.insert(command.insert_line, command.insert_text.rstrip("\n"))
        joined = "\n".join(lines)
        masked = self._tree.write({path: joined if joined.endswith("\n") else f"{joined}\n"})
        return _told(f"The file {command.path} has been edited.", masked)

    def _delete(self, command: Any) -> str:
        paths = self._all_at(command.path, action="delete")
        self._tree.delete(paths)
        return f"Successfully deleted {command.path}"

    def _rename(self, command: Any) -> str:
        paths = self._all_at(command.old_path, action="rename")
        old, new = self._tree.path_of(command.old_path), self._tree.path_of(command.new_path)
        if new == PROFILE or self._tree.read(new) is not None or self._tree.is_folder(new):
            raise InvalidInputError(f"The destination {command.new_path} already exists")
        if new.startswith(f"{old}/"):
            raise InvalidInputError(f"Cannot move {command.old_path} into itself")
        self._tree.write({f"{new}{path[len(old) :]}": self._tree.read(path) or "" for path in paths})
        self._tree.delete(paths)
        return f"Successfully renamed {command.old_path} to {command.new_path}"

    def _file(self, command: Any) -> tuple[str, str]:
        path = self._tree.path_of(command.path)
        text = self._tree.read(path)
        if text is None and self._tree.is_folder(path):
            raise InvalidInputError(f"The path {command.path} is not a file.")
        if text is None:
            raise _no_such(command.path)
        return path, text

    def _all_at(self, given: str, *, action: str) -> list[str]:
        """The paths of the file, or of all in the folder, that is to be moved or deleted."""
        path = self._tree.path_of(given)
        if path == ROOT:
            raise InvalidInputError(f"Cannot {action} the {ROOT} directory itself")
        if path == PROFILE:
            raise InvalidInputError(f"The file {PROFILE} is written by the memory itself")
        paths = [path] if self._tree.read(path) is not None else list(self._tree.below(path))
        if not paths:
            raise InvalidInputError(f"The path {given} does not exist")
        return paths


def _no_such(path: str) -> InvalidInputError:
    return InvalidInputError(f"The path {path} does not exist. Please provide a valid path.")


def _told(answer: str, masked: str | None) -> str:
    return (
        f"{answer}\nNote: {masked}; the file does not hold it. Do not write it again." if masked else answer
    )


def _lines_with(old: str, text: str) -> list[int]:
    """The line of each occurrence, also of overlapping ones."""
    lines, at = [], text.find(old)
    while at >= 0:
        lines.append(text.count("\n", 0, at) + 1)
        at = text.find(old, at + 1)
    return lines


def _numbered(lines: list[str], first: int) -> str:
    numbers = enumerate(lines, start=first)
    return "\n".join(f"{number:>{_NUMBER_WIDTH}}\t{line}" for number, line in numbers)


def _numbered_file(command: Any, text: str) -> str:
    lines = text.split("\n")
    if len(lines) > MOST_LINES:
        raise InvalidInputError(f"File {command.path} exceeds maximum line limit of 999,999 lines.")
    wanted = getattr(command, "view_range", None)
    start, end = wanted if wanted and len(wanted) == _AROUND else (1, -1)
    first = max(1, start)
    shown = lines[first - 1 : len(lines) if end == -1 else end]
    return f"Here's the content of {command.path} with line numbers:\n{_numbered(shown, first)}"


def _listing(shown_as: str, folder: str, sizes: Mapping[str, int]) -> list[str]:
    """A line for the folder, and one for all in it and in its folders that is not hidden, by name."""
    entries: dict[tuple[str, ...], tuple[int, bool]] = {}
    for path, size in sizes.items():
        parts = tuple(path[len(folder) + 1 :].split("/"))
        for depth in range(1, min(len(parts), _LEVELS) + 1):
            before = entries.get(parts[:depth], (0, False))[0]
            entries[parts[:depth]] = (before + size, depth < len(parts))
    lines = [f"{_size(sum(sizes.values()))}\t{shown_as}"]
    for parts, (size, is_folder) in sorted(entries.items()):
        if not any(part.startswith(".") for part in parts):
            lines.append(f"{_size(size)}\t{shown_as}/{'/'.join(parts)}{'/' if is_folder else ''}")
    return lines


def _size(size: int) -> str:
    """A size as the reference writes it: 0B, 900B, 1K, 1.5K."""
    unit = min(max(size.bit_length() - 1, 0) // 10, len(_UNITS) - 1)
    value = size / 1024**unit
    return f"{value:.0f}{_UNITS[unit]}" if value == int(value) else f"{value:.1f}{_UNITS[unit]}"
