"""What an overview is asked about: "the order in which I brought up my trips" asks about trips.

The words about the conversation itself stand in every such question and in no memory that answers it. English
only; other questions are left as they are.
"""

import re
from typing import Final

from recollect.types.regex import lazy_regex

_OVERVIEW: Final = lazy_regex(
    r"\b(?:the|what|in which) order\b|\bsummar(?:y|ise|ize)\b|\b(?:overview|recap|timeline)\b", re.IGNORECASE
)
_LEAD: Final = lazy_regex(
    r"^\W*(?:(?:can|could|would|will) you |please |i(?:['\u2019]d| would) like (?:you to )?)*"
    r"(?:(?:walk me through|list|outline|tell me|give(?: me| us)?|provide(?: me with)?|write|show me"
    r"|summari[sz]e|recap)\b *)?"
    r"(?:(?:an?|the|in (?:which|what)|what) (?:\w+,? (?:and )?){0,4}?"
    r"(?:summary|recap|overview|timeline|order)\b"
    r"(?: of| in which| that)? *)?(?:how )?",
    re.IGNORECASE,
)
_WORD: Final = r"(?:conversations?|sessions?|chats?|discussions?|talks)"
_BESIDE: Final = lazy_regex(
    rf"\b(?:throughout|across|over|during) (?:all )?(?:of )?(?:(?:my|our|the|these) )?{_WORD}\b"
    r"|\b(?:that )?(?:did )?(?:i|we)(?:['\u2019]ve| have| had)? "
    r"(?:brought up|bring up|mentioned|mention|discussed|talked about|covered)\b"
    r"|\bdifferent (?:aspects|topics|ideas|things|points|concerns) (?:of|related to|about)\b"
    r"|\bmention only(?: and only)? \w+ items?\b|\bin (?:chronological )?order\b|\bso far\b|\bover time\b",
    re.IGNORECASE,
)
_FEWEST: Final = 2
"""Words that say what it is about; of fewer the whole question is taken."""


def matter_of(question: str) -> str:
    """The words of a question that say what it is about.

    >>> matter_of("Can you list the order in which I brought up my book club throughout our conversations?")
    'my book club'
    >>> matter_of("Can you give me a summary of how I planned the garden?")
    'I planned the garden'
    >>> matter_of("Where do I live?")
    'Where do I live?'
    """
    if _OVERVIEW.search(question) is None:
        return question
    rest = _BESIDE.sub(" ", _LEAD.sub("", question, count=1))
    matter = " ".join(rest.split()).strip(" ,.;:?!")
    return matter if len(matter.split()) >= _FEWEST else question
