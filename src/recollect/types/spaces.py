"""Team spaces: memories that several users share, each under an owner of its own."""

from collections.abc import Mapping
from typing import Final

from recollect.types.characters import one_line
from recollect.types.records import JSON, MemoryRecord

SPACE: Final = "space:"
"""Begins the owner under which a team space keeps its memories."""
BY: Final = "by"
"""The field of a memory's metadata that says which member stored it in a space."""
CHANGED_BY: Final = "changed_by"
"""The field that says which member last changed what a memory of a space says."""
SIGNED: Final = frozenset({BY, CHANGED_BY})
_NAME_LENGTH: Final = 16
"""Characters kept of a name that a member claims: a label has 40, and who claims it must not be cut off."""


def author_of(record: MemoryRecord) -> str | None:
    """Who stored a memory in a space: the member, or of what was learned its speaker; None elsewhere."""
    if not record.scope.user_id.startswith(SPACE):
        return None
    by = record.metadata.get(BY)
    return by if isinstance(by, str) and by else record.origin.speaker


def metadata_changed_by(
    by: str, before: Mapping[str, JSON], given: Mapping[str, JSON] | None
) -> dict[str, JSON]:
    """The metadata of a memory that a member changes in a space; who stored it stays, whatever is given.

    >>> metadata_changed_by("bo", {"by": "ada", "x": 1}, {"by": "bo", "y": 2})
    {'y': 2, 'by': 'ada', 'changed_by': 'bo'}
    """
    kept = {BY: before[BY]} if BY in before else {}
    rest = {name: value for name, value in (before if given is None else given).items() if name not in SIGNED}
    return rest | kept | {CHANGED_BY: by}


def speaker_named(name: str, by: str) -> str:
    """The speaker of words that a member stores under a name; one that is not the member's own says by whom.

    >>> speaker_named("Cy", "ada"), speaker_named("ada", "ada")
    ('Cy via ada', 'ada')
    """
    return by if name == by else f"{one_line(name, most=_NAME_LENGTH)} via {by}"
