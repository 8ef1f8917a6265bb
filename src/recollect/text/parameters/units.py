"""Units of measure, money and time, and how they are written."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from recollect.types.regex import lazy_regex


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit: what it measures, its short name (None: not told), and a duration's seconds."""

    kind: Literal["quantity", "money", "duration"]
    name: str | None
    seconds: float = 0


def unit_at(text: str, position: int) -> tuple[Unit | None, int]:
    """The unit at a place, of two words before one, and where it ends."""
    match = _UNIT.match(text, position)
    if match is None:
        return None, position
    first = match[1]
    if match[2]:
        unit = UNITS.get(f"{first} {match[2]}".lower())
        if unit is not None:
            return unit, match.end(2)
    unit = UNITS.get(first) or (UNITS.get(first.lower()) if len(first) > 1 else None)
    if unit is not None:
        return unit, match.end(1)
    head = first.split("/")[0]
    return (UNITS.get(head) if head != first else None), match.start(1) + len(head)


CODES: Final = (
    "USD|EUR|GBP|JPY|CNY|CHF|CAD|AUD|NZD|SEK|NOK|DKK|PLN|CZK|HUF|INR|BRL|MXN|ZAR|KRW|SGD|HKD|ILS|THB"
)
SIGNS: Final = "\u20ac\u00a3\u00a5\u20b9\u20bd\u20a9\u20ba\u20b4\u20aa\u0e3f\u20ab"
_CURRENCIES: Final = {
    **{code: code for code in CODES.split("|")},
    "\u20ac": "EUR", "\u00a3": "GBP", "\u00a5": "JPY", "\u20b9": "INR", "\u20bd": "RUB", "\u20a9": "KRW",
    "\u20ba": "TRY", "\u20b4": "UAH", "\u20aa": "ILS", "\u0e3f": "THB", "\u20ab": "VND",
    "$": "USD", "US$": "USD", "A$": "AUD", "AU$": "AUD", "C$": "CAD", "CA$": "CAD", "NZ$": "NZD",
    "HK$": "HKD", "S$": "SGD", "R$": "BRL",
}  # fmt: skip
"""ISO 4217 codes by the signs before or behind an amount."""
SCALES: Final = {
    "k": 1e3, "m": 1e6, "mn": 1e6, "b": 1e9, "bn": 1e9, "hundred": 1e2, "thousand": 1e3, "million": 1e6,
    "billion": 1e9, "trillion": 1e12, "mio": 1e6, "mrd": 1e9, "millionen": 1e6, "milliarden": 1e9,
}  # fmt: skip
_UNIT: Final = lazy_regex(
    r"[ \t\u00a0\u202f-]?(?:"
    rf"((?:[°º][ \t]?[CFcf](?!\w)|[%°]|[{SIGNS}$](?![0-9])"
    r"|[^\W\d_]{1,20}[²³23]?(?:/[a-z]{1,4}[²2]?)?)(?!\w)"
    r"|(?<=[0-9])[dh](?=[0-9]))(?:[ \t-]([A-Za-z]{1,12})(?!\w))?)"
)
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


def _measures() -> Iterator[tuple[str, Unit]]:
    for entry in re.split(r"[|\n]", _MEASURES.strip()):
        name, words = entry.split(":")
        yield from ((word, Unit("quantity", name.strip())) for word in words.split())


UNITS: Final = {
    **dict(_measures()),
    **{words: Unit("quantity", name) for words, name in _TWO_WORDS.items()},
    **{f"{mark}{gap}{letter}": Unit("quantity", f"°{letter.upper()}")
       for mark in "°º" for gap in ("", " ") for letter in "CFcf"},
    **{sign: Unit("money", code) for sign, code in _CURRENCIES.items()},
    **{words: Unit("money", code) for words, code in _MONEY_WORDS.items()},
    **{word: Unit("duration", "s", length) for length, words in _SECONDS.items() for word in words.split()},
    "d": Unit("duration", "s", 86_400),
}  # fmt: skip
SMALLER: Final = {word: unit.seconds for word, unit in UNITS.items() if unit.kind == "duration"} | {"m": 60.0}
