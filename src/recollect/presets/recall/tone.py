"""The tone of what someone says, by words: the one felt most, in English and German.

A word counts for its tone unless it is denied just before ("not happy"). No model is asked: irony, and what
is felt and not said, are out of reach.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Final, Literal

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
