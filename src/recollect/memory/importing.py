"""``Memory.import_file``: what another program exported, detected, counted, and stored by ``Memory.add``.

The source's ids are the idempotency keys. With each memory goes a digest of its words and times in the
source, which tells what was changed there, and what here: see ``recollect.memory.reimporting``.
"""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from functools import partial
from os import PathLike
from typing import TYPE_CHECKING, Final, NamedTuple

from recollect.errors import ExportedFolderError, InvalidInputError, NotFoundError
from recollect.ingest.message_files import is_export
from recollect.ingest.sources.batches import batches
from recollect.ingest.sources.files import SourceFiles, files_at
from recollect.ingest.sources.formats import detect
from recollect.ingest.sources.markdown import exported_pages
from recollect.ingest.sources.report import LISTED, ImportReport
from recollect.ingest.sources.source import BrokenRecord, ReadOptions, SourceChat, SourceItem
from recollect.ingest.sources.survey import FROM, Survey, key_of, message_of, session_of
from recollect.ingest.sources.unknown import unknown
from recollect.memory.changes.edit import OvertakenError, edit
from recollect.memory.changes.revise import Changes
from recollect.memory.reimporting import CHANGED, compare, expected
from recollect.protocols import Store
from recollect.sessions.source_titles import SourceTitles
from recollect.types import AddResult, Link, MemoryRecord, Scope
from recollect.types.filters import EVERYTHING, parse_filter

if TYPE_CHECKING:
    from recollect.memory.memory import Memory

BATCH: Final = 500
"""Messages stored in one transaction. Chosen by hand."""
WORKERS: Final = 2
"""Threads that add: while one embeds, outside of Python's lock, the other labels. Chosen by hand."""
_OURS: Final = "it was changed here ({}) and in its source; yours stays"
Progress = Callable[[int, int], None]
"""Called with the items done and their number."""


def survey_of(
    path: str | PathLike[str] | SourceFiles,
    *,
    user_id: str,
    format: str | None,  # noqa: A002 - as in Memory.import_file
    options: ReadOptions,
) -> Survey:
    """What there is to import.

    Raises:
        InvalidInputError: There is no such file.
        ExportedFolderError: It is a folder of Markdown that Recollect exported.
        UnclearFileError: It has no format that is known.
    """
    files = path if isinstance(path, SourceFiles) else files_at(path)
    pages = exported_pages(files)
    if pages and len(pages) == len(files.names):
        raise ExportedFolderError(
            f"{files.title} was exported by Recollect as Markdown: recollect apply (over HTTP POST /apply) "
            "reads its edits back into the store it came from; for another store export JSON Lines "
            "(recollect export FILE), and import those"
        )
    parts = detect(files, name="table" if format is None and options.columns else format)
    if not parts and len(files.names) == 1 and is_export(_first_line(files)):
        raise InvalidInputError(f"{files.title} is an export of Recollect: Memory.load reads it")
    if not parts:
        raise unknown(files)
    return Survey(files, parts, options=options, user_id=user_id)


def foreign_survey(
    files: SourceFiles,
    *,
    user_id: str,
    format: str | None,  # noqa: A002 - as in Memory.import_file
    options: ReadOptions,
    is_ours: Callable[[str], bool] = lambda _: False,
) -> Survey | None:
    """What there is of another program; None for one file that is an export of ours, or messages: JSON.

    ``is_ours`` says by its beginning that a file is to be read in another way, too.
    """
    if format is None and not options.columns and len(files.names) == 1 and not files.refused:
        start = files.beginning(files.names[0]).decode(errors="replace")
        own = is_export(_first_line(files)) or is_ours(start)
        is_json = start.lstrip()[:1] in ("", "[", "{", '"', "\0")
        if own or (is_json and not (detect(files) or exported_pages(files))):
            return None
    return survey_of(files, user_id=user_id, format=format, options=options)


def _first_line(files: SourceFiles) -> str:
    return files.beginning(files.names[0]).decode(errors="replace").partition("\n")[0]


def import_file(
    memory: "Memory",
    path: str | PathLike[str] | SourceFiles,
    *,
    scope: Scope,
    format: str | None,  # noqa: A002 - as in Memory.import_file
    options: ReadOptions,
    dry_run: bool,
    report: Progress,
    told: Callable[[ImportReport], None] = lambda _: None,
) -> ImportReport:
    """Count what another program exported, and store it; see ``Memory.import_file``.

    ``told`` is called with what there is, before anything is stored.
    """
    survey = survey_of(path, user_id=scope.user_id, format=format, options=options)
    if dry_run:
        return counted(survey, memory.parts.store)
    found = survey.checked()
    told(found)
    return FileImporter(memory, survey, scope=scope).run(found, report=report)


