"""The benchmark of the server, in short."""

import pytest
from benchmarks.report import summary
from benchmarks.serving import run_serving

from benchmarks import serving


def test_a_short_run_measures_and_loses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "SHAKES", 1)
    result = run_serving(size=300, users=2, each=40, seconds=1, soak_s=2, memory_s=2, at_once=4)
    crowd = result["crowd"]
    assert (crowd["errors"], crowd["lost"], crowd["doubled"], result["http"]["errors"]) == (0, 0, 0, 0)
    assert crowd["added"] > 0
    assert result["http"]["requests"] + result["http"]["unsent"] == 50
    assert (result["streams"]["streams"], result["streams"]["errors"]) == (20, 0)
    assert result["memory"]["errors"] == 0
    page = summary(result)
    assert "| search over HTTP, 300 memories of one user, 50/s, p50 |" in page
