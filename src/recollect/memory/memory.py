"""The façade everything else stands on: ``add`` puts words in, ``search`` and ``context`` find them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, tzinfo
from functools import partial
from os import PathLike
from typing import TYPE_CHECKING, Final, NoReturn

import numpy as np
from numpy.typing import NDArray

from recollect.checks import (
    CONTEXT_THRESHOLD,
    CORE_SHARE,
    NO_LIMIT,
    check_content,
    check_count,
    check_key,
    check_kind,
    check_kinds,
    check_metadata,
    check_name,
    check_names,
    check_share,
    check_tiers,
    check_time,
    check_timezone,
    check_token_counter,
    if_given,
)
from recollect.embedders import embedder_of
from recollect.errors import InvalidInputError, as_given
from recollect.ingest.add import Indexer, add_items
from recollect.ingest.conversations import Conversations
from recollect.ingest.labels import Labeller
from recollect.ingest.messages import Defaults, Message, Screen, Screened, SecretsPolicy, read_messages
from recollect.learning.admission import AdmissionDecision, AdmissionPolicy
from recollect.learning.learner import THRESHOLD, Learner
from recollect.learning.marks import enders_of
from recollect.memory.admin import Keeping
from recollect.memory.changes.revise import Reviser
from recollect.memory.learned import Knowing
from recollect.memory.lifecycle import Tending
from recollect.memory.parts import existing
from recollect.memory.records import Records
from recollect.protocols import Clock, Embedder, EmbedFunction, JobsOf, Store, TokenCounter
from recollect.retrieval.candidates import Candidates
from recollect.retrieval.request import TOP_K, Request, read_request
from recollect.retrieval.scoring import DefaultScoring, Scoring
from recollect.retrieval.search import Recall
from recollect.retrieval.vectors import unit_vector
from recollect.stores import open_store
from recollect.text.analyse import Analyser
from recollect.text.pii import PiiPolicy
from recollect.text.tokens import estimate_tokens
from recollect.types import (
    JSON,
    AddResult,
    Context,
    Job,
    Kind,
    LeftOut,
    MemoryRecord,
    Recollection,
    Scope,
    Tier,
)
from recollect.types.clock import utc_now
from recollect.types.closing import Closing
from recollect.types.filters import by_ids, parse_filter
from recollect.types.guesses import corrects_guesses, no_method
from recollect.types.ids import new_id

if TYPE_CHECKING:
    from recollect.models.chat import LanguageModel
    from recollect.models.routing import ModelRouter


SHADOW_LIMIT_MB: Final = 1_024
"""Memory for the shadows of all users together: 1.4 million memories. Chosen by hand."""
LEARN_AFTER: Final = THRESHOLD
"""Messages of a session after which it is queued to be learned; Second Brain's."""
DEFAULT_SCORING: Final[Scoring] = DefaultScoring()
"""Words and meaning, each in three circles."""
_TOKENS_PER_HIT: Final = 25
"""A short turn in a prompt: how many hits are worth considering. 8 gave the same on LoCoMo and BEAM."""
_FEWEST_HITS, _MOST_HITS = 10, 1_000
"""Hits considered for one context, however small or large its budget. Chosen by hand."""


