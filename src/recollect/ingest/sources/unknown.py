"""What to do with files in which nothing is found that can be imported."""

from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from typing import Final

from recollect.errors import InvalidInputError, UnclearFileError
from recollect.ingest.message_files import is_export
from recollect.ingest.sources.files import SourceFiles
from recollect.ingest.sources.formats import FORMATS
from recollect.ingest.sources.table import columns_of

_UTF_16: Final = "UTF-16 text; save it as UTF-8"
_ARCHIVES: Final = (".zip", ".gz", ".tgz", ".tar", ".7z", ".rar")
_SHOWN: Final = 3
"""Files whose faults an error names. Chosen by hand."""


def unknown(files: SourceFiles) -> InvalidInputError:
    """The error of such files: what is wrong with them, or an ``UnclearFileError`` for what they may be.

    That asks for ``columns`` where there is a table, else for ``format``.
    """
    if fault := _fault_of(files):
        return InvalidInputError(f"{files.title} is nothing that can be imported: {fault}")
    tables = files.ending(".csv", ".tsv")
    refused = f"; {_refused_in(files)}" if files.refused else ""
    return UnclearFileError(
        f"{files.title} is nothing that can be imported{refused}; known are {', '.join(FORMATS)}: "
        f"{_advice_on(files)}",
        option="columns" if tables else "format",
        choices=columns_of(files, tables) if tables else FORMATS,
    )


def _fault_of(files: SourceFiles) -> str | None:
    """What keeps files from being read."""
    foreign = [f"{name} is {_UTF_16}" for name in files.names if _is_utf_16(files, name)]
    if unread := [*files.unreadable.values(), *foreign]:
        return "; ".join(unread[:_SHOWN])
    if files.names:
        return None
    return _refused_in(files) if files.refused else "there are no files in it"


def _refused_in(files: SourceFiles) -> str:
    refused = [f"{name} ({why})" for name, why in files.refused.items()]
    return f"not read are {', '.join(refused[:_SHOWN])}"


def _advice_on(files: SourceFiles) -> str:
    """What to do instead."""
    if any(is_export(_first_line(files, name)) for name in files.ending(".jsonl", ".json")):
        return "an export of Recollect is read alone: give the file itself, in Python to Memory.load"
    if files.ending(".html", ".htm"):
        return "export JSON instead of pages of HTML"
    if files.ending(*_ARCHIVES):
        return "unpack the archives in it"
    if _is_table(files):
        return "of a table name the columns, as columns (--columns content=text,timestamp=date)"
    return "name what it is as format (--format NAME)"


def why_not(files: SourceFiles, name: str) -> str:
    """Why a file beside others is not read, and how it can be."""
    ending = name.lower()
    if name in files.unreadable:
        return files.unreadable[name].removeprefix(f"{name} ")
    if _is_utf_16(files, name):
        return _UTF_16
    if is_export(_first_line(files, name)):
        return "exports of Recollect; import each alone"
    if ending.endswith((".html", ".htm")):
        return "pages of HTML; export JSON instead"
    if ending.endswith((".csv", ".tsv")):
        return "tables; import each alone with its columns (--columns content=text,timestamp=date)"
    if ending.endswith((".md", ".markdown")):
        return "notes; import them as the format markdown (--format markdown)"
    if ending.endswith(".zip"):
        return "archives that cannot be opened"
    if ending.endswith(_ARCHIVES):
        return "archives; unpack them"
    return "in no known format"


def _is_utf_16(files: SourceFiles, name: str) -> bool:
    """Whether a file is text that only tables may be."""
    is_marked = files.beginning(name).startswith((BOM_UTF16_LE, BOM_UTF16_BE))
    return is_marked and not name.lower().endswith((".csv", ".tsv"))


def _first_line(files: SourceFiles, name: str) -> str:
    return files.beginning(name).partition(b"\n")[0].decode(errors="replace")


def _is_table(files: SourceFiles) -> bool:
    """Whether there is a table, or the only file begins like one."""
    only = _first_line(files, files.names[0]) if len(files.names) == 1 else ""
    looks_so = "\0" not in only and any(mark in only for mark in ",;\t")
    return looks_so or bool(files.ending(".csv", ".tsv"))
