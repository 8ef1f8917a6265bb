"""Check digits, by which numbers show that they were copied right."""

from collections.abc import Sequence
from typing import Final


def luhn(digits: str) -> bool:
    """Whether the Luhn sum holds (ISO/IEC 7812-1, annex B).

    >>> luhn("4242424242424242"), luhn("4242424242424241")
    (True, False)
    """
    doubled = sum(sum(divmod(2 * int(digit), 10)) for digit in digits[-2::-2])
    return (doubled + sum(map(int, digits[-1::-2]))) % 10 == 0


def verhoeff(digits: str) -> bool:
    """Whether Verhoeff's sum in the dihedral group of order ten holds (J. Verhoeff, 1969).

    >>> verhoeff("2363"), verhoeff("2633")
    (True, False)
    """
    total = 0
    for place, digit in enumerate(reversed(digits)):
        total = _product(total, _permuted(int(digit), place % 8))
    return total == 0


def _product(first: int, second: int) -> int:
    """The product in the group of a pentagon's turns (0 to 4) and flips (5 to 9)."""
    if first < _FLIPS:
        return (first + second) % 5 + (0 if second < _FLIPS else _FLIPS)
    if second < _FLIPS:
        return (first - second) % 5 + _FLIPS
    return (first - second) % 5


def _permuted(digit: int, times: int) -> int:
    for _ in range(times):
        digit = _PERMUTATION[digit]
    return digit


def mod_97(code: str) -> bool:
    """Whether letters as 10 to 35 and digits leave 1 divided by 97 (ISO/IEC 7064, MOD 97-10).

    >>> mod_97("370400440532013000DE89")
    True
    """
    return int("".join(str(int(character, 36)) for character in code)) % 97 == 1


def mod_11_10(digits: str) -> bool:
    """Whether the hybrid sum leaves 1 (ISO/IEC 7064, MOD 11,10).

    >>> mod_11_10("7946"), mod_11_10("7964")
    (True, False)
    """
    product = 10
    for digit in digits[:-1]:
        product = ((int(digit) + product) % 10 or 10) * 2 % 11
    return (product + int(digits[-1])) % 10 == 1


def weighted(digits: str, weights: Sequence[int]) -> int:
    """The sum of digits times weights, as far as there are weights.

    >>> weighted("123", (3, 2, 1))
    10
    """
    return sum(int(digit) * weight for digit, weight in zip(digits, weights, strict=False))


_FLIPS: Final = 5
_PERMUTATION: Final = (1, 5, 7, 6, 2, 8, 3, 0, 9, 4)
"""Verhoeff's permutation, applied once more at every place."""
