"""The forms of postal addresses, and what is only like them.

Forms and words are chosen by hand; post codes are as the posts of their countries have them.
"""

import re
from typing import Final

from recollect.types.regex import lazy_regex

_UPPER: Final = "A-Z\u00c0-\u00d6\u00d8-\u00de\u0141\u015a\u0179\u017b"
_CAPITAL: Final = rf"[{_UPPER}][\w'-]{{0,24}}\.?"
_NAME: Final = rf"[{_UPPER}][\w'-]{{1,24}}"
_TOWN: Final = rf"{_NAME}(?:[ -]{_NAME}){{0,2}}"
_LAST_TOWN: Final = rf", {_TOWN}(?=[.;!?)\n]|$)"
"""A town behind a comma counts where the sentence ends: it can be a person ("12 Oak Street, Bob said")."""
_HOUSE: Final = (
    r"\d{1,4}(?:[a-zA-Z](?![A-Za-z])| [a-z](?=[.,;!?)\n]|$))?(?: ?[-/] ?\d{1,4}[a-z]?)?(?![\w%]|[.,:]\d)"
)
_STATE: Final = (
    "(?:A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|PA|RI|S[CD]|T[NX]|UT"
    "|V[AT]|W[AIVY])"
)
_ZIP_CODE: Final = r"\d{5}(?:-\d{4})?(?![\w-])"
_UK_CODE: Final = (
    r"(?:GIR ?0AA|[A-PR-UWYZ](?:\d[\dA-HJKPSTUW]?|[A-HK-Y]\d[\dABEHMNPRV-Y]?) ?\d[ABD-HJLNP-UW-Z]{2})(?!\w)"
)

_ENDS: Final = """
    street st avenue ave road rd lane ln drive dr boulevard blvd court ct place pl way terrace ter square sq
    parkway pkwy close crescent cres mews gardens circle cir trail trl loop highway hwy row walk grove quay
    alley
""".split()  # noqa: SIM905 - words read better than many strings
ENGLISH_ENDS: Final = tuple(f" {end}" for end in _ENDS)
_CAPITAL_ENDS: Final = "|".join(f"{end.capitalize()}|{end.upper()}" for end in _ENDS)
_DIRECTION: Final = r"(?:[NSEW]{1,2}|North|South|East|West)\b\.?"
_FLAT: Final = r"(?:Apt|Apartment|Suite|Ste|Unit|Flat|Floor|Fl|Room|#)\.? ?[\w-]{1,6}"
_REST: Final = (
    rf"(?:,? {_FLAT})?"
    rf"(?:,? {_TOWN}(?:,? {_STATE} {_ZIP_CODE}|,? {_UK_CODE})|{_LAST_TOWN}|,? {_UK_CODE})?"
)
ENGLISH: Final = lazy_regex(
    rf"(?<![\w.,/$#\u20ac\u00a3-])(?:{_FLAT}, )?\d{{1,5}}[A-Za-z]?(?:-\d{{1,5}})?,? (?:{_DIRECTION} )?"
    rf"(?P<name>(?:(?:{_CAPITAL}|\d{{1,3}}(?:st|nd|rd|th)) ){{1,4}}?)(?:{_CAPITAL_ENDS})"
    rf"(?!\w|[- ](?:[Tt]hru|[Tt]hrough|[Tt]heor)|-[Ii]n\b)\.?(?: {_DIRECTION})?{_REST}"
)
ENGLISH_SMALL: Final = lazy_regex(
    rf"[0-9]{{1,5}}[a-z]? (?P<name>(?:[a-z][a-z']{{1,20}} ){{1,3}}?)(?:{'|'.join(_ENDS)})(?![\w-])"
    r"(?:, [a-z]{3,20}(?=[.;!?)\n]|$))?",
    re.IGNORECASE,
)
SMALL_BEFORE: Final = lazy_regex(r"(?:\b(?:at|in|to|is|near|on)|:) \Z", re.IGNORECASE)
"""What stands before a street that is written in small letters."""
HOUSE_AND_CAPITAL: Final = lazy_regex(rf"[0-9][A-Za-z]?,? [{_UPPER}0-9]")
FIVE_DIGITS: Final = lazy_regex("[0-9]{5}")
END_OF_UK_CODE: Final = lazy_regex("[0-9][A-Z]{2}(?![A-Za-z0-9])")
CODE_AND_CAPITAL: Final = lazy_regex(rf"[0-9]{{4}} (?:[A-Z]{{2}} )?[{_UPPER}]")
DIGIT: Final = lazy_regex("[0-9]")
MEASURES: Final = frozenset(
    """
    day days hour hours minute minutes min second seconds week weeks month months year years mile miles km
    way star stars step steps point points lane lanes times x first
    """.split()  # noqa: SIM905 - words read better than many strings
)
"""What follows a number that is no house's: "24 Hour Drive", "2 Way Street"."""
FUNCTION_WORDS: Final = frozenset(
    """
    a the of in on at to from by with for and or my your his her our their this that down up along off per
    is are was were more big good great new old long other minutes minute hours hour days day miles mile km
    people times years weeks months different main blocks block way
    """.split()  # noqa: SIM905 - words read better than many strings
)
"""What no street is called where it is written in small letters: "5 minutes down the road"."""

