"""Corrections of what was said before: "sorry, I meant Penryn, not Falmouth".

They are kept only where something known has the old value (``reconcile.corrections``). A message that is a
statement itself ends what it said of the old value alone: "actually I'm allergic to strawberries, not kiwi".
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from recollect.learning.extraction.facts import EXPLICIT, Fact
from recollect.learning.extraction.stated import statements_of
from recollect.learning.reconcile.corrections import CORRECTED, correction_in


def corrections_in(masked: str, facts: Sequence[Fact], speaker: str) -> Iterator[Fact]:
    """The correction that a turn makes.

    Args:
        masked: Its own words.
        facts: What the other rules found in it.
        speaker: How facts call the speaker.
    """
    stated = ". ".join(statements_of(masked)) if "?" in masked else masked
    said = " ".join(stated.split())
    correction = correction_in(said)
    if correction is None:
        return
    new, old = correction.new, correction.old
    if not correction.old:
        yield _as_it_stands(said, speaker)
        return
    own = [fact for fact in facts if (fact.object or "").lower().endswith(new.lower()) and not fact.only_ends]
    for fact in own:
        text, value = fact.text.replace(new, old), (fact.object or "").replace(new, old)
        yield replace(fact, text=text, object=value, past=True, change="ended", only_ends=True)
    if not own:
        yield _as_it_stands(said, speaker)


def _as_it_stands(said: str, speaker: str) -> Fact:
    return Fact(
        text=f'{speaker} {CORRECTED}: "{said}"',
        category="context",
        confidence=EXPLICIT,
        subject=speaker,
        relation=CORRECTED,
        object=said,
        change="begun",
        source="",
        quote=said,
        only_ends=True,
    )
