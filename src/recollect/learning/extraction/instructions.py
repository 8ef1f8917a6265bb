"""Standing instructions: how the assistant shall behave from now on, and what it was asked to remember.

An instruction stands when its words say so ("always", "never", "from now on", "keep your answers short").
What is asked for one answer ("please answer in two lines") does not. A later instruction takes the place of
an earlier one where both name one value (the language of answers), and "again" or "you don't have to" takes
one back.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile
from typing import Final

from recollect.learning.extraction.clauses import ADVERBS, Clause
from recollect.learning.extraction.conditions import (
    CONDITIONS,
    MOST_BESIDE,
    WHILE,
    YOU,
    YOUR,
    condition_of,
    condition_words,
    is_concessive,
    is_of_talk,
    quote_of,
)
from recollect.learning.extraction.facts import EXPLICIT, Change, Fact
from recollect.learning.extraction.forms import base_of_ing
from recollect.learning.extraction.instruction_rules import (
    LEAD,
    ORDERS,
    SAID_HERE,
    STANDS,
    STANDS_FOR_ANSWERS,
    STANDS_HERE,
    STYLES,
    TIMES,
    USING,
    Order,
)
from recollect.learning.extraction.lists import end_of_list
from recollect.learning.extraction.objects import points, says_something
from recollect.learning.extraction.people import RELATIVES
from recollect.learning.extraction.standing import standing_of
from recollect.learning.extraction.subjects import SELF
from recollect.learning.extraction.verbs import KNOWN
from recollect.learning.extraction.wording import SaidWords, fact_of
from recollect.learning.foods import FOODS, singular
from recollect.learning.listing import DAY, listed
from recollect.text.entities.kinds import Kind, given_name, kind_of
from recollect.types.regex import lazy_regex

_QUOTED: Final = lazy_regex(r' ("[^"\n]{1,60}"|\u201c[^\u201d\n]{1,60}\u201d)')
_QUOTES: Final = frozenset("\"'\u201c\u201d\u201e\u2018\u00ab\u00bb")
_MORE_OF_IT: Final = listed("just then again")
"""Words of an object that say only that the last answer is meant."""
_JOINS: Final = listed("and or")
_LISTS: Final = listed(", and or")
_FOODS: Final = frozenset(singular(one) for one in FOODS)
_JOINED: Final = listed(", ; - and")
"""Links between two orders that are given together."""
_NAMES: Final = lazy_regex(r"(?:(?:you (?:can|may) )?call me|my name is|i am(?: called)?) \S+$")
_WE: Final = listed("i we")
_OWN_DEED: Final = lazy_regex(
    r"(?:(?:with|in|for|on|at|to) (?:\S+ ){1,5}?)?(?:i|we)\b"
    r"|(?!(?:i|we|you)\b)(?:\S+ ){1,4}?(?:wants?|wanted|asks?|asked|tells?|told|expects?|needs?)"
    r" (?:me|us) to\b"
)
"""What the speaker does, or shall do by somebody's wish."""
_TO_YOU: Final = listed("please me us you your")
"""Words by which an order is one to the assistant, whatever was said before "and"."""
_EACH_ANSWER: Final = lazy_regex(r"(?:each|every) (?:answer|reply|response|message) (?:with|by)\b")
_THERE: Final = lazy_regex(r"(?:anything|something|things) (?:there|then)$")
"""Ends an order for the time that the words before it name: "Fridays are mine, never plan anything then"."""
_TIMES: Final = lazy_regex(rf"\b(?:(?:{DAY})s?|mornings?|afternoons?|evenings?|nights?|weekends?|lunch)\b")
_ME: Final = lazy_regex(r"(?:me|us) ")
_ANYTHING: Final = lazy_regex(
    r"^(?:anything|something|things) (?:with|containing|made (?:of|from)|involving) "
)
_NEVER_DONE: Final = lazy_regex(
    r"never (?:run|come|become|put|let|cut|hit|set|read|hurt|beat|quit|shut|split|spread|cost)\b"
)
"""What may be an order, or behind "I have" a deed: "I signed up for the half, never run more than 8k"."""
_TAKES_BACK: Final = lazy_regex(
    r"(?:\w+ ){0,2}(?:forget|ignore|disregard|drop|scrap|cancel|lift) (?:about )?what i (?:said|told|asked)\b"
)
_EXPERIENCE: Final = lazy_regex(
    r"(?:(?:i|we) (?:am|are|have|got|hate|can ?not|never|do not|had|was|were|always)|been|got|had|hate"
    r"|never|can ?not|they (?:are|never|always|make|do)|too|not (?:my|worth|for)|sick of|tired of"
    r"|useless|waste of)\b"
)
"""What was lived through before, or what somebody is like: "been burned", "i cant stand them"."""
_NEVER: Final = "asks never"
_IN_A_GAME: Final = lazy_regex(
    r"(?:in|for) (?:this|the|our|a) (?:game|story|role ?play|scene|exercise|quiz|poem)\b"
)
_ONE_TEXT: Final = lazy_regex(r"\b(?:this|these|says?|said|drafting|writing|when i write)\b")
"""Words of one task, or of somebody else's."""
_OF_FORMATS: Final = "wants {verb}"
"""The relation of an order without a verb: "prices in euros"; behind "and" it may be an object."""
_ASKS_FOR_NONE: Final = lazy_regex(
    r"^(?:(?:please|pls|plz) no (?:\S+ ?){1,2}|no (?:\S+ ){1,2}(?:please|pls|plz))$"
    r"|\bno (?:\w+ ){0,2}(?:recipes|dishes|meals|food|stuff|suggestions|ideas|things)\b"
)
"""Asks for something to be left out: what it is takes a word or two, or is of a kind that is suggested."""
_IDIOM: Final = lazy_regex(
    r"\bno (?:\w+ )?(?:worries|rush|hurry|kidding|need|problem|pressure|offen[cs]e|thanks|way|idea|help|clue"
    r"|joke)\b"
)
_RECURS: Final = lazy_regex(
    r"(?:please |pls )?do not (?:ask|remind|suggest|recommend|propose|offer|mention|bring up|send|book|plan"
    r"|schedule|give)(?! (?:an?|the|it|this|that|these|those|them|him|her|my|our|your)\b)"
    r"(?: (?!(?:it|this|that|the|these|those|him|her|my|our|your)\b)\S+){1,6}? "
    rf"{TIMES}(?: (?:please|pls|thanks|ok|okay))*$"
)
"""Says that something shall not be done at a time that comes again: "don't ask me questions at night"."""
_MOST_WORDS: Final = 30
"""Words of a clause that is an instruction. Chosen by hand."""


