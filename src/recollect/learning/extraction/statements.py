"""From the sentences of a turn to facts: which clauses are statements, and whom each is about."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from recollect.learning.extraction import guards
from recollect.learning.extraction.acquaintances import met_in, tells_of_people
from recollect.learning.extraction.ages import names_and_ages
from recollect.learning.extraction.appositions import apposed_in, unbracketed
from recollect.learning.extraction.attributes import attribute_of, called_in, introduced_in
from recollect.learning.extraction.clauses import ADVERBS, Clause, Sentence, clauses_of, sentences_of
from recollect.learning.extraction.conventions import conventions_in, may_tell_conventions
from recollect.learning.extraction.described import described_in
from recollect.learning.extraction.facts import Fact, is_felt
from recollect.learning.extraction.forms import ALWAYS_PAST, PASTS, THIRDS
from recollect.learning.extraction.health import health_of
from recollect.learning.extraction.in_passing import told_in_passing
from recollect.learning.extraction.instruction_rules import may_instruct
from recollect.learning.extraction.instructions import instruction_of, orders_apart
from recollect.learning.extraction.irony import is_joke, may_joke
from recollect.learning.extraction.jobs import job_in
from recollect.learning.extraction.leads import Lead, is_unsure, lead_of
from recollect.learning.extraction.left_out import with_subjects
from recollect.learning.extraction.mentioned import (
    is_of_another,
    mentioned_in,
    name_before_pronoun,
    name_of,
    spoken_of,
    with_owner,
)
from recollect.learning.extraction.naming import people_in
from recollect.learning.extraction.partings import parting_of
from recollect.learning.extraction.people import PETS
from recollect.learning.extraction.permissions import permissions_in
from recollect.learning.extraction.plans import may_plan, plan_of
from recollect.learning.extraction.predicates import Predicate, predicate_of
from recollect.learning.extraction.presented import presented_in
from recollect.learning.extraction.questions import asks_from
from recollect.learning.extraction.reactions import reactions_in
from recollect.learning.extraction.reasons import reasoned_in
from recollect.learning.extraction.remembered import remembered_in
from recollect.learning.extraction.routines import routine_of
from recollect.learning.extraction.rules import Reading
from recollect.learning.extraction.scopes import scopes_apart
from recollect.learning.extraction.spoken import meant_by, told_of, whole
from recollect.learning.extraction.standing import standing_of
from recollect.learning.extraction.subjects import SELF, Subject, fits, kind_of, subject_of
from recollect.learning.extraction.telling import ToldClause, facts_told, name_told, readings_of
from recollect.learning.extraction.tokens import WordToken, tokens_of
from recollect.learning.extraction.turn_read import Before, TurnRead
from recollect.learning.extraction.unclear import unclear
from recollect.learning.extraction.verbless import apposed_to, is_titled, name_beside, names_in, trade_of
from recollect.learning.extraction.verbs import KNOWN, TASTES
from recollect.learning.extraction.wishes import lists_wishes, may_wish
from recollect.learning.extraction.wording import in_third_person
from recollect.learning.listing import listed
from recollect.types.regex import lazy_regex

_ALWAYS_A_VERB: Final = listed("am was were is are have has do does can used not never")
"""Words that go on with the subject of the clause before: "and have two kids"."""
_GO_ON_AFTER_COMMA: Final = TASTES | listed("live work study speak own have")
_STATES_OF: Final = listed("living based working studying born originally raised retired married divorced")
"""Words that say of the speaker what they are, behind what tells who they are: "I'm Ada, based in Kiel"."""
_LINKS: Final = frozenset(["and", "but", ",", "or", "then", "so", "though", "plus", "-", "&", "yet", ")"])
"""Links behind which a subject may be left out."""
_NO_STATEMENT: Final = listed("to how what that should would could will must might want need let if when")
"""Words of a clause whose verbs are not said to be so; those joined to it are not either."""
_LONGEST_WISHES: Final = 200
"""Characters of a turn that lists how to answer. Chosen by hand."""
_HELPERS: Final = listed("has have is was will would can")
_ASIDE: Final = 3
"""Words of what stands between commas behind a subject: "My son, Max, ...". Chosen by hand."""


def facts_in(
    masked: str,
    text: str,
    speaker: str,
    people: Mapping[str, str] | None = None,
    mentioned: str = "",
    *,
    speakers: frozenset[str] = frozenset(),
) -> list[Fact]:
    """The facts of one turn, in order, each once; their sources are empty.

    Args:
        masked: The speaker's own words.
        text: The turn.
        speaker: How facts call who speaks.
        people: Names told before, and what each is to the speaker.
        mentioned: The noun of the person or animal that the turn before told of.
        speakers: Names, in small letters, of those who speak.
    """
    turn = TurnRead(speaker, plans=may_plan(masked), mentioned=mentioned, people=dict(people or {}))
    turn.spoken = [mentioned] if mentioned else []
    turn.people |= met_in(masked, turn.people, speakers)
    turn.instructs, turn.places = may_instruct(masked), may_tell_conventions(masked)
    sentences = sentences_of(tokens_of(masked, frozenset(name.casefold() for name in turn.people)))
    turn.alone = len(sentences) == 1
    wishes = len(masked) <= _LONGEST_WISHES and may_wish(masked)
    if wishes and not any(sentence.asked for sentence in sentences):
        turn.wishes = lists_wishes([[one.read for one in clauses_of(each, text)] for each in sentences])
        turn.instructs = turn.instructs or turn.wishes
    jokes, real = may_joke(masked), tells_of_people(masked)
    for number, sentence in enumerate(sentences):
        if turn.closed:
            break
        if not (jokes and is_joke(sentences, number)):
            turn.sentence = sentence
            passed, read = told_in_passing(sentence, text, turn) if real else ([], sentence)
            found = _told_in(read, text, turn)
            turn.people.update(people_in(found))
            turn.facts.extend([*_besides(found, iter(passed)), *found])
            turn.spoken = told_of(whole(sentence, text, turn.people)) or turn.spoken
    found = [fact for fact in dict.fromkeys(turn.facts) if not _says_nothing(fact) and not unclear(fact)]
    return _with_names(found)


def _with_names(facts: list[Fact]) -> list[Fact]:
    """Facts in which an animal is called by the name told beside it, so that they end together."""
    names = {fact.subject: fact.object for fact in facts if fact.relation == "is named"}
    return [_named_pet(fact, names) if fact.relation == "has" and names else fact for fact in facts]


def _named_pet(fact: Fact, names: Mapping[str, str | None]) -> Fact:
    article, _, noun = (fact.object or "").partition(" ")
    name = names.get(f"{fact.subject}'s {noun}")
    if article not in {"a", "an", "one"} or noun not in PETS or name is None or fact.negated:
        return fact
    return replace(fact, text=f"{fact.text[:-1]} named {name}.", object=f"{fact.object} named {name}")


def _says_nothing(fact: Fact) -> bool:
    """Whether it names somebody who is named already: "Ada is Ada"."""
    return fact.subject.casefold() == (fact.object or "").casefold()


def _told_in(sentence: Sentence, text: str, turn: TurnRead) -> list[Fact]:
    """The convention that a sentence tells, else its other facts."""
    told = conventions_in(sentence, text, turn.speaker) if turn.places else []
    return told or list(_of_sentence(sentence, text, turn))


def _of_sentence(sentence: Sentence, text: str, turn: TurnRead) -> Iterator[Fact]:
    clauses = clauses_of(sentence, text, turn.people)
    clauses = unbracketed(clauses)
    clauses = clauses if sentence.asked else with_subjects(clauses)
    clauses = orders_apart(scopes_apart(clauses)) if turn.instructs else clauses
    if clauses and clauses[0].words[0] == "during":
        return
    if any(guards.DENIED_BY_ALL.match(clause.read) for clause in clauses[1:]):
        return
    before, conditional, ordered = Before(), False, _instructions(clauses, turn)
    told: dict[int, list[Fact]] = {}
    yield from ordered.values()
    aged = list(names_and_ages(clauses, turn.speaker))
    reactions = [*reactions_in(sentence, clauses, turn.speaker), *aged]
    reactions += permissions_in(sentence, clauses, turn.speaker)
    yield from reactions
    for number, clause in enumerate(clauses[: asks_from(clauses, asked=sentence.asked)]):
        if number in ordered:
            continue
        standing = standing_of(clauses, number)
        if standing in {"make-believe", "material", "told"}:
            turn.closed = standing != "told"
            return
        if standing == "condition":
            conditional = conditional or not before.found
            before = Before()
        elif conditional and clause.link not in {"but", "and"}:
            continue
        elif standing == "stated":
            found = _besides(reactions, _stated(clause, clauses[number + 1 :], before, turn))
            told[number] = list(_with_exception(found, clauses[number + 1 :], turn.speaker))
            yield from told[number]
        else:
            before.subject = before.subject if before.waits else None
    if turn.instructs:
        done = {*ordered, *(number for number, facts in told.items() if facts)}
        yield from reasoned_in(clauses, told, done, turn.speaker)


_I: Final = lazy_regex(r"\b(?:i|we)(?:'ve|\u2019ve)?(?P<was> was)?\b", re.IGNORECASE)
_LASTS_SINCE: Final = lazy_regex(r" has not (?:had|seen|been|worked|done|driven|eaten|smoked|drunk|spoken)\b")


def _they(match: re.Match[str]) -> str:
    return "they were" if match["was"] else "they"


def _with_exception(facts: Iterator[Fact], rest: Sequence[Clause], speaker: str) -> Iterator[Fact]:
    """Facts with what is excepted behind them, or since when: "everything except nuts"."""
    excepts = rest[0] if rest and rest[0].link in {"except", "unless", "since"} else None
    for fact in facts:
        since = excepts is not None and excepts.link == "since" and _LASTS_SINCE.search(fact.text) is None
        if excepts is None or since or fact.subject != speaker:
            yield fact
            continue
        words = excepts.raw(0, len(excepts.words))
        told = f"{excepts.link} {in_third_person(_I.sub(_they, words), speaker, SELF)}"
        start = excepts.text.find(fact.quote)
        yield replace(
            fact,
            text=f"{fact.text.rstrip('.')} {told}.",
            object=f"{fact.object or ''} {told}".strip(),
            quote=excepts.text[start : excepts.tokens[-1].end] if start >= 0 else fact.quote,
        )


def _besides(known: Sequence[Fact], facts: Iterator[Fact]) -> Iterator[Fact]:
    """The facts that say something else than those that are known already."""
    told = {(one.subject, one.relation) for one in known}
    lists = [one.object or "" for one in known if one.relation == "is named"]
    named = {name for names in lists for name in names.replace(" and ", ", ").split(", ")}
    return (
        fact
        for fact in facts
        if (fact.subject, fact.relation) not in told
        and not (fact.relation == "is named" and fact.object in named)
    )


def _instructions(clauses: Sequence[Clause], turn: TurnRead) -> dict[int, Fact]:
    """The standing instructions of a sentence, by the numbers of their clauses."""
    if not turn.instructs:
        return {}
    found = (
        (number, instruction_of(clauses, number, turn.speaker, listed=turn.wishes, alone=turn.alone))
        for number in range(len(clauses))
    )
    return {number: fact for number, fact in found if fact is not None}


def _stated(clause: Clause, rest: Sequence[Clause], before: Before, turn: TurnRead) -> Iterator[Fact]:
    """The facts of a statement; a plan, or what shall be remembered, where the rules see no more in it."""
    facts = list(_of_clause(clause, rest, before, turn))
    before.own = any(fact.subject == turn.speaker for fact in facts) if facts else before.own
    lead = lead_of(clause)
    told = plan_of(clause, lead, rest, turn.speaker) if turn.plans else None
    if told is None and not facts and turn.instructs:
        told = remembered_in(clause, lead, rest, turn.speaker)
    if told is None and not facts:
        told = described_in(clause, lead, rest, turn.speaker)
    named = [fact for fact in facts if fact.relation == "is named" and fact.subject != turn.speaker]
    plain = all(fact.category == "general" and fact.change is None for fact in facts if fact not in named)
    yield from [*named, told] if told is not None and plain else facts


def _of_clause(clause: Clause, rest: Sequence[Clause], before: Before, turn: TurnRead) -> Iterator[Fact]:
    if is_unsure(clause) or any(clause is one for one in before.aside):
        return
    lead = lead_of(clause)
    if lead.start >= len(clause.words):
        before.corrects, before.often = before.corrects or lead.corrects, lead.often
        return
    goes_on = before.own and clause.link in {",", "and", ")"} and not is_titled(clause)
    if goes_on and clause.words[lead.start] in _STATES_OF:
        clause = _as_said_of_oneself(clause, lead.start)
    lead = lead._replace(corrects=lead.corrects or before.corrects, often=lead.often or before.often)
    before.often = ""
    turn.mentioned = "" if is_of_another(clause, turn.mentioned) else turn.mentioned
    turn.mentioned = _meant(clause, clause.words[lead.start], turn)
    clause = with_owner(clause, lead.start, turn.mentioned)
    yield from trade_of(clause, rest, turn)
    yield from names_in(clause, lead, rest, turn)
    yield from job_in(clause, lead, rest, turn.speaker)
    attribute = (
        attribute_of(clause, lead, rest, turn.speaker)
        or called_in(clause, lead, turn.speaker)
        or introduced_in(clause, lead, turn.speaker)
        or presented_in(clause, lead, turn.speaker)
        or parting_of(clause, lead, rest, turn.speaker)
        or health_of(clause, lead, rest, turn.speaker)
        or routine_of(clause, lead, turn.speaker)
    )
    if attribute is not None:
        before.subject, before.found = None, True
        if lead.likens and not is_felt(attribute.category, attribute.relation):
            return
        before.named = attribute.relation == "is named" and attribute.subject == turn.speaker
        turn.mentioned = attribute.subject.partition("'s ")[2] or turn.mentioned
        yield attribute
        return
    if (apposed := apposed_in(clause, lead, rest)) is not None:
        named = apposed.subject
        told = ToldClause(clause=clause, lead=lead, subject=named, begins=clause.tokens[named.start].start)
        quote = clause.text[told.begins : apposed.aside[0].tokens[-1].end]
        yield replace(name_told(told, turn.speaker), quote=quote)
        before.aside, turn.mentioned = apposed.aside, named.noun
        if named.start == lead.start:
            before.subject, before.begins, before.clause, before.waits = named, told.begins, clause, True
            return
    subject, begins = subject_of(clause, lead.start), clause.tokens[lead.start].start
    if subject is None:
        subject, begins = _left_out(clause, lead, before), before.begins
    if subject is None:
        yield from _without_subject(clause, lead, rest, before, turn)
        return
    told = ToldClause(clause=clause, lead=lead, subject=subject, begins=begins, rest=rest)
    yield from _of_statement(told, before, turn)


_PRONOUNS: Final = frozenset(["she", "he", "her", "his"])


def _meant(clause: Clause, pronoun: str, turn: TurnRead) -> str:
    """Whom a pronoun means that begins a clause, by the words before it."""
    if pronoun not in _PRONOUNS:
        return turn.mentioned
    told: list[str] = []
    if turn.sentence is not None:
        flat, first = whole(turn.sentence, clause.text, turn.people), clause.tokens[0].start
        told = told_of(flat, sum(token.start < first for token in flat.tokens))
    who = meant_by(pronoun, told or turn.spoken, turn.mentioned, turn.people)
    return "" if is_of_another(clause, who) else who


def _as_said_of_oneself(clause: Clause, start: int) -> Clause:
    """A clause with the "I am" that its participle lacks: "I'm Ada, living in Kiel"."""
    place = clause.tokens[start].start
    inserted = [WordToken("i", place, place), WordToken("am", place, place)]
    return replace(clause, tokens=[*clause.tokens[:start], *inserted, *clause.tokens[start:]])


def _without_subject(
    clause: Clause, lead: Lead, rest: Sequence[Clause], before: Before, turn: TurnRead
) -> Iterator[Fact]:
    """What stands between commas behind a subject, or names somebody spoken of before."""
    if not (before.waits and len(clause.words) <= _ASIDE):
        yield from apposed_to(clause, before, turn)
        yield from name_beside(clause, lead, before, turn)
        before.subject = None
        yield from name_of(clause, lead, turn.mentioned, turn.speaker)
        yield from name_before_pronoun(clause, lead, rest, turn.mentioned, turn.speaker)
    elif before.subject is not None and clause.raw(0, 1).istitle() and _is_between_commas(clause, rest):
        named = before.subject._replace(
            name=clause.raw(0, len(clause.words)), start=0, behind=len(clause.words)
        )
        yield name_told(
            ToldClause(clause=clause, lead=lead, subject=named, begins=before.begins), turn.speaker
        )


def _is_between_commas(clause: Clause, rest: Sequence[Clause]) -> bool:
    """Whether a name tells more of a subject; in "my wife, Ben and I" it does not."""
    return (clause.link, rest[0].link if rest else "") in {(",", ","), ("(", ")")}


def _left_out(clause: Clause, lead: Lead, before: Before) -> Subject | None:
    """The subject of the clause before, where this one begins with its verb."""
    if before.subject is None or clause.link not in _LINKS or (before.named and is_titled(clause)):
        return None
    words, place = clause.words, lead.start
    while place < len(words) - 1 and words[place] in ADVERBS and words[place] not in KNOWN:
        place += 1
    follows = words[place + 1] if place + 1 < len(words) else ""
    sided = words[place] in {"left", "right"} and follows in _SIDES
    if (
        words[place] == "be"
        or sided
        or follows in _HELPERS
        or not _goes_on(clause.link, words[place], before)
    ):
        return None
    return before.subject._replace(start=lead.start, behind=lead.start, name="")


_SIDES: Final = frozenset(["wing", "back", "side", "hand", "handed", "half", "foot", "winger", "midfield"])
"""Behind "left", which is no verb then: "I play for the under 16s, left wing"."""


def _goes_on(link: str, word: str, before: Before) -> bool:
    """Whether a word is a verb of the subject before."""
    if word in _ALWAYS_A_VERB or (word in PASTS and (word not in KNOWN or word in ALWAYS_PAST)):
        return True
    if not (before.found or before.waits) or (before.clause is not None and _means(before.clause.words)):
        return False
    if before.subject is not None and before.subject.kind != "self" and not before.subject.plural:
        return word in THIRDS
    return word in (_GO_ON_AFTER_COMMA if link == "," and not before.waits else KNOWN)


def _means(words: Sequence[str]) -> bool:
    """Whether a clause has an infinitive, which goes on in the next one: "I want to move and work less"."""
    return any(one == "to" and verb in KNOWN for one, verb in pairwise(words))


def _of_statement(told: ToldClause, before: Before, turn: TurnRead) -> Iterator[Fact]:
    if told.subject.pronoun:
        if not turn.mentioned or not fits(told.subject.pronoun, turn.noun(turn.mentioned)):
            before.subject, turn.mentioned = None, ""
            return
        who = told.subject._replace(noun=turn.mentioned, kind=kind_of(turn.noun(turn.mentioned)))
        told = replace(told, subject=who)
    subject, words = told.subject, told.clause.words
    if subject.name:
        yield name_told(told, turn.speaker)
    if subject.kind != "self":
        turn.mentioned = subject.noun if subject.kind != "thing" else ""
    before.subject, before.begins = subject, told.begins
    before.clause = told.clause
    before.waits = subject.behind >= len(words)
    found = predicate_of(words, subject.behind, third_person=subject.kind != "self", plural=subject.plural)
    readings = [] if found is None else readings_of(told, found)
    if not readings and (found is None or not _NO_STATEMENT.isdisjoint(words[subject.behind :])):
        before.subject = subject if before.waits else None
    before.found = bool(readings) or (found is not None and words[subject.behind] in PASTS)
    before.named = subject.kind == "self" and any(reading.relation == "is named" for reading in readings)
    if found is not None:
        yield from _told(told, found, readings, turn)
    if subject.kind == "self":
        turn.mentioned = spoken_of(told.clause) or turn.mentioned


def _told(told: ToldClause, found: Predicate, readings: Sequence[Reading], turn: TurnRead) -> Iterator[Fact]:
    for reading in readings:
        yield from facts_told(told, found, reading, turn.speaker)
        whom = mentioned_in(told.clause, reading)
        if told.subject.kind == "self" or whom:
            turn.mentioned = whom if told.subject.kind == "self" else ""
