"""What an import found, left out and stored."""

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from recollect.ingest.sources.source import (
    BrokenRecord,
    Found,
    Skipped,
    SourceDocument,
    SourceItem,
    SourceNote,
)
from recollect.types import JSON, Kind, MemoryRecord
from recollect.types.guesses import Result

STANDINGS: Final = (
    "stored", "duplicate", "updated", "conflict", "older", "deleted", "redacted", "refused",
)  # fmt: skip
"""What becomes of an item."""
_CUT: Final = " cannot be read to its end, so this is not all of it; get it again, and import it again"
LISTED: Final = 100
"""Broken and refused records that are listed; the others are counted. Chosen by hand."""


@dataclass(slots=True, kw_only=True, repr=False)
class ImportReport(Result):
    """The result of importing a file, or of a dry run.

    Attributes:
        format: What the file is, such as ``chatgpt``; ``title`` is the same for people.
        conversations: How many there are.
        messages: In them, without what is left out.
        facts: Memories of other programs.
        documents: Texts that become documents.
        since: When the first of them was said.
        until: When the last was.
        speakers: How many messages each name has; empty where nobody is named.
        left_out: What is left out on purpose, and how often.
        broken: The place of each record that cannot be read, and why; at most 100.
        broken_count: How many there are.
        conflicts: The place of each memory that was changed in the source and here, with its id; at most 100.
        notes: What the user should know.
        incomplete: Whether a file could not be read to its end: it breaks off, or is damaged.
        unknown_user: Whether several people speak, and it is not known which of them is the user.
        owners: Of a dry run: the users in a dump of several, where it is not known which of them is meant.
        dry_run: Whether nothing was to be stored.
        expected: What importing would do, by a dry run: how many are ``new``, and how many would be
            ``updated``, a ``duplicate``, a ``conflict``, ``older`` or ``deleted``; without zeros.
        stored: How many are new.
        duplicate: How many were there already, unchanged.
        updated: How many were there and are changed in the source, or are by somebody else than was said.
        conflict: How many were changed in the source and here; what is here stays.
        older: How many come from an older state of the source than what is here, which stays.
        deleted: How many were deleted here before, and stay so.
        redacted: How many are new, with a secret or personal data masked.
        refused: How many cannot be stored; they are among ``broken``.
    """

    format: str
    title: str
    conversations: int = 0
    messages: int = 0
    facts: int = 0
    documents: int = 0
    since: datetime | None = None
    until: datetime | None = None
    speakers: Counter[str] = field(default_factory=Counter)
    left_out: Counter[str] = field(default_factory=Counter)
    broken: list[BrokenRecord] = field(default_factory=list)
    broken_count: int = 0
    conflicts: list[BrokenRecord] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    incomplete: bool = False
    unknown_user: bool = False
    owners: list[str] = field(default_factory=list)
    dry_run: bool = False
    expected: dict[str, int] = field(default_factory=dict)
    stored: int = 0
    duplicate: int = 0
    updated: int = 0
    conflict: int = 0
    older: int = 0
    deleted: int = 0
    redacted: int = 0
    refused: int = 0

    def __repr__(self) -> str:
        return f"<ImportReport {self.format}: {self.messages} messages, {self.facts} facts>"

    @property
    def amount(self) -> int:
        """How many messages, facts and documents there are."""
        return self.messages + self.facts + self.documents

    @property
    def fault(self) -> str | None:
        """Why this is not all that was in the files, for people; None where all of it could be read.

        A record that is broken among others is none: ``broken`` names it.
        """
        if self.incomplete:
            return next(note for note in self.notes if note.endswith(_CUT))
        if self.broken and not self.amount:
            first = self.broken[0]
            return f"nothing in it can be read: {first.where}: {first.reason}"
        return None

    @property
    def counts(self) -> dict[str, int]:
        """How many there are of each of ``STANDINGS``."""
        return {name: getattr(self, name) for name in STANDINGS}

    def add_result(self, status: str) -> None:
        """Count what became of an item: one of the names in ``counts``."""
        setattr(self, status, getattr(self, status) + 1)

    def count(self, found: Found) -> None:
        """Count what a reader found."""
        match found:
            case SourceItem():
                self._count_item(found)
            case SourceDocument():
                self.documents += 1
            case Skipped(reason=reason, count=count):
                self.left_out[reason] += count
            case BrokenRecord():
                self.count_broken(found)
            case SourceNote(text=text):
                self.notes.append(text)

    def _count_item(self, item: SourceItem) -> None:
        self._count_words(item.kind, item.at or item.written_at)
        if item.speaker:
            self.speakers[item.speaker] += 1

    def count_stored(self, record: MemoryRecord) -> None:
        """Count a memory of an export of ours."""
        self._count_words(record.kind, record.times.happened_at)

    def _count_words(self, kind: Kind, at: datetime | None) -> None:
        if kind == "fact":
            self.facts += 1
        else:
            self.messages += 1
        if at is not None:
            self.since = min(self.since or at, at)
            self.until = max(self.until or at, at)

    def count_broken(self, broken: BrokenRecord) -> None:
        """Count something that cannot be read."""
        self.broken_count += 1
        if broken.is_end:
            self.incomplete = True
            self.notes.append(f"{broken.where}{_CUT}")
        if len(self.broken) < LISTED:
            self.broken.append(broken)

    def count_conflict(self, place: BrokenRecord) -> None:
        """List something that was changed in the source and here."""
        if len(self.conflicts) < LISTED:
            self.conflicts.append(place)

    def to_dict(self) -> dict[str, JSON]:
        """The fields by their names, ready for JSON; times are ISO 8601 UTC."""
        return {
            "format": self.format,
            "title": self.title,
            "dry_run": self.dry_run,
            "conversations": self.conversations,
            "messages": self.messages,
            "facts": self.facts,
            "documents": self.documents,
            "since": self.since.isoformat() if self.since else None,
            "until": self.until.isoformat() if self.until else None,
            "speakers": dict(self.speakers),
            "left_out": dict(self.left_out),
            "broken": [{"where": one.where, "reason": one.reason} for one in self.broken],
            "broken_count": self.broken_count,
            "conflicts": [{"where": one.where, "reason": one.reason} for one in self.conflicts],
            "notes": list(self.notes),
            "incomplete": self.incomplete,
            "unknown_user": self.unknown_user,
            "owners": list(self.owners),
            "expected": dict(self.expected),
            **self.counts,
        }
