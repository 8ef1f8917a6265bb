"""What a message about a change ends: values that it names as over, and slots of which it tells a change.

======================================= ================================= ================================
message                                 known                             what comes of it
======================================= ================================= ================================
"We ditched Virgin"                     the broadband is with Virgin      ends: named, and said to be over
"I handed in my notice"                 does bookkeeping at Hartley       ends: its slot is told to change
"They bumped my sertraline to 100 mg"   takes 50 mg of sertraline         ends: its slot is told to change
"I drive an Octavia now"                drives a Civic                    a person is asked
"My sister quit smoking"                smokes                            nothing: of somebody else
"I might move to Rome"                  lives in Porto                    nothing: not so, or not yet
======================================= ================================= ================================
"""

import re
from collections.abc import Collection
from functools import lru_cache
from itertools import pairwise
from typing import Final, Literal

from recollect.learning.listing import DAY, MONTH, listed
from recollect.learning.reconcile.cancelled import is_called_off
from recollect.learning.reconcile.contacts import may_be_same_line
from recollect.learning.reconcile.cues import are_other_kinds, is_noun, telling_words
from recollect.learning.reconcile.doses import medicines_in
from recollect.learning.reconcile.doubts import asks, is_telling, may_be_of, may_change, tells_which
from recollect.learning.reconcile.health import concerns
from recollect.learning.reconcile.judge import outdates, reads
from recollect.learning.reconcile.phrases import plain
from recollect.learning.reconcile.relations import PARTNERS
from recollect.learning.reconcile.rests import leaves_more, recovers
from recollect.learning.reconcile.slots import BY_NAME, Slot
from recollect.learning.reconcile.statements import CHANGED, SAID, Statement
from recollect.learning.reconcile.ties import Tie, parting_of, ties_in
from recollect.learning.reconcile.told import (
    RESUMED,
    Part,
    Piece,
    denies_going_on,
    eats_less,
    is_over,
    parts_of,
)
from recollect.learning.reconcile.whose import is_about, whom
from recollect.text.analyse import Analyser
from recollect.text.entities.kinds import Kind, kind_of
from recollect.types.regex import lazy_regex

