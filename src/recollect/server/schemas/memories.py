"""Memories as responses give them: the shape of ``record_to_json``; what is unknown is left out."""

from typing import Any

from pydantic import BaseModel, Field

from recollect.types import AddStatus, ChangeAction, DateRelation, Grain, Kind, LinkType, ParameterKind
from recollect.types import Priority as PriorityName
from recollect.types import Tier as TierName

_ID = "019a7c1e-52a3-7c3e-8d59-0f6d1f8f2a11"
_AT = "2026-05-01T10:00:00+00:00"


class ScopeOut(BaseModel):
    """Whose a memory is."""

    user_id: str = Field(examples=["ada"])
    agent_id: str | None = None
    session_id: str | None = None


class TimesOut(BaseModel):
    """When things were so, ISO 8601 in UTC."""

    created_at: str = Field(examples=[_AT], description="When it was stored.")
    happened_at: str = Field(examples=[_AT], description="When it was said or took place.")
    updated_at: str = Field(examples=[_AT])
    valid_from: str | None = None
    valid_until: str | None = Field(
        default=None, description="Until when it holds; without one it still does."
    )
    accessed_at: str | None = None


class TagOut(BaseModel):
    """A label with how sure we are of it."""

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
    """A detail that words state."""

    kind: ParameterKind
    text: str
    place: list[int]
    name: str | None = None
    value: float | None = None
    unit: str | None = None


class LabelsOut(BaseModel):
    """What a memory is about."""

    tags: list[TagOut]
    concepts: list[str]
    entities: list[str]
    category: str | None = None
    emotion: str | None = None
    language: str | None = None
    dates: list[DateOut]
    parameters: list[ParameterOut]


class WorthOut(BaseModel):
    """How much a memory matters, and how sure it is."""

    importance: float
    confidence: float
    priority: PriorityName | None = None
    critical: bool = Field(description="It never fades: pinned.")
    factors: dict[str, float]


class ReinforcementOut(BaseModel):
    """A time at which a memory was called valuable."""

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
    """An answer that says more where nothing was found."""

    hint: str | None = Field(
        default=None, description="Only where nothing was found: why, and what to do next, in one line."
    )


class MemoryPage(Hinted):
    """Some memories, and where to go on."""

    items: list[MemoryOut]
    next_cursor: str | None = Field(default=None, description="Null on the last page.")


class AddedOut(BaseModel):
    """What became of one item."""

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
    """How many memories were removed for good, and where their words may still stand."""

    residue: str | None = None


class ChangeOut(BaseModel):
    """An entry of a memory's history."""

    at: str
    action: ChangeAction
    before: dict[str, Any]
    after: dict[str, Any]
    reason: str | None


class HistoryOut(BaseModel):
    """What happened to a memory, oldest first."""

    changes: list[ChangeOut]


class RepeatOut(BaseModel):
    """A memory with the same words as another, by the same speaker."""

    id: str = Field(examples=[_ID])
    happened_at: str = Field(examples=[_AT])


class SupersededOut(BaseModel):
    """What newer words did to older ones."""

    by: str = Field(examples=[_ID], description="The memory that holds the newer words.")
    until: str | None = Field(description="Until when the older ones held; null when they were corrected.")


class RecollectionOut(BaseModel):
    """A memory that was found, with what made its score."""

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
    superseded: SupersededOut | None = Field(
        default=None, description="What replaced its words, where that fits the question, too."
    )
    repeats: list[RepeatOut] = Field(
        default=[], description="Memories with the same words by the same speaker that it stands for."
    )


class SearchOut(Hinted):
    """What was found, best first."""

    results: list[RecollectionOut]


class LeftOutOut(BaseModel):
    """A memory that was found and not used, and why."""

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
    core_left_out: int = Field(description="How many memories of the core had no room in it.")
    notes: list[str] = Field(description="Why the text says little: nothing fits, no room, an unknown user.")


class ExplanationOut(BaseModel):
    """Why a memory is known, and how it fares for a question."""

    memory: MemoryOut
    recollection: RecollectionOut | None
    rank: int | None = Field(description="Its place among what a search returns; null when it is not there.")
    ranked: int
    reason: str | None = Field(default=None, description="Why a search does not return it.")
    importance: float
    sources: list[MemoryOut]
    history: list[ChangeOut]


class LinkOut(BaseModel):
    """What one memory is to another."""

    source_id: str
    target_id: str
    type: LinkType


class LinksOut(BaseModel):
    """The links from and to a memory."""

    links: list[LinkOut]
