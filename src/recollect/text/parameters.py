r"""What a text holds that a machine can use: addresses, amounts, paths, ``key: value``, names.

Everything is found by its form, and what a form cannot tell apart is left out or named here.

* **Numbers.** With two kinds of separator the last one is the decimal one ("1,200.50", "1.200,50"). A
  separator that repeats parts thousands, and so does a blank. A single comma before exactly three digits
  parts thousands ("1,200"), any other comma is decimal ("3,5"). A single full stop is decimal ("1.200 kg"
  is 1.2), except before exactly three digits of money ("1.200 EUR" is 1200), which has no third decimal.
* **Quantities** need a unit of measure: "3 cats" and "version 3.11" are none. "5 m" is metres and "30m"
  too; minutes are "30 min", and "m" behind hours ("1h 30m"). "pounds" alone are a weight.
* **Money.** "$" is US dollars and the yen sign is yen, as the commonest of their kinds; "kr" and "pesos"
  tell no currency. Amounts are not converted.
* **Durations** need a number ("a week" has none). A month counts 30 days, a year 365.
* **Paths** start at "/", "~/", "./", "C:\" or a server, or end in a well-known ending ("notes.pdf").
  One name behind a slash ("/start") may be a command, and is a path only below a directory of Unix.
* **Pairs** begin a line, follow another pair on it, or are written ``key=value``. The key has up to three
  words, none a pronoun, a verb of saying or another word of talk ("he said: ..."); the value is no sentence.
* **Persons** are capitalised words after "with", "for" or "to" ("with Ada and Bob" has two). Days, months,
  languages, countries, some towns and firms are known by short lists; any other place or firm ("to Ghent")
  looks like a name and is taken for one.

Of things that overlap the longest one is kept, and of equals the first in this order: e-mail, URL, money,
duration, quantity, path, person. A pair gives way to what is found in its value; when that is all of the
value ("budget: $500") it carries the key as its ``name``.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from recollect.text.analyse import READ_CHARACTERS, ascii_words
from recollect.types import Parameter, ParameterKind


def find_parameters(text: str, *, words: Sequence[str] | None = None) -> tuple[Parameter, ...]:
    """The parameters of a text, in its order; none overlaps another.

    Args:
        text: Its first 20,000 characters are read.
        words: What ``ascii_words`` cuts from these, if they are ASCII and that is known already.

    >>> for found in find_parameters("Mail ada@example.com: the 2,5 kg parcel costs $1,200, lunch with Bob"):
    ...     print(found.kind, repr(found.text), found.value, found.unit)
    email 'ada@example.com' None None
    quantity '2,5 kg' 2.5 kg
    money '$1,200' 1200.0 USD
    person 'Bob' None None
    >>> find_parameters("budget: 40 euros")[0].name
    'budget'
    """
    seen = text[:READ_CHARACTERS]
    typed = _apart(sorted(_typed(seen, words), key=_rank))
    if ": " not in seen and ":\t" not in seen and "=" not in seen:
        return tuple(typed)
    return tuple(_with_pairs(typed, list(_pairs(seen))))


def _typed(text: str, words: Sequence[str] | None) -> Iterator[Parameter]:
    """Everything but pairs; each search is made only where one look says that it may succeed."""
    if "@" in text:
        yield from (_plain("email", text, *match.span()) for match in _EMAIL.finditer(text))
    if "://" in text or "www." in text:
        yield from _urls(text)
    if "/" in text or "\\" in text:
        yield from _paths(text)
    if _FILE_ENDING.search(text):
        yield from (_plain("path", text, *match.span()) for match in _FILE.finditer(text))
    if _DIGIT.search(text):
        yield from _amounts(text)
    if _holds_worded(text, words):
        yield from _worded_amounts(text)
    if _CAPITAL_AFTER.search(text):
        yield from _persons(text)


def _holds_worded(text: str, words: Sequence[str] | None) -> bool:
    """Whether a text may hold an amount whose number is a word."""
    if text.isascii():
        words = ascii_words(text) if words is None else words
        if _NUMBER_WORDS.keys().isdisjoint(words) or _LONG_UNITS.isdisjoint(words):
            return False
    return not _NUMBER_WORDS.keys().isdisjoint(_words(text)) and _UNIT_WORD.search(text) is not None


def _words(text: str) -> list[str]:
    """Words at a glance: by blanks, hyphens and opening brackets, three times as fast as by a pattern."""
    return text.lower().replace("-", " ").replace("(", " ").split()


def _plain(kind: ParameterKind, text: str, start: int, end: int) -> Parameter:
    return Parameter(kind=kind, text=text[start:end], place=(start, end))


def _rank(found: Parameter) -> tuple[int, int, int]:
    start, end = found.place
    return start, -end, _ORDER[found.kind]


def _apart(found: list[Parameter]) -> list[Parameter]:
    """Without overlaps: the longer of two stays, the earlier of equals."""
    kept: list[Parameter] = []
    for one in found:
        if not kept or one.place[0] >= kept[-1].place[1]:
            kept.append(one)
        elif len(one.text) > len(kept[-1].text):
            kept[-1] = one
    return kept


# Addresses and paths


def _urls(text: str) -> Iterator[Parameter]:
    for match in _URL.finditer(text):
        start, end = match.start(), _trimmed(text, *match.span())
        if end > match.end(1):
            yield _plain("url", text, start, end)


def _trimmed(text: str, start: int, end: int) -> int:
    """Where an address ends without the sentence's punctuation; brackets it opened itself stay closed."""
    while end > start:
        last = text[end - 1]
        opening = _BRACKETS.get(last)
        if last not in _TRAILING and (opening is None or _is_closed(text[start:end], opening, last)):
            break
        end -= 1
    return end