End = Literal["opposite", "partly", "finer"]
_SHORTEST: Final = 3
"""Letters of a noun by which a value is known. Chosen by hand."""
_NOW: Final = lazy_regex(
    r"\b(?:now|these days|nowadays|from now on|since|instead|as of|was raised|went up|goes up)\b"
)
"""Words for the present beside a value: with another value of a slot that has one, a change."""
_TIMELESS: Final = listed(
    "was grew comes graduated founded had died passed learned finished got speaks knows can"
)
_TASTES: Final = listed("likes loves enjoys prefers adores hates dislikes supports")
_NO_NOUNS: Final = frozenset(("works as", "is a", "lives in"))
"""Relations whose values are not known by each of their nouns."""
_NO_KEYS: Final = listed(
    """
    user i my we our me the a an dr mr mrs ms st prof and or with of at in on for to from by as is are was
    has have
    every day days week weeks weekend weekends evening evenings morning mornings night nights month months
    year
    years time times most more about around only just very really one two three four five six seven eight
    nine ten
    first second old new good great home house work job please always never lot some any all other others
    own name
    number home city town street third left right people person thing things now today ich wir mein meine
    ein eine
    einer tag jeden je mon ma un une le la les el los una mi que jag min en ett eu meu minha um uma o os do
    da no na
    der die das dem den des und oder mit von aus bei im am zu zum zur auf für nicht kein auch immer nur mal
    morgen morgens abend abends mittag mittags nacht nachts heute gestern übermorgen jetzt uhr woche wochen
    monat jahr jahre montag dienstag mittwoch donnerstag freitag samstag sonntag termin
    """
)
_PROJECT: Final = lazy_regex(
    r"\b(?:project|works? on|working on|writ(?:es|ing)|build(?:s|ing)|novel|book|thesis|dissertation|course"
    r"|degree|training"
    r"|preparing|tak(?:es|ing)|learning|study\w*|studies|renovat\w+|album|paper|essay|game|app)\b"
)
_THING: Final = BY_NAME["phone"].holds
_PUT_DOWN: Final = lazy_regex(r"\bdropped (?:my|the|it)\b")
_CLOSED: Final = lazy_regex(r"^(?:\w+ ){0,3}closed (?!down|his|her|their|its)")
_OF_ONESELF: Final = lazy_regex(
    r"(?:i|i'm|i've|we|my)\b(?!.*\b(?:changed my mind|don't need|no longer|prefer|want you|need you))"
)
_OF_ME: Final = lazy_regex(r"\b(?:i|i'm|i've|me|my|we|we've|our)\b")
"""Words by which a part is about the speaker: a cancelled train changes no taste."""
_DONE_TO_ME: Final = lazy_regex(
    r"\b(?:put|puts|putting|start(?:ed|s)|switched|moved|taken|took|takes|kept|has|got) (?:me|us)"
    r" (?:on|off|onto|to|over)\b"
)
"""What a doctor did with the speaker: "he's stopped the naproxen and put me on co-codamol"."""
_BOTH: Final = lazy_regex(r"(\w+) and i\b")
"""A couple: "Mia and I"."""
_ORDERS: Final = lazy_regex(
    r"(?:please|always|never|don't|do not|answer|reply|keep|use|call|write|avoid|skip)\b", re.IGNORECASE
)
_CALENDAR: Final = lazy_regex(rf"(?:{DAY}|{MONTH}|\d.*)s?$")
_NEWBORN: Final = listed("baby son daughter twins they")
"""Who is born where somebody was pregnant; "they" is "she" or "he"."""
_OF_DENIALS: Final = frozenset(("diet", "allergy", "alcohol", "smoking", "answers"))
"""Slots that a denial fills: "does not eat gluten"."""
_LOST: Final = listed(
    """application work title relationship diet allergy smoking alcohol household shift commute answers amount
    medication dose pregnancy"""
) | {"work mode", "length of answers", "answers in a language", "answers in units"}
"""Slots that may end, or turn, without a new name or number."""
_TO_THE_ASSISTANT: Final = frozenset(
    ("answers", "answers in a language", "answers in units", "length of answers", "how to call them")
)
"""Slots that are about whom the speaker talks to."""
_ASKED: Final = _TO_THE_ASSISTANT | {"email", "phone number", "pronouns", "name", "home"}
"""Slots that change by what one asks: "use my new address"."""
_ASKS: Final = "asks"
"""Begins the relation of a standing instruction, which no news of its words' subject ends."""
_BY_ROLE: Final = frozenset(("boss", "role"))
"""Slots of whom a person has; what is known of the boss fills none of them."""
_BY_DRUG: Final = frozenset(("dose", "medication"))
"""Slots of which a person has one for each drug."""
_ALLERGIC: Final = ("allerg", "outgr", "intoleran", "eat", "misdiagnos")
"""Beginnings of words that name no food or medicine."""
_JOINED: Final = lazy_regex(
    r"\b(?P<married>(?:got|were|just|are) married|tied the knot|honeymoon|newlyweds?"
    r"|the wedding)\b(?! to\b)"
    r"|\b(?:engaged|proposed|said yes)\b(?! to\b)"
)
"""Tells of an engagement or a marriage without a new name, which ends no name of a partner."""
_NOT_ENGAGED: Final = lazy_regex(r"\b(?:single|dating|seeing|divorced|widowed|separated)\b")
_NOT_MARRIED: Final = lazy_regex(r"\b(?:single|engaged|dating|seeing|divorced|widowed|separated)\b")
"""What a marriage ends; an engagement ends the same without "engaged"."""
_ONE_TASK: Final = lazy_regex(
    r"(?:please |now |can you |could you )*(?:write|draft|compose|prepare|translate|summari[sz]e|create"
    r"|generate) (?:me |us )?(?:an?|the|this|that|my|our|his|her|their)\b"
    r"(?!.*\b(?:answers?|repl(?:y|ies)|responses?|always|every|each|from now on|going forward)\b)"
)
"""Asks for one text: "write the email in English"."""
_DRUG: Final = lazy_regex(
    r"\b(?:the|my|of|de|d'|du|la|le|el|o|das|die) ?"
    r"(?!dose|dosage|tablets?|pills?|meds|medic|doctor|blood|same|morning|evening|first|half)([^\W\d_]{6,})"
)
"""What may be the name of a drug: a long word behind an article."""
_LIKELY: Final = 0.6
"""Probability below which a message ends no fact, and a person is asked; not where the message is short or
begins with the speaker or a name of the fact. Of 300 unseen look-alikes 7 end something wrongly (9 with
0.55)."""
_OF_MINE: Final = lazy_regex(r"(?:an? |some |two |one )?(?:\w+ )?\w+ of (?:mine|ours)\b", re.IGNORECASE)
"""Begins a message about somebody else: "a mate of mine"."""
_SENTENCE_END: Final = lazy_regex(r"(?<=[.!])\s+")
_PLAIN: Final = 6
"""Words of a message that says nothing beside the change: "Leeds is history". Chosen by hand."""
_FIRST: Final = 3
"""Words that begin a message. Chosen by hand."""
_ONESELF: Final = lazy_regex(
    r"(?:(?:so|and|well|update|btw|fyi),? )*(?:i|i'm|i've|im|ive|we|we've|my|our)\b", re.IGNORECASE
)
_NEWS: Final = lazy_regex(r"[^\W\d_a-z][\w'-]*|\S*\d\S*")


