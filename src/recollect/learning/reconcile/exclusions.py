"""What somebody does not eat or drink, against what they like: "I don't eat fish" and "I love herring"."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Final

from recollect.learning.foods import KINDS, singular
from recollect.learning.listing import listed
from recollect.learning.reconcile.phrases import plain
from recollect.learning.reconcile.statements import Statement

_CONSUMES: Final = listed("eat eats drink drinks consume consumes touch touches have")
_AVOIDS: Final = frozenset(("avoids", "is allergic to", "reacts badly to", "cannot tolerate"))
_LIKES: Final = listed("likes loves enjoys adores prefers eats drinks favourite favorite")
_DIETS: Final[Mapping[str, tuple[str, ...]]] = {
    "vegan": ("meat", "seafood", "dairy", "eggs"),
    "vegetarian": ("meat", "seafood"),
    "pescatarian": ("meat",),
}
_ANIMALS: Final = listed(
    """
    duck goose rabbit goat turkey lamb pike perch bass sole carp eel squid octopus crab port stout chickens
    fish
    """
)
"""Foods that one may like otherwise: "loves ducks" is no dish. They count where they are eaten or drunk."""
_INSTEAD: Final = listed(
    """
    vegan veggie vegetarian plant oat almond soy soya coconut rice nut peanut cocoa shea free non alcohol-free
    gluten-free dairy-free lactose-free non-alcoholic plant-based mock ginger root without
    """
)
"""Words by which a food is of another kind: "oat milk", "veggie burger"."""
_ANY: Final = listed("any or and all no products product at nor kind kinds of more longer")


def excludes(one: Statement, other: Statement) -> bool:
    """Whether one statement excludes a kind of food or drink, of which the other likes some.

    What one message says of both holds together: "no fish for me, but I love tuna".
    """
    if one.past or other.past or not set(one.sources).isdisjoint(other.sources):
        return False
    return _clash(one, other) or _clash(other, one)


def names_a_substitute(told: str, said: str) -> bool:
    """Whether a message names what somebody may have in the place of what an allergy forbids: "vegan eggs".

    >>> [names_a_substitute(told, "I'm allergic to eggs") for told in ("Found vegan eggs!", "I eat eggs now")]
    [True, False]
    """
    theirs = {singular(word) for word in plain(said)}
    words = plain(told)
    named = [second for first, second in pairwise(words) if first in _INSTEAD]
    return "allergic" in theirs and "allergic" not in words and any(singular(one) in theirs for one in named)


def sought_by_exclusion(relation: str, said: str | None) -> str:
    """Words to find by what a statement excludes, or what would exclude it; empty where it is of no food."""
    words = plain(said or "")
    foods = sorted({food for kind in _kinds(relation, words) for food in KINDS[kind]})
    if foods or _first(relation) not in _LIKES:
        return " ".join(foods)
    named = {singular(word) for word in words}
    return " ".join(kind for kind, foods in KINDS.items() if named & {singular(food) for food in foods})


def _clash(denial: Statement, liking: Statement) -> bool:
    relation = liking.relation or ""
    if liking.negated or _first(relation) not in _LIKES or not _may_exclude(denial):
        return False
    kinds = _kinds(denial.relation or "", plain(denial.object or ""))
    liked = plain(liking.object or "")
    if liked == kinds and _last(denial.relation or "").rstrip("s") == _first(relation).rstrip("s"):
        return False  # "eats meat" and "does not eat meat": the other rules know which holds
    if not kinds or not _INSTEAD.isdisjoint(liked):
        return False
    eaten = _first(relation) in _CONSUMES
    foods = {singular(food) for kind in kinds for food in KINDS[kind] if eaten or food not in _ANIMALS}
    return any(singular(word) in foods and (eaten or word not in _ANIMALS) for word in liked)


def _may_exclude(one: Statement) -> bool:
    """Whether a statement says that something is not consumed, by a denial or by its relation."""
    relation = (one.relation or "").casefold()
    denied = one.negated and _last(relation) in _CONSUMES
    return denied or (not one.negated and (relation in _AVOIDS or relation == "has diet"))


def _kinds(relation: str, words: tuple[str, ...]) -> tuple[str, ...]:
    """The kinds of food that a statement excludes as a whole, if it does: "fish", not "fish on Fridays"."""
    if relation == "has diet":
        return _DIETS.get(words[0], ()) if words else ()
    named = tuple(word for word in words if word not in _ANY)
    consumed = _last(relation) in _CONSUMES or relation in _AVOIDS
    return named if named and consumed and all(word in KINDS for word in named) else ()


def _first(relation: str) -> str:
    return relation.partition(" ")[0]


def _last(relation: str) -> str:
    return relation.rpartition(" ")[2]
