"""The verbs of the five designs and of their published code, one row each, by their names."""

import json
import tempfile
from pathlib import Path

import pytest
from tests.tables import table

from recollect import InvalidInputError, Memory
from recollect.memory.agent import MemoryAgent
from recollect.models import ScriptedModel
from recollect.presets import open_preset
from recollect.presets.chloe.chloe import create_enhanced_memory
from recollect.presets.chloe.hybrid import HybridScoring
from recollect.presets.chloe.praise import says_helpful
from recollect.presets.recall import RecallSystem
from recollect.presets.recall.rerank import faded_importance
from recollect.presets.second_brain import SecondBrain
from recollect.presets.second_brain.episodes import one_liner, rated
from recollect.presets.semem import MemoryManager
from recollect.presets.shadow import ShadowMemorySystem, ShadowMemorySystemConfig
from recollect.testing.fakes import FakeClock
from recollect.types import Labels

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
    with pytest.raises(InvalidInputError, match="ranking 'boost' is unknown; known are relevance, recency"):
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


ASKED = [
    ("Who is Whiskers?", "Whiskers is your cat."),
    ("Where does Whiskers sleep?", "On the blue sofa."),
    ("How do I fix a flat tyre?", "Take the wheel off, and patch the tube."),
]
FILE = {
    "shortTermMemory": [
        {
            "id": "a",
            "prompt": "Who is Whiskers?",
            "output": "Whiskers is your cat.",
            "embedding": [0.1, 0.2],
            "timestamp": 1_700_000_000_000,
            "accessCount": 3,
            "concepts": ["cat"],
            "decayFactor": 0.81,
        }
    ],
    "longTermMemory": [{"id": "b", "prompt": "Tea or coffee?", "timestamp": 1_700_000_100_000}],
}


def semem(clock=None):
    manager = MemoryManager(":memory:", user_id="ada", clock=clock or FakeClock())
    for prompt, output in ASKED:
        manager.add_interaction(prompt, output)
    return manager


def file_of(kept):
    path = Path(tempfile.mkdtemp()) / "semem.json"
    path.write_text(kept if isinstance(kept, str) else json.dumps(kept), "utf-8")
    return path


def semems_own_json_is_read():
    manager = semem()
    for _ in range(5):
        manager.retrieve_relevant_interactions("tyre", top_k=1)
    result = manager.read_json(file_of(FILE))
    assert (result.stored, result.duplicates) == (2, 0)
    one = next(it for it in manager.memory_store.short_term_memory if it.access_count == 3)
    assert (one.prompt, one.output) == (ASKED[0][0], ASKED[0][1])
    assert "cat" in one.concepts
    assert one.decay_factor == pytest.approx(0.81)
    assert round(one.timestamp.timestamp()) == 1_700_000_000
    (other,) = manager.memory_store.long_term_memory
    assert (other.prompt, other.output, other.access_count) == ("Tea or coffee?", "", 1)
    again = manager.read_json(file_of(FILE))
    assert (again.stored, again.duplicates) == (0, 2)


def semems_own_json_is_written_and_read_back():
    manager, target = semem(), file_of("{}").with_name("out.json")
    manager.read_json(file_of(FILE))
    assert manager.write_json(target) == 5
    kept = json.loads(target.read_text("utf-8"))
    assert len(kept["shortTermMemory"][0]["embedding"]) == 192
    assert kept["longTermMemory"][0]["accessCount"] == 1
    assert manager.read_json(target).duplicates == 5
    other = MemoryManager(":memory:", user_id="bob", clock=FakeClock())
    assert other.read_json(target).stored == 5
    names = ("prompt", "output", "timestamp", "access_count", "memory_type")
    read, written = other.memory_store.short_term_memory, manager.memory_store.short_term_memory
    for before, after in zip(written, read, strict=True):
        assert [getattr(before, one) for one in names] == [getattr(after, one) for one in names]
        assert before.decay_factor == pytest.approx(after.decay_factor)
    with pytest.raises(InvalidInputError, match="exists"):
        manager.write_json(target)


def a_damaged_file_of_semem_is_one_error_and_nothing_is_stored():
    good = FILE["shortTermMemory"][0]
    wrong = [
        ("{", "is not JSON"),
        ("[]", "no shortTermMemory"),
        ({"shortTermMemory": {}}, "shortTermMemory must be a list"),
        ({"shortTermMemory": [good, 3]}, r"shortTermMemory\[1\] must be an object"),
        ({"shortTermMemory": [good, {**good, "prompt": " "}]}, r"\[1\].prompt must be a text"),
        ({"shortTermMemory": [good, {**good, "timestamp": "now"}]}, r"\[1\].timestamp must be a number"),
        ({"shortTermMemory": [good, {**good, "accessCount": 0}]}, r"\[1\].accessCount"),
        ({"shortTermMemory": [good, {**good, "decayFactor": float("nan")}]}, r"\[1\].decayFactor"),
        ({"longTermMemory": [{**good, "concepts": [1]}]}, "concepts"),
    ]
    for kept, said in wrong:
        manager = semem()
        with pytest.raises(InvalidInputError, match=said):
            manager.read_json(file_of(kept))
        assert len(manager.memory_store.short_term_memory) == len(ASKED)
    with pytest.raises(InvalidInputError, match="cannot be read"):
        manager.read_json("/nowhere/semem.json")


