"""Messages that tell of a change of something known, whatever their grammar: "Keto's over", "Got promoted!".

The other rules read a sentence by its subject and its verb. Of a change it is enough that the speaker
states it:
what it ends is decided where it is compared with what is known (``reconcile.changes``). Its words are kept as
they stand, and only where something ends by them, or may.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from recollect.learning.extraction.facts import EXPLICIT, HEDGED, INFERRED, Change, Fact
from recollect.learning.extraction.forms import PASTS
from recollect.learning.extraction.masking import own_words
from recollect.learning.extraction.partings import PARTED
from recollect.learning.extraction.permissions import without_permissions
from recollect.learning.extraction.pointing import pointed_out
from recollect.learning.extraction.reading import as_read
from recollect.learning.extraction.slips import without_slips
from recollect.learning.extraction.stated import statements_of
from recollect.learning.extraction.verbs import KNOWN
from recollect.learning.reconcile.changes import news_in, tells_change
from recollect.learning.reconcile.doubts import may_change
from recollect.learning.reconcile.endings import is_ending_relation, is_loss
from recollect.learning.reconcile.judge import sounds_like_a_change
from recollect.learning.reconcile.statements import CHANGED, SAID
from recollect.learning.reconcile.told import parts_of
from recollect.text.analyse import words as words_of
from recollect.text.entities.kinds import Kind, kind_of
from recollect.types.regex import lazy_regex

SHORT: Final = 240
"""Characters of statements that are read as one message; longer ones one by one. Chosen by hand."""
_LONGEST: Final = 400
"""Characters of a statement; a longer one is no plain message about a change. Chosen by hand."""

_LEFT: Final = 3
"""Words that say something beside what was learned. Chosen by hand."""
_PLAIN: Final = 16
_BARE: Final = 9
"""Words of an older statement that plainly says how things are, and of one that says nothing else, however it
begins. Chosen by hand."""
_STATE: Final = lazy_regex(
    r"(?:(?:hi|hey|hello|so|well|and|also|fyi|btw|at \w+|on \w+|please|you can note)[, ]+)*"
    r"(?:(?:i|we) (?!was|were|had|did|went|got|saw|think|guess|know|mean|hope|wish|feel|want|need|like|love"
    r"|hate|remember"
    r"|believe|just|can|could|would|will|should|might|may|agree|understand|totally|definitely|bet|wonder"
    r"|said|told|\w+ed\b)\w+\b"
    r"|(?:i|we)'ve (?:been|lived|worked|had) .* (?:for|since) |you can (?:reach|call|text|write|note|find)\b"
    r"|(?:i'm|im|we're|i've got|we've got) |(?:my|our|the|[A-Z]\w+'s) [\w' -]{2,40}(?:'s| is| are) "
    r"|(?:always|never|don't|do not|answer|reply|keep|use|call|write|avoid|skip|my|our)\b"
    r"|(?:ich|wir) (?:bin|sind|habe|haben|wohne|arbeite|nehme|rauche|trinke|esse|fahre|spiele|lerne"
    r"|studiere|gehe|zahle|nutze)\b"
    r"|mein\w* [\w -]{2,30} (?:ist|heißt) |(?:je|j'|nous) ?\w+|(?:ma|mon|mes) [\w' -]{2,30} (?:est"
    r"|s'appelle) "
    r"|[A-Z]\w+ (?:goes|attends|is|plays|works|studies|lives) |(?:tengo|tenemos|vivimos|trabajo|vivo|soy"
    r"|estoy|voy|tomo|juego|como|bebo|fumo|mi|mis|nuestr[oa])\b|(?:jag|vi) \w+"
    r"|(?:min|mitt|vår) [\w -]{2,30} (?:är|heter) "
    r"|(?:tenho|trabalho|moro|sou|vou|tomo|jogo|como|bebo|fumo|estudo|pago|(?:o )?meu|(?:a )?minha)\b)",
    re.IGNORECASE,
)
"""How a statement begins that says how things are."""
_PASSING: Final = lazy_regex(
    r"\b(?:i'm (?:off|(?:consider|think|plan|try|look|hop|wonder|worry|struggl|aim)ing)|(?:isn't|aren't"
    r"|am not|'m not|'re not|not) (?!when)|yet|glad|sure|so sorry|thrilled|excited|today|tonight"
    r"|kinda|worried|stressed|concerned|frustrated|struggling|overwhelmed|ready|determined|feel(?:ing)?|thanks"
    r"|thank|wow|great|awesome|amazing|just (?!so you know|no\b))\b",
    re.IGNORECASE,
)
"""Words of what is said of the moment, or denied."""

_ADVERBS: Final = frozenset(("already", "finally", "recently", "just", "also", "once", "even"))
_LASTING: Final = frozenset(("been", "got", "had", "lived", "worked", "used", "played", "known"))
_ELSEWHERE: Final = lazy_regex(
    r"(?:they|it|it's|this|that|that's|these|those|there|there's|he|she|you(?! can\b)|your|congrats|yeah"
    r"|yes|no(?=[,.!])|nope|good|same"
    r"|let's|let|everything|everyone|go|what|how|sounds|hope|hi|hey|hello|well done|oh|haha|ok|okay|sure|bye"
    r"|goodbye|absolutely|of course|alright|take care|believe|no (?:doubt|problem|worries)|exactly)\b",
    re.IGNORECASE,
)
"""How a short statement begins that says nothing of the speaker."""

BLANKED: Final = lazy_regex(r"\*\*|removed\]")
"""Stands where words were hidden, or a secret was."""
_BEHIND_COLON: Final = lazy_regex(r": ?[^,;!?\n]{1,60}?(?=[,;!?\n]|\.(?:\s|$)|$)")


def changes_in(masked: str, facts: Sequence[Fact], speaker: str) -> Iterator[Fact]:
    """The statements of a turn that may end something known.

    ``facts``: what the other rules found in it.
    """
    facts = [fact for fact in facts if not (fact.only_ends and _is_by_name(fact))]
    told = " ".join(fact.text for fact in facts if not fact.past and not fact.negated).lower()
    decided = [fact for fact in facts if _is_decided(fact)]
    plans = [fact.quote for fact in facts if fact.category == "plan"]
    whole = masked = _without_cases(without_permissions(masked), facts)
    for fact in decided:
        masked = masked.replace(fact.quote, " ")
    units = [unit for unit in _units(masked) if not BLANKED.search(unit) and tells_change(unit)]
    for unit in units:
        if _only_ages(unit, facts, speaker):
            continue
        news = news_in(unit)
        known = bool(news) and all(word in told for word in news)
        known = known or any(fact.confidence >= HEDGED and _bare(unit) == _bare(fact.quote) for fact in facts)
        sure = EXPLICIT if parts_of(unit) else INFERRED
        if sure == INFERRED and any(plan in unit for plan in plans):
            continue
        yield replace(_fact(unit, CHANGED, speaker, ended=known), confidence=sure)
    for unit in _units(whole) if any(is_loss(fact.relation) for fact in decided) else ():
        if unit not in units and may_change(unit):
            yield replace(_fact(unit, CHANGED, speaker, ended=True), confidence=INFERRED)
    learned = [fact.quote for fact in facts if fact.confidence >= INFERRED]
    for unit in () if units else units_in(whole):
        heard = len(whole) <= SHORT or sounds_like_a_change(unit)
        if heard and not _is_learned(unit, learned) and not any(plan in unit for plan in plans):
            yield replace(_fact(unit, CHANGED, speaker), confidence=INFERRED)


def _without_cases(text: str, facts: Sequence[Fact]) -> str:
    """A text without the sentences that say how to answer in one case, which changes nothing else."""
    for fact in facts:
        if fact.relation in {"answer length", "answer language"} and not fact.single_valued:
            text = re.sub(rf"[^.!?\n]*{re.escape(fact.quote)}[^.!?\n]*", " ", text)
    return text


_NO_MORE: Final = lazy_regex(r"(?:,? (?:after all|any ?more|any longer))?[.!]*$", re.IGNORECASE)
"""Ends a denial, and is no part of what it denies."""
_LEAD: Final = lazy_regex(
    r"(?:(?:(?:so|ok|and|well|oh|btw|update|good news|actually|apparently)[,:]? "
    r"|(?:it )?turns out(?: that)?[,:]? ))*",
    re.IGNORECASE,
)
_OF_AGE: Final = frozenset(["is aged", "birthday"])


def _bare(statement: str) -> str:
    """What a statement says, without what leads it in or ends a denial."""
    return _NO_MORE.sub("", _LEAD.sub("", statement, count=1)).lower()


def sayings_in(text: str, speaker: str, *, plain: bool = True) -> Iterator[Fact]:
    """What a speaker says of themselves in a turn, each statement as it stands.

    ``plain``: whether only those that plainly say how things are.
    """
    for unit in statements_of(own_words(without_slips(as_read(text)), speaker=speaker)):
        long = len(unit.split()) > _PLAIN if plain else len(unit) > SHORT
        if not long and not BLANKED.search(unit) and (not plain or _is_state(unit)):
            yield _fact(unit, SAID, speaker)


def units_in(masked: str) -> list[str]:
    """The statements of a turn's own words; of a short turn all of them as one."""
    stated = [" ".join(part.split()) for part in statements_of(masked)]
    if sum(map(len, stated)) <= SHORT:
        stated = [". ".join(stated)]
    return [part for part in stated if part and not BLANKED.search(part) and len(part) <= _LONGEST]


