"""``ContextManager``: both memories in one prompt, by relevance and recency, within a limit of tokens."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from recollect.checks import check_count, check_share, check_token_counter
from recollect.context.compose import compose
from recollect.memory.memory import Memory
from recollect.presets.semem.strength import DECAY_PER_S, likeness
from recollect.protocols import TokenCounter
from recollect.retrieval.candidates import Candidates
from recollect.text.analyse import Analyser
from recollect.text.tokens import estimate_tokens
from recollect.types import Context, MemoryRecord, Recollection, Within

RECENCY_WEIGHT: Final = 0.3
"""What being recent counts. Chosen by hand: it orders what is about as relevant, and lifts nothing else."""
HALF_LIFE_DAYS: Final = 7.0
"""After so long half of being recent is left. Chosen by hand."""
_DAY_S: Final = 86_400.0

Doubles = NDArray[np.float64]

CONCEPT_WEIGHT: Final = 0.5
"""What the activation of a memory's concepts counts. R@10 is 58.9 with it and 46.2 without on LoCoMo,
50.0 and 39.7 on BEAM; 0.3 and 0.7 do nearly as well."""
THRESHOLD: Final = 0.3
"""How much a memory must be like a query to stand in its context. None of the answering turns among the
first 50 on LoCoMo and BEAM is less, and what has nothing to do with a query mostly is."""
_TOKENS_PER_HIT: Final = 25
_FEWEST, _MOST = 10, 1_000
"""Memories considered for one context, as in ``Memory.context``."""


class ContextManager:
    """Makes contexts of one user's memories.

    Args:
        memory: The engine, opened with ``StrengthScoring``; see ``MemoryManager``.
        user_id: Whose.
        budget_tokens: The most a context may have, unless a call says otherwise.
        threshold: How much a memory must at least be like the query, 0 to 1.
        concept_weight: What the activation of a memory's concepts counts, as the engine was opened with.
        language: ISO 639-1, of the queries.
        token_counter: Counts the tokens of a text as the model does.

    Raises:
        InvalidInputError: An argument cannot be used.
    """

    def __init__(
        self,
        memory: Memory,
        *,
        user_id: str,
        budget_tokens: int = 1_500,
        threshold: float = THRESHOLD,
        concept_weight: float = CONCEPT_WEIGHT,
        language: str = "en",
        token_counter: TokenCounter = estimate_tokens,
    ) -> None:
        self._memory = memory
        self._user_id = user_id
        self._budget = check_count("budget_tokens", budget_tokens, most=10_000_000)
        self._threshold = check_share("threshold", threshold)
        self._weight = check_share("concept_weight", concept_weight)
        self._count = check_token_counter(token_counter)
        self._analyser = Analyser(language)

    def build_context(self, query: str, *, budget_tokens: int | None = None) -> Context:
        """What is known about a query from both memories, ready for a prompt; nothing is counted.

        The most relevant first, the recently accessed before others as relevant (``context.merging``), until
        the limit is reached; what is written stands in the order of time.

        Args:
            query: The question.
            budget_tokens: The most the text may have; too few for one memory give an empty text.

        Raises:
            InvalidInputError: The query is blank, or the budget cannot be used.
        """
        given = self._budget if budget_tokens is None else budget_tokens
        budget = check_count("budget_tokens", given, most=10_000_000)
        return compose(
            self.relevant(query, budget_tokens=budget),
            budget_tokens=budget,
            count_tokens=self._count,
            query_terms=self._analyser.query_stems(query),
            terms_of=self._analyser.stems,
        )

    def relevant(
        self, query: str, *, budget_tokens: int, within: Within | None = None, threshold: float | None = None
    ) -> list[Recollection]:
        """The memories that a context of this size takes first, by relevance and recency.

        Args:
            query: The question.
            budget_tokens: The size of the context.
            within: Only these memories, see ``Within``; all weigh on how concepts are connected.
            threshold: How much a memory must be like the query, 0 to 1, in place of the manager's.
        """
        found = self._memory.lifecycle.candidates(query, user_id=self._user_id, within=within)
        most = min(max(budget_tokens // _TOKENS_PER_HIT, _FEWEST), _MOST)
        return self._hits(found, most=most, least=self._threshold if threshold is None else threshold)

    def _hits(self, found: Candidates, *, most: int, least: float) -> list[Recollection]:
        """The memories that a prompt takes first, with their priority as score."""
        if not len(found):
            return []
        cosine = np.asarray(found.signals["vector"], np.float64)
        active = np.asarray(found.signals.get("concepts", np.zeros_like(cosine)), np.float64)
        relevance = likeness(cosine, active, concept_weight=self._weight)
        ranked = priority(relevance, _idle_s(found))
        order = np.argsort(-ranked, kind="stable")
        places = order[relevance[order] >= least][:most].tolist()
        ids = found.chosen(places).ids()
        records = {
            record.id: record
            for record in self._memory.get_all(user_id=self._user_id, filters={"id": {"in": ids}})
        }
        return [
            _hit(records[memory_id], float(relevance[place]), float(ranked[place]))
            for memory_id, place in zip(ids, places, strict=True)
            if memory_id in records
        ]


def _hit(record: MemoryRecord, relevance: float, ranked: float) -> Recollection:
    return Recollection(
        memory=record,
        score=ranked,
        signals={"relevance": relevance, "recency": ranked / relevance if relevance else 0.0},
        terms={"relevance": relevance, "recency": ranked - relevance},
    )


def _idle_s(found: Candidates) -> NDArray[np.float64]:
    """Seconds since each was accessed, from what age has left; beyond three months all are as old."""
    aged = np.maximum(np.asarray(found.signals["age"], np.float64), np.finfo(np.float64).tiny)
    idle: NDArray[np.float64] = -np.log(aged) / DECAY_PER_S
    return idle


def priority(relevance: Doubles, idle_s: Doubles) -> Doubles:
    """Semem's "prioritizes by relevance and recency", 0 to 1; the design gives no formula.

    ``relevance * (0.7 + 0.3 * 0.5 ** (idle_days / 7))``. Its retrieval score would do for neither: within
    a day age takes nearly all of it.

    Args:
        relevance: How well each memory fits, 0 to 1.
        idle_s: Seconds since it was last accessed, or stored; less than 0 counts as 0.

    >>> week = np.array([0.0, 7 * 86_400.0])
    >>> priority(np.array([0.5, 0.6]), week).round(3).tolist()
    [0.5, 0.51]
    """
    recency = 0.5 ** (np.maximum(idle_s, 0.0) / (_DAY_S * HALF_LIFE_DAYS))
    return relevance * (1 - RECENCY_WEIGHT + RECENCY_WEIGHT * recency)
