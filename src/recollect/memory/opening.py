"""Opening a memory: the options of ``Memory`` checked, and its parts put together."""

from datetime import tzinfo
from functools import partial
from os import PathLike
from typing import TYPE_CHECKING, Final

from recollect.checks import check_count, check_timezone, check_token_counter, if_given
from recollect.embedders import embedder_for, embedder_of
from recollect.errors import InvalidInputError, as_given
from recollect.ingest.add import Indexer
from recollect.ingest.conversations import Conversations
from recollect.ingest.labels import Labeller
from recollect.ingest.messages import Screen, SecretsPolicy
from recollect.learning.admission import AdmissionPolicy
from recollect.learning.learner import THRESHOLD, Learner
from recollect.learning.marks import enders_of
from recollect.memory.changes.revise import Reviser
from recollect.memory.parts import Parts
from recollect.protocols import Clock, Embedder, EmbedFunction, Store, TokenCounter
from recollect.retrieval.scoring import DefaultScoring, Scoring
from recollect.retrieval.search import Recall
from recollect.stores import open_store
from recollect.text.analyse import Analyser
from recollect.text.pii import PiiPolicy

if TYPE_CHECKING:
    from recollect.documents import Documents
    from recollect.models.chat import LanguageModel
    from recollect.models.routing import ModelRouter
    from recollect.sessions.sessions import Sessions

SHADOW_LIMIT_MB: Final = 1_024
"""Memory for the shadows of all users together: 1.4 million memories. Chosen by hand."""
LEARN_AFTER: Final = THRESHOLD
"""Messages of a session after which it is queued to be learned; Second Brain's."""
DEFAULT_SCORING: Final[Scoring] = DefaultScoring()
"""Words and meaning, each in three circles."""


def open_parts(
    store: str | PathLike[str] | Store | None,
    *,
    embedder: str | Embedder | EmbedFunction | None,
    language: str,
    timezone: str | tzinfo,
    secrets: SecretsPolicy,
    pii: PiiPolicy | None,
    token_counter: TokenCounter,
    clock: Clock,
    shadow_limit_mb: int,
    scoring: Scoring,
    models: "ModelRouter | LanguageModel | None",
    admission: AdmissionPolicy | None,
    learn_after: int | None,
) -> Parts:
    """The parts of a memory; see ``Memory`` for the options and errors."""
    screen = Screen(secrets=secrets, pii=pii)
    if admission is not None and not isinstance(admission, AdmissionPolicy):
        raise InvalidInputError(f"admission must be an AdmissionPolicy or None, not {as_given(admission)}")
    router = None if models is None else _router_of(models)
    limit = check_count("shadow_limit_mb", shadow_limit_mb, most=1 << 24)
    zone, count_tokens = check_timezone(timezone), check_token_counter(token_counter)
    analyser, named = Analyser(language), None if embedder is None else embedder_of(embedder)
    opened = open_store(store, clock=clock)
    try:
        maker = embedder_for(opened, named)
        indexer = Indexer(opened, embedder=maker, analyser=analyser)
    except BaseException:
        opened.close()
        raise
    recall = Recall(
        opened,
        embedder=maker,
        analyser=analyser,
        shadow_limit_bytes=limit << 20,
        check_embedder=indexer.check_embedder,
        scoring=scoring,
        timezone=zone,
        enders_of=enders_of,
    )
    labeller = Labeller(opened, analyser=analyser, timezone=zone)
    learner = Learner(
        opened,
        indexer=indexer,
        labeller=labeller,
        recall=recall.ranked_by(DEFAULT_SCORING),
        analyser=analyser,
        clock=clock,
        models=router,
        admission=admission,
        threshold=if_given(partial(check_count, most=10_000), "learn_after", learn_after),
    )
    return Parts(
        store=opened,
        embedder=maker,
        analyser=analyser,
        timezone=zone,
        screen=screen,
        count_tokens=count_tokens,
        clock=clock,
        models=router,
        indexer=indexer,
        labeller=labeller,
        reviser=Reviser(indexer=indexer, labeller=labeller),
        conversations=Conversations(opened),
        recall=recall,
        learner=learner,
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
