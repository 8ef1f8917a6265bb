"""A fact of a model is supported only by words of the turns that it cites."""

from hypothesis import given
from hypothesis import strategies as st

from recollect.learning.by_model.support import Cited, unsupported
from recollect.learning.extraction import Fact, Turn
from recollect.text.analyse import Analyser

ANALYSER = Analyser()
SAID = "I live in Berlin, I work at Siemens as a data scientist, and I have two cats called Tom and Kim."


def fact(text, obj):
    return Fact(
        text=text,
        category="general",
        confidence=0.9,
        subject="User",
        relation="has",
        object=obj,
        source="t",
        quote="",
    )


@given(st.text(alphabet="qxzwvk", min_size=4, max_size=12), st.sampled_from(["likes", "has", "lives in"]))
def test_an_object_that_nobody_named_is_never_supported(thing, relation):
    cited = Cited((Turn(text=SAID, id="t"),), ANALYSER)
    assert unsupported(fact(f"User {relation} {thing}.", thing), cited) is not None


@given(st.integers(3, 10_000))
def test_a_number_that_nobody_named_is_never_supported(number):
    cited = Cited((Turn(text=SAID, id="t"),), ANALYSER)
    assert unsupported(fact(f"User has {number} cats.", f"{number} cats"), cited) is not None


@given(st.text(max_size=300), st.text(max_size=80))
def test_any_turn_and_any_fact_can_be_compared(said, claimed):
    cited = Cited((Turn(text=said, id="t"),), ANALYSER)
    reason = unsupported(fact(f"User {claimed}", claimed), cited)
    assert reason != ""
    assert reason is not None or cited.statements


def test_half_of_the_words_of_a_fact_are_enough_if_its_names_are_there():
    cited = Cited((Turn(text=SAID, id="t"),), ANALYSER)
    assert (
        unsupported(
            fact("User is employed as a data scientist at Siemens.", "data scientist at Siemens"), cited
        )
        is None
    )
    assert (
        unsupported(fact("User is employed as a data scientist at Bosch.", "data scientist at Bosch"), cited)
        is not None
    )
