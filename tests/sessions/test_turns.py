"""A session as a page shows it again: who said what, and the documents that answers could cite."""

import pytest

from recollect import InvalidInputError, Memory, NotFoundError
from recollect.memory.agent import MemoryAgent
from recollect.models import ScriptedModel

HOUSE = "The boiler of the house is in the cellar, behind the shelf."


@pytest.fixture
def memory():
    with Memory(":memory:", embedder="hashing") as made:
        made.documents.add_text(HOUSE, source="house.md", title="House", user_id="ada")
        model = ScriptedModel(["In the cellar [1].", "You are welcome."])
        agent = MemoryAgent(made, user_id="ada", session_id="s", model=model)
        agent.chat("Where is the boiler of the house?")
        agent.chat("Thank you")
        yield made


def test_the_turns_of_a_session_are_read_in_order_with_their_sources(memory):
    turns = memory.sessions.turns("s", user_id="ada")
    assert [(one.role, one.content) for one in turns] == [
        ("user", "Where is the boiler of the house?"),
        ("assistant", "In the cellar [1]."),
        ("user", "Thank you"),
        ("assistant", "You are welcome."),
    ]
    assert [one.model for one in turns] == [None, "scripted", None, "scripted"]
    (source,) = turns[1].sources
    assert (source.number, source.title, source.source, source.deleted) == (1, "House", "house.md", False)
    assert memory.documents.get(source.document_id, user_id="ada").title == "House"
    assert memory.sessions.turns("s", user_id="ada", limit=1) == turns[-1:]


def test_a_source_whose_document_was_deleted_is_marked_and_its_words_are_gone(memory):
    memory.documents.remove("house.md", user_id="ada")
    memory.purge(user_id="ada")
    (source,) = memory.sessions.turns("s", user_id="ada")[1].sources
    assert (source.title, source.deleted) == ("House", True)
    assert "shelf" not in str([one.to_dict() for one in memory.get_all(user_id="ada")])


def test_a_session_nobody_had_and_a_wrong_limit_are_refused(memory):
    with pytest.raises(NotFoundError):
        memory.sessions.turns("s", user_id="bob")
    with pytest.raises(InvalidInputError):
        memory.sessions.turns("s", user_id="ada", limit=0)


@pytest.mark.parametrize(
    "sources", ["x", 5, [1], [{"number": "one"}], {"a": 1}, [{"document_id": 7, "page": "x"}]]
)
def test_metadata_that_somebody_else_wrote_breaks_nothing(memory, sources):
    memory.add(
        [{"role": "assistant", "content": "Hm."}],
        user_id="ada",
        session_id="s",
        metadata={"sources": sources, "model": 5, "cut_off": "no"},
    )
    last = memory.sessions.turns("s", user_id="ada")[-1]
    assert (last.content, last.model, last.cut_off) == ("Hm.", None, False)
    assert all(one.deleted for one in last.sources)