def counted(survey: Survey, store: Store | None) -> ImportReport:
    """The report of a dry run; what it would do where there is a store to import into."""
    done = survey.report(dry_run=True)
    if store is not None:
        done.expected = expected(store, survey)
    return done


class _Batch(NamedTuple):
    """Items that are stored together, and those of them that are new."""

    session_id: str | None
    chat: SourceChat | None
    items: Sequence[SourceItem]
    new: Sequence[SourceItem]


class _Adding:
    """Adds batches in ``WORKERS`` threads, those of one session one after the other.

    Args:
        add: Stores a batch.
        finish: Called in the caller's thread with each batch and its results, in order.
        note: Called with the results of a batch that was stored although nothing follows any more.
    """

    def __init__(
        self,
        add: Callable[[_Batch], list[AddResult]],
        *,
        finish: Callable[[_Batch, list[AddResult]], None],
        note: Callable[[list[AddResult]], None],
    ) -> None:
        self._add = add
        self._note = note
        self._done = finish
        self._pool = ThreadPoolExecutor(WORKERS)
        self._under_way: deque[tuple[_Batch, Future[list[AddResult]]]] = deque()

    def wait_for(self, session_id: str | None) -> None:
        """Wait until nothing of a session is under way, and there is room for a batch."""
        while len(self._under_way) > WORKERS or any(
            one.session_id == session_id for one, _ in self._under_way
        ):
            self._finish_first()

    def begin(self, batch: _Batch) -> None:
        """Begin to add a batch."""
        self._under_way.append((batch, self._pool.submit(self._add, batch)))

    def finish(self) -> None:
        """Wait for everything."""
        while self._under_way:
            self._finish_first()

    def close(self) -> None:
        """Begin nothing more, wait for what runs, and note what it stored."""
        self._pool.shutdown(cancel_futures=True)
        for _, results in self._under_way:
            if not results.cancelled() and results.exception() is None:
                self._note(results.result())

    def _finish_first(self) -> None:
        batch, results = self._under_way.popleft()
        self._done(batch, results.result())


