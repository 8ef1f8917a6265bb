"""What is printed: memories for people, JSON for programs, progress for the patient."""

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

import typer

from recollect.cli.plot import columns_between, plot_over_time
from recollect.lifecycle.importance_history import importance_over_time
from recollect.types import AddResult, DateSpan, Explanation, MemoryRecord, Recollection
from recollect.types.characters import one_line

if TYPE_CHECKING:
    from recollect.memory.hints import Looked
    from recollect.memory.memory import Memory

Report = Callable[[int, int], None]
"""Told how much is done, and of how much."""

_SHOWN: Final = 8
"""Dates and details of one memory that are printed. Chosen by hand."""
_AHEAD: Final = timedelta(weeks=26)
"""How far the plot of an importance looks ahead. Chosen by hand."""


def show(value: object, *, lines: str, as_json: bool, hint: str = "nothing found") -> None:
    """Print a value: as one JSON document, or as lines for people; where there are none, a hint on stderr."""
    if as_json:
        typer.echo(json.dumps(value, ensure_ascii=False, indent=2))
    elif lines:
        typer.echo(lines)
    else:
        typer.echo(hint, err=True)


def hint_on(memory: "Memory", looked_for: "Looked", found: object, *, user_id: str) -> str:
    """Why nothing was found, and what to do next; empty where something was."""
    if found:
        return ""
    from recollect.memory.hints import nothing_found

    return nothing_found(memory, looked_for, user_id=user_id, way="command")


def plain(text: str) -> str:
    r"""A text on one line, without the control characters that would steer a terminal.

    >>> plain("two\nlines \x1b[31mred")
    'two lines [31mred'
    """
    return one_line(text)


def line_of(memory: MemoryRecord) -> str:
    """A memory on one line: when, which, who, what."""
    who = memory.citation or memory.origin.speaker or memory.origin.role
    when = f"{memory.times.happened_at:%Y-%m-%d %H:%M}"
    away = "(archived) " if memory.tier == "archived" else ""
    return f"{when}  {memory.id}  {away}{plain(who)}: {plain(memory.content)}"


def lines_of_hit(hit: Recollection, *, explain: bool) -> str:
    """A recollection on one line, and its terms on a second."""
    line = f"{hit.score:.3f}  {line_of(hit.memory)}" + "".join(f" ({note})" for note in hit.notes())
    return f"{line}\n       {plain(hit.explain())}" if explain else line


def lines_of(memory: MemoryRecord) -> str:
    """A memory with what else is known of it, a line each."""
    told = {
        "kind": memory.kind,
        "session": memory.scope.session_id,
        "agent": memory.scope.agent_id,
        **found_in_words(memory),
        "stored": f"{memory.times.created_at:%Y-%m-%d %H:%M}",
        "metadata": json.dumps(memory.metadata, ensure_ascii=False) if memory.metadata else None,
    }
    known = [f"  {name}: {plain(value)}" for name, value in told.items() if value]
    return "\n".join([line_of(memory), *known])


def found_in_words(memory: MemoryRecord) -> dict[str, str]:
    """What was found in a memory's words, by name; empty where nothing was."""
    from recollect.lifecycle.importance import importance_level

    labels, worth = memory.labels, memory.worth
    level = f"{worth.importance:.2f} {importance_level(worth.importance).lower()}"
    return {
        "dates": _some([f"{plain(date.text)} = {_time_of(date)}" for date in labels.dates]),
        "priority": worth.priority or "",
        "details": _some([f"{detail.kind} {detail.text}" for detail in labels.parameters]),
        "tags": ", ".join(f"{tag.text} {tag.confidence:.2f}" for tag in labels.tags),
        "importance": level + (" (critical)" if worth.critical else ""),
    }


def _some(items: Sequence[str]) -> str:
    """The first few, each once."""
    different = list(dict.fromkeys(items))
    more = f", and {len(different) - _SHOWN} more" if len(different) > _SHOWN else ""
    return ", ".join(different[:_SHOWN]) + more


def _time_of(date: DateSpan) -> str:
    """The time a text names: its start, and its end where that is no moment."""
    start, end = (f"{moment:%Y-%m-%d %H:%M}" for moment in (date.start, date.end))
    return f"{start} UTC" if date.grain in ("minute", "hour") else f"{start} to {end} UTC"


def lines_of_importance(explanation: Explanation, *, now: datetime) -> str:
    """What made a memory's importance, how it is used, and a plot of how the importance went on."""
    from recollect.lifecycle.importance import importance_level

    memory, use = explanation.memory, explanation.memory.use
    factors = sorted(memory.worth.factors.items(), key=lambda factor: -factor[1])
    made_of = ", ".join(f"{name} {value:+.3f}" for name, value in factors)
    start = memory.times.created_at
    moments = columns_between(start, max(now, start) + _AHEAD)
    told = [
        f"importance {explanation.importance:.2f} {importance_level(explanation.importance).lower()} now",
        f"at first {sum(memory.worth.factors.values()):.2f} = {made_of}"
        if made_of
        else "it was given, or stored before importance was worked out (recollect relabel)",
        f"uses: {use.usage_count}, reinforcements: {use.reinforced_count}"
        + (", never fades" if memory.worth.critical else ""),
        *(f"reinforced {r.at:%Y-%m-%d %H:%M}: {plain(r.reason or '')}" for r in use.reinforcements),
        "importance over time (* until now, . if it is left alone):",
        plot_over_time(moments, importance_over_time(memory, explanation.history, moments), now=now),
    ]
    return "\n".join(told)


def line_of_result(result: AddResult) -> str:
    """What became of an item given to ``add``."""
    return " ".join(part for part in (result.status, result.id) if part) + (
        f": {plain(result.reason)}" if result.reason else ""
    )


def counted(counts: Mapping[str, int]) -> str:
    """Counts in words; those of nothing are left out.

    >>> counted({"stored": 2, "refused": 0})
    '2 stored'
    """
    return ", ".join(f"{count:,} {name}" for name, count in counts.items() if count) or "nothing"


@contextmanager
def progress(what: str, *, as_json: bool = False) -> Iterator[Report]:
    """A progress bar on stderr, if that is a terminal with somebody before it."""
    if as_json or not sys.stderr.isatty():
        yield lambda _done, _total: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True)) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def confirm(question: str, *, yes: bool) -> None:
    """Ask before what cannot be taken back; where nobody can answer, ``--yes`` is required."""
    if yes:
        return
    if not _somebody_is_there():
        raise typer.BadParameter(f"{question} Nobody is here to answer: repeat it with --yes")
    if not typer.confirm(question, err=True):
        raise typer.Exit(1)


def _somebody_is_there() -> bool:
    return sys.stdin.isatty()
