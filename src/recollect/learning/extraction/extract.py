"""From turns to facts."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final

from recollect.errors import InvalidInputError
from recollect.learning.extraction.acquaintances import may_meet
from recollect.learning.extraction.changing import changes_in
from recollect.learning.extraction.contact import may_give_phone, phone_in
from recollect.learning.extraction.conventions import may_tell_conventions
from recollect.learning.extraction.corrected import corrections_in
from recollect.learning.extraction.earlier_times import as_told_of_then, is_taken_up_again, year_before
from recollect.learning.extraction.facts import EXPLICIT, Fact, Turn
from recollect.learning.extraction.foreign import foreign_facts, languages_of
from recollect.learning.extraction.foreign_instructions import (
    foreign_instructions,
    may_instruct_abroad,
    only_instructs_abroad,
)
from recollect.learning.extraction.foreign_people import may_name_abroad, people_abroad
from recollect.learning.extraction.foreign_plans import may_plan_abroad, plans_abroad
from recollect.learning.extraction.foreign_sense import is_joke_abroad
from recollect.learning.extraction.forget_requests import forget_requests, without_forget_requests
from recollect.learning.extraction.health import may_name_a_dose
from recollect.learning.extraction.heard import heard_in
from recollect.learning.extraction.instruction_rules import may_instruct
from recollect.learning.extraction.left_out import may_leave_out
from recollect.learning.extraction.masking import own_words, unmarked
from recollect.learning.extraction.mentioned import taken_up
from recollect.learning.extraction.naming import names_someone, people_in
from recollect.learning.extraction.people import PLURAL
from recollect.learning.extraction.permissions import may_permit
from recollect.learning.extraction.plans import is_to_come, may_plan
from recollect.learning.extraction.reading import as_read
from recollect.learning.extraction.routines import may_repeat
from recollect.learning.extraction.slips import without_slips
from recollect.learning.extraction.spoken import last_told
from recollect.learning.extraction.stated import stated_in
from recollect.learning.extraction.statements import facts_in
from recollect.learning.extraction.subjects import may_tell_of_a_name
from recollect.learning.extraction.unsaid import goes_on, takings_back, without_unsaid
from recollect.learning.extraction.when import dated, may_name_a_time
from recollect.learning.extraction.wishes import may_wish
from recollect.learning.extraction.withdrawals import withdrawals, without_withdrawals
from recollect.learning.reconcile.changes import tells_change
from recollect.learning.reconcile.corrections import CORRECTED, correction_in
from recollect.learning.reconcile.endings import MOURNS
from recollect.learning.reconcile.judge import sounds_like_a_change
from recollect.learning.reconcile.statements import CHANGED, SAID
from recollect.learning.reconcile.values import value_alone
from recollect.text.dates import find_dates
from recollect.text.dates.tenses import ENTERED, told_of_the_past
from recollect.text.quoting import reads_like_an_instruction
from recollect.text.traits import is_name
from recollect.types.regex import lazy_regex

USER: Final = "User"
"""How facts call a speaker without a name."""
_THE_USER: Final = frozenset(("user", "the user", "me", "i", "myself"))
LONGEST_NAME: Final = 60
"""Characters of a speaker's name; who has a longer one is "User". Chosen by hand."""
_ENGLISH: Final = lazy_regex(
    r"(?<!\w)(?:i|im|ive|iam|id|we|weve|my|our|me|here|allerg\w+"
    r"|intolerant|coeliac|celiac|diabetic|cannot|can't|(?:vegan|vegetarian|pescatarian) again"
    r"|mum|mom|dad|gran(?:d?m|d?p)a|gran(?:ny|dad|ddad)|nana?)"
    r"(?!\w)",
    re.IGNORECASE,
)
"""Without one of these words, or one of instructions or plans, nothing is said of the speaker."""
_SPAN: Final = lazy_regex(r"\b(?:since|until|till)\b", re.IGNORECASE)
_UNTIL: Final = lazy_regex(
    r"(?: (?:btw|now|again|too|atm))?,? (?:but )?(?:only |just )?(?P<date>(?:until|till?)\b)", re.IGNORECASE
)
_ENDS: Final = lazy_regex(r"\s*(?:$|[.,;:!?)\n]|(?:and|but|so|then|because|btw|lol)\b)")
_REMOVED: Final = lazy_regex(r"\[[a-z ]{1,30} removed\b")
"""Stands for a secret or a personal value that was not stored; a fact without its value says nothing."""


