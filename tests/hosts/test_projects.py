"""Which project a folder belongs to."""

from pathlib import Path

import pytest

from recollect.integrations.hosts.projects import project_of, repository_of


@pytest.mark.parametrize(
    "url",
    [
        "git@github.com:Acme/App.git",
        "github.com:acme/app",
        "https://github.com/acme/app",
        "https://ada:secret@github.com/acme/app.git/",
        "ssh://git@github.com:22/acme/app.git",
        "git://github.com/acme/app.git",
    ],
)
def test_a_repository_has_one_name_however_it_is_reached(url: str) -> None:
    assert repository_of(url) == "github.com/acme/app"


def test_a_path_as_a_remote_stays_a_path() -> None:
    assert repository_of("/srv/Git/app.git") == "/srv/Git/app"


@pytest.mark.parametrize("url", ["../shared.git", ".", "mirror"])
def test_two_repositories_with_the_same_path_as_a_remote_are_two_projects(tmp_path: Path, url: str) -> None:
    for name in ("one", "two"):
        (tmp_path / name / "app" / ".git").mkdir(parents=True)
        (tmp_path / name / "app" / ".git" / "config").write_text(f'[remote "origin"]\n\turl = {url}\n')
    one, two = (project_of(str(tmp_path / name / "app")) for name in ("one", "two"))
    assert one != two
    assert one.startswith(str(tmp_path / "one"))


def test_a_repository_without_a_remote_and_a_plain_folder_are_named_by_their_paths(tmp_path: Path) -> None:
    (tmp_path / "notes" / ".git").mkdir(parents=True)
    (tmp_path / "notes" / "deep").mkdir()
    assert project_of(str(tmp_path / "notes" / "deep")) == str(tmp_path / "notes")
    assert project_of(str(tmp_path / "gone")) == str(tmp_path / "gone")


def test_a_worktree_belongs_to_the_project_of_its_repository(tmp_path: Path) -> None:
    git = tmp_path / "app" / ".git"
    (git / "worktrees" / "fix").mkdir(parents=True)
    (git / "worktrees" / "fix" / "commondir").write_text("../..\n")
    tree = tmp_path / "fix"
    tree.mkdir()
    (tree / ".git").write_text(f"gitdir: {git / 'worktrees' / 'fix'}\n")
    assert project_of(str(tree)) == project_of(str(tmp_path / "app")) == str(tmp_path / "app")
    (git / "config").write_text(
        '[remote "fork"]\n\turl = git@x.org:me/app\n[remote "origin"]\n  url=https://x.org/acme/app\n'
    )
    assert project_of(str(tree)) == "x.org/acme/app"


def test_a_remote_other_than_origin_names_a_repository_too(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "config").write_text(
        '[branch "main"]\nurl = no\n[remote "up"]\nurl = https://x.org/a/b\n'
    )
    assert project_of(str(tmp_path)) == "x.org/a/b"
