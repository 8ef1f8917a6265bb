"""The command apply: the edits of an exported folder, made so in the memory."""

from collections import Counter
from typing import TYPE_CHECKING, Annotated, Final

import typer

from recollect.cli.command import FAILED, command
from recollect.cli.opening import EmbedderOptions, opened
from recollect.cli.options import OnlyUser, Pii, Secrets
from recollect.cli.output import plain
from recollect.types.characters import one_line

if TYPE_CHECKING:
    from recollect.memory.exports.edits import Edit

_WORDS: Final = 60
"""Characters of words to show. Chosen by hand."""
_NOT_DONE: Final = ("conflict", "refused")


@command(
    "apply",
    example="""\
recollect apply notes --dry-run
recollect apply notes --delete-missing
recollect apply notes/ada/months/2026-03.md notes/ada/people/Ines.md""",
)
def apply(
    paths: Annotated[
        list[str],
        typer.Argument(metavar="FOLDER|PAGE...", help="Written by export --format markdown; or pages in it."),
    ],
    *,
    delete_missing: Annotated[
        bool, typer.Option("--delete-missing", help="Delete the memories whose items are gone.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what would be done.")] = False,
    user_id: OnlyUser = None,
    secrets: Secrets = "redact",
    pii: Pii = None,
    at: EmbedderOptions,
) -> None:
    """Take over the edits of an exported folder, or of pages in it.

    Other words are corrections, new items are added, and what is gone is deleted if you ask for it.
    What was changed in the memory since the export, too, is a conflict and stays as it is. Exit code 1: there
    is a conflict, or something was refused.
    """
    from recollect.memory.exports.edits import apply_edits

    with opened(at, secrets=secrets, pii=pii) as memory:
        edits = apply_edits(memory, *paths, user_id=user_id, delete_missing=delete_missing, dry_run=dry_run)
    counts = Counter(one.what for one in edits)
    total = ", ".join(f"{count:,} {what}" for what, count in counts.items())
    at.show(
        {"dry_run": dry_run, "counts": dict(counts), "edits": [one.to_dict() for one in edits]},
        lines="\n".join(
            [*map(_line, edits), *([f"{total} (dry run)" if dry_run else total] if total else [])]
        ),
        hint="nothing was edited",
    )
    if any(counts[one] for one in _NOT_DONE):
        raise typer.Exit(FAILED)


def _line(edit: "Edit") -> str:
    words = [f"{one_line(one, most=_WORDS)!r}" for one in (edit.before, edit.after) if one is not None]
    place = f"{plain(edit.page)}:{edit.line}" if edit.line else plain(edit.page)
    why = f" ({plain(edit.reason)})" if edit.reason else ""
    return f"{edit.what} {place} {' -> '.join(words)}{why}"
