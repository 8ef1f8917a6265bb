"""MCP tools that reject unknown arguments and answer in text alone.

The SDK drops unknown arguments silently: a misspelt one would change the request without an error, and a
model that passes a user id would believe it had searched that user's memories.
"""

from collections.abc import Awaitable, Callable
from inspect import cleandoc
from typing import Any, Final

from mcp.server.mcpserver.exceptions import ToolError, UnexpectedToolError
from mcp.server.mcpserver.tools import Tool
from mcp.server.mcpserver.utilities.func_metadata import ArgModelBase
from mcp.types import ToolAnnotations
from pydantic import ConfigDict, ValidationError, create_model, model_validator
from pydantic_core import ErrorDetails

from recollect.types.guesses import instead_of

_NAMED: Final = 3
_SHOWN: Final = 40
"""Wrong arguments an error names, and how much of a name it shows. Chosen by hand."""
_SCOPE: Final = frozenset({"user_id", "agent_id", "session_id"})
_FIXED: Final = "this server was started for one user: leave it out"


class _Strict(ArgModelBase):
    """Arguments of a tool; an unknown one is an error that names the right one. No value is repeated."""

    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)

    @model_validator(mode="before")
    @classmethod
    def _reject_unknown(cls, given: Any) -> Any:
        if not isinstance(given, dict):
            return given
        known = [field.alias or name for name, field in cls.model_fields.items()]
        unknown = next((str(name)[:_SHOWN] for name in given if name not in known), None)
        if unknown is not None:
            instead = _FIXED if unknown in _SCOPE else instead_of(unknown, known)
            raise ValueError(f"no argument {unknown!r}; {instead}")
        return given


class _StrictTool(Tool):
    """A tool with one-line errors, without links to pydantic's documentation."""

    async def run(self, *args: Any, **settings: Any) -> Any:
        try:
            return await super().run(*args, **settings)
        except UnexpectedToolError:
            raise
        except ToolError as error:
            cause = error.__cause__ or error
            said = _describe(cause) if isinstance(cause, ValidationError) else str(cause)
            raise ToolError(f"{self.name}: {said}") from cause


def _describe(error: ValidationError) -> str:
    """Name the first invalid arguments, and what was expected."""
    faults = error.errors()
    more = [f"{len(faults) - _NAMED:,} more"] if len(faults) > _NAMED else []
    return "; ".join([*map(_describe_one, faults[:_NAMED]), *more])


def _describe_one(fault: ErrorDetails) -> str:
    place = ": ".join(map(str, fault["loc"]))
    if fault["type"] == "missing":
        return f"needs {place}"
    return ": ".join(filter(None, [place, fault["msg"].removeprefix("Value error, ")]))


def strict_tool(call: Callable[..., Awaitable[Any]], *, title: str, hints: ToolAnnotations) -> Tool:
    """Make a tool of a function that returns text; it accepts only the function's arguments."""
    about = cleandoc(call.__doc__ or "")
    tool = _StrictTool.from_function(
        call, title=title, description=about, annotations=hints, structured_output=False
    )
    lenient = tool.fn_metadata.arg_model
    strict = create_model(lenient.__name__, __base__=(_Strict, lenient))
    tool.fn_metadata.arg_model = strict
    tool.parameters = _untitled(strict.model_json_schema(by_alias=True))
    return tool


def _untitled(schema: Any) -> Any:
    """A JSON schema without pydantic's titles, which repeat the names."""
    if isinstance(schema, list):
        return [_untitled(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    kept = (name for name, part in schema.items() if name != "title" or isinstance(part, dict))
    return {name: _untitled(schema[name]) for name in kept}