def instruction_of(
    clauses: Sequence[Clause],
    number: int,
    speaker: str,
    *,
    listed: bool = False,
    reasoned: bool = False,
    alone: bool = False,
) -> Fact | None:
    """The standing instruction in a clause; None where there is none.

    ``listed``: whether its turn does nothing but list how to answer, see ``lists_wishes``.
    ``reasoned``: whether the sentence gives its reason, which lasts: "I work nights, so no mornings please".
    ``alone``: whether the sentence is the whole turn: "don't suggest used phones, got stung".
    """
    clause = clauses[number]
    if _IN_A_GAME.match(clauses[0].read):
        return None
    if len(clause.words) > _MOST_WORDS or clause.link in CONDITIONS or clause.link in _QUOTES:
        return None
    reported = standing_of(clauses, number) in {"told", "reported", "material"}
    if (reported and not _TAKES_BACK.match(clause.read)) or _is_own_deed(clauses, number):
        return None
    recurs = _RECURS.match(clause.read) is not None
    ever = number + 1 < len(clauses) and clauses[number + 1].read == "ever"
    stands = listed or ever or any(STANDS.search(words) for words in (clause.read, *_beside(clauses, number)))
    stands = stands or recurs or any(is_concessive(one) for one in clauses[number + 1 : number + 2])
    placed = _is_placed(clauses, number, STANDS_HERE)
    place = condition_of(clauses, number)
    stands = stands or (place is not None and is_of_talk(clauses[place]))
    again = place is not None and WHILE.match(clauses[place].read) is not None
    valued = stands or placed or again or STANDS_FOR_ANSWERS.search(clause.read) is not None
    for order, match in orders_in(clause):
        styled = order.relation in STYLES and _is_styled_beside(clauses, number)
        lasts = order.relation.startswith(_NEVER) or match.groupdict().get("verb") in USING
        ordered = stands or (placed and lasts)
        if reasoned and _lasts_by_reason(order, match, clause):
            return _ordered(clauses, number, order, match, speaker)
        if "reasoned" in order.flags or ("secret" in order.flags and not _keeps(clauses, clause, match)):
            continue
        if "alone" in order.flags and not (stands or (alone and not number and _is_experience(clauses[1:]))):
            continue
        if "marked" not in order.flags or styled or (valued if "single" in order.flags else ordered):
            return _ordered(clauses, number, order, match, speaker)
    return None


