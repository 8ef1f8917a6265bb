"""The formats that can be imported, and which of them some files have."""

from typing import Final

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


def detect(files: SourceFiles, *, name: str | None = None) -> tuple[ImportSource, tuple[str, ...]] | None:
    """The format of some files, and which of them it reads; None when none is known.

    Args:
        files: The files.
        name: Their format, where it is known.

    Raises:
        InvalidInputError: There is no such format, or the files are not of it.
    """
    if name is None:
        tried = ((source, source.names(files)) for source in DETECTED)
        return next(((source, tuple(names)) for source, names in tried if names), None)
    source = SOURCES[FORMATS.index(check_one_of("format", name, FORMATS))]
    if names := source.names(files):
        return source, tuple(names)
    raise InvalidInputError(f"{files.title} has no file of a {source.title}")
