"""MCP tools that reject unknown arguments.

The SDK drops unknown arguments silently: a misspelt one would change the request without an error, and a
model that passes a user id would believe it had searched that user's memories.
"""

from collections.abc import Awaitable, Callable
from typing import Any, Final

from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.tools import Tool
from mcp.server.mcpserver.utilities.func_metadata import ArgModelBase
from mcp.types import ToolAnnotations
from pydantic import ConfigDict, ValidationError, create_model, model_validator

_NAMED: Final = 3
_SHOWN: Final = 40
"""Unknown arguments an error names, and how much of a name it shows. Chosen by hand."""


class _Strict(ArgModelBase):
    """Arguments of a tool; unknown ones are errors. An error names the first faults and repeats no value."""

    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)

    @model_validator(mode="before")
    @classmethod
    def _reject_unknown(cls, given: Any) -> Any:
        if not isinstance(given, dict):
            return given
        known = {field.alias or name for name, field in cls.model_fields.items()}
        unknown = [str(name)[:_SHOWN] for name in given if name not in known]
        if unknown:
            named = ", ".join(map(repr, unknown[:_NAMED]))
            raise ValueError(f"unknown arguments: {named}; known are: {', '.join(sorted(known)) or 'none'}")
        return given


class _StrictTool(Tool):
    """A tool with one-line errors, without links to pydantic's documentation."""

    async def run(self, *args: Any, **settings: Any) -> Any:
        try:
            return await super().run(*args, **settings)
        except ToolError as error:
            if not isinstance(error.__cause__, ValidationError):
                raise
            raise ToolError(f"{self.name}: {_describe(error.__cause__)}") from error.__cause__


def _describe(error: ValidationError) -> str:
    """Name the first invalid arguments, and what was expected."""
    faults = error.errors()
    named = [
        ": ".join([*map(str, fault["loc"]), fault["msg"].removeprefix("Value error, ")])
        for fault in faults[:_NAMED]
    ]
    more = [f"{len(faults) - _NAMED:,} more"] if len(faults) > _NAMED else []
    return "; ".join([*named, *more])


def strict_tool(call: Callable[..., Awaitable[Any]], *, title: str, hints: ToolAnnotations) -> Tool:
    """Make a tool of a function; it accepts only the function's arguments."""
    tool = _StrictTool.from_function(call, title=title, annotations=hints)
    lenient = tool.fn_metadata.arg_model
    strict = create_model(lenient.__name__, __base__=(_Strict, lenient))
    tool.fn_metadata.arg_model = strict
    tool.parameters = strict.model_json_schema(by_alias=True)
    return tool
