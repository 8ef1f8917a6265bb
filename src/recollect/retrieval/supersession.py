"""Which words newer words replaced: known from facts that ended, and from turns that were edited.

Facts that ended say what ended them, or which fact a person kept instead, and which turns said them; so
nothing has to be kept for them, and what is deleted or brought back changes this with them. Of edits a store
keeps ids, never words.
"""

import json
import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain, product
from typing import Final
from weakref import WeakKeyDictionary

import numpy as np

from recollect.protocols import Store
from recollect.retrieval.shadow import Shadow
from recollect.retrieval.surroundings import ASSISTANT
from recollect.text.analyse import Analyser, hash_term
from recollect.types import JSON, MemoryRecord, Scope
from recollect.types.characters import one_line
from recollect.types.filters import parse_filter
from recollect.types.regex import lazy_regex

STATE: Final = "corrected"
"""The name under which a store keeps which turns repeat words that an edit removed: ids of memories."""
_ECHOES: Final = 2
"""Turns of an assistant, right behind what was said, that may repeat it. Chosen by hand."""

_MOSTLY: Final = 0.5
"""The share of a turn's stems that a fact must hold to be most of what it says. Chosen by hand."""

_NAMED: Final = 100
"""Characters of a fact that a mark names. Chosen by hand."""
_AS_IT_STOOD: Final = "said"
"""The relation of a fact that is a statement in its own words."""
_CLAUSES: Final = lazy_regex(r"[,;:.!?]\s|\s(?:and|but|so|because)\s")
_NAMES: Final = lazy_regex(r"(?<=\s)[^\W\d_a-z][\w'-]*|\S*\d\S*")

