"""Rules: what a verb and the words behind it say.

A rule is a line of text: ``verb: words => relation; category; flags``. The words are a regular expression
of what stands behind the verb, in which ``<o>`` stands for the object and names in capitals and braces for
groups of phrases. ``{p}`` in the relation stands for the words that the group ``p`` matched. Rules of a
verb are tried in their order.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, cast, get_args

from recollect.learning.extraction.facts import Category, Change
from recollect.types.regex import lazy_regex


class Rule(NamedTuple):
    """One way to say something.

    Attributes:
        pattern: What stands behind the verb; its group ``o`` is the object.
        relation: What is said.
        category: Its kind.
        single: Whether there is one at a time.
        change: What it says of older facts.
    """

    pattern: re.Pattern[str]
    relation: str
    category: Category
    single: bool
    change: Change | None


Rules = Mapping[str, Sequence[Rule]]
"""Rules by their verbs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What is said of a subject, and where.

    Attributes:
        relation: In the present tense, without "not".
        start: The place of the object's first word; equals ``end`` when there is none.
        end: The place behind its last word.
        until: The place behind the last word of the statement.
        category: Its kind.
        single: Whether there is one at a time.
        change: What it says of older facts.
        negated: Whether the verb itself denies: "quit smoking".
        affirms: Whether "not" is part of the relation: "cannot stand".
        past: Whether it is over.
        hedged: Whether it is not sure: a plan.
        only_ends: Whether it says nothing but that something known is over.
        shown: What is shown before the words behind the verb; None leaves the verb as it was said.
        plain: Whether its verb is read as it stands, by no rule.
        shown_from: The place from which words are shown behind that; -1 for all behind the verb.
    """

    relation: str
    start: int
    end: int
    until: int
    category: Category
    single: bool = False
    change: Change | None = None
    negated: bool = False
    affirms: bool = False
    past: bool = False
    hedged: bool = False
    only_ends: bool = False
    shown: str | None = None
    shown_from: int = -1
    plain: bool = False


_LINE: Final = lazy_regex(
    r"(?P<verbs>[\w/]+): (?P<pattern>.*?) => (?P<relation>[^;]+); ?(?P<category>\w+)(?:; ?(?P<flags>.+))?"
)
_GROUP: Final = lazy_regex(r"\{([A-Z_]+)\}")
_OBJECT: Final = lazy_regex("(?<![?]P)<o>")
_TAIL: Final = lazy_regex(
    r"$| (?:for|since|from|by|in|on|at|with|as|and|or|because|due|thanks|after|until|to|but|than|about"
    r"|during|of|before|through|via|near|under|over|throughout|without|so|twice|once|every|all|both|last"
    r"|this|next|when|just|again|a|an|my|two|three|four|five|who|right|where|while|together|\d+)\b"
)
"""What may stand behind the words of a rule: the end, or a detail."""


def rules_of(text: str, groups: Mapping[str, str]) -> Rules:
    """The rules of a text, one in a line.

    A line that begins with a blank goes on from the one before, without that blank.

    Args:
        text: The rules.
        groups: Patterns by the names that stand in braces.
    """
    found: dict[str, list[Rule]] = {}
    for line in text.strip().replace("\n ", "").splitlines():
        row = _LINE.fullmatch(line.strip())
        if row is None:
            raise ValueError(line)
        rule = _rule(row, groups)
        for verb in row["verbs"].split("/"):
            found.setdefault(verb, []).append(rule)
    return found


def _rule(row: re.Match[str], groups: Mapping[str, str]) -> Rule:
    filled = _OBJECT.sub("(?P<o>.+)", _GROUP.sub(lambda name: groups[name[1]], row["pattern"]))
    flags = (row["flags"] or "").split()
    change = next((cast(Change, flag) for flag in flags if flag in get_args(Change)), None)
    return Rule(
        lazy_regex(f"(?:{filled})(?= |$)"),
        row["relation"],
        cast(Category, row["category"]),
        "single" in flags,
        change,
    )


def read(rules: Sequence[Rule], words: Sequence[str], start: int, end: int) -> Reading | None:
    """What the words from ``start`` to ``end`` say by the first rule that fits; None when none does."""
    said = " ".join(words[start:end])
    for rule in rules:
        match = rule.pattern.match(said)
        if match is None or not _TAIL.match(said, match.end()):
            continue
        first, last = match.span("o") if "o" in rule.pattern.groupindex else (0, 0)
        begins = start + said.count(" ", 0, first)
        return Reading(
            relation=_relation(rule, match),
            start=begins,
            end=begins if last <= first else start + said.count(" ", 0, last) + 1,
            until=end,
            category=rule.category,
            single=rule.single,
            change=rule.change,
        )
    return None


def _relation(rule: Rule, match: re.Match[str]) -> str:
    if "{" not in rule.relation:
        return rule.relation
    return " ".join(rule.relation.format(p=match["p"] or "").split())
