import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.embedders.hashing import HashingEmbedder
from recollect.errors import InvalidInputError

PRINT_VECTOR = """
from recollect.embedders.hashing import HashingEmbedder
print(HashingEmbedder().embed_query("Ana lives in Łódź").tobytes().hex())
"""


def test_the_default_is_the_specifications_mock_model():
    embedder = HashingEmbedder()
    assert embedder.name == "mock-semantic-model-v1"
    assert embedder.embed_query("hello").shape == (384,)


def test_another_dimension_has_another_name():
    embedder = HashingEmbedder(dim=64)
    assert embedder.name == "mock-semantic-model-v1-64"
    assert embedder.embed_query("hello").shape == (64,)


def test_a_dimension_below_one_is_refused():
    with pytest.raises(InvalidInputError, match="dim"):
        HashingEmbedder(dim=0)


def test_an_empty_batch_has_no_rows_but_a_dimension():
    assert HashingEmbedder().embed_documents([]).shape == (0, 384)


def test_a_text_without_words_is_a_zero_vector():
    assert not HashingEmbedder().embed_query(" ... ").any()


def test_one_string_is_refused_as_a_batch():
    with pytest.raises(InvalidInputError, match="sequence of strings"):
        HashingEmbedder().embed_documents("one string")


def test_texts_that_share_words_or_stems_are_nearer():
    tea, teas, tax = HashingEmbedder().embed_documents(["green tea", "greener teas", "annual tax form"])
    assert tea @ teas > tea @ tax + 0.1


@pytest.mark.parametrize("seed", ["0", "1", "random"])
def test_vectors_do_not_depend_on_the_hash_seed(seed):
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)}
    printed = subprocess.run(  # noqa: S603
        [sys.executable, "-c", PRINT_VECTOR], env=environment, capture_output=True, text=True, check=True
    ).stdout
    assert printed.strip() == HashingEmbedder().embed_query("Ana lives in Łódź").tobytes().hex()


@settings(deadline=None)
@given(texts=st.lists(st.text(), max_size=20))
def test_a_vector_does_not_depend_on_its_batch_and_has_unit_length_or_is_zero(texts):
    embedder = HashingEmbedder(dim=32)
    for text, row in zip(texts, embedder.embed_documents(texts), strict=True):
        assert row.tobytes() == embedder.embed_query(text).tobytes()
        length = float(np.linalg.norm(row))
        assert length == 0 or length == pytest.approx(1, abs=1e-6)
