"""What a filter finds: every operator, missing keys, unequal types, keys that look like syntax."""

# ruff: noqa: D102, S101  (a test's name is its sentence, and it asserts)

from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta
from typing import Final

from recollect.protocols import Entry, Store
from recollect.testing.contract.fixtures import StoreFixtures, contents, put
from recollect.testing.fakes import NOON, entry_of, make_entry
from recollect.types import JSON, MemoryLabels, Origin, Tag, Worth
from recollect.types.filters import parse_filter

LABELLED: Final[dict[str, tuple[str, ...]]] = {
    "Red Fox": ("animal", "100%"),
    "red_fox": ("Animal",),
    "blue": (),
}
"""Contents and their tags."""

FIELD_CASES: Final[list[tuple[dict[str, object], str]]] = [
    ({}, "Red Fox|blue|red_fox"),
    ({"content": "blue"}, "blue"),
    ({"content": "BLUE"}, ""),
    ({"content": {"ne": "blue"}}, "Red Fox|red_fox"),
    ({"content": {"in": ["blue", "red_fox"]}}, "blue|red_fox"),
    ({"content": {"in": []}}, ""),
    ({"content": {"nin": []}}, "Red Fox|blue|red_fox"),
    ({"content": {"nin": ["blue"]}}, "Red Fox|red_fox"),
    ({"content": {"contains": "FOX"}}, "Red Fox|red_fox"),
    ({"content": {"contains": "_"}}, "red_fox"),
    ({"content": {"contains": "%"}}, ""),
    ({"content": {"contains": ""}}, "Red Fox|blue|red_fox"),
    ({"content": {"gt": "Red Fox"}}, "blue|red_fox"),
    ({"tags": {"contains": "animal"}}, "Red Fox"),
    ({"tags": {"contains": "100%"}}, "Red Fox"),
    ({"tags": {"contains": "anim"}}, ""),
    ({"tags": {"contains": None}}, ""),
    ({"importance": {"gte": 0.5}}, "Red Fox|red_fox"),
    ({"importance": {"gt": 0.5}}, "red_fox"),
    ({"importance": {"lte": 0.5}}, "Red Fox|blue"),
    ({"importance": {"gt": 0.2, "lt": 0.9}}, "Red Fox"),
    ({"importance": 0.5}, "Red Fox"),
    ({"critical": True}, "red_fox"),
    ({"critical": False}, "Red Fox|blue"),
    ({"critical": {"gt": False}}, ""),
    ({"speaker": None}, "blue"),
    ({"speaker": {"ne": None}}, "Red Fox|red_fox"),
    ({"speaker": {"ne": "Ada"}}, "blue|red_fox"),
    ({"speaker": {"nin": ["Ada"]}}, "blue|red_fox"),
    ({"speaker": {"in": [None, "Ada"]}}, "Red Fox|blue"),
    ({"speaker": {"gt": None}}, ""),
    ({"speaker": {"contains": ""}}, "Red Fox|red_fox"),
    ({"not": {"speaker": {"gt": "A"}}}, "blue"),
    ({"happened_at": {"lt": "2026-05-01T12:00:00Z"}}, "blue"),
    ({"happened_at": {"gte": "2026-05-01T14:00:00+02:00"}}, "Red Fox|red_fox"),
    ({"happened_at": "2026-05-01T12:00:00"}, "Red Fox"),
    ({"happened_at": {"gt": NOON}}, "red_fox"),
    ({"valid_until": None}, "Red Fox|blue|red_fox"),
    ({"valid_until": {"gt": NOON}}, ""),
    ({"valid_until": {"nin": [NOON]}}, "Red Fox|blue|red_fox"),
    ({"or": [{"content": "blue"}, {"critical": True}]}, "blue|red_fox"),
    ({"or": []}, ""),
    ({"and": []}, "Red Fox|blue|red_fox"),
    ({"and": [{"critical": False}, {"speaker": None}]}, "blue"),
    ({"not": {}}, ""),
    ({"not": {"or": [{"content": "blue"}, {"speaker": "Ada"}]}}, "red_fox"),
]
"""A filter, and what it finds among ``LABELLED``."""

VALUES: Final[dict[str, JSON]] = {
    "missing": "nothing here",
    "null": None,
    "true": True,
    "one": 1,
    "one and a half": 1.5,
    "text": "1",
    "empty": "",
    "list": [1, "Red", None, True, 2.5],
    "mapping": {"v": 1},
    "long": 2**53 + 1,
}
"""What stands under the key ``v``, by content."""

