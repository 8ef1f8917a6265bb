"""A message that is edited teaches what its new words teach, and no more."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect import Memory
from recollect.models import ModelRouter, ScriptedModel
from recollect.testing.fakes import FakeClock

_TOLD = (
    "I hate olives.",
    "I live in Berlin.",
    "I'm vegan.",
    "I work at Siemens as a data scientist.",
    "I like jazz.",
    "My dog is Biscuit.",
    "I think I live in Leeds.",
    "I love coffee with milk. I love tea.",
    "Call me Sam.",
)
_NO_MORE = (
    ("I hate olives.", "It's not true that I hate olives."),
    ("I hate olives.", "Iona says I hate olives."),
    ("I live in Berlin.", 'My friend writes: "I live in Berlin."'),
    ("I'm vegan.", "If I'm vegan, what can I eat?"),
    ("I work at Siemens.", "Would you say I work at Siemens?"),
    ("I like jazz.", "I like jazz clubs, not jazz."),
    ("My dog is Biscuit.", "My dog is Biscuit's brother."),
    ("I eat meat.", "I used to think I eat meat too often"),
    ("I love coffee.", "I love coffee with oat milk."),
    ("I love coffee with milk.", "I love coffee. Milk is for cats."),
    ("I live in Berlin.", "I think I live in Berlin."),
)
_FRAMES = ("{}", "It's not true that {}", "Iona says {}", "If {}, what then?", "{}'s brother")


def learned(*versions, models=None):
    """What holds after a message and its edits, each fact with its confidence."""
    with Memory(":memory:", embedder="hashing", clock=FakeClock(), models=models) as memory:
        (turn,) = memory.add(versions[0], user_id="u")
        memory.jobs.drain()
        for text in versions[1:]:
            memory.update(turn.id, user_id="u", content=text)
            memory.jobs.drain()
        facts = memory.get_all(user_id="u", kinds=["fact"])
        return sorted((one.content, one.worth.confidence, one.times.valid_until) for one in facts)


@pytest.mark.parametrize(("before", "after"), _NO_MORE)
def test_an_edit_ends_where_the_new_words_alone_end(before, after):
    assert learned(before) != learned(after)
    assert learned(before, after) == learned(after)
    assert learned(after, before) == learned(before)


@settings(max_examples=30, deadline=None)
@given(
    before=st.sampled_from(_TOLD),
    other=st.sampled_from(_TOLD),
    frame=st.sampled_from(_FRAMES),
    back=st.booleans(),
)
def test_whatever_was_said_first_an_edit_leaves_what_the_last_words_teach(before, other, frame, back):
    after = frame.format(before.rstrip(".") if back else other)
    assert learned(before, after, before) == learned(before)
    assert learned(before, after) == learned(after)


@pytest.mark.parametrize(
    ("before", "after", "kept"),
    [
        ("We happily live in Porto, Ana and me.", "Hello! We happily live in Porto, Ana and me.", True),
        ("I live in Porto.", "It's not true that I live in Porto.", False),
    ],
)
def test_of_what_a_model_found_stays_what_is_quoted_and_no_rule_denies(before, after, kept):
    fact = {"fact": "User lives in Porto.", "category": "context", "confidence": 0.9, "turns": [1]}
    fact |= {"subject": "User", "relation": "lives in", "object": "Porto", "state": "holds", "change": "none"}
    nothing = {"semantic": [], "episodic": []}
    answers = [nothing | {"semantic": [fact]}, nothing]
    model = ScriptedModel([json.dumps(one) for one in answers], name="scripted")
    found = learned(before, after, models=ModelRouter({"memory_extraction": model}))
    assert len(model.asked) == len(answers)
    assert [content for content, *_ in found] == ["User lives in Porto."] * kept
