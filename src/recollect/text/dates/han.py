"""Chinese: its table (in ``words.txt``), and the words that are made of parts: numbers, 下周五, 第三季度.

No blanks part the words, so they are looked for as written, the longest first.
"""

from typing import Final

from recollect.text.dates.words import TABLES, DateWord, entries

WORDS: Final = {phrase[0]: word for phrase, word in entries(TABLES["zh"], "zh")}
"""Chinese words by how they are written."""
COMPOUND: Final = (
    r"(?:上上|下下|上|下|本|这)?个?(?<![一二两三四五六七八九十几每0-9])(?:周|星期|礼拜)[一二三四五六日天]"
    r"|第[一二三四]季度"
)
"""Words made of parts; "一周三次" (three times a week) is none."""
NUMBER: Final = "[一二三四五六七八九十两几]{1,4}"
YEAR: Final = "[一二][〇零一二三四五六七八九]{3}(?=年)"
_DIGITS: Final = {digit: number for number, digit in enumerate("一二三四五六七八九", start=1)} | {"两": 2}
_WEEKDAYS: Final = {day: number for number, day in enumerate("一二三四五六日")} | {"天": 6}
_WEEKS: Final = {"上上": -2, "上": -1, "下": 1, "下下": 2, "这": 0, "本": 0}


def compound_of(found: str) -> DateWord:
    """What a word made of parts is: a weekday, one of another week, a quarter."""
    if found.endswith("季度"):
        return DateWord("QUARTER", _DIGITS[found[1]], language="zh")
    weekday = _WEEKDAYS[found[-1]]
    week = found.rstrip("一二三四五六日天").rstrip("周星期礼拜").rstrip("个")
    if not week:
        return DateWord("WEEKDAY", weekday, language="zh")
    return DateWord("WEEKDAY_IN", weekday, str(_WEEKS.get(week, 0)), "zh")


def number_of(written: str) -> int:
    """A number below a hundred as Chinese writes it; "a few" is three.

    >>> number_of("二十三"), number_of("十"), number_of("两"), number_of("几")
    (23, 10, 2, 3)
    """
    tens, ten, ones = written.rpartition("十")
    if written == "几":
        return 3
    value = _DIGITS.get(ones[-1:], 0)
    return value + 10 * _DIGITS.get(tens[-1:], 1) if ten else value


def year_of(written: str) -> int:
    """A year, digit by digit.

    >>> year_of("二〇二三")
    2023
    """
    return int("".join(str(_DIGITS.get(digit, 0)) for digit in written))
