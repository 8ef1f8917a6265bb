import pytest

from recollect import Memory, reembed
from recollect.embedders import FunctionEmbedder, open_embedder
from recollect.errors import InvalidInputError, MissingExtraError


def letters(texts):
    return [[text.count(letter) + 0.1 for letter in "aeiou"] for text in texts]


def test_a_new_store_gets_the_contextual_embedder(tmp_path):
    with Memory(tmp_path / "brain.db") as memory:
        memory.add("Ana likes tea", user_id="ada")
        assert memory.stats().embedder == "recollect-contextual-v2"


def test_a_store_opened_without_an_embedder_goes_on_with_its_own(tmp_path):
    with Memory(tmp_path / "brain.db", embedder="hashing") as memory:
        memory.add("Ana likes tea", user_id="ada")
    with Memory(tmp_path / "brain.db") as memory:
        memory.add("Ana plays chess", user_id="ada")
        assert memory.search("who plays chess?", user_id="ada")[0].memory.content == "Ana plays chess"
        assert memory.stats().embedder == "mock-semantic-model-v1"
        assert memory.maintenance.doctor().problems == ()


@pytest.mark.parametrize(
    ("name", "error"),
    [("sentence-transformers:small", MissingExtraError), ("function:letters", InvalidInputError)],
)
def test_a_store_whose_embedder_is_not_here_can_be_listed_but_not_searched(
    tmp_path, monkeypatch, name, error
):
    monkeypatch.setitem(__import__("sys").modules, "sentence_transformers", None)
    with Memory(tmp_path / "brain.db", embedder=FunctionEmbedder(letters, name=name)) as memory:
        memory.add("Ana likes tea", user_id="ada")
    with Memory(tmp_path / "brain.db") as memory:
        assert [record.content for record in memory.get_all(user_id="ada")] == ["Ana likes tea"]
        with pytest.raises(error):
            memory.search("tea", user_id="ada")


def test_a_store_with_static_vectors_goes_on_with_them_and_says_what_would_improve_it(tmp_path, caplog):
    with Memory(tmp_path / "brain.db", embedder="static") as memory:
        memory.add("Ana likes tea", user_id="ada")
    assert not caplog.records
    with caplog.at_level("INFO", logger="recollect.embedders"), Memory(tmp_path / "brain.db") as memory:
        memory.add("Ana plays chess", user_id="ada")
        assert memory.stats().embedder == "recollect-static-v2"
    assert "recollect reembed" in caplog.text
    caplog.clear()
    assert reembed(tmp_path / "brain.db").embedder == "recollect-contextual-v2"
    with caplog.at_level("INFO", logger="recollect.embedders"), Memory(tmp_path / "brain.db") as memory:
        assert memory.search("who plays chess?", user_id="ada")[0].memory.content == "Ana plays chess"
    assert not caplog.records


def test_a_store_of_the_replaced_static_embedder_is_searched_by_words_until_reembedded(tmp_path, caplog):
    old = FunctionEmbedder(lambda texts: [[1.0] * 256 for _ in texts], name="recollect-static-v1")
    with Memory(tmp_path / "brain.db", embedder=old) as memory:
        memory.add(["Ana likes tea", "It rained"], user_id="ada")
    with caplog.at_level("INFO", logger="recollect.embedders"), Memory(tmp_path / "brain.db") as memory:
        memory.add("Ana plays chess", user_id="ada")
        assert memory.search("who plays chess?", user_id="ada")[0].memory.content == "Ana plays chess"
        assert memory.search("tea?", user_id="ada")[0].memory.content == "Ana likes tea"
    assert "recollect reembed" in caplog.text
    assert reembed(tmp_path / "brain.db").memories == 3
    with Memory(tmp_path / "brain.db") as memory:
        assert memory.stats().embedder == "recollect-contextual-v2"
        assert memory.search("what does she drink?", user_id="ada")[0].memory.content == "Ana likes tea"


def test_a_replaced_embedder_cannot_be_chosen_for_new_vectors():
    with pytest.raises(InvalidInputError, match="recollect-static-v2"):
        open_embedder("recollect-static-v1")
