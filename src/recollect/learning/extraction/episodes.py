"""What happened in a stretch of conversation, in one line, with how much it matters and what it was about.

The line is the sentence of a user that says most of what the whole is about, so it is in the speaker's own
words. No model is asked; the same turns always make the same episode.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from recollect.learning.extraction.extract import extract_facts, speaker_of
from recollect.learning.extraction.facts import Turn
from recollect.learning.extraction.masking import own_words
from recollect.learning.extraction.reading import as_read
from recollect.text.analyse import READ_CHARACTERS, Analyser
from recollect.text.secrets import mask_secrets, without_half_mask
from recollect.text.tags import extract_tags
from recollect.types import Tag
from recollect.types.regex import lazy_regex

Rate = Callable[[str, Sequence[Tag]], float]
"""How much a text with these tags matters, 0 to 1; ``lifecycle.importance.calculate_importance`` knows."""

MOST_CHARACTERS: Final = 200
"""Of a summary, the speaker's name included. Chosen by hand: a line on a screen, or two."""
TOPICS: Final = 5
"""Tags that tell what an episode was about. Chosen by hand."""
_IN_CONTEXT: Final = 2
"""Topics that make up its label. Chosen by hand."""
FACT_COUNTS: Final = 0.5
"""What a sentence with a fact in it counts more, in confidences of tags. Chosen by hand: half a sure tag."""
QUESTION_COUNTS: Final = 0.5
"""What a question counts of what else it would: it tells what was asked, not what happened. By hand."""
_SHORTEST: Final = 3
"""Words of a sentence that may be the summary, if there is a longer one. Chosen by hand."""
_SENTENCE: Final = lazy_regex(
    r"[^.!?\n\u3002\uff01\uff1f]+(?:\.(?=\w)[^.!?\n\u3002\uff01\uff1f]*)*[.!?\u3002\uff01\uff1f]*"
)
_CUT: Final = " …"


@dataclass(frozen=True, slots=True, kw_only=True)
class Episode:
    """Something that happened in a conversation.

    Attributes:
        summary: One line: who, and their words.
        importance: 0 to 1: that of its most important turn.
        context: A short label: its first topics.
        topics: What it was about, the surest first; at most 5.
        sources: The ids of the turns it was made of, or their places where they have none.
        said_in: The id of the turn whose words the summary repeats; None where it has words of its own.
    """

    summary: str
    importance: float
    context: str
    topics: tuple[str, ...]
    sources: tuple[str, ...]
    said_in: str | None = None


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence of a turn, and what speaks for it."""

    text: str
    turn: Turn
    worth: float

    @property
    def speaker(self) -> str:
        return speaker_of(self.turn)


def summarise_episode(turns: Sequence[Turn], *, rate: Rate, analyser: Analyser) -> Episode | None:
    """One line about several turns; None when no user said a word in them.

    Args:
        turns: In the order in which they were said. What others than users said is not summed up.
        rate: How much a turn matters.
        analyser: Whose language and stems find the topics.

    >>> turns = [Turn(text="Guess what!", speaker="Ada"), Turn(text="We adopted a greyhound.", speaker="Ada")]
    >>> told = summarise_episode(turns, rate=lambda text, tags: len(text) / 100, analyser=Analyser())
    >>> told.summary, told.importance, "greyhound" in told.topics
    ('Ada: We adopted a greyhound.', 0.23, True)
    """
    said = [
        (turn, own_words(as_read(turn.text), speaker=turn.speaker)) for turn in turns if turn.role == "user"
    ]
    topics = extract_tags("\n".join(text for _, text in said), analyser=analyser, max_tags=TOPICS)
    sentences = [sentence for turn, text in said for sentence in _sentences(turn, text, topics)]
    if not sentences:
        return None
    best = _with_what_it_is_about(sentences, topics)
    names = tuple(topic.text for topic in topics)
    return Episode(
        summary=_line(best),
        importance=max(_rated(turn.text, rate, analyser) for turn, _ in said),
        context=", ".join(names[:_IN_CONTEXT]),
        topics=names,
        sources=tuple(turn.id or str(place) for place, turn in enumerate(turns)),
        said_in=best.turn.id or None,
    )


def _sentences(turn: Turn, text: str, topics: Sequence[Tag]) -> Iterator[_Sentence]:
    quotes = [fact.quote for fact in extract_facts([turn])]
    for match in _SENTENCE.finditer(text):
        words = " ".join(match.group().split())
        if any(map(str.isalnum, words)):
            raw = text[match.start() : match.end()]
            told = any(quote in raw for quote in quotes)
            yield _Sentence(words, turn, _worth(words, topics, told=told))


def _worth(sentence: str, topics: Sequence[Tag], *, told: bool) -> float:
    """How much a sentence says of what the whole is about."""
    plain = sentence.casefold()
    worth = sum(topic.confidence for topic in topics if topic.text.casefold() in plain) + FACT_COUNTS * told
    return worth * (QUESTION_COUNTS if sentence.endswith(("?", "\uff1f")) else 1.0)


_POINTS: Final = lazy_regex(
    r"(?:and |but |so |then )*(?:we|it|he|she|they|there|that|this|these)\b", re.IGNORECASE
)


def _with_what_it_is_about(sentences: Sequence[_Sentence], topics: Sequence[Tag]) -> _Sentence:
    """The most telling sentence; with the one before it, where it points at what that one names.

    "We went to Paris in 1961" is about "our honeymoon" of the sentence before.
    """
    best = max(_long_enough(sentences), key=lambda sentence: sentence.worth)
    place = next(place for place, sentence in enumerate(sentences) if sentence is best)
    before = sentences[place - 1] if place and _POINTS.match(best.text) else None
    if before is None or before.speaker != best.speaker or not _names_more(before, best, topics):
        return best
    both = replace(best, text=f"{before.text} {best.text}")
    return both if len(_line(both)) <= MOST_CHARACTERS and not _line(both).endswith(_CUT) else best


def _names_more(before: _Sentence, best: _Sentence, topics: Sequence[Tag]) -> bool:
    """Whether a sentence names a topic that the one behind it does not."""
    said, more = best.text.casefold(), before.text.casefold()
    return any(topic.text.casefold() in more and topic.text.casefold() not in said for topic in topics)


def _long_enough(sentences: Sequence[_Sentence]) -> Sequence[_Sentence]:
    """The sentences that are no mere "Yes." or "Hi there!"; all of them when there are no others."""
    return [sentence for sentence in sentences if sentence.text.count(" ") + 1 >= _SHORTEST] or sentences


def _line(sentence: _Sentence) -> str:
    line = f"{sentence.speaker}: {mask_secrets(sentence.text)[0]}"
    if len(line) <= MOST_CHARACTERS:
        return line
    kept = line[: MOST_CHARACTERS - len(_CUT)]
    return without_half_mask(kept.rpartition(" ")[0] or kept) + _CUT


def _rated(text: str, rate: Rate, analyser: Analyser) -> float:
    seen = text[:READ_CHARACTERS]
    return rate(seen, extract_tags(seen, analyser=analyser))
