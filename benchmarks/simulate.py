"""Two small simulations for ``scale``: waiting at a server, and the shadows of users who come and go.

Both are seeded, so that the page made of them is the same every time.
"""

from collections import OrderedDict
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

REQUESTS: Final = 200_000
"""Requests of a simulated queue: enough for a stable p99."""
_Z99: Final = 2.3263
"""The standard normal distribution's 99th percentile."""
_DAY_S: Final = 86_400.0
_DAYS: Final = 3


def waiting_ms(service: tuple[float, float], *, utilisation: float, seed: int = 1) -> dict[str, float]:
    """How long requests take at one process that is busy for a share of the time.

    They come at random (a Poisson process), one is worked on at a time, in their order; service times are
    log-normal.

    Args:
        service: The p50 and the p99 of a request that does not wait, in milliseconds.
        utilisation: Above 0 and below 1.
        seed: Of arrivals and service times.

    Returns:
        ``p50_ms`` and ``p99_ms`` from arrival to answer.
    """
    random = np.random.default_rng(seed)
    p50, p99 = service
    work = random.lognormal(np.log(p50), max(np.log(p99 / p50), 0) / _Z99, REQUESTS)
    gaps = random.exponential(work.mean() / utilisation, REQUESTS)
    took = _waits(work, gaps) + work
    found = np.percentile(took[REQUESTS // 10 :], (50, 99))
    return {"p50_ms": float(found[0]), "p99_ms": float(found[1])}


def _waits(work: NDArray[np.float64], gaps: NDArray[np.float64]) -> NDArray[np.float64]:
    """Lindley's recursion (1952): a request waits for what was left when the one before it came.

    Without a loop: the wait is how far the sum of work minus gaps is above its lowest value so far.
    """
    steps = np.concatenate([[0.0], np.cumsum(work[:-1] - gaps[1:])])
    waits: NDArray[np.float64] = steps - np.minimum.accumulate(steps)
    return waits


def shadow_reads(
    rooms: Sequence[float], *, sessions_a_day: float, turns: int, users: int = 3_000, seed: int = 1
) -> dict[float, float]:
    """What share of turns finds that the user's shadow must be read from the store, by room.

    Users begin sessions at random, three times as often at noon as in the mean of the day and never at
    midnight; some come often and most seldom (log-normal, sigma 1). A turn comes a minute after the other.
    The shadows that were not used for longest are dropped.

    Args:
        rooms: How many shadows have room, as shares of all users.
        sessions_a_day: Of a user, in the mean.
        turns: Of a session.
        users: How many are simulated; the shares hardly depend on it.
        seed: Of who comes when.
    """
    random = np.random.default_rng(seed)
    often = random.lognormal(0, 1, users)
    rate = sessions_a_day * often / often.mean()
    who = np.repeat(np.arange(users), random.poisson(rate * _DAYS))
    begun = random.integers(0, _DAYS, len(who)) * _DAY_S + _times_of_day(random, len(who))
    moments = (begun[:, None] + 60.0 * np.arange(turns)).ravel()
    asked = np.repeat(who, turns)[np.argsort(moments, kind="stable")]
    late = len(asked) // _DAYS
    return {room: _missed(asked.tolist(), max(1, round(room * users)), late) for room in rooms}


def _times_of_day(random: np.random.Generator, count: int) -> NDArray[np.float64]:
    """Seconds since midnight, as often as a squared sine says: none at midnight, most at noon."""
    grid = np.linspace(0, _DAY_S, 1_441)
    share = np.cumsum(np.sin(np.pi * grid / _DAY_S) ** 4)
    return np.interp(random.random(count), share / share[-1], grid)


def _missed(asked: list[int], room: int, late: int) -> float:
    """The share of the turns after the first ``late`` whose user is not among the last ``room``."""
    kept: OrderedDict[int, None] = OrderedDict()
    missed = 0
    for place, user in enumerate(asked):
        if user in kept:
            kept.move_to_end(user)
            continue
        missed += place >= late
        kept[user] = None
        if len(kept) > room:
            kept.popitem(last=False)
    return missed / (len(asked) - late)