def exclude_last_n():
    manager = semem()
    found = manager.retrieve_relevant_interactions("How do I fix a flat tyre?", exclude_last=1)
    assert "tyre" not in str([one.interaction.prompt for one in found])
    assert manager.retrieve_relevant_interactions("tyre", exclude_last=9) == []
    with pytest.raises(InvalidInputError, match="exclude_last"):
        manager.retrieve_relevant_interactions("tyre", exclude_last=-1)


def clusters_take_part_in_retrieve():
    clock = FakeClock()
    manager = semem(clock)
    clock.tick(60 * DAY_S)
    new = manager.add_interaction("Is Whiskers at home?", "Yes.")
    alone = manager.retrieve_relevant_interactions("Where does Whiskers sleep?", top_k=1)
    assert [one.interaction.id for one in alone] == [new.id]
    both = manager.retrieve_relevant_interactions("Where does Whiskers sleep?", top_k=1, from_cluster=2)
    first, *others = [one.interaction.id for one in both]
    assert first == new.id
    assert 1 <= len(others) <= 2
    clusters = manager.memory.graph.clusters(user_id="ada").all()
    assert any(set(others) <= set(cluster.memory_ids) for cluster in clusters)
    assert both[-1].interaction.access_count == 2


def a_threshold_of_40_is_a_score_of_two_fifths():
    manager = semem()
    found = manager.retrieve_relevant_interactions("Who is Whiskers?", threshold=0.4)
    assert found
    assert all(one.score >= 0.4 for one in found)


def generate_response_is_the_chat_with_the_preset():
    manager = semem()
    agent = MemoryAgent(
        manager.memory, user_id="ada", model=ScriptedModel(["A cat."]), preset=open_preset("semem")
    )
    assert "Whiskers is your cat" in agent.chat("Who is Whiskers?").context.text


@table(
    "row",
    [
        semems_own_json_is_read,
        semems_own_json_is_written_and_read_back,
        a_damaged_file_of_semem_is_one_error_and_nothing_is_stored,
        exclude_last_n,
        clusters_take_part_in_retrieve,
        a_threshold_of_40_is_a_score_of_two_fifths,
        generate_response_is_the_chat_with_the_preset,
    ],
)
def test_a_verb_of_semem_works(row):
    row()


def brain_told(*sessions, days=7):
    """A Second Brain that learned some sessions, each so many days after the one before."""
    clock = FakeClock()
    brain = SecondBrain(":memory:", clock=clock)
    for words in sessions:
        session = brain.start_session("ada")
        brain.add_message("ada", session.id, "user", words)
        brain.end_session(session.id, user_id="ada")
        brain.consolidate()
        clock.tick(days * DAY_S)
    return brain, clock


@table(
    "words, least, most",
    [
        ("I decided to learn React for frontend development.", 0.75, 0.75),
        ("I completed the data analysis project with pandas.", 0.85, 0.85),
        ("I've finally finished the report.", 0.85, 0.85),
        ("I haven't finished the report yet, it is long.", 0.3, 0.6),
        ("I planned the architecture of the ML pipeline.", 0.4, 0.6),
        ("What is the capital of France?", 0.0, 0.29),
        ("hi", 0.0, 0.29),
        ("ok thanks bye", 0.0, 0.29),
    ],
)
def test_second_brain_rates_episodes_by_the_designs_bands(words, least, most):
    brain, _ = brain_told(words)
    (episode,) = brain.memory.get_all(user_id="ada", kinds=["episode"])
    assert least <= rated(episode).worth.importance <= most


def test_second_brain_keeps_the_importance_that_somebody_gave():
    brain = SecondBrain(":memory:", clock=FakeClock())
    given = brain.add_episodic_memory("ada", "User: I finished lunch", 0.3)
    assert rated(given) == given


@table(
    "episode, line",
    [
        ("User: I decided to learn React.", "User decided to learn React."),
        ("User: I'm new to databases", "User is new to databases"),
        ("Ada: I\u2019ve just deployed my first app", "Ada has just deployed their first app"),
        ("User: I'll visit my sister", "User will visit their sister"),
        ("User: I really like tea", "User really likes tea"),
        ("User: I don't eat meat", "User doesn't eat meat"),
        ("User: I built a dashboard", "User built a dashboard"),
        ("User: I quit my job", "User quit their job"),
        ("User: I agreed to the plan", "User agreed to the plan"),
        ("User: I need a table for two", "User needs a table for two"),
        ("User: I cut my finger", "User: I cut my finger"),
        ("User: I like tea and work at home", "User: I like tea and work at home"),
        ("User: I left because I was tired", "User: I left because I was tired"),
        ("User: What should I do?", "User: What should I do?"),
        ("User planted a garden", "User planted a garden"),
        ("", ""),
    ],
)
def test_second_brain_writes_one_liners_in_the_third_person(episode, line):
    assert one_liner(episode) == line


