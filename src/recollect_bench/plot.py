"""A plot as SVG: what each system finds against the time that a search takes, a panel for each data set."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from math import floor, log10
from typing import Any, Final

from recollect_bench.table import golds_of

_WIDTH: Final = 430
_HEIGHT: Final = 320
_LEFT, _RIGHT, _TOP, _BOTTOM = 44, 140, 34, 40
"""Room around a panel; names of systems stand to the right of their points."""
_LINE: Final = 12
"""Height of a name; names that would touch are moved apart by as much."""
_NARROW: Final = 0.4
"""From such a foot on, an axis to 100% has a line at each tenth, else at each fifth. Chosen by hand."""
_STYLE: Final = (
    "text{font:11px sans-serif;fill:#222}.grid{stroke:#eee}.own{fill:#c2410c;stroke:#c2410c}"
    ".other{fill:#475569;stroke:#475569}.lead{stroke:#cbd5e1}"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """A system: milliseconds of CPU for a search, and a share from 0 to 1 with its interval."""

    name: str
    ms: float
    mean: float
    low: float
    high: float


def plot(results: Sequence[Mapping[str, Any]]) -> str:
    """Panels side by side, two in a row."""
    panels = [(result["title"], list(_points(result))) for result in results if golds_of(result)]
    rows = -(-len(panels) // 2)
    width, height = _WIDTH * min(len(panels), 2), _HEIGHT * rows
    body = "".join(
        f'<g transform="translate({_WIDTH * (place % 2)} {_HEIGHT * (place // 2)})">{_panel(*one)}</g>\n'
        for place, one in enumerate(panels)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" role="img">\n<style>{_STYLE}</style>\n<rect width="100%" height="100%" '
        f'fill="white"/>\n{body}</svg>\n'
    )


def _points(result: Mapping[str, Any]) -> Iterator[Point]:
    """Each system by the chief measure on the last gold: the corrected one where there is one."""
    gold = golds_of(result)[-1]
    for name, row in result["systems"].items():
        if "golds" in row:
            figure = row["golds"][gold]["measures"][result["chief"]]
            yield Point(
                name=name,
                ms=max(row["time"]["search_cpu_ms"], 0.01),
                mean=figure["mean"],
                low=figure["low"],
                high=figure["high"],
            )


def _panel(title: str, points: Sequence[Point]) -> str:
    first = floor(log10(min(point.ms for point in points)))
    last = floor(log10(max(point.ms for point in points))) + 1
    bottom = min(floor(10 * min(point.low for point in points)) / 10, 0.9)
    inner_width, inner_height = _WIDTH - _LEFT - _RIGHT, _HEIGHT - _TOP - _BOTTOM

    def x(ms: float) -> float:
        return _LEFT + inner_width * (log10(ms) - first) / (last - first)

    def y(share: float) -> float:
        return _TOP + inner_height * (1 - (share - bottom) / (1 - bottom))

    step = 1 if bottom >= _NARROW else 2
    ticks = [
        *(_tick_x(x(10.0**power), f"{10.0**power:g}") for power in range(first, last + 1)),
        *(_tick_y(y(tenth / 10), 10 * tenth) for tenth in range(round(10 * bottom), 11, step)),
    ]
    frame = (
        f'<text x="{_LEFT}" y="16" font-weight="bold">{escape(title.partition(":")[0])}</text>'
        f'<text x="{_LEFT}" y="28">% found, with 95% interval</text>'
        f'<text x="{_LEFT + inner_width / 2}" y="{_HEIGHT - 6}" text-anchor="middle">'
        "ms of CPU for a search</text>"
    )
    ordered = sorted(points, key=lambda point: -point.mean)
    places = _apart([y(point.mean) for point in ordered])
    drawn = (
        _drawn(point, x(point.ms), y, name_y, _WIDTH - _RIGHT + 8)
        for point, name_y in zip(ordered, places, strict=True)
    )
    return frame + "".join(ticks) + "".join(drawn)


def _drawn(point: Point, x: float, y: Any, name_y: float, name_x: float) -> str:
    kind = "own" if point.name.startswith("recollect") else "other"
    middle = y(point.mean)
    return (
        f'<line class="lead" x1="{x:.1f}" y1="{middle:.1f}" x2="{name_x - 2:.1f}" y2="{name_y - 4:.1f}"/>'
        f'<line class="{kind}" x1="{x:.1f}" x2="{x:.1f}" y1="{y(point.low):.1f}" y2="{y(point.high):.1f}"/>'
        f'<circle class="{kind}" cx="{x:.1f}" cy="{middle:.1f}" r="3.5"/>'
        f'<text x="{name_x:.1f}" y="{name_y:.1f}">{escape(point.name)} {100 * point.mean:.1f}</text>'
    )


def _apart(places: Sequence[float]) -> list[float]:
    """Where names stand, from the top: at their points, or below the name before."""
    moved: list[float] = []
    for place in places:
        moved.append(max(place + 4, moved[-1] + _LINE if moved else _TOP))
    over = moved[-1] - (_HEIGHT - _BOTTOM) if moved else 0
    for back in range(len(moved) - 1, -1, -1):  # what ran out at the foot pushes up what is above
        most = moved[back + 1] - _LINE if back + 1 < len(moved) else moved[back] - max(over, 0)
        moved[back] = min(moved[back], most)
    return moved


def _tick_x(at: float, label: str) -> str:
    foot = _HEIGHT - _BOTTOM
    return (
        f'<line class="grid" x1="{at:.1f}" x2="{at:.1f}" y1="{_TOP}" y2="{foot}"/>'
        f'<text x="{at:.1f}" y="{foot + 14}" text-anchor="middle">{label}</text>'
    )


def _tick_y(at: float, percent: float) -> str:
    return (
        f'<line class="grid" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{at:.1f}" y2="{at:.1f}"/>'
        f'<text x="{_LEFT - 6}" y="{at + 4:.1f}" text-anchor="end">{percent:.0f}</text>'
    )
