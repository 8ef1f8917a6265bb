import shutil

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect import Memory
from recollect.embedders import contextual, open_embedder
from recollect.embedders.contextual import ContextualEmbedder
from recollect.embedders.static import DATA
from recollect.errors import EmbedderError, InvalidInputError

WEIGHTS = "contextual-v1.npz"
STATIC = "words-v1.npy"
KNOWN = [0.27627, -0.10266, -0.24598, -0.03931, 0.0, -0.05052, -0.00546, -0.02185]
WORDS = st.sampled_from(
    ["Ana", "lives", "in", "Madrid", "the", "cat", "naïve", "東京", "🙂", "!", "", "zzzzqqq"]
)
TEXTS = st.one_of(st.text(max_size=80), st.lists(WORDS, max_size=80).map(" ".join))
PAIRS = [
    ("What should I not give her to eat?", "Mia is allergic to peanuts.", "Mia bought a book about gardens."),
    ("Who bit the dog?", "The man bit the dog.", "The dog bit the postman."),
    ("How does he get to work?", "He cycles to the office every day.", "He sells old records on Sundays."),
    ("Is she in good health?", "Her doctor found nothing wrong.", "Her doctorate took five years."),
]


@pytest.fixture(scope="module")
def embedder():
    return ContextualEmbedder()


@pytest.fixture
def data(monkeypatch, tmp_path):
    """A folder with a copy of the shipped files, from which the encoder is loaded."""
    for name in (WEIGHTS, STATIC, "static-v1.txt"):
        shutil.copy(DATA / name, tmp_path / name)
    monkeypatch.setattr(contextual, "DATA", tmp_path)
    forget = contextual._load.cache_clear
    forget()
    yield tmp_path
    forget()


@pytest.mark.parametrize("spec", ["contextual", "recollect-contextual-v2"])
def test_the_contextual_embedder_opens_by_kind_and_by_name(spec):
    assert isinstance(open_embedder(spec), ContextualEmbedder)


def test_vectors_are_float32_rows_of_352(embedder):
    vectors = embedder.embed_documents(["one", "two words"])
    assert vectors.shape == (2, 352)
    assert vectors.dtype == np.float32


def test_an_empty_batch_has_no_rows_but_a_dimension(embedder):
    assert embedder.embed_documents([]).shape == (0, 352)


@settings(deadline=None, max_examples=30)
@given(texts=st.lists(TEXTS, max_size=8))
def test_a_vector_has_unit_length_or_is_zero_and_does_not_depend_on_its_batch(texts):
    embedder = ContextualEmbedder()
    together = embedder.embed_documents(texts)
    assert together.shape == (len(texts), 352)
    for text, row in zip(texts, together, strict=True):
        assert row == pytest.approx(embedder.embed_query(text), abs=1e-5)
        assert float(np.linalg.norm(row)) == pytest.approx(1, abs=1e-5) or not row.any()


def test_many_texts_of_all_lengths_get_their_own_vectors_in_their_order(embedder):
    texts = [" ".join(["Ana", "moved", "to", "Madrid"] * (place % 17)) + f" {place}" for place in range(100)]
    texts[13] = ""
    together = embedder.embed_documents(texts)
    alone = np.stack([embedder.embed_query(text) for text in texts])
    assert np.abs(together - alone).max() < 1e-5


def test_threads_change_no_vector_of_many_texts():
    texts = [f"Ana moved to house {place}" for place in range(400)]
    vectors = [ContextualEmbedder(threads=threads).embed_documents(texts) for threads in (1, 3)]
    np.testing.assert_array_equal(*vectors)


def test_an_error_in_a_thread_is_raised_after_the_others_have_ended():
    done = []

    def work(batch):
        if batch == [4]:
            raise MemoryError
        done.append(batch)

    with pytest.raises(MemoryError):
        contextual._on_cores(work, [[place] for place in range(12)], most=3)
    assert [0] in done
    assert [11] in done


def test_the_words_without_their_order_are_a_part_that_counts_15_percent(embedder):
    text, reordered = embedder.embed_documents(["The dog bit the man.", "The man bit the dog."])
    assert text[256:] == pytest.approx(reordered[256:], abs=1e-6)
    assert float(text[256:] @ text[256:]) == pytest.approx(0.15, abs=1e-4)


@pytest.mark.parametrize(("question", "answer", "other"), PAIRS)
def test_an_answer_is_nearer_to_its_question_than_a_text_of_like_words(embedder, question, answer, other):
    asked, found, beside = embedder.embed_documents([question, answer, other])
    assert asked @ found > asked @ beside


def test_the_order_of_words_counts(embedder):
    left, right = embedder.embed_documents(["The dog bit the man.", "The man bit the dog."])
    assert 0.5 < left @ right < 0.999


@pytest.mark.parametrize(
    "text", ["", "  \n", "🙂🙂", "안녕하세요 여러분", "Привет, как твои дела?", "東京へ行きました"]
)
def test_a_text_without_known_words_or_in_another_script_is_a_zero_vector(embedder, text):
    assert not embedder.embed_query(text).any()


