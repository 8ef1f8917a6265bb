"""Everything in some files, checked and with its times, as ``Memory.add`` can take it."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import PurePosixPath
from typing import Final

from recollect.checks import check_id, check_metadata, if_given
from recollect.errors import InvalidInputError, UnclearFileError, as_given
from recollect.ingest.messages import Defaults, Screen, read_messages
from recollect.ingest.sources.files import SourceFiles, is_hidden
from recollect.ingest.sources.formats import Detected
from recollect.ingest.sources.markdown import exported_pages
from recollect.ingest.sources.report import ImportReport
from recollect.ingest.sources.source import (
    EVERYBODY,
    BrokenRecord,
    Found,
    ReadOptions,
    Skipped,
    SourceChat,
    SourceDocument,
    SourceItem,
)
from recollect.ingest.sources.unknown import why_not
from recollect.ingest.sources.values import digest_of
from recollect.types.characters import one_line

FROM: Final = "imported_from"
DIGEST: Final = "import_digest"
"""What the metadata of an imported memory say: its format, and a hash of its words and times there."""
CHECKED: Final = Defaults(kind="message", metadata={}, timestamp=None, valid_until=None, idempotency_key=None)
"""An item says all that holds for it."""
_UNSCREENED: Final = Screen(secrets="keep")
"""Items are checked before they are stored, which screens them."""
_MOST_ID: Final = 200
_MOST_NAME: Final = 200
"""Characters of an id and of a name or title. Chosen by hand."""
_NAMED: Final = 8
"""Names that an error lists. Chosen by hand."""


class Survey:
    """What is in some files for a user. It can be gone through again and again.

    Args:
        files: The files.
        parts: The formats that they have, and which of them each reads.
        options: What the files do not say themselves.
        user_id: Whose the words become: of a dump of several users only those of ``options.owner`` are
            taken, else those of this user.

    Attributes:
        title: What the files are, for people.
        sources: The ids of the messages that say facts, once they were counted.
    """

    def __init__(
        self,
        files: SourceFiles,
        parts: Sequence[Detected],
        *,
        options: ReadOptions,
        user_id: str,
    ) -> None:
        self.parts = parts
        self.title = ", ".join(part.source.title for part in parts)
        self._files = files
        self._pages = exported_pages(files)
        self._options = options
        self.user_id = user_id
        self._owners: set[tuple[str, ...]] = set()
        self.sources: set[str] = set()

    def report(self, *, dry_run: bool = False) -> ImportReport:
        """Count everything."""
        for part in self.parts:
            for one in self._items_of(part):
                self.sources.update(one.sources)
                self._owners.update([one.owners] if one.owners else [])
        formats = ", ".join(part.source.name for part in self.parts)
        made = ImportReport(format=formats, title=self.title, dry_run=dry_run)
        made.left_out.update(self._files.refused.values())
        made.left_out.update("pages that Recollect exported" for name in self._pages if not is_hidden(name))
        chats = set()
        speaking = set()
        for found in self.found():
            made.count(found)
            if isinstance(found, SourceItem):
                speaking.add((found.format, found.role))
                chats.add((found.format, found.chat.id) if found.chat else None)
        made.conversations = len(chats - {None})
        made.notes += self._not_read()
        made.notes += self._of_another()
        if dry_run and (unclear := self._unclear_owner()):
            made.notes.append(unclear)
            made.owners = self._owner_names()
        self._look_for_user(made, speaking)
        return made

    def _look_for_user(self, made: ImportReport, speaking: set[tuple[str, str]]) -> None:
        """Say in which formats nobody is the user; who is known in one of several need not be in all."""
        named = self._options.me is not None
        several = [part.source for part in self.parts if part.source.several or named]
        without = [
            one for one in several if (one.name, "other") in speaking and (one.name, "user") not in speaking
        ]
        found = named and any((one.name, "user") in speaking for one in several)
        made.unknown_user = bool(without) and not found
        if found:
            made.notes += [
                f"nobody in the {one.title} is called {as_given(self._options.me)}: it counts as words "
                "of others; import it again with your name there, which corrects that"
                for one in without
            ]

    def checked(self) -> ImportReport:
        """Count everything that is to be stored.

        Raises:
            UnclearFileError: It is not known who of several people the user is, or whose the memories are.
            InvalidInputError: The user is named, and no names are read.
        """
        report = self.report()
        if unclear := self._unclear_owner():
            raise UnclearFileError(unclear, option="owner", choices=self._owner_names())
        if report.unknown_user:
            nobody = f"nobody is called {as_given(self._options.me)}; " if self._options.me else ""
            names = [name for name, _ in report.speakers.most_common()]
            if not names and self._options.me:
                raise InvalidInputError(f"{nobody}no names are read from it: leave out me (--me)")
            broken = [f"; broken is {one.where}: {one.reason}" for one in report.broken[:1]]
            raise UnclearFileError(
                f"{nobody}say who you are with me (--me NAME): {_some(names)}{''.join(broken)}",
                option="me",
                choices=names,
            )
        return report

    def items(self) -> Iterator[SourceItem]:
        """The messages and facts, in order."""
        return (found for found in self.found() if isinstance(found, SourceItem))

    def documents(self) -> Iterator[SourceDocument]:
        """The documents, in order."""
        return (found for found in self.found() if isinstance(found, SourceDocument))

    def found(self) -> Iterator[Found]:
        """What the readers yield, checked; what cannot be stored is broken."""
        for part in self.parts:
            yield from self._found_in(part)

    def _found_in(self, part: Detected) -> Iterator[Found]:
        chat: SourceChat | None = None
        at: datetime | None = None
        for found in self._read(part):
            if isinstance(found, SourceDocument):
                yield replace(found, format=part.source.name, content=_whole(found.content))
            elif not isinstance(found, SourceItem):
                yield found
            elif self._is_of_another(found):
                yield Skipped(reason="memories of other users")
            else:
                if found.chat is not None and (chat is None or found.chat.id != chat.id):
                    chat, at = found.chat, found.chat.started_at
                item = _cleaned(found, at if found.chat else None, format_name=part.source.name)
                at = item.at if found.chat else at
                yield _check(item) or item

    def _not_read(self) -> list[str]:
        """A note on the files that no format reads."""
        read = {*self._pages, *(name for part in self.parts for name in part.names)}
        beside = {name for part in self.parts for name in part.source.beside}
        others = [
            name
            for name in self._files.names
            if name not in read and not is_hidden(name) and PurePosixPath(name).name not in beside
        ]
        by_reason: dict[str, list[str]] = {}
        for name in others:
            by_reason.setdefault(why_not(self._files, name), []).append(name)
        return [f"not read: {_some(names)}: {why}" for why, names in by_reason.items()]

    def _of_another(self) -> list[str]:
        """A note where everything is one user's, whom the file calls otherwise."""
        if self._options.owner is not None or len(self._owners) != 1:
            return []
        (names,) = self._owners
        if self.user_id in names:
            return []
        return [f"{self._files.title} holds memories of {names[0]!r}; they become those of {self.user_id!r}"]

    @property
    def _owner(self) -> str:
        return self._options.owner or self.user_id

    def _is_of_another(self, item: SourceItem) -> bool:
        """Whether an item of a dump of several users is not the user's."""
        chosen = self._options.owner is not None or len(self._owners) > 1
        return chosen and bool(item.owners) and self._owner not in (EVERYBODY, *item.owners)

    def _unclear_owner(self) -> str | None:
        """What to say where it is not known whose memories are meant."""
        is_clear = len(self._owners) < 2 and self._options.owner is None  # noqa: PLR2004 - one user
        if is_clear or any(self._owner in (EVERYBODY, *names) for names in self._owners):
            return None
        names = _some(self._owner_names())
        return (
            f"{self._files.title} holds memories of several users and none of {self._owner!r}: "
            f"{names or 'nobody is named'}; name one as owner (--owner NAME), or * for all of them"
        )

    def _owner_names(self) -> list[str]:
        return sorted({one[0] for one in self._owners})

    def _read(self, part: Detected) -> Iterator[Found]:
        return part.source.read(self._files, part.names, self._options)

    def _items_of(self, part: Detected) -> Iterator[SourceItem]:
        return (found for found in self._read(part) if isinstance(found, SourceItem))


