"""The shape of a model's answer, checked by pydantic: imported when a model is used, never by the core."""

from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from recollect.learning.extraction.facts import CATEGORIES, Category
from recollect.text.quoting import printable
from recollect.types import JSON

MOST_CHARACTERS = 300
"""Of a fact or a summary: one sentence. Chosen by hand."""


def _one_line(value: object) -> object:
    """One line that can be printed: a store refuses NUL, and what nobody sees is nothing a person said."""
    return " ".join(printable(" ".join(value.split())).split()) if isinstance(value, str) else value


def _known_category(value: object) -> object:
    """A category of the model's own is what Second Brain calls general."""
    return value if value in CATEGORIES else "general"


_Short = Annotated[str, Field(max_length=MOST_CHARACTERS)]
Line = Annotated[str, Field(min_length=1, max_length=MOST_CHARACTERS), BeforeValidator(_one_line)]
MaybeLine = Annotated[_Short | None, BeforeValidator(_one_line)]
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Turns = Annotated[list[int], Field(max_length=100)]


class FactShape(BaseModel):
    """A fact as a model writes it."""

    model_config = ConfigDict(extra="ignore")

    fact: Line
    category: Annotated[Category, BeforeValidator(_known_category)] = "general"
    confidence: Share
    turns: Turns
    subject: MaybeLine = None
    relation: MaybeLine = None
    object: MaybeLine = None
    state: Literal["holds", "does not hold", "holds no longer"] = "holds"
    change: Literal["none", "begun", "corrected"] = "none"


class EpisodeShape(BaseModel):
    """An episode as a model writes it."""

    model_config = ConfigDict(extra="ignore")

    summary: Line
    importance: Share
    context: Annotated[_Short, BeforeValidator(_one_line)] = ""
    turns: Turns = []


def fact_in(said: JSON) -> FactShape | str:
    """A fact in a model's answer; or what is wrong with it, without its words."""
    try:
        return FactShape.model_validate(said)
    except ValidationError as error:
        return _wrong(error)


def episode_in(said: JSON) -> EpisodeShape | str:
    """The same for an episode."""
    try:
        return EpisodeShape.model_validate(said)
    except ValidationError as error:
        return _wrong(error)


def _wrong(error: ValidationError) -> str:
    first = error.errors(include_input=False, include_url=False)[0]
    where = ".".join(str(part) for part in first["loc"])
    return f"{where or 'it'}: {first['msg']}"