def extract_facts(turns: Sequence[Turn]) -> list[Fact]:
    """The facts that people state about themselves and theirs, in the order of their words.

    Of each turn the first 20,000 characters are read; the same turns always give the same facts.
    Equal facts of several turns are several facts: each has its own source. Names told before are known:
    "my partner Caitlin" makes "Caitlin hates olives" a fact. So does "she" at the beginning of the next turn,
    where one person is meant; that fact has both turns as sources. What the next turn takes back teaches
    nothing.

    Args:
        turns: What was said; those of other roles than ``user`` are passed over.

    >>> told = extract_facts([Turn(text="I live in Berlin and I don't like coriander.", speaker="Ada")])
    >>> [fact.text for fact in told]
    ['Ada lives in Berlin.', 'Ada does not like coriander.']
    >>> extract_facts([Turn(text="Do I live in Berlin?"), Turn(text="If I lived in Rome, I'd swim.")])
    []

    Raises:
        InvalidInputError: A text is no string, or ``happened_at`` no aware datetime.
    """
    for turn in turns:
        _check(turn)
    found: list[Fact] = []
    people: dict[str, str] = {}
    before: list[Fact] = []
    last: Turn | None = None
    earlier: tuple[str, ...] = ()
    speakers = frozenset(part for one in turns for part in (one.speaker or "").casefold().split())
    for place, turn in enumerate(without_forget_requests(without_unsaid(turns))):
        if turn.role == "user":
            known, speaker = {**turn.people, **people}, speaker_of(turn)
            before = before if last is not None and goes_on(last, turn) else []
            named = last_told(last.text, known) if last is not None and goes_on(last, turn) else []
            who, last = taken_up(turn.text, before, known, told=named), turn
            read = as_read(turn.text)
            said = without_slips(unmarked(read))
            facts = [_as_quoted(fact, read) for fact in _facts(said, speaker, known, who, speakers)]
            people.update(people_in(facts))
            told = [
                placed(fact, turn, turn.id or str(place))
                for fact in facts
                if is_to_come(fact, turn.happened_at)
                and not is_taken_up_again(fact, turn.text)
                and _REMOVED.search(fact.text) is None
                and not (fact.relation == "is aged" and _names_a_value(turn.text))
            ]
            whose = f"{speaker}'s {who}"
            also = (
                tuple(dict.fromkeys(one for fact in before for one in (fact.source, *fact.also))) or earlier
            )
            earlier = (turn.id or str(place),)
            before = [replace(fact, also=also) if who and fact.subject == whose else fact for fact in told]
            found += before
    return found


def _names_a_value(text: str) -> bool:
    """Whether a turn names a value alone to correct one: "no, 35" is of whatever was told before."""
    value = value_alone(as_read(text))
    return value is not None and not value.who


def _as_quoted(fact: Fact, text: str) -> Fact:
    """A fact whose quotation has the marks that the text has around titles."""
    if fact.quote in text:
        return fact
    start = without_slips(unmarked(text)).find(fact.quote)
    return replace(fact, quote=text[start : start + len(fact.quote)]) if start >= 0 else fact


