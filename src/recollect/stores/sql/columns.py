"""Rows of a table as the columns that recall needs, thousands at a time."""

import json
from collections.abc import Iterable, Iterator, Sequence
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
_EARLIEST: Final = to_micros(datetime.min.replace(tzinfo=UTC))
_LATEST: Final = to_micros(datetime.max.replace(tzinfo=UTC))
_NUMBERS: Final = [name for name in PACKED.names or () if name != "created"]
_INTEGERS: Final = {
    "keys": np.int64,
    "profile_of": np.int32,
    "traits": np.int32,
    "lengths": np.int32,
    "outline_lengths": np.int32,
}
"""What a row has besides them."""


def columns_of(rows: Iterator[Any]) -> ShadowRows:
    """The columns of rows, ordered by key.

    Args:
        rows: Tuples of key, id, profile (a JSON list of thread, agent, session, kind, role,
            speaker and tier), packed (see ``rows.pack``), traits, vector, terms and counts.

    Raises:
        StoreCorruptError: The values of a row have another form.
    """
    taken = _Taken()
    try:
        while chunk := list(islice(rows, _ROWS_AT_ONCE)):
            taken.take(chunk)
        return taken.columns()
    except (ValueError, TypeError, OverflowError) as error:
        raise StoreCorruptError(
            f"the numbers of a memory are damaged ({error}); run 'recollect doctor --rebuild'"
        ) from error


class _Taken:
    """Columns that grow by some rows at a time."""

    def __init__(self) -> None:
        self._ids: list[str] = []
        self._profiles: dict[str, int] = {}
        self._numbers: dict[str, list[NDArray[Any]]] = {name: [] for name in _INTEGERS}
        self._parts: dict[str, list[bytes]] = {name: [] for name in ("packed", "outlines", "terms", "counts")}
        self._vectors = np.empty((0, 0), np.int8)

    def take(self, rows: Sequence[tuple[Any, ...]]) -> None:
        """Take rows, as ``columns_of`` gets them."""
        keys, ids, profiles, packed, traits, vectors, terms, counts = zip(*rows, strict=True)
        self._take_vectors(vectors)
        known = self._profiles
        self._ids += ids
        outlines = [one[PACKED_BYTES:] for one in packed]
        n = len(keys)
        numbers: dict[str, NDArray[Any]] = {
            "keys": np.array(keys, np.int64),
            "profile_of": np.fromiter((known.setdefault(text, len(known)) for text in profiles), np.int32, n),
            "traits": np.array(traits, np.int32),
            "lengths": np.fromiter(map(len, counts), np.int32, n),
            "outline_lengths": np.fromiter(map(len, outlines), np.int32, n) // 4,
        }
        for name, values in numbers.items():
            self._numbers[name].append(values)
        parts = {"outlines": outlines, "terms": terms, "counts": counts}
        for name, some in {"packed": [one[:PACKED_BYTES] for one in packed], **parts}.items():
            self._parts[name].append(b"".join(some))

    def _take_vectors(self, vectors: Sequence[bytes]) -> None:
        start, end, dim = len(self._ids), len(self._ids) + len(vectors), len(vectors[0])
        if set(map(len, vectors)) != {self._vectors.shape[1] if start else dim}:
            raise ValueError("vectors differ in size")
        if end > len(self._vectors):
            larger = np.empty((max(end, 2 * start), dim), np.int8)
            if start:
                larger[:start] = self._vectors[:start]
            self._vectors = larger
        self._vectors[start:end] = np.frombuffer(b"".join(vectors), np.int8).reshape(-1, dim)

    def columns(self) -> ShadowRows:
        """What was taken.

        Raises:
            ValueError: The values of a row have another form.
        """
        n = len(self._ids)
        numbers = np.frombuffer(b"".join(self._parts["packed"]), PACKED)
        _check_times(numbers, n)
        integers = {
            name: np.concatenate([np.empty(0, _INTEGERS[name]), *parts])
            for name, parts in self._numbers.items()
        }
        terms, outlines = (
            np.frombuffer(b"".join(self._parts[name]), "<u4") for name in ("terms", "outlines")
        )
        if len(terms) != integers["lengths"].sum():
            raise ValueError("features differ in size")
        self._vectors.resize((n, self._vectors.shape[1]), refcheck=False)
        return ShadowRows(
            **integers,
            ids=self._ids,
            profiles=_profiles(self._profiles),
            **{name: numbers[name].astype(PACKED[name].newbyteorder("=")) for name in _NUMBERS},
            vectors=self._vectors,
            terms=terms,
            counts=np.frombuffer(b"".join(self._parts["counts"]), np.uint8),
            outlines=outlines,
        )


def _profiles(texts: Iterable[str]) -> list[Profile]:
    """Profiles by the JSON in which they were read."""
    return [
        Profile(thread or "", agent or "", session or "", kind, role, speaker or "", tier)
        for thread, agent, session, kind, role, speaker, tier in json.loads(f"[{','.join(texts)}]")
    ]


def _check_times(numbers: NDArray[np.void], n: int) -> None:
    if len(numbers) != n:
        raise ValueError("numbers are missing")
    for name in ("happened", "valid_from"):
        if n and not _EARLIEST <= numbers[name].min() <= numbers[name].max() <= _LATEST:
            raise ValueError(f"{name} lies outside the calendar")
