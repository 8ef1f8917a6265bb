"""Times and memory, as the speed benchmark reports them."""

import re
import resource
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

import numpy as np

_Argument = TypeVar("_Argument")


def milliseconds(seconds: Sequence[float]) -> dict[str, float]:
    """The 50th, the 95th and the 99th percentile, in milliseconds, interpolated between neighbours.

    >>> milliseconds([0.001, 0.002, 0.003])
    {'p50_ms': 2.0, 'p95_ms': 2.9, 'p99_ms': 2.98}
    """
    return {f"p{share}_ms": round(1_000 * float(np.percentile(seconds, share)), 3) for share in (50, 95, 99)}


def microseconds(seconds: Sequence[float]) -> dict[str, float]:
    """The median, the mean and the 95th percentile, in microseconds.

    >>> microseconds([0.000001, 0.000002, 0.000006])
    {'p50_us': 2.0, 'mean_us': 3.0, 'p95_us': 5.6}
    """
    p50, p95 = (float(np.percentile(seconds, share)) for share in (50, 95))
    named = {"p50_us": p50, "mean_us": float(np.mean(seconds)), "p95_us": p95}
    return {name: round(1e6 * spent, 1) for name, spent in named.items()}


def time_calls(call: Callable[[_Argument], object], arguments: Sequence[_Argument]) -> dict[str, float]:
    """Call once per argument and report percentiles: of the clock, and of the processor's time.

    The processor's time leaves out what other programs on a busy machine took in between.
    """
    spent, worked = [], []
    for argument in arguments:
        before, started = time.process_time(), time.perf_counter()
        call(argument)
        spent.append(time.perf_counter() - started)
        worked.append(time.process_time() - before)
    return {**milliseconds(spent), "cpu_p50_ms": milliseconds(worked)["p50_ms"]}


class Stopwatch:
    """Sums up the time spent inside ``with`` blocks: of the clock, and of the processor."""

    def __init__(self) -> None:
        self._spent = 0.0
        self._worked = 0.0

    def __enter__(self) -> None:
        self._spent -= time.perf_counter()
        self._worked -= time.process_time()

    def __exit__(self, *_error: object) -> None:
        self._spent += time.perf_counter()
        self._worked += time.process_time()

    def rates(self, count: int) -> dict[str, float]:
        """How many of ``count`` things were done in a second of the clock, and of the processor."""
        return {"per_second": count / self._spent, "per_cpu_second": count / self._worked}


def peak_memory_mb() -> float:
    """The most memory this process has held, in megabytes of 1,000,000 bytes.

    Linux says so itself; its ``getrusage`` would count what the parent held when it started us.
    """
    status = Path("/proc/self/status")
    if status.exists():
        found = re.search(r"VmHWM:\s+(\d+) kB", status.read_text(encoding="ascii"))
        if found:
            return round(int(found[1]) * 1_024 / 1e6, 1)
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6, 1)
