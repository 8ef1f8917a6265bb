"""``recollect import``: what other programs export, Recollect's own files, transcripts of hosts."""

import io
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from datetime import tzinfo
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO, Final

import typer

from recollect.checks import check_timezone
from recollect.cli.command import FAILED, command
from recollect.cli.opening import QueryOptions, missing_store, open_place, opened, place_of
from recollect.cli.options import STDIN, AgentId, Language, Pii, Secrets, SessionId
from recollect.cli.output import Report, counted, plain, progress
from recollect.cli.settings import settings
from recollect.errors import InvalidInputError
from recollect.ingest.message_files import Imported, Importer, is_export, numbered_messages, survey_messages

if TYPE_CHECKING:
    from recollect.ingest.sources.files import SourceFiles
    from recollect.ingest.sources.report import ImportReport
    from recollect.ingest.sources.source import ReadOptions
    from recollect.ingest.sources.survey import Survey
    from recollect.memory.memory import Memory
    from recollect.protocols import Store
    from recollect.types import LoadResult

_SHOWN: Final = 20
"""Refused messages and broken records listed at most. Chosen by hand."""
_REPORT_LINES: Final = 500
_BEGINNING: Final = 200
"""Characters that tell a file of Semem. Chosen by hand."""
_DRY: Final = "nothing was stored: this was a dry run"
_NAMED: Final = 8
"""Speakers listed at most. Chosen by hand."""


class WatchedLines(io.TextIOWrapper):
    """Lines of UTF-8, reported as they are read."""

    def __init__(self, raw: BinaryIO, *, size: int, report: Report) -> None:
        super().__init__(raw, encoding="utf-8-sig")
        self._raw = raw
        self._size = size
        self._report = report
        self._lines = 0

    def __next__(self) -> str:  # type: ignore[override]  # typeshed has bytes
        line = super().__next__()
        self._lines += 1
        if self._lines % _REPORT_LINES == 0:
            self._report(self._raw.tell(), self._size)
        return line


@command(
    "import",
    example="""\
recollect import chatgpt-export.zip --dry-run
recollect import "WhatsApp Chat with Ines.txt" --me Ada
recollect import notes.csv --columns content=text,timestamp=date
recollect import chat.jsonl --session-id trip
recollect import brain-export.jsonl
recollect import claude-code --user-id ada
cat messages.json | recollect import - --user-id ada""",
)
def import_(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE", help="A file, folder or zip archive; - reads stdin. Or a host, such as codex."
        ),
    ],
    path: Annotated[
        Path | None,
        typer.Argument(metavar="PATH", help="A host's transcript or folder; by default where it keeps them."),
    ] = None,
    *,
    user_id: Annotated[
        str | None,
        typer.Option(
            "--user-id",
            "-u",
            metavar="ID",
            help="The user; by default an export keeps its own users.",
        ),
    ] = None,
    agent_id: AgentId = None,
    session_id: SessionId = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what there is; store nothing.")] = False,
    format_: Annotated[
        str | None, typer.Option("--format", metavar="NAME", help="What it is, such as chatgpt, if unclear.")
    ] = None,
    me: Annotated[
        str | None, typer.Option("--me", metavar="NAME", help="Your name in a chat of several people.")
    ] = None,
    date_order: Annotated[
        str | None, typer.Option(metavar="ORDER", help="How a chat writes dates: dmy, mdy or ymd.")
    ] = None,
    columns: Annotated[
        str | None,
        typer.Option(
            metavar="NAME=COLUMN,...", help="A table's columns, such as content=text,timestamp=date."
        ),
    ] = None,
    owner: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="What a dump of several users calls this user; '*' takes everybody's."
        ),
    ] = None,
    secrets: Secrets = "redact",
    pii: Pii = None,
    language: Language = None,
    at: QueryOptions,
) -> None:
    """Import chats, notes and memories of other programs.

    What a file is, is detected: ChatGPT, Claude, WhatsApp, Slack, mem0 and others, or Recollect's own.
    Messages are a list, "messages", or one per line; give each conversation of them its own --session-id.
    Importing again stores only what is new or changed, and resumes an interrupted import.
    """
    from recollect.integrations.hosts.catalog import HOSTS
    from recollect.memory.importing import foreign_survey
    from recollect.presets.semem.json_file import is_semem

    user = settings().user_id if user_id is None else user_id
    policies: dict[str, Any] = {"language": language, "secrets": secrets, "pii": pii}
    if file in HOSTS and not Path(file).exists():
        asked = (("--agent-id", agent_id), ("--session-id", session_id), ("--dry-run", dry_run))
        if given := [name for name, value in asked if value]:
            raise InvalidInputError(
                f"{' and '.join(given)} cannot be used with a host such as {file}: its conversations are all "
                "imported, each as a session of its own"
            )
        with opened(at, make=True, **policies) as memory:
            done = _import_host(memory, file, path, user, as_json=at.as_json)
        _show_imported(done, at)
        return
    if path is not None:
        raise InvalidInputError(f"{file} is no host, so there is no PATH; hosts are {', '.join(HOSTS)}")
    files = _files_at(file)
    zone, at = _zone_of(at)
    options = _read_options(me, date_order, columns, zone, owner)
    survey = foreign_survey(
        files,
        user_id=user,
        format=format_,
        options=options,
        is_ours=lambda start: is_semem(start[:_BEGINNING]),
    )
    if survey is None:
        _import_own(
            files,
            user_id=user_id,
            agent_id=agent_id,
            session_id=session_id,
            dry_run=dry_run,
            at=at,
            **policies,
        )
    elif session_id:
        raise InvalidInputError(f"a {survey.title} keeps its own conversations; leave --session-id out")
    else:
        _import_foreign(survey, agent_id=agent_id, dry_run=dry_run, at=at, **policies)


