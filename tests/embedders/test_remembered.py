import pytest

from recollect import Memory
from recollect.embedders import FunctionEmbedder
from recollect.errors import InvalidInputError, MissingExtraError


def letters(texts):
    return [[text.count(letter) + 0.1 for letter in "aeiou"] for text in texts]


def test_a_new_store_gets_the_static_embedder(tmp_path):
    with Memory(tmp_path / "brain.db") as memory:
        memory.add("Ana likes tea", user_id="ada")
        assert memory.stats().embedder == "recollect-static-v1"


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
