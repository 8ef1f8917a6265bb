"""Secrets by their shape and the words around them, in points.

A value that looks like a secret is one when its shape, its name and the link between them reach six points.

=================================== ======================== ===================== =============== =====
text                                shape                    name                  link            sum
=================================== ======================== ===================== =============== =====
pin for my card is 4071             code 2                   pin 3                 "is" 2          7
Rhubarb99 is what I use for amazon  made up 3                what I use 3          far 0           6
I lost the pin, order 48213         code 2                   pin 3                 near 1, -4      2
=================================== ======================== ===================== =============== =====
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from typing import Final

from recollect.text.secrets.claims import CLAIMED, claim
from recollect.text.secrets.links import is_entered, is_linked, lead_of, starts_clause
from recollect.text.secrets.names import OPENED, SECRETS, Name, NameKind
from recollect.text.secrets.plain_words import speaks_about
from recollect.text.secrets.spans import Secret, SecretKind
from recollect.text.secrets.stretches import Stretch
from recollect.text.secrets.tokens import Token
from recollect.text.secrets.values import NUMBERS, Value, find_values
from recollect.text.secrets.words import (
    ABOUT,
    ANAPHORS,
    CHANGE,
    COMPARES,
    CONNECTS,
    FILLERS,
    IS,
    NEGATION,
    SIGNS,
    THAT_IS,
    words,
)  # fmt: skip
from recollect.types.regex import lazy_regex

ENOUGH: Final = 6
"""Points of a secret. This and all points are chosen by hand, on the lines that the rules were made on."""
NAME_POINTS: Final[Mapping[NameKind, int]] = {
    "password": 3, "phrase": 3, "spoken": 3, "code": 3, "cvc": 3, "key": 3, "unlock": 3,
    "wifi": 2, "lock": 2, "place": 2, "open": 2, "account": 1, "habit": 2, "weak": 1,
    "some code": 2, "sent": 2,
}  # fmt: skip
"""What names a secret counts more than what one opens."""
LINKED, NEAR, FAR = 2, 1, 0
"""A word such as "is", "type" or "as" leads from name to value; few words stand between them; many do."""
APART = -9
"""Name and value have nothing to do with each other."""


def find_told(stretch: Stretch, names: tuple[Name, ...]) -> Iterator[Secret]:
    """The secrets with a shape of their own that a stretch of text tells, in order."""
    if not names and not stretch.is_odd:
        return
    tokens, told, places = stretch.tokens, -1, [name.first for name in names]
    for value in find_values(stretch):
        near = names[
            bisect_left(places, value.first - _FARTHEST) : bisect_left(places, value.first + _FARTHEST)
        ]
        scored = [(_points(stretch, value, name, told), name) for name in near if name.kind in NAME_POINTS]
        points, name = max(scored, key=lambda one: one[0], default=(APART, None))
        points = max(points, _alone(stretch, value))
        if (
            points < ENOUGH
            or points + claim(stretch, value, name) < ENOUGH
            or _is_masked(stretch, value, name)
        ):
            continue
        told = value.last
        yield Secret(kind=_kind(name, value), start=tokens[value.first].start, end=tokens[value.last].end)


def _alone(stretch: Stretch, value: Value) -> int:
    """The points of a value that no name stands near: "so I changed it to R4inyMonday"."""
    if value.points < _ALONE:
        return 0
    is_changed = CHANGE.search(stretch.between(value.first - _NEAR, value.first - 1)) is not None
    return value.points + (is_changed or is_entered(stretch, value))


def _kind(name: Name | None, value: Value) -> SecretKind:
    """What a value with a name is, or without one."""
    if name is None:
        return "password"
    if name.kind == "key":
        return "api key"
    is_code = name.kind in {"code", "some code", "sent", "cvc", "lock", "place"}
    return "code" if is_code or (name.kind in _OPENED and value.shape in {*_TYPED, "year"}) else "password"


def _is_masked(stretch: Stretch, value: Value, name: Name | None) -> bool:
    """Whether the name belongs to a secret that was masked before."""
    return name is not None and " removed]" in stretch.between(
        min(value.first, name.last), max(value.last, name.first)
    )


def _points(stretch: Stretch, value: Value, name: Name, told: int) -> int:
    if name.first <= value.last and value.first <= name.last:
        return APART
    named = NAME_POINTS[name.kind]
    return (
        (max(named, _TOPIC) if value.points >= _STRONG else named)
        + _shape_points(stretch, value, name)
        + _link_points(stretch, value, name, told)
    )


def _shape_points(stretch: Stretch, value: Value, name: Name) -> int:
    """The points of a shape; a value that the name cannot have is apart."""
    text = stretch.tokens[value.first].text
    if name.kind == "cvc":
        return max(value.points, _CODE) if _CVC.fullmatch(text) or value.shape == "code" else APART
    if name.kind == "some code" and (value.shape not in _TYPED or value.first - name.last > _DESCRIPTION + 2):
        return APART
    if name.kind == "sent":
        return value.points if _is_sent(stretch, value, name) else APART
    if name.kind == "key":
        return _STRONG if _KEY.fullmatch(text) else APART
    if value.shape == "quoted":
        has_digit = any(map(str.isdigit, text))
        is_open = name.kind in {"password", "phrase", "spoken", "unlock"} and not speaks_about(text, "")
        if name.kind == "unlock" and value.first < name.first:
            return APART
        return value.points if (has_digit and name.kind == "code") or is_open else APART
    if value.shape == "short" and name.kind == "lock" and _is_set(stretch, value, name):
        return _CODE
    return APART if _is_other(stretch, value, name, text) else value.points or APART


def _is_set(stretch: Stretch, value: Value, name: Name) -> bool:
    """Whether three digits are a lock's: "the safe is set to 731", "padlock gym 306"."""
    is_beside = 0 < value.first - name.last <= 2 and stretch.ends_clause(value.last)  # noqa: PLR2004
    has_wheels = _WHEELS.search(stretch.between(name.first, name.last)) is not None
    return (is_beside and has_wheels) or is_linked(stretch, value.first)


