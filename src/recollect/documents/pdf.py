"""The words of a PDF, page by page; the extra ``pdf``."""

import io
import logging
from typing import Any, Final

from recollect.types.extras import optional_module

MAX_PAGES: Final = 5_000
"""Pages of a PDF that are read. Chosen by hand."""
_TITLE_CHARACTERS: Final = 200
_NO_TITLES: Final = frozenset(("", "untitled", "untitled document", "(anonymous)", "anonymous"))
"""Titles, in lower case, that programs write into a PDF that has none."""


def pdf_text(data: bytes) -> tuple[list[str], str | None]:
    """The words of each page, and the title that the file gives itself.

    Raises:
        MissingExtraError: The extra is not installed.
        Exception: Whatever pypdf raises for what is damaged or needs a password.
    """
    pypdf: Any = optional_module("pypdf", feature="reading a PDF", extra="pdf")
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # what is wrong with a file is said in its result
    reader = pypdf.PdfReader(io.BytesIO(data))
    if reader.is_encrypted and not reader.decrypt(""):
        raise ValueError("it needs a password")
    if len(reader.pages) > MAX_PAGES:
        raise ValueError(f"it has {len(reader.pages):,} pages; {MAX_PAGES:,} is the most")
    pages = [page.extract_text() or "" for page in reader.pages]
    title = reader.metadata.title if reader.metadata else None
    words = " ".join(str(title or "").split())[:_TITLE_CHARACTERS]
    return pages, None if words.casefold() in _NO_TITLES else words
