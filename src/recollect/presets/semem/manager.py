"""``MemoryManager``: interactions in, interactions and contexts out."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from os import PathLike
from typing import IO, Final, Self

from recollect.checks import check_content, check_metadata, check_names, check_share, check_text
from recollect.errors import InvalidInputError, ModelAnswerError, as_given
from recollect.ingest.messages import SecretsPolicy
from recollect.lifecycle.retrievals import PROMOTED_AFTER, STATE, factors_at
from recollect.memory.memory import Memory
from recollect.models.chat import ChatMessage, LanguageModel
from recollect.models.parsing import parse_json
from recollect.models.prompts.concepts import CONCEPTS_SCHEMA, MOST_CONCEPTS, name_concepts
from recollect.presets.semem.context import CONCEPT_WEIGHT, ContextManager
from recollect.presets.semem.interaction import (
    BETWEEN,
    OUTPUT_AT,
    Interaction,
    RetrievedInteraction,
    words_of,
)
from recollect.presets.semem.json_file import read_interactions, write_interactions
from recollect.presets.semem.store import MemoryStore
from recollect.presets.semem.strength import StrengthScoring
from recollect.protocols import Clock, Embedder, Store, TokenCounter
from recollect.retrieval.scoring import Retrieval
from recollect.text.pii import PiiPolicy
from recollect.text.tokens import estimate_tokens
from recollect.types import JSON, Context, Labels, LoadResult
from recollect.types.clock import utc_now
from recollect.types.closing import Closing

_LOG: Final = logging.getLogger(__name__)
_LONGEST_NAME: Final = 100
"""Characters of a concept that a model named. Chosen by hand: more is a sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SememConfig:
    """How Semem scores, promotes and makes contexts.

    Attributes:
        concept_weight: What the activation of a memory's concepts counts beside its meaning, 0 to 1; with 0
            the retrieval score is the design's formula alone.
        promote_after: An interaction accessed more often than this becomes long-term.
        budget_tokens: The most a context may have.
    """

    concept_weight: float = CONCEPT_WEIGHT
    promote_after: int = PROMOTED_AFTER
    budget_tokens: int = 1_500


_CONFIG: Final = SememConfig()


