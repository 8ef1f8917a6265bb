"""Chloe's enhanced memory: dates, priorities, tags, importance, intents, reinforcement and forgetting.

The names are those of the design, in Python's spelling. The formula of its search is ``hybrid``; the others
are the engine's: ``lifecycle``, ``text`` and ``learning.intents``.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, tzinfo
from enum import StrEnum
from os import PathLike
from typing import Any, Final, Literal, Self

import numpy as np
from numpy.typing import NDArray

from recollect.checks import check_content, check_name, check_one_of, check_share
from recollect.errors import InvalidInputError, as_given
from recollect.learning.intents.intents import IntentMatch, Intents
from recollect.lifecycle.importance import (
    WEIGHTS,
    Level,
    calculate_importance,
    centralities,
    importance_level,
)
from recollect.lifecycle.use import COOL_DOWN_S
from recollect.memory.memory import Memory
from recollect.presets.chloe.hybrid import HybridScoring
from recollect.presets.chloe.praise import says_helpful
from recollect.protocols import Clock, Embedder, Store
from recollect.retrieval.scoring import Retrieval
from recollect.text.analyse import Analyser
from recollect.text.dates import find_dates, named_start
from recollect.text.parameters import find_parameters
from recollect.text.priority import find_priority
from recollect.text.tags import EMPTY, Algorithm, Corpus, extract_tags
from recollect.types import JSON, KINDS, Kind, Labels, MemoryRecord, Parameter, Recollection, Tag, Within
from recollect.types.clock import utc_now

MemoryType = Literal["message", "thought", "document", "task"]
"""Chloe's collections."""
COLLECTIONS: Final[Mapping[MemoryType, tuple[Kind, ...]]] = {
    "message": ("message", "episode"),
    "thought": ("thought", "fact", "procedure"),
    "document": ("document",),
    "task": ("task",),
}
"""The kinds of memory that each collection holds; the first is what ``add_memory`` stores."""

LEVELS: Final[Mapping[str, float]] = {"low": 0.3, "medium": 0.5, "high": 0.7, "critical": 0.9}
"""Numbers for an importance given in a word: within the levels of ``score_to_importance_level``."""

_OPTIONS: Final = ("limit", "threshold", "min_importance", "tags", "filters", "since", "until")
_OWN: Final = ("importance", "tags", "category", "priority", "critical")
"""Metadata that the memory itself has a place for."""


class TagAlgorithm(StrEnum):
    """How tags are found."""

    AUTO = "auto"
    TFIDF = "tfidf"
    RAKE = "rake"
    BASIC = "basic"


class TagExtractor:
    """Tags of a text, without a memory."""

    @staticmethod
    def extract_tags(
        content: str,
        *,
        algorithm: Algorithm | TagAlgorithm = TagAlgorithm.AUTO,
        max_tags: int = 10,
        min_confidence: float = 0.2,
        language: str = "en",
        corpus: Corpus = EMPTY,
    ) -> tuple[Tag, ...]:
        """See ``recollect.text.tags.extract_tags``.

        >>> [tag.text for tag in TagExtractor.extract_tags("The quarterly report is about machine learning")]
        ['machine learning', 'quarterly report']
        """
        return extract_tags(
            content,
            analyser=Analyser(language),
            algorithm=_algorithm(algorithm),
            max_tags=max_tags,
            min_confidence=min_confidence,
            corpus=corpus,
        )


class ImportanceCalculator:
    """Importance of a text, without a memory."""

    @staticmethod
    def calculate_importance_score(
        content: str,
        *,
        source: str | None = None,
        type: str | None = None,  # noqa: A002 - Chloe's name
        tags: Sequence[Tag] | Sequence[str] | None = None,
        tag_confidence: float = 1.0,
        embedding: Sequence[float] | NDArray[np.float32] | None = None,
        centroid: Sequence[float] | NDArray[np.float32] | None = None,
        age_days: float | None = None,
        weights: Mapping[str, float] = WEIGHTS,
    ) -> float:
        """How much a text is worth keeping, 0 to 1.

        ``recollect.lifecycle.importance.calculate_importance`` says what each factor added.

        Args:
            content: The text.
            source: What kind of source: ``markdown``, ``text``, ``chat``, ``web``, …, or a file's name.
            type: What it is, such as ``document``; the kind of source when none is named.
            tags: Its tags; texts have ``tag_confidence``.
            tag_confidence: Of tags given as texts, 0 to 1.
            embedding: The text's vector; it tells something together with ``centroid``.
            centroid: The middle of all vectors.
            age_days: How old it is.
            weights: By factor.
        """
        share = check_share("tag_confidence", tag_confidence)
        given = None if tags is None else [_tag(tag, share) for tag in _list("tags", tags)]
        central = None
        if embedding is not None and centroid is not None:
            vectors = np.asarray(embedding, np.float32)[np.newaxis]
            central = float(centralities(vectors, np.asarray(centroid, np.float32))[0])
        return calculate_importance(
            content, tags=given, source=source or type, centrality=central, age_days=age_days, weights=weights
        ).score

    @staticmethod
    def score_to_importance_level(score: float) -> Level:
        """``CRITICAL``, ``HIGH``, ``MEDIUM`` or ``LOW``."""
        return importance_level(score)


