"""Chinese: its table (see ``tables``), and the words that are made of parts: numbers, 下周五, 第三季度.

No blanks part the words, so they are looked for as written, the longest first.
"""

from typing import Final

from recollect.text.dates.words import Word, entries

CHINESE: Final = """
DAY -3: 大前天
DAY -2: 前天
DAY -1: 昨天 昨日
DAY 0: 今天 今日
DAY 1: 明天 明日
DAY 2: 后天
DAY 3: 大后天
DAY -1 night: 昨晚 昨夜
DAY 0 night: 今晚 今夜
DAY 1 night: 明晚
DAY 0 morning: 今早 今晨
DAY 1 morning: 明早
PERIOD -2 week: 上上周 上上个星期
PERIOD -1 week: 上周 上星期 上个星期 上礼拜 上个礼拜
PERIOD 0 week: 本周 这周 这星期 这个星期 这礼拜
PERIOD 1 week: 下周 下星期 下个星期 下礼拜 下个礼拜
PERIOD 2 week: 下下周 下下个星期
PERIOD -1 weekend: 上周末 上个周末
PERIOD 0 weekend: 这周末 这个周末 本周末
PERIOD 1 weekend: 下周末 下个周末
WEEKEND weekend: 周末
PERIOD -1 month: 上个月 上月
PERIOD 0 month: 本月 这个月
PERIOD 1 month: 下个月 下月
PERIOD -1 quarter: 上个季度 上季度
PERIOD 0 quarter: 本季度 这个季度
PERIOD 1 quarter: 下个季度 下季度
PERIOD -2 year: 前年
PERIOD -1 year: 去年
PERIOD 0 year: 今年
PERIOD 1 year: 明年
PERIOD 2 year: 后年
EDGE_OF month: 月底 月末
EDGE_OF year: 年底 年末
SEASON 3: 春天 春季
SEASON 6: 夏天 夏季
SEASON 9: 秋天 秋季
SEASON 12: 冬天 冬季
UNIT minute: 分钟
UNIT hour: 小时 个小时 个钟头
UNIT day: 天
UNIT week: 周 个星期 星期 个礼拜
UNIT month: 个月
NIAN year: 年
YUE: 月 月份
RI: 日 号
DIAN: 点 点钟
FEN: 分
HALF_AFTER 30: 半
HALF_AFTER 15: 一刻
LENGTH 30 minute: 半小时 半个小时
LENGTH 6 month: 半年
PART morning: 早上 上午 早晨 清晨
PART noon: 中午
PART afternoon: 下午
PART evening: 傍晚
PART night: 晚上 夜里 晚间
PART small: 凌晨
AGO: 前 以前 之前
HENCE: 后 以后 之后
FROM: 从 自
UNTIL: 到 直到 至
ONWARDS: 以来
ROLLING -1: 过去 最近 近
ROLLING 1: 未来 接下来 今后
EVE christmas: 圣诞节
EVE new_years_day: 元旦
"""

WORDS: Final = {phrase[0]: word for phrase, word in entries(CHINESE, "zh")}
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


def compound_of(found: str) -> Word:
    """What a word made of parts is: a weekday, one of another week, a quarter."""
    if found.endswith("季度"):
        return Word("QUARTER", _DIGITS[found[1]], language="zh")
    weekday = _WEEKDAYS[found[-1]]
    week = found.rstrip("一二三四五六日天").rstrip("周星期礼拜").rstrip("个")
    if not week:
        return Word("WEEKDAY", weekday, language="zh")
    return Word("WEEKDAY_IN", weekday, str(_WEEKS.get(week, 0)), "zh")


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
