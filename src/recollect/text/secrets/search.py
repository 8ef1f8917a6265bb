"""Credentials in a text, found by all that shows them, and masked."""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, get_args

from recollect.text.secrets.formats import find_formats
from recollect.text.secrets.spans import Secret, SecretKind, TextPart, masked, merged
from recollect.text.secrets.stretches import Numbers, may_tell, numbers_in, stretches
from recollect.text.secrets.tokens import has_digits, lowered


def find_secrets(text: str) -> tuple[Secret, ...]:
    """The credentials in a text, in order; those that overlap are one, of the first one's kind.

    >>> find_secrets("my password is hunter2!")
    (Secret(kind='password', start=15, end=23),)
    >>> find_secrets("my password is wrong")
    ()
    """
    return _find_all([text])[0]


def mask_secrets(text: str) -> tuple[str, tuple[str, ...]]:
    """The text with each credential replaced by what it was, and the kinds found, each once.

    >>> mask_secrets("my password is hunter2!")
    ('my password is [password removed]', ('password',))
    """
    return mask_all([text])[0]


def mask_all(texts: Sequence[str]) -> list[tuple[str, tuple[str, ...]]]:
    """Each text as ``mask_secrets`` gives it; the network that finds what is told reads them together.

    >>> mask_all(["my password is hunter2!", "my password is wrong"])
    [('my password is [password removed]', ('password',)), ('my password is wrong', ())]
    """
    left = list(texts)
    kinds: list[dict[str, None]] = [{} for _ in left]
    places: Sequence[int] = range(len(left))
    for _ in range(_PASSES):
        found = list(zip(places, _find_all([left[place] for place in places]), strict=True))
        places = [place for place, secrets in found if secrets]
        for place, secrets in found:
            kinds[place] |= dict.fromkeys([secret.kind for secret in secrets])
            left[place] = masked(left[place], secrets) if secrets else left[place]
        if not places:
            break
    return [(text, tuple(its_kinds)) for text, its_kinds in zip(left, kinds, strict=True)]


class _Looked(NamedTuple):
    """A text after the first look: what formats show, and the parts that may tell a secret in words."""

    place: int
    text: str
    formats: list[Secret]
    parts: list[TextPart]


def _find_all(texts: Sequence[str]) -> list[tuple[Secret, ...]]:
    """The credentials in each text."""
    looked = [one for place, text in enumerate(texts) if (one := _look(place, text)) is not None]
    found: list[tuple[Secret, ...]] = [()] * len(texts)
    for one, told in zip(looked, _told(looked), strict=True):
        found[one.place] = _together(one, told) if one.formats or told else ()
    return found


def _look(place: int, text: str) -> _Looked | None:
    """The first look; None where a text can hold no secret, as most."""
    low, digits = lowered(text), has_digits(text)
    if not digits and "://" not in low and "-----b" not in low and not may_tell(low):
        return None
    numbers = numbers_in(text, low) if digits else Numbers()
    formats = list(find_formats(text, low, digits=digits, has_key=numbers.may_be_key))
    parts = [TextPart(text, low, start, end) for start, end in stretches(text, low, numbers)]
    return _Looked(place, text, formats, parts) if formats or parts else None


def _told(looked: Sequence[_Looked]) -> Iterator[list[Secret]]:
    """The secrets that texts tell in words; the network that finds them is loaded for these."""
    parts = [part for one in looked for part in one.parts]
    if not parts:
        return iter([[] for _ in looked])
    from recollect.text.secrets.told import find_told

    told = iter(find_told(parts))
    return ([secret for _ in one.parts for secret in next(told)] for one in looked)


def _together(looked: _Looked, told: Sequence[Secret]) -> tuple[Secret, ...]:
    """What formats show and what is told, each with the signs and the repetitions of it."""
    text, found = looked.text, list(looked.formats)
    found += [
        one for one in told if not any(one.start < other.end and other.start < one.end for other in found)
    ]
    found = [_with_signs(text, secret) for secret in found]
    found += _again(text, found)
    return tuple(merged(found))


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