def _files_at(file: str) -> "SourceFiles":
    from recollect.ingest.sources.files import file_of, files_at

    if file != STDIN:
        return files_at(file)
    data = sys.stdin.buffer.read()
    return file_of("stdin.json" if data.lstrip()[:1] in (b"[", b"{") else "stdin", data)


def _read_options(
    me: str | None, date_order: str | None, columns: str | None, timezone: tzinfo, owner: str | None
) -> "ReadOptions":
    from recollect.ingest.sources.source import columns_in, read_options

    named = None if columns is None else columns_in(columns)
    return read_options(me=me, date_order=date_order, columns=named, timezone=timezone, owner=owner)


def _zone_of(at: QueryOptions) -> tuple[tzinfo, QueryOptions]:
    """The zone of the file's times, and the options for a memory, which may be of another zone."""
    with _store_there(at) as store:
        known = None if store is None else store.setting("timezone")
    return check_timezone(at.timezone or known or "UTC"), at if known is None else replace(at, timezone=None)


def _import_foreign(
    survey: "Survey", *, agent_id: str | None, dry_run: bool, at: QueryOptions, **policies: Any
) -> None:
    from recollect.memory.importing import FileImporter

    if dry_run:
        _show_report(_counted(survey, at), at)
        return
    found = survey.checked()
    with opened(at, make=True, **policies) as memory, progress("importing", as_json=at.as_json) as report:
        scope = memory.parts.scope(survey.user_id, agent_id)
        _tell(found, as_json=at.as_json)
        done = FileImporter(memory, survey, scope=scope).run(found, report=report)
    _show_report(done, at)


def _counted(survey: "Survey", at: QueryOptions) -> "ImportReport":
    """The report of a dry run, against the store if there is one."""
    from recollect.memory.importing import counted as counted_of

    with _store_there(at) as store:
        return counted_of(survey, store)


@contextmanager
def _store_there(at: QueryOptions) -> "Iterator[Store | None]":
    """The store, if there is one."""
    if missing_store(place_of(at.db)) is not None:
        yield None
        return
    with closing(open_place(at.db, make=False)) as store:
        yield store


def _show_report(done: "ImportReport", at: QueryOptions) -> None:
    if done.dry_run:
        _tell(done, as_json=at.as_json)
    for one in done.broken[:_SHOWN]:
        typer.echo(f"left out: {plain(one.where)}: {plain(one.reason)}", err=True)
    if done.broken_count > _SHOWN:
        typer.echo(f"left out: {done.broken_count - _SHOWN:,} more that cannot be read", err=True)
    for one in done.conflicts[:_SHOWN]:
        typer.echo(f"kept: {plain(one.where)}: {plain(one.reason)}", err=True)
    at.show(done.to_dict(), lines=_DRY if done.dry_run else _counted_in_words(done))
    if done.fault is not None:
        told = "" if done.dry_run else "; what could be read is imported" * bool(done.amount)
        typer.echo(f"Error: {plain(done.fault)}{told}", err=True)
        raise typer.Exit(FAILED)


def _counted_in_words(done: "ImportReport") -> str:
    """What became of everything; what was stored with a secret masked is among the stored."""
    counts = {name: count for name, count in done.counts.items() if name != "redacted"}
    masked = f" ({done.redacted:,} of them with a secret masked)" if done.redacted else ""
    stored = counted({"stored": counts.pop("stored") + done.redacted})
    others = counted(counts)
    if not done.stored + done.redacted:
        return others
    return f"{stored}{masked}" + (f", {others}" if any(counts.values()) else "")


