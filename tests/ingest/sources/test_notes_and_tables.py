"""Markdown notes, and tables whose columns are named."""

import os
import shutil
import zipfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from tests.ingest.sources.exports import claude_conversation, claude_message, json_lines, write

from recollect import Memory
from recollect.errors import InvalidInputError, UnclearFileError

NOTE = """\
---
title: Roses
tags: [garden, "red"]
created: 2026-01-02
---
See [[Water|how much]] and [[Soil]]. #spring
![[photo.png]]

# Care
Less water.

```sh
# no heading
```
## In winter
Cover them.
"""


def test_a_vault_is_read_section_by_section(tmp_path: Path, memory: Memory, imported, said) -> None:
    write(tmp_path / "vault" / "Roses.md", NOTE)
    write(tmp_path / "vault" / "2026-02-03.md", "Bought soil.\n")
    write(tmp_path / "vault" / "empty.md", "\n")
    write(tmp_path / "vault" / ".obsidian" / "app.md", "settings")
    write(tmp_path / "vault" / "photo.png", b"\x89PNG")
    done = imported(tmp_path / "vault")
    assert [one.content for one in said()] == [
        "Bought soil.",
        "See how much and Soil. #spring",
        "Care\nLess water.\n\n```sh\n# no heading\n```",
        "In winter\nCover them.",
    ]
    daily, roses, *_ = said()
    assert [f"{one.times.happened_at:%Y-%m-%d}" for one in (daily, roses)] == ["2026-02-03", "2026-01-02"]
    assert roses.labels.concepts == ("Water", "Soil")
    assert {"garden", "red", "spring"} <= {tag.text for tag in roses.labels.tags if tag.approved}
    assert done.left_out == {"notes in hidden folders and the trash": 1, "notes without words": 1}
    assert {one.title for one in memory.sessions.list(user_id="ada")} == {"Roses", "2026-02-03"}


def test_an_edited_section_is_updated_and_a_new_one_added(tmp_path: Path, imported, said) -> None:
    path = write(tmp_path / "Roses.md", NOTE)
    imported(path)
    write(path, NOTE.replace("Less water", "More water") + "# Tools\nA spade.\n")
    done = imported(path)
    assert (done.stored, done.updated, done.duplicate) == (1, 1, 2)
    assert "More water." in said()[1].content


def test_an_undated_note_is_of_when_its_file_was_written(tmp_path: Path, imported, said) -> None:
    path = write(tmp_path / "Tea.md", "# Green\nFresh.\n# Black\nStrong.\n")
    os.utime(path, (1_580_000_000, 1_580_000_000))
    imported(path)
    assert {f"{one.times.happened_at:%Y-%m-%d}" for one in said()} == {"2020-01-26"}
    write(path, "# Green\nFresh.\n# Black\nVery strong.\n")
    done = imported(path)
    assert (done.updated, done.duplicate) == (1, 1)
    assert {f"{one.times.happened_at:%Y-%m-%d}" for one in said()} == {"2020-01-26"}


@pytest.mark.parametrize("in_a_folder", [False, True])
def test_an_undated_note_in_an_archive_is_of_when_it_was_written_there(
    tmp_path: Path, in_a_folder: bool
) -> None:
    (tmp_path / "in").mkdir()
    with zipfile.ZipFile(tmp_path / "in" / "notes.zip", "w") as archive:
        archive.writestr(zipfile.ZipInfo("Tea.md", (2020, 1, 26, 1, 30, 0)), "Green tea")
        archive.writestr(zipfile.ZipInfo("Cake.md", (1980, 1, 1, 0, 0, 0)), "Cake")
        archive.writestr(zipfile.ZipInfo("Odd.md", (2020, 0, 31, 0, 0, 0)), "Odd")
    with Memory(":memory:", embedder="hashing", timezone="Europe/Berlin") as memory:
        memory.import_file(tmp_path / "in" if in_a_folder else tmp_path / "in" / "notes.zip", user_id="ada")
        years = {one.content: one.times.happened_at for one in memory.get_all(user_id="ada")}
    assert years["Green tea"] == datetime(2020, 1, 26, 0, 30, tzinfo=UTC)
    assert min(years["Cake"], years["Odd"]) > datetime(2026, 1, 1, tzinfo=UTC)


