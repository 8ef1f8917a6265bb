"""A memory's way in: analysed, embedded, labelled, stored in one transaction."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

import numpy as np
from numpy.typing import NDArray

from recollect.errors import EmbedderError, EmbedderMismatchError, InvalidInputError
from recollect.ingest.conversations import Conversations, Said, thread_of
from recollect.ingest.labels import Labeller
from recollect.ingest.messages import Item
from recollect.protocols import Embedder, Entry, Features, Jobs, Store
from recollect.retrieval.vectors import quantise
from recollect.text.analyse import Analyser
from recollect.text.outline import outline_of
from recollect.text.traits import pack_traits, spoken, traits_of
from recollect.types import AddResult, MemoryRecord, Origin, Scope, Times
from recollect.types.ids import IdFactory

FUTURE: Final = timedelta(days=366)
"""How far ahead of the clock a message may be said. Chosen by hand: clocks are wrong, but not by years."""
EMBEDDED_AT_ONCE: Final = 1_000
"""Texts per call of the embedder: bounds its memory. Chosen by hand."""
LABELLED_AT_ONCE: Final = 20_000
"""Memories per call of the labeller: bounds what it keeps beside the labels, and is enough for helpers on
other cores to be worth their start. Chosen by hand."""


class Indexer:
    """Makes the features of memories, with the one embedder and analyser of a store.

    Raises:
        EmbedderMismatchError: The store's vectors were made by another embedder.
        InvalidInputError: The store's terms were made for another language, or its days are another zone's.
    """

    def __init__(
        self, store: Store, *, embedder: Embedder, analyser: Analyser, timezone: str | None = None
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._analyser = analyser
        self._timezone = timezone
        self._introduced: int | None = None  # the dimensions that the store was told, or had
        self.check_embedder()
        self._check_timezone()
        known = store.setting("analyser")
        if known not in (None, analyser.name):
            raise InvalidInputError(
                f"the store's words were indexed by {known}, not {analyser.name}; open it with the language "
                "it was made with, or rebuild it: recollect doctor --rebuild --language ..."
            )

    def check_embedder(self) -> None:
        """Raise ``EmbedderMismatchError`` when the store's vectors are not ours."""
        known = self._store.setting("embedder")
        if known not in (None, self._embedder.name):
            raise EmbedderMismatchError(
                f"the store was embedded by {known!r} and opened with {self._embedder.name!r}; open it with "
                f"embedder={known!r}, or make its vectors again: "
                f"recollect reembed --embedder {self._embedder.name!r}"
            )

    def _check_timezone(self) -> None:
        known = self._store.setting("timezone")
        if self._timezone is not None and known not in (None, self._timezone):
            raise InvalidInputError(
                f"the days of the store are those of {known}, not of {self._timezone}; open it without a "
                f"timezone, or change it: recollect relabel --timezone {self._timezone}"
            )

    def features(self, records: Sequence[MemoryRecord]) -> list[Features]:
        """The features of records, in order."""
        made: list[Features] = []
        for start in range(0, len(records), EMBEDDED_AT_ONCE):
            made += self._batch(records[start : start + EMBEDDED_AT_ONCE])
        return made

    def entry(self, record: MemoryRecord, features: Features | None = None) -> Entry:
        """A record to store; ``features`` is None in an update that leaves the words as they are."""
        return Entry(record=record, features=features, outline=outline_of(record, self._analyser))

    def remember_ourselves(self, features: Features) -> None:
        """Tell an empty store who makes its features; on another one check that it is us.

        Of several processes that fill an empty store the first to say its embedder wins. It is looked up
        once: every write of a store checks that what it is given is by its embedder.
        """
        if len(features.vector) != self._introduced:
            self.introduce(features)

    def introduce(self, features: Features) -> None:
        """As ``remember_ourselves``, of a store that may have lost what it was told."""
        if self._store.setting("embedder") is None:
            self._store.put_setting("embedder", self._embedder.name, unless_set=True)
        self.check_embedder()
        dimensions = self._store.setting("dimensions")
        if dimensions is None:
            self._store.put_setting("dimensions", str(len(features.vector)), unless_set=True)
        if self._store.setting("analyser") is None:
            self._store.put_setting("analyser", self._analyser.name, unless_set=True)
        if self._timezone is not None:
            self._store.put_setting("timezone", self._timezone, unless_set=True)
            self._check_timezone()
        if dimensions is not None and int(dimensions) != len(features.vector):
            raise EmbedderError(
                f"the embedder {self._embedder.name!r} gave {len(features.vector)} dimensions, the store "
                f"holds {dimensions}; was the model replaced under the same name?"
            )
        self._introduced = len(features.vector)

    def _batch(self, records: Sequence[MemoryRecord]) -> list[Features]:
        texts = [record.content for record in records]
        vectors = quantise(checked(self._embedder.embed_documents(texts), len(texts)))
        analyses = self._analyser.analyse(map(spoken, records))
        return [
            Features(
                vector=vector.tobytes(),
                terms=analysis.terms,
                counts=analysis.counts,
                stems=analysis.stems,
                traits=pack_traits(traits_of(text), analysis.telling),
                embedder=self._embedder.name,
            )
            for text, vector, analysis in zip(texts, vectors, analyses, strict=True)
        ]


