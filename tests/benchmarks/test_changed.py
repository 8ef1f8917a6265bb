"""The table of what became faster or slower."""

import subprocess

from benchmarks.changed import compare, compare_with_committed
from benchmarks.results import write_result
from tests.benchmarks.made_up import MADE

AGAIN = MADE | {"date": "2026-02-03", "commit": "def5678"}


def timed(p50: float, rate: float, *, made=MADE, name: str = "speed"):
    found = {"search": {"p50_ms": p50}, "adding": {"per_second": rate}, "size": round(100 * p50)}
    return {"benchmark": name, "made": made, **found}


def rows(said: str) -> list[str]:
    return [line for line in said.splitlines() if line.startswith("| speed")]


def test_a_time_that_grew_and_a_rate_that_fell_are_worse() -> None:
    said = compare([timed(2.0, 300)], [timed(4.0, 100, made=AGAIN)])
    assert rows(said) == [
        "| speed: adding, per_second | 300 | 100 | **3.00x worse** |",
        "| speed: search, p50_ms | 2.00 | 4.00 | **2.00x worse** |",
    ]
    assert "speed: `abc1234` on 2 cores" in said


def test_what_became_better_stands_last_and_small_changes_do_not_stand_there() -> None:
    said = compare([timed(2.0, 300)], [timed(1.0, 310, made=AGAIN)])
    assert rows(said) == ["| speed: search, p50_ms | 2.00 | 1.00 | 2.00x better |"]
    assert "1 of 2 figures changed by at most a tenth" in said


def test_only_what_was_measured_again_is_compared() -> None:
    assert compare([timed(2.0, 300)], [timed(2.0, 300)]).startswith("Nothing was measured again")
    assert compare([], [timed(2.0, 300)]).startswith("Nothing was measured again")


def test_the_committed_figures_are_those_of_the_last_commit(tmp_path) -> None:
    def git(*words: str) -> None:
        named = ["-c", "user.name=a", "-c", "user.email=a@example.com"]
        subprocess.run(["git", "-C", str(tmp_path), *named, *words], check=True, capture_output=True)  # noqa: S603, S607

    folder = tmp_path / "results"
    write_result(timed(2.0, 300), folder)
    assert compare_with_committed(folder).startswith("Nothing was measured again")
    git("init")
    git("add", ".")
    git("commit", "-m", "figures")
    write_result(timed(6.0, 300, made=AGAIN), folder)
    assert rows(compare_with_committed(folder)) == [
        "| speed: search, p50_ms | 2.00 | 6.00 | **3.00x worse** |"
    ]
