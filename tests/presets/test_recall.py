"""Recall as a preset: sessions, entries, the storage decision, retrieval, prompts."""

import os
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from tests.tables import table

from recollect import ClosedError, InvalidInputError, NotFoundError
from recollect.errors import ContextOverflowError
from recollect.presets.recall import (
    AdmissionPolicy,
    ContextBudget,
    ContextBudgetManager,
    EpisodicMemoryEntry,
    RecallConfig,
    RecallSystem,
    SemanticMemoryEntry,
    WordsEntry,
)
from recollect.presets.recall.outcome import check_outcome, find_tone, outcome_of
from recollect.testing import FakeClock
from recollect.text.chunks import chunks_of
from recollect.text.pii import PiiPolicy
from recollect.types import Labels

BLUEPRINT = "You are a kind companion."


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


def store_of(kind: str, request: pytest.FixtureRequest, folder: Path) -> str:
    if kind in {"postgresql", "pinecone"}:
        return request.getfixturevalue("postgres_url" if kind == "postgresql" else "pinecone_url")
    if kind == "qdrant" and os.environ.get("CI") != "true":
        pytest.importorskip("qdrant_client")
    return "qdrant:///:memory:" if kind == "qdrant" else str(folder / "recall.db")


@pytest.fixture(params=["sqlite", "qdrant", "postgresql", "pinecone"])
def anywhere(request, tmp_path, clock):
    with RecallSystem(store_of(request.param, request, tmp_path), clock=clock) as system:
        yield system


@pytest.fixture
def system(clock):
    with RecallSystem(":memory:", clock=clock) as made:
        yield made


def talk(system, *lines, user="ada", **more):
    """A session of what the user says and what is answered, by turns."""
    session = system.start_session(user, **more)
    for number, line in enumerate(lines):
        session.say(line, role="assistant" if number % 2 else "user")
    return session.end()


# The flow


def test_the_flow_of_the_design_works_on_every_store(anywhere):
    report = talk(anywhere, "My sister Mary lives in Lisbon. I like green tea.", "How nice!", "Thanks, bye!")
    assert report.outcome == "SUCCESS"
    assert {one.admission for one in report.decisions} == {"stored"}
    (episode,) = report.episodes
    assert (episode.session_id, episode.outcome) == (
        anywhere.episodic_memories("ada")[0].session_id,
        "SUCCESS",
    )
    best, *_ = anywhere.retrieve_memories("Where does my sister live?", "ada")
    assert "Lisbon" in best.recollection.memory.content
    tea = anywhere.retrieve_memories("What tea do I like?", "ada", 1)[0].entry
    assert isinstance(tea, SemanticMemoryEntry)
    assert (tea.content, tea.category, tea.user_id) == ("User likes green tea.", "PREFERENCE", "ada")
    assert tea.embedding.shape == (192,)
    again = anywhere.start_session("ada")
    made = again.compose("Where does my sister live?", blueprint=BLUEPRINT)
    assert "Lisbon" in made.text
    assert "Relationship stage: NEW" in made.text
    assert anywhere.retrieve_memories("Where does my sister live?", "bob") == []
    anywhere.forget(tea.id, "ada")
    assert anywhere.retrieve_memories("What tea do I like?", "ada") == []


def test_what_is_learned_is_there_for_the_next_question(system):
    session = system.start_session("ada")
    session.say("I am allergic to nuts.")
    assert system.retrieve_memories("Am I allergic to anything?", "ada") == []
    report = session.complete_task()
    assert [one.admission for one in report.decisions] == ["stored"]
    assert "nuts" in session.compose("Am I allergic to anything?", blueprint=BLUEPRINT).text
    session.say("My dog is called Rex.")
    assert len(session.end().decisions) >= 1
    assert {one.session_id for one in system.episodic_memories("ada")} == {session.session_id}