def _is_closed(url: str, opening: str, closing: str) -> bool:
    return url.count(opening) >= url.count(closing)


def _paths(text: str) -> Iterator[Parameter]:
    for match in _PATH.finditer(text):
        start = match.start()
        end = start + len(match.group().rstrip(_TRAILING))
        if match.lastgroup != "unix" or _is_unix_path(text[start:end]):
            yield _plain("path", text, start, end)


def _is_unix_path(path: str) -> bool:
    """Whether it is no command ("/start"), fraction ("/10") or name of a forum ("/r/python")."""
    parts = path.split("/")
    if path[0] in "~.":
        return len(path) > len(parts[0]) + 1
    names = [part for part in parts if part]
    if not names or path.startswith(("/r/", "/u/")) or not any(c.isalpha() for c in path):
        return False
    return len(names) > 1 or names[0] in _ROOTS or _ENDING.search(names[0]) is not None


# Amounts


def _amounts(text: str) -> Iterator[Parameter]:
    """Quantities, money and durations with digits."""
    position = 0
    while digit := _DIGIT.search(text, position):
        number = _NUMBER.match(text, digit.start())
        found = _amount(text, number) if number else None
        position = max(digit.end(), number.end() if number else 0)
        if found is not None:
            position = found.place[1]
            yield found


def _amount(text: str, number: re.Match[str]) -> Parameter | None:
    start, sign, factor = _before(text, number.start())
    if _joins_on(text, start):
        return None
    scale, end = _scale(text, number.end(), glued=bool(sign))
    if sign:
        unit: _Unit | None = _UNITS[sign]
    else:
        unit, end = _unit(text, end)
    if unit is None:
        return None
    value = _number(number.group(), money=unit.kind == "money") * scale * factor
    if unit.kind == "duration":
        return _duration(text, number, end, value, unit)
    return Parameter(kind=unit.kind, text=text[start:end], place=(start, end), value=value, unit=unit.name)


def _before(text: str, start: int) -> tuple[int, str, int]:
    """Where an amount begins with the sign of its currency or its minus, that sign, and 1 or -1."""
    last_two = text[max(0, start - 2) : start].rstrip()
    if not last_two or not (last_two[-1].isupper() or last_two[-1] in _BEFORE):
        return start, "", 1
    match = _BEFORE_NUMBER.search(text, max(0, start - _REACH_BACK), start)
    if match is None:
        return start, "", 1
    return match.start(), match["sign"] or "", -1 if match["minus"] else 1


def _joins_on(text: str, start: int) -> bool:
    """Whether what stands before shows a number to be part of something else: v3.11, 1/2, 10:30, B-52."""
    last, last_but_one = text[start - 1 : start], text[max(0, start - 2) : start - 1]
    if last.isascii() and last.isalnum():
        return True
    if last in {",", ":"}:
        return last_but_one.isdigit()
    return last in {".", "/", "_", "#", "$", "\\\\"} or (last in {"-", "\u2013"} and last_but_one.isalpha())


def _scale(text: str, end: int, *, glued: bool) -> tuple[float, int]:
    """What a word such as "million" multiplies by, and where it ends; ``glued`` also a letter ("$3k")."""
    match = _SCALE.match(text, end)
    if match is None:
        return 1, end
    if match["letter"] and not glued and not _MONEY_AFTER.match(text, match.end()):
        return 1, end
    return _SCALES[(match["letter"] or match["word"]).lower().rstrip(".")], match.end()


@dataclass(frozen=True, slots=True)
class _Unit:
    """A unit: what it measures, its short name (None: not told), and a duration's seconds."""

    kind: Literal["quantity", "money", "duration"]
    name: str | None
    seconds: float = 0


