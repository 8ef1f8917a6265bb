"""Export and import of memories, links and learned state as JSON Lines."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from os import PathLike
from typing import IO, Any, Final, NamedTuple, TypeVar

from recollect.checks import check_content, check_fields, check_id, check_path, check_scope, check_text
from recollect.errors import InvalidInputError, as_given
from recollect.ingest.add import Indexer
from recollect.ingest.sources.report import ImportReport
from recollect.learning.learner import PASSING
from recollect.learning.queue import LEARNED_TO, state_of
from recollect.memory.maintenance.learned_state import check_state
from recollect.protocols import Store
from recollect.types import Link, LoadResult, MemoryRecord, Scope
from recollect.types.characters import without_controls
from recollect.types.codec import record_from_json, record_to_json
from recollect.types.filters import EVERYTHING, by_ids
from recollect.types.regex import lazy_regex

FORMAT: Final = "recollect-export"
VERSION: Final = 1
_PAGE: Final = 1_000
_DAMAGE: Final = (KeyError, TypeError, ValueError, AttributeError, RecursionError)
"""What reading a line that was not exported may raise."""
_ID_CHARS: Final = 36
"""Length of a UUID: what the columns of a shadow have room for."""


def export_to(target: str | PathLike[str] | IO[str], store: Store, scopes: Iterable[Scope]) -> int:
    """Export into a new file or an open one; see ``Memory.export``."""
    return write_to(target, lambda out: write_export(store, scopes, out))


def write_to(target: str | PathLike[str] | IO[str], write: Callable[[IO[str]], int]) -> int:
    """Write into a new file or an open one; returns what ``write`` does."""
    if not isinstance(target, (str, PathLike)):
        if not hasattr(target, "write"):
            raise InvalidInputError(f"export takes a path or an open file, not {as_given(target)}")
        return write(target)
    try:
        with check_path("target", target).open("x", encoding="utf-8", newline="\n") as out:
            return write(out)
    except FileExistsError:
        raise InvalidInputError(f"{target} exists; name a new file for the export") from None
    except OSError as error:
        raise InvalidInputError(f"{target} cannot be written: {error.strerror}") from error


def load_from(
    source: str | PathLike[str] | IO[str], store: Store, *, indexer: Indexer, user_id: str | None
) -> LoadResult:
    """Load a file or an open one; see ``Memory.load``."""
    if not isinstance(source, (str, PathLike)):
        if not isinstance(source, Iterable):
            raise InvalidInputError(f"load takes a path or an open file, not {as_given(source)}")
        return read_export(store, source, indexer=indexer, user_id=user_id)
    try:
        with check_path("source", source).open(encoding="utf-8") as lines:
            return read_export(store, lines, indexer=indexer, user_id=user_id)
    except OSError as error:
        raise InvalidInputError(f"{source} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError:
        raise InvalidInputError(f"{source} is not UTF-8 text") from None


def write_export(store: Store, scopes: Iterable[Scope], out: IO[str]) -> int:
    """Write every memory of some scopes, and the links between them; returns how many memories."""
    out.write(_line({"format": FORMAT, "version": VERSION}))
    total = 0
    for scope in scopes:
        states, learned = store.states(scope), dict[str, tuple[int, str]]()
        for record in all_of(store, scope):
            out.write(_line({"memory": record_to_json(record)}))
            total += 1
            if record.kind == "message" and record.scope.session_id is not None:
                name, place = state_of(record.scope), (record.origin.turn, record.id)
                if name in states and place[0] <= int(states[name]):
                    learned[name] = max(learned.get(name, place), place)
        for link in _links_of(store, scope):
            ends = {"source_id": link.source_id, "target_id": link.target_id, "type": link.type}
            out.write(_line({"link": ends, "user_id": scope.user_id}))
        for name, value in _brought(states, learned):
            out.write(_line({"state": {"name": name, "value": value}, "user_id": scope.user_id}))
    return total


def read_export(
    store: Store,
    lines: Iterable[str],
    *,
    indexer: Indexer,
    user_id: str | None = None,
    tell: Callable[[int], None] = lambda _: None,
) -> LoadResult:
    """Read what ``write_export`` wrote. What is there already is left as it is.

    Args:
        store: Where to put it.
        lines: The lines of the file.
        indexer: Makes the features again.
        user_id: Give all memories to this user instead of the one they were exported from.
        tell: Told how many memories were stored after each step.

    Raises:
        InvalidInputError: A line is not what was written; the message names it. Of what came before it,
            whole thousands of lines are stored, and reading the mended file again adds the rest.
    """
    numbered = enumerate(lines, start=1)
    _check_header(next(numbered, (1, ""))[1])
    stored = duplicates = 0
    for page in _pages(_parsed(numbered, user_id)):
        records = [(user, value) for user, value in page if isinstance(value, MemoryRecord)]
        added = sum(_load_memories(store, user, some, indexer) for user, some in _by_user(records))
        stored += added
        tell(added)
        duplicates += len(records) - added
        for user, links in _by_user([(user, link) for user, link in page if isinstance(link, Link)]):
            _load_links(store, user, links)
        for user, states in _by_user([(user, value) for user, value in page if isinstance(value, _State)]):
            _load_states(store, user, states)
    return LoadResult(stored=stored, duplicates=duplicates)


def survey_export(store: Store | None, lines: Iterable[str], *, user_id: str | None = None) -> ImportReport:
    """Count what ``read_export`` would read; where there is a store, also what of it is new.

    Raises:
        InvalidInputError: A line is not what was written; the message names it.
    """
    numbered = enumerate(lines, start=1)
    _check_header(next(numbered, (1, ""))[1])
    report = ImportReport(format=FORMAT, title="Recollect export", dry_run=True)
    sessions: set[Scope] = set()
    standings: Counter[str] = Counter()
    for page in _pages(_parsed(numbered, user_id)):
        records = [(user, value) for user, value in page if isinstance(value, MemoryRecord)]
        for _, record in records:
            report.count_stored(record)
            sessions.update([record.scope] if record.scope.session_id else [])
        if store is not None:
            for user, some in _by_user(records):
                standings.update(_standings(store, user, some))
    report.conversations = len(sessions)
    report.expected = {name: count for name, count in standings.items() if count}
    return report


def _standings(store: Store, user: Scope, records: Sequence[MemoryRecord]) -> dict[str, int]:
    """How many memories of a user are new, there, or deleted here."""
    ids = list(dict.fromkeys(record.id for record in records))
    there = sum(record is not None for record in store.get(user, ids))
    deleted = len(store.deleted(user, by_ids(ids)))
    known = len(records) - len(ids) + there
    return {"new": len(ids) - there - deleted, "duplicate": known, "deleted": deleted}


_WORDS: Final = ("content", "summary", "labels")
_SPEAKER: Final = ("speaker", "role")
"""What is words and names in a record, and in where it comes from."""


class _State(NamedTuple):
    """What was learned about a user, under its name."""

    name: str
    value: str


_Value = TypeVar("_Value")
_Parsed = tuple[Scope, MemoryRecord | Link | _State]
"""A user, and what is its own."""


def _line(value: object) -> str:
    """A line of an export; sorted, because equal stores may keep metadata in another order."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True) + "\n"


