"""Tools of an MCP server that refuse what they do not know.

The SDK drops unknown arguments silently: a misspelt one would change what is asked without a word, and a
model that names a user would believe to have searched that user's memories.
"""

from collections.abc import Awaitable, Callable
from typing import Any, Final, Self

from mcp.server.mcpserver.tools import Tool
from mcp.server.mcpserver.utilities.func_metadata import ArgModelBase
from mcp.types import ToolAnnotations
from pydantic import ConfigDict, ModelWrapValidatorHandler, ValidationError, create_model, model_validator

_NAMED: Final = 3
_SHOWN: Final = 40
"""Unknown arguments an error names, and how much of a name it shows. Chosen by hand."""


class _Strict(ArgModelBase):
    """Arguments of a tool, all of them known to it. An error names a few faults and repeats no value."""

    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)

    @model_validator(mode="before")
    @classmethod
    def _knows(cls, given: Any) -> Any:
        if not isinstance(given, dict):
            return given
        known = {field.alias or name for name, field in cls.model_fields.items()}
        unknown = [str(name)[:_SHOWN] for name in given if name not in known]
        if unknown:
            named = ", ".join(map(repr, unknown[:_NAMED]))
            raise ValueError(f"unknown arguments: {named}; known are: {', '.join(sorted(known)) or 'none'}")
        return given

    @model_validator(mode="wrap")
    @classmethod
    def _told(cls, given: Any, read: ModelWrapValidatorHandler[Self]) -> Self:
        try:
            return read(given)
        except ValidationError as error:
            if error.error_count() <= _NAMED:
                raise
            told = [f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors()[:_NAMED]]
            raise ValueError("; ".join([*told, f"{error.error_count() - _NAMED:,} more"])) from None


def strict_tool(call: Callable[..., Awaitable[Any]], *, title: str, hints: ToolAnnotations) -> Tool:
    """The tool that a function is, which takes the function's arguments and no others."""
    tool = Tool.from_function(call, title=title, annotations=hints)
    lenient = tool.fn_metadata.arg_model
    strict = create_model(lenient.__name__, __base__=(_Strict, lenient))
    tool.fn_metadata.arg_model = strict
    tool.parameters = strict.model_json_schema(by_alias=True)
    return tool
