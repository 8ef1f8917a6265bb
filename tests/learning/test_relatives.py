"""What is known of somebody by name changes with them, however they are called, and with nobody else."""

from tests.learning.living import learned, left, told
from tests.tables import table


@table(
    "said, now",
    [
        ("Tom has moved to York.", "Tom has moved to York."),
        ("Tom moved to York.", "Tom moved to York."),
        ("My brother Tom has moved to York.", "User's brother Tom has moved to York."),
        ("My brother Tom lives in York now.", "User's brother Tom lives in York."),
    ],
)
def test_a_named_relative_lives_in_one_place(said, now):
    holding, ended, asked = learned("My brother Tom lives in Leeds.", said)
    assert now in holding
    assert "User's brother Tom lives in Leeds." in ended
    assert asked == 0


@table(
    "said",
    ["My brother Ewan lives in York.", "My friend Tom lives in York.", "My brother Ewan moved to York."],
)
def test_another_one_by_name_or_by_role_changes_nothing(said):
    after, asked = left("My brother Tom lives in Leeds.", said)
    assert "User's brother Tom lives in Leeds." in after
    assert asked == 0


def test_of_two_brothers_the_named_one_moves():
    holding, ended, _ = learned(
        "My brother Tom lives in Leeds.", "My brother Ewan lives in Oban.", "Tom moved to York."
    )
    assert "User's brother Ewan lives in Oban." in holding
    assert "User's brother Tom lives in Leeds." in ended


@table("said", ["my new gaffer is Helen", "My new boss is Helen."])
def test_a_boss_by_a_word_of_everyday_is_replaced(said):
    role = "gaffer" if "gaffer" in said else "boss"
    _, ended, asked = learned(f"My {role} is Phil.", said)
    assert f"User's {role} is Phil." in ended
    assert asked == 0


def test_a_partner_by_a_word_of_everyday_is_in_the_core():
    with told("My fella is called Dean.") as memory:
        assert "Dean" in memory.context("anything", user_id="u").text


@table("known", ["I'm doing the transport manager CPC.", "I work as a team lead.", "I'm a manager at Asda."])
def test_a_new_boss_ends_nothing_that_the_user_is_or_studies(known):
    before, _ = left(known)
    after, asked = left(known, "My new boss is Helen.")
    assert before <= after
    assert asked == 0


@table(
    "known, said",
    [
        ("My brother Tom Smith lives in Leeds.", "My brother Tom Jones lives in York."),
        ("My friend Tom works at Shell.", "My friend Tom also works at the bakery."),
        ("I work at Shell.", "I also work at the bakery."),
    ],
)
def test_another_of_the_same_first_name_and_what_comes_beside_end_nothing(known, said):
    before, _ = left(known)
    assert before <= left(known, said)[0]


def test_a_wife_by_another_name_replaces_the_one_before():
    assert (
        "User's wife Ann works at BP."
        not in left("My wife Ann works at BP.", "My wife Eva works at Shell.")[0]
    )


def test_a_child_and_a_cat_of_one_name_keep_their_ages():
    after, _ = left("My son Milo is 7.", "My cat Milo is 3.", "Milo turned 8.")
    assert {"User's son Milo is 7.", "User's cat Milo is 3."} <= after
