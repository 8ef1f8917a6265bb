"""Semem's own JSON file, ``{"shortTermMemory": [...], "longTermMemory": [...]}``."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from os import PathLike
from typing import IO, Any, Final

from recollect.checks import check_names, check_path
from recollect.errors import InvalidInputError, as_given
from recollect.presets.semem.interaction import Interaction, MemoryType
from recollect.types.regex import lazy_regex

_LISTS: Final[Mapping[str, MemoryType]] = {"shortTermMemory": "short-term", "longTermMemory": "long-term"}
_BEGINNING: Final = lazy_regex(r'\s*\{\s*"(?:short|long)TermMemory"\s*:')
_MS: Final = 1_000.0
_LAST_MS: Final = 253_402_300_799_999
"""The last millisecond of the year 9999."""

_MOST_FACTOR: Final = 1e308
"""Semem's factors have no bounds; this is what a double holds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileInteraction:
    """An interaction as a file of Semem has it; the vector in it is made by another embedder and not read.

    Attributes:
        accessed_at: When it was last accessed; aware.
        access_count: At least 1.
        concepts: None where the file names none.
    """

    id: str
    prompt: str
    output: str
    accessed_at: datetime
    access_count: int
    concepts: tuple[str, ...] | None
    decay_factor: float
    memory_type: MemoryType


def is_semem(beginning: str) -> bool:
    """Whether a file that begins so is one of Semem.

    >>> is_semem('{"shortTermMemory": ['), is_semem('{"messages": [')
    (True, False)
    """
    return _BEGINNING.match(beginning) is not None


def read_interactions(source: str | PathLike[str] | IO[str]) -> list[FileInteraction]:
    """Read a file of Semem, or one open for reading text.

    Raises:
        InvalidInputError: It cannot be read, or is none; the message names the wrong interaction and field.
    """
    try:
        if isinstance(source, (str, PathLike)):
            kept = json.loads(check_path("source", source).read_text("utf-8-sig"))
        else:
            kept = json.load(source)
            source = "the file"
    except OSError as error:
        raise InvalidInputError(f"{source} cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise InvalidInputError(f"{source} is not JSON: {error}") from None
    if not isinstance(kept, Mapping) or not any(name in kept for name in _LISTS):
        raise InvalidInputError(f"{source} has no {' and no '.join(_LISTS)}, so it is no file of Semem")
    return [one for name, kind in _LISTS.items() for one in _in_list(kept.get(name, []), name, kind)]


def _in_list(given: object, name: str, kind: MemoryType) -> Iterator[FileInteraction]:
    if not isinstance(given, list):
        raise InvalidInputError(f"{name} must be a list, not {as_given(given)}")
    for place, one in enumerate(given):
        yield _interaction(one, f"{name}[{place}]", kind)


def _interaction(given: object, where: str, kind: MemoryType) -> FileInteraction:
    if not isinstance(given, Mapping):
        raise InvalidInputError(f"{where} must be an object, not {as_given(given)}")
    concepts = given.get("concepts")
    return FileInteraction(
        id=_text(given, "id", where),
        prompt=_text(given, "prompt", where),
        output=_text({"output": ""} | dict(given), "output", where),
        accessed_at=datetime.fromtimestamp(_number(given, "timestamp", where, 0, _LAST_MS) / _MS, UTC),
        access_count=int(_number({"accessCount": 1} | dict(given), "accessCount", where, 1, 1 << 31)),
        concepts=check_names(f"{where}.concepts", concepts) if concepts else None,
        decay_factor=_number({"decayFactor": 1.0} | dict(given), "decayFactor", where, 0, _MOST_FACTOR),
        memory_type=kind,
    )


def _text(given: Mapping[str, Any], name: str, where: str) -> str:
    value = given.get(name)
    if not isinstance(value, str) or not (value.strip() or name == "output"):
        raise InvalidInputError(f"{where}.{name} must be a text, not {as_given(value)}")
    return value


def _number(given: Mapping[str, Any], name: str, where: str, least: float, most: float) -> float:
    value = given.get(name)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not least <= value <= most:
        raise InvalidInputError(
            f"{where}.{name} must be a number from {least} to {most}, not {as_given(value)}"
        )
    return float(value)


def write_interactions(
    target: str | PathLike[str], short_term: Sequence[Interaction], long_term: Sequence[Interaction]
) -> int:
    """Write a new file of Semem; returns how many interactions.

    Raises:
        InvalidInputError: The file exists already, or cannot be made.
    """
    lists = {"shortTermMemory": short_term, "longTermMemory": long_term}
    text = json.dumps({name: list(map(_written, some)) for name, some in lists.items()}, ensure_ascii=False)
    try:
        with check_path("target", target).open("x", encoding="utf-8") as out:
            out.write(text)
    except FileExistsError:
        raise InvalidInputError(f"{target} exists; name a new file") from None
    except OSError as error:
        raise InvalidInputError(f"{target} cannot be written: {error.strerror}") from error
    return sum(map(len, lists.values()))


def _written(one: Interaction) -> dict[str, object]:
    return {
        "id": one.id,
        "prompt": one.prompt,
        "output": one.output,
        "embedding": one.embedding.tolist(),
        "timestamp": round(one.timestamp.timestamp() * _MS),
        "accessCount": one.access_count,
        "concepts": list(one.concepts),
        "decayFactor": one.decay_factor,
    }
