"""Copies everything in a store into another, and compares both at the end.

The target's memories of a user must be the beginning of the source's, as an interrupted run leaves them. This
is checked before anything is written, and tells where to resume. Existing memories never change.

Each user's digest is a SHA-256 of all memories in the order in which they were stored (record, vector, terms,
history, links) and of the learned states. Both stores are read again for it.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from itertools import chain, zip_longest
from typing import Final, Protocol, runtime_checkable

from recollect.errors import EmbedderMismatchError, InvalidInputError, NotFoundError, StoreError
from recollect.protocols import Copied, Copying, Store
from recollect.stores.sql.rows import COLUMNS, to_row
from recollect.text.analyse import Analyser
from recollect.text.traits import spoken
from recollect.types import Job, MemoryRecord, Scope
from recollect.types.codec import to_micros

_METADATA: Final = COLUMNS.index("metadata")
_FACTORS: Final = COLUMNS.index("factors")
_REALS: Final = tuple(map(COLUMNS.index, ("importance", "confidence", "decay_factor")))


def digest_of_user(copies: Iterable[Copied], states: Mapping[str, str]) -> bytes:
    """The SHA-256 of a user's memories, in the order in which they were stored, and learned states."""
    total = sha256()
    for copied in copies:
        links = [[link.target_id, link.type] for link in copied.links]
        total.update(framed(digest_of_memory(copied), canonical(links).encode()))
    total.update(framed(canonical(states).encode()))
    return total.digest()


def digest_of_memory(copied: Copied) -> bytes:
    """The SHA-256 of a memory: its record, features and history; not of its key, stems and links."""
    features = copied.features
    history = [
        [to_micros(change.at), change.action, change.before, change.after, change.reason]
        for change in copied.history
    ]
    written = canonical([_fields(copied.record), history, features.traits]).encode()
    return sha256(framed(written, features.vector, features.terms, features.counts)).digest()


def _fields(record: MemoryRecord) -> list[object]:
    """A record as SQL stores keep it, which is much faster made than its JSON; its maps in one order."""
    fields: list[object] = list(to_row(record, turn=record.origin.turn))
    for place, value in ((_METADATA, record.metadata), (_FACTORS, record.worth.factors)):
        fields[place] = canonical(value)
    for place, number in zip(_REALS, _reals(record), strict=True):
        fields[place] = float(number)
    return [record.scope.user_id, *fields]


def _reals(record: MemoryRecord) -> tuple[float, float, float]:
    """The numbers that a column of a database makes floats, whatever they were."""
    return record.worth.importance, record.worth.confidence, record.use.decay_factor


def canonical(value: object) -> str:
    """JSON text that is equal for equal values.

    >>> canonical({"b": 1, "a": 1.0})
    '{"a": 1.0, "b": 1}'
    """
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def framed(*parts: bytes) -> bytes:
    """The parts, each after its length, so that no other parts make the same bytes."""
    return b"".join(len(part).to_bytes(8, "big") + part for part in parts)


PAGE: Final = 1_000
"""Memories copied in one transaction: the most that a kill makes us do again. Chosen by hand."""
_SETTINGS: Final = ("embedder", "dimensions", "analyser")
"""The facts about a store that its memories cannot do without."""


class Readable(Protocol):
    """The calls on the source: a store, or a view of one moment of it."""

    def setting(self, name: str) -> str | None: ...

    def known_users(self) -> list[str]: ...

    def count(self, scope: Scope) -> int: ...

    def dump(self, scope: Scope, *, after: int, limit: int) -> list[Copied]: ...

    def states(self, scope: Scope) -> dict[str, str]: ...

    def jobs(self) -> list[Job]: ...