def extract_changes(turns: Sequence[Turn], facts: Sequence[Fact]) -> list[Fact]:
    r"""The statements of turns that may end something known; each is kept only where it does.

    Args:
        turns: What was said; those of other roles than ``user`` are passed over.
        facts: What was found in them, by the ids of the turns.

    >>> [one.text for one in extract_changes([Turn(text="Keto's over, I missed bread too much.")], [])]
    ['User says now: "Keto\'s over, I missed bread too much"']
    """
    found: list[Fact] = []
    for place, turn in enumerate(turns):
        text = without_slips(as_read(turn.text))
        if (
            turn.role == "user"
            and not _changes_nothing_abroad(text)
            and (tells_change(text) or sounds_like_a_change(text))
        ):
            speaker, source = speaker_of(turn), turn.id or str(place)
            own = [fact for fact in facts if fact.source == source]
            masked = own_words(text, speaker=speaker)
            if value_alone(masked) is None:
                found += [replace(fact, source=source) for fact in changes_in(masked, own, speaker)]
    return found


def _changes_nothing_abroad(text: str) -> bool:
    return is_joke_abroad(text) or only_instructs_abroad(text)


def extract_corrections(turns: Sequence[Turn], facts: Sequence[Fact]) -> list[Fact]:
    """The corrections that turns make of what was said before; each is kept only where it is of something.

    Args:
        turns: What was said; those of other roles than ``user`` are passed over.
        facts: What was found in them, by the ids of the turns.
    """
    found: list[Fact] = []
    for place, turn in enumerate(turns):
        text = as_read(turn.text)
        if turn.role == "user" and correction_in(text) is not None:
            speaker, source = speaker_of(turn), turn.id or str(place)
            own = [fact for fact in facts if fact.source == source]
            told = corrections_in(own_words(text, speaker=speaker), own, speaker)
            found += [replace(fact, source=source) for fact in told]
    return found


def extract_new(turns: Sequence[Turn], *, known: int) -> tuple[Fact, ...]:
    """The facts of all turns, and the corrections and changes that the new ones tell, in order of the turns.

    What only ends something comes last of a turn: "I left Shell, I'm at Bosch now" tells what comes after it.
    Behind it comes what no rule reads (``heard``), except where several people talk: they tell each other.

    Args:
        turns: A part of a conversation, in order, with their ids.
        known: How many of the first were read before.
    """
    unsaid = takings_back(turns, known=known)
    turns = without_unsaid(turns)
    forget = forget_requests(turns, known=known)
    withdrawn = withdrawals(turns, known=known)
    turns = without_withdrawals(without_forget_requests(turns))
    facts = extract_facts(turns)
    order = [turn.id for turn in turns]
    found = [*facts, *extract_corrections(turns[known:], facts), *extract_changes(turns[known:], facts)]
    speakers = {speaker_of(turn) for turn in turns if turn.role == "user"}
    heard = list(_heard(turns[known:], found)) if len(speakers) == 1 else []
    told = sorted(found, key=lambda fact: fact.change == "ended")
    return tuple(
        sorted([*unsaid, *told, *heard, *withdrawn, *forget], key=lambda fact: order.index(fact.source))
    )


def _heard(turns: Sequence[Turn], facts: Sequence[Fact]) -> Iterator[Fact]:
    """What turns of their user state that lasts and that no rule reads.

    A plan of a message that tells of a change may be the one that was changed: "dentist was tomorrow, moved".
    """
    for turn in turns:
        if turn.role == "user":
            told = [fact for fact in facts if fact.source == turn.id]
            moved = any(fact.relation == CHANGED and fact.confidence >= EXPLICIT for fact in told)
            own = [fact for fact in told if fact.relation != CHANGED]
            heard = (placed(fact, turn, turn.id) for fact in heard_in(turn, own, speaker_of(turn)))
            plans_hold = (fact for fact in heard if not (moved and fact.category == "plan"))
            yield from (fact for fact in plans_hold if fact.valid_until is None)


def stated_facts(turn: Turn) -> tuple[list[Fact], str]:
    """The facts that one turn states, and why its words state none; what has no fact is one as it stands."""
    facts, unstated = [replace(one, only_ends=False) for one in extract_facts([turn])], ""
    if not facts:
        words, unstated = stated_in(turn.text)
        facts = _in_third_person(turn, words) or [_as_it_stands(turn, words or turn.text.strip())]
    return facts, unstated


