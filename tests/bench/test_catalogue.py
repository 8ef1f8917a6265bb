"""What is found by name, and what bad names and bad files are answered with."""

import json
import re

import pytest

from recollect.errors import InvalidInputError
from recollect_bench.catalogue import (
    data_sets,
    find_all_data,
    find_data,
    find_system,
    find_systems,
    systems,
)
from recollect_bench.errors import DatasetError


def test_every_system_says_what_it_is_and_pins_what_it_needs():
    for system in systems():
        assert system.about.endswith("."), system.name
        assert all("==" in one or ">=" in one for one in system.requirements), system.name
    assert {"recollect", "bm25", "langgraph"} <= {system.name for system in systems()}


def test_every_data_set_says_what_it_is_and_whether_it_was_looked_at():
    for _, module in data_sets():
        assert module.TITLE
        assert module.FILES
        assert module.LOOKED_AT.startswith("Recollect")


def test_an_unknown_system_is_answered_with_those_there_are():
    with pytest.raises(
        InvalidInputError, match=r"no system 'bm52' \(did you mean bm25\?\); there are bm25, "
    ):
        find_system("bm52")


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ("lokomo=x.json", "no data set 'lokomo' \\(did you mean locomo\\?\\); there are beam, "),
        ("./mine.py=x.json", "there is no file ./mine.py"),
        ("LoCoMo=x.json", "did you mean locomo"),
        ("locomo", "where is locomo\\? Say --data locomo=PATH"),
    ],
)
def test_a_data_set_that_cannot_be_named_is_refused_before_anything_runs(given, complaint):
    with pytest.raises(InvalidInputError, match=complaint):
        find_data(given)


def test_a_file_of_another_version_is_refused(tmp_path):
    path = tmp_path / "locomo10.json"
    path.write_text("[]")
    with pytest.raises(
        DatasetError, match=r"another version .* than the known ones .*locomo10.json: 79fa87e90f04"
    ):
        find_data(f"locomo={path}").load()


def test_a_file_of_another_shape_is_refused(tmp_path):
    path = tmp_path / "longmemeval_s.json"
    path.write_text(json.dumps([{"question_id": "q1"}]))
    with pytest.raises(DatasetError, match=r"longmemeval_s.json is not in the shape of .*'haystack_dates'"):
        find_data(f"longmemeval={path}").load()


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        ("class System\n", "invalid syntax|expected ':'"),
        ("\0", "null bytes"),
        ("# /// script\n# dependencies = [\n# ///\n", "Invalid|Unclosed"),
        ("# /// script\n# dependencies = 7\n# ///\n", "no list of texts"),
        ("# /// script\n# tool = 7\n# ///\n", "no attribute"),
    ],
)
def test_a_system_that_cannot_be_read_says_why(source, fault, tmp_path):
    path = tmp_path / "broken.py"
    path.write_text(source)
    told = find_system(str(path)).fault
    assert told.startswith("broken.py cannot be read: ")
    assert re.search(fault, told), told


@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        ("def load(:", r"mine.py cannot be loaded: SyntaxError"),
        ("import no_such_package", r"mine.py cannot be loaded: ModuleNotFoundError"),
        ("TITLE = 'Mine'", r"mine.py is no loader of a data set: it has no FILES, KNOWN, LOOKED_AT, load"),
    ],
)
def test_a_loader_that_cannot_be_used_says_why(source, complaint, tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(source)
    with pytest.raises(InvalidInputError, match=complaint):
        find_data(f"{path}=data.json")


def test_two_systems_of_one_name_are_refused_with_both(tmp_path):
    one, other = tmp_path / "my_shelf.py", tmp_path / "my-shelf.py"
    for path in (one, other):
        path.write_text("class System: pass")
    with pytest.raises(
        InvalidInputError, match=rf"two systems have the name 'my-shelf' \({one} and {other}\)"
    ):
        find_systems(f"{one},bm25,{other}")
    with pytest.raises(InvalidInputError, match=r"the name 'bm25' \(bm25 and bm25\)"):
        find_systems("bm25,bm25")


def test_two_data_sets_of_one_name_are_refused():
    with pytest.raises(InvalidInputError, match="two data sets have the name 'everyday'"):
        find_all_data(["everyday", "everyday"])


@pytest.mark.parametrize("named", ["", ",", " , "])
def test_a_run_of_no_system_is_refused(named):
    with pytest.raises(InvalidInputError, match=r"no system is named; there are bm25, "):
        find_systems(named)


LOADER = """
from recollect_bench.datasets.beam import FILES, LOOKED_AT, TITLE
from recollect_bench.datasets.shapes import Conversation, Dataset, Question, Turn, read_entries

KNOWN = {}


def load(path):
    return Dataset(name="mine", conversations=tuple(map(talk, read_entries(path))))


def talk(names):
    turns = tuple(
        Turn(id=name, session="one", speaker=None, role="user", text="Hi", time=None) for name in names
    )
    asked = Question(text="What?", gold=("1",), category="plain", answer=None)
    return Conversation(id="ada", turns=turns, questions=(asked,))
"""


@pytest.mark.parametrize(
    ("talks", "complaint"),
    [
        ([["1"], ["1"]], "data.json cannot be measured: two conversations have the id 'ada'"),
        ([["1", "1"]], "two turns of 'ada' have the id '1'"),
        ([["2"]], "a question of 'ada' names the turn '1', which is not there"),
    ],
)
def test_ids_that_cannot_be_told_apart_are_refused(talks, complaint, tmp_path):
    (tmp_path / "mine.py").write_text(LOADER)
    (tmp_path / "data.json").write_text(json.dumps(talks))
    with pytest.raises(DatasetError, match=complaint):
        find_data(f"{tmp_path / 'mine.py'}={tmp_path / 'data.json'}").load()


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"", "life.json is not in the shape of .*: it is no JSON, or not the whole of it"),
        (b"[]", "it holds no lives"),
        (b'{"a": 1}', "it holds no lives"),
        (b'[{"a": 1}]', "it lacks 'steps'"),
        (b"\xff", "it is no text in UTF-8"),
        (b"[1]", "TypeError: 'int' object"),
    ],
)
def test_a_data_file_that_cannot_be_read_is_named_with_the_reason(content, complaint, tmp_path):
    path = tmp_path / "life.json"
    path.write_bytes(content)
    with pytest.raises(DatasetError, match=complaint):
        find_data(f"life={path}").load()


def test_a_folder_for_a_data_file_is_refused(tmp_path):
    with pytest.raises(DatasetError, match="is a folder"):
        find_data(f"life={tmp_path}").load()


@pytest.mark.parametrize(
    "body", ["return 1 / 0", "return None", "return Dataset(name='x', conversations=(1,))"]
)
def test_whatever_a_loader_of_ones_own_does_is_one_error(body, tmp_path):
    source = LOADER.replace("return Dataset(", f"{body}\n    return Dataset(", 1)
    (tmp_path / "mine.py").write_text(source)
    (tmp_path / "data.json").write_text("[]")
    with pytest.raises(DatasetError, match=r"data\.json is not in the shape of"):
        find_data(f"{tmp_path / 'mine.py'}={tmp_path / 'data.json'}").load()
