"""Request bodies. Unknown fields are refused: a misspelt one would be silently ignored.

So is what is of another type: the text "no" is no false, and true is no point in time.
"""

from typing import Annotated, Any, Final

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from recollect.checks import CONTEXT_THRESHOLD, CORE_SHARE, MAX_ID_CHARS, MAX_NAME_CHARS, MAX_TOP_K
from recollect.types import Kind, Labels, LinkType, Priority, Tier, Within

MAX_QUERY: Final = 16_384
"""Characters of a question over HTTP; more is a document. Chosen by hand."""
MAX_ITEMS: Final = 1_000
"""Items in one request. Chosen by hand."""

Id = Annotated[str, Field(min_length=1, max_length=MAX_ID_CHARS)]
Query = Annotated[str, Field(min_length=1, max_length=MAX_QUERY, examples=["which language for my project?"])]
Reason = Annotated[str | None, Field(default=None, max_length=10_000, description="Why, for the history.")]
Moment = Annotated[
    str | float | None,
    Field(
        default=None, description="ISO 8601 text or seconds since 1970.", examples=["2026-05-01T10:00:00Z"]
    ),
]
Project = Annotated[
    str | None,
    Field(
        min_length=1,
        max_length=MAX_NAME_CHARS,
        description="Only what may be seen in this project of coding agents.",
        examples=["github.com/acme/app"],
    ),
]
Share = Annotated[float, Field(ge=0, le=1)]
MAX_CONDITIONS: Final = 1_000
"""Conditions of a filter. Chosen by hand: they take 20 ms; 5,000 took 100, in which others had to wait."""


def _few_conditions(filters: dict[str, Any] | None) -> dict[str, Any] | None:
    """Return the filter; refuse too many conditions (a list of values counts as one)."""
    todo, found = [filters or {}], 0
    while todo:
        for key, value in todo.pop().items():
            if isinstance(value, list) and key in ("and", "or"):
                todo += [part for part in value if isinstance(part, dict)]
            elif isinstance(value, dict) and key == "not":
                todo.append(value)
            else:
                found += len(value) if isinstance(value, dict) else 1
    if found > MAX_CONDITIONS:
        raise ValueError(f"a filter may have {MAX_CONDITIONS:,} conditions; list values with 'in'")
    return filters


Filters = Annotated[
    dict[str, Any] | None,
    AfterValidator(_few_conditions),
    Field(
        default=None,
        description=f"Only what matches; {MAX_CONDITIONS:,} conditions at most.",
        examples=[{"kind": "fact"}],
    ),
]


