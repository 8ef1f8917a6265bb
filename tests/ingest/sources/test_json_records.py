"""Large JSON cut into records: the same as the whole parsed at once, whatever the size of the pieces."""

import io
import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.errors import InvalidInputError
from recollect.ingest.sources import json_records as module
from recollect.ingest.sources.files import file_of
from recollect.ingest.sources.json_records import json_records, records_of
from recollect.ingest.sources.source import BrokenRecord, SourceNote

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
TRICKY = st.text(alphabet='\\"[]{},: \n\ud83d\U0001f600e', max_size=12)


class Drops:
    """A stream that gives a few bytes at a time."""

    def __init__(self, content: bytes, size: int) -> None:
        self._stream = io.BytesIO(content)
        self._size = size

    def read(self, _: int = -1) -> bytes:
        return self._stream.read(self._size)


def cut(content: bytes, size: int = 1 << 16, into: str | None = None) -> list[tuple[str, Any]]:
    return [(one.key, json.loads(one.text)) for one in json_records(Drops(content, size), "x", into=into)]


@given(
    values=st.lists(VALUES | TRICKY, max_size=5), size=st.integers(1, 40), indent=st.sampled_from([None, 1])
)
def test_a_list_is_cut_into_its_elements(values: list[Any], size: int, indent: int | None) -> None:
    content = json.dumps(values, indent=indent).encode()
    assert cut(content, size) == [("", one) for one in values]
    assert cut(b"\xef\xbb\xbf" + content + b"\n", 7) == [("", one) for one in values]


@given(members=st.dictionaries(TRICKY | st.text(), VALUES, max_size=4), size=st.integers(1, 40))
def test_an_object_is_cut_into_members_and_elements_of_lists(members: dict[str, Any], size: int) -> None:
    expected = [
        (key, one)
        for key, value in members.items()
        for one in (value if isinstance(value, list) else [value])
    ]
    assert cut(json.dumps(members).encode(), size) == expected


def test_the_lists_of_an_object_inside_are_cut_where_that_is_wanted() -> None:
    content = b'{"a": 1, "chats": {"about": "x", "list": [1, {"b": 2}]}}'
    assert cut(content, into="chats") == [("a", 1), ("about", "x"), ("list", 1), ("list", {"b": 2})]


@given(values=st.lists(VALUES, min_size=1, max_size=4), cut_at=st.floats(0, 1), size=st.integers(1, 40))
def test_what_breaks_off_is_an_error_after_what_came_before(
    values: list[Any], cut_at: float, size: int
) -> None:
    whole = json.dumps(values).encode()
    part = whole[: int(cut_at * (len(whole) - 1))]
    found: list[bytes] = []
    with pytest.raises(InvalidInputError):
        found.extend(one.text for one in json_records(Drops(part, size), "x"))
    assert [json.loads(one) for one in found[:-1]] == values[: max(0, len(found) - 1)]


def test_a_broken_record_does_not_end_the_rest() -> None:
    content = b'[{"a": nul}, {"a": 1}, "\xff", ' + b"[" * 100_000 + b"]" * 100_000 + b', {"a": 2}]'

    def read(_: str, value: Any, where: str) -> list[Any]:
        return [SourceNote(text=f"{where}: {value['a']}")]

    found = list(records_of(file_of("x", content), "x", read))
    assert [one.text for one in found if isinstance(one, SourceNote)] == ["x, record 2: 1", "x, record 5: 2"]
    assert [(one.where, one.reason) for one in found if isinstance(one, BrokenRecord)] == [
        ("x, record 1", "it is not JSON: Expecting value at its character 6"),
        ("x, record 3", "it is not UTF-8 text"),
        ("x, record 4", "it goes too deep"),
    ]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b"  \n", "is empty"),
        (b"17", "not JSON with a list or an object"),
        (b"[1 2]", "byte 3: a comma is missing"),
        (b"[1,,2]", "byte 3: a value is missing"),
        (b"{1: 2}", "a key is no text"),
        (b'{"a" 2}', "byte 5: : is missing"),
        (b"[1]]", "something follows"),
        (b'{"a": 1', "it breaks off"),
    ],
)
def test_what_is_wrong_between_records_is_named(content: bytes, message: str) -> None:
    with pytest.raises(InvalidInputError, match=message):
        cut(content)


def test_a_record_that_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_RECORD_BYTES", 100)
    monkeypatch.setattr(module, "_PIECE", 64)
    with pytest.raises(InvalidInputError, match="more than 100 bytes"):
        list(json_records(io.BytesIO(b'["' + b"a" * 1000 + b'"]'), "x"))


def test_memory_stays_flat_over_many_records() -> None:
    def pieces() -> Iterator[bytes]:
        yield b"[0"
        for _ in range(2000):
            yield b', {"text": "' + b"a" * 1000 + b'"}'
        yield b"]"

    class Stream:
        def __init__(self) -> None:
            self._pieces = pieces()

        def read(self, _: int) -> bytes:
            return next(self._pieces, b"")

    scan = module._Scan(Stream(), "x")
    most = 0
    for _ in module._elements(scan, ""):
        most = max(most, len(scan._bytes))
    assert most < 5_000
