"""OpenCode's database: messages and their parts, of which texts are what was said.

========================================  =====================================================
row of ``part``                           what becomes of it
========================================  =====================================================
``type`` ``text``                         a message under the part's id
``synthetic`` or ``ignored``              left out: the host wrote it
other types: tools, reasoning, snapshots  left out
of a session with a ``parent_id``         left out: a sub-agent's conversation
an answer without an end                  waits, and what comes after it
========================================  =====================================================
"""

import json
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from recollect.integrations.hosts.transcripts import Format, Utterance, shortened

_ROWS: Final = 5_000
"""Parts read at a time. Chosen by hand."""
_ROLES: Final = ("user", "assistant")
_PARTS: Final = """
SELECT p.rowid, p.id, p.session_id, p.time_created, p.data, m.data, s.directory, s.parent_id
FROM part AS p JOIN message AS m ON m.id = p.message_id JOIN session AS s ON s.id = p.session_id
WHERE p.rowid > ? ORDER BY p.rowid LIMIT ?"""


def read(path: str, offset: int) -> tuple[list[Utterance], int]:
    """See ``Format``; the offset is that of a row. Another kind of file says nothing."""
    try:
        with closing(sqlite3.connect(f"{Path(path).absolute().as_uri()}?mode=ro", uri=True)) as db:
            rows = db.execute(_PARTS, (offset, _ROWS)).fetchall()
    except sqlite3.DatabaseError:
        return [], offset
    said: list[Utterance] = []
    for number, name, session, created, data, about, folder, parent in rows:
        part, role = _object(data), _object(about).get("role")
        times = part.get("time")
        if (
            role == "assistant"
            and part.get("type") == "text"
            and not (isinstance(times, dict) and times.get("end"))
        ):
            break
        offset = number
        words = part.get("text")
        left_out = parent or part.get("type") != "text" or part.get("synthetic") or part.get("ignored")
        if left_out or role not in _ROLES or not isinstance(words, str) or not words.strip():
            continue
        at = datetime.fromtimestamp(created / 1_000, UTC).isoformat()
        content = shortened(words.strip())
        said.append(Utterance(id=name, session=session, role=role, content=content, at=at, folder=folder))
    return said, offset


def _object(text: str) -> dict[str, Any]:
    try:
        read_ = json.loads(text)
    except (ValueError, RecursionError, TypeError):
        return {}
    return read_ if isinstance(read_, dict) else {}


FORMAT: Final = Format(patterns=("opencode*.db",), read=read)
