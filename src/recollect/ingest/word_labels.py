"""The labels that are found in words, as a function of these and of what is known: in any process."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from pathlib import PurePath
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from recollect.text.analyse import READ_CHARACTERS, Analyser, ascii_words
from recollect.text.analyse import words as words_of
from recollect.types import MemoryLabels, MemoryRecord, Priority, Tag, Worth

if TYPE_CHECKING:
    from recollect.lifecycle.importance import Importance
    from recollect.text.tags import Corpus

MAX_TAGS: Final = 5
"""Automatic tags of one memory. Chosen by hand: what a short turn has; each costs 50 bytes."""
_DAY_S: Final = 86_400
_AT_ONCE: Final = 64
"""Memories that are labelled together, one part of it after the other: what a part needs stays in the
processor's caches, which saves a fifth of the time. Chosen by measurement: 32 to 1,000 do as well."""
_Plain: TypeAlias = Sequence[str] | None


class _Words(NamedTuple):
    """The words of a text, cut once for all who look at them."""

    plain: _Plain
    analysed: Sequence[str]


class Known(NamedTuple):
    """What is known of a memory before it is labelled.

    Attributes:
        telling: Its distinct telling words.
        centrality: How near it is to the middle of the user's memories, 0 to 1; None where that means little.
        rated: Whether the caller said how important it is.
    """

    record: MemoryRecord
    telling: int
    centrality: float | None
    rated: bool


class FoundLabels(NamedTuple):
    """What was found in the words of a memory."""

    labels: MemoryLabels
    worth: Worth
    summary: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class WordLabels:
    """Finds the labels of memories.

    Attributes:
        analyser: Whose language and stems are used.
        timezone: Decides when "tomorrow" begins.
        corpus: How common words are among the user's memories before these.
        now: The age of a memory counts until then.
    """

    analyser: Analyser
    timezone: tzinfo
    corpus: "Corpus"
    now: datetime

    def find(self, known: Sequence[Known]) -> list[FoundLabels]:
        """What the words of each memory show, in order.

        Approved tags and a priority in them are kept; the rest is found again.
        """
        found: list[FoundLabels] = []
        for start in range(0, len(known), _AT_ONCE):
            found += self._some(known[start : start + _AT_ONCE])
        return found

    def _some(self, known: Sequence[Known]) -> list[FoundLabels]:
        from recollect.text.summary import summarise

        words = [_words_of(each.record.content) for each in known]
        tags = [self._tags(each.record) for each in known]
        importances = [
            None if each.rated else self._importance(each, its_words.analysed, its_tags)
            for each, its_words, its_tags in zip(known, words, tags, strict=True)
        ]
        records, plain = [each.record for each in known], [each.plain for each in words]
        labels, worths = self._labels(records, plain, tags), _worths(records, plain, importances)
        summaries = [
            summarise(record.content, its_tags) for record, its_tags in zip(records, tags, strict=True)
        ]
        return list(map(FoundLabels, labels, worths, summaries))

    def _labels(
        self, records: Sequence[MemoryRecord], plain: Sequence[_Plain], tags: Sequence[tuple[Tag, ...]]
    ) -> list[MemoryLabels]:
        from recollect.text.dates import find_dates
        from recollect.text.entities import find_entities
        from recollect.text.parameters import find_parameters

        dates = [
            find_dates(record.content, now=record.times.happened_at, timezone=self.timezone, words=words)
            for record, words in zip(records, plain, strict=True)
        ]
        details = [
            find_parameters(record.content, words=words) for record, words in zip(records, plain, strict=True)
        ]
        entities = [
            find_entities(record.content, words=words, language=self.analyser.language)
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

    def _tags(self, record: MemoryRecord) -> tuple[Tag, ...]:
        from recollect.text.tags import extract_tags, merge_tags

        found = extract_tags(record.content, analyser=self.analyser, max_tags=MAX_TAGS, corpus=self.corpus)
        approved = [tag for tag in record.labels.tags if tag.approved]
        return merge_tags(approved, found, analyser=self.analyser) if approved else found

    def _importance(self, known: Known, words: Sequence[str], tags: Sequence[Tag]) -> "Importance":
        from recollect.lifecycle.importance import KEYWORDS, calculate_importance

        record = known.record
        return calculate_importance(
            record.content,
            tags=tags,
            source=_source(record),
            centrality=known.centrality,
            age_days=(self.now - record.times.happened_at).total_seconds() / _DAY_S,
            telling=known.telling,
            keywords=KEYWORDS.get(self.analyser.language),
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


def _source(record: MemoryRecord) -> str:
    """What kind of source the words come from: a named one, else what the memory is."""
    named = record.metadata.get("source")
    if isinstance(named, str) and named:
        return PurePath(named).suffix.lstrip(".") or named
    if record.kind == "document":
        return "document"
    return "assistant" if record.origin.role == "assistant" else "chat"
