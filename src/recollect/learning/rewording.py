"""Statements that were kept as they stand, put into words that read as facts. Pure.

=================================== ============================ ==================================
known                               said                         kept
=================================== ============================ ==================================
User takes 100 mcg levothyroxine.   "They put me up to 125 mcg"  User takes 125 mcg levothyroxine.
User's broadband is with Virgin.    "We ditched Virgin, the      User's broadband is with Zen.
                                    fibre's with Zen now"
User goes to the gym.               "I quit the gym in May"      User quit the gym in May.
User's boss is Ana.                 "New boss since May"         User has a new boss since May.
User is dating Elias.               "Elias and I got engaged"    Elias and User got engaged.
User has a cat named Luna.          "Luna ran away"              User said that Luna ran away.
nothing                             "Bad knees, both"            User said: "Bad knees, both"
=================================== ============================ ==================================

The new value takes the place of the old one where there is one of each and the words lead to the new one; the
fact then has the relation of the old one, so that the core and later changes treat it alike.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final

from recollect.learning.extraction.facts import CATEGORIES, Fact
from recollect.learning.extraction.forms import PASTS, third
from recollect.learning.extraction.verbs import KNOWN
from recollect.learning.extraction.when import dated
from recollect.learning.listing import DAY, MONTH, listed
from recollect.learning.reconcile.corrections import CORRECTED, corrected_words, correction_in
from recollect.learning.reconcile.cues import is_common, is_noun
from recollect.learning.reconcile.doses import Dose, is_of, taken_instead
from recollect.learning.reconcile.statements import CHANGED, SAID
from recollect.learning.reconcile.told import pieces_of
from recollect.learning.stating import is_understood, stating
from recollect.text.dates import find_dates
from recollect.text.entities.kinds import Kind, kind_of
from recollect.types import MemoryRecord
from recollect.types.regex import lazy_regex

REPLACED: Final = 0.85
"""Confidence in a value that was put in place of another. These two were chosen by hand."""
REWORDED: Final = 0.7
"""Confidence in words that were only put into the third person."""
_QUANTITY: Final = lazy_regex(
    r"(?:\b[\w-]*[A-Z][\w-]* \d[\w.-]*|(?<![\w.:/-])(?P<size>[$\u20ac\u00a3]?\d+(?:[.,-]\d+)*(?: ?(?:mg|mcg"
    r"|\u00b5g|ug|micrograms?|milligrams?|ml|iu|units?|drops|%|k|euros?|dollars?|pounds?|hours?|km|miles?"
    r"|kg)\b)?)(?![\w:/]| [A-Z]))"
)
"""A quantity, but not the number of a model ("Pixel 6") or of a house ("14 Alder Close")."""
_NAME: Final = lazy_regex(r"(?:(?:Dr\.?|Mr\.?|Mrs\.?|Ms\.?) )?[A-Z][\w&'-]*[\w](?: [A-Z][\w&'-]*\w)*")
_NO_NAME: Final = lazy_regex(
    rf"(?:{DAY}|{MONTH}|I|I'\w+|The|My|Our|We|It|They|User|Now|So|But|And|Ich|Wir|Je|Yo)s?$",
    re.IGNORECASE,
)
_LEADS: Final = lazy_regex(
    r"(?:\b(?<!thanks )(?<!talked )(?<!according )(?:to|with|at|for|is|are|now|called|named|into|on|by|in"
    r"|instead|replaced by|using)(?: an?| the| new)*|:|(?:\w+'s)) ?$"
)
"""What stands before a new value."""
_AT_A_PLACE: Final = lazy_regex(r"\b(?:in|on|at|near|from|to)(?: the)? $")
"""What stands before a place or a date, which is nobody's name."""
_FOLLOWS: Final = lazy_regex(
    r" ?(?:(?:(?:is|'s) (?:my |our )?home )?(?:now|instead)\b|it is\b|(?:is|'s) (?:my|our|the) new\b)"
)
"""What stands behind one."""
_MORE: Final = lazy_regex(r"\b(?:and|but|so|because|who|which)\b|[;:] ")
"""Joins another statement, which the change need not be about."""
_WEEKDAY: Final = lazy_regex(rf"\b{DAY}(?=s?\b)", re.IGNORECASE)
_HOUR: Final = lazy_regex(
    r"(?<=\bat )\d{1,2}(?:[:.]\d\d)?(?: ?[ap]m)?\b|\b\d{1,2}(?:[:.]\d\d)? ?[ap]m\b", re.IGNORECASE
)
_SPAN: Final = lazy_regex(r"\bin (?:\d+|\w+) (?:years|months|weeks|days)\b")
"""May tell how long something lasted, rather than when it will be."""
_NEAR: Final = lazy_regex(rf"\b(?:{DAY}|yesterday|today|tomorrow|this|last|next)\b", re.IGNORECASE)
_BEGINS: Final = (
    (lazy_regex(r"(?:my|our) ", re.IGNORECASE), "'s "),
    (lazy_regex(r"(?:i am|i'm|im|we are|we're) ", re.IGNORECASE), " is "),
    (lazy_regex(r"(?=(?:back|no longer|done with|off|out of)\b)", re.IGNORECASE), " is "),
    (lazy_regex(r"(?:i have|i've|ive|we have|we've)(?: all)? ", re.IGNORECASE), " has "),
    (lazy_regex(r"(?:i|we) (?:do not|don't) ", re.IGNORECASE), " does not "),
)
"""Beginnings of statements, and what stands for them behind the speaker's name."""
_NEW: Final = lazy_regex(r"(?:an? |the )?new (?P<noun>[\w-]+)", re.IGNORECASE)
_FILLERS: Final = lazy_regex(
    r"^(?:(?:so|btw|ok|okay|well|hey|hi|also|update|oh|ugh|yes|yeah|and|but|finally|just|anyway)\b,?[ :]*)+",
    re.IGNORECASE,
)
_ADVERBS: Final = (
    r"(?P<adverb>(?:(?:no longer|never|always|still|already|now|also|even|only|really|usually|often|sometimes"
    r"|mostly|currently|rarely|actually|hardly|both|all) )*)"
)
_I: Final = lazy_regex(
    rf"(?:i|we) (?:(?:just|finally|recently) )?{_ADVERBS}(?P<verb>[a-z']+)(?P<rest>.*)$",
    re.IGNORECASE | re.DOTALL,
)
_THIRD: Final = {
    "i'm": "they are", "i've": "they have", "i'll": "they will", "i'd": "they would", "we're": "they are",
    "we've": "they have", "we'll": "they will", "i": "they", "we": "they", "me": "them", "us": "them",
    "my": "their", "our": "their", "mine": "theirs", "ours": "theirs", "myself": "themselves", "am": "are",
}  # fmt: skip
_MODALS: Final = listed("can could would will should must may might quit meant")
_PASTS: Final = listed(
    """
    said told felt sent won held hurt brought caught chose fell hid hit let lit put rang shut slid stole stuck
    swore threw blew bled bred dealt dug fled froze hung leant leapt sought shook shone shrank sank spread
    sprang struck swept swung wept
    """
)
"""Pasts of verbs of which no fact is made."""
_PRESENT: Final = listed("run come become overcome")
"""Verbs whose participle is their plain form: "I run" tells of today."""
_IRREGULAR: Final = {
    "am": "is", "are": "is", "were": "was", "have": "has", "do": "does", "don't": "doesn't",
    "haven't": "hasn't", "aren't": "isn't", "weren't": "wasn't",
}  # fmt: skip
_THIRD_NAMED: Final = {
    "i'm": "{} is", "i've": "{} has", "i'll": "{} will", "i'd": "{} would", "we're": "{} is",
    "we've": "{} has", "we'll": "{} will", "my": "{}'s", "our": "{}'s", "mine": "{}'s", "ours": "{}'s",
    "am": "is",
}  # fmt: skip
"""What stands for a word of the speaker's where their name is told."""
_BARE: Final = lazy_regex(
    r"\b(?P<head>(?:do|does|did|is|are|was|were|have|has|had|ca|wo|could|would|should|must|need)n(?=t\b)"
    r"|i(?=m\b|ve\b)|(?:we|they|you)(?=ve\b)|(?:they|you)(?=re\b))(?P<tail>t|m|ve|re)\b",
    re.IGNORECASE,
)
"""Contractions written without their apostrophes."""
_OF_SOMEBODY: Final = frozenset(("is named", "lives with", "is dating"))
"""Relations whose values are names of people and animals."""
_AGE: Final = "(?:old|new|battered|trusty|rusty|used|second-hand)"
"""What is said of the old value alone: "an old Skoda"."""
_LINKING: Final = listed("with from that this have said called named")
_FIRST: Final = listed("The A An At On In Every Since There It This That For")
"""Words that begin a plain statement in English, where no "I" does."""
_ENGLISH: Final = lazy_regex(
    r"\b(?:(?-i:I)|the|my|our|i'm|i've|we've|it's|is|are|was|to|of|and|for|they|his|her|from|with|now"
    r"|we|had|were|new|quit|back|no longer|cancelled|got|off)\b",
    re.IGNORECASE,
)
"""Without one of these words a statement is of another language, and stays as it is."""
_BARE_I: Final = lazy_regex(r"\bi(m|ve)\b", re.IGNORECASE)
"""What should have an apostrophe: "im on folic acid"."""
_LEFT_AS_IT_STOOD: Final = lazy_regex(r"\b(?:id|weve|wed|i|me|my|we|our)\b", re.IGNORECASE)
"""A word of the speaker's own beside their name: then no word is put into the third person."""
_OWN: Final = lazy_regex(rf"\b(?:{'|'.join(sorted(_THIRD, key=len, reverse=True))})\b", re.IGNORECASE)


