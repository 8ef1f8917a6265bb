"""An embedder of your own: a name, and two methods."""

import numpy as np
from numpy.typing import NDArray

from recollect import Memory


class Letters:
    """Counts vowels; a real one would call a model."""

    name = "vowels-1"

    def embed_documents(self, texts: list[str]) -> NDArray[np.float32]:
        """One row for each text."""
        return np.stack([self.embed_query(text) for text in texts])

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """A vector of unit length."""
        counts = np.array([text.count(vowel) + 0.1 for vowel in "aeiou"], np.float32)
        return counts / np.linalg.norm(counts)


with Memory(":memory:", embedder=Letters()) as memory:
    memory.add(["Tea at four", "Bring the umbrella"], user_id="ada")
    print(memory.stats().embedder)
    print(memory.search("umbrella", user_id="ada", top_k=1)[0].content)
