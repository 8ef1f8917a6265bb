"""Commands for hosts, which are coding agents and editors: install, uninstall, status."""

import os
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from recollect.cli.command import command
from recollect.cli.opening import QueryOptions, StoreOptions, pii_policy, place_of, placed, shown, whole_place
from recollect.cli.options import DEFAULT_USER, Json, Pii, Secrets, UserId
from recollect.cli.output import plain, show
from recollect.cli.settings import settings
from recollect.cli.upkeep import record_embedder
from recollect.types.extras import optional_module

if TYPE_CHECKING:
    from recollect.integrations.hosts.catalog import Host
    from recollect.integrations.hosts.installer import FileChange
    from recollect.integrations.hosts.status import HostStatus

HostName = Annotated[str, typer.Argument(metavar="HOST", help="The host, such as claude-code.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Show every line that would change; change nothing.")]


@command(
    "install",
    example="""\
recollect install claude-code --dry-run
recollect install claude-code --user-id ada""",
)
def install(
    host: HostName,
    *,
    user_id: UserId = DEFAULT_USER,
    secrets: Secrets = "redact",
    pii: Pii = None,
    dry_run: DryRun = False,
    at: QueryOptions,
) -> None:
    """Let a coding agent remember by itself. Writes hooks and a skill into its settings.

    Its other settings stay byte for byte. Installing again changes nothing, or takes over new options.
    """
    from recollect.integrations.hosts.installer import host_named, planned_install

    policy = pii_policy(settings().pii if pii is None else pii)
    place = place_of(at.db)
    options = {
        "db": whole_place(place),
        "user_id": user_id,
        "timezone": at.timezone,
        "secrets": secrets,
        "pii": None if policy is None else _without_recognisers(asdict(policy)),
    }
    chosen = host_named(host)
    if chosen.mcp_file:
        optional_module("mcp", feature=f"an MCP server in {chosen.title}", extra="mcp")
    changes = planned_install(chosen, options, os.environ)
    if not dry_run:
        place_of(at.db, make=True)
        with placed(at, make=True) as (store, embedder):  # what is wrong with it is known now, not in a hook
            record_embedder(store, embedder, None, timezone=at.timezone)
        _settle(chosen)
    note = f"\n{chosen.note}" if chosen.note else ""
    _carry_out(changes, at=at, dry_run=dry_run, done=f"{chosen.title} remembers in {shown(place)}{note}")


@command("uninstall", example="recollect uninstall claude-code")
def uninstall(host: HostName, *, dry_run: DryRun = False, at: StoreOptions) -> None:
    """Remove what install wrote into a host's settings. What was remembered stays."""
    from recollect.integrations.hosts.installer import host_named, planned_uninstall, remove_folder

    chosen = host_named(host)
    changes = planned_uninstall(chosen, os.environ)
    if not dry_run:
        _settle(chosen)
    _carry_out(changes, at=at, dry_run=dry_run, done=f"{chosen.title} no longer remembers by itself")
    if not dry_run:
        remove_folder(chosen)


@command("status", example="recollect status")
def status(*, as_json: Json = False) -> None:
    """Show which coding agents remember by themselves.

    Says where that is written and when they last captured.
    """
    from recollect.integrations.hosts.status import statuses
    from recollect.types.codec import fields_to_json

    found = statuses(os.environ)
    show([fields_to_json(one) for one in found], lines="\n".join(map(_line, found)), as_json=as_json)


def _settle(host: "Host") -> None:
    from recollect.integrations.hosts import folder as places
    from recollect.integrations.hosts.installer import folder_of

    folder = str(folder_of(host))
    if places.spooled(folder):
        from recollect.integrations.hosts.engine import settle

        settle(folder)


def _carry_out(changes: "Sequence[FileChange]", *, at: StoreOptions, dry_run: bool, done: str) -> None:
    from recollect.integrations.hosts.installer import carry_out

    if dry_run:
        diff = "".join(one.diff() for one in changes)
        needed = [one for one in changes if one.before != one.after]
    else:
        needed = carry_out(changes)
        diff = "\n".join([*map(_made, needed), done])
    files = [str(one.path) for one in needed]
    at.show({"files": files, "dry_run": dry_run}, lines=diff.rstrip("\n"), hint="nothing to change")


def _made(change: "FileChange") -> str:
    return f"{'removed' if change.after is None else 'wrote'} {change.path}"


def _without_recognisers(policy: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in policy.items() if name != "recognisers"}


def _line(one: "HostStatus") -> str:
    said = f"{one.title}: {one.state} in {one.settings}"
    if one.user_id is not None:
        said += f", user {plain(one.user_id)}, memory {shown(one.db or '')}"
        last = f"{one.last_capture:%Y-%m-%d %H:%M} UTC" if one.last_capture else "never"
        said += f"\n  last capture: {last}; waiting: {one.waiting}, refused: {one.refused}"
    return said + (f"\n  last error: {plain(one.last_error)}" if one.last_error else "")
