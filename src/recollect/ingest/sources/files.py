"""A file, a folder or a zip archive, read without trusting it: nothing is unpacked to the disk."""

import os
import re
import stat
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, tzinfo
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import BinaryIO, Final, NamedTuple

from recollect.checks import check_path, path_in_words
from recollect.errors import InvalidInputError, as_given

BEGINNING: Final = 1 << 16
"""Bytes of a file that tell its format. Chosen by hand: the keys of a first conversation are among them."""
_LONG_TEXT: Final = 1 << 10
"""Bytes from which on a text of JSON tells nothing of a format: no key is as long. Chosen by hand."""
_LOOKED_THROUGH: Final = 1 << 24
"""Bytes of a file that are looked through for its beginning: 16 MiB. Chosen by hand."""
_TEXT: Final = re.compile(rb'"(?:[^"\\\n]++|\\.)*+(?:"|\\?\Z)')
"""A text of JSON, or what there is of one at the end."""
_MARK_OF_UTF8: Final = b"\xef\xbb\xbf"
MAX_FILES: Final = 1_000_000
"""Files in a folder or an archive. Chosen by hand."""
_ZIP: Final = b"PK\x03\x04"
"""How a zip archive begins."""
_FIRST: Final = (1980, 1, 1, 0, 0, 0)
_BOMB_BYTES: Final = 1 << 26
_BOMB_RATIO: Final = 200
"""What an archive may unpack to: 64 MiB, and above that 200 times its size. Chosen by hand: exports of chats
shrink to a fifth or a tenth, deflate can reach a thousandth."""


class SourceFiles:
    """Files by their names, ``/`` between folders, in order.

    Attributes:
        title: What was given, for people.
        refused: Why some of them are not read, by name.
        unreadable: What is wrong with those whose ``beginning`` cannot be read, by name.
        root: The name of the folder that they are in, or of the archive.
    """

    def __init__(
        self,
        title: str,
        openers: Mapping[str, Callable[[], BinaryIO]],
        refused: Mapping[str, str],
        *,
        root: str,
        packed: Mapping[str, datetime] | None = None,
    ) -> None:
        self.title = title
        self.root = root
        self.refused = dict(refused)
        self._openers = openers
        self._packed = packed or {}
        self.unreadable: dict[str, str] = {}
        self._beginnings: dict[str, bytes] = {}

    @property
    def names(self) -> list[str]:
        """The names, sorted."""
        return sorted(self._openers)

    def place(self, name: str) -> str:
        """A file with its root: what tells it from files of the same name elsewhere."""
        return f"{self.root}/{name}"

    def ending(self, *endings: str) -> list[str]:
        """The names that end so, whatever their case."""
        return [name for name in self.names if name.lower().endswith(endings)]

    def like(self, *endings: str) -> list[str]:
        """The names that end so; a file that was given alone may have any name."""
        return self.names if len(self._openers) == 1 else self.ending(*endings)

    def open(self, name: str) -> BinaryIO:
        """Open a file for reading bytes.

        Raises:
            InvalidInputError: It cannot be read.
        """
        try:
            return self._openers[name]()
        except (OSError, zipfile.BadZipFile, NotImplementedError, RuntimeError, ValueError) as error:
            raise InvalidInputError(f"{name} cannot be read: {_said(error)}") from error

    def written_at(self, name: str, *, zone: tzinfo) -> datetime | None:
        """When a file was written, in UTC; None where that is not known.

        Archives keep it as the clock on the wall showed it; ``zone`` is that of the wall.
        """
        if name in self._packed:
            return self._packed[name].replace(tzinfo=zone).astimezone(UTC)
        try:
            with self.open(name) as file:
                return datetime.fromtimestamp(os.fstat(file.fileno()).st_mtime, UTC)
        except (InvalidInputError, OSError, ValueError, OverflowError):
            return None

    def beginning(self, name: str) -> bytes:
        """The first ``BEGINNING`` bytes, without a mark of UTF-8; none where it cannot be read.

        Of JSON without its long texts, so that the keys behind them are among these bytes.
        """
        if name not in self._beginnings:
            try:
                with reading(name), self.open(name) as file:
                    start = _beginning_of(file)
            except InvalidInputError as error:
                start = b""
                self.unreadable[name] = str(error)
            self._beginnings[name] = start
        return self._beginnings[name]

    def read(self, name: str, *, most: int) -> bytes:
        """A whole file.

        Raises:
            InvalidInputError: It cannot be read, or has more than ``most`` bytes.
        """
        with reading(name), self.open(name) as file:
            content = file.read(most + 1)
        if len(content) > most:
            raise InvalidInputError(f"{name} has more than {most:,} bytes")
        return content


