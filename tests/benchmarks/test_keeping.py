"""What the benchmark of keeping says of turns searched beside what was learned of them."""

from benchmarks.keeping import beside
from benchmarks.report_learning import keeping_section

from . import made_up


def test_turns_are_found_as_well_beside_what_was_learned_of_them():
    found = beside(made_up.dataset())
    assert found["facts"] > 0
    assert found["episodes"] > 0
    assert found["questions"] == 3
    assert found["after"] >= found["before"] > 0
    assert found["fell"] == 0


def test_the_page_says_so_where_it_was_measured():
    spent = {"known": 10_000, "median": 1.0, "p95": 2.0}
    result = {"made": made_up.MADE, "how": "So.", "kept": {}, "reconcile_ms": spent}
    turns = {"facts": 3, "episodes": 2, "questions": 9, "before": 80.0, "after": 81.5, "rose": 2, "fell": 1}
    told = keeping_section({**result, "beside": {"made-up": turns}})
    assert "80.00 before learning, 81.50 beside 3 facts and 2 episodes" in told
    assert "R@10" not in keeping_section(result)
