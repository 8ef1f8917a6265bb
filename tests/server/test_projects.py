"""Projects over HTTP."""

import pytest
from fastapi.testclient import TestClient
from tests.server.conftest import bearer

from recollect import Memory

APP = {"host": "claude-code", "project": "github.com/acme/app"}


@pytest.fixture(autouse=True)
def said(memory: Memory) -> None:
    memory.add("Our queue is in PostgreSQL.", user_id="ada", metadata=APP, timestamp="2026-11-20T09:00:00Z")
    memory.add("Theirs is in Redis.", user_id="bo", metadata=APP)
    memory.add("I like tea.", user_id="ada")


def test_projects_are_listed_and_renamed(client: TestClient) -> None:
    (one,) = client.get("/projects?user_id=ada").json()["projects"]
    assert one == {
        "name": "github.com/acme/app",
        "messages": 1,
        "hosts": ["claude-code"],
        "last_at": "2026-11-20T09:00:00+00:00",
    }
    sent = {"user_id": "ada", "old": "github.com/acme/app", "new": "the app"}
    assert client.post("/projects/rename", json=sent).json() == {"renamed": 1}
    names = {
        user: client.get(f"/projects?user_id={user}").json()["projects"][0]["name"] for user in ("ada", "bo")
    }
    assert names == {"ada": "the app", "bo": "github.com/acme/app"}


@pytest.mark.parametrize(
    ("old", "new", "status"),
    [("nothing", "b", 404), ("github.com/acme/app", " ", 422), ("github.com/acme/app", "", 422)],
)
def test_a_wrong_name_is_a_problem_and_changes_nothing(
    client: TestClient, old: str, new: str, status: int
) -> None:
    answer = client.post("/projects/rename", json={"user_id": "ada", "old": old, "new": new})
    assert answer.status_code == status
    assert client.get("/projects?user_id=ada").json()["projects"][0]["name"] == "github.com/acme/app"


def test_a_key_sees_and_renames_only_its_users_projects(guarded: TestClient, ring, memory: Memory) -> None:
    reader, writer = bearer(ring, "bo", "reader"), bearer(ring, "bo", "writer")
    assert guarded.get("/projects", headers=reader).json()["projects"][0]["messages"] == 1
    assert guarded.get("/projects?user_id=ada", headers=reader).status_code == 403
    sent = {"old": "github.com/acme/app", "new": "mine"}
    assert guarded.post("/projects/rename", json=sent, headers=reader).status_code == 403
    assert guarded.post("/projects/rename", json=sent, headers=writer).json() == {"renamed": 1}
    assert memory.get_all(user_id="ada")[0].metadata["project"] == "github.com/acme/app"
