"""Questions for a time are answered from what was said, with its sources, or not at all."""

from datetime import UTC, datetime

import pytest
from tests.copies import copied
from tests.tables import table

from recollect import Memory
from recollect.memory.agent import MemoryAgent
from recollect.models import ScriptedModel
from recollect.retrieval.scoring import Retrieval
from recollect.stores.reference.store import InMemoryStore
from recollect.types import Within

NOW = datetime(2026, 2, 1, 12, tzinfo=UTC)
SAID = (
    ("2021-02-03", "I moved to Lisbon last weekend."),
    ("2021-02-20", "I started at Arup on Monday, as an engineer."),
    ("2023-04-02", "Yesterday I moved to Porto. The flat has a balcony."),
    ("2023-04-28", "Today was my last day at Arup."),
    ("2024-01-15", "My sister Ines got married on Saturday."),
    ("2025-01-04", "Ran 5k this morning."),
    ("2025-02-02", "I should really go for a run tomorrow."),
    ("2025-03-01", "I ran 10k today!"),
    ("2025-03-02", "Tom ran a marathon."),
    ("2025-05-01", "The lift is broken since Tuesday."),
    ("2025-05-09", "The lift is still broken."),
    ("2025-05-12", "The lift works again."),
)


@pytest.fixture(scope="module")
def filled():
    with opened(InMemoryStore(clock=lambda: NOW)) as made:
        for day, words in SAID:
            made.add(words, user_id="ada", session_id=day, timestamp=day)
        made.jobs.drain()
        yield made.parts.store


@pytest.fixture
def memory(filled):
    with opened(copied(filled, clock=lambda: NOW)) as made:
        yield made


def opened(store, **more):
    return Memory(store, embedder="static", clock=lambda: NOW, **more)


def line(memory, question, **more):
    answer = memory.facts.answer(question, user_id=more.pop("user_id", "ada"), **more)
    return answer and answer.line


@pytest.mark.parametrize(
    ("question", "expected", "days"),
    [
        (
            "Since when have I lived in Porto?",
            "Since 1 April 2023, 2 years and 10 months so far.",
            ["2 April 2023"],
        ),
        (
            "How long did I live in Lisbon?",
            "2 years and 2 months: from 30 January 2021 to 1 April 2023.",
            ["3 February 2021", "2 April 2023"],
        ),
        (
            "How long was I at Arup?",
            "2 years and 2 months: from 15 February 2021 to 28 April 2023.",
            ["20 February 2021", "28 April 2023"],
        ),
        ("When did my sister get married?", "On 13 January 2024.", ["15 January 2024"]),
        (
            "How often did I run in 2025?",
            "Two times, as far as it was told.",
            ["4 January 2025", "1 March 2025"],
        ),
        ("When did I last run?", "Last on 1 March 2025, as far as it was told.", ["1 March 2025"]),
        (
            "How long ago did I move to Porto?",
            "2 years and 10 months ago, on 1 April 2023.",
            ["2 April 2023"],
        ),
        (
            "Did Ines get married before I moved to Porto?",
            "No: “Ines get married” on 13 January 2024, “I moved to Porto” on 1 April 2023.",
            ["2 April 2023", "15 January 2024"],
        ),
        (
            "How long was the lift broken?",
            "13 days: from 29 April 2025 to 12 May 2025.",
            ["1 May 2025", "12 May 2025"],
        ),
        (
            "Where did I live before I moved to Porto?",
            "Before that, on 30 January 2021: “I moved to Lisbon last weekend.”.",
            ["3 February 2021", "2 April 2023"],
        ),
        (
            "Where did I live in 2022?",
            "Last told of it by then, on 30 January 2021: “I moved to Lisbon last weekend.”.",
            ["3 February 2021"],
        ),
    ],
)
def test_a_time_is_reckoned_and_says_from_what(memory, question, expected, days):
    found = line(memory, question)
    assert found == f"{expected} Reckoned from what was said on {' and '.join(days)}."