def _tell(found: "ImportReport", *, as_json: bool) -> None:
    """Print what a file is and holds."""
    if as_json:
        return
    names = ("conversations", "messages", "facts", "documents")
    amounts = {name: getattr(found, name) for name in names}
    when = f", {found.since:%Y-%m-%d} to {found.until:%Y-%m-%d}" if found.since and found.until else ""
    typer.echo(f"{found.title}: {counted(amounts)}{when}")
    if found.speakers:
        typer.echo(f"speakers: {plain(_some(found.speakers))}")
    if found.left_out:
        typer.echo(f"left out: {counted(found.left_out)}")
    for note in found.notes:
        typer.echo(f"note: {plain(note)}")
    if found.expected:
        typer.echo(f"importing would find: {counted(found.expected)}")
    if found.unknown_user:
        typer.echo("note: which of the speakers are you? Say it with --me NAME")


def _some(speakers: Mapping[str, int]) -> str:
    most = sorted(speakers.items(), key=lambda one: (-one[1], one[0]))
    more = f", and {len(most) - _NAMED:,} more" if len(most) > _NAMED else ""
    return ", ".join(f"{name} ({count:,})" for name, count in most[:_NAMED]) + more


def _show_imported(done: Imported, at: QueryOptions) -> None:
    for refusal in done.refusals[:_SHOWN]:
        typer.echo(f"refused: {refusal['where']} {plain(str(refusal['reason']))}", err=True)
    at.show({**done.counts, "refusals": done.refusals}, lines=counted(done.counts))


def _import_host(memory: "Memory", host: str, path: Path | None, user_id: str, *, as_json: bool) -> Imported:
    from recollect.integrations.hosts.catalog import HOSTS
    from recollect.integrations.hosts.history import import_history

    with progress("importing", as_json=as_json) as report:
        return import_history(
            memory, HOSTS[host], user_id=user_id, path=path, environ=os.environ, report=report
        )


def _import_own(
    files: "SourceFiles",
    *,
    user_id: str | None,
    agent_id: str | None,
    session_id: str | None,
    dry_run: bool,
    at: QueryOptions,
    **policies: Any,
) -> None:
    """Import an export of ours, a file of Semem, or messages."""
    from recollect.presets.semem.json_file import is_semem

    user = settings().user_id if user_id is None else user_id
    with progress("importing", as_json=at.as_json) as report, _lines(files, report) as lines:
        beginning = lines.read(_BEGINNING)
        if "\0" in beginning:
            raise InvalidInputError(f"{files.title} is no text: it holds NUL bytes; nothing was stored")
        lines.seek(0)
        first = lines.readline()
        lines.seek(0)
        if dry_run:
            with _store_there(at) as store:
                found = _count_own(lines, beginning, store=store, user_id=user_id)
            _show_report(found, at)
            return
        with ExitStack() as stack:
            # Messages open the store with the first that can be stored: a file of none makes no store.
            memory = cache(lambda: stack.enter_context(opened(at, make=True, **policies)))
            if is_export(first):
                done = _loaded(memory().load(lines, user_id=user_id))
            elif is_semem(beginning):
                done = _loaded(_load_semem(memory(), lines, user))
            else:
                done = _store(memory, lines, user, agent_id, session_id)
    _show_imported(done, at)


def _count_own(
    lines: WatchedLines, beginning: str, *, store: "Store | None", user_id: str | None
) -> "ImportReport":
    from recollect.ingest.sources.report import ImportReport
    from recollect.memory.maintenance.transfer import survey_export
    from recollect.presets.semem.json_file import is_semem, read_interactions

    if is_export(beginning.partition("\n")[0]):
        return survey_export(store, lines, user_id=user_id)
    if not is_semem(beginning):
        return survey_messages(lines)
    messages = len(read_interactions(lines))
    return ImportReport(format="semem", title="file of Semem", messages=messages, dry_run=True)


@contextmanager
def _lines(files: "SourceFiles", report: Report) -> Iterator[WatchedLines]:
    """Open the lines of a file or of stdin."""
    (name,) = files.names
    try:
        with files.open(name) as raw, WatchedLines(raw, size=_size_of(raw), report=report) as lines:
            yield lines
    except UnicodeDecodeError:
        raise InvalidInputError(f"{files.title} is not UTF-8 text") from None


def _size_of(raw: BinaryIO) -> int:
    size = raw.seek(0, io.SEEK_END)
    raw.seek(0)
    return size


def _load_semem(memory: "Memory", lines: WatchedLines, user_id: str) -> "LoadResult":
    from recollect.presets.semem import MemoryManager

    return MemoryManager.over(memory, user_id=user_id).read_json(lines)


def _loaded(loaded: "LoadResult") -> Imported:
    done = Imported()
    done.counts["stored"], done.counts["duplicate"] = loaded.stored, loaded.duplicates
    return done


def _store(
    memory: "Callable[[], Memory]",
    lines: WatchedLines,
    user_id: str,
    agent_id: str | None,
    session_id: str | None,
) -> Imported:
    importer = Importer(
        add=lambda batch: memory().add(batch, user_id=user_id, agent_id=agent_id, session_id=session_id),
        seed=f"{agent_id or ''}\n{session_id or ''}",
    )
    return importer.store(numbered_messages(lines))