def test_a_foreign_name_in_an_english_text_does_not_silence_it(embedder):
    plain, named = embedder.embed_documents(
        ["We met at the station in Tokyo", "We met at the station in 東京"]
    )
    assert plain @ named > 0.5


@pytest.mark.parametrize("text", ["x", "7", "?", "é"])
def test_one_character_has_a_vector(embedder, text):
    assert np.linalg.norm(embedder.embed_query(text)) == pytest.approx(1, abs=1e-5)


def test_only_the_beginning_of_a_long_text_is_read(embedder):
    beginning = "Ana moved to Madrid in May. " * 20
    vectors = embedder.embed_documents([beginning, beginning + "tax " * 25_000])
    assert vectors[0] == pytest.approx(vectors[1], abs=1e-5)


@pytest.mark.parametrize("embedder_name", ["contextual", "static"])
@pytest.mark.parametrize(
    ("text", "question"), [("tax " * 25_000 + "Ana", "Ana tax"), ("x", "x"), ("東", "東")]
)
def test_a_memory_of_100000_characters_or_of_one_is_found(embedder_name, text, question):
    with Memory(":memory:", embedder=embedder_name) as memory:
        memory.add([text, "Tea at four"], user_id="ada")
        assert memory.search(question, user_id="ada")[0].memory.content == text


@pytest.mark.parametrize("embedder_name", ["contextual", "static"])
def test_a_memory_of_emoji_alone_is_stored_and_disturbs_no_search(embedder_name):
    with Memory(":memory:", embedder=embedder_name) as memory:
        memory.add(["🙂🙂", "Tea at four"], user_id="ada")
        assert memory.search("when is tea?", user_id="ada")[0].memory.content == "Tea at four"
        assert {hit.memory.content for hit in memory.search("🙂🙂", user_id="ada")} <= {"🙂🙂", "Tea at four"}
        assert len(memory.get_all(user_id="ada")) == 2


def test_a_memory_in_another_script_is_found_by_its_words():
    with Memory(":memory:", embedder="contextual") as memory:
        memory.add(["Моя сестра живёт в Казани", "Tea at four", "I like green tea"], user_id="ada")
        assert "Казани" in memory.search("Где живёт сестра?", user_id="ada")[0].memory.content


def test_a_known_text_keeps_its_vector(embedder):
    # The first values of the shipped data's vector: a change of these is a change of the embedder's name.
    vector = embedder.embed_query("Where does Ana live?")
    assert [*vector[:4], *vector[-4:]] == pytest.approx(KNOWN, abs=1e-3)


def test_one_string_is_refused_as_a_batch(embedder):
    with pytest.raises(InvalidInputError, match="sequence of strings"):
        embedder.embed_documents("one string")


def test_missing_weights_are_an_error_at_opening(data):
    (data / WEIGHTS).unlink()
    with pytest.raises(EmbedderError, match="reinstall"):
        Memory(data / "brain.db", embedder="contextual")
    assert not (data / "brain.db").exists()


@pytest.mark.parametrize("place", [40, 5_000, 9_000_000, -20_000, -10])
def test_one_damaged_byte_of_the_weights_is_an_error_at_opening(data, place):
    damaged = bytearray((data / WEIGHTS).read_bytes())
    damaged[place] ^= 0x55
    (data / WEIGHTS).write_bytes(damaged)
    with pytest.raises(EmbedderError, match="reinstall"):
        ContextualEmbedder()


@pytest.mark.parametrize("kept", [0, 100, 6_000_000])
def test_a_cut_off_weights_file_is_an_error_at_opening(data, kept):
    whole = (data / WEIGHTS).read_bytes()
    (data / WEIGHTS).write_bytes(whole[:kept])
    with pytest.raises(EmbedderError, match="reinstall"):
        ContextualEmbedder()


def test_a_memory_with_damaged_weights_is_one_error_at_opening(data):
    (data / WEIGHTS).write_bytes(b"damaged")
    with pytest.raises(EmbedderError, match="reinstall"):
        Memory(":memory:")


@pytest.mark.parametrize("kept", [0, 100, 1_000_000])
def test_cut_off_word_vectors_are_an_error_at_opening(data, kept):
    (data / STATIC).write_bytes((data / STATIC).read_bytes()[:kept])
    with pytest.raises(EmbedderError, match="reinstall"):
        ContextualEmbedder()


def test_weights_of_another_vocabulary_are_an_error_at_opening(data, monkeypatch):
    monkeypatch.setattr(contextual, "vocabulary", lambda: ["one", "two"])
    with pytest.raises(EmbedderError, match="reinstall"):
        ContextualEmbedder()


@pytest.mark.parametrize("threads", [0, -1, "two", 1.5])
def test_a_number_of_threads_that_is_none_is_refused(threads):
    with pytest.raises(InvalidInputError, match="threads must be a whole number from 1 to 256"):
        ContextualEmbedder(threads=threads)
