"""What is told of the work in one project is shown nowhere in another, and changes nothing there."""

from dataclasses import dataclass

from hypothesis import given, settings
from hypothesis import strategies as st

from recollect import Memory, MemoryAgent, Within
from recollect.integrations.hosts.recall import Whose, for_prompt, for_session
from recollect.memory.agent import ContextOptions
from recollect.presets.second_brain import SecondBrain

PROJECTS = ("github.com/acme/app", "github.com/acme/shop")
SAYINGS = (
    "The staging server is called {}.",
    "Our staging server is called {}.",
    "Our database is {}.",
    "We use {}.",
    "We no longer use {}.",
    "We decided to keep the queue in {}.",
    "In this repo I use {}.",
    "I prefer {} here.",
    "My branch is called {}.",
    "Never push to {}.",
    "Always run {} before a commit.",
    "For this project answer me in {}.",
    "Remember: the port of {} is 8080.",
    "I am planning to rewrite the {} parser.",
    "The {} service lives in Frankfurt.",
    "{} runs on port 9090.",
    "The {} queue suffers from backpressure.",
    "What does {} do?",
)
"""What is told of a project; a name of its own stands in each."""
GIVEN = ("The staging server is called {}.", "staging lives in {}", "Use {}.")
"""Facts that come as facts."""
QUESTIONS = ("What is the staging server called?", "what do you know about me?", "database, port, branch")


@dataclass(frozen=True)
class Said:
    """A saying, its place among the projects, and how it came."""

    words: str
    name: str
    place: int
    role: str


@st.composite
def conversations(draw: st.DrawFn) -> list[Said]:
    kinds = [*((words, role) for words in SAYINGS for role in ("user", "assistant"))]
    kinds += [(words, "fact") for words in GIVEN]
    chosen = draw(st.lists(st.tuples(st.sampled_from(kinds), st.integers(0, 1)), min_size=2, max_size=6))
    return [
        Said(words.format(f"Zorp{number}"), f"Zorp{number}", place, role)
        for number, ((words, role), place) in enumerate(chosen)
    ]


def tell(memory: Memory, said: list[Said]) -> None:
    for one in said:
        fact = one.role == "fact"
        message = {"content": one.words, "role": "user" if fact else one.role}
        project = PROJECTS[one.place]
        memory.add(
            message | ({"kind": "fact"} if fact else {}),
            user_id="ada",
            session_id=None if fact else project,
            metadata={"project": project},
        )
        memory.jobs.drain()


def shown(memory: Memory, project: str) -> dict[str, str]:
    """What is shown in a project, by what shows it."""
    within = Within(project=project)
    whose = Whose(user_id="ada", project=project, session_id="new")
    found = {
        "timeline": str(memory.timeline(user_id="ada", within=within)),
        "profile": str(memory.profile(user_id="ada", within=within)),
        "core": str(memory.core("x", user_id="ada", within=within).memories),
        "list": str([one.content for one in memory.get_all(user_id="ada", within=within)]),
        "conflicts": str(memory.facts.conflicts(user_id="ada", within=within)),
        "session": for_session(memory, whose).text,
    }
    brain = SecondBrain.over(memory)
    agent = MemoryAgent(memory, user_id="ada", context=ContextOptions(project=project, threshold=0.0))
    for number, question in enumerate(QUESTIONS):
        hits = memory.search(question, user_id="ada", within=within)
        found |= {
            f"search {number}": str([hit.memory.content for hit in hits]),
            f"context {number}": memory.context(question, user_id="ada", within=within, threshold=0.0).text,
            f"answer {number}": str(memory.facts.answer(question, user_id="ada", within=within)),
            f"summary {number}": brain.search("ada", question, project=project).summary,
            f"prompt {number}": for_prompt(memory, whose, question).text,
        }
    found["chat"] = agent.chat(QUESTIONS[0]).context.text
    return found


@given(conversations())
@settings(max_examples=10)
def test_words_of_one_project_are_shown_nowhere_in_another(said: list[Said]) -> None:
    with Memory(":memory:", embedder="hashing") as memory:
        tell(memory, said)
        for place, project in enumerate(PROJECTS):
            for by, text in shown(memory, project).items():
                leaked = [one.words for one in said if one.place != place and one.name in text]
                assert not leaked, by


@given(conversations())
@settings(max_examples=10)
def test_what_is_said_in_one_project_changes_no_fact_of_another(said: list[Said]) -> None:
    with Memory(":memory:", embedder="hashing") as both, Memory(":memory:", embedder="hashing") as alone:
        tell(both, said)
        tell(alone, [one for one in said if one.place == 0])
        assert state_of(both) == state_of(alone)


def state_of(memory: Memory) -> list[tuple[str, bool, object]]:
    """The facts of the first project: their words, whether they hold, and whether they are contested."""
    found = memory.get_all(user_id="ada", kinds=["fact"], within=Within(project=PROJECTS[0]))
    return sorted(
        (one.content, one.times.valid_until is None, bool(one.metadata.get("contested"))) for one in found
    )
