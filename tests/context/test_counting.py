import pytest
from tests.tables import table

from recollect import InvalidInputError, Memory, MissingExtraError
from recollect.context.counting import open_token_counter
from recollect.retrieval.scoring import Retrieval
from recollect.text.tokens import estimate_tokens

BYTES = {bytes([value]): value for value in range(256)}


@pytest.fixture
def tiktoken(monkeypatch):
    """The real package, with an encoding made here in place of those it fetches."""
    package = pytest.importorskip("tiktoken")
    encoding = package.Encoding(
        "tiny",
        pat_str=r"\w+|\W",
        mergeable_ranks={**BYTES, b"te": 256, b"tea": 257},
        special_tokens={"<|end|>": 258},
    )
    monkeypatch.setattr(package, "list_encoding_names", lambda: ["tiny"])
    monkeypatch.setattr(package, "get_encoding", lambda name: encoding)
    return package


def test_the_estimate_has_a_name():
    assert open_token_counter() is open_token_counter("estimate") is estimate_tokens


def test_tiktoken_counts(tiktoken):
    count = open_token_counter("tiktoken:tiny")
    assert count("tea tea") == 3
    assert count("") == 0


def test_words_that_look_like_special_tokens_are_counted_as_words(tiktoken):
    assert open_token_counter("tiktoken:tiny")("<|end|>") == 7


def test_half_a_character_is_counted(tiktoken):
    assert open_token_counter("tiktoken:tiny")("\ud800") == 1


def test_a_model_that_tiktoken_does_not_know_is_refused(tiktoken):
    with pytest.raises(InvalidInputError, match="knows no model or encoding 'llama'"):
        open_token_counter("tiktoken:llama")


def test_tables_that_cannot_be_fetched_are_a_clear_error(tiktoken, monkeypatch):
    def offline(name):
        raise ConnectionError("no network")

    monkeypatch.setattr(tiktoken, "get_encoding", offline)
    with pytest.raises(InvalidInputError, match="TIKTOKEN_CACHE_DIR"):
        open_token_counter("tiktoken:tiny")


def test_a_tokenizer_json_counts(tmp_path):
    tokenizers = pytest.importorskip("tokenizers")
    made = tokenizers.Tokenizer(tokenizers.models.WordLevel({"green": 0, "tea": 1, "?": 2}, unk_token="?"))
    made.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    path = tmp_path / "tokenizer.json"
    made.save(str(path))
    assert open_token_counter(f"tokenizer:{path}")("green tea tomorrow") == 3


@pytest.mark.parametrize("content", [None, "{}", "no JSON"])
def test_a_file_that_is_no_tokenizer_is_refused(tmp_path, content):
    path = tmp_path / "tokenizer.json"
    if content is not None:
        path.write_text(content)
    with pytest.raises(InvalidInputError, match="cannot be read as a tokenizer"):
        open_token_counter(f"tokenizer:{path}")


@table("name", ["", "gpt-4o", "tiktoken:", "tokenizer:", "claude:3", None, 7])
def test_a_name_of_no_known_form_is_refused(name):
    with pytest.raises(InvalidInputError, match="is unknown; use 'estimate'"):
        open_token_counter(name)


def test_a_missing_package_names_its_extra(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "tiktoken", None)
    with pytest.raises(MissingExtraError, match=r"'recollect\[tokens\]"):
        open_token_counter("tiktoken:gpt-4o")


def test_a_memory_counts_with_it(tiktoken):
    with Memory(":memory:", retrieval=Retrieval(token_counter=open_token_counter("tiktoken:tiny"))) as memory:
        memory.add("I drink green tea", user_id="ada")
        made = memory.context("what do I drink", user_id="ada", budget_tokens=400)
    assert made.tokens == open_token_counter("tiktoken:tiny")(made.text)