def in_plain_words(
    fact: Fact, ended: Sequence[MemoryRecord], *, said_at: datetime, about: Sequence[str] = ()
) -> Fact:
    """A statement that was kept as it stands, as a fact with its dates; any other fact as it is.

    Args:
        fact: What was found.
        ended: The known facts that end by it.
        said_at: When it was said.
        about: The contents of the known facts that it ends or may end.
    """
    said = (fact.object or "").replace("\u2019", "'")
    if fact.relation == CORRECTED and ended:
        return _corrected(fact, ended[0])
    if fact.relation not in {CHANGED, SAID}:
        return fact
    if fact.relation == CHANGED:
        own = said
        for piece in pieces_of(said):
            own = own.replace(piece.raw, "") if piece.of == "they" else own
        for known in ended:
            if (found := _with_new_value(fact, known, own)) is not None:
                return found
    if fact.relation == CHANGED:
        said = stating(said, about or [one.content for one in ended])
        fact = replace(fact, object=said)
        text = _in_third_person(fact.subject, said, ended)
    else:
        text = _told_of_oneself(fact.subject, said) or f'{fact.subject} said: "{said}"'
    if not _SPAN.search(text):
        ahead = fact.category == "plan" or any(one.labels.category == "plan" for one in ended)
        # what words of times mean is read without the "said" before them
        spans = find_dates(said, now=said_at, timezone=said_at.tzinfo or UTC)
        read = {span.text.lower(): span for span in spans}
        text = dated(text, now=said_at, fixed=ahead or _NEAR.search(text) is not None, ahead=ahead, read=read)
    text = re.sub(r"(?<=[.!?] )[a-z]", lambda first: first.group().upper(), text)
    return replace(fact, text=text, confidence=min(fact.confidence, REWORDED))


