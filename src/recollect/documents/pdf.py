"""Text extraction from PDF files, with the extra ``pdf``."""

import io
import logging
from typing import Any, Final

from recollect.types.extras import optional_module

MAX_PAGES: Final = 5_000
"""Maximum pages of a PDF. Chosen by hand."""
_TITLE_CHARACTERS: Final = 200
_NO_TITLES: Final = frozenset(("", "untitled", "untitled document", "(anonymous)", "anonymous"))
"""Placeholder titles that programs write into a PDF, in lower case."""


def pdf_text(data: bytes) -> tuple[list[str], str | None]:
    """Extract the text of each page, and the title in the metadata.

    Raises:
        MissingExtraError: The extra is not installed.
        Exception: pypdf's error for a damaged file, or ``ValueError`` for a password or too many pages.
    """
    pypdf: Any = optional_module("pypdf", feature="reading a PDF", extra="pdf")
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # errors are in the file's result
    reader = pypdf.PdfReader(io.BytesIO(data))
    if reader.is_encrypted and not reader.decrypt(""):
        raise ValueError("it needs a password")
    if len(reader.pages) > MAX_PAGES:
        raise ValueError(f"it has {len(reader.pages):,} pages; the limit is {MAX_PAGES:,}")
    pages = [page.extract_text() or "" for page in reader.pages]
    title = reader.metadata.title if reader.metadata else None
    words = " ".join(str(title or "").split())[:_TITLE_CHARACTERS]
    return pages, None if words.casefold() in _NO_TITLES else words