def _beginning_of(file: BinaryIO) -> bytes:
    read = file.read(BEGINNING).removeprefix(_MARK_OF_UTF8)
    if read.lstrip()[:1] not in (b"[", b"{"):
        return read
    start = _without_long_texts(read)
    while len(start) < BEGINNING and len(read) < _LOOKED_THROUGH and (more := file.read(len(read))):
        read += more
        start = _without_long_texts(read)
    return start[:BEGINNING]


def _without_long_texts(read: bytes) -> bytes:
    return _TEXT.sub(lambda found: found[0] if len(found[0]) < _LONG_TEXT else b'""', read)


@contextmanager
def reading(name: str) -> Iterator[None]:
    """Name the errors of a file that breaks off while it is read."""
    try:
        yield
    except _reading_errors() as error:
        raise InvalidInputError(f"{name} cannot be read: {_said(error)}") from error


def _reading_errors() -> tuple[type[Exception], ...]:
    """What a file or a damaged archive raises while it is read."""
    import lzma
    import zlib

    return OSError, zipfile.BadZipFile, EOFError, RuntimeError, zlib.error, lzma.LZMAError


def is_hidden(name: str) -> bool:
    """Whether a file is in a folder of settings or in the trash: their names begin with a dot."""
    return any(part.startswith(".") for part in PurePosixPath(name).parts)


def files_at(
    path: str | os.PathLike[str], *, root: str | None = None, title: str | None = None
) -> SourceFiles:
    """The files at a path: of a folder, in a zip archive, or the file itself.

    Args:
        path: The path.
        root: The name of the folder, where the file only passes through one.
        title: What it is called; by default its path.

    Raises:
        InvalidInputError: There is nothing, or it is an archive that cannot or should not be unpacked.
    """
    if not isinstance(path, (str, os.PathLike)):
        raise InvalidInputError(f"path must be the path of a file, not {as_given(path)}")
    place = check_path("path", path)
    title = title or path_in_words(place)
    try:
        if place.is_dir():
            return _of_folder(place, title)
        if not place.is_file():
            raise InvalidInputError(f"there is no file {title}")
        if zipfile.is_zipfile(place):
            inside = _members(place, title, size=place.stat().st_size)
            return inside.files(title, root=path_in_words(place.stem))
        with place.open("rb") as file:
            if file.read(len(_ZIP)) == _ZIP:
                raise InvalidInputError(f"{title} is a zip archive that breaks off or is damaged")
    except OSError as error:
        raise InvalidInputError(f"{title} cannot be read: {error.strerror}") from error
    root = path_in_words(place.resolve().parent.name) if root is None else root
    return SourceFiles(title, {path_in_words(place.name): lambda: place.open("rb")}, {}, root=root)


def file_of(name: str, content: bytes) -> SourceFiles:
    """A file that is in memory, such as one from stdin, or the members of an archive.

    Raises:
        InvalidInputError: It is an archive that cannot or should not be unpacked.
    """
    if content.startswith(_ZIP):
        return _members(BytesIO(content), name, size=len(content)).files(name, root="")
    return SourceFiles(name, {name: lambda: BytesIO(content)}, {}, root="")


