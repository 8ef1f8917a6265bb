"""What is denied after all ends, of whom it is said alone, and so does what is known of a dead pet."""

from tests.learning.living import left
from tests.tables import table


@table(
    "known, said, fact, denial",
    [
        (
            "I have asthma.",
            "I don't have asthma after all, it was a cough.",
            "User has asthma.",
            "User does not have asthma.",
        ),
        (
            "My foster daughter is Ruby. Ruby has asthma.",
            "Ruby doesn't have asthma after all.",
            "Ruby has asthma.",
            "Ruby does not have asthma.",
        ),
        (
            "My daughter has asthma.",
            "My daughter doesn't have asthma after all.",
            "User's daughter has asthma.",
            "User's daughter does not have asthma.",
        ),
        (
            "I'm allergic to nuts.",
            "I'm not allergic to nuts after all.",
            "User is allergic to nuts.",
            "User is not allergic to nuts.",
        ),
    ],
)
def test_what_is_denied_after_all_ends(known, said, fact, denial):
    assert fact in left(known)[0]
    after, asked = left(known, said)
    assert fact not in after
    assert denial in after
    assert asked == 0


@table(
    "known, said, fact",
    [
        ("I have asthma.", "Ruby doesn't have asthma after all.", "User has asthma."),
        ("I have asthma.", "My cousin doesn't have asthma after all.", "User has asthma."),
        ("My daughter has asthma.", "My son doesn't have asthma after all.", "User's daughter has asthma."),
        ("I have asthma.", "If I don't have asthma after all I'd be glad.", "User has asthma."),
        ("I take metformin.", "Ruby doesn't take metformin any more.", "User takes metformin."),
    ],
)
def test_what_is_denied_of_another_ends_nothing(known, said, fact):
    after, asked = left(known, said)
    assert fact in after
    assert asked == 0


@table("said", ["I don't have asthma.", "Turns out I don't have asthma."])
def test_a_denial_without_more_is_asked_about(said):
    assert left("I have asthma.", said)[1] == 1


@table(
    "known, said",
    [
        ("My dog is Bran, he's a collie, he's eleven.", "Bran died on Tuesday."),
        ("I have a dog called Bran. He's a collie.", "Bran died."),
        ("My cat is Tilly. She's a tabby.", "Tilly died last night."),
    ],
)
def test_what_is_known_of_a_pet_without_its_name_ends_with_its_death(known, said):
    before, after = left(known)[0], left(known, said)[0]
    assert len(before) > 1
    assert before.isdisjoint(after)


@table(
    "known, said, fact, asked",
    [
        ("My dog is Bran. My cat is Mia. Mia is a tabby.", "Bran died on Tuesday.", "Mia is a tabby.", 0),
        ("My dog is a collie.", "Bran died.", "User's dog is a collie.", 0),
        ("I've two dogs, Rex and Sam.", "Rex died yesterday.", "User has two dogs, Rex and Sam.", 1),
        ("My dogs are Rex and Sam.", "Rex died yesterday.", "User's dogs are named Rex and Sam.", 1),
    ],
)
def test_another_pet_stays_and_of_two_in_one_fact_a_person_is_asked(known, said, fact, asked):
    after, waiting = left(known, said)
    assert fact in after
    assert waiting == asked
