"""Which model does what: defaults, overrides while running, every call recorded, one budget."""

from datetime import UTC, datetime

import pytest
from tests.models.server import completion, sends, streams
from tests.tables import table

from recollect.errors import BudgetExceededError, InvalidInputError, MissingExtraError, ModelError
from recollect.models import ModelRouter, ModelTask, OpenAIModel, Price, Route, ScriptedModel, Usage
from recollect.models.routing import DEFAULT_MODELS, OLLAMA

CENTS = Price(input_per_million=1000.0, output_per_million=2000.0)


@pytest.fixture
def router_of(server):
    """Makes routers whose models of a name are the local server's."""
    pytest.importorskip("openai", reason="the openai extra is not installed")
    made = []

    def make(models=None, **settings):
        router = ModelRouter(models, base_url=server.url, api_key="sk-secret", **settings)
        made.append(router)
        return router

    yield make
    for router in made:
        router.close()


def test_the_defaults_are_second_brains_and_ollamas():
    assert {task.value: name for task, name in DEFAULT_MODELS.items()} == {
        "chat": "llama3.2",
        "memory_extraction": "llama3.1:8b",
        "summarization": "llama3.2",
        "title_generation": "llama3.2",
    }
    assert OLLAMA == "http://localhost:11434/v1"
    assert ModelRouter().routes()[ModelTask.CHAT] == "openai:llama3.2"


def test_each_task_asks_its_own_model_of_the_server(router_of, server, asked):
    router = router_of()
    for task in ModelTask:
        router.model(task).complete(asked)
    assert [request["model"] for request in server.requests] == list(DEFAULT_MODELS.values())


def test_a_task_may_have_a_server_of_its_own_and_another_gets_no_key_of_it(router_of, server, asked):
    router = router_of({"chat": Route(model="big", base_url=server.url, api_key="sk-other")})
    router.model("chat").complete(asked)
    router.model("summarization").complete(asked)
    assert [sent["authorization"] for sent in server.headers] == ["Bearer sk-other", "Bearer sk-secret"]
    assert "sk-" not in repr(router) + repr(Route(model="big", api_key="sk-other"))


def test_an_override_holds_from_the_next_call_on_until_it_is_cleared(router_of, server, asked):
    router = router_of()
    model = router.model("chat")
    model.complete(asked)
    router.override("chat", "llama3.1:70b")
    assert model.name == "openai:llama3.1:70b"
    model.complete(asked)
    router.clear_override("chat")
    model.complete(asked)
    assert [request["model"] for request in server.requests] == ["llama3.2", "llama3.1:70b", "llama3.2"]
    assert [call.model for call in router.calls("chat")] == [
        "openai:llama3.2", "openai:llama3.1:70b", "openai:llama3.2",
    ]  # fmt: skip


def test_an_override_may_name_another_server_or_nobody_and_all_are_cleared_at_once(router_of, asked):
    router = router_of({"summarization": None})
    assert router.model("summarization") is None
    router.override("summarization", ScriptedModel(["Short."]))
    assert router.model("summarization").complete(asked).text == "Short."
    chat = router.model("chat")
    router.override("chat", None)
    assert router.model("chat") is None
    with pytest.raises(ModelError, match="chat"):
        chat.complete(asked)
    router.clear_override()
    assert router.routes()[ModelTask.SUMMARIZATION] is None
    assert router.model("chat") is not None


def test_an_override_at_another_server_is_sent_no_key_of_the_first(router_of, server, asked):
    router = router_of()
    router.override("chat", "other", base_url=server.url)
    router.model("chat").complete(asked)
    assert server.headers[0]["authorization"] == "Bearer none"


def test_every_call_is_recorded_with_its_model_and_cost_streams_too(server, asked):
    pytest.importorskip("openai", reason="the openai extra is not installed")
    noon = datetime(2026, 1, 1, 12, tzinfo=UTC)
    priced = Route(model="m", base_url=server.url, price=CENTS)
    router = ModelRouter({"chat": priced}, base_url=server.url, clock=lambda: noon)
    server.behaviours = [sends(completion()), streams("Tea", ".", usage=(7, 2))]
    router.model("chat").complete(asked)
    list(router.model("chat").stream(asked))
    first, second = router.calls()
    assert (first.task, first.model, first.at) == (ModelTask.CHAT, "openai:m", noon)
    assert first.usage == Usage(calls=1, input_tokens=11, output_tokens=3, cost_usd=pytest.approx(17e-3))
    assert (second.usage.input_tokens, second.usage.output_tokens) == (7, 2)
    assert router.usage("chat").cost_usd == pytest.approx(17e-3 + 11e-3)
    assert router.usage("summarization") == Usage()
    assert router.reset_usage().calls == 2
    assert (router.calls(), router.usage()) == ([], Usage())
    router.close()


def test_calls_of_a_model_of_ones_own_are_recorded_too(asked):
    router = ModelRouter({"chat": ScriptedModel(["Tea, please.", "A pot of tea."], price=CENTS)})
    router.model("chat").complete(asked)
    assert "".join(router.model("chat").stream(asked)) == "A pot of tea."
    whole, streamed = (call.usage for call in router.calls())
    assert (whole.calls, streamed.calls, streamed.estimated_calls) == (1, 1, 1)
    assert whole.cost_usd > 0
    assert streamed.output_tokens > 0


def test_one_budget_holds_for_all_tasks(asked):
    router = ModelRouter(
        {"chat": ScriptedModel(["Tea."] * 9), "summarization": ScriptedModel(["Tea."])}, budget_tokens=3
    )
    router.model("chat").complete(asked)
    with pytest.raises(BudgetExceededError):
        router.model("summarization").complete(asked)
    router.reset_usage()
    assert router.model("summarization").complete(asked).text == "Tea."


@table(
    "settings",
    [
        {"models": {"poetry": "llama3.2"}},
        {"models": {"chat": 7}},
        {"models": {"chat": " "}},
        {"models": {"chat": ScriptedModel}},
        {"base_url": "localhost"},
        {"budget_tokens": 0},
        {"budget_usd": -1},
    ],
)
def test_what_cannot_be_used_is_refused_when_the_router_is_made(settings):
    with pytest.raises(InvalidInputError):
        ModelRouter(settings.pop("models", None), **settings)


def test_an_override_that_cannot_be_used_changes_nothing():
    router = ModelRouter()
    before = router.routes()
    for task, model in (("poetry", "m"), ("chat", ""), ("chat", 7)):
        with pytest.raises(InvalidInputError):
            router.override(task, model)
    assert router.routes() == before


def test_without_the_client_a_call_says_which_extra_is_missing(monkeypatch, asked):
    monkeypatch.setitem(__import__("sys").modules, "openai", None)
    with pytest.raises(MissingExtraError, match=r"'recollect\[openai\]"):
        ModelRouter().model("chat").complete(asked)


def test_connections_are_opened_once_and_closed(router_of, server, asked, monkeypatch):
    closed = []
    monkeypatch.setattr(OpenAIModel, "close", lambda model: closed.append(model))  # noqa: PLW0108 - bound
    router = router_of()
    router.model("chat").complete(asked)
    router.model("chat").complete(asked)
    router.close()
    router.close()
    assert len(closed) == 1
    monkeypatch.undo()
    closed[0].close()