def _unit(text: str, position: int) -> tuple[_Unit | None, int]:
    """The unit at a place, of two words before one, and where it ends."""
    match = _UNIT.match(text, position)
    if match is None:
        return None, position
    first = match[1]
    if match[2]:
        unit = _UNITS.get(f"{first} {match[2]}".lower())
        if unit is not None:
            return unit, match.end(2)
    unit = _UNITS.get(first) or (_UNITS.get(first.lower()) if len(first) > 1 else None)
    if unit is not None:
        return unit, match.end(1)
    head = first.split("/")[0]
    return (_UNITS.get(head) if head != first else None), match.start(1) + len(head)


def _duration(text: str, number: re.Match[str], end: int, value: float, unit: _Unit) -> Parameter | None:
    """A duration, none being negative, with the smaller ones that follow it ("1h 30m")."""
    start, seconds, last = number.start(), abs(value) * unit.seconds, unit.seconds
    if _is_decade(text, start, end):
        return None
    while more := _MORE.match(text, end):
        smaller = _SMALLER.get(more[2].lower(), last)
        if smaller >= last:
            break
        seconds, last, end = seconds + float(more[1]) * smaller, smaller, more.end()
    if last == _HOUR and text[end - 1] == "h" and (minutes := _GLUED_MINUTES.match(text, end)):
        seconds, end = seconds + int(minutes[0]) * 60, minutes.end()
    return Parameter(kind="duration", text=text[start:end], place=(start, end), value=seconds, unit="s")


def _is_decade(text: str, start: int, end: int) -> bool:
    """Whether "30s" are years: "the 30s", "in her 30s", "the 1930s"."""
    if text[end - 1] != "s" or not text[end - 2].isdigit():
        return False
    return end - start > _DECADE or _OF_A_DECADE.search(text, max(0, start - _REACH_BACK), start) is not None


def _number(digits: str, *, money: bool) -> float:
    """The value of digits with separators, by the rule in the module's docstring."""
    marks = [c for c in digits if not c.isdigit()]
    if not marks:
        return float(digits)
    whole, _, rest = digits.rpartition(marks[-1])
    parts_thousands = (
        marks.count(marks[-1]) > 1
        or marks[-1] not in ".,"
        or (len(marks) == 1 and len(rest) == _GROUP and whole != "0" and (marks[-1] == "," or money))
    )
    bare = "".join(c for c in (digits if parts_thousands else whole) if c.isdigit())
    return float(bare if parts_thousands else f"{bare}.{rest}")


def _worded_amounts(text: str) -> Iterator[Parameter]:
    """Amounts whose number is a word: "two hours", "a hundred dollars", "half an hour"."""
    for match in _WORDED.finditer(text):
        unit, end = _unit(text, match.end())
        if unit is None or end - match.end() <= _SHORT_UNIT or _is_idiom(match, text[match.end() : end]):
            continue
        value = _worded(match.group().lower())
        place = (match.start(), end)
        if unit.kind == "duration":
            value *= unit.seconds
        name = "s" if unit.kind == "duration" else unit.name
        yield Parameter(kind=unit.kind, text=text[place[0] : place[1]], place=place, value=value, unit=name)


def _is_idiom(number: re.Match[str], unit: str) -> bool:
    """Whether it is "one day" or an ordinal ("twenty second")."""
    word, unit = number.group().lower(), unit.strip(" \t-").lower()
    return (word == "one" and unit == "day") or (word != "one" and unit == "second")


def _worded(words: str) -> float:
    """The value of number words: "two and a half" is 2.5, "three hundred thousand" 300,000."""
    total, part = 0.0, 0.0
    for word in _NUMBER_WORD.findall(words):
        amount = _NUMBER_WORDS[word]
        if amount < _HUNDRED:
            part += amount
        elif amount == _HUNDRED:
            part = (part or 1) * amount
        else:
            total, part = total + (part or 1) * amount, 0.0
    return total + part


# Persons


def _persons(text: str) -> Iterator[Parameter]:
    for match in _AFTER_PREPOSITION.finditer(text):
        for name in _NAME.finditer(text, match.start(1), match.end(1)):
            end = _name_end(text, name)
            if end > name.start():
                yield _plain("person", text, name.start(), end)
            if end != name.end():
                break


def _name_end(text: str, name: re.Match[str]) -> int:
    """Where a name ends: before the first word that is none; its start where nothing is left."""
    end = name.start()
    for word in _NAME_WORD.finditer(text, *name.span()):
        bare = word.group().removesuffix("'s").removesuffix("\u2019s")
        if bare in _PARTICLES or bare.rstrip(".") in _TITLES or _INITIAL.fullmatch(bare):
            continue
        if bare.lower() in _NO_NAMES or not _NAME_FORM.fullmatch(bare):
            return end
        if bare.lower() in _OF_PLACES:
            return name.start()
        end = word.start() + len(bare)
        if bare != word.group():
            return end
    return end


