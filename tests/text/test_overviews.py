"""What an overview is asked about."""

from tests.tables import table

from recollect import Memory
from recollect.text.overviews import matter_of

ORDER = (
    "Can you walk me through the order in which I brought up different aspects of my garden across our "
    "conversations, in order? Mention ONLY and ONLY six items."
)


@table(
    "question, matter",
    [
        (ORDER, "my garden"),
        ("Could you please list the order in which I mentioned my trips?", "my trips"),
        ("Please summarize how we planned the move so far.", "we planned the move"),
        ("I'd like a summary of my knee and the physio over time", "my knee and the physio"),
        ("Give me a clear and complete overview of our budget", "our budget"),
        ("What order did I visit the three cities in?", "did I visit the three cities in"),
        ("Recap the wedding plans, please", "the wedding plans, please"),
    ],
)
def test_words_about_the_conversation_are_left_out(question, matter):
    assert matter_of(question) == matter


@table(
    "question",
    [
        "Where do I live?",
        "What did we discuss over time?",
        "Which order did I place at the shop?",
        "Can you give me a summary?",
        "What films would you recommend?",
        "Summary",
        "",
    ],
)
def test_other_questions_are_left_as_they_are(question):
    assert matter_of(question) == question


def test_an_overview_is_searched_by_its_matter():
    asked = "Can you walk me through the order in which I brought up my garden throughout our conversations?"
    with Memory(":memory:", embedder="static") as memory:
        memory.add(["The garden gets roses.", "We walk through the park in conversations."], user_id="u")
        found = [(hit.memory.content, hit.signals["words"]) for hit in memory.search(asked, user_id="u")]
        alone = [(hit.memory.content, hit.signals["words"]) for hit in memory.search("garden", user_id="u")]
    assert found == alone
    assert found[0][0] == "The garden gets roses."
