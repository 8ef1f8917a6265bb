"""Output of the commands: memories as lines, JSON, and progress bars."""

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from threading import Timer
from time import monotonic
from typing import TYPE_CHECKING, Final, TypeVar

import typer

from recollect.lifecycle.importance_history import importance_over_time
from recollect.types import AddResult, DateSpan, Explanation, MemoryRecord, Recollection
from recollect.types.characters import one_line
from recollect.types.ids import short_id
from recollect.types.regex import lazy_regex

if TYPE_CHECKING:
    from recollect.learning.outcomes import Conflict
    from recollect.memory.hints import Looked
    from recollect.memory.memory import Memory

ROWS: Final = 11
COLUMNS: Final = 48
"""Size of the plot; with its labels it is narrower than 60 characters."""
_BEFORE, _AFTER = "*", "."


def plot_over_time(moments: Sequence[datetime], values: Sequence[float], *, now: datetime) -> str:
    """Plot values from 0 to 1, one for each moment (ascending): ``*`` for the past, ``.`` for the future."""
    rows = [[" "] * len(moments) for _ in range(ROWS)]
    for column, (moment, value) in enumerate(zip(moments, values, strict=True)):
        rows[round((1 - value) * (ROWS - 1))][column] = _BEFORE if moment <= now else _AFTER
    lines = [f"{1 - row / (ROWS - 1):.1f} |{''.join(cells)}".rstrip() for row, cells in enumerate(rows)]
    ends = f"{moments[0]:%Y-%m-%d}", f"{moments[-1]:%Y-%m-%d}"
    return "\n".join(
        [*lines, "    +" + "-" * len(moments), " " * 5 + ends[0].ljust(len(moments) - 10) + ends[1]]
    )


def columns_between(start: datetime, end: datetime) -> list[datetime]:
    """Spread one moment per column of the plot evenly from ``start`` to ``end``."""
    step: timedelta = (end - start) / (COLUMNS - 1)
    return [start + column * step for column in range(COLUMNS)]


Report = Callable[[int, int], None]
"""Called with the amount done and the total."""

_SHOWN: Final = 8
"""Dates and details printed per memory. Chosen by hand."""
_SHOWN_AFTER_S: Final = 1.0
"""Seconds before a progress bar appears. Chosen by hand."""
_TOLD_EVERY_S: Final = 10.0
"""Seconds between lines that say how far something is. Chosen by hand."""
_WHO: Final = 16
"""Characters of a speaker in a table. Chosen by hand."""
_AHEAD: Final = timedelta(weeks=26)
"""How far the plot of an importance looks ahead. Chosen by hand."""


_PLURAL: Final = lazy_regex(
    r"\b(?:activities|answers|archives|attachments|blocks|calls|conversations|documents|episodes|facts|files"
    r"|instructions|lines|links|mails|memories|messages|notes|notices|observations|pages|paths|personas"
    r"|projects|records|relations|requests|results|rows|thoughts|titles|users)\b"
)
_ONE: Final = {"activities": "activity", "memories": "memory"}
_Item = TypeVar("_Item")
_COLUMNS: Final = ("id", "date", "kind", "who", "words")


def show(value: object, *, lines: str, as_json: bool, hint: str = "nothing found") -> None:
    """Print a value as one JSON document or as lines; if there are no lines, print the hint on stderr."""
    if as_json:
        typer.echo(json.dumps(value, ensure_ascii=False, indent=2))
    elif lines:
        typer.echo(lines)
    else:
        typer.echo(hint, err=True)


def hint_on(memory: "Memory", looked_for: "Looked", found: object, *, user_id: str) -> str:
    """Explain why nothing was found and what to do next; empty if something was found."""
    if found:
        return ""
    from recollect.memory.hints import nothing_found

    return nothing_found(memory, looked_for, user_id=user_id, way="command")


def many(count: int, noun: str) -> str:
    """Write a count with its noun.

    >>> many(1, "chunk"), many(1_200, "chunk")
    ('1 chunk', '1,200 chunks')
    """
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def plain(text: str) -> str:
    r"""Put a text on one line and remove control characters, which could steer a terminal.

    >>> plain("two\nlines \x1b[31mred")
    'two lines [31mred'
    """
    return one_line(text)


