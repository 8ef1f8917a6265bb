"""What ``POST /import`` does with a file once it has arrived."""

import asyncio
import json
from collections import deque
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator
from contextlib import AsyncExitStack
from functools import partial
from http import HTTPStatus
from pathlib import Path
from threading import Event
from typing import IO, Final, NamedTuple, TypeAlias, TypeVar

import anyio
from fastapi.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from recollect.checks import check_id
from recollect.errors import InvalidInputError, RecollectError
from recollect.ingest.message_files import BATCH, Importer, is_export, numbered_messages, survey_messages
from recollect.ingest.sources.report import ImportReport
from recollect.ingest.sources.survey import Survey
from recollect.memory.importing import FileImporter, Progress, counted
from recollect.memory.maintenance.transfer import read_export, survey_export
from recollect.server.calling import Caller
from recollect.server.events import EVENTS, event, problem_of
from recollect.server.observing import AUDITED
from recollect.server.problems import ProblemError
from recollect.server.teams import signed
from recollect.types import JSON, AddResult

_LONG: Final = "messages may have {:,} bytes; send them in parts, or as a file of another program"
_PIECE: Final = 1 << 20
_Item = TypeVar("_Item")
Work: TypeAlias = Callable[[Progress], dict[str, JSON]]
"""Imports a file and returns the answer."""
_INCOMPLETE: Final = "urn:recollect:IncompleteFileError"


class Planned(NamedTuple):
    """What imports a file, and whether all of it can be read, as far as that is known before."""

    work: Work
    is_whole: bool = True


class _StoppedError(Exception):
    """Nobody listens to an import any more."""


async def import_events(work: Work, caller: Caller) -> AsyncGenerator[str]:
    """The events of an import; when nobody listens any more it ends after the batch that is under way."""
    steps: asyncio.Queue[tuple[int, int] | None] = asyncio.Queue()
    loop, stopped = asyncio.get_running_loop(), Event()

    def report(done: int, total: int) -> None:
        if stopped.is_set():
            raise _StoppedError
        loop.call_soon_threadsafe(steps.put_nowait, (done, total))

    job = asyncio.ensure_future(caller.in_thread(work, report))
    job.add_done_callback(lambda _: steps.put_nowait(None))
    try:
        while (step := await steps.get()) is not None:
            yield event("progress", {"done": step[0], "total": step[1]})
        error = job.exception()
        if error is None:
            yield event("done", job.result())
        elif isinstance(error, Exception):
            yield event("error", problem_of(error, request_id=caller.request_id))
    finally:
        stopped.set()
        with anyio.CancelScope(shield=True):
            await asyncio.gather(job, return_exceptions=True)


class HeldEvents(StreamingResponse):
    """Events about something that stays open until they end, whoever ends them."""

    def __init__(self, events: AsyncGenerator[str], held: AsyncExitStack, *, status_code: int) -> None:
        super().__init__(events, status_code=status_code, media_type=EVENTS)
        self._events = events
        self._held = held

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the events, then let go."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            with anyio.CancelScope(shield=True):
                await self._events.aclose()
                await self._held.aclose()


def foreign_import(survey: Survey, caller: Caller, *, dry_run: bool) -> Planned:
    """What imports what another program exported.

    Raises:
        UnclearFileError: It does not say something that an option must say.
    """
    if dry_run:
        return Planned(lambda _: _told(counted(survey, caller.service.memory.parts.store)))
    found = survey.checked()
    return Planned(partial(_imported, survey, found, caller), is_whole=found.fault is None)


def _imported(survey: Survey, found: ImportReport, caller: Caller, report: Progress) -> dict[str, JSON]:
    """Import what was found.

    Raises:
        ProblemError: 422: the file breaks off, or nothing in it can be read; the rest is imported.
    """
    memory = caller.service.memory
    report(0, found.amount)
    importer = FileImporter(memory, survey, scope=memory.parts.scope(survey.user_id))
    try:
        done = importer.run(found, report=report)
    finally:
        caller.touched(importer.new_ids[:AUDITED], count=found.stored + found.redacted)
    if done.fault is not None:
        raise ProblemError(
            HTTPStatus.UNPROCESSABLE_ENTITY, done.fault, kind=_INCOMPLETE, done={"loaded": _told(done)}
        )
    return _told(done)


def _told(done: ImportReport) -> dict[str, JSON]:
    known = done.duplicate + done.deleted + done.conflict + done.older
    stored = done.stored + done.redacted
    return {"stored": stored, "duplicates": known, "refused": done.refused, "report": done.to_dict()}


