"""What a store keeps beside memories: named texts and links; and links kept as texts."""

import json
from collections.abc import Callable, Sequence
from typing import Final, Protocol, runtime_checkable

from recollect.errors import NotFoundError
from recollect.types import Link, Scope

_OWNER: Final = Scope(user_id="\x1flinks")
"""Whose states the links are, a text for each user. Ids of users are printable, so nobody has this one."""


@runtime_checkable
class StateStore(Protocol):
    """Named texts about a user, such as what was learned."""

    def state(self, scope: Scope, name: str) -> str | None:
        """What is kept under a name for ``scope.user_id``; None when there is nothing."""

    def states(self, scope: Scope) -> dict[str, str]:
        """Everything kept for ``scope.user_id``, by name, in the order of the names."""

    def change_state(self, scope: Scope, name: str, change: Callable[[str | None], str | None]) -> None:
        """Replace a text by what ``change`` makes of it, in one transaction; None removes it.

        Changes of one user come one after the other, so none is lost. ``purge`` of a whole user, with no
        filter, removes all of the user's texts when no live memory is left.
        """


@runtime_checkable
class LinkStore(Protocol):
    """Links between memories."""

    def link(self, scope: Scope, links: Sequence[Link]) -> None:
        """Add links; one that is there already stays. Both ends must be in the scope.

        Raises:
            NotFoundError: An end is not in the scope; nothing was linked.
        """

    def links(self, scope: Scope, memory_id: str) -> list[Link]:
        """The links from and to a memory whose ends both live, by source, target and type."""


class TextLinks:
    """Links kept as one text for each user among the states of a store.

    They name memories by their keys, which are never reused: links of purged memories lead nowhere.
    """

    def __init__(self, states: StateStore, keys: Callable[[Scope], dict[str, int]]) -> None:
        self._states = states
        self._keys = keys

    def link(self, scope: Scope, links: Sequence[Link]) -> None:
        """See ``LinkStore.link``."""

        def change(text: str | None) -> str:
            keys = self._keys(scope)
            for end in (end for link in links for end in (link.source_id, link.target_id)):
                if end not in keys:
                    raise NotFoundError(f"no memory {end!r} in this scope; nothing was linked")
            fresh = [[keys[link.source_id], keys[link.target_id], link.type] for link in links]
            kept = json.loads(text or "[]")
            return json.dumps(kept + [link for link in fresh if link not in kept])

        self._states.change_state(_OWNER, scope.user_id, change)

    def links(self, scope: Scope, memory_id: str) -> list[Link]:
        """See ``LinkStore.links``."""
        ids = {key: one for one, key in self._keys(scope).items()}
        kept = json.loads(self._states.state(_OWNER, scope.user_id) or "[]")
        ends = sorted({(ids[one], ids[two], kind) for one, two, kind in kept if one in ids and two in ids})
        return [
            Link(source_id=source, target_id=target, type=kind)
            for source, target, kind in ends
            if memory_id in (source, target)
        ]
