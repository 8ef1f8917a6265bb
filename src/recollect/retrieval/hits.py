"""The hits of a search, made of what was ranked: everything that was said once, best first."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from recollect.text.analyse import normalised
from recollect.types import MemoryRecord, Recollection, Repeat


def _alone(memory: MemoryRecord) -> Sequence[MemoryRecord]:
    return [memory]


@dataclass(slots=True, kw_only=True)
class Hits:
    """The hits of a search.

    * A turn stands in the place of what was learned from it, with its score and terms; ``via`` is that.
    * Of memories that repeat each other one is shown, with the others as its ``repeats``.

    What has no turn that may be returned stays: a fact whose conversation lies outside the scope.

    Args:
        turns: By their ids, the turns that may stand in the place of what was learned from them.
        same: The memories that repeat one, itself among them, the one to show first.
        exclude: Ids of memories that are left out.
        threshold: Only scores of at least this.

    Attributes:
        found: The hits so far.
        shown_as: By the id of a memory the id of the hit that shows it: itself, or what stands for it.
    """

    turns: Mapping[str, MemoryRecord] = field(default_factory=dict)
    same: Callable[[MemoryRecord], Sequence[MemoryRecord]] = _alone
    exclude: Collection[str] = ()
    threshold: float = 0.0
    found: list[Recollection] = field(default_factory=list)
    shown_as: dict[str, str] = field(default_factory=dict)

    def take(self, ranked: Iterable[Recollection]) -> None:
        """Make hits of some recollections, best first."""
        for one in ranked:
            if (
                one.memory.id not in self.shown_as
                and one.memory.id not in self.exclude
                and one.score >= self.threshold
            ):
                self._take(one)

    def _take(self, one: Recollection) -> None:
        said = [self.turns[turn] for turn in one.memory.origin.sources if turn in self.turns]
        shown = next((self.shown_as[turn.id] for turn in said if turn.id in self.shown_as), None)
        if shown is not None:
            self.shown_as[one.memory.id] = shown
            return
        hit = self._once(replace(one, memory=_quoted(one.memory, said), via=one.memory) if said else one)
        self.shown_as[one.memory.id] = hit.memory.id
        self.found.append(hit)

    def _once(self, hit: Recollection) -> Recollection:
        """A hit with its repeats, shown as one of them."""
        shown, *others = self.same(hit.memory)
        self.shown_as |= {memory.id: shown.id for memory in (shown, *others)}
        repeats = tuple(Repeat(id=one.id, happened_at=one.times.happened_at) for one in others)
        return replace(hit, memory=shown, repeats=repeats)


def _quoted(learned: MemoryRecord, said: Sequence[MemoryRecord]) -> MemoryRecord:
    """The turn whose words were taken over whole into what was learned from several; else the first."""
    words = normalised(learned.content)
    return next((turn for turn in said if normalised(turn.content) in words), said[0])
