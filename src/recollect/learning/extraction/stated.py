"""What of a text its writer states, whether or not the rules see a fact in it.

Questions, conditions, make-believe and what others say are left out, by the guards of the extraction. What
others say counts as such when it is about the writer or quoted: "My boss says that lunch is at one" is a
statement. ``stated_in`` keeps whole sentences, to be remembered; ``statements_of`` the parts of sentences by
which somebody else's summary of them is judged.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from recollect.learning.extraction import guards
from recollect.learning.extraction.clauses import Clause, Sentence, clauses_of, sentences_of
from recollect.learning.extraction.forms import PASTS
from recollect.learning.extraction.irony import is_joke, may_joke
from recollect.learning.extraction.leads import is_unsure
from recollect.learning.extraction.masking import own_words
from recollect.learning.extraction.questions import asks_from
from recollect.learning.extraction.standing import Standing, is_condition, is_reported, standing_of
from recollect.learning.extraction.tokens import tokens_of
from recollect.learning.listing import EXPERT_SAYS, listed
from recollect.text.analyse import READ_CHARACTERS
from recollect.types.regex import lazy_regex

ASKS: Final = "it is a question"
SUPPOSES: Final = "it is make-believe"
DEPENDS: Final = "it holds on a condition"
REPORTED: Final = "others said it"

_QUOTED: Final = ('"', "'", "\u201c", "\u201e", "\u00ab", "\u2018", "\u300c", "\u300e", ">")
_OTHERS: Final = lazy_regex(
    rf"^(?!{EXPERT_SAYS} )(?:(?!(?:i|we)\b)\S+ ){{1,8}}?"
    rf"(?<!to )(?:{guards.SAYS}|say|tell|claim|think|believe|insist|write|reply|ask)"
    r"(?: (?:me|us|him|her|them|you|everyone|everybody))?(?: that| if| whether)?,? (?:i|we|my|our)\b"
    r"|^(?:i|we) (?:am|are|was|were|have been|got) told\b"
    r"|^according to (?!me\b).*\b(?:i|we)\b"
)
"""Says what others say of the writer. The words were chosen by hand."""
_GERMAN_SUPPOSES: Final = lazy_regex(
    r"\W*(?:mal |nur |einfach )?(?:angenommen|gesetzt den fall|nehmen wir (?:mal )?an|nimm (?:mal )?an"
    r"|stell(?:t|en)? (?:dir|euch|sie sich|wir uns)(?: mal)?(?: bitte)? vor|tun wir so|tu so|im traum)\b"
)
_GERMAN_OTHERS: Final = lazy_regex(
    r"(?<!\bich )(?<!\bwir )\b(?:sagt|sagten?|meint|meinten?|behauptet(?:en?)?|erzählt(?:en?)?|glaubt(?:en?)?"
    r"|denkt|denken|dachten?|schreibt|schrieb(?:en)?)(?: (?:mir|uns|ihm|ihr|allen|immer|oft))?[,:]? "
    r"(?:dass )?(?:ich|wir|meine?)\b"
)
"""The same in German, the other language whose statements are often remembered."""

_RELATIVE: Final = listed("where who whose which whom wherever")
"""Links behind which more is told of what stands before; behind the others of them a time is."""
_WAS: Final = listed("was were had did")
_CLOSES: Final = {"]": "[", ")": "("}
_SIGNS: Final = frozenset((",", "-", ":", "\u2013", "\u2014"))
_OWN: Final = listed("i we my our it")


def stated_in(text: str) -> tuple[str, str]:
    """The sentences of a text that state something; where none does, why the first does not.

    Args:
        text: Any text; its first 20,000 characters are looked at.

    Returns:
        The words as they stand, and the reason; one of the two is empty.

    >>> stated_in("The gate opens at nine. Is that early?")
    ('The gate opens at nine.', '')
    >>> stated_in("Suppose my name is Zorro.")
    ('', 'it is make-believe')
    """
    seen = text[:READ_CHARACTERS]
    masked = own_words(seen)
    sentences = sentences_of(tokens_of(masked))
    kept: list[str] = []
    reasons: list[str] = []
    for start, end, sentence in _placed(seen, sentences):
        reason = _why_not(sentence, text=seen, hidden=masked[start:end] != seen[start:end])
        if reason:
            reasons.append(reason)
        else:
            kept.append(seen[start:end].strip())
        if reason == SUPPOSES:
            break
    if not reasons:
        return ("", REPORTED) if not sentences and seen.lstrip().startswith(_QUOTED) else (text.strip(), "")
    return " ".join([*kept, text[READ_CHARACTERS:]]).strip(), "" if kept else reasons[0]


def statements_of(text: str) -> Iterator[str]:
    """The parts of sentences that somebody states.

    Args:
        text: Their own words (``masking``).

    >>> list(statements_of("Do I live in Rome? I swim if I can. I live in Oslo, so where can I swim?"))
    ['I swim', 'I live in Oslo']
    """
    sentences, jokes = sentences_of(tokens_of(text)), may_joke(text)
    for number, sentence in enumerate(sentences):
        if jokes and is_joke(sentences, number):
            continue
        clauses = clauses_of(sentence, text)
        reason = _why_not(sentence, text=text, hidden=False)
        standings = [_standing(clauses, place) for place in range(len(clauses))]
        asks = reason == ASKS and not sentence.asked
        if (not reason or asks) and not any(guards.DENIED_BY_ALL.match(one.read) for one in clauses[1:]):
            end = asks_from(clauses, asked=sentence.asked)
            yield from _parts(clauses[:end], standings, text)
            begin = _statement_behind(clauses, end, asked=sentence.asked)
            yield from _parts(clauses[begin:], standings[begin:], text)
        if reason == SUPPOSES or "make-believe" in standings or "material" in standings:
            return


_WOULD: Final = lazy_regex(r"\b(?:would|could|might)\b(?! (?:rather|prefer)\b)")


def _standing(clauses: Sequence[Clause], place: int) -> Standing:
    """The standing of a clause; what would be so if something else were is never stated without that."""
    standing, behind = standing_of(clauses, place), clauses[place + 1 : place + 2]
    depends = standing == "stated" and bool(behind) and behind[0].link in {"if", "unless"}
    return (
        "condition"
        if depends and is_condition(behind[0]) and _WOULD.search(clauses[place].read)
        else standing
    )


def _statement_behind(clauses: Sequence[Clause], end: int, *, asked: bool) -> int:
    """Where a statement begins behind what is asked for: "redo the letter, we're at Quarry Lane now"."""
    requested = end < len(clauses) and clauses[end].words[:2] in (["can", "you"], ["could", "you"])
    places = range(end + 1, len(clauses) if requested and not asked else 0)
    own = (at for at in places if clauses[at].link in _SIGNS and clauses[at].words[0] in _OWN)
    return next(own, len(clauses))


def _parts(clauses: Sequence[Clause], standings: Sequence[Standing], text: str) -> Iterator[str]:
    """What stands from one clause that is not stated to the next."""
    start = end = 0
    for clause, standing in zip(clauses, standings, strict=False):
        if standing in {"make-believe", "material", "told"}:
            break
        if _is_stated(clause, standing):
            start = start if end else clause.tokens[0].start
            end = clause.tokens[-1].end
            end += _CLOSES.get(text[end : end + 1], "\n") in text[start:end]
        elif end:
            yield text[start:end]
            end = 0
    if end:
        yield text[start:end]


_FORGET: Final = lazy_regex(
    r"(?:(?:please|pls|ok|okay|just|and|so|can you|could you) )*"
    r"(?:forget|delete|erase|remove|ignore|disregard) "
    r"(?:all |everything |anything |what |whatever |that |about )*(?:i|we) (?:have |just )?"
    r"(?:said|told|wrote|mentioned|say)\b"
)
"""Asks to forget words, which states nothing of what they are about."""


def _is_stated(clause: Clause, standing: Standing) -> bool:
    if _FORGET.match(clause.read):
        return False
    if standing != "aside":
        return standing == "stated" and not is_unsure(clause)
    return clause.link in _RELATIVE or any(word in PASTS or word in _WAS for word in clause.words)


def _placed(text: str, sentences: list[Sentence]) -> Iterator[tuple[int, int, Sentence]]:
    """Sentences that have words, with where each begins and the next one does."""
    told = [sentence for sentence in sentences if sentence.tokens]
    starts = [0, *(sentence.tokens[0].start for sentence in told[1:]), len(text)]
    yield from zip(starts, starts[1:], told, strict=False)


def _why_not(sentence: Sentence, *, text: str, hidden: bool) -> str:
    """Why a sentence states nothing; empty when it does."""
    clauses = clauses_of(sentence, text)
    if not clauses:
        return ""
    if any(guards.FICTION.match(clause.read) for clause in clauses[:2]):
        return SUPPOSES
    words = " ".join(token.low for token in sentence.tokens).replace(" ,", ",").replace(" :", ":")
    if _GERMAN_SUPPOSES.match(words):
        return SUPPOSES
    if _GERMAN_OTHERS.search(words):
        return REPORTED
    if asks_from(clauses, asked=sentence.asked) == 0:
        return ASKS
    if is_condition(clauses[0]):
        return DEPENDS
    return REPORTED if _is_reported(sentence, clauses, hidden=hidden) else ""


def _is_reported(sentence: Sentence, clauses: list[Clause], *, hidden: bool) -> bool:
    if _OTHERS.match(" ".join(token.low for token in sentence.tokens)):
        return True
    if hidden and any(guards.TELLS.search(one.read) or guards.REPORTS.search(one.read) for one in clauses):
        return True
    return any(is_reported(one, after) for one, after in pairwise(clauses))
