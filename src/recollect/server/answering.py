"""Answers as JSON, written by pydantic's own writer: a third of the time of the standard library's."""

from typing import Any

from fastapi.responses import JSONResponse
from pydantic_core import to_json


class Answer(JSONResponse):
    """Plain JSON values. They are checked nowhere again: the tests compare answers with the OpenAPI."""

    def render(self, content: Any) -> bytes:
        """The body; a number that JSON has not got is null."""
        return to_json(content, inf_nan_mode="null")
