"""``python -m benchmarks.load``: put a load on a server and report what its users waited for.

It makes users of its own, under names that nobody had, asks about them alone, and deletes them at the end.
Without ``--url`` it starts a server of this version in a temporary folder.
"""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.client import serving_store
from benchmarks.load.drive import drive
from benchmarks.load.outcome import figures, told
from benchmarks.load.people import People, new_name
from benchmarks.load.plan import CLIENTS, MEMORIES, MIX, SECONDS, USERS, WARM_UP_S, Plan, parse_mix
from benchmarks.load.target import LoadError, Target

_INTERRUPTED = 130
"""What a shell says of a command that Ctrl-C ended."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the command line asks for; returns the exit status."""
    options = _parser().parse_args(arguments)
    try:
        return _done(options)
    except LoadError as error:
        print(f"Error: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("interrupted; nothing was measured", file=sys.stderr)
        return _INTERRUPTED


def _done(options: argparse.Namespace) -> int:
    if options.url:
        target = Target(url=options.url, key=options.key or None)
        return _clear(target, options.delete) if options.delete else _load(target, options)
    if options.delete:
        raise LoadError("say on which server: URL=http://127.0.0.1:8377")
    with tempfile.TemporaryDirectory() as folder, serving_store(Path(folder) / "m.db", "--worker") as server:
        return _measure(People(Target(url=server.url), new_name(options.users)), options)


def _load(target: Target, options: argparse.Namespace) -> int:
    """Measure somebody's server, and leave nothing there."""
    people = People(target, new_name(options.users))
    role = target.check(people.user_ids[0])
    try:
        status = _measure(people, options)
    finally:
        if options.keep:
            print(_how_to_delete(people))
            left = 0
        else:
            left = _delete(people, purge=role == "admin")
    return status or left


def _measure(people: People, options: argparse.Namespace) -> int:
    """Make the users, put the load on, report; 1 where it ended early or nothing succeeded."""
    users, each = options.users, options.memories
    plan = Plan(
        mix=options.mix,
        clients=options.clients,
        rate=options.rate,
        seconds=options.seconds,
        warm_up_s=options.warm_up,
        seed=options.seed,
    )
    print(f"{people.target.url}: making {users:,} users with {each:,} memories each", flush=True)
    begun = time.perf_counter()
    made = people.make(each, seed=plan.seed, clients=plan.clients)
    spent = time.perf_counter() - begun
    print(f"made in {spent:.1f} s: {users * each / spent:,.0f} memories a second\n", flush=True)
    found = figures(drive(people.target, plan, made))
    print(told(found), flush=True)
    return int(found["stopped"] is not None or found["requests"] == found["errors"])


def _clear(target: Target, name: str) -> int:
    people = People(target, name)
    return _delete(people, purge=target.check(new_name(1)) == "admin")


def _delete(people: People, *, purge: bool) -> int:
    """Delete the users of a load, and say so, or how to do it later; returns the exit status."""
    try:
        count = sum(people.delete(purge=purge))
    except (LoadError, KeyboardInterrupt) as error:
        why = str(error) or "interrupted"
        print(
            f"Error: not all users of this load are deleted: {why}\n{_how_to_delete(people)}", file=sys.stderr
        )
        return 1
    left = "" if purge else "; a key with the role admin would purge them, too"
    print(f"deleted the {len(people.user_ids):,} users of this load with {count:,} memories{left}")
    return 0


def _how_to_delete(people: People) -> str:
    return (
        f"To delete the {len(people.user_ids):,} users {people.name}-...: "
        f"make load URL={people.target.url} DELETE={people.name}"
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.load",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add, key = parser.add_argument, os.environ.get("RECOLLECT_KEY", "")
    add("--url", default="", help="the server; without it one is started")
    add("--key", default=key, help="its key; by default that of the variable RECOLLECT_KEY")
    add("--users", type=_whole(1, 100_000), default=USERS, help="made-up users")
    add("--memories", type=_whole(1, 1_000_000), default=MEMORIES, help="of each, before it begins")
    add("--mix", type=_mix, default=dict(MIX), help="shares, such as search=6,add=2,context=1,turn=1")
    add("--clients", type=_whole(1, 256), default=CLIENTS, help="connections at once")
    add("--rate", type=_number(above=0), help="operations a second; without it as many as are answered")
    add("--seconds", type=_number(above=0), default=SECONDS, help="how long is measured")
    add("--warm-up", type=_number(above=-1), default=WARM_UP_S, help="seconds before that")
    add("--seed", type=_whole(0, 2**31), default=1, help="of the words, and of who does what")
    add("--keep", action="store_true", help="do not delete the users at the end")
    add("--delete", default="", metavar="NAME", help="only delete the users of a load that were kept")
    return parser


def _mix(text: str) -> dict[str, float]:
    try:
        return parse_mix(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _whole(least: int, most: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not text.isdecimal() or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"a whole number from {least:,} to {most:,}, not {text!r}")
        return int(text)

    return read


def _number(*, above: float) -> Callable[[str], float]:
    def read(text: str) -> float:
        try:
            number = float(text)
        except ValueError:
            number = above
        if not above < number < 1e6 or number < 0:
            raise argparse.ArgumentTypeError(f"a number above 0, not {text!r}")
        return number

    return read


if __name__ == "__main__":
    sys.exit(main())
