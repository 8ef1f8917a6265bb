"""Search by clusters beside the default index, on few vectors."""

from benchmarks.clusters import measured
from benchmarks.report import summary
from tests.benchmarks.test_report import MADE


def test_looking_into_more_clusters_finds_no_less():
    found = measured(2_000)
    shares = [one["recall_at_10"] for one in found["by_probes"].values()]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    page = summary({"benchmark": "clusters", "made": MADE, "how": "Clusters.", **found})
    assert "| 16 clusters |" in page
