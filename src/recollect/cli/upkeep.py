"""Commands for a whole store: init, stats, users, doctor, reembed."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from recollect.checks import check_timezone
from recollect.cli.command import FAILED, command
from recollect.cli.opening import (
    EmbedderOptions,
    QueryOptions,
    StoreOptions,
    chosen_language,
    open_place,
    opened,
    place_of,
    placed,
    shown,
)
from recollect.cli.options import Language, OnlyUser
from recollect.cli.output import counted, progress
from recollect.cli.projects import ProjectName, within_project
from recollect.cli.settings import settings
from recollect.errors import StoreBusyError, StoreError

if TYPE_CHECKING:
    from recollect.protocols import Embedder, Store


@command(
    "init",
    example="""\
recollect init
recollect init --db brain.db --embedder static --language de --timezone Europe/Berlin""",
)
def init(*, language: Language = None, at: QueryOptions) -> None:
    """Create a memory with an embedder, a language and a time zone. An existing one stays unchanged."""
    place = place_of(at.db, make=True)
    with placed(at, make=True) as (store, maker):
        made = record_embedder(store, maker, language, timezone=at.timezone)
    with opened(at, language=language) as memory:
        stats = memory.stats()
    value = {"db": shown(place), "created": made, "embedder": stats.embedder, "memories": stats.memories}
    found = "made" if made else f"there already, with {stats.memories:,} memories"
    at.show(value, lines=f"{shown(place)}: {found}, embedder {stats.embedder}")


def record_embedder(
    store: "Store", embedder: "Embedder", language: str | None, *, timezone: str | None
) -> bool:
    """Record the embedder, analyser and time zone of a new store; return whether it was new."""
    from recollect.text.analyse import Analyser

    if store.setting("embedder") is not None:
        return False
    analyser = Analyser(chosen_language(store, language))
    store.put_setting("analyser", analyser.name)
    if zone := timezone or settings().timezone:
        store.put_setting("timezone", str(check_timezone(zone)))
    store.put_setting("embedder", embedder.name)
    return True


@command("stats", example="recollect stats --user-id ada")
def stats(*, user_id: OnlyUser = None, project: ProjectName = None, at: StoreOptions) -> None:
    """Count what is stored, for everyone or for one user."""
    from recollect.embedders import advice_for

    with opened(at) as memory:
        found = memory.stats(user_id=user_id, within=within_project(memory, project, user_id=user_id))
    away = {tier: count for tier, count in found.tiers.items() if tier == "archived"}
    kinds = counted({**found.kinds, **away})
    advice = advice_for(found.embedder)
    lines = (
        f"memories: {found.memories:,} ({kinds})\nusers: {found.users:,}\n"
        f"stored in the last {_growth(found.stored_within)}\n"
        f"learning: {found.waiting:,} waiting, {found.given_up:,} given up\n"
        f"store: {found.store}\n"
        f"embedder: {found.embedder}, {found.dimensions} dimensions" + (f"; {advice}" if advice else "")
    )
    at.show(asdict(found), lines=lines)


@command("users", example="recollect users")
def users(*, at: StoreOptions) -> None:
    """List the users who have memories, by name."""
    with opened(at) as memory:
        found = memory.users()
    at.show(found, lines="\n".join(found), hint="nobody has memories yet; see recollect add")


def _growth(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name}: {count:,}" for name, count in counts.items())


@command(
    "doctor",
    example="""\
recollect doctor
recollect doctor --rebuild --language de""",
)
def doctor(
    *,
    rebuild: Annotated[bool, typer.Option("--rebuild", help="First rebuild every index.")] = False,
    language: Language = None,
    at: EmbedderOptions,
) -> None:
    """Check the store for damage and say how to repair it. Exit code 1 if there are problems."""
    rebuilt = _rebuilt(at, language) if rebuild else None
    try:
        with (
            opened(at, language=language) as memory,
            progress("checking", as_json=at.as_json),
        ):
            found = asdict(memory.maintenance.doctor())
    except StoreBusyError:
        raise
    except StoreError as error:
        found = {"problems": (str(error),), "memories": None, "deleted": None, "bytes": None}
    value = {"ok": not found["problems"], "db": shown(place_of(at.db)), **found, "rebuilt": rebuilt}
    at.show(value, lines=_findings(value))
    if not value["ok"]:
        raise typer.Exit(FAILED)


def _rebuilt(at: StoreOptions, language: str | None) -> int:
    from recollect.memory.maintenance import reindex
    from recollect.memory.maintenance.reindex import rescue_file

    rescue_file(place_of(at.db))
    with (
        placed(at) as (store, maker),
        progress("rebuilding", as_json=at.as_json) as report,
    ):
        return reindex(store, embedder=maker, language=chosen_language(store, language), on_progress=report)


def _findings(found: Mapping[str, object]) -> str:
    lines = [f"problem: {' '.join(str(problem).split())}" for problem in _listed(found["problems"])]
    if found["rebuilt"] is not None:
        lines.insert(0, f"indexes of {found['rebuilt']:,} memories rebuilt")
    lines += [f"lost: {line}" for line in _listed(found.get("lost"))]
    if found["memories"] is not None:
        lines.append(
            f"{found['memories']:,} memories, {found['deleted']:,} deleted and not purged, "
            f"{found['bytes']:,} bytes"
        )
    return "\n".join([*lines, *(["no problems"] if found["ok"] else [])])


def _listed(value: object) -> list[object]:
    return list(value) if isinstance(value, (list, tuple)) else []


@command(
    "reembed",
    example="""\
recollect reembed
recollect reembed --embedder static
recollect reembed --embedder sentence-transformers:all-MiniLM-L6-v2""",
)
def reembed(
    *,
    embedder: Annotated[
        str | None, typer.Option("--embedder", metavar="NAME", help="The new one; by default a new store's.")
    ] = None,
    batch_size: Annotated[int, typer.Option(help="Memories embedded between two commits.")] = 1_000,
    at: StoreOptions,
) -> None:
    """Recompute all vectors with another embedder. The memory stays in use meanwhile.

    An interrupted run resumes when started again.
    """
    from recollect.embedders import DEFAULT_EMBEDDER
    from recollect.memory import maintenance

    named = embedder or DEFAULT_EMBEDDER
    store = open_place(at.db, make=False)
    try:
        with progress("embedding", as_json=at.as_json) as report:
            done = maintenance.reembed(store, embedder=named, on_progress=report, batch_size=batch_size)
    finally:
        store.close()
    resumed = f", {done.resumed:,} of them by an earlier run" if done.resumed else ""
    lines = f"{done.memories:,} memories embedded by {done.embedder} ({done.dimensions} dimensions){resumed}"
    at.show(asdict(done), lines=lines)
