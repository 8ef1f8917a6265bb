"""The last facts of relations that have one value at a time, and the very last: what new words may end.

A search finds what is like a new fact in words. The home of today need not be among the nearest to "moved to
Rome", when somebody moved often, or told much. So the ids of the last few are kept by the relation's first
word and by what of the speaker's it is about: the speaker, or their sister. "No wait, 580" has no word of
what it corrects.
"""

import json
from hashlib import blake2b
from typing import Final

from recollect.learning.extraction.facts import Fact
from recollect.learning.reconcile.corrections import CORRECTED
from recollect.learning.reconcile.relations import denies_all, family_of
from recollect.learning.recording import is_single
from recollect.protocols import Store
from recollect.types import Scope

MOST_LASTS: Final = 12
"""Ids kept of a kind of relation: what holds of it, and what may hold again. Chosen by hand."""
MOST_RELATIONS: Final = 1_000
"""Relations of a user that are kept; the one used longest ago goes. Chosen by hand."""
STATE: Final = "last facts"
_ANY: Final = "said last"
"""Stands for the facts of any kind: what was said last is what a correction is of."""


class LastOnes:
    """The ids of the last single-valued facts, and of the last of any kind, of users; no words."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def of(self, user: Scope, fact: Fact) -> list[str]:
        """The last facts of the subject and the relation of a fact, newest last; of a correction, any."""
        if not (is_of_a_life(fact) or fact.relation == CORRECTED):
            return []
        key = _ANY if fact.relation == CORRECTED else _key_of(fact)
        found: list[str] = json.loads(self._store.state(user, STATE) or "{}").get(key, [])
        return found

    def keep(self, user: Scope, fact: Fact, fact_id: str) -> None:
        """Keep a fact that will be stored, before it is: so none is ever missed."""
        keys = [_ANY, _key_of(fact)] if is_of_a_life(fact) else [_ANY]

        def longer(kept: str | None) -> str:
            relations = json.loads(kept or "{}")
            for key in keys:
                others = [one for one in relations.pop(key, []) if one != fact_id]
                relations[key] = [*others, fact_id][-MOST_LASTS:]
            return json.dumps(dict(list(relations.items())[-MOST_RELATIONS:]))

        self._store.change_state(user, STATE, longer)


def is_of_a_life(fact: Fact) -> bool:
    """Whether a fact has one value at a time, or ends all of its kind: "quit their job"."""
    return is_single(fact) or denies_all(fact.relation, fact.object, negated=fact.negated) is not None


def _key_of(fact: Fact) -> str:
    """By whom of theirs it is about, and not by the name of who speaks, which may be left out."""
    _, owned, whose = fact.subject.partition("'s ")
    words = f"{owned}{whose}\n{family_of(fact.relation, fact.object)}".casefold()
    return blake2b(words.encode(), digest_size=8).hexdigest()