def own_import(path: Path, caller: Caller, user: str, session_id: str | None, *, dry_run: bool) -> Planned:
    """What imports an export of ours, or messages.

    Raises:
        InvalidInputError: It is no text.
        ProblemError: 413: there are too many messages.
    """
    usual = caller.principal.max_body(caller.service.settings)
    with _text_in(path) as file:
        try:
            whole, longest = _measured(file)
        except UnicodeDecodeError:
            raise InvalidInputError("the body is not UTF-8 text, and nothing else that is known") from None
        exported = longest <= usual and is_export(file.readline())
    if max(longest, 0 if exported else whole) > usual:
        raise ProblemError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, _LONG.format(usual))
    if dry_run:
        return Planned(lambda _: _surveyed(path, caller, user if exported else None))
    if exported:
        return Planned(partial(_loaded, path, caller, user), is_whole=_ends_in_record(path))
    total, is_whole = _number_of_messages(path)
    return Planned(partial(_said, path, caller, user, session_id, total=total), is_whole=is_whole)


def _text_in(path: Path) -> IO[str]:
    return path.open(encoding="utf-8-sig", newline="\n")


def _reported(items: Iterable[_Item], report: Progress, *, total: int) -> Iterator[_Item]:
    """The same, and how many of them were taken, after each batch."""
    for done, item in enumerate(items):
        if done % BATCH == 0:
            report(done, total)
        yield item


def _measured(file: IO[str]) -> tuple[int, int]:
    """The characters of a text, and of its longest line.

    It is read to its end, so that none that breaks off is stored in part.
    """
    whole = longest = line = 0
    while piece := file.read(_PIECE):
        whole += len(piece)
        first, *others = piece.split("\n")
        line += len(first)
        longest = max(longest, line, *map(len, others))
        line = len(others[-1]) if others else line
    file.seek(0)
    return whole, longest


def _surveyed(path: Path, caller: Caller, user: str | None) -> dict[str, JSON]:
    """What an export of ours holds for a user, or without one a file of messages."""
    with _text_in(path) as file:
        if user is None:
            return _told(survey_messages(file))
        return _told(survey_export(caller.service.memory.parts.store, file, user_id=user))


def _loaded(path: Path, caller: Caller, user: str, report: Progress) -> dict[str, JSON]:
    """Load an export of ours."""
    memory = caller.service.memory
    stored: list[int] = []
    with _text_in(path) as file:
        wanted = {"id": {"in": _first_ids(file)}}
        file.seek(0)
        total = sum(1 for _ in file)
        file.seek(0)
        before = {one.id for one in memory.get_all(user_id=user, filters=wanted)}
        lines, parts = _reported(file, report, total=total), memory.parts
        try:
            loaded = read_export(parts.store, lines, indexer=parts.indexer, user_id=user, tell=stored.append)
        finally:
            after = {one.id for one in memory.get_all(user_id=user, filters=wanted)}
            caller.touched(sorted(after - before), count=max(sum(stored), len(after - before)))
    return {"stored": loaded.stored, "duplicates": loaded.duplicates, "refused": 0}


def _said(
    path: Path, caller: Caller, user: str, session_id: str | None, report: Progress, *, total: int
) -> dict[str, JSON]:
    """Store the messages of a file."""
    ids: list[str] = []
    by = caller.principal.signs(user)

    def add(batch: list[dict[str, object]]) -> list[AddResult]:
        given = [signed(one, by) for one in batch] if by else batch
        done = caller.service.memory.add(given, user_id=user, session_id=session_id)
        ids.extend(one.id for one in done if one.id and one.status in ("stored", "redacted"))
        return done

    importer = Importer(add=add, seed=f"\n{session_id or ''}")
    with _text_in(path) as file:
        messages = numbered_messages(iter(file), strict=True)
        try:
            done = importer.store(_reported(messages, report, total=total))
        finally:
            caller.touched(ids[:AUDITED], count=len(ids))
    counts = done.counts
    known = counts["duplicate"] + counts["deleted"]
    return {"stored": len(ids), "duplicates": known, "refused": counts["refused"]}


def _number_of_messages(path: Path) -> tuple[int, bool]:
    """How many can be read, and whether these are all; storing them says what is wrong with others."""
    total = 0
    with _text_in(path) as file:
        try:
            for _ in numbered_messages(iter(file), strict=True):
                total += 1
        except InvalidInputError:
            return total, False
    return total, True


def _ends_in_record(path: Path) -> bool:
    """Whether an export of ours does not break off within a line; loading it says what is wrong."""
    with _text_in(path) as file:
        (last,) = deque(file, maxlen=1)
    try:
        json.loads(last)
    except (ValueError, RecursionError):
        return False
    return True


def _first_ids(file: IO[str]) -> list[str]:
    """The ids of the first memories of an export, for the audit; ``load`` says what is wrong with others."""
    found: list[str] = []
    for line in file:
        try:
            found.append(check_id("id", json.loads(line)["memory"]["id"]))
        except (KeyError, TypeError, ValueError, RecursionError, RecollectError):
            continue
        if len(found) == AUDITED:
            break
    return found
