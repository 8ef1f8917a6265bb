"""Hermes Agent: ``RecollectMemoryProvider``, its external memory. It runs in Hermes' own environment."""

import json
from collections.abc import Callable, Mapping
from inspect import cleandoc
from os import PathLike
from typing import Any, Final

from agent.memory_provider import MemoryProvider

from recollect import Memory
from recollect.errors import RecollectError
from recollect.integrations.conversation import Conversation, DialogueTurn
from recollect.integrations.tools import MemoryTools
from recollect.types.guesses import corrects_arguments

_PROMPT: Final = (
    "You have a long-term memory of this user. What fits a message is recalled before you answer; "
    "search_memory looks up more, add_memory notes what must not be forgotten."
)
_TOOLS: Final[Mapping[str, Callable[..., object]]] = {
    "search_memory": MemoryTools.search_memory,
    "add_memory": MemoryTools.add_memory,
}
_ARGUMENTS: Final = {"search_memory": "query", "add_memory": "statement"}


@corrects_arguments()
class RecollectMemoryProvider(MemoryProvider):
    """Recalls before each call of the model, and stores each turn of the primary agent.

    Args:
        user_id: The owner. A user who writes through a gateway is ``platform:user``, such as
            ``telegram:4711``, and has a memory apart.
        store: The path or URL of the store; by default that of the command ``recollect``.
    """

    def __init__(self, *, user_id: str, store: str | PathLike[str] | None = None) -> None:
        self._owner = user_id
        self._store = store
        self._conversation: Conversation | None = None
        self._writes = True

    @property
    def name(self) -> str:
        """What ``memory.provider`` in Hermes' configuration calls it."""
        return "recollect"

    def is_available(self) -> bool:
        """It needs no key and no server."""
        return True

    def initialize(self, session_id: str, **kwargs: Any) -> None:
        """Open the memory for a session; ``kwargs`` are Hermes' own."""
        person = kwargs.get("user_id")
        user = f"{kwargs.get('platform', 'gateway')}:{person}" if person else self._owner
        self._writes = kwargs.get("agent_context", "primary") == "primary"
        self.shutdown()
        self._conversation = Conversation(memory=Memory(self._store), user_id=user, session_id=session_id)

    def shutdown(self) -> None:
        """Close the memory."""
        if self._conversation is not None:
            self._conversation.memory.close()
        self._conversation = None

    def system_prompt_block(self) -> str:
        """What the model is told about its memory."""
        return _PROMPT

    def prefetch(self, query: str, *, session_id: str = "") -> str:
        """What is known about a message; what the session itself says is left out."""
        found = self._beside(session_id)
        return "" if found is None else found.context(query)

    def sync_turn(
        self,
        user_content: str,
        assistant_content: str,
        *,
        session_id: str = "",
        messages: list[dict[str, Any]] | None = None,  # noqa: ARG002 - Hermes' signature
    ) -> None:
        """Store a turn; those of subagents and of scheduled runs are left out."""
        found = self._beside(session_id)
        if found is not None and self._writes:
            turns = (("user", user_content), ("assistant", assistant_content))
            found.remember(DialogueTurn(role=role, text=text) for role, text in turns)

    def on_session_switch(self, new_session_id: str, **_: Any) -> None:
        """Go on in another session."""
        self._conversation = self._beside(new_session_id)

    def get_tool_schemas(self) -> list[dict[str, Any]]:
        """The tools ``search_memory`` and ``add_memory``."""
        return [_schema(name) for name in _TOOLS]

    def handle_tool_call(self, tool_name: str, args: dict[str, Any], **_: Any) -> str:
        """Run a tool; what goes wrong is in the answer, which the model reads."""
        found = self._beside("")
        text = args.get(_ARGUMENTS.get(tool_name, ""))
        if found is None or not isinstance(text, str):
            return json.dumps({"error": f"{tool_name} needs {_ARGUMENTS.get(tool_name, 'a known name')}"})
        if tool_name == "add_memory" and not self._writes:
            return json.dumps({"error": "only the primary agent adds memories"})
        tools = MemoryTools(found.memory, user_id=found.user_id)
        try:
            return json.dumps({"result": getattr(tools, tool_name)(text)}, ensure_ascii=False)
        except RecollectError as error:
            return json.dumps({"error": str(error)})

    def _beside(self, session_id: str) -> Conversation | None:
        known = self._conversation
        return known.in_session(session_id) if known is not None and session_id else known


def _schema(name: str) -> dict[str, Any]:
    told, _, arguments = cleandoc(_TOOLS[name].__doc__ or "").partition("\n\nArgs:\n")
    argument = _ARGUMENTS[name]
    about = arguments.strip().removeprefix(f"{argument}: ")
    return {
        "name": name,
        "description": told,
        "parameters": {
            "type": "object",
            "properties": {argument: {"type": "string", "description": about}},
            "required": [argument],
        },
    }
