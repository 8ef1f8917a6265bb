"""``ShadowMemorySystem``: stores memories, and is aware of them."""

import logging
import threading
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from datetime import timedelta, tzinfo
from os import PathLike
from typing import Final, Self

import numpy as np

from recollect.checks import MAX_TOP_K, check_content, check_count, check_id, check_names, check_share
from recollect.errors import InvalidInputError, RecollectError, as_given
from recollect.ingest.messages import SecretsPolicy
from recollect.lifecycle.archival import ARCHIVED
from recollect.lifecycle.threshold_state import ThresholdChange
from recollect.lifecycle.thresholds import ThresholdManager
from recollect.memory.changes.archive import Tidied
from recollect.memory.memory import Memory
from recollect.presets.shadow.activation import ActivationWeights
from recollect.presets.shadow.awareness import ActivationScoring, Awareness
from recollect.presets.shadow.config import DAY_S, ShadowMemorySystemConfig
from recollect.presets.shadow.context import ContextLike, ShadowContext, SystemStats
from recollect.presets.shadow.selection import RankingStrategy, check_strategy, diverse
from recollect.presets.shadow.tuning import tuning_recommendations, tuning_report
from recollect.protocols import Clock, Embedder, Store
from recollect.retrieval.calibration import for_embedder
from recollect.text.context_type import ContextType, check_context_type, detect_context_type
from recollect.text.entities import find_entities
from recollect.text.pii import PiiPolicy
from recollect.text.tags import extract_tags
from recollect.types import JSON, SUMMARY_CHARACTERS, MemoryRecord, Within
from recollect.types.clock import utc_now
from recollect.types.closing import Closing
from recollect.types.codec import to_micros
from recollect.types.guesses import instead_of

_CONFIG: Final = ShadowMemorySystemConfig()
_CLEARED: Final = "cleared"
_AT_ONCE: Final = 1_000
"""Memories put away at a time: half a second. Chosen by hand."""
_LOOKED_AT: Final = 4
"""Times as many memories are looked at as are retrieved selectively. Chosen by hand."""
_LOG: Final = logging.getLogger(__name__)