@corrects_guesses
class Memory(Records, Knowing, Tending, Keeping, Closing):
    """A long-term memory.

    Args:
        store: A path or URL of where memories are kept, or a ``Store``. A missing file is made. By default
            the file in the user's data folder that the command ``recollect`` uses
            (``recollect.stores.default_path``).
        embedder: The name of an embedder (see ``recollect.embedders.open_embedder``), one, or a function
            from a list of texts to a list of vectors (see ``recollect.embedders.FunctionEmbedder``).
        language: What language the memories are mostly in (ISO 639-1); other languages work too,
            their words are only not reduced to stems.
        timezone: Where the users are: when "tomorrow" begins. A name such as ``Europe/Berlin``, or a
            ``tzinfo``.
        secrets: What to do with passwords, keys and payment cards found in a text when there is no ``pii``:
            ``redact``, ``refuse`` or ``keep``.
        pii: What to do with personal data found in a text, and with passwords, keys and payment cards; None
            leaves personal data as it is.
        token_counter: Counts the tokens of a text as your model does; by default an estimate that
            errs on the safe side.
        clock: What time it is.
        shadow_limit_mb: How much memory recall may use.
        scoring: How memories are ranked for a question, see ``recollect.retrieval.scoring``.
        models: Who extracts facts and writes titles and summaries: a router, or one model for all of it;
            without it rules do. Nothing is asked before ``drain``.
        admission: What of a conversation may become a fact, and why not; None lets all of it.
        learn_after: Messages of a conversation after which it is learned, and again after as many; what is
            left is learned when the conversation pauses. None for only when it is ended.

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
        embedder: str | Embedder | EmbedFunction = "static",
        language: str = "en",
        timezone: str | tzinfo = "UTC",
        secrets: SecretsPolicy = "redact",
        pii: PiiPolicy | None = None,
        token_counter: TokenCounter = estimate_tokens,
        clock: Clock = utc_now,
        shadow_limit_mb: int = SHADOW_LIMIT_MB,
        scoring: Scoring = DEFAULT_SCORING,
        models: "ModelRouter | LanguageModel | None" = None,
        admission: AdmissionPolicy | None = None,
        learn_after: int | None = LEARN_AFTER,
    ) -> None:
        self._screen = Screen(secrets=secrets, pii=pii)
        if admission is not None and not isinstance(admission, AdmissionPolicy):
            raise InvalidInputError(
                f"admission must be an AdmissionPolicy or None, not {as_given(admission)}"
            )
        self.models = None if models is None else _router_of(models)
        limit = check_count("shadow_limit_mb", shadow_limit_mb, most=1 << 24)
        zone = check_timezone(timezone)
        self._count_tokens = check_token_counter(token_counter)
        self._clock = clock
        self._closed = False
        self._analyser = Analyser(language)
        self._timezone = zone
        self._embedder = embedder_of(embedder)
        self._store = open_store(store, clock=clock)
        try:
            self._indexer = Indexer(self._store, embedder=self._embedder, analyser=self._analyser)
        except BaseException:
            self._store.close()
            raise
        self._recall = Recall(
            self._store,
            embedder=self._embedder,
            analyser=self._analyser,
            shadow_limit_bytes=limit << 20,
            check_embedder=self._indexer.check_embedder,
            scoring=scoring,
            timezone=zone,
            enders_of=enders_of,
        )
        self._conversations = Conversations(self._store)
        self._labeller = Labeller(self._store, analyser=self._analyser, timezone=zone)
        self._reviser = Reviser(indexer=self._indexer, labeller=self._labeller)
        self._learner = Learner(
            self._store,
            indexer=self._indexer,
            labeller=self._labeller,
            recall=self._recall.ranked_by(DEFAULT_SCORING),
            analyser=self._analyser,
            clock=clock,
            models=self.models,
            admission=admission,
            threshold=if_given(partial(check_count, most=10_000), "learn_after", learn_after),
        )

    def __repr__(self) -> str:
        return f"Memory({self._store!r})"

    if not TYPE_CHECKING:  # a type checker shall go on to refuse unknown methods

        def __getattr__(self, name: str) -> NoReturn:
            no_method("Memory", name)

    def add(
        self,
        messages: Message | Sequence[Message],
        *,
        user_id: str,
        agent_id: str | None = None,
        session_id: str | None = None,
        metadata: Mapping[str, JSON] | None = None,
        kind: Kind = "message",
        timestamp: datetime | str | float | None = None,
        valid_until: datetime | str | float | None = None,
        idempotency_key: str | None = None,
    ) -> list[AddResult]:
        """Remember something that was said. When this returns, it is stored durably.

        Tags, the dates and details it names, its priority and, unless you say, its importance are found
        in the words and stored with them.

        Args:
            messages: A text, a message, or a list of them: one memory each, in order. A message is a
                mapping with ``content`` and, if you like, ``role``, ``name`` (who spoke),
                ``timestamp``, ``metadata``, ``kind``, ``importance``, ``confidence``, ``critical``,
                ``tags``, ``concepts``, ``category``, ``priority``, ``tier``, ``valid_until`` and
                ``idempotency_key``; or an object of a chat library with ``content`` and ``role`` or
                ``type``, such as LangChain's.
            user_id: Whose memory it is.
            agent_id: Which agent's, if you have several.
            session_id: The conversation it belongs to. Without one a message goes on with the last
                conversation of user and agent that named none, if they are at most half an hour apart, or
                begins a new one; see ``recollect.ingest.conversations``. Other kinds then have none.
            metadata: Anything JSON can hold, for every item; an item's own is laid over it.
            kind: What the items are, unless they say otherwise.
            timestamp: When it was said: a ``datetime``, ISO 8601 text or seconds since 1970; without a
                zone it is UTC. By default now.
            valid_until: Until when it holds, in the same forms; by default it has no end.
            idempotency_key: Adding again under a key that is known stores nothing. In a list the items
                get ``key#0``, ``key#1``, …

        Returns:
            One result per item, in order: its id and what became of it.

        Raises:
            InvalidInputError: Something cannot be read, and nothing was stored. In a list, an item with
                blank or unstorable words is refused by itself instead.
            StoreError: The store failed, and nothing was stored.
        """
        scope = self._scope(user_id, agent_id, session_id)
        defaults = Defaults(
            kind=check_kind("kind", kind),
            metadata=check_metadata("metadata", metadata),
            timestamp=if_given(check_time, "timestamp", timestamp),
            valid_until=if_given(check_time, "valid_until", valid_until),
            idempotency_key=check_key("idempotency_key", idempotency_key),
        )
        items = read_messages(messages, defaults, screen=self._screen)
        queued: list[Job] = []

        def jobs_of(messages: Sequence[MemoryRecord]) -> JobsOf:
            made = self._learner.jobs_for(messages)

            def jobs(stored: Sequence[str]) -> list[Job]:
                queued[:] = made(stored)
                return queued

            return jobs

        added = add_items(
            self._store,
            scope,
            items,
            indexer=self._indexer,
            labeller=self._labeller,
            now=self._clock(),
            new_id=new_id,
            conversations=self._conversations,
            jobs_of=jobs_of,
        )
        if any(not job.delay_s for job in queued):
            self._learner.workers.wake()
        return added

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
        tiers: Sequence[Tier] | None = None,
        since: datetime | str | float | None = None,
        until: datetime | str | float | None = None,
        as_of: datetime | str | float | None = None,
        exclude_ids: Sequence[str] = (),
        collapse: bool = True,
    ) -> list[Recollection]:
        """Find the memories that answer a question. Nothing is written.

        Args:
            query: The question, in plain words.
            user_id: Whose memories.
            agent_id: Only this agent's.
            session_id: Only this session's.
            top_k: How many at most, 1 to 10,000.
            threshold: Only scores of at least this, 0 to 1.
            filters: Only memories that match, see ``recollect.types.filters``.
            kinds: Only these kinds; by default all, with what was said in the place of what was learned from
                it, and documents where they fit better than all that was said.
            tiers: Only these tiers; by default all but ``archived``.
            since: Only what happened at this moment or later.
            until: Only what happened before it.
            as_of: Only what held at that moment, by ``valid_from`` (else when it happened) and
                ``valid_until``. By default what no longer holds is left out.
            exclude_ids: Memories that are not wanted, such as those a prompt repeats already.
            collapse: Return the same words of the same speaker once: the newest, with the others as its
                ``repeats``. A question for a time or a number ("when", "how often") keeps those of different
                days apart. False returns all.

        Returns:
            Recollections, highest score first; equal scores in the order of their ids. A user, agent or
            session nobody has heard of has none.

        Raises:
            InvalidInputError: An argument cannot be used.
        """
        scope = self._scope(user_id, agent_id, session_id)
        request = read_request(
            query,
            now=self._clock(),
            top_k=top_k,
            threshold=threshold,
            filters=filters,
            kinds=kinds,
            tiers=tiers,
            since=since,
            until=until,
            as_of=as_of,
            exclude_ids=exclude_ids,
            collapse=collapse,
        )
        return self._recall.search(scope, request)

    def candidates(
        self,
        query: str,
        *,
        user_id: str,
        agent_id: str | None = None,
        session_id: str | None = None,
        top_k: int | None = None,
        filters: Mapping[str, object] | None = None,
        kinds: Sequence[Kind] | None = None,
        tiers: Sequence[Tier] | None = None,
        since: datetime | str | float | None = None,
        until: datetime | str | float | None = None,
        as_of: datetime | str | float | None = None,
        embedding: Sequence[float] | NDArray[np.float32] | None = None,
        topics: Sequence[str] | None = None,
    ) -> Candidates:
        """Every memory with its score for a question, best first, without reading what they say.

        For looking at what a search considers, and for choosing by score. A scoring that weighs records
        (``HybridScoring``) gives what it ranks them by before that.

        Args:
            query: The question, in plain words.
            user_id: As in ``search``, and so on.
            agent_id: As in ``search``.
            session_id: As in ``search``.
            top_k: How many at most; None for all.
            filters: As in ``search``.
            kinds: As in ``search``.
            tiers: As in ``search``.
            since: As in ``search``.
            until: As in ``search``.
            as_of: As in ``search``.
            embedding: The question's vector, if you have it; by default it is made. Scaled to unit length.
            topics: What the question is about, for a scoring that looks at topics; by default they are
                found in its words.

        Raises:
            InvalidInputError: An argument cannot be used.
        """
        scope = self._scope(user_id, agent_id, session_id)
        request = Request(
            query=check_content("query", query),
            top_k=NO_LIMIT if top_k is None else check_count("top_k", top_k, most=NO_LIMIT),
            now=self._clock(),
            where=parse_filter(filters),
            kinds=check_kinds(kinds),
            tiers=check_tiers(tiers),
            since=if_given(check_time, "since", since),
            until=if_given(check_time, "until", until),
            as_of=if_given(check_time, "as_of", as_of),
            embedding=None if embedding is None else unit_vector("embedding", embedding),
            topics=if_given(check_names, "topics", topics),
        )
        return self._recall.candidates(scope, request)

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
        tiers: Sequence[Tier] | None = None,
        since: datetime | str | float | None = None,
        until: datetime | str | float | None = None,
        as_of: datetime | str | float | None = None,
        exclude_ids: Sequence[str] = (),
        core_share: float = CORE_SHARE,
    ) -> Context:
        """Text ready for a prompt: what is known about a question, within a budget of tokens.

        It begins with the core: what must be known whatever is asked, see ``core``.

        The text quotes memories as data; it never has more tokens than ``budget_tokens`` by the counter
        this memory was opened with.

        Args:
            query: The question.
            user_id: Whose memories.
            budget_tokens: The most the text may have; too few for one memory give an empty text.
            agent_id: As in ``search``, and so on.
            session_id: As in ``search``.
            threshold: Only scores of at least this. The default leaves out what hardly touches the
                question; when nothing else is there, the text is empty.
            filters: As in ``search``.
            kinds: As in ``search``.
            tiers: As in ``search``.
            since: As in ``search``.
            until: As in ``search``.
            as_of: As in ``search``.
            exclude_ids: As in ``search``.
            core_share: The part of the budget that the core may fill, 0 to 1; 0 leaves it out. Scope,
                ``filters``, ``kinds``, ``tiers``, ``as_of`` and ``exclude_ids`` hold for the core, too;
                ``threshold``, ``since`` and ``until`` do not.

        Returns:
            The text, what went in, and what was found but left out and why.
        """
        from recollect.context.compose import compose
        from recollect.context.core import NO_CORE, TOKENS_PER_LINE

        budget = check_count("budget_tokens", budget_tokens, most=10_000_000)
        least, share = check_share("threshold", threshold), check_share("core_share", core_share)
        hits = self.search(
            query,
            user_id=user_id,
            agent_id=agent_id,
            session_id=session_id,
            top_k=min(max(budget // _TOKENS_PER_HIT, _FEWEST_HITS), _MOST_HITS),
            filters=filters,
            kinds=kinds,
            tiers=tiers,
            since=since,
            until=until,
            as_of=as_of,
            exclude_ids=exclude_ids,
        )
        core = NO_CORE
        if share:
            core = self.core(
                query,
                user_id=user_id,
                agent_id=agent_id,
                session_id=session_id,
                filters=filters,
                kinds=kinds,
                tiers=tiers,
                as_of=as_of,
                exclude_ids=exclude_ids,
                limit=min(max(int(budget * share) // TOKENS_PER_LINE, 1), _MOST_HITS),
            )
        fitting = [hit for hit in hits if hit.score >= least]
        made = compose(
            fitting,
            budget_tokens=budget,
            count_tokens=self._count_tokens,
            query_terms=self._analyser.query_stems(query),
            terms_of=self._analyser.stems,
            timezone=self._timezone,
            core=core,
            core_share=share,
            collapse=False,
        )
        shown = {hit.memory.id for hit in made.included}
        below = [
            LeftOut(memory=hit.memory, score=hit.score, reason=f"below the threshold of {least:g}")
            for hit in hits[len(fitting) :]
            if hit.memory.id not in shown
        ]
        return replace(made, left_out=(*made.left_out, *below))

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
        timestamp: datetime | str | float | None = None,
    ) -> list[AdmissionDecision]:
        """Store a statement and decide at once what of it becomes a fact, by the ``AdmissionPolicy``.

        Args:
            statement: What was said: one or more facts; where the rules see none, it is one as it stands,
                unless it is a question, a condition, make-believe or what others say of the user.
            user_id: Whose memory it is.
            agent_id: Which agent's.
            session_id: The conversation it belongs to.
            role: Who said it; what others than the user say is refused unless the policy lets it.
            category: What its facts are sorted under, in place of what their words tell.
            importance: How much its facts matter, 0 to 1, likewise; the policy goes by it. A known fact that
                is said again takes both.
            timestamp: When it was said.

        Returns:
            A decision for each fact, with its reason; one alone when the words may not even be stored.

        Raises:
            InvalidInputError: Something cannot be read, and nothing was stored.
            StoreError: The store failed. The words may be stored.
        """
        sorted_under = check_name("category", category)
        worth = if_given(check_share, "importance", importance)
        (result,) = self.add(
            {"role": role, "content": statement},
            user_id=user_id,
            agent_id=agent_id,
            session_id=session_id,
            timestamp=timestamp,
        )
        scope = self._scope(user_id)
        if result.id is None:
            return [self._learner.turn_away(scope, result.reason or "it may not be stored")]
        (turn,) = self._store.get(scope, [result.id])
        decisions = self._learner.take_in(existing(turn, result.id), importance=worth)
        for one in decisions:
            if one.fact_id and (sorted_under or worth is not None):
                self.update(one.fact_id, user_id=user_id, category=sorted_under, importance=worth)
        return decisions

    def purge(self, *, user_id: str, agent_id: str | None = None, session_id: str | None = None) -> int:
        """Remove what was deleted in a scope for good, from every table and index; returns how many.

        What was learned from it goes, too, and so do the words that anything left had before it was changed;
        its history says when and why. See ``residue`` for what a reader may keep in the files for a while.
        """
        scope = self._scope(user_id, agent_id, session_id)
        self._learner.settle(scope)
        self._learner.forget_answer(scope)
        self.sessions.forget_empty(scope)
        user = Scope(user_id=scope.user_id)
        learned = self._learner.mender.learned_in(scope) if scope != user else []
        with_it = self._store.purge(user, by_ids(learned)) if learned else 0
        return self._store.purge(scope) + with_it

    def close(self) -> None:
        """Give back files and memory. Using it afterwards raises ``ClosedError``; closing again does not.

        Its workers end first, after the jobs under way.
        """
        self._learner.workers.close()
        self._closed = True
        self._recall.forget()
        self._store.close()

    def screen(self, text: str) -> Screened:
        """What would be stored of a text: with secrets and, by the policy, personal data masked or refused.

        Raises:
            InvalidInputError: It is no text that can be stored.
        """
        self._check_open()
        return self._screen(check_content("text", text))


def _router_of(models: object) -> "ModelRouter | None":
    from recollect.models.routing import router_of

    return router_of(models)
