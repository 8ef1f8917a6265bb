"""What "my ..." names: "my name is Ada", "my favourite band is ABBA", "Dune is my favourite book"."""

import re
from collections.abc import Sequence
from typing import Final, cast

from recollect.learning.extraction.clauses import Clause
from recollect.learning.extraction.facts import ASKED, EXPLICIT, HEDGED, Category, Fact
from recollect.learning.extraction.guards import NOW, ONCE
from recollect.learning.extraction.leads import Lead
from recollect.learning.extraction.lists import end_of_list
from recollect.learning.extraction.objects import object_end, points, says_something
from recollect.learning.extraction.people import RELATIVES, is_identity
from recollect.learning.extraction.subjects import Subject, kind_of, named_at, subject_of
from recollect.learning.extraction.wording import SaidWords, fact_of, in_third_person, shown_owner
from recollect.learning.listing import any_of, listed
from recollect.text.entities.kinds import Kind
from recollect.text.entities.kinds import kind_of as kind_of_word
from recollect.types.regex import lazy_regex

_FAVOURITE: Final = "(?:least |second |all time |all-time |absolute |current )?(?:favou?rite|preferred)"
_ONE: Final = {
    "context": any_of(
        r"""
        (?:last|family|middle|maiden|birth|stage|pen|artist) name | surname | nick ?name | age | birthday
        | bday | date of birth | birth date | (?:wedding )?anniversary | pronouns | gender
        | (?:home |postal )?address | postcode | zip code | email(?: address)? | website | home ?town
        | nationality | citizenship | religion | faith | time ?zone | blood (?:type|group) | height | weight
        | (?:shoe|dress|ring|shirt|clothing|jacket|trouser) size | star sign | zodiac(?: sign)?
        | (?:(?:day|current|main|full[- ]time) )?job(?: title)? | profession | occupation | career
        | employer | major | minor | salary | rent | gamertag
        | user ?name(?: (?:for|on|at) (?:the |my )?\S+(?: \S+)?)? | handle | background | role
        | field
        | sexuality | (?:github|twitter|instagram|discord|reddit|steam) (?:handle|username|name|id|account)
        | mbti(?: type)? | personality type | skin type | hair colou?r | eye colou?r | native country
        | home country | country of origin | marital status
        """
    ),
    "skill": any_of("(?:native|first|second|third|mother) (?:language|tongue)"),
    "knowledge": any_of(
        """
        (?:text |code |main )?editor | (?:main )?ide | operating system | os | browser | distro | shell
        | (?:tech )?stack
        """
    ),
    "preference": any_of("(?:football |soccer |home )?team | club"),
    "general": any_of("commute"),
    "place": any_of(
        """
        university | uni | college | school | gym | bank | pharmacy | supermarket | network | provider
        | airline
        """
    ),
    "plan": any_of("budget"),
}
"""What there is one of at a time, by category."""
_MANY: Final = {
    "preference": any_of(
        r"""
        hobby | hobbies | passion | pet peeve | guilty pleasure | comfort food | go-to \S+ | interests?
        | thing
        """
    ),
    "general": any_of(
        """
        (?:main |biggest |ultimate |long-term |life )?(?:goal|dream|ambition) | dream job
        | (?:biggest )?(?:fear|phobia) | weakness | addiction | diet
        """
    ),
    "skill": any_of("special(?:i)?ty | speciali[sz]ation | superpower | strength | (?:main )?instrument"),
    "context": any_of("allerg(?:y|ies) | research(?: area)?"),
}
"""What there may be several of."""
_NAMES: Final = "(?P<name>(?:full |first |given |real |legal )?name)"
_ATTRIBUTE: Final = lazy_regex(
    r"(?:my|our) (?:own |current |new )*(?:(?P<owner>[\w-]+)'s )?(?P<label>"
    rf"(?P<favourite>{_FAVOURITE}(?: (?!is\b|are\b|was\b|were\b|has\b|used\b|will\b|would\b)\S+){{0,4}})"
    rf"|{_NAMES}|"
    + "|".join(f"(?P<one_{kind}>{pattern})" for kind, pattern in _ONE.items())
    + "|"
    + "|".join(f"(?P<many_{kind}>{pattern})" for kind, pattern in _MANY.items())
    + r")(?P<verb>(?: (?:really|actually|now|currently|also|still|always|probably|just|definitely"
    r"|would have to|has to|has|is|are|was|were|been|used to|be|not|will|called))+) "
)
_VERB: Final = lazy_regex(r"\b(?:is|are|was|were|be|been)\b")
_NO_VALUE: Final = listed(
    """
    better worse great good nice bad fine ok okay growing getting going coming approaching done over
    dead gone important due hard easy full amazing awesome so very really too pretty quite always never
    killing still up out on off simple broken ready here there where when tight running finally not slow
    fast like super in spelled spelt pronounced
    """
)
_TRADES: Final = ("job", "profession", "occupation", "career", "role", "job title")
_PARTS_OF_ADDRESS: Final = 3
_NO_ALLERGEN: Final = listed("a an the my your his her our their basically kind sort like such so getting")
_ON_A_DAY: Final = lazy_regex(
    r"(?:on|in) (?:the )?(?:\d|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w*\b)"
)
_INVERTED: Final = lazy_regex(
    r"(?P<value>(?!(?:what|that|this|it|which|who|these|those|he|she|they|one|i|my"
    r"|there)\b)\S+(?: \S+){0,5}?) (?:is|are|has always been)(?P<no> not)? (?:(?:probably|definitely|still"
    r"|by far|hands down) )*my (?:all-time |all time |absolute )*(?P<label>favou?rites?(?: \S+){0,4}"
    r"|go-to(?: \S+){0,2}|bank|gp|dentist|vet|emergency contact|next of kin|landlord|landlady|(?:first"
    r"|second|third|native|mother) (?:language|tongue)|home ?town|hobby"
    r"|passion)$"
)


