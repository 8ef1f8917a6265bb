"""Whether what was read from files and servers is what a store can keep."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import is_dataclass
from functools import cache
from itertools import chain
from operator import attrgetter
from types import UnionType
from typing import Any, Final, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

from recollect.stores.reference.tables import Kept
from recollect.types import LINK_TYPES, Change, Job, MemoryRecord

UNSOUND: Final = (KeyError, IndexError, TypeError, ValueError, AttributeError, OverflowError)
"""What is raised when values are read that were not written by a store."""
_LARGEST: Final = (1 << 63) - 1
_LARGEST_SMALL: Final = (1 << 31) - 1
"""Of turns and traits, which a shadow keeps in 32 bits."""
_PLAIN: Final = {
    "settings": (str, str),
    "states": ((str, str), str),
    "staged": ((str, int), bytes),
    "numbers": (str, int),
}
"""The types of the keys and values of the tables that hold nothing else."""


class _Shape(NamedTuple):
    """What a field may hold: values of these types, only these texts, and in a tuple these parts."""

    types: frozenset[type]
    texts: frozenset[str] | None
    parts: "_Shape | None"


def check_sound(kept: Kept) -> None:
    """Check everything that was read: every field has its type, and the parts fit each other.

    It checks field by field, not memory by memory, so that most of the work is done by loops in C.

    Raises:
        ValueError: Something is wrong; the message names the field, and no words of users.
    """
    _check_rows(kept)
    _check_together(kept)
    for source, target, kind in kept.links:
        if type(source) is not int or type(target) is not int or kind not in LINK_TYPES:
            raise ValueError("a link is malformed")
    _check([held.job for held in kept.jobs.values()], Job)
    if any(number != held.job.id for number, held in kept.jobs.items()):
        raise ValueError("a job has two numbers")
    tables = kept.tables()
    for name, (place, content) in _PLAIN.items():
        if not all(_is(key, place) and type(value) is content for key, value in tables[name].items()):
            raise ValueError(f"{name} are wrong")


def _is(key: Any, place: Any) -> bool:
    if isinstance(place, tuple):
        return type(key) is tuple and tuple(map(type, key)) == place
    return type(key) is place


def _check_rows(kept: Kept) -> None:
    rows = list(kept.memories.values())
    _check([row.record for row in rows], MemoryRecord)
    _check([change for row in rows for change in row.history], Change)
    for key, row in kept.memories.items():
        features = row.features
        if type(key) is not int or type(row.version) is not int or type(row.deleted) is not bool:
            raise ValueError("the key, the version or the deletion of a memory is wrong")
        if type(features.stems) is not str or type(features.traits) is not int:
            raise ValueError("the stems or the traits of a memory are wrong")
        if len(features.terms) != 4 * len(features.counts) or len(row.outline) % 4:
            raise ValueError("the terms of a memory are cut off")
        if not 0 <= key <= _LARGEST or max(row.record.origin.turn, features.traits) > _LARGEST_SMALL:
            raise ValueError("a number of a memory is too large")


def _check_together(kept: Kept) -> None:
    """Nothing is there twice, vectors can be compared, and no key will be given a second time."""
    rows = kept.memories.values()
    if len({(row.record.scope.user_id, row.record.id) for row in rows}) != len(kept.memories):
        raise ValueError("a memory is there twice")
    sizes: dict[str, set[int]] = defaultdict(set)
    for row in rows:
        if not row.deleted:
            sizes[row.record.scope.user_id].add(len(row.features.vector))
    if any(len(different) > 1 for different in sizes.values()):
        raise ValueError("a vector is cut off")
    for name, given in (("key", kept.memories), ("job", kept.jobs)):
        if max(given, default=0) > kept.numbers.get(name, 0):
            raise ValueError(f"the last {name} is missing")


def _check(values: Collection[Any], kind: type) -> None:
    """Check things of one class, each field of all of them at once."""
    for name, shape in _shapes(kind):
        _check_field(name, list(map(attrgetter(name), values)), shape)


def _check_field(name: str, values: Collection[Any], shape: _Shape) -> None:
    kinds = set(map(type, values))
    if not kinds <= shape.types:
        raise ValueError(f"the field {name!r} is wrong")
    for kind in kinds:
        alike = values if len(kinds) == 1 else [value for value in values if type(value) is kind]
        _check_alike(name, alike, kind, shape)


def _check_alike(name: str, values: Collection[Any], kind: type, shape: _Shape) -> None:
    """Check what a field holds of one of its types."""
    if kind is str and shape.texts is not None and not shape.texts.issuperset(values):
        raise ValueError(f"the field {name!r} is wrong")
    if kind is tuple and shape.parts is not None:
        _check_field(name, list(chain.from_iterable(values)), shape.parts)
    elif kind is int and max(map(abs, values)) > _LARGEST:
        raise ValueError(f"the field {name!r} is too large")
    elif is_dataclass(kind):
        different = {id(value): value for value in values}  # many share what nobody said
        _check(different.values(), kind)


@cache
def _shapes(kind: type) -> tuple[tuple[str, _Shape], ...]:
    return tuple((name, _shape(hint)) for name, hint in get_type_hints(kind).items())


def _shape(hint: Any) -> _Shape:
    texts: set[str] = set()
    types: set[type] = set()
    parts: _Shape | None = None
    for option in _options(hint):
        origin = get_origin(option)
        if origin is Literal:
            texts |= set(get_args(option))
            types.add(str)
        elif origin is tuple:
            types.add(tuple)
            parts = _shape(get_args(option)[0])
        elif isinstance(origin, type) and issubclass(origin, Mapping):
            types.add(dict)
        else:
            types |= {float, int} if option is float else {option}
    return _Shape(frozenset(types), frozenset(texts) or None, parts)


def _options(hint: Any) -> Iterator[Any]:
    if get_origin(hint) in (Union, UnionType):
        yield from get_args(hint)
    else:
        yield hint