ReplacedBy = Callable[[MemoryRecord], Mapping[str, datetime | None]]
"""The ids of the facts and turns that replaced a fact, and until when it held; None where it never did."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Newer:
    """What replaced the words of a turn.

    Attributes:
        turn: The id of the turn that says the newer words; the older turn where a person ended what it says.
        fact: The fact that was learned from it and ended the older one; None when there is none. Where a
            person ended the older one, that fact.
        until: Until when the older words held; None when they were corrected, or a person dropped them.
        about: The stems of the fact that ended, without its owner and the value that was replaced: of "Ada's
            cat is named Miso" those of "cat" and "named". A question that holds one asks for the value.
        value: The stems of the value that was replaced; a question with one asks for the older words.
        what: The fact that ended, where the older turn states more than that.
        besides: The other stems of the older turn, where they are fewer; None where it says much else.
        sure: False of an answer that says much else and only holds a word of the value.
    """

    turn: str
    fact: str | None = None
    until: datetime | None = None
    about: frozenset[str] = frozenset()
    value: frozenset[str] = frozenset()
    what: str | None = None
    besides: frozenset[str] | None = None
    sure: bool = True

    def fits(self, asked: Collection[str]) -> bool:
        """Whether a question that finds the older words asks for what replaced them, by its stems."""
        if not self.about.isdisjoint(asked):
            return True
        return self.besides is not None and not (self.value | self.besides).intersection(asked)


Replaced = Mapping[str, Sequence[Newer]]
"""By the id of a turn what replaced its words."""


class Supersessions:
    """What replaced what, for the users whose shadows are held.

    Args:
        store: Where the memories are.
        analyser: Cuts values into words.
        replaced_by: Tells what replaced a fact.
    """

    def __init__(self, store: Store, *, analyser: Analyser, replaced_by: ReplacedBy) -> None:
        self._store = store
        self._analyser = analyser
        self._replaced_by = replaced_by
        self._known: WeakKeyDictionary[Shadow, _Known] = WeakKeyDictionary()
        self._lock = threading.Lock()

    def of(self, shadow: Shadow, scope: Scope) -> Replaced:
        """What replaced the turns of a user; read anew only where facts ended since the last call.

        Args:
            shadow: The user's, which nobody else changes meanwhile.
            scope: Whose.
        """
        with self._lock:
            known = self._known.setdefault(shadow, _Known())
        if known.version != shadow.version:
            self._refresh(known, shadow, Scope(user_id=scope.user_id))
        return known.replaced

    def _refresh(self, known: "_Known", shadow: Shadow, user: Scope) -> None:
        fact = shadow.names["kind"].numbers.get("fact", -1)
        has_ended = shadow["valid_until"] < np.iinfo(np.int64).max
        rows = np.flatnonzero(has_ended & (shadow["kind"] == fact) & shadow["alive"]).tolist()
        new = [row for row in rows if row not in known.by_fact]
        fresh = dict.fromkeys(new, ()) | self._read(shadow, user, new)
        known.by_fact = {row: fresh.get(row) or known.by_fact.get(row, ()) for row in rows}
        replaced: dict[str, list[Newer]] = {}
        for older, newer in chain(self._corrected(user), *known.by_fact.values()):
            replaced.setdefault(older, []).append(newer)
        known.replaced, known.version = replaced, shadow.version

    def _corrected(self, user: Scope) -> Iterator[tuple[str, Newer]]:
        kept = self._store.state(user, STATE)
        yield from ((older, Newer(turn=turn)) for older, turn in json.loads(kept or "{}").items())

    def _read(
        self, shadow: Shadow, user: Scope, rows: Sequence[int]
    ) -> dict[int, Sequence[tuple[str, Newer]]]:
        """Which turns ended facts replaced, and by what, by their rows."""
        if not rows:
            return {}
        facts = dict(zip(rows, self._store.get(user, [shadow.id_of(row) for row in rows]), strict=True))
        ended = {row: one for row, one in facts.items() if one is not None and self._replaced_by(one)}
        ids = {by for one in ended.values() for by in self._replaced_by(one)}
        ids |= {turn for one in ended.values() for turn in one.origin.sources}
        known = {one.id: one for one in self._store.get(user, sorted(ids)) if one is not None}
        places = _rows_of(shadow, {turn for one in ended.values() for turn in one.origin.sources})
        return {row: list(self._pairs(shadow, one, known, places)) for row, one in ended.items()}

    def _pairs(
        self,
        shadow: Shadow,
        fact: MemoryRecord,
        known: Mapping[str, MemoryRecord],
        places: Mapping[str, int],
    ) -> Iterator[tuple[str, Newer]]:
        for by, until in self._replaced_by(fact).items():
            if (ender := known.get(by)) is None:
                continue
            learned = ender.kind == "fact"
            turns = ender.origin.sources if learned else (ender.id,)
            if by == fact.id:
                yield from self._ended_by_hand(fact, until, known)
                continue
            older = [turn for turn in fact.origin.sources if turn not in turns]
            about, value = self._about(fact, ender)
            echoes = _echoes(shadow, sorted(places[turn] for turn in older if turn in places), value)
            fact_id = ender.id if learned else None
            newer = Newer(turn="", fact=fact_id, until=until, about=about, value=value)
            for said, turn in product((*older, *echoes), turns):
                words = known.get(said)
                more = None if words is None else self._besides(words, about | value)
                what = None if words is None else _one_of_several(fact, words)
                sure = said in older or more is not None
                yield said, replace(newer, turn=turn, what=what, besides=more, sure=sure)

    def _ended_by_hand(
        self, fact: MemoryRecord, until: datetime | None, known: Mapping[str, MemoryRecord]
    ) -> Iterator[tuple[str, Newer]]:
        """The turns that said what a person ended, each marked by itself: nobody said newer words."""
        for turn in fact.origin.sources:
            if (words := known.get(turn)) is not None:
                yield turn, Newer(turn=turn, fact=fact.id, until=until, what=_one_of_several(fact, words))

    def _about(self, fact: MemoryRecord, ender: MemoryRecord) -> tuple[frozenset[str], frozenset[str]]:
        """The stems of what a fact that ended was about, and of the value that was replaced.

        Of a statement that was kept as it stood, the clauses count that share a word with what ended it, and
        its names and numbers are the value.
        """
        words, newer = str(fact.metadata.get("object") or ""), self._stems(ender.content)
        content, value = fact.content, words
        if fact.metadata.get("relation") == _AS_IT_STOOD:
            near = [part for part in _CLAUSES.split(words) if self._stems(part) & newer]
            content = " ".join(near or [words])
            value = " ".join(_NAMES.findall(content))
        owner, _, _ = str(fact.metadata.get("subject") or "").partition("'s ")
        replaced = self._stems(value) - (newer if fact.metadata.get("relation") != _AS_IT_STOOD else set())
        return frozenset(self._stems(content) - self._stems(owner) - replaced), frozenset(replaced)

    def _besides(self, turn: MemoryRecord, about: AbstractSet[str]) -> frozenset[str] | None:
        """The stems of a turn that a fact lacks; None where they are more than those that it has."""
        stems = self._stems(turn.content)
        return frozenset(stems - about) if len(stems & about) >= _MOSTLY * len(stems) else None

    def _stems(self, text: JSON) -> set[str]:
        return set(self._analyser.query_stems(text)) if isinstance(text, str) and text.strip() else set()


def _one_of_several(fact: MemoryRecord, turn: MemoryRecord) -> str | None:
    """A fact in words, where its turn states more than that."""
    as_it_stood = fact.metadata.get("relation") == _AS_IT_STOOD
    alone = as_it_stood or not _CLAUSES.search(turn.content.strip())
    return None if alone else one_line(fact.content.rstrip("."), most=_NAMED)


class _Known:
    """What is known of one shadow.

    Attributes:
        version: Of the shadow that was read.
        by_fact: By the rows of facts that ended: the turns that said them, and what replaced those.
        replaced: By the ids of all such turns, and of those whose words an edit removed.
    """

    def __init__(self) -> None:
        self.version = -1
        self.by_fact: dict[int, Sequence[tuple[str, Newer]]] = {}
        self.replaced: Replaced = {}


def reached(replaced: Replaced, turns: Iterable[str]) -> dict[str, Sequence[Newer]]:
    """What replaced some turns, and what replaced that, and so on."""
    found: dict[str, Sequence[Newer]] = {}
    waiting = [one for one in turns if one in replaced]
    while waiting:
        older = waiting.pop()
        if older not in found:
            found[older] = replaced[older]
            waiting += [one.turn for one in replaced[older] if one.turn in replaced]
    return found


def _rows_of(shadow: Shadow, ids: AbstractSet[str]) -> dict[str, int]:
    """The rows of those of some memories that are there."""
    wanted = np.isin(shadow["ids"], [one.encode() for one in ids]) & shadow["alive"]
    return {shadow.id_of(row): row for row in np.flatnonzero(wanted).tolist()}


def _echoes(shadow: Shadow, said: Sequence[int], value: Iterable[str]) -> list[str]:
    """The assistant's turns right behind some turns, given by their rows, that repeat a value."""
    behind = [row for one in said for row in _answers(shadow, one)]
    holders = [shadow.postings.find(hash_term(stem))[0] for stem in value] if behind else []
    if not holders:
        return []
    repeats = np.isin(behind, np.concatenate(holders)).tolist()
    return [shadow.id_of(row) for row, is_one in zip(behind, repeats, strict=True) if is_one]