def attribute_of(clause: Clause, lead: Lead, rest: Sequence[Clause], speaker: str) -> Fact | None:
    """What "my ... is ..." says; None where that is nothing lasting.

    ``rest``: the clauses behind it, which may go on with a list.
    """
    known = _known_owner(clause, lead.start)
    if not known and "my" not in clause.words and "our" not in clause.words:
        return None
    offset = _offset(clause, lead.start)
    read = clause.read if not known else f"{clause.read[:offset]}my {clause.read[offset:].partition(' ')[2]}"
    match = _ATTRIBUTE.match(read, offset)
    if match is None:
        return _inverted(clause, lead, speaker, offset)
    if _VERB.search(match["verb"]) is None or match["owner"] not in {None, *RELATIVES}:
        return None
    start = read.count(" ", 0, match.end())
    end = object_end(clause.words, start)
    used = "used to" in match["verb"]
    past = used or re.search(r"\b(?:was|were)\b", match["verb"]) is not None
    if not _is_value(clause, start, end, match) or (past and not used and not ONCE.search(clause.read)):
        return None
    last = end_of_list(clause, end, rest)
    last = _end_of_address(rest, last) if match["label"].endswith("address") and not past else last
    value = clause.text[clause.tokens[start].start : last]
    return _fact(clause, lead, speaker, match, (start, value), past=past, owner=known or match["owner"] or "")


def _end_of_address(rest: Sequence[Clause], end: int) -> int:
    """Where a postal address ends that goes on behind commas: "3/2, 118 Whitehill Street, Glasgow"."""
    for clause in rest[:_PARTS_OF_ADDRESS]:
        words = clause.raw(0, len(clause.words)).split()
        capitals = any(word[:1].isupper() for word in words)
        if clause.link != "," or not capitals or not (words[0][:1].isupper() or words[0][:1].isdigit()):
            break
        if not {"i", "we", "my", "is", "am"}.isdisjoint(clause.words) or clause.tokens[0].start < end:
            break
        end = clause.tokens[-1].end
    return end


def _known_owner(clause: Clause, start: int) -> str:
    """Who has what the clause begins with, told of before by one name: "Caitlin's birthday"."""
    name, behind = named_at(clause, start)
    return name if behind == start + 1 and clause.words[start].endswith("'s") else ""


_CALLED: Final = lazy_regex(
    r"(?:please |just |always |from now on |you can |you may |(?P<others>(?:all )?my (?:friends|family|team"
    r"|mates|colleagues|kids|grandkids"
    r"|grandchildren|nieces|students|pupils)|people|everyone|everybody|they)(?: all)? )*calls? me"
    r" (?P<name>(?:(?:mrs|mr|ms|miss|dr|doctor|aunt|uncle) )?\S+)(?P<end> from now on)?$"
)
_NOT_CALLED: Final = listed(
    "back later crazy when if tomorrow today tonight at now a old lazy that names anytime again soon"
)


