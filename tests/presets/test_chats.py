"""The presets over one memory that is open, and the parts of a chat that each is."""

import pytest
from tests.copies import copied

from recollect import Memory
from recollect.errors import InvalidInputError
from recollect.memory.agent import ContextOptions, MemoryAgent
from recollect.models import ScriptedModel
from recollect.presets import PRESETS, open_preset
from recollect.presets.chloe.chloe import EnhancedMemory
from recollect.presets.recall import RecallSystem
from recollect.presets.second_brain import SecondBrain
from recollect.presets.semem import MemoryManager
from recollect.presets.shadow import ShadowMemorySystem
from recollect.stores.reference.store import InMemoryStore

QUESTION = "What is my dog called?"


@pytest.fixture(scope="module")
def filled():
    with Memory(InMemoryStore()) as made:
        made.add(
            ["My dog is called Pixel.", "I'm allergic to peanuts.", "I work at Miller & Sons as a welder."],
            user_id="ada",
            session_id="before",
        )
        made.documents.add_text(
            "Dogs that are called often come sooner.", source="dogs", title="Dogs", user_id="ada"
        )
        made.sessions.end("before", user_id="ada")
        made.jobs.drain()
        yield made.parts.store


@pytest.fixture
def memory(filled):
    with Memory(copied(filled)) as made:
        yield made


def agent_of(memory, name, *answers, **settings):
    model = ScriptedModel(answers)
    agent = MemoryAgent(
        memory, user_id="ada", session_id="now", preset=open_preset(name), model=model, **settings
    )
    return agent, model


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_answers_from_the_same_memory(memory, name):
    agent, model = agent_of(memory, name, "Pixel.", "Noted.")
    answer = agent.chat(QUESTION)
    assert (answer.content, answer.preset) == ("Pixel.", name)
    prompt = model.asked[0].messages[0].content
    assert answer.context.text in prompt
    assert "peanuts" in prompt  # the core
    assert "Pixel" in prompt
    assert answer.context.total > 3
    assert 0 < answer.context.tokens <= answer.context.budget_tokens
    assert answer.context.activated_count == len(answer.context.activated(limit=1_000)) > 0
    told = answer.to_dict()
    assert told["preset"] == name
    assert all(one["memory_id"] for one in (*told["activated"], *told["candidates"]))
    agent.chat("Thank you")
    assert [message.content for message in model.asked[1].messages[1:]] == [QUESTION, "Pixel.", "Thank you"]


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_cites_documents_by_number(memory, name):
    agent, model = agent_of(memory, name, "Sooner [1].")
    answer = agent.chat("Dogs that are called often come sooner")
    (source,) = answer.sources
    assert (source.number, source.title) == (1, "Dogs")
    assert "[1] Dogs" in model.asked[0].messages[0].content
    assert memory.documents.get(source.document_id, user_id="ada").title == "Dogs"


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_keeps_to_the_budget(memory, name):
    for number in range(40):
        memory.add(f"My dog is called Pixel, I told you {number} times.", user_id="ada", session_id="long")
    agent, _ = agent_of(memory, name, "Pixel.", context=ContextOptions(budget_tokens=60))
    made = agent.chat(QUESTION).context
    assert memory.parts.count_tokens(made.text) == made.tokens <= 60


@pytest.mark.parametrize("name", PRESETS)
def test_no_preset_sees_another_user(memory, name):
    memory.add("My dog is called Rex.", user_id="bob")
    agent, model = agent_of(memory, name, "Hm.")
    agent.chat(QUESTION)
    assert "Rex" not in str(model.asked)


@pytest.mark.parametrize("name", PRESETS)
def test_feedback_reaches_every_preset(memory, name):
    agent, _ = agent_of(memory, name, "Pixel.")
    (first, *_) = agent.chat(QUESTION).context.activated(limit=1)
    agent.feedback(first.memory_id, useful=False, message=QUESTION)
    assert memory.get(first.memory_id, user_id="ada").use.unhelpful_count == 1


