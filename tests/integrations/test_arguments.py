"""An option that an adapter has not got is refused: what it should leave out would be found."""

import importlib
import inspect
import pkgutil
from collections.abc import Iterator

import pytest

from recollect import Memory, integrations
from recollect.errors import MissingExtraError


def classes() -> Iterator[type]:
    """The adapters of all frameworks that are installed here."""
    for found in pkgutil.iter_modules(integrations.__path__, f"{integrations.__name__}."):
        try:
            module = importlib.import_module(found.name)
        except (ImportError, MissingExtraError):
            continue
        yield from (
            value
            for name, value in vars(module).items()
            if inspect.isclass(value) and "Recollect" in name and value.__module__.startswith(found.name)
        )


ADAPTERS = list(classes())


@pytest.mark.skipif(not ADAPTERS, reason="no framework is installed; run: make frameworks")
@pytest.mark.parametrize("adapter", ADAPTERS, ids=lambda one: f"{one.__module__}.{one.__name__}")
@pytest.mark.parametrize("wrong", ["namespace", "budget", "session", "collection_name", "wrong"])
def test_the_constructor_of_an_adapter_refuses_an_unknown_option(
    adapter: type, wrong: str, memory: Memory
) -> None:
    with pytest.raises(TypeError, match=rf"{adapter.__name__}\(\) has no argument '{wrong}'; (use|give) "):
        adapter(memory, **{wrong: "x"})


@pytest.mark.parametrize(
    ("module", "name", "wrong", "right"),
    [
        ("llamaindex", "RecollectNodeRetriever", "top_k", "similarity_top_k"),
        ("llamaindex", "RecollectNodeRetriever", "filter", "filters"),
        ("llamaindex", "RecollectMemoryBlock", "budget", "budget_tokens"),
        ("langchain", "RecollectRetriever", "top_k", "k"),
        ("langchain", "RecollectRetriever", "filters", "filter"),
        ("langchain", "RecollectRetriever", "where", "filter"),
        ("langchain", "RecollectRetriever", "session", "session_id"),
        ("langchain", "RecollectRetriever", "agent", "agent_id"),
        ("langchain", "RecollectRetriever", "score_threshold", "threshold"),
        ("langchain", "RecollectVectorStore", "namespace", "user_id"),
        ("langchain", "RecollectVectorStore", "collection_name", "collection"),
        ("haystack", "RecollectDocumentRetriever", "k", "top_k"),
        ("langgraph", "RecollectStore", "user", "user_id"),
    ],
)
def test_the_right_name_is_said(module: str, name: str, wrong: str, right: str) -> None:
    found = next((one for one in ADAPTERS if one.__name__ == name), None)
    if found is None:
        pytest.skip(f"{module} is not installed; run: make frameworks")
    with pytest.raises(TypeError, match=rf"; use {right}$"):
        found(**{wrong: 1})
