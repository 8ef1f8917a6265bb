"""What is sent to a PostgreSQL server."""

from typing import Any

import psycopg
import pytest


def recorded(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Any]]:
    """Every statement that is sent from now on, with what is bound."""
    statements: list[tuple[str, Any]] = []
    for name in ("execute", "executemany"):
        original = getattr(psycopg.Cursor, name)

        def record(self, query, values=None, *, _many=name == "executemany", _original=original, **options):
            text = query.decode() if isinstance(query, bytes) else query
            statements.append((text, values[0] if _many else values))
            return _original(self, query, values, **options)

        monkeypatch.setattr(psycopg.Cursor, name, record)
    return statements
