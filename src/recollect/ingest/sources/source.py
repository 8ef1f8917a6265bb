"""What a file of another program is read as, and what each format must be able to do."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from typing import Final, Literal, TypeAlias

from recollect.checks import check_name, check_one_of
from recollect.errors import InvalidInputError, as_given
from recollect.ingest.sources.files import SourceFiles
from recollect.types import JSON, Kind

DateOrder = Literal["dmy", "mdy", "ymd"]
"""Which number of a date is the day: 31/12/2026, 12/31/2026 or 2026-12-31."""
DATE_ORDERS: Final[tuple[DateOrder, ...]] = ("dmy", "mdy", "ymd")


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceChat:
    """A conversation of a source.

    Attributes:
        id: Unique in the source; its session is ``FORMAT-id``.
        title: As the source calls it.
        started_at: When it began; the time of messages that have none before the first that has one.
        changed_at: When it was changed last, if its source says so.
    """

    id: str
    title: str | None = None
    started_at: datetime | None = None
    changed_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceItem:
    """A message or a fact of a source, as it stands there; it is checked before it is stored.

    Attributes:
        id: The source's own id, or a hash where it has none; unique in the source.
        where: Its place, for people: a file and a number.
        other_ids: More ids under which it may be stored: of an export that shows less, of earlier versions.
        format: The name of its format; a survey says it.
        chat: Its conversation; None for a fact.
        at: When it was said, or since when it holds; None takes that of the message before it.
        changed_at: When it was changed last, if its source says so; by default its conversation's.
        written_at: When its file was written: the time of what has none, as a guess that is not compared.
        agent_id: With which agent, if the source says so.
        owners: What the source calls the user whose it is, where one dump holds several; the first is shown.
        sources: The ids of the messages that say it.
        tags: Labels of the source.
        confidence: 0 to 1, where the source knows it.
    """

    id: str
    content: str
    where: str
    other_ids: tuple[str, ...] = ()
    format: str = ""
    chat: SourceChat | None = None
    role: str = "user"
    speaker: str | None = None
    at: datetime | None = None
    kind: Kind = "message"
    valid_until: datetime | None = None
    changed_at: datetime | None = None
    written_at: datetime | None = None
    agent_id: str | None = None
    metadata: Mapping[str, JSON] = field(default_factory=dict)
    concepts: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    category: str | None = None
    confidence: float | None = None
    owners: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceDocument:
    """A text of a source to be found and cited, see ``Memory.documents``.

    Attributes:
        id: The source's own id; unique in the source.
        where: Its place, for people.
        name: As its file was called; its ending says how it is read.
        title: What it is called here.
        format: As of a ``SourceItem``.
        written_at: When it was added there.
    """

    id: str
    content: str
    where: str
    name: str
    title: str
    format: str = ""
    written_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped:
    """Something that is left out on purpose, in the plural: ``hidden messages``."""

    reason: str
    count: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokenRecord:
    """Something that cannot be read, and its place; the rest goes on.

    Attributes:
        is_end: Whether nothing after it is read of its file: it breaks off, or is damaged.
    """

    where: str
    reason: str
    is_end: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceNote:
    """Something the user should know about a file."""

    text: str


Found: TypeAlias = SourceItem | SourceDocument | Skipped | BrokenRecord | SourceNote
"""What a reader yields, in the order of the source."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadOptions:
    """What a file does not say itself.

    Attributes:
        me: The user's name in a chat of several people; their messages get the role ``user``.
        date_order: How dates are written; by default it is inferred from the whole file.
        timezone: Of times that name no zone.
        columns: For CSV and JSON Lines: which column is ``content``, ``timestamp``, ``role``, ``name``,
            ``session``, ``title``, ``id``.
        owner: What a dump of several users calls the user; ``*`` takes everybody's. By default the user id.
    """

    me: str | None = None
    date_order: DateOrder | None = None
    timezone: tzinfo = UTC
    columns: Mapping[str, str] = field(default_factory=dict)
    owner: str | None = None


EVERYBODY: Final = "*"
"""The owner that stands for everybody in a dump."""
COLUMNS: Final = ("content", "timestamp", "role", "name", "session", "title", "id")
"""What a column of a table can be."""


def columns_in(text: str) -> dict[str, str]:
    """The columns of a table, written as ``content=text,timestamp=date``.

    Raises:
        InvalidInputError: They are not written so.
    """
    pairs = [one.partition("=") for one in text.split(",")]
    if not all(mark and column.strip() for _, mark, column in pairs):
        raise InvalidInputError(
            f"columns must be written as content=text,timestamp=date, not {as_given(text)}"
        )
    return {name.strip(): column.strip() for name, _, column in pairs}


def read_options(
    *,
    me: str | None = None,
    date_order: str | None = None,
    columns: Mapping[str, str] | None = None,
    timezone: tzinfo = UTC,
    owner: str | None = None,
) -> ReadOptions:
    """Checked options.

    Raises:
        InvalidInputError: One cannot be used.
    """
    if columns is not None and (not isinstance(columns, Mapping) or "content" not in columns):
        raise InvalidInputError(f"columns must say which one is the content, not {as_given(columns)}")
    for name, column in (columns or {}).items():
        check_one_of("columns: the key", name, COLUMNS)
        check_name(f"the column of {name}", column)
    return ReadOptions(
        me=check_name("me", me),
        date_order=None if date_order is None else check_one_of("date_order", date_order, DATE_ORDERS),
        columns=dict(columns or {}),
        timezone=timezone,
        owner=check_name("owner", owner),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportSource:
    """A format that can be imported.

    Attributes:
        name: As ``--format`` takes it; begins the idempotency keys and session ids.
        title: For people.
        names: The files of it among those given, by their names and beginnings; empty when it is not this.
        read: Yields what they hold, in order; raises ``InvalidInputError`` where nothing can be read.
        beside: Files that are read besides, such as the names of people, or that say the same again.
        several: Whether several people speak, of whom the user is one (see ``ReadOptions.me``).
    """

    name: str
    title: str
    names: Callable[[SourceFiles], Sequence[str]]
    read: Callable[[SourceFiles, Sequence[str], ReadOptions], Iterator[Found]]
    beside: tuple[str, ...] = ()
    several: bool = False
