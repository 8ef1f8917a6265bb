"""The built files of the web page: made from these sources, small, and free of what its policy forbids."""

import gzip
import hashlib
import json
import re
import shutil
import subprocess
from importlib.resources import files
from pathlib import Path

import pytest

SOURCES = Path(__file__).parents[2] / "web"
BUILT = Path(str(files("recollect.server") / "web"))
MOST_BYTES = 350_000
"""All JavaScript of the page, gzipped, with the graph's, which is loaded when it is looked at."""
GRAPH = "src/pages/graph/drawing.ts"
GENERATED = "src/api/schema.ts"
needs_sources = pytest.mark.skipif(not SOURCES.is_dir(), reason="the page's sources are not here")


def _sum_of_sources() -> str:
    """The same sum as ``web/scripts/record.js`` makes."""
    named = [*SOURCES.glob("src/**/*"), *SOURCES.glob("public/**/*")]
    named += [SOURCES / name for name in ("index.html", "package-lock.json", "vite.config.ts")]
    found = {path.relative_to(SOURCES).as_posix(): path for path in named if path.is_file()}
    digest = hashlib.sha256()
    for name in sorted(found.keys() - {GENERATED}):
        digest.update(name.encode() + b"\0" + found[name].read_bytes() + b"\0")
    return digest.hexdigest()


def _gzipped(path: Path) -> int:
    return len(gzip.compress(path.read_bytes(), 9))


@needs_sources
def test_the_built_files_were_made_from_these_sources():
    recorded = json.loads((BUILT / "sources.json").read_text(encoding="utf-8"))
    assert recorded["sha256"] == _sum_of_sources(), "the page's sources changed: run make web"


def test_every_file_the_page_asks_for_is_there_and_no_other_host_is_named():
    page = (BUILT / "index.html").read_text(encoding="utf-8")
    named = re.findall(r'(?:src|href)="([^"]+)"', page)
    assert named
    for name in named:
        assert name.startswith("./"), name
        assert (BUILT / name).is_file(), name


def test_the_page_has_no_inline_script_or_style():
    page = (BUILT / "index.html").read_text(encoding="utf-8")
    assert all(not inside.strip() for inside in re.findall(r"<script[^>]*>(.*?)</script>", page, re.DOTALL))
    assert "<style" not in page
    assert " style=" not in page
    assert not re.search(r"\son\w+=", page)


def test_the_scripts_are_small_and_the_graph_is_loaded_lazily():
    manifest = json.loads((BUILT / "manifest.json").read_text(encoding="utf-8"))
    (entry,) = (name for name, one in manifest.items() if one.get("isEntry"))
    assert GRAPH in manifest
    assert GRAPH not in _loaded_with(entry, manifest)
    assert sum(_gzipped(path) for path in (BUILT / "assets").glob("*.js")) <= MOST_BYTES


def _loaded_with(name: str, manifest: dict[str, dict[str, list[str]]]) -> set[str]:
    """A file and all that it cannot do without."""
    return {name}.union(*(_loaded_with(one, manifest) for one in manifest[name].get("imports", [])))


@needs_sources
def test_words_that_reach_the_screen_stand_in_one_file(tmp_path):
    node = shutil.which("node")
    if node is None or not (SOURCES / "node_modules" / "typescript").is_dir():
        pytest.skip("needs Node and the page's packages (make web)")
    assert _checked(node, SOURCES).returncode == 0, _checked(node, SOURCES).stderr
    copied = tmp_path / "web"
    shutil.copytree(SOURCES, copied, ignore=shutil.ignore_patterns("node_modules"))
    (copied / "node_modules").symlink_to(SOURCES / "node_modules")
    (copied / "src/parts/page.tsx").write_text('export const Odd = () => <p title="Odd">Odd words</p>;')
    told = _checked(node, copied)
    assert told.returncode == 1
    assert "parts/page.tsx:1: Odd words" in told.stderr


def _checked(node: str, sources: Path) -> subprocess.CompletedProcess[str]:
    """What ``web/scripts/words.js`` says of the sources."""
    return subprocess.run(  # noqa: S603 - the page's own script
        [node, "scripts/words.js"], cwd=sources, capture_output=True, text=True, check=False
    )
