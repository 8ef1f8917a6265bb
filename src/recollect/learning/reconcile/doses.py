"""Which medicine a dose is of: the one that is named beside it, before or behind. Pure.

================================================= ==================
said                                              medicine and dose
================================================= ==================
"put me on losartan 50 mg"                        losartan, 50 mg
"500 mg of metformin"                             metformin, 500 mg
"my sertraline went up from 50 to 100 mg"         sertraline, 100 mg
"they put me up to 100 mg"                        none, 100 mg
"my doctor raised it to 125 micrograms"           none, 125 micrograms
================================================= ==================
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from recollect.learning.listing import DRUG, listed
from recollect.learning.reconcile.cues import is_common, is_noun
from recollect.text.entities.kinds import Kind, kind_of
from recollect.types.regex import lazy_regex

_UNIT: Final = (
    r"(?:mg|mcg|\u00b5g|\u03bcg|ug|micrograms?|milligrams?|ml|g|iu|units?|drops|puffs|tablets?|pills?)"
)
_DOSE: Final = lazy_regex(rf"(?<![\w.,])(?P<size>\d[\d.,]*(?: ?{_UNIT})?)(?![\w%]| ?(?:km|kg|hours?|euros?))")
_IN_UNITS: Final = lazy_regex(rf"\d ?{_UNIT}$")
_WORD: Final = lazy_regex(r"[^\W_][\w'-]*|[.;:!?]")
_NAMED: Final = lazy_regex(rf"\b{DRUG}\b")
_LINKS: Final = listed(
    """
    to at of is was are were be been has have had being now then just only already up down from by about
    around the a an my his her their our it its that this dose dosage dosages went goes gone going go
    raised increased bumped upped lowered reduced cut dropped doubled halved changed adjusted set put
    comes came strength tablet tablets pill pills capsule capsules mg mcg
    """
)
"""Words between a medicine and its dose."""
_NO_MEDICINE: Final = listed(
    """
    dose doses dosage dosages tablet tablets pill pills capsule capsules drop drops puff puffs medication
    doctor doctors gp nurse consultant specialist cardiologist psychiatrist rheumatologist neurologist
    endocrinologist pharmacist physician surgeon dentist vet hospital clinic surgery mum mom dad
    medicine meds mg mcg once twice thrice daily nightly weekly hourly always regularly blood
    """
)
_SECOND: Final = frozenset(("acid", "oil"))
"""Words that name nothing without the one before them: "folic acid"."""
_SWAPS: Final = lazy_regex(r"\b(?:switch\w*|swap\w*|instead|replac\w+|chang\w+|rather than|took me off)\b")
_LED: Final = r"(?:on|onto|to|for|take|taking|started|it's|it is|now|replaced (?:with|by)) "
"""Before a medicine that is taken in the place of another."""
_TAKES: Final = lazy_regex(
    r"\b(?:tak(?:e|es|ing)|on|tablets?|pills?|capsules?|medic\w+|meds?|inhaler|injections?|drops|prescri\w+|dose)\b"
)
"""May mean a medicine that is not named."""
_FURTHEST: Final = 8
"""Words between a medicine and its dose, at most. Chosen by hand."""
_NEAR: Final = 100
"""Characters around a dose in which its medicine may stand. Chosen by hand."""
_SHORTEST: Final = 3
_LONG: Final = 6
"""Letters of a word by which two texts speak of the same. Chosen by hand."""


class Dose(NamedTuple):
    """How much, and of what, in small letters; the name is empty where none is told beside it."""

    medicine: str
    size: str


def doses_in(text: str) -> Iterator[Dose]:
    """The doses that a text names, each with its medicine.

    >>> list(doses_in("took me off ramipril and put me on losartan 50 mg"))
    [Dose(medicine='losartan', size='50 mg')]
    >>> list(doses_in("500 mg of metformin, and my sertraline went up from 50 to 100 mg"))[::2]
    [Dose(medicine='metformin', size='500 mg'), Dose(medicine='sertraline', size='100 mg')]
    >>> list(doses_in("They put me up to 100 mg now."))
    [Dose(medicine='', size='100 mg')]
    """
    low = " ".join(text.replace("\u2019", "'").lower().split())
    sizes = list(_DOSE.finditer(low))
    if any(_IN_UNITS.search(one["size"]) for one in sizes):
        for found in sizes:
            yield Dose(
                _behind(low[found.end() : found.end() + _NEAR])
                or _before(low[max(0, found.start() - _NEAR) : found.start()]),
                found["size"],
            )


def medicines_in(text: str) -> frozenset[str]:
    """The medicines that a text names, in small letters, by a dose or by a name that is a medicine's."""
    told = {dose.medicine for dose in doses_in(text)} - {""}
    return frozenset(told | set(_NAMED.findall(text.lower())))


