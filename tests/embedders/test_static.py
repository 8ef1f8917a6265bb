from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.embedders import static
from recollect.embedders.static import StaticEmbedder
from recollect.errors import EmbedderError, InvalidInputError

KNOWN = [-0.00882806, 0.24277179, 0.04414032, 0.19421743]
WORDS = st.sampled_from(
    ["Ana", "lives", "in", "Madrid", "the", "cat", "naïve", "東京", "🙂", "!", "", "zzzzqqq"]
)
TEXTS = st.one_of(st.text(max_size=80), st.lists(WORDS, max_size=60).map(" ".join))


@pytest.fixture
def embedder():
    return StaticEmbedder()


@pytest.fixture
def fresh_load():
    forget = static._load.cache_clear
    forget()
    yield
    forget()


def test_vectors_are_float32_rows_of_192(embedder):
    vectors = embedder.embed_documents(["one", "two words"])
    assert vectors.shape == (2, 192)
    assert vectors.dtype == np.float32


def test_an_empty_batch_has_no_rows_but_a_dimension(embedder):
    assert embedder.embed_documents([]).shape == (0, 192)


def test_vectors_have_unit_length(embedder):
    vectors = embedder.embed_documents(["a", "Where does Ana live?", "word " * 5_000, "東京"])
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(4), abs=1e-6)


@pytest.mark.parametrize("text", ["", "  \n", "🙂🙂"])
def test_a_text_of_nothing_known_is_a_zero_vector(embedder, text):
    assert not embedder.embed_query(text).any()


def test_a_question_and_a_document_of_the_same_words_have_the_same_vector(embedder):
    text = "Ana moved to Madrid in May"
    assert np.array_equal(embedder.embed_query(text), embedder.embed_documents([text])[0])


def test_related_texts_are_nearer_than_unrelated_ones(embedder):
    query, related, unrelated = embedder.embed_documents(
        ["my dog is ill", "the puppy went to the vet", "quarterly tax return"]
    )
    assert query @ related > query @ unrelated + 0.2


def test_case_and_accents_do_not_matter(embedder):
    left, right = embedder.embed_documents(["CAFÉ in Málaga", "cafe in malaga"])
    assert np.array_equal(left, right)


def test_repeating_a_text_does_not_change_its_vector(embedder):
    once, often = embedder.embed_documents(["Ana likes tea.", "Ana likes tea. " * 300])
    assert np.array_equal(once, often)


@settings(deadline=None)
@given(texts=st.lists(TEXTS, max_size=40))
def test_a_vector_does_not_depend_on_its_batch(texts):
    embedder = StaticEmbedder()
    together = embedder.embed_documents(texts)
    assert together.shape == (len(texts), 192)
    for text, row in zip(texts, together, strict=True):
        assert row.tobytes() == embedder.embed_query(text).tobytes()


@settings(deadline=None)
@given(text=TEXTS)
def test_every_vector_has_unit_length_or_is_zero(text):
    length = float(np.linalg.norm(StaticEmbedder().embed_query(text)))
    assert length == 0 or length == pytest.approx(1, abs=1e-6)


def test_a_long_text_beside_short_ones_changes_nothing(embedder):
    long = Path(static.__file__).with_name("data").joinpath("static-v1.txt").read_text(encoding="utf-8")
    texts = ["before", long, "", "after"]
    alone = np.stack([embedder.embed_query(text) for text in texts])
    assert np.array_equal(embedder.embed_documents(texts), alone)


def test_threads_get_the_same_vectors(embedder):
    texts = [f"note {number} about the garden" for number in range(200)]
    expected = embedder.embed_documents(texts)
    with ThreadPoolExecutor(8) as threads:
        for found in threads.map(embedder.embed_documents, [texts] * 16):
            assert np.array_equal(found, expected)


def test_a_known_text_keeps_its_vector(embedder):
    # The first values of the shipped data's vector: a change of these is a change of the embedder's name.
    assert embedder.name == "recollect-static-v2"
    assert embedder.embed_query("Where does Ana live?")[:4] == pytest.approx(KNOWN, abs=1e-7)


def test_one_string_is_refused_as_a_batch(embedder):
    with pytest.raises(InvalidInputError, match="sequence of strings"):
        embedder.embed_documents("one string")


def test_creating_an_embedder_reads_nothing(fresh_load, monkeypatch, tmp_path):
    monkeypatch.setattr(static, "DATA", tmp_path)
    assert StaticEmbedder().name == "recollect-static-v2"


def test_missing_data_is_an_embedder_error(fresh_load, monkeypatch, tmp_path):
    monkeypatch.setattr(static, "DATA", tmp_path)
    with pytest.raises(EmbedderError, match="reinstall"):
        StaticEmbedder().embed_query("hello")


def test_damaged_data_is_an_embedder_error(fresh_load, monkeypatch, tmp_path):
    (tmp_path / "static-v2.npy").write_bytes(b"not an array")
    monkeypatch.setattr(static, "DATA", tmp_path)
    with pytest.raises(EmbedderError, match="reinstall"):
        StaticEmbedder().embed_query("hello")


def test_data_that_do_not_fit_together_are_an_embedder_error(fresh_load, monkeypatch, tmp_path):
    np.save(tmp_path / "static-v2.npy", np.zeros((3, 4), dtype=np.int8))
    (tmp_path / "static-v1.txt").write_text("one\n", encoding="utf-8")
    monkeypatch.setattr(static, "DATA", tmp_path)
    with pytest.raises(EmbedderError, match="do not fit"):
        StaticEmbedder().embed_query("hello")
