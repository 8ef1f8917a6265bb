"""Reading the JSON out of what a model said."""

import json
import re
from collections.abc import Iterator
from math import isfinite
from typing import Final, NoReturn

from recollect.errors import ModelAnswerError
from recollect.types import JSON
from recollect.types.regex import lazy_regex

_THOUGHTS: Final = lazy_regex(r"\A.*</think(?:ing)?>", re.DOTALL)
_OPENING: Final = lazy_regex(r"[{\[]")
_MEANT_AS_JSON: Final = lazy_regex(r'(?:\[\s*)?\{\s*"')
_STRING: Final = r'"[^"\\]*(?:\\.[^"\\]*)*"'
_STRING_OR_TRAILING_COMMA: Final = lazy_regex(rf"({_STRING})|,(?=\s*[}}\]])", re.DOTALL)
_STRING_OR_BRACKET: Final = lazy_regex(rf"{_STRING}|[{{}}\[\]]", re.DOTALL)
_MOST_STARTS: Final = 64
"""Brackets at which JSON is looked for, so that a text of brackets takes no time. Chosen by hand."""
_SHOWN: Final = 80
"""Characters of an answer shown in an error. Chosen by hand."""


def parse_json(text: str) -> JSON:
    r"""The JSON in a model's answer.

    The whole answer when it is JSON. Otherwise the longest object or list in it, the first of equal
    ones: around it may be thoughts (``<think>``), prose and code fences; before closing brackets may
    be a comma too many, and in strings line breaks. An object that is broken or was cut off is not
    mended, nor searched for whole parts: half an answer is no answer.

    Args:
        text: What the model said.

    Raises:
        ModelAnswerError: There is no JSON in it.

    >>> parse_json('Sure!\n```json\n{"likes": ["tea", "ferries",],}\n```\nAnything else?')
    {'likes': ['tea', 'ferries']}
    """
    said = _THOUGHTS.sub("", text, count=1)
    for whole in (text.strip(), said.strip()):
        found = _value(whole)
        if found is not None and found[1] == len(whole):
            return found[0]
    longest = max(_values(said), key=lambda found: found[1], default=None)
    if longest is None:
        raise ModelAnswerError(f"the model's answer is not complete JSON: {_excerpt(text)}")
    return longest[0]


def _values(text: str) -> Iterator[tuple[JSON, int]]:
    """Objects and lists that stand in a text, outermost only, and how long each is."""
    start = 0
    for _ in range(_MOST_STARTS):
        opening = _OPENING.search(text, start)
        if opening is None:
            return
        rest = text[opening.start() :]
        found = _value(rest) or _value(_without_trailing_commas(rest))
        if found is not None:
            yield found
            start = opening.start() + found[1]
        else:
            start = opening.start() + (_balanced(rest) if _MEANT_AS_JSON.match(rest) else 1)


def _value(text: str) -> tuple[JSON, int] | None:
    """The value a text begins with, and its length; None when it begins with none."""
    try:
        return _DECODER.raw_decode(text)
    except (ValueError, RecursionError):
        return None


def _balanced(text: str) -> int:
    """How far it is to the bracket that closes the first one; all the way when none does."""
    depth = 0
    for found in _STRING_OR_BRACKET.finditer(text):
        depth += {"{": 1, "[": 1, "}": -1, "]": -1}.get(found[0], 0)
        if depth == 0:
            return found.end()
    return len(text)


def _without_trailing_commas(text: str) -> str:
    return _STRING_OR_TRAILING_COMMA.sub(lambda found: found[1] or "", text)


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")


def _finite(number: str) -> float:
    value = float(number)
    return value if isfinite(value) else _refuse(number)


_DECODER: Final = json.JSONDecoder(strict=False, parse_constant=_refuse, parse_float=_finite)


def _excerpt(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else f"{line[:_SHOWN]}…"