# Pairs


def _pairs(text: str) -> Iterator[Parameter]:
    """All that is written as a pair; on one line those that follow each other."""
    last_end = -1
    for match in _COLON_PAIR.finditer(text) if ":" in text else ():
        follows = match["follows"] is None or match.start() == last_end
        if follows and _TALK.isdisjoint(match["key"].lower().split()):
            last_end = match.end()
            yield _pair(text, match)
    for match in _EQUALS_PAIR.finditer(text) if "=" in text else ():
        yield _pair(text, match)


def _pair(text: str, match: re.Match[str]) -> Parameter:
    start, end = match.start("key"), match.end("value")
    return Parameter(kind="pair", text=text[start:end], place=(start, end), name=match["key"])


def _with_pairs(typed: list[Parameter], pairs: list[Parameter]) -> list[Parameter]:
    """Typed parameters, named by the pairs they are the value of, and the pairs that overlap none."""
    starts, found = [one.place[0] for one in typed], list(typed)
    for pair in pairs:
        first = bisect_left(starts, pair.place[0])
        if first and typed[first - 1].place[1] > pair.place[0]:
            continue
        if first < len(typed) and starts[first] < pair.place[1]:
            if _is_value(typed[first], pair):
                found[first] = replace(typed[first], name=pair.name)
        elif _is_plain_value(pair):
            found.append(pair)
    return _apart(sorted(found, key=_rank))


def _is_value(one: Parameter, pair: Parameter) -> bool:
    """Whether a parameter is all of a pair's value, a full stop aside."""
    rest = pair.text[len(pair.name or "") :].lstrip(" \t:=\"'").rstrip(" .,;!?\"'")
    return rest == one.text.rstrip(".")


def _is_plain_value(pair: Parameter) -> bool:
    """Whether a pair's value is no sentence."""
    return not (pair.text.endswith(("!", "?", ".")) or pair.text.count(" ") > _MOST_BLANKS)


_KINDS: Final[tuple[ParameterKind, ...]] = (
    "email", "url", "money", "duration", "quantity", "path", "person", "pair",
)  # fmt: skip
_ORDER: Final = {kind: place for place, kind in enumerate(_KINDS)}

_DIGIT: Final = re.compile(r"[0-9]")

_EMAIL: Final = re.compile(
    r"(?<![\w.+%-])[\w%+-](?:[\w.%+-]{0,62}[\w%+-])?@(?:[^\W_](?:[^\W_]|-(?=[\w-])){0,62}\.){1,8}[^\W\d_]{2,24}"
    r"(?![\w-]|:\S|\.\w)"
)
"""Not all of RFC 5322: no quoted names, no comments, no bare hosts. "git@host:path" is an address of git."""
_URL: Final = re.compile(
    r"(?<![A-Za-z0-9_@.-])((?:https?|ftp)://|www\.)(?=[\w\[])"
    r"[^\s<>\"`{}|\\^\u201c\u201d\u00ab\u00bb\u3000-\u303f\uff00-\uff65]{1,2048}",
    re.IGNORECASE,
)
_TRAILING: Final = ".,;:!?'*_~\u2019\u2026"
_BRACKETS: Final = {")": "(", "]": "["}

_ENDINGS: Final = (
    "bash|bat|bmp|cfg|conf|cpp|css|csv|docx?|env|epub|exe|flac|gif|go|gz|h5|heic|html?|ini|ipynb|jpe?g|jsonl?"
    "|jsx|key|lock|log|md|mkv|mov|mp3|mp4|odt|parquet|pdf|pem|php|png|pptx?|py|rar|rb|rst|rtf|sh|sql|sqlite|svg|tar"
    "|toml|tsv|tsx|txt|wav|webm|webp|xlsx?|xml|ya?ml|zip"
)
"""Endings of files that are no ends of host names or products ("Node.js")."""
_ENDING: Final = re.compile(rf"\w\.(?:{_ENDINGS}|[a-z]{{1,4}})$", re.IGNORECASE)
_ROOTS: Final = frozenset(
    """
    Applications Users Volumes bin boot dev etc home lib media mnt opt proc root run sbin srv sys tmp
    usr var
    """.split()  # noqa: SIM905 - words read better than many strings
)
_PATH: Final = re.compile(
    r"(?P<windows>(?<!\w)[A-Za-z]:[\\/](?![\\/])"
    r"(?:[^\\/:*?\"<>|\s]+(?: [^\\/:*?\"<>|\s]+){0,3}[\\/])*[^\\/:*?\"<>|\s]*)"
    r"|(?P<server>(?<![\w\\])\\\\[\w.-]+(?:\\[\w.$-]+)+\\?)"
    r"|(?P<unix>(?<![\w/\\:.~@)\]<>}*+%-])(?:~|\.\.?)?(?:/[\w.@+%=-]+)+/?)"
)
_FILE: Final = re.compile(rf"(?<![\w/\\:.@~-])[\w-][\w.-]*(?:/[\w.-]+)*\.(?:{_ENDINGS})(?![\w/@-]|\.\w)")
_FILE_ENDING: Final = re.compile(rf"\.(?:{_ENDINGS})(?!\w)")

