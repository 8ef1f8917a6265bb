"""Which model answers whom: an answer under way outlives the change of a key."""

from collections.abc import Callable
from typing import Any

import pytest
from tests.server.conftest import EchoModel

from recollect import InvalidInputError
from recollect.models.chat import ChatMessage
from recollect.models.routing import ModelRouter
from recollect.server import models as desks
from recollect.server.models import ModelDesk

TEA = [ChatMessage(role="user", content="Tea?")]


class Watched(ModelRouter):
    """A router that says whether it was closed."""

    closed = 0

    def close(self) -> None:
        self.closed += 1
        super().close()


@pytest.fixture
def made() -> list[Watched]:
    """The routers of a desk, in the order in which they were made."""
    return []


@pytest.fixture
def desk(made: list[Watched]) -> ModelDesk:
    def make(tasks: dict[str, Any]) -> ModelRouter:
        made.append(Watched({task: EchoModel() for task in tasks}))
        return made[-1]

    return ModelDesk(api_key="k", make=make)


@pytest.mark.parametrize(
    "change",
    [
        lambda desk: desk.set_key("ada", "k2"),
        lambda desk: desk.set_key(None, "k2"),
        lambda desk: desk.override("chat", "other"),
        ModelDesk.close,
    ],
)
def test_an_answer_under_way_is_given_and_counted_though_the_models_change(
    desk: ModelDesk, made: list[Watched], change: Callable[[ModelDesk], object]
) -> None:
    with desk.answering("ada") as first, desk.answering("ada") as second:
        assert first is not None
        assert second is not None
        first.complete(TEA)
        change(desk)
        assert (made[0].closed, desk.usage("ada").calls) == (0, 1)
        first.complete(TEA)
        second.complete(TEA)
    assert (len(made), made[0].closed, desk.usage("ada").calls, desk.usage(None).calls) == (1, 1, 3, 3)


def test_of_two_answers_under_way_the_last_one_lets_go(desk: ModelDesk, made: list[Watched]) -> None:
    with desk.answering("ada") as first:
        with desk.answering("ada") as second:
            desk.set_key("ada", "k2")
            assert second is not None
            second.complete(TEA)
        assert (made[0].closed, desk.usage("ada").calls) == (0, 1)
        assert first is not None
        first.complete(TEA)
    assert (made[0].closed, desk.usage("ada").calls) == (1, 2)


def test_the_models_of_many_owners_are_let_go_and_stay_counted(
    desk: ModelDesk, made: list[Watched], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(desks, "_ROUTERS", 1)
    with desk.answering("ada") as ada, desk.answering("bo"):
        assert ada is not None
        ada.complete(TEA)
    assert [one.closed for one in made] == [1, 0]
    assert (desk.usage("ada").calls, desk.usage("bo").calls) == (1, 0)


def test_a_key_for_one_answer_is_let_go_with_it(desk: ModelDesk, made: list[Watched]) -> None:
    with desk.answering("ada", api_key="mine") as model:
        assert model is not None
        model.complete(TEA)
    assert (made[0].closed, desk.usage("ada").calls) == (1, 1)
    with pytest.raises(InvalidInputError, match="apiKey"), desk.answering("ada", api_key="my key"):
        pass
