"""The roles others can fill: a store, an embedder, a clock, a counter of tokens."""

from recollect.protocols.powers import (
    CandidateSearch,
    Copying,
    Maintenance,
    TextSearch,
    VectorMaintenance,
    VectorSearch,
    propose,
)
from recollect.protocols.queue import JobStore
from recollect.protocols.roles import (
    Clock,
    Embedder,
    EmbedFunction,
    TokenCounter,
)
from recollect.protocols.rows import (
    Census,
    Copied,
    Entry,
    Features,
    Health,
    Jobs,
    JobsOf,
    Moment,
    Profile,
    ShadowDelta,
    ShadowRows,
    Statistics,
    jobs_of,
    no_jobs,
)
from recollect.protocols.states import LinkStore, StateStore
from recollect.protocols.store import (
    Store,
)

__all__ = [
    "CandidateSearch",
    "Census",
    "Clock",
    "Copied",
    "Copying",
    "EmbedFunction",
    "Embedder",
    "Entry",
    "Features",
    "Health",
    "JobStore",
    "Jobs",
    "JobsOf",
    "LinkStore",
    "Maintenance",
    "Moment",
    "Profile",
    "ShadowDelta",
    "ShadowRows",
    "StateStore",
    "Statistics",
    "Store",
    "TextSearch",
    "TokenCounter",
    "VectorMaintenance",
    "VectorSearch",
    "jobs_of",
    "no_jobs",
    "propose",
]
