"""A tree of text files in a user's memory: each file is a document, and folders are what paths share."""

from collections.abc import Iterable, Mapping
from posixpath import normpath
from typing import Final

from recollect import Memory
from recollect.errors import InvalidInputError
from recollect.integrations.records import Keyed, KeyedRecords

ROOT: Final = "/memories"
PROFILE: Final = f"{ROOT}/profile.md"
"""A file that the memory writes: what it has learned about the user. It is there once there is something."""


class FileTree:
    """The files of one user, by their paths below ``/memories``.

    Args:
        memory: Where they are kept.
        user_id: Whose they are.
    """

    def __init__(self, memory: Memory, *, user_id: str) -> None:
        self._memory = memory
        self._user_id = user_id
        self._records = KeyedRecords(memory, user_id=user_id, space="claude_memory")

    def path_of(self, given: str) -> str:
        """A path without ``.``, ``..`` and doubled slashes.

        Raises:
            InvalidInputError: It leads out of ``/memories``.
        """
        if given != ROOT and not given.startswith(f"{ROOT}/"):
            raise InvalidInputError(f"Path must start with {ROOT}, got: {given}")
        path = normpath(given)
        if path != ROOT and not path.startswith(f"{ROOT}/"):
            raise InvalidInputError(f"Path {given} would escape {ROOT} directory")
        return path

    def read(self, path: str) -> str | None:
        """The text of a file; None where there is none."""
        if path == PROFILE:
            return str(self._memory.profile(user_id=self._user_id)) or None
        record = self._records.get([path]).get(path)
        return None if record is None else str(record.metadata["text"])

    def write(self, texts: Mapping[str, str]) -> str | None:
        """Store files, or replace them; returns what was masked in them, if anything was.

        Raises:
            InvalidInputError: One is not to be written to, or cannot be stored; nothing was.
        """
        kept: list[Keyed] = []
        notes: list[str] = []
        for path, text in texts.items():
            self._check_writable(path)
            screened = self._memory.maintenance.screen(text) if text.strip() else None
            if screened is not None and screened.redacted:
                notes.append(screened.redacted)
            words = screened.text if screened is not None and screened.redacted else text
            kept.append(Keyed(key=path, words=words, marks={"text": words}))
        self._records.put(kept)
        return "; ".join(dict.fromkeys(notes)) or None

    def delete(self, paths: Iterable[str]) -> None:
        """Delete files."""
        self._records.delete(list(paths))

    def below(self, folder: str) -> dict[str, int]:
        """The sizes in bytes of the files in a folder and its folders, by path."""
        records = self._records.find(f"{folder}/")
        sizes = {self._records.key_of(one): len(str(one.metadata["text"]).encode()) for one in records}
        about = self.read(PROFILE) if folder == ROOT else None
        return sizes if about is None else {**sizes, PROFILE: len(about.encode())}

    def is_folder(self, path: str) -> bool:
        """Whether a path is the root or has files below it."""
        return path == ROOT or bool(self._records.find(f"{path}/", limit=1))

    def _check_writable(self, path: str) -> None:
        if path == PROFILE:
            raise InvalidInputError(f"The file {PROFILE} is written by the memory itself. Use another path.")
        folder = path.rpartition("/")[0]
        while folder != ROOT:
            if self.read(folder) is not None:
                raise InvalidInputError(f"The path {folder} is not a directory.")
            folder = folder.rpartition("/")[0]
