"""What ``Memory.export`` writes beside its own format: a folder of Markdown, JSON of others, a card."""

from collections.abc import Callable, Mapping
from os import PathLike
from typing import IO, Final, Literal, get_args

from recollect.errors import InvalidInputError, as_given
from recollect.memory.exports.card import write_card
from recollect.memory.exports.folder import write_folders
from recollect.memory.exports.mem0 import write_mem0
from recollect.memory.exports.server_memory import write_server_memory
from recollect.memory.maintenance.transfer import export_to, write_to
from recollect.memory.parts import Parts
from recollect.types import Scope

ExportFormat = Literal["lines", "markdown", "mem0", "server-memory", "card"]
"""How an export is written."""
EXPORT_FORMATS: Final[tuple[ExportFormat, ...]] = get_args(ExportFormat)
_WRITERS: Final[Mapping[str, Callable[[Parts, list[Scope], IO[str]], int]]] = {
    "mem0": write_mem0,
    "server-memory": write_server_memory,
    "card": write_card,
}
OF_ONE: Final = ("server-memory", "card")
"""The formats that have no users in them."""


def check_format(value: object) -> ExportFormat:
    """One of the formats."""
    for known in EXPORT_FORMATS:
        if value == known:
            return known
    raise InvalidInputError(f"format must be one of {', '.join(EXPORT_FORMATS)}, not {as_given(value)}")


def export_as(
    parts: Parts, target: str | PathLike[str] | IO[str], *, user_id: str | None, form: ExportFormat
) -> int:
    """Export in a format; see ``Memory.export``."""
    check_format(form)
    users = parts.known_users() if user_id is None else [parts.scope(user_id).user_id]
    if form in OF_ONE and len(users) != 1:
        raise InvalidInputError(f"{form} is about one user, and here are {len(users)}; name one with user_id")
    if form == "markdown":
        if not isinstance(target, (str, PathLike)):
            raise InvalidInputError(f"markdown is written into a folder, not {as_given(target)}")
        return write_folders(parts, target, user_ids=users)
    scopes = [Scope(user_id=user) for user in users]
    if form == "lines":
        return export_to(target, parts.store, scopes)
    return write_to(target, lambda out: _WRITERS[form](parts, scopes, out))
