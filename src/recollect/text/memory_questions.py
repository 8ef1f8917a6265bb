"""Whether a message asks what is remembered of its speaker, or why.

========== ============================================================== ==================================
kind       asks                                                           not
========== ============================================================== ==================================
everything "what do you know about me?", "show me my file"                "what does my boss know about me?"
about      "what have I told you about the boiler?", "anything on Ines?"  "what do you know about volcanoes?"
why        "why do you think I'm vegetarian?", "where did you get that?"  "why do you think Rome fell?"
========== ============================================================== ==================================

It is read by rules, those of ``memory_questions.txt``, sentence by sentence, the last one first.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Final, Literal, NamedTuple
from unicodedata import normalize

from recollect.text.entities.kinds import given_name
from recollect.text.lists import read_lists
from recollect.types.regex import lazy_regex

MemoryQuestionKind = Literal["everything", "about", "why"]
"""What a question asks of the memory."""

MOST_CHARACTERS: Final = 500
"""Of a message, its end is looked at: a long text is to be worked on, and asks at its end. Chosen by hand."""
_ENDS_OF_SENTENCES: Final = lazy_regex(r"[.!?\u2026\u00bf\u00a1;\n]+")
_QUOTED: Final = lazy_regex(r"[\"\u201c\u201e\u00ab][^\"\u201c\u201d\u00ab\u00bb]*[\"\u201d\u201c\u00bb]")
_NAMED_BEFORE: Final = lazy_regex(r"\bon (?P<x>(?:my|our|the) [\w' ]+),")
_TITLES: Final = lazy_regex(r"(?:(?<=\b(?:mr|ms|dr|st))|(?<=\bmrs)|(?<=\bprof)|(?<=\b[a-z]))\.(?= ?\w{2})")
"""The full stops of titles and initials, which end no sentence."""
_SELF: Final = lazy_regex(r"(?:me|us|mich|mir|moi|mi|i)?")
"""A claim that names nothing."""
_GROUP: Final = lazy_regex(r"(?:\\b)?\(\?:(?P<parts>(?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)")
"""The group in which a pattern begins; groups in it are skipped, and their bars with them."""
_LETTERS: Final = lazy_regex("[a-z' -]*")
_QUANTIFIERS: Final = frozenset("?*+{")
_WORD: Final = lazy_regex("[a-z]+")
_TO_YOU: Final = lazy_regex(r"\b(?:you|u|dir|ihnen|t'|te|vous|le)\b")
_SOON: Final = 24
"""Characters before which a sentence asks for what was told; behind them it names it. Chosen by hand."""
_ARTICLE: Final = lazy_regex(r"^(?:the|der|die|das|dem|den|le|la|les|l'|el|los|las)\b ?")


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryQuestion:
    """What a message asks of the memory.

    Attributes:
        about: Whom or what, in the message's words; with ``why`` the claim. None where it names nothing.
        before: What the message says before, where it points there: "how do you know that?"
        sure: False where it may ask of the world: "what do you know about Marcus?" It counts only if
            memory knows Marcus.
    """

    kind: MemoryQuestionKind
    about: str | None = None
    before: str | None = None
    sure: bool = True


def read_memory_question(message: str) -> MemoryQuestion | None:
    """What a message asks of the memory; None where it asks something else.

    >>> read_memory_question("Hi! What do you know about my sister?")
    MemoryQuestion(kind='about', about='my sister', before=None, sure=True)
    >>> read_memory_question("wieso denkst du dass ich vegetarier bin")
    MemoryQuestion(kind='why', about='ich vegetarier bin', before=None, sure=True)
    >>> read_memory_question("What do you know about volcanoes?")
    """
    words = _without_quotes(message[-MOST_CHARACTERS:])
    plain = _plain(words)
    said = [
        _Said(plain=plain[begin:end], words=words[begin:end], before=words[:begin])
        for begin, end in _sentences(plain)
        if _may_ask(plain[begin:end])
    ][::-1]
    return next(filter(None, (read(one) for read in (_why, _everything_or_about) for one in said)), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Said:
    """A sentence: without accents, as it was written, and what stands before it."""

    plain: str
    words: str
    before: str

    def until(self, match: re.Match[str]) -> str | None:
        """What the message says before a match; None where that is nothing."""
        return _trimmed(f"{self.before} {self.words[: match.start()]}") or None

    def part(self, match: re.Match[str], group: str) -> str:
        """What a group found, as it was written."""
        return _trimmed(self.words[match.start(group) : match.end(group)])


def _why(said: _Said) -> MemoryQuestion | None:
    for match in _matches("why", said.plain):
        (group,) = (name for name, value in match.groupdict().items() if value is not None)
        if _claims()[group].search(match[group]) is None:
            continue
        claim = "" if group == "any" else _without_leads(said.part(match, group))
        named = None if _SELF.fullmatch(_plain(claim)) else _trimmed(claim)
        return MemoryQuestion(kind="why", about=named, before=None if named else said.until(match))
    return None


def _everything_or_about(said: _Said) -> MemoryQuestion | None:
    if _match("all", said.plain) is not None:
        return MemoryQuestion(kind="everything")
    for part in ("kept", "held", "told", "known"):
        for match in _matches(part, said.plain):
            found = _of(said, match, part=part)
            if found is not None and _match("leads_to", said.plain[: match.start()]) is None:
                return found
    return None


def _of(said: _Said, match: re.Match[str], *, part: str) -> MemoryQuestion | None:
    """What a question for what is known is about, by what stands behind its verb, or around it."""
    for group in ("more", "rest"):
        if group not in match.re.groupindex or not match[group]:
            continue
        for about in _matches("about", match[group]):
            begin = match.start(group) + about.start("x")
            end = match.start(group) + about.end("x")
            return _named(said, match, begin, end, weak=part == "known")
    rest = "".join(match[group] or "" for group in ("more", "rest") if group in match.re.groupindex)
    if _match("nothing_more", rest) is None or part in {"held", "known"}:
        return None
    return _before(said, match) if part == "told" else MemoryQuestion(kind="everything")


def _named(said: _Said, match: re.Match[str], begin: int, end: int, *, weak: bool) -> MemoryQuestion | None:
    plain = said.plain[begin:end]
    if _match("me", plain):
        return MemoryQuestion(kind="everything")
    theirs = _match("theirs", plain) is not None
    stop = _match("ends", plain)
    words = said.words[begin : end if stop is None else begin + stop.start()]
    if _match("there", _plain(_trimmed(words))):
        return MemoryQuestion(kind="about", before=said.until(match))
    about = _trimmed(words)
    if not about or _match("no_thing", plain):
        return None
    if not weak or theirs:
        return MemoryQuestion(kind="about", about=about)
    named = about[:1].isupper() or given_name(about) != "" or _ARTICLE.search(_plain(about)) is not None
    return MemoryQuestion(kind="about", about=about, sure=False) if named else None


def _before(said: _Said, match: re.Match[str]) -> MemoryQuestion | None:
    """What "what have I told you?" is about: a thing named before it in the sentence, else everything."""
    named = _NAMED_BEFORE.search(said.plain[: match.start()])
    if named is None:
        asks = match.start() <= _SOON and _TO_YOU.search(match[0])
        return MemoryQuestion(kind="everything") if asks else None
    return MemoryQuestion(kind="about", about=said.part(named, "x"))


def _matches(part: str, text: str) -> Iterator[re.Match[str]]:
    """What the rules of a part find, each once."""
    for rule in _rules(part):
        may_match = not rule.begins or any(word in text for word in rule.begins)
        if may_match and (match := rule.pattern.search(text)) is not None:
            yield match


def _may_ask(sentence: str) -> bool:
    """Whether a sentence has the words that such a question needs, and begins with no order."""
    return (
        not _words("asks").isdisjoint(_WORD.findall(sentence))
        and any(word in sentence for word in _words("names"))
        and _match("not_asked", sentence) is None
    )


@cache
def _words(part: str) -> frozenset[str]:
    return frozenset(_parts()[part].split())


def _match(part: str, text: str) -> re.Match[str] | None:
    """What the only rule of a part finds."""
    return next(_matches(part, text), None)


@cache
def _parts() -> dict[str, str]:
    return read_lists(Path(__file__).with_suffix(".txt"))


def _named_patterns(part: str) -> dict[str, str]:
    return dict(line.split(": ", 1) for line in _parts()[part].splitlines())


class _Rule(NamedTuple):
    """A pattern, and words of which one stands in every text that it finds; none where that is not known.

    To look for a word takes a fiftieth of the time that most patterns take.
    """

    pattern: re.Pattern[str]
    begins: tuple[str, ...]


@cache
def _rules(part: str) -> tuple[_Rule, ...]:
    filled = map(_filled, _parts()[part].splitlines())
    return tuple(_Rule(lazy_regex(rule), _begins(rule)) for rule in filled)


def _begins(rule: str) -> tuple[str, ...]:
    r"""The words with one of which a pattern begins, where it says so plainly.

    >>> _begins(r"\bwho am i\b"), _begins(r"\b(?:things?|how come) .*"), _begins(r"^\W*source")
    (('who am i',), ('thing', 'how come'), ())
    """
    group = _GROUP.match(rule)
    if group is not None and rule[group.end() : group.end() + 1] in _QUANTIFIERS:
        return ()
    parts = group["parts"].split("|") if group else [rule]
    found = [_literal(part if group else part.removeprefix(r"\b")) for part in parts]
    return tuple(found) if all(found) and (group or rule.startswith(r"\b")) else ()


def _literal(pattern: str) -> str:
    """The letters with which everything begins that a pattern matches."""
    word = _LETTERS.match(pattern)
    begin = word[0] if word else ""
    return begin[:-1] if pattern[len(begin) : len(begin) + 1] in _QUANTIFIERS else begin


@cache
def _claims() -> dict[str, re.Pattern[str]]:
    return {
        name: lazy_regex(f"^(?:{_filled(pattern)})") for name, pattern in _named_patterns("claims").items()
    }


def _filled(rule: str) -> str:
    """A rule with what its names in angle brackets stand for."""
    for name, pattern in _named_patterns("macros").items():
        rule = rule.replace(f"<{name}>", pattern)
    return rule


def _without_leads(claim: str) -> str:
    """A claim without words that only lead to it: "that", "dass"."""
    lead = _match("leads", _plain(claim))
    return claim if lead is None else claim[lead.end() :]


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    begin = 0
    for end in _ENDS_OF_SENTENCES.finditer(text):
        yield begin, end.start()
        begin = end.end()
    yield begin, len(text)


def _without_quotes(text: str) -> str:
    """A text of the same length, whose quotations of several words are blank."""
    return _QUOTED.sub(lambda found: " " * len(found[0]) if " " in found[0] else found[0], text)


def _plain(text: str) -> str:
    """A text of the same length, in lower case, without accents and without the stops of titles."""
    return _TITLES.sub(" ", text.lower() if text.isascii() else "".join(map(_letter, text)))


@lru_cache(maxsize=1_024)
def _letter(letter: str) -> str:
    if letter in "\u2019\u2018\u00b4`":
        return "'"
    return (normalize("NFKD", letter)[:1].lower() or letter)[:1].replace("\u00df", "s")


def _trimmed(text: str) -> str:
    return " ".join(text.split()).strip(" ,;:-\u2013\u2014.!?\u00bf\u00a1")
