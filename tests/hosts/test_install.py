"""Settings of hosts: written, shown before, removed, and otherwise untouched."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.hosts.conftest import Desk

from recollect.errors import InvalidInputError
from recollect.integrations.hosts import folder as places
from recollect.integrations.hosts import json_text

OTHERS = """{
    "permissions": {"allow": ["Bash(ls:*)"]},
\t"hooks": {
        "Stop": [ {"hooks": [{"type": "command", "command": "say done"}]} ],
        "Notification": []
    },
    "emoji": "é \\u00e9"}
"""
SETTINGS = [
    "{}",
    "{ }\n",
    '{"theme":"dark"}',
    OTHERS,
    OTHERS.replace("\n", "\r\n"),
    "\ufeff{}",
    '{"hooks": {}}',
]

JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


def written(desk: Desk, text: str) -> bytes:
    desk.settings.parent.mkdir(parents=True)
    desk.settings.write_bytes(text.encode())
    return text.encode()


@pytest.mark.parametrize("text", SETTINGS)
def test_installing_keeps_other_settings_and_uninstalling_restores_every_byte(desk: Desk, text: str) -> None:
    before = written(desk, text)
    desk.install()
    now = json.loads(desk.settings.read_bytes().decode("utf-8-sig"))
    known = json.loads(before.decode("utf-8-sig"))
    for name, value in known.items():
        assert name == "hooks" or now[name] == value
    for event, groups in known.get("hooks", {}).items():
        assert now["hooks"][event][: len(groups)] == groups
    assert desk.run("uninstall", "claude-code", "--db", desk.db).exit_code == 0
    assert desk.settings.read_bytes() == before.replace(b"{ }", b"{}")


def test_installing_twice_changes_nothing(installed: Desk) -> None:
    before = installed.settings.read_bytes()
    done = installed.run("install", "claude-code", "--user-id", "ada", "--db", installed.db, "--json")
    assert json.loads(done.stdout)["files"] == []
    assert installed.settings.read_bytes() == before


def test_a_dry_run_shows_every_line_and_writes_nothing(desk: Desk) -> None:
    shown = desk.run("install", "claude-code", "--db", desk.db, "--dry-run").stdout
    assert not desk.home.exists()
    assert not desk.own.exists()
    assert not desk.db.exists()
    desk.install()
    for path in (desk.settings, desk.settings.parent / "skills" / "recollect" / "SKILL.md"):
        for line in path.read_text("utf-8").splitlines():
            assert f"+{line.replace('--user-id ada', '--user-id default')}" in shown.splitlines()


def test_a_file_that_install_made_is_gone_after_uninstall(installed: Desk) -> None:
    assert "-    " in installed.run("uninstall", "claude-code", "--dry-run").stdout
    assert installed.settings.exists()
    installed.run("uninstall", "claude-code")
    assert [path for path in installed.home.rglob("*") if path.is_file()] == []
    assert not installed.own.exists()


def test_hooks_are_found_again_in_a_file_that_the_host_wrote_anew(installed: Desk) -> None:
    installed.settings.write_text(json.dumps(json.loads(installed.settings.read_text()) | {"model": "opus"}))
    before = installed.settings.read_text()
    installed.install()
    assert installed.settings.read_text() == before
    installed.run("uninstall", "claude-code")
    assert json.loads(installed.settings.read_text()) == {"model": "opus"}


def test_new_options_replace_the_old_hooks(installed: Desk, tmp_path: Path) -> None:
    done = installed.run("install", "claude-code", "--user-id", "bob", "--db", tmp_path / "other.db")
    assert done.exit_code == 0
    (one,) = [
        one for one in json.loads(installed.run("status", "--json").stdout) if one["host"] == "claude-code"
    ]
    assert (one["state"], one["user_id"], one["db"]) == ("installed", "bob", str(tmp_path / "other.db"))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"a": 1, // mine\n}', "no JSON: it has comments, line 1, column 10"),
        ('{"a": 1,}', "no JSON"),
        ("[]", "no JSON object"),
        ('{"hooks": [], "a": 1}', "hooks is no object"),
        ('{"hooks": {"Stop": {}}}', "hooks.Stop is no list"),
        ('{"a": 1, "a": 2}', "stands twice"),
        ("[" * 100_000, "no JSON"),
        ("\xff\xfe".encode("latin-1").decode("latin-1"), "no JSON"),
    ],
)
def test_settings_that_cannot_be_read_are_refused_and_untouched(desk: Desk, text: str, why: str) -> None:
    before = written(desk, text)
    done = desk.run("install", "claude-code", "--db", desk.db)
    assert done.exit_code == 1
    assert why in done.stderr
    assert "left as it is" in done.stderr
    assert desk.settings.read_bytes() == before
    assert not desk.own.exists()
    assert not desk.db.exists()


def test_settings_in_another_encoding_are_refused(desk: Desk) -> None:
    desk.settings.parent.mkdir(parents=True)
    desk.settings.write_bytes('{"a": "é"}'.encode("latin-1"))
    assert "no UTF-8 text" in desk.run("install", "claude-code").stderr


def test_a_skill_of_somebody_else_is_left_alone(desk: Desk) -> None:
    skill = desk.home / ".claude" / "skills" / "recollect" / "SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_text("---\nname: my-recollect\n---\n")
    assert "it is not Recollect's" in desk.run("install", "claude-code").stderr
    assert not desk.settings.exists()


def test_a_link_to_settings_elsewhere_stays_a_link_and_their_mode_stays(desk: Desk, tmp_path: Path) -> None:
    real = tmp_path / "dotfiles.json"
    real.write_text("{}")
    real.chmod(0o640)
    desk.settings.parent.mkdir(parents=True)
    desk.settings.symlink_to(real)
    desk.install()
    assert desk.settings.is_symlink()
    assert "hooks" in real.read_text()
    assert real.stat().st_mode & 0o777 == 0o640


def test_a_host_with_another_settings_folder_is_found_there(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(desk.root / "elsewhere"))
    desk.install()
    assert (desk.root / "elsewhere" / "settings.json").exists()
    monkeypatch.delenv("CLAUDE_CONFIG_DIR")
    desk.run("uninstall", "claude-code")
    assert not (desk.root / "elsewhere" / "settings.json").exists()


@pytest.mark.parametrize("text", ["{", "5", '{"files": 5}', '{"user_id": 5, "db": 7, "home": null}'])
def test_a_damaged_record_stops_no_command_and_installing_again_mends_it(installed: Desk, text: str) -> None:
    record = installed.own / "install.json"
    record.write_text(text)
    (one,) = [
        one for one in json.loads(installed.run("status", "--json").stdout) if one["host"] == "claude-code"
    ]
    assert one["state"] == "incomplete"
    assert installed.run("stats", "--db", installed.db).exit_code == 0
    installed.install()
    assert json.loads(record.read_text())["user_id"] == "ada"


def test_an_unknown_host_is_an_error_that_names_the_right_one(desk: Desk) -> None:
    assert "use claude-code" in desk.run("install", "claude-cod").stderr


def test_the_status_tells_what_is_installed_where(desk: Desk) -> None:
    def state() -> Any:
        return next(
            one for one in json.loads(desk.run("status", "--json").stdout) if one["host"] == "claude-code"
        )

    assert state()["state"] == "not installed"
    desk.install()
    assert state()["state"] == "installed"
    assert state()["last_capture"] is None
    desk.transcript()
    desk.play("Stop")
    assert state()["last_capture"] is not None
    assert state()["waiting"] == 1
    desk.settings.write_text("{}")
    assert state()["state"] == "incomplete"
    desk.settings.write_text("{")
    assert state()["state"] == "unreadable"
    assert "Claude Code: unreadable in" in desk.run("status").stdout


@pytest.mark.parametrize("command", ["install", "uninstall"])
def test_a_file_that_cannot_be_written_leaves_all_others_as_they_were(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    before = written(desk, OTHERS)
    if command == "uninstall":
        desk.install()
        before = desk.settings.read_bytes()
    write, name = places.write_whole, "SKILL.md" if command == "install" else "settings.json"

    def write_or_fail(path: str, text: str, *, lasting: bool = True) -> None:
        if path.endswith(name):
            raise PermissionError(13, "Permission denied", path)
        write(path, text, lasting=lasting)

    with monkeypatch.context() as patch:
        patch.setattr(places, "write_whole", write_or_fail)
        done = desk.run(command, "claude-code", "--db", desk.db)
    assert done.exit_code == 1
    assert "Permission denied" in done.stderr
    assert desk.settings.read_bytes() == before
    desk.install()
    assert desk.run("uninstall", "claude-code").exit_code == 0
    assert desk.settings.read_bytes().decode() == OTHERS


def test_settings_that_may_not_be_read_are_one_unreadable_host(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = Path.read_bytes

    def read_or_fail(path: Path) -> bytes:
        if path == desk.settings:
            raise PermissionError(13, "Permission denied", str(path))
        return read(path)

    monkeypatch.setattr(Path, "read_bytes", read_or_fail)
    states = {one["host"]: one["state"] for one in json.loads(desk.run("status", "--json").stdout)}
    assert [host for host, state in states.items() if state == "unreadable"] == ["claude-code"]


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_home_is_one_clear_error(desk: Desk) -> None:
    desk.settings.parent.mkdir(parents=True)
    desk.settings.parent.chmod(0o500)
    assert desk.run("install", "claude-code").exit_code == 1


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has /sys")
def test_a_home_on_a_file_system_without_writing_is_one_clear_error(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", "/sys")
    done = desk.run("install", "claude-code", "--db", desk.db)
    assert done.exit_code == 1
    assert "/sys/.claude" in done.stderr
    assert not desk.own.exists()


@given(
    st.dictionaries(st.text(max_size=4), JSON_VALUES, max_size=4),
    st.sampled_from([None, 1, 2, "\t"]),
    st.lists(st.sampled_from(["hooks", "a", "é"]), min_size=1, max_size=3),
    JSON_VALUES,
)
def test_adding_to_any_json_and_removing_it_restores_the_text(
    document: dict[str, Any], indent: int | str | None, path: list[str], value: Any
) -> None:
    text = json.dumps(document, indent=indent)
    try:
        added = json_text.append(text, path, value)
    except InvalidInputError:
        return
    known = json_text.values(text, path)
    assert json.loads(added) != json.loads(text)
    assert json_text.values(added, path) == [*known, value]
    if json_text.get(text, path) is not None:
        removed = json_text.remove(added, [*path, len(known)])
    else:
        missing = next(length for length in range(1, 4) if json_text.get(text, path[:length]) is None)
        removed = json_text.remove(added, path[:missing])
    assert removed == text or json.loads(removed) == json.loads(text)


@pytest.mark.parametrize("blank", ["", "\n", "\ufeff", " \r\n"])
def test_a_settings_file_with_nothing_in_it_is_filled_and_restored(desk: Desk, blank: str) -> None:
    desk.settings.parent.mkdir(parents=True)
    desk.settings.write_bytes(blank.encode())
    desk.install()
    desk.install()
    assert "hooks" in json.loads(desk.settings.read_text("utf-8-sig"))
    assert desk.run("uninstall", "claude-code").exit_code == 0
    assert desk.settings.read_bytes() == blank.encode()


def test_a_settings_file_with_an_empty_object_is_kept(desk: Desk) -> None:
    before = written(desk, "{}\n")
    desk.install()
    assert desk.run("uninstall", "claude-code").exit_code == 0
    assert desk.settings.read_bytes() == before
