"""What of a text its writer states: for statements to be remembered in which the rules see no fact.

Questions, conditions, make-believe and what others say are left out, by the guards of the extraction. What
others say counts as such when it is about the writer or quoted: "My boss says that lunch is at one" is a
statement.
"""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from recollect.learning.extraction import guards
from recollect.learning.extraction.clauses import Clause, Sentence, clauses_of, sentences_of
from recollect.learning.extraction.masking import own_words
from recollect.learning.extraction.questions import asks_from
from recollect.learning.extraction.tokens import tokens_of
from recollect.text.analyse import READ_CHARACTERS

ASKS: Final = "it is a question"
SUPPOSES: Final = "it is make-believe"
DEPENDS: Final = "it holds on a condition"
REPORTED: Final = "others said it"

_QUOTED: Final = ('"', "'", "\u201c", "\u201e", "\u00ab", "\u2018", "\u300c", "\u300e", ">")
_OTHERS: Final = re.compile(
    r"^(?:(?!(?:i|we)\b)\S+ ){1,8}?(?:says?|said|tells?|told|claims?|claimed|thinks?|thought|believes?"
    r"|believed|insists?|insisted|writes?|wrote|repl(?:ies|ied)|texted|asked|asks)"
    r"(?: (?:me|us|him|her|them|you|everyone|everybody))?(?: that| if| whether)?,? (?:i|we|my|our)\b"
    r"|^(?:i|we) (?:am|are|was|were|have been|got) told\b"
    r"|^according to (?!me\b).*\b(?:i|we)\b"
)
"""Says what others say of the writer. The words were chosen by hand."""
_GERMAN_SUPPOSES: Final = re.compile(
    r"\W*(?:mal |nur |einfach )?(?:angenommen|gesetzt den fall|nehmen wir (?:mal )?an|nimm (?:mal )?an"
    r"|stell(?:t|en)? (?:dir|euch|sie sich|wir uns)(?: mal)?(?: bitte)? vor|tun wir so|tu so|im traum)\b"
)
_GERMAN_OTHERS: Final = re.compile(
    r"(?<!\bich )(?<!\bwir )\b(?:sagt|sagten?|meint|meinten?|behauptet(?:en?)?|erzählt(?:en?)?|glaubt(?:en?)?"
    r"|denkt|denken|dachten?|schreibt|schrieb(?:en)?)(?: (?:mir|uns|ihm|ihr|allen|immer|oft))?[,:]? "
    r"(?:dass )?(?:ich|wir|meine?)\b"
)
"""The same in German, the other language whose statements are often remembered."""


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
    first = clauses[0]
    linked = first.link in guards.CONDITIONAL and not guards.POLITE_IF.match(first.read)
    if linked or guards.IN_CASE.match(first.read):
        return DEPENDS
    return REPORTED if _is_reported(sentence, clauses, hidden=hidden) else ""


def _is_reported(sentence: Sentence, clauses: list[Clause], *, hidden: bool) -> bool:
    if _OTHERS.match(" ".join(token.low for token in sentence.tokens)):
        return True
    if hidden and any(guards.TELLS.search(one.read) or guards.REPORTS.search(one.read) for one in clauses):
        return True
    return any(
        after.link in {",", ":"} and guards.REPORTS.search(one.read) for one, after in pairwise(clauses)
    )
