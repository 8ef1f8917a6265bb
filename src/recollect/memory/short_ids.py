"""Ids by their first characters, for people and models that do not want to write all 36."""

from typing import Final

from recollect.checks import check_id
from recollect.errors import InvalidInputError, as_given
from recollect.protocols import Store
from recollect.types import Scope
from recollect.types.filters import EVERYTHING

_FEWEST: Final = 8
"""Characters from which on an id may be shortened: those of a UUIDv7 change every 65 seconds."""
_NAMED: Final = 2


def whole_id(store: Store, scope: Scope, start: str, *, deleted: bool = False) -> str:
    """The id of the one memory of a scope whose id begins with ``start``, of eight characters or more.

    It is ``start`` itself when that is whole, too short, or begins no id.

    Raises:
        InvalidInputError: Several ids begin so, or it cannot be an id.
    """
    known = check_id("memory_id", start)
    if len(known) < _FEWEST or (not deleted and store.get(scope, [known])[0] is not None):
        return known
    if deleted:
        records = store.deleted(scope, EVERYTHING)
    else:
        records = store.find(scope, EVERYTHING, after=known, limit=_NAMED)
    found = [record.id for record in records if record.id.startswith(known)]
    if len(found) > 1 and known not in found:
        some = " and ".join(found[:_NAMED])
        raise InvalidInputError(f"several ids begin with {as_given(known)}, such as {some}: write more of it")
    return found[0] if len(found) == 1 else known
