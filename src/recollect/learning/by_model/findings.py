"""What was found in a stretch of conversation, and which way."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast, get_args

from recollect.learning.extraction.episodes import Episode
from recollect.learning.extraction.facts import Fact
from recollect.learning.records import Refusal, Way
from recollect.models.chat import Usage
from recollect.types import JSON
from recollect.types.codec import fields_to_json


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelAnswer:
    """What a model said, before it is read."""

    text: str
    way: Way
    model: str
    usage: Usage

    def to_json(self) -> dict[str, JSON]:
        """As plain JSON values."""
        return fields_to_json(self)

    @classmethod
    def from_json(cls, kept: Mapping[str, JSON]) -> "ModelAnswer":
        """What ``to_json`` made."""
        used = cast("dict[str, int]", kept["usage"])
        way = cast("Way", kept["way"] if kept["way"] in get_args(Way) else "words")
        return cls(text=str(kept["text"]), way=way, model=str(kept["model"]), usage=Usage(**used))


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """What was found in a stretch of conversation.

    Attributes:
        made_by: What found it, and its version.
        prompt_id: The prompt; None for rules.
        usage: What the model used; None for rules that were not asked in its place.
        because: Why it was the rules though there is a model; None when there is nothing to say.
    """

    facts: tuple[Fact, ...] = ()
    episodes: tuple[Episode, ...] = ()
    refused: tuple[Refusal, ...] = ()
    way: Way
    made_by: str
    prompt_id: str | None = None
    usage: Usage | None = None
    because: str | None = None
