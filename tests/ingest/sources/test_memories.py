"""Memories of mem0, the MCP server, Letta, Zep and LangGraph become facts."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from tests.ingest.sources.exports import json_lines, langgraph_store, mem0_memory, write

from recollect import Memory
from recollect.errors import InvalidInputError


def facts(said: Any) -> list[str]:
    return [one.content for one in said() if one.kind == "fact"]


# mem0

ONE = mem0_memory(1, "Likes tea")
POINT = {
    "id": "u1",
    "payload": {"data": "Likes tea", "hash": "0", "user_id": "ada", "created_at": 1_700_000_000},
}


@pytest.mark.parametrize(
    "dump",
    [
        {"results": [ONE]},
        {"memories": [ONE]},
        {"kind": "mem0_oss_qdrant_export", "records": [POINT], "exported_at": "2026-01-01"},
        [POINT],
        [ONE],
    ],
)
def test_mem0s_memories_are_facts_in_every_shape(tmp_path: Path, imported, said, dump: object) -> None:
    done = imported(write(tmp_path / "dump.json", dump))
    assert (done.format, done.facts) == ("mem0", 1)
    (fact,) = said()
    assert (fact.kind, fact.content, fact.idempotency_key) == ("fact", "Likes tea", "mem0:u1")


def test_times_and_metadata_of_mem0_are_kept(tmp_path: Path, imported, said) -> None:
    more = {"metadata": {"project": "garden"}, "agent_id": "bot", "expiration_date": "2027-01-01"}
    imported(write(tmp_path / "dump.json", {"results": [mem0_memory(1, "Likes tea", **more)]}))
    (fact,) = said()
    assert fact.times.happened_at == datetime(2026, 1, 2, 11, 4, 5, 678901, tzinfo=UTC)
    assert fact.times.valid_until == datetime(2027, 1, 1, tzinfo=UTC)
    assert (fact.metadata["project"], fact.scope.agent_id) == ("garden", "bot")


def test_each_agent_of_mem0_keeps_its_memories(tmp_path: Path, memory: Memory, said) -> None:
    agents = ["cook", None, "tutor", "cook", "a" * 2000]
    dump = [mem0_memory(number, f"Fact {number}", agent_id=one) for number, one in enumerate(agents)]
    path = write(tmp_path / "dump.json", {"results": dump})
    done = memory.import_file(path, user_id="ada")
    assert {one.content[-1]: one.scope.agent_id for one in said()} == {
        "0": "cook",
        "1": None,
        "2": "tutor",
        "3": "cook",
    }
    assert ["agent_id" in one.reason for one in done.broken] == [True]
    assert memory.import_file(path, user_id="ada").duplicate == 4
    memory.import_file(path, user_id="bob", agent_id="all", owner="ada")
    assert {one.scope.agent_id for one in memory.get_all(user_id="bob")} == {"all"}


def test_twenty_memories_are_suspected_to_be_cut_off(tmp_path: Path, imported) -> None:
    dump = {"results": [mem0_memory(number, f"Fact {number}") for number in range(20)]}
    (note,) = imported(write(tmp_path / "dump.json", dump), dry_run=True).notes
    assert "exactly 20" in note


def test_it_is_said_whose_a_dump_is_that_becomes_ones_own(tmp_path: Path, memory: Memory) -> None:
    path = write(tmp_path / "dump.json", {"results": [ONE]})
    assert memory.import_file(path, user_id="ada", dry_run=True).notes == []
    for dry_run in (True, False):
        (note,) = memory.import_file(path, user_id="me", dry_run=dry_run).notes
        assert note == f"{path} holds memories of 'ada'; they become those of 'me'"
    assert memory.import_file(path, user_id="me", owner="ada").notes == []


def test_of_a_dump_of_several_users_only_ones_own_are_taken(
    tmp_path: Path, memory: Memory, imported, said
) -> None:
    dump = {"results": [ONE, mem0_memory(2, "Likes coffee", user_id="bob")]}
    path = write(tmp_path / "dump.json", dump)
    done = imported(path)
    assert facts(said) == ["Likes tea"]
    assert done.left_out == {"memories of other users": 1}
    with pytest.raises(InvalidInputError, match=r"none of 'me': ada, bob; name one as owner"):
        memory.import_file(path, user_id="me")
    assert "--owner" in memory.import_file(path, user_id="me", dry_run=True).notes[0]
    assert memory.users() == ["ada"]
    with pytest.raises(InvalidInputError, match="none of 'eve'"):
        memory.import_file(path, user_id="me", owner="eve")
    assert memory.import_file(path, user_id="me", owner="bob").stored == 1
    assert [one.content for one in memory.get_all(user_id="me")] == ["Likes coffee"]
    assert memory.import_file(path, user_id="me", owner="*").counts["stored"] == 1
    assert len(memory.get_all(user_id="me")) == 2


# The server of MCP


def test_observations_and_relations_of_the_memory_server_are_facts(tmp_path: Path, imported, said) -> None:
    ada = {
        "type": "entity",
        "name": "Ada",
        "entityType": "person",
        "observations": ["likes tea", "plays chess"],
    }
    works = {"type": "relation", "from": "Ada", "to": "Acme", "relationType": "works_at"}
    other = {"type": "note", "text": "?"}
    path = write(tmp_path / "memory.jsonl", json_lines(ada, works, other))
    done = imported(path)
    assert facts(said) == ["Ada: likes tea", "Ada: plays chess", "Ada works at Acme"]
    assert done.left_out == {"lines of unknown types": 1}
    assert said()[2].labels.concepts == ("Ada", "Acme")
    ada["observations"].append("sings")
    write(path, json_lines(ada, works))
    assert imported(path).counts | {"stored": 1, "duplicate": 3} == imported(path).counts | {
        "stored": 1, "duplicate": 3,
    }  # fmt: skip
    assert len(facts(said)) == 4


# Letta


@pytest.mark.parametrize("twice", [False, True])
def test_an_agent_file_of_letta_is_read_without_its_secrets(
    tmp_path: Path, imported, said, twice: bool
) -> None:
    call = {"function": {"name": "send_message", "arguments": json.dumps({"message": "Hello Ada"})}}
    envelope = {"type": "user_message", "message": "Hi there", "time": "now"}
    agent = {
        "id": "agent-0",
        "name": "helper",
        "tool_exec_environment_variables": {"KEY": "hunter2"},
        "messages": [
            {"id": "1", "role": "system", "content": "You are"},
            {
                "id": "2",
                "role": "user",
                "content": json.dumps(envelope),
                "created_at": "2026-01-01T10:00:00Z",
            },
            {
                "id": "3",
                "role": "user",
                "content": [{"type": "text", "text": json.dumps({"type": "heartbeat"})}],
            },
            {"id": "4", "role": "assistant", "content": "thinking", "tool_calls": [call]},
            {"id": "5", "role": "tool", "content": "{}"},
        ],
    }
    blocks = [
        {"id": "b1", "label": "human", "value": "Her name is Ada."},
        {"id": "b2", "label": "persona", "value": "I am Sam, a kind assistant."},
        {"id": "b3", "label": "project", "value": ""},
    ]
    dump: object = {"agents": [agent], "blocks": blocks, "created_at": "2026-01-01T09:00:00Z"}
    done = imported(
        write(tmp_path / "helper.af", json.dumps(dump) if twice else dump)
        if not twice
        else write(tmp_path / "helper.af", json.dumps(json.dumps(dump)))
    )
    assert [(one.origin.role, one.content) for one in said() if one.kind == "message"] == [
        ("user", "Hi there"), ("assistant", "Hello Ada"),
    ]  # fmt: skip
    assert facts(said) == ["Her name is Ada."]
    assert done.left_out == {
        "system messages": 1, "messages without words": 1, "tool messages": 1, "empty blocks": 1,
        "personas of agents": 1,
    }  # fmt: skip
    assert "hunter2" not in str(said())


def test_files_of_an_agent_become_documents(tmp_path: Path, memory: Memory, imported) -> None:
    files = [
        {"id": "file-0", "original_file_name": "soil.md", "content": "# Soil\n\nRoses like clay."},
        {"id": "file-1", "file_name": "empty.txt", "content": None},
    ]
    path = write(tmp_path / "a.af", {"agents": [], "blocks": [], "files": files})
    done = imported(path)
    assert (done.documents, done.stored, done.left_out) == (1, 1, {"files without words": 1})
    (document,) = memory.documents.list(user_id="ada")
    assert document.title == "soil.md"
    assert imported(path).duplicate == 1


def test_blocks_of_letta_without_ids_may_have_one_label(tmp_path: Path, imported, said) -> None:
    blocks = [{"label": "human", "value": "Her name is Ada."}, {"label": "human", "value": "She likes tea."}]
    path = write(tmp_path / "a.af", {"agents": [], "blocks": blocks})
    for counts in ("stored", "duplicate"):
        assert imported(path).counts[counts] == 2
    assert facts(said) == ["Her name is Ada.", "She likes tea."]


def test_an_older_agent_file_of_letta_turns_no_block_back(tmp_path: Path, imported, said) -> None:
    def exported(day: int, words: str) -> Path:
        blocks = [{"id": "b1", "label": "human", "value": words}]
        made = {"agents": [], "blocks": blocks, "created_at": f"2026-01-0{day}T09:00:00Z"}
        return write(tmp_path / "a.af", made)

    imported(exported(2, "Her name is Ada Lovelace."))
    assert imported(exported(1, "Her name is Ada.")).older == 1
    assert imported(exported(3, "Her name is Ada King.")).updated == 1
    assert facts(said) == ["Her name is Ada King."]


# Zep and Graphiti

EPISODE = {
    "uuid": "e1",
    "name": "n",
    "group_id": "ada",
    "source": "message",
    "source_description": "chat",
    "content": "I moved to Oslo",
    "valid_at": "2026-01-02T10:00:00Z",
    "created_at": "2026-01-03T10:00:00Z",
}
EDGE = {
    "uuid": "f1",
    "group_id": "ada",
    "source_node_uuid": "n1",
    "target_node_uuid": "n2",
    "name": "LIVES_IN",
    "fact": "Ada lives in Oslo",
    "episodes": ["e1"],
    "created_at": "2026-01-03T10:00:00Z",
    "valid_at": "2026-01-02T10:00:00Z",
    "invalid_at": None,
}
ENTITY = {"uuid": "n1", "name": "Ada", "group_id": "ada", "summary": "A person"}


@pytest.mark.parametrize(
    ("name", "dump"),
    [
        ("dump.json", {"edges": [EDGE], "episodes": [EPISODE], "nodes": [ENTITY]}),
        ("dump.json", [EPISODE, EDGE, ENTITY]),
        ("dump.json", [{"properties": one} for one in (EDGE, EPISODE, ENTITY)]),
        ("dump.jsonl", json_lines(EDGE, EPISODE, ENTITY)),
    ],
)
def test_episodes_are_messages_and_edges_facts_that_come_from_them(
    tmp_path: Path, memory: Memory, said, name: str, dump: object
) -> None:
    done = memory.import_file(write(tmp_path / name, dump), user_id="ada")
    (message,) = [one for one in said() if one.kind == "message"]
    (fact,) = [one for one in said() if one.kind == "fact"]
    assert (message.content, fact.content) == ("I moved to Oslo", "Ada lives in Oslo")
    assert [one.target_id for one in memory.graph.links(fact.id, user_id="ada")] == [message.id]
    assert done.left_out == {"records of other kinds": 1}


def turns(said: Any) -> list[tuple[str, str | None, str]]:
    return [(str(one.origin.role), one.origin.speaker, one.content) for one in said()]


def test_the_turns_of_an_episode_have_their_speakers_and_roles(tmp_path: Path, imported, said) -> None:
    words = [
        "Ada (user): I live in Faro\nsince May",
        "Robo(assistant): I am vegetarian. I work at Acme.",
        "assistant: See https://acme.example\nuser: note: thanks\nCy (system): Be kind",
        "a list: milk",
    ]
    episodes = [{**EPISODE, "uuid": f"e{place}", "content": one} for place, one in enumerate(words)]
    done = imported(write(tmp_path / "dump.json", {"episodes": episodes}))
    assert turns(said) == [
        ("user", "Ada", "I live in Faro\nsince May"),
        ("assistant", "Robo", "I am vegetarian. I work at Acme."),
        ("assistant", None, "See https://acme.example"),
        ("user", None, "note: thanks"),
        ("user", None, "a list: milk"),
    ]
    assert done.left_out == {"messages of systems and tools": 1}
    assert imported(tmp_path / "dump.json").duplicate == 5


def test_who_the_user_of_episodes_with_names_alone_is_must_be_known(tmp_path: Path, imported, said) -> None:
    told = {**EPISODE, "content": "Ada: I live in Faro\nInes: I work at Acme"}
    path = write(tmp_path / "dump.json", {"episodes": [told]})
    with pytest.raises(InvalidInputError, match=r"--me NAME\): Ada, Ines"):
        imported(path)
    imported(path, me="ada")
    assert turns(said) == [("user", "Ada", "I live in Faro"), ("other", "Ines", "I work at Acme")]


def test_an_episode_that_is_a_text_is_not_cut_into_turns(tmp_path: Path, imported, said) -> None:
    path = write(tmp_path / "dump.json", [{**EPISODE, "source": "text", "content": "Ada: I live in Faro"}])
    imported(path)
    assert turns(said) == [("user", None, "Ada: I live in Faro")]


def test_a_fact_that_ended_in_the_source_since_ends_here(
    tmp_path: Path, memory: Memory, imported, said
) -> None:
    path = write(tmp_path / "dump.json", {"edges": [EDGE]})
    imported(path)
    assert [one.memory.content for one in memory.profile(user_id="ada").facts["general"]] == [
        "Ada lives in Oslo"
    ]
    write(path, {"edges": [{**EDGE, "invalid_at": "2026-02-01T00:00:00Z"}]})
    done = imported(path)
    assert (done.updated, done.stored) == (1, 0)
    (fact,) = said()
    assert fact.times.valid_until == datetime(2026, 2, 1, tzinfo=UTC)
    assert memory.profile(user_id="ada").facts == {}


# LangGraph


def test_values_of_a_langgraph_store_are_facts(tmp_path: Path, imported, said) -> None:
    path = langgraph_store(
        tmp_path / "store.db",
        ("memories.ada", "a", {"kind": "Memory", "content": {"content": "Likes tea"}}),
        ("memories.ada", "b", {"text": "Plays chess"}),
        ("profile.ada", "c", {"city": "Oslo", "age": 40, "nested": {}}),
        ("profile.ada", "d", "no json"),
        ("profile.ada", "e", {}),
    )
    done = imported(path)
    assert (done.format, facts(said)) == ("langgraph", ["Likes tea", "Plays chess", "city: Oslo; age: 40"])
    assert [(one.where, one.reason) for one in done.broken] == [
        ("store.db, row 4", "its value is not JSON"), ("store.db, row 5", "its value has no words"),
    ]  # fmt: skip
    assert said()[0].times.happened_at == datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    assert said()[0].metadata["namespace"] == "memories.ada"


@pytest.mark.parametrize("namespaces", [("ada", "bob"), ("memories.ada", "memories.bob"), ("ada.x", "adam")])
def test_of_a_langgraph_store_only_the_users_own_namespaces_are_taken(
    tmp_path: Path, memory: Memory, imported, said, namespaces: tuple[str, str]
) -> None:
    rows = [(one, "k", {"text": f"Words in {one}"}) for one in namespaces]
    path = langgraph_store(tmp_path / "store.db", *rows)
    done = imported(path)
    assert facts(said) == [f"Words in {namespaces[0]}"]
    assert done.left_out == {"memories of other users": 1}
    with pytest.raises(InvalidInputError, match=r"none of 'me'.*--owner"):
        memory.import_file(path, user_id="me")
    memory.import_file(path, user_id="me", owner=namespaces[1])
    assert [one.content for one in memory.get_all(user_id="me")] == [f"Words in {namespaces[1]}"]


def test_a_store_with_one_namespace_needs_no_owner(tmp_path: Path, imported) -> None:
    path = langgraph_store(tmp_path / "store.db", ("memories", "a", {"text": "Likes tea"}))
    assert imported(path).stored == 1


def test_what_is_no_memory_among_mem0s_is_named_by_its_place(tmp_path: Path, imported, said) -> None:
    done = imported(write(tmp_path / "dump.json", {"results": [mem0_memory(1, "Likes tea"), "junk", None]}))
    assert [one.content for one in said()] == ["Likes tea"]
    assert [(one.where, one.reason) for one in done.broken] == [
        ("dump.json, results 2", "it is no object"),
        ("dump.json, results 3", "it is no object"),
    ]
