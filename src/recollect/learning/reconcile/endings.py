"""What ends without being denied: by "left Siemens", "broke up", "graduated", "sold" and "died".

Only what the words say plainly of the same person or thing ends (``opposite``). Where they may mean something
else, a person decides (``partly``): a town may have been left for a day, an uncle who died may be another
one, and of two cars nobody knows which was sold.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final, Literal

from recollect.learning.listing import listed
from recollect.learning.reconcile.changes import end_by_change, sought_by_change
from recollect.learning.reconcile.corrections import CORRECTED, end_by_correction
from recollect.learning.reconcile.exclusions import sought_by_exclusion
from recollect.learning.reconcile.phrases import Phrase, extra, phrase_of, plain, same, sentence_of
from recollect.learning.reconcile.relations import ONLY_ONES, PARTNERS, family_of
from recollect.learning.reconcile.statements import CHANGED, Statement
from recollect.text.analyse import Analyser
from recollect.types.regex import lazy_regex

End = Literal["opposite", "partly", "finer"]
"""It ends, or it may, or it says more than what ends of it."""
Rule = Callable[[Statement, Statement, Analyser], End | None]

_LEFT: Final = "left"
_PARTED: Final = "broke up with"
_DEATHS: Final = frozenset(("died", "passed away"))
_EMPLOYED: Final = frozenset(("works", "teaches", "lectures", "freelances"))
"""First words of relations that end when the employer is left."""
_MAY_LEAVE: Final = frozenset(
    ("lives", "studies", "is", "belongs", "plays", "sings", "volunteers", "goes", "attends")
)
"""Those to a place or a group that one leaves for good, or for a day."""
_BEFORE_PLACES: Final = frozenset(("at", "for", "in", "of", "with", "to", "as"))
"""Words before a place: "a nurse at Siemens", "a member of the chess club"."""
_OWNED: Final = frozenset(("owns", "drives", "rides"))
_HAD: Final = _OWNED | {"has"}
_WITH_SOMEBODY: Final = _HAD | {"lives with", "got", "adopted"}
_CARES: Final = frozenset(("keeps", "feeds", "walks", "brushes", "grooms", "rides", "trains"))
"""First words of relations to an animal that lives."""
_ALLERGY: Final = "is allergic to"
_SOLD: Final = "sold"
MOURNS: Final = "mourns"
"""The relation of somebody named who died; it ends that the speaker's cat is named so."""
_STOPPED: Final = "asks to stop with"
"""The relation of what the assistant shall do no more; it ends what "asks always to" says of it."""
_TAKEN_BACK: Final = "takes back"
"""The relation of an instruction that shall count no more: "forget the British spelling rule"."""
_ALL_TAKEN_BACK: Final = "takes all back"
"""The same where only its words tell it: "forget the British spelling", but not "forget the prices"."""
_ALSO_NAMED: Final = listed("keep always never no not only do use with style")
"""Words of an instruction that what is kept of it may lack: "forget the keep it short thing"."""
_INSTRUCTS: Final = ("asks always to", "asks never to", "wants answers", "answer ", "units", "spelling")
"""How relations of instructions begin."""
_NAMING: Final = frozenset(("named", "called"))
_TELLING_MORE: Final = _NAMING | {"who", "that", "which"}
"""Words behind a noun that tell more of it, and make nothing else of it as "dog bed" does."""
_STUDENTS: Final = frozenset(("student", "undergraduate", "undergrad", "freshman", "sophomore"))
_STUDYING: Final = frozenset(("studies", "attends", "majors"))
_SCHOOLS: Final = frozenset(("school", "college", "university", "uni"))
_EARLIER: Final = lazy_regex(r"\b(?:first|previous|former|childhood|last|other|second)\b")
"""Words of one of several that somebody had one after the other."""
_SEVERAL: Final = listed("""
    grandmother grandma granny gran nan nana grandfather grandpa granddad grandad grandparent uncle aunt
    auntie cousin brother sister son daughter child kid baby niece nephew friend buddy neighbor neighbour
    colleague coworker roommate flatmate housemate teacher professor doctor boss manager student
    """)
"""Others of whom a person may have several: who died need not be the one that is known."""


def end_of(new: Statement, known: Statement, *, analyser: Analyser) -> End | None:
    """Whether a known statement ends by a new one, or may; None when it does not.

    Args:
        new: What was said.
        known: What is known, of whomever.
        analyser: Cuts words into stems.
    """
    rule = _rule_of(new)
    if rule is None or known.relation is None or known.past or known.begins > new.at:
        return None
    if known.negated and rule is not end_by_change:
        return None
    found = rule(new, known, analyser)
    return "partly" if found == "opposite" and new.begins < known.last_said else found


