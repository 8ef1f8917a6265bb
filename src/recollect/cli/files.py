"""Commands that read and write files: import, export, backup, restore."""

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO, Final

import typer

from recollect.cli.command import command
from recollect.cli.opening import EmbedderOptions, StoreOptions, opened, place_of
from recollect.cli.options import (
    STDIN,
    AgentId,
    Language,
    OnlyUser,
    Pii,
    Secrets,
    SessionId,
)
from recollect.cli.output import Report, counted, plain, progress
from recollect.cli.settings import settings
from recollect.errors import InvalidInputError
from recollect.ingest.message_files import Imported, Importer, is_export, numbered_messages

if TYPE_CHECKING:
    from recollect.memory.memory import Memory
    from recollect.types import LoadResult

_SHOWN: Final = 20
"""Refused messages listed at most. Chosen by hand."""
_REPORT_LINES: Final = 500
_BEGINNING: Final = 200
"""Characters that tell a file of Semem. Chosen by hand."""


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
recollect import chat.jsonl --session-id trip
recollect import brain-export.jsonl
recollect import claude-code --user-id ada
cat messages.json | recollect import - --user-id ada""",
)
def import_(
    file: Annotated[
        str,
        typer.Argument(metavar="FILE", help="The file to read; - reads stdin. Or a host, such as codex."),
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
    secrets: Secrets = "redact",
    pii: Pii = None,
    language: Language = None,
    at: EmbedderOptions,
) -> None:
    """Import an export, messages or a host's transcripts.

    Messages are a list, "messages", or one per line; Semem's JSON is read, too.
    Importing the same file again stores nothing twice and resumes an interrupted import.
    Give each conversation its own --session-id, so that its turns have neighbouring turns.
    """
    from recollect.integrations.hosts.catalog import HOSTS

    if file in HOSTS and not Path(file).exists():
        if agent_id or session_id:
            raise InvalidInputError("a host's conversations keep their own sessions; leave these options out")
        with opened(at, language=language, secrets=secrets, pii=pii, make=True) as memory:
            done = _import_host(memory, file, path, user_id or settings().user_id, as_json=at.as_json)
    elif path is not None:
        raise InvalidInputError(f"{file} is no host, so there is no PATH; hosts are {', '.join(HOSTS)}")
    else:
        done = _import_file(
            file,
            user_id=user_id,
            agent_id=agent_id,
            session_id=session_id,
            at=at,
            secrets=secrets,
            pii=pii,
            language=language,
        )
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


def _import_file(
    file: str,
    *,
    user_id: str | None,
    agent_id: str | None,
    session_id: str | None,
    at: EmbedderOptions,
    **policies: Any,
) -> Imported:
    from recollect.presets.semem.json_file import is_semem

    with progress("importing", as_json=at.as_json) as report, _lines(file, report) as lines:
        beginning = lines.read(_BEGINNING)
        if "\0" in beginning:
            raise InvalidInputError(f"{file} is no text: it holds NUL bytes; nothing was stored")
        lines.seek(0)
        first = lines.readline()
        lines.seek(0)
        with opened(at, make=True, **policies) as memory:
            if is_export(first):
                return _loaded(memory.load(lines, user_id=user_id))
            if is_semem(beginning):
                return _loaded(_load_semem(memory, lines, user_id or settings().user_id))
            return _store(memory, lines, user_id or settings().user_id, agent_id, session_id)


@contextmanager
def _lines(file: str, report: Report) -> Iterator[WatchedLines]:
    """Open the lines of a file or of stdin."""
    raw, size = _bytes_of(file)
    try:
        with raw, WatchedLines(raw, size=size, report=report) as lines:
            yield lines
    except UnicodeDecodeError:
        raise InvalidInputError(f"{file} is not UTF-8 text; what was read before is stored") from None


def _bytes_of(file: str) -> tuple[BinaryIO, int]:
    if file == STDIN:
        data = sys.stdin.buffer.read()
        return io.BytesIO(data), len(data)
    path = Path(file)
    if not path.is_file():
        raise InvalidInputError(f"there is no file {file}")
    return path.open("rb"), path.stat().st_size


def _load_semem(memory: "Memory", lines: WatchedLines, user_id: str) -> "LoadResult":
    from recollect.presets.semem import MemoryManager

    return MemoryManager.over(memory, user_id=user_id).read_json(lines)


def _loaded(loaded: "LoadResult") -> Imported:
    done = Imported()
    done.counts["stored"], done.counts["duplicate"] = loaded.stored, loaded.duplicates
    return done


def _store(
    memory: "Memory", lines: WatchedLines, user_id: str, agent_id: str | None, session_id: str | None
) -> Imported:
    importer = Importer(
        add=lambda batch: memory.add(batch, user_id=user_id, agent_id=agent_id, session_id=session_id),
        seed=f"{agent_id or ''}\n{session_id or ''}",
    )
    return importer.store(numbered_messages(lines))


@command(
    "export",
    example="""\
