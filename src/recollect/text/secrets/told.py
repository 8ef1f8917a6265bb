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

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from typing import Final

from recollect.text.secrets.links import (
    ABOUT,
    ANAPHORS,
    CHANGE,
    CLAUSE_STARTS,
    COMPARES,
    CONNECTS,
    ENTER,
    FILLERS,
    FROM,
    IS,
    SIGNS,
    THAT_IS,
    TO,
    words,
)  # fmt: skip
from recollect.text.secrets.names import OPENED, Name, NameKind
from recollect.text.secrets.plain_words import speaks_about
from recollect.text.secrets.spans import Secret, SecretKind
from recollect.text.secrets.stretches import Stretch
from recollect.text.secrets.values import Value, find_values
from recollect.types.regex import lazy_regex

ENOUGH: Final = 6
"""Points of a secret. This and all points are chosen by hand, on the lines that the rules were made on."""
NAME_POINTS: Final[Mapping[NameKind, int]] = {
    "password": 3, "phrase": 3, "spoken": 3, "code": 3, "cvc": 3, "key": 3, "unlock": 3,
    "wifi": 2, "lock": 2, "place": 2, "open": 2, "account": 1, "habit": 2, "weak": 1,
}  # fmt: skip
"""What names a secret counts more than what one opens."""
SHAPE_POINTS: Final[Mapping[str, int]] = {
    "made up": 3, "mixed": 2, "code": 2, "quoted": 2, "long": 1, "joined": 1, "year": 1,
}  # fmt: skip
"""A shape that nothing else has counts more than one that dates and counts have, too."""
LINKED, NEAR, FAR = 2, 1, 0
"""A word such as "is", "type" or "as" leads from name to value; few words stand between them; many do."""
CLAIMED, COUNTED, APART = -4, -1, -9
"""Another word claims the value; an unknown word follows a number; name and value have nothing to do."""


def find_told(stretch: Stretch, names: tuple[Name, ...]) -> Iterator[Secret]:
    """The secrets with a shape of their own that a stretch of text tells, in order."""
    if not names:
        return
    tokens, told, places = stretch.tokens, -1, [name.first for name in names]
    for value in find_values(stretch):
        near = names[
            bisect_left(places, value.first - _FARTHEST) : bisect_left(places, value.first + _FARTHEST)
        ]
        scored = [(_points(stretch, value, name, told), name) for name in near if name.kind in NAME_POINTS]
        points, name = max(scored, key=lambda one: one[0], default=(APART, None))
        if name is None or points + _claim(stretch, value, name) < ENOUGH or _is_masked(stretch, value, name):
            continue
        told = value.last
        yield Secret(kind=_kind(name, value), start=tokens[value.first].start, end=tokens[value.last].end)


def _kind(name: Name, value: Value) -> SecretKind:
    """What a value with a name is."""
    if name.kind == "key":
        return "api key"
    is_code = name.kind in {"code", "cvc", "lock", "place"}
    return "code" if is_code or (name.kind in _OPENED and value.shape in {"code", "year"}) else "password"


def _is_masked(stretch: Stretch, value: Value, name: Name) -> bool:
    """Whether the name belongs to a secret that was masked before."""
    return " removed]" in stretch.between(min(value.first, name.last), max(value.last, name.first))


def _points(stretch: Stretch, value: Value, name: Name, told: int) -> int:
    if name.first <= value.last and value.first <= name.last:
        return APART
    return (
        NAME_POINTS[name.kind]
        + _shape_points(stretch, value, name)
        + _link_points(stretch, value, name, told)
    )