def ended_later(new: Statement, known: Statement, *, analyser: Analyser) -> End | None:
    """Whether what was said before a known ending, and comes late, ended by that."""
    return end_of(replace(known, changed=True), new, analyser=analyser) if known.begins > new.at else None


def ends_several(new: Statement, known: Sequence[Statement], *, analyser: Analyser) -> bool:
    """Whether several things are known of which a new statement ends one: two cars, and "sold my car"."""
    if new.relation == CORRECTED:
        return len(meant_of(new, known, analyser=analyser)) > 1
    if new.relation == CHANGED:
        allergies = [one for one in known if one.relation == _ALLERGY]
        return len(allergies) > 1 and not any(_is_named(new, one, analyser) for one in allergies)
    if _rule_of(new) not in {_of_sale, _of_death}:
        return False
    had = [phrase_of(one.object, analyser) for one in known if one.relation in _HAD]
    return any(
        not _nested(one, other) for one, other in pairwise(sorted(had, key=lambda one: len(one.stems)))
    )


def meant_of(new: Statement, known: Sequence[Statement], *, analyser: Analyser) -> list[Statement]:
    """What a message ends of what it may end: of several allergies those that it names, if it names one.

    A correction is of what was said last.
    """
    if new.relation == CORRECTED:
        last = max((one.last_said for one in known), default=None)
        return [one for one in known if one.last_said == last]
    named = {one.id for one in known if one.relation == _ALLERGY and _is_named(new, one, analyser)}
    return [one for one in known if not named or one.relation != _ALLERGY or one.id in named]


def _is_named(new: Statement, known: Statement, analyser: Analyser) -> bool:
    """Whether a message has a word of a known value."""
    return not set(analyser.query_stems(known.object or "")).isdisjoint(analyser.stems(new.object or ""))


def is_ending(one: Statement) -> bool:
    """Whether a statement, new or known, may end something without denying it."""
    return _rule_of(replace(one, changed=True)) is not None


def is_ending_relation(relation: str) -> bool:
    """Whether what is said with a relation may end something by the rules of this module."""
    ending = {_LEFT, _PARTED, _STOPPED, _TAKEN_BACK, _ALL_TAKEN_BACK, MOURNS, *_DEATHS}
    return relation in ending or relation.startswith("graduated")


def is_loss(relation: str) -> bool:
    """Whether a relation tells of a death: of somebody who may be known by more than these rules look at."""
    return relation in {MOURNS, *_DEATHS}


def sought_by(relation: str, said: str | None = None) -> str:
    """Words to find by what a statement may end; empty where its own words do.

    >>> sought_by("graduated from"), sought_by("likes"), sought_by("says now", "I have a new number")
    ('is a student studies at', '', 'phone number')
    """
    if relation == CHANGED:
        return sought_by_change(said or "")
    if relation == _PARTED:
        return "is dating has girlfriend boyfriend partner engaged married named"
    if relation.startswith("graduated"):
        return "is a student studies at"
    return sought_by_exclusion(relation, said)


def _rule_of(new: Statement) -> Rule | None:
    relation = new.relation or ""
    if not new.changed or new.past:
        return None
    if relation == "has" and new.negated:
        words = plain(new.text.removeprefix(new.subject))
        words = words[words[:1] == ("has",) :]
        return _of_sale if words[:1] == (_SOLD,) else _of_parting if words[1:3] == ("up", "with") else None
    if new.negated:
        return None
    if relation in _DEATHS:
        return _of_death
    if relation.startswith("graduated"):
        return _of_graduation
    return _RULES.get(relation)


def _of_stopping(new: Statement, known: Statement, analyser: Analyser) -> End | None:
    """An instruction ends by "stop with the bird facts" when it has all of these words."""
    asked = (known.relation or "").startswith("asks always to") and plain(known.subject) == plain(new.subject)
    stopped, told = analyser.stems(new.object or ""), analyser.stems(known.object or "")
    return "opposite" if asked and stopped and set(stopped) <= set(told) else None


def _of_taking_back(new: Statement, known: Statement, analyser: Analyser) -> End | None:
    """An instruction ends by "forget the spelling rule" where one names all that the other does."""
    if not (known.relation or "").startswith(_INSTRUCTS) or plain(known.subject) != plain(new.subject):
        return None
    back, value = set(analyser.stems(new.object or "")), set(analyser.stems(known.object or ""))
    whole = value | set(analyser.stems(known.relation or ""))
    named = {stem for word in _ALSO_NAMED for stem in analyser.stems(word)}
    whole_value = bool(value) and value <= back <= whole | named
    part = new.relation == _TAKEN_BACK and bool(back - named) and back - named <= whole
    return "opposite" if back and (part or whole_value) else None


