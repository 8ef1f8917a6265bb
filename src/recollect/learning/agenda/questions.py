"""Questions that nobody answered, and what keeps being asked though nobody knows it."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from recollect.learning.agenda.endings import Talk
from recollect.learning.agenda.items import AgendaItem, item_id
from recollect.learning.agenda.material import AgendaMaterial
from recollect.learning.agenda.sentences import SaidSentence
from recollect.learning.listing import finding
from recollect.text.memory_questions import read_memory_question
from recollect.types import MemoryRecord
from recollect.types.regex import lazy_regex

_ASKS: Final = lazy_regex(
    r"(?:(?:and|so|ok|okay|hey|hi|please|also|but|sorry) ?,? )*(?:what|when|where|who|whom|whose|why|how"
    r"|which|do|does|did|is|are|was|were|can|could|will|would|has|have|should)\b"
)
_ORDERS: Final = lazy_regex(
    r"(?:\w+ ,? ?)?(?:can|could|will|would) you (?:please )?(?!find out|check|look|tell|know|remember)"
)
"""Asks to do something, which is no question."""
_RHETORICAL: Final = lazy_regex(
    r"(?:how are (?:you|things)|how is it going|what is up|why do i (?:always|even|keep|never)|why me\b"
    r"|is not (?:it|that|this)|are not (?:they|we)|who (?:cares|knows)|what (?:can|shall) i say"
    r"|is it just me|can you believe|how (?:cool|great|nice) is|why not\b|have you ever)"
)
_UNKNOWN: Final = lazy_regex(
    r"\b(?:i (?:do not|don't|don\u2019t) (?:know|have|see|remember)|i(?:'m| am|\u2019m) not sure"
    r"|(?:have not|haven't|haven\u2019t|never) (?:told|mentioned|shared)|no idea|not something i know)",
)
_LATER: Final = lazy_regex(
    r"\b(?:(?:could not|couldn't|couldn\u2019t|cannot|can't|can\u2019t) (?:find|reach|check|access|look)"
    r"|(?:try|check|look) again|let me (?:check|look)"
    r"|i(?:'ll| will|\u2019ll) (?:check|look|find|get back|try))"
)
_OFFERS: Final = lazy_regex(
    r"\b(?:anything|any (?:\w+ )?(?:more|other|specific|further|additional|questions)|additional|further"
    r"|explore|more (?:\w+ )?(?:information|details?|help|guidance|examples)|would you like (?:me )?to"
    r"|shall (?:we|i)|(?:which|any) of these|resonates|do you want me to|should i|can i help|help you"
    r"|does that|is that|let me know|what do you think|how does that|how can i|make sense"
    r"|sound (?:good|right))"
)
"""How assistants end what they say."""
_CHOICE: Final = finding("or | which | what | when | where | who | how many | how much | how long")
_SHORT: Final = 15
"""Words of an assistant's question that waits for an answer; longer ones close a conversation. By hand."""
_LEAST: Final = 2
"""Stems of a question that is about something. Chosen by hand."""
_ALIKE: Final = 0.75
"""The share of the stems of the shorter question that two have which ask the same. Chosen by hand."""
_TIMES: Final = 2
"""How often something is asked that is worth asking for. Chosen by hand."""
_WAITS_DAYS, _UNKNOWN_DAYS = 14, 60
"""Until how many days after it was asked a question is brought up. Chosen by hand."""
_MANY: Final = 3
"""Questions without any answer from which on answers are not kept here. Chosen by hand."""


def question_items(material: AgendaMaterial, talk: Talk) -> Iterator[AgendaItem]:
    """The questions that wait for an answer, and those that were asked again though nobody knew it."""
    threads = _threads(material.messages)
    asked = [one for one in material.sentences if _is_question(one, material)]
    waiting: list[SaidSentence] = []
    unknown: list[SaidSentence] = []
    for one in asked:
        reply = _reply(threads.get(one.record.origin.thread, ()), one.record)
        if _is_told(one.record, one.text, material, talk):
            continue
        if reply is None or _LATER.search(reply.content.lower()):
            waiting.append(one)
        elif _UNKNOWN.search(reply.content.lower()):
            unknown.append(one)
    yield from (item for group in _alike(unknown, material) for item in _unknown_item(group, material))
    if len(waiting) < max(len(asked), _MANY):
        yield from (item for one in waiting for item in _waiting_item(one.record, one.text, material))
    for thread in threads.values():
        if (text := _left_open(thread[-1], material)) and not _is_told(thread[-1], text, material, talk):
            yield from _waiting_item(thread[-1], text, material)