@runtime_checkable
class Writable(Store, Copying, Protocol):
    """The calls on the target."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CopyResult:
    """The result of a copy.

    Attributes:
        copied: How many of them are new in the target; an earlier run brought the rest.
        states: How many texts that were learned about users.
        jobs: How many waiting jobs are new in the target.
        digest: SHA-256 of all of it but the jobs, in hexadecimal: the same on both sides.
    """

    users: int
    memories: int
    copied: int
    links: int
    states: int
    jobs: int
    digest: str


def move(source: Readable, target: Writable, *, report: Callable[[int, int], None]) -> CopyResult:
    """Copy everything from ``source`` to ``target``.

    ``report`` gets how much is done, of how much; each memory counts once when copied, once when compared.

    Raises:
        EmbedderMismatchError: The target's vectors are by another embedder; nothing was written.
        InvalidInputError: The target has other memories of a user, or its words are indexed for another
            language; nothing was written.
        StoreError: The two differ at the end, or one of them failed. Another call resumes.
    """
    return _Move(source, target, report).run()


def check_settings(source: Readable, target: Readable) -> None:
    """Check that memories of the source can stand in the target.

    Raises:
        EmbedderMismatchError: Their vectors are by different embedders.
        InvalidInputError: Their words are indexed for different languages.
    """
    for name in _SETTINGS:
        ours, theirs = source.setting(name), target.setting(name)
        if theirs in (None, ours):
            continue
        if name == "analyser":
            raise InvalidInputError(
                f"the source's words are indexed by {ours}, the target's by {theirs}; "
                "copy into an empty store, or rebuild one: recollect doctor --rebuild --language ..."
            )
        raise EmbedderMismatchError(
            f"the target's {name} is {theirs!r}, the source's {ours!r}; nothing was copied: "
            "copy into an empty store, or make one's vectors again: recollect reembed"
        )


def copy_settings(source: Readable, target: Writable) -> None:
    """Tell an empty target who made the source's vectors and terms, and where its days begin.

    Errors as of ``check_settings``.
    """
    for name in _SETTINGS:
        value = source.setting(name)
        if value is not None:
            target.put_setting(name, value, unless_set=True)
    if zone := source.setting("timezone"):
        target.put_setting("timezone", zone, unless_set=True)
    check_settings(source, target)  # another process may have been first


def copy_jobs(source: Readable, target: Writable) -> int:
    """Queue the jobs that wait in the source and not yet in the target, in one transaction; count them."""
    there = Counter(map(_job_key, target.jobs()))
    missing = []
    for job in source.jobs():
        key = _job_key(job)
        if there[key]:
            there[key] -= 1
        else:
            missing.append(job)
    if missing:
        target.add(missing[0].scope, [], jobs=missing)
    return len(missing)


class _Move:
    """One run of ``move``."""

    def __init__(self, source: Readable, target: Writable, report: Callable[[int, int], None]) -> None:
        self._source = source
        self._target = target
        self._report = report
        self._stems = Stems(source.setting("analyser"))
        self._done = 0
        self._total = 0
        self._counts = Counter[str]()

    def run(self) -> CopyResult:
        """Check before anything is written, copy, compare."""
        check_settings(self._source, self._target)
        users = [Scope(user_id=user) for user in self._source.known_users()]
        starts = [(user, self._end_of_what_is_there(user)) for user in users]
        copy_settings(self._source, self._target)
        self._total = 2 * sum(map(self._source.count, users))
        self._tell(self._counts["there"])
        for user, start in starts:
            self._copy_memories(user, start)
        self._counts["jobs"] = copy_jobs(self._source, self._target)
        return self._compared()

    def _end_of_what_is_there(self, user: Scope) -> int:
        """The source's key of the last memory that the target has already."""
        last = 0
        for page in pages_of(self._target, user):
            ours = self._source.dump(user, after=last, limit=len(page))
            for theirs, mine in zip_longest(page, ours):
                if mine is None or digest_of_memory(mine) != digest_of_memory(theirs):
                    raise _mixed(user, f"the memory {theirs.record.id!r}")
            last = ours[-1].key
            self._counts["there"] += len(page)
        known = self._source.states(user)
        for name, value in self._target.states(user).items():
            if known.get(name) != value:
                raise _mixed(user, f"what was learned as {name!r}")
        return last

    def _copy_memories(self, user: Scope, after: int) -> None:
        while page := self._source.dump(user, after=after, limit=PAGE):
            self._counts["copied"] += self._target.restore(user, self._stems.filled(page))
            after = page[-1].key
            self._tell(len(page))

    def _compared(self) -> CopyResult:
        """Copy the links and what was learned, and compare; links come late, when both ends are there."""
        users = self._source.known_users()
        ours, theirs, differing = sha256(), sha256(), None
        for user in [Scope(user_id=user_id) for user_id in users]:
            one = digest_of_user(self._linked(user), self._source.states(user))
            self._copy_states(user)
            copies = chain.from_iterable(pages_of(self._target, user))
            other = digest_of_user(copies, self._target.states(user))
            if one != other and differing is None:
                differing = user.user_id
            for total, digest in ((ours, one), (theirs, other)):
                total.update(framed(user.user_id.encode(), digest))
        if differing is not None:
            raise StoreError(
                f"the copy differs from its source, first in the user {differing!r} (sha-256 of the source "
                f"{ours.hexdigest()[:12]}, of the target {theirs.hexdigest()[:12]}); was the source written "
                "to meanwhile? Copy again; if it is refused, delete and purge that user in the target first"
            )
        return CopyResult(
            users=len(users),
            memories=self._counts["memories"],
            copied=self._counts["copied"],
            links=self._counts["links"],
            states=self._counts["states"],
            jobs=self._counts["jobs"],
            digest=ours.hexdigest(),
        )

    def _linked(self, user: Scope) -> Iterator[Copied]:
        """The source's memories once more; their links are in the target when the next page is asked for."""
        for page in pages_of(self._source, user):
            links = [link for copied in page for link in copied.links]
            if links:
                with suppress(NotFoundError):  # an end came or went meanwhile; the digest tells
                    self._target.link(user, links)
            self._counts["links"] += len(links)
            self._counts["memories"] += len(page)
            self._tell(len(page))
            yield from page

    def _copy_states(self, user: Scope) -> None:
        states = self._source.states(user)
        for name, value in states.items():
            self._target.change_state(user, name, partial(_unless_known, value))
        self._counts["states"] += len(states)

    def _tell(self, more: int) -> None:
        self._done = min(self._done + more, self._total)
        self._report(self._done, self._total)