def _of_loss(new: Statement, known: Statement, analyser: Analyser) -> End | None:
    """What is known of whoever of the speaker's has the name of somebody who died, or is known to be them."""
    del analyser
    gone = plain(new.object or "")
    mourner, _, noun = new.subject.partition("'s ")
    owner, _, whose = known.subject.rpartition("'s ")
    if bool(whose) and plain(owner) == plain(mourner):
        if known.relation == "is named":
            named = plain(known.object or "")
            return "opposite" if named == gone else "partly" if set(gone) < set(named) else None
        if _is_timeless(known.relation or ""):
            return None
        name = _name_behind(known)
        if not name and whose == noun:
            return "partly" if noun in _SEVERAL else "opposite"
        return "opposite" if name == gone else None
    if plain(known.subject) != plain(mourner):
        return None
    had = plain(known.object or "")
    if known.relation not in _WITH_SOMEBODY:
        cared_for = had[:1] == gone and family_of(known.relation or "", known.object) in _CARES
        return "opposite" if cared_for else None
    if _named_in(had) == gone:
        return "opposite"
    return "partly" if gone[0] in had and gone[0].title() in (known.object or "") else None


def _of_leaving(new: Statement, known: Statement, analyser: Analyser) -> End | None:
    place, family = phrase_of(new.object, analyser).words, family_of(known.relation or "", known.object)
    if plain(new.subject) != plain(known.subject) or not place:
        return None
    places = _places_in(sentence_of(known.text, known.subject, analyser).words)
    if place in places:
        studies = not _STUDENTS.isdisjoint(phrase_of(known.object, analyser).words)
        return "opposite" if family in _EMPLOYED and not studies else _may(family)
    return _may(family) if any(one[-len(place) :] == place for one in places) else None


def _may(family: str) -> End | None:
    return "partly" if family in _MAY_LEAVE | _EMPLOYED else None


def _places_in(words: Sequence[str]) -> set[tuple[str, ...]]:
    """What stands behind words such as "at", each up to the next of them, and up to the end."""
    marks = [place for place, word in enumerate(words) if word in _BEFORE_PLACES]
    bounds = pairwise([*marks, len(words)])
    parts = {tuple(words[mark + 1 : end]) for mark, end in bounds}
    return (parts | {tuple(words[mark + 1 :]) for mark in marks}) - {()}


def _of_parting(new: Statement, known: Statement, analyser: Analyser) -> End | None:
    who = phrase_of(new.object, analyser).words
    noun = who[0] if who and who[0] in PARTNERS else ""
    name = frozenset(who[1:] if noun else who)
    noun = "" if noun == "partner" else noun
    owner, _, kin = known.subject.rpartition("'s ")
    if owner and plain(owner) == plain(new.subject):
        named = plain(known.object or "") if known.relation == "is named" else _name_behind(known)
        meant = kin in PARTNERS and bool(named) and noun in {"", kin}
        return "opposite" if meant and name <= set(named) else None
    if plain(known.subject) != plain(new.subject):
        return None
    words = phrase_of(known.object, analyser).words
    return _of_couple(known, words, noun=noun, name=name)


def _of_couple(known: Statement, words: tuple[str, ...], *, noun: str, name: frozenset[str]) -> End | None:
    """Of what is said of the speaker and somebody, by the words of the known object."""
    told = frozenset(words)
    sure: End = "opposite"
    match known.relation:
        case "has" if not told.isdisjoint(PARTNERS) and (not noun or noun in told):
            named = not _NAMING.isdisjoint(told)
        case "lives with" if told.isdisjoint(PARTNERS):
            if not (known.object or "")[:1].isupper():
                return None
            named, sure = True, "opposite" if name else "partly"
        case "lives with":
            named = (known.object or "").split()[-1].istitle()
        case "is dating":
            named = not _NAMING.isdisjoint(told) or (known.object or "")[:1].isupper()
        case "has marital status" if words[:1] in {("engaged",), ("married",)}:
            named, sure = "to" in told, "opposite" if words[0] == "engaged" else "partly"
        case "is married to":
            named, sure = True, "partly"
        case _:
            return None
    if name <= told:
        return sure
    return None if named else "partly"


def _of_sale(new: Statement, known: Statement, analyser: Analyser) -> End | None:
    if plain(known.subject) != plain(new.subject) or known.relation not in _OWNED:
        return None
    return _of_thing(phrase_of(known.object, analyser), phrase_of(new.object, analyser))


