"""Control characters: left out of words and names on every way in, and shown nowhere."""

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect import InvalidInputError, Memory
from recollect.memory.agent import MemoryAgent
from recollect.models import ScriptedModel
from recollect.types.characters import without_controls

DIRTY = "I\x07 prefer \x1b[1;31mgreen\x1b[0m te\x9ba\x7f,\r\nnot\x0cblack\u2028\u202e or\u200b rum\ttoo\x1f."
CLEAN = "I prefer green tea,\r\nnot\nblack\u2028\u202e or\u200b rum\ttoo."
"""What cannot be seen and is no control character stays: some scripts need such characters."""
CONTROLS = set(map(chr, [*range(9), *range(11, 13), *range(14, 32), *range(127, 160)]))
UNSEEN = CONTROLS | {"\u202e", "\u200b"}


@pytest.fixture
def memory():
    with Memory(":memory:", embedder="hashing") as made:
        yield made


def words(memory, **scope):
    return [record.content for record in memory.get_all(user_id="ada", **scope)]


@given(st.lists(st.sampled_from([*sorted(CONTROLS), "\r", "\n", "a", "[", "1m", "\x1b[0m"])).map("".join))
def test_only_control_characters_go_and_they_all_do(text):
    clean = without_controls(text)
    assert not set(clean) & CONTROLS
    assert "\r" not in clean.replace("\r\n", "")
    assert without_controls(clean) == clean
    assert set(clean) <= set(text) | {"\n"}


def test_words_and_names_are_stored_without_them(memory):
    message = {"content": DIRTY, "name": "A\x1b[31mda\x07", "tags": ["te\x08a"], "category": "dri\x90nks"}
    memory.add([message, DIRTY], user_id="ada")
    first, _ = memory.get_all(user_id="ada")
    assert words(memory) == [CLEAN, CLEAN]
    assert (first.origin.speaker, first.labels.category) == ("Ada", "drinks")
    assert "tea" in [tag.text for tag in first.labels.tags]
    memory.update(first.id, user_id="ada", content=f"{DIRTY}!")
    assert memory.get(first.id, user_id="ada").content == f"{CLEAN}!"
    memory.add("I drink tea.", user_id="eve", idempotency_key="a\x07")
    assert memory.add("I drink tea.", user_id="eve", idempotency_key="a")[0].status == "stored"


def test_what_is_nothing_else_is_blank(memory):
    with pytest.raises(InvalidInputError, match="blank"):
        memory.add("\x07\x1b[31m \x0c", user_id="ada")
    with pytest.raises(InvalidInputError, match="control characters"):
        memory.add({"content": "tea", "name": "\x07"}, user_id="ada")
    with pytest.raises(InvalidInputError, match="NUL"):
        memory.add("tea\0", user_id="ada")
    assert words(memory) == []


def test_a_statement_and_what_is_learned_of_it_hold_none(memory):
    memory.remember("I pre\x07fer te\x9ba.", user_id="ada")
    memory.add("My name is A\x08da.", user_id="ada", session_id="s")
    memory.sessions.end("s", user_id="ada")
    memory.jobs.drain()
    facts = words(memory, kinds=["fact"])
    assert len(facts) == 2
    assert not set("".join(facts)) & CONTROLS


def test_a_chat_stores_none_and_sends_none(memory):
    model = ScriptedModel(["Fine\x1b[2J \x07tea.", "Yes."])
    agent = MemoryAgent(memory, user_id="ada", model=model, session_id="s")
    agent.chat(DIRTY)
    agent.chat("Tea?")
    assert words(memory, session_id="s")[:2] == [CLEAN, "Fine tea."]
    sent = "".join(message.content for ask in model.asked for message in ask.messages)
    assert not set(sent) & UNSEEN
    assert "\\u202e" in sent


@pytest.mark.parametrize("format_", ["markdown", "text", "html"])
def test_documents_hold_none(memory, tmp_path, format_):
    given_ = DIRTY.replace("\r", "") + ("&#7;&#x1b;&#x9c;" if format_ == "html" else "")
    memory.documents.add_text(given_, user_id="ada", source="s\x07", title="Te\x1b[31ma", format=format_)
    (tmp_path / f"tea.{format_ if format_ == 'html' else 'md'}").write_bytes(given_.encode())
    memory.documents.add(tmp_path, user_id="ada")
    assert len(words(memory)) == 2
    assert not set("".join(words(memory))) & CONTROLS
    assert {"green", "rum"} <= set(words(memory)[0].replace("\u200b", "").split())
    titles = {one.title for one in memory.documents.list(user_id="ada")}
    assert "Tea" in titles


def test_a_file_with_a_name_that_is_no_text_is_a_result(memory, tmp_path):
    (tmp_path / "a\x1b[31m.md").write_text("Tea is green.")
    for result in memory.documents.add(tmp_path, user_id="ada"):
        assert result.status == "added"
    (hit,) = memory.documents.search("green tea", user_id="ada")
    assert not set(str(hit)) & CONTROLS


def test_an_export_that_was_written_by_hand_brings_none(memory):
    out = io.StringIO()
    memory.add({"content": "CONTENT", "name": "SPEAKER", "tags": ["TAG"]}, user_id="ada")
    memory.export(out, user_id="ada")
    with Memory(":memory:", embedder="hashing") as other:
        by_hand = out.getvalue().replace("CONTENT", json.dumps(DIRTY)[1:-1])
        by_hand = by_hand.replace("SPEAKER", "A\\u0007da").replace("TAG", "te\\u001ba")
        assert other.load(io.StringIO(by_hand)).stored == 1
        (record,) = other.get_all(user_id="ada")
        assert (record.content, record.origin.speaker) == (CLEAN, "Ada")
        assert "tea" in [tag.text for tag in record.labels.tags]
        with pytest.raises(InvalidInputError, match="NUL"):
            other.load(io.StringIO(out.getvalue().replace("CONTENT", "te\\u0000a")), user_id="bob")


def test_a_prompt_holds_nothing_unseen(memory):
    memory.add({"content": DIRTY, "name": "A\u202eda"}, user_id="ada")
    memory.documents.add_text(f"# Tea\n\n{DIRTY}", user_id="ada", source="s")
    context = memory.context("green tea", user_id="ada").text
    cited = str(memory.documents.search("green tea", user_id="ada")[0])
    for shown in (context, cited):
        assert "green tea" in shown
        assert not set(shown) & UNSEEN
