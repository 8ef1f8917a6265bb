"""Facts that were judged one by one: how they are counted, and that none of the data is kept."""

import json
import re

from benchmarks.judging import BANDS, JUNK, VERDICTS, digest_of, judged, learned, unjudged
from benchmarks.report_learning import keeping_section

from benchmarks import judging

from . import made_up


def test_the_file_of_verdicts_holds_no_words_and_each_fact_once():
    rows = [json.loads(row) for row in VERDICTS.read_text(encoding="utf-8").splitlines()]
    assert len(rows) >= 300
    assert {row["verdict"] for row in rows} <= {"true", *JUNK}
    assert all(re.fullmatch("[0-9a-f]{16}", row["digest"]) for row in rows)
    assert all(row.keys() == {"dataset", "turn", "digest", "verdict"} for row in rows)
    assert len({(row["dataset"], row["turn"], row["digest"]) for row in rows}) == len(rows)


def test_facts_are_counted_by_verdict_and_by_confidence(monkeypatch):
    dataset = made_up.dataset()
    (first, *rest) = learned(dataset)
    verdicts = {(dataset.name, turn, digest_of(fact.text)): "true" for turn, fact in rest}
    verdicts[dataset.name, first[0], digest_of(first[1].text)] = "vague"
    monkeypatch.setattr(judging, "load_verdicts", lambda: verdicts)
    found = judged([dataset])
    assert (found["judged"], found["new_and_unjudged"]) == (1 + len(rest), 0)
    assert found["junk"]["vague"] == 1
    assert sum(one["judged"] for one in found["by_confidence"].values()) == found["judged"]
    assert len(found["by_confidence"]) == len(BANDS)


def test_a_fact_without_a_verdict_is_new_and_listed(monkeypatch):
    dataset = made_up.dataset()
    monkeypatch.setattr(judging, "load_verdicts", dict)
    found = judged([dataset])
    assert found["judged"] == 0
    assert found["new_and_unjudged"] == found["facts"] == len(list(unjudged([dataset]))) > 0


def test_the_page_shows_the_verdicts_where_there_are_some():
    bands = {"0.9": {"judged": 9, "true_percent": 100.0}}
    counts = {"facts": 12, "judged": 10, "new_and_unjudged": 2, "junk": {"vague": 1}, "junk_percent": 10.0}
    spent = {"known": 10_000, "median": 1.0, "p95": 2.0}
    result = {"made": made_up.MADE, "how": "So.", "kept": {}, "reconcile_ms": spent}
    told = keeping_section({**result, "judged": {**counts, "by_confidence": bands}})
    assert "10 of 12 facts were read one by one" in told
    assert "one by one, and" not in keeping_section(result)