class EnhancedMemory:
    """Chloe's memory of one user; ``memory`` is the engine under it, with everything else it can do.

    Args:
        memory: A memory opened with ``HybridScoring``; see ``create_enhanced_memory``.
        user_id: Whose memories.
        timezone: As the memory was opened with.
        clock: What time it is.
    """

    def __init__(self, memory: Memory, *, user_id: str, timezone: tzinfo, clock: Clock) -> None:
        self.memory: Final = memory
        self.user_id: Final = user_id
        self._timezone = timezone
        self._clock = clock

    @classmethod
    def over(cls, memory: Memory, *, user_id: str) -> Self:
        """Chloe's memory over a memory that is open; closing one closes the other.

        Args:
            memory: The memory; its searches keep their ranking.
            user_id: Whose memories.
        """
        parts = memory.parts
        ranked = Memory.over(parts.ranked_by(HybridScoring(language=parts.analyser.language)))
        return cls(ranked, user_id=user_id, timezone=parts.timezone, clock=parts.clock)

    def add_memory(
        self,
        content: str,
        metadata: Mapping[str, JSON] | None = None,
        type: MemoryType = "message",  # noqa: A002 - Chloe's name
    ) -> MemoryRecord:
        """Store a text with the dates, priority, tags and importance found in it; returns what is stored.

        Args:
            content: The text.
            metadata: Anything; ``importance`` (0 to 1, or ``low``, ``medium``, ``high``, ``critical``),
                ``tags`` (a list; they are approved), ``category``, ``priority`` and ``critical`` (a bool:
                it never fades, which an importance of ``critical`` alone does not say) are the memory's own.
            type: Its collection.

        Raises:
            InvalidInputError: The type is unknown, or something cannot be stored.
        """
        given = dict(_mapping("metadata", metadata))
        own: dict[str, object] = {name: given.pop(name) for name in _OWN if name in given}
        if "importance" in own:
            own["importance"] = _importance(own["importance"])
        own.setdefault("priority", self.extract_priority(check_content("content", content)))
        message = {"content": content, "metadata": given, "kind": _kinds(type)[0], **own}
        (result,) = self.memory.add(message, user_id=self.user_id)
        return self.memory.get(str(result.id), user_id=self.user_id)

    def search_memory(
        self,
        type: MemoryType | None,  # noqa: A002 - Chloe's name
        query: str,
        options: Mapping[str, object] | None = None,
    ) -> list[Recollection]:
        """Chloe's hybrid search, see ``recollect.presets.chloe.hybrid``.

        Args:
            type: One collection; None searches all of them.
            query: The question.
            options: ``limit`` (10), ``threshold`` (0, at most 1), ``min_importance`` (of the importance as
                stored), ``tags`` (all of which the memory must have, as written), ``filters``, ``since`` and
                ``until``.

        Returns:
            Best first; ``matched_tags`` says which tags helped.

        Raises:
            InvalidInputError: The type or an option is unknown.
        """
        given = dict(_mapping("options", options))
        unknown = [name for name in given if name not in _OPTIONS]
        if unknown:
            raise InvalidInputError(f"unknown option {as_given(unknown[0])}; known are {', '.join(_OPTIONS)}")
        where = [{"tags": {"contains": tag}} for tag in _list("tags", given.pop("tags", ()))]
        if "min_importance" in given:
            where.append({"importance": {"gte": _importance(given.pop("min_importance"))}})
        if filters := given.pop("filters", None):
            where.append(filters)
        return self.memory.search(
            query,
            user_id=self.user_id,
            kinds=KINDS if type is None else _kinds(type),
            top_k=given.pop("limit", 10),
            filters={"and": where} if where else None,
            collapse=False,
            within=Within(since=given.pop("since", None), until=given.pop("until", None)),
            **given,
        )

    def extract_date_from_text(self, text: str) -> datetime | None:
        """The first time that a text names, in the memory's time zone; None without one.

        It is when that time begins: of "until Monday" Monday, and not now.
        """
        found = find_dates(text, now=self._clock(), timezone=self._timezone)
        return named_start(found[0], timezone=self._timezone) if found else None

    def extract_priority(self, text: str) -> Literal["high", "medium", "low"]:
        """How pressing a text is; ``medium`` when it does not say, as in the design."""
        found = find_priority(text)
        return found.level if found else "medium"

    def extract_parameters(self, text: str) -> tuple[Parameter, ...]:
        """The details a text states."""
        return find_parameters(text)

    def track_memory_usage(self, memory_id: str) -> MemoryRecord:
        """Count that a memory helped to answer; see ``Memory.use``."""
        return self.memory.use(memory_id, user_id=self.user_id)[0]

    def reinforce_memory(
        self, memory_id: str, reason: str | None = None, *, cool_down_s: float = COOL_DOWN_S
    ) -> MemoryRecord:
        """Raise a memory's importance by 20 %; see ``Memory.use(how="reinforced")``."""
        return self.memory.use(
            memory_id, user_id=self.user_id, reason=reason, every_s=cool_down_s, how="reinforced"
        )[0]

    def notice_feedback(self, text: str, memory_ids: Sequence[str]) -> list[MemoryRecord]:
        """Reinforce the memories of an answer if the user calls it helpful; returns those that were.

        Args:
            text: What the user says to the answer; see ``recollect.presets.chloe.praise``.
            memory_ids: The memories that the answer used.
        """
        if not memory_ids or not says_helpful(check_content("text", text)):
            return []
        reason = "the user called the answer helpful"
        return self.memory.use(memory_ids, user_id=self.user_id, reason=reason, how="reinforced")

    def mark_memory_as_critical(self, memory_id: str, *, critical: bool = True) -> MemoryRecord:
        """Keep a memory from fading, or let it fade again."""
        return self.memory.update(memory_id, user_id=self.user_id, labels=Labels(critical=critical))

    def close(self) -> None:
        """Close the engine."""
        self.memory.close()


