"""What is kept of a learned classification, and how it is written down: JSON with a version number."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any, Final

from recollect.checks import check_content
from recollect.errors import InvalidInputError, StoreCorruptError, StoreFormatError
from recollect.text.analyse import Analyser
from recollect.text.secrets import mask_secrets, without_half_mask

UNKNOWN: Final = "unknown"
"""The intent of words that fit nothing learned; no pattern can have it."""
MAX_PATTERNS: Final = 2_000
"""Patterns kept of one user. Chosen by hand: about 500 KB of JSON, and half a second to weigh them."""
MAX_TEXT_CHARS: Final = 1_000
"""Characters kept of a text: what is wanted stands at its beginning. Chosen by hand."""
MAX_INTENT_CHARS: Final = 100
"""Characters in the name of an intent. Chosen by hand."""

_VERSION: Final = 1
_MOST_COUNTED: Final = 1 << 31
_TIMES: Final = ("learned_at", "last_used_at")


@dataclass(frozen=True, slots=True, kw_only=True)
class IntentPattern:
    """Words that were once classified, and how that turned out since.

    Attributes:
        id: What ``Intents.forget`` takes.
        text: The words, secrets masked, at most 1,000 characters.
        intent: What they mean; never ``unknown``.
        successes: How often it was right: learned, learned again, or confirmed.
        failures: How often it decided a classification that was wrong.
        learned_at: When it was first learned, aware UTC.
        last_used_at: When it last decided a classification that was confirmed; None before.
    """

    id: str
    text: str
    intent: str
    usage_count: int = 0
    successes: int = 1
    failures: int = 0
    learned_at: datetime
    last_used_at: datetime | None = None

    @property
    def confidence(self) -> float:
        """How far it can be trusted, between 0 and 1: Laplace's rule of succession.

        ``(successes + 1) / (successes + failures + 2)``: 2/3 when just learned, 1/2 after one failure.

        >>> from recollect.types.clock import utc_now
        >>> call = {"id": "1", "text": "ring Ada", "intent": "phone", "learned_at": utc_now()}
        >>> IntentPattern(**call, successes=3, failures=1).confidence
        0.6666666666666666
        """
        return (self.successes + 1) / (self.successes + self.failures + 2)

    @property
    def usefulness(self) -> tuple[float, datetime]:
        """What decides who is dropped first when there are too many: the least goes."""
        return self.confidence, self.last_used_at or self.learned_at


def check_intent(where: str, value: object) -> str:
    """The name of an intent: one line of 1 to 100 characters, not ``unknown``."""
    if not isinstance(value, str) or not value.strip() or not value.isprintable():
        raise InvalidInputError(f"{where} must be a printable name on one line, such as 'set_reminder'")
    if len(value) > MAX_INTENT_CHARS:
        raise InvalidInputError(f"{where} has {len(value)} characters; the limit is {MAX_INTENT_CHARS}")
    if value == UNKNOWN:
        raise InvalidInputError(f"{where} {UNKNOWN!r} means that nothing fits; it cannot be learned")
    return value


def text_to_keep(text: object) -> str:
    """A text as a pattern keeps it: without secrets, then cut.

    >>> text_to_keep("log in, my password is hunter2! ")
    'log in, my password is [password removed]'

    Raises:
        InvalidInputError: It is no text, or blank, or no store could keep it.
    """
    return shortened(check_content("text", text))


def shortened(text: str) -> str:
    """Any text without its secrets, cut to what a pattern keeps."""
    masked = mask_secrets(text)[0].strip()
    return masked if len(masked) <= MAX_TEXT_CHARS else without_half_mask(masked[:MAX_TEXT_CHARS]).rstrip()


def key_of(text: str, analyser: Analyser) -> str:
    """What texts of the same words share: their stems, or the signs of a text without words.

    >>> key_of("Reminding me: call Ada!", Analyser()) == key_of("remind me call ada", Analyser())
    True
    """
    return " ".join(analyser.stems(text)) or text.casefold()


def read_patterns(state: str | None) -> list[IntentPattern]:
    """The patterns in what a store kept, in the order they were learned.

    Raises:
        StoreCorruptError: It is not what ``write_patterns`` writes.
        StoreFormatError: A newer version of Recollect wrote it.
    """
    if state is None:
        return []
    try:
        return _patterns(json.loads(state))
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise StoreCorruptError("the learned intents are damaged; restore a backup of the store") from error


def write_patterns(patterns: Sequence[IntentPattern]) -> str | None:
    """What a store keeps of patterns; None when there are none.

    >>> read_patterns(write_patterns([]))
    []
    """
    if not patterns:
        return None
    kept = {"version": _VERSION, "patterns": [_fields(pattern) for pattern in patterns]}
    return json.dumps(kept, ensure_ascii=False, separators=(",", ":"))


def _fields(pattern: IntentPattern) -> dict[str, object]:
    values = {field.name: getattr(pattern, field.name) for field in fields(pattern)}
    return values | {name: values[name] and values[name].isoformat() for name in _TIMES}


def _patterns(kept: dict[str, Any]) -> list[IntentPattern]:
    version = kept["version"]
    if type(version) is int and version > _VERSION:
        raise StoreFormatError("the learned intents were written by a newer version of Recollect")
    if version != _VERSION:
        raise ValueError(version)
    return [_pattern(dict(one)) for one in kept["patterns"]]


def _pattern(values: dict[str, Any]) -> IntentPattern:
    times = {name: _moment(values[name]) for name in _TIMES}
    pattern = IntentPattern(**{**values, **times})
    check_intent("intent", pattern.intent)
    counts = (pattern.usage_count, pattern.successes, pattern.failures)
    if not all(type(count) is int and 0 <= count < _MOST_COUNTED for count in counts):
        raise ValueError(pattern.id)
    if not all(isinstance(text, str) for text in (pattern.id, pattern.text)):
        raise TypeError(pattern.id)
    if times["learned_at"] is None:
        raise ValueError(pattern.id)
    return pattern


def _moment(value: Any) -> datetime | None:
    moment = None if value is None else datetime.fromisoformat(value)
    if moment is not None and moment.tzinfo is None:
        raise ValueError(value)
    return moment