class Stems:
    """Makes the stems of memories again, for stores that keep them as numbers alone."""

    def __init__(self, analyser: str | None) -> None:
        self._analyser = Analyser(*(analyser or "").split("-")[1:2])
        if analyser not in (None, self._analyser.name):
            raise InvalidInputError(
                f"the source's words are indexed by {analyser}, this version makes {self._analyser.name}; "
                "first rebuild it: recollect doctor --rebuild"
            )

    def filled(self, page: Sequence[Copied]) -> list[Copied]:
        """The memories with the stems of their words."""
        return [copied if copied.features.stems else self._filled(copied) for copied in page]

    def _filled(self, copied: Copied) -> Copied:
        (analysis,) = self._analyser.analyse([spoken(copied.record)])
        return replace(copied, features=replace(copied.features, stems=analysis.stems))


def _mixed(user: Scope, what: str) -> InvalidInputError:
    return InvalidInputError(
        f"the target has something of the user {user.user_id!r} that the source has not, or has otherwise "
        f"({what}); nothing was copied: copy into an empty store, or delete and purge that user there first; "
        "to add memories to others, export and import them"
    )


def pages_of(store: Readable, user: Scope, *, after: int = 0) -> Iterator[list[Copied]]:
    """The live memories of a user with keys above ``after``, by key, in pages."""
    while page := store.dump(user, after=after, limit=PAGE):
        yield page
        after = page[-1].key


def _unless_known(value: str, known: str | None) -> str:
    return value if known is None else known


def _job_key(job: Job) -> str:
    scope = job.scope
    return canonical([job.task, scope.user_id, scope.agent_id, scope.session_id, job.payload])