def _shape_points(stretch: Stretch, value: Value, name: Name) -> int:
    """The points of a shape; a value that the name cannot have is apart."""
    text = stretch.tokens[value.first].text
    if name.kind == "cvc":
        return SHAPE_POINTS["code"] if _CVC.fullmatch(text) else APART
    if name.kind == "key":
        return SHAPE_POINTS["made up"] if _KEY.fullmatch(text) else APART
    if value.shape == "quoted":
        has_digit = any(map(str.isdigit, text))
        is_open = name.kind in {"password", "phrase", "spoken", "unlock"} and not speaks_about(
            text, name.language
        )
        if name.kind == "unlock" and value.first < name.first:
            return APART
        return SHAPE_POINTS["quoted"] if (has_digit and name.kind == "code") or is_open else APART
    if (
        value.shape in {"long", "joined"}
        and name.kind in _OPENED | {"code"}
        and (text.isalpha() or name.kind != "unlock")
    ):
        return APART
    if name.kind == "wifi" and _NETWORK.fullmatch(text):
        return APART
    if name.kind == "code" and _may_be_postal(stretch, name, text):
        return APART
    return SHAPE_POINTS.get(value.shape, APART)


def _may_be_postal(stretch: Stretch, name: Name, text: str) -> bool:
    """Whether a number may be an Indian postal code, which is called "pin code", too."""
    is_called = "code" in stretch.between(name.first, name.last) and "pin" in stretch.between(
        name.first, name.last
    )
    sentence = stretch.between(*stretch.sentence(name.first))
    return is_called and _POSTAL.fullmatch(text) is not None and not OPENED.search(sentence)


def _link_points(stretch: Stretch, value: Value, name: Name, told: int) -> int:
    first, last = stretch.sentence(value.first)
    if told > name.last and all(token.low in CONNECTS for token in stretch.tokens[told + 1 : value.first]):
        return LINKED
    if not first <= name.first <= last:
        return LINKED if _goes_on(stretch, value, name, first, last) else APART
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
        if tokens[first].low in ANAPHORS and value.shape == "made up":
            return True
        starts = tokens[first].low in ANAPHORS or value.first - first <= 1 or is_answer
        return (
            starts
            and value.first - first <= _NEAR
            and (value.first == first or is_linked(stretch, value.first))
        )
    return value.last == last and tokens[last + 1].low in THAT_IS and name.first - last <= _NEAR + 1


def _behind(stretch: Stretch, value: Value, name: Name) -> int:
    """The points of a value behind its name."""
    gap = stretch.tokens[name.last + 1 : value.first]
    if all(token.low in FILLERS for token in gap) and name.kind not in _NUMBERED:
        return LINKED
    if len(gap) > _REACH:
        return FAR
    if is_entered(stretch, value) and _is_about(stretch, value, name):
        return LINKED
    if (
        name.kind not in _NUMBERED
        and stretch.ends_clause(value.last)
        and _starts_clause(stretch, value.first)
    ):
        return LINKED
    if not gap:
        return FAR
    is_described = len(gap) > 1 and gap[0].low in ABOUT and not any(token.stop for token in gap)
    if is_described and len(gap) <= _DESCRIPTION and stretch.ends_clause(value.last):
        return LINKED
    return NEAR if len(gap) <= _NEAR and value.shape not in _VAGUE else FAR


def _is_about(stretch: Stretch, value: Value, name: Name) -> bool:
    """Whether a number's clause speaks of the name: "the pin changed, it's 4711", not "my rent is 4711"."""
    tokens, head = stretch.tokens, value.first
    while head > name.last + 1 and not tokens[head - 1].stop:
        head -= 1
    lead = lead_of(stretch, value.first)
    if head <= name.last + 1 or lead is None or tokens[lead].low not in IS or value.shape not in _NUMBERS:
        return True
    return any(tokens[head].low in some for some in (ANAPHORS, IS, CONNECTS))