def called_in(clause: Clause, lead: Lead, speaker: str) -> Fact | None:
    """What somebody is called: "call me Max", "my friends call me Teddy", "my son wants to be called Leo".

    None without such words.
    """
    if "called" in clause.words and (other := _other_called(clause, lead, speaker)):
        return other
    match = _CALLED.match(clause.read, _offset(clause, lead.start)) if "me" in clause.words else None
    if match is None or match["name"] in _NOT_CALLED:
        return None
    last = len(clause.words) - (3 if match["end"] else 0)
    name = clause.raw(last - 1 - match["name"].count(" "), last)
    others = match["others"] is not None
    said = SaidWords(
        relation="is called",
        object=name,
        said=f"is called {name}" if others else f"wants to be called {name}",
        category="context" if others else "instruction",
        confidence=EXPLICIT,
        quote=clause.raw(lead.start, last),
        single=True,
        change=None if others else "begun",
    )
    return fact_of(speaker, Subject("", "self", "", lead.start, last), said)


_WANTS_NAME: Final = lazy_regex(r"(?:now )?(?:wants|likes|prefers|asked) to be called (?P<name>\S+)")


def _other_called(clause: Clause, lead: Lead, speaker: str) -> Fact | None:
    """What somebody of the speaker's wants to be called."""
    subject = subject_of(clause, lead.start)
    if subject is None or subject.pronoun or subject.kind not in {"person", "pet"}:
        return None
    match = _WANTS_NAME.match(clause.read, _offset(clause, subject.behind))
    if match is None or match["name"] in _NOT_CALLED:
        return None
    place = clause.read.count(" ", 0, match.start("name"))
    name = clause.raw(place, place + 1)
    said = SaidWords(
        relation="is called",
        object=name,
        said=f"wants to be called {name}",
        category="context",
        confidence=EXPLICIT,
        quote=clause.raw(subject.start, place + 1),
        single=True,
        change="begun",
    )
    return fact_of(speaker, subject, said)


def introduced_in(clause: Clause, lead: Lead, speaker: str) -> Fact | None:
    """The name of who says "Hi, Tomas here"; None without such words."""
    start, end = lead.start, len(clause.words)
    name = clause.raw(start, start + 1)
    here = clause.words[start + 1 :] in (["here"], ["here", "again"])
    kind = kind_of_word(name) if here and name[:1].isupper() else Kind.FUNCTION
    greeted = kind is Kind.UNKNOWN and clause.link == "," and not is_identity(name.lower())
    if not (greeted or kind is Kind.KNOWN):
        return None
    said = SaidWords(
        relation="is named",
        object=name,
        said=f"is named {name}",
        category="context",
        confidence=EXPLICIT,
        quote=clause.raw(start, end),
        single=True,
    )
    return fact_of(speaker, Subject("", "self", "", start, end), said)


def _offset(clause: Clause, place: int) -> int:
    """Where the word at a place begins in what is read."""
    return sum(len(word) + 1 for word in clause.words[:place])


def _group(match: re.Match[str]) -> str:
    return next(name for name, found in match.groupdict().items() if found and name not in _PARTS)


_PARTS: Final = frozenset(["owner", "label", "verb"])


def _is_value(clause: Clause, start: int, end: int, match: re.Match[str]) -> bool:
    words, group = clause.words[start:end], _group(match)
    if not words or points(words) or not (says_something(words) or group == "name"):
        return False
    if group == "name" and kind_of(match["owner"] or "me") != "pet" and not _may_be_name(clause, start, end):
        return False
    said = " ".join(words)
    if group == "favourite" or _ON_A_DAY.match(said):
        return words[0] not in {"hard", "difficult", "impossible"}
    if match["label"].startswith("allerg") and words[0] in _NO_ALLERGEN:
        return False
    if match["label"].endswith(_TRADES):
        return words[0] in {"a", "an", "the"} or words[0].endswith("ing") or is_identity(words[-1])
    if group in {"one_preference", "one_place"}:
        return clause.raw(start, start + 1)[:1].isupper()
    plain = words[0] not in _NO_VALUE and not NOW.search(said)
    return plain and not (len(words) == 1 and words[0].endswith(("ed", "ing")))


