"""Sentences, and the clauses they are made of: where one ends and another begins, and what leads it in."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, NamedTuple

from recollect.learning.extraction.forms import PASTS, THIRDS
from recollect.learning.extraction.instruction_rules import DO
from recollect.learning.extraction.people import is_identity
from recollect.learning.extraction.tokens import WordToken
from recollect.learning.extraction.verbs import KNOWN
from recollect.learning.foods import FOODS
from recollect.learning.listing import DATED_MONTH, listed
from recollect.text.entities.vocabulary import NOUNS, VERBS
from recollect.types.regex import lazy_regex

MOST_WORDS: Final = 60
"""Words of a clause that are looked at; bounds the time of every pattern. Chosen by hand."""

_ENDS: Final = frozenset([".", "!", "?", "\u2026", "\n", "\u3002", "\uff01", "\uff1f", "\u203d"])
_QUESTION_MARKS: Final = frozenset(["?", "\uff1f", "\u203d"])
_AND: Final = listed("and or")
"""Words before which the full stop of a letter is that of an initial: "J. and R."."""
_TITLES: Final = listed(
    "dr mr mrs ms prof st vs approx incl excl e.g i.e etc no jan feb mar apr jun jul aug sep sept oct nov dec"
)
_INNER_SIGNS: Final = listed("& ' + # * _ $ % €")

_ALWAYS: Final = listed(
    """
    but because although though whereas unless if whenever whether however therefore otherwise when
    where who whose which whom wherever except hence
    """
)
_FILLERS: Final = listed("anyway well ok okay sure")
_BEFORE_SUBJECT: Final = listed("and so while since as until till before after then or yet plus once now")
_SUBJECTS: Final = listed(
    """
    i we my our he she they it you the there his her their this that these those its your someone
    everyone everybody nobody people what which how why where who mine ours
    """
)
ADVERBS: Final = listed(
    """
    also really still just always usually never ever often sometimes now currently actually mostly
    already mainly only rarely seldom generally typically normally occasionally frequently regularly
    basically definitely absolutely totally truly honestly simply quite pretty very personally both
    recently finally even kind of sort particularly especially certainly probably maybe perhaps
    apparently obviously clearly presently nowadays fully completely practically literally too so
    long-time officially originally unfortunately sadly luckily thankfully then primarily exclusively
    strictly largely professionally religiously secretly strongly deeply greatly dearly genuinely
    thoroughly hardly barely either almost technically traditionally routinely constantly permanently
    previously formerly once eventually newly freshly happily proudly severely mildly slightly highly
    """
)
"""Adverbs and fillers that may stand between a subject and its verb."""
_AUXILIARIES: Final = listed("am is are was were have has had do does did can could would will should used")
_QUESTION_WORDS: Final = listed("what how where which why who when")
_INVERTED: Final = listed("is are do does did can could should would will am was were has have had")
_NOT_RUN_ON: Final = listed(
    """
    that and or if when because since as while than the a an any every all some no maybe probably
    perhaps of for with in at on to from by about only just do does did can could should would will am
    is are was were have has what how why where who which i we so but not sure
    """
)
_DETERMINERS: Final = listed("a an the any every all some things thing what that")


_OWN_START: Final = listed("i my we our")
_REPORTING: Final = listed(
    """
    think thinks thought say says said tell tells told know knows knew believe believes feel feels hope
    hopes wish pretend pretended imagine imagined dream dreamed dreamt guess claim claims swear hear
    heard read figured
    """
)
_START: Final = 3
"""Words at the beginning of a clause among which its subject stands. Chosen by hand."""


_LEADS_TO_WHAT: Final = listed("know tell wonder see understand of about")
"""Words behind which "what is" belongs to what someone knows, and asks nothing."""
_PREPOSITIONS_TOO: Final = listed("as since before after until till or once now")
"""Links that are prepositions too, and open a clause only before a person."""
_AHEAD: Final = 8
"""How far ahead a verb is looked for, in words. Chosen by hand."""
_RELATIVE: Final = listed("who which whose where")
"""Question words that, behind a comma, tell more of what stands before it."""


class Sentence(NamedTuple):
    """The words of a sentence, and whether it ends with a question mark."""

    tokens: Sequence[WordToken]
    asked: bool


@dataclass
class Clause:
    """Part of a sentence that may hold one statement.

    Attributes:
        tokens: Its words, at most 60.
        link: The word or sign before it: "and", "because", ","; empty at the beginning of a sentence.
        text: The text it stands in.
        people: Names told before, and what each is to the speaker.
    """

    tokens: Sequence[WordToken]
    link: str
    text: str
    people: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def words(self) -> list[str]:
        """The words as they are read."""
        return [token.low for token in self.tokens]

    @cached_property
    def read(self) -> str:
        """The words as they are read, with blanks between."""
        return " ".join(self.words)

    def raw(self, start: int, end: int) -> str:
        """The words from one place to another (exclusive), as they stand in the text."""
        if not start < end <= len(self.tokens):
            return ""
        return self.text[self.tokens[start].start : self.tokens[end - 1].end]


def sentences_of(tokens: Sequence[WordToken]) -> list[Sentence]:
    """The sentences of a text; a line is at least one."""
    found: list[Sentence] = []
    start = 0
    for place, token in enumerate(tokens):
        inner = _is_abbreviation(tokens, start, place) or _leads(tokens, place) or _is_ordinal(tokens, place)
        if token.low not in _ENDS or inner:
            continue
        asked = token.low in _QUESTION_MARKS
        if place > start:
            found.append(Sentence(_without_stops(tokens[start:place]), asked))
        elif asked and found:
            found[-1] = found[-1]._replace(asked=True)
        start = place + 1
    if start < len(tokens):
        found.append(Sentence(_without_stops(tokens[start:]), asked=False))
    return [sentence for sentence in found if sentence.tokens]


def _without_stops(tokens: Sequence[WordToken]) -> Sequence[WordToken]:
    """The words of a sentence without the full stops of abbreviations."""
    return [token for token in tokens if token.low != "."]


def _is_abbreviation(tokens: Sequence[WordToken], start: int, place: int) -> bool:
    """Whether a full stop belongs to the word before it."""
    if tokens[place].low != "." or place == start:
        return False
    before, follows = tokens[place - 1], tokens[place + 1 : place + 2]
    initial = len(before.low) == 1 and before.low.isalpha() and bool(follows) and follows[0].low in _AND
    return before.end == tokens[place].start and (before.low in _TITLES or initial)


_GERMAN_BEFORE: Final = listed(
    "am den der vom bis zum ab dem seit im und montag dienstag mittwoch donnerstag freitag samstag sonntag"
)
_GERMAN_BEHIND: Final = listed(
    "april august september november bis und ist war habe hab um statt klasse monat stock semester woche , ;"
)
_GERMAN_MONTHS: Final = listed("januar jänner februar märz mai juni juli oktober dezember")


def _is_ordinal(tokens: Sequence[WordToken], place: int) -> bool:
    """Whether a full stop makes a German number an ordinal: "am 22. September"."""
    if tokens[place].low != "." or not 0 < place < len(tokens) - 1:
        return False
    number, behind = tokens[place - 1], tokens[place + 1].low
    if not (number.low.isdigit() and len(number.low) <= len("31") and number.end == tokens[place].start):
        return False
    words = [token.low for token in tokens[max(0, place - 3) : place - 1] if token.low != ","]
    before = words[-1] if words else ""
    return behind in _GERMAN_MONTHS or (before in _GERMAN_BEFORE and behind in _GERMAN_BEHIND)


def _leads(tokens: Sequence[WordToken], place: int) -> bool:
    """Whether a full stop begins a name: "not from .env files"."""
    if tokens[place].low != "." or not 0 < place < len(tokens) - 1:
        return False
    before, stop, behind = tokens[place - 1 : place + 2]
    return before.end < stop.start and stop.end == behind.start and behind.low[0].isalnum()


def clauses_of(sentence: Sentence, text: str, people: Mapping[str, str] | None = None) -> list[Clause]:
    """The clauses of a sentence of a text, in order; none is empty.

    ``people``: names told before, and what each is to the speaker.
    """
    people = people or {}
    names = frozenset(name.casefold() for name in people)
    tokens = sentence.tokens
    found: list[Clause] = []
    start, link, place = 0, "", 0
    while place < len(tokens):
        goes_on = _goes_on_from_state(tokens, start, place)
        opened = ("and", 1) if goes_on else _opened(tokens, start, place, text, names)
        if opened is None:
            place += 1
            continue
        word, size = opened
        if place > start:
            found.append(Clause(tokens[start : min(place, start + MOST_WORDS)], link, text, people))
        link = word if place > start or word.isalpha() or not link else link
        start = place = place + size
        place += not size
    if start < len(tokens):
        found.append(Clause(_without_tag(tokens[start : start + MOST_WORDS], text), link, text, people))
    return found


def _without_tag(tokens: Sequence[WordToken], text: str) -> Sequence[WordToken]:
    """The words without the "me" that only stresses "I": "I love a curry me"."""
    words = [token.low for token in tokens]
    if len(words) <= _START or words[0] != "i" or text[tokens[-1].start : tokens[-1].end] != "me":
        return tokens
    thing = words[-2] in FOODS or (words[-2] in NOUNS and words[-2] not in VERBS)
    return tokens[:-1] if thing or words[-3] in _BEFORE_NOUN else tokens


_BEFORE_NOUN: Final = listed("a an the my with no some any")


def _opened(
    tokens: Sequence[WordToken], start: int, place: int, text: str, names: frozenset[str]
) -> tuple[str, int] | None:
    """What opens a clause here, and how many words of it are no part of the clause."""
    word = tokens[place].low
    if not (word[0].isalnum() or word[0] in "$\u20ac\u00a3"):
        inner = word in _INNER_SIGNS or (
            word == "," and (_is_within(tokens, start, place, text) or _is_before_year(tokens, place))
        )
        return None if inner else (word, 1)
    after = tokens[place + 1].low if place + 1 < len(tokens) else ""
    asks = word in _QUESTION_WORDS and (after in _INVERTED or word == "which")
    if asks and (place == start or tokens[place - 1].low not in _LEADS_TO_WHAT):
        if place > start:
            return "asks", 0
        return (word, 1) if word in _RELATIVE and _is_relative(tokens, start, after) else None
    if word in _ALWAYS:
        return word, 1
    dwells = word in _DWELLS and after in _INTO and place > start and tokens[start].low == "i"
    if dwells and is_identity(tokens[place - 1].low):
        return ",", 0
    if word in {"even", "only"} and after in {"if", "when", "though"}:
        return after, 2
    if word == "as" and after in {"if", "though"}:
        return "if", 2
    if word in _BEFORE_SUBJECT:
        return _before_subject(tokens, start, place, names)
    if place > start and _runs_on(tokens, start, place, text):
        return "", 0
    return None


_STATES: Final = listed(
    "allergic intolerant coeliac celiac diabetic vegan vegetarian retired single married divorced"
)
_GO_ON: Final = listed("live work have love hate own need take carry")
_DWELLING: Final = listed("live lives living lived move moved moving from born settled relocated based")
_DWELLS: Final = frozenset(["living", "based"])
"""Tells where somebody lives behind what they are: "a nurse living in Leeds"."""
_INTO: Final = listed("in to from near outside")
_BEHIND_PLACE: Final = listed("with since for but right now these at last where which because . ! , ; )")


_OF_A_DATE: Final = lazy_regex(rf"{DATED_MONTH} \d{{1,2}}(?:st|nd|rd|th)?$")
_YEAR: Final = lazy_regex(r"(?:19|20)\d\d$")


def _is_before_year(tokens: Sequence[WordToken], place: int) -> bool:
    """Whether a comma stands between a day and its year: "April 15, 2026"."""
    if place + 1 >= len(tokens) or not _YEAR.match(tokens[place + 1].low):
        return False
    return _OF_A_DATE.match(" ".join(token.low for token in tokens[max(0, place - 2) : place])) is not None


def _is_within(tokens: Sequence[WordToken], start: int, place: int, text: str) -> bool:
    """Whether a comma stands between a place and the larger one that it lies in: "in Kreuzberg, Berlin"."""

    def is_name(one: int) -> bool:
        return start <= one < len(tokens) and text[tokens[one].start].isupper()

    before, behind = place - 1, place + 1
    while is_name(before):
        before -= 1
    while is_name(behind):
        behind += 1
    if before in {start - 1, place - 1} or behind == place + 1 or tokens[before].low not in _INTO:
        return False
    ends = behind == len(tokens) or tokens[behind].low in _BEHIND_PLACE
    return ends and not _DWELLING.isdisjoint(token.low for token in tokens[start : before + 1])


def _is_relative(tokens: Sequence[WordToken], start: int, after: str) -> bool:
    """Whether a question word behind a comma tells more of what stands before: "my mother, who is 80"."""
    return start > 0 and tokens[start - 1].low == "," and (after in _INVERTED or after in THIRDS)


_SHARES: Final = listed("most all some half many none one two both")
"""Behind "and", before "of", the beginning of a subject: "and most of my work is at night"."""


def _before_subject(
    tokens: Sequence[WordToken], start: int, place: int, names: frozenset[str]
) -> tuple[str, int] | None:
    """Whether "and" and its like open a clause: what stands behind them must be a subject, or a verb."""
    word = tokens[place].low
    rest = [token.low for token in tokens[place + 1 : place + _AHEAD]]
    ordered = word in {"and", "so"} and _is_order(rest)
    while len(rest) > 1 and (rest[0] in ADVERBS or rest[0] in _FILLERS):
        rest.pop(0)
    if word == "and" and place == start + 1 and tokens[start].low == "me":
        return None
    if ordered or _tells_of_more(word, rest):
        return word, 1
    if word == "now" and rest[:1] == ["that"]:
        return "now that", 2
    if word == "after" and tokens[place - 1].low in {"look", "looks", "looked", "looking"}:
        return None
    at_start = (word, 1) if word in {"and", "so", "or", "plus"} and place == start else None
    if not rest:
        return at_start
    if rest[0] in _SUBJECTS:
        return (word, 1) if _is_subject(word, rest) else at_start
    if rest[0].removesuffix("'s") in names:
        return (word, 1) if _has_verb(["", *rest]) else at_start
    joined = word in {"and", "or", "then"} and _is_verb(tokens, start, place, rest)
    return (word, 1) if joined or (word == "while" and rest[0].endswith("ing")) else at_start


_ASKS_FOR_NONE: Final = listed("me please pls plz recipes dishes meals food stuff suggestions ideas things")


def _tells_of_more(word: str, rest: Sequence[str]) -> bool:
    """Whether "so no ... for me", "so no ... please" or "and most of ..." begins."""
    if word == "so":
        return rest[:1] == ["no"] and not _ASKS_FOR_NONE.isdisjoint(rest)
    return word == "and" and rest[1:2] == ["of"] and rest[0] in _SHARES and _has_verb(["", *rest])


_TOLD: Final = lazy_regex(f"(?:(?:please|pls|plz) .+|(?:never|always|do not|avoid|keep it) {DO}?\\b.*)")


def _is_order(rest: Sequence[str]) -> bool:
    """Whether an order follows: "allergic to nuts and never push to main"."""
    return _TOLD.match(" ".join(rest)) is not None


def _is_subject(word: str, rest: Sequence[str]) -> bool:
    """Whether what stands behind a link is the subject of a clause, rather than a noun: "since my birth"."""
    if word in {"and", "or"} and rest[0] in {"my", "our"}:
        return _has_verb(rest)
    return word not in _PREPOSITIONS_TOO or rest[0] in _PEOPLE


def _goes_on_from_state(tokens: Sequence[WordToken], start: int, place: int) -> bool:
    """Whether a verb follows on a state without "I am": "allergic to bees & live by an orchard"."""
    after = tokens[place + 1].low if place + 1 < len(tokens) else ""
    return tokens[place].low in {"and", "&"} and tokens[start].low in _STATES and after in _GO_ON


def _has_verb(words: Sequence[str]) -> bool:
    """Whether "my ..." goes on with a verb, so that it begins a clause."""
    return any(
        word in _AUXILIARIES or word in THIRDS or word in PASTS or word in KNOWN for word in words[2:]
    ) or any(word.endswith("'s") for word in words[1:])


_PEOPLE: Final = listed("i we my our he she they it you")


def _is_verb(tokens: Sequence[WordToken], start: int, place: int, rest: Sequence[str]) -> bool:
    """Whether "and" is followed by another verb of the same subject."""
    if not rest:
        return False
    if rest[0] in _AUXILIARIES:
        return True
    behind = rest[1:2] != [] and rest[1] not in {"and", "or"}
    straight = place > start and tokens[place - 1].low in KNOWN
    first = any(token.low in {"i", "we"} for token in tokens[max(0, place - MOST_WORDS) : place])
    known = KNOWN if first else THIRDS
    if rest[0] in known:
        return behind or straight
    return rest[0] in PASTS and rest[0] not in KNOWN and behind


_CALLED: Final = listed("is am called named are")
_GONE_ON: Final = listed("i we she he they")


def _goes_on_from_name(tokens: Sequence[WordToken], start: int, place: int, text: str) -> bool:
    """Whether a pronoun follows on a name just told: "my sister is Attracta she lives in Ballina"."""
    before = tokens[place - 1]
    named = text[before.start].isupper() and not text[before.start : before.end].isupper()
    told = place - 2 >= start and tokens[place - 2].low in _CALLED
    return tokens[place].low in _GONE_ON and named and told and text[before.end : tokens[place].start] == " "


def _runs_on(tokens: Sequence[WordToken], start: int, place: int, text: str) -> bool:
    """Whether a new clause begins without a sign, as in chats: "im ada i live in berlin"."""
    word = tokens[place].low
    after = tokens[place + 1].low if place + 1 < len(tokens) else ""
    before = tokens[place - 1].low
    if before == "please" and word in {"i", "my"} and after:
        return True
    if place == start + 1:
        return False
    if after and _goes_on_from_name(tokens, start, place, text):
        return True
    if word in _INVERTED and after in {"i", "you", "we"} and before not in _NOT_RUN_ON:
        return True
    if word != "i" or after in {"", "i"} or text[tokens[place].start] != "i":
        return False
    if before in _NOT_RUN_ON or before in KNOWN or before in PASTS or before in THIRDS or before in ADVERBS:
        return False
    if place - start > MOST_WORDS:
        return False
    said = [token.low for token in tokens[start:place]]
    if not _OWN_START.intersection(said[:_START]) or not _REPORTING.isdisjoint(said):
        return False
    return _DETERMINERS.isdisjoint(said[-4:-1]) or said[:2] == ["i", "am"]
