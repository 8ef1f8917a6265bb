import os
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from recollect import InvalidInputError, NotFoundError
from recollect.presets.chloe.chloe import (
    EnhancedMemory,
    ImportanceCalculator,
    IntentRouterTool,
    TagAlgorithm,
    TagExtractor,
    create_enhanced_memory,
)
from recollect.testing import FakeClock

BERLIN = ZoneInfo("Europe/Berlin")
WEDNESDAY = datetime(2026, 5, 6, 10, tzinfo=BERLIN)


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(WEDNESDAY)


@pytest.fixture(params=["sqlite", "qdrant", "postgresql", "pinecone"])
def chloe(request: pytest.FixtureRequest, tmp_path: Path, clock: FakeClock) -> Iterator[EnhancedMemory]:
    store = store_of(request.param, request, tmp_path)
    memory = create_enhanced_memory(store, user_id="ada", timezone="Europe/Berlin", clock=clock)
    yield memory
    memory.close()


def store_of(kind: str, request: pytest.FixtureRequest, folder: Path) -> str:
    if kind in ("postgresql", "pinecone"):
        return request.getfixturevalue({"postgresql": "postgres_url", "pinecone": "pinecone_url"}[kind])
    if kind == "qdrant" and os.environ.get("CI") != "true":
        pytest.importorskip("qdrant_client")
    return "qdrant:///:memory:" if kind == "qdrant" else str(folder / "chloe.db")


def test_the_example_of_the_design_works(chloe: EnhancedMemory) -> None:
    stored = chloe.add_memory(
        "I need to create a report by Friday", {"category": "task", "importance": "high"}, "message"
    )
    assert stored.kind == "message"
    assert stored.labels.category == "task"
    assert [hit.memory for hit in chloe.search_memory(None, "report", {"filters": {"category": "task"}})] == [
        stored
    ]
    assert stored.worth.importance == 0.7
    assert ImportanceCalculator.score_to_importance_level(stored.worth.importance) == "HIGH"
    [date] = stored.labels.dates
    assert (date.text, date.relation) == ("by Friday", "by")
    found = chloe.extract_date_from_text("I need this done by Friday")
    assert found is not None
    assert (found.date().isoformat(), found.utcoffset()) == ("2026-05-08", timedelta(hours=2))
    assert chloe.extract_priority("This is crucial and urgent") == "high"


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("I need this until Monday", "2026-05-11"),
        ("until tomorrow", "2026-05-07"),
        ("until 5 May 2027", "2027-05-05"),
        ("until next week", "2026-05-11"),
        ("until June 2027", "2027-06-01"),
        ("until the end of May 2028", "2028-05-31"),
    ],
)
def test_until_a_time_names_that_time_and_not_now(chloe: EnhancedMemory, text: str, day: str) -> None:
    found = chloe.extract_date_from_text(text)
    assert found is not None
    assert found.isoformat() == f"{day}T00:00:00+02:00"


def test_what_says_nothing_of_time_has_none_and_of_priority_the_designs_medium(chloe: EnhancedMemory) -> None:
    assert chloe.extract_date_from_text("tea is fine") is None
    assert chloe.extract_date_from_text("on 31 February 2024") is None
    assert chloe.extract_priority("tea is fine") == "medium"


def test_parameters_are_found(chloe: EnhancedMemory) -> None:
    kinds = {found.kind for found in chloe.extract_parameters("Send 40 kg to ada@example.org for $12.50")}
    assert kinds == {"email", "quantity", "money"}


def test_search_goes_across_all_collections_or_one(chloe: EnhancedMemory) -> None:
    for collection in ("message", "thought", "document", "task"):
        chloe.add_memory(f"the garden shed in a {collection}", {}, collection)
    everywhere = chloe.search_memory(None, "garden shed")
    assert {hit.memory.kind for hit in everywhere} == {"message", "thought", "document", "task"}
    [task] = chloe.search_memory("task", "garden shed")
    assert task.memory.content == "the garden shed in a task"
    assert task.matched_tags


def test_options_narrow_a_search(chloe: EnhancedMemory) -> None:
    chloe.add_memory("garden shed", {"importance": "low", "tags": ["wood"]})
    chloe.add_memory("garden hedge", {"importance": 0.95, "tags": ["plants"], "room": 3})

    def found(**options: object) -> list[str]:
        return [hit.memory.content for hit in chloe.search_memory(None, "garden", options)]

    assert len(found()) == 2
    assert len(found(limit=1)) == 1
    assert found(min_importance=0.9) == found(min_importance="critical") == ["garden hedge"]
    assert found(tags=["wood"]) == ["garden shed"]
    assert found(filters={"room": 3}) == ["garden hedge"]
    assert found(tags=["wood"], min_importance=0.9) == []
    assert found(since=WEDNESDAY + timedelta(days=1)) == []


