"""The benchmark of an import, in short."""

from benchmarks.importing import run_importing
from benchmarks.report import summary
from tests.benchmarks.made_up import dataset


def test_a_short_import_stores_every_message() -> None:
    result = run_importing([dataset(assistant=True)], messages=60)
    assert [one["messages"] for one in result["imports"]] == [6, 60]
    assert "| import 60 messages on " in summary(result)
