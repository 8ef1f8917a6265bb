"""Read Markdown, plain text, HTML and PDF files as text."""

import io
import logging
import os
import re
import stat
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, Literal

from recollect.documents.html import html_text
from recollect.errors import InvalidInputError, MissingExtraError, as_given
from recollect.types.characters import without_controls
from recollect.types.extras import optional_module
from recollect.types.regex import lazy_regex

MAX_PAGES: Final = 5_000
"""Maximum pages of a PDF. Chosen by hand."""
_NO_TITLES: Final = frozenset(("", "untitled", "untitled document", "(anonymous)", "anonymous"))
"""Placeholder titles that programs write into a PDF, in lower case."""

Format = Literal["markdown", "text", "html", "pdf"]
"""The format of a document."""

FORMATS: Final[dict[str, Format]] = {
    ".md": "markdown", ".markdown": "markdown", ".mdown": "markdown",
    ".txt": "text", ".text": "text", ".rst": "text", ".org": "text", ".adoc": "text",
    ".html": "html", ".htm": "html", ".xhtml": "html",
    ".pdf": "pdf",
}  # fmt: skip
"""The format of each file extension."""
MAX_BYTES: Final = 32 << 20
"""Maximum bytes of a file. Chosen by hand: a long book is one megabyte of text."""
MAX_CHARACTERS: Final = 10_000_000
"""Maximum characters of a document's text, about ten long books. Chosen by hand."""
ENCODING: Final = "utf-8"

_BOMS: Final = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
_CHARSET: Final = re.compile(rb"<meta[^>]{0,200}charset\s*=\s*[\"']?\s*([\w.:-]{2,40})", re.IGNORECASE)
_SEEN: Final = 2_048
"""Bytes searched for a charset declaration."""
_HALVES: Final = lazy_regex("[\ud800-\udfff]")
_TITLE: Final = lazy_regex(r"^ {0,3}# +(.+?)[ #]*$", re.MULTILINE)
_TITLE_CHARACTERS: Final = 200
_OPEN: Final = os.O_RDONLY | sum(
    getattr(os, flag, 0)
    for flag in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY")  # not everywhere
)


class UnreadableError(Exception):
    """A file cannot be read as a document; the message says why and becomes the file's result."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """The text of a document.

    Attributes:
        format: The original format.
        title: The document's own title, or None.
        pages: The offset in characters at which each page begins; empty without pages.
    """

    text: str
    format: Format
    title: str | None = None
    pages: tuple[int, ...] = ()


def format_of(path: Path) -> Format | None:
    """Return the format of a file by its extension; None if it is not a document."""
    return FORMATS.get(path.suffix.lower())


def digest(data: bytes) -> str:
    """Return a digest of a document's bytes."""
    return blake2b(data, digest_size=16).hexdigest()


def check_path_name(path: Path) -> None:
    """Check that a path can be stored as text.

    Raises:
        UnreadableError: The path is not valid UTF-8.
    """
    try:
        str(path).encode()
    except UnicodeEncodeError:
        raise UnreadableError("its path is not UTF-8; rename it") from None


def check_size(size: int) -> None:
    """Check the bytes of a file.

    Raises:
        UnreadableError: They are more than ``MAX_BYTES``.
    """
    if size > MAX_BYTES:
        raise UnreadableError(f"it has {size:,} bytes; the limit is {MAX_BYTES:,}")


def read_bytes(path: Path) -> tuple[bytes, float]:
    """Read a file; return its bytes and its modification time in seconds since 1970.

    Symbolic links are not followed, and pipes and devices never block.

    Raises:
        UnreadableError: It is not a regular file, too large, or not readable.
    """
    try:
        handle = os.open(path, _OPEN)
        with os.fdopen(handle, "rb") as file:
            told = os.fstat(handle)
            if not stat.S_ISREG(told.st_mode):
                raise UnreadableError("it is not a file")
            check_size(told.st_size)
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise UnreadableError(f"it cannot be read: {error.strerror or error}") from None
    if len(data) > MAX_BYTES:
        raise UnreadableError(f"it has more than {MAX_BYTES:,} bytes, the limit")
    return data, told.st_mtime


