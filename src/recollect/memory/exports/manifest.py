"""The list of what was written into a user's folder: ``.recollect.jsonl``, a line each, made for diffs.

It tells an edited item from one whose memory has changed since, and a deleted one from one that is new.
"""

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any, Final

from recollect.checks import check_scope, path_in_words
from recollect.errors import InvalidInputError
from recollect.ingest.sources.markdown import LIST

NAME: Final = LIST
FORMAT: Final = "recollect-markdown"
VERSION: Final = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """What was written into a folder.

    Attributes:
        user_id: Whose memories these are.
        pages: The pages by path, each with its front matter.
        items: By id, the page of a memory and the digest of its words.
    """

    user_id: str
    pages: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    items: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    def text(self) -> str:
        """The lines of the file: the header, the pages, and the items in the order of the pages."""
        lines: list[Mapping[str, Any]] = [{"format": FORMAT, "version": VERSION, "user_id": self.user_id}]
        lines += [{"page": path, **about} for path, about in self.pages.items()]
        lines += [{"id": one, "page": page, "digest": digest} for one, (page, digest) in self.items.items()]
        return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)

    def save(self, folder: Path) -> None:
        """Write it into a user's folder."""
        put(folder / NAME, self.text())


def put(file: Path, text: str) -> None:
    """Write a file that differs, completely or not at all.

    Raises:
        InvalidInputError: It cannot be written.
    """
    made, beside = text.encode(), file.with_name(f".{file.name}.part")
    try:
        if file.exists() and file.read_bytes() == made:
            return
        file.parent.mkdir(parents=True, exist_ok=True)
        beside.write_bytes(made)
        beside.replace(file)
    except OSError as error:
        raise InvalidInputError(f"{path_in_words(file)} cannot be written: {error.strerror}") from error


def manifest_of(folder: Path) -> Manifest | None:
    """What was written into a user's folder; None where nothing was.

    Raises:
        InvalidInputError: The file cannot be read, or is not what was written; the message names the line.
    """
    file = folder / NAME
    if not file.is_file() or file.is_symlink():
        return None
    lines = text_of(file).splitlines()
    pages: dict[str, Mapping[str, str]] = {}
    items: dict[str, tuple[str, str]] = {}
    user_id = ""
    for number, line in enumerate(lines, start=1):
        try:
            value = _read(line)
            if number == 1:
                user_id = _user_in(value)
            elif "id" in value:
                items[_said(value, "id")] = _inside(_said(value, "page")), _said(value, "digest")
            else:
                about = {name: _said(value, name) for name in value if name != "page"}
                pages[_inside(_said(value, "page"))] = about
        except (KeyError, TypeError, ValueError, RecursionError):
            raise InvalidInputError(
                f"{path_in_words(file)}, line {number}, is not what was exported; export into a new folder"
            ) from None
    return Manifest(user_id=user_id, pages=pages, items=items) if user_id else None


def text_of(file: Path) -> str:
    """The words of a file of a folder.

    Raises:
        InvalidInputError: It cannot be read, or is not UTF-8.
    """
    try:
        return file.read_bytes().decode()
    except OSError as error:
        raise InvalidInputError(f"{path_in_words(file)} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError:
        raise InvalidInputError(f"{path_in_words(file)} is not UTF-8 text") from None


def markdown_files(folder: Path) -> Iterator[tuple[str, Path]]:
    """The Markdown files below a folder with their paths from it, by name; links are not followed."""
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(one for one in folders if not one.startswith("."))
        for name in sorted(files):
            file = Path(place, name)
            if name.endswith(".md") and not name.startswith(".") and not file.is_symlink():
                yield file.relative_to(folder).as_posix(), file


def _read(line: str) -> Mapping[str, Any]:
    value = json.loads(line)
    if not isinstance(value, dict):
        raise TypeError
    return value


def _user_in(header: Mapping[str, Any]) -> str:
    if (header["format"], header["version"]) != (FORMAT, VERSION):
        raise ValueError
    return check_scope(header["user_id"]).user_id


def _said(value: Mapping[str, Any], name: str) -> str:
    if not isinstance(value[name], str):
        raise TypeError
    said: str = value[name]
    return said


def _inside(path: str) -> str:
    """A path that leads nowhere out of its folder."""
    parts = PurePosixPath(path).parts
    if not path.endswith(".md") or "\\" in path or ":" in path or path.startswith("/") or ".." in parts:
        raise ValueError
    return path