def _is_experience(rest: Sequence[Clause]) -> bool:
    """Whether what stands behind an order gives its lasting reason: "no used phones, got stung"."""
    return bool(rest) and _EXPERIENCE.match(rest[0].read) is not None


def _keeps(clauses: Sequence[Clause], clause: Clause, match: re.Match[str]) -> bool:
    """Whether an order keeps something from somebody whom the speaker knows, in whatever is said."""
    owned, _, whom = match["whom"].rpartition(" ")
    first = clause.read.count(" ", 0, match.end("whom"))
    shown = clause.raw(first, first + 1)
    name = clause.words[first] in {one.lower() for one in clause.people} or given_name(whom) != ""
    known = whom in RELATIVES if owned else name or (shown.istitle() and kind_of(shown) is Kind.KNOWN)
    return known and not any(_ONE_TEXT.search(one.read) for one in clauses)


def _lasts_by_reason(order: Order, match: re.Match[str], clause: Clause) -> bool:
    """Whether an order lasts as long as its reason: one to leave something out, or of how to answer.

    "I live in Leeds, so suggest a pub" asks once.
    """
    if "reasoned" in order.flags:
        return _ASKS_FOR_NONE.search(clause.read) is not None and _IDIOM.search(clause.read) is None
    verb = match.groupdict().get("verb")
    if verb == "tell":
        return False
    return order.relation.startswith(_NEVER) or order.relation in STYLES or verb in {*USING, "avoid"}


def orders_in(clause: Clause) -> Iterator[tuple[Order, re.Match[str]]]:
    """The orders that a clause may be, in the order in which they are tried."""
    lead = LEAD.match(clause.read)
    start = 0 if lead is None else lead.end()
    matches = ((order, order.pattern.match(clause.read, start)) for order in ORDERS)
    return ((order, match) for order, match in matches if match is not None)


def _is_styled_beside(clauses: Sequence[Clause], number: int) -> bool:
    """Whether a clause right beside one says how to answer always: "keep answers short, no emojis"."""
    near = [number - 1] if number and clauses[number].link in _JOINED else []
    near += [number + 1] if number + 1 < len(clauses) and clauses[number + 1].link in _JOINED else []
    return any(
        order.relation.format(verb=match.groupdict().get("verb")) in STYLES
        and ("marked" not in order.flags or STANDS.search(clauses[place].read))
        for place in near
        for order, match in orders_in(clauses[place])
    )


def _is_placed(clauses: Sequence[Clause], number: int, where: re.Pattern[str]) -> bool:
    """Whether a clause, or what belongs to it before a comma, names the place of work."""
    return any(where.search(words) for words in (clauses[number].read, *_beside(clauses, number)))