def checked(vectors: NDArray[np.float32], count: int) -> NDArray[np.float32]:
    """The vectors that an embedder gave for ``count`` texts.

    Raises:
        EmbedderError: They are not as many, or no numbers.
    """
    if vectors.ndim != 2 or vectors.shape[0] != count or not vectors.shape[1]:  # noqa: PLR2004
        raise EmbedderError(f"the embedder returned shape {vectors.shape} for {count} texts")
    if not np.isfinite(vectors).all():
        raise EmbedderError("the embedder returned numbers that are not finite")
    return vectors


def add_items(
    store: Store,
    scope: Scope,
    items: Sequence[Item],
    *,
    indexer: Indexer,
    labeller: Labeller,
    now: datetime,
    new_id: IdFactory,
    conversations: Conversations | None = None,
    jobs_of: Callable[[Sequence[MemoryRecord]], Jobs] = lambda _: (),
) -> list[AddResult]:
    """Store the items that are not refused, with their jobs; return a result for each item."""
    ids = [new_id() for _ in items]
    accepted = [place for place, item in enumerate(items) if not item.refused]
    stands: dict[int, str] = {}
    if accepted:
        new = [(ids[place], items[place]) for place in accepted]
        scopes = _scopes(scope, new, conversations, now=now)
        call = f"\n\n{new[0][0]}" if len(new) > 1 else ""
        records = [
            _record(memory_id, own, item, thread_of(own) if own.session_id is not None else call, now)
            for (memory_id, item), own in zip(new, scopes, strict=True)
        ]
        features = indexer.features(records)
        indexer.remember_ourselves(features[0])
        rated = [items[place].rated for place in accepted]
        with store.view(scope):
            for start in range(0, len(records), LABELLED_AT_ONCE):
                part = slice(start, start + LABELLED_AT_ONCE)
                records[part] = labeller.label(
                    scope, records[part], features[part], rated=rated[part], now=now
                )
            jobs = jobs_of(records)
        entries = [indexer.entry(record, made) for record, made in zip(records, features, strict=True)]
        stands = dict(
            zip(
                accepted,
                store.add(scope, entries, jobs=jobs),
                strict=True,
            )
        )
    own = set(ids)
    why = _deleted(store, scope, [found for found in stands.values() if found not in own])
    ahead = {place for place in accepted if (items[place].happened_at or now) - now > FUTURE}
    found = [_result(item, ids[place], stands.get(place), why) for place, item in enumerate(items)]
    return [_warned(one) if place in ahead else one for place, one in enumerate(found)]


def _deleted(store: Store, scope: Scope, ids: Sequence[str]) -> dict[str, str]:
    """Why memories that were deleted are not stored again, by their ids."""
    user = Scope(user_id=scope.user_id)
    found = zip(ids, store.get(user, ids), strict=True) if ids else ()
    gone = {one: store.history(user, one) for one, there in found if there is None}
    return {
        one: f"it was deleted on {history[-1].at:%Y-%m-%d}; undelete it, or purge it before you add it again"
        for one, history in gone.items()
        if history
    }


def _scopes(
    scope: Scope, new: Sequence[tuple[str, Item]], conversations: Conversations | None, *, now: datetime
) -> list[Scope]:
    """The scope of each new item: with its implicit session where it is a message that names none."""
    if scope.session_id is not None or conversations is None:
        return [scope] * len(new)
    said = [Said(memory_id, item.happened_at or now) for memory_id, item in new if item.kind == "message"]
    sessions = iter(conversations.sessions_of(scope, said))
    return [replace(scope, session_id=next(sessions)) if item.kind == "message" else scope for _, item in new]


def _record(memory_id: str, scope: Scope, item: Item, thread: str, now: datetime) -> MemoryRecord:
    return MemoryRecord(
        id=memory_id,
        scope=scope,
        content=item.content,
        kind=item.kind,
        tier=item.tier,
        times=Times(
            created_at=now,
            happened_at=item.happened_at or now,
            updated_at=now,
            valid_until=item.valid_until,
        ),
        labels=item.labels,
        worth=item.worth,
        origin=Origin(speaker=item.speaker, role=item.role, thread=thread),
        metadata=item.metadata,
        idempotency_key=item.idempotency_key,
    )


def _warned(result: AddResult) -> AddResult:
    """The result of a message whose time has not come."""
    note = "its timestamp is over a year ahead; a timestamp tells when words were said"
    return replace(result, reason=f"{result.reason}; {note}" if result.reason else note)


def _result(item: Item, own_id: str, stands: str | None, why: Mapping[str, str]) -> AddResult:
    if stands is None:
        return AddResult(id=None, status="refused", reason=item.refused)
    if stands in why:
        return AddResult(id=stands, status="deleted", reason=why[stands])
    if stands != own_id:
        return AddResult(id=stands, status="duplicate", reason="its idempotency key is known already")
    if item.redacted:
        return AddResult(id=stands, status="redacted", reason=item.redacted)
    return AddResult(id=stands, status="stored")
