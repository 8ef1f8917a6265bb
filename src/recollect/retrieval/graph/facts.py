"""The graph of facts: people, places, organisations, projects and things, and what each is to another.

Nodes and edges follow from the parts of each fact: its subject, relation and object. "User's sister is named
Ines" makes a node of Ines and an edge "sister". The type of a node is what most facts say of it:

=============== ========================================================================
type            told by
=============== ========================================================================
person          a subject; a name that a fact gives somebody; "is married to"; a given name
place           a known country or city; "lives in", "moved to"; a name behind "in" or "near"
organisation    "works at", "studies at", "belongs to"
project         "works on", "is building", "founded"
thing           everything else
=============== ========================================================================
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, get_args

from recollect.text.entities.vocabulary import GIVEN, PLACES
from recollect.text.parameters.worded import NUMBER_WORDS
from recollect.types import MemoryRecord
from recollect.types.regex import lazy_regex

NodeType = Literal["person", "place", "organisation", "project", "thing"]
NODE_TYPES: Final[tuple[NodeType, ...]] = get_args(NodeType)

_NAMED: Final = "is named"
_SAID: Final = lazy_regex(r"(?:said|says now|asks|asked|wants|answer|is called)\b")
"""Relations of words kept as they stand, of instructions and of other names: they join nothing."""
_MOST_WORDS: Final = 4
"""An object of more words is a description, not the name of something. Chosen by hand."""
_TOLD: Final[tuple[tuple[NodeType, re.Pattern[str]], ...]] = (
    ("organisation", lazy_regex(r"(?:works?|worked) (?:at|for)|studie[sd] at|belongs to|banks (?:at|with)")),
    (
        "place",
        lazy_regex(
            r"(?:plans to |is )?(?:lives?d?|mov(?:es?|ed|ing)|grew up|was (?:born|raised)|comes|is from"
            r"|has been|travel\w*|visit\w*|fl(?:y|ies|ew|ying)|hometown|address)\b"
        ),
    ),
    (
        "project",
        lazy_regex(r"works on|is (?:building|writing|developing)|builds|founded|leads|maintains|launched"),
    ),
    ("person", lazy_regex(r"is (?:married to|dating|divorced from|separated from)|met\b")),
)
_LOCATED: Final = lazy_regex(r"\b(?:in|near|from|to)(?: the)? $")
_ARTICLE: Final = lazy_regex(r"(?:an?|the|my|their) ", re.IGNORECASE)
_DIGIT: Final = lazy_regex(r"\d")
_NO_NAME: Final = lazy_regex(
    r"(?:alone|together|abroad|separately|nearby|remotely|(?:part|full)[- ]time|over|back|up|down|away|off"
    r"|out|at"
    r"|on|in|to|with|by|for|from|every|each|everything|nothing)\b",
    re.IGNORECASE,
)
"""Begins an object that says how, where or when, and names nothing: "lives alone", "is coming over"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FactNode:
    """Somebody or something that facts are about.

    Attributes:
        name: As facts call it; "User" is the user.
        type: What it is.
        facts: How many facts name it.
    """

    name: str
    type: NodeType
    facts: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FactEdge:
    """What facts say one node is to another.

    Attributes:
        source: The node that it is said of.
        target: The other one.
        name: The relation: "lives in", "sister".
        facts: How many facts say so.
    """

    source: str
    target: str
    name: str
    facts: int


