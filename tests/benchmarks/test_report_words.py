"""The sections on what is found in words, from results made up here."""

from benchmarks.__main__ import ALL, COMMANDS, main
from benchmarks.report import SECTIONS, render, summary
from benchmarks.results import read_results, write_result
from benchmarks.targets import labels_targets
from tests.benchmarks.made_up import MADE

SHARES = {"mean": 0.5, "sd": 0.05}


def importance(*, area=0.8):
    areas = {"score": area, "length in characters": 0.7, "tags alone": 0.6, "without tags": 0.75}
    return {
        "benchmark": "importance",
        "made": MADE,
        "how": "Every turn.",
        "datasets": {
            "beam": {
                "counts": {"all": {"turns": 1_000, "gold": 100}, "user": {"turns": 500, "gold": 90}},
                "roc_auc": {"all": areas, "user": areas},
                "levels": {
                    "HIGH": {"turns": 200, "gold_share": 0.25},
                    "LOW": {"turns": 0, "gold_share": 0.0},
                },
                "microseconds_per_turn": 14.3,
            }
        },
    }


def intents():
    system = ("accuracy", "best_guess", "precision", "coverage", "unknown", "out_of_scope_detected")
    found = {
        "recollect": dict.fromkeys(system, SHARES),
        "words only": {"best_guess": SHARES},
        "meaning only": {"best_guess": SHARES},
    }
    thirds = [f"{what}_{third}" for what in ("accuracy", "best_guess") for third in (1, 2, 3)]
    return {
        "benchmark": "intents",
        "made": MADE,
        "how": "Many splits.",
        "threshold": 0.4,
        "results": {"1": found, "5": found, "20": found},
        "thresholds_on_development": {
            count: {"0.3": found["recollect"], "0.4": found["recollect"]} for count in ("5", "12")
        },
        "feedback": {arm: dict.fromkeys(thirds, SHARES) for arm in ("with feedback", "without feedback")},
        "mislabelled": {"as it is": {"best_guess": SHARES}, "feedback": {"best_guess": SHARES}},
        "speed": {"patterns": 280, "first_us": 12_888, "p50_us": 114},
    }


def labels(*, p50=200.0, dateparser=None):
    times = {"p50_us": p50, "mean_us": 300.0, "p95_us": 900.0}
    datasets = {
        name: {
            "turn": {
                "turns": 9,
                "characters_p50": 120.5,
                "whole": times,
                "processor": times,
                "parts": {"find_dates": times},
                "rest": times,
            },
            "adding": {
                "labelled": {"per_second": 2_000.0, "per_cpu_second": 2_000.0},
                "unlabelled": {"per_second": 4_000.0, "per_cpu_second": 4_000.0},
            },
        }
        for name in ("locomo", "beam")
    }
    right = {key: {"expressions": 4, "right": 3} for key in ("all", "en")}
    dates = {"right": right, "us_per_expression": 50.0, "us_per_text": {"no date": 1.8}}
    return {
        "benchmark": "labels",
        "made": MADE,
        "how": "Each by itself.",
        "dates": {**dates, "dateparser": dateparser},
        "datasets": datasets,
    }


def ablation(**dates):
    metrics = {"recall_at_5": 0.5, "recall_at_10": 0.6, "mrr": 0.4}
    return {
        "benchmark": "ablation",
        "made": MADE,
        "how": "One at a time.",
        "rows": {"as shipped": {"locomo": metrics}},
        **dates,
    }


DATES = {
    "locomo": {
        "all": {
            "questions": 4,
            "with_a_date": 2,
            "shipped": 0.75,
            "dateless": 0.5,
            "better": 1,
            "worse": 0,
        }
    }
}
RIGHT = {key: {"expressions": 4, "right": 1} for key in ("all", "en")}
DATEPARSER = {"version": "1.5.0", "right": RIGHT, "us_per_expression": 400.0}
EVERYTHING = [importance(), intents(), labels(dateparser=DATEPARSER), ablation(dates=DATES)]


def test_every_table_has_as_many_cells_in_each_row():
    blocks = [block for block in render(EVERYTHING).split("\n\n") if block.startswith("| ")]
    assert len(blocks) >= 4
    for block in blocks:
        assert len({line.count("|") for line in block.strip().splitlines()}) == 1, block


def test_sections_follow_the_ablation_in_a_fixed_order():
    page = render(EVERYTHING)
    headings = [line for line in page.splitlines() if line.startswith("## ")]
    assert headings[:4] == [
        "## What is each part worth?",
        "## Does importance tell what matters?",
        "## Are intents learned?",
        "## What does it cost to read the words?",
    ]


def test_importance_is_shown_beside_the_length_of_the_words_and_the_margin_of_guessing():
    page = summary(importance(area=0.503))
    assert "| BEAM, all turns | 1,000 | 100 | 0.503 | 0.700 | ± 0.060 |" in page


def test_turns_without_evidence_have_no_margin():
    result = importance()
    result["datasets"]["beam"]["counts"]["user"]["gold"] = 0
    (row,) = [line for line in summary(result).splitlines() if line.startswith("| BEAM, the person's turns")]
    assert row.endswith("|  |")


def test_intents_are_shown_with_their_baselines():
    page = summary(intents())
    assert "| best guess is right: words only | 50.0 | 50.0 | 50.0 |" in page
    assert "| out of scope, found unknown |" in page
    assert "| examples per intent | 1 | 5 | 20 |" in page
    assert "takes 114 µs;" in page