def message_of(item: SourceItem) -> dict[str, object]:
    """An item as ``Memory.add`` takes it."""
    told = {**item.metadata, FROM: item.format, DIGEST: digest_in(item)}
    message: dict[str, object] = {
        "content": item.content,
        "role": item.role,
        "kind": item.kind,
        "metadata": told,
        "idempotency_key": key_of(item),
    }
    given = {"name": item.speaker, "timestamp": item.at or item.written_at, "valid_until": item.valid_until}
    labels = {"concepts": list(item.concepts), "tags": list(item.tags), "category": item.category}
    message |= {} if item.confidence is None else {"confidence": item.confidence}
    return message | {name: value for name, value in {**given, **labels}.items() if value}


def key_of(item: SourceItem) -> str:
    """The idempotency key of an item."""
    return f"{item.format}:{_short(item.id)}"


def keys_of(item: SourceItem) -> list[str]:
    """The idempotency keys under which an item may be stored; the first is that of a new one."""
    return [key_of(item), *(f"{item.format}:{other}" for other in item.other_ids)]


def session_of(chat: SourceChat, format_name: str) -> str:
    """The id of a conversation's session."""
    return f"{format_name}-{_short(chat.id)}"


def digest_in(item: SourceItem) -> str:
    """What an item says in its source: a hash of its words, one of its times, and when it was changed there.

    Full stops stand between them; the last is in seconds since 1970, or empty.
    """
    changed = item.changed_at or (item.chat and item.chat.changed_at)
    told = int(changed.timestamp()) if changed else ""
    return f"{digest_of(item.content)}.{digest_of(item.at, item.valid_until)}.{told}"


