"""What callers give to ``add``, read and screened."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import chain
from typing import Final, Literal, NamedTuple, Protocol, TypeAlias, TypeVar

from recollect.checks import (
    check_bool,
    check_content,
    check_key,
    check_kind,
    check_metadata,
    check_name,
    check_names,
    check_priority,
    check_share,
    check_tier,
    check_time,
    if_given,
)
from recollect.errors import InvalidInputError, as_given
from recollect.text.pii import PiiPolicy
from recollect.types import JSON, TIER, Kind, MemoryLabels, Tag, Tier, Worth


class MessageObject(Protocol):
    """A chat message of another library: LangChain's have a ``type``, OpenAI's a ``role``."""

    @property
    def content(self) -> object:
        """The words: a text, or parts of which some are texts."""


Message: TypeAlias = str | Mapping[str, object] | MessageObject
"""A text; a chat message: ``role`` and ``content``, and what else ``MESSAGE_KEYS`` names; or an object of a
chat library that has ``content`` and a ``role`` or a ``type``."""

MAX_LABELS: Final = 100
"""Tags of a memory, and concepts: its graph has an edge for each pair. Chosen by hand."""
_AT_ONCE: Final = 1_000
"""Texts that are looked through together: what is found on the way takes some kilobytes of each. Chosen by
hand."""
_Label = TypeVar("_Label")
SecretsPolicy = Literal["redact", "refuse", "keep"]
"""What to do with a password or key found in a text."""
SECRETS_POLICIES: Final[tuple[SecretsPolicy, ...]] = ("redact", "refuse", "keep")

MESSAGE_KEYS: Final = (
    "role", "content", "name", "timestamp", "metadata", "kind", "importance", "confidence", "critical",
    "tags", "concepts", "category", "priority", "tier", "valid_until", "idempotency_key",
)  # fmt: skip
"""What a message may hold."""

_PLACE: Final = "#{} of its list"
"""What stands behind the key of a list in those of its items: ``#1`` alone a caller may well write, too."""
_LEFT_BEHIND: Final = frozenset(
    {"annotations", "audio", "function_call", "id", "refusal", "tool_call_id", "tool_calls", "type"}
)
"""What OpenAI's and LangChain's messages hold besides words: accepted, and not stored."""
_GUESSED_KEYS: Final = {
    "text": "content",
    "message": "content",
    "memory": "content",
    "body": "content",
    "parts": "content",
    "speaker": "name",
    "author": "name",
    "sender": "name",
    "created_at": "timestamp",
    "date": "timestamp",
    "time": "timestamp",
    "when": "timestamp",
    "sent_at": "timestamp",
    "expires_at": "valid_until",
}
"""What others call the keys of a message. Chosen by hand from other memories' formats."""
_OF_THE_CALL: Final = ("user_id", "agent_id", "session_id")
"""What all messages of a call have in common."""
_KEYS_SHOWN: Final = 5
"""Unknown keys that an error names. Chosen by hand."""
_ROLES: Final = {"ai": "assistant", "model": "assistant", "bot": "assistant", "human": "user"}
"""What LangChain, Gemini and others call the two roles."""
_TYPES: Final = ("ai", "human", "system", "tool")
"""Types of LangChain's messages, which have no role."""

_TEXT_PARTS: Final = ("text", "input_text", "output_text")
"""The types of the parts of a content that are texts, in OpenAI's and LangChain's messages."""