def forget_items(material: AgendaMaterial) -> Iterator[AgendaItem]:
    """The requests to forget that name nothing known, or too much: what is meant has to be asked."""
    for record in material.messages:
        age = material.age_of(record)
        if record.id in material.unclear and age is not None and age.days <= _WAITS_DAYS:
            count = material.unclear[record.id]
            names = "That is everything" if count is None else f"That names {count:,} memories"
            told = names if count != 0 else "I know nothing that it names"
            yield AgendaItem(
                id=item_id("question", record.id, "forget"),
                kind="question",
                text=f"{material.told(record, record.content, verb='asked')} {told}. What shall I forget?",
                reason="so nothing was forgotten",
                sources=(record.id,),
            )


def _waiting_item(record: MemoryRecord, text: str, material: AgendaMaterial) -> Iterator[AgendaItem]:
    age = material.age_of(record)
    if age is not None and age.days <= _WAITS_DAYS:
        mine = record.origin.role == "assistant"
        open_still = "You have not answered yet." if mine else "It was not answered."
        yield AgendaItem(
            id=item_id("question", record.id),
            kind="question",
            text=f"{material.told(record, text.rstrip('?') + '?', verb='asked')} {open_still}",
            reason="nothing said since answers it",
            sources=(record.id,),
        )


def _unknown_item(group: Sequence[SaidSentence], material: AgendaMaterial) -> Iterator[AgendaItem]:
    last = group[-1]
    age = material.age_of(last.record)
    if age is not None and age.days <= _UNKNOWN_DAYS:
        told = material.told(last.record, f"{last.text}?", verb="asked")
        yield AgendaItem(
            id=item_id("unknown", group[0].record.id),
            kind="unknown",
            text=f"{told} I do not know it. Can you tell me?",
            reason=f"it was asked {len(group)} times, and is not known",
            sources=tuple(dict.fromkeys(one.record.id for one in group)),
        )


def _is_told(record: MemoryRecord, text: str, material: AgendaMaterial, talk: Talk) -> bool:
    """Whether a later message speaks of what was asked, and does not ask."""
    keys = frozenset(material.stems(text))
    return any("?" not in said.content and talk.shares(said, keys) for said in talk.after(record))


def _threads(messages: Sequence[MemoryRecord]) -> dict[str, list[MemoryRecord]]:
    ordered = sorted(messages, key=lambda one: (one.origin.thread, one.origin.turn))
    return {thread: list(turns) for thread, turns in groupby(ordered, key=lambda one: one.origin.thread)}


def _is_question(one: SaidSentence, material: AgendaMaterial) -> bool:
    asks = one.asked and _ASKS.match(one.read) is not None
    asks = asks and not (_RHETORICAL.match(one.read) or _ORDERS.match(one.read))
    return asks and len(material.stems(one.text)) >= _LEAST and read_memory_question(one.text) is None


def _reply(thread: Sequence[MemoryRecord], asked: MemoryRecord) -> MemoryRecord | None:
    """What somebody else said behind a question."""
    return next(
        (
            one
            for one in thread
            if one.origin.turn > asked.origin.turn
            and (one.origin.role, one.origin.speaker) != (asked.origin.role, asked.origin.speaker)
        ),
        None,
    )


def _alike(asked: Sequence[SaidSentence], material: AgendaMaterial) -> Iterator[list[SaidSentence]]:
    """Questions that ask the same, in several conversations."""
    groups: list[tuple[frozenset[str], list[SaidSentence]]] = []
    for one in asked:
        keys = frozenset(material.stems(one.text))
        group = next((group for known, group in groups if _ask_the_same(keys, known)), None)
        if group is None:
            groups.append((keys, [one]))
        else:
            group.append(one)
    for _, group in groups:
        if len({one.record.origin.thread for one in group}) >= _TIMES:
            yield group


def _ask_the_same(keys: frozenset[str], known: frozenset[str]) -> bool:
    return len(keys & known) >= _ALIKE * min(len(keys), len(known))


def _left_open(last: MemoryRecord, material: AgendaMaterial) -> str:
    """The question with which an assistant ended a conversation; empty where it only closes it."""
    text = _last_question(last.content) if last.origin.role == "assistant" else ""
    low = text.lower()
    closes = len(text.split()) > _SHORT or _OFFERS.search(low) is not None or _CHOICE.search(low) is None
    return "" if closes or len(material.stems(text)) < _LEAST else text


def _last_question(words: str) -> str:
    """The question that a text ends with, looked for from its end; empty for none."""
    said = words.rstrip()
    begins = max(said.rfind(mark, 0, -1) for mark in ".!?\n") + 1
    return said[begins:].strip() if said.endswith("?") else ""
