"""Spreading activation: from the concepts of a question to those that stand together with them, and on.

Pure functions of an index; no order of memories, and no chance, changes what they return.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from recollect.errors import InvalidInputError
from recollect.retrieval.graph.index import ConceptIndex, Concepts, rarity

HOPS: Final = 2
DECAY: Final = 0.5
"""Two steps, each with half of the activation, as Semem's own."""
FAN_OUT: Final = 8
"""Edges along which one concept passes activation on, the strongest. With 16 R@10 of Semem's retrieval is 0.6
higher on LoCoMo and 1.4 lower on BEAM."""
FRONTIER: Final = 32
"""Concepts that pass activation on in one hop, the most active. Chosen by hand, to bound the time."""
MOST_ROWS: Final = 512
"""Memories of a concept that its edges are counted in, the newest. Chosen by hand, to bound the time."""

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class Spreading:
    """How far activation spreads.

    Attributes:
        hops: Edges from the question's concepts, 0 to 10.
        decay: What is left of activation after each hop, 0 to 1.
        fan_out: Edges along which a concept passes it on, 1 to 10,000; at the most four times as many are
            activated in one hop.

    Raises:
        InvalidInputError: A number is out of range.
    """

    hops: int = HOPS
    decay: float = DECAY
    fan_out: int = FAN_OUT

    def __post_init__(self) -> None:
        if not (0 <= self.hops <= 10 and 0 <= self.decay <= 1 and 1 <= self.fan_out <= 10_000):  # noqa: PLR2004 - said
            raise InvalidInputError(
                "hops must be from 0 to 10, decay from 0 to 1 and fan_out from 1 to 10,000"
            )


DEFAULT: Final = Spreading()


@dataclass(frozen=True, slots=True)
class Activation:
    """Activated concepts.

    Attributes:
        concepts: Their places, those that were given first, then hop by hop, the most active first.
        strength: ``float32``, above 0 to 1.
        given: How many of them were given.
    """

    concepts: Concepts
    strength: Floats
    given: int


def spread(index: ConceptIndex, given: Sequence[int], *, rules: Spreading = DEFAULT) -> Activation:
    """What the concepts at the places ``given`` activate.

    A given concept starts with its rarity. With every hop a concept ``c`` passes
    ``decay * strength * together(c, d) / sqrt(degree(c) * degree(d))`` to each concept ``d`` that is not
    active yet; contributions add up, to at most 1.
    """
    first = np.array(given, np.int32)
    concepts, strengths = [first], [rarity(index.degrees[first], index.memories)]
    frontier, active = first, strengths[0]
    for _ in range(rules.hops):
        strongest = _order(index, frontier, active)[:FRONTIER]
        reached, passed = _passed(index, frontier[strongest], active[strongest], rules)
        new = (passed > 0) & ~np.isin(reached, np.concatenate(concepts))
        frontier, active = reached[new], np.minimum(passed[new], np.float32(1))
        kept = _order(index, frontier, active)[: 4 * rules.fan_out]
        frontier, active = frontier[kept], active[kept]
        concepts.append(frontier)
        strengths.append(active)
        if not frontier.size:
            break
    return Activation(np.concatenate(concepts), np.concatenate(strengths), len(first))


def memory_activation(
    index: ConceptIndex, activation: Activation, size: int, *, with_given: bool = False
) -> Floats:
    """How active each of ``size`` rows is by its concepts, 0 to 1.

    ``1 - prod(1 - strength * rarity)`` over the active concepts of a row. The given ones count only with
    ``with_given``: a memory that has one shares a word with the question, which other signals see.
    """
    start = 0 if with_given else activation.given
    concepts, strength = activation.concepts[start:], activation.strength[start:]
    worth = strength * rarity(index.degrees[concepts], index.memories)
    left = np.zeros(size, np.float32)
    for concept, share in zip(
        concepts.tolist(), np.log1p(-np.minimum(worth, np.float32(0.999))), strict=True
    ):
        left[index.rows(concept)] += share
    return 0 - np.expm1(left)


def neighbours(index: ConceptIndex, concept: int, *, most: int) -> tuple[Concepts, Floats]:
    """The places and weights of the concepts that occur together with one, strongest first, at most ``most``.

    A weight is ``together / sqrt(degree * degree)``, 0 to 1, counted in the newest ``MOST_ROWS`` rows.
    """
    rows = index.rows(concept)
    seen = index.newest(rows, MOST_ROWS)
    beside, together = np.unique(index.held(seen), return_counts=True)
    other = beside != concept
    beside, share = beside[other], together[other] / max(len(seen), 1)
    weight = np.minimum(share * np.sqrt(len(rows) / index.degrees[beside]), 1).astype(np.float32)
    best = _order(index, beside, weight)[:most]
    return beside[best], weight[best]


def _passed(
    index: ConceptIndex, concepts: Concepts, strength: Floats, rules: Spreading
) -> tuple[Concepts, Floats]:
    """The concepts reached in one hop, each once, and what is passed to them."""
    found = [neighbours(index, concept, most=rules.fan_out) for concept in concepts.tolist()]
    if not found:
        return np.empty(0, np.int32), np.empty(0, np.float32)
    reached, inverse = np.unique(np.concatenate([beside for beside, _ in found]), return_inverse=True)
    parts = [weight * active for (_, weight), active in zip(found, strength, strict=True)]
    total = np.bincount(inverse, np.concatenate(parts), len(reached))
    return reached, (total * rules.decay).astype(np.float32)


def _order(index: ConceptIndex, concepts: Concepts, strength: Floats) -> NDArray[np.intp]:
    """Where the strongest stand, equal ones in the order of their numbers."""
    return np.lexsort((index.numbers[concepts], -strength))
