"""The search for personal data: every built-in rule, and the recognisers that are plugged in."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cache
from typing import Final

from recollect.errors import InvalidInputError, as_given
from recollect.text.pii.folding import folded, unfolded
from recollect.text.pii.spans import KINDS, SURE, PiiKind, PiiSpan, Recogniser, apart, span
from recollect.types.regex import lazy_regex


def find_pii(
    text: str,
    *,
    kinds: Collection[PiiKind] = KINDS,
    region: str | None = None,
    recognisers: Sequence[Recogniser] = (),
) -> tuple[PiiSpan, ...]:
    """The personal data in a text, in its order; none overlaps another.

    Of findings that overlap the surest stays, of equals the longest, then the first.

    Args:
        text: Any words; all of them are read.
        kinds: What to look for.
        region: The country whose phone numbers and national numbers count without words that name them, in
            ISO 3166's two capital letters.
        recognisers: What else looks for personal data, each in place of the built-in rules that it replaces.

    >>> for found in find_pii("Mail ada@example.com or call (212) 555-0147"):
    ...     print(found.kind, found.place, found.text, found.confidence)
    email (5, 20) ada@example.com 0.95
    phone (29, 43) (212) 555-0147 0.95
    >>> find_pii("Order 4839201773 came on 2024-05-15")
    ()

    Raises:
        InvalidInputError: The text is not a string, a kind is unknown, the region is not two capital
            letters, or a recogniser found something outside of the text.
    """
    _check(text, kinds, region)
    wanted = _EVERY_KIND if kinds is KINDS else frozenset(kinds)
    replaced = frozenset(kind for one in recognisers for kind in one.replaces) if recognisers else _NO_KIND
    seen = folded(text)
    found = _searched(seen, wanted - replaced if replaced else wanted, region)
    if seen is not text:
        found = [unfolded(one, text) for one in found]
    for one in recognisers:
        found += [given for given in _plugged(one, text, region) if given.kind in wanted]
    return apart(found) if found else ()


def _searched(text: str, kinds: frozenset[PiiKind], region: str | None) -> list[PiiSpan]:
    """What is found in a folded text; all but secrets and e-mail addresses hold digits."""
    signs = text.encode(errors="ignore")
    digits = len(signs) - len(signs.translate(None, b"0123456789"))
    found: list[PiiSpan] = []
    if "secret" in kinds or (digits and "card" in kinds):
        found += [one for one in _secrets(text) if one.kind in kinds]
    if "@" in text and "email" in kinds:
        from recollect.text.pii.emails import emails

        found += emails(text)
    if digits:
        for kind, least_digits, search in _searches():
            if digits >= least_digits and kind in kinds:
                found += search(text, region)
    return found


def _plugged(recogniser: Recogniser, text: str, region: str | None) -> Iterator[PiiSpan]:
    """What a recogniser finds; one that points elsewhere would leave personal data unmasked."""
    for found in recogniser.find(text, region=region):
        start, end = found.place
        if not 0 <= start < end <= len(text):
            raise InvalidInputError(
                f"{type(recogniser).__name__} found {found.place} in {len(text)} characters"
            )
        yield found


def _secrets(text: str) -> Iterator[PiiSpan]:
    from recollect.text.secrets import find_secrets

    for found in find_secrets(text):
        kind: PiiKind = "card" if found.kind == "payment card" else "secret"
        yield span(kind, text, (found.start, found.end), confidence=SURE, rule=found.kind)


def _check(text: object, kinds: Collection[PiiKind], region: str | None) -> None:
    if not isinstance(text, str):
        raise InvalidInputError(f"text must be a string, not {type(text).__name__}")
    if kinds is not KINDS and (unknown := sorted(set(kinds).difference(KINDS))):
        raise InvalidInputError(
            f"kinds has the unknown kind {as_given(unknown[0])}; known are {', '.join(KINDS)}"
        )
    if region is not None and not (isinstance(region, str) and _REGION.fullmatch(region)):
        raise InvalidInputError(f"region must be two capital letters such as 'US', not {as_given(region)}")


_EVERY_KIND: Final = frozenset(KINDS)
_NO_KIND: Final[frozenset[PiiKind]] = frozenset()
_Search = Callable[[str, str | None], Iterable[PiiSpan]]

_REGION: Final = lazy_regex("[A-Z]{2}")


@cache
def _searches() -> tuple[tuple[PiiKind, int, _Search], ...]:
    """What is searched for in a text that holds so many digits; the rules are loaded when first used."""
    from recollect.text.pii.accounts import cards, ibans
    from recollect.text.pii.births import births
    from recollect.text.pii.hosts import ip_addresses
    from recollect.text.pii.national import national_ids
    from recollect.text.pii.phones import phones
    from recollect.text.pii.postal import addresses

    return (
        ("address", 1, lambda text, _: addresses(text)),
        ("date_of_birth", 1, lambda text, _: births(text)),
        ("ip", 4, lambda text, _: ip_addresses(text)),
        ("national_id", 4, lambda text, region: national_ids(text, region=region)),
        ("phone", 7, lambda text, region: phones(text, region=region)),
        ("iban", 10, lambda text, _: ibans(text)),
        ("card", 14, lambda text, _: cards(text)),
    )
