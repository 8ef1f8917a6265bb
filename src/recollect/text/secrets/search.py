"""Credentials in a text, found by all that shows them, and masked."""

import re
from collections.abc import Iterator, Sequence
from typing import Final, get_args

from recollect.text.secrets.formats import find_formats
from recollect.text.secrets.spans import Secret, SecretKind, masked, merged
from recollect.text.secrets.stretches import Numbers, may_tell, numbers_in, stretches
from recollect.text.secrets.tokens import has_digits, lowered


def find_secrets(text: str) -> tuple[Secret, ...]:
    """The credentials in a text, in order; those that overlap are one, of the first one's kind.

    >>> find_secrets("my password is hunter2!")
    (Secret(kind='password', start=15, end=23),)
    >>> find_secrets("my password is wrong")
    ()
    """
    low, digits = lowered(text), has_digits(text)
    if not digits and "://" not in low and "-----b" not in low and not may_tell(low):
        return ()
    numbers = numbers_in(text, low) if digits else Numbers()
    found = list(find_formats(text, low, digits=digits, has_key=numbers.may_be_key))
    told = _told(text, low, list(stretches(text, low, numbers)))
    found += [
        one for one in told if not any(one.start < other.end and other.start < one.end for other in found)
    ]
    found = [_with_signs(text, secret) for secret in found]
    found += _again(text, found)
    return tuple(merged(found))


def mask_secrets(text: str) -> tuple[str, tuple[str, ...]]:
    """The text with each credential replaced by what it was, and the kinds found, each once.

    >>> mask_secrets("my password is hunter2!")
    ('my password is [password removed]', ('password',))
    """
    kinds: dict[str, None] = {}
    for _ in range(_PASSES):
        secrets = find_secrets(text)
        if not secrets:
            break
        kinds |= dict.fromkeys(secret.kind for secret in secrets)
        text = masked(text, secrets)
    return text, tuple(kinds)


def _told(text: str, low: str, parts: Sequence[tuple[int, int]]) -> list[Secret]:
    """The secrets that parts of a text tell in words; the network that finds them is loaded for these."""
    if not parts:
        return []
    from recollect.text.secrets.told import find_told

    return [one for start, end in parts for one in find_told(text, low, start, end)]


def without_half_mask(text: str) -> str:
    """A text that was cut, without a mask that the cut left open at its end.

    >>> without_half_mask("my password is [password rem")
    'my password is'
    """
    begin = text.rfind("[")
    is_open = (
        begin >= 0
        and "]" not in text[begin:]
        and any(f"{mask} removed]".startswith(text[begin + 1 :]) for mask in _MASKS)
    )
    return text[:begin].rstrip() if is_open else text


def _again(text: str, secrets: list[Secret]) -> Iterator[Secret]:
    """The other places where passwords and keys stand: "user dave77, password dave77"."""
    kinds = {text[secret.start : secret.end]: secret.kind for secret in secrets[:_MOST]}
    for value, kind in kinds.items():
        if len(value) >= _REPEATED:
            for match in re.finditer(rf"(?<!\w){re.escape(value)}(?!\w)", text):
                yield Secret(kind=kind, start=match.start(), end=match.end())


def _with_signs(text: str, secret: Secret) -> Secret:
    """A password or a code with the signs beside it, which may be a part of it."""
    if secret.kind not in {"password", "code"}:
        return secret
    start, end = secret.start, secret.end
    start -= start > 0 and text[start - 1] in "*#"
    end += end < len(text) and text[end] in ("!*#$" if secret.kind == "password" else "*#")
    return secret._replace(start=start, end=end)


_REPEATED, _MOST = 6, 20
"""Characters of the shortest value that is masked wherever it stands, and so many values. Chosen by hand."""
_PASSES: Final = 4
"""Searches of one text: a mask can show that the words beside it are a secret. None of our lines needs more
than two. Chosen by hand."""
_MASKS: Final[tuple[str, ...]] = get_args(SecretKind)
