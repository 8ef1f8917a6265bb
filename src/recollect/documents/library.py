"""The documents of a memory: added by file, folder or text, listed, read, searched, removed."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from os import PathLike, fspath
from os.path import expanduser, realpath
from pathlib import Path
from typing import Final, Literal, TypeAlias

from recollect.checks import (
    MAX_TOP_K,
    check_content,
    check_count,
    check_id,
    check_name,
    check_path,
    check_query,
    check_scope,
    check_text,
    check_time,
    path_in_words,
)
from recollect.documents.citing import Citation, cite
from recollect.documents.reading import (
    ENCODING,
    Text,
    UnreadableError,
    at_hand,
    check_encoding,
    check_path_name,
    check_size,
    digest,
    format_of,
    read_bytes,
    read_text,
)
from recollect.documents.records import (
    Document,
    DocumentResult,
    document_of,
    id_of,
    is_whole,
    items_of,
    number_of,
    result_of,
    version_of,
)
from recollect.documents.walking import files_in
from recollect.errors import InvalidInputError, NotFoundError, as_given
from recollect.ingest.add import Indexer, add_items
from recollect.ingest.labels import Labeller
from recollect.ingest.messages import Item, Screen
from recollect.lifecycle.archival import ARCHIVED
from recollect.protocols import Clock, Entry, Store
from recollect.retrieval.request import Request
from recollect.retrieval.search import Recall
from recollect.text.analyse import Analyser
from recollect.text.chunks import FEWEST_TOKENS, MAX_TOKENS
from recollect.types import TIER, MemoryRecord, Scope, Tier
from recollect.types.filters import AllOf, Filter, Test, by_ids, parse_filter
from recollect.types.guesses import corrects_guesses
from recollect.types.ids import new_id

LIMIT: Final = 5
"""Second Brain: the five best chunks of documents."""
_KIND: Final = parse_filter({"kind": "document"})
_OURS: Final = Test("document", in_metadata=True, operator="ne", value=None)
_FIRST: Final = AllOf((_KIND, _OURS, parse_filter({"chunk": 0, "tier": {"ne": ARCHIVED}})))
_NO_DOCUMENT: Final = "it is no Markdown, text, HTML or PDF, by its name"
_NEWER: Final = "a newer version of the document was added"


DocumentList: TypeAlias = list[Document]
Citations: TypeAlias = list[Citation]
Results: TypeAlias = list[DocumentResult]
_Records: TypeAlias = list[MemoryRecord]
"""Inside the class ``list`` is a method."""


@corrects_guesses
class Documents:
    """The documents of a memory; see ``Memory.documents``.

    A document becomes memories of the kind ``document``, one for each chunk of at most 500 tokens
    (``recollect.text.chunks``), in a thread of its own, whose metadata names it: ``document``, ``title``,
    ``source``, ``format``, ``chunk`` (from 0), ``chunks``, ``headings`` and, for what has pages, ``page``.
    """

    def __init__(
        self,
        store: Store,
        *,
        indexer: Indexer,
        labeller: Labeller,
        screen: Screen,
        recall: Recall,
        analyser: Analyser,
        clock: Clock,
        check_open: Callable[[], None],
    ) -> None:
        self._store = store
        self._indexer = indexer
        self._labeller = labeller
        self._screen = screen
        self._recall = recall
        self._analyser = analyser
        self._clock = clock
        self._check_open = check_open

    def add(
        self,
        path: str | PathLike[str],
        *,
        user_id: str,
        max_tokens: int = MAX_TOKENS,
        encoding: str = ENCODING,
        remove_missing: bool = False,
    ) -> Results:
        """Add a file, or the Markdown, text, HTML and PDF files of a folder and the folders in it.

        A file is read again only when its bytes changed. Each file is stored whole or not at all, and a bad
        one keeps no other from being stored.

        Args:
            path: The file or folder. Hidden files, and links inside a folder, are skipped.
            user_id: Whose documents.
            max_tokens: The most tokens of a chunk.
            encoding: Of texts that do not say their own (byte order mark, HTML's ``charset``).
            remove_missing: Remove documents that came from this folder and whose files are gone.

        Returns:
            One result for each file, in the order of their paths.

        Raises:
            InvalidInputError: There is no such file or folder, or an argument cannot be used.
            StoreError: The store failed; files before this one are stored.
        """
        scope = self._scope(user_id)
        place = _place(path)
        check_encoding(encoding)
        most = _tokens(max_tokens)
        if not place.is_dir():
            return [self._file(scope, place, most, encoding)]
        results = [
            self._file(scope, found.path, most, encoding)
            if found.skipped is None
            else result_of(found.path, "refused" if found.refused else "skipped", found.skipped)
            for found in files_in(place)
        ]
        return [*results, *(self._remove_missing(scope, place) if remove_missing else ())]

    def add_text(
        self,
        text: str,
        *,
        user_id: str,
        source: str,
        title: str | None = None,
        format: Literal["markdown", "text", "html"] = "markdown",  # noqa: A002 - as in Document
        max_tokens: int = MAX_TOKENS,
        timestamp: datetime | None = None,
    ) -> DocumentResult:
        """Add a text that is no file, such as a page that was fetched. It is stored whole or not at all.

        Args:
            text: Its words, as many as a file may have: 32 MiB, and 10 million characters of text.
            user_id: Whose document.
            source: What it is called, such as its URL; the same source again replaces it, if it changed.
            title: By default the first heading, else the source.
            format: How to read it.
            max_tokens: The most tokens of a chunk.
            timestamp: When it was written; by default now.

        Raises:
            InvalidInputError: An argument cannot be used, or the text is too large or holds no words.
        """
        scope = self._scope(user_id)
        if format not in ("markdown", "text", "html"):
            raise InvalidInputError(f"format must be markdown, text or html, not {as_given(format)}")
        if not isinstance(text, str):
            raise InvalidInputError(f"text must be a text, not {type(text).__name__}")
        name = check_name("source", check_content("source", source)) or ""
        given = check_name("title", title)
        try:
            read = at_hand(check_text("text", text), format)
        except UnreadableError as error:
            raise InvalidInputError(f"text cannot be added: {error}") from None
        return self._put(
            scope,
            replace(read, title=given or read.title),
            source=name,
            content=text.encode(),
            most=_tokens(max_tokens),
            happened_at=None if timestamp is None else check_time("timestamp", timestamp),
        )

    def add_bytes(
        self,
        data: bytes,
        *,
        user_id: str,
        source: str,
        max_tokens: int = MAX_TOKENS,
        encoding: str = ENCODING,
    ) -> DocumentResult:
        """Add a file by its bytes, such as an upload, at most 32 MiB. It is stored whole or not at all.

        Args:
            data: Its bytes.
            user_id: Whose document.
            source: Its name, whose ending says how to read it; the same name again replaces it.
            max_tokens: The most tokens of a chunk.
            encoding: Of a text that does not say its own.

        Raises:
            InvalidInputError: An argument cannot be used.
        """
        scope = self._scope(user_id)
        if not isinstance(data, bytes):
            raise InvalidInputError(f"data must be bytes, not {type(data).__name__}")
        name = check_name("source", check_content("source", source)) or ""
        check_encoding(encoding)
        kind = format_of(Path(name))
        if kind is None:
            return result_of(Path(name), "refused", _NO_DOCUMENT)
        try:
            check_size(len(data))
            read = read_text(data, kind, encoding=encoding)
        except UnreadableError as error:
            return result_of(Path(name), "refused", str(error))
        return self._put(
            scope,
            replace(read, title=read.title or name),
            source=name,
            content=data,
            most=_tokens(max_tokens),
            happened_at=None,
        )

    def list(self, *, user_id: str) -> DocumentList:
        """The documents of a user, by source."""
        found = self._store.find(self._scope(user_id), _FIRST)
        return sorted((document_of(record) for record in found), key=lambda one: (one.source, one.id))

    def get(self, document_id: str, *, user_id: str) -> Document:
        """One document.

        Raises:
            NotFoundError: This user has no document with this id.
        """
        return document_of(self._chunks(self._scope(user_id), check_id("document_id", document_id))[0])

    def text(self, document_id: str, *, user_id: str) -> str:
        """All words of a document, as they were read.

        Raises:
            NotFoundError: This user has no document with this id.
        """
        chunks = self._chunks(self._scope(user_id), check_id("document_id", document_id))
        return "".join(record.content for record in chunks)

    def parent(self, memory_id: str, *, user_id: str) -> Document:
        """The document that a chunk is a part of.

        Raises:
            NotFoundError: This user has no memory with this id, or it is no chunk of a document.
        """
        (record,) = self._store.get(self._scope(user_id), [check_id("memory_id", memory_id)])
        named = record.metadata.get("document") if record is not None else None
        if not isinstance(named, str):
            raise NotFoundError(f"no chunk {memory_id!r} of a document for this user")
        return self.get(named, user_id=user_id)

    def search(self, query: str, *, user_id: str, limit: int = LIMIT) -> Citations:
        """The chunks of documents that answer a question, as sources to cite: [1], [2], best first.

        Raises:
            InvalidInputError: An argument cannot be used.
        """
        scope = self._scope(user_id)
        request = Request(
            query=check_query(query),
            top_k=check_count("limit", limit, most=MAX_TOP_K),
            now=self._clock(),
            kinds=("document",),
        )
        hits = self._recall.search(scope, request)
        wanted = self._analyser.query_stems(query)
        return cite(hits, query_terms=wanted, terms_of=self._analyser.stems)

    def remove(self, source: str | PathLike[str], *, user_id: str) -> DocumentList:
        """Remove documents: one by its id or source, or all that came from a folder.

        Their chunks are deleted, softly; ``Memory.purge`` removes the words for good.

        Returns:
            What was removed.

        Raises:
            NotFoundError: This user has no such document.
        """
        scope = self._scope(user_id)
        if not isinstance(source, (str, PathLike)):
            raise InvalidInputError(f"remove takes an id, a source or a folder, not {as_given(source)}")
        name = check_content("source", fspath(source))
        place = realpath(expanduser(name))  # noqa: PTH111 - pathlib's fails where there is no such user
        doomed = [one for one in self.list(user_id=user_id) if name in (one.id, one.source)] or [
            one for one in self.list(user_id=user_id) if one.source == place or _lies_in(one.source, place)
        ]
        if not doomed:
            raise NotFoundError(f"no document {as_given(name)} for this user")
        for one in doomed:
            self._delete(scope, one)
        return doomed

    def _scope(self, user_id: str) -> Scope:
        self._check_open()
        return check_scope(user_id)

    def _file(self, scope: Scope, path: Path, most: int, encoding: str) -> DocumentResult:
        """Read and store one file; what is wrong with it is its result."""
        kind = format_of(path)
        if kind is None:
            return result_of(path, "refused", _NO_DOCUMENT)
        try:
            check_path_name(path)
            data, written = read_bytes(path)
            version = version_of(digest(data), most)
            known = self._known(scope, id_of(str(path)))
            if is_whole(known, version):
                return DocumentResult(
                    source=str(path),
                    status="unchanged",
                    document_id=id_of(str(path)),
                    chunks=len(known),
                )
            read = read_text(data, kind, encoding=encoding)
        except UnreadableError as error:
            return result_of(path, "refused", str(error))
        return self._put(
            scope,
            replace(read, title=read.title or path.name),
            source=str(path),
            content=data,
            most=most,
            happened_at=datetime.fromtimestamp(max(written, 0), UTC),
        )

    def _put(
        self,
        scope: Scope,
        read: Text,
        *,
        source: str,
        content: bytes,
        most: int,
        happened_at: datetime | None,
    ) -> DocumentResult:
        """Store a document in place of what is known of it."""
        document_id, version = id_of(source), version_of(digest(content), most)
        known = self._known(scope, document_id)
        if is_whole(known, version):
            return DocumentResult(
                source=source, status="unchanged", document_id=document_id, chunks=len(known)
            )
        screened = self._screen(read.text)
        if screened.refused:
            return DocumentResult(source=source, status="refused", reason=screened.refused)
        if screened.redacted:  # the places of pages are those of the words before
            read = replace(read, text=screened.text, pages=())
        title = self._screen(read.title or "")
        read = replace(read, title=None if title.refused else title.text or None)
        items = items_of(read, source=source, version=version, max_tokens=most, happened_at=happened_at)
        self._exchange(scope, items, known)
        return DocumentResult(
            source=source,
            status="replaced" if known else "added",
            document_id=document_id,
            chunks=len(items),
            reason=screened.redacted,
        )

    def _exchange(self, scope: Scope, items: Sequence[Item], known: Sequence[MemoryRecord]) -> None:
        """Store chunks whole; where others are known, out of sight first, and then in their place at once.

        Stopped in between, adding the document again goes on: a chunk that is there already is not stored
        twice, by its idempotency key.
        """
        staged = [replace(item, tier=ARCHIVED) for item in items] if known else items
        results = add_items(
            self._store,
            scope,
            staged,
            indexer=self._indexer,
            labeller=self._labeller,
            now=self._clock(),
            new_id=new_id,
        )
        if not known:
            return
        current = {str(result.id) for result in results}
        outdated = [record.id for record in known if record.id not in current]

        def exchanged(before: MemoryRecord) -> Entry:
            tier: Tier = TIER if before.id in current else ARCHIVED
            times = replace(before.times, updated_at=self._clock())
            return self._indexer.entry(replace(before, tier=tier, times=times))

        self._store.update(scope, [*current, *outdated], exchanged, reason=_NEWER)
        if outdated:
            self._store.delete(scope, by_ids(outdated), reason=_NEWER)

    def _remove_missing(self, scope: Scope, folder: Path) -> Iterator[DocumentResult]:
        for one in self.list(user_id=scope.user_id):
            if _lies_in(one.source, str(folder)) and not Path(one.source).exists():
                self._delete(scope, one)
                yield DocumentResult(source=one.source, status="removed", reason="its file is gone")

    def _delete(self, scope: Scope, document: Document) -> None:
        where = AllOf((_KIND, _document_is(document.id)))
        self._store.delete(scope, where, reason="the document was removed")

    def _known(self, scope: Scope, document_id: str) -> _Records:
        """The chunks that are stored of a document, also those out of sight."""
        return self._store.find(scope, AllOf((_KIND, _document_is(document_id))))

    def _chunks(self, scope: Scope, document_id: str) -> _Records:
        """The chunks of a document, in order."""
        found = [record for record in self._known(scope, document_id) if record.tier != ARCHIVED]
        if not found:
            raise NotFoundError(f"no document {document_id!r} for this user")
        return sorted(found, key=number_of)


def _place(path: object) -> Path:
    if not isinstance(path, (str, PathLike)):
        raise InvalidInputError(f"add takes a file or a folder, not {as_given(path)}")
    given = check_path("path", path)
    try:
        return given.expanduser().resolve(strict=True)
    except (OSError, RuntimeError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise InvalidInputError(f"{path_in_words(given)} cannot be added: {why}") from None


def _tokens(value: int) -> int:
    most = check_count("max_tokens", value, most=100_000)
    if most < FEWEST_TOKENS:
        raise InvalidInputError(f"max_tokens must be {FEWEST_TOKENS} or more, not {most}")
    return most


def _document_is(document_id: str) -> Filter:
    return Test("document", in_metadata=True, operator="eq", value=document_id)


def _lies_in(source: str, folder: str) -> bool:
    return source != folder and Path(source).is_absolute() and Path(source).is_relative_to(folder)
