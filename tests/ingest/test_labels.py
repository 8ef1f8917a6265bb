from collections.abc import Iterator
from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from recollect import InvalidInputError, Memory, NotFoundError
from recollect.protocols import Entry
from recollect.testing import ADA, FakeClock
from recollect.types import Labels, MemoryLabels, Worth

NOW = datetime(2026, 5, 6, 10, tzinfo=UTC)
"""A Wednesday."""


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(NOW)


@pytest.fixture
def memory(tmp_path: Path, clock: FakeClock) -> Iterator[Memory]:
    with Memory(tmp_path / "brain.db", clock=clock) as memory:
        yield memory


def add(memory: Memory, message, **options):
    (result,) = memory.add(message, user_id="ada", **options)
    return memory.get(str(result.id), user_id="ada")


def test_what_is_not_found_in_words_stays_as_it_was_given(memory: Memory) -> None:
    given = MemoryLabels(concepts=("home",), category="life", emotion="joy", language="en")
    worth = Worth(confidence=0.5, critical=True)
    base = replace(add(memory, "I met Ada"), labels=given, worth=worth, summary=None)
    indexer, labeller = memory.parts.indexer, memory.parts.labeller
    (made,) = labeller.label(ADA, [base], indexer.features([base]), rated=[False], now=NOW)
    found = {"tags", "entities", "dates", "parameters"}
    for one in (field.name for field in fields(MemoryLabels) if field.name not in found):
        assert getattr(made.labels, one) == getattr(given, one)
    for one in (
        field.name for field in fields(Worth) if field.name not in {"importance", "priority", "factors"}
    ):
        assert getattr(made.worth, one) == getattr(worth, one)


def test_what_words_tell_is_stored_with_them(memory: Memory) -> None:
    record = add(memory, "The report for Ada is urgent: send it to ada@example.org by Friday")
    assert record.worth.priority == "high"
    assert [date.text for date in record.labels.dates] == ["by Friday"]
    assert record.labels.dates[0].start == datetime(2026, 5, 8, tzinfo=UTC)
    assert {detail.kind for detail in record.labels.parameters} >= {"email", "person"}
    assert "report" in {tag.text for tag in record.labels.tags}
    assert not any(tag.approved for tag in record.labels.tags)
    assert record.worth.importance == pytest.approx(sum(record.worth.factors.values()))


def test_dates_are_read_as_of_when_it_was_said(memory: Memory) -> None:
    record = add(memory, "we met yesterday", timestamp="2023-05-08T20:00:00Z")
    assert record.labels.dates[0].start == datetime(2023, 5, 7, tzinfo=UTC)


def test_tomorrow_begins_where_the_user_is(tmp_path: Path) -> None:
    late = FakeClock(datetime(2026, 5, 6, 23, 30, tzinfo=UTC))
    with Memory(tmp_path / "brain.db", clock=late, timezone="Asia/Tokyo") as memory:
        record = add(memory, "call her tomorrow")
    assert record.labels.dates[0].start == datetime(2026, 5, 7, 15, tzinfo=UTC)


def test_an_importance_that_is_given_stays(memory: Memory) -> None:
    record = add(memory, {"content": "hey", "importance": 0.9})
    assert (record.worth.importance, dict(record.worth.factors)) == (0.9, {})


def test_tags_that_are_given_stand_first_and_are_approved(memory: Memory) -> None:
    record = add(memory, {"content": "the garden shed leaks", "tags": ["house"]})
    assert (record.labels.tags[0].text, record.labels.tags[0].approved) == ("house", True)
    assert len(record.labels.tags) > 1


def test_a_rare_word_makes_a_surer_tag_than_a_common_one(memory: Memory) -> None:
    memory.add([f"tea number {count}" for count in range(30)], user_id="ada")
    record = add(memory, "tea with saffron")
    sure = {tag.text: tag.confidence for tag in record.labels.tags}
    assert sure["saffron"] > sure["tea"]
    other = memory.add("tea with saffron", user_id="bob")
    alone = memory.get(str(other[0].id), user_id="bob").labels.tags
    assert {tag.confidence for tag in alone} == {alone[0].confidence}