def _corrected(fact: Fact, known: MemoryRecord) -> Fact:
    """A known fact with the new value of a correction."""
    correction = correction_in(fact.object or "")
    if correction is None:
        return fact
    value = str(known.metadata.get("object") or "")
    return replace(
        fact,
        text=corrected_words(known.content, correction) or known.content,
        category=next((one for one in CATEGORIES if one == known.labels.category), fact.category),
        confidence=min(fact.confidence, known.worth.confidence),
        subject=str(known.metadata.get("subject") or fact.subject),
        relation=str(known.metadata.get("relation") or ""),
        object=corrected_words(value, correction) or value or None,
        single_valued=bool(known.metadata.get("single_valued")),
        valid_until=known.times.valid_until,
        also=known.origin.sources,
    )


def _with_new_value(fact: Fact, known: MemoryRecord, said: str) -> Fact | None:
    """A known fact with the new value; None where there is not one old and one new value of a kind."""
    if known.metadata.get("negated") or known.metadata.get("past"):
        return None
    relation = str(known.metadata.get("relation") or "")
    if relation.startswith("takes") and (other := taken_instead(said, known.content)) is not None:
        return _of_medicine(fact, known, other)
    value = str(known.metadata.get("object") or "")
    as_it_stood = known.metadata.get("relation") in {CHANGED, SAID}
    within = known.content.partition(" ")[2] if as_it_stood else value
    if as_it_stood and _MORE.search(within):
        return None
    pair = _quantities(within, known.content, said) or _names(
        within, known.content, said, naming=known.metadata.get("relation") in _OF_SOMEBODY
    )
    if pair is None or within.count(pair[0]) != 1 or known.content.count(pair[0]) != 1:
        return None
    old, new = pair
    times = _times_in_place(known.content, _piece_with(new, said))
    if times is None:
        return None
    sure = min(fact.confidence, REPLACED)
    text = _at_times(_put(new, old, known.content), times)
    # of "a guy called Terry" the name alone is new
    if re.search(r" is an? .*(?:called|named) ", known.content):
        text = f"{known.content.partition(' is ')[0]} is named {new}."
    if as_it_stood:
        return replace(fact, text=text, confidence=sure)
    return replace(
        fact,
        text=text,
        confidence=sure,
        subject=str(known.metadata.get("subject") or fact.subject),
        relation=str(known.metadata.get("relation") or ""),
        object=_at_times(_put(new, old, value), times),
        single_valued=bool(known.metadata.get("single_valued")),
    )