class _Found(NamedTuple):
    """Files by their names: how to open them, why some are not read, when those in archives were written."""

    openers: dict[str, Callable[[], BinaryIO]]
    refused: dict[str, str]
    packed: dict[str, datetime]

    def files(self, title: str, *, root: str) -> SourceFiles:
        return SourceFiles(title, self.openers, self.refused, root=root, packed=self.packed)


def _of_folder(folder: Path, title: str) -> SourceFiles:
    found = _Found({}, {}, {})
    refused = found.refused
    root = folder.resolve()
    for parent, folders, files in os.walk(folder):
        folders.sort()
        links = [one for one in folders if Path(parent, one).is_symlink()]
        for one in sorted([*files, *links]):
            place = Path(parent, one)
            name = path_in_words(place.relative_to(folder).as_posix())
            if not place.resolve().is_relative_to(root):
                refused[name] = "links out of the folder"
            elif stat.S_ISREG(place.stat().st_mode if place.exists() else 0):
                _add(place, name, found)
            else:
                refused[name] = "special files"
        _check_number(len(found.openers), title)
    return found.files(title, root=path_in_words(root.name))


def _add(place: Path, name: str, found: _Found) -> None:
    """Add a file of a folder, or the members of an archive in it."""
    try:
        if not (name.lower().endswith(".zip") and zipfile.is_zipfile(place)):
            found.openers[name] = _opener(place)
            return
        inside = _members(place, name, size=place.stat().st_size)
    except (InvalidInputError, OSError):
        found.refused[name] = "archives that cannot be unpacked"
    else:
        found.openers.update((f"{name}/{one}", opener) for one, opener in inside.openers.items())
        found.refused.update((f"{name}/{one}", why) for one, why in inside.refused.items())
        found.packed.update((f"{name}/{one}", at) for one, at in inside.packed.items())


def _opener(place: Path) -> Callable[[], BinaryIO]:
    return lambda: place.open("rb")


def _members(place: Path | BytesIO, title: str, *, size: int) -> _Found:
    """The members of an archive.

    Raises:
        InvalidInputError: It is damaged, or unpacks to much more than words would.
    """
    found = _Found({}, {}, {})
    try:
        archive = zipfile.ZipFile(place)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, ValueError) as error:
        raise InvalidInputError(f"{title} is a damaged archive: {_said(error)}") from error
    members = [one for one in archive.infolist() if one.filename and not one.is_dir()]
    _check_number(len(members), title)
    unpacked = sum(one.file_size for one in members)
    if unpacked > max(_BOMB_BYTES, _BOMB_RATIO * size):
        raise InvalidInputError(
            f"{title} would unpack to {unpacked:,} bytes, over {_BOMB_RATIO} times its size; "
            "that is no export of words: unpack it yourself if you trust it"
        )
    for one in members:
        why = _trick_in(one)
        if why:
            found.refused[one.filename] = why
            continue
        found.openers[one.filename] = _unpacker(archive, one)
        if at := _written(one):
            found.packed[one.filename] = at
    return found


def _written(member: zipfile.ZipInfo) -> datetime | None:
    """When a member was written; None for the first moment that archives know, which stands for none."""
    try:
        at = datetime(*member.date_time)  # noqa: DTZ001 - archives know no zones
    except ValueError:
        return None
    return None if member.date_time == _FIRST else at


def _unpacker(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> Callable[[], BinaryIO]:
    return lambda: archive.open(member)  # type: ignore[return-value]  # it has what reading needs


def _trick_in(member: zipfile.ZipInfo) -> str | None:
    """Why a member of an archive is not read."""
    name = PurePosixPath(member.filename.replace("\\", "/"))
    if name.is_absolute() or ".." in name.parts or ":" in "".join(name.parts[:1]):
        return "paths out of the archive"
    if stat.S_ISLNK(member.external_attr >> 16):
        return "links in the archive"
    if member.flag_bits & 1:
        return "files with a password"
    return None


def _check_number(count: int, title: str) -> None:
    if count > MAX_FILES:
        raise InvalidInputError(f"{title} has more than {MAX_FILES:,} files")


def _said(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error) or type(error).__name__
