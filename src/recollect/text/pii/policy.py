"""What becomes of personal data in a text that is to be stored: kept, masked, or a reason to refuse it."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Final, Literal, get_args

from recollect.errors import InvalidInputError, as_given
from recollect.text.pii.spans import KINDS, PiiKind, PiiSpan, Recogniser

PiiAction = Literal["keep", "mask", "refuse"]
"""What to do with a kind of personal data."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PiiPolicy:
    """What to do with each kind of personal data.

    Attributes:
        default: For every kind without an action of its own.
        email: For e-mail addresses; None takes the default, as for the other kinds.
        secret: For passwords and keys, as ``recollect.text.secrets`` finds them.
        person: For names, where a recogniser finds them.
        other: For what a recogniser finds besides.
        region: ISO code of the country whose national numbers are meant, such as "US"; None for no one.
        recognisers: What else finds personal data.

    >>> PiiPolicy(default="keep", card="mask").action("card")
    'mask'

    Raises:
        InvalidInputError: An action is unknown.
    """

    default: PiiAction = "mask"
    email: PiiAction | None = None
    card: PiiAction | None = None
    iban: PiiAction | None = None
    national_id: PiiAction | None = None
    phone: PiiAction | None = None
    secret: PiiAction | None = None
    address: PiiAction | None = None
    ip: PiiAction | None = None
    date_of_birth: PiiAction | None = None
    person: PiiAction | None = None
    other: PiiAction | None = None
    region: str | None = None
    recognisers: Sequence[Recogniser] = ()

    def __post_init__(self) -> None:
        known = get_args(PiiAction)
        for field in fields(self)[:-2]:
            given = getattr(self, field.name)
            if given not in known and (given is not None or field.name == "default"):
                raise InvalidInputError(
                    f"{field.name} must be one of {', '.join(known)}, not {as_given(given)}"
                )

    def action(self, kind: PiiKind) -> PiiAction:
        """What to do with a kind."""
        chosen: PiiAction | None = getattr(self, kind)
        return self.default if chosen is None else chosen


@dataclass(frozen=True, slots=True, kw_only=True)
class PiiDecision:
    """What a policy makes of a text.

    Attributes:
        text: The text with everything in ``spans`` replaced by what it was.
        spans: What was found in the text as it came, of the kinds that the policy does not keep.
        masked: The kinds that were masked, each once, in the text's order.
        refused: The kinds for which the text must not be stored, likewise; usually empty.
    """

    text: str
    spans: tuple[PiiSpan, ...]
    masked: tuple[PiiKind, ...]
    refused: tuple[PiiKind, ...]


def apply(text: str, policy: PiiPolicy) -> PiiDecision:
    """Find personal data in a text and do with it what a policy says.

    What is kept is not looked for, so that it never stands in the way of what is masked.

    Args:
        text: Any words.
        policy: What to do.

    >>> decision = apply("Call 415-555-0132, my SSN is 459-45-5156", PiiPolicy(national_id="refuse"))
    >>> decision.text, decision.refused
    ('Call [phone number removed], my SSN is [national number removed]', ('national_id',))

    Raises:
        InvalidInputError: As ``find_pii`` does.
    """
    from recollect.text.pii.find import find_pii

    looked_for = tuple(kind for kind in KINDS if policy.action(kind) != "keep")
    spans = find_pii(text, kinds=looked_for, region=policy.region, recognisers=policy.recognisers)
    kinds = tuple(dict.fromkeys(found.kind for found in spans))
    return PiiDecision(
        text=masked(text, spans),
        spans=spans,
        masked=tuple(kind for kind in kinds if policy.action(kind) == "mask"),
        refused=tuple(kind for kind in kinds if policy.action(kind) == "refuse"),
    )


def masked(text: str, spans: Sequence[PiiSpan]) -> str:
    """The text with each of the spans, which are in order and apart, replaced by what it was."""
    parts, end = [], 0
    for found in spans:
        name = found.rule if found.kind == "secret" else _NAMES[found.kind]
        parts += [text[end : found.place[0]], f"[{name} removed]"]
        end = found.place[1]
    return "".join([*parts, text[end:]])


_NAMES: Final[dict[PiiKind, str]] = {
    "email": "e-mail address",
    "card": "payment card",
    "iban": "bank account",
    "national_id": "national number",
    "phone": "phone number",
    "address": "address",
    "ip": "IP address",
    "date_of_birth": "date of birth",
    "person": "name",
    "other": "personal data",
}
"""What stands in a masked text, as ``recollect.text.secrets`` has it for a card."""
