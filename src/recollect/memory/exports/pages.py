"""Which page of a folder a memory stands on, under which heading and after which others.

==================== ==================================== =============================
a memory             its page                             its heading
==================== ==================================== =============================
a fact               ``people/Ines.md``: whom it is about its category, or ``Before``
one with a project   ``projects/app/2026-03.md``          its day and session
a part of a document none: documents are files already
every other          ``months/2026-03.md``                its day and session
==================== ==================================== =============================
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from hashlib import blake2b
from itertools import groupby
from typing import Final
from unicodedata import normalize

from recollect.context.dating import MONTHS
from recollect.memory.exports.items import written
from recollect.types import MemoryRecord
from recollect.types.characters import one_line

BEFORE: Final = "Before"
"""The heading of facts that ended."""
USER: Final = "User"
"""Whom facts call the user."""
_NAMED: Final = "is named"
_UNSAFE: Final = re.compile(r"[^\w .-]+|_{2,}")
_RESERVED: Final = re.compile(r"(?i:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?")
_LONGEST: Final = 60
"""Characters of a file's name; more are cut. Chosen by hand."""
_HASH_BYTES: Final = 3
_SOURCES_SHOWN: Final = 5
"""Turns named behind a fact; chosen by hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderPage:
    """A page of a folder.

    Attributes:
        path: From the user's folder, with forward slashes.
        title: Its heading.
        about: Its front matter: ``person``, or ``project`` and ``month``, or ``month``.
    """

    path: str
    title: str
    about: Mapping[str, str] = field(hash=False)


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class ItemPlace:
    """Where a memory stands on its page; the order of places is that of the page."""

    heading_rank: int
    heading: str
    happened_at: datetime
    thread: str
    turn: int
    id: str


def file_name(name: str, *, exact: bool = False) -> str:
    """A name for a file or folder that every system can have; equal names get equal ones.

    Args:
        name: Any text.
        exact: Names that differ only in capitals get different file names, too.

    >>> file_name("Ines"), file_name("github.com/acme/app")
    ('Ines', 'github.com-acme-app-8232e9')
    """
    plain = _UNSAFE.sub("-", one_line(name)).strip(" .-")[:_LONGEST].strip(" .-")
    if (
        plain
        and plain == normalize("NFC", name) == name
        and not _RESERVED.fullmatch(plain)
        and not (exact and plain != plain.lower())
    ):
        return plain
    mark = blake2b(name.encode(), digest_size=_HASH_BYTES).hexdigest()
    return f"{plain}-{mark}" if plain else mark


class Placing:
    """Finds the pages of one user's memories.

    Args:
        names: By a subject of facts such as ``User's sister``, who that is.
        timezone: Decides on which day something was.
        now: Facts that ended before it stand under ``Before``.
    """

    def __init__(self, names: Mapping[str, str], *, timezone: tzinfo, now: datetime) -> None:
        self._names = names
        self._timezone = timezone
        self._now = now

    def of(self, record: MemoryRecord) -> FolderPage | None:
        """The page of a memory; None for parts of documents."""
        if record.kind == "document":
            return None
        if record.kind == "fact":
            return self._person(record)
        there = record.times.happened_at.astimezone(self._timezone)
        month, title = f"{there:%Y-%m}", f"{MONTHS[there.month - 1]} {there.year}"
        project = record.metadata.get("project")
        if isinstance(project, str) and project.strip():
            shown = one_line(project)
            path = f"projects/{file_name(project)}/{month}.md"
            return FolderPage(
                path=path, title=f"{shown}, {title}", about={"project": project, "month": month}
            )
        return FolderPage(path=f"months/{month}.md", title=title, about={"month": month})

    def place(self, record: MemoryRecord) -> ItemPlace:
        """Where on its page a memory stands."""
        rank, heading = 0, self._day_and_session(record)
        if record.kind == "fact":
            until = record.times.valid_until
            rank = int(until is not None and until <= self._now)
            heading = BEFORE if rank else (record.labels.category or "general").capitalize()
        return ItemPlace(
            heading_rank=rank,
            heading=one_line(heading),
            happened_at=record.times.happened_at,
            thread=record.origin.thread,
            turn=record.origin.turn,
            id=record.id,
        )

    def prefix(self, record: MemoryRecord) -> str:
        """What stands before the words of a memory: time and speaker, or nothing before a fact."""
        if record.kind == "fact":
            return ""
        there = record.times.happened_at.astimezone(self._timezone)
        if record.kind != "message":
            return f"{there:%H:%M} *{record.kind}*: "
        return f"{there:%H:%M} **{one_line(record.origin.speaker or record.origin.role)}**: "

    def item(self, record: MemoryRecord, sources: Iterable[MemoryRecord] = ()) -> str:
        """The item of a memory, with what is known of a fact below it."""
        notes = self._notes(record, list(sources)) if record.kind == "fact" else ()
        return written(record.id, record.content, prefix=self.prefix(record), notes=notes)

    def _person(self, record: MemoryRecord) -> FolderPage:
        person = subject_of(record, self._names)
        return FolderPage(path=f"people/{file_name(person)}.md", title=person, about={"person": person})

    def _day_and_session(self, record: MemoryRecord) -> str:
        day = f"{record.times.happened_at.astimezone(self._timezone):%Y-%m-%d}"
        session = record.scope.session_id or record.metadata.get("session_id")  # the latter of an episode
        return f"{day} {session}" if isinstance(session, str) else day

    def _notes(self, record: MemoryRecord, sources: list[MemoryRecord]) -> Iterator[str]:
        times, parts = record.times, []
        if times.valid_from is not None:
            parts.append(f"since {self._day(times.valid_from)}")
        if times.valid_until is not None:
            parts.append(f"until {self._day(times.valid_until)}")
        if record.metadata.get("contested"):
            parts.append("contested")
        links = [link for source in sources[:_SOURCES_SHOWN] if (link := self._link(source))]
        if links:
            more = len(sources) - len(links)
            parts.append(f"said on {', '.join(links)}" + (f" and {more} more" if more > 0 else ""))
        if parts:
            yield "; ".join(parts)

    def _link(self, source: MemoryRecord) -> str:
        page = self.of(source)
        day = self._day(source.times.happened_at)
        return f"[{day}](../{page.path.replace(' ', '%20')}#^{source.id})" if page else ""

    def _day(self, moment: datetime) -> str:
        there = moment.astimezone(self._timezone)
        return f"{there.day} {MONTHS[there.month - 1]} {there.year}"


def names_in(facts: Iterable[MemoryRecord]) -> dict[str, str]:
    """By subject, the names that facts give: ``User's sister`` is ``Ines``; of several the last learned."""
    names = {}
    for fact in sorted(facts, key=lambda one: (one.times.happened_at, one.id)):
        subject, relation, value = (fact.metadata.get(one) for one in ("subject", "relation", "object"))
        if relation == _NAMED and isinstance(subject, str) and isinstance(value, str) and value.strip():
            names[one_line(subject)] = one_line(value)
    return names


def subject_of(fact: MemoryRecord, names: Mapping[str, str]) -> str:
    """Whom a fact is about: "User's Ines" is Ines; ``names`` as of ``names_in``."""
    subject = fact.metadata.get("subject")
    said = one_line(subject) if isinstance(subject, str) else ""
    _, _, whose = said.partition("'s ")
    return names.get(said, whose if whose[:1].isupper() else said) or USER


def by_heading(places: Iterable[ItemPlace]) -> Iterator[tuple[str, list[ItemPlace]]]:
    """The headings of a page, each with the places under it, in the order of the page."""
    for (_, heading), found in groupby(sorted(places), key=lambda one: (one.heading_rank, one.heading)):
        yield heading, list(found)
