"""Counting what embedding uses, and stopping at a budget."""

import pytest
from tests.embedders.serving import embeds, reads_bytes
from tests.models.server import HASTY_S, cuts_the_body, fails, hangs, sends

from recollect.errors import BudgetExceededError, EmbedderError
from recollect.models import Costs, Price, Usage
from recollect.text.tokens import estimate_tokens

DOLLARS = Price(input_per_million=1000.0, output_per_million=0.0)


def test_use_is_added_up_and_priced(embedder_of):
    embedder = embedder_of(costs=Costs(price=DOLLARS), batch_size=2)
    assert embedder.usage == Usage(cost_usd=0.0)
    embedder.embed_documents(["a", "b", "c"])
    embedder.embed_query("d")
    assert embedder.usage == Usage(calls=3, input_tokens=21, cost_usd=pytest.approx(0.021))


def test_a_reset_begins_anew(embedder):
    embedder.embed_query("a")
    assert embedder.reset_usage() == Usage(calls=1, input_tokens=7)
    assert embedder.usage == Usage()


@pytest.mark.parametrize("usage", [None, {}, "7", {"prompt_tokens": 0}, {"prompt_tokens": True}, [7]])
def test_what_the_server_does_not_count_is_estimated(embedder, server, usage):
    server.behaviours = [embeds(lambda body: body.update(usage=usage))]
    embedder.embed_documents(["a pot of tea", "coffee"])
    words = estimate_tokens("a pot of tea") + estimate_tokens("coffee")
    assert embedder.usage == Usage(calls=1, input_tokens=words, estimated_calls=1)


@pytest.mark.parametrize("behave", [hangs(), cuts_the_body])
def test_an_answer_lost_on_the_way_counts_for_it_may_be_charged(embedder_of, server, behave):
    server.behaviours = [behave]
    embedder = embedder_of(timeout_s=HASTY_S, retries=1)
    with pytest.raises(EmbedderError):
        embedder.embed_query("a pot of tea")
    assert embedder.usage == Usage(
        calls=2, input_tokens=2 * estimate_tokens("a pot of tea"), estimated_calls=2
    )


def test_an_answer_that_cannot_be_used_counts_for_it_was_charged(embedder, server):
    server.behaviours = [embeds(lambda body: body["data"].pop())]
    with pytest.raises(EmbedderError):
        embedder.embed_documents(["a", "b"])
    assert embedder.usage == Usage(calls=1, input_tokens=7)


@pytest.mark.parametrize(
    "behave", [fails(500), fails(401), fails(429), sends(b"<html>"), sends({"error": "no"})]
)
def test_what_was_not_answered_does_not_count(embedder, server, behave):
    server.behaviours = [behave]
    with pytest.raises(EmbedderError):
        embedder.embed_query("a")
    assert embedder.usage == Usage()


def test_a_refused_text_counts_once_as_it_was_answered(embedder_of, server):
    server.behaviours = [reads_bytes(5)]
    embedder = embedder_of(max_tokens=5)
    embedder.embed_query("\u0531" * 5)
    assert (len(server.requests), embedder.usage.calls) == (2, 1)


@pytest.mark.parametrize("budget", [{"budget_tokens": 7}, {"budget_usd": 0.007, "price": DOLLARS}])
def test_a_spent_budget_sends_nothing_more_until_it_is_begun_anew(embedder_of, server, budget):
    embedder = embedder_of(costs=Costs(**budget))
    embedder.embed_query("a")
    with pytest.raises(BudgetExceededError, match=r"budget is spent \(.* of .*\).*reset_usage"):
        embedder.embed_query("a")
    assert len(server.requests) == 1
    embedder.reset_usage()
    embedder.embed_query("a")
    assert len(server.requests) == 2


def test_a_budget_ends_between_batches_and_retries_too(embedder_of, server):
    with pytest.raises(BudgetExceededError):
        embedder_of(costs=Costs(budget_tokens=8), batch_size=1).embed_documents(["a", "b", "c"])
    assert len(server.requests) == 2
    server.behaviours = [hangs()]
    with pytest.raises(BudgetExceededError):
        embedder_of(costs=Costs(budget_tokens=1), timeout_s=HASTY_S).embed_query("a")
    assert server.received(3)