def line_of(memory: MemoryRecord) -> str:
    """Format a memory on one line: time, id, speaker, words."""
    who, words = plain(memory.citation or memory.origin.speaker or memory.origin.role), plain(memory.content)
    said = words if words.casefold().startswith(f"{who.casefold()}: ") else f"{who}: {words}"
    when = f"{memory.times.happened_at:%Y-%m-%d %H:%M}"
    away = "(archived) " if memory.tier == "archived" else ""
    return f"{when}  {memory.id}  {away}{said}"


def lines_of_items(
    items: Sequence[_Item], *, line: Callable[[_Item], str], columns: Mapping[str, Callable[[_Item], object]]
) -> str:
    """Format items as a table on a terminal, else one line each, by ``line``.

    ``columns`` gives a cell of an item by its heading; the last column is cut to the terminal's width.
    """
    if not _is_terminal():
        return "\n".join(map(line, items))
    return _table(list(columns), [[plain(str(cell(one))) for cell in columns.values()] for one in items])


def lines_of_conflicts(found: "Sequence[Conflict]") -> str:
    """Format pairs of facts that contradict each other, the known one first; numbered in a table."""
    pairs = [(number, fact) for number, one in enumerate(found, 1) for fact in (one.known, one.new)]
    if not _is_terminal():
        return "\n".join(line_of(fact) + "\n" * (place % 2) for place, (_, fact) in enumerate(pairs)).rstrip()
    return _table(("pair", *_COLUMNS), [(str(number), *_cells(fact)) for number, fact in pairs])


def lines_of_memories(memories: Sequence[MemoryRecord]) -> str:
    """Format memories as a table on a terminal, else one whole line each."""
    if not _is_terminal():
        return "\n".join(map(line_of, memories))
    return _table(_COLUMNS, [_cells(memory) for memory in memories])


def lines_of_hits(hits: Sequence[Recollection], *, explain: bool) -> str:
    """Format hits as ``lines_of_memories``, after their scores; ``explain`` adds the terms, in lines."""
    if explain or not _is_terminal():
        return "\n".join(_line_of_hit(hit, explain=explain) for hit in hits)
    rows = [(f"{hit.score:.3f}", *_cells(hit.memory, hit.notes())) for hit in hits]
    return _table(("score", *_COLUMNS), rows)


def _cells(memory: MemoryRecord, notes: Sequence[str] = ()) -> tuple[str, ...]:
    """What a table shows of a memory, in the order of the columns."""
    who = one_line(memory.citation or memory.origin.speaker or memory.origin.role, most=_WHO)
    marks = "".join(f"({note}) " for note in [*["archived"] * (memory.tier == "archived"), *notes])
    day = f"{memory.times.happened_at:%Y-%m-%d}"
    return short_id(memory.id), day, memory.kind, who, marks + plain(memory.content)


def _table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table as wide as the terminal; the last column is cut."""
    if not rows:
        return ""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, expand=True)
    for place, heading in enumerate(headings[:-1]):
        table.add_column(heading, no_wrap=True, width=max(len(row[place]) for row in (headings, *rows)))
    table.add_column(headings[-1], no_wrap=True, overflow="ellipsis", ratio=1)
    for row in rows:
        table.add_row(*map(Text, row))
    console = Console(file=sys.stdout)
    with console.capture() as drawn:
        console.print(table)
    return drawn.get().rstrip("\n")


def _line_of_hit(hit: Recollection, *, explain: bool) -> str:
    """Format a hit on one line, with ``explain`` its score terms on a second."""
    line = f"{hit.score:.3f}  {line_of(hit.memory)}" + "".join(f" ({note})" for note in hit.notes())
    return f"{line}\n       {plain(hit.explain())}" if explain else line


def lines_of(memory: MemoryRecord) -> str:
    """Format a memory with its details, one per line."""
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
    """Return the labels found in a memory's words, by name; an empty string if there are none."""
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
    """Join the first distinct items."""
    different = list(dict.fromkeys(items))
    more = f", and {len(different) - _SHOWN} more" if len(different) > _SHOWN else ""
    return ", ".join(different[:_SHOWN]) + more