def _of_medicine(fact: Fact, known: MemoryRecord, other: Dose) -> Fact:
    """A medicine with its dose in the place of the one that is known."""
    subject = str(known.metadata.get("subject") or fact.subject)
    return replace(
        fact,
        text=f"{subject} takes {other.medicine} {other.size}.",
        confidence=min(fact.confidence, REPLACED),
        subject=subject,
        relation=f"takes {other.medicine}",
        object=other.size,
        single_valued=True,
    )


def _put(new: str, old: str, words: str) -> str:
    """Words with a new value in place of the old one, whose article and age it does not have."""
    article = "an " if new[0] in "AEIOU" else "a "
    taken = re.compile(rf"(?:\b(?P<article>an?) )?(?:\b{_AGE} )?{re.escape(old)}")
    return taken.sub(lambda found: (article if found["article"] else "") + new, words)


def _times_in_place(known: str, said: str) -> dict[str, str] | None:
    """The weekday and the hour of a known text, each with the one that a message names in its place.

    None where the message names times that are not one for one: the known ones then hold no more.

    >>> _times_in_place("Physio is with Mr Lund every tuesday at 2pm.", "it is with Aisha, thursdays at 4pm")
    {'tuesday': 'thursday', '2pm': '4pm'}
    >>> _times_in_place("Physio is with Mr Lund every tuesday.", "with Aisha on mondays and thursdays now")
    """
    found: dict[str, str] = {}
    for pattern in (_WEEKDAY, _HOUR):
        old, new = pattern.findall(known), pattern.findall(said)
        if not old or not new or {one.lower() for one in old} == {one.lower() for one in new}:
            continue
        if len(old) != 1 or len(new) != 1:
            return None
        found[old[0]] = new[0]
    return found


def _piece_with(value: str, said: str) -> str:
    """The words of a message from the part on that names a new value; before it the old one is told of."""
    place = said.find(value)
    begin = max(said.rfind(sign, 0, place) for sign in ",.;:!?")
    return said[begin + 1 :]


def _at_times(words: str, times: Mapping[str, str]) -> str:
    for old, new in times.items():
        words = re.sub(rf"\b{re.escape(old)}", new, words)
    return words


def _quantities(value: str, known: str, said: str) -> tuple[str, str] | None:
    """The old and the new quantity."""
    old = [one for one in _sizes(value) if one not in said or f"from {one}" in said]
    new = [one for one in _sizes(said) if one not in known and is_of(one, said, known.lower())]
    if len(old) != 1 or len(new) != 1 or _unit(new[0]) not in {"", _unit(old[0])}:
        return None
    if _counted(old[0], value) != _counted(new[0], said):
        return None
    unit = "" if _unit(new[0]) or not _unit(old[0]) else re.sub(r"^\S*\d", "", old[0])
    return old[0], new[0] + unit


def _sizes(words: str) -> list[str]:
    found = (one for one in _QUANTITY.finditer(words) if one["size"])
    return [
        one["size"] for one in found if not (one["size"].isdigit() and words[: one.start()].endswith("at "))
    ]


def _counted(size: str, words: str) -> str:
    """What a size counts, in the plural: "weeks" of "30 weeks"."""
    match = re.search(rf"{re.escape(size)} ([a-z]+s)\b", words)
    return match[1] if match and is_noun(match[1]) else ""


def _unit(quantity: str) -> str:
    unit = re.sub(r"[\d., ]", "", quantity).lower()
    return {"micrograms": "mcg", "microgram": "mcg", "\u00b5g": "mcg", "ug": "mcg", "milligrams": "mg"}.get(
        unit, unit
    )


def _names(value: str, known: str, said: str, *, naming: bool) -> tuple[str, str] | None:
    """The old and the new name; of somebody's own name, no place takes the place (``naming``)."""
    old = [one for one in _NAME.findall(value) if not _NO_NAME.match(one)]
    named = [one for one in _NAME.finditer(said) if not _NO_NAME.match(one.group())]
    named = [one for one in named if one.start() or not is_common(one.group().lower())]
    new = [one for one in named if one.group().removesuffix("'s") not in known]
    if len(old) != 1 or len(new) != 1 or _is_of_another_thing(value.replace(old[0], ""), said):
        return None
    before = said[: new[0].start()]
    if (naming or said.startswith(old[0])) and _AT_A_PLACE.search(before):
        return None
    led = _LEADS.search(before) or _FOLLOWS.match(said, new[0].end())
    return (old[0], new[0].group()) if led else None


