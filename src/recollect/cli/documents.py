"""The commands for documents: documents add, list, search, remove."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Annotated, Final

import typer

from recollect.cli.command import FAILED, Group, command
from recollect.cli.opening import EmbedderOptions, StoreOptions, opened
from recollect.cli.options import DEFAULT_USER, UserId, Words, text_of
from recollect.cli.output import counted, hint_on, lines_of_items, many, plain, progress
from recollect.types.codec import fields_to_json

if TYPE_CHECKING:
    from recollect.documents import Document, DocumentResult

_SILENT: Final = ("skipped", "unchanged")
"""Statuses that are counted, but listed only with --verbose."""


@command(
    "add",
    example="""\
recollect documents add notes.md
recollect documents add ~/papers --remove-missing""",
)
def add(
    paths: Annotated[list[str], typer.Argument(metavar="PATH", help="Files and folders.")],
    *,
    user_id: UserId = DEFAULT_USER,
    max_tokens: Annotated[int, typer.Option(help="The most tokens of a chunk.")] = 500,
    encoding: Annotated[str, typer.Option(help="The encoding of files that declare none.")] = "utf-8",
    remove_missing: Annotated[
        bool, typer.Option("--remove-missing", help="Remove documents of the folder whose files are gone.")
    ] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Also list unchanged and skipped files.")
    ] = False,
    at: EmbedderOptions,
) -> None:
    """Add Markdown, text, HTML and PDF files, or folders of them. Unchanged files are skipped.

    Exit code 1: a file was refused; the others are stored.
    """
    with (
        opened(at, make=True) as memory,
        progress("reading documents", as_json=at.as_json),
    ):
        results = [
            result
            for path in paths
            for result in memory.documents.add(
                path,
                user_id=user_id,
                max_tokens=max_tokens,
                encoding=encoding,
                remove_missing=remove_missing,
            )
        ]
    listed = [_line_of_result(one) for one in results if verbose or one.status not in _SILENT]
    counts: dict[str, int] = {}
    for one in results:
        counts[one.status] = counts.get(one.status, 0) + 1
    at.show([fields_to_json(one) for one in results], lines="\n".join([*listed, counted(counts)]))
    if counts.get("refused"):
        raise typer.Exit(FAILED)


@command("list", example="recollect documents list --json")
def list_(*, user_id: UserId = DEFAULT_USER, at: StoreOptions) -> None:
    """List the stored documents, by source."""
    with opened(at) as memory:
        found = memory.documents.list(user_id=user_id)
        hint = hint_on(memory, "documents", found, user_id=user_id)
    lines = lines_of_items(found, line=_line_of, columns=_COLUMNS)
    at.show([fields_to_json(one) for one in found], lines=lines, hint=hint)


@command("search", example="recollect documents search how do roses grow --limit 3")
def search(
    query: Words,
    *,
    user_id: UserId = DEFAULT_USER,
    limit: Annotated[int, typer.Option(help="How many at most.")] = 5,
    at: EmbedderOptions,
) -> None:
    """Find what answers a question, as sources to cite. Each is "[1] title: snippet"."""
    from recollect.documents.citing import citation_to_json

    with opened(at) as memory:
        found = memory.documents.search(text_of(query), user_id=user_id, limit=limit)
        hint = hint_on(memory, "cite", found, user_id=user_id)
    lines = "\n".join(plain(str(one)) for one in found)
    at.show([citation_to_json(one) for one in found], lines=lines, hint=hint)


@command(
    "remove",
    example="""\
recollect documents remove notes.md
recollect documents remove ~/papers""",
)
def remove(
    source: Annotated[
        str, typer.Argument(metavar="SOURCE", help="A file, a folder, another source, or an id.")
    ],
    *,
    user_id: UserId = DEFAULT_USER,
    at: StoreOptions,
) -> None:
    """Remove documents from the memory; the files stay. purge removes their words for good."""
    with opened(at) as memory:
        removed = memory.documents.remove(source, user_id=user_id)
    lines = "\n".join(f"removed {_line_of(one)}" for one in removed)
    at.show([fields_to_json(one) for one in removed], lines=lines)


documents: Final = Group(
    name="documents",
    about="Add, list, search and remove documents.",
    example="""\
recollect documents add ~/papers
recollect documents list --json""",
    commands=(add, list_, search, remove),
)


def _line_of(document: "Document") -> str:
    when, chunks = f"{document.added_at:%Y-%m-%d %H:%M}", many(document.chunks, "chunk")
    return f"{when}  {document.id}  {plain(document.title)} ({chunks}): {plain(document.source)}"


def _line_of_result(result: "DocumentResult") -> str:
    chunks = f" ({many(result.chunks, 'chunk')})" if result.chunks else ""
    reason = f": {plain(result.reason)}" if result.reason else ""
    return f"{result.status} {plain(result.source)}{chunks}{reason}"


_COLUMNS: Final[Mapping[str, Callable[["Document"], object]]] = {
    "id": lambda document: document.id,
    "added": lambda document: f"{document.added_at:%Y-%m-%d}",
    "chunks": lambda document: document.chunks,
    "title": lambda document: document.title,
    "source": lambda document: document.source,
}