def test_new_words_are_read_anew_and_approved_tags_stay(memory: Memory, clock: FakeClock) -> None:
    before = add(memory, {"content": "urgent: the shed leaks today", "tags": ["house"]})
    clock.tick(60)
    after = memory.update(before.id, user_id="ada", content="the hedge grows")
    assert after.worth.priority is None
    assert after.labels.dates == ()
    assert {tag.text for tag in after.labels.tags} >= {"house", "hedge grows"}
    assert not any("shed" in tag.text for tag in after.labels.tags)
    assert after.worth.importance == pytest.approx(sum(after.worth.factors.values()))
    assert after.worth.importance != before.worth.importance


def test_new_words_keep_what_use_and_time_made_of_an_importance(memory: Memory, clock: FakeClock) -> None:
    before = add(memory, "My sister Ada was born in Oslo")
    raised = memory.use(before.id, user_id="ada", how="reinforced")[0]
    after = memory.update(before.id, user_id="ada", content="My sister Ada was born in Rome")
    assert after.worth.importance == pytest.approx(raised.worth.importance, abs=0.02)
    clock.tick(timedelta(weeks=20).total_seconds())
    left = memory.explain(before.id, user_id="ada").importance
    again = memory.update(before.id, user_id="ada", content="My sister Ada was born in Bern")
    assert memory.explain(before.id, user_id="ada").importance == pytest.approx(left, abs=0.02)
    assert again.times.accessed_at == clock()


def test_protection_keeps_what_is_left_and_its_end_starts_the_fading_anew(
    memory: Memory, clock: FakeClock
) -> None:
    record = add(memory, {"content": "tea", "importance": 0.8})

    def left() -> float:
        return memory.explain(record.id, user_id="ada").importance

    def wait(weeks: int) -> None:
        clock.tick(timedelta(weeks=weeks).total_seconds())

    wait(10)
    faded = left()
    memory.update(record.id, user_id="ada", labels=Labels(critical=True))
    wait(30)
    assert left() == faded < 0.8
    memory.update(record.id, user_id="ada", labels=Labels(critical=False))
    assert left() == faded
    wait(1)
    assert left() == pytest.approx(faded * 0.95)


def test_a_new_time_of_happening_gives_its_dates_anew(memory: Memory) -> None:
    record = add(memory, "we sailed yesterday")
    moved = memory.update(record.id, user_id="ada", timestamp="2020-05-05T12:00:00Z")
    assert moved.labels.dates[0].start == datetime(2020, 5, 4, tzinfo=UTC)
    assert moved.labels.tags == record.labels.tags


def test_category_and_priority_can_be_given(memory: Memory) -> None:
    record = add(memory, {"content": "this is urgent", "category": "task", "priority": "low"})
    assert (record.labels.category, record.worth.priority) == ("task", "low")
    assert memory.get_all(user_id="ada", filters={"category": "task"}) == [record]
    changed = memory.update(record.id, user_id="ada", labels=Labels(category="idea", priority="medium"))
    assert (changed.labels.category, changed.worth.priority) == ("idea", "medium")
    with pytest.raises(InvalidInputError, match="known are low, medium, high"):
        memory.update(record.id, user_id="ada", labels=Labels(priority="asap"))


def test_tags_that_are_given_later_replace_all_and_stand_once(memory: Memory) -> None:
    record = add(memory, "the garden shed leaks")
    changed = memory.update(record.id, user_id="ada", labels=Labels(tags=["House", "house", "houses"]))
    assert [tag.text for tag in changed.labels.tags] == ["House"]


def test_all_memories_can_be_read_anew(memory: Memory) -> None:
    record = add(memory, {"content": "the shed leaks by Friday", "tags": ["house"], "importance": 0.9})
    plain = add(memory, "My sister Ada was born in Oslo")
    bare = replace(plain, labels=MemoryLabels(), worth=Worth())
    memory.parts.store.update(ADA, [plain.id], lambda _: Entry(record=bare, features=None))
    assert memory.lifecycle.relabel() == 2
    again = memory.get(plain.id, user_id="ada")
    assert (again.labels.tags, again.worth) == (plain.labels.tags, plain.worth)
    kept = memory.get(record.id, user_id="ada")
    assert (kept.labels, kept.worth) == (record.labels, record.worth)
    assert memory.history(plain.id, user_id="ada")[-1].reason == "its words were read anew"
    assert memory.lifecycle.relabel(user_id="nobody") == 0


