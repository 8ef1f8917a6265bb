"""The formats that can be imported, and which of them some files have."""

from typing import Final, NamedTuple

from recollect.checks import check_one_of
from recollect.errors import InvalidInputError
from recollect.ingest.sources.chatgpt import CHATGPT
from recollect.ingest.sources.claude import CLAUDE
from recollect.ingest.sources.discord import DISCORD
from recollect.ingest.sources.files import SourceFiles
from recollect.ingest.sources.gemini import GEMINI
from recollect.ingest.sources.langgraph import LANGGRAPH
from recollect.ingest.sources.letta import LETTA
from recollect.ingest.sources.markdown import MARKDOWN
from recollect.ingest.sources.mbox import MBOX
from recollect.ingest.sources.mem0 import MEM0
from recollect.ingest.sources.server_memory import SERVER_MEMORY
from recollect.ingest.sources.slack import SLACK
from recollect.ingest.sources.source import ImportSource
from recollect.ingest.sources.table import TABLE
from recollect.ingest.sources.telegram import TELEGRAM
from recollect.ingest.sources.whatsapp import WHATSAPP
from recollect.ingest.sources.zep import ZEP

DETECTED: Final = (
    CHATGPT, CLAUDE, SLACK, TELEGRAM, DISCORD, GEMINI, LETTA, LANGGRAPH, MBOX, WHATSAPP, SERVER_MEMORY, ZEP,
    MEM0, MARKDOWN,
)  # fmt: skip
"""In the order in which they are tried: the surest signs first."""
SOURCES: Final = (*DETECTED, TABLE)
FORMATS: Final = tuple(source.name for source in SOURCES)


class Detected(NamedTuple):
    """A format that some files have, and which of them."""

    source: ImportSource
    names: tuple[str, ...]


def detect(files: SourceFiles, *, name: str | None = None) -> list[Detected]:
    """The formats of some files, and which of them each reads; empty when none is known.

    Notes are taken where there is nothing else: exports have a page of Markdown beside them.

    Args:
        files: The files.
        name: Their format, where it is known.

    Raises:
        InvalidInputError: There is no such format, or the files are not of it.
    """
    if name is None:
        return _detected(files)
    source = SOURCES[FORMATS.index(check_one_of("format", name, FORMATS))]
    if names := source.names(files):
        return [Detected(source, tuple(names))]
    raise InvalidInputError(f"{files.title} holds nothing of the format {name}")


def _detected(files: SourceFiles) -> list[Detected]:
    parts: list[Detected] = []
    left = set(files.names)
    for source in DETECTED:
        names = () if parts and source is MARKDOWN else source.names(files)
        if own := tuple(name for name in names if name in left):
            parts.append(Detected(source, own))
            left.difference_update(own)
    return parts
