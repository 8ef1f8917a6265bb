"""Secrets that no noun names: what opens a lock, unlocks a device or is said to the guard."""

import re
from collections.abc import Iterator
from typing import Final

from recollect.text.secrets import lexicon, links
from recollect.text.secrets.links import words
from recollect.text.secrets.plain_words import speaks_about
from recollect.text.secrets.shapes import is_code, is_odd, is_strong, is_year
from recollect.text.secrets.spans import Secret, SecretKind
from recollect.text.secrets.stretches import Stretch
from recollect.text.secrets.tokens import Token
from recollect.text.secrets.values import code_nearby, code_run


def find_access(stretch: Stretch) -> Iterator[Secret]:
    """The secrets of a stretch of text that give access without being named, in no order."""
    unlocks = _UNLOCK.search(stretch.low, *stretch.bounds)
    for place, token in enumerate(stretch.tokens):
        if token.text.isalpha() and not token.quoted and not unlocks:
            continue
        end = _opens(stretch, place)
        if end is not None:
            yield _secret(stretch, "code", place, end)
        elif _unlocks(stretch, place) or _is_said(stretch, place):
            yield _secret(stretch, "password", place, place)


def _secret(stretch: Stretch, kind: SecretKind, first: int, last: int) -> Secret:
    return Secret(kind=kind, start=stretch.tokens[first].start, end=stretch.tokens[last].end)


def _opens(stretch: Stretch, place: int) -> int | None:
    """The last token of a code that opens a lock: "the safe opens with 14-32-07"."""
    tokens = stretch.tokens
    if not tokens[place].text[:1].isdigit() and not is_code(tokens[place].text):
        return None
    end = code_run(stretch, place)
    if end is None or lexicon.UNITS.match(stretch.after(end)):
        return None
    first, last = stretch.sentence(place)
    sentence, lead = stretch.between(first, last), _lead(stretch, place)
    is_lock = lexicon.LOCKS.search(sentence) or (_UNLOCK.search(sentence) and _DEVICE.search(sentence))
    is_sent = (
        _SENT.search(sentence)
        and lexicon.ACCOUNTS.search(sentence)
        and _SIX.fullmatch(stretch.text[tokens[place].start : tokens[end].end])
    )
    if is_sent:
        return code_nearby(stretch, place)
    if not is_lock or lexicon.NO_CODE.search(stretch.between(place - 1, place - 1)):
        return None
    if lead.low in _BY or _SEPARATED.fullmatch(tokens[place].text):
        return end
    if is_year(tokens[place].text):
        return None
    if (
        lead.low in _NAMES_CODE
        and place - first <= _SUBJECT
        and _KEYED.search(stretch.between(first, place - 1))
    ):
        return end
    is_used = links.OPENS.search(sentence) or any(
        token.low in links.ENTER for token in tokens[first : last + 1]
    )
    is_told = is_used or lead.low in links.SIGNS or _GUARDED.fullmatch(lead.low)
    return code_nearby(stretch, place) if is_told else None


def _lead(stretch: Stretch, place: int) -> Token:
    """The token before another, without what only fills in; the token itself where it is the first."""
    lead = max(place - 1, 0)
    while lead and (
        stretch.tokens[lead].low in links.FILLERS or stretch.tokens[lead].low in {"in", "on", "ein"}
    ):
        lead -= 1
    return stretch.tokens[lead]


def _unlocks(stretch: Stretch, place: int) -> bool:
    """Whether a token is what unlocks a device or gets one into an account."""
    token, lead = stretch.tokens[place], _lead(stretch, place)
    if not is_strong(token.text) and lead.low not in links.WITH and lead.low not in _ITS:
        return False
    first, last = stretch.sentence(place)
    sentence = stretch.between(first, last)
    if is_strong(token.text):
        return lexicon.ACCESS.search(sentence) is not None
    if lead.low in _ITS and _WIFI.search(sentence) and not _NETWORK_NAME.search(sentence):
        return (_CASED if lead.low in links.SIGNS else _LOWER).fullmatch(token.text) is not None
    if lead.low in links.SIGNS and place > 1 and _WIRELESS.fullmatch(stretch.tokens[place - 2].low):
        return _CASED.fullmatch(token.text) is not None
    if (
        lead.low not in _BY
        or not _UNLOCK.search(stretch.between(first, place))
        or not _DEVICE.search(sentence)
    ):
        return False
    if is_odd(token, stretch.after(place)):
        return True
    plain = token.text.isalpha() and len(token.text) >= _WORD and not speaks_about(token.text, "en")
    return plain and stretch.ends_clause(place) and stretch.tokens[place - 1] is lead


