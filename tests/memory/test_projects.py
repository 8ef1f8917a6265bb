"""What may be seen in a project of a user, and what may not."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from recollect import Memory, Within
from recollect.errors import InvalidInputError

APP, SHOP = "github.com/acme/app", "github.com/acme/shop"


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory(tmp_path / "m.db") as opened:
        yield opened


def told(memory: Memory, *words: str, project: str | None = None, session: str | None = None) -> None:
    metadata = {} if project is None else {"project": project}
    memory.add(list(words), user_id="ada", session_id=session or project, metadata=metadata)
    memory.jobs.drain()


def facts(memory: Memory, project: str) -> set[str]:
    found = memory.get_all(user_id="ada", kinds=["fact"], within=Within(project=project))
    return {one.content for one in found}


@pytest.mark.parametrize(
    "words",
    [
        "I am allergic to nuts.",
        "My name is Ada Byron.",
        "I live in Oslo.",
        "I work at Miller as a welder.",
        "My sister is called Ines.",
        "I prefer tea.",
        "I speak Norwegian.",
        "Please always answer in German.",
    ],
)
def test_a_fact_about_the_person_is_seen_in_every_project(memory: Memory, words: str) -> None:
    told(memory, words, project=APP)
    everything = {one.content for one in memory.get_all(user_id="ada", kinds=["fact"])}
    assert everything
    assert facts(memory, APP) == facts(memory, SHOP) == everything
    assert not memory.get_all(user_id="ada", kinds=["message"], within=Within(project=SHOP))


@pytest.mark.parametrize("words", ["Never push to main.", "I am planning to rewrite the parser."])
def test_another_fact_is_seen_where_it_was_said(memory: Memory, words: str) -> None:
    told(memory, words, project=APP)
    assert facts(memory, APP)
    assert not facts(memory, SHOP)
    core = memory.core("what to do?", user_id="ada", within=Within(project=SHOP))
    assert not core.memories


def test_what_was_said_in_two_projects_is_seen_in_both(memory: Memory) -> None:
    told(memory, "Never push to main.", project=APP)
    told(memory, "Never push to main.", project=SHOP)
    assert facts(memory, APP)
    assert facts(memory, SHOP)
    assert not facts(memory, "nothing")


def test_what_was_said_outside_of_any_project_is_seen_in_every_one(memory: Memory) -> None:
    told(memory, "Never push to main.", "I am allergic to nuts.", session="chat")
    assert facts(memory, APP) == facts(memory, SHOP)
    assert len(facts(memory, APP)) == 2


def test_an_episode_is_seen_where_its_words_were_said(memory: Memory) -> None:
    told(memory, "We moved the queue to PostgreSQL last night, and everybody was glad.", project=APP)
    memory.sessions.end(APP, user_id="ada")
    memory.jobs.drain()

    def episodes(project: str) -> int:
        within = Within(project=project)
        return len(memory.get_all(user_id="ada", kinds=["episode"], within=within))

    assert episodes(APP) == 1
    assert not episodes(SHOP)


def test_a_fact_that_a_caller_stored_goes_by_its_own_project(memory: Memory) -> None:
    memory.add("The build takes an hour.", user_id="ada", kind="fact", metadata={"project": APP})
    memory.add("User is allergic to nuts.", user_id="ada", kind="fact", metadata={"project": APP})
    assert facts(memory, SHOP) == {"User is allergic to nuts."}
    assert facts(memory, APP) == {"User is allergic to nuts.", "The build takes an hour."}


def test_a_fact_is_shown_where_its_words_may_not_be_seen(memory: Memory) -> None:
    told(memory, "I am allergic to nuts.", project=APP)
    (hit,) = memory.search("what am I allergic to?", user_id="ada", within=Within(project=SHOP))
    assert hit.memory.kind == "fact"
    (hit,) = memory.search("what am I allergic to?", user_id="ada", within=Within(project=APP))
    assert hit.memory.kind == "message"


def test_an_explanation_says_that_a_project_hides_a_memory(memory: Memory) -> None:
    told(memory, "Never push to main.", project=APP)
    (said,) = memory.get_all(user_id="ada", kinds=["message"])
    for project, found in ((APP, True), (SHOP, False)):
        made = memory.explain(said.id, user_id="ada", query="push to main", within=Within(project=project))
        assert (made.rank is not None) is found


def test_another_user_sees_nothing_of_it(memory: Memory) -> None:
    told(memory, "I am allergic to nuts.", project=APP)
    assert not memory.get_all(user_id="bob", within=Within(project=APP))


@pytest.mark.parametrize("project", ["", " ", ".", 5])
def test_what_is_no_project_is_refused(memory: Memory, project: str) -> None:
    with pytest.raises(InvalidInputError, match="project"):
        memory.search("nuts", user_id="ada", within=Within(project=project))


def test_the_argument_of_a_search_is_answered_with_where_it_belongs(memory: Memory) -> None:
    with pytest.raises(TypeError, match=r"use within=Within\(project=\.\.\.\)"):
        memory.search("nuts", user_id="ada", project=APP)  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("here", "there"),
    [
        ("Our database is Postgres.", "Our database is MySQL."),
        ("We use Redis.", "We no longer use Redis."),
        ("We like Redis.", "We don't like Redis."),
        ("My branch is called fix-42.", "My branch is called fix-43."),
    ],
)
def test_what_is_said_of_one_project_ends_and_contradicts_nothing_of_another(
    memory: Memory, here: str, there: str
) -> None:
    told(memory, here, project=APP)
    (before,) = memory.get_all(user_id="ada", kinds=["fact"])
    told(memory, there, project=SHOP)
    assert memory.get(before.id, user_id="ada") == before
    assert memory.facts.conflicts(user_id="ada") == []
    assert facts(memory, APP).isdisjoint(facts(memory, SHOP))


def test_a_new_home_ends_the_old_one_whichever_project_it_was_said_in(memory: Memory) -> None:
    told(memory, "I live in Oslo.", project=APP)
    told(memory, "I live in Rome.", project=SHOP)
    old, new = memory.get_all(user_id="ada", kinds=["fact"])
    assert (old.content, new.content) == ("User lives in Oslo.", "User lives in Rome.")
    assert old.times.valid_until is not None


@pytest.mark.parametrize(
    "words",
    [
        "The staging server is called heron.",
        "Our database is named teal.",
        "staging is called heron",
        "The service lives in Frankfurt.",
        "The queue suffers from backpressure.",
    ],
)
def test_the_name_or_home_of_a_thing_is_no_fact_about_the_person(memory: Memory, words: str) -> None:
    given = {"content": words, "kind": "fact", "metadata": {"project": APP}}
    memory.add(given, user_id="ada")
    memory.jobs.drain()
    assert facts(memory, APP) == {words}
    assert facts(memory, SHOP) == set()
    assert not memory.core("what?", user_id="ada", within=Within(project=SHOP)).memories


def test_an_instruction_for_one_project_leaves_that_for_all_as_it_is(memory: Memory) -> None:
    told(memory, "Always answer in English.", session="chat")
    told(memory, "For this project answer me in German.", project=APP)
    told(memory, "In this project answer in French.", project=APP, session="later")
    english, french = "User wants answers in English.", "User wants answers in French in this project."
    for project, expected in ((APP, {english, french}), (SHOP, {english})):
        within = Within(project=project)
        core = memory.core("how to answer?", user_id="ada", within=within)
        assert {one.found.memory.content for one in core.memories} == expected