def speaker_of(item: SourceItem) -> tuple[str, str | None]:
    """The role and the name of who says an item, as they are stored."""
    said = {"content": "-", "role": item.role} | ({"name": item.speaker} if item.speaker else {})
    (read,) = read_messages([said], CHECKED, screen=_UNSCREENED)
    return read.role, read.speaker


def _short(given: str) -> str:
    fits = len(given) <= _MOST_ID and given.isprintable() and given.strip() == given != ""
    return given if fits else digest_of(given)


def _cleaned(item: SourceItem, before: datetime | None, *, format_name: str) -> SourceItem:
    """An item without halves of characters, and with the time before it where it has none."""
    title = item.chat and item.chat.title and one_line(_whole(item.chat.title), most=_MOST_NAME)
    return replace(
        item,
        format=format_name,
        content=_whole(item.content),
        speaker=one_line(_whole(item.speaker), most=_MOST_NAME) or None if item.speaker else None,
        at=item.at or before,
        chat=replace(item.chat, title=title or None) if item.chat else None,
        concepts=_names(item.concepts),
        tags=_names(item.tags),
    )


def _names(given: Sequence[str]) -> tuple[str, ...]:
    short = (one_line(_whole(one), most=_MOST_NAME) for one in given)
    return tuple(dict.fromkeys(one for one in short if one))[:_NAMED]


def _whole(text: str) -> str:
    """A text without NUL, and with U+FFFD for each half of a surrogate pair that is alone."""
    try:
        text.encode()
    except UnicodeEncodeError:
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text.replace("\0", "")


def _check(item: SourceItem) -> BrokenRecord | None:
    """What is wrong with an item."""
    try:
        check_metadata("its metadata", item.metadata)
        if_given(check_id, "its agent_id", item.agent_id)
        (read,) = read_messages([message_of(item)], CHECKED, screen=_UNSCREENED)
        why = read.refused
    except (InvalidInputError, RecursionError) as error:
        why = str(error) or "it goes too deep"
    return BrokenRecord(where=item.where, reason=why.replace("messages[0]", "it")) if why else None


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more
