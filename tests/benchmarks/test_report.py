"""The page, from results made up here."""

from pathlib import Path

import pytest
from benchmarks.__main__ import main
from benchmarks.floor import SYSTEMS
from benchmarks.report import render, summary
from benchmarks.results import read_results, write_result
from benchmarks.speed import growth
from benchmarks.targets import recall_targets, speed_targets
from tests.benchmarks.made_up import MADE


def recall(value):
    metrics = {
        "questions": 4,
        "recall_at_5": value,
        "recall_at_10": value,
        "any_at_10": value,
        "all_at_10": value,
        "mrr": value,
    }
    found = {"overall": {"all": metrics}, "categories": {"single_hop": metrics}}
    budgets = {"500": {"questions": 3, "content": 0.3, "answer": 0.25, "words": 0.5}}
    return {
        "benchmark": "retrieval",
        "dataset": "locomo",
        "made": MADE,
        "how": "As a user would.",
        "counts": {
            "conversations": 1,
            "turns": 1_234,
            "questions": 5,
            "with_evidence": 4,
            "with_evidence_without_answer": 1,
        },
        "results": {"bm25": found, "vectors": found, "default": found},
        "context": {"bm25": budgets, "default": budgets},
    }


def timed(p50):
    return {"p50_ms": p50, "p95_ms": 2 * p50, "cpu_p50_ms": p50}


def speed(**changes):
    search = {**timed(2.0), "open_s": 0.1, "open_and_first_search_s": 0.3}
    search |= {"peak_memory_mb": 80.0, "peak_memory_first_mb": 70.0}
    write = {
        "per_second": 6_000.0,
        "per_cpu_second": 7_000.0,
        "bytes_per_memory": 940.0,
        "peak_memory_mb": 90.0,
    }
    floors = {"numpy": timed(0.5), "bm25s": timed(0.4)}
    sizes = {
        size: {
            "write": write,
            "search": search,
            "floors": floors,
            "single_add": timed(1.0),
            "flush": timed(0.5),
        }
        for size in ("10000", "100000")
    }
    result = {
        "benchmark": "speed",
        "made": MADE,
        "how": "One thread.",
        "sizes": sizes,
        "users": {"write": write, "search": {**search, "first_of_a_user": timed(6.0)}},
        "ingest": {"size": 100_000, "batches_of_1000": write, "one_call": write},
        "starts": {"import_s": 0.15, "import_memory_s": 0.2, "python_s": 0.01, "cli_help_s": None},
        "growth": growth(sizes),
    }
    return result | changes


def floor():
    measures = ("search, ms", "search and add, ms", "one add, ms", "batches, /s", "long messages, /s")
    ours, floor = dict.fromkeys(measures, 30.0), dict.fromkeys(measures, 60.0)
    shapes = ((1_000, 1), (100_000, 100))
    rows = [{"size": size, "users": users, "recollect": ours, "floor": floor} for size, users in shapes]
    return {"benchmark": "floor", "made": MADE, "how": "Both.", "rows": rows}


def verdicts(targets):
    return {target.what: target.verdict for target in targets}


def test_an_answer_in_context_is_told_by_its_content_words_first():
    assert "| LoCoMo, **Recollect** | 3 | 30.0 |" in render([recall(0.8)])


def test_figures_stand_beside_their_targets_in_plain_words():
    assert set(verdicts(recall_targets(recall(0.8))).values()) == {"met"}
    assert set(verdicts(recall_targets(recall(0.4))).values()) == {"**not met**"}
    assert "| LoCoMo R@10 | 80.0 | ≥ 76.0 |" in render([recall(0.8)])
    assert "| LoCoMo R@10 | 40.0 | ≥ 76.0: **not met** |" in render([recall(0.4)])


def test_what_was_not_measured_is_neither_met_nor_missed():
    found = verdicts(speed_targets(speed()))
    assert found["search at 1,000,000, p50"] == "not measured"
    assert found["`recollect --help`"] == "not measured"
    assert found["search at 10,000, p50"] == "met"
    slow = {"import_s": 0.5, "import_memory_s": 0.6, "python_s": 0.01, "cli_help_s": 0.2}
    assert verdicts(speed_targets(speed(starts=slow)))["`import recollect`"] == "**not met**"


