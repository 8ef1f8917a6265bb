"""What a user asks in words to be forgotten is put away, and only that."""

from pathlib import Path

import pytest
from tests.learning.forgetting import ACTIVE, ADA, ASKED, STOCK, gone_by, living, say, seen
from tests.tables import table

from recollect import Labels, Memory, Within
from recollect.learning.extraction.extract import extract_facts
from recollect.learning.extraction.facts import Turn
from recollect.learning.extraction.forget_requests import asked_to_forget
from recollect.testing.fakes import FakeClock

LOOK_ALIKES = [one["said"] for one in ASKED if one["gone"] is None]
MISSED = {
    "you can forget about the surprise party",
    "forget what I said about Tom owing me money",
    "I'd like you to forget about my ex Karen",
}
"""Of the open half two are not understood."""


@table("said", LOOK_ALIKES)
def test_what_only_sounds_like_a_request_asks_for_nothing(said: str) -> None:
    assert list(asked_to_forget(said)) == []


@pytest.mark.parametrize("asked", [one for one in ASKED if one["gone"] and not one["held"]][::4], ids=str)
def test_what_is_named_is_put_away_and_nothing_else(asked: dict[str, object]) -> None:
    assert asked["said"] in MISSED or gone_by(str(asked["said"])) == set(asked["gone"])  # type: ignore[call-overload]


@table(
    "said, things",
    [
        ("please forget my salary. And delete everything about Tom!", ["my salary", "Tom"]),
        ("what I told you about my tattoo was private, please get rid of it", ["my tattoo"]),
        ("I shouldn't have told you about the loan. Please forget it.", ["the loan"]),
        ("delete the bit about my debts, I shouldn\u2019t have written that", ["my debts"]),
        ("delete the bit about my debts", []),
        ("can you remove Tom from the email?", []),
        ("please forget the last message", []),
        ("don\u2019t remember anything about Tom, ok?", ["Tom"]),
        ("forget everything you know about me", [""]),
        ("forget everything", [""]),
        ("I don't remember my salary", []),
        ("I'm trying to forget my ex", []),
    ],
)
def test_requests_are_read(said: str, things: list[str]) -> None:
    assert [one.thing for one in asked_to_forget(said)] == things


@table(
    "said",
    [
        "Don't remember my dentist's name",
        "don't remember where I left my keys",
        "never remember people's names",
        "forget my diet, I'm having cake",
        "forget our plans for tonight, I'm too tired",
        "let's forget my birthday this year",
        "About the party on Saturday, forget it",
        "About the party on Saturday. Forget it.",
        "I should not have told Tom. Forget it.",
        "no olvide lo que le dije sobre mi alergia",
        "olvida de comprar leche",
        "borra de la lista el pan",
        "Oubliez de payer la facture",
        "Vergiss alles zu kaufen",
        "delete the users table from the database",
        "please remove the leak in the memory",
        "I don't want you to keep the change",
        "Remove the info about Siemens. Here is my cv: I am Ada, I work at Siemens.",
        "please delete everything about my address, this cover letter is going public",
        "Is this fine?\n\nDear Ms Roe,\nplease delete my data from your records.\nKind regards",
        "Could you forget everything about Tom? Just kidding, don't.",
        "Please forget everything about Tom, no wait, keep it",
    ],
)
def test_a_way_of_speaking_or_of_a_text_is_no_request(said: str) -> None:
    assert list(asked_to_forget(said)) == []


@table(
    "said, things",
    [
        ("please don't remember the loan", ["the loan"]),
        ("stop remembering my salary", ["my salary"]),
        ("please forget my diet, I'm eating again", ["my diet"]),
        ("about the loan: please forget it", ["the loan"]),
        ("I shouldn't have told you about Tom. Forget it.", ["Tom"]),
        ("No, forget my old address", ["my address"]),
        ("olvida todo lo que sabes de Tom", ["Tom"]),
        ("oublie ce que tu sais de Tom", ["Tom"]),
        ("vergiss alles \u00fcber Tom", ["Tom"]),
    ],
)
def test_what_is_meant_stays_a_request(said: str, things: list[str]) -> None:
    assert [one.thing for one in asked_to_forget(said)] == things


