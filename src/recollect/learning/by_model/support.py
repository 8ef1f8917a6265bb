"""Whether the turns that a fact cites say it.

A fact is supported when all of this holds of the turns of people that it cites:

- Their own statements hold its words: at least half of the telling stems of the whole sentence without its
  subject (``SHARE``), and of its object; and every name and every number in it. Statements are what the
  speaker says in their own voice, by the guards of the rules (``extraction.stated``): no "if", no questions,
  make-believe, material to work on, what others say; no quotations, code, pasted letters or tagged text, and
  nothing that reads like an instruction.
- They say its relation: the rules read it, or a clause that holds its object has the relation's word or one
  that means the same (``relations``: "moved to" for "lives in", never "love" for "hates"); a relation beside
  that table must share a stem with the statements. It is said of the speaker, as so, and not as what was
  (``saying``). A name stands behind whom it names: "my partner Jessica", "a cat called Tom".
- Whoever it is about is the speaker, or stands in the words.
- They deny it exactly when it is denied. Where the rules read the same in them, they decide; else one
  of the statements that hold its object must have a word of denial, or of an end, or one must have none.
- The rules do not read the same of somebody else in them.

A model that words a fact quite differently from the turn fails this; the prompt asks it for the turn's words.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from recollect.learning.by_model.relations import CLAUSE, LIGHT, RELATIONS
from recollect.learning.by_model.saying import Claim, says_name
from recollect.learning.extraction.extract import extract_facts, speaker_of
from recollect.learning.extraction.facts import Fact, Turn
from recollect.learning.extraction.foreign import is_unsaid
from recollect.learning.extraction.masking import own_words
from recollect.learning.extraction.reading import as_read
from recollect.learning.extraction.stated import statements_of
from recollect.text.analyse import Analyser
from recollect.text.quoting import reads_like_an_instruction
from recollect.types.regex import lazy_regex

SHARE: Final = 0.5
"""Of the telling stems of a fact, and of its object, those that its turns must hold. Chosen by hand: a model
may say "data scientist" for "data science", and not "coffee" for "tea"."""

_SENTENCE: Final = lazy_regex(
    r"[^.!?\n\u3002\uff01\uff1f]+(?:\.(?=\w)[^.!?\n\u3002\uff01\uff1f]*)*[.!?\u3002\uff01\uff1f]*"
)
_CONDITION: Final = lazy_regex(
    r"\s*(?:(?:and|but|so|well|ok|okay|hm+|now),?\s+)?(?:if|suppose|supposing|imagine|pretend|what if|i wish"
    r"|let'?s say|if only|assuming|unless|wenn|falls|stell dir|si (?:je|j'|yo|tuviera|fuera)|ojal\u00e1)\b"
    r"|\s*(?:\u5982\u679c|\u5047\u5982|\u8981\u662f)",
    re.IGNORECASE,
)
_WISH: Final = lazy_regex(
    r"\b(?:i'?d (?:love|like|prefer) to|i wish|i would (?:love|like) to)\b", re.IGNORECASE
)
_DENIAL: Final = lazy_regex(
    r"""
    \b(?:not|no|never|nor|none|cannot|without|hardly|any\ ?more|any\ longer|used\ to|former|formerly|ex
        |stopped|quit|gave\ up|left|lost|sold|ended|cancelled|dropped|resigned|retired|fired|laid\ off
        |divorced|split|broke|over|past|previously|once|back\ then|moved\ (?:out|away)|finished|died
        |hate|hates|hated|dislike\w*|can'?t\ stand|allergic|dont|doesnt|didnt|isnt|cant|wont
        |nicht|kein\w*|nie|niemals|fr\u00fcher|aufgeh\u00f6rt|pas|jamais|plus|nunca|ya\ no|antes|dej\u00e9)\b
    | n['\u2019]t\b | \u4e0d | \u6ca1 | \u522b
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""What denies, or says that something is over. Hearing one too many refuses a fact too few."""
_PLAIN_DENIAL: Final = lazy_regex(
    r"\b(?:not|never|no longer|any ?more|cannot|used to|nicht|kein\w*|nunca|jamais)\b|n['\u2019]t\b"
    r"|\bn(?:e |['\u2019])\w+ (?:pas|plus)\b|\bno (?:me|soy|vivo|trabajo|hablo|tengo|como|bebo|estoy)\b"
    r"|\b(?:dont|doesnt|didnt|isnt|cant|wont)\b|\u4e0d|\u6ca1",
    re.IGNORECASE,
)
_UNDONE: Final = lazy_regex(
    _PLAIN_DENIAL.pattern
    + r"|\b(?:no|nor|none|nobody|nothing|without|hardly|unable|fail\w*|refus\w+|avoid\w*|stopped|quit"
    r"|gave up|lost|missed|cancelled|dropped|hate[sd]?|dislike\w*|nie|niemals|pas|jamais|ya no)\b",
    re.IGNORECASE,
)
"""The same, and what says so without a word of denial: of something that happened."""
_MORE_THAN: Final = lazy_regex(
    r"(?:\b(?:not|never|no longer|dont|doesnt|didnt|isnt)|n['\u2019]t) (?:just|only|merely|simply|solely)\b",
    re.IGNORECASE,
)
"""What says more, and denies nothing: "I don't just like tea, I adore it"."""
_NAMES: Final = lazy_regex(r"\b(?:named|called)\b", re.IGNORECASE)
_NAMED: Final = lazy_regex(r"([\w-]+) (?:(?:is|are|was|were) )?(?:named|called) (\w+)")
_WORD: Final = lazy_regex(r"\w+")
_NAME: Final = lazy_regex(r"(?<![\w.!?])(?!I\b)[A-Z\u00c0-\u00de][\w'\u2019-]*|\d[\d.,:]*\d|\d")
"""Capital letters and numbers."""


@dataclass(frozen=True)
class Cited:
    """The turns of people that a fact cites."""

    turns: tuple[Turn, ...]
    analyser: Analyser

    @cached_property
    def statements(self) -> tuple[str, ...]:
        """What they state in their own voice, in parts of sentences."""
        return tuple(
            sentence for turn in self.turns for sentence in own_statements(turn.text, speaker=turn.speaker)
        )

    @cached_property
    def stems(self) -> frozenset[str]:
        """The stems of that."""
        return frozenset(self.analyser.stems("\n".join(self.statements)))

    @cached_property
    def read(self) -> list[Fact]:
        """What the rules read in them."""
        return extract_facts(self.turns)

    def holds(self, words: str) -> float:
        """The share of the telling stems of some words that they hold, 0 to 1; 1 of none."""
        telling = self.analyser.query_stems(words) if words.strip() else []
        return sum(stem in self.stems for stem in telling) / len(telling) if telling else 1.0


def own_statements(text: str, *, speaker: str | None = None) -> Iterator[str]:
    """What a speaker states in their own voice, in parts of sentences.

    >>> list(own_statements('Do I live in Rome? If I did, I would swim. I live in Oslo. He said "I am".'))
    ['I live in Oslo', 'He said']
    """
    for sentence in statements_of(own_words(as_read(text), speaker=speaker)):
        if not _is_unreal(sentence) and not is_unsaid(sentence):
            yield sentence


def _is_unreal(sentence: str) -> bool:
    unreal = _CONDITION.match(sentence) or _WISH.search(sentence)
    return unreal is not None or reads_like_an_instruction(sentence)


def unsupported(fact: Fact, cited: Cited) -> str | None:
    """Why the turns that a fact cites do not support it; None when they do.

    >>> from recollect.learning.extraction.facts import INFERRED
    >>> said = Cited((Turn(text="I moved to Oslo in May.", id="t"),), Analyser())
    >>> def lives_in(city):
    ...     return Fact(text=f"User lives in {city}.", category="context", confidence=INFERRED,
    ...                 subject="User", relation="lives in", object=city, source="t", quote="")
    >>> unsupported(lives_in("Oslo"), said), unsupported(lives_in("Rome"), said)
    (None, 'its turns do not hold its words')
    """
    if not cited.statements:
        return "its turns state nothing"
    if not _is_about(fact, cited):
        return "its turns do not name whom it is about"
    if not _holds_words(fact, cited):
        return "its turns do not hold its words"
    if _is_of_another(fact, cited):
        return "its turns say it of somebody else"
    if not _says_relation(fact, cited):
        return "its turns do not say its relation"
    if _is_denied_wrongly(fact, cited):
        return "its turns do not deny it as it does"
    return None


def _is_about(fact: Fact, cited: Cited) -> bool:
    speakers = {stem for turn in cited.turns for stem in cited.analyser.stems(speaker_of(turn))}
    others = [stem for stem in cited.analyser.stems(fact.subject.replace("'s", " ")) if stem not in speakers]
    return all(stem in cited.stems for stem in others)


def _holds_words(fact: Fact, cited: Cited) -> bool:
    said = fact.text.removeprefix(fact.subject)
    if cited.holds(said) < SHARE or cited.holds(fact.object or "") < SHARE:
        return False
    whole = "\n".join(cited.statements).casefold()
    names = [name for text in (said, fact.object or "") for name in names_in(text)]
    return all(name.casefold() in whole for name in names)


def _says_relation(fact: Fact, cited: Cited) -> bool:
    """Whether the rules read it, or a clause about the object has each relation that the fact names."""
    if _is_read(fact, cited):
        return True
    claim = Claim(text=fact.text, own=_is_own(fact, cited), denies=_denies(fact))
    clauses = [part for one in cited.statements for part in CLAUSE.split(one)]
    near = _near(clauses, fact, cited) or clauses
    rest = fact.text.removeprefix(fact.subject).replace(fact.object or "\0", " ")
    named = f"{fact.relation}\n{rest}"
    if people := _named(fact, cited):
        if not all(_says_name(noun, name, fact, cited, claim) for noun, name in people):
            return False
        named = _NAMES.sub(" ", named)
    meant = [one for one in RELATIONS if one.named.search(named)]
    for one in meant:
        denied = one.denied if claim.denies else None
        if not any(
            claim.is_said_by(part, one.said) or (denied and claim.is_said_by(part, denied)) for part in near
        ):
            return False
    return bool(meant) or _has_words(named.partition("\n")[0], clauses, claim, cited)


def _is_read(fact: Fact, cited: Cited) -> bool:
    """Whether the rules read a fact that has each telling word of one."""
    telling = frozenset(cited.analyser.query_stems(fact.text))
    return any(
        _is_subject(one.subject, fact)
        and telling.issubset(cited.analyser.stems(f"{one.text} {one.relation}"))
        for one in _alike(fact, cited)
    )


def _has_words(relation: str, clauses: Sequence[str], claim: Claim, cited: Cited) -> bool:
    """Whether a clause has a telling word of a relation that is beside the table; a light one has none."""
    own = [word for word in re.findall(r"\w+", relation.casefold()) if word not in LIGHT]
    stems = frozenset(cited.analyser.stems(" ".join(own)))
    said = {
        word
        for part in clauses
        for word in _WORD.findall(part)
        if stems.intersection(cited.analyser.stems(word))
    }
    words = re.compile(rf"\b(?:{'|'.join(map(re.escape, said))})\b") if said else None
    return not stems or (words is not None and any(claim.is_said_by(part, words) for part in clauses))


def _is_own(fact: Fact, cited: Cited) -> bool:
    """Whether a fact is about who said its turns."""
    return fact.subject.casefold() in {speaker_of(turn).casefold() for turn in cited.turns}


def _named(fact: Fact, cited: Cited) -> list[tuple[str, str]]:
    """Whom but the speaker a fact names, and how: "dog" and "rex"."""
    found = _NAMED.findall(fact.text.casefold())
    return [] if _is_own(fact, cited) and fact.relation == "is named" else found


def _says_name(noun: str, name: str, fact: Fact, cited: Cited, claim: Claim) -> bool:
    """Whether the turns say a name of somebody whom the subject of a fact has."""
    owner = fact.subject.partition("'s ")[0].casefold()
    speakers = {speaker_of(turn).casefold() for turn in cited.turns}
    owners = frozenset(("my", "our") if owner in speakers else ("his", "her", "their", f"{owner}'s"))
    return any(
        says_name(part, noun, name, owners=owners, of_others=claim.is_of_others(part))
        for part in cited.statements
    )


def _near(texts: Iterable[str], fact: Fact, cited: Cited) -> list[str]:
    """Those that hold a word of a fact's object."""
    about = set(cited.analyser.query_stems(fact.object or fact.text.removeprefix(fact.subject)))
    return [one for one in texts if about.intersection(cited.analyser.stems(one))]


def _denies(fact: Fact) -> bool:
    return fact.negated or fact.past or _PLAIN_DENIAL.search(_MORE_THAN.sub(" ", fact.text)) is not None


def _is_denied_wrongly(fact: Fact, cited: Cited) -> bool:
    """Whether a fact denies what is stated, or states what is denied."""
    denies = _denies(fact)
    if alike := _alike(fact, cited):
        return all((one.negated or one.past) != denies for one in alike)
    near = [_MORE_THAN.sub(" ", one) for one in _near(cited.statements, fact, cited) or cited.statements]
    if denies:
        return not any(map(_DENIAL.search, near))
    return all(map(_PLAIN_DENIAL.search, near))


def _is_of_another(fact: Fact, cited: Cited) -> bool:
    """Whether the rules read the same, of somebody else, and not of whom the fact is about."""
    alike = _alike(fact, cited)
    return bool(alike) and not any(_is_subject(one.subject, fact) for one in alike)


def _is_subject(subject: str, fact: Fact) -> bool:
    """Whether a fact is about somebody, whom it may call by name, too: "Ada's sister Bea"."""
    return f"{fact.subject} ".casefold().startswith(f"{subject} ".casefold())


def _alike(fact: Fact, cited: Cited) -> list[Fact]:
    """What the rules read in the turns that has an object and no word besides those of a fact."""
    parts = f"{fact.relation} {fact.object or ''}" if fact.relation else fact.text.removeprefix(fact.subject)
    ours = frozenset(cited.analyser.stems(parts))
    return [
        one
        for one in cited.read
        if one.object and frozenset(cited.analyser.stems(f"{one.relation} {one.object}")) <= ours
    ]


def names_in(text: str) -> list[str]:
    """The names and numbers in a text: words with capital letters behind others, and digits."""
    return [name.strip(".,:'\u2019") for name in _NAME.findall(text)]


def told_by(summary: str, turns: Iterable[Turn], analyser: Analyser, *, denied: bool = True) -> bool:
    """Whether people's words hold half of a summary and each name and number, and deny what it denies."""
    people: Sequence[Turn] = [turn for turn in turns if turn.role == "user"]
    own = "\n".join(own_words(as_read(turn.text), speaker=turn.speaker) for turn in people)
    names = {speaker_of(turn) for turn in people} | {"User"}
    said = frozenset(analyser.stems(own))
    about = " ".join(word for word in summary.split() if word.strip(":,.'s") not in names)
    telling = [stem for stem in analyser.query_stems(about) if about.strip()]
    held = sum(stem in said for stem in telling)
    named = all(name.casefold() in own.casefold() for name in names_in(about))
    if not (telling and held >= SHARE * len(telling) and named):
        return False
    near = [one for one in _SENTENCE.findall(own) if set(telling).intersection(analyser.stems(one))]
    return not (denied and _is_told_wrongly(summary, near))


def _is_told_wrongly(summary: str, near: Sequence[str]) -> bool:
    """Whether a summary denies what the sentences nearest to it state, or states what they all deny."""
    if _PLAIN_DENIAL.search(summary):
        return not any(map(_UNDONE.search, near))
    return _UNDONE.search(summary) is None and all(map(_PLAIN_DENIAL.search, near))
