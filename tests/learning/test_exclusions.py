"""Who leaves out a kind of food is asked about what they liked of it."""

from datetime import UTC, datetime, timedelta

from tests.learning.living import left
from tests.tables import table

from recollect import Memory
from recollect.testing import FakeClock

THEN = datetime(2026, 3, 1, 12, tzinfo=UTC)


def conflicts(*messages):
    with Memory(":memory:", embedder="hashing", clock=FakeClock(THEN + timedelta(days=90))) as memory:
        for place, text in enumerate(messages):
            memory.add(text, user_id="u", timestamp=THEN + timedelta(days=place))
        memory.jobs.drain()
        return [(one.known.content, one.new.content) for one in memory.facts.conflicts(user_id="u")]


@table(
    "liking, exclusion",
    [
        ("I love herring.", "I don't eat fish any more."),
        ("I like salmon with dill.", "I don't eat fish."),
        ("I love sushi.", "I no longer eat fish."),
        ("My favourite food is lasagne.", "I don't eat gluten."),
        ("I enjoy red wine.", "I don't drink alcohol any more."),
        ("I love bacon.", "I'm vegan now."),
        ("I eat chicken on Sundays.", "I'm a vegetarian."),
        ("I like prawns.", "I'm allergic to shellfish."),
        ("I like brie.", "I avoid dairy."),
        ("I love walnuts.", "I can't eat nuts."),
    ],
)
def test_a_general_exclusion_contradicts_a_liking_of_its_kind_in_either_order(liking, exclusion):
    assert conflicts(liking, exclusion)
    assert conflicts(exclusion, liking)


@table(
    "liking, exclusion",
    [
        ("I love herring.", "I don't eat meat."),
        ("I love herring.", "I don't eat raw fish."),
        ("I love herring.", "I don't eat fish on Fridays."),
        ("I love oat milk.", "I'm vegan."),
        ("I like peanut butter.", "I don't eat dairy."),
        ("I love ginger beer.", "I don't drink alcohol."),
        ("I love ducks.", "I don't eat meat."),
        ("I like fishing.", "I don't eat fish."),
        ("I play the bass.", "I don't eat fish."),
        ("My sister loves herring.", "I don't eat fish."),
        ("I hate herring.", "I don't eat fish."),
        ("I love herring.", "I don't like fish markets."),
    ],
)
def test_what_is_of_another_kind_or_of_somebody_else_is_no_conflict(liking, exclusion):
    assert conflicts(liking, exclusion) == []


def test_one_message_that_says_both_contradicts_nothing():
    assert conflicts("I don't eat fish, but I love tuna.") == []


@table(
    "allergy, said",
    [
        ("eggs", "I found vegan eggs at Lidl, so good"),
        ("milk", "I bought oat milk today"),
        ("eggs", "I can eat again!"),
        ("milk", "After the dentist I can finally eat again."),
    ],
)
def test_a_substitute_and_eating_as_such_question_no_allergy(allergy, said):
    after, asked = left(f"I'm allergic to {allergy}.", said)
    assert f"User is allergic to {allergy}." in after
    assert asked == 0


def test_a_food_that_somebody_can_eat_again_ends_its_allergy():
    assert "User is allergic to eggs." not in left("I'm allergic to eggs.", "I can eat eggs again!")[0]