def _is_other(stretch: Stretch, value: Value, name: Name, text: str) -> bool:
    """Whether a value has a shape that what is named does not have."""
    if value.shape in {"long", "joined"} and name.kind in _OPENED | {"code", "some code"}:
        return text.isalpha() or name.kind not in {"unlock", "code"} or value.shape == "long"
    if name.kind == "wifi" and value.points <= _STRONG and _NETWORK.fullmatch(text):
        return True
    if value.shape == "short":
        return name.kind != "code" or not stretch.ends_clause(value.last)
    return name.kind == "code" and _may_be_postal(stretch, name, text)


def _is_sent(stretch: Stretch, value: Value, name: Name) -> bool:
    """Whether a value is of six digits, sent as a text or by a bank or the like that its sentence names."""
    digits = stretch.text[stretch.tokens[value.first].start : stretch.tokens[value.last].end]
    sentence = stretch.between(*stretch.sentence(value.first))
    is_text = _TEXT.match(stretch.tokens[name.first].low) is not None
    return _SIX.fullmatch(digits) is not None and (is_text or OPENED.search(sentence) is not None)


def _may_be_postal(stretch: Stretch, name: Name, text: str) -> bool:
    """Whether a number may be an Indian postal code, which is called "pin code", too."""
    is_called = "code" in stretch.between(name.first, name.last) and "pin" in stretch.between(
        name.first, name.last
    )
    sentence = stretch.between(*stretch.sentence(name.first))
    return is_called and _POSTAL.fullmatch(text) is not None and not OPENED.search(sentence)


def _link_points(stretch: Stretch, value: Value, name: Name, told: int) -> int:
    first, last = stretch.sentence(value.first)
    if name.kind == "sent":
        return LINKED
    if told > name.last and all(token.low in CONNECTS for token in stretch.tokens[told + 1 : value.first]):
        return LINKED
    is_other = value.first > 0 and stretch.tokens[value.first - 1].low in NEGATION
    if is_other and first <= told < value.first:
        return LINKED
    if name.kind == "some code" and value.points <= _CODE and not first <= name.first < value.first:
        return APART
    if not first <= name.first <= last:
        is_topic = value.shape == "odd" and value.points >= _STRONG
        return LINKED if _goes_on(stretch, value, name, first, last) else FAR if is_topic else APART
    if name.last < value.first:
        return _behind(stretch, value, name)
    return _before(stretch, value, name)


def _goes_on(stretch: Stretch, value: Value, name: Name, first: int, last: int) -> bool:
    """Whether the value's sentence is about the name in the one beside it: "Safe code? It's 83-11-47."."""
    tokens = stretch.tokens
    if name.last < first:
        if stretch.sentence(first - 1)[0] > name.first:
            return False
        is_answer = tokens[first - 1].stop == "?" and first - name.last <= _NEAR
        if tokens[first].low in ANAPHORS and value.points > _CODE:
            return True
        is_bare = all(token.low in FILLERS for token in tokens[first : value.first])
        starts = tokens[first].low in ANAPHORS or is_bare or is_answer
        is_told = (
            is_bare or is_linked(stretch, value.first) or (is_answer and stretch.ends_clause(value.last))
        )
        return starts and value.first - first <= _NEAR and is_told
    return value.last == last and tokens[last + 1].low in THAT_IS and name.first - last <= _NEAR + 1


def _behind(stretch: Stretch, value: Value, name: Name) -> int:
    """The points of a value behind its name."""
    gap = stretch.tokens[name.last + 1 : value.first]
    if name.kind == "place" and gap and gap[0].low in _NUMBER:
        return CLAIMED
    if all(token.low in FILLERS for token in gap) and name.kind not in _NUMBERED:
        return LINKED
    if len(gap) > _REACH:
        return FAR
    if is_entered(stretch, value) and _is_about(stretch, value, name):
        return LINKED
    ends = stretch.ends_clause(value.last)
    if name.kind not in _NUMBERED and ends and starts_clause(stretch, value.first):
        return LINKED
    if not gap:
        is_strong = value.shape in _TYPED and value.points > _CODE
        is_noted = name.kind == "place" and _is_noted(stretch, value)
        return LINKED if is_strong or is_noted or (ends and name.kind in {"unlock", "some code"}) else FAR
    is_noted = name.kind in {"lock", "place"} and value.shape in _TYPED and _is_noted(stretch, value)
    is_led = (is_noted and len(gap) <= _NEAR) or (ends and _is_for(name, gap))
    return LINKED if is_led else _nearness(value, name, len(gap))


