"""What is worth asking: undecided conflicts, and what is not sure and keeps being used."""

from collections.abc import Iterator
from typing import Final

from recollect.learning.ageing import Ageing
from recollect.learning.agenda.endings import Talk
from recollect.learning.agenda.items import AgendaItem, item_id
from recollect.learning.agenda.material import AgendaMaterial, quoted
from recollect.learning.agenda.sentences import SaidSentence
from recollect.learning.extraction.facts import HEDGED
from recollect.learning.listing import finding
from recollect.learning.profile import DOUBTED, holds
from recollect.learning.reconcile.endings import is_loss
from recollect.learning.reconcile.statements import CHANGED, SAID
from recollect.types import MemoryRecord

USED_OFTEN: Final = 3
"""How often something doubtful was used that is worth asking about. Chosen by hand."""
_UNSURE: Final = finding(
    "not (?:(?:so|quite|really|entirely|completely|100%|too) )?(?:sure|certain|positive) | might be wrong"
    " | can not remember | do not (?:really |quite )?remember | am mistaken | if i remember"
)
_ALIKE: Final = 3
"""Stems of something doubtful that a later message has which says it for sure. Chosen by hand."""


def conflict_items(material: AgendaMaterial) -> Iterator[AgendaItem]:
    """The conflicts that a person can decide by what is true.

    Left out are those of plans, which days decide, of deaths, and of messages that may tell of a change.
    """
    for one in material.conflicts:
        pair = (one.known, one.new)
        plans = any(fact.labels.category == "plan" for fact in pair)
        relations = {str(fact.metadata.get("relation")) for fact in pair}
        if not (plans or relations & {SAID, CHANGED} or any(map(is_loss, relations))):
            turns = (id_ for fact in pair for id_ in fact.origin.sources)
            yield AgendaItem(
                id=item_id("conflict", one.known.id, one.new.id),
                kind="conflict",
                text=f"{_told(one.known, material)} But: {_told(one.new, material)} Which is true?",
                reason="the two contradict each other, and nobody decided",
                sources=tuple(dict.fromkeys((one.known.id, one.new.id, *turns))),
            )


def doubt_items(material: AgendaMaterial, talk: Talk) -> Iterator[AgendaItem]:
    """The facts of low confidence, and the messages whose speaker was not sure, that were used often."""
    told: set[str] = set()
    ageing = Ageing(material.facts, at=material.now, turns=material.said)
    for fact in material.facts:
        if not _may_be_asked(fact) or not holds(fact, material.now):
            continue
        aged = ageing.of(fact)
        if fact.worth.confidence <= HEDGED or aged.value <= DOUBTED:
            told.update(fact.origin.sources)
            why = f"its confidence is {aged.value:.2f}, and it was used {_used(fact)} times; {aged.reason}"
            yield _asked(fact, _told(fact, material), why, (fact.id, *fact.origin.sources))
    for one in material.sentences:
        record = one.record
        if record.id not in told and used_often(record) and _is_unsure(one, material, talk):
            told.add(record.id)
            why = f"who said it was not sure, and it was used {_used(record)} times"
            yield _asked(record, material.told(record, one.text), why, (record.id,))


def _asked(record: MemoryRecord, told: str, why: str, sources: tuple[str, ...]) -> AgendaItem:
    text, ids = f"{told} Is it so?", tuple(dict.fromkeys(sources))
    return AgendaItem(id=item_id("doubt", record.id), kind="doubt", text=text, reason=why, sources=ids)


def _told(fact: MemoryRecord, material: AgendaMaterial) -> str:
    """A fact in the words of the message that says it."""
    record, words = material.source_of(fact), fact.metadata.get("quote")
    if record is fact or not isinstance(words, str):
        return f"I know: {quoted(fact.content)}"
    return material.told(record, words)


def _may_be_asked(fact: MemoryRecord) -> bool:
    plain = fact.labels.category not in {"plan", "instruction"} and not fact.metadata.get("contested")
    return plain and used_often(fact)


def used_often(record: MemoryRecord) -> bool:
    """Whether something was used so often that it is asked about where it is doubtful."""
    return _used(record) >= USED_OFTEN


def _used(record: MemoryRecord) -> int:
    return record.use.usage_count + record.use.access_count


def _is_unsure(one: SaidSentence, material: AgendaMaterial, talk: Talk) -> bool:
    """Whether a sentence says that it may be wrong, and nothing said later says it for sure."""
    if one.asked or _UNSURE.search(one.read) is None:
        return False
    keys = frozenset(material.stems(_UNSURE.sub(" ", one.read)))
    return not any(
        talk.shares(said, keys, least=_ALIKE) and _UNSURE.search(said.content.lower()) is None
        for said in talk.after(one.record)
    )
