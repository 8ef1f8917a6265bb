"""Personal data in a text: found by recognisers that check, and kept, masked or refused by a policy.

What is found, and what is not:

* **email** addresses, but no handles ("@ada@example.social") and none spelled out ("ada at example dot com").
* **phone** numbers with a country code, national ones of a telling form, and others beside a word such as
  "call" or where ``region`` tells the country. Not three digits for help (911).
* **card** numbers: the issuer's first digits, length and Luhn's sum (``recollect.text.secrets``).
* **iban**: the country's length, and MOD 97-10.
* **national_id**: the numbers of 29 countries by form and check digits; those that look like any other
  number only beside a word that names them. Numbers of passports and driving licences beside their names.
* **secret**: passwords and keys (``recollect.text.secrets``).
* **address**: a street with a number, a box, a town with its post code.
* **ip** addresses, but none of the own machine or of a local network, and no versions.
* **date_of_birth**, where the text says so; a year alone is none.

``person`` and ``other`` are found only by recognisers that are plugged in (see ``Recogniser``): ``presidio``
makes one of a Presidio engine, and ``phone_library`` one that knows the telephone numbers of every country.
What the rules find right and what they miss is measured on ``tests/text/pii_lines.jsonl``.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from recollect.text.pii.policy import PiiAction, PiiDecision, PiiPolicy, apply
from recollect.text.pii.spans import KINDS, PiiKind, PiiSpan, Recogniser

if TYPE_CHECKING:
    from recollect.text.pii.find import find_pii

__all__ = [
    "KINDS",
    "PiiAction",
    "PiiDecision",
    "PiiKind",
    "PiiPolicy",
    "PiiSpan",
    "Recogniser",
    "apply",
    "find_pii",
]


def __getattr__(name: str) -> object:
    if name == "find_pii":  # loads the rules
        return getattr(import_module("recollect.text.pii.find"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
