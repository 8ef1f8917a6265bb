"""What a memory is about, as numbers: what is known of it before its words are read.

An outline is a run of little-endian ``uint32``. Even ones are stems of its topics and entities, odd ones
stems of its summary; the other 31 bits are those of the stem's number (``Analyser.query_terms``). A memory
without a summary is its own: its words have their numbers already.
"""

from array import array
from collections.abc import Iterable
from itertools import chain
from typing import Final

from recollect.text.analyse import Analyser, little_endian
from recollect.types import MemoryLabels, MemoryRecord

MAX_STEMS: Final = 256
"""Stems of one memory's outline; a kilobyte. Chosen by hand: labels given by a caller may be many."""


def outline_of(record: MemoryRecord, analyser: Analyser) -> bytes:
    """The outline of a memory: its tags, concepts and entities, and its summary where it has one."""
    topics = topic_numbers(topics_of(record.labels), analyser)
    said = summary_numbers(analyser.query_terms(record.summary)) if record.summary else ()
    return little_endian(array("I", [*topics, *said][:MAX_STEMS]))


def topics_of(labels: MemoryLabels) -> Iterable[str]:
    """The topics and entities that a memory is labelled with."""
    return chain((tag.text for tag in labels.tags), labels.concepts, labels.entities)


def topic_numbers(topics: Iterable[str], analyser: Analyser) -> list[int]:
    """The numbers of topics and entities in an outline, each once.

    >>> topic_numbers(["dogs", "Dog food"], Analyser()) == topic_numbers(["dog foods"], Analyser())
    True
    """
    return list(dict.fromkeys([term & ~1 for topic in topics for term in analyser.query_terms(topic)]))


def summary_numbers(terms: Iterable[int]) -> list[int]:
    """The numbers of a summary's terms in an outline, each once."""
    return list(dict.fromkeys(term | 1 for term in terms))
