"""What calls return: results of adding, found memories, contexts, explanations, counts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, get_args

from recollect.types.characters import one_line
from recollect.types.guesses import Result
from recollect.types.records import JSON, WORDS_SHOWN, Change, MemoryRecord, line_of

AddStatus = Literal["stored", "duplicate", "deleted", "redacted", "refused"]
"""What became of an item given to ``add``."""

CorePart = Literal["critical", "health", "instruction", "name", "home", "work", "people"]
"""A part of the core of a context: what must be known whatever is asked, in the order of its lines."""
CORE_PARTS: tuple[CorePart, ...] = get_args(CorePart)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class AddResult(Result):
    """What became of one item given to ``add``.

    Attributes:
        id: The memory's id; for a duplicate the id of the one already there, or deleted and not purged; None
            when refused.
        status: ``stored``, ``duplicate``, ``deleted`` (it was, under the same key), ``redacted`` (stored with
            a secret or personal data masked) or ``refused``.
        reason: Why, for everything but ``stored``; and where its timestamp is over a year ahead, that.
    """

    id: str | None
    status: AddStatus
    reason: str | None = None

    def __repr__(self) -> str:
        why = f": {one_line(self.reason, most=WORDS_SHOWN)}" if self.reason else ""
        return f"<AddResult {self.id} {self.status}{why}>"

    def to_dict(self) -> dict[str, JSON]:
        """``id``, ``status`` and ``reason``."""
        return {"id": self.id, "status": self.status, "reason": self.reason}


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeat:
    """A memory with the same words as another, by the same speaker."""

    id: str
    happened_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Superseded:
    """What newer words did to older ones.

    Attributes:
        by: The id of the memory that holds the newer words; where a person ended a fact, of that fact.
        until: Until when the older ones held, in the memory's time zone; None when they were corrected, or a
            person decided that they never did.
        what: The statement that was replaced, where the older words say more than that.
    """

    by: str
    until: datetime | None = None
    what: str | None = None

    def __str__(self) -> str:
        until = self.until
        if until is None:
            return f"not true: {self.what}" if self.what else "corrected later"
        said = f"until {until.day} {until:%B} {until.year}"
        return f"{said}: {self.what}" if self.what else said


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Recollection(Result):
    """A memory found by a question, with what made its score.

    Attributes:
        memory: The memory.
        score: Higher is better; 0 to 1, unless the scoring in use says otherwise.
        signals: What was measured, each 0 to 1, by name.
        terms: What each signal added to the score, by the same names; they sum up to ``score``.
        matched_tags: Tags of the memory that the question shares, where the scoring looks at tags.
        id: That of the memory; so are ``content``, ``metadata`` and ``created_at``.
        via: The fact or episode through which the memory was found: score, signals and terms are its own.
        repeats: The memories with the same words by the same speaker that this one stands for, newest first.
        superseded: What replaced its words; it stands before this one where it fits the question, too.
    """

    memory: MemoryRecord
    score: float
    signals: Mapping[str, float]
    terms: Mapping[str, float]
    matched_tags: tuple[str, ...] = ()
    via: MemoryRecord | None = None
    repeats: tuple[Repeat, ...] = ()
    superseded: Superseded | None = None

    def __repr__(self) -> str:
        return f"<{self.score:.3f} {line_of(self.memory)}>"

    @property
    def id(self) -> str:
        """The memory's id."""
        return self.memory.id

    @property
    def content(self) -> str:
        """The memory's words."""
        return self.memory.content

    @property
    def metadata(self) -> Mapping[str, JSON]:
        """The memory's metadata."""
        return self.memory.metadata

    @property
    def created_at(self) -> datetime:
        """When the memory was stored."""
        return self.memory.times.created_at

    def to_dict(self) -> dict[str, JSON]:
        """``score``, ``MemoryRecord.to_dict``, ``citation``, ids of ``via`` and ``repeats``, ``superseded``.

        ``superseded`` is said in words, such as "until 3 March 2026".
        """
        return {
            "score": self.score,
            **self.memory.to_dict(),
            "citation": self.memory.citation,
            "via": self.via.id if self.via else None,
            "repeats": [one.id for one in self.repeats],
            "superseded": str(self.superseded) if self.superseded else None,
        }

    def explain(self) -> str:
        """The score and its terms in words, the largest first; terms that added nothing are left out."""
        terms = sorted(self.terms.items(), key=lambda term: (-abs(term[1]), term[0]))
        parts = [f"{name} {value:+.3f} (signal {self.signals[name]:.3f})" for name, value in terms if value]
        shared = f"; shared tags: {', '.join(self.matched_tags)}" if self.matched_tags else ""
        through = f"; found through the {self.via.kind} {self.via.content!r}" if self.via else ""
        said = f"; {self.times_said()}" if self.repeats else ""
        newer = f"; {self.superseded}, replaced by {self.superseded.by}" if self.superseded else ""
        sums_up = ", ".join(parts) or "nothing matched"
        return f"score {self.score:.3f} = {sums_up}{shared}{through}{said}{newer}"

    def notes(self) -> tuple[str, ...]:
        """What a reader must know beside the words: how often they were said, and whether they still hold."""
        said = (self.times_said(),) if self.repeats else ()
        return said if self.superseded is None else (*said, str(self.superseded))

    def times_said(self) -> str:
        """How often the same words were said, and since when."""
        first = min([self.memory.times.happened_at, *(one.happened_at for one in self.repeats)])
        return f"said {len(self.repeats) + 1} times since {first:%Y-%m-%d}"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class LeftOut(Result):
    """A memory that was found and is not in the context, and why."""

    memory: MemoryRecord
    score: float
    reason: str
    signals: Mapping[str, float] = field(default_factory=dict)
    terms: Mapping[str, float] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<{self.score:.3f} {line_of(self.memory)} ({self.reason})>"

    def to_dict(self) -> dict[str, JSON]:
        """``id``, ``score`` and ``reason``."""
        return {"id": self.memory.id, "score": self.score, "reason": self.reason}


