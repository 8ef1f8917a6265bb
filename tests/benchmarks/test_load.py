"""A load on a server of this machine: what is reported, what goes wrong, and what is left there."""

import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from benchmarks.client import Client, Served, local_url, serving_store
from benchmarks.load import drive as driving
from benchmarks.load import target as targets
from benchmarks.load.__main__ import main
from benchmarks.load.drive import Done, Driven, drive
from benchmarks.load.operations import FailedError, choose
from benchmarks.load.outcome import figures, told
from benchmarks.load.people import People, Person, new_name
from benchmarks.load.plan import OPERATIONS, Plan, parse_mix
from benchmarks.load.target import Target
from tests.ports import free_port
from tests.tables import table

from recollect import Memory
from recollect.server import KeyRing

SHORT = ("--users", "2", "--memories", "12", "--seconds", "1", "--warm-up", "0", "--clients", "2")
NAME = re.compile(r"load-[0-9a-f]{12}-2")


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A store in which Ada has a memory."""
    path = tmp_path / "m.db"
    with Memory(path, embedder="hashing") as memory:
        memory.add("Ada likes tea", user_id="ada")
    return path


@pytest.fixture
def server(store: Path) -> Iterator[Served]:
    with serving_store(store) as served:
        yield served


def owners(url: str) -> list[str]:
    with Client(url) as client:
        found: list[str] = client.ask("GET", "/users").body["users"]
    return found


def key_of(store: Path, owner: str, role: str) -> str:
    with Memory(store) as memory:
        return str(KeyRing(memory.parts.store).create(owner=owner, role=role)[1])


def test_a_load_measures_each_operation_and_leaves_nothing_behind(
    server: Served, store: Path, capsys
) -> None:
    assert main(["--url", server.url, *SHORT, "--mix", "search=2,add=1,context=1,turn=1"]) == 0
    said = capsys.readouterr().out
    for operation in OPERATIONS:
        assert re.search(rf"^\| {operation} \| [1-9.]", said, re.MULTILINE), said
    assert "Failed" not in said
    assert "of this load with" in said
    assert owners(server.url) == ["ada"]
    with Memory(store) as memory:
        assert memory.stats().memories == 1
        assert memory.maintenance.doctor().problems == ()
        assert memory.maintenance.doctor().deleted == 0


def test_users_are_kept_when_told_so_and_deleted_later_by_the_name_of_the_load(
    server: Served, capsys
) -> None:
    assert main(["--url", server.url, *SHORT, "--keep"]) == 0
    name = NAME.search(capsys.readouterr().out)
    assert name is not None
    assert owners(server.url) == ["ada", f"{name[0]}-0", f"{name[0]}-1"]
    assert main(["--url", server.url, "--delete", name[0]]) == 0
    assert owners(server.url) == ["ada"]


@table("name", ["ada", "load-1", "load-3f2a9c01b7d4-0", "load-3f2a9c01b7d4-2-0"])
def test_nothing_but_a_load_is_deleted(server: Served, name: str, capsys) -> None:
    assert main(["--url", server.url, "--delete", name]) == 1
    assert "a load is called such as" in capsys.readouterr().err
    assert owners(server.url) == ["ada"]


def test_without_a_url_it_starts_a_server_of_its_own(capsys) -> None:
    assert main(["--users", "1", "--memories", "3", "--seconds", "1", "--warm-up", "0", "--rate", "4"]) == 0
    assert "The server kept" in capsys.readouterr().out


def test_a_rate_is_kept(server: Served) -> None:
    people = People(Target(url=server.url), new_name(1)).make(5, seed=1, clients=1)
    found = figures(drive(Target(url=server.url), Plan(rate=20, seconds=1, warm_up_s=0.5, clients=2), people))
    assert found["requests"] + found["unsent"] == 20
    assert found["errors"] == 0


@pytest.mark.parametrize(
    ("owner", "role", "why"),
    [
        ("ada", "admin", "this key belongs to another user"),
        ("*", "reader", "this key may not write"),
    ],
)
def test_a_key_that_opens_no_new_users_is_refused(
    store: Path, owner: str, role: str, why: str, capsys
) -> None:
    key = key_of(store, owner, role)
    with serving_store(store, "--no-worker", "--with-keys") as server:
        assert main(["--url", server.url, "--key", key, *SHORT]) == 1
        assert main(["--url", server.url, "--key", "rcl_wrong", *SHORT]) == 1
        assert main(["--url", server.url, *SHORT]) == 1
    refused, wrong, missing = capsys.readouterr().err.strip().splitlines()
    assert why in refused
    assert "--any-user --role admin" in refused
    assert "this key is unknown" in wrong
    assert "a key is needed" in missing


def test_a_limited_key_is_reported_and_its_users_are_deleted_all_the_same(store: Path, capsys) -> None:
    key = key_of(store, "*", "writer")
    with serving_store(store, "--no-worker", "--with-keys", "--rate-per-minute", "30") as server:
        assert main(["--url", server.url, "--key", key, *SHORT, "--seconds", "3", "--clients", "8"]) == 0
    said = capsys.readouterr().out
    assert "x 429 Too Many Requests (this key may make 30 requests a minute" in said
    assert "/metrics needs a key" in said
    assert "a key with the role admin would purge them" in said
    with Memory(store) as memory:
        assert memory.users() == ["ada"]


def test_where_no_server_is_it_says_so(capsys) -> None:
    assert main(["--url", local_url(free_port()), *SHORT]) == 1
    said = capsys.readouterr().err
    assert said.startswith("Error: no server answers at http://127.0.0.1:")
    assert "recollect serve" in said
    assert main(["--url", "127.0.0.1", *SHORT]) == 1
    assert "is no URL" in capsys.readouterr().err


def test_a_server_that_stops_in_the_middle_ends_the_load_with_a_report(
    server: Served, capsys, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(driving, "_GONE_S", 0.3)
    monkeypatch.setattr(targets, "_AWAY_S", 0.3)
    threading.Timer(2.5, server.process.kill).start()
    assert main(["--url", server.url, *SHORT, "--seconds", "60"]) == 1
    said = capsys.readouterr()
    assert "x connection" in said.out
    assert "It ended early: the server was not reached" in said.out
    assert re.search(r"make load URL=\S+ DELETE=load-\S+", said.err)


def test_ctrl_c_ends_a_load_with_a_report_and_deletes_its_users(server: Served) -> None:
    command = [sys.executable, "-m", "benchmarks.load", "--url", server.url, *SHORT, "--seconds", "60"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as load:  # noqa: S603 - our own code
        assert load.stdout is not None
        while not has_added_more(server.url, than=12):
            assert load.poll() is None
            time.sleep(0.05)
        load.send_signal(signal.SIGINT)
        said = load.stdout.read()
    assert load.returncode == 1
    assert "It ended early: it was interrupted." in said
    assert "deleted the 2 users" in said
    assert owners(server.url) == ["ada"]


def has_added_more(url: str, *, than: int) -> bool:
    """Whether a user of a load has more memories than it was made with."""
    with Client(url) as client:
        asked = [f"/api/stats?user_id={name}" for name in owners(url) if name != "ada"]
        return any(client.ask("GET", path).body["totalMemories"] > than for path in asked)


@pytest.mark.parametrize(
    "wrong",
    [
        ["--mix", "searches=1"], ["--mix", "search=0"], ["--mix", "search=-1"], ["--mix", ""],
        ["--users", "0"], ["--rate", "0"], ["--seconds", "nan"], ["--clients", "many"],
    ],
)  # fmt: skip
def test_an_impossible_plan_is_refused(wrong: list[str], capsys) -> None:
    with pytest.raises(SystemExit) as exit_:
        main(wrong)
    assert exit_.value.code == 2
    assert wrong[0] in capsys.readouterr().err


def test_a_seed_says_what_each_operation_is() -> None:
    people = [Person(user_id=f"u{one}", questions=["Who?", "When?"]) for one in range(5)]
    mix = parse_mix("search=3, add=1")
    asked = [
        [choose(one, people=people, said=["a", "b"], mix=mix, seed=seed) for one in range(200)]
        for seed in (1, 1, 2)
    ]
    assert asked[0] == asked[1] != asked[2]
    assert 100 < sum(one.operation == "search" for one in asked[0]) < 190


def test_the_times_are_those_of_what_succeeded() -> None:
    away = FailedError("connection refused")
    done = [Done("add", 0.002, None), Done("add", 0.004, None), Done("search", 9.0, away)]
    driven = Driven(seconds=2, done=done, unsent=3, server=None, own_cores=0.9, stopped=None)
    found = figures(driven)
    assert found["per_second"] == 1
    assert found["errors_by_kind"] == {"connection refused": 1}
    assert found["operations"]["add"]["p50_ms"] == 3
    assert "p50_ms" not in found["operations"]["search"]
    said = told(found)
    assert "3 more were due" in said
    assert "kept 0.9 of a core busy" in said
