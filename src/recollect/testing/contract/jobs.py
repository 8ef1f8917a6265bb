"""What every store promises of its queue of jobs."""

# ruff: noqa: D102, S101  (a test's name is its sentence, and it asserts)

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from recollect.errors import InvalidInputError
from recollect.protocols import Store
from recollect.testing.contract.changing import upper
from recollect.testing.contract.fixtures import StoreFixtures, contents, put, remove
from recollect.testing.fakes import ADA, BOB, entry_of, make_entry
from recollect.types import Job, Scope
from recollect.types.filters import EVERYTHING, parse_filter

HOUR = 3600.0


def queue(store: Store, *tasks: str) -> None:
    """Queue jobs in one call."""
    store.add(ADA, [], jobs=[Job(task=task, scope=ADA) for task in tasks])


def _about(ids: Sequence[str]) -> list[Job]:
    return [Job(task="mend", scope=ADA, payload={"ids": list(ids)})]


def _listed(job: Job) -> list[str]:
    ids = job.payload["ids"]
    assert isinstance(ids, list)
    return [str(memory_id) for memory_id in ids]


def tasks(jobs: list[Job]) -> list[str]:
    """What the jobs are to do."""
    return [job.task for job in jobs]


class JobContract(StoreFixtures):
    """Tests of ``JobStore``."""

    def test_a_job_comes_back_as_it_was_given(self, store: Store) -> None:
        scope = Scope(user_id="ada", agent_id="tutor", session_id="mon")
        job = Job(task="extract", scope=scope, payload={"ids": ["x", "é"], "deep": {"n": None, "f": 1.5}})
        store.add(ADA, [make_entry()], jobs=[job])
        [waiting] = store.jobs()
        assert waiting == replace(job, id=waiting.id)
        assert waiting.id > 0

    def test_jobs_are_queued_with_the_words_or_not_at_all(self, store: Store) -> None:
        twin = make_entry()
        with pytest.raises(InvalidInputError):
            store.add(ADA, [twin, twin], jobs=[Job(task="never", scope=ADA)])
        assert store.jobs() == []

    def test_a_deletion_queues_the_jobs_that_follow_from_it(self, store: Store) -> None:
        ids = put(store, make_entry("a"), make_entry("b"))
        store.delete(ADA, EVERYTHING, jobs=_about)
        [job] = store.jobs()
        assert sorted(_listed(job)) == sorted(ids)
        store.delete(ADA, EVERYTHING, jobs=_about)
        assert _listed(store.jobs()[-1]) == []

    def test_a_change_and_a_recovery_queue_the_jobs_that_follow_from_them(
        self, recovering_store: Store
    ) -> None:
        store = recovering_store
        (memory_id,) = put(store, make_entry("a"))
        store.update(ADA, [memory_id, "unknown"], upper, jobs=_about)
        remove(store, memory_id)
        store.recover(ADA, [memory_id, "unknown"], entry_of, jobs=_about)
        assert [_listed(job) for job in store.jobs()] == [[memory_id], [memory_id]]

    def test_what_makes_jobs_reads_the_store_and_undoes_the_write_by_raising(self, store: Store) -> None:
        (kept,) = put(store, make_entry("kept"))
        fresh = make_entry("fresh")

        def looks(_: Sequence[str]) -> list[Job]:
            assert store.get(ADA, [kept]) != [None]
            raise RuntimeError

        writes: list[Callable[[], object]] = [
            lambda: store.add(ADA, [fresh], jobs=looks),
            lambda: store.update(ADA, [kept], upper, jobs=looks),
            lambda: store.delete(ADA, parse_filter({"content": "fresh"}), jobs=looks),
        ]
        for write in writes:
            with pytest.raises(RuntimeError):
                write()
        assert contents(store) == ["kept"]
        assert (len(store.history(ADA, kept)), store.jobs()) == (1, [])

    def test_jobs_are_numbered_and_claimed_oldest_first(self, store: Store) -> None:
        queue(store, "a", "b")
        queue(store, "c")
        numbers = [job.id for job in store.jobs()]
        assert numbers == sorted(set(numbers))
        assert tasks(store.claim_jobs(limit=2, lease_s=HOUR)) == ["a", "b"]
        assert tasks(store.claim_jobs(limit=2, lease_s=HOUR)) == ["c"]

    def test_a_held_job_is_not_claimed_again_but_listed(self, store: Store) -> None:
        queue(store, "a")
        [claimed] = store.claim_jobs(limit=5, lease_s=HOUR)
        assert store.claim_jobs(limit=5, lease_s=HOUR) == []
        assert store.jobs() == [claimed]

    def test_a_job_whose_lease_ran_out_is_claimed_again(self, store: Store) -> None:
        queue(store, "a")
        attempts = [store.claim_jobs(limit=1, lease_s=0)[0].attempts for _ in range(3)]
        assert attempts == [1, 2, 3]

    def test_claiming_none_takes_none(self, store: Store) -> None:
        queue(store, "a")
        assert store.claim_jobs(limit=0, lease_s=HOUR) == []
        assert tasks(store.claim_jobs(limit=1, lease_s=HOUR)) == ["a"]

    def test_a_finished_job_is_gone(self, store: Store) -> None:
        queue(store, "a", "b")
        [claimed] = store.claim_jobs(limit=1, lease_s=0)
        store.finish_job(claimed.id)
        assert tasks(store.jobs()) == tasks(store.claim_jobs(limit=5, lease_s=0)) == ["b"]

    def test_finishing_or_failing_a_job_that_is_gone_does_nothing(self, store: Store) -> None:
        queue(store, "a")
        [claimed] = store.claim_jobs(limit=1, lease_s=0)
        store.finish_job(claimed.id)
        store.finish_job(claimed.id)
        store.fail_job(claimed.id, "late", retry_in_s=0)
        store.fail_job(claimed.id, "late", retry_in_s=None)
        assert store.jobs() == store.jobs(failed=True) == []

    def test_a_number_is_never_given_to_another_job(self, store: Store) -> None:
        queue(store, "a")
        [claimed] = store.claim_jobs(limit=1, lease_s=0)
        store.finish_job(claimed.id)
        queue(store, "b")
        assert store.jobs()[0].id > claimed.id

    def test_a_failed_job_is_tried_again_and_says_why_it_failed(self, store: Store) -> None:
        queue(store, "a")
        [claimed] = store.claim_jobs(limit=1, lease_s=HOUR)
        store.fail_job(claimed.id, "the model is away", retry_in_s=0)
        [again] = store.claim_jobs(limit=1, lease_s=HOUR)
        assert again == replace(claimed, attempts=2, error="the model is away")

    def test_a_failed_job_waits_for_its_retry(self, store: Store) -> None:
        queue(store, "a", "b")
        [claimed] = store.claim_jobs(limit=1, lease_s=0)
        store.fail_job(claimed.id, "later", retry_in_s=HOUR)
        assert tasks(store.claim_jobs(limit=5, lease_s=HOUR)) == ["b"]
        assert tasks(store.jobs()) == ["a", "b"]

    def test_a_job_with_a_delay_is_due_after_it(self, store: Store) -> None:
        late = Job(task="late", scope=ADA, payload={"n": 1}, delay_s=HOUR)
        store.add(ADA, [make_entry()], jobs=[late, Job(task="now", scope=ADA, delay_s=0)])
        assert tasks(store.claim_jobs(limit=5, lease_s=HOUR)) == ["now"]
        waiting = store.jobs()[0]
        assert waiting == replace(late, id=waiting.id, delay_s=0)

    def test_a_job_that_nobody_took_is_claimed_early_on_request(self, store: Store) -> None:
        queue(store, "held", "failed")
        failed = store.claim_jobs(limit=2, lease_s=HOUR)[1]
        store.fail_job(failed.id, "it failed", retry_in_s=HOUR)
        store.add(ADA, [], jobs=[Job(task="late", scope=ADA, delay_s=HOUR)])
        assert tasks(store.claim_jobs(limit=5, lease_s=HOUR, early=True)) == ["late"]
        assert store.claim_jobs(limit=5, lease_s=HOUR, early=True) == []

    def test_a_postponed_job_is_as_if_nobody_had_taken_it(self, store: Store) -> None:
        queue(store, "a")
        [given] = store.jobs()
        [failed] = store.claim_jobs(limit=1, lease_s=HOUR)
        store.fail_job(failed.id, "it failed", retry_in_s=0)
        [claimed] = store.claim_jobs(limit=1, lease_s=HOUR)
        store.postpone_job(claimed.id, delay_s=HOUR)
        assert store.jobs() == [given]
        assert store.claim_jobs(limit=1, lease_s=HOUR) == []
        [again] = store.claim_jobs(limit=1, lease_s=HOUR, early=True)
        assert again == replace(given, attempts=1)

    def test_a_job_that_is_gone_cannot_be_postponed(self, store: Store) -> None:
        queue(store, "a")
        [claimed] = store.claim_jobs(limit=1, lease_s=HOUR)
        store.finish_job(claimed.id)
        store.postpone_job(claimed.id, delay_s=0)
        assert store.jobs() == []

    def test_a_job_that_is_enough_once_is_queued_once(self, store: Store) -> None:
        monday = Scope(user_id="ada", agent_id="tutor", session_id="mon")
        once = Job(task="a", scope=monday, once=True)
        others = [replace(once, task="b"), *(replace(once, scope=scope) for scope in (ADA, BOB))]
        store.add(ADA, [], jobs=[once, replace(once, payload={"n": 1}, delay_s=HOUR), *others])
        store.add(ADA, [], jobs=[once, *others])
        assert [(job.task, job.scope) for job in store.jobs()] == [
            (job.task, job.scope) for job in (once, *others)
        ]
        store.add(ADA, [], jobs=[replace(once, once=False)])
        assert tasks(store.jobs()).count("a") == 4  # noqa: PLR2004 - three scopes, and the last

    def test_of_jobs_that_are_enough_once_the_one_due_first_is_kept(self, store: Store) -> None:
        late = Job(task="a", scope=ADA, payload={"n": 1}, delay_s=2 * HOUR, once=True)
        store.add(ADA, [], jobs=[late, replace(late, payload={"n": 2}, delay_s=3 * HOUR)])
        [waiting] = store.jobs()
        assert waiting.payload == {"n": 1}
        store.add(ADA, [], jobs=[replace(late, payload={"n": 3}, delay_s=HOUR)])
        assert store.claim_jobs(limit=5, lease_s=HOUR) == []
        sooner = replace(late, payload={"n": 4}, delay_s=0)
        store.add(ADA, [], jobs=[Job(task="b", scope=ADA), sooner, replace(sooner, payload={"n": 5})])
        [first, second] = store.claim_jobs(limit=5, lease_s=HOUR)
        assert (first.id, first.payload, second.task) == (waiting.id, {"n": 4}, "b")

    def test_a_job_that_was_taken_makes_room_for_another(self, store: Store) -> None:
        once = Job(task="a", scope=ADA, once=True)
        store.add(ADA, [], jobs=[once])
        [held] = store.claim_jobs(limit=5, lease_s=HOUR)
        store.add(ADA, [], jobs=[once])
        [given_up] = store.claim_jobs(limit=5, lease_s=HOUR)
        store.fail_job(given_up.id, "no use", retry_in_s=None)
        store.add(ADA, [], jobs=[once])
        [third] = store.claim_jobs(limit=5, lease_s=HOUR)
        assert held.id < given_up.id < third.id

    def test_jobs_are_listed_by_pages_and_by_user(self, store: Store) -> None:
        queue(store, "a", "b")
        store.add(BOB, [], jobs=[Job(task=task, scope=BOB) for task in ("c", "d")])
        queue(store, "e")
        for claimed in store.claim_jobs(limit=1, lease_s=HOUR):
            store.fail_job(claimed.id, "no use", retry_in_s=None)
        everything = store.jobs()
        found = [store.jobs(limit=2)]
        while found[-1]:
            found.append(store.jobs(after=found[-1][-1].id, limit=2))
        assert list(map(len, found)) == [2, 2, 0]
        assert [job for page in found for job in page] == everything
        assert [store.jobs(after=job.id) for job in everything] == [
            everything[place:] for place in range(1, 5)
        ]
        of_ada = store.jobs(user_id="ada", limit=2)
        assert sorted(tasks(of_ada)) == ["b", "e"]
        assert store.jobs(user_id="ada", after=of_ada[0].id) == of_ada[1:]
        assert [tasks(store.jobs(failed=True, user_id=user)) for user in ("ada", "bob")] == [["a"], []]
        assert store.jobs(user_id="carol") == store.jobs(limit=0) == []

    def test_jobs_are_counted_as_they_are_listed(self, store: Store) -> None:
        queue(store, "a", "b", "c")
        store.add(BOB, [], jobs=[Job(task="d", scope=BOB)])
        [claimed] = store.claim_jobs(limit=1, lease_s=HOUR)
        store.fail_job(claimed.id, "no use", retry_in_s=None)
        store.claim_jobs(limit=1, lease_s=HOUR)
        counted = [
            store.count_jobs(user_id=user, failed=failed)
            for failed in (False, True)
            for user in (None, "ada", "bob", "carol")
        ]
        assert counted == [3, 2, 1, 0, 1, 1, 0, 0]

    def test_a_job_given_up_is_kept_to_be_seen(self, store: Store) -> None:
        queue(store, "a", "b")
        [claimed] = store.claim_jobs(limit=1, lease_s=0)
        store.fail_job(claimed.id, "no use", retry_in_s=None)
        assert tasks(store.claim_jobs(limit=5, lease_s=0)) == ["b"]
        assert tasks(store.jobs()) == ["b"]
        [given_up] = store.jobs(failed=True)
        assert (given_up.task, given_up.error) == ("a", "no use")
