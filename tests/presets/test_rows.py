"""The verbs of the five designs and of their published code, one row each, by their names."""

import pytest
from tests.tables import table

from recollect import InvalidInputError
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
