"""Memories as responses give them: the shape of ``record_to_json``; what is unknown is left out."""

from typing import Any

from pydantic import BaseModel, Field

from recollect.memory.telling import MemoryAnswerKind
from recollect.text.temporal_questions import TemporalKind
from recollect.types import AddStatus, ChangeAction, DateRelation, Grain, Kind, LinkType, ParameterKind
from recollect.types import Priority as PriorityName
from recollect.types import Tier as TierName

_ID = "019a7c1e-52a3-7c3e-8d59-0f6d1f8f2a11"
_AT = "2026-05-01T10:00:00+00:00"


class ScopeOut(BaseModel):
    """The user, agent and session that a memory belongs to."""

    user_id: str = Field(examples=["ada"])
    agent_id: str | None = None
    session_id: str | None = None


class TimesOut(BaseModel):
    """The times of a memory, ISO 8601 in UTC."""

    created_at: str = Field(examples=[_AT], description="When it was stored.")
    happened_at: str = Field(examples=[_AT], description="When it was said or took place.")
    updated_at: str = Field(examples=[_AT])
    valid_from: str | None = None
    valid_until: str | None = Field(
        default=None, description="The end of its validity; without one it still holds."
    )
    accessed_at: str | None = None


class TagOut(BaseModel):
    """A label with its confidence."""

    text: str
    confidence: float
    approved: bool


class DateOut(BaseModel):
    """Words that name a time, and the time they name."""

    text: str
    place: list[int]
    start: str
    end: str
    grain: Grain
    relation: DateRelation


class ParameterOut(BaseModel):
    """A detail stated in the text."""

    kind: ParameterKind
    text: str
    place: list[int]
    name: str | None = None
    value: float | None = None
    unit: str | None = None


class LabelsOut(BaseModel):
    """The labels of a memory."""

    tags: list[TagOut]
    concepts: list[str]
    entities: list[str]
    category: str | None = None
    emotion: str | None = None
    language: str | None = None
    dates: list[DateOut]
    parameters: list[ParameterOut]


class WorthOut(BaseModel):
    """The importance and confidence of a memory."""

    importance: float
    confidence: float
    priority: PriorityName | None = None
    critical: bool = Field(description="True if it is pinned: it never fades.")
    factors: dict[str, float]


class ReinforcementOut(BaseModel):
    """A reinforcement of a memory."""

    at: str
    reason: str | None = None


class UseOut(BaseModel):
    """How a memory has been used."""

    access_count: int
    usage_count: int
    reinforced_count: int
    reinforcements: list[ReinforcementOut]
    useful_count: int
    unhelpful_count: int
    decay_factor: float


class OriginOut(BaseModel):
    """Where a memory comes from."""

    speaker: str | None = None
    role: str
    thread: str
    turn: int
    sources: list[str] = Field(description="Ids of the memories it was derived from.")
    extractor: str | None = None
    prompt_id: str | None = None


class MemoryOut(BaseModel):
    """A memory."""

    id: str = Field(examples=[_ID])
    scope: ScopeOut
    content: str = Field(examples=["I prefer Python for data analysis"])
    kind: Kind
    tier: TierName
    summary: str | None = None
    times: TimesOut
    labels: LabelsOut
    worth: WorthOut
    use: UseOut
    origin: OriginOut
    metadata: dict[str, Any]
    idempotency_key: str | None = None


class Hinted(BaseModel):
    """A response that adds a note if nothing was found."""

    hint: str | None = Field(
        default=None, description="If nothing was found: why, and what to do next, in one line."
    )


class MemoryPage(Hinted):
    """A page of memories, with the cursor of the next page."""

    items: list[MemoryOut]
    next_cursor: str | None = Field(default=None, description="Null on the last page.")


class AddedOut(BaseModel):
    """The result of one item."""

    id: str | None = Field(examples=[_ID], description="Null when it was refused.")
    status: AddStatus
    reason: str | None = None


class AddedList(BaseModel):
    """One result for each item, in order."""

    results: list[AddedOut]


class DeletedOut(Hinted):
    """How many memories were deleted, or removed for good."""

    deleted: int


class UnarchivedOut(BaseModel):
    """How many archived memories were brought back."""

    unarchived: int


class PurgedOut(DeletedOut):
    """How many memories were removed for good, and where their text may remain."""

    residue: str | None = None


