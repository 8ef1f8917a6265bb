"""What somebody may have again in part ends no allergy, and keeps its condition."""

from tests.learning.living import left, told
from tests.tables import table


@table(
    "known, said, allergy, permission",
    [
        (
            "I'm allergic to eggs.",
            "I can eat eggs now as long as they're baked.",
            "User is allergic to eggs.",
            "User can eat eggs now as long as they're baked.",
        ),
        (
            "I'm allergic to eggs.",
            "I can have eggs now, but only baked.",
            "User is allergic to eggs.",
            "User can have eggs now, but only baked.",
        ),
        (
            "Jayden is allergic to eggs.",
            "Jayden can have eggs now if they're baked in a cake.",
            "Jayden is allergic to eggs.",
            "Jayden can have eggs now if they're baked in a cake.",
        ),
        (
            "Tom is allergic to eggs.",
            "Tom can have egg now in a cake but not fried.",
            "Tom is allergic to eggs.",
            "Tom can have egg now in a cake but not fried.",
        ),
        (
            "I'm allergic to nuts.",
            "I can eat a few nuts now with an antihistamine.",
            "User is allergic to nuts.",
            "User can eat a few nuts now with an antihistamine.",
        ),
        (
            "I'm lactose intolerant.",
            "I can have milk now with the tablets.",
            "User is lactose intolerant.",
            "User can have milk now with the tablets.",
        ),
        (
            "My daughter is allergic to milk.",
            "My daughter can have milk now when it's boiled.",
            "User's daughter is allergic to milk.",
            "User's daughter can have milk now when it's boiled.",
        ),
    ],
)
def test_a_partial_permission_stands_beside_the_allergy_with_its_condition(known, said, allergy, permission):
    holding, asked = left(known, said)
    with told(known, said) as memory:
        context = memory.context("What shall I cook?", user_id="u").text
    assert {allergy, permission} <= holding
    assert asked == 0
    core = context.partition("[Always known]")[2].partition("\n[")[0]
    assert allergy in core
    assert permission in core


@table(
    "said",
    [
        "I can have eggs now. Only baked though.",
        "I can eat eggs now unless they're raw.",
    ],
)
def test_a_condition_in_the_next_sentence_or_behind_unless_ends_no_allergy(said):
    assert "User is allergic to eggs." in left("I'm allergic to eggs.", said)[0]


@table(
    "said",
    [
        "I can eat eggs again!",
        "I can eat eggs now and I had an omelette with cheese.",
        "I can eat eggs again since the desensitisation.",
        "I can eat eggs again without any problems.",
    ],
)
def test_a_plain_permission_ends_the_allergy(said):
    assert "User is allergic to eggs." not in left("I'm allergic to eggs.", said)[0]


@table(
    "said",
    [
        "I can have a call now if you like.",
        "Can I eat eggs now if they're baked?",
        "If I can eat eggs now in cakes I'd be happy",
        "I can eat eggs now, only joking",
    ],
)
def test_what_is_no_food_or_is_asked_is_no_permission(said):
    assert not any(" can " in fact for fact in left(said)[0])
