"""Chloe's feedback loop: noticing that a user says "that was helpful"."""

from typing import Final

from recollect.types.regex import lazy_regex

_CLAUSE: Final = lazy_regex(r"[.!,;:()\n]+|\b(?:and|but)\b")
_DEGREE: Final = "(?:(?:really|very|so|super|quite|incredibly|extremely|most|indeed) )*"
_PRAISE: Final = lazy_regex(
    "(?:(?:thanks|thank you|ok|okay|yes|wow|great|oh) )*"
    f"(?:(?:(?:that|this|it)(?:'s| is| was| has been) )?{_DEGREE}(?:helpful|useful)(?: thanks| thank you)?"
    "|(?:that|this|it)(?:'s| is| was) (?:just|exactly) what i (?:needed|wanted|was looking for)"
    f"|(?:that|this|it) {_DEGREE}helped(?: me| us| a lot| so much| very much)*"
    f"|you(?:'ve been| have been|'re| are| were) {_DEGREE}helpful)"
)


def says_helpful(text: str) -> bool:
    """Tell whether a user calls the answer before helpful. English; a denial, a wish or a question is none.

    >>> says_helpful("Thanks, that was really helpful!"), says_helpful("That wasn't helpful.")
    (True, False)
    >>> says_helpful("Was that helpful?"), says_helpful("That was helpful of Tom.")
    (False, False)
    """
    plain = text.lower().replace("\u2019", "'")
    return any(_PRAISE.fullmatch(" ".join(clause.split())) for clause in _CLAUSE.split(plain))
