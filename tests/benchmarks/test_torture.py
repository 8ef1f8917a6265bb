"""One seeded round of every attack on files; those that measure times are left to ``make torture``."""

from pathlib import Path

import pytest
from benchmarks.torture.__main__ import MEASURED, ON_FILES, SQLITE, Report, Round, run
from benchmarks.torture.figures import Figures

QUICK = [one for one in ON_FILES if one not in MEASURED]


@pytest.mark.parametrize("attack", QUICK, ids=lambda one: one.__name__)
def test_a_round_of_an_attack_finds_nothing_that_does_not_hold(attack) -> None:
    figures = run(Round(SQLITE, attack, 1), lambda folder: str(folder / "m.db"))
    assert figures.failures == []
    assert figures.counts


def test_an_error_that_nothing_expects_is_a_failure_and_its_seed_is_kept() -> None:
    def broken(ground, chance) -> Figures:
        raise KeyError("raw")

    done = Round(SQLITE, broken, 7)
    report = Report()
    report.add(done, run(done, str))
    assert report.failed[0].startswith("SQLite broken 7  # KeyError")
    assert list(report.lines())[-1].endswith("| 1 |")


def test_a_disk_that_forgets_what_was_synced_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    from benchmarks.torture import disk

    monkeypatch.setattr(disk._Disk, "synced", lambda self, name: None)
    new_store = {"new_store": lambda folder: str(Path(folder) / "m.db")}
    rounds = [run(Round(SQLITE, disk.power_cut, seed), **new_store) for seed in range(3)]
    assert any(one.failures for one in rounds)
