"""The adapters over packages that are not installed here, with stand-ins for those packages."""

import sys
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

from recollect.embedders import open_embedder
from recollect.errors import EmbedderError, InvalidInputError, MissingExtraError

DOCUMENT, QUERY = [3.0, 4.0, 0.0], [0.0, 0.0, 2.0]
SEEN: list[list[str]] = []
"""The batches that the stand-ins were given in a test."""


class SentenceTransformer:
    def __init__(self, model, device):
        refuse_unknown(model)

    def encode_document(self, texts, *, show_progress_bar):
        SEEN.append(list(texts))
        return np.array([DOCUMENT] * len(texts), dtype=np.float16)

    def encode_query(self, texts, *, show_progress_bar):
        return np.array([QUERY] * len(texts))


class StaticModel:
    @classmethod
    def from_pretrained(cls, model):
        refuse_unknown(model)
        return cls()

    def encode(self, texts, *, use_multiprocessing):
        SEEN.append(list(texts))
        return np.array([DOCUMENT] * len(texts))


class TextEmbedding:
    def __init__(self, model_name):
        refuse_unknown(model_name)

    def passage_embed(self, texts):
        SEEN.append(list(texts))
        yield from (np.array(DOCUMENT) for _ in texts)

    def query_embed(self, texts):
        yield from (np.array(QUERY) for _ in texts)


def refuse_unknown(model):
    if model == "unknown":
        raise OSError("no such model")


PACKAGES = {
    "sentence-transformers": ("sentence_transformers", SentenceTransformer),
    "model2vec": ("model2vec", StaticModel),
    "fastembed": ("fastembed", TextEmbedding),
}
EXTRAS = [*PACKAGES, "openai"]


@pytest.fixture(params=PACKAGES)
def kind(request, monkeypatch):
    module, model = PACKAGES[request.param]
    package = ModuleType(module)
    setattr(package, model.__name__, model)
    monkeypatch.setitem(sys.modules, module, package)
    SEEN.clear()
    return request.param


def test_the_name_is_the_kind_and_the_model(kind):
    assert open_embedder(f"{kind}:acme/small").name == f"{kind}:acme/small"


def test_documents_come_back_as_unit_float32_rows(kind):
    vectors = open_embedder(f"{kind}:m").embed_documents(["one", "two"])
    assert vectors.dtype == np.float32
    assert vectors == pytest.approx(np.array([[0.6, 0.8, 0.0]] * 2))


def test_a_question_is_one_unit_vector(kind):
    expected = [0.6, 0.8, 0.0] if kind == "model2vec" else [0.0, 0.0, 1.0]
    assert open_embedder(f"{kind}:m").embed_query("who?") == pytest.approx(expected)


def test_blank_texts_are_zero_rows_and_not_sent(kind):
    embedder = open_embedder(f"{kind}:m")
    vectors = embedder.embed_documents(["", "one", " \n"])
    assert vectors == pytest.approx(np.array([[0, 0, 0], [0.6, 0.8, 0], [0, 0, 0]]))
    assert SEEN == [["one"]]


def test_an_empty_batch_has_the_models_dimension(kind):
    embedder = open_embedder(f"{kind}:m")
    assert embedder.embed_documents([]).shape == (0, 3)
    assert embedder.embed_query(" ").shape == (3,)
    assert len(SEEN) == 1


def test_one_string_is_refused_as_a_batch(kind):
    with pytest.raises(InvalidInputError, match="sequence of strings"):
        open_embedder(f"{kind}:m").embed_documents("one string")


def test_a_model_that_cannot_be_loaded_is_an_embedder_error(kind):
    with pytest.raises(EmbedderError, match="no such model") as caught:
        open_embedder(f"{kind}:unknown")
    assert isinstance(caught.value.__cause__, OSError)


def test_a_model_that_fails_is_an_embedder_error(kind, monkeypatch):
    embedder = open_embedder(f"{kind}:m")
    monkeypatch.setattr(embedder, "_model", SimpleNamespace())
    with pytest.raises(EmbedderError, match=kind) as caught:
        embedder.embed_documents(["one"])
    assert isinstance(caught.value.__cause__, AttributeError)


def test_a_dimension_that_changes_is_an_embedder_error(kind, monkeypatch):
    embedder = open_embedder(f"{kind}:m")
    embedder.embed_documents(["one"])
    monkeypatch.setattr(embedder, "_encode_documents", lambda texts: np.ones((len(texts), 5)))
    with pytest.raises(EmbedderError, match="5 dimensions, not 3"):
        embedder.embed_documents(["two"])


@pytest.mark.parametrize("extra", EXTRAS)
def test_a_missing_package_names_the_extra_to_install(extra, monkeypatch):
    monkeypatch.setitem(sys.modules, extra.replace("-", "_"), None)
    with pytest.raises(MissingExtraError, match=rf"pip install 'recollect\[{extra}\]'") as caught:
        open_embedder(f"{extra}:m")
    assert caught.value.extra == extra


def test_a_package_that_is_there_but_broken_is_not_called_missing(monkeypatch, tmp_path):
    (tmp_path / "fastembed.py").write_text("import a_module_nobody_has\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "fastembed", raising=False)
    with pytest.raises(ModuleNotFoundError, match="a_module_nobody_has"):
        open_embedder("fastembed:m")
