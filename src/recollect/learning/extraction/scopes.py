"""Clauses parted where an instruction says for whom, for what or when it counts, without a comma.

======================================================= ================================================
said                                                    read as
======================================================= ================================================
"when you write to Phil always say thanks"              when: you write to Phil | always say thanks
"with Craig always be polite"                           with: Craig | always be polite
"in emails to my boss never use emojis"                 in: emails to my boss | never use emojis
"messages to Craig must always be polite"               in: messages to Craig | always be polite
"for cpc stuff you can give long answers"               for: cpc stuff | you can give long answers
"between 2 and 5 am don't ask me anything"              between: 2 and 5 am | don't ask me anything
"with Craig I never mention money", "for this recipe    as they stand: what somebody does themselves,
use grams", "my mum says with kids always stay calm"    what counts once, what others say
======================================================= ================================================
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from recollect.learning.extraction.clauses import Clause
from recollect.learning.extraction.conditions import AT_TIMES, IT_IS, OF_ANY
from recollect.learning.extraction.instruction_rules import LEAD, TIMES
from recollect.learning.extraction.instructions import orders_in
from recollect.learning.listing import any_of, listed
from recollect.text.entities.kinds import Kind, given_name, kind_of
from recollect.types.regex import lazy_regex

_TALK: Final = any_of(
    "emails | mails | messages | texts | letters | replies | recipes | posts | notes | cards | documents"
    " | summaries | translations | reports | code | drafts | lists"
)
"""What an assistant writes."""
_WHOM: Final = r"(?:(?:my|our|the) \S+(?: \S+)??|\S+)"
_ALWAYS: Final = r"(?:(?:please|pls) )?(?:always|never|do not)\b"
_ORDER: Final = rf"(?:{_ALWAYS}|you (?:can|may|should)\b|keep\b|use\b|be\b|your (?:answers|replies)\b)"
_SCOPE: Final = lazy_regex(
    rf"(?:in|for|with) (?:all |any )?(?:\w+ ){{0,2}}?(?:{_TALK})(?: (?:to|for|about) (?P<to>{_WHOM}))?"
    rf"(?= {_ORDER}|$)"
    rf"|in (?:anything|everything|whatever) you (?:write|draft|send|say)"
    rf"(?: (?:for|to|about) (?:the )?{_WHOM})?(?= {_ORDER}|$)"
    rf"|(?:for|with|on) (?:\w+ ){{0,2}}(?:stuff|things|questions|topics|matters|subjects)"
    rf"(?= {_ORDER}|$)"
    rf"|with (?P<whom>{_WHOM})(?= {_ALWAYS}|$)"
    r"|for \w+(?= (?:you (?:can|may) (?:give|send)|(?:your )?(?:answers|replies) (?:can|may)|always"
    r"|keep (?:your )?(?:answers|replies))\b)"
    rf"|(?:{TIMES})(?= {_ORDER}|$)"
)
"""For whom, for what or when, before an order or alone."""
_MUST: Final = lazy_regex(
    rf"(?:all |any |(?P<your>your ))*(?P<scope>(?:{_TALK}) (?:to|for) (?P<to>{_WHOM})) (?:must|should|have to"
    r"|need to) (?=(?:always|never|be) )"
)
_ONCE: Final = lazy_regex(
    r"\b(?:this|that|these|those|it|its|now|once|the|an?|me|you|i|we|his|her|their|today|tonight|tomorrow"
    r"|example|instance|starters|general|case|short|fact|free|future|dinner|lunch|breakfast)\b"
)
"""Words of what counts once, and of phrases that name nothing."""
_GENERAL: Final = lazy_regex(r"(?:anything|everything|whatever) you \w+|\b(?:to|for|about) the\b")
"""What is general though it has such a word."""
_SAID: Final = lazy_regex(r"\b(?:says|said|tells|told|wrote|writes|policy|policies|manual|rules?)\b")
"""Says that others ask for it."""
_PLURAL: Final = lazy_regex(r"(?:kids|children|people|everyone|\w{3,}[^s\W]s)$")
_CONDITIONAL: Final = listed("when whenever if")
_OWN: Final = lazy_regex(r"\b(?:i|we|he|she|they)\b")
_BEFORE_NOUN: Final = listed("about for to in with on of at from by a an the any some my our your and or")
"""Words behind which a noun follows, rather than an order."""
_SUBJECT: Final = lazy_regex(r"(?:i|we|you|it|(?:my|our) \w+|some(?:body|one)|any(?:body|one)) ")
_EXPLICIT: Final = lazy_regex(
    rf"{_ALWAYS}|you (?:can|may) (?:give|send)\b"
    r"|keep (?:it|(?:your |the |all )?(?:answers|replies|messages)) "
)


def scopes_apart(clauses: Sequence[Clause]) -> list[Clause]:
    """The clauses of a sentence, with those of what an instruction counts for in clauses of their own."""
    if any(_SAID.search(clause.read) for clause in clauses):
        return list(clauses)
    found: list[Clause] = []
    for number, clause in enumerate(clauses):
        ends = number + 1 == len(clauses) or clauses[number + 1].link in {"and", ",", "-", ";"}
        if clause.link in _CONDITIONAL:
            first = not (number and _is_order(clauses[number - 1]))
            parts = _condition_apart(clause, is_first=first) if ends else None
        else:
            alone = clauses[number + 1] if ends and number + 1 < len(clauses) else None
            parts = _scope_apart(clause, alone) or _must_apart(clause)
        found.extend([clause] if parts is None else parts)
    return found


def _condition_apart(clause: Clause, *, is_first: bool) -> list[Clause] | None:
    """A condition and the order behind it: "when you write to Phil | always say thanks".

    ``is_first``: whether no order stands before it, to which the condition belongs.
    """
    if _SUBJECT.match(clause.read) is None:
        return None
    for place in range(2, len(clause.words) - 1):
        order = _part(clause, place, ",")
        head = " ".join(clause.words[:place])
        explicit = _EXPLICIT.match(order.read) is not None
        often = (
            OF_ANY.match(head)
            or IT_IS.match(head)
            or (clause.link == "whenever" and clause.words[0] in {"i", "we", "you"})
        )
        whole = is_first and clause.words[place - 1] not in _BEFORE_NOUN
        if (explicit or (often and whole)) and _is_order(order):
            return [replace(clause, tokens=clause.tokens[:place]), order]
    return None


def _scope_apart(clause: Clause, behind: Clause | None) -> list[Clause] | None:
    """A scope and the order behind it, in one clause or the next: "with Craig | always be polite"."""
    lead = LEAD.match(clause.read)
    offset = 0 if lead is None else lead.end()
    match = _SCOPE.match(clause.read, offset)
    if match is None:
        return None
    first, end = clause.read.count(" ", 0, offset), clause.read.count(" ", 0, match.end()) + 1
    scope = " ".join(clause.words[first + 1 : end])
    timed = AT_TIMES.match(match.group()) is not None
    if not timed and (_ONCE.search(_GENERAL.sub("", scope)) or not _is_meant(clause, match)):
        return None
    whole = end == len(clause.words)
    order = behind if whole else _part(clause, end, ",")
    if order is None or not (_EXPLICIT.match(order.read) or not whole) or not _is_order(order):
        return None
    part = Clause(clause.tokens[first + 1 : end], clause.words[first], clause.text, clause.people)
    return [part] if whole else [part, order]


def _must_apart(clause: Clause) -> list[Clause] | None:
    """What messages to somebody must be, as an order: "messages to Craig must always be polite"."""
    match = _MUST.match(clause.read)
    if match is None or not (match["your"] or _is_known(clause, match, "to")):
        return None
    first, end = (clause.read.count(" ", 0, place) for place in match.span("scope"))
    place = clause.read.count(" ", 0, match.end())
    order = _part(clause, place, ",")
    part = Clause(clause.tokens[first : end + 1], "in", clause.text, clause.people)
    return [part, order] if _is_order(order) else None


def _is_meant(clause: Clause, match: re.Match[str]) -> bool:
    whom = match["whom"] or ""
    return not whom or _is_known(clause, match, "whom") or _PLURAL.match(whom) is not None


def _is_known(clause: Clause, match: re.Match[str], group: str) -> bool:
    """Whether somebody is one of the speaker's, or named."""
    whom = match[group]
    if whom.startswith(("my ", "our ")):
        return True
    first = clause.read.count(" ", 0, match.start(group))
    shown = clause.raw(first, first + 1)
    named = whom in {one.lower() for one in clause.people} or given_name(whom) != ""
    return named or (shown.istitle() and kind_of(shown) is Kind.KNOWN)


def _is_order(clause: Clause) -> bool:
    """Whether a clause tells the assistant to do something, and nobody else does anything in it."""
    return _OWN.search(clause.read) is None and next(orders_in(clause), None) is not None


def _part(clause: Clause, start: int, link: str) -> Clause:
    return Clause(clause.tokens[start:], link, clause.text, clause.people)
