"""The files of the web page: served as they are, to anyone, with a strict policy."""

from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from recollect.server.web import POLICY, Page


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text("<title>Recollect</title>")
    (tmp_path / "assets" / "app-1a2b.js").write_text("1")
    return tmp_path


def serving(folder: Path) -> TestClient:
    app = FastAPI()
    Page(folder).install(app)
    return TestClient(app)


def test_the_page_is_at_the_root_with_a_strict_policy(files: Path) -> None:
    answer = serving(files).get("/")
    assert (answer.status_code, answer.text) == (200, "<title>Recollect</title>")
    assert answer.headers["content-security-policy"] == POLICY
    assert answer.headers["cache-control"] == "no-cache"
    assert "unsafe" not in POLICY


def test_files_whose_names_change_are_kept_by_browsers(files: Path) -> None:
    answer = serving(files).get("/assets/app-1a2b.js")
    assert answer.status_code == 200
    assert "immutable" in answer.headers["cache-control"]


@pytest.mark.parametrize(
    "path", ["/other", "/assets/", "/assets/../../etc/passwd", "/assets/%2e%2e/index.htm"]
)
def test_what_is_no_file_is_not_there(files: Path, path: str) -> None:
    assert serving(files).get(path).status_code == 404


@pytest.mark.parametrize("folder", ["empty", "missing"])
def test_a_server_without_a_page_is_fine(tmp_path: Path, folder: str) -> None:
    (tmp_path / "empty").mkdir()
    assert serving(tmp_path / folder).get("/").status_code == 404


def test_the_page_needs_no_key_and_its_data_does(guarded: TestClient) -> None:
    assert guarded.get("/").status_code in (200, 404)
    assert guarded.get("/memories").status_code == 401
