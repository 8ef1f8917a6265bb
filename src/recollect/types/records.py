"""What is kept: memories with their times, worth and origin, their history, links and jobs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final, Literal, TypeAlias, get_args

from recollect.types.characters import one_line
from recollect.types.guesses import Result
from recollect.types.labels import MemoryLabels

JSON: TypeAlias = "bool | int | float | str | Sequence[JSON] | Mapping[str, JSON] | None"
"""Any value that JSON can hold."""

Kind = Literal["message", "episode", "fact", "procedure", "document", "thought", "task"]
"""What a memory is."""
KINDS: tuple[Kind, ...] = get_args(Kind)

Tier = Literal["working", "short-term", "long-term", "archived"]
"""Where a memory stands in its life."""
TIERS: tuple[Tier, ...] = get_args(Tier)
TIER: Final[Tier] = "long-term"
"""That of a memory of which nobody says more."""

HowUsed = Literal["helped", "shown", "reinforced"]
"""What use was made of a memory; see ``Memory.use``."""

ChangeAction = Literal["add", "update", "delete", "feedback", "use", "reinforce", "recover"]
"""What an entry of the change log records."""

Priority = Literal["low", "medium", "high"]
"""How pressing something is."""
PRIORITIES: tuple[Priority, ...] = get_args(Priority)
SUMMARY_CHARACTERS: Final = 200
"""The most a summary has: about fifty tokens, two or three sentences. Chosen by hand."""
_UNLABELLED: Final = MemoryLabels()
_ID_SHOWN: Final = 13
"""Characters of an id in a ``repr``: those of a UUIDv7 that tell milliseconds apart."""
WORDS_SHOWN: Final = 50
"""Characters of a text in a ``repr``, so that it has about 100. Chosen by hand."""


def _iso(moment: datetime | None) -> str | None:
    return None if moment is None else moment.astimezone(UTC).isoformat()


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Whose memories are meant. Every store method takes one and never looks outside it.

    Attributes:
        user_id: The person or tenant; required, never blank.
        agent_id: Only memories of this agent, when given.
        session_id: Only memories of this session, when given.
    """

    user_id: str
    agent_id: str | None = None
    session_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Worth:
    """How much a memory matters and how sure it is.

    Attributes:
        importance: 0 to 1, as of ``Times.accessed_at`` or else ``created_at``; what is left of it later
            is a function of time, see ``recollect.lifecycle.use``.
        confidence: 0 to 1.
        priority: How pressing its words are; None when they do not say.
        critical: It never fades.
        factors: What each factor added to an importance that was worked out from the words; empty
            when the importance was given.
    """

    importance: float = 0.5
    confidence: float = 1.0
    priority: Priority | None = None
    critical: bool = False
    factors: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Times:
    """When things were so.

    Attributes:
        created_at: When it was stored here.
        happened_at: When it was said or took place; equals ``created_at`` unless given.
        updated_at: When it last changed here.
        valid_from: Since when it holds; None means since ``happened_at``.
        valid_until: Until when it holds (exclusive); None means it still does.
        accessed_at: When it was last used, reinforced or given an importance: it fades from here.
    """

    created_at: datetime
    happened_at: datetime
    updated_at: datetime
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    accessed_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reinforcement:
    """A time at which a memory was called valuable, with the reason that the caller gave."""

    at: datetime
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """How a memory has been used.

    Attributes:
        access_count: How often a preset counted it as retrieved.
        usage_count: How often it helped to answer (``track_usage``).
        reinforced_count: How often it was reinforced.
        reinforcements: The latest of those, oldest first; all of them stand in its history.
        useful_count: How often feedback called it useful.
        unhelpful_count: How often feedback called it unhelpful.
        decay_factor: A preset's multiplier, as of ``Times.accessed_at``, else ``created_at``; 1 is untouched.
    """

    access_count: int = 0
    usage_count: int = 0
    reinforced_count: int = 0
    reinforcements: tuple[Reinforcement, ...] = ()
    useful_count: int = 0
    unhelpful_count: int = 0
    decay_factor: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where a memory comes from.

    Attributes:
        speaker: The name of who said it.
        role: ``user``, ``assistant``, ``system``, ``tool`` or what the caller uses.
        thread: The conversation it stands in: equal for memories that are neighbours in time of
            one session, or of one ``add`` call without a session.
        turn: Its place in the thread, from 0.
        sources: Ids of the memories it was derived from.
        extractor: What derived it.
        prompt_id: The prompt that derived it.
    """

    speaker: str | None = None
    role: str = "user"
    thread: str = ""
    turn: int = 0
    sources: tuple[str, ...] = ()
    extractor: str | None = None
    prompt_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class MemoryRecord(Result):
    """One memory. Its ``repr`` is one line; ``to_dict`` gives what most programs need of it.

    Attributes:
        content: The words.
        created_at: When it was stored: ``times.created_at``.
    """

    id: str
    scope: Scope
    content: str
    times: Times
    kind: Kind = "message"
    tier: Tier = TIER
    summary: str | None = None
    labels: MemoryLabels = _UNLABELLED
    worth: Worth = Worth()
    use: Use = Use()
    origin: Origin = Origin()
    metadata: Mapping[str, JSON] = field(default_factory=dict)
    idempotency_key: str | None = None

    def __repr__(self) -> str:
        return f"<{self.kind} {line_of(self)}>"

    @property
    def created_at(self) -> datetime:
        """When it was stored."""
        return self.times.created_at

    def to_dict(self) -> dict[str, JSON]:
        """The memory in short, ready for JSON; the keys are always the same.

        Returns:
            ``id``, ``content``, ``kind``, ``role``, ``speaker``, ``happened_at``, ``created_at``,
            ``valid_until``, ``category``, ``tags``, ``importance``, ``confidence``, ``metadata``,
            ``user_id``, ``agent_id``, ``session_id``. Times are ISO 8601 UTC; what is unknown is None.
        """
        return {
            "id": self.id,
            "content": self.content,
            "kind": self.kind,
            "role": self.origin.role,
            "speaker": self.origin.speaker,
            "happened_at": _iso(self.times.happened_at),
            "created_at": _iso(self.times.created_at),
            "valid_until": _iso(self.times.valid_until),
            "category": self.labels.category,
            "tags": [tag.text for tag in self.labels.tags],
            "importance": self.worth.importance,
            "confidence": self.worth.confidence,
            "metadata": dict(self.metadata),
            "user_id": self.scope.user_id,
            "agent_id": self.scope.agent_id,
            "session_id": self.scope.session_id,
        }

    @property
    def citation(self) -> str | None:
        """Where a part of a document stands: its title and page; None of other memories."""
        title, page = self.metadata.get("title"), self.metadata.get("page")
        if self.kind != "document" or not isinstance(title, str):
            return None
        return title if page is None else f"{title}, page {page}"

    def brief(self, *, whole_up_to: int = 0) -> str:
        """What it says in short, see ``Store.summaries``."""
        if len(self.content) <= whole_up_to:
            return self.content
        return self.content[:SUMMARY_CHARACTERS] if self.summary is None else self.summary


def line_of(record: MemoryRecord) -> str:
    """A memory in one line, as it stands in a ``repr``."""
    who = one_line(record.origin.speaker or record.origin.role, most=20)
    said = one_line(record.content, most=WORDS_SHOWN)
    return f"{record.id[:_ID_SHOWN]} {record.times.happened_at:%Y-%m-%d} {who}: {said}"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Change(Result):
    """One entry of a memory's history.

    Attributes:
        at: When it was changed.
        action: What was done.
        before: The fields that changed, as they were (empty for an ``add``).
        after: The same fields as they became.
        reason: What the caller gave as reason.
    """

    at: datetime
    action: ChangeAction
    memory_id: str
    before: Mapping[str, JSON] = field(default_factory=dict)
    after: Mapping[str, JSON] = field(default_factory=dict)
    reason: str | None = None

    def __repr__(self) -> str:
        what = one_line(", ".join(self.after), most=WORDS_SHOWN)
        why = f" ({one_line(self.reason, most=WORDS_SHOWN)})" if self.reason else ""
        return f"<Change {self.at:%Y-%m-%d %H:%M} {self.action} {what}{why}>"

    def to_dict(self) -> dict[str, JSON]:
        """``at``, ``action`` and ``reason``."""
        return {"at": _iso(self.at), "action": self.action, "reason": self.reason}


def reason_of(what: str, why: str | None) -> str:
    """The reason of a change in a history: what was done and, if somebody said so, why.

    >>> reason_of("a person decided", None), reason_of("a person decided", "typo")
    ('a person decided', 'a person decided: typo')
    """
    return what if why is None else f"{what}: {why}"


LinkType = Literal["derived-from", "supersedes", "contradicts", "related"]
"""What one memory is to another."""
LINK_TYPES: tuple[LinkType, ...] = get_args(LinkType)


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A directed link between two memories of one user."""

    source_id: str
    target_id: str
    type: LinkType


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """Work to be done later, queued in the transaction of the words it is about.

    Attributes:
        id: Set by the store.
        task: What to do.
        scope: Whose memories it is about.
        payload: What the task needs.
        delay_s: Seconds until it is due. Not stored: 0 in a job that a store returns.
        once: Whether one waiting job with this task and scope is enough: the one due first is kept, else the
            older one. Not stored.
        attempts: How often it was claimed.
        error: The error of the last attempt.
    """

    task: str
    scope: Scope
    payload: Mapping[str, JSON] = field(default_factory=dict)
    delay_s: float = 0.0
    once: bool = False
    id: int = 0
    attempts: int = 0
    error: str | None = None
