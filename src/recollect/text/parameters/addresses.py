"""E-mail addresses, URLs and paths of files."""

import re
from collections.abc import Iterator
from typing import Final

from recollect.text.parameters.places import plain
from recollect.types import Parameter
from recollect.types.regex import lazy_regex


def addresses(text: str) -> Iterator[Parameter]:
    """E-mail addresses, URLs and paths."""
    if "@" in text:
        yield from (plain("email", text, *match.span()) for match in _EMAIL.finditer(text))
    if "://" in text or "www." in text:
        yield from _urls(text)
    if "/" in text or "\\" in text:
        yield from _paths(text)
    if _FILE_ENDING.search(text):
        yield from (plain("path", text, *match.span()) for match in _FILE.finditer(text))


def _urls(text: str) -> Iterator[Parameter]:
    for match in _URL.finditer(text):
        start, end = match.start(), _trimmed(text, *match.span())
        if end > match.end(1):
            yield plain("url", text, start, end)


def _trimmed(text: str, start: int, end: int) -> int:
    """Where an address ends without the sentence's punctuation; brackets it opened itself stay closed."""
    while end > start:
        last = text[end - 1]
        opening = _BRACKETS.get(last)
        if last not in _TRAILING and (opening is None or _is_closed(text[start:end], opening, last)):
            break
        end -= 1
    return end


def _is_closed(url: str, opening: str, closing: str) -> bool:
    return url.count(opening) >= url.count(closing)


def _paths(text: str) -> Iterator[Parameter]:
    for match in _PATH.finditer(text):
        start = match.start()
        end = start + len(match.group().rstrip(_TRAILING))
        if match.lastgroup != "unix" or _is_unix_path(text[start:end]):
            yield plain("path", text, start, end)


def _is_unix_path(path: str) -> bool:
    """Whether it is no command ("/start"), fraction ("/10") or name of a forum ("/r/python")."""
    parts = path.split("/")
    if path[0] in "~.":
        return len(path) > len(parts[0]) + 1
    names = [part for part in parts if part]
    if not names or path.startswith(("/r/", "/u/")) or not any(c.isalpha() for c in path):
        return False
    return len(names) > 1 or names[0] in _ROOTS or _ENDING.search(names[0]) is not None


_EMAIL: Final = lazy_regex(
    r"(?<![\w.+%-])[\w%+-](?:[\w.%+-]{0,62}[\w%+-])?@(?:[^\W_](?:[^\W_]|-(?=[\w-])){0,62}\.){1,8}[^\W\d_]{2,24}"
    r"(?![\w-]|:\S|\.\w)"
)
"""Not all of RFC 5322: no quoted names, no comments, no bare hosts. "git@host:path" is an address of git."""
_URL: Final = lazy_regex(
    r"(?<![A-Za-z0-9_@.-])((?:https?|ftp)://|www\.)(?=[\w\[])"
    r"[^\s<>\"`{}|\\^\u201c\u201d\u00ab\u00bb\u3000-\u303f\uff00-\uff65]{1,2048}",
    re.IGNORECASE,
)
_TRAILING: Final = ".,;:!?'*_~\u2019\u2026"
_BRACKETS: Final = {")": "(", "]": "["}
_ENDINGS: Final = (
    "bash|bat|bmp|cfg|conf|cpp|css|csv|docx?|env|epub|exe|flac|gif|go|gz|h5|heic|html?|ini|ipynb|jpe?g|jsonl?"
    "|jsx|key|lock|log|md|mkv|mov|mp3|mp4|odt|parquet|pdf|pem|php|png|pptx?|py|rar|rb|rst|rtf|sh|sql|sqlite|svg|tar"
    "|toml|tsv|tsx|txt|wav|webm|webp|xlsx?|xml|ya?ml|zip"
)
"""Endings of files that are no ends of host names or products ("Node.js")."""
_ENDING: Final = lazy_regex(rf"\w\.(?:{_ENDINGS}|[a-z]{{1,4}})$", re.IGNORECASE)
_ROOTS: Final = frozenset(
    """
    Applications Users Volumes bin boot dev etc home lib media mnt opt proc root run sbin srv sys tmp
    usr var
    """.split()  # noqa: SIM905 - words read better than many strings
)
_PATH: Final = lazy_regex(
    r"(?P<windows>(?<!\w)[A-Za-z]:[\\/](?![\\/])"
    r"(?:[^\\/:*?\"<>|\s]+(?: [^\\/:*?\"<>|\s]+){0,3}[\\/])*[^\\/:*?\"<>|\s]*)"
    r"|(?P<server>(?<![\w\\])\\\\[\w.-]+(?:\\[\w.$-]+)+\\?)"
    r"|(?P<unix>(?<![\w/\\:.~@)\]<>}*+%-])(?:~|\.\.?)?(?:/[\w.@+%=-]+)+/?)"
)
_FILE: Final = lazy_regex(rf"(?<![\w/\\:.@~-])[\w-][\w.-]*(?:/[\w.-]+)*\.(?:{_ENDINGS})(?![\w/@-]|\.\w)")
_FILE_ENDING: Final = lazy_regex(rf"\.(?:{_ENDINGS})(?!\w)")
