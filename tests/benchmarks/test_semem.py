"""What Semem's benchmarks measure, on turns whose worth is plain; and that the page shows it."""

import pytest
from benchmarks.report import summary
from tests.benchmarks.made_up import dataset

pytest.importorskip("networkx", reason="comes with make bench")
pytest.importorskip("rustworkx", reason="comes with make bench")


@pytest.fixture(scope="module")
def result():
    from benchmarks.semem import run_semem

    return run_semem([dataset()], sizes=(40,), memories=50)


def test_a_retrieval_writes_what_it_returns_and_one_state(result):
    assert result["writes"]["40"]["memories_written"] == 10
    assert result["writes"]["40"]["states_written"] == 1


def test_every_system_is_measured_on_the_same_questions(result):
    counts = {one["overall"]["all"]["questions"] for one in result["quality"]["made-up"].values()}
    assert len(counts) == 1


def test_the_page_shows_it(result):
    page = summary(result)
    assert "## Semem" in page
    assert "adding a memory's concepts" in page