def tells_change(text: str) -> bool:
    """Whether a message may end something known, or be about a change of it."""
    return bool(parts_of(text)) or may_change(text)


def news_in(text: str) -> list[str]:
    """The names and numbers of a message, in small letters; a common word that begins it is no name."""
    words = text.replace("\u2019", "'").split()
    words = ["", *words] if words and kind_of(words[0]) is Kind.UNKNOWN else words
    inside = (
        word for before, word in pairwise(words) if not before.endswith((".", "!", "?")) or word[:1].isdigit()
    )
    found = (word.strip(".,;:!?()\"'").lower().removesuffix("'s") for word in inside if _NEWS.match(word))
    return [word for word in found if word and not word.startswith("i'")]


def sought_by_change(text: str) -> str:
    """Words to find by what a message may end."""
    names = {name for part in parts_of(text) for name in (*part.slots, *part.maybe)}
    return " ".join(dict.fromkeys(BY_NAME[name].seeks for name in sorted(names)))


def end_by_change(new: Statement, known: Statement, analyser: Analyser) -> End | None:
    """Whether a known statement ends by a message, or may; see the text of the module."""
    end = _end_by_words(new, known, analyser)
    if end != "opposite":
        return end
    unlikely = known.id is not None and not _is_well(new, known) and _is_unlikely(new, known)
    if unlikely or _is_anybodys(new, known):
        return "partly"
    return "finer" if _leaves_more(new, known, analyser) else end


def _is_well(new: Statement, known: Statement) -> bool:
    """Whether a message says that what a quotation complains of is well again: "knees fine now"."""
    said = _said_of(known.object or "")
    parts = parts_of(new.object or "") if known.relation == SAID else ()
    return any(recovers(part.low, said) for part in parts if _is_about(new, part, known))


def _leaves_more(new: Statement, known: Statement, analyser: Analyser) -> bool:
    """Whether a quotation says more than a message changes, so that it does not end whole."""
    told = new.object or ""
    return known.relation == SAID and leaves_more(
        parts_of(told), told, (known.object or "").lower(), analyser
    )