TOWN_STATE_ZIP: Final = lazy_regex(rf"(?<!\w){_TOWN}, ?{_STATE} {_ZIP_CODE}")
ZIP: Final = lazy_regex(rf"\bzip(?: ?code)?(?: is| was|:)? (?P<address>{_ZIP_CODE})", re.IGNORECASE)
TOWN_UK_CODE: Final = lazy_regex(rf"(?<!\w)[A-Z][a-z]{{2,20}}(?:[ -][A-Z][a-z]{{2,20}})?,? {_UK_CODE}")
UK_CODE_NAMED: Final = lazy_regex(rf"\b(?:[Pp]ost ?code|POSTCODE)(?: is|:)? (?P<address>{_UK_CODE})")
BOX_NAMES: Final = ("box", "postfach", "postbus", "apartado", "casella postale")
BOX: Final = lazy_regex(
    r"(?<!\w)(?i:P\.? ?O\.? ?Box|Postfach|Postbus|Apartado(?: de Correos)?|Casella Postale) "
    r"\d{1,3}(?: ?\d{2,3}){0,2}(?!\w)"
    rf"(?:, {_TOWN}(?:,? {_STATE} {_ZIP_CODE}|,? {_UK_CODE})|, \d{{4,5}}(?: [A-Z]{{2}})? {_TOWN}"
    rf"|{_LAST_TOWN})?"
)

_CODE_TOWN: Final = rf"(?:,? (?:[A-Z]{{1,2}}-)?(?:\d{{5}}|\d{{4}}(?: [A-Z]{{2}})?) {_TOWN})"
GERMANIC_ENDS: Final = (
    "stra\u00dfe", "strasse", "str.", "weg", "platz", "allee", "gasse", "chaussee", "straat", "gracht",
    "laan", "plein", "kade", "gatan", "gata", "v\u00e4gen", "veien",
)  # fmt: skip
GERMANIC: Final = lazy_regex(
    rf"(?<![\w-])(?P<street>[{_UPPER}][\w-]{{2,30}}?(?:{'|'.join(map(re.escape, GERMANIC_ENDS))})) "
    rf"(?P<house>{_HOUSE})(?P<town>{_CODE_TOWN})?"
)
_PARTED_ENDS: Final = """
    stra\u00dfe strasse str. weg platz allee gasse ring damm ufer
""".split()  # noqa: SIM905 - words read better than many strings
GERMANIC_WORDS: Final = tuple(f"{sign}{end}" for end in _PARTED_ENDS for sign in " -")
GERMANIC_PARTED: Final = lazy_regex(
    r"(?<![\w-])(?!(?:Der|Die|Das|Dem|Den|Des|Ein|Eine|Auf|Kein|Mein|Dein|Sein|Ihr|Unser) )"
    rf"(?:[{_UPPER}]\w{{1,24}}[ -]){{1,3}}"
    rf"(?:{'|'.join(re.escape(end.capitalize()) for end in _PARTED_ENDS)}) "
    rf"(?P<house>{_HOUSE})(?P<town>{_CODE_TOWN})?"
)
GERMAN_LEADS: Final = ("am ", "an ", "auf ", "im ", "in ", "unter ", "zum ", "zur ", "hinter ")
GERMAN_LED: Final = lazy_regex(
    r"(?<!\w)(?:Am|An de[rnm]|Auf de[rnm]|Im|In de[rnm]|Unter den|Zum|Zur|Hinter de[rnm]) "
    rf"(?:[\w-]{{1,24}} ){{0,2}}?[{_UPPER}][\w-]{{1,24}} {_HOUSE}{_CODE_TOWN}"
)
NO_STREETS: Final = frozenset(
    """
    autobahn bundesstra\u00dfe bundesstrasse landstra\u00dfe landesstra\u00dfe kreisstra\u00dfe stra\u00dfe
    staatsstra\u00dfe einbahnstra\u00dfe arbeitsplatz sitzplatz stehplatz parkplatz spielplatz stellplatz
    campingplatz tabellenplatz startplatz heimweg radweg fu\u00dfweg schulweg umweg feldweg r\u00fcckweg
    hinweg nachweg ausweg mittelweg norweg regata
    """.split()  # noqa: SIM905 - words read better than many strings
)
"""What ends like a street and is none."""
YEAR: Final = lazy_regex(r"(?:19|20)\d\d")

