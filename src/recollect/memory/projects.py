"""What may be seen in a project of a user, and the new names of projects.

===========================================  ===================================================
memory                                       seen
===========================================  ===================================================
said in the project                          in the project
said outside of any project                  everywhere
a fact about the person                      everywhere (see ``recollect.learning.personal``)
an instruction, a plan, any other fact,      where it was said, by the memories it was learned from
an episode
===========================================  ===================================================
"""

import json
from collections import OrderedDict
from collections.abc import Callable
from functools import partial
from threading import Lock
from typing import Final

from recollect.checks import check_name
from recollect.errors import InvalidInputError
from recollect.memory.places import Places
from recollect.protocols import Store
from recollect.types import Scope
from recollect.types.filters import Filter

STATE: Final = "projects"
"""Under which name a store keeps the new names of projects, by the old ones."""
_KEPT: Final = 8
"""Users whose places are kept at hand, some 31 MB with 43,000 facts each. Chosen by hand."""


class Projects:
    """The projects of the users of a store.

    Args:
        store: Where the memories are.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._places: OrderedDict[Scope, Places] = OrderedDict()
        self._lock = Lock()

    def seen_by(self, scope: Scope) -> Callable[[object], Filter]:
        """What makes the filter for what may be seen in a project of a user."""
        return partial(self.seen_in, Scope(user_id=scope.user_id))

    def seen_in(self, user: Scope, project: object) -> Filter:
        """The filter for what may be seen in a project, as of now.

        Raises:
            InvalidInputError: This is no name of a project.
        """
        if (name := check_name("project", project)) is None or name == ".":
            raise InvalidInputError(
                "project must be a name such as github.com/acme/app; only the command knows its folder's"
            )
        with self._lock:
            places = self._places.setdefault(user, Places(self._store, user))
            self._places.move_to_end(user)
            if len(self._places) > _KEPT:
                self._places.popitem(last=False)
        return places.seen_in(renamed(self._store, user).get(name, name))


def renamed(store: Store, user: Scope) -> dict[str, str]:
    """The new names of a user's renamed projects, by the old ones."""
    return read_names(store.state(user, STATE))


def read_names(text: str | None) -> dict[str, str]:
    """New names of projects, as a store keeps them."""
    read = json.loads(text) if text else {}
    return read if isinstance(read, dict) else {}
