"""What somebody said in their own words and in earnest, sentence by sentence.

Nothing is read of quotations, jokes, make-believe, conditions and what others say, nor of a message that asks
for confidence or reads like an instruction to a model.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import tzinfo
from typing import Final

from recollect.learning.extraction.clauses import Sentence, clauses_of, sentences_of
from recollect.learning.extraction.irony import is_joke, may_joke
from recollect.learning.extraction.masking import own_words
from recollect.learning.extraction.standing import standing_of
from recollect.learning.extraction.tokens import tokens_of
from recollect.learning.listing import finding
from recollect.text.analyse import READ_CHARACTERS
from recollect.text.dates import find_dates
from recollect.text.quoting import reads_like_an_instruction
from recollect.types import DateSpan, MemoryRecord
from recollect.types.regex import lazy_regex

_MOST: Final = 40
"""Sentences read of a message; a longer one is a document. Chosen by hand."""
CONFIDENTIAL: Final = finding(
    r"""
    between (?:you and me|us|ourselves) | in (?:strict )?confidence | confidential(?:ly)? | off the record
    | (?:do not|don't|dont|don\u2019t|never|please not) (?:tell|mention|repeat|share)
    | (?:stays?|keep (?:it|this|that)) (?:between us|to yourself|quiet|private|secret)
    | (?:it|this|that)(?:'s| is|\u2019s) (?:a|our|still a) secret | top secret | sworn to secrecy
    | not (?:supposed|meant|allowed) to (?:tell|say|know) | nobody (?:else )?(?:knows|is to know)
    """
)
"""Asks not to pass on what is said beside it."""
_BRIEF: Final = 80
"""Characters of a message that only asks for confidence, for what is said beside it. Chosen by hand."""
_INVENTED: Final = lazy_regex(
    r"\b(?:in|from|for|of) (?:(?:the|this|that|my|our|an?|another) )?(?:\w+ ){0,2}?"
    r"(?:novel|story|film|movie|book|series|episode|sitcom|play|game|dreams?|nightmare|song|poem|lyrics|joke"
    r"|riddle|script|screenplay|fanfic)\b(?! club)"
    r"|\b(?:horoscope|hypothetical(?:ly)?|example sentence|for example|lorem ipsum|role ?play)\b"
    r"|\b(?:i|we) (?:\w+ )?(?:dreamt|dreamed)\b",
)
"""Tells of what is invented, or of an example."""
_HINTS: Final = (
    "?", "promis", "remind", "forget", "to do", "todo", "to-do", "note to self", "still need",
    "still have to", "told ", "swore", "vowed", "pledged", "my word", " you", "birthday", "bday", "b-day",
    "anniversary", " born", "turn", "married", "died", "funeral", "passed away", "late ", "would have",
    "lost my", "sure", "certain", "remember", "wrong", "mistaken",
)  # fmt: skip
"""One of these, or a time, stands in every message from which something is brought up."""
_NOT_SAID: Final = frozenset(("told", "condition", "reported"))
_CLOSES: Final = frozenset(("make-believe", "material"))


@dataclass(frozen=True, slots=True, kw_only=True)
class SaidSentence:
    """A sentence of a message.

    Attributes:
        record: The message.
        text: The sentence as it stands.
        read: Its words in small letters, with contractions apart: "i am".
        asked: Whether it ends with a question mark.
        dates: The times it names, read as of when it was said; what recurs lies ahead.
    """

    record: MemoryRecord
    text: str
    read: str
    asked: bool
    dates: tuple[DateSpan, ...]


def sentences_said(
    messages: Sequence[MemoryRecord], *, but: Collection[str], timezone: tzinfo
) -> Iterator[SaidSentence]:
    """The sentences that people said in earnest, in order; those of assistants are left out.

    Args:
        messages: In the order in which they were said.
        but: Messages that are not read, by their ids.
        timezone: Where they were said.
    """
    for one in messages:
        if one.origin.role == "user" and one.id not in but and _may_matter(one):
            yield from _said_in(one, timezone)


def _may_matter(record: MemoryRecord) -> bool:
    """Whether something may be brought up from a message; fast, and wrong at most one way."""
    low = record.content.lower()
    return bool(record.labels.dates) or any(hint in low for hint in _HINTS)


def in_confidence(messages: Sequence[MemoryRecord]) -> set[str]:
    """The ids of messages that somebody asked not to pass on, in them or right beside them."""
    found: set[str] = set()
    for place, one in enumerate(messages):
        if CONFIDENTIAL.search(one.content.lower()) is None:
            continue
        found.add(one.id)
        if len(one.content) <= _BRIEF:
            beside = messages[max(place - 1, 0) : place + 2]
            found.update(other.id for other in beside if other.origin.thread == one.origin.thread)
    return found


def _said_in(record: MemoryRecord, timezone: tzinfo) -> Iterator[SaidSentence]:
    text = record.content[:READ_CHARACTERS]
    if reads_like_an_instruction(text):
        return
    sentences = sentences_of(tokens_of(own_words(text, speaker=record.origin.speaker)))[:_MOST]
    jokes = may_joke(text)
    for number, sentence in enumerate(sentences):
        standings = _standings(sentence, text)
        if standings & _CLOSES:
            return
        read = " ".join(token.low for token in sentence.tokens)
        if standings & _NOT_SAID or _INVENTED.search(read) or (jokes and is_joke(sentences, number)):
            continue
        own = text[sentence.tokens[0].start : sentence.tokens[-1].end]
        dates = find_dates(own, now=record.times.happened_at, timezone=timezone, prefer="future")
        yield SaidSentence(record=record, text=own, read=read, asked=sentence.asked, dates=dates)


def _standings(sentence: Sentence, text: str) -> set[str]:
    clauses = clauses_of(sentence, text)
    return {standing_of(clauses, number) for number in range(len(clauses))}
