"""Which words mean the same people."""

import pytest

from recollect.learning.kinship import kin_in


def answers(asked, said):
    told = kin_in(said, own=True).told
    return any(group <= told for group in kin_in(asked).asked)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("my mother", "User s mom"),
        ("my mum", "User s mother"),
        ("my father", "my dad"),
        ("my kids", "User s son"),
        ("my children", "User s daughter"),
        ("my son", "the kids"),
        ("my boy", "User s son"),
        ("my parents", "User s dad"),
        ("my mother", "my parents"),
        ("my husband", "User s spouse"),
        ("my partner", "User s wife"),
        ("my ex wife", "My ex Carolyn"),
        ("my ex", "User s ex husband"),
        ("my grandma", "User s granny"),
        ("my siblings", "User s half brother"),
        ("my family", "User s aunt"),
        ("my pets", "User s dog"),
        ("my in laws", "my mother in law"),
        ("my colleague", "User s coworker"),
    ],
)
def test_words_for_the_same_people_answer_each_other(asked, said):
    assert answers(asked, said)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("my son", "User s daughter"),
        ("my mother", "User s mother in law"),
        ("my mother", "User s father"),
        ("my sister", "Otis and his sister"),
        ("my wife", "Ray s wife"),
        ("my wife", "User s ex wife"),
        ("my boy", "the boy next door"),
        ("my daughter", "a girl at school"),
        ("my dog", "User s cat"),
    ],
)
def test_other_people_do_not(asked, said):
    assert not answers(asked, said)