def _is_of_another_thing(rest: str, said: str) -> bool:
    """Whether what the value stands beside is itself named in the message: "gave up the studio"."""
    nouns = {word for word in re.findall(r"[a-z]{4,}", rest) if word not in _LINKING}
    return any(re.search(rf"\b{noun}\b", said) for noun in nouns)


def _told_of_oneself(speaker: str, said: str, *, changed: bool = False) -> str:
    """A statement that begins with "I", "my" or the like, in the third person; empty for another one."""
    said = _FILLERS.sub("", " ".join(said.split()).rstrip(" .!"), count=1)
    if not _ENGLISH.search(said):
        return ""
    said = _with_apostrophes(said)
    for pattern, begin in _BEGINS:
        if match := pattern.match(said):
            return f"{speaker}{begin}{_theirs(said[match.end() :])}."
    if match := _I.match(said):
        verb = _finite(match["verb"].lower(), changed=changed)
        return f"{speaker} {match['adverb'].lower()}{verb}{_theirs(match['rest'])}."
    return ""


def _in_third_person(speaker: str, said: str, ended: Sequence[MemoryRecord]) -> str:
    """A change as one of its speaker, or of the one of theirs whom the ended facts are about."""
    said = _BARE_I.sub(lambda bare: f"I'{bare[1]}", " ".join(said.split()).rstrip(" .!"))
    if not _ENGLISH.search(said):
        return f"{speaker} said: {said}."
    if not is_understood(said):
        return f'{speaker} said: "{said}"'
    if own := _told_of_oneself(speaker, said, changed=True):
        return own
    said = _with_apostrophes(_FILLERS.sub("", said, count=1))
    if match := _NEW.match(said):
        if re.match(r"(?:'s| is| are)\b", said[match.end() :]):
            return f"{speaker}'s new {_theirs(said[match.start('noun') :])}."
        article = "" if match["noun"].endswith("s") else "a "
        return f"{speaker} has {article}new {_theirs(said[match.start('noun') :])}."
    first = said.split(" ")[0].lower()
    if first.endswith("ed") or (first in PASTS and first not in KNOWN):
        return f"{speaker} {first}{_theirs(said[len(first) :])}."
    whose = str(ended[0].metadata.get("subject") or "") if ended else ""
    if first in {"he", "she"} and "'s " in whose:
        return f"{whose}{_theirs(said[len(first) :])}."
    return _about_another(speaker, said)


def _about_another(speaker: str, said: str) -> str:
    """A sentence of another subject, with the speaker's name where it first speaks of them."""
    own = _OWN.search(said)
    if own is None:
        first, _, rest = said.partition(" ")
        if first.title() in _FIRST:
            return f"{speaker} said that {first.lower()} {rest}."
        colon = " that" if kind_of(first) is Kind.KNOWN else ":"
        return f"{speaker} said{colon} {said}."
    verb = re.match(rf" {_ADVERBS}([\w']+)", said[own.end() :], re.IGNORECASE)
    word = own.group().lower()
    told = _THIRD_NAMED.get(word, "").format(speaker) or speaker
    rest = said[own.end() :]
    joined = said[: own.start()].lower().endswith("and ")
    if word in {"i", "we"} and verb is not None and not joined:
        rest = f" {verb['adverb']}{_finite(verb[2].lower(), changed=True)}{rest[verb.end() :]}"
    text = said[: own.start()] + told + _theirs(rest)
    if _LEFT_AS_IT_STOOD.search(text):
        return f'{speaker} said: "{said}"'
    return f"{text[:1].upper()}{text[1:]}."


def _with_apostrophes(said: str) -> str:
    """Contractions as they are spelled: "dont" is "don't"."""
    return _BARE.sub(r"\g<head>'\g<tail>", said)


def _finite(verb: str, *, changed: bool) -> str:
    """The verb of "I" or "we" as that of one person: "have" is "has", "got" stays."""
    if verb.endswith("n't") and verb not in _IRREGULAR:
        return verb
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    done = verb not in _PRESENT and (
        verb in _MODALS
        or verb in _PASTS
        or (verb.endswith("ed") and not verb.endswith("eed"))
        or (verb in PASTS and (changed or verb not in KNOWN))
    )
    return verb if done else third(verb)


def _theirs(words: str) -> str:
    if not _ENGLISH.search(words):
        return words
    return _OWN.sub(lambda found: _THIRD[found.group().lower()], words)
