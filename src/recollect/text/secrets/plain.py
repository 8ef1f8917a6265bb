"""Codes that are told outright: "Vår portkod är 4711", "4711 is my PIN".

A name that means nothing but a secret, a link, and digits. What is told in any other way the tagger finds.
"""

from collections.abc import Iterator
from typing import Final

from recollect.text.secrets.spans import Secret
from recollect.types.regex import lazy_regex

_CODE: Final = r"(?:code|kode|kod(?:en)?|pin|combination|combo)"
_BEFORE: Final = "my our the new ne die der mon le mi el il mio min v\u00e5r ijn de meu o tro"
_BEFORE_PIN: Final = (
    "(?:^|(?<=[.!?:;\\n] )|(?<=\\n)|" + "|".join(f"(?<={word} )" for word in _BEFORE.split()) + ")"
)
"""What stands before the PIN of somebody; a rolling pin is another thing."""
_NAME: Final = (
    r"(?:(?:(?:front|back|cellar|house) )?(?:door|gate|garage|alarm|locker|lock|safe|entry|access|keypad"
    rf"|key box|bike lock) {_CODE}"
    rf"|(?:(?:sim|voicemail|card|bank|phone|handy)[ -]?|{_BEFORE_PIN})pin"
    r"|pin[ -]?(?:code|kode|kod|nummer|number|zahl)"
    r"|geheimzahl|zahlenkombination|digicode"
    r"|(?:haus|keller)?t\u00fcr[- ]?code|(?:garagen|hof)?tor[- ]?code"
    r"|(?:tresor|alarm|spind|zugangs|eingangs)[- ]?code"
    r"|(?:voor)?deurcode|(?:poort|kluis|toegangs|garage)[- ]?code"
    r"|(?:port|d\u00f6rr|larm|l\u00e5s|grind|garage|sk\u00e5ps?|kassask\u00e5ps?)[- ]?kod(?:en)?"
    r"|code (?:de la porte|du portail|de l['\u2019]alarme|du coffre|du cadenas|f\u00fcr die haust\u00fcr"
    r"|van de garage)"
    r"|n\u00famero secreto)"
)
_OF: Final = r"(?: (?:for|of|vom|von|f\u00fcr|der|till?|van|voor|de|du|del|per|da|do)(?: \w+){1,3}?)?"
_LINK: Final = (
    r"(?: is(?: now)?| ist(?: jetzt)?| lautet| est| es| \u00e8| \u00e9| \u00e4r(?: nu)?|'s|\u2019s|,| ?=| ?:"
    r"| to| auf| till| in| naar| pour| para| a)"
)
_VALUE: Final = r"(?<![\w.,-])\d{3,8}(?![\w\u20ac$\u00a3%-]|[.,:]\d)"
_MY: Final = (
    r"(?:my|our|the|meine?|unsere?|der|die|mon|ma|notre|le|min|v\u00e5r|mijn|onze|de|mi|el|nuestro|il mio"
    r"|o meu)"
)
_SIGNS: Final = ("cod", "kod", "pin", "comb", "komb", "geheimzahl", "secreto", "key", "lock", "barrier")
"""One of these stands in every name."""
_OPENED: Final = (
    r"(?:key ?(?:pad|box|safe)|padlock|(?:bike|door|gate|safe|suitcase) lock|barrier"
    r"|(?:key|punch|type) (?:it )?in)(?: is(?: now)?|'s|\u2019s|,| ?:)? "
    r"(?P<opens>(?<![\w.,-])\d{4}(?![\w\u20ac$\u00a3%-]|[.,:]\d))"
)
"""What nothing but a code opens, or how one is entered, and four digits."""
_TOLD: Final = lazy_regex(
    rf"(?<!\w){_NAME}{_OF}{_LINK} ?(?P<behind>{_VALUE})"
    rf"|(?P<before>{_VALUE}) (?:is|ist|est|es|\u00e8|\u00e9|\u00e4r) {_MY} {_NAME}(?!\w)"
    rf"|(?<!\w){_OPENED}"
)
_MINE: Final = lazy_regex(
    r"(?<![\w-])(?<!knitting )(?<!bowling )(?<!safety )(?<!drawing )(?<!rolling )(?<!clothes )(?<!hair )"
    r"(?:pins|pin (?:codes?|numbers?)|pass ?codes?|(?:door|gate|alarm|locker|safe|entry) codes?"
    r"|(?:^|(?<=a )|(?<=my )|(?<=the )|(?<=your )|(?<=good )|(?<=new )|(?<=strong )|(?<=[.!?:;\n] ))pin)\b"
    r"(?! (?:that|it|this|up)\b)[^\d\n]{0,60}?(?<=[,.?!;:\u2013-]) (?:and |so )?"
    r"mine(?:'s|\u2019s|s| is)?(?: just)? "
    rf"(?P<behind>{_VALUE})"
    r"(?= ?(?:$|[,.!?;:)\n\u2013-]|(?:as|if|so|and|but|for|because|cos|since|by the way|btw|you|my|from)\b))"
)
"""Speaks of PINs, and then tells one: "what's a good pin? mine's 4711"."""
POSTAL: Final = lazy_regex(r"(?<!my )(?<!our )\bpin ?code\b\D{0,80}\b[1-9]\d{5}\b")
"""An address in India has a PIN code of six digits."""


def find_plain(low: str, start: int, end: int) -> Iterator[Secret]:
    """The codes that a part of a lower-case text tells outright.

    >>> list(find_plain("4711 ist meine geheimzahl", 0, 25))
    [Secret(kind='code', start=0, end=4)]
    """
    if not any(map(low[start:end].__contains__, _SIGNS)):
        return
    for match in _MINE.finditer(low, start, end):
        yield Secret(kind="code", start=match.start("behind"), end=match.end("behind"))
    for match in _TOLD.finditer(low, start, end):
        if POSTAL.search(low, *match.span()) is None:
            first, last = match.span(match.lastgroup or 0)
            yield Secret(kind="code", start=first, end=last)
