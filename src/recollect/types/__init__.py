"""What Recollect keeps and returns: small frozen dataclasses, grouped by meaning.

Times are aware UTC ``datetime`` objects. Numbers called importance, confidence or score of a signal
lie in 0 to 1. Ids are UUIDv7 strings, so they sort by when they were made.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final, Literal, TypeAlias, get_args

from recollect.types.characters import one_line
from recollect.types.guesses import Result

JSON: TypeAlias = "bool | int | float | str | Sequence[JSON] | Mapping[str, JSON] | None"
"""Any value that JSON can hold."""

Kind = Literal["message", "episode", "fact", "procedure", "document", "thought", "task"]
"""What a memory is."""
KINDS: tuple[Kind, ...] = get_args(Kind)

Tier = Literal["working", "short-term", "long-term", "archived"]
"""Where a memory stands in its life."""
TIERS: tuple[Tier, ...] = get_args(Tier)
TIER: Final[Tier] = "long-term"
"""That of a memory of which nobody says more."""

AddStatus = Literal["stored", "duplicate", "deleted", "redacted", "refused"]
"""What became of an item given to ``add``."""

HowUsed = Literal["helped", "shown", "reinforced"]
"""What use was made of a memory; see ``Memory.use``."""
ChangeAction = Literal["add", "update", "delete", "feedback", "use", "reinforce", "recover"]
"""What an entry of the change log records."""

Grain = Literal["minute", "hour", "day", "week", "month", "year"]
"""How exactly words name a time."""

DateRelation = Literal["at", "by", "since", "until", "before", "after"]
"""How words relate to the time they name."""

Priority = Literal["low", "medium", "high"]
"""How pressing something is."""
PRIORITIES: tuple[Priority, ...] = get_args(Priority)

CorePart = Literal["critical", "health", "instruction", "name", "home", "work", "people"]
"""A part of the core of a context: what must be known whatever is asked, in the order of its lines."""
CORE_PARTS: tuple[CorePart, ...] = get_args(CorePart)

ParameterKind = Literal["email", "url", "quantity", "money", "duration", "path", "pair", "person"]
"""What a detail found in a text is."""


SUMMARY_CHARACTERS: Final = 200
"""The most a summary has: about fifty tokens, two or three sentences. Chosen by hand."""
_ID_SHOWN: Final = 13
"""Characters of an id in a ``repr``: those of a UUIDv7 that tell milliseconds apart."""
_WORDS_SHOWN: Final = 50
"""Characters of a text in a ``repr``, so that it has about 100. Chosen by hand."""


def _iso(moment: datetime | None) -> str | None:
    return None if moment is None else moment.astimezone(UTC).isoformat()


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Whose memories are meant. Every store method takes one and never looks outside it.

    Attributes:
        user_id: The person or tenant; required, never blank.
        agent_id: Only memories of this agent, when given.
        session_id: Only memories of this session, when given.
    """

    user_id: str
    agent_id: str | None = None
    session_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tag:
    """A label with how sure we are of it.

    Attributes:
        text: The tag as shown.
        confidence: 0 to 1.
        approved: True when a person set or confirmed it.
    """

    text: str
    confidence: float = 1.0
    approved: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DateSpan:
    """Words that name a time, and the time they name.

    Attributes:
        text: The words, as they stand.
        place: Where they start and end in the text.
        start: Aware UTC.
        end: Aware UTC, exclusive; after ``start``.
        grain: How exactly the time is named.
        relation: ``at`` for the time itself, ``by`` for a deadline, and so on.
    """

    text: str
    place: tuple[int, int]
    start: datetime
    end: datetime
    grain: Grain
    relation: DateRelation = "at"


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """A detail that words state.

    Attributes:
        kind: What it is.
        text: The words, as they stand.
        place: Where they start and end in the text.
        name: The key of a ``pair``, or of a pair whose value this is ("budget: $500").
        value: The number of a quantity or an amount of money; a duration in seconds.
        unit: Of a quantity its unit, of money its ISO 4217 code, of a duration ``s``.
    """

    kind: ParameterKind
    text: str
    place: tuple[int, int]
    name: str | None = None
    value: float | None = None
    unit: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Labels:
    """What a memory is about.

    Attributes:
        tags: Approved and automatic ones.
        concepts: Names of concepts.
        entities: Names of people, places and things.
        category: What a preset sorts it under.
        emotion: What is felt.
        language: ISO 639-1.
        dates: The times its words name, read as of when it happened.
        parameters: The details its words state.
    """

    tags: tuple[Tag, ...] = ()
    concepts: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    category: str | None = None
    emotion: str | None = None
    language: str | None = None
    dates: tuple[DateSpan, ...] = ()
    parameters: tuple[Parameter, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Worth:
    """How much a memory matters and how sure it is.

    Attributes:
        importance: 0 to 1, as of ``Times.accessed_at`` or else ``created_at``; what is left of it later
            is a function of time, see ``recollect.lifecycle.decay``.
        confidence: 0 to 1.
        priority: How pressing its words are; None when they do not say.
        critical: It never fades.
        factors: What each factor added to an importance that was worked out from the words; empty
            when the importance was given.
    """

    importance: float = 0.5
    confidence: float = 1.0
    priority: Priority | None = None
    critical: bool = False
    factors: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Times:
    """When things were so.

    Attributes:
        created_at: When it was stored here.
        happened_at: When it was said or took place; equals ``created_at`` unless given.
        updated_at: When it last changed here.
        valid_from: Since when it holds; None means since ``happened_at``.
        valid_until: Until when it holds (exclusive); None means it still does.
        accessed_at: When it was last used, reinforced or given an importance: it fades from here.
    """

    created_at: datetime
    happened_at: datetime
    updated_at: datetime
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    accessed_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reinforcement:
    """A time at which a memory was called valuable.

    Attributes:
        at: When.
        reason: What the caller gave.
    """

    at: datetime
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """How a memory has been used.

    Attributes:
        access_count: How often a preset counted it as retrieved.
        usage_count: How often it helped to answer (``track_usage``).
        reinforced_count: How often it was reinforced.
        reinforcements: The latest of those, oldest first; all of them stand in its history.
        useful_count: How often feedback called it useful.
        unhelpful_count: How often feedback called it unhelpful.
        decay_factor: A preset's multiplier, as of ``Times.accessed_at``, else ``created_at``; 1 is untouched.
    """

    access_count: int = 0
    usage_count: int = 0
    reinforced_count: int = 0
    reinforcements: tuple[Reinforcement, ...] = ()
    useful_count: int = 0
    unhelpful_count: int = 0
    decay_factor: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where a memory comes from.

    Attributes:
        speaker: The name of who said it.
        role: ``user``, ``assistant``, ``system``, ``tool`` or what the caller uses.
        thread: The conversation it stands in: equal for memories that are neighbours in time of
            one session, or of one ``add`` call without a session.
        turn: Its place in the thread, from 0.
        sources: Ids of the memories it was derived from.
        extractor: What derived it.
        prompt_id: The prompt that derived it.
    """

    speaker: str | None = None
    role: str = "user"
    thread: str = ""
    turn: int = 0
    sources: tuple[str, ...] = ()
    extractor: str | None = None
    prompt_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class MemoryRecord(Result):
    """One memory. Its ``repr`` is one line; ``to_dict`` gives what most programs need of it.

    Attributes:
        content: The words.
        created_at: When it was stored: ``times.created_at``.
    """

    id: str
    scope: Scope
    content: str
    times: Times
    kind: Kind = "message"
    tier: Tier = TIER
    summary: str | None = None
    labels: Labels = Labels()
    worth: Worth = Worth()
    use: Use = Use()
    origin: Origin = Origin()
    metadata: Mapping[str, JSON] = field(default_factory=dict)
    idempotency_key: str | None = None

    def __repr__(self) -> str:
        return f"<{self.kind} {self._line()}>"

    def _line(self) -> str:
        who = one_line(self.origin.speaker or self.origin.role, most=20)
        said = one_line(self.content, most=_WORDS_SHOWN)
        return f"{self.id[:_ID_SHOWN]} {self.times.happened_at:%Y-%m-%d} {who}: {said}"

    @property
    def created_at(self) -> datetime:
        """When it was stored."""
        return self.times.created_at

    def to_dict(self) -> dict[str, JSON]:
        """The memory in short, ready for JSON; the keys are always the same.

        Returns:
            ``id``, ``content``, ``kind``, ``role``, ``speaker``, ``happened_at``, ``created_at``,
            ``valid_until``, ``category``, ``tags``, ``importance``, ``confidence``, ``metadata``,
            ``user_id``, ``agent_id``, ``session_id``. Times are ISO 8601 UTC; what is unknown is None.
        """
        return {
            "id": self.id,
            "content": self.content,
            "kind": self.kind,
            "role": self.origin.role,
            "speaker": self.origin.speaker,
            "happened_at": _iso(self.times.happened_at),
            "created_at": _iso(self.times.created_at),
            "valid_until": _iso(self.times.valid_until),
            "category": self.labels.category,
            "tags": [tag.text for tag in self.labels.tags],
            "importance": self.worth.importance,
            "confidence": self.worth.confidence,
            "metadata": dict(self.metadata),
            "user_id": self.scope.user_id,
            "agent_id": self.scope.agent_id,
            "session_id": self.scope.session_id,
        }

    @property
    def citation(self) -> str | None:
        """Where a part of a document stands: its title and page; None of other memories."""
        title, page = self.metadata.get("title"), self.metadata.get("page")
        if self.kind != "document" or not isinstance(title, str):
            return None
        return title if page is None else f"{title}, page {page}"

    def brief(self, *, whole_up_to: int = 0) -> str:
        """What it says in short, see ``Store.summaries``."""
        if len(self.content) <= whole_up_to:
            return self.content
        return self.content[:SUMMARY_CHARACTERS] if self.summary is None else self.summary


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class AddResult(Result):
    """What became of one item given to ``add``.

    Attributes:
        id: The memory's id; for a duplicate the id of the one already there, or deleted and not purged; None
            when refused.
        status: ``stored``, ``duplicate``, ``deleted`` (it was, under the same key), ``redacted`` (stored with
            a secret or personal data masked) or ``refused``.
        reason: Why, for everything but ``stored``.
    """

    id: str | None
    status: AddStatus
    reason: str | None = None

    def __repr__(self) -> str:
        why = f": {one_line(self.reason, most=_WORDS_SHOWN)}" if self.reason else ""
        return f"<AddResult {self.id} {self.status}{why}>"

    def to_dict(self) -> dict[str, JSON]:
        """``id``, ``status`` and ``reason``."""
        return {"id": self.id, "status": self.status, "reason": self.reason}


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Change(Result):
    """One entry of a memory's history.

    Attributes:
        at: When it was changed.
        action: What was done.
        before: The fields that changed, as they were (empty for an ``add``).
        after: The same fields as they became.
        reason: What the caller gave as reason.
    """

    at: datetime
    action: ChangeAction
    memory_id: str
    before: Mapping[str, JSON] = field(default_factory=dict)
    after: Mapping[str, JSON] = field(default_factory=dict)
    reason: str | None = None

    def __repr__(self) -> str:
        what = one_line(", ".join(self.after), most=_WORDS_SHOWN)
        why = f" ({one_line(self.reason, most=_WORDS_SHOWN)})" if self.reason else ""
        return f"<Change {self.at:%Y-%m-%d %H:%M} {self.action} {what}{why}>"

    def to_dict(self) -> dict[str, JSON]:
        """``at``, ``action`` and ``reason``."""
        return {"at": _iso(self.at), "action": self.action, "reason": self.reason}


LinkType = Literal["derived-from", "supersedes", "contradicts", "related"]
"""What one memory is to another."""
LINK_TYPES: tuple[LinkType, ...] = get_args(LinkType)


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A directed link between two memories of one user."""

    source_id: str
    target_id: str
    type: LinkType


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """Work to be done later, queued with the words it is about.

    Attributes:
        id: Set by the store.
        task: What to do.
        scope: Whose memories it is about.
        payload: What the task needs.
        delay_s: Seconds after it is queued until it is due. Not kept: 0 in a job that a store gives.
        once: Whether one job with this task and scope is enough: of this one and one that waits and was
            never taken, that which is due first is kept, the older where both are. Not kept either.
        attempts: How often it was taken up.
        error: What the last attempt said.
    """

    task: str
    scope: Scope
    payload: Mapping[str, JSON] = field(default_factory=dict)
    delay_s: float = 0.0
    once: bool = False
    id: int = 0
    attempts: int = 0
    error: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeat:
    """A memory with the same words as another, by the same speaker.

    Attributes:
        id: Its id.
        happened_at: When it was said.
    """

    id: str
    happened_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Superseded:
    """What newer words did to older ones.

    Attributes:
        by: The id of the memory that holds the newer words.
        until: Until when the older ones held; None when they were corrected.
    """

    by: str
    until: datetime | None = None

    def __str__(self) -> str:
        until = self.until
        return "corrected later" if until is None else f"until {until.day} {until:%B} {until.year}"


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
        superseded: What replaced its words, where that fits the question, too; it stands before this one.
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
        return f"<{self.score:.3f} {self.memory._line()}>"  # noqa: SLF001 - a memory of the same module

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

    def __repr__(self) -> str:
        return f"<{self.score:.3f} {self.memory._line()} ({self.reason})>"  # noqa: SLF001

    def to_dict(self) -> dict[str, JSON]:
        """``id``, ``score`` and ``reason``."""
        return {"id": self.memory.id, "score": self.score, "reason": self.reason}


@dataclass(frozen=True, slots=True, kw_only=True)
class CoreMemory:
    """A memory that must be known whatever is asked.

    Attributes:
        part: The part of the core it belongs to.
        found: The memory, and how near it is to the question.
    """

    part: CorePart
    found: Recollection


@dataclass(frozen=True, slots=True, kw_only=True)
class Core:
    """What must be known whatever is asked, for a question.

    Attributes:
        memories: By part, in the order of ``CORE_PARTS``; in each the nearest to the question first, equal
            ones by id.
        more: How many others belong to it and were not read.
    """

    memories: tuple[CoreMemory, ...] = ()
    more: int = 0


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
    """

    text: str
    tokens: int
    budget_tokens: int
    included: Sequence[Recollection]
    left_out: tuple[LeftOut, ...]
    core_left_out: int = 0

    def __str__(self) -> str:
        """The text."""
        return self.text

    def __repr__(self) -> str:
        fill = f"{self.tokens} of {self.budget_tokens} tokens"
        return f"<Context {fill}, {len(self.left_out)} left out: {one_line(self.text, most=_WORDS_SHOWN)}>"

    def to_dict(self) -> dict[str, JSON]:
        """``text``, ``tokens``, ``budget_tokens``, ``included``, ``left_out`` and ``core_left_out``."""
        return {
            "text": self.text,
            "tokens": self.tokens,
            "budget_tokens": self.budget_tokens,
            "included": [hit.to_dict() for hit in self.included],
            "left_out": [left.to_dict() for left in self.left_out],
            "core_left_out": self.core_left_out,
        }


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

    def __repr__(self) -> str:
        placed = f" rank {self.rank} of {self.ranked}" if self.rank else ""
        return f"<Explanation{placed} of {self.memory._line()}>"  # noqa: SLF001

    def to_dict(self) -> dict[str, JSON]:
        """The explanation in short, ready for JSON.

        Returns:
            ``memory``, ``score`` and ``terms`` (None without a question, or when left out by it), ``rank``,
            ``ranked``, ``reason``, ``importance``, ``sources`` and ``history``.
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
            "sources": [source.to_dict() for source in self.sources],
            "history": [change.to_dict() for change in self.history],
        }

    def __str__(self) -> str:
        """The explanation in a few lines."""
        memory, origin = self.memory, self.memory.origin
        said = f"{origin.speaker or origin.role} said it on {memory.times.happened_at:%Y-%m-%d %H:%M} UTC"
        lines = [f"{memory.id}: {memory.content}", said + (f", turn {origin.turn}" if origin.thread else "")]
        lines += [f"derived from {source.id}: {source.content}" for source in self.sources]
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
    """What became of an exported file that was read in.

    Attributes:
        stored: Memories added.
        duplicates: Memories that were there already, left as they are.
    """

    stored: int
    duplicates: int
