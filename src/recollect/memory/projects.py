"""What may be seen in a project of a user, and the new names of projects.

===========================================  ===================================================
memory                                       seen
===========================================  ===================================================
said in the project                          in the project
said outside of any project                  everywhere
a fact about the person: name, home, work,   everywhere
people, health, preference, skill
how to answer or call the person             everywhere
another instruction, a plan, any other fact, where it was said, by the memories it was learned from
an episode
===========================================  ===================================================
"""

import json
from collections.abc import Callable, Iterable
from functools import partial
from typing import Final

from recollect.checks import check_name
from recollect.errors import InvalidInputError
from recollect.protocols import Store
from recollect.types import MemoryRecord, Scope
from recollect.types.filters import AllOf, AnyOf, Filter, Not, by_ids, parse_filter

STATE: Final = "projects"
"""Under which name a store keeps the new names of projects, by the old ones."""
_PERSONAL_PARTS: Final = frozenset({"health", "name", "home", "work", "people"})
"""Parts of the core that are about the person."""
_KEPT: Final = 64
"""Filters that are kept at hand, until the memories of their user change. Chosen by hand."""
_LEARNED: Final = parse_filter({"kind": {"in": ["fact", "episode"]}})


class Projects:
    """The projects of the users of a store.

    Args:
        store: Where the memories are.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._made: dict[tuple[Scope, str, int], Filter] = {}

    def seen_by(self, scope: Scope) -> Callable[[object], Filter]:
        """What makes the filter for what may be seen in a project of a user."""
        return partial(self.seen_in, Scope(user_id=scope.user_id))

    def seen_in(self, user: Scope, project: object) -> Filter:
        """The filter for what may be seen in a project, as of now.

        A fact names no project: those that were learned in other projects alone are looked up, and left out.

        Raises:
            InvalidInputError: This is no name of a project.
        """
        if (name := check_name("project", project)) is None or name == ".":
            raise InvalidInputError(
                "project must be a name such as github.com/acme/app; only the command knows its folder's"
            )
        now = renamed(self._store, user).get(name, name)
        known = user, now, self._store.shadow_version(user)
        if known not in self._made:
            self._made = dict([*self._made.items(), (known, _seen_in(self._store, user, now))][-_KEPT:])
        return self._made[known]


def renamed(store: Store, user: Scope) -> dict[str, str]:
    """The new names of a user's renamed projects, by the old ones."""
    return read_names(store.state(user, STATE))


def read_names(text: str | None) -> dict[str, str]:
    """New names of projects, as a store keeps them."""
    read = json.loads(text) if text else {}
    return read if isinstance(read, dict) else {}


def _seen_in(store: Store, user: Scope, project: str) -> Filter:
    said = AllOf((Not(_LEARNED), parse_filter({"or": [{"project": project}, {"project": None}]})))
    if not store.find(user, parse_filter({"project": {"nin": [project, None]}}), limit=1):
        return AnyOf((said, _LEARNED))
    return AnyOf((said, AllOf((_LEARNED, Not(by_ids(_learned_elsewhere(store, user, project)))))))


def _learned_elsewhere(store: Store, user: Scope, project: str) -> list[str]:
    """The ids of facts and episodes that belong to other projects alone."""
    learned = [one for one in store.find(user, AllOf((_LEARNED, Not(_personal())))) if not _is_personal(one)]
    belonging = {one.id for one in _belonging(store, user, learned, project)}
    return [one.id for one in learned if one.id not in belonging]


def _belonging(
    store: Store, user: Scope, learned: Iterable[MemoryRecord], project: str
) -> Iterable[MemoryRecord]:
    """What was learned in the project, or outside of any; some was learned elsewhere, too."""
    learned = list(learned)
    ids = sorted({source for one in learned for source in one.origin.sources})
    said = {one.id: one for one in store.get(user, ids) if one is not None}
    for one in learned:
        places = [said[source] for source in one.origin.sources if source in said]
        if any(place.metadata.get("project") in (None, project) for place in places or [one]):
            yield one


def _personal() -> Filter:
    """Facts about the person by their category: how to answer one is, what to do in a project is not."""
    from recollect.learning.extraction.instruction_rules import OF_ANSWERS, OF_SIGNS

    return parse_filter(
        {
            "kind": "fact",
            "role": "user",
            "or": [
                {"category": {"in": ["preference", "skill", "knowledge"]}},
                {"category": "instruction", "relation": {"in": list(OF_ANSWERS)}},
                {
                    "category": "instruction",
                    "relation": "asks never to use",
                    "object": {"in": list(OF_SIGNS)},
                },
            ],
        }
    )


def _is_personal(record: MemoryRecord) -> bool:
    """Whether a fact is about the person by what it says."""
    from recollect.learning.core_facts import part_of

    return record.kind == "fact" and part_of(record) in _PERSONAL_PARTS
