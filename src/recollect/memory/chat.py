"""The parts of a chat that a preset may replace: how it recalls, writes its prompt, and learns."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime
from typing import Final, Protocol, TypeAlias

from recollect.checks import (
    CONTEXT_THRESHOLD,
    CORE_SHARE,
    MAX_TOP_K,
    check_count,
    check_name,
    check_share,
    if_given,
)
from recollect.context.compose import compose
from recollect.context.core import NO_CORE, TOKENS_PER_LINE
from recollect.documents.citing import Citation, cite
from recollect.errors import InvalidInputError, RecollectError
from recollect.lifecycle.archival import DEFAULT_POLICY, ArchivalPolicy
from recollect.memory.answering import context_if_asked, marked, marks_of, reckoned_of, with_reckoned
from recollect.memory.answers import Recalled
from recollect.memory.memory import Memory
from recollect.models.prompts.chat import INSTRUCTIONS, chat_system
from recollect.retrieval.request import Request, read_request
from recollect.types import Context, Core, Recollection, Superseded, Within

__all__ = ["ChatParts", "ChatSetup", "ContextOptions", "DefaultChat", "Preset"]

_MOST_CORE: Final = 1_000
"""Memories of each part of the core that are read at most. Chosen by hand."""
_LOG: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextOptions:
    """How much of a prompt memories may take, and which.

    Attributes:
        budget_tokens: The most tokens that memories may take in a prompt.
        threshold: The least score, 0 to 1, of a memory that goes into a prompt; None leaves it to the preset.
        core_share: The part of the budget for what must be known whatever is said, see ``Memory.context``.
        candidates: How many memories that did not go into the prompt an answer names, at most.
        project: Only what may be seen in this project, see ``Within``; what is said belongs to it.

    Raises:
        InvalidInputError: A value cannot be used.
    """

    budget_tokens: int = 1_500
    threshold: float | None = None
    core_share: float = CORE_SHARE
    candidates: int = 20
    project: str | None = None

    def __post_init__(self) -> None:
        check_count("budget_tokens", self.budget_tokens, most=10_000_000)
        if_given(check_share, "threshold", self.threshold)
        check_share("core_share", self.core_share)
        check_count("candidates", self.candidates, most=MAX_TOP_K)
        if_given(check_name, "project", self.project)


CONTEXT: Final = ContextOptions()


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatSetup:
    """What a preset's parts are made for.

    Attributes:
        agent_id: Only this agent's memories; None for all of the user's.
        context: The size of the memories' part of a prompt.
        instructions: Who the model is and how it shall answer.
        lifecycle: Whether what goes into a prompt counts as used.
    """

    memory: Memory
    user_id: str
    session_id: str
    agent_id: str | None = None
    context: ContextOptions = CONTEXT
    instructions: str = INSTRUCTIONS
    lifecycle: bool = False

    def within(self, repeated: Sequence[str]) -> Within:
        """Where to look, without what the prompt repeats anyway."""
        return Within(exclude_ids=repeated, project=self.context.project)

    def core(self, message: str, *, repeated: Sequence[str]) -> Core:
        """The core, within its share of the budget."""
        share = int(self.context.budget_tokens * self.context.core_share)
        if not share:
            return NO_CORE
        return self.memory.core(
            message,
            user_id=self.user_id,
            agent_id=self.agent_id,
            within=self.within(repeated),
            limit=min(max(share // TOKENS_PER_LINE, 1), _MOST_CORE),
        )

    def marks(self, ids: Sequence[str], message: str) -> dict[str, Superseded]:
        """By their ids the marks of those memories whose words are outdated."""
        parts = self.memory.parts
        scope = parts.scope(self.user_id, self.agent_id)
        return marks_of(parts, scope, ids, message, within=self.within(()))

    def composed(self, hits: Sequence[Recollection], message: str, *, repeated: Sequence[str]) -> Context:
        """The context of some hits, after the core; those that the prompt repeats anyway are left out."""
        parts = self.memory.parts
        scope = parts.scope(self.user_id, self.agent_id)
        fresh = [hit for hit in hits if hit.memory.id not in set(repeated)]
        return compose(
            marked(parts, scope, fresh, message, within=self.within(())),
            budget_tokens=self.context.budget_tokens,
            count_tokens=parts.count_tokens,
            query_terms=parts.analyser.query_stems(message),
            terms_of=parts.analyser.stems,
            timezone=parts.timezone,
            core=self.core(message, repeated=repeated),
            core_share=self.context.core_share,
            collapse=False,
        )

    def asked(self, message: str, *, repeated: Sequence[str]) -> Recalled | None:
        """What memory says of itself and what else fits; None where the message asks for nothing of the kind.

        It is the same with every preset: their formulas rank memories, and this asks for what is known.
        """
        parts = self.memory.parts
        scope = parts.scope(self.user_id, self.agent_id)
        found = context_if_asked(
            parts,
            scope,
            self._request(message, repeated=repeated),
            budget_tokens=self.context.budget_tokens,
            core_share=self.context.core_share,
            session_id=self.session_id,
        )
        if found is None:
            return None
        made, answer = found
        return replace(self.recalled(made, message, threshold=None), answer=answer.text)

    def reckoned(self, recalled: Recalled, message: str, *, repeated: Sequence[str]) -> Recalled:
        """What was recalled for a message, with what was reckoned where it asks for a time."""
        parts = self.memory.parts
        request, most = self._request(message, repeated=repeated), self.context.budget_tokens
        scope = parts.scope(self.user_id, self.agent_id)
        answer = reckoned_of(parts, scope, request, budget_tokens=most)
        if answer is None or not answer.text:
            return recalled
        begun = with_reckoned(parts, recalled, answer)
        return replace(recalled if begun is None or begun.tokens > most else begun, answer=answer.text)

    def _request(self, message: str, *, repeated: Sequence[str]) -> Request:
        parts = self.memory.parts
        return read_request(
            message,
            now=parts.clock(),
            seen=parts.projects.seen_by(parts.scope(self.user_id, self.agent_id)),
            threshold=CONTEXT_THRESHOLD,
            within=self.within(repeated),
        )

    def recalled(self, made: Context, message: str, *, threshold: float | None) -> Recalled:
        """A context with its sources, and how many memories there were."""
        return Recalled(
            **{one.name: getattr(made, one.name) for one in fields(Context)},
            threshold=threshold,
            total=self.total(),
            sources=self.cited(made, message),
        )

    def total(self) -> int:
        """How many memories there are to recall."""
        parts = self.memory.parts
        return parts.store.count(parts.scope(self.user_id, self.agent_id))

    def cited(self, made: Context, message: str) -> tuple[Citation, ...]:
        """The documents in a context, by their numbers in its text."""
        by_id = {hit.memory.id: hit for hit in made.included}
        analyser = self.memory.parts.analyser
        hits = [by_id[one] for one in made.cited]
        return tuple(cite(hits, query_terms=analyser.query_stems(message), terms_of=analyser.stems))

    def count_shown(self, recalled: Context) -> None:
        """Count the memories of a context as used, each once a day, if the chat runs the lifecycle.

        The answer is there already: a failure is only logged.
        """
        ids = [hit.memory.id for hit in recalled.included]
        try:
            if ids and self.lifecycle:
                self.memory.use(ids, user_id=self.user_id, how="shown")
        except RecollectError as error:
            _LOG.warning("the use of memories was not counted: %s", error)

    def refuse(self, preset: str, *names: str) -> None:
        """Refuse settings that a preset has no use for."""
        given = {
            "threshold": self.context.threshold,
            "agent_id": self.agent_id,
        }
        for name in names:
            if given[name] is not None:
                why = "has its own thresholds" if name == "threshold" else "uses all of a user's memories"
                raise InvalidInputError(f"the preset {preset!r} {why}: leave {name} out")


class ChatParts(Protocol):
    """How an agent recalls, writes its prompt and learns."""

    @property
    def name(self) -> str: ...  # noqa: D102 - see Attributes

    @property
    def policy(self) -> ArchivalPolicy: ...  # noqa: D102

    def recall(self, message: str, *, repeated: Sequence[str]) -> Recalled:
        """Recall what fits a message.

        Args:
            message: The message, with secrets masked; it is not stored yet.
            repeated: Ids of memories that the prompt repeats as turns anyway.
        """

    def compose(self, recalled: Recalled, *, now: datetime) -> str:
        """Write the system message.

        Args:
            recalled: What ``recall`` returned.
            now: When the message was said.
        """

    def learn(self, recalled: Recalled) -> None:
        """Learn from a turn, once it is answered and stored: count what was used."""

    def feedback(self, memory_id: str, *, useful: bool, message: str) -> None:
        """Learn whether a memory helped with a message.

        Raises:
            NotFoundError: There is no memory with this id.
        """


Preset: TypeAlias = Callable[[ChatSetup], ChatParts]
"""Makes the parts of one chat."""


class DefaultChat:
    """Recollect's own way: what ``Memory.context`` finds, with the core before it.

    A preset that inherits it replaces ``fitting``: questions about the memory are answered before.
    """

    name: str = "default"
    policy: ArchivalPolicy = DEFAULT_POLICY

    def __init__(self, setup: ChatSetup) -> None:
        self.setup: Final = setup

    def recall(self, message: str, *, repeated: Sequence[str]) -> Recalled:
        """See ``ChatParts.recall``."""
        asked = self.setup.asked(message, repeated=repeated)
        if asked is not None:
            return asked
        return self.setup.reckoned(self.fitting(message, repeated=repeated), message, repeated=repeated)

    def fitting(self, message: str, *, repeated: Sequence[str]) -> Recalled:
        """What fits a message that asks for nothing about the memory itself."""
        setup, given = self.setup, self.setup.context
        threshold = CONTEXT_THRESHOLD if given.threshold is None else given.threshold
        made = setup.memory.context(
            message,
            user_id=setup.user_id,
            agent_id=setup.agent_id,
            budget_tokens=given.budget_tokens,
            threshold=threshold,
            core_share=given.core_share,
            within=setup.within(repeated),
        )
        return setup.recalled(made, message, threshold=threshold)

    def compose(self, recalled: Recalled, *, now: datetime) -> str:
        """See ``ChatParts.compose``."""
        return chat_system(
            instructions=self.setup.instructions,
            memories=recalled.text,
            now=now,
            cites=bool(recalled.sources),
        )

    def learn(self, recalled: Recalled) -> None:
        """Nothing: what is said is learned from the stored messages."""

    def feedback(self, memory_id: str, *, useful: bool, message: str) -> None:  # noqa: ARG002
        """See ``ChatParts.feedback``: a useful memory ranks higher from now on, another one lower."""
        self.setup.memory.use(memory_id, user_id=self.setup.user_id, useful=useful)