class FactGraph:
    """The nodes and edges of some facts.

    Args:
        facts: Learned facts that hold; others say nothing.
    """

    def __init__(self, facts: Iterable[MemoryRecord]) -> None:
        self._types: dict[str, Counter[NodeType]] = {}
        self._links: Counter[tuple[str, str, str]] = Counter()
        told = [one for one in map(_Told.by, facts) if one.subject and one.relation and one.object]
        self._names = {one.subject: one.object for one in told if one.relation == _NAMED}
        for one in told:
            self._add(one)

    def __len__(self) -> int:
        return len(self._types)

    def nodes(self, limit: int | None = None) -> list[FactNode]:
        """Those that most facts name first, equal ones by name; ``limit``: how many at most."""
        found = [
            FactNode(name=name, type=_most(types), facts=types.total()) for name, types in self._types.items()
        ]
        return sorted(found, key=lambda one: (-one.facts, one.name))[:limit]

    def edges(self, among: Iterable[str]) -> list[FactEdge]:
        """What nodes are to each other, that which most facts say first; ``among``: their names."""
        names = set(among)
        return [
            FactEdge(source=source, target=target, name=name, facts=count)
            for (source, target, name), count in sorted(
                self._links.items(), key=lambda one: (-one[1], one[0])
            )
            if source in names and target in names
        ]

    def _add(self, told: "_Told") -> None:
        source = self._node_of(told.subject)
        if told.relation == _NAMED or _SAID.match(told.relation):
            return
        for target, kind in self._targets(told):
            if target != source and (name := told.edge_to(target)):
                self._types.setdefault(target, Counter())[kind] += 1
                self._links[source, target, name] += 1

    def _node_of(self, subject: str) -> str:
        """The node of a subject: "Ada's sister" is who a fact names so, and is linked with Ada."""
        owner, apostrophe, role = subject.partition("'s ")
        by_name = role[:1].isupper()
        name = role if by_name else self._names.get(subject, subject) if role else subject
        self._types.setdefault(name, Counter())["person"] += 1
        if apostrophe and not by_name:
            self._links[self._node_of(owner), name, role] += 1
        return name

    def _targets(self, told: "_Told") -> Iterator[tuple[str, NodeType]]:
        """What a fact is about beside its subject: the names in its object, or a short object itself."""
        value, kind = told.object, next((one for one, words in _TOLD if words.match(told.relation)), None)
        named = [name for name in told.entities if name not in {"User", told.subject} and name in value]
        for name in named:
            yield name, self._type_of(name, kind, located=_LOCATED.search(value[: value.index(name)]))
        short = _ARTICLE.sub("", value, count=1) if _ARTICLE.match(value) else value
        known = f"{told.subject}'s {short}" in self._names
        is_number = _DIGIT.search(short) or NUMBER_WORDS.keys() >= set(re.split("[ -]", short))
        names_nothing = _NO_NAME.match(short) is not None
        if not (named or known or is_number or names_nothing) and len(short.split()) <= _MOST_WORDS:
            yield short, kind or "thing"

    def _type_of(self, name: str, told: NodeType | None, *, located: re.Match[str] | None) -> NodeType:
        if name in PLACES:
            return "place"
        if name in self._names.values() or name.partition(" ")[0] in GIVEN:
            return "person" if told != "organisation" else told
        return told or ("place" if located else "thing")


class _Told(NamedTuple):
    """The parts of a fact; one that has no such part has "" for it.

    ``in_full``: what it says is told by its sentence alone, since it denies something or tells of the past.
    """

    subject: str
    relation: str
    object: str
    entities: Sequence[str]
    in_full: bool
    said: str

    def edge_to(self, target: str) -> str:
        """What stands between the subject and a target; "" if that is a long story."""
        before = self.object.partition(target)[0].removesuffix("the ")
        if self.in_full:  # "User does not eat pork.", "User used to be a member of the choir."
            words = self.said.removeprefix(self.subject).partition(target)[0].removesuffix("the ").split()
        else:
            words = f"{self.relation} {'' if _ARTICLE.fullmatch(before) else before}".split()
        return " ".join(words) if len(words) <= _MOST_WORDS + 1 + self.in_full else ""

    @classmethod
    def by(cls, fact: MemoryRecord) -> "_Told":
        parts = (fact.metadata.get(name) for name in ("subject", "relation", "object"))
        subject, relation, value = (part if isinstance(part, str) else "" for part in parts)
        in_full = bool(fact.metadata.get("negated") or fact.metadata.get("past"))
        return cls(subject, relation, value, fact.labels.entities, in_full, fact.content)


def _most(types: Counter[NodeType]) -> NodeType:
    """The type that most facts say; a thing only where none says more."""
    told: Sequence[NodeType] = [kind for kind in NODE_TYPES if kind != "thing" and types[kind]]
    return max(told, key=lambda kind: types[kind], default="thing")