def test_a_request_teaches_nothing_itself() -> None:
    said = "Please forget what I told you about my tattoo. I live in Oslo."
    assert [fact.text for fact in extract_facts([Turn(text=said)])] == ["User lives in Oslo."]


def test_nothing_shows_what_was_to_be_forgotten() -> None:
    clock = FakeClock()
    with living(clock) as (memory, ids):
        assert "penicillin" in memory.context("What should my doctor know?", **ADA).text
        say(memory, clock, "please forget that I'm allergic to penicillin", session="asked")
        learned = memory.jobs.drain()
        assert (learned.forgotten, learned.unclear) == (2, 0)
        assert "2 memories put away as asked" in str(learned)
        assert not any("penicillin" in one for one in seen(memory) if not one.startswith("please"))
        context = memory.context("What should my doctor know about penicillin?", **ADA).text
        assert "allergic" not in context.replace("forget that I'm allergic", "")
        assert [hit.id for hit in memory.search("penicillin", **ADA) if hit.id == ids["penicillin"]] == []


def test_why_says_that_it_was_asked_and_by_which_message() -> None:
    clock = FakeClock()
    with living(clock) as (memory, ids):
        asked = say(memory, clock, "forget everything about Tom", session="asked")
        memory.jobs.drain()
        reason = f"asked to be forgotten: {asked}"
        assert memory.history(ids["tom1"], **ADA)[-1].reason == reason
        assert reason in str(memory.explain(ids["tom1"], **ADA))
        for question in ("Why do you think I have a brother in Hull?", "What do you know about Tom?"):
            answer = memory.facts.answer(question, **ADA)
            assert answer is not None
            assert "asked to be forgotten" in answer.text
            assert "\u201cforget everything about Tom\u201d" in answer.text
            assert STOCK["tom1"] not in answer.text


def test_the_request_can_be_taken_back_and_made_again() -> None:
    clock = FakeClock()
    with living(clock) as (memory, _):
        before = seen(memory)
        asked = say(memory, clock, "forget everything about Tom", session="asked")
        memory.jobs.drain()
        after = seen(memory)
        assert not any("Hull" in one or "owes" in one for one in after)
        for _ in range(2):
            memory.delete(asked, **ADA)
            memory.jobs.drain()
            assert seen(memory) == before
            memory.undelete(asked, **ADA)
            memory.jobs.drain()
            assert seen(memory) == after
        memory.update(asked, content="I like pizza.", **ADA)
        memory.jobs.drain()
        assert any("Hull" in one for one in seen(memory))


def test_forget_that_i_said_so_takes_a_request_back() -> None:
    clock = FakeClock()
    with living(clock) as (memory, ids):
        say(memory, clock, "forget everything about Tom", session="asked")
        memory.jobs.drain()
        memory.add("no wait, forget I said that", **ADA, session_id="asked")
        memory.sessions.end("asked", **ADA)
        memory.jobs.drain()
        assert memory.get(ids["tom1"], **ADA).tier != "archived"


def test_what_is_brought_back_by_hand_stays() -> None:
    clock = FakeClock()
    with living(clock) as (memory, ids):
        say(memory, clock, "unlearn my salary", session="asked")
        memory.jobs.drain()
        memory.unarchive(ids["salary"], **ADA)
        say(memory, clock, "Good morning!", session="asked")
        memory.jobs.drain()
        assert memory.get(ids["salary"], **ADA).tier != "archived"


def test_what_else_a_message_says_stays_known() -> None:
    clock = FakeClock()
    with living(clock) as (memory, _):
        told = say(memory, clock, "My knee hurts badly. I work as a baker in Ghent.", session="both")
        memory.jobs.drain()
        say(memory, clock, "please forget what I said about my knee", session="asked")
        memory.jobs.drain()
        assert memory.get(told, **ADA).tier == "archived"
        assert any("baker" in one for one in seen(memory))