def test_entries_have_the_fields_of_the_design(system, clock):
    system.remember("I moved to Rome.", "ada", category="PLACE", importance=5)
    (fact,) = system.semantic_memories("ada")
    assert (fact.category, fact.importance, fact.created_at) == ("PLACE", 5, clock())
    assert fact.last_accessed_at == clock()
    assert system.semantic_memories("ada", category="PERSON") == []
    clock.now += timedelta(days=2)
    system.retrieve_memories("Where do I live, in Rome?", "ada")
    (fact,) = system.semantic_memories("ada")
    assert fact.last_accessed_at == clock()


@pytest.mark.parametrize("level", [1, 2, 3, 4, 5])
def test_an_importance_of_one_to_five_comes_back(system, level):
    system.remember("I like green tea.", "ada", importance=level)
    assert [one.importance for one in system.semantic_memories("ada")] == [level]


def test_an_outcome_a_tone_and_topics_can_be_given(system):
    session = system.start_session("ada", "trip")
    session.say("I was in Paris for my honeymoon.")
    report = session.end("PARTIAL", emotional_tone="wistful", key_topics=["honeymoon", "Paris"])
    assert report.episodes == tuple(system.episodic_memories("ada", session_id="trip"))
    (episode,) = report.episodes
    assert isinstance(episode, EpisodicMemoryEntry)
    assert (episode.outcome, episode.emotional_tone) == ("PARTIAL", "wistful")
    assert episode.key_topics == ("honeymoon", "Paris")


MOVED, BOUGHT = "I moved to Rome last week.", "I bought a red bicycle yesterday at the market."


def outcomes(system, session_id):
    return [
        (one.outcome, one.emotional_tone, one.key_topics)
        for one in system.episodic_memories("ada", session_id=session_id)
    ]


def test_each_task_keeps_the_outcome_that_was_given_for_it(system):
    with system.start_session("ada", "S1") as session:
        session.say(MOVED)
        session.say("nice", role="assistant")
        session.complete_task("PARTIAL", emotional_tone="sad", key_topics=["moving"])
        session.say(BOUGHT)
        report = session.complete_task("SUCCESS", emotional_tone="joyful", key_topics=["bike"])
        assert [one.key_topics for one in report.episodes] == [("bike",)]
    assert outcomes(system, "S1") == [("PARTIAL", "sad", ("moving",)), ("SUCCESS", "joyful", ("bike",))]


def test_what_is_told_by_the_words_is_told_by_those_of_the_task(system):
    session = system.start_session("ada", "S1")
    session.say("My dog died and I cried all night in Rome.")
    assert session.complete_task().emotional_tone == "sad"
    session.say(BOUGHT)
    report = session.end()
    assert report.emotional_tone == "neutral"
    assert "Rome" not in " ".join(report.key_topics)


def test_an_error_after_a_task_does_not_interrupt_it(system):
    session = system.start_session("ada", "S1")
    session.say(MOVED)
    session.complete_task("SUCCESS")
    with pytest.raises(ZeroDivisionError), session:
        _ = 1 / 0
    assert [outcome for outcome, _, _ in outcomes(system, "S1")] == ["SUCCESS"]


def test_an_ended_session_that_goes_on_keeps_how_it_came_out(system):
    with system.start_session("ada", "S1") as session:
        session.say(MOVED)
        session.say("nice", role="assistant")
        session.end("SUCCESS", key_topics=["moving"])
    again = system.start_session("ada", "S1")
    assert [turn.content for turn in again.short_term.turns] == [MOVED, "nice"]
    again.say(BOUGHT)
    again.end("PARTIAL", key_topics=["bike"])
    assert [(out, topics) for out, _, topics in outcomes(system, "S1")] == [
        ("SUCCESS", ("moving",)),
        ("PARTIAL", ("bike",)),
    ]


def test_a_session_that_breaks_off_is_interrupted(system):
    session = system.start_session("ada")
    session.say("I live in Oslo.")
    with pytest.raises(ZeroDivisionError), session:
        _ = 1 / 0
    assert [one.outcome for one in system.episodic_memories("ada")] == ["INTERRUPTED"]
    assert [one.content for one in system.semantic_memories("ada")] == ["User lives in Oslo."]


