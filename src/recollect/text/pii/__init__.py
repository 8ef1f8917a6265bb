"""Personal data in a text: found by recognisers that verify it, and kept, masked or refused by a policy.

* **email**: addresses; no handles ("@ada@example.social"), none spelled out ("ada at example dot com").
* **phone**: numbers with a country code, national ones of a typical form, others near a word such as "call"
  or in the country ``region``; no emergency numbers.
* **card**, **iban**: an issuer's prefix and length with Luhn's checksum; a country's length with MOD 97-10.
* **national_id**: numbers of 29 countries by form and check digits, those that look like any other number
  only beside their names; passports and driving licences beside their names.
* **secret**: passwords and keys (``recollect.text.secrets``).
* **address**: a street with a number, a post box, a town with its post code.
* **ip**: addresses, except local ones; no versions.
* **date_of_birth**: only where the text says so; no year alone.

``person`` and ``other`` need a recogniser that is plugged in (see ``Recogniser``): ``presidio``, or
``phone_library`` for the numbers of every country. Measured on ``tests/text/pii_lines.jsonl``.
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