class MemoryManager(Closing):
    """Semem's memory of one user; ``memory`` is the engine under it, with everything else it can do.

    Args:
        store: As for ``Memory``; so are the following that are not named here, and the errors.
        user_id: Whose memories.
        model: Names the concepts of interactions. Without one, and where it fails, the words alone tell them.
        config: How it scores, promotes and makes contexts.
        embedder: As for ``Memory``.
        language: As for ``Memory``.
        secrets: As for ``Memory``.
        pii: As for ``Memory``.
        clock: As for ``Memory``.
        token_counter: As for ``Memory``.

    Attributes:
        memory: The engine.
        memory_store: The two memories.
        context_manager: Makes contexts.
    """

    def __init__(
        self,
        store: str | PathLike[str] | Store = "semem.db",
        *,
        user_id: str = "default",
        model: LanguageModel | None = None,
        config: SememConfig = _CONFIG,
        embedder: str | Embedder = "static",
        language: str = "en",
        secrets: SecretsPolicy = "redact",
        pii: PiiPolicy | None = None,
        clock: Clock = utc_now,
        token_counter: TokenCounter = estimate_tokens,
    ) -> None:
        _check(config)
        memory = Memory(
            store,
            embedder=embedder,
            language=language,
            secrets=secrets,
            pii=pii,
            clock=clock,
            retrieval=Retrieval(token_counter=token_counter),
        )
        self._begin(memory, user_id=user_id, model=model, config=config)

    @classmethod
    def over(
        cls,
        memory: Memory,
        *,
        user_id: str,
        model: LanguageModel | None = None,
        config: SememConfig = _CONFIG,
    ) -> Self:
        """Semem over a memory that is open; closing one closes the other.

        Args:
            memory: The memory; its searches keep their ranking.
            user_id: Whose memories.
            model: Names the concepts of interactions.
            config: As for ``MemoryManager``.
        """
        _check(config)
        made = cls.__new__(cls)
        made._begin(memory, user_id=user_id, model=model, config=config)  # noqa: SLF001 - in place of __init__
        return made

    def _begin(
        self, memory: Memory, *, user_id: str, model: LanguageModel | None, config: SememConfig
    ) -> None:
        parts = memory.parts
        language, embedder, weight = parts.analyser.language, parts.embedder, config.concept_weight
        scoring = StrengthScoring(factors=factors_at, state=STATE, concepts=weight, language=language)
        self.user_id = user_id
        self._model = model
        self.memory = Memory.over(parts.ranked_by(scoring))
        self.memory_store = MemoryStore(
            self.memory,
            user_id=user_id,
            embed=lambda text: embedder.embed_documents([text])[0],
            promote_after=config.promote_after,
        )
        self.context_manager = ContextManager(
            self.memory,
            user_id=user_id,
            budget_tokens=config.budget_tokens,
            concept_weight=weight,
            language=language,
            token_counter=parts.count_tokens,
        )

    def add_interaction(
        self,
        prompt: str,
        output: str = "",
        *,
        concepts: Sequence[str] | None = None,
        metadata: Mapping[str, JSON] | None = None,
        timestamp: date | str | float | None = None,
        session_id: str | None = None,
    ) -> Interaction:
        """Remember an interaction. It begins in the short-term memory, accessed once, with a factor of 1.

        Its words are stored first; what the model names is added then.

        Args:
            prompt: What was asked.
            output: What was answered, if it was.
            concepts: What it is about; by default the model is asked, if there is one. Tags and entities are
                found in the words in any case.
            metadata: Anything that JSON holds, but for ``output_at``, which is the preset's own.
            timestamp: When it happened; its age for the retrieval score counts from when it was stored.
            session_id: In which conversation.

        Raises:
            InvalidInputError: Something cannot be stored, and nothing was.
        """
        message = self._message(prompt, output, concepts=concepts, metadata=metadata, timestamp=timestamp)
        (result,) = self.memory.add(message, user_id=self.user_id, session_id=session_id)
        self.memory_store.begin(str(result.id))
        if concepts is None:
            self._name_concepts(str(result.id), str(message["content"]))
        return self.memory_store.get(str(result.id))

    def _message(
        self,
        prompt: str,
        output: str,
        *,
        concepts: Sequence[str] | None = None,
        metadata: Mapping[str, JSON] | None = None,
        timestamp: date | str | float | None = None,
    ) -> dict[str, object]:
        """An interaction as an item for ``Memory.add``."""
        asked, answered = self._screened("prompt", prompt), self._screened("output", output) if output else ""
        return {
            "content": words_of(asked, answered),
            "concepts": () if concepts is None else check_names("concepts", concepts),
            "tier": "short-term",
            "metadata": _own(metadata) | ({OUTPUT_AT: len(asked) + len(BETWEEN)} if answered else {}),
            "timestamp": timestamp,
        }

    def read_json(self, source: str | PathLike[str] | IO[str]) -> LoadResult:
        """Store the interactions of a file of Semem, with their use and their age, in the memory of each.

        What was read before, or was written by this memory, is there already and stays as it is. The vectors
        are made by this memory's embedder.

        Args:
            source: A JSON file with ``shortTermMemory`` and ``longTermMemory``, or one open for reading text.

        Raises:
            InvalidInputError: An interaction cannot be stored; nothing was.
        """
        given = read_interactions(source)
        items = [
            {
                **self._message(one.prompt, one.output, concepts=one.concepts, timestamp=one.accessed_at),
                "idempotency_key": f"semem {one.id}",
            }
            for one in given
        ]
        known = self.memory_store.known([one.id for one in given])
        new = [pair for pair in zip(given, items, strict=True) if pair[0].id not in known]
        stored = self.memory_store.take([one for one, _ in new], [item for _, item in new])
        return LoadResult(stored=stored, duplicates=len(given) - stored)

    def write_json(self, target: str | PathLike[str]) -> int:
        """Write both memories as a new file of Semem; returns how many interactions.

        Raises:
            InvalidInputError: The file exists already, or cannot be made.
        """
        store = self.memory_store
        return write_interactions(target, store.short_term_memory, store.long_term_memory)

    def retrieve_relevant_interactions(
        self,
        query: str,
        *,
        top_k: int = 10,
        threshold: float = 0.0,
        exclude_last: int = 0,
        from_cluster: int = 0,
    ) -> list[RetrievedInteraction]:
        """The interactions that come back for a query, and are strengthened; see ``MemoryStore.retrieve``."""
        return self.memory_store.retrieve(
            query, top_k=top_k, threshold=threshold, exclude_last=exclude_last, from_cluster=from_cluster
        )

    def generate_context(self, query: str, *, budget_tokens: int | None = None) -> Context:
        """What is known about a query, ready for a prompt; see ``ContextManager.build_context``.

        What went into it counts as retrieved.
        """
        made = self.context_manager.build_context(query, budget_tokens=budget_tokens)
        self.memory_store.track([hit.memory.id for hit in made.included])
        return made

    def close(self) -> None:
        """Close the engine."""
        self.memory.close()

    def _screened(self, where: str, text: str) -> str:
        """What may be stored of a text."""
        screened = self.memory.maintenance.screen(check_content(where, text))
        if screened.refused:
            raise InvalidInputError(f"{where}: {screened.refused}")
        return screened.text

    def _name_concepts(self, memory_id: str, words: str) -> None:
        """Give a stored interaction what the model names, unless its words were changed meanwhile."""
        named = self._concepts(words)
        if named and self.memory.get(memory_id, user_id=self.user_id).content == words:
            self.memory.update(
                memory_id, user_id=self.user_id, labels=Labels(concepts=named), reason="named by a model"
            )

    def _concepts(self, words: str) -> tuple[str, ...]:
        """The concepts that the model names; none without a model. One that fails is only logged."""
        if self._model is None:
            return ()
        question = ChatMessage(role="user", content=name_concepts(words))
        try:
            answer = self._model.complete([question], json_schema=CONCEPTS_SCHEMA)
            return _read(parse_json(answer.text))
        except Exception as error:  # noqa: BLE001 - whatever a caller's model raises, the words are stored
            _LOG.warning("concepts were found in the words, for the model failed: %s", type(error).__name__)
            return ()