def _is_unlikely(new: Statement, known: Statement) -> bool:
    """Whether the judge, who knows English, doubts that a message ends a fact as its words seem to."""
    told = new.object or ""
    said = known.object if known.relation in {SAID, CHANGED} else known.text
    by_name = any(name in plain(told)[:_FIRST] for name in _name_keys(known))
    oneself = _ONESELF.match(told) or _DONE_TO_ME.search(told.lower())
    if by_name or oneself or len(told.split()) <= _PLAIN:
        return False
    if not reads(told):
        return False
    sentences = [one for one in _SENTENCE_END.split(told) if bool(parts_of(one))]
    return all(float(outdates(one, [said or ""])[0]) < _LIKELY for one in dict.fromkeys([told, *sentences]))


def _end_by_words(new: Statement, known: Statement, analyser: Analyser) -> End | None:
    if _OF_MINE.match(new.object or "") and plain(known.subject) == plain(new.subject):
        return None
    if not _may_end(new, known) or not set(new.sources).isdisjoint(known.sources):
        return None
    parts = parts_of(new.object or "")
    if known.negated:
        parts = tuple(part for part in parts if not eats_less(part.low))
        if any(
            not part.of and _is_about(new, part, known) and _resumes(part.low, known, analyser)
            for part in parts
        ):
            return "opposite"
        denied = any(BY_NAME[name].holds.search(_said(known)) for name in _OF_DENIALS)
        return _of_slots(new, known, parts, analyser) if denied else None
    if _restates(new, known, analyser) or not _have_in_common(new, known):
        return None
    about = [part for part in parts if _is_about(new, part, known)]
    if any(is_called_off(part.low, part.raw, known, analyser) for part in about):
        return "opposite"
    if _is_well(new, known):
        return "opposite"
    tastes = _first_word(known) in _TASTES
    ends = {
        _ends_named(part, known, analyser)
        for part in about
        if _names(part, known, analyser) and (not tastes or _OF_ME.search(part.low))
    }
    if "opposite" in ends:
        return "partly" if tastes else "opposite"
    if tastes:
        return "partly" if "partly" in ends else None
    return _of_slots(new, known, parts, analyser) or ("partly" if "partly" in ends else None)


_NOT_RESUMED: Final = lazy_regex(
    r"\b(?:no|not|never|without|neither|nor|none|cannot|if|wish|used to|tempted|afraid)\b|n't\b"
)
"""Beside what somebody would do again: "I eat no meat now", "if I drink coffee again"."""
_BACK_ON: Final = r"\bback (?:on|to|(?:to )?\w+ing)(?: \w+ing)? (?:(?:the|my|some|a|cups? of) )*"
_WHOLE: Final = (
    r"(?:s|es|e|ed|ing|y)?\b(?= (?:again|now|these|every|a|and|with|in|at|for|since|after|because|but|so|too"
    r"|like|is|was|once|twice|daily|most|from|this|today|as|when|on|instead|or)\b|\W*$|[,.;:!?)])"
)
"""Behind the beginning of a noun that is not before another noun: "coffee", but not "coffee shop"."""


def _resumes(low: str, known: Statement, analyser: Analyser) -> bool:
    """Whether a part says that the speaker does again what a known statement denies."""
    said = RESUMED.search(low)
    if said is None or _NOT_RESUMED.search(low):
        return False
    keys = _noun_keys(known, analyser)
    did = (known.relation or "").removesuffix("s").removesuffix("e")
    if " back " in f" {said.group()}":
        return bool(keys) and all(re.search(rf"{_BACK_ON}{re.escape(key)}{_WHOLE}", low) for key in keys)
    done = re.search(rf"\b{re.escape(did)}(?:e|es|s|ing)?\b", low) is not None
    return done and bool(keys) and all(re.search(rf"\b{re.escape(key)}{_WHOLE}", low) for key in keys)