def _of_thing(known: Phrase, gone: Phrase) -> End | None:
    """Whether what is known to be had is gone; the words for it may tell less than is known."""
    if same(known, gone):
        return "opposite"
    match extra(known, gone):
        case "detail" | "kind":
            return "opposite"
        case "tail" if gone.named or known.words[len(gone.words)] in _TELLING_MORE:
            return "opposite"
        case "place" if known.head[-len(gone.words) :] == gone.words:
            return "opposite"
        case "list":
            return "partly"
    return None


def _of_death(new: Statement, known: Statement, analyser: Analyser) -> End | None:
    owner, _, who = new.subject.rpartition("'s ")
    noun = (who.split() or [""])[-1].casefold()
    ours = _name_behind(new)
    if not owner or not noun or _is_another(who, known.text):
        return None
    if plain(known.subject) == plain(new.subject):
        theirs = _name_behind(known)
        if _is_timeless(known.relation or "") or (ours and theirs and ours != theirs):
            return None
        return "opposite" if noun in ONLY_ONES or noun not in _SEVERAL or (ours and theirs) else "partly"
    if plain(known.subject) != plain(owner) or known.relation != "has":
        return None
    had, gone = phrase_of(known.object, analyser), phrase_of(noun, analyser)
    theirs = _named_in(had.words)
    if ours and theirs and ours != theirs:
        return None
    found = _of_thing(had, gone)
    if found is None:
        return "partly" if noun not in had.words and set(gone.stems) <= set(had.stems) else None
    return found if noun not in _SEVERAL or (ours and theirs) else "partly"


def _is_another(who: str, known: str) -> bool:
    """Whether who died was one of before, of whom the known text does not speak: "my first dog"."""
    which = _EARLIER.search(who.casefold())
    return which is not None and which.group() not in known.casefold()


def _is_timeless(relation: str) -> bool:
    """Whether a relation stays true of the dead."""
    first = relation.partition(" ")[0]
    return first in {"was", "grew", "comes", "died", "passed"} or relation == "is named"


def _name_behind(one: Statement) -> tuple[str, ...]:
    """The name behind the subject of a sentence: "Rex" in "Ada's dog Rex died."."""
    words = one.text.removeprefix(one.subject).split()
    return plain(words[0]) if words and words[0][:1].isupper() else ()


def _named_in(words: tuple[str, ...]) -> tuple[str, ...]:
    """The first word of the name in "a dog named Rex"."""
    return next((words[place + 1 : place + 2] for place, word in enumerate(words) if word in _NAMING), ())


def _of_graduation(new: Statement, known: Statement, analyser: Analyser) -> End | None:
    if plain(known.subject) != plain(new.subject) or new.begins < known.last_said:
        return None
    family = (known.relation or "").split(" ")[0]
    words = sentence_of(known.text, known.subject, analyser).words
    student = family in {"works", "is"} and not _STUDENTS.isdisjoint(words)
    goes = known.relation == "goes to" and not _SCHOOLS.isdisjoint(words)
    attends = family in _STUDYING or known.relation in {"is studying", "goes to"}
    if not student and not attends:
        return None
    of = phrase_of(new.object, analyser).words
    of = of if new.relation == "graduated from" or not _SCHOOLS.isdisjoint(of) else ()
    places = _places_in(words)
    if of in places or (of and family == "attends" and words[-len(of) :] == of):
        return "opposite"
    if of:
        return _of_school(of, words, known_place=bool(places))
    return "opposite" if student or goes or (places and family != "goes") else _without_place(known)


def _of_school(of: tuple[str, ...], words: Sequence[str], *, known_place: bool) -> End | None:
    """Of a school that is not named with what is known: "high school", "college", "MIT"."""
    if "high" in of:
        return "opposite" if "high" in words and "school" in words else None
    return None if known_place else "partly"


def _without_place(known: Statement) -> End | None:
    """Who studies something somewhere may do so for a degree, or for fun."""
    return None if known.relation == "goes to" else "partly"


def _nested(one: Phrase, other: Phrase) -> bool:
    return set(one.stems) <= set(other.stems) or set(other.stems) <= set(one.stems)


_RULES: Final[Mapping[str, Rule]] = {
    _LEFT: _of_leaving,
    _PARTED: _of_parting,
    _STOPPED: _of_stopping,
    _TAKEN_BACK: _of_taking_back,
    _ALL_TAKEN_BACK: _of_taking_back,
    MOURNS: _of_loss,
    CHANGED: end_by_change,
    CORRECTED: end_by_correction,
}
"""By the relations of what ends something."""
