"""The labels of a memory's words: tags, dates, priority, details, importance."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, tzinfo
from pathlib import PurePath
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

import numpy as np

from recollect.protocols import Features, Statistics, Store
from recollect.text.analyse import READ_CHARACTERS, Analyser, ascii_words
from recollect.text.analyse import words as words_of
from recollect.text.traits import TELLING_SHIFT
from recollect.types import MemoryLabels, MemoryRecord, Priority, Scope, Tag, Worth

if TYPE_CHECKING:
    from recollect.lifecycle.importance import Importance
    from recollect.text.tags import Corpus

MAX_TAGS: Final = 5
"""Automatic tags of one memory. Chosen by hand: what a short turn has; each costs 50 bytes."""
_DAY_S: Final = 86_400
_ENOUGH: Final = 20
"""Memories from which on the middle of a user's vectors means something. Chosen by hand."""


_AT_ONCE: Final = 64
"""Memories that are labelled together, one part of it after the other: what a part needs stays in the
processor's caches, which saves a fifth of the time. Chosen by measurement: 32 to 1,000 do as well."""
_Plain: TypeAlias = Sequence[str] | None


class _Words(NamedTuple):
    """The words of a text, cut once for all who look at them."""

    plain: _Plain
    analysed: Sequence[str]


class _Given(NamedTuple):
    """What is known of a memory before it is labelled."""

    record: MemoryRecord
    telling: int
    centrality: float | None
    rated: bool


class Labeller:
    """Labels memories as they come in, and again when their words change."""

    def __init__(self, store: Store, *, analyser: Analyser, timezone: tzinfo) -> None:
        self._store = store
        self._analyser = analyser
        self._timezone = timezone

    def label(
        self,
        scope: Scope,
        records: Sequence[MemoryRecord],
        features: Sequence[Features],
        *,
        rated: Sequence[bool],
        now: datetime,
    ) -> list[MemoryRecord]:
        """The records, each with its ``features`` in the same order, with their labels.

        Approved tags and a priority in them are kept; the rest is found again. Tags are rare or common among
        the memories of the scope's user before these. Importance is computed unless the caller ``rated`` it,
        with the age at ``now``.
        """
        from recollect.text.tags import Corpus

        statistics = self._store.statistics(scope, _terms(features))
        corpus = Corpus(documents=statistics.documents, frequencies=statistics.frequencies)
        central = _centralities(features, statistics)
        telling = [made.traits >> TELLING_SHIFT for made in features]
        given = list(map(_Given, records, telling, central, rated))
        labelled: list[MemoryRecord] = []
        for start in range(0, len(given), _AT_ONCE):
            labelled += self._some(given[start : start + _AT_ONCE], corpus, now=now)
        return labelled

    def dated(self, record: MemoryRecord) -> MemoryRecord:
        """The record with the dates in its words read again, as of when it happened."""
        from recollect.text.dates import find_dates

        dates = find_dates(record.content, now=record.times.happened_at, timezone=self._timezone)
        return replace(record, labels=replace(record.labels, dates=dates))

    def _some(self, given: Sequence[_Given], corpus: "Corpus", *, now: datetime) -> list[MemoryRecord]:
        from recollect.text.summary import summarise

        words = [_words_of(each.record.content) for each in given]
        tags = [self._tags(each.record, corpus) for each in given]
        importances = [
            None if each.rated else self._importance(each, its_words.analysed, its_tags, now=now)
            for each, its_words, its_tags in zip(given, words, tags, strict=True)
        ]
        records, plain = [each.record for each in given], [each.plain for each in words]
        labels, worths = self._labels(records, plain, tags), _worths(records, plain, importances)
        summaries = [
            summarise(record.content, its_tags) for record, its_tags in zip(records, tags, strict=True)
        ]
        return [
            replace(record, labels=its_labels, worth=worth, summary=summary)
            for record, its_labels, worth, summary in zip(records, labels, worths, summaries, strict=True)
        ]

    def _labels(
        self, records: Sequence[MemoryRecord], plain: Sequence[_Plain], tags: Sequence[tuple[Tag, ...]]
    ) -> list[MemoryLabels]:
        from recollect.text.dates import find_dates
        from recollect.text.entities import find_entities
        from recollect.text.parameters import find_parameters

        dates = [
            find_dates(record.content, now=record.times.happened_at, timezone=self._timezone, words=words)
            for record, words in zip(records, plain, strict=True)
        ]
        details = [
            find_parameters(record.content, words=words) for record, words in zip(records, plain, strict=True)
        ]
        entities = [
            find_entities(record.content, words=words, language=self._analyser.language)
            for record, words in zip(records, plain, strict=True)
        ]
        found = zip(tags, entities, dates, details, strict=True)
        return [
            MemoryLabels(
                tags=its,
                concepts=record.labels.concepts,
                entities=named,
                category=record.labels.category,
                emotion=record.labels.emotion,
                language=record.labels.language,
                dates=times,
                parameters=stated,
            )
            for record, (its, named, times, stated) in zip(records, found, strict=True)
        ]

    def _tags(self, record: MemoryRecord, corpus: "Corpus") -> tuple[Tag, ...]:
        from recollect.text.tags import extract_tags, merge_tags

        found = extract_tags(record.content, analyser=self._analyser, max_tags=MAX_TAGS, corpus=corpus)
        approved = [tag for tag in record.labels.tags if tag.approved]
        return merge_tags(approved, found, analyser=self._analyser) if approved else found

    def _importance(
        self, given: _Given, words: Sequence[str], tags: Sequence[Tag], *, now: datetime
    ) -> "Importance":
        from recollect.lifecycle.importance import KEYWORDS, calculate_importance

        record = given.record
        return calculate_importance(
            record.content,
            tags=tags,
            source=_source(record),
            centrality=given.centrality,
            age_days=(now - record.times.happened_at).total_seconds() / _DAY_S,
            telling=given.telling,
            keywords=KEYWORDS.get(self._analyser.language),
            words=words,
        )