VALUE_CASES: Final[list[tuple[object, str]]] = [
    (1, "one"),
    (1.0, "one"),
    (True, "true"),
    (False, ""),
    ("1", "text"),
    ("", "empty"),
    (None, "missing|null"),
    (2**53 + 1, "long"),
    (float(2**53), ""),
    ({"ne": None}, "empty|list|long|mapping|one|one and a half|text|true"),
    ({"ne": 1}, "empty|list|long|mapping|missing|null|one and a half|text|true"),
    ({"in": [1, "1"]}, "one|text"),
    ({"in": [None, True]}, "missing|null|true"),
    ({"nin": [None, 1, True, ""]}, "list|long|mapping|one and a half|text"),
    ({"gt": 1}, "long|one and a half"),
    ({"gte": 1}, "long|one|one and a half"),
    ({"lt": 1.5}, "one"),
    ({"lte": 1.5}, "one|one and a half"),
    ({"gt": 2**53}, "long"),
    ({"gte": ""}, "empty|text"),
    ({"lt": "2"}, "empty|text"),
    ({"lte": None}, ""),
    ({"gt": True}, ""),
    ({"contains": "red"}, ""),
    ({"contains": "Red"}, "list"),
    ({"contains": 1}, "list"),
    ({"contains": True}, "list"),
    ({"contains": None}, "list"),
    ({"contains": 2.5}, "list"),
    ({"contains": ""}, "empty|text"),
    ({"contains": "v"}, ""),
]
"""A condition on ``v``, and what it finds among ``VALUES``."""

TIMES: Final = (
    "2025-12-31", "2026-01-01", "2026-01-01T00:00:00+00:00", "2026-01-01T00:00:00.000001+00:00",
    "2026-01-01T09:30:00+00:00", "2026-01-02", "a text",
)  # fmt: skip
"""Times as metadata keeps a ``date`` and a ``datetime``, of which two are the same, and another text."""

TIME_CASES: Final[list[tuple[dict[str, object], tuple[int, ...]]]] = [
    ({"eq": "2026-01-01"}, (1, 2)),
    ({"eq": "2026-01-01T00:00:00Z"}, (1, 2)),
    ({"eq": "2026-01-01T02:00:00+02:00"}, (1, 2)),
    ({"ne": "2026-01-01"}, (0, 3, 4, 5, 6)),
    ({"in": ["2026-01-01", "2026-01-02T00:00"]}, (1, 2, 5)),
    ({"nin": ["2026-01-01", "a text"]}, (0, 3, 4, 5)),
    ({"lt": "2026-01-01"}, (0,)),
    ({"lte": "2026-01-01"}, (0, 1, 2)),
    ({"lte": "2026-01-01 09:30Z"}, (0, 1, 2, 3, 4)),
    ({"gt": "2026-01-01", "lt": "2026-01-03"}, (3, 4, 5)),
    ({"gte": "2026-01-01", "lt": "2026-01-02"}, (1, 2, 3, 4)),
    ({"gte": "2026-01-01T10:30:00+01:00", "lt": "3"}, (4, 5)),
    ({"contains": "2026-01-01T00"}, (2, 3)),
]
"""A condition on ``v``, and the places in ``TIMES`` of what it finds."""

ODD_KEYS: Final = (
    "", " ", "a.b", ".", "$", "$.v", "$[0]", "[0]", "'", '"', 'a"b', "\\", 'a\\"b', "%", "_", "?", "*", "#",
    "/", "metadata.v", "and", "kind", "user_id", "key", "NULL", "ключ", "e\u0301", "\u2028", "\n", "\t", "🦊",
    "x'; DROP TABLE memories; --",
)  # fmt: skip
"""Metadata keys that a careless store would take for syntax."""


