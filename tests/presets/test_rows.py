"""The verbs of the five designs and of their published code, one row each, by their names."""

import pytest
from tests.tables import table

from recollect import InvalidInputError, Memory
from recollect.memory.agent import MemoryAgent
from recollect.models import ScriptedModel
from recollect.presets import open_preset
from recollect.presets.chloe.chloe import create_enhanced_memory
from recollect.presets.chloe.hybrid import HybridScoring
from recollect.presets.chloe.praise import says_helpful
from recollect.presets.shadow import ShadowMemorySystem, ShadowMemorySystemConfig
from recollect.testing.fakes import FakeClock

DAY_S = 86_400
TOLD = [
    "I am worried about the security of my app",
    "The security of my app worries me a lot",
    "My app has a friendly start page",
    "The office plants need water on Mondays",
]
WORRY = "Security is on my mind, and my app holds private data"


def shadow(clock=None, **settings):
    config = ShadowMemorySystemConfig(**settings)
    system = ShadowMemorySystem(":memory:", user_id="ada", clock=clock or FakeClock(), config=config)
    for words in TOLD:
        system.store_memory(words)
    return system


def update_threshold():
    thresholds = shadow().thresholds
    (change,) = thresholds.set("task", 0.6)
    assert (change.before, change.after, change.reason) == (0.8, 0.6, "set by hand")
    assert thresholds.threshold("task") == 0.6
    assert thresholds.history() == (change,)
    with pytest.raises(InvalidInputError, match=r"task must be from 0\.55 to 0\.95, not 0\.1"):
        thresholds.set("task", 0.1)
    assert thresholds.threshold("task") == 0.6


def update_threshold_keeps_conversation_and_query_consistent():
    thresholds = shadow().thresholds
    assert [change.context_type for change in thresholds.set("query", 0.9)] == ["query", "conversation"]
    assert thresholds.threshold("conversation") == 0.4


def reset_to_defaults():
    system = shadow(thresholds={"task": 0.7})
    before = system.thresholds.state()
    system.thresholds.set("query", 0.9)
    system.thresholds.set("task", 0.6)
    system.thresholds.record("mixed", activated=True, relevant=False)
    changes = system.thresholds.reset()
    assert {change.context_type for change in changes} == {"query", "conversation", "task"}
    assert system.thresholds.state() == before
    assert system.thresholds.reset() == ()


def get_all_thresholds_and_performance_metrics():
    system = shadow()
    for relevant in [True] * 9 + [False] * 3:
        system.thresholds.record("task", activated=True, relevant=relevant)
    state = system.thresholds.state()["task"]
    assert (state.threshold, state.false_positive_rate, state.success_rate) == (0.8, 0.25, 0.75)


def should_activate_memory():
    system = shadow()
    context = system.build_context(WORRY)
    threshold = system.thresholds.threshold(context.type)
    assert {one.activation_score >= threshold for one in system.get_all_candidate_memories(context)} == {
        True,
        False,
    }


def validate_and_enforce_consistency():
    thresholds = shadow(thresholds={"query": 0.9, "conversation": 0.2}).thresholds
    assert "conversation is 0.2; beside query it must be from 0.4 to 0.9" in thresholds.inconsistency()
    (change,) = thresholds.enforce_consistency()
    assert (change.context_type, change.before, change.after) == ("conversation", 0.2, 0.4)
    assert thresholds.inconsistency() == ""
    assert thresholds.enforce_consistency() == ()


def enforce_consistency_moves_the_query_where_the_conversation_cannot_follow():
    thresholds = shadow(thresholds={"query": 0.2}).thresholds
    assert thresholds.inconsistency()
    (change,) = thresholds.enforce_consistency()
    assert (change.context_type, change.after) == ("query", 0.3)
    assert thresholds.inconsistency() == ""


def get_tuning_recommendations():
    system = shadow()
    assert system.tuning_recommendations() == {}
    for _ in range(12):
        system.thresholds.record("task", activated=True, relevant=False)
        system.thresholds.record("mixed", activated=False, relevant=True)
        system.thresholds.record("document", activated=True, relevant=False)
        system.thresholds.record("document", activated=False, relevant=True)
    advice = system.tuning_recommendations()
    assert advice["task"] == "raise it to 0.9: 100% of what was activated did not help"
    assert advice["mixed"] == "lower it to 0.55: 100% was missed"
    assert "no threshold helps" in advice["document"]
    assert "query" not in advice