CSV = """\
date;who;text;room
2026-01-02 10:00;Ada;Tea, please;kitchen
;Bob;Here;kitchen
soon;Bob;When?;kitchen
;Bob;;
"""


def test_a_table_is_read_by_the_columns_that_are_named(
    tmp_path: Path, memory: Memory, imported, said
) -> None:
    columns = {"content": "text", "timestamp": "date", "name": "who", "session": "room"}
    done = imported(write(tmp_path / "log.csv", CSV), columns=columns, me="Ada")
    assert [(one.origin.role, one.origin.speaker, one.content) for one in said()] == [
        ("user", "Ada", "Tea, please"), ("other", "Bob", "Here"),
    ]  # fmt: skip
    assert {f"{one.times.happened_at:%Y-%m-%d %H:%M}" for one in said()} == {"2026-01-02 10:00"}
    assert {one.scope.session_id for one in said()} == {"table-kitchen"}
    assert done.left_out == {"rows without words": 1}
    assert [(one.where, one.reason) for one in done.broken] == [("log.csv, line 4", "'soon' is no time")]


def test_a_long_cell_is_a_message_and_one_that_is_too_long_is_named_by_its_line(
    tmp_path: Path, imported, said
) -> None:
    long = "long words " * 20_000
    rows = ["text", "first", f'"{long}\nand more"', "third", "x" * 1_000_001, "last"]
    done = imported(write(tmp_path / "log.csv", "\n".join(rows)), columns={"content": "text"})
    assert [one.content for one in said()] == ["first", f"{long}\nand more", "third", "last"]
    (broken,) = done.broken
    assert broken.where == "log.csv, line 6"
    assert broken.reason.startswith("a cell has more than 1,000,000 characters")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("log.csv", '"id","text"\n1,"one\ntwo"\n2,three\n'),
        ("log.tsv", "id\ttext\n1\tone two\n2\tthree\n"),
        ("log.csv", "id,text\n1,one two\n2,three\n".encode("utf-16")),
        ("log.jsonl", json_lines({"id": 1, "text": "one two"}, {"id": 2, "text": "three"})),
        ("log.json", [{"id": 1, "text": "one two"}, {"id": 2, "text": "three"}]),
    ],
)
def test_every_kind_of_table_is_read(tmp_path: Path, imported, said, name: str, content: object) -> None:
    imported(write(tmp_path / name, content), columns={"content": "text", "id": "id"})
    assert [one.content.split() for one in said()] == [["one", "two"], ["three"]]
    assert [one.idempotency_key for one in said()] == [
        f"table:{tmp_path.name}/{name}:{number}" for number in (1, 2)
    ]


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"content": "words"}, "there is no column 'words'; there are id, text"),
        ({"timestamp": "text"}, "which one is the content"),
        ({"content": "text", "colour": "id"}, "colour"),
        ({"content": ""}, "not blank"),
    ],
)
def test_wrong_columns_are_named(tmp_path: Path, imported, columns: Any, message: str) -> None:
    with pytest.raises(InvalidInputError, match=message):
        imported(write(tmp_path / "log.csv", "id,text\n1,one\n"), columns=columns)


def test_files_of_the_same_name_in_other_folders_do_not_mix(tmp_path: Path, imported, said) -> None:
    for folder in ("a", "b"):
        imported(
            write(tmp_path / folder / "log.csv", f"id,text\n1,{folder}\n"),
            columns={"content": "text", "id": "id"},
        )
        write(tmp_path / folder / "day.md", f"Note {folder}")
        imported(tmp_path / folder, format="markdown")
    assert [one.content for one in said()] == ["a", "Note a", "b", "Note b"]
    assert imported(tmp_path / "a" / "day.md").duplicate == 1


@pytest.fixture
def exported(memory: Memory, tmp_path: Path) -> Path:
    memory.add("I live in Bonn", user_id="bob", session_id="s")
    memory.export(tmp_path / "vault" / "mine", format="markdown")
    return tmp_path / "vault" / "mine"


