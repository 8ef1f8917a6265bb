"""Commands that read and write files: export, backup, restore."""

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from recollect.cli.command import command
from recollect.cli.opening import StoreOptions, opened, place_of
from recollect.cli.options import STDIN, OnlyUser
from recollect.cli.output import Report, hint_on, progress
from recollect.errors import InvalidInputError

if TYPE_CHECKING:
    from recollect.memory.memory import Memory


@command(
    "export",
    example="""\
recollect export brain-export.jsonl
recollect export notes --format markdown --user-id ada
recollect export - --user-id ada | gzip > ada.jsonl.gz""",
)
def export_(
    file: Annotated[
        str,
        typer.Argument(metavar="FILE", help="The file to create, or a folder for markdown; - is stdout."),
    ],
    *,
    form: Annotated[
        str, typer.Option("--format", help="lines, markdown, mem0, server-memory or card.")
    ] = "lines",
    user_id: OnlyUser = None,
    at: StoreOptions,
) -> None:
    """Write memories and their links, by default as JSON Lines.

    import reads JSON Lines.
    markdown is a folder of pages, which apply reads back when you have edited them; card is text about one
    user for a prompt; mem0 and server-memory are what those read.
    """
    from recollect.memory.exports.formats import OF_ONE, check_format

    hint = ""
    with opened(at) as memory:
        if user_id is not None and not memory.stats(user_id=user_id).memories:
            raise InvalidInputError(hint_on(memory, "list", 0, user_id=user_id))
        save = partial(memory.export, user_id=user_id, format=check_format(form))
        if file == STDIN:
            save(sys.stdout)
            return
        with progress("exporting", as_json=at.as_json) as report:
            if form == "markdown":
                count = save(file)
            else:
                with _new_file(file, memory, report) as out:
                    count = save(out)
        if not count and form in OF_ONE:
            (user,) = memory.users() if user_id is None else [user_id]
            hint = f"; {hint_on(memory, 'profile', count, user_id=user)}"
    at.show({"exported": count, "file": file}, lines=f"exported {count:,} to {file}{hint}")


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
