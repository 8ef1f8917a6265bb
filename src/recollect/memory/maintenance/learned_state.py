"""What an import may bring of what was learned about a user: each text must be one that can be read."""

import json
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import partial
from typing import Final

from recollect.checks import check_fields, check_id, check_ids
from recollect.errors import InvalidInputError, StoreCorruptError, StoreFormatError
from recollect.learning import admission_log as admitting
from recollect.learning import forget_requests as forgetting
from recollect.learning import latest as lasts
from recollect.learning import queue, records
from recollect.learning import retraction as unlearning
from recollect.learning.admission import AdmissionDecision
from recollect.learning.agenda import state as agenda
from recollect.learning.intents import intents, patterns
from recollect.lifecycle import retrievals, threshold_state, thresholds
from recollect.retrieval.clusters import clusters as clustering

_DAMAGE: Final = (
    ArithmeticError, AttributeError, KeyError, RecursionError, StoreCorruptError, TypeError, ValueError,
)  # fmt: skip


def check_state(name: str, text: str) -> None:
    """Refuse what its reader could not read, now or later; under a name that is not known here all passes."""
    read = _message if name.startswith(queue.LEARNED_TO) else _READERS.get(name)
    if read is None:
        return
    try:
        read(text)
    except StoreFormatError as error:
        raise InvalidInputError(str(error)) from None
    except _DAMAGE:
        raise InvalidInputError("its learned state cannot be read") from None


def _message(text: str) -> None:
    check_id("its message", text)


def _each(read: type[AdmissionDecision | records.LearningRecord], text: str) -> None:
    """A list of what ``read`` wrote, nothing missing and nothing else in it."""
    found = json.loads(text)
    if not isinstance(found, list):
        raise TypeError(found)
    for one in found:
        known = read.from_json(one)
        check_fields("its", known)
        if known.to_json() != one or known.at.tzinfo is None:
            raise ValueError(one)


def _unlearned(text: str) -> None:
    for at in json.loads(text).values():
        if datetime.fromisoformat(at).tzinfo is None:
            raise ValueError(at)


def _agenda(text: str) -> None:
    """Marks as their writer wrote them."""
    marks = agenda.read_marks(text)
    for mark in marks.values():
        check_ids("its sources", list(mark.sources))
        naive = any(at.tzinfo is None for at in mark.raised.values())
        if naive or not isinstance(mark.dismissed, bool):
            raise ValueError(mark)
    if json.loads(agenda.write_marks(marks) or "{}") != json.loads(text):
        raise ValueError(text)


def _forgotten(text: str) -> None:
    for key, one in forgetting.read_requests(text).items():
        check_ids("its ids", [key, one.turn, *one.ids])


def _lasts(text: str) -> None:
    for ids in json.loads(text).values():
        if not isinstance(ids, list):
            raise TypeError(ids)
        for one in ids:
            check_id("its id", one)


_READERS: Final[Mapping[str, Callable[[str], object]]] = {
    agenda.STATE: _agenda,
    admitting.STATE: partial(_each, AdmissionDecision),
    clustering.STATE: clustering.read_centroids,
    forgetting.STATE: _forgotten,
    intents.STATE: patterns.read_patterns,
    lasts.STATE: _lasts,
    records.STATE: partial(_each, records.LearningRecord),
    retrievals.STATE: retrievals.Retrievals.read,
    thresholds.STATE: threshold_state.read_thresholds,
    unlearning.STATE: _unlearned,
}