class FilteringContract(StoreFixtures):
    """Tests of ``find`` and ``delete`` with filters; ``filters.matches`` is their meaning."""

    def test_a_filter_on_fields_finds(self, store: Store) -> None:
        put(store, *labelled())
        assert [(where, "|".join(contents(store, where))) for where, _ in FIELD_CASES] == FIELD_CASES

    def test_a_filter_on_metadata_finds(self, store: Store) -> None:
        put(store, *valued())
        found = [(condition, "|".join(contents(store, {"v": condition}))) for condition, _ in VALUE_CASES]
        assert found == VALUE_CASES

    def test_a_time_in_metadata_is_compared_as_one(self, store: Store) -> None:
        put(store, *(make_entry(text, metadata={"v": text}) for text in TIMES))
        for condition, places in TIME_CASES:
            assert contents(store, {"v": condition}) == [TIMES[place] for place in places], condition

    def test_an_odd_metadata_key_is_only_a_key(self, store: Store) -> None:
        nested: dict[str, JSON] = {"a": {"b": 1}, "v": [1], "outer": dict.fromkeys(ODD_KEYS, 1)}
        everything: dict[str, dict[str, JSON]] = {"nested": nested}
        for key in ODD_KEYS:
            everything |= {f"{key!a} is 1": {key: 1}, f"{key!a} is 2": {key: 2}}
        put(store, *(make_entry(name, metadata=metadata) for name, metadata in everything.items()))
        for key in ODD_KEYS:
            one, two = f"{key!a} is 1", f"{key!a} is 2"
            assert contents(store, {f"metadata.{key}": 1}) == [one]
            assert contents(store, {f"metadata.{key}": {"ne": 1}}) == sorted({*everything} - {one})
            assert contents(store, {f"metadata.{key}": None}) == sorted({*everything} - {one, two})

    def test_an_odd_value_is_only_a_value(self, store: Store) -> None:
        values = [*ODD_KEYS, *(f"{value}x" for value in ODD_KEYS)]
        put(store, *(make_entry(ascii(value), metadata={"v": value}) for value in values))
        for value in ODD_KEYS:
            containing = sorted(ascii(each) for each in values if value.lower() in each.lower())
            assert contents(store, {"v": value}) == [ascii(value)]
            assert contents(store, {"v": {"in": [value]}}) == [ascii(value)]
            assert contents(store, {"v": {"contains": value}}) == containing

    def test_metadata_named_like_a_field_is_reached_with_its_prefix(self, store: Store) -> None:
        put(store, make_entry("draft", metadata={"kind": "draft"}), make_entry("none"))
        assert contents(store, {"metadata.kind": "draft"}) == ["draft"]
        assert contents(store, {"kind": "draft"}) == []

    def test_contains_ignores_case_only_of_ascii_letters(self, store: Store) -> None:
        put(store, make_entry("ÄRGER"), make_entry("ärger"), make_entry("\u017ftra\u00dfe"))
        assert contents(store, {"content": {"contains": "ä"}}) == ["ärger"]
        assert contents(store, {"content": {"contains": "RGER"}}) == ["ÄRGER", "ärger"]
        assert contents(store, {"content": {"contains": "s"}}) == []

    def test_texts_are_ordered_by_code_point(self, store: Store) -> None:
        put(store, *(make_entry(text) for text in ("Z", "a", "é", "\uffee", "🦊")))
        assert contents(store, {"content": {"gt": "\uffee"}}) == ["🦊"]
        assert contents(store, {"content": {"lt": "a"}}) == ["Z"]

    def test_a_microsecond_decides(self, store: Store) -> None:
        put(store, make_entry("on time"))
        moment = NOON + timedelta(microseconds=1)
        assert contents(store, {"created_at": {"lt": moment}}) == ["on time"]
        assert contents(store, {"created_at": {"gte": moment}}) == []

    def test_a_filter_with_a_thousand_ids_works(self, store: Store) -> None:
        ids = put(store, make_entry("a"), make_entry("b"))
        where = {"id": {"in": [ids[0], *(f"none-{n}" for n in range(1_000))]}}
        assert contents(store, where) == ["a"]

    def test_a_deep_filter_works(self, store: Store) -> None:
        put(store, make_entry("a"))
        where: dict[str, object] = {"content": "a"}
        for _ in range(50):
            where = {"not": {"not": {"and": [where]}}}
        assert contents(store, where) == ["a"]

    def test_delete_and_match_read_filters_as_find_does(self, store: Store) -> None:
        put(store, *valued())
        where = parse_filter({"v": {"gte": 1}})
        kept = set(contents(store)) - set(contents(store, {"v": {"gte": 1}}))
        assert len(store.match(make_entry().record.scope, where)) == len(VALUES) - len(kept)
        store.delete(make_entry().record.scope, where)
        assert set(contents(store)) == kept


def labelled() -> Iterable[Entry]:
    """The memories of ``LABELLED``: said by someone, worth something, at some time."""
    told = {
        "Red Fox": ("Ada", 0.5, False, 0),
        "red_fox": ("Bob", 0.9, True, 1),
        "blue": (None, 0.2, False, -1),
    }
    for content, (speaker, importance, critical, hours) in told.items():
        record = make_entry(content).record
        yield entry_of(
            replace(
                record,
                times=replace(record.times, happened_at=NOON + timedelta(hours=hours)),
                labels=MemoryLabels(tags=tuple(Tag(text=text) for text in LABELLED[content])),
                worth=Worth(importance=importance, critical=critical),
                origin=Origin(speaker=speaker),
            )
        )


def valued() -> Iterable[Entry]:
    """The memories of ``VALUES``."""
    for content, value in VALUES.items():
        yield make_entry(content, metadata={} if content == "missing" else {"v": value})
