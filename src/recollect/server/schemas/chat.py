"""The requests and responses of chats, presets and models."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from recollect.server.schemas.requests import MAX_QUERY, Id, Project, RequestBody

ApiKey = Annotated[str, Field(min_length=1, max_length=1_024)]


class ChatIn(RequestBody):
    """A message."""

    message: str = Field(min_length=1, max_length=MAX_QUERY, examples=["When does Pixel see the vet?"])
    apiKey: ApiKey | None = Field(default=None, description="A key for the model, for this message alone.")  # noqa: N815 - the design's
    userId: Id | None = Field(default=None, description="The user; by default that of the key.")  # noqa: N815
    sessionId: Id | None = Field(default=None, description="The session; by default the last one.")  # noqa: N815
    stream: bool = Field(default=False, description="Answer in server-sent events: token, done, error.")
    preset: str | None = Field(
        default=None,
        description="How to recall and answer; by default the server's preset.",
        examples=["default", "shadow", "semem", "recall", "second_brain", "chloe"],
    )
    project: Project = None


class MemoryCandidate(BaseModel):
    """A memory that was considered, with the terms of its score."""

    memoryId: str  # noqa: N815
    activationScore: float = Field(description="0 to 1.")  # noqa: N815
    relevanceType: Literal["semantic", "contextual", "temporal", "mixed"] | None = Field(  # noqa: N815
        description="With the preset shadow."
    )
    summary: str
    confidence: float
    activated: bool
    reason: str
    threshold: float | None
    signals: dict[str, float]
    terms: dict[str, float] = Field(description="What each signal added to the score.")


class CoreMemoryOut(BaseModel):
    """A memory of the core: it is in every prompt."""

    memoryId: str  # noqa: N815
    summary: str


class MemoryContext(BaseModel):
    """The memories recalled for a message."""

    coreMemories: list[CoreMemoryOut] = Field(  # noqa: N815
        description="Critical memories, health, standing instructions, name, home, work, people close by."
    )
    activatedMemories: list[MemoryCandidate]  # noqa: N815
    candidateMemories: list[MemoryCandidate]  # noqa: N815
    totalMemories: int  # noqa: N815
    avgActivationScore: float  # noqa: N815
    activatedCount: int = Field(description="All activated memories; the first hundred are listed.")  # noqa: N815
    threshold: float | None = Field(description="The lowest score that activates a memory.")
    contextType: str | None = Field(description="The kind of message, with the preset shadow.")  # noqa: N815


class ChatUsage(BaseModel):
    """Calls, tokens and cost of a model."""

    calls: int
    inputTokens: int  # noqa: N815
    outputTokens: int  # noqa: N815
    costUsd: float | None  # noqa: N815


class SourceOut(BaseModel):
    """A document that an answer may cite."""

    number: int = Field(description="The answer cites it as [1], [2] and so on.")
    title: str
    snippet: str
    documentId: str = Field(description="For GET /documents/{id}; 404 once it is deleted.")  # noqa: N815
    source: str
    page: int | None
    memoryId: str  # noqa: N815


class TidiedOut(BaseModel):
    """The memories that a turn archived."""

    archived: dict[str, int] = Field(description="The number of memories by reason.")
    ids: list[str] = Field(description="For POST /memories/unarchive.")


class ChatOut(BaseModel):
    """An answer."""

    content: str
    memoryContext: MemoryContext  # noqa: N815
    storedMemoryId: str = Field(description="The user's message.")  # noqa: N815
    answerMemoryId: str | None = Field(description="The answer; null when it was not stored.")  # noqa: N815
    sessionId: str  # noqa: N815
    model: str | None = Field(description="The model that answered; null when memories were quoted.")
    preset: str
    sources: list[SourceOut]
    tidied: TidiedOut | None = Field(description="Null unless the server may archive after an answer.")


class StatsOut(BaseModel):
    """Statistics of a user's memory."""

    userId: str = Field(description="The user.")  # noqa: N815
    role: Literal["reader", "writer", "admin"] = Field(description="What this key may do for the user.")
    totalMemories: int  # noqa: N815
    averageActivationScore: float  # noqa: N815
    hasApiKey: bool  # noqa: N815
    activeMemories: int  # noqa: N815
    archivedMemories: int  # noqa: N815
    retrievals: int
    thresholds: dict[str, float]
    kinds: dict[str, int]
    tiers: dict[str, int]
    embeddingModel: str | None  # noqa: N815
    dimensions: int
    waitingJobs: int  # noqa: N815
    failedJobs: int  # noqa: N815
    models: dict[str, str | None]
    usage: ChatUsage
    maxBodyBytes: int = Field(description="The largest body of a request with this key.")  # noqa: N815
    maxImportBytes: int = Field(description="The largest file to import with this key.")  # noqa: N815


class ApiKeyIn(RequestBody):
    """A key for language models."""

    apiKey: ApiKey  # noqa: N815


class SuccessOut(BaseModel):
    """The request succeeded."""

    success: bool


class HealthOut(BaseModel):
    """The server runs."""

    status: Literal["ok"]
    hasApiKey: bool  # noqa: N815
    timestamp: str


class ReadyOut(BaseModel):
    """Whether the server is ready."""

    status: Literal["ready", "not ready"]
    store: bool
    queue: int
    worker: bool


class OverrideIn(RequestBody):
    """The new model of a task."""

    task: str = Field(examples=["chat"])
    model_name: str = Field(min_length=1, max_length=200, examples=["llama3.1:70b"])


class OverrideOut(BaseModel):
    """The model of each task."""

    task: str
    model_name: str
    models: dict[str, str | None]
