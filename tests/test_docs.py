"""The documentation's code runs, its commands exist, its links lead somewhere.

A Python block runs after those above it on its page, in one namespace and an empty folder. When a
``text`` block follows it directly, that is what it prints. A block that cannot run here is
preceded by ``<!-- not run: reason -->``. ``RECOLLECT_UPDATE=1`` corrects the README's line numbers.
"""

import ast
import contextlib
import importlib
import importlib.util
import io
import os
import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from recollect.retrieval.score import WEIGHTS

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
PAGES = [
    README,
    ROOT / "CONTRIBUTING.md",
    ROOT / "SECURITY.md",
    ROOT / "examples" / "README.md",
    ROOT / "clients" / "typescript" / "README.md",
    *sorted((ROOT / "docs").rglob("*.md")),
]
HAS_COMMAND = importlib.util.find_spec("recollect.cli") is not None
needs_command = pytest.mark.skipif(not HAS_COMMAND, reason="this source tree has no recollect.cli yet")

BLOCK = re.compile(
    r"^(?:<!-- not run: (?P<reason>[^>]+) -->\n+)?^```(?P<language>\w+)\n(?P<code>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
LINK = re.compile(r"(?<!!)\[(?P<text>[^\]]+)\]\((?P<target>[^)\s]+)\)")
LINE_LINK = re.compile(r"\[`(?P<name>\w+)[()]*`\]\((?P<path>[\w/.]+\.py)#L(?P<line>\d+)\)")


@dataclass(frozen=True)
class Block:
    """A fenced block of a page; ``line`` is where its code begins."""

    language: str
    code: str
    line: int
    reason: str | None
    prints: str | None = None


def blocks_of(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    found = list(BLOCK.finditer(text))
    return [_block(text, match, found[i + 1 : i + 2]) for i, match in enumerate(found)]


def _block(text: str, match: re.Match[str], following: Sequence[re.Match[str]]) -> Block:
    line = text.count("\n", 0, match.start("code")) + 1
    prints = None
    for after in following:
        if after["language"] == "text" and not text[match.end() : after.start()].strip():
            prints = after["code"]
    return Block(match["language"], match["code"], line, match["reason"], prints)


def named(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_the_python_code_of_a_page_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, Any] = {"__name__": page.stem}
    for block in blocks_of(page):
        if block.language != "python" or block.reason:
            continue
        printed = io.StringIO()
        code = compile("\n" * (block.line - 1) + block.code, str(page), "exec")
        with contextlib.redirect_stdout(printed):
            exec(code, namespace)  # noqa: S102 - our own documentation
        if block.prints is not None:
            assert printed.getvalue() == block.prints, f"{named(page)}, line {block.line}"
    for value in namespace.values():
        if callable(getattr(value, "close", None)) and not isinstance(value, type):
            value.close()


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_a_block_that_is_not_run_is_python_all_the_same(page: Path) -> None:
    for block in blocks_of(page):
        if block.language == "python":
            ast.parse(block.code)


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_the_links_of_a_page_lead_somewhere(page: Path) -> None:
    for link in LINK.finditer(page.read_text(encoding="utf-8")):
        target, _, anchor = link["target"].partition("#")
        if target.startswith(("http://", "https://", "mailto:")):
            continue
        found = page if not target else (page.parent / target).resolve()
        assert found.exists(), f"{named(page)} links to {target}"
        if anchor and found.suffix == ".md" and found.name != "api.md":  # `make docs` looks at those
            assert anchor in anchors_of(found), f"{named(page)} links to {link['target']}"


def anchors_of(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub and MkDocs both make them."""
    outside = BLOCK.sub("", page.read_text(encoding="utf-8"))
    titles = re.findall(r"^#+ (.+)$", outside, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


def test_the_readmes_links_into_the_source_name_the_right_lines() -> None:
    text = README.read_text(encoding="utf-8")
    right = LINE_LINK.sub(_with_right_line, text)
    if os.environ.get("RECOLLECT_UPDATE"):
        README.write_text(right, encoding="utf-8")
    stale = [
        link[0] for link in LINE_LINK.finditer(README.read_text(encoding="utf-8")) if link[0] not in right
    ]
    assert LINE_LINK.search(text)
    assert not stale, "correct them with RECOLLECT_UPDATE=1 pytest tests/test_docs.py"


@pytest.mark.parametrize("path", ["words go in", "a question is answered", "facts are learned"])
def test_a_path_that_the_readme_shows_is_at_most_three_files_long(path: str) -> None:
    (row,) = [line for line in README.read_text(encoding="utf-8").splitlines() if f"| {path} |" in line]
    assert len({link["path"] for link in LINE_LINK.finditer(row)}) == 3


def _with_right_line(link: re.Match[str]) -> str:
    lines = (ROOT / link["path"]).read_text(encoding="utf-8").splitlines()
    starts = re.compile(rf"\s*(?:class|def) {link['name']}\b")
    (first, *_) = [number for number, line in enumerate(lines, start=1) if starts.match(line)]
    return link[0].replace(f"#L{link['line']}", f"#L{first}")


def shown_commands() -> Iterator[tuple[str, list[str]]]:
    """The ``recollect`` command lines of all pages, with where they stand."""
    for page in PAGES:
        for block in blocks_of(page):
            if block.language != "console":
                continue
            joined = block.code.replace("\\\n", " ")
            for line in re.findall(r"^\$ (recollect\b.*)$", joined, re.MULTILINE):
                words = shlex.split(re.split(r"\s[|<>]\s", line, maxsplit=1)[0], comments=True)
                yield f"{named(page)}: {line}", words[1:]


def command() -> Any:
    """The ``recollect`` command as click sees it."""
    typer = importlib.import_module("typer.main")
    module = importlib.import_module("recollect.cli")
    return typer.get_command(module.app)


def subcommands(of: Any, group: str = "") -> Iterator[str]:
    for name, sub in getattr(of, "commands", {}).items():
        if not sub.hidden:
            yield f"{group}{name}"
            yield from subcommands(sub, f"{name} ")


def complaint(of: Any, words: Sequence[str]) -> str | None:
    """What is wrong with a command line, looked at without running it."""
    if not hasattr(of, "commands"):
        return _misread(of, list(words))
    position = next((i for i, word in enumerate(words) if word in of.commands), None)
    if position is None:
        return None if "--help" in words or "--version" in words or not words else f"no command in {words}"
    return complaint(of.commands[words[position]], words[position + 1 :])


def _misread(of: Any, words: list[str]) -> str | None:
    try:
        of.make_context(of.name, words)
    except SystemExit:  # --help
        return None
    except Exception as error:  # noqa: BLE001 - click's errors, whichever copy of click typer brings
        kind = type(error).__name__
        # A file that is named in an example need not exist; an option or argument must.
        return f"{kind}: {error}" if kind in {"NoSuchOption", "MissingParameter", "UsageError"} else None
    return None


@needs_command
def test_every_command_shown_can_be_read_by_the_command_line() -> None:
    app = command()
    wrong = {where: problem for where, words in shown_commands() if (problem := complaint(app, words))}
    assert not wrong


@needs_command
def test_every_command_is_documented() -> None:
    page = (ROOT / "docs" / "use" / "cli.md").read_text(encoding="utf-8")
    table = " ".join(re.findall(r"^\| `.+", page, re.MULTILINE))
    missing = [name for name in subcommands(command()) if not re.search(rf"`{re.escape(name)}\b", table)]
    assert not missing


def test_every_page_of_the_documentation_is_in_its_navigation() -> None:
    listed = re.findall(r": (\S+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE)
    docs = ROOT / "docs"
    assert sorted(listed) == sorted(page.relative_to(docs).as_posix() for page in docs.rglob("*.md"))


def test_the_page_on_retrieval_states_the_weights_as_they_are() -> None:
    page = (ROOT / "docs" / "inside" / "retrieval.md").read_text(encoding="utf-8")
    stated: dict[str, float] = {}
    for names, weight, among in re.findall(r"^\| (`[^|]+`) \| (0\.\d+)( / 3 each)? \|", page, re.MULTILINE):
        for name in re.findall(r"`(\w+)`", names):
            stated[name] = float(weight) / (3 if among else 1)
    assert stated == pytest.approx(dict(WEIGHTS))


def test_every_module_is_in_the_reference() -> None:
    written = (ROOT / "docs" / "use" / "api.md").read_text(encoding="utf-8")
    for module in (
        *("memory.memory", "memory.agent", "types", "protocols", "types.filters", "errors"),
        *("embedders", "models", "stores", "testing"),
    ):
        assert f"::: recollect.{module}" in written


SECURITY = ROOT / "SECURITY.md"


def test_every_test_that_the_threat_model_names_is_there() -> None:
    named = set(re.findall(r"`(test_\w+)`", SECURITY.read_text(encoding="utf-8")))
    there = {
        name
        for file in (ROOT / "tests").rglob("test_*.py")
        for name in re.findall(r"def (test_\w+)", file.read_text())
    }
    assert len(named) > 15
    assert named <= there


def test_every_threat_has_a_test_and_every_attack_that_is_named_is_there() -> None:
    _, _, threats = SECURITY.read_text(encoding="utf-8").partition("## Threats")
    rows = [line for line in threats.splitlines() if line.startswith("| ")][1:]
    attacks = "\n".join(file.read_text() for file in (ROOT / "benchmarks" / "torture").glob("*.py"))
    for row in rows:
        tests = row.split(" | ")[-1]
        assert re.search(r"`(test_\w+|make torture)`", tests), row
        for named in re.findall(r"`make torture`: ([^`|]+)", tests):
            for attack in named.strip(" |").split(", "):
                assert re.search(rf'name=f?"{attack}\b', attacks), attack