def _worths(
    records: Sequence[MemoryRecord], plain: Sequence[_Plain], importances: "Sequence[Importance | None]"
) -> list[Worth]:
    """What is known of their worth, with how pressing they are and, unless that is None, how important."""
    from recollect.text.priority import find_priority

    pressing = [
        find_priority(record.content, words=words) for record, words in zip(records, plain, strict=True)
    ]
    return [
        _worth(record.worth, record.worth.priority or (found.level if found else None), importance)
        for record, found, importance in zip(records, pressing, importances, strict=True)
    ]


def _worth(worth: Worth, level: Priority | None, importance: "Importance | None") -> Worth:
    if importance is not None:
        return Worth(
            importance=importance.score,
            confidence=worth.confidence,
            priority=level,
            critical=worth.critical,
            factors=importance.terms,
        )
    return worth if level == worth.priority else replace(worth, priority=level)


def _words_of(content: str) -> _Words:
    seen = content[:READ_CHARACTERS]
    if not seen.isascii():
        return _Words(plain=None, analysed=words_of(seen))
    plain = ascii_words(seen)
    return _Words(plain=plain, analysed=words_of(seen) if "'" in seen else plain)


def _terms(features: Sequence[Features]) -> list[int]:
    terms: list[int] = np.unique(np.frombuffer(b"".join([made.terms for made in features]), "<u4")).tolist()
    return terms


def _centralities(features: Sequence[Features], statistics: Statistics) -> Sequence[float | None]:
    """How near each is to the middle of the user's vectors; None where that means little."""
    dim = len(statistics.vector_sum)
    if statistics.documents < _ENOUGH or any(len(made.vector) != dim for made in features):
        return [None] * len(features)
    vectors = np.frombuffer(b"".join([made.vector for made in features]), np.int8)
    from recollect.lifecycle.importance import centralities

    found: list[float] = centralities(vectors.reshape(len(features), dim), statistics.vector_sum).tolist()
    return found


def _source(record: MemoryRecord) -> str:
    """What kind of source the words come from: a named one, else what the memory is."""
    named = record.metadata.get("source")
    if isinstance(named, str) and named:
        return PurePath(named).suffix.lstrip(".") or named
    if record.kind == "document":
        return "document"
    return "assistant" if record.origin.role == "assistant" else "chat"
