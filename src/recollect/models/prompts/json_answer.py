"""Asking for JSON in words, of servers that cannot hold a model to a schema."""

import json
from collections.abc import Mapping
from typing import Final

from recollect.types import JSON

PROMPT_ID: Final = "json-answer/1"
"""The prompt and its version; a change of its words raises the version."""


def json_answer(schema: Mapping[str, JSON]) -> str:
    """What is put below the last message.

    >>> print(json_answer({"type": "object"}))
    Answer with JSON only, without a word or a code fence around it. It must fit this JSON schema:
    {"type": "object"}
    """
    return (
        "Answer with JSON only, without a word or a code fence around it. "
        f"It must fit this JSON schema:\n{json.dumps(schema, ensure_ascii=False)}"
    )