@pytest.mark.parametrize(
    "question",
    [
        "Since when have I lived in Ghent?",
        "How long have I been at Arup?",
        "When did I swim?",
        "How often have I run in 2024?",
        "How long does a marathon take?",
        "How long did I live in Porto?",
        "How many flats did I get?",
    ],
)
def test_where_memory_tells_too_little_there_is_no_answer(memory, question):
    assert line(memory, question) is None


def test_the_answer_names_its_messages_and_its_result(memory):
    answer = memory.facts.answer("How long did I live in Lisbon?", user_id="ada")
    assert [one.content for one in answer.memories] == [SAID[0][1], SAID[2][1]]
    assert answer.kind == "time"
    assert "- 3 February 2021, user: “I moved to Lisbon last weekend.”" in answer.text
    told = answer.to_dict()["reckoned"]
    assert (told["kind"], told["days"], told["open"]) == ("length", 791.0, False)
    assert told["start"] == "2021-01-30T00:00:00+00:00"


def test_what_was_said_later_is_not_known_as_of_an_earlier_moment(memory):
    then = Within(as_of="2022-06-01")
    assert "1 year and 4 months so far" in line(memory, "How long have I lived in Lisbon?", within=then)
    assert line(memory, "Since when have I lived in Porto?", within=then) is None
    assert line(memory, "How long have I lived in Lisbon?") is None


def test_nothing_of_other_users_sessions_or_deleted_messages_is_reckoned(memory):
    assert line(memory, "When did I last run?", user_id="bo") is None
    assert line(memory, "When did I last run?", session_id="2025-01-04").startswith("Last on 4 January 2025")
    newest = next(
        one for one in memory.get_all(user_id="ada") if "10k" in one.content and one.kind == "message"
    )
    memory.delete(newest.id, user_id="ada")
    assert line(memory, "When did I last run?").startswith("Last on 4 January 2025")


def test_a_stored_fact_without_messages_counts_by_its_validity(memory):
    memory.add(
        "The parking permit is valid",
        user_id="bo",
        kind="fact",
        timestamp="2024-01-01",
        valid_until="2024-07-01",
    )
    found = line(memory, "How long was the parking permit valid?", user_id="bo")
    assert found.startswith("6 months: from 1 January 2024 to 1 July 2024.")


@pytest.mark.parametrize(
    ("said", "question", "expected"),
    [
        (
            ("2020-09-19 Grandpa moved into a care home.", "2022-01-08 Grandpa passed away yesterday."),
            "How long was Grandpa in the care home?",
            "1 year and 4 months",
        ),
        (
            ("2024-03-04 Ben works at the bakery now.", "2025-01-10 Ben was fired."),
            "How long did Ben work at the bakery?",
            "10 months",
        ),
        (
            ("2025-01-20 Twisted my ankle.", "2025-02-17 My ankle is healed."),
            "How long was my ankle hurt?",
            "28 days",
        ),
        (
            ("2024-10-12 Noah went to Chile for work.", "2025-01-18 Noah came home from Chile."),
            "How long was Noah in Chile?",
            "3 months",
        ),
        (
            ("2025-04-27 Finished my first parkrun!", "2025-08-30 Skipped the parkrun."),
            "How many parkruns have I done?",
            None,
        ),
        (("2025-07-26 Noah asked me to marry him.",), "How long have Noah and I been married?", None),
        (
            ("2022-04-16 We took in Bruno.", "2023-07-10 Bruno has been limping since Friday."),
            "Since when has Bruno been limping?",
            "Since 7 July 2023",
        ),
    ],
)
def test_a_state_ends_by_what_ends_it_in_other_words(memory, said, question, expected):
    for day, _, words in (one.partition(" ") for one in said):
        memory.add(words, user_id="bo", session_id=day, timestamp=day)
    found = line(memory, question, user_id="bo")
    assert found is None if expected is None else found.startswith(expected)