_CODES: Final = (
    "USD|EUR|GBP|JPY|CNY|CHF|CAD|AUD|NZD|SEK|NOK|DKK|PLN|CZK|HUF|INR|BRL|MXN|ZAR|KRW|SGD|HKD|ILS|THB"
)
_SIGNS: Final = "\u20ac\u00a3\u00a5\u20b9\u20bd\u20a9\u20ba\u20b4\u20aa\u0e3f\u20ab"
_CURRENCIES: Final = {
    **{code: code for code in _CODES.split("|")},
    "\u20ac": "EUR", "\u00a3": "GBP", "\u00a5": "JPY", "\u20b9": "INR", "\u20bd": "RUB", "\u20a9": "KRW",
    "\u20ba": "TRY", "\u20b4": "UAH", "\u20aa": "ILS", "\u0e3f": "THB", "\u20ab": "VND",
    "$": "USD", "US$": "USD", "A$": "AUD", "AU$": "AUD", "C$": "CAD", "CA$": "CAD", "NZ$": "NZD",
    "HK$": "HKD", "S$": "SGD", "R$": "BRL",
}  # fmt: skip
"""ISO 4217 codes by the signs before or behind an amount."""

_NUMBER: Final = re.compile(
    r"[0-9]{1,3}([,.' \u00a0\u202f\u2019])[0-9]{3}(?:\1[0-9]{3}){0,4}(?:(?!\1)[.,][0-9]{1,15})?(?![0-9])"
    r"|[0-9]{1,2}(?:,[0-9]{2}){1,5},[0-9]{3}(?:\.[0-9]{1,15})?(?![0-9])"  # 1,00,000 in India
    r"|[0-9]{1,15}(?:[.,][0-9]{1,15})?(?![0-9])"
)
_GROUP: Final = 3
_REACH_BACK: Final = 8
"""Characters before a number that may hold its sign: "-US$ " and some. Chosen by hand."""
_BEFORE: Final = frozenset(f"${_SIGNS}-\u2212")
_BEFORE_NUMBER: Final = re.compile(
    r"(?P<minus>(?<![\w)\]])[-\u2212])?"
    rf"(?:(?P<sign>(?<![A-Za-z])(?:US|AU?|CA?|NZ|HK|S|R)?\$|[{_SIGNS}]|(?<![A-Za-z])(?:{_CODES}))"
    r"[ \t\u00a0]?)?\Z"
)
_SCALES: Final = {
    "k": 1e3, "m": 1e6, "mn": 1e6, "b": 1e9, "bn": 1e9, "hundred": 1e2, "thousand": 1e3, "million": 1e6,
    "billion": 1e9, "trillion": 1e12, "mio": 1e6, "mrd": 1e9, "millionen": 1e6, "milliarden": 1e9,
}  # fmt: skip
_SCALE: Final = re.compile(
    r"(?:(?P<letter>k|mn?|bn?)"
    r"|[ \t\u00a0-]?(?P<word>hundred|thousand|million|billion|trillion|millionen|milliarden|(?:mio|mrd)\.?))"
    r"(?!\w)",
    re.IGNORECASE,
)
_MONEY_AFTER: Final = re.compile(
    rf"[ \t\u00a0]?(?:[{_SIGNS}$](?![0-9])|(?:{_CODES}|(?i:euros?|dollars?|bucks|us dollars))(?!\w))"
)
_UNIT: Final = re.compile(
    r"[ \t\u00a0\u202f-]?(?:"
    rf"((?:[°º][ \t]?[CFcf](?!\w)|[%°]|[{_SIGNS}$](?![0-9])"
    r"|[^\W\d_]{1,20}[²³23]?(?:/[a-z]{1,4}[²2]?)?)(?!\w)"
    r"|(?<=[0-9])[dh](?=[0-9]))(?:[ \t-]([A-Za-z]{1,12})(?!\w))?)"
)

