import numpy as np
import pytest
from tests.tables import table

from recollect.embedders.vectors import as_texts, checked_rows, unit_rows
from recollect.errors import EmbedderError, InvalidInputError


def test_rows_come_out_at_unit_length_and_zero_rows_stay_zero():
    rows = unit_rows(np.array([[3, 4], [0, 0], [0, -2]], dtype=np.int32))
    assert rows.dtype == np.float32
    assert rows == pytest.approx(np.array([[0.6, 0.8], [0, 0], [0, -1]]))


@table("scale", [1e-38, 1e-20, 1.0, 1e20, 1e38])
def test_rows_of_any_float32_size_come_out_at_unit_length(scale):
    assert checked_rows([[3 * scale, -1 * scale]], count=1, name="m")[0] == pytest.approx(
        [3 / 10**0.5, -1 / 10**0.5], rel=1e-5
    )


@table(
    "raw, reason",
    [
        ([[1.0, 2.0]], "shape"),
        ([[1.0], [2.0], [3.0]], "shape"),
        ([1.0, 2.0], "shape"),
        ([[], []], "shape"),
        ([[1.0], [1.0, 2.0]], "table of numbers"),
        ([["a"], ["b"]], "table of numbers"),
        (None, "shape"),
        ([[1.0, float("nan")], [1.0, 1.0]], "NaN"),
        ([[1.0, float("inf")], [1.0, 1.0]], "NaN"),
        ([[1.0, 1e300], [1.0, 1.0]], "infinity"),
    ],
)
def test_what_is_not_a_finite_vector_per_text_is_refused(raw, reason):
    with pytest.raises(EmbedderError, match=reason):
        checked_rows(raw, count=2, name="some-model")


def test_any_sequence_of_texts_becomes_a_list():
    assert as_texts(("a", "b")) == ["a", "b"]


def test_one_string_is_not_a_sequence_of_texts():
    with pytest.raises(InvalidInputError, match="not one string"):
        as_texts("ab")