def generate_tuning_report():
    system = shadow()
    for _ in range(12):
        system.thresholds.record("task", activated=True, relevant=False)
    lines = system.tuning_report().splitlines()
    assert len(lines) == 5
    assert lines[1].startswith("task 0.8 (began at 0.8; 12 outcomes, false positives 100%,")
    assert "waits for more outcomes" in lines[0]


def rank_memories_with_strategy():
    clock = FakeClock()
    system = shadow(clock)
    clock.tick(60 * DAY_S)
    newest = system.store_memory("Bread needs flour, salt and time")
    clock.tick(DAY_S)
    oldest = system.get_all_candidate_memories("plants").find
    plants = next(one for one in system.get_all_candidate_memories("plants") if "plants" in one.summary)
    system.memory.use(plants.memory_id, user_id="ada")
    seen = system.get_all_candidate_memories(WORRY)
    assert seen.ranked("relevance").ids() == seen.ids()
    assert seen.ranked("recency")[0].memory_id == newest
    assert seen.ranked("access")[0].memory_id == plants.memory_id
    assert sorted(seen.ranked("combined").ids()) == sorted(seen.ids())
    assert oldest(newest) is not None
    with pytest.raises(InvalidInputError, match="unknown ranking 'boost'; known are relevance, recency"):
        seen.ranked("boost")


def request_selective_retrieval():
    system = shadow(thresholds={"conversation": 0.1})
    plain = [one.content for one in system.retrieve_selectively(WORRY, limit=2)]
    mixed = [one.content for one in system.retrieve_selectively(WORRY, limit=2, diversity=0.9)]
    assert set(plain) == set(TOLD[:2])
    assert set(mixed) != set(plain)
    assert plain[0] == mixed[0]
    with pytest.raises(InvalidInputError, match="diversity"):
        system.retrieve_selectively(WORRY, diversity=2)


def weights_per_context_type():
    words = {"embedding": 0.0, "metadata": 0.0, "summary": 1.0, "temporal": 0.0}
    system = shadow(calibrate=False, context_weights={"task": words})
    for kind, weight in (("conversation", 0.15), ("task", 1.0)):
        context = system.build_context(WORRY, type=kind)
        best = max(system.get_all_candidate_memories(context), key=lambda one: one.signals["summary"])
        assert best.terms["summary"] == pytest.approx(weight * best.signals["summary"])
    with pytest.raises(InvalidInputError, match="context"):
        ShadowMemorySystemConfig(context_weights={"chat": words})
    with pytest.raises(InvalidInputError, match="weights are of embedding"):
        ShadowMemorySystemConfig(context_weights={"task": {"meaning": 1.0}})


def update_configuration_at_run_time():
    system = shadow()
    system.update_configuration(thresholds={"conversation": 0.99}, calibrate=False)
    assert len(system.get_memory_awareness(WORRY)) == 0
    assert system.config.max_memories == 10_000
    for wrong in ({"calibrated": True}, {"thresholds": {"query": 2}}, {"weights": {"embedding": 3}}):
        with pytest.raises(InvalidInputError):
            system.update_configuration(**wrong)
    assert system.config.calibrate is False


def decays_of_other_shapes_are_functions():
    clock = FakeClock()
    system = shadow(clock, decay_function=lambda days: max(0.0, 1 - days / 90))
    clock.tick(45 * DAY_S)
    assert {round(one.signals["temporal"], 3) for one in system.get_all_candidate_memories(WORRY)} == {0.5}


def explain_relevance():
    system = shadow()
    one = system.get_all_candidate_memories(WORRY)[0]
    assert "reaches" in one.reason
    assert system.memory.explain(one.memory_id, user_id="ada", query=WORRY).memory.content in TOLD


@table(
    "row",
    [
        update_threshold,
        update_threshold_keeps_conversation_and_query_consistent,
        reset_to_defaults,
        get_all_thresholds_and_performance_metrics,
        should_activate_memory,
        validate_and_enforce_consistency,
        enforce_consistency_moves_the_query_where_the_conversation_cannot_follow,
        get_tuning_recommendations,
        generate_tuning_report,
        rank_memories_with_strategy,
        request_selective_retrieval,
        weights_per_context_type,
        update_configuration_at_run_time,
        decays_of_other_shapes_are_functions,
        explain_relevance,
    ],
)
def test_a_verb_of_shadow_memory_works(row):
    row()


