"""Reads a folder of Markdown back: what was edited, added and deleted in it, and makes it so in the memory.

================================================= ==================== ===================================
in the folder                                     in the memory since  what it is
================================================= ==================== ===================================
other words                                       nothing              ``changed``: a correction
the same words                                    anything             nothing to do
other words                                       changed or deleted   ``conflict``: nothing happens
a new item                                                             ``added``: a message, or a fact
                                                                       where facts stand
an item is gone, or has no words left             nothing              ``missing``, or ``deleted`` where
                                                                       that was asked for
an item is gone                                   changed              ``missing``; if asked ``conflict``
a line that is no item; an item nobody can store                       ``refused``
================================================= ==================== ===================================
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from hashlib import blake2b
from os import PathLike
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, Final, Literal

from recollect.checks import check_bool, check_content, check_id, check_path, if_given, path_in_words
from recollect.errors import InvalidInputError, RecollectError
from recollect.learning.profile import FACTS
from recollect.memory.changes.edit import update
from recollect.memory.exports.items import PageItem, Stray, broken_front_matter, digest_of, mark_of, read
from recollect.memory.exports.manifest import NAME, Manifest, manifest_of, markdown_files, put, text_of
from recollect.memory.exports.pages import BEFORE, Placing, names_in
from recollect.memory.parts import Parts
from recollect.types import JSON, MemoryRecord, Scope
from recollect.types.guesses import Result
from recollect.types.records import reason_of
from recollect.types.spaces import BY, speaker_named

if TYPE_CHECKING:
    from recollect.memory.memory import Memory

EditKind = Literal["changed", "added", "deleted", "missing", "conflict", "refused"]
_AT_ONCE: Final = 1_000
_KEY: Final = "markdown:"
_INDEX: Final = "index.md"
_GENERAL: Final = "general"
_NOON: Final = "12:00"
_WHEN: Final = re.compile(r"(?P<day>\d{4}-\d\d-\d\d)(?: (?P<session>.+))?")
_CLOCK: Final = re.compile(r"(?:[01]\d|2[0-3]):[0-5]\d")
Asked = tuple[Path, Manifest, str | None]
"""A user's folder, and the page in it that is asked for alone, if one is."""
_SPOKEN: Final = re.compile(r"(?:(?P<time>\d\d:\d\d) )?(?:\*\*(?P<speaker>.+?)\*\*:)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit(Result):
    """A difference between a folder and the memory; see the table of ``recollect.memory.exports.edits``.

    Attributes:
        what: What it is.
        user_id: Whose.
        page: The path of its page from the user's folder.
        line: Where on the page, from 1; 0 for an item that is gone.
        memory_id: Which memory; None for one that was not there before.
        before: The words in the memory; None for an ``added`` one.
        after: The words in the folder; None for one that is gone.
        reason: Why it was not done.
    """

    what: EditKind
    user_id: str
    page: str
    line: int
    memory_id: str | None = None
    before: str | None = None
    after: str | None = None
    reason: str | None = None

    def to_dict(self) -> dict[str, JSON]:
        """All of it, ready for JSON."""
        names = ("what", "user_id", "page", "line", "memory_id", "before", "after", "reason")
        return {name: getattr(self, name) for name in names}


def apply_edits(
    memory: "Memory",
    *paths: str | PathLike[str],
    user_id: str | None = None,
    delete_missing: bool = False,
    dry_run: bool = False,
    by: str | None = None,
) -> list[Edit]:
    """Make the edits of a folder that ``export`` wrote as Markdown so in the memory.

    An item with other words corrects its memory; a new item is added, and gets its id in the file. What
    was changed in the memory since the export, too, is a conflict and stays as it is. Applying again
    changes nothing.

    Args:
        memory: The memory.
        paths: The folder, or that of one user in it; or pages in it, whose edits alone are made then.
        user_id: Only this user's; by default everyone's in it.
        delete_missing: Delete the memories whose items are gone.
        dry_run: Only tell what would be done.
        by: Which member of a team space makes them, for the history and of what is added.

    Returns:
        The edits by page and line, also those that were not done, with the reason; see
        ``recollect.memory.exports.edits``.

    Raises:
        InvalidInputError: It is no such folder or page, or a file in it cannot be read; nothing was changed.
    """
    memory.parts.check_open()
    if_given(check_id, "user_id", user_id)
    check_bool("delete_missing", delete_missing)
    check_bool("dry_run", dry_run)
    asked: dict[Path, tuple[Path, Manifest, set[str | None]]] = {}
    for path in paths:
        for root, manifest, page in _asked_for(check_path("path", path), user_id):
            asked.setdefault(root.resolve(), (root, manifest, set()))[2].add(page)
    planned = []
    for root, manifest, pages in asked.values():
        edits = Edits(memory.parts, root, manifest, by=by)
        found = (one for one in edits.found() if pages & {None, one.page})
        planned.append((edits, [edits.asked_for(one) if delete_missing else one for one in found]))
    return [one for edits, some in planned for one in (some if dry_run else edits.applied(memory, some))]


def _asked_for(path: Path, user_id: str | None) -> list[Asked]:
    """What is asked for by a path: the folders of users there, or a page.

    Raises:
        InvalidInputError: There is none.
    """
    whose = "" if user_id is None else f" of {user_id!r}"
    if not path.is_file():
        below = sorted(one for one in path.iterdir() if one.is_dir()) if path.is_dir() else []
        found: list[Asked] = [(root, manifest, None) for root, manifest in _exported([path, *below], user_id)]
        if not found:
            raise InvalidInputError(
                f"{path_in_words(path)} holds no export{whose}; write one: recollect export --format markdown"
            )
        return found
    there = path.resolve()
    for root, manifest in _exported(there.parents, user_id):
        page = there.relative_to(root).as_posix()
        if page in manifest.pages:
            return [(root, manifest, page)]
    raise InvalidInputError(
        f"{path_in_words(path)} is no page of an export{whose}. What was edited on a page is told by {NAME} "
        "of its folder: give the page where it was exported, or the folder, in which other pages may stay as "
        "they are"
    )


def _exported(folders: Iterable[Path], user_id: str | None) -> Iterator[tuple[Path, Manifest]]:
    """Those of some folders that are of one user and were exported."""
    for root in folders:
        manifest = manifest_of(root)
        if manifest is not None and user_id in (None, manifest.user_id):
            yield root, manifest


class Edits:
    """The edits in the folder of one user."""

    def __init__(self, parts: Parts, root: Path, manifest: Manifest, *, by: str | None = None) -> None:
        self._scope = Scope(user_id=manifest.user_id)
        self._parts = parts
        self._store = parts.store
        self._root = root
        self._manifest = manifest
        self._by = by
        self._new: dict[Edit, PageItem] = {}

    def found(self) -> list[Edit]:
        """What differs, page by page; changes nothing."""
        if not self._manifest.pages:
            return []
        edits: list[Edit] = []
        items: dict[str, tuple[str, PageItem]] = {}
        self._check_links()
        for page, file in markdown_files(self._root):
            if page != _INDEX:
                edits += self._on_page(page, text_of(file), items)
        strays = {one.memory_id for one in edits if one.what == "refused"}
        ids = [one for one in dict.fromkeys([*self._manifest.items, *items]) if one not in strays]
        for start in range(0, len(ids), _AT_ONCE):
            some = ids[start : start + _AT_ONCE]
            for memory_id, record in zip(some, self._store.get(self._scope, some), strict=True):
                edits += self._known(memory_id, record, items.get(memory_id))
        return sorted(edits, key=lambda one: (one.page, one.line))

    def _check_links(self) -> None:
        """Refuse a page behind a link: nothing is read there, so its items would seem gone."""
        for page in self._manifest.pages:
            file = self._root / page
            inside = [file, *(self._root / one for one in PurePosixPath(page).parents)]
            if any(one.is_symlink() for one in inside):
                raise InvalidInputError(f"{path_in_words(file)} is or lies behind a link; move it back")

    def asked_for(self, edit: Edit) -> Edit:
        """A missing item as a deletion, unless its memory has changed since."""
        if edit.what != "missing":
            return edit
        _, digest = self._manifest.items[str(edit.memory_id)]
        if digest_of(str(edit.before)) != digest:
            return replace(edit, what="conflict", reason="it is gone here, but changed in the memory since")
        return replace(edit, what="deleted")

    def applied(self, memory: "Memory", edits: Sequence[Edit]) -> list[Edit]:
        """Do what was planned. What fails is ``refused`` with its reason, and the others go on.

        New items get the ids of their memories, and the manifest says what the folder holds now.
        """
        done = [self._applied(memory, one) for one in edits]
        self._name_new_items([one for one in done if one.what == "added"])
        items = dict(self._manifest.items)
        for one in done:
            if one.memory_id is not None and one.what in ("changed", "added"):
                items[one.memory_id] = one.page, digest_of(str(one.after))
            elif one.what == "deleted":
                del items[str(one.memory_id)]
        if items != self._manifest.items:
            replace(self._manifest, items=items).save(self._root)
        return done

    def _name_new_items(self, added: Sequence[Edit]) -> None:
        """Write the ids of new items at the ends of their lines."""
        for page in dict.fromkeys(one.page for one in added):
            file = self._root / page
            lines = text_of(file).split("\n")
            for one in added:
                if one.page == page:
                    text, cut = lines[one.line - 1].rstrip(), lines[one.line - 1].endswith("\r")
                    lines[one.line - 1] = f"{text} {mark_of(str(one.memory_id))}" + "\r" * cut
            put(file, "\n".join(lines))

    def _applied(self, memory: "Memory", edit: Edit) -> Edit:
        why = f"edited in {edit.page}"
        why = why if self._by is None else reason_of(f"by {self._by}", why)
        try:
            if edit.what == "changed":
                self._change(memory, edit, reason=why)
            elif edit.what == "deleted":
                self._delete(memory, str(edit.memory_id), reason=why)
            elif edit.what == "added":
                return self._added(memory, edit)
        except RecollectError as error:
            return replace(edit, what="refused", reason=str(error))
        return edit

    def _change(self, memory: "Memory", edit: Edit, *, reason: str) -> None:
        """Give a memory the words of its item; in a team space it keeps who changed it last."""
        update(
            memory.parts,
            str(edit.memory_id),
            user_id=self._scope.user_id,
            content=edit.after,
            reason=reason,
            by=self._by,
        )

    def _delete(self, memory: "Memory", memory_id: str, *, reason: str) -> None:
        """Delete a memory, unless it went with another one that was deleted before it."""
        if self._store.get(self._scope, [memory_id])[0] is not None:
            memory.delete(memory_id, user_id=self._scope.user_id, reason=reason)

    def _added(self, memory: "Memory", edit: Edit) -> Edit:
        message, session_id = self._message(edit), self._session(edit)
        (result,) = memory.add(message, user_id=self._scope.user_id, session_id=session_id)
        if result.id is None:
            return replace(edit, what="refused", reason=result.reason)
        return replace(edit, memory_id=result.id)

    def _on_page(self, page: str, text: str, items: dict[str, tuple[str, PageItem]]) -> Iterator[Edit]:
        """What is wrong or new on a page; its known items go into ``items``."""
        ours = page in self._manifest.pages
        front = broken_front_matter(text) if ours else 0
        if front:
            reason = "its front matter is broken: it stands between two lines '---' at the top of the page"
            at = Edit(what="refused", user_id=self._scope.user_id, page=page, line=1)
            yield replace(at, after=text.partition("\n")[0].strip(), reason=reason)
        for part in read(text, self._manifest.items):
            at = Edit(what="refused", user_id=self._scope.user_id, page=page, line=part.line)
            if isinstance(part, Stray):
                if ours and part.line > front:
                    reason = "it is no item: begin the line with '- '"
                    known = part.id if part.id in self._manifest.items else None
                    yield replace(at, memory_id=known, after=part.text, reason=reason)
            elif part.id is None:
                if ours:
                    yield from self._fresh(at, part)
            elif part.id not in items:
                items[part.id] = page, part
            elif items[part.id][1].first != part.first or items[part.id][1].more != part.more:
                other = f"{items[part.id][0]}, line {items[part.id][1].line}"
                reason = f"the same memory stands in other words in {other}"
                yield replace(at, what="conflict", memory_id=part.id, after=part.first.strip(), reason=reason)

    def _fresh(self, at: Edit, item: PageItem) -> Iterator[Edit]:
        words = item.words("" if "person" in self._manifest.pages[at.page] else None)
        if not words:
            return
        spoken = _SPOKEN.match(item.first.strip())
        time = spoken and spoken["time"]
        if time and not _CLOCK.fullmatch(time):
            yield replace(at, after=item.first.strip(), reason=f"{time} is no time of a day")
            return
        edit = self._checked(replace(at, what="added", after=words))
        self._new[edit] = item
        yield edit

    def _known(
        self, memory_id: str, record: MemoryRecord | None, there: tuple[str, PageItem] | None
    ) -> Iterator[Edit]:
        """What became of a memory that was exported, or that an item names."""
        page, digest = self._manifest.items.get(memory_id, ("", ""))
        at = Edit(what="missing", user_id=self._scope.user_id, page=page, line=0, memory_id=memory_id)
        if there is None:
            if record is not None:
                yield replace(at, before=record.content)
            return
        at = replace(at, page=there[0], line=there[1].line)
        if record is None:
            words = there[1].words(None)
            if digest_of(words) != digest:
                reason = "it was deleted in the memory" if digest else "no memory of this user has this id"
                yield replace(at, what="conflict" if digest else "refused", after=words, reason=reason)
            return
        words = there[1].words(self._pages.prefix(record))
        at = replace(at, before=record.content, after=words)
        if digest_of(words) in (digest, digest_of(record.content)):
            return
        if digest_of(record.content) != digest:
            yield replace(at, what="conflict", reason="it was changed in the memory since the export")
        elif not words:
            yield replace(at, after=None)
        else:
            yield self._checked(replace(at, what="changed"))

    def _checked(self, edit: Edit) -> Edit:
        try:
            check_content("the item", edit.after)
        except InvalidInputError as error:
            return replace(edit, what="refused", reason=str(error))
        return edit

    def _message(self, edit: Edit) -> dict[str, Any]:
        """A new item as ``add`` takes it: its page tells what it is, its heading when it was."""
        item, about = self._new[edit], self._manifest.pages[edit.page]
        signed = {} if self._by is None else {BY: self._by}
        message: dict[str, Any] = {
            "content": edit.after,
            "idempotency_key": self._key_of(edit),
            "metadata": signed,
        }
        if "person" in about:
            category = item.heading.lower()
            named = None if category in ("", _GENERAL, BEFORE.lower()) else category
            said = {"subject": about["person"], **signed}
            return {**message, "kind": "fact", "category": named, "metadata": said}
        spoken = _SPOKEN.match(item.first.strip())
        message |= {"name": self._speaker(spoken), "timestamp": self._moment(item, spoken)}
        return message | ({"metadata": {"project": about["project"], **signed}} if "project" in about else {})

    def _speaker(self, spoken: re.Match[str] | None) -> str | None:
        """Who says a new item; in a team space the member, or somebody by the member."""
        name: str | None = spoken and spoken["speaker"]
        return speaker_named(name, self._by) if name and self._by else name or self._by

    def _moment(self, item: PageItem, spoken: re.Match[str] | None) -> datetime | None:
        """The day of the heading, at the item's time or at noon; None where there is no day."""
        when = _WHEN.fullmatch(item.heading)
        if when is None:
            return None
        time = (spoken and spoken["time"]) or _NOON
        try:
            moment = datetime.fromisoformat(f"{when['day']}T{time}")
        except ValueError:
            return None
        return moment.replace(tzinfo=self._parts.timezone)

    def _session(self, edit: Edit) -> str | None:
        when = _WHEN.fullmatch(self._new[edit].heading)
        facts = "person" in self._manifest.pages[edit.page]
        return when["session"] if when and not facts else None

    def _key_of(self, edit: Edit) -> str:
        """What keeps a new item from being stored twice when it was stored, but not named, before a kill."""
        named = "\n".join([edit.page, self._new[edit].heading, str(edit.after)])
        return f"{_KEY}{blake2b(named.encode(), digest_size=16).hexdigest()}"

    @cached_property
    def _pages(self) -> Placing:
        facts = self._store.find(self._scope, FACTS)
        return Placing(names_in(facts), timezone=self._parts.timezone, now=self._parts.clock())