def _before(stretch: Stretch, value: Value, name: Name) -> int:
    """The points of a value before its name."""
    tokens, gap = stretch.tokens, stretch.tokens[value.last + 1 : name.first]
    if not gap and not tokens[value.last].stop:
        return NEAR if name.kind == "unlock" else CLAIMED
    if len(gap) > _REACH:
        return FAR
    if is_entered(stretch, value):
        return LINKED
    is_told = (tokens[value.last].stop == "," and value.shape != "quoted") or (
        gap and (gap[0].low in IS - SIGNS or gap[0].low in COMPARES)
    )
    if value.shape == "joined" and value.first != stretch.sentence(value.first)[0]:
        return FAR
    if is_told and len(gap) <= _NEAR:
        return LINKED
    is_near = len(gap) <= _NEAR and value.shape not in _VAGUE
    return NEAR if is_near and (name.kind != "unlock" or value.shape == "made up") else FAR


def is_entered(stretch: Stretch, value: Value) -> bool:
    """Whether a word before a value leads to it, or the verb behind it says that it is typed."""
    follower = value.last + 1
    is_typed = follower < len(stretch.tokens) and stretch.tokens[follower].low in _TYPED
    return is_typed or is_linked(stretch, value.first)


def _starts_clause(stretch: Stretch, place: int) -> bool:
    """Whether a clause begins with a token, or with what only fills in before it."""
    lead = _before_fillers(stretch, place)
    return lead < 0 or bool(stretch.tokens[lead].stop)


def _before_fillers(stretch: Stretch, place: int) -> int:
    """The last token before another that ends a clause or does not only fill in; -1 where there is none."""
    tokens, lead, least = stretch.tokens, place - 1, max(-1, place - _FILLED)
    while lead > least and tokens[lead].low in FILLERS and not tokens[lead].stop:
        lead -= 1
    return lead


def is_linked(stretch: Stretch, place: int) -> bool:
    """Whether a word before a token leads to it: "is", "=", "type", or "to" behind a verb of change."""
    lead = lead_of(stretch, place)
    if lead is None:
        return False
    word = stretch.tokens[lead].low
    if word in IS or word in ENTER or (word == "in" and lead and stretch.tokens[lead - 1].low in _TYPE):
        return True
    is_year = _YEAR.fullmatch(stretch.tokens[place].text)
    return (
        (word in TO or word in FROM)
        and not is_year
        and CHANGE.search(stretch.between(*stretch.sentence(place))) is not None
    )


def lead_of(stretch: Stretch, place: int) -> int | None:
    """The token before another in its clause, without what only fills in; None where there is none."""
    tokens, lead = stretch.tokens, _before_fillers(stretch, place)
    return None if lead < 0 or (tokens[lead].stop and tokens[lead].low not in SIGNS) else lead


def _claim(stretch: Stretch, value: Value, name: Name) -> int:
    """The points that other words take from a value."""
    tokens, place = stretch.tokens, value.first
    begin = max(place - 4, stretch.sentence(place)[0], name.last + 1 if name.last < place else 0)
    before = " ".join(token.low for token in tokens[begin:place] if token.low not in SIGNS)
    is_entry = place > 1 and tokens[place].quoted and tokens[place - 2].quoted and place - 2 != name.last
    is_part = (
        tokens[place].text.isdigit()
        and place > 0
        and tokens[place - 1].text.isdigit()
        and not tokens[place - 1].stop
    )
    if (
        is_part
        or is_entry
        or _CLAIMS.search(before)
        or _is_house(stretch, value)
        or (begin < place and not tokens[place - 1].stop and _counts(stretch, begin, place))
    ):
        return CLAIMED
    is_led = is_entered(stretch, value) and not any(token.stop for token in tokens[name.last + 1 : place])
    if value.shape in _NUMBERS and not is_led and not stretch.ends_clause(value.last):
        follower = tokens[value.last + 1].low
        known = (CLAUSE_STARTS, IS, ABOUT, COMPARES, CONNECTS, FILLERS, TO)
        return 0 if any(follower in some for some in known) else COUNTED
    return 0


def _is_house(stretch: Stretch, value: Value) -> bool:
    """Whether a number is a house's: "1532 20th Street"."""
    is_number = value.shape in {"code", "year"}
    return is_number and _STREET.match(stretch.text, stretch.tokens[value.last].end) is not None