class ShadowMemorySystem(Closing):
    """Shadow Memory of one user; ``memory`` is the engine under it, with everything else it can do.

    Args:
        store: As for ``Memory``; so are the following but ``config``, and the errors.
        user_id: Whose memories.
        config: How it scores, activates and puts away.
    """

    def __init__(
        self,
        store: str | PathLike[str] | Store = "shadow.db",
        *,
        user_id: str = "default",
        config: ShadowMemorySystemConfig = _CONFIG,
        embedder: str | Embedder = "static",
        language: str = "en",
        timezone: str | tzinfo | None = None,
        secrets: SecretsPolicy = "redact",
        pii: PiiPolicy | None = None,
        clock: Clock = utc_now,
    ) -> None:
        _check(user_id, config)
        memory = Memory(
            store,
            embedder=embedder,
            language=language,
            timezone=timezone,
            secrets=secrets,
            pii=pii,
            clock=clock,
        )
        self._begin(memory, user_id=user_id, config=config)

    @classmethod
    def over(cls, memory: Memory, *, user_id: str, config: ShadowMemorySystemConfig = _CONFIG) -> Self:
        """Shadow Memory over a memory that is open; closing one closes the other.

        Args:
            memory: The memory; its searches keep their ranking.
            user_id: Whose memories.
            config: As for ``ShadowMemorySystem``.
        """
        _check(user_id, config)
        made = cls.__new__(cls)
        made._begin(memory, user_id=user_id, config=config)  # noqa: SLF001 - in place of __init__
        return made

    def _begin(self, memory: Memory, *, user_id: str, config: ShadowMemorySystemConfig) -> None:
        self.user_id = user_id
        self._parts = memory.parts
        self._embedder = self._parts.embedder
        self._analyser = self._parts.analyser
        self._clock = self._parts.clock
        self._lock = threading.Lock()
        self._retrievals = 0
        self._activated: list[float] = [0.0, 0.0]
        self._set(config)

    def _set(self, config: ShadowMemorySystemConfig) -> None:
        """Score and activate by a configuration from now on."""
        self.config = config
        self._ranked: dict[ActivationWeights, Memory] = {}
        self.memory = self._ranked_by(config.activation_weights)
        self.thresholds: ThresholdManager = self.memory.lifecycle.thresholds(
            user_id=self.user_id, thresholds=config.context_thresholds
        )

    def _ranked_by(self, weights: ActivationWeights) -> Memory:
        """The memory whose searches are ranked with some weights."""
        if weights not in self._ranked:
            scoring = ActivationScoring(
                weights=weights,
                calibration=for_embedder(self._embedder.name) if self.config.calibrate else None,
                decay=self.config.decay,
                language=self._analyser.language,
            )
            self._ranked[weights] = Memory.over(self._parts.ranked_by(scoring))
        return self._ranked[weights]

    def update_configuration(self, **changes: object) -> ShadowMemorySystemConfig:
        """Change settings while the system is open; the others stay, and so does what was learned.

        A threshold that begins elsewhere is learned anew.

        Args:
            **changes: Fields of ``ShadowMemorySystemConfig``.

        Returns:
            The configuration in force.

        Raises:
            InvalidInputError: A setting is unknown or cannot be used; nothing was changed.
        """
        known = [one.name for one in fields(ShadowMemorySystemConfig)]
        unknown = next((name for name in changes if name not in known), None)
        if unknown is not None:
            raise InvalidInputError(f"unknown setting {as_given(unknown)}; {instead_of(unknown, known)}")
        self._set(replace(self.config, **changes))  # type: ignore[arg-type]  # the configuration checks
        return self.config

    def store_memory(
        self,
        content: str,
        context: ContextLike | None = None,
        *,
        role: str = "user",
        session_id: str | None = None,
        metadata: Mapping[str, JSON] | None = None,
    ) -> str:
        """Store a text with its embedding, summary, topics and entities; returns its id.

        With ``lifecycle`` in the configuration it archives old memories, once in ``cleanup_interval_s``.

        Args:
            content: The text.
            context: Where it was said: its topics and entities become approved tags of the memory.
            role: Who said it: ``user``, ``assistant``, …
            session_id: In which conversation.
            metadata: Anything that JSON holds.

        Raises:
            InvalidInputError: Something cannot be stored, or may not be by ``secrets`` or ``pii``.
        """
        message: dict[str, object] = {"role": role, "content": content}
        if context is not None:
            context = self._context(context)
            message["tags"] = list(dict.fromkeys((*context.topics, *context.entities)))
        (result,) = self.memory.add(message, user_id=self.user_id, session_id=session_id, metadata=metadata)
        if result.id is None:
            raise InvalidInputError(f"content cannot be stored: {result.reason}")
        self.cleanup_if_due()
        return result.id

    def retrieve_memory(self, memory_id: str) -> MemoryRecord:
        """One memory, whole.

        Raises:
            NotFoundError: There is none with this id.
        """
        return self.memory.get(memory_id, user_id=self.user_id)

    def build_context(
        self,
        text: str,
        *,
        topics: Sequence[str] | None = None,
        entities: Sequence[str] | None = None,
        type: ContextType | None = None,  # noqa: A002 - the design's name
    ) -> ShadowContext:
        """A context from a text; what is not given is found in it.

        Args:
            text: The words.
            topics: What they are about.
            entities: Whom and what they name.
            type: The kind of context.

        Raises:
            InvalidInputError: The text is blank, or the kind of context is unknown.
        """
        words = check_content("text", text)
        detected = detect_context_type(words)
        tags = extract_tags(words, analyser=self._analyser) if topics is None else ()
        return ShadowContext(
            text=words,
            topics=tuple(tag.text for tag in tags) if topics is None else check_names("topics", topics),
            entities=(
                find_entities(words, language=self._analyser.language)
                if entities is None
                else check_names("entities", entities)
            ),
            embedding=self._embedder.embed_query(words),
            type=detected.type if type is None else check_context_type(type),
            reason=detected.reason if type is None else "given",
        )

    def get_all_candidate_memories(
        self, context: ContextLike, *, top_k: int | None = None, project: str | None = None
    ) -> Awareness:
        """Every memory that can be recalled with its score, best first; none is read.

        Args:
            context: A context, or a text to build one from.
            top_k: Only so many of the best, which is quicker; None for all.
            project: Only what may be seen in it, see ``Within``.
        """
        given = self._context(context)
        weights = self.config.weights_of(given.type)
        candidates = self._ranked_by(weights).lifecycle.candidates(
            given.text,
            user_id=self.user_id,
            top_k=top_k,
            within=Within(project=project),
            embedding=given.embedding,
            topics=(*given.topics, *given.entities),
        )
        threshold = self.thresholds.threshold(given.type)
        return Awareness(
            candidates,
            thresholds=self.config.relevance_thresholds(threshold),
            weights=weights,
        )

    def get_memory_awareness(self, context: ContextLike) -> Awareness:
        """The memories that a context activates: those whose score reaches its threshold, best first."""
        return self.activated_in(self.get_all_candidate_memories(context))

    def retrieve_selectively(
        self,
        context: ContextLike,
        *,
        limit: int = 5,
        ranked_by: RankingStrategy = "relevance",
        diversity: float = 0.0,
    ) -> list[MemoryRecord]:
        """Read some of the activated memories.

        Args:
            context: As for ``get_memory_awareness``.
            limit: How many at most.
            ranked_by: Which are looked at first, see ``Awareness.ranked``; ``recency`` prefers recent ones.
            diversity: 0 to 1: how much each must be unlike the others, see ``selection.diverse``.

        Raises:
            InvalidInputError: An argument cannot be used.
        """
        most, share = check_count("limit", limit, most=MAX_TOP_K), check_share("diversity", diversity)
        check_strategy(ranked_by)
        seen = self.get_memory_awareness(context).ranked(ranked_by).first(most * _LOOKED_AT)
        words = [text or " " for text in seen.texts(whole_up_to=SUMMARY_CHARACTERS)]
        places = diverse(
            seen.scores.astype(np.float64),
            lambda: self._embedder.embed_documents(words),
            limit=most,
            diversity=share,
        )
        ids = seen.chosen(places).ids()
        found = self.memory.get_all(user_id=self.user_id, filters={"id": {"in": ids}})
        return sorted(found, key=lambda record: ids.index(record.id))

    def activated_in(self, awareness: Awareness) -> Awareness:
        """Those of an awareness that are activated; it counts in ``get_system_stats``."""
        activated = awareness.activated()
        with self._lock:
            self._retrievals += 1
            self._activated[0] += float(activated.scores.sum())
            self._activated[1] += len(activated)
        return activated

    def feedback(self, memory_id: str, *, useful: bool, context: ContextLike) -> tuple[ThresholdChange, ...]:
        """Say whether a memory helped in a context; the threshold of its kind of context learns from it.

        A memory that was not activated there and would have helped is one that should have been recalled. One
        that cannot be recalled at all, such as an archived one, says nothing of a threshold.

        Returns:
            The thresholds that it moved, mostly none.

        Raises:
            NotFoundError: There is no memory with this id.
            InvalidInputError: It is no id, or ``useful`` is neither True nor False.
        """
        given = self._context(context)
        seen = self.get_all_candidate_memories(given).find(memory_id)
        self.memory.use(memory_id, user_id=self.user_id, useful=useful)
        if seen is None:
            return ()
        return self.thresholds.record(given.type, activated=seen.activated, relevant=useful)

    def tuning_recommendations(self) -> dict[ContextType, str]:
        """What to change about the thresholds, see ``recollect.presets.shadow.tuning``."""
        return tuning_recommendations(self.thresholds.state())

    def tuning_report(self) -> str:
        """How each threshold does, one line each, see ``recollect.presets.shadow.tuning``."""
        return tuning_report(self.thresholds.state())

    def track_access(self, used: Awareness) -> None:
        """Count that memories went into a prompt, each once a day; see ``Memory.use(how="shown")``.

        The answer is there already: a failure is only logged.
        """
        latest = to_micros(self._clock() - timedelta(seconds=DAY_S))
        due = [memory_id for memory_id, at in zip(used.ids(), used.accessed, strict=True) if at <= latest]
        if not due:
            return
        try:
            self.memory.use(due, user_id=self.user_id, how="shown")
        except RecollectError as error:
            _LOG.warning("the use of memories was not counted: %s", error)

    def archive_memory(self, memory_id: str, *, reason: str | None = None) -> MemoryRecord:
        """Put a memory away; see ``Memory.archive``."""
        return self.memory.archive(memory_id, user_id=self.user_id, reason=reason)

    def restore_memory(self, memory_id: str) -> MemoryRecord:
        """Bring a memory back; see ``Memory.unarchive``."""
        return self.memory.unarchive(memory_id, user_id=self.user_id)

    def cleanup(self) -> Tidied:
        """Put away what is old, little used or too much; see ``Memory.lifecycle.tidy``."""
        return self.memory.lifecycle.tidy(user_id=self.user_id, policy=self.config.policy)

    def cleanup_if_due(self) -> Tidied | None:
        """Clean up if ``config.lifecycle``, once in ``cleanup_interval_s``, at most 1,000 memories.

        What was stored before is stored: a failure is only logged, and the next call tries again.

        Returns:
            What was archived; ``memory.lifecycle.untidy`` brings it back. None where nothing was looked at.
        """
        if not self.config.lifecycle:
            return None
        try:
            return self.memory.lifecycle.tidy(
                user_id=self.user_id,
                policy=self.config.policy,
                not_within_s=self.config.cleanup_interval_s,
                most=_AT_ONCE,
            )
        except RecollectError as error:
            _LOG.warning("memories were not tidied: %s", error)
            return None

    def get_system_stats(self) -> SystemStats:
        """How many memories there are, and how activation goes."""
        total = self.memory.stats(user_id=self.user_id)
        archived = total.tiers.get(ARCHIVED, 0)
        score, count = self._activated
        return SystemStats(
            total_memories=total.memories,
            active_memories=total.memories - archived,
            archived_memories=archived,
            retrievals=self._retrievals,
            average_activation_score=score / count if count else 0.0,
            thresholds={name: state.threshold for name, state in self.thresholds.state().items()},
            embedding_model=total.embedder,
            dimensions=total.dimensions,
        )

    def clear_memories(self, *, purge: bool = False) -> int:
        """Delete all memories of the user, and with ``purge`` for good; returns how many."""
        deleted = self.memory.delete_all(user_id=self.user_id, reason=_CLEARED)
        if purge:
            self.memory.purge(user_id=self.user_id)
        return deleted

    def close(self) -> None:
        """Close the engine."""
        self.memory.close()

    def _context(self, context: ContextLike) -> ShadowContext:
        if isinstance(context, (ShadowContext, str)):
            return self.build_context(context) if isinstance(context, str) else context
        raise InvalidInputError(f"context must be a text or a Context, not {as_given(context)}")


def _check(user_id: str, config: ShadowMemorySystemConfig) -> None:
    """Check what would be found wrong only after a store was opened."""
    check_id("user_id", user_id)
    if not isinstance(config, ShadowMemorySystemConfig):
        raise InvalidInputError(f"config must be a ShadowMemorySystemConfig, not {as_given(config)}")