def chloe(**given):
    return create_enhanced_memory(":memory:", user_id="ada", **{"clock": FakeClock(), **given})


def a_text_without_a_priority_has_the_designs_medium():
    memory = chloe()
    assert memory.extract_priority("Buy milk") == "medium"
    assert memory.add_memory("Buy milk", {}, "task").worth.priority == "medium"
    assert memory.add_memory("Buy milk, low priority", {}, "task").worth.priority == "low"
    assert memory.add_memory("Buy milk", {"priority": "high"}, "task").worth.priority == "high"


def by_friday_on_a_friday_is_that_day():
    friday = FakeClock()
    friday.tick((4 - friday().weekday()) % 7 * DAY_S)
    assert chloe(clock=friday).extract_date_from_text("by Friday").date() == friday().date()


def ranking_by_importance_is_an_option():
    for weight, first in ((0.0, "The report needs a table"), (1.0, "The report needs a graph")):
        memory = chloe(scoring=HybridScoring(importance_weight=weight))
        memory.add_memory("The report needs a table", {"importance": 0.1})
        memory.add_memory("The report needs a graph", {"importance": 1.0})
        hits = memory.search_memory(None, "The report needs a table, or what?")
        assert hits[0].memory.content == first
        assert hits[0].score == pytest.approx(sum(hits[0].terms.values()))


def ranking_by_recency_is_an_option():
    for weight in (0.0, 0.5):
        clock = FakeClock()
        memory = chloe(clock=clock, scoring=HybridScoring(recency_weight=weight))
        memory.add_memory("The report needs a table", {})
        clock.tick(30 * DAY_S)
        (hit,) = memory.search_memory(None, "The report needs a table")
        assert hit.signals["worth"] == pytest.approx(1 + weight / 2)
    with pytest.raises(InvalidInputError, match="recency_weight"):
        HybridScoring(recency_weight=2)


def that_was_helpful_is_noticed():
    memory = chloe()
    stored = memory.add_memory("Encrypt what you store", {"importance": 0.5})
    (raised,) = memory.notice_feedback("Thanks, that was very helpful!", [stored.id])
    assert raised.worth.importance == pytest.approx(0.6)
    assert memory.notice_feedback("That was not helpful.", [stored.id]) == []
    assert memory.notice_feedback("It was helpful", []) == []


def that_was_helpful_in_a_chat_reinforces_what_was_asked_for():
    for lifecycle, count in ((True, 1), (False, 0)):
        with Memory(":memory:") as memory:
            (told,) = memory.add("Encrypt the data of the app", user_id="ada")
            chat = MemoryAgent(
                memory,
                user_id="ada",
                model=ScriptedModel(["Encrypt it.", "You are welcome."]),
                preset=open_preset("chloe"),
                lifecycle=lifecycle,
            )
            chat.chat("How do I keep the data of the app safe?")
            chat.chat("That was really helpful, thank you!")
            assert memory.get(told.id, user_id="ada").use.reinforced_count == count


@table(
    "row",
    [
        a_text_without_a_priority_has_the_designs_medium,
        by_friday_on_a_friday_is_that_day,
        ranking_by_importance_is_an_option,
        ranking_by_recency_is_an_option,
        that_was_helpful_is_noticed,
        that_was_helpful_in_a_chat_reinforces_what_was_asked_for,
    ],
)
def test_a_verb_of_chloe_works(row):
    row()


@table(
    "text, helpful",
    [
        ("That was helpful", True),
        ("ok great, that was so helpful! And what about Lisbon?", True),
        ("Helpful, thanks", True),
        ("That helped a lot.", True),
        ("This is exactly what I needed!", True),
        ("You\u2019ve been very helpful", True),
        ("That was not helpful", False),
        ("That wasn't helpful at all", False),
        ("Was that helpful?", False),
        ("It would be helpful to know when", False),
        ("If that was helpful, tell Tom", False),
        ("My sister was very helpful", False),
        ("That was helpful of Tom", False),
        ("", False),
    ],
)
def test_praise_is_noticed_and_what_only_sounds_like_it_is_not(text, helpful):
    assert says_helpful(text) is helpful
