"""Statements that no rule reads, kept as they stand: "Arthritis in both thumbs", "Ma fille Inès est en CE2".

The rules of the other modules know what they read. What they do not know is heard here: a trained model tells
whether a sentence states something lasting (``lasting``). Such a fact says its sentence, is less sure, and
belongs to no slot.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from recollect.learning.extraction.changing import BLANKED
from recollect.learning.extraction.facts import HEDGED, Category, Fact, Turn
from recollect.learning.extraction.lasting import StatedKind, lasting
from recollect.learning.extraction.masking import own_words
from recollect.learning.extraction.reading import as_read
from recollect.learning.extraction.slips import without_slips
from recollect.learning.extraction.stated import statements_of
from recollect.learning.listing import DAY
from recollect.learning.reconcile.statements import CHANGED, SAID
from recollect.learning.stating import stating
from recollect.types.regex import lazy_regex

LIKELY: Final = 0.8
"""Probability from which a sentence of a short message is kept: of 300 unseen English messages of three
authors who knew neither rules nor code 202 teach something, of 150 in other languages 95, and of 400 that
state nothing lasting 10, 8 of them by rules. Of 40 notes as people text them 24 are kept, of 42 texts of the
moment none."""
_LIKELIER: Final = 0.9
"""The same of a longer message, which may hold material of any kind, and of a sentence of few words."""
_FEW: Final = 4
"""Words that are few. These were chosen by reading what assistant chats then teach."""
_LONGEST: Final = 200
"""Characters of a sentence that is kept. Chosen by hand."""
_SHORT: Final = 240
_MOST: Final = 600
"""Characters of a message that is told rather than pasted: of a longer one only sentences are kept that speak
of their speaker, and above the second number none. Chosen by hand."""
_FEWEST: Final = 3
"""Words with letters in a sentence."""
_CATEGORIES: Final[dict[StatedKind, Category]] = {
    "state": "general",
    "instruction": "instruction",
    "plan": "plan",
}
_SPEAKER: Final = lazy_regex(
    r"\b(?:i|i'm|i've|im|ive|my|mine|we|we're|we've|our|ich|mir|mich|wir|mein\w*|unser\w*|je|j'\w+|nous|mon|ma|mes|notre|nos|mi"
    r"|mis|nuestr\w+|mio|mia|miei|mie|nostr\w+|ik|wij|mijn|onze|ons|eu|meus?|minhas?|noss\w+|jag|vi|min|mitt|mina|vår\w*"
    r")\b",
    re.IGNORECASE,
)
_TASK: Final = lazy_regex(
    r"(?:(?:please|now|ok(?:ay)?|and|then|so|hi|hey|can you|could you|would you|let's|let me)[, ]+)*"
    r"(?:(?:re)?write|draft|compose|translate|convert|generate|create|summari[sz]e|name|list|define|explain"
    r"|calculate|compute|find|show|fix|debug|solve|design|describe|give me (?:an?|the|some|\d+)"
    r"|tell me (?:an?|the|about|how|what|why)|suggest|recommend|congrat\w*|keep (?:on|up|pushing|going|it up)"
    r"|take care|nice|good (?:job|luck)|well done)\b",
    re.IGNORECASE,
)
"""Begins a request for one answer, or a wish for somebody."""
_POINTS: Final = lazy_regex(
    r"(?:(?:and|but|so|well|oh|yes|no|now)[, ]+)*(?!it['\u2019]?s been)(?:s?he|it|this|that|these|those)"
    r"(?:['\u2019]?(?:s|re|ll|d|ve))?\b|(?:(?:und|aber|also|ja|et|mais)[, ]+)*(?:er|sie|es|elle) (?=\w)",
    re.IGNORECASE,
)
"""Begins with somebody or something that other words name: alone it says nothing."""
_OWN_KIN: Final = lazy_regex(
    r"(?<!her )(?<!his )(?<!their )\b(?:mum|mom|dad|nana?|gran(?:ny|dad|dma|dpa)?)\b", re.IGNORECASE
)
_UNKNOWN: Final = lazy_regex(
    r"(?:(?:so|and|but|well|also)[, ]+)*(?:i|we) (?:don['\u2019]?t|do not|didn['\u2019]?t|have no idea|dunno)"
    r" ?(?:really |even |quite )?(?:know|remember|recall|understand|why|how|what|who|where)",
    re.IGNORECASE,
)
"""Says what somebody does not know."""
_CALLS: Final = lazy_regex(
    r"(?:.*, )?my (?:guys?|man|brother|bro|friends?|dear|bad|god|goodness|apologies)(?:$|[,!]| (?!is|has)\b)",
    re.IGNORECASE,
)
"""Addresses somebody: "not really, my brother"."""
_SOMEWHERE: Final = lazy_regex(
    r"(?:i|we)(?:['\u2019]?[mr]e?| am| are) (?:just |still |sat |stuck |out )*(?:in|at|on|outside)"
    r" (?:the|a|my) (?:car|van|bus|train|tram|plane|taxi|lorry|garden|kitchen|bath|shower|shop|supermarket"
    r"|office|airport|station|pub|gym|queue|park|beach|library|hospital|waiting room|car park|bed|phone)\b",
    re.IGNORECASE,
)
"""Tells where somebody is at the moment."""
_MATERIAL: Final = lazy_regex(r"https?:|www\.|\w\.[^\W\d]\w{1,3}\b|[{}<>=|_\\]|->|: ")
"""Stands in code, lists and headings, and seldom in what somebody says of themselves."""
_ASKED: Final = lazy_regex(
    r"(?P<head>[^.!?\n\u00bf]{8,200}?)[,;:\u2013-]\s*\u00bf?(?P<question>[^,.!?\n]{3,160})\?"
)
"""A statement with a question behind it: "My knee is titanium, can I ski?"."""
_WONDERS: Final = lazy_regex(
    r",? (?:and|but|so) (?:now )?(?:i'm|im|i am|i was)(?: kinda| just| also| now)?"
    r" (?:wondering|curious|not sure)$",
    re.IGNORECASE,
)
"""Ends what stands before a question: "I set a limit in May, but I'm wondering"."""
_WHEN_OR_MUCH: Final = lazy_regex(
    rf"(?:(?:on|at|from|every|next|the) )*(?:(?:{DAY}|mon|tues?|weds?|thurs?|fri|sat|sun)s?"
    r"|[\u00a3$\u20ac]?\d[\w.:]*)\b"
    r"(?!.*\b(?:i|i'm|im|we|my|our)\b)",
    re.IGNORECASE,
)
"""Begins a note of when or how much, which does not say of what."""
_TOPIC: Final = lazy_regex(r"(?:^|[.!?\n]\s*)(?P<topic>[^.!?\n]{4,80}[.!:\u2026]+ )$")
"""What stands right before a note, and asks nothing."""
_EXCEPTS: Final = lazy_regex(r",? (?:except|unless|apart from|other than)\b")
_WITHIN: Final = lazy_regex(r"\d[.,]\d")
_OPEN: Final = lazy_regex(
    r"(?:if|when|what|how|why|who|where|which|should|could|can|do|does|did|is|are|am|was|will|would|have|has|any"
    r"|suppose|imagine|say|wenn|falls|was|wie|warum|wer|wo|kann|kannst|soll|si|est-ce|comment|pourquoi|que|quoi|o\u00f9"
    r"|c\u00f3mo|qu\u00e9|d\u00f3nde|se|come|cosa|perch\u00e9|als|hoe|wat|waarom|como|om|hur|vad|varf\u00f6r)\b",
    re.IGNORECASE,
)
"""Begins a condition, or a question that goes on."""


def sentences_in(text: str, speaker: str = "User") -> list[str]:
    """What a message states in its speaker's own words, part by part; also what stands before a question.

    >>> sentences_in("My knee is titanium, can I ski? Bad thumbs, both.")
    ['My knee is titanium', 'Bad thumbs, both']
    """
    masked = own_words(without_slips(as_read(text)), speaker=speaker)
    heads = (one["head"].strip() for one in _ASKED.finditer(masked))
    parts = [*statements_of(masked), *(head for head in heads if not _OPEN.match(head))]
    whole = (_WONDERS.sub("", " ".join(part.split())) for part in parts if not _is_cut(part, masked))
    return [
        part
        for part in dict.fromkeys(whole)
        if sum(map(_is_word, part.split())) >= _FEWEST
        and len(part) <= _LONGEST
        and part.count("(") == part.count(")")
        and not BLANKED.search(part)
    ]


def _is_cut(part: str, masked: str) -> bool:
    """Whether a part begins or ends within a word or a number, or what it excepts is cut off.

    "95 a month" of "$15.95 a month", "I work every day" of "I work every day except Fridays".
    """
    start = masked.find(part)
    if start >= 0 and _EXCEPTS.match(masked, start + len(part)):
        return True
    begun = start > 0 and (masked[start - 1].isalnum() or masked[start - 1] == ".")
    return begun or _WITHIN.match(masked, start + len(part) - 1) is not None


def _is_word(text: str) -> bool:
    return any(map(str.isalpha, text))


def heard_in(turn: Turn, facts: Sequence[Fact], speaker: str) -> Iterator[Fact]:
    """What one message states that lasts and that no rule read.

    Args:
        turn: What was said.
        facts: What the rules found in it.
        speaker: How facts call the speaker.
    """
    quotes = [quote for one in map(_quote_of, facts) for quote in (one, without_slips(one))]
    learned = [" ".join(quote.split()).rstrip(".") for quote in dict.fromkeys(quotes)]
    short = len(turn.text) <= _SHORT
    own = [
        one
        for one in (sentences_in(turn.text, speaker) if len(turn.text) <= _MOST else ())
        if not any(begins.match(one) for begins in (_TASK, _UNKNOWN, _CALLS, _SOMEWHERE))
        and not _MATERIAL.search(one)
        and not _points(one)
        and (short or _SPEAKER.search(one))
        and not any(quote in one or one in quote for quote in learned)
    ]
    kept = {
        sentence: kind
        for sentence, (likely, kind) in zip(own, lasting(own), strict=True)
        if likely >= (LIKELY if short and len(sentence.split()) >= _FEW else _LIKELIER)
    }
    for sentence, kind in kept.items():
        if not any(sentence in other for other in kept if other != sentence):
            yield _as_it_stands(_with_topic(sentence, turn.text), kind, turn.id, speaker)


def _with_topic(sentence: str, text: str) -> str:
    """A note that begins with when or how much, with what stands before it in its message.

    >>> _with_topic("tuesdays at 7, 6 quid", "found yoga! tuesdays at 7, 6 quid")
    'found yoga! tuesdays at 7, 6 quid'
    """
    place = text.find(sentence) if _WHEN_OR_MUCH.match(sentence) else -1
    found = _TOPIC.search(text[:place]) if place > 0 else None
    if found is None or any(begins.match(found["topic"]) for begins in (_TASK, _OPEN, _UNKNOWN)):
        return sentence
    return text[found.start("topic") : place + len(sentence)]


def _quote_of(fact: Fact) -> str:
    """What a fact was learned of; of a change the sentences that tell it, not all that was read with them."""
    return stating(fact.quote) if fact.relation == CHANGED else fact.quote


def _points(sentence: str) -> bool:
    """Whether it is about what other words name: "shes told her mum"; "it's my birthday" is not."""
    own = _SPEAKER.search(sentence) or _OWN_KIN.search(sentence)
    return _POINTS.match(sentence) is not None and own is None


def _as_it_stands(sentence: str, kind: StatedKind, source: str, speaker: str) -> Fact:
    return Fact(
        text=f'{speaker} said: "{sentence}"',
        category=_CATEGORIES[kind],
        confidence=HEDGED,
        subject=speaker,
        relation=SAID,
        object=sentence,
        source=source,
        quote=sentence,
    )