def _is_for(name: Name, gap: tuple[Token, ...]) -> bool:
    """Whether what stands between a name and a value says what the value opens: "code for the front door"."""
    if any(token.stop for token in gap) or len(gap) > _DESCRIPTION:
        return False
    return name.kind == "some code" if len(gap) == 1 else gap[0].low in ABOUT


def _is_noted(stretch: Stretch, value: Value) -> bool:
    """Whether the value is said to be kept for later: "remember: alarm at home 4127"."""
    return _NOTED.search(stretch.between(*stretch.sentence(value.first))) is not None


def _nearness(value: Value, name: Name, gap: int) -> int:
    """The points of a value that no link leads to."""
    is_near = gap <= _NEAR and value.shape not in _VAGUE
    return NEAR if is_near and (name.kind != "unlock" or value.points >= _STRONG) else FAR


def _is_about(stretch: Stretch, value: Value, name: Name) -> bool:
    """Whether a number's clause speaks of the name: "the pin changed, it's 4711", not "my rent is 4711"."""
    tokens, head = stretch.tokens, value.first
    while head > name.last + 1 and not tokens[head - 1].stop:
        head -= 1
    lead = lead_of(stretch, value.first)
    if head <= name.last + 1 or lead is None or tokens[lead].low not in IS or value.shape not in NUMBERS:
        return True
    return any(tokens[head].low in some for some in (ANAPHORS, IS, CONNECTS))


def _before(stretch: Stretch, value: Value, name: Name) -> int:
    """The points of a value before its name."""
    tokens, gap = stretch.tokens, stretch.tokens[value.last + 1 : name.first]
    if not gap and not tokens[value.last].stop:
        return NEAR if name.kind in {"unlock", "open"} else CLAIMED
    if len(gap) > _REACH:
        return FAR
    if is_entered(stretch, value):
        return LINKED
    is_stated = bool(gap) and (gap[0].low in IS - SIGNS or gap[0].low in COMPARES)
    is_listed = tokens[value.last].stop == "," and value.shape != "quoted" and name.kind in SECRETS
    is_told = is_stated or is_listed
    is_brand = stretch.tokens[value.first].text.isalpha()
    if (
        value.shape == "joined"
        and value.first != stretch.sentence(value.first)[0]
        and (is_brand or not is_stated)
    ):
        return FAR
    if is_told and len(gap) <= _NEAR:
        return LINKED
    return _nearness(value, name, len(gap))


_TYPED: Final = frozenset({"code", "dial", "triple"})
_CODE, _TOPIC, _STRONG, _ALONE = 2, 2, 4, 5
"""Points of a code's shape, and of one that little else has."""
_REACH: Final = 16
"""Tokens between a name and its farthest value. This and the next are chosen by hand."""
_NEAR: Final = 4
_FARTHEST: Final = 40
_DESCRIPTION: Final = 6
_OPENED: Final = frozenset({"lock", "place", "open", "unlock", "account", "habit"})
"""What a secret opens."""
_VAGUE: Final = frozenset({"quoted", "joined", "long", "year"})
"""Shapes that say little without a link."""
_NETWORK: Final = lazy_regex(r"\d{1,7}|[A-Z][\w-]*")
"""What names a network rather than opens it; the shortest key (WPA) has eight digits."""
_SIX: Final = lazy_regex(r"(?:[a-z]-)?\d{3}[ -]?(?!000)\d{3}", re.IGNORECASE)
_TEXT: Final = lazy_regex(r"sms|text|whatsapp")
_POSTAL: Final = lazy_regex(r"[1-9]\d{5}")
_NOTED: Final = lazy_regex(
    r"\b(?:remember|remind|note|save|merk|notier|schreib|retiens|souviens|apunta|recuerda|guarda|anota|lembra|segna"
    r"|ricorda|onthoud|noteer|kom ihåg|spara)"
)
"""What one says of a number that is kept for later."""
_WHEELS: Final = lazy_regex(
    r"padlock|(?:combo|combination|luggage|bike|cycle) ?lock|cadenas|candado|cadeado|lucchetto"
    r"|(?:zahlen|fahrrad|koffer)schloss|(?:fiets|hang|cijfer)slot|cykellås|hänglås"
)
"""Locks that three digits open."""
_NUMBER: Final = words("number nummer numéro número numero nr no")
"""Behind a place that has a number of its own: "my locker number, 2214"."""
_NUMBERED: Final = frozenset({"place", "account", "open", "unlock", "wifi", "habit", "some code"})
"""What has numbers of its own: "door 1203", "locker 1180"."""
_CVC: Final = lazy_regex(r"\d{3,4}")
_KEY: Final = lazy_regex(r"(?=.*\d)(?=.*[A-Za-z])[\w.:/+~=-]{10,}")
