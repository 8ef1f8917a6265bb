"""Names and dimensions of models, and how texts are cut and gathered."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.embedders.serving import shortens
from tests.tables import table

from recollect import Memory
from recollect.embedders import open_embedder
from recollect.embedders.openai_inputs import batches, cut_for_sure, prepared, wanted_model
from recollect.errors import EmbedderError, EmbedderMismatchError, InvalidInputError
from recollect.text.tokens import estimate_tokens

SMALL = "text-embedding-3-small"


@pytest.fixture
def openai(server, monkeypatch):
    """The server stands for OpenAI."""
    server.behaviours = [shortens]
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    return server


@pytest.mark.parametrize("name", [SMALL, "text-embedding-3-large", "text-embedding-ada-002"])
def test_the_specifications_names_and_ours_mean_the_same(openai, name):
    for spec in (f"openai/{name}", f"openai:{name}"):
        embedder = open_embedder(spec)
        assert embedder.name == f"openai:{name}"
        embedder.embed_query("abc")
        assert openai.requests[-1] == {"model": name, "input": ["abc"], "encoding_format": "float"}
        embedder.close()


@pytest.mark.parametrize("spec", [f"openai/{SMALL}@512", f"openai:{SMALL}@512"])
def test_dimensions_are_part_of_the_name_and_of_the_request(openai, spec):
    embedder = open_embedder(spec)
    assert embedder.name == f"openai:{SMALL}@512"
    assert open_embedder(embedder.name).name == embedder.name
    assert embedder.embed_query("abc").shape == (512,)
    assert (openai.requests[0]["model"], openai.requests[0]["dimensions"]) == (SMALL, 512)
    embedder.close()


def test_what_is_written_and_what_is_given_are_the_same_model(openai, embedder_of):
    assert embedder_of(SMALL, dimensions=512).name == embedder_of(f"{SMALL}@512").name
    assert embedder_of(f"{SMALL}@512", dimensions=512).name == f"openai:{SMALL}@512"


@pytest.mark.parametrize("given", [None, 1536])
def test_a_models_own_size_leaves_its_name_alone_and_is_not_sent(openai, embedder_of, given):
    embedder = embedder_of(SMALL, dimensions=given)
    assert embedder.name == f"openai:{SMALL}"
    embedder.embed_query("abc")
    assert "dimensions" not in openai.requests[0]


@table(
    "model",
    [
        "@cf/baai/bge-small-en-v1.5",
        "nomic-embed-text@q8_0",
        "textembedding-gecko@003",
        "model@20240307",
        "model@",
        "@512",
        "m@\u0661",
    ],
)
def test_an_at_sign_without_a_number_of_dimensions_is_part_of_a_models_name(model):
    assert wanted_model(model, None).name == f"openai:{model}"
    assert wanted_model(model, None).dimensions is None


def test_gateways_names_of_openai_models_are_known_too():
    assert wanted_model(f"openai/{SMALL}", None).size == 1536
    assert wanted_model(f"openai/{SMALL}", None).name == f"openai:openai/{SMALL}"


@pytest.mark.parametrize(("model", "most"), [(SMALL, "1,536"), ("text-embedding-3-large", "3,072")])
@pytest.mark.parametrize("wrong", [0, -1, 3073, 2.5, True, "512"])
def test_dimensions_that_a_model_does_not_have_are_refused(embedder_of, server, model, most, wrong):
    with pytest.raises(InvalidInputError, match=f"dimensions of {model} must be .* from 1 to {most}"):
        embedder_of(model, dimensions=wrong)
    assert server.requests == []


@pytest.mark.parametrize(
    "spec", [f"openai/{SMALL}@{wrong}" for wrong in ("1537", "0", "", "abc", "9" * 5000)]
)
def test_dimensions_that_cannot_be_are_refused_as_text_too(openai, spec):
    with pytest.raises(InvalidInputError, match=f"dimensions of {SMALL} must be .* from 1 to 1,536"):
        open_embedder(spec)


def test_dimensions_given_twice_must_agree():
    with pytest.raises(InvalidInputError, match="dimensions are 256 and, after the @, 512"):
        wanted_model(f"{SMALL}@512", 256)


@pytest.mark.parametrize("dimensions", [512, 1536])
def test_a_model_of_one_size_takes_no_dimensions(openai, dimensions):
    with pytest.raises(InvalidInputError, match="text-embedding-ada-002 has always 1,536 dimensions"):
        open_embedder(f"openai/text-embedding-ada-002@{dimensions}")
    assert openai.requests == []


@pytest.mark.parametrize("model", ["", " ", None, 7])
def test_a_model_without_a_name_is_refused(model):
    with pytest.raises(InvalidInputError, match="model must name"):
        wanted_model(model, None)


def test_a_store_opens_under_either_spelling_and_under_no_other_size(openai, tmp_path):
    brain = tmp_path / "brain.db"
    with Memory(brain, embedder=f"openai/{SMALL}@512") as memory:
        memory.add("We sail on Friday", user_id="ada")
    with Memory(brain, embedder=f"openai:{SMALL}@512") as memory:
        assert memory.search("When do we sail?", user_id="ada")[0].memory.content == "We sail on Friday"
    for other in (f"openai/{SMALL}", f"openai/{SMALL}@256", "mock-semantic-model-v1"):
        with pytest.raises(EmbedderMismatchError, match=f"embedder='openai:{SMALL}@512'"):
            Memory(brain, embedder=other)


def test_vectors_that_come_in_another_size_are_not_stored(server, embedder_of, tmp_path):
    with Memory(tmp_path / "brain.db", embedder=embedder_of()) as memory:
        memory.add("We sail on Friday", user_id="ada")
    server.behaviours = [shortens]
    with Memory(tmp_path / "brain.db", embedder=embedder_of()) as memory:
        with pytest.raises(EmbedderError, match="'openai:m' gave 1536 dimensions, the store holds 3"):
            memory.add("We sail on Monday", user_id="ada")
        assert len(memory.get_all(user_id="ada")) == 1


def test_the_specifications_mock_has_its_size():
    assert open_embedder("mock-semantic-model-v1").embed_query("tea").shape == (384,)


@given(st.text(), st.integers(1, 40))
def test_a_prepared_text_is_the_longest_beginning_that_fits(text, most):
    ready = prepared(text, max_tokens=most)
    whole = text.strip().encode(errors="replace").decode()
    assert whole.startswith(ready)
    assert estimate_tokens(ready) <= most
    if ready != whole:
        assert estimate_tokens(whole[: len(ready) + 1]) > most


@given(st.text(), st.integers(1, 40))
def test_a_text_cut_for_sure_has_no_more_bytes_than_tokens(text, most):
    text = text.encode(errors="replace").decode()
    cut = cut_for_sure(text, max_tokens=most)
    assert text.startswith(cut)
    assert len(cut.encode()) <= most
    assert cut == text or len(text[: len(cut) + 1].encode()) > most


@given(st.lists(st.text(max_size=9)), st.integers(1, 5))
def test_batches_hold_all_texts_in_their_order(texts, size):
    texts = [text.encode(errors="replace").decode() for text in texts]
    gathered = list(batches(texts, size=size))
    assert [text for batch in gathered for text in batch] == texts
    assert all(1 <= len(batch) <= size for batch in gathered)


@table("piece", ["a", "Aa", " ", "x ", "\u0531", "\U0001f375", "!1", "\ud800", "\n\t"])
def test_a_huge_text_is_prepared_quickly(piece):
    text = "a" + piece * 500_000 + "a"
    began = time.process_time()
    assert estimate_tokens(prepared(text, max_tokens=8191)) <= 8191
    assert time.process_time() - began < 2.0