class ChangeOut(BaseModel):
    """An entry of a memory's history."""

    at: str
    action: ChangeAction
    before: dict[str, Any]
    after: dict[str, Any]
    reason: str | None


class HistoryOut(BaseModel):
    """The history of a memory, oldest first."""

    changes: list[ChangeOut]


class RepeatOut(BaseModel):
    """A memory with the same words as another, by the same speaker."""

    id: str = Field(examples=[_ID])
    happened_at: str = Field(examples=[_AT])


class SupersededOut(BaseModel):
    """How a newer memory replaced an older one."""

    by: str = Field(examples=[_ID], description="The memory that holds the newer words.")
    until: str | None = Field(
        description="When the older words ceased to hold; null when they were corrected."
    )


class RecollectionOut(BaseModel):
    """A memory that was found, with the terms of its score."""

    score: float = Field(description="Higher is better, 0 to 1.")
    memory: MemoryOut
    signals: dict[str, float] = Field(description="What was measured, each 0 to 1.")
    terms: dict[str, float] = Field(description="What each signal added; they sum up to the score.")
    matched_tags: list[str]
    citation: str | None = Field(
        default=None, description="Of a document its title and page.", examples=["tenancy.pdf, page 3"]
    )
    via: MemoryOut | None = Field(
        default=None, description="The fact or episode through which it was found; the score is its own."
    )
    superseded: SupersededOut | None = Field(default=None, description="The memory that replaced its words.")
    repeats: list[RepeatOut] = Field(
        default=[], description="Memories with the same words by the same speaker that it stands for."
    )


class SearchOut(Hinted):
    """The hits of a search, best first."""

    results: list[RecollectionOut]


class LeftOutOut(BaseModel):
    """A memory that was found but left out, with the reason."""

    id: str
    score: float
    reason: str


class ContextOut(Hinted):
    """Text ready for a prompt."""

    text: str
    tokens: int
    budget_tokens: int
    included: list[RecollectionOut]
    left_out: list[LeftOutOut]
    core_left_out: int = Field(description="How many memories of the core did not fit.")
    notes: list[str] = Field(description="Why the text is short: nothing fits, no room, an unknown user.")


class ReckonedOut(BaseModel):
    """What was reckoned for a question for a time."""

    kind: TemporalKind
    start: str | None = Field(description="The time asked for, or since when something lasts.")
    end: str | None
    grain: Grain = Field(description="How exactly the time is known.")
    days: float | None = Field(description="How long, or how long ago.")
    count: int | None = Field(description="How often.")
    first: bool | None = Field(description="Of an order: whether the first one named came first.")
    open: bool = Field(description="Whether it still goes on.")
    told: str | None = Field(description="The id of the message that tells what is asked.")


class AnswerOut(Hinted):
    """What memory says of itself."""

    kind: MemoryAnswerKind | None = Field(description="Null where the message asks something else.")
    about: str | None = None
    text: str = ""
    tokens: int = 0
    memories: list[MemoryOut] = Field(default=[], description="The facts and messages that the text tells.")
    total: int = Field(default=0, description="Facts there are to tell.")
    reckoned: ReckonedOut | None = Field(default=None, description="With the kind ``time``.")


class AgedConfidenceOut(BaseModel):
    """What time has left of a fact's confidence."""

    value: float = Field(description="0 to 1; at most the stored confidence.")
    said_at: str = Field(description="When the fact was last said: it ages from here.")
    half_life_days: float | None = Field(description="Null where it does not age.")
    relation: str
    changes: int = Field(description="How many of the user's own facts of the relation changed.")
    because: str = Field(description="Where the half-life comes from.")
    reason: str


class ExplanationOut(BaseModel):
    """The sources of a memory, and its rank for a query."""

    memory: MemoryOut
    recollection: RecollectionOut | None
    rank: int | None = Field(description="Its rank in the search; null when the search does not return it.")
    ranked: int
    reason: str | None = Field(default=None, description="Why the search does not return it.")
    importance: float
    confidence: AgedConfidenceOut | None = Field(default=None, description="Of a fact.")
    sources: list[MemoryOut]
    history: list[ChangeOut]


class LinkOut(BaseModel):
    """A link between two memories."""

    source_id: str
    target_id: str
    type: LinkType


class LinksOut(BaseModel):
    """The links from and to a memory."""

    links: list[LinkOut]
