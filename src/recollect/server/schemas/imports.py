"""What importing answers."""

from pydantic import BaseModel, Field


class BrokenOut(BaseModel):
    """A record that cannot be read or stored."""

    where: str
    reason: str


class ImportReportOut(BaseModel):
    """What a file holds, and what became of it."""

    format: str
    title: str
    dry_run: bool
    conversations: int
    messages: int
    facts: int
    documents: int
    since: str | None
    until: str | None
    speakers: dict[str, int]
    left_out: dict[str, int] = Field(description="What is left out on purpose, and how often.")
    broken: list[BrokenOut] = Field(description="The first of the records that cannot be read.")
    broken_count: int
    conflicts: list[BrokenOut] = Field(description="The first that were changed in the source and here.")
    notes: list[str]
    incomplete: bool = Field(description="Whether a file breaks off or is damaged: its rest is missing.")
    unknown_user: bool = Field(description="Whether it is not known which speaker is the user.")
    owners: list[str] = Field(description="The users in a dump of several, where it is unclear who is meant.")
    expected: dict[str, int] = Field(description="Of a dry run: what importing would do, without zeros.")
    stored: int
    duplicate: int
    updated: int
    conflict: int = Field(description="Changed in the source and here; what is here stays.")
    older: int = Field(description="From an older state of the source than what is here, which stays.")
    deleted: int
    redacted: int
    refused: int


class LoadedOut(BaseModel):
    """What became of a file that was read in."""

    stored: int
    duplicates: int
    refused: int = Field(description="Messages that were refused, such as those without words.")
    report: ImportReportOut | None = Field(
        default=None, description="Of a dry run and of another program's file: what it holds."
    )