def _is_said(stretch: Stretch, place: int) -> bool:
    """Whether quoted or odd words are what one says or types: "hunter2 is what you tell the guard"."""
    token = stretch.tokens[place]
    if (
        not token.quoted
        and not is_odd(token, stretch.after(place))
        and not (token.text.isdigit() and len(token.text) >= _PIN)
    ):
        return False
    sentence = stretch.between(*stretch.sentence(place))
    lead = _lead(stretch, place)
    is_word = lead.low in _SAY or (lead.low in links.IS and _SPOKEN.search(sentence))
    if token.quoted and is_word and _GUARD.search(sentence):
        return True
    return (
        _TOLD.match(stretch.text, token.end) is not None
        and (lexicon.LOCKS.search(sentence) or lexicon.ACCOUNTS.search(sentence) or _DEVICE.search(sentence))
        is not None
    )


_SAY: Final = words("say answer tell use give sage antworte dis réponds di responde säg svara diga responda")
_SPOKEN: Final = re.compile(r"word|phrase|wort|satz|\bmot\b|palabra|frase|ord\b|fras\b|palavra")
_GUARD: Final = re.compile(
    r"alarm|larm\b|security (?:company|firm|service)|guard|télésurveill|sicherheitsdienst|wachdienst"
)
_PIN: Final = 4
"""Signs of the shortest code. This and the next are chosen by hand."""
_GUARDED: Final = re.compile(
    r"alarme?|alarma|larm|alarmanlage|keypad|safe|tresor|coffre|cofre|padlock|cadenas"
)
_WORD: Final = 3
_SUBJECT: Final = 10
_SEPARATED: Final = re.compile(r"\d{1,2}[-\u2013]\d{1,2}[-\u2013]\d{1,2}(?:[-\u2013]\d{1,2})?")
_BY: Final = words("with using via by code mit per avec con usando med com")
_NAMES_CODE: Final = words("is are sind sont son är são : = 's -> \u2192 ist est es är é c'est")
_KEYED: Final = re.compile(
    r"(?:\b(?:locker|keypad|\w*lock|safe|vault|alarm|gate|garage|lockbox|\w*schloss|tresor|spind"
    r"|alarmanlage|cadenas|coffre|casier|alarme|candado|caja fuerte|taquilla|alarma|\w*lås(?:et)?"
    r"|kassaskåp\w*|skåp\w*|larm\w*|cofre|cadeado|armário)\b)"
)
_ITS: Final = words("wifi wi-fi wlan its it's is ist c'est es är é = :")
_WIFI: Final = re.compile(r"wi-?fi|wlan")
_NETWORK_NAME: Final = re.compile(r"name|called|ssid|heißt|appelle|llama|heter|chama|network|netz")
_LOWER: Final = re.compile(r"[a-zäöüåéñç]{3,}\d{2,}\W?")
_SENT: Final = re.compile(
    r"\b(?:sent|texted|schick|geschickt|envoy|envi[óa]|mand[óo]u?|skicka|reci?b|got|received|fick|reçu)"
)
_SIX: Final = re.compile(r"\d{3} ?\d{3}")
_WIRELESS: Final = re.compile(r"wi-?fi|wlan|\w+-wlan")
_CASED: Final = re.compile(r"[a-zA-Z]{3,}\d{2,}\W?|\w*[!#$%&]\w*")
_UNLOCK: Final = re.compile(r"unlock|entsperr|déverrouill|desbloque|lås\w* upp|destrav|log(?:s)? in")
_DEVICE: Final = re.compile(
    r"phone|laptop|tablet|ipad|computer|\bpc\b|\bmac|desktop|handy|rechner|téléphone|ordinateur"
    r"|portable|móvil|celular|ordenador|portátil|mobil|dator|telefon|telem[óo]vel|notebook|computador"
    r"|app\b"
)
_TOLD: Final = re.compile(
    r"[\"'\u201d\u00bb\u201c]?\s?(?i:is|was|is's|=|ist|est|es|är|é|c'est) (?i:what|was man|ce qu"
    r"|lo que|vad man|o que)\b[\w' ]{1,12}(?i:say|type|enter|put|need|tell|press|punch|dial|key|use"
    r"|sag|tipp|eingib|dit|tape|dis|dices|tecle|marcas|dicen|säg|slå|skriv|diz|digita)"
)