def _have_in_common(new: Statement, known: Statement) -> bool:
    """Whether a message may be about what is known at all.

    A fact is about one thing. A statement as it stands may hold any word, so it has to share a topic or a
    rare word, or the message has to be so short that it says nothing else.
    """
    if asks(new.object or "") and not any(BY_NAME[name].holds.search(_said(known)) for name in _ASKED):
        return False
    return known.relation not in {SAID, CHANGED} or may_be_of(new.object or "", known.object or "")


def _restates(new: Statement, known: Statement, analyser: Analyser) -> bool:
    """Whether a message says all of what is known in the same words, and no more than that it is so."""
    words = (
        known.text.removeprefix(new.subject) if known.relation not in {SAID, CHANGED} else known.object or ""
    )
    ours, theirs = set(analyser.query_stems(new.object or "")), set(analyser.query_stems(words))
    return (
        len(theirs) > 1
        and theirs <= ours
        and not _has_news(new, known)
        and not any(
            denies_going_on(part.low) or _ends_named(part, known, analyser)
            for part in parts_of(new.object or "")
        )
    )


def _first_word(known: Statement) -> str:
    return (known.relation or "").split(" ")[0]


def _may_end(new: Statement, known: Statement) -> bool:
    whose = plain(known.subject)
    ours = plain(new.subject)
    return (
        whose[: len(ours)] == ours and _first_word(known) not in _TIMELESS and known.relation != CHANGED
    ) or (whose == ours and known.relation == CHANGED)


def _of_slots(new: Statement, known: Statement, parts: tuple[Part, ...], analyser: Analyser) -> End | None:
    found: End | None = None
    for part in parts:
        for name in sorted(part.slots | part.maybe):
            slot, about = BY_NAME[name], _is_about(new, part, known)
            of_drug = name == "medication" and name in part.slots and _begins_with_drug(part, known)
            if not (about or of_drug) or not _turns(slot, part, new, known, analyser):
                continue
            if not about:
                found = "partly"
                continue
            news = _has_news(new, known)
            if name in part.slots and (news or name in _LOST or _names(part, known, analyser)):
                return "opposite"
            if slot.alone and _NOW.search(part.low) and news:
                return "opposite"
            if known.relation not in {SAID, CHANGED} and (news or name in part.slots):
                found = "partly"
    return found


def _begins_with_drug(part: Part, known: Statement) -> bool:
    """Whether a part tells of a medicine that somebody takes, and not whose it is: "ramipril's stopped"."""
    return not part.of and any(
        part.low.startswith(drug) and drug in _said(known) for drug in medicines_in(part.low)
    )


def _turns(slot: Slot, part: Part, new: Statement, known: Statement, analyser: Analyser) -> bool:
    """Whether a known statement fills the slot that a part turns, and nothing in them tells them apart."""
    said = _said(known)
    denied = known.negated and slot.name not in _OF_DENIALS
    asked = _first_word(known) == _ASKS and slot.name not in _ASKED
    if denied or asked or not _holds(slot, known, said):
        return False
    if slot.name in _BY_DRUG and not _may_be_same_drug(new, said):
        return False
    if slot.name == "allergy" and not _may_be_same_allergy(slot, part, known, analyser):
        return False
    if slot.name == "relationship" and not _ends_by_joining(part, known, said):
        return False
    if slot.name in {"phone number", "email"} and not may_be_same_line(part.low, said):
        return False
    if slot.name in _TO_THE_ASSISTANT:
        if _ONE_TASK.match(part.low):
            return False
        return (part.of == "you" or not _OF_ONESELF.match(part.low)) and _shares(slot, new, said)
    if part.of == "you" or (slot.name == "amount" and not _names(part, known, analyser)):
        return False
    names = _name_keys(known)
    if slot.name == "relationship" and (both := _BOTH.match(part.low)):
        return not names or both[1] in names
    return _shares(slot, new, said) or any(key in (new.object or "").lower() for key in names)