def _in_third_person(turn: Turn, text: str) -> list[Fact]:
    """A statement that shall be remembered, as a fact about its speaker: "My bins go out on Monday"."""
    if not text.lower().startswith(("my ", "our ", "i ")):
        return []
    asked = extract_facts([replace(turn, text=f"Remember that {text}")])
    return [
        replace(one, category="general", quote=text) for one in asked[:1] if one.category == "instruction"
    ]


def _as_it_stands(turn: Turn, text: str) -> Fact:
    """A statement in which the rules see no fact."""
    return Fact(
        text=text,
        category="general",
        confidence=EXPLICIT,
        subject=speaker_of(turn),
        relation="",
        object=None,
        source=turn.id,
        quote=text,
    )


def speaker_of(turn: Turn) -> str:
    """How facts call who said something: by name, or "User".

    What is no name of one line, of at most 60 characters that can be seen, is none, and so is "the user".

    >>> [speaker_of(Turn(text="", speaker=name)) for name in ("Ada", "assistant", "the user")]
    ['Ada', 'User', 'User']
    """
    name = (turn.speaker or "").strip()
    return name if is_name(name) and not names_user(name) and _is_one_line(name) else USER


def names_user(name: str) -> bool:
    """Whether what stands for a name means the user, whoever that is.

    >>> names_user("the user"), names_user("Ada")
    (True, False)
    """
    return name.strip().casefold() in _THE_USER


def _is_one_line(name: str) -> bool:
    """Whether a name can be the subject of a sentence: short, printable, and no instruction."""
    return len(name) <= LONGEST_NAME and name.isprintable() and not reads_like_an_instruction(name)


def _check(turn: Turn) -> None:
    if not isinstance(turn.text, str):
        raise InvalidInputError(f"a turn's text must be a string, not {type(turn.text).__name__}")
    if turn.happened_at is not None and turn.happened_at.utcoffset() is None:
        raise InvalidInputError("a turn's happened_at must be an aware datetime")


_IM: Final = lazy_regex(r"\bim\b", re.IGNORECASE)
"""German's "in the", which English chats write for "I'm"."""


def _facts(
    text: str, speaker: str, people: Mapping[str, str], mentioned: str, speakers: frozenset[str]
) -> list[Fact]:
    english = (
        _ENGLISH.search(text) is not None
        or may_instruct(text)
        or may_tell_conventions(text)
        or may_plan(text, unnamed=True)
        or may_name_a_dose(text)
        or names_someone(text, people)
        or may_leave_out(text)
        or may_repeat(text)
        or may_permit(text)
        or may_tell_of_a_name(text)
        or may_wish(text)
        or may_meet(text)
        or bool(mentioned)
    )
    foreign = languages_of(text, people)
    orders = may_instruct_abroad(text)
    told_abroad = may_name_abroad(text) or may_plan_abroad(text)
    if not (english or foreign or orders or may_give_phone(text) or told_abroad):
        return []
    masked = own_words(text, speaker=speaker)
    read = _IM.sub("  ", masked) if "de" in foreign else masked
    said = facts_in(read, text, speaker, people, mentioned, speakers=speakers) if english else []
    said += foreign_facts(masked, text, speaker, people) if foreign else []
    said += phone_in(masked, speaker) if may_give_phone(text) else []
    abroad = [*people_abroad(masked, speaker), *plans_abroad(masked, speaker)] if told_abroad else []
    abroad = [_of_whom(fact, people, speaker) if fact.relation == MOURNS else fact for fact in abroad]
    mourned = {fact.object for fact in abroad if fact.relation == MOURNS}
    said = [fact for fact in said if not (fact.relation in _DEATHS and _name_of(fact) in mourned)] + abroad
    return said + (list(foreign_instructions(masked, speaker)) if orders else [])


