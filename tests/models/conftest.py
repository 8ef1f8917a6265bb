"""The local server, and models that ask it."""

import pytest
from tests.models.server import serving

from recollect.models import ChatMessage, OpenAIModel


@pytest.fixture
def server():
    with serving() as chat:
        yield chat


@pytest.fixture
def waits():
    """The seconds that were waited between tries; nothing really waits."""
    return []


@pytest.fixture
def model_of(server, waits):
    """Makes models that ask the server."""
    pytest.importorskip("openai", reason="the openai extra is not installed")
    made = []

    def make(**settings):
        usual = {"base_url": server.url, "api_key": "sk-secret", "sleep": waits.append}
        model = OpenAIModel("m", **usual | settings)
        made.append(model)
        return model

    yield make
    for model in made:
        model.close()


@pytest.fixture
def model(model_of):
    return model_of()


@pytest.fixture
def asked():
    return [ChatMessage(role="system", content="Be brief."), ChatMessage(role="user", content="What?")]
