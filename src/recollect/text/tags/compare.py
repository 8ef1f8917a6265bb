"""Tags of several sources put together, and tags of a question held against those of a memory."""

import numbers
from collections.abc import Sequence
from typing import Final

from recollect.errors import InvalidInputError, as_given
from recollect.text.analyse import Analyser
from recollect.text.tags.vocabulary import key_of
from recollect.types import Tag

_WHOLE_NUMBERS: Final = (int, numbers.Integral)
"""The commonest first: an abstract class is slow to ask."""


def merge_tags(*sources: Sequence[Tag], analyser: Analyser, max_tags: int | None = None) -> tuple[Tag, ...]:
    """One list of tags, each stem once: approved ones first, then by confidence; the first ``max_tags``.

    Of tags with the same stems the approved one stays, else the one with the higher confidence, else the
    earlier one: the sources that matter most come first.

    >>> mine = [Tag(text="cats", confidence=0.4, approved=True)]
    >>> found = [Tag(text="cat", confidence=0.9), Tag(text="tea", confidence=0.5)]
    >>> [tag.text for tag in merge_tags(found, mine, analyser=Analyser())]
    ['cats', 'tea']

    Raises:
        InvalidInputError: ``max_tags`` is no whole number of at least 1.
    """
    if max_tags is not None:
        check_max_tags(max_tags)
    kept: dict[str, Tag] = {}
    for tag in sorted([tag for source in sources for tag in source], key=_priority):
        kept.setdefault(key_of(tag.text, analyser), tag)
    return tuple(kept.values())[:max_tags]


def check_max_tags(max_tags: object) -> None:
    """Refuse what is no whole number of at least 1."""
    if not isinstance(max_tags, _WHOLE_NUMBERS) or isinstance(max_tags, bool) or int(max_tags) < 1:
        raise InvalidInputError(f"max_tags is {as_given(max_tags)}; ask for a whole number of at least 1")


def _priority(tag: Tag) -> tuple[bool, float]:
    return not tag.approved, -tag.confidence


def tag_overlap(
    query: Sequence[Tag], memory: Sequence[Tag], *, analyser: Analyser
) -> tuple[float, tuple[str, ...]]:
    """The share of the query's tags that a memory has, 0 to 1, and the memory's tags that match.

    Tags match by their stems; those of function words count only when a tag has no others. A query tag
    matches as far as the memory's tags have its stems. The overlap is the mean of that over the query's tags,
    weighted by their confidences; equal lists give 1, more tags of the memory cost nothing. The memory's
    confidences do not count: weighing by them, too, costs 2 points of R@10 on LoCoMo and on BEAM. With an
    empty list it is 0.

    >>> def tags(*texts):
    ...     return [Tag(text=text) for text in texts]
    >>> tag_overlap(tags("machine learning", "tea"), tags("learning", "cats"), analyser=Analyser())
    (0.25, ('learning',))
    """
    asked = [_stems(tag, analyser) for tag in query]
    held = [_stems(tag, analyser) for tag in memory]
    wanted, there = set().union(*asked), set().union(*held)
    matching = [tag.text for tag, stems in zip(memory, held, strict=True) if not wanted.isdisjoint(stems)]
    weights = (
        [tag.confidence for tag in query] if any(tag.confidence for tag in query) else [1.0] * len(query)
    )
    had = [
        weight * (len(there.intersection(stems)) / len(stems))
        for weight, stems in zip(weights, asked, strict=True)
    ]
    return (sum(had) / sum(weights) if weights else 0.0), tuple(matching)


def _stems(tag: Tag, analyser: Analyser) -> list[str]:
    """The stems a tag is matched by, each once."""
    return analyser.query_stems(tag.text) or [key_of(tag.text, analyser)]
