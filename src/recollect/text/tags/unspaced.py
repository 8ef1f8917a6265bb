"""Cuts writing without blanks between words into pieces that can be tags; roughly, without a dictionary.

Han characters are cut at function words (的, 因为) and then into fours; single ones are dropped. Katakana is
kept and hiragana, the grammar of Japanese, dropped. Thai, Lao, Burmese and Khmer are cut at Thai stop words.
Korean has blanks and stays as it is.
"""

import re
from functools import lru_cache
from typing import Final

from recollect.text.analyse import listed_stop_words
from recollect.types.regex import lazy_regex

_FUNCTION_CHARACTERS: Final = (
    "的了吗呢吧啊呀嘛我你您他她它们这那哪谁啥是在和与及或但而也还又很太更最不没被把让给从就去到跟"
)
"""Chinese function characters that seldom stand in nouns, chosen by hand. The library's list also holds
大, 人 and 中."""
_HAN_TAG: Final = 4
_THAI_WORD: Final = 3
"""Shorter Thai stop words also stand inside other words. Chosen by hand."""

_HAN: Final = "\u3005\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_THAI: Final = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
_RUN: Final = lazy_regex(
    f"(?P<han>[{_HAN}]+)|(?P<katakana>[\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff]+)"
    f"|(?P<hiragana>[\u3041-\u309f]+)|(?P<thai>[{_THAI}]+)"
)


def cut_unspaced(text: str) -> str:
    """The text with a line for each piece of unspaced writing; other writing stays as it is.

    >>> cut_unspaced("我喜欢人工智能和音乐").split()
    ['喜欢人工', '智能', '音乐']
    >>> cut_unspaced("東京でコンピューターを買いました").split()
    ['東京', 'コンピューター']
    """
    return _RUN.sub(_cut, text)


def _cut(found: re.Match[str]) -> str:
    run = found[0]
    if found.lastgroup == "katakana":
        return f"\n{run}\n"
    if found.lastgroup == "hiragana":
        return "\n"
    pieces = _between_stop_words(run)
    if found.lastgroup == "han":
        pieces = [piece[i : i + _HAN_TAG] for piece in pieces for i in range(0, len(piece), _HAN_TAG)]
    return "\n".join(["", *[piece for piece in pieces if len(piece) > 1], ""])


def _between_stop_words(run: str) -> list[str]:
    starting = _stop_words()
    pieces, start, skip = [], 0, 0
    for at, first in enumerate(run):
        if at < skip or first not in starting:
            continue
        for word in starting[first]:
            if run.startswith(word, at):
                pieces.append(run[start:at])
                start = skip = at + len(word)
                break
    return [*pieces, run[start:]]


@lru_cache(maxsize=1)
def _stop_words() -> dict[str, tuple[str, ...]]:
    """The stop words by their first characters, longest first."""
    chinese = [word for word in listed_stop_words("zh") if len(word) > 1]
    japanese = listed_stop_words("ja")
    thai = [word for word in listed_stop_words("th") if len(word) >= _THAI_WORD]
    starting: dict[str, list[str]] = {}
    for word in sorted({*_FUNCTION_CHARACTERS, *chinese, *japanese, *thai}, key=len, reverse=True):
        starting.setdefault(word[0], []).append(word)
    return {first: tuple(found) for first, found in starting.items()}