_HOUR: Final = 3600.0
_MEASURES: Final = """
kg: kg kgs kilo kilos kilogram kilograms kilogramm | g: g gram grams gramm grammes | mg: mg milligrams
µg: µg mcg micrograms | t: ton tons tonne tonnes tonnen | lb: lb lbs pound pounds | oz: oz ounce ounces
km: km kms kilometer kilometers kilometre kilometres kilometern | m: m meter meters metre metres metern
cm: cm centimeter centimeters centimetre centimetres | mm: mm millimeter millimeters millimetres
mi: mi mile miles | ft: ft foot feet | in: inch inches | yd: yd yard yards | nm: nm | µm: µm
l: l L liter liters litre litres litern | ml: ml mL milliliter milliliters millilitres | cl: cl | dl: dl
gal: gal gallon gallons | cup: cup cups | tbsp: tbsp tablespoon tablespoons | tsp: tsp teaspoon teaspoons
%: % percent prozent | °: ° degree degrees grad | B: bytes byte | KB: kb | MB: mb | GB: gb | TB: tb | PB: pb
KiB: kib | MiB: mib | GiB: gib | TiB: tib | kbps: kbps | Mbps: mbps | Gbps: gbps | Mbit: mbit | Gbit: gbit
Hz: hz hertz | kHz: khz | MHz: mhz | GHz: ghz | W: W watt watts | kW: kw kilowatt kilowatts | MW: MW
Wh: wh | kWh: kwh | mAh: mah | V: V volt volts | mV: mV | A: amps | mA: mA | dB: db decibel decibels
km/h: km/h kmh kph | mph: mph | m/s: m/s | kn: knots | rpm: rpm | fps: fps | px: px pixel pixels | dpi: dpi
kcal: kcal | cal: cal calories | kJ: kj | hPa: hpa | psi: psi | ppm: ppm
ha: hectare hectares | acre: acre acres
m²: m² m2 sqm qm | km²: km² km2 | cm²: cm² cm2 | m³: m³ m3 | ft²: sqft
"""
"""Units of measure: a short name, and the words for it."""
_TWO_WORDS: Final = {
    "square meters": "m²", "square metres": "m²", "square feet": "ft²", "square foot": "ft²", "sq ft": "ft²",
    "square miles": "mi²", "square kilometers": "km²", "square kilometres": "km²", "degrees celsius": "°C",
    "degrees fahrenheit": "°F", "fluid ounces": "fl oz", "fl oz": "fl oz", "nautical miles": "nmi",
}  # fmt: skip
_MONEY_WORDS: Final = {
    "dollar": "USD", "dollars": "USD", "us dollars": "USD", "us dollar": "USD", "bucks": "USD", "buck": "USD",
    "canadian dollars": "CAD", "australian dollars": "AUD", "singapore dollars": "SGD", "euro": "EUR",
    "euros": "EUR", "quid": "GBP", "pounds sterling": "GBP", "british pounds": "GBP", "yen": "JPY",
    "yuan": "CNY", "rmb": "CNY", "rupees": "INR", "rupee": "INR", "rubles": "RUB", "roubles": "RUB",
    "swiss francs": "CHF", "franken": "CHF", "pesos": None, "kr": None, "kronor": None, "francs": None,
    "zloty": "PLN", "z\u0142": "PLN", "shekels": "ILS", "baht": "THB", "\u5143": "CNY", "\u5186": "JPY",
}  # fmt: skip
_SECONDS: Final = {
    0.001: "ms millisecond milliseconds",
    1: "s sec secs second seconds sekunde sekunden seconde secondes segundo segundos",
    60: "min mins minute minutes minuten minuto minutos",
    3600: "h hr hrs hour hours stunde stunden std heure heures hora horas",
    86_400: "day days tag tage tagen jour jours día días",
    604_800: "week weeks wk wks woche wochen semaine semaines semana semanas",
    2_592_000: "month months monat monate monaten mois mes meses",
    31_536_000: "year years yr yrs jahr jahre jahren an ans année années año años",
}  # fmt: skip
"""Words for durations by their seconds; a month has 30 days and a year 365."""


def _measures() -> Iterator[tuple[str, _Unit]]:
    for entry in re.split(r"[|\n]", _MEASURES.strip()):
        name, words = entry.split(":")
        yield from ((word, _Unit("quantity", name.strip())) for word in words.split())


