"""What a new statement is to a known one, by words alone: the same, finer, opposite, or nothing.

Without knowledge of the world a city and its country, or a dog and a poodle, have nothing in common. Two
small tables help where chats turn on it: verbs of taste and of skill, which may say the same of one thing
in different words, and what is part of what in programming.
"""

from typing import Final, Literal, NamedTuple

from recollect.learning.reconcile.endings import end_of, ended_later
from recollect.learning.reconcile.exclusions import excludes
from recollect.learning.reconcile.phrases import (
    Phrase,
    counts_differ,
    extra,
    phrase_of,
    plain,
    same,
    sentence_of,
    share_head,
)
from recollect.learning.reconcile.relations import (
    Relation,
    denies_all,
    family_of,
    relation_of,
    tool_name,
    wholes_of,
)
from recollect.learning.reconcile.statements import Statement
from recollect.learning.reconcile.whose import are_one
from recollect.text.analyse import Analyser

Bearing = Literal[
    "same", "coarser", "wider", "finer", "opposite", "partly", "other", "alike", "choice", "akin", "excluded"
]
"""What the new statement is to the known one:

- ``same``: it says the same.
- ``coarser``: it says less, and follows from the known one: "lives in Berlin" from "lives in Berlin-Mitte".
- ``wider``: it says less, and does not follow: "likes coffee" from "likes coffee with milk".
- ``finer``: it says the same and more.
- ``opposite``: both cannot hold.
- ``partly``: it denies a part of what is known.
- ``other``: another value of a relation that has one at a time.
- ``alike``: another preference, of the same kind of thing: "prefers aisle seats", "prefers window seats".
- ``choice``: another preference, of what may be another kind of thing.
- ``excluded``: one leaves out a kind of food, of which the other likes some.
- ``akin``: of the same kind of thing, and no preference: "has a white cat", "has a black cat".
"""

_CONTENT_WORDS: Final = 2
"""Words that a sentence must hold before another can say more than it: "plays" alone is too little."""


class _Objects(NamedTuple):
    """The objects of the new and of the known statement, and whether the finer says the coarser as well."""

    new: Phrase
    known: Phrase
    entails: bool = False


def bearing_of(new: Statement, known: Statement, *, analyser: Analyser) -> Bearing | None:
    """What a new statement is to a known one, whenever they were said; None when nothing.

    Statements about different subjects are nothing to each other, but that who dies is nobody's any more. The
    same sentence is the same statement, also where one was imported and its subject is not known.
    """
    ended = end_of(new, known, analyser=analyser) or ended_later(new, known, analyser=analyser)
    if ended is not None:
        return ended
    if not are_one(new, known):
        return "same" if _same_text(new, known) else None
    if new.relation is None or known.relation is None:
        return _by_words(new, known, analyser)
    if excludes(new, known):
        return "excluded"
    ours, theirs = relation_of(new.relation, analyser), relation_of(known.relation, analyser)
    objects = _Objects(phrase_of(new.object, analyser), phrase_of(known.object, analyser))
    if ours.stems == theirs.stems:
        return _of_one_relation(new, known, objects, analyser=analyser)
    if _denies_family(new, known) or _denies_family(known, new):
        return "opposite"
    if ours.taste and theirs.taste:
        return _of_taste(_felt(ours, new), _felt(theirs, known), objects)
    if ours.level is not None and theirs.level is not None:
        return _of_skill((ours.level, new.negated), (theirs.level, known.negated), objects)
    return "same" if _same_text(new, known) else None


def _denies_family(one: Statement, other: Statement) -> bool:
    """Whether one says that nothing of the kind holds: "quit their job" against "works at Siemens"."""
    family = denies_all(one.relation or "", one.object, negated=one.negated)
    stated = family is not None and not other.negated
    denied = denies_all(other.relation or "", other.object, negated=other.negated)
    return stated and denied is None and family == family_of(other.relation or "", other.object)


def _felt(relation: Relation, statement: Statement) -> int:
    """-2 to 2: "does not like" dislikes a little; "does not hate" says nothing, 0."""
    if not statement.negated:
        return relation.taste
    return -1 if relation.taste > 0 else 0


def _same_text(new: Statement, known: Statement) -> bool:
    alike = new.negated == known.negated and new.past == known.past
    return alike and plain(new.text) == plain(known.text)


def _of_one_relation(
    new: Statement, known: Statement, objects: _Objects, *, analyser: Analyser
) -> Bearing | None:
    relation = relation_of(new.relation or "", analyser)
    single = new.single_valued and known.single_valued
    objects = objects._replace(entails=single or relation.level is not None)
    if new.negated != known.negated:
        return _denial(objects, new_denies=new.negated)
    if same(objects.new, objects.known):
        return "finer" if _told_more(new, known, analyser) else "same"
    if relation.chooses and _same_choice(objects.new, objects.known):
        return "same"
    if new.negated:
        return None
    nested = _nested(objects)
    if nested is not None or single:
        return nested or "other"
    return _of_values(objects, relation, analyser)


