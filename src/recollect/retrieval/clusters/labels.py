"""What clusters are about, in a few words."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from recollect.types import Tag

WORDS: Final = 3
"""Tags in a label. Chosen by hand."""


def label_clusters(tags: Sequence[Sequence[Sequence[Tag]]]) -> list[str]:
    """A label for each cluster: the tags that its memories have and those of other clusters have not.

    A tag counts its confidences in the cluster times ``ln(1 + clusters / clusters that have it)``; equal ones
    stand in alphabetical order.

    Args:
        tags: For each cluster, the tags of some of its memories.

    Returns:
        Up to three tags, joined by commas; empty for a cluster without any.

    >>> cat, tyre, house = (Tag(text=text) for text in ("cat", "tyre", "house"))
    >>> label_clusters([[[cat, house], [cat]], [[tyre, house]], []])
    ['cat, house', 'tyre, house', '']
    """
    counted = [_counted(cluster) for cluster in tags]
    having = Counter(text for counts in counted for text in counts)
    rare = {text: math.log1p(len(tags) / clusters) for text, clusters in having.items()}
    return [", ".join(_telling(counts, rare)) for counts in counted]


def _telling(counts: Mapping[str, float], rare: Mapping[str, float]) -> list[str]:
    return sorted(counts, key=lambda text: (-counts[text] * rare[text], text))[:WORDS]


def _counted(cluster: Sequence[Sequence[Tag]]) -> dict[str, float]:
    counts: dict[str, float] = {}
    for memory in cluster:
        for tag in memory:
            text = tag.text.casefold()
            counts[text] = counts.get(text, 0.0) + tag.confidence
    return counts
