"""Where the memories of a user may be seen, kept up to date from the changes of the store.

A fact names no project: it belongs where the messages were said that it was learned from. Those that were
learned in other projects alone are left out by their ids. Only facts, episodes and what they were learned
from are looked at, however much was said. What changed since the last question is read again, and nothing
else, until memories are deleted.
"""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from threading import Lock
from typing import Final, NamedTuple

from recollect.protocols import Store
from recollect.types import JSON, Scope
from recollect.types.filters import EVERYTHING, AllOf, AnyOf, Filter, Not, by_ids, parse_filter

_LEARNED: Final = parse_filter({"kind": {"in": ["fact", "episode"]}})
_MANY_CHANGES: Final = 2_000
"""After more changes than that everything is read again. Chosen by hand."""


class _Learned(NamedTuple):
    """What decides where a fact or an episode is seen.

    Attributes:
        everywhere: Whether it is about the person.
        sources: The ids of what it was learned from.
        project: Its own project, which counts when none of these is left.
    """

    everywhere: bool
    sources: tuple[str, ...]
    project: JSON


class Places:
    """Where the memories of one user may be seen.

    Args:
        store: Where the memories are.
        user: Whose.
    """

    def __init__(self, store: Store, user: Scope) -> None:
        self._store, self._user = store, user
        self._lock = Lock()
        self._version = 0
        self._only: str | None = None
        self._made: dict[str, Filter] = {}
        self._learned: dict[str, _Learned] | None = None
        self._said: dict[str | None, dict[str, bool]] = {}

    def seen_in(self, project: str) -> Filter:
        """The filter for what may be seen in a project, as of now."""
        with self._lock:
            changed = self._changes()
            if self._learned is None and self._is_only(project, changed):
                return AnyOf((_of(project), _LEARNED))
            if self._learned is None:
                self._learned = self._read(EVERYTHING)
            if project not in self._made:
                self._made[project] = self._filter(project, self._learned)
            return self._made[project]

    def _changes(self) -> list[str] | None:
        """Take in what changed; the ids of what is new or other, None for everything."""
        version, since = self._store.shadow_version(self._user), self._version
        if version == since:
            return []
        self._version, self._made = 0, {}  # if the store fails, everything is read again
        is_near = 0 < since < version <= since + _MANY_CHANGES
        delta = self._store.shadow(self._user, since) if is_near else None
        if delta is None or delta.reset:
            self._learned, self._said, self._version = None, {}, version
            return None
        if delta.removed.size:
            self._said = {}
        self._take(delta.rows.ids)
        self._version = delta.version
        return delta.rows.ids

    def _take(self, ids: Sequence[str]) -> None:
        """Read memories again that are new or other."""
        if self._learned is not None:
            for one in ids:
                self._learned.pop(one, None)
            self._learned |= self._read(by_ids(ids))
        for known in self._said.values():
            for one in ids:
                known.pop(one, None)

    def _is_only(self, project: str, changed: Sequence[str] | None) -> bool:
        """Whether no memory names another project; of what was looked at before, only what changed is."""
        among = by_ids(changed) if changed is not None and self._only == project else EVERYTHING
        others = AllOf((among, parse_filter({"project": {"nin": [project, None]}})))
        self._only = None  # if the store fails, everything is looked at again
        self._only = None if self._store.find(self._user, others, limit=1) else project
        return self._only is not None

    def _read(self, where: Filter) -> dict[str, _Learned]:
        from recollect.learning.personal import is_personal

        return {
            one.id: _Learned(is_personal(one), one.origin.sources, one.metadata.get("project"))
            for one in self._store.sketches(self._user, AllOf((where, _LEARNED)))
        }

    def _filter(self, project: str, learned: dict[str, _Learned]) -> Filter:
        placed = {one: of for one, of in learned.items() if not of.everywhere}
        here = self._said_in(project, {turn for of in placed.values() for turn in of.sources})
        others = {one: of for one, of in placed.items() if not any(here[turn] for turn in of.sources)}
        bare = {one: of for one, of in others.items() if of.project in (None, project)}
        unseen = [*(others.keys() - bare.keys()), *self._with_sources(bare)]
        if 2 * len(unseen) <= len(learned):
            listed: Filter = Not(by_ids(unseen))
        else:
            listed = by_ids([*learned.keys() - set(unseen)])
        return AnyOf((AllOf((Not(_LEARNED), _of(project))), AllOf((_LEARNED, listed))))

    def _with_sources(self, learned: dict[str, _Learned]) -> list[str]:
        """The ids of those of which a source is left: mostly the first, so others are looked for after it."""
        first = self._said_in(None, {of.sources[0] for of in learned.values() if of.sources})
        rest = {one: of for one, of in learned.items() if not (of.sources and first[of.sources[0]])}
        left = self._said_in(None, {turn for of in rest.values() for turn in of.sources})
        return [
            one for one, of in learned.items() if one not in rest or any(left[turn] for turn in of.sources)
        ]

    def _said_in(self, project: str | None, ids: AbstractSet[str]) -> dict[str, bool]:
        """Whether each of some memories is of a project or none, or is there at all; new ones are read."""
        known = self._said.setdefault(project, {})
        if missing := sorted(ids - known.keys()):
            where = by_ids(missing) if project is None else AllOf((by_ids(missing), _of(project)))
            found = {one.memory_id for one in self._store.moments(self._user, where)}
            known |= {one: one in found for one in missing}
        return known


def _of(project: str) -> Filter:
    """The memories of a project and of none."""
    return parse_filter({"or": [{"project": project}, {"project": None}]})
