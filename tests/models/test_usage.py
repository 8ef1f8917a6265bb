"""Counting tokens and dollars, and stopping at a budget."""

import threading

import pytest
from tests.models.server import HASTY_S, completion, fails, hangs, sends

from recollect.errors import BudgetExceededError, ModelError
from recollect.models import Costs, Price, Usage
from recollect.text.tokens import estimate_tokens

CENTS = Price(input_per_million=1000.0, output_per_million=2000.0)


def test_use_is_added_up_and_priced(model_of, asked):
    model = model_of(costs=Costs(price=CENTS))
    assert model.usage == Usage(cost_usd=0.0)
    model.complete(asked)
    model.complete(asked)
    assert model.usage == Usage(
        calls=2, input_tokens=22, output_tokens=6, cost_usd=pytest.approx(22e-3 + 12e-3)
    )


def test_a_reset_begins_anew(model, asked):
    model.complete(asked)
    assert model.reset_usage().calls == 1
    assert model.usage == Usage()


@pytest.mark.parametrize(
    "usage",
    [None, {}, "11", {"prompt_tokens": 11}, {"prompt_tokens": -1, "completion_tokens": True}],
)
def test_what_the_server_does_not_count_is_estimated(model, server, asked, usage):
    body = completion("A pot of tea.", usage=None) | ({} if usage is None else {"usage": usage})
    server.behaviours = [sends(body)]
    used = model.complete(asked).usage
    words = estimate_tokens("Be brief.") + estimate_tokens("What?")
    assert used == Usage(
        calls=1, input_tokens=words + 8, output_tokens=estimate_tokens("A pot of tea."), estimated_calls=1
    )


def test_an_answer_lost_on_the_way_counts_for_it_may_be_charged(model_of, server, asked):
    server.behaviours = [hangs()]
    model = model_of(timeout_s=HASTY_S, retries=1)
    with pytest.raises(ModelError):
        model.complete(asked)
    assert (model.usage.calls, model.usage.estimated_calls, model.usage.output_tokens) == (2, 2, 0)
    assert model.usage.input_tokens > 0


@pytest.mark.parametrize("behave", [fails(500), fails(401), fails(429), sends(b"<html>")])
def test_what_was_not_answered_does_not_count(model, server, asked, behave):
    server.behaviours = [behave]
    with pytest.raises(ModelError):
        model.complete(asked)
    assert model.usage == Usage()


@pytest.mark.parametrize("budget", [{"budget_tokens": 14}, {"budget_usd": 0.017, "price": CENTS}])
def test_a_spent_budget_sends_nothing_more_until_it_is_begun_anew(model_of, server, asked, budget):
    model = model_of(costs=Costs(**budget))
    model.complete(asked)
    with pytest.raises(BudgetExceededError, match=r"budget is spent \(.* of .*\).*reset_usage"):
        model.complete(asked)
    assert len(server.requests) == 1
    model.reset_usage()
    model.complete(asked)
    assert len(server.requests) == 2


def test_a_budget_that_is_not_spent_lets_calls_pass(model_of, server, asked):
    model = model_of(costs=Costs(budget_tokens=15))
    model.complete(asked)
    model.complete(asked)
    with pytest.raises(BudgetExceededError):
        model.complete(asked)


def test_a_budget_ends_the_retries_too(model_of, server, asked):
    server.behaviours = [hangs()]
    model = model_of(timeout_s=HASTY_S, retries=5, costs=Costs(budget_tokens=1))
    with pytest.raises(BudgetExceededError):
        model.complete(asked)
    assert server.received(1)


def test_threads_count_together(model, asked):
    threads = [threading.Thread(target=model.complete, args=(asked,)) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert model.usage == Usage(calls=16, input_tokens=16 * 11, output_tokens=16 * 3)