def are_others(told: str, said: str) -> bool:
    """Whether a message names medicines, the statement other ones or none at all, and the message swaps none.

    >>> are_others("stopped the ventolin", "I have asthma"), are_others("off ramipril", "I take two tablets")
    (True, False)
    >>> said = ("I take losartan 50 mg now", "They switched me to losartan 50 mg")
    >>> [are_others(told, "User takes ramipril 5 mg.") for told in said]
    [True, False]
    """
    ours, low = medicines_in(told), said.lower()
    takes = medicines_in(said) or not (_TAKES.search(low) or _share(told.lower(), low))
    return bool(ours and takes) and not (any(one in low for one in ours) or _SWAPS.search(told.lower()))


def _share(told: str, said: str) -> bool:
    """Whether both texts name an illness, or anything else in a long word."""
    ours, theirs = (set(re.findall(rf"[a-z]{{{_LONG},}}", text)) for text in (told, said))
    return not ours.isdisjoint(theirs)


def taken_instead(told: str, known: str) -> Dose | None:
    """The dose of the medicine that a message names in the place of another; None where it names none.

    >>> taken_instead("took me off ramipril and put me on losartan 50 mg", "User takes ramipril 5 mg.")
    Dose(medicine='losartan', size='50 mg')
    """
    low, said = told.lower(), known.lower()
    named = [one for one in doses_in(told) if one.medicine]
    if not any(one in low for one in medicines_in(known)) or any(one.medicine in said for one in named):
        return None
    led = [one for one in named if re.search(rf"\b{_LED}(?:the |my )?{re.escape(one.medicine)}\b", low)]
    return led[0] if len(named) == len(led) == 1 else None


def is_of(size: str, said: str, known: str) -> bool:
    """Whether a dose in a message may be of the medicine of a known text in small letters.

    >>> is_of("50 mg", "I am off ramipril and on losartan 50 mg", "user takes ramipril 5 mg.")
    False
    >>> is_of("10 mg", "My ramipril went up to 10 mg", "user takes ramipril 5 mg.")
    True
    """
    beside = {dose.medicine for dose in doses_in(said) if dose.size == size.lower()}
    named = beside - {""} or (medicines_in(said) if beside else frozenset())
    return not named or any(one in known for one in named)


def _before(words: str) -> str:
    """The thing that is named last before a dose, with only linking words between."""
    last = _WORD.findall(words)[: -_FURTHEST - 1 : -1]
    for place, word in enumerate(last):
        if word == "it":
            return ""
        if word.isdecimal() or word in _LINKS:
            continue
        before = last[place + 1] if place + 1 < len(last) else ""
        if before == "vitamin" or word in _SECOND:
            return f"{before} {word}".strip()
        return word if _is_thing(word) else ""
    return ""


def _behind(words: str) -> str:
    found = re.match(r" (?:of )?(?:the |my )?([^\W\d_][\w-]*)(?: ([a-z]\d{0,2}|acid|oil)\b)?", words)
    if found is None or found[1] in _LINKS:
        return ""
    if found[2] and (found[1] == "vitamin" or found[2] in _SECOND):
        return f"{found[1]} {found[2]}"
    return found[1] if _is_thing(found[1]) else ""


def _is_thing(word: str) -> bool:
    """Whether a word may be the name of what is taken: a noun, or a word that is not of everyday use."""
    if len(word) < _SHORTEST or word in _NO_MEDICINE or "'" in word or not word.isalpha():
        return False
    return is_noun(word) or (not is_common(word) and kind_of(word.title()) in {Kind.UNKNOWN, Kind.KNOWN})
