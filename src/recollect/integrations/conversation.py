"""What an agent framework needs of a memory: turns go in, context comes out."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from recollect import Memory
from recollect.types import AddResult, Recollection

SPEAKERS = frozenset({"user", "assistant"})
"""Whose words are remembered: not those of tools and of the system."""
BUDGET_TOKENS = 800
"""Tokens of a context beside a conversation, as at the start of a coding session. Chosen by hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DialogueTurn:
    """Something that was said.

    Attributes:
        key: The framework's own id of it, unique for the user: what is known already is not stored again.
    """

    role: str
    text: str
    key: str | None = None
    name: str | None = None
    timestamp: float | str | None = None

    def to_message(self) -> dict[str, object]:
        """As ``Memory.add`` takes it."""
        told = {
            "role": self.role,
            "content": self.text,
            "name": self.name,
            "timestamp": self.timestamp,
            "idempotency_key": self.key,
        }
        return {name: value for name, value in told.items() if value is not None}


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """A user's memory beside a conversation.

    Attributes:
        session_id: The conversation; its own words are not recalled, since the model has them before it.
        budget_tokens: The most tokens of a context.
    """

    memory: Memory
    user_id: str
    agent_id: str | None = None
    session_id: str | None = None
    budget_tokens: int = BUDGET_TOKENS

    def in_session(self, session_id: str) -> "Conversation":
        """The same user's memory beside another conversation."""
        return replace(self, session_id=session_id)

    def remember(self, turns: Iterable[DialogueTurn]) -> list[AddResult]:
        """Store what the user and the assistant said; blank words and known keys are left out."""
        said = [turn for turn in turns if turn.role in SPEAKERS and turn.text.strip()]
        known = self._known([turn.key for turn in said if turn.key is not None])
        new = [turn.to_message() for turn in said if turn.key not in known]
        if not new:
            return []
        return self.memory.add(new, user_id=self.user_id, agent_id=self.agent_id, session_id=self.session_id)

    def context(self, question: str) -> str:
        """What is known about a question, as text for a prompt; empty where nothing is or it is blank."""
        if not question.strip():
            return ""
        return self.memory.context(
            question,
            user_id=self.user_id,
            agent_id=self.agent_id,
            filters=self._elsewhere(),
            budget_tokens=self.budget_tokens,
        ).text

    def search(self, question: str, *, top_k: int) -> list[Recollection]:
        """The memories that answer a question, best first; none for a blank one."""
        if not question.strip():
            return []
        return self.memory.search(
            question, user_id=self.user_id, agent_id=self.agent_id, filters=self._elsewhere(), top_k=top_k
        )

    def forget(self, key: str) -> None:
        """Delete what was remembered under a framework's id, if anything was."""
        self.memory.delete_all(user_id=self.user_id, filters={"idempotency_key": {"in": [key]}})

    def _elsewhere(self) -> dict[str, object]:
        return {} if self.session_id is None else {"not": {"session_id": self.session_id}}

    def _known(self, keys: list[str]) -> set[str | None]:
        if not keys:
            return set()
        there = self.memory.get_all(user_id=self.user_id, filters={"idempotency_key": {"in": keys}})
        return {record.idempotency_key for record in there}
