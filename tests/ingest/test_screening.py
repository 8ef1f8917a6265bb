"""Secrets and personal data, on their way into a memory."""

import asyncio
import json

import pytest
from fastapi.testclient import TestClient
from mcp import Client
from tests.tables import table
from typer.testing import CliRunner

from recollect import InvalidInputError, Memory
from recollect.cli import app
from recollect.memory.agent import MemoryAgent
from recollect.models import ScriptedModel
from recollect.server import ServerSettings, create_app
from recollect.server.mcp import Held, make_mcp
from recollect.text.pii import PiiPolicy, PiiSpan
from recollect.types import Scope

MAIL = "write to ada@example.org"
CARD = "my card is 4242 4242 4242 4242"


def opened(**policies):
    return Memory(":memory:", embedder="hashing", **policies)


def stored(memory):
    return [record.content for record in memory.get_all(user_id="ada")]


def test_personal_data_is_left_alone_unless_a_policy_is_given():
    with opened() as memory:
        (result,) = memory.add(MAIL, user_id="ada")
        assert (result.status, stored(memory)) == ("stored", [MAIL])


def test_a_policy_masks_on_write_and_says_so():
    with opened(pii=PiiPolicy()) as memory:
        (result,) = memory.add(MAIL, user_id="ada")
        assert (result.status, result.reason) == ("redacted", "personal data was masked (email)")
        assert stored(memory) == ["write to [e-mail address removed]"]


def test_a_policy_refuses_an_item_and_says_why():
    with opened(pii=PiiPolicy(default="keep", card="refuse")) as memory:
        results = memory.add([CARD, MAIL], user_id="ada")
        assert [result.status for result in results] == ["refused", "stored"]
        assert "card" in results[0].reason
        (alone,) = memory.add(CARD, user_id="ada")
        assert (alone.id, alone.status) == (None, "refused")
        assert stored(memory) == [MAIL]


def test_new_words_of_a_memory_are_screened_too():
    with opened(pii=PiiPolicy(email="mask", phone="refuse", default="keep")) as memory:
        (result,) = memory.add("nothing yet", user_id="ada")
        assert "ada@" not in memory.update(result.id, user_id="ada", content=MAIL).content
        with pytest.raises(InvalidInputError, match="phone"):
            memory.update(result.id, user_id="ada", content="call 415-555-0132")


def test_secrets_and_personal_data_in_one_text_are_both_told():
    with opened(pii=PiiPolicy()) as memory:
        (result,) = memory.add(f"{MAIL}, password: hunter2!x", user_id="ada")
    assert "secret" in result.reason
    assert "email" in result.reason


SECRET = "the password is hunter2!x"


@table("secrets", ["redact", "refuse", "keep"])
@table("kind, text", [("card", CARD), ("secret", SECRET)])
def test_a_policy_decides_about_cards_and_secrets_as_about_the_rest(kind, text, secrets):
    def added(**policy):
        with opened(pii=PiiPolicy(**policy), secrets=secrets) as memory:
            (result,) = memory.add(text, user_id="ada")
            return result.status, stored(memory)

    masked = text.replace("4242 4242 4242 4242", "[payment card removed]")
    masked = masked.replace("hunter2!x", "[password removed]")
    assert added(**{kind: "keep"}) == ("stored", [text])
    assert added(default="keep") == ("stored", [text])
    assert added(**{kind: "mask"}) == added(default="mask") == ("redacted", [masked])
    assert added(**{kind: "refuse"}) == added(default="refuse") == ("refused", [])


def test_without_a_policy_secrets_are_masked_as_ever():
    with opened() as memory:
        results = memory.add([CARD, SECRET, MAIL], user_id="ada")
    assert [result.status for result in results] == ["redacted", "redacted", "stored"]


def test_what_was_masked_is_found_by_no_search():
    with opened(pii=PiiPolicy()) as memory:
        memory.add(MAIL, user_id="ada")
        assert all(
            "ada@" not in hit.memory.content for hit in memory.search("ada@example.org", user_id="ada")
        )


def test_a_recogniser_of_ones_own_takes_part():
    class Names:
        replaces = frozenset()

        def find(self, text, *, region):
            at = text.find("Ada")
            if at >= 0:
                yield PiiSpan(kind="person", place=(at, at + 3), text="Ada", confidence=0.9, rule="names")

    with opened(pii=PiiPolicy(recognisers=[Names()])) as memory:
        memory.add("Ada was here", user_id="ada")
        assert stored(memory) == ["[name removed] was here"]