def test_the_floor_is_shown_as_a_multiple_of_its_time():
    shown = summary(floor())
    assert "|  | 1,000 | 100 users x 1,000 |" in shown
    assert "| search, ms | 30.0 (0.5x) | 30.0 (0.5x) |" in shown
    assert "| batches, /s | 30.0 (2.0x) | 30.0 (2.0x) |" in shown


def test_the_floor_and_the_product_find_what_was_said(tmp_path):
    for name, made in SYSTEMS.items():
        system = made(str(tmp_path / name))
        system.add(["Ada plays the cello", "Ben swims"], "one")
        system.add(["Cleo plays the cello"], "two")
        assert len(system.search("Who plays the cello?", "one")) == 2
        assert len(system.search("Who plays the cello?", "two")) == 1


def test_the_load_of_the_machine_is_shown():
    assert "speed (3.5)" not in render([speed()])
    assert "speed (3.5)\n" in render([speed(made=MADE | {"load_average": 3.5})])


def test_every_table_has_as_many_cells_in_each_row():
    blocks = [block for block in render([recall(0.8), speed()]).split("\n\n") if block.startswith("| ")]
    assert len(blocks) >= 6
    for block in blocks:
        assert len({line.count("|") for line in block.strip().splitlines()}) == 1, block


def test_growth_is_from_size_to_size():
    sizes = {size: {"search": timed(p50)} for size, p50 in (("1000", 1.0), ("10000", 2.0), ("100000", 9.0))}
    assert growth(sizes) == {"1000 to 10000": 2.0, "10000 to 100000": 4.5}


def test_results_are_named_by_their_data_set_and_read_back(tmp_path):
    assert write_result(recall(2 / 3), tmp_path).name == "locomo.json"
    assert write_result(speed(), tmp_path).name == "speed.json"
    locomo, fast = read_results(tmp_path)
    assert locomo["results"]["default"]["overall"]["all"]["mrr"] == 0.666667
    assert fast == speed()


def test_a_data_set_without_a_path_is_skipped_and_said_so(tmp_path, capsys):
    main(["retrieval", "--locomo", "", "--beam", str(tmp_path / "none.json"), "--results", str(tmp_path)])
    said = capsys.readouterr().out
    assert "locomo: skipped, no path was given" in said
    assert "beam: skipped, no file at" in said
    assert not list(tmp_path.iterdir())


def test_a_result_that_cannot_be_written_leaves_the_one_before(tmp_path, monkeypatch):
    def half(path, text, **_):
        path.write_bytes(text.encode()[: len(text) // 2])
        raise OSError

    write_result(recall(0.8), tmp_path)
    before = read_results(tmp_path)
    monkeypatch.setattr(Path, "write_text", half)
    with pytest.raises(OSError):  # noqa: PT011 - whatever the disk says
        write_result(recall(0.9), tmp_path)
    assert read_results(tmp_path) == before


def test_the_page_is_written_from_the_results(tmp_path):
    write_result(recall(0.8), tmp_path)
    page = tmp_path / "docs" / "page.md"
    readme = tmp_path / "README.md"
    readme.write_text("Before.\n<!-- benchmarks -->\nold\n<!-- /benchmarks -->\nAfter.\n", encoding="utf-8")
    main(["report", "--results", str(tmp_path), "--page", str(page), "--readme", str(readme)])
    assert page.read_text(encoding="utf-8") == render(read_results(tmp_path))
    figures = readme.read_text(encoding="utf-8")
    assert figures.startswith("Before.\n<!-- benchmarks -->\n")
    assert figures.endswith("<!-- /benchmarks -->\nAfter.\n")
    assert "80.0" in figures
    assert "old" not in figures
    main(["report", "--results", str(tmp_path), "--page", str(page), "--readme", str(readme)])
    assert readme.read_text(encoding="utf-8") == figures
    assert summary(recall(0.8)) in page.read_text(encoding="utf-8")
