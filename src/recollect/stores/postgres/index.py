"""Features and the text index: what is kept of a memory's words, and BM25 over it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import Any, Final
from uuid import UUID

import psycopg

from recollect.protocols import Features
from recollect.stores.checks import check_makers
from recollect.stores.postgres.nearest import KEPT, VECTORS, enter, leave
from recollect.stores.postgres.sql import fetch, fetch_value, run_many, settings
from recollect.stores.postgres.where import narrowed
from recollect.stores.reference.rows import BM25_B, BM25_K1
from recollect.types import Scope
from recollect.types.filters import EVERYTHING, Filter

_STEMS_REMEMBERED: Final = 65_536
"""Stems whose numbers are kept in memory: more than a language's usual words. Chosen by hand."""

_MAKERS: Final = ("embedder", "dimensions")
_FEATURES: Final = """
INSERT INTO features (tenant, key, vector, terms, counts, traits, stems, stem_counts, length)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s)
ON CONFLICT (tenant, key) DO UPDATE SET vector = excluded.vector, terms = excluded.terms,
    counts = excluded.counts, traits = excluded.traits, stems = excluded.stems,
    stem_counts = excluded.stem_counts, length = excluded.length
"""
_POST: Final = """
INSERT INTO postings (tenant, stem, key, count, length)
SELECT f.tenant, s.stem, f.key, s.count, f.length
FROM features AS f CROSS JOIN unnest(f.stems, f.stem_counts) AS s (stem, count)
WHERE f.tenant = %s AND f.key = ANY(%s) ORDER BY s.stem, f.key
"""
_UNPOST: Final = """
DELETE FROM postings AS p USING features AS f
WHERE p.tenant = %s AND f.tenant = %s AND f.key = ANY(%s) AND p.key = f.key AND p.stem = ANY(f.stems)
"""
_LENGTHS: Final = "SELECT coalesce(sum(length), 0) FROM features WHERE tenant = %s AND key = ANY(%s)"

BM25_PARTS: Final = """wanted AS MATERIALIZED (
    SELECT stem, key, count, length FROM postings WHERE tenant = %(tenant)s AND stem = ANY(%(stems)s)
), rare AS MATERIALIZED (
    SELECT w.stem, t.words::float8 / t.live AS mean,
        ln(1 + (t.live - count(*) + 0.5::float8) / (count(*) + 0.5::float8)) AS weight
    FROM wanted AS w CROSS JOIN tenants AS t WHERE t.tenant = %(tenant)s
    GROUP BY w.stem, t.live, t.words
)"""
"""The parts of a statement that ``BM25_KEYS`` is made of."""
BM25_KEYS: Final = """
SELECT w.key FROM wanted AS w JOIN rare AS r ON r.stem = w.stem {inside} GROUP BY w.key
ORDER BY sum(
    r.weight * w.count * (%(k1)s + 1::float8)
    / (w.count + %(k1)s * (1 - %(b)s + %(b)s * w.length / r.mean))
)::float4 DESC, w.key LIMIT %(limit)s
"""
"""Keys, best first by BM25, then older first."""


@lru_cache(_STEMS_REMEMBERED)
def stem_number(stem: str) -> int:
    """The number a stem is indexed by: 64 bits of its BLAKE2b, so that each has one small size.

    >>> stem_number("tea") == stem_number("tea") != stem_number("teas")
    True
    """
    return int.from_bytes(blake2b(stem.encode(), digest_size=8).digest(), "little", signed=True)


def index(db: psycopg.Connection, tenant: UUID, fresh: Sequence[tuple[int, Features]]) -> int:
    """Store the features of new or changed memories and index their words; return how many words.

    Call ``unindex`` for changed memories first, and write memories in the same transaction: after that nobody
    drops the vector index.

    Raises:
        EmbedderMismatchError: The vectors are not by the embedder of the store.
    """
    facts = settings(db, *_MAKERS, VECTORS)
    words = _store(db, tenant, fresh, facts)
    db.execute(_POST.encode(), (tenant, [key for key, _ in fresh]))
    if facts.get(VECTORS) in KEPT:
        enter(db, tenant, ((key, features.vector) for key, features in fresh))
    return words


def store_features(db: psycopg.Connection, tenant: UUID, fresh: Sequence[tuple[int, Features]]) -> int:
    """Store the features of memories without indexing their words; returns how many words.

    Raises:
        EmbedderMismatchError: As in ``index``.
    """
    return _store(db, tenant, fresh, settings(db, *_MAKERS))


def _store(
    db: psycopg.Connection,
    tenant: UUID,
    fresh: Sequence[tuple[int, Features]],
    facts: Mapping[str, str],
) -> int:
    made = (features for _, features in fresh)
    check_makers(made, embedder=facts.get("embedder"), dimensions=facts.get("dimensions"))
    rows = [(tenant, key, *_values(features)) for key, features in fresh]
    run_many(db, _FEATURES, rows)
    return sum(row[-1] for row in rows)


def _values(features: Features) -> tuple[bytes, bytes, bytes, int, list[int], list[int], int]:
    words = features.stems.split()
    counted = Counter(map(stem_number, words))
    stems, counts = list(counted), list(counted.values())
    return features.vector, features.terms, features.counts, features.traits, stems, counts, len(words)


def unindex(db: psycopg.Connection, tenant: UUID, keys: Sequence[int]) -> int:
    """Take the words of live memories out of the text index; returns how many words."""
    words = int(fetch_value(db, _LENGTHS, (tenant, list(keys))))
    db.execute(_UNPOST.encode(), (tenant, tenant, list(keys)))
    leave(db, tenant, keys)
    return words


def best_matches(
    db: psycopg.Connection, scope: Scope, stems: Sequence[str], *, limit: int, where: Filter = EVERYTHING
) -> list[int]:
    """Keys of the memories with any stem that match the filter, best first by BM25, then older first.

    The rarity of a stem and the average length are those of the user's live memories. Scores are compared in
    single precision, so that the order of addition does not matter. Both parts are materialised.
    """
    joined, bound = narrowed("w", scope, where)
    sql = f"WITH {BM25_PARTS} {BM25_KEYS.format(inside=joined)}"
    return [key for (key,) in fetch(db, sql, {**bound, **bm25_values(stems), "limit": limit})]


def bm25_values(stems: Sequence[str]) -> dict[str, Any]:
    """What ``BM25_PARTS`` and ``BM25_KEYS`` bind beside the scope and the limit."""
    return {"stems": [stem_number(stem) for stem in set(stems)], "k1": BM25_K1, "b": BM25_B}
