"""``memory.agenda``: limits, what was mentioned and dismissed, answers, scopes, deletion."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from recollect import InvalidInputError, Memory, NotFoundError
from recollect.learning.agenda.state import STATE
from recollect.stores.reference.store import InMemoryStore
from recollect.types import Scope

SAID = datetime(2026, 10, 1, 10, tzinfo=UTC)
ADA = Scope(user_id="ada")
DENTIST = "I have a dentist appointment on 8 October."
PLANS = (
    DENTIST,
    "I have an exam on 8 October.",
    "My driving test is on 8 October.",
    "I run a marathon on 8 October.",
)


class Life:
    """A memory whose clock is set by hand."""

    def __init__(self, store: object = None) -> None:
        self.now = SAID
        self.memory = Memory(store or InMemoryStore(), embedder="hashing", clock=lambda: self.now)

    def said(self, *texts: str, user: str = "ada", session: str = "s", **more: object) -> list[str]:
        """Say something and learn from it."""
        results = self.memory.add(list(texts), user_id=user, session_id=session, **more)
        self.memory.jobs.drain()
        return [one.id for one in results if one.id]

    def after(self, days: float) -> None:
        """Let days go by."""
        self.now = SAID + timedelta(days=days)

    def items(self, **more: object) -> list:
        """What is to be brought up."""
        return self.memory.agenda.items(user_id="ada", **more)


@pytest.fixture(params=["reference", "sqlite", "postgres"])
def life(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Life]:
    store = {
        "reference": InMemoryStore,
        "sqlite": lambda: tmp_path / "m.db",
        "postgres": lambda: request.getfixturevalue("postgres_url"),
    }[request.param]()
    made = Life(store)
    with made.memory:
        yield made


def test_what_was_mentioned_comes_again_only_for_its_next_occasion(life: Life) -> None:
    life.said(DENTIST)
    life.after(6)
    (before,) = life.items()
    life.memory.agenda.mention(before.id, user_id="ada")
    assert life.items() == []
    life.after(8)
    (behind,) = life.items()
    assert (before.id, before.occasion, behind.occasion) == (behind.id, "before", "after")
    life.memory.agenda.mention([behind.id], user_id="ada")
    life.after(9)
    assert life.items() == []


def test_no_more_than_the_limit_is_brought_up_on_one_day(life: Life) -> None:
    life.said(*PLANS)
    life.after(8)
    first = life.items()
    assert len(first) == 3
    assert first == life.items()  # reading notes nothing
    life.memory.agenda.mention([one.id for one in first], user_id="ada")
    assert life.items() == []
    assert len(life.items(limit=4)) == 1
    life.after(9)
    assert len(life.items()) == 1


def test_what_is_dismissed_never_comes_again(life: Life) -> None:
    life.said("My birthday is on 3 March.")
    for year in (2027, 2028):
        life.now = datetime(year, 3, 3, 9, tzinfo=UTC)
        (item,) = life.items()
        life.memory.agenda.mention(item.id, user_id="ada")
        assert life.items() == []
    life.now = datetime(2029, 3, 3, 9, tzinfo=UTC)
    life.memory.agenda.dismiss(life.items()[0].id, user_id="ada")
    life.now = datetime(2030, 3, 3, 9, tzinfo=UTC)
    assert life.items() == []


def test_a_deleted_source_takes_the_item_and_its_marks_with_it(life: Life) -> None:
    dentist, _ = life.said(DENTIST, "I have an exam on 8 October.")
    life.after(8)
    life.memory.agenda.mention([one.id for one in life.items()], user_id="ada")
    life.memory.delete(dentist, user_id="ada")
    kept = life.memory.parts.store.state(ADA, STATE)
    assert kept is not None
    assert dentist not in kept
    assert "plan" in kept
    life.memory.delete_all(user_id="ada")
    assert life.memory.parts.store.state(ADA, STATE) is None
    life.memory.purge(user_id="ada")
    assert life.memory.parts.store.states(ADA) == {}


def test_a_changed_source_may_be_brought_up_anew(life: Life) -> None:
    (said,) = life.said(DENTIST)
    life.after(8)
    life.memory.agenda.dismiss(life.items()[0].id, user_id="ada")
    life.memory.update(said, user_id="ada", content="I have a dentist appointment on 7 October.")
    life.memory.jobs.drain()
    (item,) = life.items()
    assert item.due is not None
    assert item.due.day == 7


def test_nobody_sees_the_agenda_of_another_user_or_agent_or_of_a_space(life: Life) -> None:
    life.said(DENTIST, agent_id="nurse")
    life.after(8)
    (item,) = life.items()
    assert life.items(agent_id="nurse") == [item]
    assert life.items(agent_id="cook") == []
    assert life.memory.agenda.items(user_id="bob") == []
    for change in (life.memory.agenda.mention, life.memory.agenda.dismiss):
        with pytest.raises(NotFoundError, match="no item 'plan-"):
            change(item.id, user_id="bob")
    with pytest.raises(InvalidInputError, match="a team space has no agenda"):
        life.memory.agenda.items(user_id="space:team")


def test_an_unknown_item_notes_nothing(life: Life) -> None:
    life.said(DENTIST)
    life.after(8)
    (item,) = life.items()
    with pytest.raises(NotFoundError, match="no item 'plan-0'"):
        life.memory.agenda.dismiss([item.id, "plan-0"], user_id="ada")
    assert life.items() == [item]


def contradiction(life: Life) -> None:
    life.said("I am vegetarian.", session="a")
    life.said("I'm not vegetarian.", session="b")
    life.after(1)


@pytest.mark.parametrize("keep", ["known", "new", "both"])
def test_an_answer_decides_a_conflict(keep: str) -> None:
    life = Life()
    with life.memory as memory:
        contradiction(life)
        (item,) = (one for one in life.items() if one.kind == "conflict")
        assert item.text == (
            "On 1 October you said: “I am vegetarian.” But: On 1 October you said: “I'm not vegetarian.” "
            "Which is true?"
        )
        with pytest.raises(InvalidInputError, match="answer must be"):
            memory.agenda.answer(item.id, "maybe", user_id="ada")
        answer = {"known": item.sources[0], "new": item.sources[1]}.get(keep, keep)
        memory.agenda.answer(item.id, answer, user_id="ada")
        assert memory.facts.conflicts(user_id="ada") == []
        assert life.items() == []
        ended = [one.id for one in memory.get_all(user_id="ada", kinds=["fact"]) if one.times.valid_until]
        assert ended == {"known": [item.sources[1]], "new": [item.sources[0]]}.get(keep, [])


@pytest.mark.parametrize(
    ("answer", "check"),
    [
        ("Yes", lambda one: one.worth.confidence > 0.9),
        ("no", lambda one: one.times.valid_until is not None),
    ],
)
def test_an_answer_settles_a_doubtful_fact(answer: str, check: Callable[..., bool]) -> None:
    life = Life()
    with life.memory as memory:
        life.said("I think I am allergic to kiwis.")
        (fact,) = memory.get_all(user_id="ada", kinds=["fact"])
        for _ in range(3):
            memory.use(fact.id, user_id="ada")
        life.after(1)
        (item,) = life.items()
        assert (item.kind, item.sources[0]) == ("doubt", fact.id)
        memory.agenda.answer(item.id, answer, user_id="ada")
        assert check(memory.get(fact.id, user_id="ada"))
        assert life.items() == []


def test_an_answer_in_words_is_stored_behind_its_question_and_closes_it() -> None:
    life = Life()
    with life.memory as memory:
        for number in range(2):
            turns = [("user", "What is my Wi-Fi name?"), ("assistant", "I don't know it.")]
            said = [{"role": role, "content": text} for role, text in turns]
            memory.add(said, user_id="ada", session_id=f"s{number}")
        life.after(1)
        (item,) = life.items()
        assert item.kind == "unknown"
        memory.agenda.answer(item.id, "My Wi-Fi name is Otter.", user_id="ada")
        assert life.items() == []
        *_, asked, told = memory.get_all(user_id="ada", kinds=["message"])
        assert (asked.content, told.content) == (item.text, "My Wi-Fi name is Otter.")
        memory.jobs.drain()
        assert any("Otter" in one.content for one in memory.get_all(user_id="ada", kinds=["fact"]))


def test_nothing_of_the_agenda_is_in_contexts_or_searches_unless_it_is_asked_for() -> None:
    life = Life()
    with life.memory as memory:
        life.said(DENTIST)
        life.after(8)
        before = memory.context("dentist", user_id="ada").text
        memory.agenda.mention(life.items()[0].id, user_id="ada")
        assert memory.context("dentist", user_id="ada").text == before
        assert "How did it go" not in before