def test_use_reinforcement_and_protection(chloe: EnhancedMemory, clock: FakeClock) -> None:
    stored = chloe.add_memory("I prefer tea", {"importance": 0.5})
    assert chloe.track_memory_usage(stored.id).use.usage_count == 1
    assert chloe.reinforce_memory(stored.id, "that was helpful").worth.importance == pytest.approx(0.6)
    clock.tick(60)
    assert chloe.reinforce_memory(stored.id, "again").use.reinforced_count == 1
    assert chloe.mark_memory_as_critical(stored.id).worth.critical
    clock.tick(timedelta(weeks=52).total_seconds())
    explained = chloe.memory.explain(stored.id, user_id="ada")
    assert explained.importance == pytest.approx(0.6)
    assert not chloe.mark_memory_as_critical(stored.id, critical=False).worth.critical
    clock.tick(timedelta(weeks=2).total_seconds())
    assert chloe.memory.explain(stored.id, user_id="ada").importance < 0.6


def test_intents_are_learned_and_unlearned(chloe: EnhancedMemory) -> None:
    router = IntentRouterTool(chloe)
    assert router.route("write me a report").intent == "unknown"
    for text in ("create a report", "write the weekly report", "draft a report for Ada"):
        router.record_success(text, "create_report")
    for text in ("what is the weather", "will it rain today", "how warm is it outside"):
        router.record_success(text, "ask_weather")
    assert router.route("please write a report").intent == "create_report"
    router.record_failure("will it rain on my report", "create_report", actual="ask_weather")
    assert router.route("will it rain on my report").intent == "ask_weather"
    again = IntentRouterTool(chloe)
    assert again.route("please write a report").intent == "create_report"


@pytest.mark.parametrize(
    "call",
    [
        lambda chloe: chloe.add_memory("tea", {}, "dream"),
        lambda chloe: chloe.add_memory("tea", {"importance": "enormous"}),
        lambda chloe: chloe.add_memory("tea", {"importance": 2}),
        lambda chloe: chloe.add_memory("   "),
        lambda chloe: chloe.search_memory("dream", "tea"),
        lambda chloe: chloe.search_memory(None, "tea", {"limits": 3}),
        lambda chloe: chloe.search_memory(None, "tea", {"tags": "wood"}),
        lambda chloe: chloe.search_memory(None, "tea", {"limit": 0}),
        lambda chloe: chloe.search_memory(None, "tea", "limit"),
        lambda chloe: chloe.search_memory(None, "tea", {"min_importance": "huge"}),
        lambda chloe: chloe.add_memory("tea", ["x"]),
        lambda chloe: ImportanceCalculator.calculate_importance_score("tea", tags="tea"),
        lambda chloe: ImportanceCalculator.calculate_importance_score("tea", tags=[5]),
        lambda chloe: ImportanceCalculator.calculate_importance_score("tea", tags=["tea"], tag_confidence=5),
        lambda chloe: TagExtractor.extract_tags("tea", algorithm="yake"),
        lambda chloe: ImportanceCalculator.calculate_importance_score("tea", weights={"charm": 1}),
        lambda chloe: create_enhanced_memory(":memory:", timezone="Europe/Nowhere"),
    ],
)
def test_bad_input_gets_a_clear_error_and_stores_nothing(chloe: EnhancedMemory, call) -> None:
    with pytest.raises(InvalidInputError):
        call(chloe)
    assert chloe.memory.get_all(user_id="ada") == []


def test_an_unknown_memory_is_not_found(chloe: EnhancedMemory) -> None:
    for call in (chloe.track_memory_usage, chloe.reinforce_memory, chloe.mark_memory_as_critical):
        with pytest.raises(NotFoundError):
            call("unknown")


def test_tags_and_importance_without_a_memory() -> None:
    tags = TagExtractor.extract_tags(
        "The quarterly report is about machine learning",
        algorithm=TagAlgorithm.RAKE,
        max_tags=1,
        min_confidence=0.1,
    )
    assert [tag.text for tag in tags] == ["machine learning"]
    plain = ImportanceCalculator.calculate_importance_score("tea", tags=["tea"], tag_confidence=0.5)
    noted = ImportanceCalculator.calculate_importance_score(
        "tea", tags=["tea"], tag_confidence=0.5, source="markdown"
    )
    assert 0 <= plain < noted <= 1
    assert ImportanceCalculator.score_to_importance_level(noted) in ("LOW", "MEDIUM")
    central = ImportanceCalculator.calculate_importance_score(
        "tea", type="document", embedding=[1.0, 0.0], centroid=[1.0, 0.0]
    )
    assert 0 <= central <= 1


@pytest.mark.parametrize("text", ["the of and", "🦊🦊", "שלום לכולם", "مرحبا"])
def test_odd_texts_are_stored_and_found(chloe: EnhancedMemory, text: str) -> None:
    stored = chloe.add_memory(text)
    assert stored.labels.dates == ()
    assert [hit.memory.id for hit in chloe.search_memory(None, text)] in ([stored.id], [])