def _beside(clauses: Sequence[Clause], number: int) -> Iterator[str]:
    """The clauses whose "from now on" counts for one: before a comma, joined by "and", or no more than it."""
    for place in range(number, max(0, number - MOST_BESIDE), -1):
        if clauses[place].link not in {",", "and"}:
            break
        yield clauses[place - 1].read
    if number + 1 < len(clauses) and _is_added(clauses[number + 1]):
        yield f"{clauses[number + 1].link} {clauses[number + 1].read}"
    if any(map(is_of_talk, (*clauses[max(0, number - 1) : number], *clauses[number + 1 : number + 2]))):
        yield "always"


def _is_added(clause: Clause) -> bool:
    """Whether a clause adds no more than that an order stands: "ask first, every time"."""
    whole = STANDS.match(clause.read)
    if is_of_talk(clause) or clause.read == "ever" or LEAD.fullmatch(f"{clause.read} ") is not None:
        return True
    return whole is not None and whole.end() == len(clause.read)


def orders_apart(clauses: Sequence[Clause]) -> list[Clause]:
    """Clauses with each order in one of its own: "call me Tom | and keep answers short".

    They are cut only where an order, or the speaker's name, stands on both sides.
    """
    found: list[Clause] = []
    for clause in clauses:
        start = 0
        for place, word in enumerate(clause.words):
            if word in _JOINS and _is_order(clause, start, place) and _begins_order(clause, place + 1):
                found.append(_part(clause, start, place))
                start = place + 1
        found.append(_part(clause, start, len(clause.words)) if start else clause)
    return found


def _part(clause: Clause, start: int, end: int) -> Clause:
    link = clause.words[start - 1] if start else clause.link
    return Clause(clause.tokens[start:end], link, clause.text, clause.people)


def _is_order(clause: Clause, start: int, end: int) -> bool:
    """Whether some words are an order or tell a name."""
    read = " ".join(clause.words[start:end])
    lead = LEAD.match(read)
    begins = lead.end() if lead else 0
    verbal = (one for one in ORDERS if one.relation != _OF_FORMATS)
    return _NAMES.match(read, begins) is not None or any(one.pattern.match(read, begins) for one in verbal)


def _begins_order(clause: Clause, start: int) -> bool:
    """Whether an order, or a name to be called by, begins at a word."""
    end = next(
        (at for at in range(start, len(clause.words)) if clause.words[at] in _JOINS), len(clause.words)
    )
    return _is_order(clause, start, end) or _is_order(clause, start, len(clause.words))


def _ordered(
    clauses: Sequence[Clause], number: int, order: Order, match: re.Match[str], speaker: str
) -> Fact | None:
    clause = clauses[number]
    first, last = (clause.read.count(" ", 0, place) for place in match.span("o"))
    words = _ANYTHING.sub("", _ME.sub("", YOUR.sub("", match["o"]))).split()
    single, ends = "single" in order.flags, "ends" in order.flags
    when = _time_before(clauses, number) if _THERE.match(match["o"]) else ""
    if len("".join(words)) == 1:
        return None
    own = words[2:] if _EACH_ANSWER.match(match["o"]) else words
    if not when and (points(own) or not (single or says_something(words)) or _goes_on(words)):
        return None
    end = clause.tokens[last].end if single else _end_of_objects(clauses, number, last)
    told = clause.text[clause.tokens[first].start : end]
    told += _quoted_behind(clause, last) + (f" ({when})" if when else "")
    value = told.lower() if order.relation in {"answer length", "units"} else told
    condition = condition_words(clauses, number)
    single = single and not condition
    kept = " ".join(value.split())
    verb = match.groupdict().get("verb") or ""
    if verb == "call" and match["o"].startswith("me "):
        return None
    verb = base_of_ing(verb) if verb.endswith("ing") else verb
    spoken = _titled(YOU.sub("the assistant", YOUR.sub("", kept)), order)
    stops = "stops" in order.flags
    change: Change | None = "ended" if ends and not condition else "begun" if single or stops else None
    here = " in this project" if _is_placed(clauses, number, SAID_HERE) else ""
    said = SaidWords(
        relation=order.relation.format(verb=verb),
        object=spoken + condition,
        said=order.said.format(verb=verb, o=spoken) + condition + here,
        category="instruction",
        confidence=EXPLICIT,
        quote=(f"{when}, " if when else "") + quote_of(clauses, number, max(end, clause.tokens[-1].end)),
        single=single,
        negated=ends,
        change=change,
        only_ends=stops,
    )
    return fact_of(speaker, SELF, said)