def _ends_by_joining(part: Part, known: Statement, said: str) -> bool:
    """Whether an engagement or a marriage, if a part tells of one, ends a known statement."""
    joined = _JOINED.search(part.low)
    if joined is None:
        return True
    ended = _NOT_MARRIED if joined["married"] else _NOT_ENGAGED
    return known.relation != "is named" and ended.search(said) is not None


def _may_be_same_drug(new: Statement, said: str) -> bool:
    """Whether a message names no other drug than a known statement does."""
    told = new.object or ""
    drugs = medicines_in(told) or _DRUG.findall(told.lower())
    return not drugs or any(drug in said for drug in drugs)


def _may_be_same_allergy(slot: Slot, part: Part, known: Statement, analyser: Analyser) -> bool:
    """Whether a part is about no other person by name, and about no other food or medicine."""
    if kind_of(part.raw.split()[0]) >= Kind.UNKNOWN and plain(part.raw)[0] not in _said(known):
        return False
    told = slot.turns.search(part.low)
    words = telling_words(told.group() if told else "")
    named = {word for word in words.rare | words.nouns if not word.startswith(_ALLERGIC)}
    theirs = set(analyser.query_stems(known.object or ""))
    return not named or any(not theirs.isdisjoint(analyser.query_stems(word)) for word in named)


def _holds(slot: Slot, known: Statement, said: str) -> bool:
    if known.relation == CHANGED:
        return any(slot.name in part.slots for part in parts_of(known.object or ""))
    if slot.name in _BY_ROLE and whom(known):
        said = said.removeprefix(_said_of(known.subject))
    if slot.name == "boss" and known.relation in _OWN_TRADE:
        return False
    dwells = slot.name == "home" and known.relation == "lives in"
    found = slot.holds.search(said)
    of_another = found is not None and slot.name == "alcohol" and _NOUN_BEHIND.match(said[found.end() :])
    return dwells or (found is not None and not (of_another and is_noun(of_another[1])))


_OWN_TRADE: Final = frozenset(("is", "is doing", "works as", "studies", "is studying"))
"""What somebody is or learns to be themselves: a manager's course is no boss."""
_NOUN_BEHIND: Final = lazy_regex(r" ([^\W\d_]{3,})")
"""What stands behind a drink, and may make something else of it: "beer labels"."""


def _shares(slot: Slot, new: Statement, said: str) -> bool:
    if slot.shares is None:
        return True
    ours, theirs = (
        {word.removesuffix("s") for word in slot.shares.findall(text)}
        for text in ((new.object or "").lower(), said)
    )
    return bool(ours & theirs)


def _is_about(new: Statement, part: Part, known: Statement) -> bool:
    """Whether a part is about the one whom a known statement is about."""
    who, said = whom(known), _said(known)
    if part.of in _NEWBORN and BY_NAME["pregnancy"].holds.search(said):
        return not who or not who.isdisjoint(PARTNERS | {"wife"})
    if part.of and re.match(rf"{re.escape(part.of)} (?:has |just )*(?:got|gets?) an? ", part.low):
        return False
    of_me = _DONE_TO_ME.search((new.object or "").lower()) is not None
    piece = Piece(part.raw, part.low, part.of)
    return is_about(piece, said, who, of_me=of_me) and _concerns(new, part, known) is not False


def _concerns(new: Statement, part: Part, known: Statement) -> bool | None:
    """The same of health: None where nobody knows whether it is that of one person."""
    if known.relation in {SAID, CHANGED}:
        return concerns(part, new.object or "", known.object or "")
    return concerns(part, new.object or "", known.text, whom(known))


def _is_anybodys(new: Statement, known: Statement) -> bool:
    """Whether a message speaks of health, and does not say that it is that of whom is known."""
    told = {_concerns(new, part, known) for part in parts_of(new.object or "")}
    return None in told and True not in told


def _said(known: Statement) -> str:
    return _said_of(known.text)


def _said_of(text: str) -> str:
    return " ".join(text.replace("\u2019", "'").lower().split())