def _time_of(date: DateSpan) -> str:
    """Format the time that a text names: its start, and its end for days and longer."""
    start, end = (f"{moment:%Y-%m-%d %H:%M}" for moment in (date.start, date.end))
    return f"{start} UTC" if date.grain in ("minute", "hour") else f"{start} to {end} UTC"


def lines_of_importance(explanation: Explanation, *, now: datetime) -> str:
    """Explain a memory's importance: its factors, its uses, and a plot over time."""
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
        else "it was set by hand, or stored before importance was computed (recollect relabel)",
        f"uses: {use.usage_count}, reinforcements: {use.reinforced_count}"
        + (", never fades" if memory.worth.critical else ""),
        *(f"reinforced {r.at:%Y-%m-%d %H:%M}: {plain(r.reason or '')}" for r in use.reinforcements),
        "importance over time (* until now, . from now on if it is not used):",
        plot_over_time(moments, importance_over_time(memory, explanation.history, moments), now=now),
    ]
    return "\n".join(told)


def line_of_result(result: AddResult) -> str:
    """Format the result of adding one item."""
    return " ".join(part for part in (result.status, result.id) if part) + (
        f": {plain(result.reason)}" if result.reason else ""
    )


def of_number(count: int, name: str) -> str:
    """A name in the plural as its number wants it.

    >>> of_number(1, "messages of branches that were left"), of_number(2, "facts"), of_number(1, "stored")
    ('message of branches that were left', 'facts', 'stored')
    >>> of_number(1, "personas of agents"), of_number(1, "activities of other products")
    ('persona of agents', 'activity of other products')
    """
    return _PLURAL.sub(lambda found: _ONE.get(found[0], found[0][:-1]), name, count=1) if count == 1 else name


def counted(counts: Mapping[str, int]) -> str:
    """Format counts in words, without zeros.

    >>> counted({"stored": 2, "refused": 0}), counted({"tool messages": 1})
    ('2 stored', '1 tool message')
    """
    return (
        ", ".join(f"{count:,} {of_number(count, name)}" for name, count in counts.items() if count)
        or "nothing"
    )


class ProgressLines:
    """Prints now and then how far something is: ``importing: 40%``."""

    def __init__(self, what: str, *, clock: Callable[[], float] = monotonic) -> None:
        self._what = what
        self._clock = clock
        self._told_at = clock()

    def __call__(self, done: int, total: int) -> None:
        """Print it, unless it was printed a short while ago."""
        if total and (now := self._clock()) - self._told_at >= _TOLD_EVERY_S:
            self._told_at = now
            typer.echo(f"{self._what}: {done / total:.0%}", err=True)


@contextmanager
def progress(what: str, *, as_json: bool = False) -> Iterator[Report]:
    """Show on stderr how far it is, after a second as a bar, and where that is no terminal as lines."""
    if as_json:
        yield lambda _done, _total: None
        return
    if not sys.stderr.isatty():
        yield ProgressLines(what)
        return
    from rich.console import Console
    from rich.progress import Progress

    bar = Progress(console=Console(stderr=True))
    task = bar.add_task(what, total=None)
    timer = Timer(_SHOWN_AFTER_S, bar.start)
    timer.start()
    try:
        yield lambda done, total: bar.update(task, completed=done, total=total)
    finally:
        timer.cancel()
        timer.join()
        bar.stop()


def confirm(question: str, *, yes: bool) -> None:
    """Ask before an irreversible step; without a terminal, require ``--yes``."""
    if yes:
        return
    if not _is_interactive():
        raise typer.BadParameter(f"{question} There is no terminal to ask on: repeat it with --yes")
    if not typer.confirm(question, err=True):
        raise typer.Exit(1)


def _is_terminal() -> bool:
    return sys.stdout.isatty()


def _is_interactive() -> bool:
    return sys.stdin.isatty()
