"""What SQL stores write of a record, and count of its features."""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from recollect.stores.sql.rows import dump
from recollect.stores.sql.statistics import Tally


@pytest.mark.parametrize(
    "value",
    [
        {},
        [],
        "Zoë \u2028 \x00 \"'",
        {"length": 0.1 + 0.2, "tags": 1e-300, "n": None, "yes": True, "big": 2**70, "ü": ["🙂", [{}], -0.0]},
        [1, None, "a", float("inf"), (1, 2), False],
        7,
        None,
    ],
)
def test_json_is_written_as_python_writes_it_compactly(value: object) -> None:
    assert dump(value) == json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def test_what_is_no_json_is_refused() -> None:
    with pytest.raises(TypeError, match="not JSON serializable"):
        dump({"path": Path("somewhere")})
    assert dump({"fine": 1}) == '{"fine":1}'


def test_one_memory_is_counted_as_among_others() -> None:
    terms = np.array([2, 7, 2**32 - 1], "<u4").tobytes()
    vector = np.array([-127, 0, 127, 5], np.int8).tobytes()
    alone, two = Tally.of([(terms, vector)]), Tally.of([(terms, vector), (terms, vector)])

    def counted(tally: Tally, times: int) -> Sequence[object]:
        return [tally.documents / times, [(term, count / times) for term, count in tally.items()]]

    assert counted(alone, 1) == counted(two, 2)
    assert (alone.vector_sum * 2).tolist() == two.vector_sum.tolist()
    assert [one.dtype for one in alone[1:]] == [one.dtype for one in two[1:]]
    assert Tally.of([(b"", b"")]).vector_sum.tolist() == []