def trivial_talk_is_left_out():
    brain, _ = brain_told("hi", "Good morning!", "What is the capital of France?", "ok thanks bye")
    assert brain.build_context_summary("ada", "What's next?") == ""


def use_case_2_a_learning_journey():
    brain, clock = brain_told(
        "I started learning Python basics",
        "I completed my first Python project",
        "I explored the pandas library",
        "I built a data analysis dashboard",
        days=4,
    )
    for days in (0, 30, 60):
        clock.tick(days * DAY_S)
        summary = brain.build_context_summary("ada", "How am I progressing?")
        for step in (
            "User started learning Python basics",
            "User completed their first Python project",
            "User explored the pandas library",
            "User built a data analysis dashboard",
        ):
            assert step in summary


def use_case_5_a_project_over_several_sessions():
    brain, _ = brain_told(
        "I planned the ML pipeline architecture",
        "I implemented the data preprocessing",
        "I experimented with different models",
        "I optimized the hyperparameters",
    )
    lines = brain.build_context_summary("ada", "What's next?").splitlines()
    past = lines[lines.index("RELEVANT PAST INTERACTIONS:") + 1 :]
    assert len([line for line in past if line.startswith("- User ")]) == 4


@table(
    "row",
    [
        trivial_talk_is_left_out,
        use_case_2_a_learning_journey,
        use_case_5_a_project_over_several_sessions,
    ],
)
def test_a_row_of_second_brain_works(row):
    row()


def recall(clock=None):
    return RecallSystem(":memory:", clock=clock or FakeClock())


@table(
    "statement, category",
    [
        ("My knee surgery is next Tuesday.", "EVENT"),
        ("My grandson's wedding was last June.", "EVENT"),
        ("I went to the opera with Anna.", "EVENT"),
        ("I visited Rome in 1961.", "EVENT"),
        ("We had our honeymoon in Paris in 1961.", "EVENT"),
        ("I was a nurse for forty years.", "BIOGRAPHY"),
        ("I am a wedding planner.", "BIOGRAPHY"),
        ("I live in Rome.", "PLACE"),
        ("My sister is called Mary.", "PERSON"),
        ("I love weddings.", "PREFERENCE"),
    ],
)
def test_recall_takes_events_for_events(statement, category):
    system = recall()
    system.remember(statement, "ada")
    assert category in [fact.category for fact in system.semantic_memories("ada")]


def facts_fade():
    clock = FakeClock()
    system = recall(clock)
    system.remember("I live in Rome.", "ada", importance=5)
    (fact,) = system.semantic_memories("ada")
    score = system.retrieve_memories("Where do I live?", "ada", count=False)[0].score
    clock.tick(14 * DAY_S)
    kept = system.memory.get(fact.id, user_id="ada")
    assert faded_importance(kept, clock()) == pytest.approx(0.95**2)
    assert system.retrieve_memories("Where do I live?", "ada", count=False)[0].score < score
    assert system.semantic_memories("ada")[0].importance == 5
    critical = system.memory.update(fact.id, user_id="ada", labels=Labels(critical=True))
    assert faded_importance(critical, clock()) == 1.0


def a_session_begins_with_what_was_last_talked_about():
    system = recall()
    assert system.start_session("ada").opening == ()
    with system.start_session("ada") as first:
        first.say("We spent our honeymoon in Paris in 1961.")
    before = [one.use.access_count for one in system.memory.get_all(user_id="ada")]
    second = system.start_session("ada")
    assert "honeymoon" in second.opening[0].recollection.memory.content
    assert "honeymoon" in second.compose("Hello again!", blueprint="Be kind.").text
    second.say("Hello again!")
    second.say("Hello, Ada!", role="assistant")
    assert "honeymoon" not in second.compose("It rains.", blueprint="Be kind.").text
    after = [one.use.access_count for one in system.memory.get_all(user_id="ada")]
    assert after[: len(before)] == before
    assert system.opening_memories("bob") == ()


def a_chat_begins_with_what_was_last_talked_about():
    with Memory(":memory:") as memory:
        with RecallSystem.over(memory).start_session("ada") as first:
            first.say("We spent our honeymoon in Paris in 1961.")
        model = ScriptedModel(["Hello!", "It does."])
        agent = MemoryAgent(memory, user_id="ada", model=model, preset=open_preset("recall"))
        assert "honeymoon" in agent.chat("Hello again!").context.text
        assert "honeymoon" not in agent.chat("It rains.").context.text


def two_sisters_are_possible():
    system = recall()
    system.remember("My sister is called Mary.", "ada")
    system.remember("My sister is called Anna.", "ada")
    assert len(system.semantic_memories("ada", category="PERSON")) == 2


@table(
    "row",
    [
        facts_fade,
        a_session_begins_with_what_was_last_talked_about,
        a_chat_begins_with_what_was_last_talked_about,
        two_sisters_are_possible,
    ],
)
def test_a_row_of_recall_works(row):
    row()
