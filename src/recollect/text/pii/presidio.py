"""Presidio as a recogniser: what its analyzer finds, as kinds of personal data.

Presidio is not a dependency. Whoever has it installed makes the engine, with the models of a language chosen
and present, and hands it over; making one here could load a model from the network.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final, Protocol

from recollect.text.pii.spans import PiiKind, PiiSpan, span

_BY_KIND: Final[Mapping[PiiKind, str]] = {
    "email": "EMAIL_ADDRESS",
    "phone": "PHONE_NUMBER",
    "card": "CREDIT_CARD",
    "iban": "IBAN_CODE",
    "ip": "IP_ADDRESS",
    "person": "PERSON",
    "other": "CRYPTO MEDICAL_LICENSE US_BANK_NUMBER",
    "national_id": (
        "US_SSN US_ITIN US_PASSPORT US_DRIVER_LICENSE UK_NHS UK_NINO UK_PASSPORT ES_NIF "
        "ES_NIE IT_FISCAL_CODE IT_PASSPORT IT_IDENTITY_CARD IT_DRIVER_LICENSE DE_TAX_ID "
        "DE_PASSPORT DE_ID_CARD PL_PESEL SE_PERSONNUMMER FI_PERSONAL_IDENTITY_CODE IN_AADHAAR "
        "IN_PAN IN_PASSPORT IN_VOTER SG_NRIC_FIN AU_TFN AU_MEDICARE KR_RRN TH_TNIN CA_SIN "
        "ZA_ID_NUMBER TR_NATIONAL_ID"
    ),
}
ENTITIES: Final[Mapping[str, PiiKind]] = MappingProxyType(
    {entity: kind for kind, entities in _BY_KIND.items() for entity in entities.split()}
)
"""What Presidio 2.2 calls the entities that tell of a person. Its places, dates, URLs and groups ("LOCATION",
"DATE_TIME", "URL", "NRP") are in nearly every memory and are left out."""


class PresidioResult(Protocol):
    """A ``presidio_analyzer.RecognizerResult``."""

    entity_type: str
    start: int
    end: int
    score: float


class Engine(Protocol):
    """A ``presidio_analyzer.AnalyzerEngine``, as far as it is used here."""

    def analyze(
        self,
        text: str,
        language: str,
        entities: list[str] | None = None,
        correlation_id: str | None = None,
        score_threshold: float | None = None,
    ) -> Sequence[PresidioResult]:
        """What the engine finds; places are counted in characters."""
        ...


class PresidioRecogniser:
    """Finds personal data with a Presidio engine.

    Args:
        entities: Presidio's entities and what they are here; others are left out.
        score_threshold: Presidio's lowest score that counts, 0 to 1. Its rules give less than 0.5 to most
            forms that no word beside them supports.
        replaces: The kinds whose built-in rules are left out.
    """

    def __init__(
        self,
        engine: Engine,
        *,
        language: str = "en",
        entities: Mapping[str, PiiKind] = ENTITIES,
        score_threshold: float = 0.5,
        replaces: Collection[PiiKind] = (),
    ) -> None:
        self.replaces: Final = frozenset(replaces)
        self._engine = engine
        self._language = language
        self._entities = dict(entities)
        self._score_threshold = score_threshold

    def find(self, text: str, *, region: str | None) -> Iterator[PiiSpan]:
        """What the engine finds in a text; it is not told the region."""
        del region
        found = self._engine.analyze(text, self._language, score_threshold=self._score_threshold)
        for result in found:
            if kind := self._entities.get(result.entity_type):
                place = (result.start, result.end)
                yield span(kind, text, place, confidence=result.score, rule=f"Presidio {result.entity_type}")
