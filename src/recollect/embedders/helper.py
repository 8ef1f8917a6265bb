"""A process that embeds: lists of texts come in on standard input, their vectors go out on its output."""

import pickle
import sys

from recollect.embedders.contextual import ContextualEmbedder


def main() -> None:
    """Answer until nothing is asked any more."""
    embedder = ContextualEmbedder(threads=1)
    while True:
        try:
            texts = pickle.load(sys.stdin.buffer)  # noqa: S301 - of who started us
        except EOFError:
            return
        pickle.dump(embedder.embed_documents(texts), sys.stdout.buffer)
        sys.stdout.buffer.flush()