def test_a_session_that_nobody_ended_is_interrupted(system):
    session = system.start_session("ada", "open")
    session.say("I live in Oslo.")
    system.memory.sessions.end("open", user_id="ada")  # as a worker would find it
    system.memory.jobs.drain()
    (episode,) = system.episodic_memories("ada")
    assert (episode.outcome, episode.emotional_tone) == ("INTERRUPTED", "neutral")


def test_sessions_that_end_at_the_same_time_are_all_learned(tmp_path):
    def say(number):
        with system.start_session("ada", f"s{number}") as session:
            session.say("I live in Oslo.")
            session.say(f"My dog number {number} is called Rex{number}.")
        return [one.outcome for one in system.episodic_memories("ada", session_id=f"s{number}")]

    with (
        RecallSystem(str(tmp_path / "recall.db"), embedder="hashing") as system,
        ThreadPoolExecutor(6) as pool,
    ):
        assert list(pool.map(say, range(6))) == [["SUCCESS"]] * 6
        contents = [one.content for one in system.semantic_memories("ada")]
    assert contents.count("User lives in Oslo.") == 1


def test_an_ended_session_takes_nothing_more(system):
    session = system.start_session("ada")
    session.end()
    for use in (
        lambda: session.say("hello"),
        lambda: session.compose("hello", blueprint=BLUEPRINT),
        lambda: session.step("x"),
        lambda: session.plan(["x"]),
        session.end,
    ):
        with pytest.raises(ClosedError, match="has ended"):
            use()


def test_a_session_goes_on_where_it_was_left(system):
    system.start_session("ada", "long").say("I grow tomatoes.")
    session = system.start_session("ada", "long")
    assert [turn.content for turn in session.short_term.turns] == ["I grow tomatoes."]
    assert session.acquaintance.sessions == 0
    assert "User grows tomatoes." in str(session.end().episodes) or system.semantic_memories("ada")


def test_what_is_deleted_or_changed_meanwhile_leaves_the_prompts_of_an_open_session(system):
    with system.start_session("ada", "now") as session:
        secret = session.say("My landlord is called Mettelund.")
        changed = session.say("My cat is called Grublin.")
        session.say("I grow tomatoes.")
        system.memory.delete(secret, user_id="ada")
        system.memory.update(changed, user_id="ada", content="My cat is called Ophelia.")
        system.memory.purge(user_id="ada")
        shown = session.compose("What do you know?", blueprint=BLUEPRINT).text
        assert "Mettelund" not in shown
        assert "Grublin" not in shown
        assert "Ophelia" in shown
        report = session.complete_task()
    assert "Mettelund" not in str(report)
    assert "tomatoes" in str(report)


# Prompts


def test_every_prompt_tells_the_time_and_the_user(system, clock):
    for day in range(6):
        talk(system, f"Hello, I am Ada. Today is walk number {day}.", "Hello!", "Bye!")
        clock.now += timedelta(days=2)
    system.remember("My name is Ada.", "ada")
    session = system.start_session("ada", timezone="Asia/Tokyo")
    made = session.compose("Good morning", blueprint=BLUEPRINT)
    there = clock().astimezone().astimezone(tz=session_zone("Asia/Tokyo"))
    assert f"Current time: {there.isoformat(timespec='seconds')}" in made.text
    assert f"Current date: {there:%A, %B} {there.day}, {there.year}" in made.text
    assert "User timezone: Asia/Tokyo" in made.text
    assert "User name: Ada" in made.text
    assert "Relationship stage: COMFORTABLE" in made.text
    assert "Last session:" in made.text


def session_zone(name):
    from zoneinfo import ZoneInfo

    return ZoneInfo(name)


def test_a_name_that_is_given_comes_before_the_facts(system):
    system.remember("My name is Ada.", "ada")
    assert "User name: Addie" in system.start_session("ada", name="Addie").injection()
    assert system.preferred_name("ada") == "Ada"
    assert system.preferred_name("bob") is None


