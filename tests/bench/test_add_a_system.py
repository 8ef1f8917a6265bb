"""What a newcomer copies from the page on adding a system works as it stands."""

import json
from pathlib import Path

import pytest
from tests.test_docs import blocks_of

from recollect_bench.catalogue import find_data, find_system

PAGE = Path(__file__).parents[2] / "docs" / "inside" / "add-a-system.md"
NOTES = [{"person": "ada", "notes": ["My bike is red", "Tea at five"], "asked": [["Which bike?", 0, "red"]]}]


@pytest.fixture
def saved(tmp_path):
    """The page's files, saved under the names that it gives them."""
    system, _, data = (block.code for block in blocks_of(PAGE) if block.language == "python")
    (tmp_path / "shelf.py").write_text(system)
    (tmp_path / "notes.py").write_text(data)
    (tmp_path / "notes.json").write_text(json.dumps(NOTES))
    return tmp_path


def test_the_pages_system_runs_on_the_everyday_year(bench, saved):
    (result,) = bench.run([find_system(str(saved / "shelf.py"))], [find_data("everyday")])
    assert result["systems"]["shelf"]["golds"]["own"]["measures"]["context_right"]["mean"] > 0.2


def test_the_pages_data_set_is_asked(bench, saved):
    data = find_data(f"{saved / 'notes.py'}={saved / 'notes.json'}")
    (result,) = bench.run([find_system(str(saved / "shelf.py"))], [data])
    assert result["systems"]["shelf"]["golds"]["own"]["measures"]["recall_at_10"]["mean"] == 1
