"""What is told of the work in one project is shown nowhere in another, and changes nothing there."""

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, is_dataclass
from functools import cached_property
from inspect import Parameter, getmembers, ismethod, signature

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect import Memory, MemoryAgent, Within
from recollect.errors import InvalidInputError, NotFoundError
from recollect.integrations.hosts.recall import Whose, for_prompt, for_session
from recollect.memory.agent import ContextOptions
from recollect.presets.second_brain import SecondBrain
from recollect.retrieval.clusters.clusters import Clusters
from recollect.retrieval.graph.facts import FactGraph
from recollect.retrieval.graph.named import ConceptGraph

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
PROPERTIES = ("agenda", "facts", "jobs", "sessions", "documents", "graph", "lifecycle", "maintenance")
NOT_NARROWED = {
    "writes": """
        add remember update delete delete_all undelete purge archive unarchive use import_file load
        facts.resolve facts.reopen sessions.start sessions.end sessions.end_idle sessions.entitle
        sessions.rename documents.add documents.add_bytes documents.add_text documents.remove graph.link
        lifecycle.relabel lifecycle.tidy lifecycle.untidy agenda.mention agenda.dismiss agenda.answer
        """,
    "keeps, undoes or audits all that a user has": "export deleted facts.decisions jobs.list",
    "only counts and weighs": """
        facts.learned jobs.count graph.acquaintance lifecycle.intents lifecycle.retrievals
        lifecycle.thresholds
        """,
    "is of one thing by its id, which a narrowed list gave": """
        history graph.links sessions.get sessions.turns sessions.summarise
        """,
    "documents belong to no project": """
        documents.get documents.list documents.parent documents.search documents.text
        """,
}
"""Public methods for a user without ``within``, by the reason."""
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
        "agenda": str(memory.agenda.items(user_id="ada", within=within, limit=100)),
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


def narrowed(memory: Memory) -> dict[str, Callable[..., object]]:
    """Every public method of a memory and its properties that takes ``within``, by name."""
    owners = {"": memory} | {
        f"{name}.": getattr(memory, name)
        for name, one in vars(Memory).items()
        if isinstance(one, cached_property)
    }
    return {
        f"{prefix}{name}": method
        for prefix, owner in owners.items()
        for name, method in getmembers(owner, ismethod)
        if not name.startswith("_") and "within" in signature(method).parameters
    }


def test_every_public_method_for_a_user_is_narrowed_or_has_a_reason_not_to_be() -> None:
    with Memory(":memory:", embedder="hashing") as memory:
        named = {
            f"{prefix}{name}"
            for prefix, owner in {
                "": memory,
                **{f"{one}.": getattr(memory, one) for one in PROPERTIES},
            }.items()
            for name, method in getmembers(owner, ismethod)
            if not name.startswith("_") and "user_id" in signature(method).parameters
        }
        others = {name for names in NOT_NARROWED.values() for name in names.split()}
        assert named == narrowed(memory).keys() | others
        assert not narrowed(memory).keys() & others


def asked(method: Callable[..., object], memory_id: str) -> dict[str, object]:
    """What a method has to be given."""
    values = {"query": "database", "message": QUESTIONS[1], "memory_id": memory_id}
    needed = [name for name, one in signature(method).parameters.items() if one.default is Parameter.empty]
    return {name: values[name] for name in needed if name != "user_id"}


def told_by(method: Callable[..., object], memory_id: str, within: Within) -> str:
    """What a method shows, in words."""
    try:
        found = method(user_id="ada", within=within, **asked(method, memory_id))
    except NotFoundError:
        return ""
    if isinstance(found, Clusters):
        hits = found.search("database", top_k=50)
        return str([found.all(), [hit.memory.content for hit in hits]])
    if isinstance(found, ConceptGraph):
        return str([found.concepts(), found.edges()])
    if isinstance(found, FactGraph):
        nodes = found.nodes()
        return str([nodes, found.edges(node.name for node in nodes)])
    return f"{found!r} {asdict(found) if is_dataclass(found) else list(map(_shown, _items(found)))}"  # type: ignore[arg-type]


def _items(found: object) -> Iterable[object]:
    return found if isinstance(found, list | tuple) else (found,)


def _shown(one: object) -> object:
    return asdict(one) if is_dataclass(one) else one  # type: ignore[arg-type]


@given(conversations())
@settings(max_examples=10)
def test_no_public_method_shows_words_of_another_project(said: list[Said]) -> None:
    with Memory(":memory:", embedder="hashing") as memory:
        tell(memory, said)
        for session in memory.sessions.list(user_id="ada"):
            memory.sessions.entitle(session.id, user_id="ada")
        records = memory.get_all(user_id="ada")
        for place, project in enumerate(PROJECTS):
            here = {one.id for one in memory.get_all(user_id="ada", within=Within(project=project))}
            foreign = [one.id for one in records if one.id not in here]
            names = [one.name for one in said if one.place != place]
            for by, method in narrowed(memory).items():
                if by == "explain":
                    continue  # is asked about one memory, and says why it is not seen
                for memory_id in foreign or ["none"]:
                    text = told_by(method, memory_id, Within(project=project))
                    assert not [one for one in (*names, *foreign) if one in text], by


def test_stats_and_sessions_count_what_may_be_seen() -> None:
    with Memory(":memory:", embedder="hashing") as memory:
        memory.add("The queue is red.", user_id="ada", session_id="one", metadata={"project": PROJECTS[0]})
        memory.add("The cache is blue.", user_id="ada", session_id="two", metadata={"project": PROJECTS[1]})
        memory.add("Nothing happened.", user_id="ada", session_id="two", metadata={"project": PROJECTS[0]})
        memory.sessions.rename("two", "Blue cache", user_id="ada")
        within = Within(project=PROJECTS[0])
        assert memory.stats(user_id="ada", within=within).kinds == {"message": 2}
        listed = memory.sessions.list(user_id="ada", within=within)
        assert {(one.id, one.message_count, one.title) for one in listed} == {
            ("one", 1, None),
            ("two", 1, None),
        }
        assert not memory.sessions.list(user_id="ada", within=Within(project="github.com/acme/none"))
        with pytest.raises(InvalidInputError, match="user_id"):
            memory.stats(within=within)


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