_UNITS: Final = {
    **dict(_measures()),
    **{words: _Unit("quantity", name) for words, name in _TWO_WORDS.items()},
    **{f"{mark}{gap}{letter}": _Unit("quantity", f"°{letter.upper()}")
       for mark in "°º" for gap in ("", " ") for letter in "CFcf"},
    **{sign: _Unit("money", code) for sign, code in _CURRENCIES.items()},
    **{words: _Unit("money", code) for words, code in _MONEY_WORDS.items()},
    **{word: _Unit("duration", "s", length) for length, words in _SECONDS.items() for word in words.split()},
    "d": _Unit("duration", "s", 86_400),
}  # fmt: skip
_SMALLER: Final = {word: unit.seconds for word, unit in _UNITS.items() if unit.kind == "duration"} | {
    "m": 60.0
}
_MORE: Final = re.compile(
    r"(?:,?[ \t]+(?:and[ \t]+)?)?([0-9]{1,4}(?:\.[0-9]{1,3})?)[ \t]?([^\W\d_]{1,12})(?![^\W\d_])"
)
_GLUED_MINUTES: Final = re.compile(r"[0-5][0-9](?!\w)")
_DECADE: Final = 4
"""Digits and an "s" longer than this are years: "1990s"."""
_OF_A_DECADE: Final = re.compile(
    r"(?:\b(?:the|her|his|my|your|our|their|early|mid|late)[ -]|['\u2019])\Z", re.IGNORECASE
)

_UNIT_WORD: Final = re.compile(
    r"hour|minute|second|week|month|year|day|dollar|euro|buck|percent|mile|kilo|pound|met(?:er|re)|degree|foot|feet"
    r"|inch|yard|gram|ounce|gallon|cup|ton|quid|yen|yuan|rupee|spoon|[Ss]tunde|[Mm]inute|[Ww]oche|acre|lit(?:er|re)"
    r"|peso|ruble|megab|gigab|pixel|calorie|watt|volt|franc|baht|shekel|rouble|hectare|knots"
)
"""A look for the units that are written behind number words."""
_SHORT_UNIT: Final = 3
"""A blank and two letters: "one m" and "two in" are no amounts."""
_LONG_UNITS: Final = frozenset(
    re.split(r"\W", words.lower().rpartition(" ")[2])[0]
    for words in _UNITS
    if len(words) >= _SHORT_UNIT and words.isascii() and "$" not in words
)
"""Of the units in ASCII that are longer, the first part of the last word."""
_HUNDRED: Final = 100
_NUMBER_WORDS: Final = {
    word: float(number)
    for number, word in enumerate(
        """
        one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
        seventeen eighteen nineteen
        """.split(),  # noqa: SIM905 - words read better than strings
        start=1,
    )
} | {
    "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80,
    "ninety": 90, "hundred": 100, "thousand": 1e3, "million": 1e6, "billion": 1e9, "half": 0.5,
}  # fmt: skip
_NUMBER_WORD: Final = re.compile(rf"\b(?:{'|'.join(_NUMBER_WORDS)})\b")
_WORDED: Final = re.compile(
    r"(?<![\w-])(?:half an?|(?:a (?=hundred|thousand|million|billion))?W(?:(?:[ -]| and )W| and a half){0,8})"
    r"(?=[ -])".replace("W", f"(?:{'|'.join(word for word in _NUMBER_WORDS if word != 'half')})\\b"),
    re.IGNORECASE,
)

