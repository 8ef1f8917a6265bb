"""What jobs of learning did: which way facts were found, what was refused and why, what it cost."""

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal

from recollect.learning.outcomes import Learned
from recollect.models.chat import Usage
from recollect.protocols import StateStore
from recollect.types import Scope
from recollect.types.codec import fields_to_json

MOST_RECORDS: Final = 50
"""Of a user; older ones go. Chosen by hand."""
STATE: Final = "learning records"
Way = Literal["rules", "schema", "mode", "words"]
"""How facts were found: by rules; or by a model that was held to a JSON schema by its server, asked for JSON
in the server's JSON mode, or asked in words alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """Something a model said that is not kept. The words are not, either: they may be what must not be kept.

    Attributes:
        turns: The ids of the turns it cites, those that exist.
    """

    what: Literal["fact", "episode"]
    reason: str
    turns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningRecord:
    """What was learned from a stretch of a session. It holds no words, only ids and counts.

    Attributes:
        turns: The ids of the first and the last message that was new.
        way: How facts were found.
        made_by: The rules or the model that found them.
        prompt_id: The prompt; None for rules.
        because: Why it was the rules though there is a model; None when there is nothing to say.
        refused: What a model said that is not kept, and why.
        usage: What the model used; None when none was asked.
    """

    at: datetime
    turns: tuple[str, str]
    way: Way
    made_by: str
    prompt_id: str | None
    because: str | None
    learned: Learned
    refused: tuple[Refusal, ...]
    usage: Usage | None

    def to_json(self) -> dict[str, Any]:
        """As plain JSON values."""
        return fields_to_json(self)

    @classmethod
    def from_json(cls, kept: dict[str, Any]) -> "LearningRecord":
        """What ``to_json`` made."""
        first, last = kept["turns"]
        made = {
            "at": datetime.fromisoformat(kept["at"]),
            "turns": (first, last),
            "learned": Learned(**kept["learned"]),
            "refused": tuple(Refusal(**{**one, "turns": tuple(one["turns"])}) for one in kept["refused"]),
            "usage": kept["usage"] and Usage(**kept["usage"]),
        }
        return cls(**{**kept, **made})


class LearningRecords:
    """The last records of a user."""

    def __init__(self, store: StateStore, scope: Scope) -> None:
        self._store = store
        self._scope = Scope(user_id=scope.user_id)

    def all(self) -> list[LearningRecord]:
        """All that are kept, oldest first."""
        kept = json.loads(self._store.state(self._scope, STATE) or "[]")
        return [LearningRecord.from_json(one) for one in kept]

    def append(self, record: LearningRecord) -> None:
        """Append one; the oldest beyond the limit is dropped."""
        new = record.to_json()

        def longer(kept: str | None) -> str:
            return json.dumps([*json.loads(kept or "[]"), new][-MOST_RECORDS:])

        self._store.change_state(self._scope, STATE, longer)
