"""What to do with files in which nothing is found that can be imported."""

from recollect.errors import UnclearFileError
from recollect.ingest.message_files import is_export
from recollect.ingest.sources.files import SourceFiles
from recollect.ingest.sources.formats import FORMATS
from recollect.ingest.sources.table import columns_of


def unknown(files: SourceFiles) -> UnclearFileError:
    """The error of such files: what the option ``columns`` of a table may be, else ``format``."""
    tables = files.ending(".csv", ".tsv")
    return UnclearFileError(
        f"{files.title} is nothing that can be imported; known are {', '.join(FORMATS)}: {_advice_on(files)}",
        option="columns" if tables else "format",
        choices=columns_of(files, tables) if tables else FORMATS,
    )


def _advice_on(files: SourceFiles) -> str:
    """What to do instead."""
    if not files.names:
        return "there are no files in it"
    if any(is_export(_first_line(files, name)) for name in files.ending(".jsonl", ".json")):
        return "an export of Recollect is read alone: give the file itself, in Python to Memory.load"
    if files.ending(".html", ".htm"):
        return "export JSON instead of pages of HTML"
    if files.ending(".zip"):
        return "unpack the archives in it"
    if _is_table(files):
        return "of a table name the columns, as columns (--columns content=text,timestamp=date)"
    return "name what it is as format (--format NAME)"


def why_not(files: SourceFiles, name: str) -> str:
    """Why a file beside others is not read, and how it can be."""
    ending = name.lower()
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
    return "in no known format"


def _first_line(files: SourceFiles, name: str) -> str:
    return files.beginning(name).partition(b"\n")[0].decode(errors="replace")


def _is_table(files: SourceFiles) -> bool:
    """Whether there is a table, or the only file begins like one."""
    only = _first_line(files, files.names[0]) if len(files.names) == 1 else ""
    return bool(files.ending(".csv", ".tsv")) or any(mark in only for mark in ",;\t")