@pytest.mark.parametrize("inside", [".", "bob", "bob/index.md", "bob/.recollect.jsonl"])
@pytest.mark.parametrize("named", [None, "markdown"])
def test_a_folder_that_recollect_exported_is_for_apply(
    exported: Path, imported, said, inside: str, named: str | None
) -> None:
    with pytest.raises(InvalidInputError, match="exported by Recollect as Markdown: recollect apply"):
        imported(exported / inside, format=named)
    assert said() == []


def test_so_is_an_archive_of_it(exported: Path, tmp_path: Path, imported) -> None:
    archive = shutil.make_archive(str(tmp_path / "mine"), "zip", exported)
    with pytest.raises(InvalidInputError, match="recollect apply"):
        imported(Path(archive))


def test_of_a_vault_with_such_pages_only_the_other_notes_are_read(exported: Path, imported, said) -> None:
    write(exported.parent / "Roses.md", NOTE)
    done = imported(exported.parent)
    assert (done.left_out["pages that Recollect exported"], done.notes) == (2, [])
    assert {one.metadata["note"] for one in said()} == {"Roses.md"}


def test_beside_another_export_they_are_left_out_just_as_well(exported: Path, imported) -> None:
    write(exported.parent / "conversations.json", [claude_conversation(claude_message(1, "human", "Hi"))])
    done = imported(exported.parent)
    assert (done.format, done.left_out, done.notes) == ("claude", {"pages that Recollect exported": 2}, [])


def test_an_export_as_lines_is_for_load(memory: Memory, tmp_path: Path, imported) -> None:
    memory.export(tmp_path / "mine.jsonl")
    with pytest.raises(InvalidInputError, match=r"is an export of Recollect: Memory\.load reads it"):
        imported(tmp_path / "mine.jsonl")


def test_an_id_that_stands_twice_is_named_and_its_first_row_is_kept(tmp_path: Path, imported, said) -> None:
    path = write(tmp_path / "log.csv", "id,text\n7,one\n7,two\n8,three\n")
    for counts in ("stored", "duplicate"):
        done = imported(path, columns={"content": "text", "id": "id"})
        assert done.counts[counts] == 2
        assert [(one.where, one.reason) for one in done.broken] == [
            ("log.csv, line 3", "'7' is the id of log.csv, line 2, too")
        ]
    assert [one.content for one in said()] == ["one", "three"]


@pytest.mark.parametrize(
    ("dates", "order", "expected"),
    [
        (["01.03.2026"], None, "2026-03-01 00:00"),
        (["1.3.26 9:05"], None, "2026-03-01 09:05"),
        (["03/04/2026 08:00", "13/04/2026 08:00"], None, "2026-04-03 08:00"),
        (["03/04/2026, 8:00 PM"], "mdy", "2026-03-04 20:00"),
        (["03/04/2026"], "dmy", "2026-04-03 00:00"),
        (["2026/03/01"], None, "2026-03-01 00:00"),
    ],
)
def test_dates_of_a_table_are_read_as_its_country_writes_them(
    tmp_path: Path, imported, said, *, dates: list[str], order: str | None, expected: str
) -> None:
    path = write(tmp_path / "log.csv", "date;text\n" + "".join(f"{one};Hi\n" for one in dates))
    imported(path, columns={"content": "text", "timestamp": "date"}, date_order=order)
    assert f"{said()[0].times.happened_at:%Y-%m-%d %H:%M}" == expected


def test_dates_of_a_table_whose_order_does_not_show_are_asked_for(tmp_path: Path, imported) -> None:
    path = write(tmp_path / "log.csv", "date;text\n3/4/2026;Hi\n")
    with pytest.raises(InvalidInputError, match="--date-order"):
        imported(path, columns={"content": "text", "timestamp": "date"})


def test_a_name_that_nobody_in_a_table_has_is_refused(tmp_path: Path, imported) -> None:
    columns = {"content": "text", "timestamp": "date", "name": "who", "session": "room"}
    with pytest.raises(UnclearFileError, match="nobody is called 'Adaa'"):
        imported(write(tmp_path / "log.csv", CSV), columns=columns, me="Adaa")
    with pytest.raises(InvalidInputError, match="no names are read from it: leave out me"):
        imported(write(tmp_path / "log.csv", CSV), columns={"content": "text"}, me="Ada")