def all_of(store: Store, scope: Scope) -> Iterator[MemoryRecord]:
    """Every live memory of a scope, by id."""
    after = None
    while page := store.find(scope, EVERYTHING, limit=_PAGE, after=after):
        yield from page
        after = page[-1].id


def _links_of(store: Store, scope: Scope) -> Iterator[Link]:
    for record in all_of(store, scope):
        yield from (link for link in store.links(scope, record.id) if link.source_id == record.id)


def _brought(states: Mapping[str, str], learned: Mapping[str, tuple[int, str]]) -> Iterator[tuple[str, str]]:
    """The learned state; how far a session was learned is given by a message, since turns get new numbers."""
    for name, value in states.items():
        if not name.startswith(LEARNED_TO):
            yield name, value
        elif name in learned:
            yield name, learned[name][1]


def _check_header(line: str) -> None:
    try:
        header = json.loads(line)
    except _DAMAGE:
        header = None
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise InvalidInputError("line 1 is not the header of an export; use add for other files")
    if header.get("version") != VERSION:
        raise InvalidInputError(f"the export has version {header.get('version')}, known here is {VERSION}")


def _parsed(numbered: Iterator[tuple[int, str]], user_id: str | None) -> Iterator[_Parsed]:
    for number, line in numbered:
        if not line.strip():
            continue
        try:
            yield _parse(json.loads(line), user_id)
        except _DAMAGE as error:
            raise InvalidInputError(f"line {number} is not an exported memory: {_said(error)}") from None


