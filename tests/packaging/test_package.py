"""The package as users get it: built, installed into a new environment, and started as the image does.

There is no Docker here. What its image does is done in a virtual environment: the same wheel, the same
dependencies with their hashes, the same command, the same health check, a home that cannot be written.
"""

import ast
import json
import os
import re
import subprocess
import sys
import tarfile
import time
from collections.abc import Iterator
from email.parser import HeaderParser
from pathlib import Path
from typing import Any, Final
from zipfile import ZipFile

import pytest
from tests.ports import free_port

ROOT: Final = Path(__file__).parents[2]
UV: Final = Path(sys.executable).with_name("uv")
SOURCES: Final = [ROOT / "pyproject.toml", ROOT / "Makefile", ROOT / "README.md"]
CI: Final = os.environ.get("CI") == "true"
pytestmark = pytest.mark.skipif(not all(one.is_file() for one in SOURCES), reason="the sources are not here")


def run(*words: object, **options: Any) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(  # noqa: S603 - our own commands
        list(map(str, words)), text=True, capture_output=True, check=False, **options
    )
    assert done.returncode == 0, done.stderr
    return done


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sdist, the wheel built from it, and the dependencies of the image."""
    folder = tmp_path_factory.mktemp("dist")
    if not UV.is_file() and not CI:
        pytest.skip("no uv beside this Python; make test installs it")
    try:
        run(UV, "build", "--quiet", "-o", folder, ROOT)
        extras = re.search(r"^SERVER := (.+)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
        assert extras
        chosen = [word for extra in extras[1].split() for word in ("--extra", extra)]
        compile_ = (UV, "pip", "compile", "--quiet", "--generate-hashes", "--universal", *chosen)
        run(*compile_, ROOT / "pyproject.toml", "-o", folder / "requirements-server.txt")
    except AssertionError as error:
        if CI:
            raise
        pytest.skip(f"the package cannot be built here: {error}")
    return folder


@pytest.fixture(scope="module")
def wheel(dist: Path) -> Path:
    (found,) = dist.glob("recollect-*.whl")
    return found


def environment(folder: Path) -> Path:
    """A new virtual environment; returns its Python."""
    run(UV, "venv", "--quiet", "--python", sys.executable, folder)
    return folder / "bin" / "python"


def test_the_wheel_has_the_package_whole_and_nothing_else(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        names = set(archive.namelist())
    package = {
        one.relative_to(ROOT / "src").as_posix()
        for root in ("recollect", "recollect_bench")
        for one in (ROOT / "src" / root).rglob("*")
        if one.is_file() and "__pycache__" not in one.parts
    }
    assert package <= names
    assert {name.partition("/")[0] for name in names - package} == {"recollect-0.1.0.dist-info"}


def test_the_metadata_says_what_an_index_shows(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        (path,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        told = HeaderParser().parsestr(archive.read(path).decode())
    assert (told["Name"], told["License-Expression"]) == ("recollect", "Apache-2.0")
    assert told["Requires-Python"] == ">=3.11"
    assert told["Description-Content-Type"] == "text/markdown"
    assert {"LICENSE", "NOTICE"} <= set(told.get_all("License-File") or ())
    assert "pip install recollect" in told.get_payload()


def test_the_sdist_has_what_the_tests_and_the_page_need(dist: Path) -> None:
    (sdist,) = dist.glob("recollect-*.tar.gz")
    with tarfile.open(sdist) as archive:
        tops = {name.split("/")[1] for name in archive.getnames() if "/" in name}
    assert {"src", "tests", "web", "scripts", "pyproject.toml", "LICENSE", "README.md"} <= tops
    assert not {".venv", ".git", "dist"} & tops


def test_the_wheel_installs_into_a_new_environment_and_works(wheel: Path, tmp_path: Path) -> None:
    python = environment(tmp_path / "venv")
    run(UV, "pip", "install", "--quiet", "--python", python, wheel)
    command, home = python.with_name("recollect"), {**os.environ, "RECOLLECT_DB": str(tmp_path / "b.db")}
    assert run(command, "--version").stdout == "recollect 0.1.0\n"
    run(command, "add", "I prefer Python for data analysis", env=home, cwd=tmp_path)
    found = run(command, "search", "which language?", "--json", env=home, cwd=tmp_path)
    assert json.loads(found.stdout)[0]["memory"]["content"] == "I prefer Python for data analysis"


# The image


def instructions() -> list[tuple[str, str]]:
    """The instructions of the Dockerfile, with their lines joined."""
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return [(word, rest.strip()) for word, _, rest in (line.partition(" ") for line in lines)]


def last(word: str) -> str:
    return [rest for name, rest in instructions() if name == word][-1]


def image_environment() -> dict[str, str]:
    return dict(re.findall(r"(\w+)=(\S+)", last("ENV")))


@pytest.fixture
def image(dist: Path, wheel: Path, tmp_path: Path) -> Path:
    """What the image holds, in a virtual environment; returns its folder of commands."""
    python = environment(tmp_path / "venv")
    install = (UV, "pip", "install", "--quiet", "--python", python)
    run(*install, "--require-hashes", "--only-binary", ":all:", "-r", dist / "requirements-server.txt")
    run(*install, "--no-deps", wheel)
    return python.parent


@pytest.fixture
def server(image: Path, tmp_path: Path) -> Iterator[dict[str, str]]:
    """The server, started as the image starts it; yields its environment."""
    told = {
        **image_environment(),
        "RECOLLECT_DB": str(tmp_path / "data.db"),
        "RECOLLECT_PORT": str(free_port()),
    }
    told |= {"PATH": f"{image}:{os.environ['PATH']}", "HOME": "/proc/nowhere", "TMPDIR": str(tmp_path)}
    del told["PYTHONDONTWRITEBYTECODE"]  # the image's modules are compiled; here the first process does
    words = json.loads(last("ENTRYPOINT")) + json.loads(last("CMD"))
    refused = subprocess.run(  # noqa: S603 - our own command
        [image / words[0], *words[1:]], env=told, capture_output=True, text=True, check=False, cwd="/"
    )
    assert (refused.returncode, "recollect keys create" in refused.stderr) == (1, True)
    run(image / "recollect", "keys", "create", "--user", "ada", "--role", "writer", env=told, cwd="/")
    with subprocess.Popen([image / words[0], *words[1:]], env=told, cwd="/") as process:  # noqa: S603 - likewise
        yield told
        process.terminate()
        assert process.wait(timeout=30) == 0


def test_the_image_starts_answers_its_health_check_and_stops(server: dict[str, str], image: Path) -> None:
    check = json.loads(last("HEALTHCHECK").partition("CMD ")[2])
    ends = time.monotonic() + 60
    while True:
        done = subprocess.run(  # noqa: S603 - the check of the image
            [image / check[0], *check[1:]], env=server, capture_output=True, check=False, cwd="/"
        )
        if done.returncode == 0 or time.monotonic() > ends:
            break
        time.sleep(0.1)
    assert done.returncode == 0, done.stderr
    closed = {**server, "RECOLLECT_PORT": str(free_port())}
    done = subprocess.run(  # noqa: S603 - likewise
        [image / check[0], *check[1:]], env=closed, capture_output=True, check=False, cwd="/"
    )
    assert done.returncode != 0


def test_the_image_runs_as_nobody_special_with_everything_pinned() -> None:
    assert last("USER") == "10001"  # a number, which Kubernetes can tell from root
    assert "--uid 10001" in " ".join(rest for _, rest in instructions())
    (install,) = [rest for name, rest in instructions() if name == "RUN" and "requirements-server" in rest]
    assert "--require-hashes" in install
    assert image_environment()["PYTHONDONTWRITEBYTECODE"] == "1"
    ast.parse(json.loads(last("HEALTHCHECK").partition("CMD ")[2])[2])


def test_compose_names_documented_variables_and_locks_the_server_down() -> None:
    yaml = pytest.importorskip("yaml")
    services = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))["services"]
    server = services["recollect"]
    documented = (ROOT / "docs" / "use" / "cli.md").read_text(encoding="utf-8")
    assert all(f"`{name}`" in documented for name in server["environment"])
    assert all(f"`{name}`" in documented for name in image_environment() if name.startswith("RECOLLECT_"))
    assert (server["read_only"], server["cap_drop"], server["tmpfs"]) == (
        True,
        ["ALL"],
        [image_environment()["HOME"]],
    )
    assert server["depends_on"]["postgres"]["condition"] == "service_healthy"
    assert set(services) == {"postgres", "recollect"}
