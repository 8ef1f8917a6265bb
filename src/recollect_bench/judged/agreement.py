"""How far judges agree, chance taken away: 1 is always, 0 as often as by chance."""

from collections import Counter
from collections.abc import Iterable, Sequence


def cohen_kappa(first: Sequence[str], second: Sequence[str]) -> float | None:
    """Agreement of two on the same items (Cohen 1960); None where both can only say the same.

    >>> cohen_kappa(["right", "right", "wrong", "wrong"], ["right", "wrong", "wrong", "wrong"])
    0.5
    """
    count = len(first)
    one, other = Counter(first), Counter(second)
    agreed = sum(a == b for a, b in zip(first, second, strict=True))
    by_chance = sum(one[value] * other[value] for value in one)
    if by_chance == count * count:
        return None
    return (agreed * count - by_chance) / (count * count - by_chance)


def krippendorff_alpha(units: Iterable[Sequence[str]]) -> float | None:
    """Agreement of any number of judges (Krippendorff 2011, nominal values).

    Args:
        units: For each item the verdicts on it; one that nobody else judged counts for nothing.

    Returns:
        1 at most; None where all verdicts are the same, or no item has two.

    >>> round(krippendorff_alpha([["a", "a"], ["b", "b"], ["a", "b"], ["b", "b"]]), 3)
    0.533
    """
    counted = [Counter(unit) for unit in units if len(unit) > 1]
    total = sum(counted, Counter[str]())
    count = total.total()
    by_chance = count * count - sum(held * held for held in total.values())
    if not by_chance:
        return None
    differing = sum(
        (unit.total() ** 2 - sum(held * held for held in unit.values())) / (unit.total() - 1)
        for unit in counted
    )
    return 1 - differing * (count - 1) / by_chance
