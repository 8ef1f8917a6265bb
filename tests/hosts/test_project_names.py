"""Projects seen, and renamed."""

import json

import pytest
from tests.hosts.conftest import Append, Desk


def listed(desk: Desk) -> dict[str, int]:
    done = desk.run("projects", "list", "--user-id", "ada", "--db", desk.db, "--json")
    assert done.exit_code == 0, done.stderr
    return {one["name"]: one["messages"] for one in json.loads(done.stdout)}


def rename(desk: Desk, old: str, new: str) -> str:
    return str(desk.run("projects", "rename", old, new, "--user-id", "ada", "--db", desk.db).output)


def test_projects_are_listed_with_what_was_said_in_them_and_where(installed: Desk, say: Append) -> None:
    installed.transcript()
    say("In another place.", number=1, folder=installed.root)
    installed.play("Stop")
    assert listed(installed) == {str(installed.root): 1, "github.com/acme/app": 6}
    shown = installed.run("projects", "list", "--user-id", "ada", "--db", installed.db).stdout
    assert "2026-11-20 09:04  6  claude-code  github.com/acme/app" in shown


def test_a_renamed_project_keeps_its_name_in_what_comes_later(installed: Desk, say: Append) -> None:
    installed.transcript()
    installed.play("Stop")
    assert "6 messages moved to the app" in rename(installed, "github.com/acme/app", "the app")
    say("Something new.", number=1)
    installed.play("Stop")
    assert listed(installed) == {"the app": 7}
    assert "Something new." in installed.play("SessionStart", session="later", source="startup")


def test_a_project_that_nobody_has_is_not_renamed_also_to_a_known_name(installed: Desk) -> None:
    installed.transcript()
    installed.play("Stop")
    rename(installed, "github.com/acme/app", "the app")
    assert "there is no project 'nope'" in rename(installed, "nope", "the app")
    assert "0 messages moved" in rename(installed, "github.com/acme/app", "the app")  # it may go on
    told = installed.run("projects", "list", "--user-id", "zed", "--db", installed.db)
    assert "users here: ada; use --user-id ada" in told.stderr


def test_two_projects_become_one_and_know_of_each_other(installed: Desk, say: Append) -> None:
    installed.transcript()
    installed.play("Stop")
    other = installed.clone("copy", "https://git.example.com/app.git")
    say("Said in the copy.", number=1, folder=other, session="two")
    installed.play("Stop", session="two")
    rename(installed, "git.example.com/app", "github.com/acme/app")
    assert listed(installed) == {"github.com/acme/app": 7}
    assert "Said in the copy." in installed.play("SessionStart", session="x", source="startup")
    assert "Said in the copy." in installed.play("SessionStart", session="y", source="startup", folder=other)


@pytest.mark.parametrize("command", [["search", "queue"], ["context", "queue", "--threshold", "0"], ["list"]])
def test_a_command_finds_what_may_be_seen_in_a_project(
    installed: Desk, say: Append, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    other = installed.clone("shop", "https://github.com/acme/shop.git")
    say("Our queue is in PostgreSQL.", number=1)
    say("The other queue is in Redis.", number=2, folder=other, session="two")
    installed.play("Stop")
    about = ("--user-id", "ada", "--db", installed.db)
    installed.run("add", "I like a short queue at the baker's.", *about)

    def shown(*more: str) -> set[str]:
        done = installed.run(*command, *about, *more)
        assert done.exit_code == 0, done.stderr
        return {word for word in ("PostgreSQL", "Redis", "RabbitMQ", "baker") if word in done.stdout}

    done = installed.run(
        "add", "The shop's queue is in RabbitMQ.", *about, "--project", "github.com/acme/shop"
    )
    assert done.exit_code == 0, done.stderr

    assert shown() == {"PostgreSQL", "Redis", "RabbitMQ", "baker"}
    assert shown("--project", "github.com/acme/shop") == {"Redis", "RabbitMQ", "baker"}
    assert shown("--project", "nothing") == {"baker"}
    monkeypatch.chdir(installed.repository)
    assert shown("--project", ".") == {"PostgreSQL", "baker"}
    assert shown("--project", ".", "--filters", '{"host": "claude-code"}') == {"PostgreSQL"}
    rename(installed, "github.com/acme/app", "the app")
    assert shown("--project", ".") == shown("--project", "github.com/acme/app") == {"PostgreSQL", "baker"}


def test_a_project_gets_its_old_name_back(installed: Desk) -> None:
    installed.transcript()
    installed.play("Stop")
    rename(installed, "github.com/acme/app", "b")
    rename(installed, "b", "github.com/acme/app")
    assert listed(installed) == {"github.com/acme/app": 6}


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("nothing", "b", "there is no project 'nothing'"),
        ("github.com/acme/app", " ", "must be a text that is not blank"),
        ("github.com/acme/app", "github.com/acme/app", "give it another name"),
        ("github.com/acme/app", "x" * 20_000, "the limit is 10,000"),
    ],
)
def test_a_wrong_name_is_one_clear_error(installed: Desk, old: str, new: str, why: str) -> None:
    installed.transcript()
    installed.play("Stop")
    assert why in rename(installed, old, new)
    assert listed(installed) == {"github.com/acme/app": 6}
