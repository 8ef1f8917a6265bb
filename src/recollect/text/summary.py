"""A text in short: the sentences of it that say what it is about."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from recollect.types import SUMMARY_CHARACTERS, Tag
from recollect.types.regex import lazy_regex

SHORT_ENOUGH: Final = 300
"""Characters of a text that needs no summary: half as much again as a summary may have. Chosen by hand."""
READ: Final = 8_000
"""Characters looked at; what a text is about it says in them. Chosen by hand."""
FIRST: Final = 0.5
"""What standing first counts, in confidences of tags: it breaks ties and little more. Chosen by hand."""

_SENTENCE: Final = lazy_regex(
    r"[^.!?\n\u3002\uff01\uff1f]+(?:[.!?](?!\s)[^.!?\n\u3002\uff01\uff1f]*)*[.!?\u3002\uff01\uff1f]*"
)
_CUT: Final = " …"


def summarise(text: str, tags: Sequence[Tag]) -> str | None:
    """A text's first sentence and those with most of its tags; None for a text that is short itself.

    Each tag counts its confidence once in a sentence that has it. A repeated sentence appears once. The
    summary has at most ``SUMMARY_CHARACTERS``; "…" marks every omission.

    >>> talk = "We talked a while about nothing at all. " * 8
    >>> summarise(f"Hello there. {talk}The greenhouse needs glass.", [Tag(text="greenhouse")])
    'Hello there. … The greenhouse needs glass.'
    """
    if len(text) <= SHORT_ENOUGH:
        return None
    sentences = list(dict.fromkeys(_sentences(text[:READ])))
    if not sentences:
        return text[: SUMMARY_CHARACTERS - len(_CUT)] + _CUT
    worth = [(tag.text.casefold(), tag.confidence) for tag in tags]
    told = [_told(sentence, worth) + FIRST * (place == 0) for place, sentence in enumerate(sentences)]
    telling = [place for place, says in enumerate(told) if says]
    best = sorted(telling, key=lambda place: (-told[place], place))
    chosen = _fitting(sentences, best)
    return _joined(sentences, sorted(chosen)) if chosen else _cut(sentences[best[0]])


def _sentences(text: str) -> Iterator[str]:
    found = (" ".join(sentence.split()) for sentence in _SENTENCE.findall(text))
    return (sentence for sentence in found if any(map(str.isalnum, sentence)))


def _told(sentence: str, worth: Sequence[tuple[str, float]]) -> float:
    plain = sentence.casefold()
    return sum([confidence for tag, confidence in worth if tag in plain])


def _fitting(sentences: Sequence[str], best: Sequence[int]) -> list[int]:
    """As many of the best sentences as a summary holds."""
    chosen: list[int] = []
    room = SUMMARY_CHARACTERS
    for place in best:
        needed = len(sentences[place]) + len(_CUT) + 1
        if needed <= room:
            chosen.append(place)
            room -= needed
    return chosen


def _joined(sentences: Sequence[str], chosen: Sequence[int]) -> str:
    parts = [sentences[chosen[0]]]
    for before, place in pairwise(chosen):
        parts += [sentences[place]] if place == before + 1 else ["…", sentences[place]]
    return " ".join(parts)


def _cut(sentence: str) -> str:
    whole = sentence[: SUMMARY_CHARACTERS - len(_CUT)]
    words, _, _ = whole.rpartition(" ")
    return (words or whole) + _CUT