def test_reading_words_anew_embeds_nothing(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    memory.add([f"My sister number {count} lives in Oslo" for count in range(30)], user_id="ada")
    before = memory.get_all(user_id="ada")
    monkeypatch.setattr(memory.parts.embedder, "embed_documents", None)
    assert memory.lifecycle.relabel() == 30
    after = memory.get_all(user_id="ada")
    assert [record.labels.dates for record in after] == [record.labels.dates for record in before]
    assert all("centrality" in record.worth.factors for record in after)


def test_new_words_leave_an_importance_that_was_given(memory: Memory) -> None:
    before = add(memory, {"content": "the shed leaks", "importance": 0.9})
    assert memory.update(before.id, user_id="ada", content="so be it").worth.importance == 0.9


def test_an_importance_given_later_counts_from_now(memory: Memory, clock: FakeClock) -> None:
    record = add(memory, "the shed leaks")
    clock.tick(timedelta(weeks=52).total_seconds())
    after = memory.update(record.id, user_id="ada", labels=Labels(importance=0.9))
    assert (after.times.accessed_at, dict(after.worth.factors)) == (clock(), {})
    assert memory.explain(record.id, user_id="ada").importance == 0.9


def test_reading_fades_nothing_and_writes_nothing(memory: Memory, clock: FakeClock) -> None:
    record = add(memory, "the shed leaks")
    clock.tick(timedelta(weeks=10).total_seconds())
    faded = [memory.explain(record.id, user_id="ada").importance for _ in range(2)]
    assert faded[0] == faded[1] < record.worth.importance
    assert memory.get(record.id, user_id="ada") == record
    assert len(memory.history(record.id, user_id="ada")) == 1


def test_use_and_reinforcement_stand_in_the_history(memory: Memory, clock: FakeClock) -> None:
    record = add(memory, {"content": "the shed leaks", "importance": 0.5})
    memory.use(record.id, user_id="ada", reason="answered")
    after = memory.use(record.id, user_id="ada", reason="helpful", how="reinforced")[0]
    again = memory.use(record.id, user_id="ada", reason="too soon", how="reinforced")[0]
    assert again == after
    assert memory.use(record.id, user_id="ada", every_s=0, how="reinforced")[0].use.reinforced_count == 2
    told = [(change.action, change.reason) for change in memory.history(record.id, user_id="ada")]
    assert told == [("add", None), ("use", "answered"), ("reinforce", "helpful"), ("reinforce", None)]
    assert after.worth.importance == pytest.approx(0.6)


def test_links_say_what_memories_are_to_each_other(memory: Memory) -> None:
    one, two = (str(result.id) for result in memory.add(["a plan", "its step"], user_id="ada"))
    memory.graph.link(two, one, user_id="ada", type="derived-from")
    [link] = memory.graph.links(one, user_id="ada")
    assert (link.source_id, link.target_id, link.type) == (two, one, "derived-from")
    with pytest.raises(NotFoundError):
        memory.graph.link(one, "unknown", user_id="ada")
    with pytest.raises(InvalidInputError, match="derived-from"):
        memory.graph.link(one, two, user_id="ada", type="friend")


@pytest.mark.parametrize("wrong", [-1, float("nan"), float("inf"), "soon", True])
def test_a_cool_down_is_a_number_of_seconds(memory: Memory, wrong) -> None:
    record = add(memory, "tea")
    with pytest.raises(InvalidInputError, match="every_s"):
        memory.use(record.id, user_id="ada", every_s=wrong, how="reinforced")


@pytest.mark.parametrize("wrong", ["Nowhere", "", "../etc/passwd", 3])
def test_an_unknown_time_zone_is_named(tmp_path: Path, wrong) -> None:
    with pytest.raises(InvalidInputError, match="timezone"):
        Memory(tmp_path / "brain.db", timezone=wrong)
    assert not (tmp_path / "brain.db").exists()