PHRASINGS = [
    ("Wifi password will be {}", "heronlake"),
    ("Mitt lösenord är {}, säg inget", "smultronbåt"),
    ("I moved, and the safe in the office opens with {}", "14-32-07"),
]


def by_add(path, words):
    with Memory(path, embedder="hashing") as memory:
        memory.add([words, "I live in Lund."], user_id="ada", session_id="s", idempotency_key="k")
        memory.sessions.end("s", user_id="ada")
        memory.jobs.drain()
        assert [hit.memory.kind for hit in memory.search(words, user_id="ada", top_k=20)]


def by_update(path, words):
    with Memory(path, embedder="hashing") as memory:
        (result,) = memory.add("nothing yet", user_id="ada")
        memory.update(result.id, user_id="ada", content=words)


def by_remember(path, words):
    with Memory(path, embedder="hashing") as memory:
        memory.remember(words, user_id="ada")


def by_document(path, words):
    with Memory(path, embedder="hashing") as memory:
        memory.documents.add_text(f"# {words}\n\n{words}\n", user_id="ada", source="s")


def by_title(path, words):
    with Memory(path, embedder="hashing") as memory:
        memory.sessions.start(user_id="ada", session_id="s", title=words)


def by_agent(path, words):
    with Memory(path, embedder="hashing") as memory:
        MemoryAgent(memory, user_id="ada", session_id="s", model=ScriptedModel(["Noted."])).chat(words)


def by_http(path, words):
    with Memory(path, embedder="hashing") as memory:
        client = TestClient(
            create_app(memory, settings=ServerSettings(learn=True)), base_url="http://127.0.0.1"
        )
        assert client.post("/memories", json={"messages": words}).status_code < 300
        assert client.post("/api/chat", json={"message": words}).status_code < 300


def by_mcp(path, words):
    held = Held(lambda: Memory(path, embedder="hashing"), learn=True)

    async def call():
        async with Client(make_mcp(held, Scope(user_id="ada"))) as client:
            answer = await client.call_tool("add", {"content": words})
            assert not answer.is_error, answer.content

    asyncio.run(call())
    held.close()


def by_command(path, words):
    done = CliRunner().invoke(
        app, ["add", words, "--db", str(path), "--embedder", "hashing", "--user-id", "ada"]
    )
    assert done.exit_code == 0, done.output


def by_import(path, words):
    lines = path.parent / "words.jsonl"
    lines.write_text(json.dumps({"role": "user", "content": words}) + "\n")
    given = ["import", str(lines), "--db", str(path), "--embedder", "hashing", "--user-id", "ada"]
    done = CliRunner().invoke(app, given)
    assert done.exit_code == 0, done.output


WAYS = [
    by_add, by_update, by_remember, by_document, by_title, by_agent, by_http, by_mcp, by_command, by_import,
]  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("phrase", "secret"), PHRASINGS)
def test_a_secret_is_in_no_byte_of_the_file_whatever_way_it_came(tmp_path, way, phrase, secret):
    way(tmp_path / "m.db", phrase.format(secret))
    written = b"".join(path.read_bytes() for path in tmp_path.glob("m.db*"))
    assert b"removed]" in written
    assert secret.encode() not in written


def test_what_a_store_held_before_stays_as_it_was(tmp_path):
    words = "Wifi password will be heronlake"
    with Memory(tmp_path / "m.db", embedder="hashing", secrets="keep") as memory:
        memory.add(words, user_id="ada")
    with Memory(tmp_path / "m.db", embedder="hashing") as memory:
        assert stored(memory) == [words]
        (hit,) = memory.search("wifi password", user_id="ada")
        assert hit.memory.content == words


def test_a_title_with_a_secret_is_refused_where_secrets_are():
    with opened(secrets="refuse") as memory, pytest.raises(InvalidInputError, match="title"):
        memory.sessions.start(user_id="ada", title="Wifi password will be heronlake")


@pytest.mark.parametrize("wrong", ["mask", {"email": "mask"}, PiiPolicy])
def test_what_is_no_policy_is_refused(wrong):
    with pytest.raises(InvalidInputError, match="pii"):
        opened(pii=wrong)


def test_what_is_given_beside_the_words_is_kept_as_it_is():
    note = {"note": "my password is hunter2!", "api_key": "sk-abcdef"}
    with opened() as memory:
        (result,) = memory.add(
            {"content": "my password is hunter2!", "name": "Ada", "metadata": note}, user_id="ada"
        )
        record = memory.get(result.id, user_id="ada")
        assert "hunter2" not in record.content
        assert {name: record.metadata[name] for name in note} == note