def _only_ages(unit: str, facts: Sequence[Fact], speaker: str) -> bool:
    """Whether a statement says no more than how old somebody is: "Max turned 4"."""
    told = [fact for fact in facts if fact.relation in _OF_AGE and fact.quote in unit]
    own = any(fact.subject == speaker for fact in told)
    return bool(told) and not own and _is_learned(unit, [fact.quote for fact in told])


def _is_learned(unit: str, quotes: Sequence[str]) -> bool:
    """Whether facts quote all of a statement but a few words."""
    for quote in quotes:
        unit = unit.replace(quote.rstrip("."), " ")
    return len(unit.split()) < _LEFT


def _is_decided(fact: Fact) -> bool:
    """Whether the other rules know what a fact ends, and how sure that is; "moved to Linux" is no home."""
    tool = fact.relation == "uses" and "move" in fact.quote
    if fact.relation == PARTED and fact.quote.endswith("moved out"):
        return False  # a flatmate is no couple
    return (
        tool
        or fact.only_ends
        or (fact.relation == "has" and fact.negated)
        or is_ending_relation(fact.relation)
    )


def _is_by_name(fact: Fact) -> bool:
    """Whether a fact is about somebody by name: "Ann left" may end that she is the speaker's boss, too."""
    return fact.subject.partition("'s ")[2][:1].isupper()


