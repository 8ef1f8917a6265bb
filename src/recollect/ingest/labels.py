"""The labels of memories: what their words show, with what the store knows of the others."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, tzinfo
from typing import Final

import numpy as np

from recollect.ingest.word_labels import Known, WordLabels
from recollect.protocols import Features, Statistics, Store
from recollect.text.analyse import Analyser
from recollect.text.traits import telling_of
from recollect.types import MemoryRecord, Scope

_ENOUGH: Final = 20
"""Memories from which on the middle of a user's vectors means something. Chosen by hand."""


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
        from recollect.ingest.helpers import find_labels
        from recollect.text.tags import Corpus

        statistics = self._store.statistics(scope, _terms(features))
        corpus = Corpus(documents=statistics.documents, frequencies=statistics.frequencies)
        central = _centralities(features, statistics)
        telling = [telling_of(made.traits) for made in features]
        known = list(map(Known, records, telling, central, rated))
        words = WordLabels(analyser=self._analyser, timezone=self._timezone, corpus=corpus, now=now)
        return [
            replace(record, labels=labels, worth=worth, summary=summary)
            for record, (labels, worth, summary) in zip(records, find_labels(words, known), strict=True)
        ]

    def dated(self, record: MemoryRecord) -> MemoryRecord:
        """The record with the dates in its words read again, as of when it happened."""
        from recollect.text.dates import find_dates

        dates = find_dates(record.content, now=record.times.happened_at, timezone=self._timezone)
        return replace(record, labels=replace(record.labels, dates=dates))


def _terms(features: Sequence[Features]) -> list[int]:
    every = np.frombuffer(b"".join([made.terms for made in features]), "<u4")
    terms: list[int] = (every if len(features) == 1 else np.unique(every)).tolist()
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