_CAPITAL: Final = r"[^\W\d_a-z\u00df-\u00f6\u00f8-\u00ff]"
_CAPITAL_AFTER: Final = re.compile(rf"(?:ith|or|o)[ \t]+{_CAPITAL}")
_PARTICLES: Final = frozenset(
    """
    van von de der den da di del della la le du dos ten ter bin ibn al el y zu
    """.split()  # noqa: SIM905 - words read better than many strings
)
_TITLES: Final = frozenset(
    """
    Dr Mr Mrs Ms Miss Prof Professor Rev Fr Sir Madam Herr Frau Mme Doctor Captain
    """.split()  # noqa: SIM905 - words read better than many strings
)
_WORD_OF_A_NAME: Final = rf"(?:[A-Z]\.|{_CAPITAL}[\w'\u2019-]{{0,40}})"
_ONE_NAME: Final = (
    rf"(?:(?:Dr|Mrs?|Ms|Prof|Rev|Fr)\.[ \t])?{_WORD_OF_A_NAME}"
    rf"(?:[ \t](?:(?:{'|'.join(sorted(_PARTICLES))})[ \t]){{0,3}}{_WORD_OF_A_NAME}){{0,2}}"
)
_NAME: Final = re.compile(_ONE_NAME)
_NAME_WORD: Final = re.compile(r"\S+")
_INITIAL: Final = re.compile(r"[A-HJ-Z]\.?")
"""A letter that stands for a name, by itself none; an "I" is a pronoun."""
_NAME_FORM: Final = re.compile(
    r"(?:(?:Mc|Mac|[A-Z]['\u2019])?[^\W\d_][^\W\d_A-Z]+(?:-[^\W\d_][^\W\d_A-Z]+)?)"
    r"(?:['\u2019][a-z]+)?"
)
_AFTER_PREPOSITION: Final = re.compile(
    rf"(?<![\w-])(?:[Ww]ith|[Ff]or|[Tt]o)[ \t]+"
    rf"({_ONE_NAME}(?:(?:,[ \t]{_ONE_NAME}){{0,4}},?[ \t](?:and|&)[ \t]{_ONE_NAME})?)"
)
_NO_NAMES: Final = frozenset(
    """
    a africa african airbnb alexa all also amazon america american amsterdam an and android any anyone apple
    apr april arabic are argentina as asia asian at aug august australia austria autumn bangkok barcelona be
    because beijing belgium berlin bible bitcoin boston both brazil britain british brussels but california
    can canada canadian central chicago chile china chinese christmas claude copenhagen could covid cuba
    danish dec december delhi denmark did disney do docker does dubai dublin dutch each earth east easter
    ebay egypt england english europe european everyone example excel facebook feb february finland finnish
    florida for france french fri friday from german germany get gmail god good google great greece greek
    greenland halloween hamburg hanukkah has have hawaii he hebrew her here hey hi hindi his how however
    hungary i i'd i'll i'm i've iceland if im in india indian instagram internet iran iraq ireland irish is
    israel istanbul it it's italian italy its jan january japan japanese jul july jun june just kenya korea
    korean lake las latin let linux lisbon lol london los mac madrid mandarin mar march mars may maybe me
    mexican mexico miami microsoft milan mon monday moon more morocco moscow most mount mumbai munich my
    nepal netflix netherlands new nike no north norway norwegian not nov november now oct october of ok okay
    on one or oslo our out outlook pakistan paris peru photoshop please poland polish portugal portuguese
    prague python ramadan reddit romania rome russia russian rust saint sale san sao sat saturday scotland
    seattle seoul sep sept september shanghai she should since singapore slack so some south spain spanish
    spotify spring st starbucks stockholm summer sun sunday sweden swedish switzerland sydney taiwan tesla
    texas thailand thank thanks thanksgiving that that's the their them then there these they this those thu
    thursday tiktok to today tokyo tomorrow tonight toronto tue tuesday turkey turkish twitter uber uk
    ukraine united us usa valentine vancouver very vienna vietnam wales walmart warsaw was we wed wednesday
    well were west what whatsapp when where which who why wikipedia will windows winter with word would yes
    yesterday you your zoom zurich
    """.split()  # noqa: SIM905 - words read better than hundreds of strings
)
"""Capitalised words that begin or end a name, in lower case: words of grammar, days and holidays, months,
languages, places, firms. Chosen by hand, the commonest only."""
_OF_PLACES: Final = frozenset(
    """
    academy airport avenue bank bay beach bridge cafe cathedral church city club college corp county court
    day eve festival forest garden gardens gmbh hall hospital hotel house inc institute island islands lake
    library llc ltd mall market mountain museum office park pier plaza restaurant river road school square
    stadium station store street studio studios team theater theatre tower town university valley village
    week weekend year zoo
    """.split()  # noqa: SIM905 - words read better than hundreds of strings
)
"""Words that make of the words before them a place, a firm or a day."""

_KEY: Final = r"[^\W\d_][\w-]{0,30}(?: [\w-]{1,30}){0,2}"
_COLON_PAIR: Final = re.compile(
    r"(?:^[ \t]{0,20}(?:[-*+\u2022][ \t]{1,4})?|(?P<follows>[,;|][ \t]{0,4}))"
    rf"(?P<key>(?=\w[\w-]){_KEY}):[ \t]{{1,20}}(?P<value>[^\s](?:[^\n]{{0,78}}?[^\s])?)"
    rf"(?=[ \t]{{0,20}}(?:$|[,;|][ \t]{{0,4}}{_KEY}:[ \t]))",
    re.MULTILINE,
)
_EQUALS_PAIR: Final = re.compile(
    r"(?<![\w&?/.=$-])(?P<key>[^\W\d_][\w.-]{0,40})="
    r"(?P<value>\"[^\"\n]{1,80}\"|'[^'\n]{1,80}'|[^\s,;\"'&=<>(){}]{0,200}[^\s,;\"'&=<>(){}.:!?])(?![=\w])"
)
_MOST_BLANKS: Final = 10
"""Blanks in a pair; with more it is a sentence. Chosen by hand: three words of a key and eight of a value."""
_TALK: Final = frozenset(
    """
    a about added ai and answer answered are as asked assistant at because believe bot btw but by cons
    course did do edit example for from fyi had has have he her here hey hi him hint his how human i if in
    instance is it like me mean means my note of on or our pros ps q question read replied said saw says see
    she so such system tell that the their them then there these they think this those thought tip tldr to
    told update user warning was we were what when where which who why will with would writes wrote yes you
    your
    """.split()  # noqa: SIM905 - words read better than hundreds of strings
)
"""Words that no key holds: of grammar, of saying, of speakers and of remarks."""