def test_what_the_assistant_says_or_anybody_asks_tells_of_nothing(memory):
    memory.add({"role": "assistant", "content": "You moved to Rome."}, user_id="bo", timestamp="2025-01-01")
    memory.add("Did I move to Rome?", user_id="bo", timestamp="2025-01-02")
    assert line(memory, "When did I move to Rome?", user_id="bo") is None


def test_a_context_begins_with_one_line_within_its_budget(memory):
    made = memory.context("How long did I live in Lisbon?", user_id="ada", budget_tokens=300)
    assert "[Reckoned from memory]\n2 years and 2 months: from 30 January 2021" in made.text
    assert made.text.count("Reckoned") == 2
    assert made.tokens <= 300
    small = memory.context("How long did I live in Lisbon?", user_id="ada", budget_tokens=60)
    assert "Reckoned" not in small.text
    assert small.tokens <= 60


def test_reckoning_can_be_turned_off(filled):
    with opened(copied(filled, clock=lambda: NOW), retrieval=Retrieval(reckoning=False)) as memory:
        assert line(memory, "How long did I live in Lisbon?") is None
        assert "Reckoned" not in memory.context("How long did I live in Lisbon?", user_id="ada").text


def test_an_agent_answers_without_a_model_and_gives_the_line_to_one(memory):
    quoting = MemoryAgent(memory, user_id="ada").chat("How long did I live in Lisbon?")
    assert quoting.content.startswith("2 years and 2 months: from 30 January 2021 to 1 April 2023.")
    model = ScriptedModel(["A bit over two years."])
    MemoryAgent(memory, user_id="ada", model=model).chat("How long did I live in Lisbon?")
    assert "[Reckoned from memory]\n2 years and 2 months" in model.asked[-1].messages[0].content


def test_as_of_is_what_held_then_and_until_what_had_been_said_then(memory):
    memory.add("I've been playing guitar since 2015.", user_id="bo", session_id="s", timestamp="2022-10-01")
    memory.jobs.drain()

    def found(**limits):
        return memory.search("guitar", user_id="bo", kinds=["fact"], within=Within(**limits))

    assert found(as_of="2018-01-01")  # known today of that time
    assert not found(as_of="2018-01-01", until="2018-01-01")  # nobody had said it yet
    assert not found(as_of="2014-01-01")
    assert (
        "guitar"
        in memory.context("guitar", user_id="bo", kinds=["fact"], within=Within(as_of="2018-01-01")).text
    )


OTHERS = (
    ("2026-01-02", "I moved to Porto today."),
    ("2026-01-03", "My brother Leo moved to Porto in 2019."),
    ("2026-01-04", "My neighbour Ana broke her leg."),
    ("2026-01-05", "I broke my leg skiing."),
    ("2026-01-06", "I dreamt I moved to Tokyo."),
    ("2026-01-07", "My sister said 'I moved to Oslo yesterday'."),
    ("2026-01-08", "I never moved to Lima."),
    ("2026-01-09", "I almost moved to Cork."),
)


@table(
    "question, expected",
    [
        ("When did I move to Porto?", "On 2 January 2026."),
        ("When did Leo move to Porto?", "In 2019."),
        ("Did I move to Porto before Leo?", "No:"),
        ("When did I break my leg?", "On 5 January 2026."),
        ("When did Ana break her leg?", "On 4 January 2026."),
        ("How often did I move?", None),
        ("When did I move to Tokyo?", None),
        ("When did I move to Oslo?", None),
        ("When did I move to Lima?", None),
        ("When did I move to Cork?", None),
        ("When did he move to Porto?", None),
        ("Since when have you lived in Porto?", None),
    ],
)
def test_what_others_did_and_what_nobody_did_is_no_event_of_the_user(question, expected):
    with opened(InMemoryStore(clock=lambda: NOW)) as memory:
        for day, words in OTHERS:
            memory.add(words, user_id="ada", session_id=day, timestamp=day)
        told = line(memory, question)
        assert told is None if expected is None else (told or "").startswith(expected)