def _check(config: object) -> None:
    """Check what would be found wrong only after a store was opened."""
    if not isinstance(config, SememConfig):
        raise InvalidInputError(f"config must be a SememConfig, not {as_given(config)}")
    check_share("concept_weight", config.concept_weight)


def _own(metadata: Mapping[str, JSON] | None) -> dict[str, JSON]:
    """The metadata of a caller; what is the preset's own is refused."""
    kept = {} if metadata is None else check_metadata("metadata", metadata)
    if OUTPUT_AT in kept:
        raise InvalidInputError(f"metadata: {OUTPUT_AT!r} is computed; leave it out")
    return dict(kept)


def _read(answer: JSON) -> tuple[str, ...]:
    """The concepts in an answer; what is no name of one is passed over.

    Raises:
        ModelAnswerError: There is no list of concepts in it.
    """
    named = answer.get("concepts") if isinstance(answer, Mapping) else answer
    if isinstance(named, str) or not isinstance(named, Sequence):
        raise ModelAnswerError("the answer has no list of concepts")
    short = (one.strip() for one in named if isinstance(one, str) and len(one) <= _LONGEST_NAME)
    return tuple(dict.fromkeys(one for one in short if one and _can_be_stored(one)))[:MOST_CONCEPTS]


def _can_be_stored(name: str) -> bool:
    try:
        check_text("a concept", name)
    except InvalidInputError:
        return False
    return True