_UNLABELLED: Final = MemoryLabels()
_USUAL_WORTH: Final = Worth()


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One thing to remember, checked.

    Attributes:
        rated: Whether the caller said how important it is.
    """

    content: str = ""
    role: str = "user"
    speaker: str | None = None
    happened_at: datetime | None = None
    valid_until: datetime | None = None
    kind: Kind = "message"
    tier: Tier = TIER
    metadata: Mapping[str, JSON] = field(default_factory=dict)
    worth: Worth = _USUAL_WORTH
    rated: bool = False
    labels: MemoryLabels = _UNLABELLED
    idempotency_key: str | None = None
    refused: str | None = None
    redacted: str | None = None


class Screened(NamedTuple):
    """A text that was looked through."""

    text: str
    redacted: str | None = None
    refused: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Screen:
    """What becomes of secrets and personal data in a text before it is stored.

    Attributes:
        secrets: What to do with passwords, keys and payment cards where there is no policy.
        pii: What to do with these and with personal data; None leaves personal data.
    """

    secrets: SecretsPolicy = "redact"
    pii: PiiPolicy | None = None

    def __post_init__(self) -> None:
        if self.secrets not in SECRETS_POLICIES:
            raise InvalidInputError(
                f"secrets must be one of {', '.join(SECRETS_POLICIES)}, not {as_given(self.secrets)}"
            )
        if self.pii is not None and not isinstance(self.pii, PiiPolicy):
            raise InvalidInputError(f"pii must be a PiiPolicy or None, not {as_given(self.pii)}")

    def __call__(self, text: str) -> Screened:
        """Look through a text."""
        return self.all([text])[0]

    def all(self, texts: Sequence[str]) -> list[Screened]:
        """Look through texts, in order; together that takes less than one by one."""
        if self.pii is not None:
            return [_by_policy(text, self.pii) for text in texts]
        if self.secrets == "keep":
            return list(map(Screened, texts))
        from recollect.text.secrets import mask_all

        masks = (mask_all(texts[start : start + _AT_ONCE]) for start in range(0, len(texts), _AT_ONCE))
        return [
            self._by_secrets(text, masked, secrets) if secrets else Screened(text)
            for text, (masked, secrets) in zip(texts, chain.from_iterable(masks), strict=True)
        ]

    def _by_secrets(self, text: str, masked: str, secrets: Sequence[str]) -> Screened:
        if self.secrets == "refuse":
            found = ", ".join(secrets)
            return Screened(
                text, refused=f"it holds a secret ({found}); remove it, or open with secrets='redact'"
            )
        return Screened(masked, redacted=f"a secret was masked ({', '.join(secrets)})")


def _by_policy(text: str, policy: PiiPolicy) -> Screened:
    from recollect.text.pii import apply

    decision = apply(text, policy)
    if decision.refused:
        found = ", ".join(decision.refused)
        return Screened(
            text, refused=f"it holds personal data ({found}); remove it, or mask it by the policy"
        )
    told = f"personal data was masked ({', '.join(decision.masked)})" if decision.masked else None
    return Screened(decision.text, redacted=told)


@dataclass(frozen=True, slots=True, kw_only=True)
class Defaults:
    """What holds for every item of a call that does not say otherwise."""

    kind: Kind
    metadata: Mapping[str, JSON]
    timestamp: datetime | None
    valid_until: datetime | None
    idempotency_key: str | None


def read_messages(messages: object, defaults: Defaults, *, screen: Screen) -> list[Item]:
    """The items in what a caller gave, in order.

    Raises:
        InvalidInputError: A single text cannot be stored; or, in a list, an item is malformed. An item
            of a list whose words cannot be stored is refused by itself, with the reason.
    """
    if isinstance(messages, (str, Mapping)) or _is_message(messages):
        item = _read(messages, "content", defaults, number=None)
        if item.refused:
            raise InvalidInputError(item.refused)
        return _screened([item], screen)
    if not isinstance(messages, Sequence) or isinstance(messages, (bytes, bytearray)):
        raise InvalidInputError(
            f"add takes a text, a message or a list of them, not {type(messages).__name__}"
        )
    if not messages:
        raise InvalidInputError("messages is empty; nothing was added")
    items = [_read(message, f"messages[{i}]", defaults, number=i) for i, message in enumerate(messages)]
    return _screened(items, screen)


def _read(message: object, where: str, defaults: Defaults, *, number: int | None) -> Item:
    if isinstance(message, str):
        message = {"content": message}
    elif _is_message(message):
        message = _fields_of(message)
    if not isinstance(message, Mapping):
        raise InvalidInputError(
            f"{where} must be a text or a message such as {{'role': 'user', 'content': ...}}, "
            f"not {type(message).__name__}"
        )
    unknown = [key for key in message if key not in MESSAGE_KEYS and key not in _LEFT_BEHIND]
    which = "the message" if number is None else where
    if unknown:
        raise InvalidInputError(_unknown(unknown, message, which))
    if "content" not in message:
        return Item(refused=f"{which} has no 'content'")
    try:
        content = check_content(where, _words_of(message.get("content")))
    except InvalidInputError as error:
        return Item(refused=str(error))
    return _item(content, message, "the message's" if number is None else where, defaults, number=number)


def _unknown(keys: Sequence[object], message: Mapping[str, object], where: str) -> str:
    """What to do about the unknown keys of a message."""
    shown = keys[:_KEYS_SHOWN]
    guessed = [_GUESSED_KEYS.get(str(key)) for key in shown]
    instead = [
        f"give it to the call: add(..., {key}=...)"
        if key in _OF_THE_CALL
        else (f"call it {right!r}" if right and right not in message else "put it into its 'metadata'")
        for key, right in zip(shown, guessed, strict=True)
    ]
    told = "; ".join(f"{as_given(key)}: {todo}" for key, todo in zip(shown, instead, strict=True))
    said = f"key {as_given(shown[0])}; {instead[0]}" if len(keys) == 1 else f"keys {told}"
    return f"{where} has the unknown {said} (known: {', '.join(MESSAGE_KEYS)})"


def _item(
    content: str, message: Mapping[str, object], where: str, defaults: Defaults, *, number: int | None
) -> Item:
    timestamp = if_given(check_time, f"{where} timestamp", message.get("timestamp"))
    valid_until = if_given(check_time, f"{where} valid_until", message.get("valid_until"))
    metadata = check_metadata(f"{where} metadata", message.get("metadata"))
    return Item(
        content=content,
        role=_role(check_name(f"{where} role", message.get("role", _typed(message)))),
        speaker=check_name(f"{where} name", message.get("name")),
        happened_at=timestamp or defaults.timestamp,
        valid_until=valid_until or defaults.valid_until,
        kind=check_kind(f"{where} kind", message.get("kind", defaults.kind)),
        tier=check_tier(f"{where} tier", message.get("tier", TIER)),
        metadata={**defaults.metadata, **metadata},
        worth=_worth(message, where),
        rated="importance" in message,
        labels=_labels(message, where),
        idempotency_key=_idempotency_key(message.get("idempotency_key"), where, defaults, number),
    )


def _words_of(content: object) -> object:
    """The texts among the parts of a content, as OpenAI's messages have them; any other content as it is."""
    if not isinstance(content, list) or not all(isinstance(part, (str, Mapping)) for part in content):
        return content
    texts = [part if isinstance(part, str) else part.get("text") for part in content if _is_text(part)]
    return "\n".join(str(text) for text in texts if text is not None)