class FileImporter:
    """Stores what a survey found, conversation by conversation.

    Args:
        memory: Where to.
        survey: What there is.
        scope: Whose it becomes, and with which agent.

    Attributes:
        new_ids: The first ids that were stored, at most 100.
    """

    def __init__(self, memory: "Memory", survey: Survey, *, scope: Scope) -> None:
        self._memory = memory
        self._survey = survey
        self._scope = scope
        self._ids: dict[str, str] = {}
        self._linked: list[SourceItem] = []
        self._over = 0
        self.new_ids: list[str] = []
        self._session: tuple[str, dict[str, MemoryRecord]] = "", {}
        self._done = ImportReport(format="", title=survey.title)
        self._user = Scope(user_id=scope.user_id)
        parts = memory.parts
        self._titles = SourceTitles(parts.store, self._user, screen=parts.screen, clock=parts.clock)

    def run(self, found: ImportReport, *, report: Progress) -> ImportReport:
        """Store what there is, and count it in what ``Survey.checked`` found.

        Raises:
            StoreError: The store failed; run again, and it goes on where it stopped.
        """
        self._done = found
        facts = self._facts()
        finish = partial(self._finish, report=report)
        with closing(_Adding(self._add, finish=finish, note=self._note)) as adding:
            for chat, batch in batches(self._survey.items(), size=BATCH):
                session_id = None if chat is None else session_of(chat, batch[0].format)
                adding.wait_for(session_id)
                known = facts if session_id is None else self._said_in(session_id)
                adding.begin(_Batch(session_id, chat, batch, self._new_in(batch, known)))
            adding.finish()
        self._link()
        return self._done

    def _said_in(self, session_id: str) -> dict[str, MemoryRecord]:
        """What is there of a conversation; read once for all its batches."""
        if self._session[0] != session_id:
            scope = self._memory.parts.scope(self._scope.user_id, self._scope.agent_id, session_id)
            self._session = session_id, _by_key(self._memory.parts.store.find(scope, EVERYTHING))
        return self._session[1]

    def _facts(self) -> dict[str, MemoryRecord]:
        """What was imported as facts before."""
        formats = [part.source.name for part in self._survey.parts]
        where = parse_filter({"kind": "fact", f"metadata.{FROM}": {"in": formats}})
        return _by_key(self._memory.parts.store.find(self._scope, where))

    def _new_in(self, batch: Sequence[SourceItem], known: Mapping[str, MemoryRecord]) -> list[SourceItem]:
        """What is new of a batch; what changed is updated."""
        new = []
        for item in batch:
            there = known.get(key_of(item))
            if there is None:
                new.append(item)
            else:
                self._compare(item, there)
        return new

    def _add(self, batch: "_Batch") -> list[AddResult]:
        agents = [self._scope.agent_id or item.agent_id for item in batch.new]
        added: dict[int, AddResult] = {}
        for agent_id in dict.fromkeys(agents):
            places = [place for place, agent in enumerate(agents) if agent == agent_id]
            results = self._memory.add(
                [message_of(batch.new[place]) for place in places],
                user_id=self._scope.user_id,
                agent_id=agent_id,
                session_id=batch.session_id,
            )
            added |= zip(places, results, strict=True)
        return [added[place] for place in range(len(agents))]

    def _finish(self, batch: "_Batch", results: Sequence[AddResult], *, report: Progress) -> None:
        self._count(batch.new, results)
        self._linked += [item for item in batch.items if item.sources]
        if batch.session_id is not None and batch.chat is not None:
            self._entitle(batch.session_id, batch.chat)
        self._over += len(batch.items)
        report(self._over, self._done.messages + self._done.facts)

    def _note(self, results: Sequence[AddResult]) -> None:
        """Count what became of messages, and keep the first new ids."""
        for result in results:
            self._done.add_result(result.status)
            is_new = result.id is not None and result.status in ("stored", "redacted")
            if is_new and len(self.new_ids) < LISTED:
                self.new_ids.append(str(result.id))

    def _count(self, items: Sequence[SourceItem], results: Sequence[AddResult]) -> None:
        elsewhere = []
        for item, result in zip(items, results, strict=True):
            if result.status == "duplicate":
                elsewhere.append((item, str(result.id)))
                continue
            self._note([result])
            if result.status == "refused":
                self._done.count_broken(BrokenRecord(where=item.where, reason=str(result.reason)))
            elif result.id is not None:
                self._remember(item, result.id)
        found = self._memory.parts.store.get(self._user, [one for _, one in elsewhere]) if elsewhere else []
        for (item, _), record in zip(elsewhere, found, strict=True):
            if record is None:
                self._done.add_result("duplicate")
            else:
                self._compare(item, record)

    def _compare(self, item: SourceItem, there: MemoryRecord) -> None:
        """Change a memory whose message was changed in the source since it was imported."""
        self._remember(item, there.id)
        known: MemoryRecord | None = there
        while known is not None:
            try:
                standing = self._follow(item, known)
            except (OvertakenError, NotFoundError):  # by another import, or by the user
                (known,) = self._memory.parts.store.get(self._user, [there.id])
                continue
            self._done.add_result(standing)
            return
        self._done.add_result("deleted")

    def _follow(self, item: SourceItem, there: MemoryRecord) -> str:
        """Change a memory as its source says; returns what became of the item."""
        parts = self._memory.parts
        found = compare(item, there, lambda: parts.store.history(self._user, there.id))
        changes, words = found.changes, found.changes.content
        screened = None if words is None else parts.screen(words)
        if screened is not None and screened.refused:
            self._done.count_broken(BrokenRecord(where=item.where, reason=screened.refused))
            return "refused"
        if changes != Changes():
            changes = changes if screened is None else replace(changes, content=screened.text)
            edit(parts, there.id, changes, user_id=self._user.user_id, reason=CHANGED, known=there)
        if found.standing == "conflict":
            self._done.count_conflict(BrokenRecord(where=item.where, reason=_OURS.format(there.id)))
        return found.standing

    def _remember(self, item: SourceItem, memory_id: str) -> None:
        """Keep the id of a message that facts come from."""
        if item.id in self._survey.sources or item.sources:
            self._ids[item.id] = memory_id

    def _link(self) -> None:
        """Link facts to the messages that say them."""
        ends = [
            Link(source_id=self._ids[item.id], target_id=self._ids[one], type="derived-from")
            for item in self._linked
            if item.id in self._ids
            for one in item.sources
            if one in self._ids
        ]
        if ends:
            self._memory.parts.store.link(self._user, ends)

    def _entitle(self, session_id: str, chat: SourceChat) -> None:
        """Give a conversation its title in the source, unless it was given another here."""
        if chat.title is None:
            return
        session = replace(self._scope, session_id=session_id)
        try:
            self._titles.follow(session, chat.title, changed_at=chat.changed_at)
        except InvalidInputError:
            self._done.left_out["titles that hold secrets"] += 1


def _by_key(records: Sequence[MemoryRecord]) -> dict[str, MemoryRecord]:
    return {record.idempotency_key: record for record in records if record.idempotency_key is not None}