def _parse(value: Any, user_id: str | None) -> _Parsed:
    if "link" in value:
        link = Link(**value["link"])
        check_fields("its link's", link)
        return check_scope(user_id or value["user_id"]), link
    if "state" in value:
        name, text = value["state"]["name"], value["state"]["value"]
        check_text("the name of its state", name)
        check_text("its state", text)
        check_state(name, text)
        return check_scope(user_id or value["user_id"]), _State(name, text)
    memory = value["memory"]
    for shown, names in ((memory, _WORDS), (memory.get("origin", {}), _SPEAKER)):
        shown.update({name: _clean(shown[name]) for name in names if name in shown})
    if user_id is not None:
        memory["scope"]["user_id"] = user_id
    record = record_from_json(memory)
    check_fields("its", record)
    check_scope(record.scope.user_id, record.scope.agent_id, record.scope.session_id)
    check_content("its content", record.content)
    if len(check_id("its id", record.id)) > _ID_CHARS or not record.id.isascii():
        raise InvalidInputError(f"its id {as_given(record.id)} is not one of ours")
    return Scope(user_id=record.scope.user_id), record


def _clean(value: Any) -> Any:
    """The same without control characters, however deep in it; NUL stays, to be refused."""
    if isinstance(value, str):
        return value if "\0" in value else without_controls(value)
    if isinstance(value, list):
        return [_clean(part) for part in value]
    return {name: _clean(part) for name, part in value.items()} if isinstance(value, dict) else value


_UNKNOWN: Final = lazy_regex(r"got an unexpected keyword argument ('\w+')")
_MISSING: Final = lazy_regex(r"missing \d+ required (?:keyword-only|positional) arguments?: (.+)")


def _said(error: Exception) -> str:
    """What is wrong with a line, without the words of Python."""
    if isinstance(error, KeyError):
        return f"it has no {error}"
    if isinstance(error, RecursionError):
        return "it goes too deep"
    if not isinstance(error, (TypeError, AttributeError)):
        return str(error)
    unknown, missing = _UNKNOWN.search(str(error)), _MISSING.search(str(error))
    if unknown:
        return f"it has {unknown[1]}, which is not known here"
    return f"it has no {missing[1]}" if missing else "it has another shape"


def _pages(parsed: Iterator[_Parsed]) -> Iterator[list[_Parsed]]:
    while page := list(islice(parsed, _PAGE)):
        yield page


def _by_user(pairs: Iterable[tuple[Scope, _Value]]) -> Iterator[tuple[Scope, list[_Value]]]:
    users: dict[Scope, list[_Value]] = {}
    for user, value in pairs:
        users.setdefault(user, []).append(value)
    yield from users.items()


def _load_memories(store: Store, user: Scope, records: Sequence[MemoryRecord], indexer: Indexer) -> int:
    known = store.get(user, [record.id for record in records])
    missing = {record.id: record for record, there in zip(records, known, strict=True) if there is None}
    # The store numbers turns as they come: those of a thread come in the order of their old numbers.
    fresh = sorted(missing.values(), key=lambda record: (record.origin.thread, record.origin.turn))
    try:
        return _add(store, user, fresh, indexer)
    except InvalidInputError:
        # An id is taken by a memory that was deleted here; it stays deleted.
        return _add(store, user, [r for r in fresh if not store.history(user, r.id)], indexer)


def _add(store: Store, scope: Scope, records: Sequence[MemoryRecord], indexer: Indexer) -> int:
    if not records:
        return 0
    features = indexer.features(records)
    indexer.remember_ourselves(features[0])
    entries = [indexer.entry(record, made) for record, made in zip(records, features, strict=True)]
    stands = store.add(scope, entries)
    return sum(own.id == found for own, found in zip(records, stands, strict=True))


def _load_links(store: Store, scope: Scope, links: Sequence[Link]) -> None:
    """Add the links whose ends are both here; an end that was left out takes its links with it."""
    if not links:
        return
    ends = list(dict.fromkeys(end for link in links for end in (link.source_id, link.target_id)))
    here = {record.id for record in store.get(scope, ends) if record is not None}
    store.link(scope, [link for link in links if {link.source_id, link.target_id} <= here])


def _load_states(store: Store, scope: Scope, states: Sequence[_State]) -> None:
    """Store the learned state, unless the name is taken.

    What a worker held while it learned stays behind: here is nobody who would let it go.
    """
    for state in states:
        value = _turn_of(store, scope, state) if state.name.startswith(LEARNED_TO) else state.value
        if value is not None and state.name not in PASSING:
            store.change_state(scope, state.name, partial(_first, new=value))


def _turn_of(store: Store, scope: Scope, state: _State) -> str | None:
    """Which turn the message is here up to which a session was learned; None where it is not here."""
    (record,) = store.get(scope, [state.value])
    if record is None or state_of(record.scope) != state.name:
        return None
    return str(record.origin.turn)


def _first(known: str | None, *, new: str) -> str:
    return new if known is None else known