def _names(part: Part, known: Statement, analyser: Analyser) -> bool:
    return any(key in part.low for key in (*_name_keys(known), *_noun_keys(known, analyser)))


def _ends_named(part: Part, known: Statement, analyser: Analyser) -> End | None:
    """Whether a part says that what it names of a known statement is over; of somebody, by their tie."""
    said = _said(known)
    if _THING.search(said) and _PUT_DOWN.search(part.low):
        return None
    if known.relation == SAID and _ORDERS.match(known.object or ""):
        return None
    if _CLOSED.search(part.low) and not BY_NAME["bank"].holds.search(said):
        return None
    ties = somebody_in(known)
    ends = {parting_of(part, word, tie) for word, tie in ties.items()}
    if "opposite" in ends or _ends_thing(part, known, ties, analyser):
        return "opposite"
    return "partly" if "partly" in ends else None


def _ends_thing(part: Part, known: Statement, somebody: Collection[str], analyser: Analyser) -> bool:
    """Whether a part says that a thing is over that it names by a name or a noun of a known statement."""
    said, whole = _said(known), known.relation in {SAID, CHANGED}
    project, own = _PROJECT.search(said) is not None, frozenset(re.findall(r"[\w'-]+", said))
    names = [
        key for key in _name_keys(known) if key not in somebody and not (whole and tells_which(key, said))
    ]
    if any(is_over(part, key, named=True, project=project, own=own) for key in names):
        return True
    people = {stem for word in somebody for stem in (word, *analyser.query_stems(word))}
    return known.relation != CHANGED and any(
        is_over(part, key, project=project, own=own) and not are_other_kinds(part.low, said, noun=key)
        for key in _noun_keys(known, analyser)
        if key not in people
    )


def somebody_in(known: Statement) -> dict[str, Tie]:
    """The people and animals that a known statement speaks of, in small letters, each with what it is."""
    return ties_in(known, _name_keys(known))


def _name_keys(known: Statement) -> tuple[str, ...]:
    whole = known.relation in {SAID, CHANGED}
    return _names_in(known.object or "" if whole else known.text.removeprefix(known.subject), first=whole)


@lru_cache(maxsize=8192)
def _names_in(text: str, *, first: bool) -> tuple[str, ...]:
    """The names in the words of a value; a word that begins a sentence is none."""
    words = text.replace("\u2019", "'").split()
    found = (
        word.strip(".,;:!?()\"'")
        for place, word in enumerate(words)
        if word[:1].isupper() and not (first and not place)
    )
    keys = (word.lower().removesuffix("'s").removesuffix("s'") for word in found)
    return tuple(
        key
        for key in keys
        if len(key) > 1 and key not in _NO_KEYS and not _CALENDAR.match(key) and key[:2] != "i'"
    )


def _noun_keys(known: Statement, analyser: Analyser) -> tuple[str, ...]:
    if known.relation in _NO_NOUNS:
        return ()
    told = f"{_in_relation(known)} {known.object or ''}"
    words = [word for word in plain(told) if word not in _NO_KEYS and not _CALENDAR.match(word)]
    if known.relation in {SAID, CHANGED}:
        words = [word for word in words if is_telling(word)]
    stems = [(word, *analyser.query_stems(word)) for word in words]
    keys = (stem[-1] if word.startswith(stem[-1]) else word for word, *stem in stems if stem)
    return tuple(dict.fromkeys(key for key in keys if len(key) >= _SHORTEST))


def _in_relation(known: Statement) -> str:
    """What a relation names itself: the medicine of "takes sertraline", the habit of "vapes"."""
    if known.object is None:
        return (known.relation or "").removesuffix("s").removesuffix("e")
    return (known.relation or "").removeprefix("takes") if _first_word(known) == "takes" else ""


def _has_news(new: Statement, known: Statement) -> bool:
    """Whether a message names a name or a number that the known statement lacks."""
    said = _said(known)
    return any(word not in said for word in news_in(new.object or ""))