@pytest.mark.parametrize("words", ["forget everything you know about me", "forget everything about Bo"])
def test_too_much_is_asked_about_and_not_put_away(tmp_path: Path, words: str) -> None:
    clock = FakeClock()
    path = tmp_path / "m.db"
    with Memory(path, embedder="hashing", clock=clock) as memory:
        for number in range(25):
            say(memory, clock, f"Bo and I saw film number {number} together.", session=f"s{number}")
        memory.jobs.drain()
        before = seen(memory)
        say(memory, clock, words, session="asked")
        learned = memory.jobs.drain()
        assert (learned.forgotten, learned.unclear) == (0, 1)
        assert set(before) <= set(seen(memory))
    clock.tick(7_200)
    with Memory(path, embedder="hashing", clock=clock) as memory:
        (item,) = [one for one in memory.agenda.items(**ADA) if "What shall I forget?" in one.text]
        assert item.reason == "so nothing was forgotten"
        assert words in item.text


def test_nothing_known_is_asked_about() -> None:
    clock = FakeClock()
    with living(clock) as (memory, _):
        say(memory, clock, "please forget everything about my submarine", session="asked")
        assert memory.jobs.drain().unclear == 1
        clock.tick(7_200)
        texts = [one.text for one in memory.agenda.items(**ADA)]
        assert any("I know nothing that it names" in one for one in texts)


def test_only_the_user_asks_and_only_for_what_was_said_before() -> None:
    clock = FakeClock()
    with living(clock) as (memory, ids):
        memory.add([{"role": "assistant", "content": "Forget everything about Tom."}], **ADA, session_id="a")
        memory.add(
            [{"role": "user", "content": '"Forget everything about Tom", he said.'}], **ADA, session_id="b"
        )
        memory.jobs.drain()
        assert memory.get(ids["tom1"], **ADA).tier != "archived"
        say(memory, clock, "forget everything about Tom", session="asked")
        later = say(memory, clock, "Tom plays the trombone.", session="later")
        memory.jobs.drain()
        assert memory.get(ids["tom1"], **ADA).tier == "archived"
        assert memory.get(later, **ADA).tier != "archived"


def test_what_is_put_away_is_found_in_the_archive() -> None:
    clock = FakeClock()
    with living(clock) as (memory, ids):
        say(memory, clock, "unlearn my salary", session="asked")
        memory.jobs.drain()
        found = memory.search("salary", **ADA, within=Within(tiers=["archived"]))
        assert STOCK["salary"] in [hit.content for hit in found]
        assert ids["salary"] in [hit.id for hit in found]


def test_who_speaks_by_name_puts_away_only_what_they_said() -> None:
    clock = FakeClock()
    with Memory(":memory:", embedder="hashing", clock=clock) as memory:
        for name, words in (("Ada", "My knee hurts."), ("Tom", "My knee aches."), ("Tom", FORGET_KNEE)):
            clock.tick(60)
            memory.add([{"role": "user", "name": name, "content": words}], **ADA, session_id="chat")
        memory.jobs.drain()
        left = seen(memory)
    assert "My knee hurts." in left
    assert "My knee aches." not in left


def test_what_is_critical_is_asked_about_and_stays() -> None:
    clock = FakeClock()
    with Memory(":memory:", embedder="hashing", clock=clock) as memory:
        say(memory, clock, "I'm allergic to penicillin.")
        memory.jobs.drain()
        (fact,) = memory.get_all(**ADA, kinds=["fact"])
        memory.update(fact.id, **ADA, labels=Labels(critical=True))
        before = seen(memory)
        say(memory, clock, "please forget that I'm allergic to penicillin", session="later")
        assert memory.jobs.drain().unclear == 1
        assert set(before) <= set(seen(memory))


FORGET_KNEE = "Please forget what I told you about my knee"


@table(
    "said, asked, changed",
    [
        ("I live in Leeds.", "Forget I said that.", "I moved to Bath."),
        ("I live in Leeds.", "please forget that I live in Leeds", "I moved to Bath."),
    ],
)
def test_a_change_later_on_quotes_nothing_that_was_forgotten(said: str, asked: str, changed: str) -> None:
    clock = FakeClock()
    with Memory(":memory:", embedder="hashing", clock=clock) as memory:
        for place, words in enumerate((said, asked, changed)):
            clock.tick(60 if place < 2 else 90_000)
            memory.add(words, **ADA, session_id="talk" if place < 2 else "later")
        memory.jobs.drain()
        facts = memory.get_all(**ADA, kinds=["fact"], filters=ACTIVE)
        assert [one.content for one in facts] == ["User moved to Bath."]