def read_text(data: bytes, kind: Format, *, encoding: str = ENCODING) -> Text:
    """Extract the text from a file's bytes; ``encoding`` is for a text that declares none.

    Raises:
        UnreadableError: The bytes do not have this format, or contain no text.
    """
    try:
        read = _read(data, kind, encoding)
    except MissingExtraError as error:
        raise UnreadableError(str(error)) from None
    return _storable(read)


def at_hand(text: str, kind: Format) -> Text:
    """Read a text given as a string, with the size limits of a file.

    Raises:
        UnreadableError: It is too large, or contains no text.
    """
    if len(text) > MAX_BYTES or len(text.encode()) > MAX_BYTES:
        raise UnreadableError(f"it has more than {MAX_BYTES:,} bytes, the limit")
    return _storable(_of_text(text, kind))


def _storable(read: Text) -> Text:
    if len(read.text) > MAX_CHARACTERS:
        raise UnreadableError(f"its text has {len(read.text):,} characters; the limit is {MAX_CHARACTERS:,}")
    if not read.text.strip():
        scanned = "; a scan needs its text recognised first" if read.format == "pdf" else ""
        raise UnreadableError(f"there is no text in it{scanned}")
    return read


def _of_text(text: str, kind: Format) -> Text:
    if kind == "html":
        words, title = html_text(_clean(text))
        return Text(text=_clean(words), format=kind, title=(title and _clean(title).strip()) or None)
    clean = _clean(text)
    return Text(text=clean, format=kind, title=_heading(clean) if kind == "markdown" else None)


def _read(data: bytes, kind: Format, encoding: str) -> Text:
    if kind == "pdf":
        if b"%PDF-" not in data[:1024]:
            raise UnreadableError("it is not a PDF, though its name says so")
        try:
            pages, title = pdf_text(data)
        except MissingExtraError:
            raise
        except Exception as error:  # noqa: BLE001 - a damaged file raises anything; it is this file's result
            raise UnreadableError(f"it cannot be read as PDF: {type(error).__name__}: {error}") from None
        return _paged([_clean(page) for page in pages], title)
    return _of_text(_decoded(data, kind, encoding), kind)


def _paged(pages: list[str], title: str | None) -> Text:
    starts, at = [], 0
    for page in pages:
        starts.append(at)
        at += len(page) + 2
    return Text(text="\n\n".join(pages), format="pdf", title=title, pages=tuple(starts))


def _decoded(data: bytes, kind: Format, encoding: str) -> str:
    named = next((name for mark, name in _BOMS if data.startswith(mark)), None)
    if named is None and b"\0" in data:
        raise UnreadableError("it is binary, not text")
    if named is None and kind == "html" and (meta := _CHARSET.search(data[:_SEEN])):
        named = meta.group(1).decode("ascii")
    try:
        return data.decode(named or encoding)
    except LookupError:
        raise UnreadableError(
            f"it says that it is encoded as {as_given(named or encoding)}, which is unknown"
        ) from None
    except UnicodeError as error:  # not of every codec a UnicodeDecodeError
        where = f": byte {error.start:,} is no character" if isinstance(error, UnicodeDecodeError) else ""
        raise UnreadableError(
            f"it is not {named or encoding}{where}; name its encoding, or convert it to UTF-8"
        ) from None


def check_encoding(encoding: str) -> str:
    """Check the name of an encoding."""
    try:
        b"".decode(encoding)
        "".encode(encoding)
    except (LookupError, TypeError, ValueError):
        raise InvalidInputError(
            f"encoding {as_given(encoding)} is unknown; give one such as utf-8 or latin-1"
        ) from None
    return encoding


def _clean(text: str) -> str:
    """Normalise line breaks, and remove surrogates and control characters."""
    return without_controls(_HALVES.sub("", text.replace("\r\n", "\n")))


def _heading(text: str) -> str | None:
    found = _TITLE.search(text)
    return found.group(1).strip()[:_TITLE_CHARACTERS] or None if found else None


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
