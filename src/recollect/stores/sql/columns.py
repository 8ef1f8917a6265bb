"""Rows of a table as the columns that recall needs, thousands at a time."""

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from itertools import islice
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from recollect.errors import StoreCorruptError
from recollect.protocols import Profile, ShadowRows
from recollect.stores.sql.rows import PACKED, PACKED_BYTES
from recollect.types.codec import to_micros

_ROWS_AT_ONCE: Final = 512
"""Rows held as Python objects at a time: so few that building them does not set off the garbage collector,
which makes a load a fifth shorter than 8,192 do."""
_COLUMNS: Final = 8
_EARLIEST: Final = to_micros(datetime.min.replace(tzinfo=UTC))
_LATEST: Final = to_micros(datetime.max.replace(tzinfo=UTC))
_NUMBERS: Final = [name for name in PACKED.names or () if name != "created"]


def columns_of(rows: Iterator[Any]) -> ShadowRows:
    """The columns of rows, ordered by key.

    Args:
        rows: Tuples of key, id, profile (a JSON list of thread, agent, session, kind, role,
            speaker and tier), packed (see ``rows.pack``), traits, vector, terms and counts.

    Raises:
        StoreCorruptError: The values of a row have another form.
    """
    known: dict[str, int] = {}
    chunks = []
    try:
        while chunk := list(islice(rows, _ROWS_AT_ONCE)):
            chunks.append(_chunk(list(zip(*chunk, strict=True)), known))
        profiles = [Profile(*(value or "" for value in json.loads(text))) for text in known]
    except (ValueError, TypeError, OverflowError) as error:
        raise StoreCorruptError(
            f"the numbers of a memory are damaged ({error}); run 'recollect doctor --rebuild'"
        ) from error
    return replace(_joined(chunks or [_chunk([()] * _COLUMNS, known)]), profiles=profiles)


def _chunk(columns: list[tuple[Any, ...]], known: dict[str, int]) -> ShadowRows:
    keys, ids, profiles, packed, traits, vectors, terms, counts = columns
    n = len(keys)
    numbers = np.frombuffer(b"".join([one[:PACKED_BYTES] for one in packed]), PACKED)
    _check_times(numbers, n)
    outlines = [one[PACKED_BYTES:] for one in packed]
    lengths = np.fromiter(map(len, counts), np.int32, n)
    if len(set(map(len, vectors))) > 1 or sum(map(len, terms)) != 4 * lengths.sum():
        raise ValueError("features differ in size")
    return ShadowRows(
        keys=np.array(keys, np.int64),
        ids=list(ids),
        profiles=[],
        profile_of=np.fromiter((known.setdefault(text, len(known)) for text in profiles), np.int32, n),
        **{name: numbers[name].astype(PACKED[name].newbyteorder("=")) for name in _NUMBERS},
        vectors=np.frombuffer(b"".join(vectors), np.int8).reshape(n, -1 if n else 0),
        terms=np.frombuffer(b"".join(terms), "<u4"),
        counts=np.frombuffer(b"".join(counts), np.uint8),
        lengths=lengths,
        traits=np.array(traits, np.int32),
        outlines=np.frombuffer(b"".join(outlines), "<u4"),
        outline_lengths=np.fromiter(map(len, outlines), np.int32, n) // 4,
    )


def _check_times(numbers: NDArray[np.void], n: int) -> None:
    if len(numbers) != n:
        raise ValueError("numbers are missing")
    for name in ("happened", "valid_from"):
        if n and not _EARLIEST <= numbers[name].min() <= numbers[name].max() <= _LATEST:
            raise ValueError(f"{name} lies outside the calendar")


def _joined(chunks: list[ShadowRows]) -> ShadowRows:
    if len(chunks) == 1:
        return chunks[0]
    columns: dict[str, Any] = {}
    for name in ShadowRows.__slots__:
        parts = [getattr(chunk, name) for chunk in chunks]
        is_list = isinstance(parts[0], list)
        columns[name] = [item for part in parts for item in part] if is_list else np.concatenate(parts)
    return ShadowRows(**columns)
