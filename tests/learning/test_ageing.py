"""Confidence that ages: half-lives of relations, learned from a user's own changes; nothing is rewritten."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect import Memory, Within
from recollect.learning.ageing import Ageing, aged, learned_half_life
from recollect.learning.half_lives import HALF_LIVES, OTHER, half_life_of_words
from recollect.stores.reference.store import InMemoryStore
from recollect.types import AgedConfidence

NOW = datetime(2026, 1, 1, 10, tzinfo=UTC)
YEAR = timedelta(days=365.25)
SPANS = st.timedeltas(min_value=timedelta(), max_value=50 * YEAR)
HALF_LIFE = st.timedeltas(min_value=timedelta(hours=1), max_value=50 * YEAR)


class Life:
    """A memory whose clock is set by hand."""

    def __init__(self) -> None:
        self.now = NOW
        self.memory = Memory(InMemoryStore(), embedder="hashing", clock=lambda: self.now)

    def said(self, *texts: str, at: datetime | None = None, **more: object) -> None:
        """Say something at a moment and learn from it."""
        self.now = at or self.now
        self.memory.add(list(texts), user_id="ada", timestamp=self.now, **more)
        self.memory.jobs.drain()

    def of(self, word: str, *, as_of: datetime | None = None) -> AgedConfidence:
        """The aged confidence of the fact with a word."""
        profile = self.memory.profile(user_id="ada", within=Within(as_of=as_of))
        (found,) = [one for facts in profile.facts.values() for one in facts if word in one.memory.content]
        return found.aged


@pytest.fixture
def life() -> Iterator[Life]:
    made = Life()
    with made.memory:
        yield made


@given(confidence=st.floats(0, 1), one=SPANS, more=SPANS, half_life=HALF_LIFE)
def test_a_confidence_only_falls_and_stays_between_0_and_what_was_stored(confidence, one, more, half_life):
    before = aged(confidence, age=one, half_life=half_life)
    after = aged(confidence, age=one + more, half_life=half_life)
    assert 0 <= after <= before <= confidence


@given(confidence=st.floats(0, 1), age=SPANS, half_life=HALF_LIFE)
def test_half_is_left_after_each_half_life(confidence, age, half_life):
    once, twice = (aged(confidence, age=at, half_life=half_life) for at in (age, age + half_life))
    assert twice == pytest.approx(once / 2)


@given(prior=HALF_LIFE, changes=st.integers(0, 50), held=SPANS, more=SPANS)
def test_changes_shorten_a_half_life_and_time_without_them_lengthens_it(prior, changes, held, more):
    known = learned_half_life(prior, changes=changes, held=held)
    assert learned_half_life(prior, changes=changes + 1, held=held) <= known
    assert learned_half_life(prior, changes=changes, held=held + more) >= known
    assert learned_half_life(prior, changes=0, held=timedelta()) / prior == pytest.approx(1)


WORDS = {
    "origin": ("User was born in Izmir.", "User grew up in Cork."),
    "age": ("User is 34 years old.",),
    "grade": ("User's daughter is in second grade.",),
    "pain": ("User has a headache.",),
    "infection": ("User has a bad cold.", "User has the flu."),
    "injury": ("User has a broken arm.",),
    "pregnancy": ("User is pregnant.",),
    "lasting condition": ("User is allergic to peanuts.", "User has type 1 diabetes."),
    "moment": ("User is at the airport.", "User is hungry."),
    "mood": ("User is in a good mood.", "User feels sad.", "User is very tired."),
    "medicine": ("User takes 50 mg sertraline.",),
    "way of eating": ("User is vegetarian.",),
    "diet": ("User is on a keto diet.",),
    "weight": ("User weighs 82 kg.",),
    "money": ("User earns 3,000 euros.",),
    "partner": ("User's girlfriend is called Mia.", "User is single."),
    "marriage": ("User's wife is called Ana.", "User is married."),
    "boss": ("User's boss is named Renate.",),
    "service": ("User's dentist is named Dr Salgado.",),
    "small pet": ("User has a hamster called Flip.",),
    "pet": ("User has a dog called Bruno.",),
    "family": ("User has two sisters.", "User's mother is named Ilse."),
    "phone": ("User's phone is a Pixel 7.",),
    "computer": ("User's laptop is a ThinkPad.",),
    "car": ("User drives a Fiat Panda.",),
    "whereabouts": ("User is on holiday.",),
    "reading": ("User is reading Dune.",),
    "study": ("User studies physics.",),
    "learning": ("User is learning Italian.",),
    "project": ("User is working on a novel.", "User wants to run a marathon."),
    "home": ("User lives in Leeds.", "User moved to Porto."),
    "employer": ("User works at Siemens.",),
    "occupation": ("User works as a nurse.", "User is a teacher."),
    "skill": ("User speaks Hungarian.", "User can play the piano."),
    "taste": ("User likes jazz.", "User prefers tea to coffee."),
    "habit": ("User goes to the pool every Tuesday.",),
    "tool": ("User uses Vim.", "User's backend runs on Postgres."),
    "name": ("User is named Imre.",),
    "other": ("User owns a boat.",),
}


@pytest.mark.parametrize("row", HALF_LIVES, ids=lambda row: row.name)
def test_every_row_finds_its_sentences(row):
    assert [half_life_of_words(words) for words in WORDS[row.name]] == [row] * len(WORDS[row.name])


def test_every_row_says_where_its_number_comes_from():
    assert all(len(row.why) > 10 for row in HALF_LIVES)
    assert HALF_LIVES[-1] is OTHER


def test_a_home_ages_in_years_and_a_mood_in_hours_and_what_is_stored_stays(life):
    life.said("I live in Leeds.", session_id="s")
    life.said("User is in a good mood", kind="fact")
    stored = {one.content: one for one in life.memory.get_all(user_id="ada", kinds=["fact"])}
    life.now += timedelta(hours=16)
    assert life.of("mood").value == pytest.approx(0.25)
    assert life.of("Leeds").value == pytest.approx(0.95, abs=0.001)
    life.now = NOW + 8 * YEAR
    assert life.of("Leeds").value == pytest.approx(0.95 / 2)
    assert {one.content: one for one in life.memory.get_all(user_id="ada", kinds=["fact"])} == stored


def test_what_is_said_again_is_sure_again(life):
    life.said("I live in Leeds.", session_id="1")
    life.now = NOW + 8 * YEAR
    before = life.of("Leeds")
    life.said("I live in Leeds.", session_id="2")
    after = life.of("Leeds")
    assert (before.value < 0.5, after.value >= 0.95) == (True, True)
    assert after.said_at == life.now
    assert after.half_life_days > before.half_life_days  # it lasted eight years


def test_who_moves_often_is_believed_for_a_shorter_time(life):
    for month, town in enumerate(("Leeds", "Porto", "Faro", "Evora")):
        life.said(f"I moved to {town}.", at=NOW + month * YEAR / 4, session_id=town)
    life.said("My sister lives in Rome.", session_id="sister")
    found = life.of("Evora")
    assert found.changes == 3
    assert found.half_life_days == pytest.approx((4 + 0.693 * 0.75) / 3.5 * 365.25, rel=0.01)
    assert "3 of this user's changed" in found.reason
    assert life.of("Rome").changes == 0  # hers is another life
    assert life.of("Rome").relation == "home"


def test_what_was_corrected_at_once_was_never_so(life):
    life.said("I live in Leeds.", session_id="s")
    life.said("Sorry, I live in Porto, not in Leeds.", at=NOW + timedelta(minutes=1), session_id="s")
    life.now += timedelta(days=1)
    assert life.of("Porto").changes == 0


def test_at_an_earlier_time_nothing_of_later_is_known(life):
    life.said("I live in Leeds.", session_id="1")
    life.said("I live in Leeds.", at=NOW + 6 * YEAR, session_id="2")
    life.said("I moved to Porto.", at=NOW + 7 * YEAR, session_id="3")
    then = life.of("Leeds", as_of=NOW + 4 * YEAR)
    assert then.said_at == NOW
    assert then.changes == 0
    assert then.half_life_days == pytest.approx(8 * 365.25)
    assert life.of("Porto").changes == 1
    life.now += YEAR
    assert life.of("Porto", as_of=NOW + 7.5 * YEAR).changes == 1


def test_changes_in_one_project_age_no_fact_of_another(life):
    for name, days in {"Postgres": 30, "MySQL": 60, "Oracle": None}.items():
        until = None if days is None else NOW + timedelta(days=days)
        life.said(f"The backend uses {name}", kind="fact", valid_until=until, metadata={"project": "one"})
    life.said("The backend uses Redis", kind="fact", metadata={"project": "two"})
    life.now += YEAR
    changes = {
        one.content: life.memory.explain(one.id, user_id="ada").confidence.changes
        for one in life.memory.get_all(user_id="ada", kinds=["fact"])
    }
    assert (changes["The backend uses Oracle"], changes["The backend uses Redis"]) == (2, 0)


def test_a_plan_does_not_age_before_its_day_and_an_instruction_never(life):
    life.said("I have a dentist appointment on 8 October 2026.", session_id="s")
    life.said("Please always answer in German.", session_id="s")
    life.now = datetime(2026, 10, 7, tzinfo=UTC)
    stored = {one.content: one for one in life.memory.get_all(user_id="ada", kinds=["fact"])}
    (plan,) = [one for words, one in stored.items() if "dentist" in words]
    assert life.of("dentist").value == plan.worth.confidence
    life.now = NOW + 30 * YEAR
    assert life.of("German").half_life_days is None
    assert life.of("German").value == 0.95


def test_what_was_told_with_its_end_does_not_age_until_then(life):
    life.said("User is on holiday", kind="fact", valid_until=NOW + timedelta(days=20))
    life.now = NOW + timedelta(days=19)
    assert life.of("holiday").value == 1.0


def test_an_end_that_came_by_itself_is_no_change_of_mind(life):
    life.said("User lives in Rome", kind="fact", valid_until=NOW + timedelta(days=90))
    life.said("User lives in Oslo", at=NOW + timedelta(days=100), kind="fact")
    assert life.of("Oslo").changes == 1  # who lived somewhere for three months did move


def test_what_anybody_wrote_into_the_metadata_breaks_nothing(life):
    life.said(
        "User lives in Rome", kind="fact", metadata={"repeated_at": "soon", "relation": 7, "subject": []}
    )
    life.now += YEAR
    assert 0 < life.of("Rome").value < 1.0


def test_the_profile_tells_the_surest_first_and_how_sure_it_was(life):
    life.said("I work at Siemens.", session_id="s")
    life.said("I was born in Izmir.", session_id="s")
    life.now += 4 * YEAR
    profile = life.memory.profile(user_id="ada")
    assert [one.memory.content for one in profile.facts["context"]] == [
        "User was born in Izmir.",
        "User works at Siemens.",
    ]
    assert "User works at Siemens. (0.47 of 0.95)" in str(profile)
    told = profile.to_dict()["facts"]["context"][1]
    assert (told["confidence"], told["confidence_now"]) == (0.95, pytest.approx(0.475))
    assert told["confidence_reason"].startswith(
        "last said on 2026-01-01; employer: half is left after 4 years"
    )


def test_an_explanation_and_an_answer_tell_why_it_is_less_sure(life):
    life.said("I work at Siemens.", session_id="s")
    life.now += 4 * YEAR
    (fact,) = life.memory.get_all(user_id="ada", kinds=["fact"])
    found = life.memory.explain(fact.id, user_id="ada")
    assert found.confidence.value == pytest.approx(0.475)
    assert "confidence 0.47 of 0.95: last said on 2026-01-01; employer" in str(found)
    assert found.to_dict()["confidence"]["changes"] == 0
    (turn,) = life.memory.get_all(user_id="ada", kinds=["message"])
    assert life.memory.explain(turn.id, user_id="ada").confidence is None
    answer = life.memory.facts.answer("Why do you think I work at Siemens?", user_id="ada")
    assert "Time has left 48%: last said on 2026-01-01" in answer.text


def test_an_explanation_as_of_a_time_is_of_that_time(life):
    life.said("I work at Siemens.", session_id="s")
    life.now += 4 * YEAR
    (fact,) = life.memory.get_all(user_id="ada", kinds=["fact"])
    then = life.memory.explain(
        fact.id, user_id="ada", query="Siemens", within=Within(as_of=NOW + timedelta(hours=1))
    )
    assert then.confidence.value == pytest.approx(0.95, abs=0.001)


def test_the_agenda_asks_about_what_time_made_doubtful_and_a_yes_makes_it_sure(life):
    life.said("I work at Siemens.", session_id="s")
    (fact,) = life.memory.get_all(user_id="ada", kinds=["fact"])
    life.now += 5 * YEAR
    assert life.memory.agenda.items(user_id="ada") == []
    for _ in range(3):
        life.memory.use(fact.id, user_id="ada")
    (item,) = life.memory.agenda.items(user_id="ada")
    assert (item.kind, "employer: half is left after 4 years" in item.reason) == ("doubt", True)
    life.memory.agenda.answer(item.id, "yes", user_id="ada")
    assert life.memory.agenda.items(user_id="ada") == []
    assert life.of("Siemens").value == 0.95
    assert life.of("Siemens").said_at == life.now


def test_the_agenda_asks_nothing_that_was_told_in_confidence_however_long_ago(life):
    life.said("Between you and me, I work at Siemens.", session_id="s")
    for fact in life.memory.get_all(user_id="ada", kinds=["fact"]):
        for _ in range(3):
            life.memory.use(fact.id, user_id="ada")
    life.now += 5 * YEAR
    assert life.memory.agenda.items(user_id="ada") == []


def test_a_set_of_facts_is_read_in_any_order(life):
    for month, town in enumerate(("Leeds", "Porto", "Faro")):
        life.said(f"I moved to {town}.", at=NOW + month * YEAR / 4, session_id=town)
    facts = life.memory.get_all(user_id="ada", kinds=["fact"])
    one, other = (Ageing(some, at=life.now) for some in (facts, facts[::-1]))
    assert [one.of(fact) for fact in facts] == [other.of(fact) for fact in facts]
