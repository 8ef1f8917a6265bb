"""Credentials in a text: found by their issuers' formats and by the words around them, and masked."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final, get_args

from recollect.text.secrets.answers import find_answers, find_logins
from recollect.text.secrets.formats import find_formats
from recollect.text.secrets.names import find_names
from recollect.text.secrets.plain import find_plain, find_seeds
from recollect.text.secrets.spans import Secret, SecretKind
from recollect.text.secrets.stretches import Numbers, has_digits, may_tell, numbers_in, stretches
from recollect.text.secrets.tokens import lowered
from recollect.text.secrets.told import find_told

__all__ = ["Secret", "SecretKind", "find_secrets", "mask_secrets", "without_half_mask"]


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
    for stretch in stretches(text, low, numbers):
        names = find_names(stretch)
        found += [*find_told(stretch, names), *find_plain(stretch, names), *find_seeds(stretch, names)]
        found += [*find_answers(stretch, names), *find_logins(stretch)]
    found = [_with_mark(text, secret) for secret in found if not _cuts_word(text, secret)]
    found += _again(text, found)
    return tuple(_merged(sorted(found, key=lambda secret: (secret.start, -secret.end))))


def mask_secrets(text: str) -> tuple[str, tuple[str, ...]]:
    """The text with each credential replaced by what it was, and the kinds found, each once.

    >>> mask_secrets("my password is hunter2!")
    ('my password is [password removed]', ('password',))
    """
    secrets = find_secrets(text)
    parts, end = [], 0
    for secret in secrets:
        parts += [text[end : secret.start], f"[{secret.kind} removed]"]
        end = secret.end
    return "".join([*parts, text[end:]]), tuple(dict.fromkeys(secret.kind for secret in secrets))


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
        if len(value) >= _REPEATED and not value.isalpha():
            for match in re.finditer(rf"(?<!\w){re.escape(value)}(?!\w)", text):
                yield Secret(kind=kind, start=match.start(), end=match.end())


def _with_mark(text: str, secret: Secret) -> Secret:
    """A password with an exclamation mark behind it, which may be a part of it."""
    if secret.kind != "password" or not text.startswith("!", secret.end):
        return secret
    return replace(secret, end=secret.end + 1)


def _cuts_word(text: str, secret: Secret) -> bool:
    """Whether a secret ends within a word, where the part of the text that was looked at ended."""
    return (
        secret.kind in {"password", "code"}
        and text[secret.end - 1 : secret.end + 1].isalnum()
        and secret.end < len(text)
    )


def _merged(secrets: list[Secret]) -> Iterator[Secret]:
    last: Secret | None = None
    for secret in secrets:
        if last is None:
            last = secret
        elif secret.start < last.end:
            last = Secret(kind=last.kind, start=last.start, end=max(last.end, secret.end))
        else:
            yield last
            last = secret
    if last is not None:
        yield last


_REPEATED, _MOST = 6, 20
"""Characters of the shortest value that is masked wherever it stands, and so many values. Chosen by hand."""
_MASKS: Final[tuple[str, ...]] = get_args(SecretKind)