def test_labelling_stands_beside_its_target():
    assert [target.verdict for target in labels_targets(labels(p50=250.0))] == ["met", "met"]
    assert [target.verdict for target in labels_targets(labels(p50=251.0))] == ["**not met**"] * 2
    assert "| labelling a turn, p50, BEAM | 200 µs | ≤ 250 µs |" in summary(labels())
    assert "| ≤ 250 µs: **not met** |" in summary(labels(p50=251.0))
    assert "labels, which cost 250 µs of CPU each" in summary(labels())


def test_dateparser_is_compared_where_it_was_installed():
    assert "reads 25.0% right" in summary(labels(dateparser=DATEPARSER))
    assert "Of 4 dates (English) 75.0% are read right" in summary(labels())
    assert "dateparser" not in summary(labels())


def test_labels_without_data_sets_show_dates_alone():
    page = summary({**labels(), "datasets": {}})
    assert "are read right" in page
    assert "Adding" not in page


def test_dates_in_questions_are_shown_where_they_were_measured():
    page = summary(ablation(dates=DATES))
    assert "LoCoMo: of 2 questions that name a date, `time_match` makes 1 better and 0 worse." in page
    assert "name a date" not in summary(ablation())


def test_rows_with_another_constant_are_summed_up_as_the_range_of_their_changes():
    result = ablation()
    for name, found in (("`k1` 0.6", 0.58), ("neighbours 1, 0.5", 0.61), ("without the session", 0.3)):
        result["rows"][name] = {"locomo": {"recall_at_5": 0.5, "recall_at_10": found, "mrr": 0.4}}
    page = summary(result)
    assert "changes R@10 by -2.0 to +1.0 (LoCoMo) points" in page
    assert "| without the session | 30.0 |" in page
    assert "k1" not in page


def test_results_are_the_same_when_read_back(tmp_path):
    for result in EVERYTHING:
        assert write_result(result, tmp_path).name == f"{result['benchmark']}.json"
    assert sorted(read_results(tmp_path), key=str) == sorted(EVERYTHING, key=str)


def test_every_benchmark_has_a_command_and_a_section():
    assert set(COMMANDS) == {*SECTIONS, "report", "changed", "scaling"}


def test_importance_without_a_data_set_is_skipped_and_said_so(tmp_path, capsys):
    main(["importance", "--locomo", str(tmp_path / "none.json"), "--results", str(tmp_path)])
    assert "importance: skipped, no data set was given" in capsys.readouterr().out
    assert not list(tmp_path.iterdir())


def test_labels_without_a_data_set_say_so(tmp_path, capsys, monkeypatch):
    asked = []
    monkeypatch.setattr(
        "benchmarks.__main__.run_labels",
        lambda datasets: asked.append(datasets) or {**labels(), "datasets": {}},
    )
    main(["labels", "--results", str(tmp_path)])
    assert asked == [[]]
    assert "no data set was given" in capsys.readouterr().out
    assert (tmp_path / "labels.json").exists()


def test_all_runs_every_command_in_order(monkeypatch):
    done = []
    for name in COMMANDS:
        monkeypatch.setitem(COMMANDS, name, lambda options, name=name: done.append(name))
    main(["all"])
    assert done == list(ALL) == [name for name in COMMANDS if name not in {"postgres", "scaling"}]


def test_ageing_is_told_by_halves_beside_the_stored_confidence():
    found = {"cases": 81, "sure": 40, "right": {"stored": 0.5, "table": 0.875, "own facts": 0.9}}
    made = {"benchmark": "ageing", "made": MADE, "how": "Lives.", "results": {"held back": found}}
    page = render([made | {"milliseconds": 93.04}])
    assert "| held back | 81 | 50.0% | 87.5% | 90.0% |" in page
    assert "A profile of 1,000 facts takes 93.0 ms" in page


def test_limits_are_told_beside_the_numbers_of_the_design():
    found = {"found": 0.975, "found_many": 0.918, "complete": 0.923, "tokens": 202, "milliseconds": 21.4}
    one = {"half": "held back", "questions": 52, "crowd": 1800, "ways": {"as needed": found}}
    page = render([{"benchmark": "limits", "made": MADE, "how": "Minds.", "results": [one]}])
    assert "| held back, among 1,800 others | as needed | 97.5% | 91.8% | 92.3% | 202 | 21.4 |" in page


def test_questions_for_a_time_are_told_by_halves_with_what_a_context_had_before():
    found = {"cases": 95, "with_answer": 69, "answered": 0.5, "right": 0.45, "right_of_answered": 0.9}
    found |= {"sourced": 0.9, "silent": 0.96, "by_kind": {"date": 0.7, "length": 0.25}}
    found |= {"in_context": {"with": 0.75, "without": 0.5}}
    made = {"benchmark": "temporal", "made": MADE, "how": "Lives.", "results": {"held back": found}}
    page = render([made | {"milliseconds": {"asks for a time": {"with": 18.54, "without": 5.72}}}])
    assert "| held back | 95 | 50.0% | 45.0% | 10.0% | 96.0% | 75.0% | 50.0% |" in page
    assert "| held back | 70.0% | 25.0% |" in page
    assert "of a question that asks for a time 18.5 ms of CPU, without it 5.72 ms" in page


def test_the_agenda_is_told_by_halves_with_its_time():
    found = {"cases": 63, "wanted": 32, "right": 30, "wrong": 1, "precision": 0.968, "recall": 0.938}
    found |= {"nothing_to_say": 32, "nothing_said": 31}
    made = {"benchmark": "agenda", "made": MADE, "how": "Lives.", "results": {"held back": found}}
    page = render([made | {"milliseconds": {"1000": 272.1}}])
    assert "| held back | 63 | 32 | 30 | 1 | 96.8% | 93.8% | 31 of 32 |" in page
    assert "272 ms among 1,000 messages" in page