def _of_whom(fact: Fact, people: Mapping[str, str], speaker: str) -> Fact:
    """A death told by name as one of the speaker's dog, where no other of their dogs has a name."""
    noun = people.get(fact.object or "", "")
    alone = noun and noun not in PLURAL and list(people.values()).count(noun) == 1
    return replace(fact, subject=f"{speaker}'s {noun}") if alone else fact


_DEATHS: Final = frozenset(["died", "passed away"])


def _name_of(fact: Fact) -> str:
    return fact.subject.partition("'s ")[2]


def placed(fact: Fact, turn: Turn, source: str) -> Fact:
    """A fact with its source and, where its words say so, the time for which it holds."""
    fact = as_told_of_then(fact, turn.text)
    if turn.happened_at is None or fact.relation == CORRECTED:
        return replace(fact, source=source)
    fact = _with_dates(fact, turn.text, turn.happened_at)
    if behind := _until_behind(fact, turn.text, turn.happened_at):
        return replace(fact, source=source, valid_until=behind)
    if not (fact.change or _SPAN.search(fact.quote)):
        return replace(fact, source=source)
    since, until = _times(fact, year_before(fact, turn.text) + fact.quote, turn.happened_at)
    return replace(fact, source=source, valid_from=since, valid_until=until)


def _until_behind(fact: Fact, told: str, now: datetime) -> datetime | None:
    """When what holds now ends, where a comma parts that from it: "I'm vegan, until Easter Sunday"."""
    if fact.past or fact.negated or fact.category in {"plan", "instruction"} or not _SPAN.search(told):
        return None
    _, found, behind = told.partition(fact.quote)
    lead = _UNTIL.match(behind) if found else None
    if lead is None:
        return None
    spans = find_dates(behind[lead.start("date") :], now=now, timezone=now.tzinfo or UTC, prefer="future")
    span = next((one for one in spans if one.place[0] == 0 and one.relation == "until"), None)
    ends = span is not None and _ENDS.match(behind, lead.start("date") + span.place[1]) is not None
    return span.end if span is not None and ends and span.end > now else None


def _with_dates(fact: Fact, told: str, now: datetime) -> Fact:
    """A fact whose words name dates where they pointed from the moment they were said in a message."""
    titled = fact.category == "preference" and ('"' in fact.quote or "\u201c" in fact.quote)
    if titled or not may_name_a_time(fact.text):
        return fact
    ahead = fact.category == "plan"
    fixed = ahead or fact.change is not None or fact.past or _was_once(fact)
    read = {span.text.lower(): span for span in find_dates(told, now=now, timezone=now.tzinfo or UTC)}
    # a slip that was blanked leaves spaces
    text = dated(" ".join(fact.text.split()), now=now, fixed=fixed, ahead=ahead, read=read)
    if text == fact.text or not fact.object:
        return replace(fact, text=text)
    return replace(fact, text=text, object=dated(fact.object, now=now, fixed=fixed, ahead=ahead, read=read))


def _was_once(fact: Fact) -> bool:
    """Whether a fact tells of one time that is over: "had surgery in July"."""
    end = len(fact.text.rstrip("."))
    return fact.relation != SAID and told_of_the_past(fact.text, end, end)


def _times(fact: Fact, quote: str, now: datetime) -> tuple[datetime | None, datetime | None]:
    """Since when and until when; a change lies within the time it is told of."""
    since: datetime | None = None
    until: datetime | None = None
    ahead = fact.category == "plan" or ENTERED.search(quote.lower()) is not None
    for span in find_dates(quote, now=now, timezone=now.tzinfo or UTC, prefer="future" if ahead else "past"):
        changed = span.relation == "at" and fact.change is not None and (ahead or span.start <= now)
        if span.relation == "until" or (changed and fact.past):
            until = span.end
        elif span.relation == "since" or changed:
            since = span.start
    return since, until
