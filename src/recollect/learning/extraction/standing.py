"""How a clause stands to its speaker: stated by them, or supposed, told by others, material for a task."""

from collections.abc import Sequence
from typing import Literal

from recollect.learning.extraction import guards
from recollect.learning.extraction.clauses import Clause

Standing = Literal["stated", "make-believe", "material", "told", "condition", "aside", "reported"]
"""What a clause is: stated; the begin of make-believe or of words to work on, which end with the turn; the
begin of another's words, which end with the sentence; a condition; of a time or somebody else; reported."""


def standing_of(clauses: Sequence[Clause], number: int) -> Standing:
    """What a clause of a sentence is; nobody looks here whether it asks (``questions``)."""
    clause, before = clauses[number], clauses[number - 1] if number else None
    if number <= 1 and (guards.FICTION.match(clause.read) or guards.WRITTEN_AS.match(clause.read)):
        return "make-believe"
    if before is not None and clause.link == ":" and guards.FOR_FICTION.match(before.read):
        return "make-believe"
    if before is not None and clause.link == ":" and guards.ORDERS.match(before.read):
        return "material"
    if before is not None and clause.link == ":" and guards.TELLS.search(before.read):
        return "told"
    if is_condition(clause) or (before is not None and _is_as_long(before, clause)):
        return "condition"
    if clause.link in guards.SUBORDINATE or guards.NOT_YET.match(clause.read):
        return "aside"
    return "reported" if before is not None and is_reported(before, clause) else "stated"


def is_condition(clause: Clause) -> bool:
    """Whether a clause says what something else depends on."""
    linked = clause.link in guards.CONDITIONAL and not guards.POLITE_IF.match(clause.read)
    return linked or guards.IN_CASE.match(clause.read) is not None


def is_reported(before: Clause, clause: Clause) -> bool:
    """Whether a clause tells what somebody says: "he says, I am lazy"."""
    return clause.link in {",", ":"} and guards.REPORTS.search(before.read) is not None


def _is_as_long(before: Clause, clause: Clause) -> bool:
    """Whether a clause goes on from "as soon as", "as long as" or another's "as much as"."""
    likened = before.words[-2:] == ["as", "much"] and before.words[0] not in {"i", "we"}
    return clause.link == "as" and (likened or before.words[-2:] in (["as", "soon"], ["as", "long"]))