class RequestBody(BaseModel):
    """The base of all requests."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Owned(RequestBody):
    """A request about the memories of a user."""

    user_id: Id | None = Field(
        default=None,
        description="The user; by default that of the key. A key for any user has none.",
        examples=["ada"],
    )


class Scoped(Owned):
    """A request about the memories of a user, optionally of one agent or session."""

    agent_id: Id | None = None
    session_id: Id | None = None


class MessageIn(RequestBody):
    """A message to store."""

    content: str = Field(examples=["I prefer Python for data analysis"])
    role: str | None = Field(default=None, examples=["user"])
    name: str | None = Field(default=None, description="Who spoke.")
    timestamp: Moment
    metadata: dict[str, Any] | None = None
    kind: Kind | None = None
    tier: Tier | None = None
    importance: Share | None = None
    confidence: Share | None = None
    critical: bool | None = None
    tags: list[str] | None = None
    category: str | None = None
    priority: Priority | None = None
    valid_until: Moment
    idempotency_key: str | None = None


class AddIn(Scoped):
    """Messages to store."""

    messages: str | MessageIn | Annotated[list[str | MessageIn], Field(max_length=MAX_ITEMS)] = Field(
        examples=[[{"role": "user", "content": "I prefer Python for data analysis"}]]
    )
    metadata: dict[str, Any] | None = None
    kind: Kind = "message"
    timestamp: Moment
    valid_until: Moment
    idempotency_key: str | None = Field(
        default=None, min_length=1, description="The header Idempotency-Key means the same."
    )


class UpdateIn(Owned):
    """Fields to change; a field that is missing or null stays unchanged."""

    content: str | None = None
    metadata: dict[str, Any] | None = None
    tags: list[str] | None = None
    category: str | None = None
    priority: Priority | None = None
    importance: Share | None = None
    confidence: Share | None = None
    critical: bool | None = Field(
        default=None, description="True pins the memory: it never fades.", examples=[True]
    )
    tier: Tier | None = None
    timestamp: Moment
    valid_until: Moment
    reason: Reason

    def labels(self) -> Labels:
        """Return the new labels."""
        return Labels(
            tags=self.tags,
            category=self.category,
            priority=self.priority,
            importance=self.importance,
            confidence=self.confidence,
            critical=self.critical,
            tier=self.tier,
        )


class NoteIn(Owned):
    """A request with a reason."""

    reason: Reason


class Asking(Scoped):
    """A query with its options."""

    query: Query
    filters: Filters
    kinds: list[Kind] | None = None
    tiers: list[Tier] | None = Field(default=None, description="By default all but archived.")
    since: Moment
    until: Moment
    as_of: Moment
    exclude_ids: list[Id] = Field(default=[], max_length=MAX_ITEMS)
    project: Project = None

    def within(self) -> Within:
        """Return the limits of the search."""
        return Within(
            tiers=self.tiers,
            since=self.since,
            until=self.until,
            as_of=self.as_of,
            exclude_ids=self.exclude_ids,
            project=self.project,
        )


class SearchIn(Asking):
    """A search."""

    top_k: int = Field(default=10, ge=1, le=MAX_TOP_K)
    threshold: Share = 0.0
    collapse: bool = Field(
        default=True, description="Return the same words of the same speaker once, with their repeats."
    )


class ContextIn(Asking):
    """A request for a context."""

    budget_tokens: int = Field(default=1_500, ge=1, le=10_000_000)
    threshold: Share = CONTEXT_THRESHOLD
    core_share: Share = Field(default=CORE_SHARE, description="The share of the budget for the core.")


class AnswerIn(Scoped):
    """A question about the memory itself, such as "what do you know about me?", or for a time."""

    message: Query
    as_of: Moment
    project: Project = None
    budget_tokens: int = Field(default=1_500, ge=1, le=10_000_000)


class FeedbackIn(Owned):
    """Whether a memory helped."""

    memory_id: Id
    useful: bool
    query: Query | None = Field(
        default=None,
        description="The message it was recalled for: the preset's thresholds learn from it.",
    )
    preset: str | None = Field(
        default=None, description="The preset of the answer; by default the server's.", examples=["shadow"]
    )
    reason: Reason


class IdsIn(Owned):
    """Some memories of a user."""

    ids: Annotated[list[Id], Field(min_length=1, max_length=MAX_ITEMS)]


class AgendaIdsIn(Owned):
    """Some items of a user's agenda."""

    ids: Annotated[list[Id], Field(min_length=1, max_length=MAX_ITEMS, description="As GET /agenda gives.")]


class AgendaAnswerIn(Owned):
    """What the user answered to an item of the agenda."""

    id: Id
    answer: Query = Field(
        description="Of a conflict the id of the true fact, or both; of a doubt yes or no; else words."
    )


class ResolveIn(Owned):
    """The decision of a conflict."""

    keep: Id = Field(description="The fact that holds.")
    drop: Id | None = Field(default=None, description="The fact that does not hold; null if both hold.")


class ThresholdIn(Owned):
    """A threshold of activation."""

    threshold: Annotated[float, Field(ge=0, le=1, description="Within the bounds of GET /thresholds.")]


class LinkIn(Owned):
    """A link to another memory."""

    target_id: Id
    type: LinkType = "related"
