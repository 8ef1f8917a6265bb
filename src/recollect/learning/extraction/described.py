"""What "my ..." is, whatever it may be: "my road bike is a Trek", "our backend is in PHP".

Labels that are known are read in ``attributes.py``. Of others the value must be a name, a number or a place
by name; what passes ("my train is the 7:12") and talk ("my point is ...") is left alone.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from recollect.learning.extraction.clauses import Clause
from recollect.learning.extraction.facts import HEDGED, Fact
from recollect.learning.extraction.guards import NOW
from recollect.learning.extraction.leads import Lead
from recollect.learning.extraction.lists import end_of_list
from recollect.learning.extraction.objects import object_end, points
from recollect.learning.extraction.people import RELATIVES
from recollect.learning.extraction.subjects import SELF, Subject, kind_of
from recollect.learning.extraction.telling import sureness
from recollect.learning.extraction.things import FLEETING
from recollect.learning.extraction.wording import SaidWords, fact_of, in_third_person, shown_owner
from recollect.learning.listing import DAY, MONTH, listed
from recollect.text.entities.kinds import Kind
from recollect.text.entities.kinds import kind_of as kind_of_word
from recollect.types.regex import lazy_regex

_DESCRIBED: Final = lazy_regex(
    r"(?:(?:my|our) (?:(?P<owner>[\w-]+)'s )?"
    r"|(?P<named>[\w-]+)'s (?=(?:\w+ )?(?:teacher|nursery|school|dentist|tutor|birthday|childminder"
    r"|vet) ))(?P<label>(?:(?!to\b|i\b|we\b|you\b|and\b)[\w'+-]+ ){0,3}?[\w+-]+"
    r"(?: (?:for|in|of|at) (?:the |my |an? )?(?:new )?[\w-]+)?)"
    r" (?:(?:still|now|currently|also|always|actually) )*(?P<verb>is|are) (?P<no>not )?"
    r"(?:(?:still|currently|also|always|only|just|actually) )*"
)
_NO_LABELS: Final = FLEETING | listed(
    """
    point guess understanding hope worry take view opinion advice answer response suggestion mistake fault bad
    apologies condolences heart mind mood evening morning afternoon pleasure comment screen love first last
    next best only favourite favorite favourites favorites destination departure city concern fear turn word
    words side part role experience take case focus
    aim intention progress coverage accuracy score request output input result results model prompt context
    fiance self hands eyes back head birthday anniversary wedding interview flight visit trip shift story
    character hero protagonist example ex response approach answer understanding was were had
    """
)
_UNSTEADY: Final = listed("personal favourite favorite next last first latest previous upcoming second final")
_BEFORE_VALUE: Final = listed(
    "a an the in with at from called named on about around roughly over nearly by near"
)
_NUMBER: Final = lazy_regex(r"[$\u20ac\u00a3]?\d")
_CLOCK: Final = lazy_regex(
    rf"(?:at |around |about |the )*\d{{1,2}}(?:[:.]\d\d)?(?: ?[ap]m|$)|.*\b(?:{DAY}|{MONTH})\b|\d+(?:st|nd"
    r"|rd|th)\b|\d+ ?%"
)


def described_in(clause: Clause, lead: Lead, rest: Sequence[Clause], speaker: str) -> Fact | None:
    """What a clause says of something of the speaker's that no other rule knows; None without a plain value.

    ``rest``: the clauses behind it, which may go on with a list.
    """
    if lead.likens or lead.denied:
        return None
    match = _DESCRIBED.match(clause.read, sum(len(word) + 1 for word in clause.words[: lead.start]))
    if (
        match is None
        or not _is_label(match["label"].split(), of_a_name=bool(match["named"]))
        or match["owner"] not in {None, *RELATIVES}
    ):
        return None
    name = clause.raw(lead.start, lead.start + 1)[:-2] if match["named"] else ""
    if match["named"] and not (name[:1].isupper() and kind_of_word(name) >= Kind.BOTH):
        return None
    start = clause.read.count(" ", 0, match.end())
    end = object_end(clause.words, start)
    if not _is_value(clause, start, end):
        return None
    owner = match["owner"] or ""
    subject = Subject(owner, kind_of(owner), "", 0, 0) if owner else SELF
    first = clause.read.count(" ", 0, match.start("label"))
    label = (
        clause.raw(first, first + match["label"].count(" ") + 1).removesuffix("'s").removesuffix("\u2019s")
    )
    value = clause.text[clause.tokens[start].start : end_of_list(clause, end, rest)]
    new = match["label"].startswith("new ")
    label = label.removeprefix("new ")
    verb = f"{match['verb']}{' not' if match['no'] else ''}"
    said = SaidWords(
        relation=f"{match['label'].removeprefix('new ')} is",
        object=value,
        said="",
        whole=in_third_person(
            f"{name or shown_owner(speaker, subject)}'s {label} {verb} {value}", speaker, subject
        ),
        category="general",
        confidence=HEDGED if lead.hedged else sureness("no rule"),
        quote=clause.text[clause.tokens[lead.start].start : clause.tokens[start].start + len(value)],
        single=True,
        negated=match["no"] is not None,
        change="begun" if new else None,
    )
    fact = fact_of(speaker, subject, said)
    return replace(fact, subject=name) if name else fact


def _is_label(words: list[str], *, of_a_name: bool) -> bool:
    return (
        _NO_LABELS.isdisjoint((words[-1], words[0]))
        and (of_a_name or words[-1] not in RELATIVES)
        and _UNSTEADY.isdisjoint(words)
        and not any(word.endswith("'s") for word in words)
    )


def _is_value(clause: Clause, start: int, end: int) -> bool:
    """Whether a value is a name, a number or a place by name."""
    words = clause.words[start:end]
    said = " ".join(words)
    if not words or "not" in words or points(words) or NOW.search(said) or _CLOCK.match(said):
        return False
    while start < end and clause.words[start] in _BEFORE_VALUE:
        start += 1
    value = clause.raw(start, start + 1)
    return start < end and (_NUMBER.match(value) is not None or (value[:1].isupper() and value != "I"))
