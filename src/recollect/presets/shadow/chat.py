"""Shadow Memory in a chat: every memory is scored, and the activated ones are read for the prompt."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from recollect.context.core import WrittenCore, core_within
from recollect.context.excerpts import Excerpts
from recollect.documents.citing import Citation, cite
from recollect.lifecycle.archival import ArchivalPolicy
from recollect.memory.answers import Considered, Recalled
from recollect.memory.chat import ChatSetup, DefaultChat
from recollect.presets.shadow.awareness import Awareness, MemoryAwareness
from recollect.presets.shadow.config import ShadowMemorySystemConfig
from recollect.presets.shadow.context import ShadowContext
from recollect.presets.shadow.prompt import MemoryLine, format_memory_context, memory_line
from recollect.presets.shadow.system import ShadowMemorySystem
from recollect.protocols import TokenCounter
from recollect.text.context_type import ContextType
from recollect.text.quoting import noted, on_one_line
from recollect.types import SUMMARY_CHARACTERS, Kind, MemoryRecord, Recollection, Superseded

POTENTIALLY: Final = 3
"""Candidates that a prompt names as potentially relevant. Chosen by hand."""
NEAR: Final = 0.5
"""The share of the weakest activated score that such a candidate must have. Chosen by hand."""
LONGEST_SHARE: Final = 4
"""A memory longer than a fourth of the budget goes into a prompt as its summary."""
_LONGEST_TOKEN: Final = 5
"""Characters. Prose has fewer to a token: what is longer than that is too long, and is not counted."""
_READ_FIRST: Final = 20
"""Memories read for a prompt before it is known how long they are. Chosen by hand."""
_TOKENS_PER_LINE: Final = 25
"""A short turn with its score: of a small budget no more are read first than have room. Chosen by hand."""
_SHORTEST_LINE: Final = 9
"""One word with its score: a prompt has no more lines than have room if all are as short."""
_FEWEST: Final = 10
_SPARE: Final = 8
"""An eighth of those read is read more than seems to fit, so that two looks mostly do. Chosen by hand."""
_SEEN_FIRST: Final = 5_000
"""The best memories that are looked at: of 100,000 they are found in three quarters of the time of all.
All are when so many are activated; no more of them are read for a prompt."""

_CONFIG: Final = ShadowMemorySystemConfig()


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Aware(Recalled):
    """What a message activates.

    Attributes:
        compared: What memories were compared with.
        active: The activated memories.
        others: The best of the others.
        shown: The activated memories in the text.
        written: What is in the text whatever the message is.
    """

    compared: ShadowContext
    active: Awareness
    others: Awareness
    shown: Awareness
    written: WrittenCore

    @property
    def core(self) -> list[Recollection]:
        """See ``Recalled.core``."""
        return list(self.written.found)

    @property
    def activated_count(self) -> int:
        """How many memories reach the threshold, in the prompt or not."""
        return len(self.active)

    @property
    def average_score(self) -> float:
        """The mean score of the activated memories; 0 without any."""
        return float(self.active.scores.mean()) if len(self.active) else 0.0

    def activated(self, *, limit: int) -> list[Considered]:
        """See ``Recalled.activated``."""
        return [_considered(one) for one in self.active[:limit]]

    def candidates(self, *, limit: int) -> list[Considered]:
        """See ``Recalled.candidates``."""
        return [_considered(one) for one in self.others[:limit]]


class ShadowChat(DefaultChat):
    """Shadow Memory's parts of a chat.

    Args:
        setup: What the parts are made for.
        system: Shadow Memory over the setup's memory; made when None.
        config: Of the system that is made.
        count_tokens: Counts the tokens of a text; by default as the memory does.
        context_type: The kind of context that messages are, which chooses the threshold: the design's chat
            activates from 0.3 on. None finds it in the words of each message.

    Raises:
        InvalidInputError: The setup has a threshold or an agent.
    """

    name = "shadow"

    def __init__(
        self,
        setup: ChatSetup,
        *,
        system: ShadowMemorySystem | None = None,
        config: ShadowMemorySystemConfig = _CONFIG,
        count_tokens: TokenCounter | None = None,
        context_type: ContextType | None = "conversation",
    ) -> None:
        super().__init__(setup)
        setup.refuse(self.name, "threshold", "agent_id")
        self._given, self._config = system, config
        self._count = count_tokens or setup.memory.parts.count_tokens
        self._type = context_type

    @cached_property
    def _system(self) -> ShadowMemorySystem:
        if self._given is not None:
            return self._given
        config = replace(self._config, lifecycle=self._config.lifecycle or self.setup.lifecycle)
        return ShadowMemorySystem.over(self.setup.memory, user_id=self.setup.user_id, config=config)

    @property
    def policy(self) -> ArchivalPolicy:  # type: ignore[override]  # read-only in the protocol
        """That of the configuration."""
        return self._system.config.policy

    def fitting(self, message: str, *, repeated: Sequence[str]) -> Recalled:
        """What a message activates, but for the turns that its prompt repeats anyway."""
        context = self._system.build_context(message, type=self._type)
        wanted = self.setup.context.candidates + len(repeated)
        here = self.setup.context.project
        seen = self._system.get_all_candidate_memories(context, top_k=_SEEN_FIRST, project=here)
        if seen.is_short_of(wanted):
            seen = self._system.get_all_candidate_memories(context, project=here)
        activated = self._system.activated_in(seen).without(repeated)
        others = seen.rest(self.setup.context.candidates, without=repeated)
        core = self._core(message, repeated)
        return self._formatted(context, activated, others, core=core, total=seen.total)

    def learn(self, recalled: Recalled) -> None:
        """Count the memories in the prompt as used, each once a day, if the chat runs the lifecycle."""
        if isinstance(recalled, Aware) and self._system.config.lifecycle:
            self._system.track_access(recalled.shown)

    def feedback(self, memory_id: str, *, useful: bool, message: str) -> None:
        """Let the threshold of the kind of context that the chat scored the message with learn."""
        screened = self.setup.memory.maintenance.screen(message)
        context = self._system.build_context(screened.text, type=self._type)
        self._system.feedback(memory_id, useful=useful, context=context)

    def _core(self, message: str, repeated: Sequence[str]) -> WrittenCore:
        """What must be known whatever the message is."""
        return core_within(
            self.setup.core(message, repeated=repeated),
            budget_tokens=self.setup.context.budget_tokens,
            core_share=self.setup.context.core_share,
            count_tokens=self._count,
            excerpts=Excerpts(frozenset(), terms_of=str.split, count_tokens=self._count),
        )

    def _formatted(
        self,
        context: ShadowContext,
        activated: Awareness,
        others: Awareness,
        *,
        core: WrittenCore,
        total: int,
    ) -> Aware:
        """The core, the activated memories, which are read now, and the candidates that come near them."""
        fresh = activated.first(_SEEN_FIRST).without([hit.memory.id for hit in core.found])
        places, lines = self._read(fresh)
        chosen = fresh.chosen(places)
        sources = self._sources(chosen, context)
        least = NEAR * float(activated.scores.min(initial=1.0))
        near = [one for one in others[:POTENTIALLY] if one.summary and one.activation_score >= least]
        marks = self.setup.marks([*chosen.ids(), *(one.memory_id for one in near)], context.text)
        cited = [self._cited(line, sources.get(place)) for place, line in enumerate(lines)]
        made = format_memory_context(
            [self._noted(line, marks.get(one)) for one, line in zip(chosen.ids(), cited, strict=True)],
            [
                self._noted(self._line(one.activation_score, one.summary), marks.get(one.memory_id))
                for one in near
            ],
            budget_tokens=self.setup.context.budget_tokens,
            count_tokens=self._count,
            core=core.text,
        )
        shown = fresh.chosen([places[line] for line in made.activated])
        return Aware(
            text=made.text,
            tokens=made.tokens,
            budget_tokens=self.setup.context.budget_tokens,
            included=shown.unread(self._records, marks=marks),
            left_out=core.left_out,
            core_left_out=core.left_out_count,
            cited=tuple(sources[line].hit.memory.id for line in made.activated if line in sources),
            threshold=self._system.thresholds.threshold(context.type),
            total=total,
            context_type=context.type,
            sources=tuple(sources[line] for line in made.activated if line in sources),
            compared=context,
            active=activated,
            others=others,
            shown=shown,
            written=core,
        )

    def _sources(self, read: Awareness, context: ShadowContext) -> dict[int, Citation]:
        """The parts of documents among some memories, by their places there, numbered from 1."""
        ids = read.ids()
        parts = [one for one in self._records(ids, kind="document") if one.citation] if ids else []
        places = {one.id: ids.index(one.id) for one in parts}
        hits = [
            Recollection(memory=one, score=float(read.scores[places[one.id]]), signals={}, terms={})
            for one in sorted(parts, key=lambda one: places[one.id])
        ]
        analyser = self.setup.memory.parts.analyser
        cited = cite(hits, query_terms=analyser.query_stems(context.text), terms_of=analyser.stems)
        return {places[one.hit.memory.id]: one for one in cited}

    def _cited(self, line: MemoryLine, source: Citation | None) -> MemoryLine:
        """A line with the number and the title of its document."""
        if source is None:
            return line
        scored, _, words = line.text.partition("] ")
        text = f"{scored}] [{source.number}] {on_one_line(str(source.hit.memory.citation))}: {words}"
        return MemoryLine(text, self._count(text))

    def _noted(self, line: MemoryLine, mark: Superseded | None) -> MemoryLine:
        """A line that says until when the words of its memory held."""
        if mark is None:
            return line
        text = f"{noted(line.text.rstrip(), [str(mark)])}\n"
        return MemoryLine(text, self._count(text))

    def _read(self, active: Awareness) -> tuple[list[int], list[MemoryLine]]:
        """Lines of the first of some memories, each text once, and whose: as many as fill a prompt."""
        read: dict[str, tuple[int, MemoryLine]] = {}
        used, looked_at, budget = 0, 0, self.setup.context.budget_tokens
        most = max(budget // _SHORTEST_LINE, _FEWEST)
        wanted = min(_READ_FIRST, max(budget // _TOKENS_PER_LINE, _FEWEST))
        while wanted > 0 and looked_at < len(active):
            some = active.first(wanted + looked_at // _SPARE, after=looked_at)
            for place, (score, words) in enumerate(zip(some.scores.tolist(), self._words(some), strict=True)):
                if words is not None and words not in read:
                    read[words] = looked_at + place, self._line(score, words)
                    used += read[words][1].tokens
            looked_at += len(some)
            room = min(
                (budget - used) / max(used, 1),
                (most - len(read)) / max(len(read), 1),
            )
            wanted = int(room * looked_at)
        return [place for place, _ in read.values()], [line for _, line in read.values()]

    def _words(self, some: Awareness) -> Sequence[str | None]:
        """What a prompt says of memories, whole or in short; None of one that was deleted meanwhile."""
        longest = self.setup.context.budget_tokens // LONGEST_SHARE
        words = list(some.texts(whole_up_to=longest * _LONGEST_TOKEN))
        too_long = [place for place, text in enumerate(words) if text and self._is_longer(text, longest)]
        if too_long:
            for place, summary in zip(too_long, some.chosen(too_long).texts(whole_up_to=0), strict=True):
                words[place] = summary
        return words

    def _is_longer(self, text: str, tokens: int) -> bool:
        return len(text) > SUMMARY_CHARACTERS and self._count(text) > tokens

    def _records(self, ids: Sequence[str], *, kind: Kind | None = None) -> Sequence[MemoryRecord]:
        return self._system.memory.get_all(
            user_id=self._system.user_id,
            filters={"id": {"in": list(ids)}},
            kinds=None if kind is None else [kind],
        )

    def _line(self, score: float, words: str) -> MemoryLine:
        return memory_line(score, words, count_tokens=self._count)


def _considered(one: MemoryAwareness) -> Considered:
    return Considered(
        memory_id=one.memory_id,
        summary=one.summary,
        score=one.activation_score,
        activated=one.activated,
        reason=one.reason,
        signals=dict(one.signals),
        terms=dict(one.terms),
        confidence=one.confidence,
        relevance_type=one.relevance_type,
        threshold=one.threshold,
    )