def _of_values(objects: _Objects, relation: Relation, analyser: Analyser) -> Bearing | None:
    """Of two different values of a relation that may have many."""
    new, known, _ = objects
    if counts_differ(new, known) or (relation.chooses and _swapped(new, known)):
        return "opposite"
    if relation.level is not None and tool_name(known) in wholes_of(new):
        return "finer"
    if wholes_of(new) & wholes_of(known) or share_head(new, known, analyser):
        return "alike" if relation.chooses else "akin"
    return "choice" if relation.chooses else None


def _told_more(new: Statement, known: Statement, analyser: Analyser) -> bool:
    """Whether the sentence of the new one holds all words of the known one's, and some that it lacks."""
    if new.past or known.past:
        return False
    ours = sentence_of(new.text, new.subject, analyser)
    theirs = sentence_of(known.text, known.subject, analyser)
    return frozenset(theirs.stems) < frozenset(ours.stems) and not same(ours, theirs)


def _nested(objects: _Objects) -> Bearing | None:
    """Finer, coarser or wider, where one phrase holds the other."""
    if _holds(objects.new, objects.known, objects):
        return "finer"
    if not _holds(objects.known, objects.new, objects):
        return None
    return "coarser" if objects.entails else "wider"


def _holds(longer: Phrase, shorter: Phrase, objects: _Objects) -> bool:
    """Whether one phrase says the other and more, for what is said of them."""
    more = extra(longer, shorter)
    if more is None or objects.entails:
        return more is not None
    return more != "place" and (more != "tail" or shorter.named)


def _denial(objects: _Objects, *, new_denies: bool) -> Bearing | None:
    """Who denies the general denies the particular, and not the other way round."""
    new, known, entails = objects
    denied, said = (new, known) if new_denies else (known, new)
    if same(denied, said):
        return "opposite"
    match extra(said, denied):
        case "detail" | "kind":
            return "opposite"
        case "tail" | "place" if entails:
            return "opposite"
        case "tail" if denied.named:
            return "opposite"
        case "list":
            return "partly"
    return None


def _of_taste(new: int, known: int, objects: _Objects) -> Bearing | None:
    if not new or not known:
        return None
    if (new < 0) != (known < 0):
        return _denial(objects, new_denies=new < 0)
    if same(objects.new, objects.known):
        return "finer" if abs(new) > abs(known) else "same"
    return _nested(objects) if new > 0 else None


def _of_skill(new: tuple[int, bool], known: tuple[int, bool], objects: _Objects) -> Bearing | None:
    """Of two skills, each with its level and whether it is denied."""
    (ours, we_deny), (theirs, they_deny) = new, known
    alike = same(objects.new, objects.known)
    if we_deny or they_deny:
        level, denied_level = (theirs, ours) if we_deny else (ours, theirs)
        clash = alike and we_deny != they_deny and level > 0 and not denied_level
        return "opposite" if clash else None
    if not alike:
        return _of_parts(objects) if not theirs else None
    if ours * theirs < 0:
        return "opposite"
    if 0 in (ours, theirs):
        ours, theirs = abs(ours), abs(theirs)
    return "finer" if ours > theirs else "coarser" if ours < theirs else "same"


def _of_parts(objects: _Objects) -> Bearing | None:
    """A skill in something that belongs to what is known: finer."""
    part = tool_name(objects.known) in wholes_of(objects.new)
    return "finer" if part or extra(objects.new, objects.known) is not None else None


def _swapped(one: Phrase, other: Phrase) -> bool:
    """Whether two preferences put two things in opposite orders, for the same purpose."""
    ours, theirs = _choice(one), _choice(other)
    if ours is None:
        return theirs is not None and one.words == theirs[1] and not theirs[2]
    if theirs is None:
        return other.words == ours[1] and not ours[2]
    return (ours[0], ours[1], ours[2]) == (theirs[1], theirs[0], theirs[2])


def _same_choice(one: Phrase, other: Phrase) -> bool:
    """Whether two preferences are the same in other words: "tea to coffee", "tea over coffee"."""
    ours = _choice(one)
    return ours is not None and ours == _choice(other)


def _choice(phrase: Phrase) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]] | None:
    """What is chosen, what is not, and for what: "Python", "Java", "for data analysis"."""
    words = phrase.words
    for marker in (("over",), ("to",), ("rather", "than"), ("instead", "of")):
        for place in range(1, len(words) - len(marker)):
            if words[place : place + len(marker)] == marker:
                behind = words[place + len(marker) :]
                end = behind.index("for") if "for" in behind else len(behind)
                return words[:place], behind[:end], behind[end:]
    return None


def _by_words(new: Statement, known: Statement, analyser: Analyser) -> Bearing | None:
    """By their sentences, where no relation was made out of one of them."""
    one = sentence_of(new.text, new.subject, analyser)
    other = sentence_of(known.text, known.subject, analyser)
    ours, theirs = _denies(new, one), _denies(known, other)
    if ours != theirs:
        return _denial(_Objects(one, other), new_denies=ours)
    if same(one, other):
        return "same"
    if ours or min(len(one.words), len(other.words)) < _CONTENT_WORDS:
        return None
    if _swapped(one, other) or counts_differ(one, other):
        return "opposite"
    return _nested(_Objects(one, other))


def _denies(statement: Statement, sentence: Phrase) -> bool:
    return statement.negated or (statement.relation is None and sentence.denied)