def _may_be_name(clause: Clause, start: int, end: int) -> bool:
    """Whether a name may be written so.

    In small letters it is no common word, and where its clause has capitals it is a known one: "My name is
    mud" is none.
    """
    if not all(clause.text[token.start].islower() for token in clause.tokens[start:end]):
        return True
    kind = kind_of_word(clause.raw(start, start + 1).title())
    capitals = any(clause.text[token.start].isupper() and token.low != "i" for token in clause.tokens)
    return kind in {Kind.KNOWN, Kind.BOTH} or (not capitals and kind > Kind.BOTH)


def _fact(
    clause: Clause,
    lead: Lead,
    speaker: str,
    match: re.Match[str],
    found: tuple[int, str],
    *,
    past: bool,
    owner: str,
) -> Fact:
    start, value = found
    group = _group(match)
    kind = kind_of(clause.people.get(owner, owner)) if owner else "self"
    subject = Subject(owner, kind, "", lead.start, start)
    negated, denied = re.search(r"\bnot\b", match["verb"]) is not None, _denied(match, past=past)
    named = group == "name"
    first = match.string.count(" ", 0, match.start("label"))
    label = clause.raw(first, first + match["label"].count(" ") + 1)
    label = label.removesuffix("'s")
    if not clause.text[: clause.tokens[first].start].strip():  # "Rent is 900"
        label = label[:1].lower() + label[1:]
    allergic = match["label"] == "allergy" and value.startswith("to ")  # "Frida's allergy is to walnuts"
    kind_of_value = "named " if named else "allergic " if allergic else ""
    said = SaidWords(
        relation="is named" if named else "is allergic to" if allergic else _relation(match["label"]),
        object=value.removeprefix("to ") if allergic else value,
        said=f"{denied} {kind_of_value}{value}",
        category=_category(group),
        confidence=_confidence(lead),
        quote=clause.text[clause.tokens[lead.start].start : clause.tokens[start].start + len(value)],
        single=not group.startswith("many_"),
        negated=negated,
        past=past,
        change="ended" if past else "corrected" if lead.corrects else None,
        whole="" if kind_of_value else _labelled(speaker, subject, f"{label} {denied} {value}"),
    )
    return fact_of(speaker, subject, said)


def _denied(match: re.Match[str], *, past: bool) -> str:
    """The form of "to be" that joins a label and its value, with its "not"."""
    plural = re.search(r"\b(?:are|were)\b", match["verb"]) is not None
    verb = ("were" if plural else "was") if past else ("are" if plural else "is")
    return f"{verb} not" if re.search(r"\bnot\b", match["verb"]) else verb


def _labelled(speaker: str, subject: Subject, said: str) -> str:
    """A sentence with a label: "Ada's favourite colour is green"."""
    return f"{shown_owner(speaker, subject)}'s {' '.join(in_third_person(said, speaker, subject).split())}"


def _confidence(lead: Lead) -> float:
    if lead.hedged:
        return HEDGED
    return ASKED if lead.asked else EXPLICIT


def _relation(label: str) -> str:
    """A label without what changes nothing, in one spelling."""
    plain = re.sub("^(?:all[- ]time |absolute |current )", "", label)
    return plain.replace("favorite", "favourite")


def _category(group: str) -> Category:
    if group in {"favourite", "name"}:
        return "preference" if group == "favourite" else "context"
    kind = group.partition("_")[2]
    return "general" if kind == "place" else cast(Category, kind)


def _inverted(clause: Clause, lead: Lead, speaker: str, offset: int) -> Fact | None:
    """What stands before its label: "Dune is my favourite book"."""
    match = _INVERTED.match(clause.read, offset)
    if match is None:
        return None
    words = match["value"].split()
    if points(words) or not says_something(words):
        return None
    subject = Subject("", "self", "", lead.start, lead.start)
    value = clause.raw(lead.start, lead.start + len(words))
    verb = f"is{match['no'] or ''}"
    said = SaidWords(
        relation=_relation(match["label"]),
        object=value,
        said="",
        category="skill" if match["label"].endswith(("language", "tongue")) else "preference",
        confidence=_confidence(lead),
        quote=clause.raw(lead.start, len(clause.words)),
        single=True,
        negated=match["no"] is not None,
        whole=_labelled(speaker, subject, f"{match['label']} {verb} {value}"),
    )
    return fact_of(speaker, subject, said)
