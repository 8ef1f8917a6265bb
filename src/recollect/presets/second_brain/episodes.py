"""Second Brain's episodes: the importance that the design rates them with, and its one-liners."""

import re
from dataclasses import replace
from typing import Final

from recollect.learning.extraction.forms import ALWAYS_PAST, PASTS, third
from recollect.learning.extraction.subjects import Subject
from recollect.learning.extraction.verbs import KNOWN
from recollect.learning.extraction.wording import in_third_person
from recollect.learning.listing import listed
from recollect.types import MemoryRecord
from recollect.types.regex import lazy_regex

NORMAL: Final = 0.4
DECISION: Final = 0.75
OUTCOME: Final = 0.85
"""The design: normal conversation from 0.4, decisions and outcomes 0.7 to 0.9; its examples of both."""
TRIVIAL: Final = 0.2
"""Small talk is 0 to 0.3 in the design; the engine's rules rate greetings and thanks 0.12 to 0.19."""
_RULES: Final = "rules"
_DEED: Final = lazy_regex(
    r"\b(?:I|we)(?:['\u2019]ve| have| had)? (?:(?:just|finally|already|now|also|recently) )*(?P<verb>\w+)",
    re.IGNORECASE,
)
_DECIDED: Final = listed(
    "decided chose chosen agreed opted resolved committed promised accepted signed quit resigned switched"
)
_DONE: Final = listed(
    """
    completed finished launched deployed shipped released delivered published submitted solved fixed passed
    failed graduated won lost achieved built implemented optimised optimized migrated
    """
)
_OF_THEM: Final = lazy_regex(r"\b(?:I|me|my|we|us|our)\b", re.IGNORECASE)
_LINE: Final = lazy_regex(r"(?P<who>[^:]{1,60}): I(?:['\u2019](?P<short>m|ve|ll))? (?P<said>.+)")
_SUBJECT: Final = lazy_regex(r"\b(?:I|we)\b")
_SECOND: Final = lazy_regex(r"\b(?:and|but|or|then) (?:(?:now|also|still|then) )*(\w+)")
_SHORT: Final = {"m": "is", "ve": "has", "ll": "will"}
_ADVERBS: Final = listed(
    "just finally already now also recently really always never usually often still sometimes"
)
_AS_THEY_ARE: Final = listed("can could will would should must may might was had did agreed disagreed")
_IRREGULAR: Final = {"am": "is", "have": "has", "do": "does", "don't": "doesn't", "don\u2019t": "doesn't"}
_SELF: Final = Subject(noun="", kind="self", name="", start=0, behind=0)


def rated(episode: MemoryRecord) -> MemoryRecord:
    """Give an episode that rules made the importance of the design's bands; others keep theirs.

    Small talk stays trivial, and a question that says nothing about the user becomes it.
    """
    words, given = episode.content, episode.worth.importance
    if not (episode.origin.extractor or "").startswith(_RULES) or given < TRIVIAL:
        return episode
    said = words.partition(": ")[2] or words
    if said.endswith(("?", "\uff1f")):
        importance = given if _OF_THEM.search(said) else TRIVIAL
    else:
        importance = max(given, _band(said))
    return replace(episode, worth=replace(episode.worth, importance=importance))


def _band(said: str) -> float:
    deeds = {found["verb"].lower() for found in _DEED.finditer(said)}
    if deeds & _DONE:
        return OUTCOME
    return DECISION if deeds & _DECIDED else NORMAL


def one_liner(summary: str) -> str:
    """Put an episode in the third person, as the design writes it; what cannot be put so stays a quotation.

    >>> one_liner("User: I just finished my first app"), one_liner("Ada: I prefer Python for my data.")
    ('User just finished their first app', 'Ada prefers Python for their data.')
    >>> one_liner("User: I zorb it"), one_liner("User: We went to Paris")
    ('User: I zorb it', 'User: We went to Paris')
    """
    found = _LINE.fullmatch(summary)
    if found is None or _SUBJECT.search(found["said"]):
        return summary
    if any(second in KNOWN for second in _SECOND.findall(found["said"])):
        return summary  # "and understand": a further verb would need its form, too
    who, words = found["who"], found["said"].split(" ")
    if found["short"]:
        words.insert(0, _SHORT[found["short"]])
    else:
        place = next((at for at, word in enumerate(words) if word.lower() not in _ADVERBS), 0)
        words[place] = _third(words[place])
    return f"{who} {in_third_person(' '.join(words), who, _SELF)}" if all(words) else summary


def _third(verb: str) -> str:
    """The third person of a verb that follows "I"; empty where its form is not known."""
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    regular = verb.endswith("ed") and not verb.endswith("eed")
    if regular or verb in ALWAYS_PAST | _AS_THEY_ARE | (PASTS.keys() - KNOWN):
        return verb
    return (
        third(verb) if verb in KNOWN and verb not in PASTS else ""
    )  # "I cut" may be of today or of the past
