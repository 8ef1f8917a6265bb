import os
import subprocess
import sys
from importlib.metadata import EntryPoint

import pytest
from tests.tables import table

import recollect.embedders
from recollect.embedders import ContextualEmbedder, HashingEmbedder, StaticEmbedder, open_embedder
from recollect.errors import InvalidInputError

MODULES_AFTER_IMPORT = """
import sys
import recollect.embedders
print(sorted(name for name in sys.modules if name.startswith("recollect.embedders.")))
"""


class PluginEmbedder(HashingEmbedder):
    """Stands for an embedder that another package brings."""

    def __init__(self, model="default"):
        super().__init__()
        self.model = model


@pytest.fixture
def plugin(monkeypatch):
    found = [EntryPoint("acme", f"{__name__}:PluginEmbedder", "recollect.embedders")]
    monkeypatch.setattr("importlib.metadata.entry_points", lambda *, group: found)
    monkeypatch.setitem(sys.modules, __name__, sys.modules[PluginEmbedder.__module__])


def test_the_default_is_the_contextual_embedder():
    assert isinstance(open_embedder(), ContextualEmbedder)


@pytest.mark.parametrize("spec", ["static", "recollect-static-v2"])
def test_the_static_embedder_opens_by_kind_and_by_name(spec):
    assert isinstance(open_embedder(spec), StaticEmbedder)


@pytest.mark.parametrize("spec", ["hashing", "mock-semantic-model-v1"])
def test_the_hashing_embedder_opens_by_kind_and_by_name(spec):
    assert isinstance(open_embedder(spec), HashingEmbedder)


@table("spec", ["", "statics", "static:v2", "hashing:8", "openai", "openai:", "openai/", ":m", "NAME", "x:y"])
def test_an_unknown_name_lists_the_known_ones(spec):
    with pytest.raises(InvalidInputError) as caught:
        open_embedder(spec)
    for known in (
        "static",
        "hashing",
        "sentence-transformers:NAME",
        "fastembed:NAME",
        "openai:NAME",
        "openai/NAME",
    ):
        assert known in str(caught.value)


def test_another_packages_embedder_opens_with_and_without_a_model(plugin):
    assert open_embedder("acme").model == "default"
    assert open_embedder("acme:large:v2").model == "large:v2"


def test_another_packages_embedder_is_listed(plugin):
    with pytest.raises(InvalidInputError, match="acme"):
        open_embedder("unknown")


def test_every_public_name_is_there():
    for name in recollect.embedders.__all__:
        assert getattr(recollect.embedders, name).__name__ == name


def test_a_name_that_is_not_there_is_an_attribute_error():
    with pytest.raises(AttributeError, match="NoSuchEmbedder"):
        recollect.embedders.NoSuchEmbedder  # noqa: B018


def test_importing_the_package_imports_no_embedder():
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    printed = subprocess.run(  # noqa: S603
        [sys.executable, "-c", MODULES_AFTER_IMPORT],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert printed.strip() == "[]"
