from hypothesis import given
from hypothesis import strategies as st
from tests.tables import table

from recollect.text.tokens import estimate_tokens

any_text = st.text() | st.text(alphabet=" \t\r\n'abcXYZ019_-…é日я😀\x00\ud800", max_size=60)


def test_an_empty_text_has_no_tokens():
    assert estimate_tokens("") == 0


# The real counts are those of cl100k (GPT-4).
@table(
    "text, real",
    [
        ("Do you remember the name of my dog? I told you last week!", 15),
        ("Haha that is great 😂😂 see you tomorrow! 🎉 ❤️ ", 19),
        ("def add(a: int, b: int) -> int:\n    return a + b\n", 19),
        ("https://www.example.com/path/to/some-page.html?utm_source=news&utm_id=42#section-3", 24),
        ("12345678901234567890 3.14159265 2026-05-01T10:00:00Z", 27),
        ("我昨天和朋友一起去了北京的故宫博物院", 22),
        ("Вчера мы с друзьями ходили в музей", 19),  # noqa: RUF001 - Cyrillic is meant
        ("ذهبت أمس مع أصدقائي إلى المتحف", 22),
    ],
)
def test_the_estimate_is_not_below_a_real_tokenizer_and_not_twice_as_high(text, real):
    assert real <= estimate_tokens(text) <= 2 * real


@given(any_text)
def test_a_text_has_between_one_token_and_three_for_each_character(text):
    assert bool(text) <= estimate_tokens(text) <= 3 * len(text)


@given(any_text, any_text)
def test_texts_joined_by_a_line_break_count_no_more_than_their_parts(left, right):
    assert estimate_tokens(f"{left}\n{right}") <= estimate_tokens(left) + 1 + estimate_tokens(right)


@given(any_text, any_text)
def test_a_part_counts_no_more_than_the_whole(left, right):
    assert estimate_tokens(f"{left}\n") <= estimate_tokens(f"{left}\n{right}")


@table("filler", ["a", "A", " ", "\n", "'", "1", "日", "😀", "\x00", "aA1"])
def test_a_text_twice_as_long_has_about_twice_the_tokens(filler):
    short, long = estimate_tokens(filler * 5_000), estimate_tokens(filler * 10_000)
    assert abs(long - 2 * short) <= 2
