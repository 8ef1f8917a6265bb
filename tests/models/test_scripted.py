"""The model for tests."""

import pytest

from recollect.errors import BudgetExceededError, ModelError
from recollect.models import LanguageModel, ScriptedModel


def test_answers_come_one_after_the_other(asked):
    model = ScriptedModel(["Tea.", "Milk."])
    assert [model.complete(asked).text, "".join(model.stream(asked))] == ["Tea.", "Milk."]


def test_a_stream_is_the_answer_in_words(asked):
    assert list(ScriptedModel(["A  pot of\ntea."]).stream(asked)) == ["A", " ", " pot", " of\ntea."]


def test_it_remembers_what_it_was_asked(asked):
    model = ScriptedModel(["{}"])
    model.complete(asked, max_tokens=3, json_schema={"type": "object"})
    ask = model.asked[0]
    assert (list(ask.messages), ask.max_tokens, ask.json_schema) == (asked, 3, {"type": "object"})


def test_an_exception_is_raised_in_its_turn(asked):
    model = ScriptedModel([ModelError("ill"), "Tea."])
    with pytest.raises(ModelError, match="ill"):
        model.complete(asked)
    assert model.complete(asked).text == "Tea."


def test_more_questions_than_answers_are_an_error(asked):
    model = ScriptedModel([])
    with pytest.raises(ModelError, match="no answer left: it was asked 1 times"):
        model.complete(asked)


def test_it_counts_and_stops_at_its_budget(asked):
    model = ScriptedModel(["Tea."] * 3, budget_tokens=1)
    used = model.complete(asked).usage
    assert model.usage == used
    assert used.calls == used.estimated_calls == 1
    with pytest.raises(BudgetExceededError):
        model.complete(asked)
    with pytest.raises(BudgetExceededError):
        model.stream(asked)
    assert len(model.asked) == 1


def test_it_fills_the_role():
    assert isinstance(ScriptedModel([]), LanguageModel)
