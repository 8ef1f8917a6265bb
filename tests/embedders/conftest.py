"""The local server, and embedders that ask it."""

import pytest
from tests.embedders.serving import embeds
from tests.models.server import serving

from recollect.embedders import OpenAIEmbedder


@pytest.fixture
def server():
    pytest.importorskip("openai", reason="the openai extra is not installed")
    with serving(embeds()) as fake:
        yield fake


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
