"""The commands of the archive: archive, unarchive, tidy."""

from math import isfinite, nan
from typing import Annotated, Final

import typer

from recollect.cli.command import command
from recollect.cli.opening import StoreOptions, opened, whole_of
from recollect.cli.options import DEFAULT_USER, MemoryId, Reason, UserId
from recollect.cli.output import lines_of, progress
from recollect.errors import InvalidInputError, as_given
from recollect.types.codec import record_to_json

_OFF: Final = "off"


@command("archive", example='recollect archive 019a7c1e-... --reason "we sold the car"')
def archive(
    memory_id: MemoryId, *, user_id: UserId = DEFAULT_USER, reason: Reason = None, at: StoreOptions
) -> None:
    """Archive a memory. It stays stored; a search with --tier archived finds it."""
    with opened(at) as memory:
        record = memory.archive(whole_of(memory, memory_id, user_id=user_id), user_id=user_id, reason=reason)
    at.show(record_to_json(record), lines=lines_of(record))


@command("unarchive", example="recollect unarchive 019a7c1e-...")
def unarchive(
    memory_ids: Annotated[list[str], typer.Argument(metavar="ID...", help="The ids of archived memories.")],
    *,
    user_id: UserId = DEFAULT_USER,
    at: StoreOptions,
) -> None:
    """Return archived memories to their previous tier."""
    with opened(at) as memory:
        ids = [whole_of(memory, one, user_id=user_id) for one in memory_ids]
        memory.lifecycle.untidy(ids, user_id=user_id)
        records = [memory.get(one, user_id=user_id) for one in ids]
    told = [record_to_json(record) for record in records]
    lines = "\n".join(lines_of(record) for record in records)
    at.show(told[0] if len(told) == 1 else told, lines=lines)


@command(
    "tidy",
    example="""\
recollect tidy
recollect tidy --archive-after-days 365 --min-activation off --max-memories off""",
)
def tidy(
    *,
    user_id: UserId = DEFAULT_USER,
    archive_after_days: Annotated[
        str, typer.Option(metavar="DAYS", help="Archive memories unused for this long, or off.")
    ] = "90",
    min_activation: Annotated[
        str, typer.Option(metavar="SHARE", help="Archive memories less active than this, 0 to 1, or off.")
    ] = "0.25",
    max_memories: Annotated[
        str, typer.Option(metavar="N", help="Archive the least active memories beyond this number, or off.")
    ] = "10000",
    delete_after_days: Annotated[
        str, typer.Option(metavar="DAYS", help="Delete memories archived for this long, or off.")
    ] = _OFF,
    retention_days: Annotated[
        str | None,
        typer.Option(
            envvar="MEMORY_RETENTION_DAYS",
            metavar="DAYS",
            help="Instead: archive only messages and episodes unused for this long.",
        ),
    ] = None,
    at: StoreOptions,
) -> None:
    """Archive old, inactive or surplus memories. Critical ones stay; nothing is purged."""
    from recollect.lifecycle.archival import (
        ArchivalPolicy,
        retention,
    )

    most = _number("--max-memories", max_memories)
    if most is not None and most != int(most):
        raise InvalidInputError(f"--max-memories must be a whole number or off, not {as_given(max_memories)}")
    policy = ArchivalPolicy(
        archive_after_days=_number("--archive-after-days", archive_after_days),
        min_activation=_number("--min-activation", min_activation),
        max_memories=None if most is None else int(most),
        delete_after_days=_number("--delete-after-days", delete_after_days),
    )
    days = None if retention_days is None else _number("--retention-days", retention_days)
    policy = policy if days is None else retention(days)
    with opened(at) as memory, progress("tidying", as_json=at.as_json):
        done = memory.lifecycle.tidy(user_id=user_id, policy=policy)
    counts = [f"{count:,} {reason}" for reason, count in done.archived.items()]
    if done.deleted:
        counts.append(f"{done.deleted:,} deleted from the archive")
    at.show(
        done.to_dict(),
        lines="\n".join(counts) or "nothing to tidy",
    )


def _number(option: str, text: str) -> float | None:
    if text.strip().lower() == _OFF:
        return None
    try:
        number = float(text)
    except ValueError:
        number = nan
    if not isfinite(number):
        raise InvalidInputError(f"{option} must be a number or off, not {as_given(text)}")
    return number