def _answers(shadow: Shadow, row: int) -> Iterator[int]:
    """The rows of the assistant's turns right behind one."""
    assistant = shadow.names["role"].numbers.get(ASSISTANT, -1)
    for _ in range(_ECHOES):
        row = int(shadow["after"][row])
        if row < 0 or shadow["role"][row] != assistant:
            break
        yield row


def note_correction(store: Store, before: MemoryRecord, content: str, *, analyser: Analyser) -> None:
    """Store which turns of an assistant repeat what an edit of ``before`` to ``content`` removes.

    A turn that says what the new words say is no longer one of them.
    """
    if not before.origin.thread or before.kind != "message":
        return
    old, new = (set(analyser.query_stems(text)) for text in (before.content, content))
    user = Scope(user_id=before.scope.user_id)
    turn = before.origin.turn
    where = {"thread": before.origin.thread, "turn": {"gt": turn, "lte": turn + _ECHOES}}
    echoes: dict[str, bool] = {}
    for one in sorted(store.find(user, parse_filter(where)), key=lambda one: one.origin.turn):
        if one.origin.role != ASSISTANT:
            break
        words = set(analyser.stems(one.content))
        if words & (old ^ new):
            echoes[one.id] = bool(words & (old - new)) and not words & (new - old)
    if not echoes:
        return

    def change(kept: str | None) -> str | None:
        known = {older: by for older, by in json.loads(kept or "{}").items() if echoes.get(older, True)}
        known |= {older: before.id for older, repeats in echoes.items() if repeats}
        return json.dumps(known) if known else None

    store.change_state(user, STATE, change)
