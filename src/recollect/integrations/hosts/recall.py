"""What a coding session is given from memory, as data within a budget of tokens.

===========================================  ===================================================
memory                                       given
===========================================  ===================================================
said in this project                         in this project
said outside of any project                  everywhere
a fact about the person: name, home, work,   everywhere
people, health, preference, skill
how to answer or call the person             everywhere
another instruction, a plan, any other fact  in the projects where it was said
said in this very session, or given before   not again
===========================================  ===================================================
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from recollect.integrations.hosts.project_names import PERSONAL, seen_in
from recollect.memory.memory import Memory
from recollect.retrieval.question import Question
from recollect.retrieval.rank import DefaultScoring, Ranker, Ranking
from recollect.text.quoting import CLOSING, CUT, OPENING, on_one_line, reads_like_an_instruction
from recollect.types import MemoryRecord, Within
from recollect.types.filters import matches, parse_filter

SESSION_TOKENS: Final = 800
"""Budget at the start of a session. Chosen by hand."""
PROMPT_TOKENS: Final = 500
"""Budget for a prompt. Chosen by hand."""
PROMPT_THRESHOLD: Final = 0.22
"""Least score of what a prompt is given: of 16 prompts about 15 messages of coding, the best of what answers
scores 0.26 to 0.43, and the best of what does not at most 0.18. Chosen by hand."""
_PROMPT_CHARACTERS: Final = 2_000
"""Of a prompt that are looked for; of a longer one, the beginning and the end. Chosen by hand."""
_PERSONAL_PARTS: Final = frozenset({"health", "name", "home", "work", "people"})
"""Parts of the core that are about the person."""
_TASKS: Final = 5
"""Plans shown. Chosen by hand."""
_LINE: Final = 240
"""Characters of a line of the last conversation. Chosen by hand."""
_RECENT: Final = 1_000
"""Messages among which the last conversation is looked for. Chosen by hand."""


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
    def here(self) -> dict[str, object]:
        """The filter for what was said in the project or outside of any, and for facts, which name none."""
        return {"or": [{"project": self.project}, {"project": None}]}

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
    found = memory.context(
        query,
        user_id=whose.user_id,
        budget_tokens=PROMPT_TOKENS,
        threshold=PROMPT_THRESHOLD,
        filters={"and": [whose.before, seen_in(whose.project)]},
        within=Within(exclude_ids=whose.given),
        core_share=0,
    )
    return Briefing(text=found.text, ids=tuple(hit.memory.id for hit in found.included))


def for_session(memory: Memory, whose: Whose) -> Briefing:
    """What matters whatever is asked: the core, plans, and the last conversation of the project."""
    core = memory.context(
        whose.project,
        user_id=whose.user_id,
        budget_tokens=SESSION_TOKENS,
        threshold=1.0,
        filters=whose.here,
        within=Within(exclude_ids=(*whose.given, *_elsewhere(memory, whose))),
        core_share=1.0,
    )
    plans, last = _plans(memory, whose), _last_conversation(memory, whose)
    sections = [
        _section("Open in this project", plans),
        _section("Last conversation in this project", last),
    ]
    text = (core.text.rstrip().removesuffix(CLOSING) if core.text else OPENING) + "".join(sections) + CLOSING
    if not (core.text or plans or last):
        return NOTHING
    shown = [*(hit.memory for hit in core.included), *plans, *last]
    return Briefing(text=text, ids=tuple(record.id for record in shown))


def _elsewhere(memory: Memory, whose: Whose) -> list[str]:
    """The ids of facts in the core that belong to other projects."""
    core = memory.core(whose.project, user_id=whose.user_id, filters=whose.here)
    personal = parse_filter(PERSONAL)
    doubtful = [
        one.found.memory
        for one in core.memories
        if one.part not in _PERSONAL_PARTS
        and one.found.memory.kind == "fact"
        and not matches(personal, one.found.memory)
    ]
    belonging = {record.id for record in _of_project(memory, whose, doubtful)}
    return [record.id for record in doubtful if record.id not in belonging]


def _of_project(memory: Memory, whose: Whose, facts: Iterable[MemoryRecord]) -> list[MemoryRecord]:
    """The facts that were said in the project, or outside of any; some were said elsewhere, too."""
    facts = list(facts)
    ids = sorted({source for fact in facts for source in fact.origin.sources})
    scope = memory.parts.scope(whose.user_id)
    sources = {one.id: one for one in memory.parts.store.get(scope, ids) if one is not None}
    return [
        fact
        for fact in facts
        if not fact.origin.sources
        or any(
            sources[one].metadata.get("project") in (None, whose.project)
            for one in fact.origin.sources
            if one in sources
        )
    ]


def _plans(memory: Memory, whose: Whose) -> list[MemoryRecord]:
    """The latest plans of the project that are not over."""
    now = memory.parts.clock()
    facts = memory.get_all(
        user_id=whose.user_id,
        kinds=["fact"],
        filters={"category": "plan"},
        within=Within(as_of=now, exclude_ids=whose.given),
        limit=_RECENT,
        newest_first=True,
    )
    return _harmless(_of_project(memory, whose, facts))[:_TASKS]


def _last_conversation(memory: Memory, whose: Whose) -> list[MemoryRecord]:
    """Three messages of the last conversation: the first and last that the user said, and the last answer."""
    found = memory.get_all(
        user_id=whose.user_id,
        kinds=["message"],
        filters={"project": whose.project, **whose.before},
        limit=_RECENT,
        newest_first=True,
    )
    if not found:
        return []
    said = sorted(found, key=lambda one: (one.times.happened_at, one.id))
    said = [one for one in said if one.scope.session_id == said[-1].scope.session_id]
    asked = [one for one in said if one.origin.role == "user"]
    answered = [one for one in said if one.origin.role == "assistant"]
    three = _harmless((*asked[:1], *asked[-1:], *answered[-1:]))
    new = {one.id: one for one in three if one.id not in whose.given}
    return list(new.values())


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