def test_the_thresholds_of_shadow_memory_learn_from_not_helpful_on_questions(memory):
    agent, _ = agent_of(memory, "shadow", "Pixel.")
    (first, *_) = agent.chat(QUESTION).context.activated(limit=1)
    before = memory.lifecycle.thresholds(user_id="ada").threshold("conversation")
    for _ in range(30):
        agent.feedback(first.memory_id, useful=False, message=QUESTION)
    thresholds = memory.lifecycle.thresholds(user_id="ada")
    assert thresholds.threshold("conversation") > before
    assert thresholds.state()["query"].outcomes == 0


def test_the_second_brain_writes_its_three_sections(memory):
    agent, model = agent_of(memory, "second_brain", "Hm.")
    agent.chat("Where do I work, and which dogs come sooner?")
    prompt = model.asked[0].messages[0].content
    assert "USER PROFILE:" in prompt
    assert "RELEVANT KNOWLEDGE BASE:\n[1] Dogs: " in prompt
    assert "cite sources using [1], [2] format" in prompt


def test_recall_tells_the_model_the_time_and_the_user(memory):
    agent, model = agent_of(memory, "recall", "Hm.")
    agent.chat(QUESTION)
    prompt = model.asked[0].messages[0].content
    assert "Current time: " in prompt
    assert "Relationship stage: " in prompt


def test_an_unknown_preset_is_one_error_that_names_the_five():
    with pytest.raises(InvalidInputError) as raised:
        open_preset("shadows")
    for name in ("shadows", "shadow", "semem", "recall", "second_brain", "chloe"):
        assert name in str(raised.value)
    with pytest.raises(InvalidInputError, match="no preset is named"):
        open_preset(None)


def test_a_preset_that_is_no_preset_is_refused(memory):
    with pytest.raises(InvalidInputError, match="open_preset"):
        MemoryAgent(memory, user_id="ada", preset="shadow")


@pytest.mark.parametrize("name", ["shadow", "recall", "second_brain"])
def test_a_threshold_beside_a_preset_that_has_its_own_is_refused(memory, name):
    with pytest.raises(InvalidInputError, match="leave threshold out"):
        agent_of(memory, name, context=ContextOptions(threshold=0.3))


@pytest.mark.parametrize("name", ["shadow", "recall", "second_brain", "semem"])
def test_an_agent_beside_a_preset_that_uses_all_memories_is_refused(memory, name):
    with pytest.raises(InvalidInputError, match="leave agent_id out"):
        agent_of(memory, name, agent_id="coder")


OVER = {
    "shadow": lambda memory: ShadowMemorySystem.over(memory, user_id="ada"),
    "semem": lambda memory: MemoryManager.over(memory, user_id="ada"),
    "recall": RecallSystem.over,
    "second_brain": SecondBrain.over,
    "chloe": lambda memory: EnhancedMemory.over(memory, user_id="ada"),
}


@pytest.mark.parametrize("name", OVER)
def test_a_preset_over_a_memory_shares_its_store_and_leaves_its_ranking_alone(memory, name):
    before = [(hit.id, hit.score) for hit in memory.search(QUESTION, user_id="ada")]
    system = OVER[name](memory)
    assert system.memory.parts.store is memory.parts.store
    assert system.memory.parts.learner is memory.parts.learner
    (added,) = system.memory.add("It rains.", user_id="bob")
    assert memory.get(added.id, user_id="bob").content == "It rains."
    assert [(hit.id, hit.score) for hit in memory.search(QUESTION, user_id="ada")] == before


def test_a_preset_over_a_memory_checks_its_configuration(memory):
    with pytest.raises(InvalidInputError, match="config must be a SememConfig"):
        MemoryManager.over(memory, user_id="ada", config="x")
    with pytest.raises(InvalidInputError, match="config must be a RecallConfig"):
        RecallSystem.over(memory, config="x")