def _counts(stretch: Stretch, begin: int, place: int) -> bool:
    """Whether a number counts something or says when or where: "at 0630", "the door number is 1203"."""
    words_before = [token.low for token in stretch.tokens[begin:place]]
    last = words_before.pop()
    if last in TO and is_linked(stretch, place):
        return False
    if last in IS - SIGNS and words_before:
        last = words_before.pop()
    return last in _COUNTS and not (words_before and words_before[-1] in ENTER)


_TYPE: Final = words("type typed punch punched key keyed put dial tap")
_TYPED: Final = words("eingeben tippen drücken wählen eintippen toetsen intoetsen invoeren typen")
_REACH: Final = 16
"""Tokens between a name and its farthest value. This and the next are chosen by hand."""
_NEAR: Final = 4
_FARTHEST: Final = 40
_FILLED: Final = 8
_DESCRIPTION: Final = 6
_OPENED: Final = frozenset({"lock", "place", "open", "unlock", "account", "habit"})
"""What a secret opens."""
_VAGUE: Final = frozenset({"quoted", "joined", "long", "year"})
"""Shapes that say little without a link."""
_NETWORK: Final = lazy_regex(r"\d{1,7}|[A-Z][\w-]*")
"""What names a network rather than opens it; the shortest key (WPA) has eight digits."""
_POSTAL: Final = lazy_regex(r"[1-9]\d{5}")
_NUMBERS: Final = frozenset({"code", "year", "long"})
_NUMBERED: Final = frozenset({"place", "account", "open", "unlock", "wifi", "habit"})
"""What has numbers of its own: "door 1203", "locker 1180"."""
_YEAR: Final = lazy_regex(r"(?:19|20)\d\d")
_CVC: Final = lazy_regex(r"\d{3,4}")
_KEY: Final = lazy_regex(r"(?=.*\d)(?=.*[A-Za-z])[\w.:/+~=-]{10,}")
_CLAIMS: Final = lazy_regex(
    r"\b(?:order|bestell\w*|commande|pedido|ordine|bestelling|flight|flug|vol|vuelo|volo|vlucht|parcel"
    r"|paket|tracking"
    r"|invoice|rechnung\w*|facture|factura|fattura|factuur\w*|room|zimmer|chambre|habitación|stanza|kamer"
    r"|rum|quarto"
    r"|version|commit|hash|price|preis|prix|isbn|post ?code|plz|zip|cap|cep|postnummer|score|model|page|seite"
    r"|phone number|extension|telephone|serial|policy number|customer number|kundennummer|case|ticket"
    r"|error|fehler\w*"
    r"|bus|line|train|zug|tgv|ice|treno|trein|gate|platform|gleis|seat|user(?:name)?|login|benutzer(?:name)?"
    r"|identifiant|usuario|usuário|utente|gebruiker|ssid|network|called|named|since|seit|depuis|order no"
    r"|like|e\\.g|such as|zum beispiel|par exemple|por ejemplo|ending|ends|endet|trailing|address|located"
    r"|location)"
    r"(?:'s)?(?: (?:is|ist|est|es|è|é|är|number|no|nr|nummer|numéro|número|numero|code|id|:|the|le|el|il"
    r"|das|der|in|with|digits|on|auf))*\Z"
)
_STREET: Final = lazy_regex(
    r" (?:[A-Z0-9][\w.]* ){1,3}(?:Street|St|Avenue|Ave|Road|Rd|Boulevard|Blvd|Highway|Drive|Lane|Way|Court"
    r"|Square|Shop)\b"
)
_COUNTS: Final = words(
    """
    digits at by in since until till around about over under than no nr number numbers floor highway class
    cost costs
    paid charged only ending um gegen ab seit bis nummer linie haus kostet depuis jusqu'à salle ligne numéro
    page las
    los hasta desde sala número línea sobre klockan kl nummer linje sedan às até número linha $ € £ # x + am
    im ends alle
    om vanaf tot alle dalle fino
    """
)
"""Before a number that counts something or says when or where."""