def test_steps_and_plans_go_into_the_prompt_and_are_cleared_with_the_task(system):
    session = system.start_session("ada")
    session.plan(["Look up trains", "Book one"])
    with session.step("look up") as step:
        step["raw"] = "x" * 10_000
        step.observe("Three trains before nine", tool="timetable")
    with pytest.raises(ClosedError):
        step["raw"]
    text = session.compose("Which train?", blueprint=BLUEPRINT).text
    assert "timetable: Three trains before nine" in text
    assert "- Look up trains" in text
    session.complete_task()
    assert session.task_state.plan == ()
    assert "<task>" not in session.compose("Which train?", blueprint=BLUEPRINT).text


def test_turns_of_this_session_are_history_and_never_stand_in_the_prompt_twice(system):
    session = system.start_session("ada")
    session.say("I grow tomatoes on my balcony.")
    session.say("Lovely.", role="assistant")
    session.complete_task()
    text = session.compose("What do I grow on my balcony?", blueprint=BLUEPRINT, words=True).text
    assert text.count("I grow tomatoes on my balcony.") == 1


def test_secrets_in_a_message_do_not_reach_the_prompt(system):
    text = (
        system.start_session("ada").compose("Is my card 4111 1111 1111 1111 valid?", blueprint=BLUEPRINT).text
    )
    assert "4111" not in text


SECRETS = ["my card is 4111 1111 1111 1111", "my password is hunter2!x"]


@pytest.mark.parametrize(("kind", "text"), [("card", SECRETS[0]), ("secret", SECRETS[1])])
def test_a_policy_holds_for_cards_and_secrets(kind, text):
    with RecallSystem(":memory:", pii=PiiPolicy(default="keep", **{kind: "refuse"})) as careful:
        session = careful.start_session("ada")
        with pytest.raises(InvalidInputError, match=kind):
            session.say(text)
        with pytest.raises(InvalidInputError, match=kind):
            session.compose(text, blueprint=BLUEPRINT)
        assert careful.memory.get_all(user_id="ada") == []
    with RecallSystem(":memory:", pii=PiiPolicy(**{kind: "keep"})) as careless:
        careless.start_session("ada").say(text)
        assert [one.content for one in careless.memory.get_all(user_id="ada")] == [text]


@pytest.mark.parametrize("text", SECRETS)
def test_cards_and_secrets_are_masked_when_nobody_says_otherwise(system, text):
    system.start_session("ada").say(text)
    (stored,) = system.memory.get_all(user_id="ada")
    assert "removed]" in stored.content


# Stories


def test_a_story_is_kept_by_paragraphs_and_told_whole(system):
    text = "We met in Paris in 1962.\n\nHe wore a yellow hat, and I laughed.\n\nWe married in spring."
    story = system.capture_story(text, "ada", title="How we met")
    (found, *_) = system.retrieve_memories("Who wore a yellow hat?", "ada")
    assert isinstance(found.entry, WordsEntry)
    assert (found.entry.parent_id, found.entry.place) == (story, (1, 3))
    assert system.story(story, "ada") == text
    with pytest.raises(NotFoundError):
        system.story(story, "bob")


@pytest.mark.parametrize(
    "text",
    [
        "We met in Paris, and it rained all day long. " * 120 + "\n\nThen we married.",
        "   He was tall.\n    She was not.\n\n\n\n  They danced.\n",
        "# How\n\n- one\n- two\n\n\tThe end.",
        "x" * 9_000,
    ],
)
def test_a_story_comes_back_as_it_was_told(system, text):
    story = system.capture_story(text, "ada")
    assert system.story(story, "ada") == text.rstrip("\n")


def test_a_story_can_be_forgotten(system):
    story = system.capture_story("We met in Paris.\n\nHe wore a yellow hat.", "ada")
    other = system.capture_story("We moved to Rome.", "ada")
    with pytest.raises(NotFoundError):
        system.forget(story, "bob")
    system.forget(story, "ada")
    for use in (system.story, system.forget):
        with pytest.raises(NotFoundError):
            use(story, "ada")
    assert system.story(other, "ada") == "We moved to Rome."
    assert system.retrieve_memories("Who wore a yellow hat?", "ada") == []


