"""Pairs such as ``key: value`` and ``key=value``."""

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from recollect.text.parameters.places import apart, rank
from recollect.types import Parameter
from recollect.types.regex import lazy_regex


def _pairs(text: str) -> Iterator[Parameter]:
    """All that is written as a pair; on one line those that follow each other."""
    last_end = -1
    for match in _colon_pairs(text):
        follows = match["follows"] is None or match.start() == last_end
        if follows and _TALK.isdisjoint(match["key"].lower().split()):
            last_end = match.end()
            yield _pair(text, match)
    for match in _EQUALS_PAIR.finditer(text) if "=" in text else ():
        yield _pair(text, match)


def _colon_pairs(text: str) -> Iterator[re.Match[str]]:
    """The pairs with a colon: those of each line that holds one with a blank behind it."""
    end = -1
    for colon in _COLON.finditer(text):
        if colon.start() > end:
            start, end = text.rfind("\n", 0, colon.start()) + 1, text.find("\n", colon.start())
            end = len(text) if end < 0 else end
            yield from _COLON_PAIR.finditer(text, start, end)


def _pair(text: str, match: re.Match[str]) -> Parameter:
    start, end = match.start("key"), match.end("value")
    return Parameter(kind="pair", text=text[start:end], place=(start, end), name=match["key"])


def with_pairs(typed: list[Parameter], text: str) -> list[Parameter]:
    """Typed parameters, named by the pairs they are the value of, and the pairs that overlap none."""
    starts, found = [one.place[0] for one in typed], list(typed)
    for pair in list(_pairs(text)):
        first = bisect_left(starts, pair.place[0])
        if first and typed[first - 1].place[1] > pair.place[0]:
            continue
        if first < len(typed) and starts[first] < pair.place[1]:
            if _is_value(typed[first], pair):
                found[first] = replace(typed[first], name=pair.name)
        elif _is_plain_value(pair):
            found.append(pair)
    return apart(sorted(found, key=rank))


def _is_value(one: Parameter, pair: Parameter) -> bool:
    """Whether a parameter is all of a pair's value, a full stop aside."""
    rest = pair.text[len(pair.name or "") :].lstrip(" \t:=\"'").rstrip(" .,;!?\"'")
    return rest == one.text.rstrip(".")


def _is_plain_value(pair: Parameter) -> bool:
    """Whether a pair's value is no sentence."""
    return not (pair.text.endswith(("!", "?", ".")) or pair.text.count(" ") > _MOST_BLANKS)


_KEY: Final = r"[^\W\d_][\w-]{0,30}(?: [\w-]{1,30}){0,2}"
_COLON: Final = lazy_regex(r":[ \t]")
_COLON_PAIR: Final = lazy_regex(
    r"(?:^[ \t]{0,20}(?:[-*+\u2022][ \t]{1,4})?|(?P<follows>[,;|][ \t]{0,4}))"
    rf"(?P<key>(?=\w[\w-]){_KEY}):[ \t]{{1,20}}(?P<value>[^\s](?:[^\n]{{0,78}}?[^\s])?)"
    rf"(?=[ \t]{{0,20}}(?:$|[,;|][ \t]{{0,4}}{_KEY}:[ \t]))",
    re.MULTILINE,
)
_EQUALS_PAIR: Final = lazy_regex(
    r"(?<![\w&?/.=$-])(?P<key>[^\W\d_][\w.-]{0,40})="
    r"(?P<value>\"[^\"\n]{1,80}\"|'[^'\n]{1,80}'|[^\s,;\"'&=<>(){}]{0,200}[^\s,;\"'&=<>(){}.:!?])(?![=\w])"
)
_MOST_BLANKS: Final = 10
"""Blanks in a pair; with more it is a sentence. Chosen by hand: three words of a key and eight of a value."""
_TALK: Final = frozenset(
    """
    a about added ai and answer answered are as asked assistant at because believe bot btw but by cons
    course did do edit example for from fyi had has have he her here hey hi him hint his how human i if in
    instance is it like me mean means my note of on or our pros ps q question read replied said saw says see
    she so such system tell that the their them then there these they think this those thought tip tldr to
    told update user warning was we were what when where which who why will with would writes wrote yes you
    your
    """.split()  # noqa: SIM905 - words read better than hundreds of strings
)
"""Words that no key holds: of grammar, of saying, of speakers and of remarks."""
