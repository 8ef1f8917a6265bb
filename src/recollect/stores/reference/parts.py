"""The parts of the in-memory store beside its memories: links, jobs, text, vectors, copies."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from recollect.errors import NotFoundError
from recollect.protocols import Copied, ShadowRows
from recollect.stores.reference.locked import LockedTables, check_keys, write
from recollect.stores.reference.rows import Row, as_stored, bm25, columns, copy_of
from recollect.stores.sql.copies import check_copies
from recollect.types import Job, Link, MemoryRecord, Scope
from recollect.types.filters import EVERYTHING, Filter, matches


class LinkTable:
    """Keeps links."""

    def __init__(self, tables: LockedTables) -> None:
        self._tables = tables

    @write
    def link(self, scope: Scope, links: Sequence[Link]) -> None:
        keys = {row.record.id: row.key for row in self._tables.live(scope)}
        for end in (end for link in links for end in (link.source_id, link.target_id)):
            if end not in keys:
                raise NotFoundError(f"no memory {end!r} in this scope; nothing was linked")
        for link in links:
            self._tables.kept.links.put((keys[link.source_id], keys[link.target_id], link.type), True)

    def links(self, scope: Scope, memory_id: str) -> list[Link]:
        with self._tables.held():
            ids = {row.key: row.record.id for row in self._tables.live(scope)}
            ends = [
                (ids[source], ids[target], kind)
                for source, target, kind in self._tables.kept.links
                if source in ids and target in ids
            ]
            return [
                Link(source_id=source, target_id=target, type=kind)
                for source, target, kind in sorted(ends)
                if memory_id in (source, target)
            ]


class JobTable:
    """Keeps a queue of jobs."""

    def __init__(self, tables: LockedTables) -> None:
        self._tables = tables

    @write
    def claim_jobs(self, *, limit: int, lease_s: float, early: bool = False) -> list[Job]:
        return self._tables.rules().claim(limit=limit, lease_s=lease_s, early=early)

    @write
    def finish_job(self, job_id: int) -> None:
        self._tables.kept.jobs.drop(job_id)

    @write
    def fail_job(self, job_id: int, error: str, *, retry_in_s: float | None) -> None:
        self._tables.rules().fail(job_id, error, retry_in_s=retry_in_s)

    @write
    def postpone_job(self, job_id: int, *, delay_s: float) -> None:
        self._tables.rules().postpone(job_id, delay_s=delay_s)

    def jobs(
        self, *, failed: bool = False, user_id: str | None = None, after: int = 0, limit: int | None = None
    ) -> list[Job]:
        with self._tables.held():
            return self._tables.rules().listed(failed=failed, user_id=user_id, after=after, limit=limit)

    def count_jobs(self, *, user_id: str | None = None, failed: bool = False) -> int:
        return len(self.jobs(user_id=user_id, failed=failed))


class TextIndex:
    """Searches words."""

    def __init__(self, tables: LockedTables) -> None:
        self._tables = tables

    def search_text(
        self, scope: Scope, stems: Sequence[str], *, limit: int, where: Filter = EVERYTHING
    ) -> NDArray[np.int64]:
        with self._tables.held():
            live = list(self._tables.live(scope))
            scores = bm25({row.key: Counter(row.features.stems.split()) for row in live}, set(stems))
            chosen = {row.key for row in live if matches(where, row.record)}
            best = sorted(scores.keys() & chosen, key=lambda key: (-scores[key], key))
            return np.array(best[:limit], dtype=np.int64)

    def shadow_of(self, scope: Scope, keys: NDArray[np.int64], *, around: int) -> ShadowRows:
        with self._tables.held():
            live = list(self._tables.live(scope))
            wanted = set(keys.tolist())
            chosen = [row.record.origin for row in live if row.key in wanted]
            near = {
                (origin.thread, origin.turn + step)
                for origin in chosen
                for step in range(-around, around + 1)
                if origin.thread
            }
            return columns([row for row in live if row.key in wanted or _place_of(row.record) in near])


class VectorTable:
    """Replaces vectors while the store is in use."""

    def __init__(self, tables: LockedTables) -> None:
        self._tables = tables

    def unstaged(self, name: str, *, limit: int, after: int = 0) -> list[tuple[int, str]]:
        with self._tables.held():
            later = (row for row in self._tables.all_live() if row.key > after)
            missing = (row for row in later if (name, row.key) not in self._tables.kept.staged)
            return [(row.key, row.record.content) for row in islice(missing, limit)]

    @write
    def stage_vectors(self, name: str, vectors: Sequence[tuple[int, str, bytes]]) -> None:
        staged = self._tables.kept.staged
        live = {row.key: row.record.content for row in self._tables.all_live()}
        sizes = {len(vector) for _, _, vector in vectors}
        for other in [place for place, old in staged.items() if place[0] != name or sizes - {len(old)}]:
            staged.drop(other)
        for key, words, vector in vectors:
            if live.get(key) == words:
                staged.put((name, key), vector)

    @write
    def promote_vectors(self, name: str, *, dim: int) -> bool:
        staged, live = self._tables.kept.staged, list(self._tables.all_live())
        if any(len(staged.get((name, row.key), b"")) != dim for row in live):
            return False
        for row in live:
            features = replace(row.features, vector=staged[name, row.key])
            self._tables.kept.memories.put(row.key, replace(row, features=features))
        for place in list(staged):
            staged.drop(place)
        self._tables.kept.settings.put("embedder", name)
        self._tables.kept.settings.put("dimensions", str(dim))
        self._tables.kept.numbers.put("promoted", self._tables.kept.next("version"))
        return True

    def vector_progress(self, name: str) -> tuple[int, int]:
        with self._tables.held():
            live = list(self._tables.all_live())
            return sum((name, row.key) in self._tables.kept.staged for row in live), len(live)


class CopyTable:
    """Gives and takes memories unchanged."""

    def __init__(self, tables: LockedTables) -> None:
        self._tables = tables

    def known_users(self) -> list[str]:
        with self._tables.held():
            live = {row.record.scope.user_id for row in self._tables.all_live()}
            return sorted(live | {user for user, _ in self._tables.kept.states})

    def dump(self, scope: Scope, *, after: int, limit: int) -> list[Copied]:
        with self._tables.held():
            ids = {row.key: row.record.id for row in self._tables.live(scope)}
            chosen = [row for row in self._tables.live(scope) if row.key > after][:limit]
            maker = self._tables.kept.settings.get("embedder", "")
            return [
                Copied(
                    key=row.key,
                    record=copy_of(row.record),
                    features=replace(row.features, embedder=maker),
                    history=row.history,
                    links=tuple(self._links_from(row.key, ids)),
                    outline=row.outline,
                )
                for row in chosen
            ]

    def _links_from(self, key: int, ids: dict[int, str]) -> Iterator[Link]:
        ends = sorted(
            (ids[target], kind)
            for source, target, kind in self._tables.kept.links
            if source == key and target in ids
        )
        return (Link(source_id=ids[key], target_id=target, type=kind) for target, kind in ends)

    @write
    def restore(self, scope: Scope, copies: Sequence[Copied]) -> int:
        rows = self._tables.kept.memories
        mine = [row for row in rows.values() if row.record.scope.user_id == scope.user_id]
        fresh = check_copies(scope, copies, known={row.record.id for row in mine})
        live = [row.record for row in mine if not row.deleted]
        check_keys([*live, *(copied.record for copied in fresh)], "a copy")
        self._tables.check_makers(copied.features for copied in fresh)
        for copied in fresh:
            self._tables.kept.numbers.put("version", self._tables.version() + len(copied.history))
            row = Row(
                key=self._tables.kept.next("key"),
                record=as_stored(copied.record),
                features=copied.features,
                outline=copied.outline,
                version=self._tables.version(),
                history=copied.history,
            )
            rows.put(row.key, row)
        return len(fresh)


def _place_of(record: MemoryRecord) -> tuple[str, int]:
    return record.origin.thread, record.origin.turn
