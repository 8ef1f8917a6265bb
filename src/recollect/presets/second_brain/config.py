"""The settings of Second Brain ("Configuration & Tuning")."""

from dataclasses import dataclass
from typing import Final

from recollect.checks import check_bool, check_count, check_seconds, check_share
from recollect.errors import InvalidInputError, as_given
from recollect.ingest.conversations import TIMEOUT_S
from recollect.learning.admission import LEARN_AFTER
from recollect.lifecycle.archival import check_rule
from recollect.presets.second_brain.fusion import K

RETENTION_DAYS: Final = 365.0
_MOST_RESULTS: Final = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class SecondBrainConfig:
    """How much is learned, found and kept; every default but five is the design's.

    Attributes:
        extraction_enabled: Whether conversations are learned at all (``MEMORY_EXTRACTION_ENABLED``).
        extraction_threshold: Messages after which a session is learned (``MEMORY_EXTRACTION_THRESHOLD``).
        max_episodic: Episodes that go with a question (``MAX_EPISODIC_MEMORIES``); None for as many as it
            needs and have room, see ``limits``. The design has 5.
        max_semantic: Facts (``MAX_SEMANTIC_MEMORIES``), likewise. The design has 10.
        max_documents: Chunks of documents (``MAX_DOCUMENT_RESULTS``), likewise. The design has 5.
        importance_threshold: Less important episodes are left out (``EPISODIC_IMPORTANCE_THRESHOLD``).
        retention_days: Conversations and episodes that nobody used for so long are archived
            (``MEMORY_RETENTION_DAYS``); None keeps them.
        vector_enabled: Whether meaning is searched beside words (``MEMORY_VECTOR_ENABLED``).
        rrf_k: The constant of reciprocal rank fusion: 60 by default, 0 as the design writes it.
        session_timeout_s: Seconds without a word after which a session is over; the design gives no number.

    Raises:
        InvalidInputError: A value is out of range.
    """

    extraction_enabled: bool = True
    extraction_threshold: int = LEARN_AFTER
    max_episodic: int | None = None
    max_semantic: int | None = None
    max_documents: int | None = None
    importance_threshold: float = 0.3
    retention_days: float | None = RETENTION_DAYS
    vector_enabled: bool = True
    rrf_k: float = K
    session_timeout_s: float = TIMEOUT_S

    def __post_init__(self) -> None:
        check_bool("extraction_enabled", self.extraction_enabled)
        check_bool("vector_enabled", self.vector_enabled)
        check_count("extraction_threshold", self.extraction_threshold, most=10_000)
        for name in ("max_episodic", "max_semantic", "max_documents"):
            value = getattr(self, name)
            if value is None:
                continue
            if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= _MOST_RESULTS:
                raise InvalidInputError(
                    f"{name} must be a whole number from 0 to {_MOST_RESULTS:,}, not {as_given(value)}"
                )
        check_share("importance_threshold", self.importance_threshold)
        check_seconds("session_timeout_s", self.session_timeout_s)
        if check_seconds("rrf_k", self.rrf_k) < 0:
            raise InvalidInputError("rrf_k must be 0 or more")
        check_rule("archive_after_days", self.retention_days, called="retention_days")
