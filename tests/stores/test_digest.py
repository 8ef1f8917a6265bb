"""What makes two stores' digests differ, and what does not."""

import json
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.protocols import Copied
from recollect.stores.copy.moving import digest_of_memory, digest_of_user, framed
from recollect.testing import NOON, make_entry, make_features
from recollect.testing.strategies import metadata, records
from recollect.types import Change, Link, MemoryRecord
from recollect.types.codec import record_from_json, record_to_json


def copied_of(record: MemoryRecord, **changes: object) -> Copied:
    history = (Change(at=NOON, action="add", memory_id=record.id),)
    copied = Copied(key=1, record=record, features=make_features(record.content), history=history)
    return replace(copied, **changes)


def written(record: MemoryRecord) -> str:
    return json.dumps(record_to_json(record), sort_keys=True)


@given(one=records(), other=records())
@settings(max_examples=100, deadline=None)
def test_records_have_one_digest_exactly_when_they_are_equal(one: MemoryRecord, other: MemoryRecord) -> None:
    for pair in ((one, other), (one, record_from_json(record_to_json(one)))):
        left, right = (digest_of_memory(copied_of(record)) for record in pair)
        assert (left == right) == (written(pair[0]) == written(pair[1]))


@given(patch=records(), data=st.data())
@settings(max_examples=100, deadline=None)
def test_every_field_of_a_record_counts(patch: MemoryRecord, data: st.DataObject) -> None:
    record = make_entry("tea").record
    name = data.draw(
        st.sampled_from(["times", "labels", "worth", "use", "origin", "summary", "kind", "tier"])
    )
    changed = replace(record, **{name: getattr(patch, name)})
    same = digest_of_memory(copied_of(record)) == digest_of_memory(copied_of(changed))
    assert same == (written(record) == written(changed))


@given(given=metadata())
@settings(max_examples=50, deadline=None)
def test_the_order_of_metadata_does_not_count(given: dict[str, object]) -> None:
    record = make_entry("tea").record
    turned = dict(reversed(list(given.items())))
    ours, theirs = (digest_of_memory(copied_of(replace(record, metadata=each))) for each in (given, turned))
    assert ours == theirs


def test_numbers_that_python_takes_for_equal_are_told_apart() -> None:
    record = make_entry("tea").record
    digests = {
        digest_of_memory(copied_of(replace(record, metadata={"n": n})))
        for n in (0, 0.0, -0.0, False, 1, True)
    }
    assert len(digests) == 6


def test_features_history_links_and_states_count_and_keys_and_stems_do_not() -> None:
    plain = copied_of(make_entry("tea").record)
    made = plain.features
    late = replace(plain.history[0], at=NOON.replace(hour=13))
    for changed in (
        replace(plain, features=replace(made, vector=bytes(8))),
        replace(plain, features=replace(made, terms=b"")),
        replace(plain, features=replace(made, counts=b"\x02")),
        replace(plain, features=replace(made, traits=7)),
        replace(plain, history=(late,)),
        replace(plain, history=plain.history * 2),
    ):
        assert digest_of_memory(changed) != digest_of_memory(plain)
    same = replace(plain, key=9, features=replace(made, stems="", embedder="x"))
    assert digest_of_memory(same) == digest_of_memory(plain)
    linked = replace(plain, links=(Link(source_id=plain.record.id, target_id="x", type="related"),))
    digests = {
        digest_of_user(copies, states)
        for copies, states in (
            ([], {}),
            ([plain], {}),
            ([plain, plain], {}),
            ([linked], {}),
            ([plain], {"a": ""}),
            ([plain], {"": "a"}),
        )
    }
    assert len(digests) == 6


def test_parts_cannot_be_cut_otherwise() -> None:
    assert framed(b"ab", b"c") != framed(b"a", b"bc") != framed(b"abc")