recollect export brain-export.jsonl
recollect export - --user-id ada | gzip > ada.jsonl.gz""",
)
def export_(
    file: Annotated[str, typer.Argument(metavar="FILE", help="The file to create; - writes to stdout.")],
    *,
    user_id: OnlyUser = None,
    at: StoreOptions,
) -> None:
    """Write memories and their links as JSON Lines. Import reads them."""
    with opened(at) as memory:
        if file == STDIN:
            memory.export(sys.stdout, user_id=user_id)
            return
        with progress("exporting", as_json=at.as_json) as report, _new_file(file, memory, report) as out:
            count = memory.export(out, user_id=user_id)
    at.show({"exported": count, "file": file}, lines=f"exported {count:,} to {file}")


class _CountedLines(io.TextIOWrapper):
    """A text file that reports how many lines were written."""

    def watch(self, report: Report, total: int) -> None:
        """Start to report; the first line is a header."""
        self._report, self._total, self._written = report, total, -1

    def write(self, text: str, /) -> int:
        """Write a line and report it."""
        self._written += 1
        self._report(min(self._written, self._total), self._total)
        return super().write(text)


@contextmanager
def _new_file(file: str, memory: "Memory", report: Report) -> Iterator[_CountedLines]:
    """Create a new file, and remove it if the ``with`` block fails."""
    path = Path(file)
    try:
        raw = path.open("xb")
    except FileExistsError:
        raise InvalidInputError(f"{file} exists; name a new file for the export") from None
    except OSError as error:
        raise InvalidInputError(f"{file} cannot be written: {error.strerror}") from error
    try:
        with _CountedLines(raw, encoding="utf-8") as out:
            out.watch(report, memory.stats().memories)
            yield out
    except BaseException:
        path.unlink(missing_ok=True)
        raise


@command("backup", example="recollect backup brain-2026-05-01.db")
def backup(
    file: Annotated[str, typer.Argument(metavar="FILE", help="The file to create.")], *, at: StoreOptions
) -> None:
    """Copy the whole store to a new file, while it is in use."""
    with opened(at) as memory, progress("copying", as_json=at.as_json):
        memory.maintenance.backup(file)
    size = Path(file).stat().st_size
    at.show({"file": file, "bytes": size}, lines=f"backed up to {file} ({size:,} bytes)")


@command(
    "restore",
    example="""\
recollect restore brain-2026-05-01.db --db brain.db
recollect restore brain-2026-05-01.db --overwrite""",
)
def restore(
    file: Annotated[str, typer.Argument(metavar="BACKUP", help="A file written by backup.")],
    *,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace an existing store.")] = False,
    at: StoreOptions,
) -> None:
    """Restore a backup after checking it, completely or not at all."""
    from recollect.memory import maintenance

    place = place_of(at.db, make=True)
    with progress("checking and copying", as_json=at.as_json):
        health = maintenance.restore(file, place, overwrite=overwrite)
    value = {"db": place, "memories": health.memories, "deleted": health.deleted, "bytes": health.bytes}
    at.show(value, lines=f"restored {health.memories:,} memories to {place}")
