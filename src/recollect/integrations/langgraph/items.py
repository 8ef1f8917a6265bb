"""Items as records: a namespace and a key in one key, and the words of a value."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from recollect.integrations.records import texts_in
from recollect.types.extras import package_of

with package_of("langgraph", "langgraph.store.base", feature="RecollectStore"):
    from langgraph.store.base import MatchCondition, get_text_at_path

_END: Final = ".."
"""What ends the namespace in a key: a label is not empty and holds no full stop."""


def key_of(namespace: Sequence[str], key: str) -> str:
    """The key of an item's record.

    >>> key_of(("notes", "ada"), "/a.md")
    'notes.ada../a.md'
    """
    return f"{'.'.join(namespace)}{_END}{key}"


def prefix_of(namespace: Sequence[str]) -> str:
    """What the keys of a namespace and of those below it begin with, by whole labels."""
    return "".join(f"{label}." for label in namespace)


def namespace_of(key: str) -> tuple[tuple[str, ...], str]:
    """The namespace and the key of an item, from the key of its record."""
    namespace, _, own = key.partition(_END)
    return tuple(namespace.split(".")), own


def words_of(value: Mapping[str, Any], fields: Sequence[str] | None) -> str:
    """The words that a value is found by: the texts at some paths, else all in it."""
    at = value if fields is None else [get_text_at_path(value, path) for path in fields]
    return "\n".join(text for text in texts_in(at) if text.strip())


def fits(namespace: Sequence[str], condition: MatchCondition) -> bool:
    """Whether a namespace begins or ends with a path, in which ``*`` stands for any label."""
    path = tuple(condition.path)
    if condition.match_type not in ("prefix", "suffix"):
        raise ValueError(f"unknown match type {condition.match_type!r}; known are prefix, suffix")
    if len(namespace) < len(path):
        return False
    part = (
        namespace[: len(path)]
        if condition.match_type == "prefix"
        else namespace[len(namespace) - len(path) :]
    )
    return all(wanted in ("*", label) for label, wanted in zip(part, path, strict=True))