def _is_text(part: str | Mapping[str, object]) -> bool:
    return isinstance(part, str) or part.get("type") in _TEXT_PARTS


def _is_message(value: object) -> bool:
    """Whether something is a message object of a chat library."""
    return hasattr(value, "content") and (hasattr(value, "type") or hasattr(value, "role"))


def _fields_of(message: object) -> dict[str, object]:
    """What is read of a message object; a field that it leaves empty says nothing."""
    read = {name: getattr(message, name, None) for name in ("content", "role", "type", "name")}
    return {name: value for name, value in read.items() if value is not None}


def _typed(message: Mapping[str, object]) -> object:
    """The role of a message that says it by its type; None where it does not."""
    kind = message.get("type")
    return kind if kind in _TYPES else None


def _role(given: str | None) -> str:
    role = (given or "user").strip().lower()
    return _ROLES.get(role, role)


def _worth(message: Mapping[str, object], where: str) -> Worth:
    if message.keys().isdisjoint(("importance", "confidence", "critical", "priority")):
        return _USUAL_WORTH
    priority = message.get("priority")
    return Worth(
        importance=check_share(f"{where} importance", message.get("importance", 0.5)),
        confidence=check_share(f"{where} confidence", message.get("confidence", 1.0)),
        critical=check_bool(f"{where} critical", message.get("critical", False)),
        priority=if_given(check_priority, f"{where} priority", priority),
    )


def _labels(message: Mapping[str, object], where: str) -> MemoryLabels:
    if message.keys().isdisjoint(("tags", "concepts", "category")):
        return _UNLABELLED
    return MemoryLabels(
        concepts=read_concepts(f"{where} concepts", message.get("concepts", ())),
        tags=read_tags(f"{where} tags", message["tags"]) if "tags" in message else (),
        category=check_name(f"{where} category", message.get("category")),
    )


def _idempotency_key(given: object, where: str, defaults: Defaults, number: int | None) -> str | None:
    if given is not None:
        return check_key(f"{where} idempotency_key", given)
    if defaults.idempotency_key is None or number is None:
        return defaults.idempotency_key
    return f"{defaults.idempotency_key}{_PLACE.format(number)}"


def read_concepts(where: str, value: object) -> tuple[str, ...]:
    """Concepts that a caller set, each once."""
    return _not_too_many(where, tuple(dict.fromkeys(check_names(where, value))))


def _not_too_many(where: str, labels: tuple[_Label, ...]) -> tuple[_Label, ...]:
    if len(labels) > MAX_LABELS:
        raise InvalidInputError(f"{where} has {len(labels):,} entries; give at most {MAX_LABELS}")
    return labels


def read_tags(where: str, value: object) -> tuple[Tag, ...]:
    """Tags that a caller set: approved, and sure."""
    if isinstance(value, (str, bytes, bytearray)) or not isinstance(value, Sequence):
        raise InvalidInputError(f"{where} must be a list of texts, not {type(value).__name__}")
    if None in value:
        raise InvalidInputError(f"{where} contains None; leave it out")
    texts = [check_name(f"{where}[{place}]", tag) for place, tag in enumerate(value)]
    tags = tuple(Tag(text=text, approved=True) for text in dict.fromkeys(texts) if text is not None)
    return _not_too_many(where, tags)


def _screened(items: Sequence[Item], screen: Screen) -> list[Item]:
    """The items, those that are not refused yet with what became of their words."""
    screened = iter(screen.all([item.content for item in items if not item.refused]))
    return [item if item.refused else _with(item, next(screened)) for item in items]


def _with(item: Item, screened: Screened) -> Item:
    if screened.refused:
        return Item(refused=screened.refused)
    if screened.redacted is None and screened.text == item.content:
        return item
    return replace(item, content=screened.text, redacted=screened.redacted)
