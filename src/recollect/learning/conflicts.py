"""The conflicts between facts that wait for a person: what a new fact says of them, and whether both hold."""

from collections.abc import Iterator
from datetime import datetime
from typing import Final

from recollect.learning.outcomes import Conflict
from recollect.learning.reconcile.statements import is_open
from recollect.learning.recording import contradicted_by, statement_of
from recollect.protocols import Store
from recollect.types import Scope
from recollect.types.filters import AllOf, Filter, matches, parse_filter

PAGE: Final = 500
"""Facts read at once when all that contradict others are listed. Chosen by hand."""
_CONTESTED: Final = parse_filter({"kind": "fact", "contested": True})


def open_conflicts(
    store: Store, scope: Scope, where: Filter, *, at: datetime, after: str | None = None, at_once: int = PAGE
) -> Iterator[Conflict]:
    """Facts that contradict each other and both hold, by the id of the newer one.

    Args:
        store: Where they are.
        scope: Whose.
        where: Only those of which both facts match.
        at: When both hold.
        after: Only those whose newer fact comes after this id.
        at_once: How many newer facts are read at a time.
    """
    new_ones = AllOf((_CONTESTED, where))
    while contested := store.find(scope, new_ones, after=after, limit=at_once):
        ids = [(new, one) for new in contested for one in contradicted_by(new)]
        known = store.get(scope, [one for _, one in ids])
        for (new, _), other in zip(ids, known, strict=True):
            if (
                other is not None
                and matches(where, other)
                and is_open(statement_of(new), statement_of(other), now=at)
            ):
                yield Conflict(known=other, new=new)
        after = contested[-1].id