_FRENCH_STREETS: Final = """
    rue avenue av. boulevard bd bd. place chemin all\u00e9e impasse quai cours route faubourg
""".split()  # noqa: SIM905 - words read better than many strings
FRENCH_WORDS: Final = tuple(f"{street} " for street in _FRENCH_STREETS)
_FRENCH_NAME: Final = rf"(?:(?:de la|de l'|des|du|de|d'|la|le|les|aux?) ?)?{_NAME}"
FRENCH: Final = lazy_regex(
    r"(?<![\w.,/$#-])\d{1,4}(?: ?(?:bis|ter|quater)\b)?,? "
    rf"(?:{'|'.join(re.escape(form) for word in _FRENCH_STREETS for form in (word, word.capitalize()))}) "
    rf"{_FRENCH_NAME}(?: {_FRENCH_NAME}){{0,3}}(?:,? \d{{5}} {_TOWN})?"
)
_ROMANCE_STREETS: Final = """
    Calle C/ Avenida Av. Avda Avda. Plaza Paseo Carrera Camino Via Viale Piazza Corso Largo Vicolo Rua
    Travessa Pra\u00e7a
""".split()  # noqa: SIM905 - words read better than many strings
ROMANCE_WORDS: Final = tuple(street.lower() for street in _ROMANCE_STREETS)
_ROMANCE_NAME: Final = (
    rf"(?:(?:de la|de los|de las|del|della|delle|dei|degli|de|di|do|da|dos|das|d') ?)?{_NAME}"
)
ROMANCE: Final = lazy_regex(
    rf"(?<!\w)(?:{'|'.join(map(re.escape, _ROMANCE_STREETS))}) ?{_ROMANCE_NAME}(?: {_ROMANCE_NAME}){{0,3}}"
    rf",? (?:n[.\u00ba\u00b0]{{0,2}} ?)?(?P<house>{_HOUSE})(?! ?(?:am|pm|min)\b)"
    rf"(?P<town>,? \d{{4,5}}(?:-\d{{3}})? {_TOWN}|{_LAST_TOWN})?"
)
POLISH: Final = lazy_regex(
    rf"(?<!\w)(?:ul|al|os|pl)\. {_NAME}(?: {_NAME}){{0,2}} \d{{1,4}}[a-z]?(?:/\d{{1,4}})?(?!\w)"
    rf"(?:,? \d\d-\d{{3}} {_TOWN})?"
)
CHINESE: Final = lazy_regex(
    "(?<![\u4e00-\u9fff])(?:[\u4e00-\u9fff]{0,12}[\u5728\u5230\u81f3\u662f\u5bc4\u4f4f])?"
    "(?P<address>[\u4e00-\u9fff]{2,24}?(?:\u8def|\u8857|\u5927\u9053|\u5df7|\u5f04|\u80e1\u540c)"
    "[0-9]{1,5}[\u53f7\u865f\u5f04])"
)
"""What stands before the last word for "at", "to" or "is" is no part of it."""