def _is_state(unit: str) -> bool:
    """Whether a statement says how things are, rather than what happened or is meant."""
    words = tuple(words_of(unit[:_LONGEST]))
    plain = _STATE.match(unit) is not None or (len(words) <= _BARE and not _ELSEWHERE.match(unit))
    return plain and not _happened(words) and not _PASSING.search(unit)


def _happened(words: Sequence[str]) -> bool:
    """Whether a statement tells what somebody did, once."""
    if words[:1] not in (("i",), ("we",)):
        return False
    rest = [word for word in words[1:4] if word not in _ADVERBS]
    done = rest[:1] == ["ve"] and rest[1:2] != [] and (rest[1].endswith("ed") or rest[1] in PASTS)
    return bool(rest) and ((rest[0] in PASTS and rest[0] not in KNOWN) or (done and rest[1] not in _LASTING))


def _units(masked: str) -> list[str]:
    """Statements that tell of a change, each with the one behind it, which may name what is new."""
    parts = list(statements_of(masked))
    asked = masked
    for part in parts:
        asked = asked.replace(part, " ")
    stated = [" ".join(pointed_out(_with_what_it_names(part, masked), asked).split()) for part in parts]
    telling = [tells_change(part) for part in stated]
    names = [_names_whom(part, behind) for part, behind in zip(stated, [*stated[1:], ""], strict=False)]
    kept = [
        part
        for place, part in enumerate(stated)
        if telling[place] or (place and telling[place - 1]) or (names[place] and telling[place + 1])
    ]
    if sum(map(len, kept)) <= SHORT:
        kept = [". ".join(kept)]
    return [part for part in kept if part and len(part) <= _LONGEST]


_NAME: Final = lazy_regex(r"(?!(?:I|He|She|We|They|It|You|My|Our|The|This|That)\b)[A-Z][a-z][\w-]*\b")
_PRONOUN: Final = lazy_regex(r"(?:s?he|s?he's)\b", re.IGNORECASE)


def _names_whom(part: str, behind: str) -> bool:
    """Whether a statement names whom the pronoun of the next one means: "Rita did it! She quit the bank"."""
    name = _NAME.match(part)
    return name is not None and kind_of(name.group()) >= Kind.BOTH and _PRONOUN.match(behind) is not None


def _with_what_it_names(part: str, masked: str) -> str:
    """A statement with what stands behind its colon: "New email: ada@example.org"."""
    _, _, behind = masked.partition(part)
    named = _BEHIND_COLON.match(behind)
    return part if named is None else part + named.group()


def _fact(unit: str, relation: str, speaker: str, *, ended: bool = False) -> Fact:
    change: Change | None = None if relation == SAID else "ended" if ended else "begun"
    return Fact(
        text=f'{speaker} {relation}: "{unit}"',
        category="context",
        confidence=EXPLICIT,
        subject=speaker,
        relation=relation,
        object=unit,
        change=change,
        source="",
        quote=unit,
        only_ends=relation == CHANGED,
    )