def _end_of_objects(clauses: Sequence[Clause], number: int, last: int) -> int:
    """Where in the text the objects of an order end: "never suggest anything with wheat, barley or rye"."""
    rest = list(takewhile(_may_be_object, clauses[number + 1 :]))
    if rest and last + 1 == len(clauses[number].words) and all(_is_food(one) for one in rest):
        return rest[-1].tokens[-1].end
    return end_of_list(clauses[number], last + 1, rest, of_theirs=True)


def _may_be_object(clause: Clause) -> bool:
    """Whether a clause may be a further object: no order, and nothing added for the tone or against it."""
    ordered = _is_order(clause, 0, len(clause.words)) or LEAD.fullmatch(f"{clause.read} ") is not None
    return not (ordered or _goes_on(clause.words) or clause.words[0] in ADVERBS)


def _is_food(clause: Clause) -> bool:
    return clause.link in _LISTS and singular(clause.read) in _FOODS


def _goes_on(words: Sequence[str]) -> bool:
    """Whether another order begins among the words of an object, or the last answer alone is meant."""
    joined = any(one in _JOINS and two in KNOWN for one, two in pairwise(words))
    return joined or words[-1] in _JOINS or not _MORE_OF_IT.isdisjoint(words)


def _is_own_deed(clauses: Sequence[Clause], number: int) -> bool:
    """Whether the speaker tells what they do, or would do.

    "I cook and never use salt", "if I win, I buy a boat and never write again".
    """
    if number and clauses[number].link == "," and _NEVER_DONE.match(clauses[number].read):
        return clauses[number - 1].words[0] in _WE
    before = clauses[number - 1]
    if clauses[number].link not in _JOINS or not number or _TO_YOU & set(clauses[number].words):
        return False
    supposed = any(one.link in CONDITIONS and one.words[0] in _WE for one in clauses[:number])
    if before.link in CONDITIONS:
        return _runs_on(before)
    own = _OWN_DEED.match(before.read) is not None
    return own and (supposed or before.words[1:2] not in (["am"], ["are"], ["want"], ["need"], ["prefer"]))


def _runs_on(clause: Clause) -> bool:
    """Whether a condition holds its consequence, without a comma: "if I ever win I buy a boat"."""
    return not _WE.isdisjoint(clause.words[1:])


def _time_before(clauses: Sequence[Clause], number: int) -> str:
    """The clause right before one, where it names a time and is joined to it; empty when none does."""
    near = number > 0 and clauses[number].link in {",", "so", "and", "-", ";", ":"}
    before = clauses[number - 1] if near else None
    return before.raw(0, len(before.words)) if before is not None and _TIMES.search(before.read) else ""


def _quoted_behind(clause: Clause, last: int) -> str:
    """What stands in quotation marks right behind a word: 'format dates as "Month Day, Year"'."""
    match = _QUOTED.match(clause.text, clause.tokens[last].end)
    return match.group() if match else ""


def _titled(value: str, order: Order) -> str:
    """The name of a language with its capital."""
    return value.capitalize() if order.relation in {"answer language", "temperature unit"} else value
