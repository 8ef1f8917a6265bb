"""Which facts are about a person wherever they are, and which about what they work on.

===========================================  ==========================  ==========================
fact                                         about the person            about the work
===========================================  ==========================  ==========================
name, home, work, people, health             "My sister is called Ines"
taste, skill, what somebody knows and uses   "I prefer tabs"             "We prefer tabs"
                                             "I use Neovim"              "I use yarn in this repo"
who somebody is                              "My GitHub handle is ada"   "Our database is heron"
a habit                                      "I never commit on Friday"  "I deploy with make ship"
what somebody is or has                      "My laptop is a Framework"  "My branch is called fix-42"
how to answer or call somebody               "Keep your answers short"   "Never push to main"
===========================================  ==========================  ==========================

Plans and episodes are about the work.
"""

from typing import Final

from recollect.learning.core_facts import INSTRUCTION, part_of
from recollect.learning.extraction.instruction_rules import OF_ANSWERS, OF_SIGNS
from recollect.learning.marks import HERE
from recollect.learning.reconcile.statements import CHANGED, SAID
from recollect.types import MemoryRecord
from recollect.types.regex import lazy_regex

_PARTS: Final = frozenset({"health", "name", "home", "work", "people"})
"""Parts of the core that are about the person."""
_USERS: Final = ("User", "The user", "I ", "My ")
"""How the subject of such a fact begins, or its words where nobody read them."""
_WHAT_ONE_IS: Final = frozenset({"preference", "skill", "knowledge"})
_SPEAKERS: Final = lazy_regex(
    r"(?i)\b(?:(?P<several>we|we're|we've|our|us|wir|uns|unser\w*|nous|notre|nos|nosotros|nuestr\w+|nostr\w+"
    r"|nossos?|nossas?|wij|onze|v\u00e5r\w*)|i|i'm|i've|my|me|mine|ich|mein\w*|je|mon|ma|mes|mi|mio|mia|meu|minha"
    r"|mijn|jag|min|mitt)\b"
)
"""Who speaks: the first of these words tells whether it is one or several."""
_OF_ONE: Final = lazy_regex(r"(?i)\W*(?:(?:but|and|so|also) )?(?:i|i'm|i've|im|ive|my)\b")
_HABIT: Final = lazy_regex(
    r"(?i)\W*(?:\w+ )?i (?:\w+ )?(?:always|never|usually|normally|generally|typically|often|rarely|seldom"
    r"|mostly|only ever|hardly ever|tend to)\b"
)
_OF_WORK: Final = lazy_regex(
    r"(?i)\b(?:api|app|branch|bucket|build|cache|cluster|code|commit|config|container|database|db|deployment"
    r"|endpoint|environment|feature|image|issue|migration|module|package|pipeline|plan|port|pr|production"
    r"|project|pull request|queue|release|repo(?:sitory)?|schema|script|server|service|staging|table|task"
    r"|test|ticket|todo|url|version)s?\b"
)
"""What one has while one works on something: "my branch is called fix-42". Chosen by hand."""
_HERE: Final = lazy_regex(
    r"(?i)\b(?:(?:in|for|of|on) (?:this|the current) (?:\w+ )?(?:repo(?:sitory)?|project|code ?base|app"
    r"|service|package|module|branch|folder|workspace)|(?<=\w )here(?=\s*(?:[.,;!]|$|because|since|and|for)))"
)


def is_personal(record: MemoryRecord) -> bool:
    """Whether a memory is a fact about the person, whatever they work on."""
    if record.kind != "fact":
        return False
    part = part_of(record)
    if part == "health" or (part in _PARTS and _is_of_the_user(record)):
        return True
    quote, relation = str(record.metadata.get("quote") or ""), record.metadata.get("relation")
    category = record.labels.category
    if record.origin.role != "user" or record.metadata.get(HERE) or _is_of_several(quote):
        return False
    if category == INSTRUCTION:
        is_of_signs = relation == "asks never to use" and record.metadata.get("object") in OF_SIGNS
        return relation in OF_ANSWERS or is_of_signs
    if category in _WHAT_ONE_IS or _HABIT.match(quote):
        return True
    is_read = relation not in {None, SAID, CHANGED}
    if category == "context":
        return is_read
    told = str(relation)
    is_state = told in {"is", "has"} or (told.endswith(" is") and _OF_WORK.search(told) is None)
    return category == "general" and is_read and is_state and _OF_ONE.match(quote) is not None


def _is_of_the_user(record: MemoryRecord) -> bool:
    """Whether a fact is about its user or somebody of theirs; things have names and homes, too."""
    subject = str(record.metadata.get("subject") or record.content)
    return subject.startswith(_USERS) or subject == record.origin.speaker


def _is_of_several(quote: str) -> bool:
    first = _SPEAKERS.search(quote)
    return first is not None and first["several"] is not None


def is_said_of_here(quote: str, text: str) -> bool:
    """Whether the sentence with a quote says that it holds in the place of work.

    >>> is_said_of_here("I use yarn", "In this repo I use yarn. I like it.")
    True
    >>> is_said_of_here("I like it", "In this repo I use yarn. I like it.")
    False
    """
    place = text.find(quote)
    if not quote or place < 0:
        return False
    begin = max(text.rfind(sign, 0, place) for sign in ".!?\n;") + 1
    ends = [at for sign in ".!?\n;" if (at := text.find(sign, place + len(quote))) >= 0]
    return _HERE.search(text, begin, min(ends, default=len(text))) is not None