@dataclass(frozen=True, slots=True, kw_only=True)
class CoreMemory:
    """A memory of the core: the part it belongs to, and how near it is to the question."""

    part: CorePart
    found: Recollection


@dataclass(frozen=True, slots=True, kw_only=True)
class Core:
    """What must be known whatever is asked, for a question.

    Attributes:
        memories: By part, in the order of ``CORE_PARTS``; in each the nearest to the question first, equal
            ones by id.
        more: How many others belong to it and were not read.
        contested: The ids of the facts, in it or not, that are a side of a conflict nobody decided.
    """

    memories: tuple[CoreMemory, ...] = ()
    more: int = 0
    contested: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Context(Result):
    """Text ready for a prompt.

    Attributes:
        text: The text; empty when nothing was worth including.
        tokens: How many tokens it has by the counter used; never more than ``budget_tokens``.
        budget_tokens: What was asked for.
        included: What went in, best first; read when it is looked at where the text needs no more than words.
            Memories that stand in the core alone, and were not found by the question, come last: their one
            signal is ``core``.
        left_out: What did not, best first, each with its reason.
        core_left_out: How many memories of the core had no room in it; ``left_out`` names the first of them.
        notes: Why the text says little, a line each: no memories of this user, nothing that fits the
            question, no room for the core or for a memory.
        cited: The ids of the parts of documents in the text, in the order of their numbers: [1] first.
    """

    text: str
    tokens: int
    budget_tokens: int
    included: Sequence[Recollection]
    left_out: tuple[LeftOut, ...]
    core_left_out: int = 0
    notes: tuple[str, ...] = ()
    cited: tuple[str, ...] = ()

    def __str__(self) -> str:
        """The text."""
        return self.text

    def __repr__(self) -> str:
        fill = f"{self.tokens} of {self.budget_tokens} tokens"
        return f"<Context {fill}, {len(self.left_out)} left out: {one_line(self.text, most=WORDS_SHOWN)}>"

    def to_dict(self) -> dict[str, JSON]:
        """``text``, ``tokens``, ``budget_tokens``, ``included``, ``left_out``, ``core_left_out`` and more."""
        return {
            "text": self.text,
            "tokens": self.tokens,
            "budget_tokens": self.budget_tokens,
            "included": [hit.to_dict() for hit in self.included],
            "left_out": [left.to_dict() for left in self.left_out],
            "core_left_out": self.core_left_out,
            "notes": list(self.notes),
            "cited": list(self.cited),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class AgedConfidence(Result):
    """What time has left of a fact's confidence, and why; see ``recollect.learning.ageing``.

    Attributes:
        value: The confidence at the moment, 0 to 1; at most the stored one.
        said_at: When the fact was last said: it ages from here.
        half_life_days: After how many days half of it is left; None where it does not age.
        relation: The row of the table of half-lives.
        changes: How many of the user's own facts of the relation changed, which count in the half-life.
        because: Where the half-life comes from.
    """

    value: float
    said_at: datetime
    half_life_days: float | None
    relation: str
    changes: int
    because: str

    @property
    def reason(self) -> str:
        """The reason in one line."""
        said = f"last said on {self.said_at:%Y-%m-%d}"
        if self.half_life_days is None:
            return f"{said}; {self.relation}: it does not age; {self.because}"
        changed = f", as {self.changes} of this user's changed" if self.changes else ""
        half = f"half is left after {_span(self.half_life_days)}{changed}"
        return f"{said}; {self.relation}: {half}; {self.because}"

    def to_dict(self) -> dict[str, JSON]:
        """Its attributes and ``reason``; ``said_at`` is ISO 8601 UTC."""
        return {
            "value": self.value,
            "said_at": self.said_at.isoformat(),
            "half_life_days": self.half_life_days,
            "relation": self.relation,
            "changes": self.changes,
            "because": self.because,
            "reason": self.reason,
        }


def _span(days: float) -> str:
    """A time in the unit in which it is a handy number.

    >>> [_span(days) for days in (1 / 3, 1.0, 60.0, 2922.0)]
    ['8 hours', '24 hours', '60 days', '8 years']
    """
    for unit, length, least in (("years", 365.25, 2.0), ("days", 1.0, 2.0)):
        if days >= least * length:
            return f"{days / length:.3g} {unit}"
    return f"{days * 24:.3g} hours"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Explanation(Result):
    """Why a memory is known, and how it fares for a question.

    Attributes:
        memory: The memory.
        recollection: Its score and terms for the question, as ``search`` returns them; None without a
            question, or when it may not be returned. Of one that something else stands for, its own.
        rank: Its place among what ``search`` returns, from 1; None when it is not returned.
        ranked: How many memories were ranked.
        importance: What time has left of the memory's importance, 0 to 1.
        confidence: What time has left of a fact's confidence, and why; None of other memories.
        sources: The memories it was derived from.
        history: What happened to it, oldest first.
        reason: Why ``search`` does not return it for the question.
    """

    memory: MemoryRecord
    recollection: Recollection | None
    rank: int | None
    ranked: int
    importance: float
    sources: tuple[MemoryRecord, ...]
    history: tuple[Change, ...]
    reason: str | None = None
    confidence: AgedConfidence | None = None

    def __repr__(self) -> str:
        placed = f" rank {self.rank} of {self.ranked}" if self.rank else ""
        return f"<Explanation{placed} of {line_of(self.memory)}>"

    def to_dict(self) -> dict[str, JSON]:
        """The explanation in short, ready for JSON.

        Returns:
            ``memory``, ``score`` and ``terms`` (None without a question, or when left out by it), ``rank``,
            ``ranked``, ``reason``, ``importance``, ``confidence``, ``sources`` and ``history``.
        """
        hit = self.recollection
        return {
            "memory": self.memory.to_dict(),
            "score": hit.score if hit else None,
            "terms": dict(hit.terms) if hit else None,
            "rank": self.rank,
            "ranked": self.ranked,
            "reason": self.reason,
            "importance": self.importance,
            "confidence": None if self.confidence is None else self.confidence.to_dict(),
            "sources": [source.to_dict() for source in self.sources],
            "history": [change.to_dict() for change in self.history],
        }

    def __str__(self) -> str:
        """The explanation in a few lines."""
        memory, origin = self.memory, self.memory.origin
        said = f"{origin.speaker or origin.role} said it on {memory.times.happened_at:%Y-%m-%d %H:%M} UTC"
        lines = [f"{memory.id}: {memory.content}", said + (f", turn {origin.turn}" if origin.thread else "")]
        lines += [f"derived from {source.id}: {source.content}" for source in self.sources]
        if (sure := self.confidence) is not None:
            lines.append(f"confidence {sure.value:.2f} of {memory.worth.confidence:.2f}: {sure.reason}")
        lines += [
            f"{change.at:%Y-%m-%d %H:%M} {change.action}" + (f": {change.reason}" if change.reason else "")
            for change in self.history
        ]
        if self.recollection is not None:
            rank = "" if self.rank is None else f"rank {self.rank} of {self.ranked}, "
            lines.append(rank + self.recollection.explain())
        if self.reason is not None:
            lines.append(f"not returned: {self.reason}")
        return "\n".join(lines)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stats:
    """What a memory holds.

    Attributes:
        memories: Live memories in the scope asked for.
        users: Users with memories; 1 or 0 when a scope was given.
        kinds: Memories of each kind, kinds without any left out.
        tiers: Memories of each tier, tiers without any left out.
        store: Where they are kept.
        embedder: Who made the vectors; None while there are none.
        dimensions: Of the vectors; 0 while there are none.
        waiting: Jobs of learning that wait or are being done: when it grows, learning falls behind.
        given_up: Jobs that failed for good; see ``Memory.jobs``.
        stored_within: How many of the memories were stored in the last ``day``, ``week`` and ``month``: how
            fast it grows.
    """

    memories: int
    users: int
    kinds: Mapping[str, int]
    tiers: Mapping[str, int]
    store: str
    embedder: str | None
    dimensions: int
    waiting: int = 0
    given_up: int = 0
    stored_within: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadResult:
    """The result of loading an exported file; ``duplicates`` were there already and stay as they are."""

    stored: int
    duplicates: int
