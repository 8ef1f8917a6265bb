"""The weights of the features in ``evidence``."""

import json
from importlib.resources import files
from typing import Final

_FITTED: Final = json.loads(files(__package__).joinpath("weights.json").read_text(encoding="utf-8"))
BIAS: Final[float] = _FITTED["bias"]
"""Of every candidate, before anything speaks for it."""
WEIGHTS: Final[dict[str, float]] = _FITTED["weights"]
"""By feature. Fitted by ``python -m benchmarks.secret_weights`` on ``tests/text/secret_lines.jsonl`` and
on chats without secrets (LoCoMo, BEAM, RealMem)."""
