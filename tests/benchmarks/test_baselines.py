"""The baselines, on texts whose order is plain."""

import math

import numpy as np
import pytest
from benchmarks.baselines import BM25, Vectors

from recollect.embedders import open_embedder
from recollect.text.analyse import Analyser

TEXTS = ["The cat sat on the mat.", "Dogs bark and dogs run.", "A dog and a cat.", "Nothing of that kind."]


def test_bm25_ranks_by_the_words_found_and_leaves_out_the_rest():
    assert BM25(TEXTS, Analyser()).rank("dogs", 10) == [1, 2]
    assert BM25(TEXTS, Analyser()).rank("which dogs and cats?", 10)[0] == 2
    assert BM25(TEXTS, Analyser()).rank("zebra", 10) == []


def test_bm25_is_the_textbook_formula():
    found = BM25(["tea", "tea tea coffee milk", "rain"], Analyser()).scores("tea")
    idf = math.log(1 + 1.5 / 2.5)  # 2 of 3 texts hold it
    short = 1 * 2.2 / (1 + 1.2 * (0.25 + 0.75 * 1 / 2))  # the mean length is 2
    long = 2 * 2.2 / (2 + 1.2 * (0.25 + 0.75 * 4 / 2))
    assert found.tolist() == pytest.approx([idf * short, idf * long, 0])
    assert found.tolist() == pytest.approx([0.590861, 0.504394, 0], abs=1e-6)


def test_vectors_rank_by_cosine_alone():
    embedder = open_embedder("hashing")
    expected = np.argsort(-(embedder.embed_documents(TEXTS) @ embedder.embed_query("dogs bark"))).tolist()
    assert Vectors(TEXTS, embedder).rank("dogs bark", 4)[0] == expected[0] == 1
