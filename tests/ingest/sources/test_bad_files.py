"""Every format, cut, shuffled, huge, nested and wrongly encoded: a report or one error, and no traceback."""

import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.ingest.sources.exports import (
    claude_conversation,
    claude_message,
    claude_project,
    discord_channel,
    discord_message,
    gemini_page,
    gpt_conversation,
    gpt_message,
    json_lines,
    langgraph_store,
    mail,
    mem0_memory,
    slack_files,
    slack_message,
    telegram_message,
    write,
)

from recollect import Memory
from recollect.errors import InvalidInputError
from recollect.ingest.sources.files import SourceFiles, file_of, files_at
from recollect.ingest.sources.formats import SOURCES, Detected, detect
from recollect.ingest.sources.source import ReadOptions
from recollect.ingest.sources.survey import Survey
from recollect.memory.importing import FileImporter

EDGE = {
    "uuid": "f",
    "source_node_uuid": "n",
    "fact": "Ada lives in Oslo",
    "episodes": ["e"],
    "valid_at": "2026-01-02",
}
ACTIVITY = {
    "header": "Gemini Apps",
    "title": "Prompted What?",
    "time": "2026-02-01T10:00:00.000Z",
    "safeHtmlItem": [{"html": "<p>This</p>"}],
}


def _store() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        return langgraph_store(Path(folder, "s.db"), ("a", "b", {"text": "tea"})).read_bytes()


def _json(value: object) -> bytes:
    return json.dumps(value).encode()


SAMPLES: dict[str, tuple[str, bytes]] = {
    "chatgpt": (
        "conversations.json",
        _json(
            [gpt_conversation(gpt_message("user", "Hi", create_time=1.7e9), gpt_message("assistant", "Ho"))]
        ),
    ),
    "claude": (
        "conversations.json",
        _json([claude_conversation(claude_message(1, "human", "Hi"), claude_message(2, "assistant", "Ho"))]),
    ),
    "claude projects": (
        "projects.json",
        _json(
            [
                claude_project(1, "Roses", description="A garden", docs=[{}], prompt_template="Be kind"),
                claude_project(2, "Help", is_starter_project=True),
            ]
        ),
    ),
    "claude memories": (
        "memories.json",
        _json(
            [
                {
                    "conversations_memory": "**Work**\n\nAda plans\n- gardens",
                    "project_memories": {"p1": "Wet soil"},
                }
            ]
        ),
    ),
    "slack": (
        "general/2023-11-14.json",
        _json(
            slack_files(slack_message(1, "U1", "Hi <@U2>", user_profile={"real_name": "Ada"}))[
                "general/2023-11-14.json"
            ]
        ),
    ),
    "telegram": (
        "result.json",
        _json({"name": "Bob", "id": 7, "messages": [telegram_message(1, "Ada", ["a", {"text": "b"}])]}),
    ),
    "discord": (
        "roses.json",
        _json(discord_channel(discord_message(1, "Ada", "Hi"), discord_message(2, "Bob", "Ho"))),
    ),
    "gemini": ("My Activity.json", _json([ACTIVITY])),
    "gemini page": (
        "MyActivity.html",
        gemini_page(
            (
                "Prompted&nbsp;What?",
                "Attached 1 file.",
                '- <a href="a">a</a>',
                "2/13/2026, 10:00:00 AM CET",
                "<p>This</p>",
            ),
            ("Prompted&nbsp;And?", "1 Feb 2026, 10:00:00 GMT+2", "<ul><li>That</ul>"),
        )
        .replace(".mdl-grid{margin:0}", "")
        .encode(),
    ),
    "letta": (
        "x.af",
        _json(
            {
                "agents": [{"id": "a", "messages": [{"id": "1", "role": "user", "content": "Hi"}]}],
                "blocks": [{"label": "human", "value": "Ada"}],
            }
        ),
    ),
    "langgraph": ("store.db", _store()),
    "mbox": ("all.mbox", (mail(0, "Ada <a@x.org>", "Hi") + mail(1, "Bob", "Ho")).encode()),
    "whatsapp": ("_chat.txt", b"13/2/26, 10:00 - Ada: Hi\n13/2/26, 10:01 - Bob: Ho\nand more\n"),
    "server-memory": (
        "memory.jsonl",
        json_lines(
            {"type": "entity", "name": "Ada", "entityType": "person", "observations": ["likes tea"]},
            {"type": "relation", "from": "Ada", "to": "Bob", "relationType": "knows"},
        ).encode(),
    ),
    "zep": (
        "dump.json",
        _json({"edges": [EDGE], "episodes": [{"uuid": "e", "content": "Oslo", "valid_at": "2026-01-02"}]}),
    ),
    "mem0": ("dump.json", _json({"results": [mem0_memory(1, "Likes tea", metadata={"a": {"b": [1]}})]})),
    "markdown": ("note.md", b"---\ntags: [a]\ndate: 2026-01-02\n---\n# One\n[[Two]] #three\n"),
    "table": ("log.csv", b'text,date,who,room,n\n"Hi, you",2026-01-02,Ada,kitchen,1\nHo,,Bob,,2\n'),
}
COLUMNS = {"content": "text", "timestamp": "date", "name": "who", "session": "room", "id": "n"}
OPTIONS = ReadOptions(me="Ada", columns=COLUMNS)
ODD = st.sampled_from(
    [
        b"", b"\0", b"\xff", b"\\", b'"', b"[", b"]", b"{", b"}", b"null", b"1e999", b"-1", b"\\ud83d",
        b"\n", b"[[[[", b'{"a":', b"99999999999999999999", b"\xef\xbb\xbf", b"From ", b"---\n", b",",
        b"\xed\xa0\xbd",
    ]
)  # fmt: skip


