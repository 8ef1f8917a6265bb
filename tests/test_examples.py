"""The programs of ``examples/`` run, are short, and print what they promise."""

import runpy
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[1] / "examples"
MOST_LINES = 40
PRINTS = {
    "asynchronous": "The ferry leaves at nine",
    "chat_loop": "recalled: Pixel has to see Doctor Amaral",
    "delete_for_good": "in the file: False",
    "documents_with_citations": "[1] Roses: Prune roses in March",
    "explain": "rank 1 of 3",
    "export_and_move": "copied: 3 memories of 2 users",
    "filters_and_time": "2026-08-01 []",
    "learn_and_correct": "['User moved to Lisbon.', 'User works at Arup.']",
    "own_embedder": "Bring the umbrella",
    "quickstart": "user: My sister Ines gets married on 3 October",
}


@pytest.mark.parametrize("name", PRINTS)
def test_an_example_prints_what_it_shows(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(FOLDER / f"{name}.py"), run_name="__main__")
    assert PRINTS[name] in capsys.readouterr().out


def test_every_example_is_short_run_and_listed() -> None:
    programs = {path.stem: path for path in FOLDER.glob("*.py")}
    listed = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert programs.keys() == PRINTS.keys()
    for name, path in programs.items():
        assert len(path.read_text(encoding="utf-8").splitlines()) <= MOST_LINES, name
        assert f"({name}.py)" in listed
