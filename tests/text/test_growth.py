"""Text of one repeated character or phrase costs what its length costs, not the square of it.

Each row once took minutes at this length. A rule that looks from every place to the end makes this test
hang, which is how it fails.
"""

from tests.tables import table

from recollect import Memory
from recollect.documents.html import html_text
from recollect.learning.extraction.extract import extract_new
from recollect.learning.extraction.facts import Turn
from recollect.testing.fakes import FakeClock
from recollect.text.chunks import chunks_of
from recollect.text.secrets import mask_secrets

CHARACTERS = 100_000
READ = 19_000  # of a message that is learned from: little less than READ_CHARACTERS


def row_of(unit: str) -> str:
    """So many characters of a repeated unit."""
    return (unit * (CHARACTERS // len(unit) + 1))[:CHARACTERS]


@table("unit, by", [(".", "document"), ("!?", "fact"), ("\u2026", "story")])
def test_rows_of_punctuation_are_cut_in_one_pass(unit, by):
    assert "".join(chunk.text for chunk in chunks_of(row_of(unit), by=by)) == row_of(unit)


@table("unit", ["<a b='", '<a b="x', "<!--", "<![CDATA[", "</a", "&#"])
def test_tags_without_an_end_are_read_in_one_pass(unit):
    text, title = html_text(f"<p>Tea is hot.</p>{row_of(unit)}")
    assert text.startswith("Tea is hot.")
    assert title is None


@table("unit", ["4 ", "May ", "12 May ", "+49 ", "budget ", "flight on "])
def test_rows_of_words_are_learned_from_in_one_pass(unit):
    known = Turn(text="My flight is on Friday, and my budget is 400 euros.", role="user", id="1")
    said = Turn(text=f"I moved to York. {row_of(unit)[:READ]}", role="user", id="2")
    assert any("York" in fact.text for fact in extract_new([known, said], known=1))


@table("unit", ["=password ", "password=x7! ", "pw:", "my pin is 4711 ", "safe 1 2 3 ", "a:b@c.d ", "key "])
def test_rows_of_secrets_are_masked_in_one_pass(unit):
    masked, kinds = mask_secrets(f"My password is hunter2! {row_of(unit)}")
    assert masked.startswith("My password is [password removed]")
    assert "password" in kinds


@table("unit", ["x", "which ", "is it "])
def test_a_question_is_looked_for_in_a_row_of_words_in_one_pass(unit):
    question = "Which month suits your parents better?"
    clock = FakeClock()
    with Memory(":memory:", embedder="hashing", clock=clock) as memory:
        for said in (row_of(unit), f"Nice. {question}"):
            memory.add([{"role": "assistant", "content": said}], user_id="u", session_id=said[:5])
        clock.tick(2 * 86_400)
        (item,) = memory.agenda.items(user_id="u")
    assert question in item.text
