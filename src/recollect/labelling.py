"""What a memory's words tell: tags, dates, priority, details, and how much they are worth keeping."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, tzinfo
from pathlib import PurePath
from typing import Final

import numpy as np

from recollect.lifecycle.importance import KEYWORDS, Importance, calculate_importance, centralities
from recollect.protocols import Features, Statistics, Store
from recollect.text.analyse import Analyser
from recollect.text.dates import find_dates
from recollect.text.parameters import find_parameters
from recollect.text.priority import find_priority
from recollect.text.tags import Corpus, extract_tags, merge_tags
from recollect.text.traits import TELLING_SHIFT
from recollect.types import Labels, MemoryRecord, Scope, Tag, Worth

MAX_TAGS: Final = 5
"""Automatic tags of one memory. Chosen by hand: what a short turn has; each costs 50 bytes."""
_DAY_S: Final = 86_400
_ENOUGH: Final = 20
"""Memories from which on the middle of a user's vectors means something. Chosen by hand."""


class Labeller:
    """Labels memories as they come in, and again when their words change.

    Args:
        store: Counts how rare a word is among a user's memories.
        analyser: Cuts texts into words.
        timezone: Where "tomorrow" begins.
    """

    def __init__(self, store: Store, *, analyser: Analyser, timezone: tzinfo) -> None:
        self._store = store
        self._analyser = analyser
        self._timezone = timezone
        self._keywords = KEYWORDS.get(analyser.language)

    def label(
        self,
        scope: Scope,
        records: Sequence[MemoryRecord],
        features: Sequence[Features],
        *,
        rated: Sequence[bool],
        now: datetime,
    ) -> list[MemoryRecord]:
        """The records with their labels.

        Args:
            scope: Whose they are; rarity is that among this user's memories before these.
            records: Approved tags in them are kept; the rest is found anew.
            features: Theirs, in the same order.
            rated: Whether the caller said how important each is; otherwise that is worked out.
            now: For how old a memory is.
        """
        statistics = self._store.statistics(scope, _terms(features))
        corpus = Corpus(documents=statistics.documents, frequencies=statistics.frequencies)
        central = _centralities(features, statistics)
        labelled = []
        for record, made, centrality, is_rated in zip(records, features, central, rated, strict=True):
            tags = self._tags(record, corpus)
            worth = self._worth(record)
            if not is_rated:
                importance = self._importance(record, tags, made.traits >> TELLING_SHIFT, centrality, now=now)
                worth = replace(worth, importance=importance.score, factors=importance.terms)
            labelled.append(replace(record, labels=self._labels(record, tags), worth=worth))
        return labelled

    def _labels(self, record: MemoryRecord, tags: tuple[Tag, ...]) -> Labels:
        words, happened_at = record.content, record.times.happened_at
        return replace(
            record.labels,
            tags=tags,
            dates=find_dates(words, now=happened_at, timezone=self._timezone),
            parameters=find_parameters(words),
        )

    def _worth(self, record: MemoryRecord) -> Worth:
        priority = find_priority(record.content)
        level = priority.level if priority else None
        return record.worth if level == record.worth.priority else replace(record.worth, priority=level)

    def _tags(self, record: MemoryRecord, corpus: Corpus) -> tuple[Tag, ...]:
        found = extract_tags(record.content, analyser=self._analyser, max_tags=MAX_TAGS, corpus=corpus)
        approved = [tag for tag in record.labels.tags if tag.approved]
        return merge_tags(approved, found, analyser=self._analyser) if approved else found

    def _importance(
        self,
        record: MemoryRecord,
        tags: Sequence[Tag],
        telling: int,
        centrality: float | None,
        *,
        now: datetime,
    ) -> Importance:
        return calculate_importance(
            record.content,
            tags=tags,
            source=_source(record),
            centrality=centrality,
            age_days=(now - record.times.happened_at).total_seconds() / _DAY_S,
            telling=telling,
            keywords=self._keywords,
        )


def _terms(features: Sequence[Features]) -> list[int]:
    terms: list[int] = np.unique(np.frombuffer(b"".join([made.terms for made in features]), "<u4")).tolist()
    return terms


def _centralities(features: Sequence[Features], statistics: Statistics) -> Sequence[float | None]:
    """How near each is to the middle of the user's vectors; None where that means little."""
    dim = len(statistics.vector_sum)
    if statistics.documents < _ENOUGH or any(len(made.vector) != dim for made in features):
        return [None] * len(features)
    vectors = np.frombuffer(b"".join([made.vector for made in features]), np.int8)
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