# Long answers


def answer_of(count):
    lines = [
        f"Step {number}: turn the screw of plate {number} to the left, gently." for number in range(count)
    ]
    middle = slice(count // 2 - 15, count // 2 + 15)
    lines[middle] = ["The ribosome makes proteins inside of a cell; a cell has many ribosomes."] * 30
    return "\n\n".join(lines)


def test_a_long_answer_is_kept_in_parts_beside_the_turn(anywhere):
    session = anywhere.start_session("ada")
    turn = session.say(answer_of(100), role="assistant")
    question = "What makes proteins inside of a cell?"
    assert anywhere.retrieve_memories(question, "ada") == []
    assert [one.entry.id for one in anywhere.retrieve_memories(question, "ada", words=True)] in ([], [turn])
    (found, *_) = anywhere.retrieve_memories(question, "ada", parts=True)
    assert isinstance(found.entry, WordsEntry)
    assert (found.entry.parent_id, found.entry.speaker) == (turn, "assistant")
    number, count = found.entry.place
    assert 0 < number < count
    assert anywhere.count_tokens(found.entry.content) <= 500
    assert anywhere.parent(found.entry.id, "ada") == answer_of(100)
    anywhere.forget(turn, "ada")
    assert anywhere.memory.get_all(user_id="ada") == []


def test_short_answers_and_what_users_say_stay_whole(system):
    session = system.start_session("ada")
    session.say("Sure.", role="assistant")
    session.say(answer_of(100))
    assert {one.kind for one in system.memory.get_all(user_id="ada")} == {"message"}


def test_what_is_archived_stays_out_of_sight_when_parts_are_asked_for(system):
    story = system.capture_story("He wore a yellow hat.", "ada")
    (part,) = system.memory.get_all(user_id="ada")
    system.memory.update(part.id, user_id="ada", labels=Labels(tier="archived"))
    assert system.retrieve_memories("Who wore a yellow hat?", "ada", parts=True) == []
    assert system.parent(part.id, "ada") == system.story(story, "ada")
    with pytest.raises(NotFoundError, match="not part of a longer text"):
        system.parent(system.start_session("ada").say("Hello"), "ada")


@pytest.mark.parametrize("text", ["", "  \n ", "\x00"])
def test_a_story_needs_words(system, text):
    with pytest.raises(InvalidInputError):
        system.capture_story(text, "ada")


# Bad input


@pytest.mark.parametrize(
    "call",
    [
        lambda system: system.start_session("ada", timezone="Mars/Olympus"),
        lambda system: system.start_session(" "),
        lambda system: system.retrieve_memories(" ", "ada"),
        lambda system: system.retrieve_memories("tea", "ada", 0),
        lambda system: system.retrieve_memories("tea", ""),
        lambda system: system.remember("I like tea", "ada", importance=6),
        lambda system: system.remember("I like tea", "ada", category="FOOD"),
        lambda system: system.start_session("ada").end("DONE"),
        lambda system: system.start_session("ada").say(" "),
        lambda system: system.start_session("ada").compose(" ", blueprint=BLUEPRINT),
        lambda system: system.start_session("ada").compose("hello", blueprint=" "),
        lambda system: system.start_session("ada").plan("one step"),
        lambda system: RecallSystem(":memory:", admission=None),
        lambda system: RecallSystem(":memory:", config=RecallConfig(budget=8_000)),
        lambda system: RecallSystem(":memory:", config=RecallConfig(threshold=2)),
        lambda system: RecallSystem(":memory:", config=RecallConfig(threshold="x")),
        lambda system: RecallSystem(":memory:", token_counter="tiktoken:gpt-4o"),
        lambda system: system.start_session("ada").say("I like tea", importance=9),
        lambda system: system.start_session("ada").step("x").observe("x", tool=5),
        lambda system: system.capture_story(None, "ada"),
        lambda system: chunks_of(None),
    ],
)
def test_bad_input_is_a_clear_error_and_nothing_is_stored(system, call):
    with pytest.raises(InvalidInputError):
        call(system)
    assert system.memory.get_all(user_id="ada") == []


def test_a_blank_session_is_named_as_such(system):
    with pytest.raises(InvalidInputError, match="session_id is blank; name"):
        system.start_session("ada", "")


# Outcomes and tones


@table(
    "turns, outcome",
    [
        ([], "SUCCESS"),
        ([("user", "I live in Oslo.")], "SUCCESS"),
        ([("user", "Help me."), ("assistant", "Sure."), ("user", "It still doesn't work.")], "PARTIAL"),
        ([("user", "Help me."), ("assistant", "Sure."), ("user", "Let's do the rest tomorrow.")], "PARTIAL"),
        ([("user", "Hilf mir."), ("assistant", "Ja."), ("user", "Es ist noch nicht fertig.")], "PARTIAL"),
        ([("user", "Help me."), ("assistant", "Sure."), ("user", "And where is the key?")], "INTERRUPTED"),
        ([("user", "Help me."), ("assistant", "Sure."), ("user", "Thank you, good night")], "SUCCESS"),
        ([("user", "I can't thank you enough!")], "SUCCESS"),
        ([("user", "Don't worry, it works.")], "SUCCESS"),
        ([("user", "Not bad, that helps a lot!")], "SUCCESS"),
        ([("assistant", "Done."), ("user", "I can\u2019t thank you enough!")], "SUCCESS"),
        ([("user", "Don't worry, it still doesn't work.")], "PARTIAL"),
        ([("user", "That is not bad enough yet.")], "PARTIAL"),
    ],
)
def test_how_a_session_came_out_follows_from_its_last_words(turns, outcome):
    assert outcome_of(turns) == outcome
    assert outcome_of(turns, broken=True) == "INTERRUPTED"
    assert check_outcome(outcome) == outcome


@table(
    "words, tone",
    [
        ("I am so happy, what a wonderful day", "joyful"),
        ("I am not happy", "neutral"),
        ("I'm worried and a bit afraid", "anxious"),
        ("My dog died and I cried all night", "sad"),
        ("Ich bin so traurig und einsam", "sad"),
        ("This is so annoying, I am furious", "angry"),
        ("Thank you, I am grateful", "grateful"),
        ("The train leaves at nine", "neutral"),
        ("", "neutral"),
    ],
)
def test_the_tone_is_that_of_most_words(words, tone):
    assert find_tone([words]) == tone


def test_names_of_the_design_are_there():
    assert ContextBudgetManager(ContextBudget()).budget.total_tokens == 8_000
    with RecallSystem(
        ":memory:", config=RecallConfig(budget=ContextBudget.of(600)), admission=AdmissionPolicy()
    ) as system:
        session = system.start_session("ada")
        with pytest.raises(ContextOverflowError):
            session.compose("hello", blueprint="Be kind. " * 500)
        assert datetime.now(UTC)


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("I was a nurse for forty years.", "Was I a nurse?"),
        ("I served in the navy.", "Did I serve in the navy?"),
    ],
)
def test_what_was_so_for_years_stays_known_after_the_day_it_is_told(system, clock, said, asked):
    talk(system, said)
    clock.tick(400 * 86_400)
    assert said.removeprefix("I") in [
        one.content.removeprefix("User") for one in system.semantic_memories("ada")
    ]
    found = [one.recollection.memory for one in system.retrieve_memories(asked, "ada")]
    assert f"User {said.removeprefix('I ')}" in [one.content for one in found if one.kind == "fact"]


def test_a_story_told_over_several_turns_is_found_by_what_it_is_about(system):
    with system.start_session("ada") as session:
        session.say("I want to tell you about our honeymoon.")
        session.say("We went to Paris in 1961 and stayed in a small hotel by the river.")
        session.say("It rained all week and we did not care.")
    (found, *_) = system.retrieve_memories("What did I tell you about my honeymoon?", "ada")
    assert "Paris" in found.entry.summary