class IntentRouterTool:
    """Tells what a user wants, by what was learned before.

    Args:
        enhanced: The memory that keeps what is learned.
    """

    def __init__(self, enhanced: EnhancedMemory) -> None:
        self._intents: Final[Intents] = enhanced.memory.lifecycle.intents(user_id=enhanced.user_id)

    def route(self, text: str) -> IntentMatch:
        """The intent of a text; ``unknown`` when none is near enough."""
        return self._intents.classify(text)

    def record_success(self, text: str, intent: str) -> None:
        """The intent was right: the pattern that decided is strengthened, and the text is learned."""
        self._intents.feedback(text, intent, correct=True)

    def record_failure(self, text: str, intent: str, *, actual: str | None = None) -> None:
        """The intent was wrong: the pattern that decided is weakened; the text is learned as ``actual``."""
        self._intents.feedback(text, intent, correct=False, actual=actual)


def create_enhanced_memory(
    store: str | PathLike[str] | Store = "chloe.db",
    *,
    user_id: str = "default",
    embedder: str | Embedder | None = None,
    language: str = "en",
    timezone: str | tzinfo | None = None,
    clock: Clock = utc_now,
    scoring: HybridScoring | None = None,
) -> EnhancedMemory:
    """Open Chloe's memory. The arguments are those of ``Memory``; errors are, too.

    ``scoring`` ranks searches by the design's formula when None; ``HybridScoring(importance_weight=0.2,
    recency_weight=0.2)`` adds importance and recency.
    """
    memory = Memory(
        store,
        embedder=embedder,
        language=language,
        timezone=timezone,
        clock=clock,
        retrieval=Retrieval(scoring=scoring or HybridScoring(language=language)),
    )
    return EnhancedMemory(memory, user_id=user_id, timezone=memory.parts.timezone, clock=clock)


def _kinds(collection: object) -> tuple[Kind, ...]:
    return COLLECTIONS[check_one_of("memory type", collection, list(COLLECTIONS))]


def _importance(value: object) -> object:
    if not isinstance(value, str):
        return value
    if value.lower() not in LEVELS:
        raise InvalidInputError(
            f"importance {as_given(value)} is unknown; give 0 to 1 or {', '.join(LEVELS)}"
        )
    return LEVELS[value.lower()]


def _list(name: str, value: object) -> Sequence[Any]:
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise InvalidInputError(f"{name} must be a list of texts, not {as_given(value)}")
    return value


def _mapping(name: str, value: object) -> Mapping[str, Any]:
    if value is not None and not isinstance(value, Mapping):
        raise InvalidInputError(
            f"{name} must be a mapping such as {{'category': 'task'}}, not {as_given(value)}"
        )
    return value or {}


def _algorithm(algorithm: str) -> Algorithm:
    return str(algorithm).lower()  # type: ignore[return-value]  # extract_tags looks


def _tag(tag: object, confidence: float) -> Tag:
    if isinstance(tag, Tag):
        return tag
    return Tag(text=check_name("a tag", tag) or "", confidence=confidence)
