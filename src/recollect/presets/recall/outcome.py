"""How a task or a session came out, and its tone: Recall's SUCCESS, PARTIAL or INTERRUPTED, by our own rule.

The design names the outcomes and not how they are told. Here a session is

- INTERRUPTED when it broke off: by an error, or when the user's last words got no answer in a session that
  has answers, unless they say goodbye;
- PARTIAL when the user's last words say that something is left: "it still doesn't work", "the rest later";
- a SUCCESS otherwise.

Its tone is the one felt most by its words, in English and German. A word counts unless it is denied just
before ("not happy"). No model is asked: irony, and what is felt and not said, are out of reach.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, Literal, get_args

from recollect.checks import check_one_of
from recollect.types.regex import lazy_regex

Tone = Literal["joyful", "grateful", "affectionate", "sad", "anxious", "angry", "neutral"]
"""What is felt; ``neutral`` when no words say."""

_WORDS: Final[dict[Tone, str]] = {
    "joyful": """
        happy glad delighted excited thrilled joy joyful wonderful fantastic great amazing awesome fun proud
        laughed celebrate celebrated yay cheerful
        freu freue freude froh glücklich wunderbar toll begeistert stolz gefeiert lustig""",
    "grateful": """
        thanks thank thankful grateful appreciate appreciated blessed
        danke dankbar vielen-dank bedanke""",
    "affectionate": """
        love loved loves dear darling miss hug hugs cherish adore sweetheart
        liebe geliebt vermisse umarme schatz herzlich""",
    "sad": """
        sad unhappy cry cried crying grief grieving lonely heartbroken depressed miserable lost died death
        funeral mourning hopeless
        traurig einsam weine geweint gestorben trauer verloren unglücklich beerdigung hoffnungslos""",
    "anxious": """
        worried worry anxious afraid scared nervous fear stress stressed overwhelmed panic frightened uneasy
        sorge sorgen besorgt angst ängstlich nervös gestresst überfordert panik""",
    "angry": """
        angry furious annoyed annoying mad hate hated outraged frustrated frustrating fed-up unfair rude
        wütend sauer ärger ärgere geärgert hasse frustriert genervt unfair unverschämt""",
}
_TONE_OF: Final[dict[str, Tone]] = {word: tone for tone, words in _WORDS.items() for word in words.split()}
_DENIED: Final = frozenset(
    {"not", "no", "never", "isn't", "wasn't", "don't", "didn't", "aren't", "hardly", "nicht", "kein", "keine",
     "keinen", "nie", "kaum", "ohne"}
)  # fmt: skip
_BACK: Final = 2
"""Words before one that may deny it. Chosen by hand: "not very happy"."""
_TOKEN: Final = lazy_regex(r"[^\W\d_]+(?:['\u2019-][^\W\d_]+)*")

Outcome = Literal["SUCCESS", "PARTIAL", "INTERRUPTED"]
"""Recall's outcomes."""
OUTCOMES: Final[tuple[Outcome, ...]] = get_args(Outcome)

_LEFT: Final = lazy_regex(
    r"""(?:
        \b(?:still|yet)\b.{0,30}(?:\bnot\b|\bno\b|n't\b|\bfail|\bbroken|\bwrong|\bopen\b|\bmissing)
        | (?:\bnot|n't)\b.{0,30}\b(?:yet|work|finished|done|help|enough|what\ i\ (?:meant|asked|wanted))
        | \b(?:rest|continue|finish|go\ on|carry\ on)\b.{0,30}\b(?:later|tomorrow|another\ time|next\ time)\b
        | \b(?:later|tomorrow|another\ time)\b.{0,30}\b(?:continue|finish|go\ on|the\ rest)\b
        | \bonly\ (?:half|part)\b | \bgave\ up\b
        | \bnoch\b.{0,30}\b(?:nicht|kein|offen|kaputt|falsch)
        | \b(?:nicht|kein)\w*\b.{0,30}\b(?:fertig|funktionier|geklappt|geholfen|genug)
        | \b(?:rest|weiter)\b.{0,30}\b(?:später|morgen|nächstes\ mal)\b
        | \b(?:später|morgen)\b.{0,30}\b(?:weiter|rest)
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_KIND: Final = lazy_regex(
    r"\b(?:(?:can(?:no|['\u2019])t|can not|couldn['\u2019]t|could not) (?:ever )?thank (?:you|u) enough"
    r"|(?:don['\u2019]t|do not) worry"
    r"|not (?:too |so |at all )?bad(?! enough))\b",
    re.IGNORECASE,
)
"""Denials that say that all is well."""
_GOODBYE: Final = lazy_regex(
    r"\b(?:thanks?|thank you|bye|goodbye|good night|see you|cheers|danke|tschüss|bis (?:bald|morgen|dann)"
    r"|gute nacht)\b",
    re.IGNORECASE,
)


def check_outcome(value: object) -> Outcome:
    """One of Recall's outcomes.

    Raises:
        InvalidInputError: It is none.
    """
    return check_one_of("outcome", value, OUTCOMES)


def outcome_of(turns: Sequence[tuple[str, str]], *, broken: bool = False) -> Outcome:
    """How a session came out.

    Args:
        turns: Who spoke (``user``, ``assistant``, …) and what was said, in order.
        broken: Whether it broke off by an error.

    >>> outcome_of([("user", "Book a table."), ("assistant", "Done."), ("user", "Thanks!")])
    'SUCCESS'
    >>> outcome_of([("assistant", "Try again."), ("user", "It still does not work.")])
    'PARTIAL'
    """
    if broken:
        return "INTERRUPTED"
    said = [words for role, words in turns if role == "user"]
    if said and _LEFT.search(_KIND.sub(" thanks ", said[-1])):
        return "PARTIAL"
    answered = any(role == "assistant" for role, _ in turns)
    if answered and turns[-1][0] == "user" and not _GOODBYE.search(turns[-1][1]):
        return "INTERRUPTED"
    return "SUCCESS"


def find_tone(texts: Iterable[str]) -> Tone:
    """The tone that most words of some texts have; of equal ones the one said last.

    >>> find_tone(["I was so worried about the operation.", "But it went well and I am happy, so happy!"])
    'joyful'
    >>> find_tone(["I am not happy."]), find_tone(["The train leaves at nine."])
    ('neutral', 'neutral')
    """
    counts: Counter[Tone] = Counter()
    latest: dict[Tone, int] = {}
    place = 0
    for text in texts:
        words = [word.replace("\u2019", "'") for word in _TOKEN.findall(text.casefold())]
        for number, word in enumerate(words):
            place += 1
            tone = _TONE_OF.get(word)
            if tone is not None and _DENIED.isdisjoint(words[max(number - _BACK, 0) : number]):
                counts[tone] += 1
                latest[tone] = place
    return max(counts, key=lambda tone: (counts[tone], latest[tone]), default="neutral")
