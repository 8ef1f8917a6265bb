"""Server-sent events: answers that come piece by piece."""

import json
from typing import Any, Final

from recollect.server.problems import ProblemError, describe, refusal

EVENTS: Final = "text/event-stream"


def event_schema(*names: str, data: str) -> dict[str, Any]:
    """The OpenAPI schema of events with these names."""
    return {
        "type": "object",
        "required": ["event", "data"],
        "properties": {
            "event": {"type": "string", "enum": list(names)},
            "data": {"type": "string", "description": data},
        },
    }


def event(name: str, data: object) -> str:
    """One event, its data as JSON."""
    return f"event: {name}\ndata: {json.dumps(data)}\n\n"


def problem_of(error: Exception, *, request_id: str | None) -> dict[str, Any]:
    """The problem that ends events that failed."""
    tell = refusal if isinstance(error, ProblemError) else describe
    return tell(error, request_id=request_id)
