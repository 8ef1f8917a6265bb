"""What a coding session is given from memory, as data within a budget of tokens.

``recollect.memory.projects`` says what may be seen in a project. A session gets no memory twice, and never
its own words, nor what was learned from them alone.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from recollect.context.compose import compose
from recollect.context.core import TOKENS_PER_LINE
from recollect.learning.personal import is_personal
from recollect.memory.memory import Memory
from recollect.retrieval.question import Question
from recollect.retrieval.rank import DefaultScoring, Ranker, Ranking
from recollect.text.quoting import CLOSING, CUT, OPENING, on_one_line, reads_like_an_instruction
from recollect.types import Context, MemoryRecord, Recollection, Within
from recollect.types.filters import AllOf, by_ids, parse_filter

SESSION_TOKENS: Final = 800
"""Budget at the start of a session. Chosen by hand."""
PROMPT_TOKENS: Final = 500
"""Budget for a prompt. Chosen by hand."""
PROMPT_THRESHOLD: Final = 0.2
LEAST_MEANING: Final = 0.45
"""Least score of what a prompt is given, and how near in meaning the nearest of it is at least: "run the
tests" shares words with much. Of 46 prompts of coding that nothing in 38 messages fits, none is given any
(5 are with 0.22 alone); of 36 that something fits, 30 are (29). 32 of these were written after the choice."""
FACT_SCORE: Final = 0.3
"""Score from which a fact fits, however near: "which editor do I use?", "User uses Neovim." By hand."""
_PROMPT_CHARACTERS: Final = 2_000
"""Of a prompt that are looked for; of a longer one, the beginning and the end. Chosen by hand."""
_TASKS, _TASTES = 5, 8
"""Plans and tastes shown. Chosen by hand."""
_LINE: Final = 240
"""Characters of a line of the last conversation. Chosen by hand."""
_RECENT: Final = 1_000
"""Facts among which tastes and plans are looked for. Chosen by hand."""
_NOWHERE: Final = (1.0,)
"""The direction of no question: nothing is near to it. To read the model that finds one takes 70 ms."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Whose:
    """For whom and where something is recalled.

    Attributes:
        user_id: The user.
        project: The project, as ``project_of`` names it.
        session_id: The conversation that goes on.
        given: Ids of memories it was given before.
    """

    user_id: str
    project: str
    session_id: str
    given: tuple[str, ...] = ()

    @property
    def before(self) -> dict[str, object]:
        """The filter for what was said before this conversation."""
        return {"session_id": {"ne": self.session_id}}


@dataclass(frozen=True, slots=True, kw_only=True)
class Briefing:
    """Text for a model, and the ids of what is in it."""

    text: str = ""
    ids: tuple[str, ...] = ()


class BothRoles(DefaultScoring):
    """The usual score, but an assistant's words count as much as the user's.

    Usually they count half, since users are asked about themselves; what was done in a project, and why, is
    mostly said by the assistant.
    """

    def rank(
        self,
        ranker: Ranker,
        question: Question,
        mask: NDArray[np.bool_],
        *,
        limit: int,
        also: int | None = None,
    ) -> Ranking:
        """See ``Scoring``."""
        both = replace(question, wish=replace(question.wish, assistant=True))
        return super().rank(ranker, both, mask, limit=limit, also=also)


NOTHING: Final = Briefing()


def for_prompt(memory: Memory, whose: Whose, prompt: str) -> Briefing:
    """The few memories that fit a prompt; nothing where none does."""
    query = _query_of(prompt)
    if not memory.parts.analyser.query_stems(query):
        return NOTHING
    known = (*whose.given, *_own(memory, whose))
    found = _fitting(memory, whose, query, but=known)
    if idle := _idle(memory, query, found.included):
        found = _fitting(memory, whose, query, but=(*known, *idle))
    return Briefing(text=found.text, ids=tuple(hit.memory.id for hit in found.included))


def _fitting(memory: Memory, whose: Whose, query: str, *, but: Sequence[str]) -> Context:
    """What fits a prompt, as text; without text where that is nothing."""
    found = memory.context(
        query,
        user_id=whose.user_id,
        budget_tokens=PROMPT_TOKENS,
        threshold=PROMPT_THRESHOLD,
        filters=whose.before,
        within=Within(project=whose.project, exclude_ids=but),
        core_share=0,
    )
    return found if any(map(_is_near, found.included)) else replace(found, text="", included=())


def _is_near(hit: Recollection) -> bool:
    """Whether a memory is near in meaning, or a fact, which has few words, shares most of them."""
    if hit.memory.kind == "fact" and hit.score >= FACT_SCORE:
        return True
    return hit.signals.get("meaning", 1.0) >= LEAST_MEANING


def _idle(memory: Memory, query: str, found: Sequence[Recollection]) -> list[str]:
    """The ids of what says nothing that the prompt does not say, such as the same order of last week."""
    stems = memory.parts.analyser.stems
    said = set(stems(query))
    return [hit.memory.id for hit in found if said.issuperset(stems(hit.memory.content))]


