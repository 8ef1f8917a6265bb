"""The hits of a search: equal words once, best first."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

from recollect.text.analyse import words
from recollect.types import MemoryRecord, Recollection, Repeat, Superseded

NEWER: Final = "newer"
"""The term of words that come before the older ones they replaced: what they gain by that."""
FITS: Final = 0.5
"""Newer words that score at least this share of the older fit a question, too. Chosen by hand."""
QUOTED: Final = 0.5
"""The share of an episode's words that a turn must say for the episode to be its words. Chosen by hand: an
episode is a sentence of one turn, of which reading and masking may change some words."""


@dataclass(frozen=True, slots=True)
class Later:
    """A hit whose words replaced older ones.

    Attributes:
        hit: With its own score.
        until: Until when the older words held; None when they were corrected.
        what: The statement that was replaced, where the older words say more.
        fits: Whether the question asks for the value that was replaced.
        sure: Whether the older words say what was replaced, whatever is asked.
    """

    hit: Recollection
    until: datetime | None
    what: str | None = None
    fits: bool = False
    sure: bool = True


@dataclass(slots=True, kw_only=True)
class Hits:
    """The hits of a search.

    * A turn stands in the place of what was learned from it, with its score and terms; ``via`` is that. For
      an episode, which cites a whole stretch, it is the turn whose words the episode repeats.
    * Of memories that repeat each other one is shown, with the others as its ``repeats``.
    * Words that newer ones replaced are marked (``superseded``), whatever is asked. Where both fit the
      question they stand behind the newer; newer words that score less come right before them, with their
      score.

    What has no turn that may be returned stays: a fact whose conversation lies outside the scope, or an
    episode that a model wrote in words of its own.

    Args:
        turns: By their ids, the turns that may stand in the place of what was learned from them.
        same: The memories that repeat one, itself among them, the one to show first; None where nothing does.
        later: By the id of a turn the hits that replaced its words, and until when the older words held.
        exclude: Ids of memories that are left out.
        threshold: Only scores of at least this.

    Attributes:
        found: The hits so far.
        shown_as: By the id of a memory the id of the hit that shows it: itself, or what stands for it.
    """

    turns: Mapping[str, MemoryRecord] = field(default_factory=dict)
    same: Callable[[MemoryRecord], Sequence[MemoryRecord]] | None = None
    later: Mapping[str, Sequence[Later]] = field(default_factory=dict)
    exclude: Collection[str] = ()
    threshold: float = 0.0
    found: list[Recollection] = field(default_factory=list)
    shown_as: dict[str, str] = field(default_factory=dict)
    _busy: set[str] = field(default_factory=set)

    def take(self, ranked: Iterable[Recollection]) -> None:
        """Make hits of some recollections, best first."""
        for one in ranked:
            if self._may_take(one):
                self._take(one)

    def mark(self, marks: Mapping[str, Superseded]) -> None:
        """Mark some of the hits, by their ids."""
        self.found = [
            one if (mark := marks.get(one.memory.id)) is None else replace(one, superseded=mark)
            for one in self.found
        ]

    def _may_take(self, one: Recollection) -> bool:
        memory_id = one.memory.id
        return not (memory_id in self.shown_as or memory_id in self.exclude or one.score < self.threshold)

    def _take(self, one: Recollection) -> None:
        said = self._said(one.memory)
        shown = next((self.shown_as[turn.id] for turn in said if turn.id in self.shown_as), None)
        if shown is not None:
            self.shown_as[one.memory.id] = shown
            return
        hit = self._once(replace(one, memory=said[0], via=one.memory) if said else one)
        self.shown_as[one.memory.id] = hit.memory.id
        newer = self._newer(hit)
        self.found.append(hit if newer is None else replace(hit, superseded=newer))

    def _said(self, learned: MemoryRecord) -> Sequence[MemoryRecord]:
        """The turns that say what was learned, of those that may be returned."""
        cited = [self.turns[turn] for turn in learned.origin.sources if turn in self.turns]
        return quoted_in(learned, cited) if learned.kind == "episode" else cited

    def _newer(self, hit: Recollection) -> Superseded | None:
        """What replaced the words of a hit, first what the question asks for; that is shown now.

        What the question does not ask for marks the hit, too, and stays at its own place.
        """
        newest: Superseded | None = None
        other: Superseded | None = None
        for later in self.later.get(hit.memory.id, ()):
            memory_id = later.hit.memory.id
            if memory_id in self._busy:
                continue
            fits = later.fits or later.hit.score >= FITS * hit.score
            if fits and memory_id not in self.shown_as and memory_id not in self.exclude:
                self._busy.add(hit.memory.id)
                self._take(_raised(later.hit, hit.score))
            shown = self.shown_as.get(memory_id, memory_id)
            if shown != hit.memory.id:
                mark = Superseded(by=shown, until=later.until, what=later.what)
                newest = newest or (mark if fits else None)
                other = other or (mark if later.sure else None)
        return newest or other

    def _once(self, hit: Recollection) -> Recollection:
        """A hit with its repeats, shown as one of them."""
        self.shown_as[hit.memory.id] = hit.memory.id
        if self.same is None:
            return hit
        shown, *others = self.same(hit.memory)
        if not others:
            return hit
        self.shown_as |= {memory.id: shown.id for memory in (shown, *others)}
        repeats = tuple(Repeat(id=one.id, happened_at=one.times.happened_at) for one in others)
        return replace(hit, memory=shown, repeats=repeats)


def _raised(hit: Recollection, score: float) -> Recollection:
    """A hit that scores at least as high as the words it replaced."""
    if hit.score >= score:
        return hit
    return replace(
        hit,
        score=score,
        signals={**hit.signals, NEWER: 1.0},
        terms={**hit.terms, NEWER: score - hit.score},
    )


def quoted_in(episode: MemoryRecord, cited: Sequence[MemoryRecord]) -> Sequence[MemoryRecord]:
    """The turn that says most of an episode's words, the shortest of equals; none where none says half."""
    _, _, sentence = episode.content.partition(": ")  # behind the speaker's name
    told = set(words(sentence or episode.content))

    def share(turn: MemoryRecord) -> tuple[int, int]:
        said = set(words(turn.content))
        return len(told & said), -len(said)

    best = max(cited, key=share, default=None)
    return [] if best is None or share(best)[0] < QUOTED * len(told) else [best]
