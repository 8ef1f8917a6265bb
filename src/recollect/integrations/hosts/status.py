"""What is installed where, and when it last captured."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from recollect.errors import InvalidInputError
from recollect.integrations.hosts import folder as places
from recollect.integrations.hosts.catalog import HOSTS, Host
from recollect.integrations.hosts.installer import folder_of, home_of, is_installed


@dataclass(frozen=True, slots=True, kw_only=True)
class HostStatus:
    """How things are with a host.

    Attributes:
        host: Its name.
        title: What people call it.
        state: ``installed``, ``not installed``, ``incomplete`` when what it got is missing or other than it
            would be written now, or ``unreadable`` when its settings are.
        settings: The file with its hooks, its MCP servers or our plugin.
        user_id: Whose memory it was installed for.
        db: Which memory.
        last_capture: When its hooks last captured something; None when they never did.
        waiting: Captures that are not in the memory yet.
        refused: Captures that no memory takes.
        last_error: The latest line of its log of errors.
    """

    host: str
    title: str
    state: str
    settings: str
    user_id: str | None
    db: str | None
    last_capture: datetime | None
    waiting: int
    refused: int
    last_error: str | None


def statuses(environ: Mapping[str, str]) -> list[HostStatus]:
    """The status of every known host."""
    return [_status(host, environ) for host in HOSTS.values()]


def _status(host: Host, environ: Mapping[str, str]) -> HostStatus:
    folder = str(folder_of(host))
    known = places.installed_in(folder) or {}
    return HostStatus(
        host=host.name,
        title=host.title,
        state=_state(host, environ, recorded=bool(known)),
        settings=str(home_of(host, environ) / (host.hooks_file or host.mcp_file or host.plugin)),
        user_id=known.get("user_id"),
        db=known.get("db"),
        last_capture=_time_of(os.path.join(folder, places.CAPTURED)),
        waiting=len(places.spooled(folder)),
        refused=len(list(places.files_in(os.path.join(folder, places.REFUSED)))),
        last_error=next(_last_lines(os.path.join(folder, places.ERRORS)), None),
    )


def _state(host: Host, environ: Mapping[str, str], *, recorded: bool) -> str:
    try:
        found = is_installed(host, environ)
    except (InvalidInputError, OSError):
        return "unreadable"
    if found and recorded:
        return "installed"
    return "incomplete" if found or recorded else "not installed"


def _time_of(path: str) -> datetime | None:
    try:
        return datetime.fromtimestamp(os.path.getmtime(path), UTC)
    except FileNotFoundError:
        return None


def _last_lines(path: str) -> Iterator[str]:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            yield from reversed(file.read().splitlines())
    except FileNotFoundError:
        return
