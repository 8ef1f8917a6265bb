"""``Memory.import_file``: what another program exported, detected, counted, and stored by ``Memory.add``.

The source's ids are the idempotency keys. With each memory goes a digest of its words and times in the
source, which tells what was changed there, and what here: see ``recollect.memory.reimporting``.
"""

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import chain
from os import PathLike
from typing import TYPE_CHECKING, Final, NamedTuple

from recollect.errors import ExportedFolderError, InvalidInputError, NotFoundError
from recollect.ingest.add import Indexer
from recollect.ingest.message_files import is_export
from recollect.ingest.messages import Item, read_messages
from recollect.ingest.sources.batches import batches
from recollect.ingest.sources.files import SourceFiles, files_at
from recollect.ingest.sources.formats import detect
from recollect.ingest.sources.markdown import exported_pages
from recollect.ingest.sources.report import LISTED, ImportReport
from recollect.ingest.sources.source import BrokenRecord, ReadOptions, SourceChat, SourceItem
from recollect.ingest.sources.survey import CHECKED, Survey, keys_of, message_of, session_of
from recollect.ingest.sources.unknown import unknown
from recollect.memory.adding import store_items
from recollect.memory.changes.edit import OvertakenError, edit
from recollect.memory.changes.revise import Changes
from recollect.memory.embedding_ahead import EmbedderAhead
from recollect.memory.imported_documents import keep
from recollect.memory.reimporting import CHANGED, compare, expected
from recollect.protocols import Store
from recollect.sessions.source_titles import SourceTitles
from recollect.types import AddResult, Link, MemoryRecord, Scope
from recollect.types.filters import Test

if TYPE_CHECKING:
    from recollect.memory.memory import Memory

BATCH: Final = 500
"""Messages stored in one transaction. Chosen by hand."""
AHEAD: Final = 2 * BATCH
"""Messages that are read and embedded before the first of them is stored. Chosen by hand."""
_KEY: Final = "idempotency_key"
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


def _with_keys(keys: Iterable[str]) -> Test:
    return Test(_KEY, in_metadata=False, operator="in", value=tuple(keys))


class _Batch(NamedTuple):
    """Items that are stored together, and those of them that are new, unread and read."""

    session_id: str | None
    chat: SourceChat | None
    items: Sequence[SourceItem]
    new: Sequence[SourceItem]
    read: Sequence[Item]


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
        self._done = ImportReport(format="", title=survey.title)
        self._user = Scope(user_id=scope.user_id)
        self._parts = parts = memory.parts
        self._titles = SourceTitles(parts.store, self._user, screen=parts.screen, clock=parts.clock)

    def run(self, found: ImportReport, *, report: Progress) -> ImportReport:
        """Store what there is, and count it in what ``Survey.checked`` found.

        Raises:
            StoreError: The store failed; run again, and it goes on where it stopped.
        """
        self._done = found
        parts = self._parts
        begun: deque[_Batch] = deque()
        count = found.messages + found.facts
        with closing(EmbedderAhead(parts.embedder, expected=count)) as ahead:
            indexer = Indexer(parts.store, embedder=ahead, analyser=parts.analyser)
            self._parts = replace(parts, indexer=indexer)
            for chat, items in batches(self._survey.items(), size=BATCH):
                begun.append(self._read(chat, items))
                ahead.begin([item.content for item in begun[-1].read if not item.refused])
                while sum(len(batch.read) for batch in begun) > AHEAD:
                    self._store(begun.popleft(), report=report)
            while begun:
                self._store(begun.popleft(), report=report)
        self._link()
        if found.documents:
            self._keep_documents(report=report)
        return self._done

    def _keep_documents(self, *, report: Progress) -> None:
        for document in self._survey.documents():
            kept = keep(self._memory, self._user, document)
            if isinstance(kept, BrokenRecord):
                self._done.count_broken(kept)
            self._done.add_result("refused" if isinstance(kept, BrokenRecord) else kept)
            self._over += 1
            report(self._over, self._done.amount)

    def _read(self, chat: SourceChat | None, items: Sequence[SourceItem]) -> _Batch:
        """A batch, screened; what changed of what is there is updated."""
        keys = [keys_of(item) for item in items]
        store = self._parts.store
        known = {
            one.idempotency_key: one for one in store.find(self._user, _with_keys(chain.from_iterable(keys)))
        }
        former = [key for _, *more in keys for key in more]
        deleted = store.deleted(self._user, _with_keys(former)) if former else []
        gone = {record.idempotency_key for record in deleted}
        new = []
        for own, item in zip(keys, items, strict=True):
            there = next((known[key] for key in own if key in known), None)
            if there is not None:
                self._compare(item, there)
            elif gone.isdisjoint(own):
                new.append(item)
            else:
                self._done.add_result("deleted")
        messages = [message_of(item) for item in new]
        read = read_messages(messages, CHECKED, screen=self._parts.screen) if new else []
        session_id = None if chat is None else session_of(chat, items[0].format)
        return _Batch(session_id, chat, items, new, read)

    def _store(self, batch: _Batch, *, report: Progress) -> None:
        agents = [self._scope.agent_id or item.agent_id for item in batch.new]
        added: dict[int, AddResult] = {}
        for agent_id in dict.fromkeys(agents):
            places = [place for place, agent in enumerate(agents) if agent == agent_id]
            scope = self._parts.scope(self._user.user_id, agent_id, batch.session_id)
            results = store_items(self._parts, scope, [batch.read[place] for place in places])
            added |= zip(places, results, strict=True)
        self._finish(batch, [added[place] for place in range(len(agents))], report=report)

    def _finish(self, batch: "_Batch", results: Sequence[AddResult], *, report: Progress) -> None:
        self._count(batch.new, results)
        self._linked += [item for item in batch.items if item.sources]
        if batch.session_id is not None and batch.chat is not None:
            self._entitle(batch.session_id, batch.chat)
        self._over += len(batch.items)
        report(self._over, self._done.amount)

    def _count(self, items: Sequence[SourceItem], results: Sequence[AddResult]) -> None:
        elsewhere = []
        for item, result in zip(items, results, strict=True):
            if result.status == "duplicate":
                elsewhere.append((item, str(result.id)))
                continue
            self._done.add_result(result.status)
            if result.status == "refused":
                self._done.count_broken(BrokenRecord(where=item.where, reason=str(result.reason)))
            elif result.id is not None and result.status != "deleted":
                self._remember(item, result.id)
                if result.status in ("stored", "redacted") and len(self.new_ids) < LISTED:
                    self.new_ids.append(result.id)
        found = self._parts.store.get(self._user, [one for _, one in elsewhere]) if elsewhere else []
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
                (known,) = self._parts.store.get(self._user, [there.id])
                continue
            self._done.add_result(standing)
            return
        self._done.add_result("deleted")

    def _follow(self, item: SourceItem, there: MemoryRecord) -> str:
        """Change a memory as its source says; returns what became of the item."""
        parts = self._parts
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
            self._parts.store.link(self._user, ends)

    def _entitle(self, session_id: str, chat: SourceChat) -> None:
        """Give a conversation its title in the source, unless it was given another here."""
        if chat.title is None:
            return
        session = replace(self._scope, session_id=session_id)
        try:
            self._titles.follow(session, chat.title, changed_at=chat.changed_at)
        except InvalidInputError:
            self._done.left_out["titles that hold secrets"] += 1
