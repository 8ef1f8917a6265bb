"""``memory.graph``: what belongs together - concepts, links, clusters - and how well a user is known."""

from functools import partial

from recollect.checks import check_id, check_name
from recollect.errors import InvalidInputError, as_given
from recollect.learning.profile import FACTS, holds
from recollect.lifecycle.relationship import Acquaintance
from recollect.memory.parts import Parts
from recollect.retrieval.clusters.clusters import Clusters
from recollect.retrieval.graph.facts import FactGraph
from recollect.retrieval.graph.named import ConceptGraph
from recollect.text.outline import topics_of
from recollect.types import LINK_TYPES, Link, LinkType, Within
from recollect.types.codec import from_micros
from recollect.types.filters import AllOf
from recollect.types.guesses import corrects_guesses


@corrects_guesses
class MemoryGraph:
    """How memories hang together; see ``Memory.graph``."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def concepts(self, *, user_id: str, within: Within | None = None) -> ConceptGraph:
        """What the memories of a user are about: concepts, edges, related concepts.

        Each call makes it from the labels of all memories, or of those ``within`` some tiers, times or a
        project.
        """
        scope = self._parts.scope(user_id)
        records = self._parts.store.find(scope, self._parts.seen(scope, within))
        return ConceptGraph((topics_of(record.labels) for record in records), self._parts.analyser)

    def facts(self, *, user_id: str, within: Within | None = None) -> FactGraph:
        """Who and what the facts of a user that hold now are about, and what they are to each other.

        Args:
            user_id: The user.
            within: Only facts of these tiers, times and project.
        """
        now, scope = self._parts.clock(), self._parts.scope(user_id)
        records = self._parts.store.find(scope, AllOf((FACTS, self._parts.seen(scope, within))))
        return FactGraph(one for one in records if holds(one, now))

    def link(self, source_id: str, target_id: str, *, user_id: str, type: LinkType = "related") -> None:  # noqa: A002 - as in Link
        """Link two memories; an existing link stays.

        Raises:
            NotFoundError: This user has no memory with one of the ids; nothing was linked.
        """
        if type not in LINK_TYPES:
            raise InvalidInputError(
                f"link type {as_given(type)} is unknown; known are {', '.join(LINK_TYPES)}"
            )
        ends = check_id("source_id", source_id), check_id("target_id", target_id)
        scope = self._parts.scope(user_id)
        self._parts.store.link(scope, [Link(source_id=ends[0], target_id=ends[1], type=type)])

    def links(self, memory_id: str, *, user_id: str) -> list[Link]:
        """The links from and to a memory, by source, target and type.

        Raises:
            NotFoundError: This user has no memory with this id.
        """
        known = self._parts.get(check_id("memory_id", memory_id), user_id=user_id)
        return self._parts.store.links(self._parts.scope(user_id), known.id)

    def clusters(self, *, user_id: str, within: Within | None = None) -> Clusters:
        """Memories that mean alike, with labels; keep the object to be fast.

        Args:
            user_id: The user.
            within: Show only memories of these tiers, times and project; the clusters are made of all.
        """
        parts, scope = self._parts, self._parts.scope(user_id)
        seen = None if within is None else partial(parts.seen, scope, within)
        return Clusters(parts.store, scope, embedder=parts.embedder, seen=seen)

    def acquaintance(self, *, user_id: str, without_session: str | None = None) -> Acquaintance:
        """How many conversations lie behind a user, since when, and so how well the user is known.

        Args:
            user_id: Whose; memories of all agents count.
            without_session: A conversation that does not count, such as the one that has begun.
        """
        scope = self._parts.scope(user_id)
        without = check_name("without_session", without_session)
        found = self._parts.recall.conversations(scope, without=without)
        return Acquaintance(
            sessions=found.talks,
            first_at=None if found.first is None else from_micros(found.first),
            last_at=None if found.last is None else from_micros(found.last),
        )
