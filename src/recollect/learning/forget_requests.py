"""What a user asks in words to be forgotten is archived: nothing finds it, and it can be brought back.

| a request names                         | what becomes of it                                       |
|-----------------------------------------|----------------------------------------------------------|
| up to 20 messages and facts said before | they are archived, with the episodes that tell them      |
| nothing that is known                   | nothing; the agenda asks what is meant                   |
| everything, more than 20, or what is    | nothing; the agenda asks which of it                     |
| marked critical                         |                                                          |

Of several who speak by name each one's request is about what they said themselves. A message goes that has a
sentence about it; of its facts those go that this sentence says. When the request is deleted, edited or taken
back, what it archived comes back; when that is back, it is archived again.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Final, Self

from recollect.learning.core_facts import INSTRUCTION
from recollect.learning.extraction.clauses import ADVERBS
from recollect.learning.extraction.facts import Fact
from recollect.learning.extraction.forget_requests import FORGET_THAT, may_ask_to_forget
from recollect.learning.extraction.verbs import KNOWN
from recollect.learning.marks import ended
from recollect.learning.naming import Named, Naming
from recollect.learning.outcomes import Learned
from recollect.learning.parts import LearningParts
from recollect.learning.persons import NAMED
from recollect.learning.recording import fact_id_of
from recollect.learning.retraction import Unlearner
from recollect.lifecycle.archival import ARCHIVED, tier_before
from recollect.protocols import StateStore
from recollect.retrieval.request import Request
from recollect.text.memory_questions import read_memory_question
from recollect.text.traits import is_bare_question
from recollect.types import JSON, Link, MemoryRecord, Scope
from recollect.types.filters import AllOf, parse_filter
from recollect.types.regex import lazy_regex

STATE: Final = "forgotten"
"""The name under which a store keeps what was asked to be forgotten: ids and counts, no words."""
MOST_FORGOTTEN: Final = 20
"""Messages and facts that are archived by one request, at most. Chosen by hand."""
_LOOKED_AT: Final = 60
"""Messages looked at for what a request names. Chosen by hand."""
_MOST_KEPT: Final = 500
"""Requests of a user that are remembered; older ones go. Chosen by hand."""
_ASKED: Final = "asked to be forgotten: "
_TAKEN_BACK: Final = "the request to forget it was taken back: "
"""Begin reasons in histories; the id of the message that asks follows."""
_ACTIVE: Final = parse_filter({"tier": {"ne": ARCHIVED}})
_FACTS: Final = parse_filter({"kind": "fact"})
_SENTENCE: Final = lazy_regex(r"(?:[^.!?\n]|[.](?=\w))+")
_AND_THEIRS: Final = lazy_regex(r"\b and (?:his|her|their|its) ", re.IGNORECASE)
_PARTS: Final = lazy_regex(r" (?:at|with|from|in|for|by|near) ")
"""Parts what a thing is from where or whose it is: "my job at Siemens"."""
_OWN: Final = lazy_regex(r"(?:my|our)\b", re.IGNORECASE)
_BEFORE: Final = r"(?:my|our|your|his|her|their|the|an?|'s)"


def asked_by(record: MemoryRecord, reasons: Iterable[str | None]) -> str | None:
    """The id of the message that asked to forget an archived memory, by its history; None where none did.

    Args:
        record: The memory.
        reasons: Those of its changes of tier, the last one last.
    """
    last = next(iter(reversed(list(reasons))), None)
    asked = record.tier == ARCHIVED and last is not None and last.startswith(_ASKED)
    return last.removeprefix(_ASKED) if asked and last is not None else None


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetRequest:
    """A request that was read.

    Attributes:
        turn: The id of the message that asks.
        ids: What was archived for it.
        named: How many memories it names; None for everything.
    """

    turn: str
    ids: tuple[str, ...] = ()
    named: int | None = 0

    @classmethod
    def from_json(cls, kept: Mapping[str, JSON]) -> Self:
        """What ``to_json`` made."""
        ids, named = kept["ids"], kept["named"]
        if not isinstance(ids, list) or not (named is None or isinstance(named, int)):
            raise TypeError(kept)
        return cls(turn=str(kept["turn"]), ids=tuple(map(str, ids)), named=named)

    def to_json(self) -> dict[str, JSON]:
        """As plain JSON values."""
        return {"turn": self.turn, "ids": list(self.ids), "named": self.named}


class ForgetLog:
    """The requests of a user that were read."""

    def __init__(self, store: StateStore, scope: Scope) -> None:
        self._store = store
        self._scope = Scope(user_id=scope.user_id)

    def all(self) -> dict[str, ForgetRequest]:
        """By their keys, the first ones first."""
        return read_requests(self._store.state(self._scope, STATE))

    def of(self, turn: str) -> dict[str, ForgetRequest]:
        """Those of one message."""
        return {key: one for key, one in self.all().items() if one.turn == turn}

    def unclear(self) -> dict[str, int | None]:
        """The ids of messages that name nothing known or too much, with how many memories; None for all."""
        return {one.turn: one.named for one in self.all().values() if not one.ids}

    def keep(self, key: str, request: ForgetRequest) -> None:
        """Remember a request."""
        self._change(lambda known: {**known, key: request})

    def drop(self, keys: Iterable[str]) -> None:
        """Forget requests, so that they are read anew."""
        gone = frozenset(keys)
        self._change(lambda known: {key: one for key, one in known.items() if key not in gone})

    def _change(self, change: Callable[[dict[str, ForgetRequest]], dict[str, ForgetRequest]]) -> None:
        def changed(kept: str | None) -> str | None:
            left = list(change(read_requests(kept)).items())[-_MOST_KEPT:]
            return json.dumps({key: one.to_json() for key, one in left}) if left else None

        self._store.change_state(self._scope, STATE, changed)


def read_requests(kept: str | None) -> dict[str, ForgetRequest]:
    """What a ``ForgetLog`` wrote."""
    return {key: ForgetRequest.from_json(one) for key, one in json.loads(kept or "{}").items()}


class Forgetter:
    """Archives what a user asks to be forgotten."""

    def __init__(self, parts: LearningParts, unlearner: Unlearner) -> None:
        self._parts = parts
        self._unlearner = unlearner

    def forget(self, fact: Fact, source: MemoryRecord) -> Learned:
        """Do what a message asks; nothing where that was done before."""
        user = Scope(user_id=source.scope.user_id, agent_id=source.scope.agent_id)
        log, key = ForgetLog(self._parts.store, user), fact_id_of(fact.text, source.id)
        if key in log.all():
            return Learned()
        if fact.object is None:
            log.keep(key, ForgetRequest(turn=source.id, named=None))
            return Learned(unclear=1)
        found = _Search(self._parts, user, fact, source).found
        if not 0 < len(found) <= MOST_FORGOTTEN or self._are_critical(user, found):
            log.keep(key, ForgetRequest(turn=source.id, named=len(found)))
            return Learned(unclear=1)
        ids = [*found, *self._telling(user, found)]
        log.keep(key, ForgetRequest(turn=source.id, ids=tuple(ids), named=len(found)))
        self._end_rules(user, ids, source)
        self._put_away(user, ids, source.id)
        return Learned(forgotten=len(found))

    def _are_critical(self, user: Scope, ids: Sequence[str]) -> bool:
        """Whether somebody marked one of them, or a fact that one of them says, as what never fades."""
        facts = [one for turn in ids for one in self._unlearner.facts_of(user, turn)]
        found = (*self._parts.store.get(user, ids), *facts)
        return any(one.worth.critical for one in found if one is not None)

    def _end_rules(self, user: Scope, ids: Sequence[str], source: MemoryRecord) -> None:
        """Let instructions end, which hold in the archive, too."""
        found = self._parts.store.get(user, ids)
        rules = [one.id for one in found if one is not None and one.labels.category == INSTRUCTION]
        if rules:
            links = [Link(source_id=source.id, target_id=one, type="supersedes") for one in rules]
            self._parts.store.link(user, links)
            end = partial(ended, at=source.times.happened_at, by=source.id)
            self._unlearner.update(user, rules, end, f"{_ASKED}{source.id}")

    def take_back(self, user: Scope, turn: str, *, anew: bool = False) -> None:
        """Bring back what was archived because a message asked for it, which it does no longer.

        With ``anew`` the message is read again, as after an edit.
        """
        log = ForgetLog(self._parts.store, user)
        requests = log.of(turn)
        for one in self._parts.store.get(user, [id_ for each in requests.values() for id_ in each.ids]):
            history = [] if one is None else self._parts.store.history(user, one.id)
            moved = [change.reason for change in history if "tier" in change.after]
            if one is not None and asked_by(one, moved) == turn:
                back = partial(replace, tier=tier_before(history))
                self._unlearner.update(user, [one.id], back, f"{_TAKEN_BACK}{turn}")
        if anew and requests:
            log.drop(requests)

    def ask_again(self, user: Scope, turn: str) -> None:
        """Archive again what a message asked to forget that is back."""
        for one in ForgetLog(self._parts.store, user).of(turn).values():
            self._put_away(user, one.ids, turn)

    def _put_away(self, user: Scope, ids: Sequence[str], turn: str) -> None:
        found = self._parts.store.get(user, ids)
        active = [one.id for one in found if one is not None and one.tier != ARCHIVED]
        if active:
            self._unlearner.update(user, active, partial(replace, tier=ARCHIVED), f"{_ASKED}{turn}")

    def _telling(self, user: Scope, ids: Sequence[str]) -> list[str]:
        """The episodes that tell messages."""
        about = self._unlearner.about(user, ids)
        return [
            one.id for one in about if one.kind == "episode" and not set(ids).isdisjoint(one.origin.sources)
        ]


class _Search:
    """What a request names, among what was said before it."""

    def __init__(self, parts: LearningParts, user: Scope, fact: Fact, source: MemoryRecord) -> None:
        self._parts = parts
        self._user = user
        self._naming = Naming(parts.analyser)
        self._source = source
        self._thing = _AND_THEIRS.sub(" ", fact.object or "")
        self._claims = fact.relation == FORGET_THAT
        self._former = fact.past

    @cached_property
    def found(self) -> list[str]:
        """The ids of the facts and messages."""
        facts = [one for one in self._facts if self._is_named(one.content, one)]
        if self._former:
            facts = self._former_of(facts)
        said = {turn for one in facts for turn in one.origin.sources}
        messages = {} if self._former else {one.id: one for one in self._messages()}
        told = [one for one in self._facts if self._is_said_in(one, messages)]
        known = self._parts.store.get(self._user, sorted(said - messages.keys()))
        sources = [one.id for one in known if one is not None and one.tier != ARCHIVED]
        return list(dict.fromkeys(one for one in (*(f.id for f in (*facts, *told)), *messages, *sources)))

    @cached_property
    def _facts(self) -> list[MemoryRecord]:
        every = self._parts.store.find(self._user, AllOf((_ACTIVE, _FACTS)))
        return [
            one
            for one in every
            if one.times.happened_at <= self._source.times.happened_at
            and self._source.id not in one.origin.sources
            and self._is_of_asker(one)
        ]

    def _is_of_asker(self, memory: MemoryRecord) -> bool:
        """Whether a memory was said by who asks, or by nobody with a name."""
        asker = self._source.origin.speaker
        if asker is None:
            return True
        said = self._parts.store.get(self._user, memory.origin.sources) if memory.kind == "fact" else [memory]
        return any(one is None or one.origin.speaker in {None, asker} for one in said or [None])

    def _messages(self) -> Iterator[MemoryRecord]:
        request = Request(
            query=self._thing, top_k=_LOOKED_AT, now=self._parts.clock(), kinds=("message",), ended=True
        )
        for hit in self._parts.recall.search(self._user, request):
            said = hit.memory.content
            asks = is_bare_question(said) or read_memory_question(said) is not None or may_ask_to_forget(said)
            if (
                self._is_before(hit.memory)
                and self._is_of_asker(hit.memory)
                and any(self._sentences(said))
                and not asks
            ):
                yield hit.memory

    def _is_before(self, message: MemoryRecord) -> bool:
        asked = self._source
        place = (message.times.happened_at, message.origin.turn)
        return message.id != asked.id and place < (asked.times.happened_at, asked.origin.turn)

    def _sentences(self, text: str) -> Iterator[str]:
        """The sentences of a message that are about it."""
        return (one.group() for one in _SENTENCE.finditer(text) if self._is_named(one.group()))

    def _is_said_in(self, fact: MemoryRecord, messages: Mapping[str, MemoryRecord]) -> bool:
        """Whether a sentence of a message says a fact that is about what is named."""
        quote = " ".join(str(fact.metadata.get("quote") or "").split())
        told = (messages[one].content for one in fact.origin.sources if one in messages)
        sentences = (" ".join(one.split()) for text in told for one in self._sentences(text))
        return quote != "" and any(quote in one or one in quote for one in sentences)

    def _former_of(self, facts: Sequence[MemoryRecord]) -> list[MemoryRecord]:
        """Those that are over; where none is, those that were said before the last one."""
        now = max(self._parts.clock(), self._source.times.happened_at)
        over = [one for one in facts if one.times.valid_until is not None and one.times.valid_until <= now]
        last = max((one.times.happened_at for one in facts), default=now)
        return over or [one for one in facts if one.times.happened_at < last]

    def _is_named(self, text: str, fact: MemoryRecord | None = None) -> bool:
        """Whether a text is about what is named, or says what is claimed."""
        if self._claims:
            wanted = self._naming.telling(self._thing)
            return len(wanted) > 1 and wanted <= self._naming.terms(text)
        return self._is_placed(text) and any(
            self._naming.is_about(named, text, fact) and more <= self._naming.terms(text)
            for named, more in self._ways
        )

    def _is_placed(self, text: str) -> bool:
        """Whether "my back" is named as a thing, and not as in "I came back"."""
        noun = _OWN.sub("", self._thing).strip().lower()
        if not _OWN.match(self._thing) or not (noun in ADVERBS or noun in KNOWN):
            return True
        return re.search(rf"{_BEFORE} {re.escape(noun)}\b", text.replace("\u2019", "'").lower()) is not None

    @cached_property
    def _ways(self) -> list[tuple[Named, frozenset[str]]]:
        """The ways in which it may be named: "my job at Siemens" also by what works at Siemens."""
        names = [one for one in self._facts if one.metadata.get("relation") == NAMED]
        ways = [(self._naming.named(self._thing, names), frozenset[str]())]
        head, *rest = _PARTS.split(self._thing)
        if rest:
            more = frozenset(self._naming.telling(" ".join(rest)))
            ways.append((self._naming.named(head, names), more))
        return ways
