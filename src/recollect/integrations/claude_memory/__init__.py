"""The Claude API's memory tool, over a virtual tree of files in a user's memory."""

import asyncio
from typing import Any, Final

from recollect import Memory
from recollect.errors import InvalidInputError
from recollect.integrations.claude_memory.commands import FileCommands
from recollect.types.extras import package_of
from recollect.types.guesses import corrects_arguments

with package_of("anthropic", "anthropic.tools.memory", feature="the memory tool"):
    from anthropic.lib.tools import ToolError
    from anthropic.tools.memory import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool

__all__ = ["AsyncRecollectMemoryTool", "RecollectMemoryTool"]

_CLEARED: Final = "All memory cleared"


@corrects_arguments()
class RecollectMemoryTool(BetaAbstractMemoryTool):
    """Memory for ``client.beta.messages.tool_runner(tools=[...])``; see ``FileCommands`` for what it does.

    Args:
        memory: Where the files are kept.
        user_id: Whose they are.
        cache_control: As in the class of Anthropic's package.
    """

    def __init__(self, memory: Memory, *, user_id: str, cache_control: Any = None) -> None:
        super().__init__(cache_control=cache_control)
        self._commands = FileCommands(memory, user_id=user_id)

    def execute(self, command: Any) -> str:
        """Run a command; what goes wrong is a ``ToolError``, which the model reads."""
        try:
            return self._commands.run(command)
        except InvalidInputError as error:
            raise ToolError(str(error)) from error

    view = create = str_replace = insert = delete = rename = execute

    def clear_all_memory(self) -> str:
        """Delete all files."""
        self._commands.clear()
        return _CLEARED


@corrects_arguments()
class AsyncRecollectMemoryTool(BetaAsyncAbstractMemoryTool):
    """The same for async clients; the arguments are those of ``RecollectMemoryTool``."""

    def __init__(self, memory: Memory, *, user_id: str, cache_control: Any = None) -> None:
        super().__init__(cache_control=cache_control)
        self._tool = RecollectMemoryTool(memory, user_id=user_id)

    async def execute(self, command: Any) -> str:
        """Run a command in a thread."""
        return await asyncio.to_thread(self._tool.execute, command)

    view = create = str_replace = insert = delete = rename = execute

    async def clear_all_memory(self) -> str:
        """Delete all files."""
        return await asyncio.to_thread(self._tool.clear_all_memory)
