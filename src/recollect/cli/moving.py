"""Commands that copy, sync and migrate stores: copy, sync, migrate."""

from dataclasses import asdict
from typing import Annotated, Final

import typer

from recollect.cli.command import FAILED, command
from recollect.cli.opening import keyed, place_of
from recollect.cli.options import Db, Json
from recollect.cli.output import many, progress, show
from recollect.errors import InvalidInputError

_SHORT: Final = 12
"""Characters of a digest to show."""


@command(
    "copy",
    example="""\
recollect copy brain.db postgresql://recollect:secret@db.example.com/recollect
recollect copy postgresql://recollect:secret@db.example.com/recollect brain.db""",
)
def copy(
    source: Annotated[str, typer.Argument(metavar="SOURCE", help="The store to copy, a path or URL.")],
    target: Annotated[
        str, typer.Argument(metavar="TARGET", help="The store to copy into; created if missing.")
    ],
    *,
    as_json: Json = False,
) -> None:
    """Copy a whole store into another and compare both. Ids, times, links, vectors and history stay.

    An interrupted copy resumes when run again. Memories already in the target never change.
    """
    from recollect.memory.maintenance import copy_store

    with progress("copying and comparing", as_json=as_json) as report:
        done = copy_store(keyed(source), keyed(target), progress=report)
    earlier = done.memories - done.copied
    counts = ", ".join(
        many(count, noun)
        for count, noun in ((done.links, "link"), (done.states, "state"), (done.jobs, "job"))
    )
    lines = f"{_memories(done.memories)} of {many(done.users, 'user')}, {counts}"
    if earlier:
        lines += f"; {_memories(earlier)} {'was' if earlier == 1 else 'were'} there already"
    digest = done.digest[:_SHORT]
    show(
        asdict(done),
        lines=f"{lines}\nsha-256 of the source {digest}, of the target {digest}",
        as_json=as_json,
    )


@command(
    "sync",
    example="""\
recollect sync /media/stick/brain.db
recollect sync postgresql://recollect:secret@db.example.com/recollect --db brain.db""",
)
def sync(
    other: Annotated[str, typer.Argument(metavar="OTHER", help="The other store, a path or URL.")],
    *,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """Bring two stores to the same state.

    What is new, changed or deleted in either will be so in both. Of a memory that both changed, what was
    changed last holds. A deletion holds unless the words were edited.
    One of the two is created if missing. An interrupted sync resumes when run again.
    """
    from recollect.memory.maintenance import sync_stores

    with progress("syncing", as_json=as_json) as report:
        done = sync_stores(keyed(place_of(db, make=True)), keyed(other), progress=report)
    sides = (("here", done.one), ("there", done.other))
    told = [
        f"{name}: {one.added:,} added, {one.changed:,} changed, {one.deleted:,} deleted"
        for name, one in sides
    ]
    lines = "\n".join([*told, f"both have {_memories(done.memories)} of {many(done.users, 'user')}"])
    show(asdict(done), lines=lines, as_json=as_json)


@command(
    "migrate",
    example="""\
recollect migrate brain.db
recollect migrate postgresql://recollect:secret@db.example.com/recollect --check
recollect migrate postgresql://recollect:secret@db.example.com/recollect --distributed""",
)
def migrate(
    place: Annotated[
        str | None,
        typer.Argument(metavar="PLACE", envvar="RECOLLECT_DB", help="The store, a path or URL."),
    ] = None,
    *,
    check: Annotated[
        bool, typer.Option("--check", help="Change nothing; exit code 1 if a migration is needed.")
    ] = False,
    vector_index: Annotated[
        bool,
        typer.Option(
            "--vector-index",
            help="Also build PostgreSQL's vector index, for users with a million memories.",
        ),
    ] = False,
    distributed: Annotated[
        bool,
        typer.Option(
            "--distributed",
            help="Spread PostgreSQL's tables over the servers of a Citus cluster; PLACE is its coordinator.",
        ),
    ] = False,
    as_json: Json = False,
) -> None:
    """Migrate a store to this version's format, as opening would."""
    from recollect.memory import maintenance

    if check and vector_index:
        raise InvalidInputError("--check does not check the vector index; recollect doctor does")
    if distributed:
        _distribute(place_of(place), check=check, vector_index=vector_index, as_json=as_json)
        return
    with progress("migrating", as_json=as_json):
        found = maintenance.migrate(place_of(place), check=check)
    if not found.needed:
        lines = f"nothing to do: format {found.newest} is today's"
    elif check:
        lines = f"to do: from format {found.before} to {found.newest}"
    else:
        lines = f"brought from format {found.before} to {found.after}"
    told = {**asdict(found), "needed": found.needed}
    if vector_index:
        told["indexed"] = maintenance.make_vector_index(place_of(place))
        lines = f"{lines}\n{told['indexed']:,} vectors entered the index"
    show(told, lines=lines, as_json=as_json)
    if check and found.needed:
        raise typer.Exit(FAILED)


def _distribute(place: str, *, check: bool, vector_index: bool, as_json: bool) -> None:
    from recollect.memory import maintenance

    tables = maintenance.distribute(place, check=check)
    told: dict[str, object] = {"distributed": tables}
    lines = f"{'to spread' if check else 'spread'} over the cluster: {', '.join(tables)}"
    if not tables:
        lines = "nothing to do: it was spread before"
    if vector_index:
        told["indexed"] = maintenance.make_vector_index(place)
        lines = f"{lines}\n{told['indexed']:,} vectors entered the index"
    show(told, lines=lines, as_json=as_json)
    if check and tables:
        raise typer.Exit(FAILED)


def _memories(count: int) -> str:
    return "1 memory" if count == 1 else f"{count:,} memories"
