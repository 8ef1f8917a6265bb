"""Writes memories as a folder of Markdown: pages that stay the same while their memories do.

Each user has a folder with ``index.md``, ``people/``, ``projects/`` and ``months/`` (see ``pages``). Writing
again changes only pages that differ, and removes those that nothing stands on any more.
"""

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Final

from recollect.checks import check_path, path_in_words
from recollect.errors import InvalidInputError
from recollect.learning.profile import FACTS
from recollect.memory.exports.edits import Edits
from recollect.memory.exports.items import digest_of
from recollect.memory.exports.manifest import NAME, Manifest, manifest_of, put
from recollect.memory.exports.pages import FolderPage, ItemPlace, Placing, by_heading, file_name, names_in
from recollect.memory.maintenance.transfer import all_of
from recollect.memory.parts import Parts
from recollect.types import MemoryRecord, Scope

INDEX: Final = "index.md"
_AT_ONCE: Final = 1_000


def write_folders(parts: Parts, target: str | os.PathLike[str], *, user_ids: list[str]) -> int:
    """Write a folder for each user below ``target``; see ``Memory.export``. Returns how many memories.

    Raises:
        InvalidInputError: A folder has edits that were not applied, or files of others where pages would
            stand; nothing of that user was written. Or a file cannot be written.
    """
    above = check_path("target", target)
    folders = [_Folder(parts, above, user_id) for user_id in user_ids]
    try:
        for folder in folders:
            folder.check()
        return sum(folder.write() for folder in folders)
    except OSError as error:
        raise InvalidInputError(f"{path_in_words(above)} cannot be written: {error.strerror}") from error


class _Folder:
    """The folder of one user."""

    def __init__(self, parts: Parts, above: Path, user_id: str) -> None:
        self._scope = Scope(user_id=user_id)
        self._store = parts.store
        self._root = above / file_name(user_id, exact=True)
        self._known = manifest_of(self._root) or Manifest(user_id=user_id)
        self._edits = Edits(parts, self._root, self._known)
        facts = self._store.find(self._scope, FACTS)
        self._pages = Placing(names_in(facts), timezone=parts.timezone, now=parts.clock())
        self._about: dict[str, FolderPage] = {}
        self._places: dict[str, list[ItemPlace]] = {}

    def check(self) -> None:
        """Find what would be lost by writing, before anything is written."""
        if self._known.user_id != self._scope.user_id:
            raise InvalidInputError(f"{path_in_words(self._root)} is the folder of {self._known.user_id!r}")
        waiting = [one for one in self._edits.found() if one.what != "missing"]
        if waiting:
            raise InvalidInputError(
                f"{path_in_words(self._root)} has {len(waiting)} edits that were not applied, first "
                f"{waiting[0].page}, line {waiting[0].line}: recollect apply, or export into a new folder"
            )
        self._sort()
        for path in [INDEX, NAME, *self._about]:
            file = self._root / path
            if file.is_symlink() or any(one.is_symlink() for one in self._above(file)):
                raise InvalidInputError(f"{path_in_words(file)} is or lies behind a link; export elsewhere")
            if file.exists() and path != NAME and path not in self._known.pages:
                raise InvalidInputError(
                    f"{path_in_words(file)} was not written by an export; move it, or export elsewhere"
                )

    def write(self) -> int:
        """Write what differs; what a kill leaves is completed by the next export."""
        self._root.mkdir(parents=True, exist_ok=True)
        pages = {INDEX: {}, **{path: page.about for path, page in self._about.items()}}
        ours = replace(self._known, pages={**self._known.pages, **pages})
        ours.save(self._root)
        items: dict[str, tuple[str, str]] = {}
        for path, page in self._about.items():
            put(self._root / path, self._text(page, items))
        put(self._root / INDEX, self._index())
        for path in self._known.pages.keys() - pages.keys():
            self._remove(self._root / path)
        Manifest(user_id=self._scope.user_id, pages=pages, items=items).save(self._root)
        return len(items)

    def _sort(self) -> None:
        """Find the page of each memory; pages whose names differ in capitals alone are one."""
        found: dict[str, list[tuple[FolderPage, ItemPlace]]] = {}
        for record in all_of(self._store, self._scope):
            page = self._pages.of(record)
            if page is not None:
                found.setdefault(page.path.casefold(), []).append((page, self._pages.place(record)))
        for _, both in sorted(found.items()):
            page = min((page for page, _ in both), key=lambda one: one.path)
            self._about[page.path] = page
            self._places[page.path] = [place for _, place in both]

    def _text(self, page: FolderPage, items: dict[str, tuple[str, str]]) -> str:
        parts = [_front_matter(page.about), f"# {page.title}\n"]
        for heading, places in by_heading(self._places[page.path]):
            parts.append(f"\n## {heading}\n\n")
            for record in self._records([place.id for place in places]):
                items[record.id] = page.path, digest_of(record.content)
                sources = self._store.get(self._scope, record.origin.sources) if record.kind == "fact" else []
                parts.append(self._pages.item(record, [one for one in sources if one is not None]))
        return "".join(parts)

    def _records(self, ids: list[str]) -> Iterator[MemoryRecord]:
        for start in range(0, len(ids), _AT_ONCE):
            found = self._store.get(self._scope, ids[start : start + _AT_ONCE])
            yield from (record for record in found if record is not None)

    def _index(self) -> str:
        lines = [_front_matter({}), f"# {' '.join(self._scope.user_id.split())}\n"]
        last = ""
        for path, page in self._about.items():
            shelf = PurePosixPath(path).parts[0]
            if shelf != last:
                lines.append(f"\n## {shelf.capitalize()}\n\n")
                last = shelf
            title = page.title.replace("[", "\\[").replace("]", "\\]")
            lines.append(f"- [{title}]({path.replace(' ', '%20')}): {len(self._places[path]):,}\n")
        return "".join(lines)

    def _remove(self, file: Path) -> None:
        """Remove a page, and folders that are empty without it."""
        if any(one.is_symlink() for one in (file, *self._above(file))):
            return
        file.unlink(missing_ok=True)
        for folder in self._above(file):
            if folder.is_dir() and not any(folder.iterdir()):
                folder.rmdir()

    def _above(self, file: Path) -> list[Path]:
        """The folders of a file below the user's, the innermost first, and the user's."""
        within = file.relative_to(self._root).parents
        return [self._root / one for one in within]


def _front_matter(about: Mapping[str, str]) -> str:
    kind = next(iter(about), "index")
    fields = {"recollect": kind, **about, "tags": ["recollect"]}
    lines = [f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in fields.items()]
    return "\n".join(["---", *lines, "---", "", ""])
