"""``Memory``: ``add`` stores what was said, ``search`` and ``context`` find it again."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, tzinfo
from functools import cached_property, partial
from os import PathLike
from typing import IO, TYPE_CHECKING, Self

import numpy as np
from numpy.typing import NDArray

from recollect.checks import (
    CONTEXT_THRESHOLD,
    CORE_SHARE,
    MAX_TOP_K,
    check_bool,
    check_count,
    check_id,
    check_key,
    check_kind,
    check_limit,
    check_metadata,
    check_name,
    check_one_or_more,
    check_place,
    check_seconds,
    check_share,
    check_time,
    check_within,
    if_given,
)
from recollect.errors import InvalidInputError
from recollect.ingest.messages import Defaults, Message, SecretsPolicy, read_messages
from recollect.learning.admission import LEARNING, AdmissionDecision, Learning
from recollect.memory.parts import Parts, existing, missing
from recollect.protocols import Clock, Embedder, EmbedFunction, Store
from recollect.retrieval.request import TOP_K, read_conditions, read_request
from recollect.retrieval.scoring import RETRIEVAL, Retrieval
from recollect.text.pii import PiiPolicy
from recollect.types import (
    JSON,
    AddResult,
    Change,
    Context,
    Core,
    Explanation,
    HowUsed,
    Kind,
    Labels,
    LoadResult,
    MemoryRecord,
    Recollection,
    Stats,
    Within,
)
from recollect.types.clock import utc_now
from recollect.types.closing import Closing
from recollect.types.filters import AllOf, parse_filter
from recollect.types.guesses import Guided, corrects_guesses

if TYPE_CHECKING:
    from recollect.documents import Documents
    from recollect.ingest.sources.report import ImportReport
    from recollect.ingest.sources.source import DateOrder
    from recollect.learning.profile import UserProfile
    from recollect.memory.agenda import Agenda
    from recollect.memory.exports.formats import ExportFormat
    from recollect.memory.facts import Facts
    from recollect.memory.graph import MemoryGraph
    from recollect.memory.jobs import Jobs
    from recollect.memory.lifecycle import Lifecycle
    from recollect.memory.maintenance.upkeep import StoreUpkeep
    from recollect.models.chat import LanguageModel
    from recollect.models.routing import ModelRouter
    from recollect.sessions.sessions import Sessions
    from recollect.sessions.timeline import PeriodGrain, Timeline


@corrects_guesses
class Memory(Closing, metaclass=Guided):
    """A long-term memory.

    Args:
        store: The path or URL of a store, or a ``Store``. A missing file is created. By default the file that
            the command ``recollect`` uses (``recollect.stores.default_path``).
        embedder: The name of an embedder (see ``recollect.embedders.open_embedder``), one, or a function
            from a list of texts to a list of vectors (see ``recollect.embedders.FunctionEmbedder``). By
            default the one that the store remembers, and ``contextual`` for a new store.
        language: The language of most memories (ISO 639-1). Others work too, but their words are not stemmed.
        timezone: Decides when "tomorrow" begins: a name such as ``Europe/Berlin``, or a ``tzinfo``. The store
            remembers it; by default it is the store's, else UTC.
        secrets: What to do with passwords, keys and payment cards in a text when there is no ``pii``:
            ``redact``, ``refuse`` or ``keep``.
        pii: What to do with personal data, passwords, keys and payment cards; None keeps personal data.
        clock: Returns the present moment.
        models: Who extracts facts and writes titles and summaries: a router, or one model for all of it;
            without it rules do. Nothing is asked before ``drain``.
        retrieval: How memories are ranked for a question, how tokens are counted, and how much memory recall
            may use; see ``recollect.retrieval.scoring.Retrieval``.
        learning: What of a conversation may become a fact, and when it is learned; see
            ``recollect.learning.admission.Learning``.

    Attributes:
        models: The router; None without a model.

    Raises:
        StoreError: The store cannot be opened (see its subclasses).
        EmbedderMismatchError: It was filled with another embedder.
        InvalidInputError: An argument cannot be used.
        MissingExtraError: The store or the embedder needs an extra.

    All methods may be called from several threads, and several processes may use one file.
    """

    def __init__(
        self,
        store: str | PathLike[str] | Store | None = None,
        *,
        embedder: str | Embedder | EmbedFunction | None = None,
        language: str = "en",
        timezone: str | tzinfo | None = None,
        secrets: SecretsPolicy = "redact",
        pii: PiiPolicy | None = None,
        clock: Clock = utc_now,
        models: "ModelRouter | LanguageModel | None" = None,
        retrieval: Retrieval = RETRIEVAL,
        learning: Learning = LEARNING,
    ) -> None:
        from recollect.memory.opening import open_parts

        self._begin(
            open_parts(
                store,
                embedder=embedder,
                language=language,
                timezone=timezone,
                secrets=secrets,
                pii=pii,
                clock=clock,
                models=models,
                retrieval=retrieval,
                learning=learning,
            )
        )

    def _begin(self, parts: Parts) -> None:
        self.parts = parts
        self.models = parts.models

    @classmethod
    def over(cls, parts: Parts) -> Self:
        """A memory over parts that are open, such as ``memory.parts.ranked_by(...)``; it closes them, too."""
        made = cls.__new__(cls)
        made._begin(parts)  # noqa: SLF001 - in place of __init__, which would open another
        return made

    def __repr__(self) -> str:
        return f"Memory({self.parts.store!r})"

    @cached_property
    def facts(self) -> "Facts":
        """Learned facts: ``answer``, ``conflicts``, ``resolve``, ``decisions``, ``learned``."""
        from recollect.memory.facts import Facts

        return Facts(self.parts)

    @cached_property
    def agenda(self) -> "Agenda":
        """What to bring up: ``items``, ``mention``, ``dismiss``, ``answer``."""
        from recollect.memory.agenda import Agenda

        return Agenda(self.parts)

    @cached_property
    def jobs(self) -> "Jobs":
        """What waits to be learned: ``drain``, ``worker``, ``list``, ``count``."""
        from recollect.memory.jobs import Jobs

        return Jobs(self.parts)

    @cached_property
    def sessions(self) -> "Sessions":
        """Conversations: ``start``, ``get``, ``list``, ``end``, ``entitle``, ``summarise``."""
        from recollect.memory.opening import sessions_of

        return sessions_of(self.parts)

    @cached_property
    def documents(self) -> "Documents":
        """Files and texts: ``add``, ``list``, ``search``, ``remove`` and others."""
        from recollect.memory.opening import documents_of

        return documents_of(self.parts)

    @cached_property
    def graph(self) -> "MemoryGraph":
        """How memories belong together: ``concepts``, ``link``, ``links``, ``clusters``, ``acquaintance``."""
        from recollect.memory.graph import MemoryGraph

        return MemoryGraph(self.parts)

    @cached_property
    def lifecycle(self) -> "Lifecycle":
        """How memories age: ``tidy``, ``relabel``, ``thresholds``, ``retrievals`` ..."""
        from recollect.memory.lifecycle import Lifecycle

        return Lifecycle(self.parts)

    @cached_property
    def maintenance(self) -> "StoreUpkeep":
        """The store as a whole: ``doctor``, ``backup``, ``residue``, ``screen``."""
        from recollect.memory.maintenance.upkeep import StoreUpkeep

        return StoreUpkeep(self.parts)

    def add(
        self,
        messages: Message | Sequence[Message],
        *,
        user_id: str,
        agent_id: str | None = None,
        session_id: str | None = None,
        metadata: Mapping[str, JSON] | None = None,
        kind: Kind = "message",
        timestamp: date | str | float | None = None,
        valid_until: date | str | float | None = None,
        idempotency_key: str | None = None,
    ) -> list[AddResult]:
        """Store something that was said. When this returns, it is on disk.

        Tags, dates, details, the priority and, unless you give it, the importance are found in the words.

        Args:
            messages: A text, a message, or a list of them: one memory each, in order. A message is a
                mapping with ``content`` and, if you like, ``role``, ``name`` (who spoke),
                ``timestamp``, ``metadata``, ``kind``, ``importance``, ``confidence``, ``critical``,
                ``tags``, ``concepts``, ``category``, ``priority``, ``tier``, ``valid_until`` and
                ``idempotency_key``; or an object of a chat library with ``content`` and ``role`` or
                ``type``, such as LangChain's.
            user_id: The user.
            agent_id: The agent, if you have several.
            session_id: The conversation. Without one a message continues the user's and agent's last
                conversation without an id if that paused for at most half an hour, else it begins a new one;
                see ``recollect.ingest.conversations``. Other kinds then have none.
            metadata: Any JSON values, for every item; an item's own take precedence.
            kind: The kind of items that name none.
            timestamp: When it was said: a ``datetime``, a ``date``, ISO 8601 text or seconds since 1970;
                without a zone it is UTC. By default now.
            valid_until: Until when it holds, in the same forms; by default it has no end.
            idempotency_key: A key that is known stores nothing. In a list each item has its own by its place.

        Returns:
            One result per item, in order: its id and its status.

        Raises:
            InvalidInputError: An argument cannot be used; nothing was stored. In a list, an item with blank
                or unstorable words is refused alone.
            StoreError: The store failed, and nothing was stored.
        """
        from recollect.memory.adding import store_items

        scope = self.parts.scope(user_id, agent_id, session_id)
        defaults = Defaults(
            kind=check_kind("kind", kind),
            metadata=check_metadata("metadata", metadata),
            timestamp=if_given(check_time, "timestamp", timestamp),
            valid_until=if_given(check_time, "valid_until", valid_until),
            idempotency_key=check_key("idempotency_key", idempotency_key),
        )
        return store_items(self.parts, scope, read_messages(messages, defaults, screen=self.parts.screen))

    def remember(
        self,
        statement: str,
        *,
        user_id: str,
        agent_id: str | None = None,
        session_id: str | None = None,
        role: str = "user",
        category: str | None = None,
        importance: float | None = None,
        timestamp: date | str | float | None = None,
    ) -> list[AdmissionDecision]:
        """Store a statement and decide at once what of it becomes a fact, by the ``AdmissionPolicy``.

        Args:
            statement: One or more facts. Where the rules find none, the statement is stored as one, unless it
                is a question, a condition, make-believe or what others say about the user.
            user_id: The user.
            agent_id: The agent.
            session_id: The conversation.
            role: Who said it; the policy may refuse what others than the user say.
            category: The category of its facts, in place of the one their words suggest.
            importance: The importance of its facts, 0 to 1, in the same way; the policy uses it. A known fact
                that is said again takes both.
            timestamp: When it was said.

        Returns:
            A decision for each fact, with its reason; one alone when the words may not even be stored.

        Raises:
            InvalidInputError: An argument cannot be used; nothing was stored.
            StoreError: The store failed. The words may be stored.
        """
        from recollect.memory.adding import decide_on

        sorted_under = check_name("category", category)
        worth = if_given(check_share, "importance", importance)
        (result,) = self.add(
            {"role": role, "content": statement},
            user_id=user_id,
            agent_id=agent_id,
            session_id=session_id,
            timestamp=timestamp,
        )
        decisions = decide_on(self.parts, self.parts.scope(user_id), result, importance=worth)
        for one in decisions:
            if one.fact_id and (sorted_under or worth is not None):
                labels = Labels(category=sorted_under, importance=worth)
                self.update(one.fact_id, user_id=user_id, labels=labels)
        return decisions

    def search(
        self,
        query: str,
        *,
        user_id: str,
        agent_id: str | None = None,
        session_id: str | None = None,
        top_k: int = TOP_K,
        threshold: float = 0.0,
        filters: Mapping[str, object] | None = None,
        kinds: Sequence[Kind] | None = None,
        within: Within | None = None,
        collapse: bool = True,
    ) -> list[Recollection]:
        """Find the memories that answer a question. Nothing is written.

        Args:
            query: The question, in plain words.
            user_id: The user.
            agent_id: Only this agent's.
            session_id: Only this session's.
            top_k: How many at most, 1 to 10,000.
            threshold: Only scores of at least this, 0 to 1.
            filters: Only memories that match, see ``recollect.types.filters``.
            kinds: Only these kinds; by default all. Then a fact that matches returns the message it came
                from, and documents appear where they fit better than every message.
            within: Only these tiers and times, and without some ids, see ``recollect.types.Within``.
            collapse: Return equal words of one speaker once: the newest, with the others as its ``repeats``.
                A question for a time or a number keeps those of different days apart. False returns all.

        Returns:
            Recollections, highest score first. Of equal scores newer words come before those they replaced,
            what was said before documents, the rest in the order of their ids. An unknown user, agent or
            session has none.

        Raises:
            InvalidInputError: An argument cannot be used.
        """
        scope = self.parts.scope(user_id, agent_id, session_id)
        request = read_request(
            query,
            now=self.parts.clock(),
            seen=self.parts.projects.seen_by(scope),
            top_k=top_k,
            threshold=threshold,
            filters=filters,
            kinds=kinds,
            within=within,
            collapse=collapse,
        )
        return self.parts.recall.search(scope, request)

    def context(
        self,
        query: str,
        *,
        user_id: str,
        budget_tokens: int = 1_500,
        agent_id: str | None = None,
        session_id: str | None = None,
        threshold: float = CONTEXT_THRESHOLD,
        filters: Mapping[str, object] | None = None,
        kinds: Sequence[Kind] | None = None,
        within: Within | None = None,
        core_share: float = CORE_SHARE,
    ) -> Context:
        """Text for a prompt: what is known about a question, within a budget of tokens.

        It begins with the core: what must be known whatever is asked, see ``core``. The text quotes memories
        as data and has at most ``budget_tokens`` tokens by the counter this memory was opened with.

        Args:
            query: The question.
            user_id: The user.
            budget_tokens: The most the text may have; too few for one memory give an empty text.
            agent_id: As in ``search``, and so on.
            session_id: Search only this session; the core is of all. In a chat leave it out: its own turns
                are in the prompt, and what earlier conversations said is found without it.
            threshold: Only scores of at least this. The default leaves out what hardly fits the question, so
                the text may be empty.
            filters: As in ``search``.
            kinds: As in ``search``.
            within: Only these tiers and times, and without some ids, see ``recollect.types.Within``.
            core_share: The part of the budget that the core may fill, 0 to 1. The other options narrow the
                core too, except ``threshold``, ``since`` and ``until``.

        Returns:
            The text, what went in, and what was found but left out and why.
        """
        from recollect.memory.answering import context_of

        budget = check_count("budget_tokens", budget_tokens, most=10_000_000)
        share = check_share("core_share", core_share)
        scope = self.parts.scope(user_id, agent_id, session_id)
        request = read_request(
            query,
            now=self.parts.clock(),
            seen=self.parts.projects.seen_by(scope),
            threshold=threshold,
            filters=filters,
            kinds=kinds,
            within=within,
        )
        return context_of(self.parts, scope, request, budget_tokens=budget, core_share=share)

    def core(
        self,
        query: str,
        *,
        user_id: str,
        agent_id: str | None = None,
        session_id: str | None = None,
        filters: Mapping[str, object] | None = None,
        kinds: Sequence[Kind] | None = None,
        within: Within | None = None,
        embedding: Sequence[float] | NDArray[np.float32] | None = None,
        limit: int = 100,
    ) -> Core:
        """What must be known whatever is asked: ``context`` begins with it.

        That is critical memories of any kind, and current facts about the user's health, standing
        instructions, name, home, work and people close to them.

        Args:
            query: The question: within each part what is nearest to it comes first.
            user_id: The user.
            agent_id: Only this agent's.
            session_id: Only what was said in this session, and facts learned from that.
            filters: Only memories that match, see ``recollect.types.filters``.
            kinds: Only these kinds.
            within: As in ``search``, but without ``since`` and ``until``.
            embedding: The question's vector, if you have it; by default it is made. Scaled to unit length.
            limit: How many memories of each part are read at most; the others are only counted.
        """
        from recollect.memory.answering import core_of

        wanted = check_within(within)
        if wanted.since is not None or wanted.until is not None:
            raise InvalidInputError("core takes no since and until: it holds whatever time is asked for")
        scope = self.parts.scope(user_id, agent_id, session_id)
        request = read_request(
            query,
            now=self.parts.clock(),
            seen=self.parts.projects.seen_by(scope),
            filters=filters,
            kinds=kinds,
            within=within,
            embedding=embedding,
        )
        most = check_count("limit", limit, most=MAX_TOP_K)
        return core_of(self.parts, scope, request, limit=most)

    def explain(
        self,
        memory_id: str,
        *,
        user_id: str,
        query: str | None = None,
        agent_id: str | None = None,
        session_id: str | None = None,
        threshold: float = 0.0,
        filters: Mapping[str, object] | None = None,
        kinds: Sequence[Kind] | None = None,
        within: Within | None = None,
        collapse: bool = True,
    ) -> Explanation:
        """Show where a memory comes from and, given a question, its score, terms and rank in ``search``.

        A memory that ``search`` with the same options does not return has a reason instead of a rank.

        Args:
            memory_id: Which memory.
            user_id: The user.
            query: The question; the other arguments, as in ``search``, count only with one.
            agent_id: As in ``search``, and so on.
            session_id: As in ``search``.
            threshold: As in ``search``.
            filters: As in ``search``.
            kinds: As in ``search``.
            within: Only these tiers and times, and without some ids, see ``recollect.types.Within``.
            collapse: As in ``search``.

        Raises:
            NotFoundError: This user has no memory with this id.
            InvalidInputError: An argument cannot be used.
        """
        from recollect.memory.answering import explanation_of

        scope = self.parts.scope(user_id, agent_id, session_id)
        record = self.get(memory_id, user_id=user_id)
        request = None
        if query is not None:
            request = read_request(
                query,
                now=self.parts.clock(),
                seen=self.parts.projects.seen_by(scope),
                threshold=threshold,
                filters=filters,
                kinds=kinds,
                within=within,
                collapse=collapse,
            )
        return explanation_of(self.parts, scope, record, request)

    def get(self, memory_id: str, *, user_id: str, within: Within | None = None) -> MemoryRecord:
        """One memory.

        Args:
            memory_id: Which memory.
            user_id: The user.
            within: Only if it is in these tiers, times and project.

        Raises:
            NotFoundError: This user has no memory with this id there.
        """
        return self.parts.get(memory_id, user_id=user_id, within=within)

    def get_all(
        self,
        *,
        user_id: str,
        agent_id: str | None = None,
        session_id: str | None = None,
        kinds: Sequence[Kind] | None = None,
        within: Within | None = None,
        filters: Mapping[str, object] | None = None,
        limit: int | None = None,
        after: str | None = None,
        newest_first: bool = False,
    ) -> list[MemoryRecord]:
        """List memories in the order of their ids, which is that of their creation, to the microsecond.

        Args:
            user_id: The user.
            agent_id: Only this agent's.
            session_id: Only this session's.
            kinds: Only these kinds.
            within: Only these tiers and times, and without some ids, see ``recollect.types.Within``.
            filters: Only memories that match, see ``recollect.types.filters``.
            limit: How many at most; None for all.
            after: Only ids after this one, the last of the page before. Do not poll with it: what is loaded,
                or added by another process, may have an earlier id.
            newest_first: In the opposite order; ``after`` then continues with earlier ids.
        """
        scope = self.parts.scope(user_id, agent_id, session_id)
        return self.parts.store.find(
            scope,
            read_conditions(filters, kinds, within, seen=self.parts.projects.seen_by(scope)),
            limit=check_limit(limit),
            after=if_given(check_id, "after", after),
            newest_first=check_bool("newest_first", newest_first),
        )

    def update(
        self,
        memory_id: str,
        *,
        user_id: str,
        content: str | None = None,
        metadata: Mapping[str, JSON] | None = None,
        labels: Labels | None = None,
        timestamp: date | str | float | None = None,
        valid_until: date | str | float | None = None,
        reason: str | None = None,
    ) -> MemoryRecord:
        """Change a memory; None leaves a value as it is. The history keeps the old state.

        Args:
            memory_id: Which memory.
            user_id: The user.
            content: New words, screened and labelled as in ``add``. A computed importance is computed again
                and stays as much raised or faded as it was.
            metadata: New metadata, in place of all the old.
            labels: New tags, concepts, category, priority, importance, confidence, criticality or tier, see
                ``recollect.types.Labels``.
            timestamp: When it happened; the dates in its words are read again, and what was learned from it.
            valid_until: Until when it holds; to remove an end, give one far ahead.
            reason: Why, for the history.

        Returns:
            The memory as it is now.

        Raises:
            NotFoundError: This user has no memory with this id.
            InvalidInputError: No change is given, a value cannot be used, or the new words hold a secret
                and ``secrets="refuse"``.
        """
        from recollect.memory.changes.edit import update

        return update(
            self.parts,
            memory_id,
            user_id=user_id,
            content=content,
            metadata=metadata,
            labels=labels,
            timestamp=timestamp,
            valid_until=valid_until,
            reason=reason,
        )

    def delete(self, memory_id: str | Sequence[str], *, user_id: str, reason: str | None = None) -> None:
        """Hide a memory, or several at once, from every search and list. ``purge`` removes their words.

        Facts and episodes that were learned only from them are deleted too. A deleted fact is not learned
        again from the same words. Until a memory is purged, ``undelete`` restores it.

        Args:
            memory_id: Which memory, or a list of them: all are deleted, in one transaction, or none.
            user_id: The user.
            reason: Why, for the history.

        Raises:
            NotFoundError: This user has no memory with one of these ids; nothing was deleted.
        """
        from recollect.memory.changes.edit import delete_these

        why = check_name("reason", reason)
        ids = check_one_or_more("memory_id", memory_id)
        delete_these(self.parts, ids, user_id=user_id, reason=why)

    def delete_all(
        self,
        *,
        user_id: str,
        agent_id: str | None = None,
        session_id: str | None = None,
        filters: Mapping[str, object] | None = None,
        reason: str | None = None,
    ) -> int:
        """Delete every memory of a scope that matches, and facts learned from them alone.

        Returns:
            How many matched.
        """
        scope, where = self.parts.scope(user_id, agent_id, session_id), parse_filter(filters)
        return self.parts.delete(scope, where, reason=check_name("reason", reason))

    def deleted(
        self, *, user_id: str, limit: int | None = None, before: str | None = None
    ) -> list[MemoryRecord]:
        """What was deleted and not yet purged, by id; the last ones when there are more than ``limit``.

        Args:
            user_id: The user.
            limit: How many at most; None for all.
            before: Only ids before this one: the first of the page that was listed last.
        """
        from recollect.memory.changes.edit import Undoer

        most, start = check_limit(limit), if_given(check_id, "before", before)
        return Undoer(self.parts, user_id).deleted(limit=most, before=start)

    def undelete(self, memory_id: str, *, user_id: str, reason: str | None = None) -> MemoryRecord:
        """Restore a deleted memory, with what was deleted because of it.

        Facts that were learned from it alone come back, too, and a fact ends again what it had ended.
        A memory that is not deleted stays as it is.

        Args:
            memory_id: Which memory.
            user_id: The user.
            reason: Why, for the history.

        Raises:
            NotFoundError: This user has no memory with this id, or it was purged.
            InvalidInputError: Another memory has its idempotency key now.
        """
        from recollect.memory.changes.edit import Undoer

        why = check_name("reason", reason)
        record = Undoer(self.parts, user_id).undelete(check_id("memory_id", memory_id), reason=why)
        return existing(record, memory_id)

    def purge(self, *, user_id: str, agent_id: str | None = None, session_id: str | None = None) -> int:
        """Remove deleted memories of a scope for good, from every table and index; return how many.

        It deletes nothing by itself: 0 means that nothing of the scope was deleted before, with ``delete`` or
        ``delete_all``. To remove a whole session, call ``delete_all`` with its id, then this.

        What was learned from it and the former words of changed memories are removed too; the history keeps
        when and why. ``maintenance.residue`` tells what an open reader may keep in the files for a while.
        """
        from recollect.memory.changes.edit import purge_scope

        scope = self.parts.scope(user_id, agent_id, session_id)
        return purge_scope(self.parts, scope, sessions=self.sessions)

    def history(self, memory_id: str, *, user_id: str) -> list[Change]:
        """The changes of a memory, oldest first, also of a deleted one until it is purged.

        Raises:
            NotFoundError: This user never had a memory with this id.
        """
        changes = self.parts.store.history(self.parts.scope(user_id), check_id("memory_id", memory_id))
        if not changes:
            raise missing(memory_id)
        return changes

    def archive(self, memory_id: str, *, user_id: str, reason: str | None = None) -> MemoryRecord:
        """Archive a memory: only a search of the tier ``archived`` finds it. ``unarchive`` brings it back.

        A message takes along the facts that no other message says, and the episodes that tell of it. What it
        says when it is changed there stays there with it.

        Raises:
            NotFoundError: This user has no memory with this id.
        """
        from recollect.memory.changes.archive import Archivist

        ids = [check_id("memory_id", memory_id)]
        archivist = Archivist(self.parts, user_id)
        (record,) = archivist.archive(ids, reason=check_name("reason", reason))
        return existing(record, memory_id)

    def unarchive(self, memory_id: str, *, user_id: str, reason: str | None = None) -> MemoryRecord:
        """Bring an archived memory back to the tier it was in; it counts as used now.

        What a message took along comes back with it.

        Args:
            memory_id: Which memory.
            user_id: The user.
            reason: Why, for the history.

        Raises:
            NotFoundError: This user has no memory with this id.
        """
        from recollect.memory.changes.archive import Archivist

        why = check_name("reason", reason)
        record = Archivist(self.parts, user_id).unarchive(check_id("memory_id", memory_id), reason=why)
        return existing(record, memory_id)

    def profile(
        self,
        *,
        user_id: str,
        agent_id: str | None = None,
        session_id: str | None = None,
        within: Within | None = None,
    ) -> "UserProfile":
        """What is known about a user: facts by category, with confidence, validity and sources.

        ``delete`` removes a wrong one for good: the same words do not teach it again.

        Args:
            user_id: The user.
            agent_id: Only what this agent's conversations say.
            session_id: Only what was said in this session.
            within: As in ``search``; ``as_of`` says when the facts held, by default now.
        """
        from recollect.learning.profile import FACTS, at_any_time, profile_of

        scope, wanted = self.parts.scope(user_id, agent_id, session_id), check_within(within)
        at = self.parts.clock() if wanted.as_of is None else check_time("as_of", wanted.as_of)
        where = read_conditions(None, ["fact"], at_any_time(wanted), seen=self.parts.projects.seen_by(scope))
        if wanted.tiers is None:
            where = AllOf((where, FACTS))
        return profile_of(self.parts.store, scope, where, at=at)

    def timeline(
        self,
        *,
        user_id: str,
        agent_id: str | None = None,
        session_id: str | None = None,
        kinds: Sequence[Kind] = ("episode",),
        within: Within | None = None,
        grain: "PeriodGrain | None" = None,
        limit: int = 200,
        before: tuple[datetime, str] | None = None,
    ) -> "Timeline":
        """What happened when: memories as they happened, and how many there are of each period.

        Args:
            user_id: The user.
            agent_id: Only this agent's.
            session_id: Only this session's.
            kinds: Of which kinds; archived memories are among them.
            within: Only these tiers and times, and without some ids, see ``recollect.types.Within``.
            grain: How long a period is: ``hour``, ``day``, ``week``, ``month`` or ``year``; by default as
                fits the span of the memories.
            limit: How many memories are listed at most, the latest; the periods count all.
            before: List only memories before this ``happened_at`` and id, those of the first one of the page
                before.

        Raises:
            InvalidInputError: An argument cannot be used.
        """
        from recollect.sessions.timeline import check_grain, make_timeline

        most, chosen = check_count("limit", limit, most=MAX_TOP_K), check_grain(grain)
        scope, store = self.parts.scope(user_id, agent_id, session_id), self.parts.store
        where = read_conditions(None, kinds, within, seen=self.parts.projects.seen_by(scope))
        place = if_given(check_place, "before", before)
        read, zone = partial(store.get, scope), self.parts.timezone
        found = store.moments(scope, where)
        return make_timeline(found, grain=chosen, zone=zone, limit=most, read=read, before=place)

    def users(self) -> list[str]:
        """The users with memories, by name, also those with only deleted ones that are not purged yet."""
        self.parts.check_open()
        return sorted(self.parts.known_users())

    def stats(self, *, user_id: str | None = None, within: Within | None = None) -> Stats:
        """What is stored, for one user or for all.

        Args:
            user_id: The user.
            within: Count only the user's memories in these tiers, times and project; what waits to be learned
                is the user's in any case.

        Raises:
            InvalidInputError: There is ``within``, but no user.
        """
        from recollect.memory.statistics import stats_of

        return stats_of(self.parts, user_id, within)

    def export(
        self,
        target: str | PathLike[str] | IO[str],
        *,
        user_id: str | None = None,
        format: "ExportFormat" = "lines",  # noqa: A002 - the word for it
    ) -> int:
        """Write memories; returns how many.

        ================= ====================================================================================
        ``format``        what is written
        ================= ====================================================================================
        ``lines``         complete records and their links as JSON Lines for ``load``, without the change log;
                          ``load`` computes vectors again
        ``markdown``      a folder of pages per person, project and month, whose edits can be read back
                          (``exports.edits``); parts of documents are left out. Into the same folder
                          again it changes what differs
        ``mem0``          one JSON document as mem0's ``get_all`` gives it
        ``server-memory`` the facts of one user that hold now, as MCP's server-memory keeps them
        ``card``          what matters most about one user, as text of at most 1,000 tokens for a prompt
        ================= ====================================================================================

        Args:
            target: A new file, or one open for writing text; for ``markdown`` a folder.
            user_id: Only this user's; by default everyone's.
            format: How it is written.

        Raises:
            InvalidInputError: The file exists already, or cannot be made; the folder has edits that were not
                applied, or files of others; or ``format`` is about one user and there are several.
        """
        from recollect.memory.exports.formats import export_as

        self.parts.check_open()
        return export_as(self.parts, target, user_id=user_id, form=format)

    def load(self, source: str | PathLike[str] | IO[str], *, user_id: str | None = None) -> LoadResult:
        """Read what ``export`` wrote, with its ids and times; memories already there stay as they are.

        Args:
            source: The file, or one open for reading text.
            user_id: Load everything for this user instead of the exported ones.

        Raises:
            InvalidInputError: It is not an export, or a line is damaged.
        """
        from recollect.memory.maintenance.transfer import load_from

        target = None if user_id is None else self.parts.scope(user_id).user_id
        self.parts.check_open()
        return load_from(source, self.parts.store, indexer=self.parts.indexer, user_id=target)

    def import_file(
        self,
        path: str | PathLike[str],
        *,
        user_id: str,
        agent_id: str | None = None,
        format: str | None = None,  # noqa: A002 - the word for it
        me: str | None = None,
        date_order: "DateOrder | None" = None,
        columns: Mapping[str, str] | None = None,
        owner: str | None = None,
        dry_run: bool = False,
        report: Callable[[int, int], None] = lambda _done, _total: None,
    ) -> "ImportReport":
        """Import what another program exported: a file, a folder or a zip archive.

        Conversations keep their titles and times; each is a session. Importing again stores what is new and
        updates what changed in the source; deleted memories stay deleted. After an interruption it goes on.

        Args:
            path: The export, as the program made it.
            user_id: Whose it becomes.
            agent_id: With which agent.
            format: What it is, by default detected: ``recollect.ingest.sources.formats.FORMATS``.
            me: The user's name in chats of several people.
            date_order: How a file without a standard writes dates: ``dmy``, ``mdy`` or ``ymd``; by default
                inferred from the whole file. Times without a zone are in the memory's time zone.
            columns: For CSV and JSON Lines: the columns that are ``content``, ``timestamp``, ``role``,
                ``name``, ``session``, ``title`` and ``id``.
            owner: What a dump of several users calls the user, by default ``user_id``; only these memories
                are taken. ``*`` takes everybody's.
            dry_run: Only count; nothing is stored.
            report: Called with the items done and their number.

        Returns:
            What was found, left out and stored. A broken record is in it, and the rest is imported.

        Raises:
            InvalidInputError: An argument cannot be used, the format is unknown, or it is not known who of
                several people the user is; nothing was stored.
            StoreError: The store failed.
        """
        from recollect.ingest.sources.source import read_options
        from recollect.memory.importing import import_file

        return import_file(
            self,
            path,
            scope=self.parts.scope(user_id, agent_id),
            format=format,
            options=read_options(
                me=me, date_order=date_order, columns=columns, timezone=self.parts.timezone, owner=owner
            ),
            dry_run=check_bool("dry_run", dry_run),
            report=report,
        )

    def close(self) -> None:
        """Finish the jobs under way, stop the workers and release files and memory.

        Using the memory afterwards raises ``ClosedError``; closing it again does nothing.
        """
        self.parts.close()

    def use(
        self,
        memory_id: str | Sequence[str],
        *,
        user_id: str,
        useful: bool | None = None,
        how: HowUsed = "helped",
        every_s: float | None = None,
        reason: str | None = None,
    ) -> list[MemoryRecord]:
        """Record that memories were used: a count rises, and they fade from now on.

        ==================== ==================== ============ =============================================
        call                 count                at most      what it means
        ==================== ==================== ============ =============================================
        ``use(id)``          ``usage_count``      every time   it helped to answer
        ``useful=True``      ``useful_count``     every time   somebody found it useful: it ranks higher
        ``useful=False``     ``unhelpful_count``  every time   it did not help: it ranks lower and goes on
                                                               fading
        ``how="shown"``      ``access_count``     once a day   it went into a prompt; unknown ids are skipped
        ``how="reinforced"`` ``reinforced_count`` once an hour it is valuable: its importance rises by 20 %,
                                                               at most to 1
        ==================== ==================== ============ =============================================

        Args:
            memory_id: Which memory, or a list of them.
            user_id: The user.
            useful: A judgement whether they helped; without ``how`` and ``every_s``.
            how: How they were used.
            every_s: Count at most once in so many seconds, in place of the table's limit.
            reason: Why, for the history; a reinforcement also keeps it with the memory.

        Returns:
            The memories as they are now, in the order of the ids.

        Raises:
            NotFoundError: This user has no memory with one of these ids; nothing was counted.
        """
        from recollect.memory.changes.use import count_use

        return count_use(
            self.parts,
            check_one_or_more("memory_id", memory_id),
            user_id=user_id,
            useful=if_given(check_bool, "useful", useful),
            how=how,
            every_s=if_given(check_seconds, "every_s", every_s),
            reason=check_name("reason", reason),
        )
