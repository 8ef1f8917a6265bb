"""Do Shadow Memory's thresholds find the best ones from feedback, and stay there?"""

from collections.abc import Sequence
from typing import Final
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

from recollect.lifecycle.thresholds import ThresholdManager
from recollect.stores.reference.store import InMemoryStore
from recollect.types import Scope
from recollect_bench.provenance import provenance

HOW: Final = (
    "A memory is relevant in half of the cases; scores of relevant and of other memories are normal with the "
    "given mean and deviation, so the best threshold lies half way. Each of 2,000 outcomes tells the manager "
    "of one memory whether it was activated and whether it was relevant; of the share that is wrong it tells "
    "the opposite of relevant. `turns` are changes of direction; `near_after` is how many outcomes it takes "
    "to come within one step of the best, `away` how far from it the threshold is in the mean of the last "
    "500. `plain` goes back to a threshold as readily as on to another. In `moved` the best threshold rises "
    "by 0.2 after 1,000 outcomes, from where `near_after` counts."
)
OUTCOMES: Final = 2_000
SEEDS: Final = 5
WORLDS: Final = {"apart": ((0.7, 0.1), (0.4, 0.1)), "overlapping": ((0.65, 0.12), (0.45, 0.12))}
"""Mean and deviation of relevant and of other memories' scores."""
BEST: Final = 0.55
STARTS: Final = {"too low": 0.15, "too high": 0.95}
WRONG_FEEDBACK: Final = (0.0, 0.1, 0.2)

_ME: Final = Scope(user_id="me")

Row = dict[str, float]


def run_thresholds() -> dict[str, object]:
    """Simulate learning from feedback; returns what the JSON file holds."""
    return {
        "benchmark": "thresholds",
        "made": provenance(),
        "how": HOW,
        "outcomes": OUTCOMES,
        "seeds": SEEDS,
        "learned": _with_rule(),
        "plain": _with_rule(margin=-1.0),
        "moved": {
            f"{wrong:.0%} wrong": _summed(
                [_simulate("apart", 0.55, wrong, seed, moves=0.2) for seed in range(SEEDS)]
            )
            for wrong in WRONG_FEEDBACK
        },
    }


def _with_rule(margin: float | None = None) -> dict[str, Row]:
    found = {}
    for world in WORLDS:
        for name, start in STARTS.items():
            for wrong in WRONG_FEEDBACK:
                runs = [_simulate(world, start, wrong, seed, margin=margin) for seed in range(SEEDS)]
                found[f"{world}, {name}, {wrong:.0%} wrong"] = _summed(runs)
    return found


def _summed(runs: Sequence[Row]) -> Row:
    means = {name: round(float(np.mean([run[name] for run in runs])), 3) for name in runs[0]}
    return {**means, "most_turns": max(run["turns"] for run in runs)}


def _simulate(
    world: str, start: float, wrong: float, seed: int, *, margin: float | None = None, moves: float = 0.0
) -> Row:
    if margin is not None:
        with patch("recollect.lifecycle.thresholds._MARGIN", margin):
            return _simulate(world, start, wrong, seed, moves=moves)
    rng = np.random.default_rng(seed)
    manager = ThresholdManager(
        InMemoryStore(), _ME, thresholds={"document": start}, bounds={"document": (0.0, 1.0)}
    )
    path = [start]
    for number in range(OUTCOMES):
        relevant = bool(rng.random() < 0.5)
        mean, deviation = WORLDS[world][0 if relevant else 1]
        shift = moves if number >= OUTCOMES // 2 else 0.0
        activated = bool(rng.normal(mean + shift, deviation) >= path[-1])
        told = relevant != bool(rng.random() < wrong)
        changes = manager.record("document", activated=activated, relevant=told)
        path.append(changes[0].after if changes else path[-1])
    return _of_path(np.array(path), BEST + moves, since=OUTCOMES // 2 if moves else 0)


def _of_path(path: NDArray[np.float64], best: float, *, since: int) -> Row:
    steps = np.diff(path)[np.diff(path) != 0]
    near = np.flatnonzero(np.abs(path[since:] - best) <= 0.1 + 1e-9)
    return {
        "steps": len(steps),
        "turns": int((np.sign(steps[1:]) != np.sign(steps[:-1])).sum()),
        "near_after": int(near[0]) if len(near) else OUTCOMES,
        "away": float(np.abs(path[-500:] - best).mean()),
    }
