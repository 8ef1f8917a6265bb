import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from subprocess import Popen
from typing import Any, TypeAlias

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.ingest.sources.exports import gpt_conversation, gpt_message, write

from recollect import Memory
from recollect.embedders import ContextualEmbedder, HashingEmbedder
from recollect.embedders.remembered import Remembered
from recollect.errors import EmbedderError
from recollect.memory import embedding_ahead
from recollect.memory.embedding_ahead import EmbedderAhead
from recollect.protocols import Embedder

Started: TypeAlias = "list[Popen[bytes] | None]"
TEXTS = [f"Ines moved to house {number % 40} in Turin" for number in range(90)]


class Counting(HashingEmbedder):
    """An embedder that notes what it is asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.asked += texts
        return super().embed_documents(texts)


class Short(HashingEmbedder):
    """An embedder that forgets the last text."""

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return super().embed_documents(texts[:-1])


@pytest.fixture(autouse=True)
def _two_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedding_ahead, "cores", lambda: 2)
    monkeypatch.setattr(embedding_ahead, "LEAST_TEXTS", 20)


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> Iterator[Started]:
    """The processes that were started; all have ended after the test."""
    made: Started = []
    start = embedding_ahead.start_interpreter

    def noted(code: str) -> "Popen[bytes] | None":
        made.append(start(code))
        return made[-1]

    monkeypatch.setattr(embedding_ahead, "start_interpreter", noted)
    yield made
    assert all(process is None or process.poll() is not None for process in made)


@pytest.mark.parametrize("embedder", [ContextualEmbedder(), Remembered(ContextualEmbedder.name)])
def test_processes_give_the_vectors_that_one_gives(started: Started, embedder: Embedder) -> None:
    with closing(EmbedderAhead(embedder, expected=len(TEXTS))) as ahead:
        ahead.begin(TEXTS)
        made = [ahead.embed_documents(TEXTS[start : start + 7]) for start in range(0, len(TEXTS), 7)]
    np.testing.assert_allclose(np.concatenate(made), embedder.embed_documents(TEXTS), atol=1e-5)
    assert len(started) == 2


def test_what_was_begun_is_embedded_once_and_the_rest_when_it_is_asked_for() -> None:
    embedder = Counting()
    with closing(EmbedderAhead(embedder, expected=50)) as ahead:
        ahead.begin(["a", "b", "a"])
        made = ahead.embed_documents(["a", "new", "b", "a", "a"])
    assert sorted(embedder.asked) == ["a", "a", "a", "b", "new"]
    np.testing.assert_array_equal(made, HashingEmbedder().embed_documents(["a", "new", "b", "a", "a"]))


def test_few_texts_and_one_core_need_no_process(started: Started, monkeypatch: pytest.MonkeyPatch) -> None:
    embedder = ContextualEmbedder()
    EmbedderAhead(embedder, expected=19).close()
    monkeypatch.setattr(embedding_ahead, "cores", lambda: 1)
    with closing(EmbedderAhead(embedder, expected=1_000)) as ahead:
        ahead.begin(TEXTS)
        np.testing.assert_array_equal(ahead.embed_documents(TEXTS), embedder.embed_documents(TEXTS))
    assert started == []


@pytest.mark.parametrize("code", ["raise SystemExit(3)", "import os; os.abort()", "print('no vectors')"])
def test_what_a_process_fails_to_embed_is_embedded_here(
    started: Started, monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    monkeypatch.setattr(embedding_ahead, "_CODE", code)
    embedder = ContextualEmbedder()
    with closing(EmbedderAhead(embedder, expected=50)) as ahead:
        ahead.begin(TEXTS)
        np.testing.assert_allclose(ahead.embed_documents(TEXTS), embedder.embed_documents(TEXTS), atol=1e-5)
    assert len(started) == 2


def test_where_no_interpreter_can_be_started_texts_are_embedded_here(
    started: Started, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", "/usr/bin/uwsgi")
    with closing(EmbedderAhead(ContextualEmbedder(), expected=50)) as ahead:
        ahead.begin(TEXTS)
        assert ahead.embed_documents(TEXTS).shape == (90, 352)
    assert started == [None, None]


def test_an_embedder_that_gives_too_few_vectors_fails_as_in_every_add() -> None:
    with closing(EmbedderAhead(Short(), expected=50)) as ahead:
        ahead.begin(["a", "b"])
        with pytest.raises(EmbedderError, match="for 2 texts"):
            ahead.embed_documents(["a", "b"])


def test_processes_end_when_an_import_fails(started: Started, tmp_path: Path) -> None:
    path = write(tmp_path / "c.json", [gpt_conversation(*(gpt_message("user", one) for one in TEXTS))])

    def fails(*_: object) -> None:
        raise MemoryError

    with Memory(":memory:") as memory, pytest.raises(MemoryError):
        memory.import_file(path, user_id="ada", report=fails)
    assert len(started) == 2


def test_an_import_with_processes_stores_what_one_without_does(
    started: Started, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    exported = [
        gpt_conversation(*(gpt_message("user", f"{one} {name}") for one in TEXTS[:50]), name=f"c{name}")
        for name in range(3)
    ]
    path = write(tmp_path / "c.json", exported)

    def stored() -> list[Any]:
        with Memory(":memory:") as memory:
            memory.import_file(path, user_id="ada")
            found = memory.get_all(user_id="ada")
            hits = memory.search("Where does Ines live?", user_id="ada")
        return [
            [(one.content, one.origin.turn, one.labels, one.worth.importance) for one in found],
            [hit.content for hit in hits],
        ]

    with_processes = stored()
    monkeypatch.setattr(embedding_ahead, "cores", lambda: 1)
    assert stored() == with_processes
    assert len(started) == 2
