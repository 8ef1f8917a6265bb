"""The local server, and embedders that ask it."""

import threading

import pytest
from tests.embedders.serving import embeds
from tests.models.server import ChatServer

from recollect.embedders import OpenAIEmbedder


@pytest.fixture
def server():
    pytest.importorskip("openai", reason="the openai extra is not installed")
    with ChatServer() as fake:
        fake.behaviours = [embeds()]
        thread = threading.Thread(target=fake.serve_forever, args=(0.01,))
        thread.start()
        yield fake
        fake.over.set()
        fake.shutdown()
        thread.join()


@pytest.fixture
def waits():
    """The seconds that were waited between tries; nothing really waits."""
    return []


@pytest.fixture
def embedder_of(server, waits):
    """Makes embedders that ask the server."""
    made = []

    def make(model="m", **settings):
        usual = {"base_url": server.url, "api_key": "sk-secret", "sleep": waits.append}
        embedder = OpenAIEmbedder(model, **usual | settings)
        made.append(embedder)
        return embedder

    yield make
    for embedder in made:
        embedder.close()


@pytest.fixture
def embedder(embedder_of):
    return embedder_of()
