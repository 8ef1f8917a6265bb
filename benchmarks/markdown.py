"""What every section of the page is made of: tables, targets, and where a result was made."""

from collections.abc import Iterable, Sequence

from benchmarks.targets import Result, Target


def target_table(targets: Sequence[Target]) -> str:
    """Figures beside their targets; nothing where there are none."""
    if not targets:
        return ""
    return table(["", "measured", "target", ""], (target.row() for target in targets))


def busy(result: Result, *, aside: str = "") -> str:
    """A word about other work on the machine, if there was much; ``aside`` ends the sentence."""
    load, cores = result["made"]["load_average"], result["made"]["cores"]
    if load is None or load < cores / 4:
        return ""
    return (
        f"The machine was busy with other work (load average {load} on {cores} cores when it began), so that "
        f"times of the clock are longer than on a quiet one{aside}.\n"
    )


def made(result: Result) -> str:
    """When, at which commit and with what."""
    by = result["made"]
    dirty = " with uncommitted changes" if by["uncommitted_changes"] else ""
    packages = ", ".join(f"{name} {version}" for name, version in by["packages"].items() if version)
    return (
        f"Measured on {by['date']} at commit `{by['commit']}`{dirty}: "
        f"Python {by['python']}, {packages}; "
        f"{by['system']}, {by['cores']} cores."
    )


def table(header: Iterable[str], rows: Iterable[Sequence[str]]) -> str:
    """A table whose first column is text, and the others are figures."""
    head = list(header)
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)
