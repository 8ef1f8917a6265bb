"""Opening a memory: the options of ``Memory`` checked, and its parts put together."""

from datetime import UTC, tzinfo
from os import PathLike
from typing import TYPE_CHECKING

from recollect.checks import check_clock, check_timezone, timezone_name
from recollect.embedders import embedder_for, embedder_of
from recollect.errors import InvalidInputError, as_given
from recollect.ingest.add import Indexer
from recollect.ingest.conversations import Conversations
from recollect.ingest.labels import Labeller
from recollect.ingest.messages import Screen, SecretsPolicy
from recollect.learning.admission import Learning
from recollect.learning.learner import Learner
from recollect.learning.marks import replaced_by
from recollect.learning.parts import LearningParts
from recollect.memory.changes.revise import Reviser
from recollect.memory.parts import Parts
from recollect.memory.projects import Projects
from recollect.protocols import Clock, Embedder, EmbedFunction, Store
from recollect.retrieval.scoring import DEFAULT_SCORING, Retrieval
from recollect.retrieval.search import Recall
from recollect.stores import open_store
from recollect.text.analyse import Analyser
from recollect.text.pii import PiiPolicy

if TYPE_CHECKING:
    from recollect.documents import Documents
    from recollect.models.chat import LanguageModel
    from recollect.models.routing import ModelRouter
    from recollect.sessions.sessions import Sessions


def open_parts(
    store: str | PathLike[str] | Store | None,
    *,
    embedder: str | Embedder | EmbedFunction | None,
    language: str,
    timezone: str | tzinfo | None,
    secrets: SecretsPolicy,
    pii: PiiPolicy | None,
    clock: Clock,
    models: "ModelRouter | LanguageModel | None",
    retrieval: Retrieval,
    learning: Learning,
) -> Parts:
    """The parts of a memory; see ``Memory`` for the options and errors."""
    screen = Screen(secrets=secrets, pii=pii)
    for name, given, kind in (("retrieval", retrieval, Retrieval), ("learning", learning, Learning)):
        if not isinstance(given, kind):
            raise InvalidInputError(f"{name} must be a {kind.__name__}, not {as_given(given)}")
    router = None if models is None else _router_of(models)
    ours = None if timezone is None else check_timezone(timezone)
    analyser, named = Analyser(language), None if embedder is None else embedder_of(embedder)
    opened = open_store(store, clock=check_clock(clock))
    try:
        maker = embedder_for(opened, named)
        zone = check_timezone(opened.setting("timezone") or UTC) if ours is None else ours
        kept = None if ours is None else timezone_name(ours)
        indexer = Indexer(opened, embedder=maker, analyser=analyser, timezone=kept)
    except BaseException:
        opened.close()
        raise
    recall = Recall(
        opened,
        embedder=maker,
        analyser=analyser,
        shadow_limit_bytes=retrieval.shadow_limit_mb << 20,
        check_embedder=indexer.check_embedder,
        scoring=retrieval.scoring,
        timezone=zone,
        replaced_by=replaced_by,
    )
    labeller = Labeller(opened, analyser=analyser, timezone=zone)
    shared = LearningParts(
        store=opened,
        indexer=indexer,
        labeller=labeller,
        recall=recall.ranked_by(DEFAULT_SCORING),
        analyser=analyser,
        timezone=zone,
        clock=clock,
    )
    return Parts(
        store=opened,
        embedder=maker,
        analyser=analyser,
        timezone=zone,
        screen=screen,
        count_tokens=retrieval.token_counter,
        reckoning=retrieval.reckoning,
        clock=clock,
        models=router,
        indexer=indexer,
        labeller=labeller,
        reviser=Reviser(indexer=indexer, labeller=labeller),
        conversations=Conversations(opened),
        recall=recall,
        learner=Learner(shared, models=router, learning=learning),
        projects=Projects(opened),
    )


def _router_of(models: object) -> "ModelRouter | None":
    from recollect.models.routing import router_of

    return router_of(models)


def sessions_of(parts: Parts) -> "Sessions":
    """The conversations of a memory."""
    from recollect.sessions.sessions import Sessions

    return Sessions(
        parts.store,
        told=parts.recall.sessions,
        seen=parts.seen,
        end_learning=parts.learner.end,
        screen=parts.screen,
        models=parts.models,
        analyser=parts.analyser,
        clock=parts.clock,
        check_open=parts.check_open,
    )


def documents_of(parts: Parts) -> "Documents":
    """The documents of a memory."""
    from recollect.documents import Documents

    return Documents(
        parts.store,
        indexer=parts.indexer,
        labeller=parts.labeller,
        screen=parts.screen,
        recall=parts.recall,
        analyser=parts.analyser,
        clock=parts.clock,
        check_open=parts.check_open,
    )