def test_there_is_a_sample_of_every_format() -> None:
    assert list(dict.fromkeys(map(format_of, SAMPLES))) == [source.name for source in SOURCES]
    for name in SAMPLES:
        found, stored = importing(name, SAMPLES[name][1])
        assert found is not None
        assert stored == found.stored == found.messages + found.facts > 0, name
        assert found.broken_count == 0


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("name", [name for name, (_, content) in SAMPLES.items() if content[:1] in b"[{"])
def test_a_format_is_told_by_what_stands_behind_long_texts(name: str, mark: bytes, tmp_path: Path) -> None:
    file, content = SAMPLES[name]
    long = json.dumps('a "quoted" \u00fc\n' * 20_000).encode()
    place = content.index(b",") + 1
    write(tmp_path / file, mark + content[:place] + b' "summary": ' + long + b"," + content[place:])
    files = files_at(tmp_path)
    assert [part.source.name for part in detect(files)] == [format_of(name)]


def format_of(sample: str) -> str:
    return sample.partition(" ")[0]


def importing(name: str, content: bytes) -> tuple[Any, int]:
    """What an import of some bytes reports, None for an error, and how many memories are stored then."""
    (source,) = (one for one in SOURCES if one.name == format_of(name))
    files: SourceFiles = file_of(SAMPLES[name][0], content)
    with Memory(":memory:", embedder="hashing") as memory:
        survey = Survey(files, [Detected(source, tuple(files.names))], options=OPTIONS, user_id="ada")
        source.names(files)
        try:
            importer = FileImporter(memory, survey, scope=memory.parts.scope("ada"))
            done = importer.run(survey.checked(), report=lambda *_: None)
        except InvalidInputError:
            done = None
        return done, len(memory.get_all(user_id="ada"))


@st.composite
def damaged(draw: st.DrawFn, content: bytes) -> bytes:
    """The bytes of a file after a few accidents."""
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(content)))
        end = draw(st.integers(start, min(len(content), start + 40)))
        match draw(st.sampled_from(["cut", "drop", "put", "repeat", "swap"])):
            case "cut":
                content = content[:start]
            case "drop":
                content = content[:start] + content[end:]
            case "put":
                content = content[:start] + draw(ODD) + content[end:]
            case "repeat":
                content = content[:end] + content[start:end] * draw(st.integers(1, 50)) + content[end:]
            case "swap":
                content = content[end:] + content[:start] + content[start:end]
    return content


@pytest.mark.parametrize("name", SAMPLES)
@given(data=st.data())
def test_a_damaged_file_is_reported_and_nothing_is_half_stored(name: str, data: st.DataObject) -> None:
    done, stored = importing(name, data.draw(damaged(SAMPLES[name][1])))
    if done is None:
        assert stored == 0
    else:
        assert stored == done.stored + done.redacted
        assert done.messages + done.facts == sum(done.counts.values())


JSON_FORMATS = [name for name, (_, content) in SAMPLES.items() if content[:1] in b"[{"]
WRONG = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=4,
)


@pytest.mark.parametrize("name", JSON_FORMATS)
@given(data=st.data())
def test_values_of_wrong_types_are_reported(name: str, data: st.DataObject) -> None:
    lines = SAMPLES[name][1].splitlines() if name == "server-memory" else [SAMPLES[name][1]]
    changed = [_with_wrong_values(json.loads(line), data) for line in lines]
    done, stored = importing(name, b"\n".join(json.dumps(one).encode() for one in changed))
    assert done is None or stored == done.stored + done.redacted


def _with_wrong_values(value: Any, data: st.DataObject) -> Any:
    if data.draw(st.integers(0, 12)) == 0:
        return data.draw(WRONG)
    if isinstance(value, list):
        return [_with_wrong_values(one, data) for one in value]
    if isinstance(value, dict):
        return {key: _with_wrong_values(one, data) for key, one in value.items()}
    return value


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\0" * 1000,
        b"[" * 200_000,
        b'{"a":' * 50_000,
        b'[{"mapping": ' + b"[" * 100_000 + b"]" * 100_000 + b"}]",
        b"\xff\xfe" + "[1]".encode("utf-16-le"),
        b'"' + b"\\" * 99_999,
        b"From " * 50_000,
        b"#" * 100_000,
        b"<" * 100_000,
        b"\n" * 100_000,
        b"SQLite format 3\0CREATE TABLE store(prefix",
        b"13/2/26, 10:00 - Ada: " + b"a" * 3_000_000,
        _json([{**ACTIVITY, "safeHtmlItem": [{"html": "<p" * 100_000}]}]),
        gemini_page(("Prompted&nbsp;What?", *["<br>"] * 5_000, "soon", "<p" * 50_000)).encode(),
    ],
    ids=range(15),
)
def test_hostile_files_are_reported(name: str, content: bytes) -> None:
    done, stored = importing(name, content)
    assert done is None or stored == done.stored