def for_session(memory: Memory, whose: Whose) -> Briefing:
    """What matters whatever is asked: the core, plans, and the last conversation of the project."""
    core = _core(memory, whose)
    tastes, plans, last = _tastes(memory, whose), _plans(memory, whose), _last_conversation(memory, whose)
    sections = [
        _section("What the user likes and uses", tastes),
        _section("Open in this project", plans),
        _section("Last conversation in this project", last),
    ]
    text = (core.text.rstrip().removesuffix(CLOSING) if core.text else OPENING) + "".join(sections) + CLOSING
    if not (core.text or tastes or plans or last):
        return NOTHING
    shown = [*(hit.memory for hit in core.included), *tastes, *plans, *last]
    return Briefing(text=text, ids=tuple(record.id for record in shown))


def _core(memory: Memory, whose: Whose) -> Context:
    """The core as text. Nothing is searched for: who opens a session has asked for nothing yet."""
    found = memory.core(
        whose.project,
        user_id=whose.user_id,
        within=Within(project=whose.project, exclude_ids=whose.given),
        embedding=_NOWHERE,
        limit=SESSION_TOKENS // TOKENS_PER_LINE,
    )
    return compose(
        (),
        budget_tokens=SESSION_TOKENS,
        count_tokens=memory.parts.count_tokens,
        timezone=memory.parts.timezone,
        core=found,
        core_share=1.0,
    )


def _own(memory: Memory, whose: Whose) -> list[str]:
    """The ids of what was learned from this conversation alone, which is no older than its first words."""
    said = memory.get_all(user_id=whose.user_id, session_id=whose.session_id, kinds=["message"])
    if not said:
        return []
    since, ids = min(one.created_at for one in said), {one.id for one in said}
    learned = memory.get_all(
        user_id=whose.user_id, kinds=["fact", "episode"], filters={"created_at": {"gte": since}}
    )
    return [one.id for one in learned if one.origin.sources and ids.issuperset(one.origin.sources)]


def _tastes(memory: Memory, whose: Whose) -> list[MemoryRecord]:
    """The latest tastes and tools of the user that were told in a project: no words lead to them.

    "What package manager do I prefer?" shares no word with "User prefers uv."
    """
    facts = memory.get_all(
        user_id=whose.user_id,
        kinds=["fact"],
        filters={"category": {"in": ["preference", "knowledge"]}},
        within=Within(project=whose.project, as_of=memory.parts.clock(), exclude_ids=whose.given),
        limit=_RECENT,
        newest_first=True,
    )
    own = [one for one in facts if is_personal(one)]
    said = {turn for one in own for turn in one.origin.sources}
    told_there = AllOf((by_ids(sorted(said)), parse_filter({"project": {"ne": None}})))
    turns = memory.parts.store.moments(memory.parts.scope(whose.user_id), told_there)
    working = {one.memory_id for one in turns}
    return _harmless(one for one in own if not working.isdisjoint(one.origin.sources))[:_TASTES]


def _plans(memory: Memory, whose: Whose) -> list[MemoryRecord]:
    """The latest plans of the project that are not over."""
    now = memory.parts.clock()
    facts = memory.get_all(
        user_id=whose.user_id,
        kinds=["fact"],
        filters={"category": "plan"},
        within=Within(project=whose.project, as_of=now, exclude_ids=whose.given),
        limit=_RECENT,
        newest_first=True,
    )
    return _harmless(facts)[:_TASKS]


def _last_conversation(memory: Memory, whose: Whose) -> list[MemoryRecord]:
    """Three messages of the last conversation: the first and last that the user said, and the last answer."""
    user, here = memory.parts.scope(whose.user_id), {"project": whose.project, **whose.before}
    moments = memory.parts.store.moments(user, parse_filter({"kind": "message", **here}))
    if not moments:
        return []
    (last,) = memory.parts.store.get(user, [max(moments).memory_id])
    found = [] if last is None else _said_with(memory, last, here)
    said = sorted(found, key=lambda one: (one.times.happened_at, one.id))
    asked = [one for one in said if one.origin.role == "user"]
    answered = [one for one in said if one.origin.role == "assistant"]
    three = _harmless((*asked[:1], *asked[-1:], *answered[-1:]))
    new = {one.id: one for one in three if one.id not in whose.given}
    return list(new.values())


def _said_with(memory: Memory, one: MemoryRecord, here: Mapping[str, object]) -> list[MemoryRecord]:
    """The messages of a conversation that one message of it is known of."""
    scope = one.scope
    return memory.get_all(
        user_id=scope.user_id, session_id=scope.session_id, kinds=["message"], filters=dict(here)
    )


def _section(title: str, records: Sequence[MemoryRecord]) -> str:
    """Records in one line each, below a title; nothing without records."""
    return "\n".join([f"[{title}]", *map(_line, records), ""]) if records else ""


def _harmless(records: Iterable[MemoryRecord]) -> list[MemoryRecord]:
    """Those that do not read like an attempt to take a model over."""
    return [one for one in records if not reads_like_an_instruction(one.content)]


def _line(record: MemoryRecord) -> str:
    words = on_one_line(record.content)
    short = words if len(words) <= _LINE else f"{words[:_LINE].rstrip()}{CUT}"
    who = "" if record.kind == "fact" else f"{record.origin.role}: "
    return f"- {record.times.happened_at:%Y-%m-%d} {who}{short}"


def _query_of(prompt: str) -> str:
    half = _PROMPT_CHARACTERS // 2
    return prompt if len(prompt) <= _PROMPT_CHARACTERS else f"{prompt[:half]}\n{prompt[-half:]}"
