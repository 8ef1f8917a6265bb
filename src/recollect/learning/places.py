"""Which memories a statement of a project may change, repeat or contradict: those that may be seen there.

So "our database is MySQL" of one project leaves "our database is Postgres" of another as it is, while "I live
in Rome" ends "I live in Oslo" wherever that was said. What is said outside of any project may mean all.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from recollect.learning.personal import is_personal
from recollect.protocols import Store
from recollect.types import JSON, MemoryRecord, Scope

PROJECT: Final = "project"
"""Under it metadata name the project that something was said in."""


def in_reach(
    store: Store, user: Scope, known: Sequence[MemoryRecord], *, of: MemoryRecord
) -> list[MemoryRecord]:
    """Those of known facts and messages that may be seen where a turn, or a fact that came as one, was said.

    Args:
        store: Where they are.
        user: Whose they are.
        known: Facts and messages.
        of: The turn or fact.
    """
    project = of.metadata.get(PROJECT)
    if project is None:
        return list(known)
    sources = sorted({turn for one in known for turn in one.origin.sources})
    said = {turn.id: turn.metadata.get(PROJECT) for turn in store.get(user, sources) if turn is not None}
    return [one for one in known if _is_seen(one, project, said)]


def _is_seen(one: MemoryRecord, project: JSON, said: Mapping[str, JSON]) -> bool:
    if is_personal(one):
        return True
    places = [said[turn] for turn in one.origin.sources if turn in said] or [one.metadata.get(PROJECT)]
    return not {None, project}.isdisjoint(places)
