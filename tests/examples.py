"""How many examples a test draws that asks for a number of its own."""

from hypothesis import settings


def share_of(count: int) -> int:
    """All of ``count`` in ``make soak``; in ``make test`` the share that its profile draws of 100."""
    return max(1, count * settings().max_examples // 100)
