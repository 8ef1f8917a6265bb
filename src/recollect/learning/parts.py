"""What learning reads and writes with."""

from dataclasses import dataclass
from datetime import tzinfo

from recollect.ingest.add import Indexer
from recollect.ingest.labels import Labeller
from recollect.protocols import Clock, Store
from recollect.retrieval.search import Recall
from recollect.text.analyse import Analyser


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningParts:
    """The parts of a memory that its learner and all that works for it share.

    Attributes:
        timezone: Where the users are.
    """

    store: Store
    indexer: Indexer
    labeller: Labeller
    recall: Recall
    analyser: Analyser
    timezone: tzinfo
    clock: Clock
