"""Words that claim a value for something else: "my order number is 48213", "at 0630", "4000 coins"."""

from typing import Final

from recollect.text.secrets.links import is_changed, is_entered, is_linked, lead_of
from recollect.text.secrets.names import SECRETS, Name
from recollect.text.secrets.stretches import Stretch
from recollect.text.secrets.values import NUMBERS, Value
from recollect.text.secrets.words import (
    ABOUT,
    CLAUSE_STARTS,
    COMPARES,
    CONNECTS,
    ENTER,
    FILLERS,
    IS,
    SIGNS,
    TO,
    any_of,
    listed,
    words,
)
from recollect.types.regex import lazy_regex

CLAIMED, COUNTED, NAMED = -4, -1, -20
"""Another word claims the value; an unknown word follows a number; it is a name. Chosen by hand."""


def claim(stretch: Stretch, value: Value, name: Name | None) -> int:
    """The points that other words take from a value."""
    tokens, place = stretch.tokens, value.first
    begin = max(place - 4, stretch.sentence(place)[0], name.last + 1 if name and name.last < place else 0)
    before = " ".join(token.low for token in tokens[begin:place] if token.low not in SIGNS)
    is_entry = (
        place > 1
        and tokens[place].quoted
        and tokens[place - 2].quoted
        and not (
            name and (name.last == place - 2 or (name.last == place - 1 and tokens[place - 1].text.isalpha()))
        )
    )
    is_part = (
        tokens[place].text.isdigit()
        and place > 0
        and (tokens[place - 1].text.isdigit() or stretch.text.startswith("removed]", tokens[place - 1].start))
        and not tokens[place - 1].stop
    )
    is_for = _is_described(stretch, value, name)
    is_network = not is_for and _NETWORK.search(stretch.between(stretch.sentence(place)[0], place - 1))
    if is_network or _USER.search(before):
        return NAMED
    if (
        is_part
        or (
            value.shape == "odd"
            and place > 0
            and tokens[place - 1].low in _ARTICLES
            and not is_changed(stretch, place, place - 1)
        )
        or (_TAG.fullmatch(tokens[place].text) and _PLAYED.search(stretch.low, *stretch.bounds))
        or is_entry
        or (not is_for and _CLAIMS.search(before))
        or _is_house(stretch, value)
        or (name and name.kind == "place" and _WAS.search(before))
        or _FICTION.search(stretch.between(*stretch.sentence(place)))
        or (
            value.shape != "dial"
            and begin < place
            and not tokens[place - 1].stop
            and _counts(stretch, begin, place)
        )
    ):
        return CLAIMED
    if not name or value.shape not in NUMBERS or not _is_count(stretch, value, name):
        return 0
    return CLAIMED if tokens[place - 1].low in _HAS else COUNTED


def _is_described(stretch: Stretch, value: Value, name: Name | None) -> bool:
    """Whether the words before a value say what its name is for: "the code for the clean room is 4711"."""
    if name is None or name.kind not in SECRETS or name.last > value.first - 3:
        return False
    gap = stretch.tokens[name.last + 1 : value.first]
    return gap[0].low in ABOUT and gap[-1].low in IS and not any(token.stop for token in gap)


def _is_count(stretch: Stretch, value: Value, name: Name) -> bool:
    """Whether a number may count what follows it: "the vault has 4000 coins"."""
    tokens = stretch.tokens
    if stretch.ends_clause(value.last) or not tokens[value.first].text.isdigit():
        return False
    lead = lead_of(stretch, value.first)
    is_typed = is_entered(stretch, value) and (lead is None or tokens[lead].low not in IS | _HAS)
    is_led = is_typed or (
        name.kind in SECRETS and is_entered(stretch, value) and (lead is None or tokens[lead].low not in _HAS)
    )
    if is_led and not any(token.stop for token in tokens[name.last + 1 : value.first]):
        return False
    follower = tokens[value.last + 1].low
    return not any(follower in some for some in (CLAUSE_STARTS, IS, ABOUT, COMPARES, CONNECTS, FILLERS, TO))


def _is_house(stretch: Stretch, value: Value) -> bool:
    """Whether a number is a house's: "1532 20th Street"."""
    is_number = value.shape in NUMBERS
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


_CLAIMS: Final = lazy_regex(rf"\b(?:{any_of('claims')})(?:'s)?(?: (?:{any_of('claim followers')}))*\Z")
_USER: Final = lazy_regex(rf"\b(?:{any_of('user names')})(?: (?:is|ist|est|c'est|es|é|è|är))?\Z")
_ARTICLES: Final = words("a an un una une uma ein eine einen een")
"""Before a product: "my phone is a Redmi12"."""
_TAG: Final = lazy_regex(r"\w+#\d{3,5}")
_PLAYED: Final = lazy_regex(r"discord|battle|\btag\b|gamer|steam|valorant|riot|\badd me")
"""Near a player's name."""
_NETWORK: Final = lazy_regex(
    r"(?:wlan|wi-?fi|network|netzwerk|ssid|réseau|rete|netwerk)\b.{0,40}"
    r"(?:hei(?:ß|ss)t|called|name(?:d| is| ist|:)?|s'appelle|se llama|si chiama|heet|heter)\Z"
)
_WAS: Final = lazy_regex(r"\b(?:was|war|était|era|foi|var)\Z")
"""Between a thing and its price: "the bike was 1250"."""
_FICTION: Final = lazy_regex(
    r"\b(?:in (?:the|a|an|this) (?:movie|film|book|novel|show|story|series|game)|im (?:film|buch|roman)"
    r"|dans (?:le|un) (?:film|livre)|en (?:la|el|una) (?:película|libro|serie)|nel (?:film|libro)"
    r"|in (?:de|het|een) (?:film|boek)|worst|most common|common(?:est)? pins?|according to|study)\b"
)
"""What is told of others' codes."""
_HAS: Final = words("have has had hat haben tiene tem ha har heeft set")
_STREET: Final = lazy_regex(
    r" (?:[A-Z0-9][\w.]* ){1,3}(?:Street|St|Avenue|Ave|Road|Rd|Boulevard|Blvd|Highway|Drive|Lane|Way|Court"
    r"|Square|Shop)\b"
)
_COUNTS: Final = listed("counts")
"""Before a number that counts something or says when or where."""
