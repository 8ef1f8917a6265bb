"""Markdown: notes, one or a folder of them, such as a vault of Obsidian; a memory for each section."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import PurePosixPath
from typing import Final, NamedTuple

from recollect.errors import InvalidInputError
from recollect.ingest.sources.files import SourceFiles, is_hidden
from recollect.ingest.sources.source import (
    BrokenRecord,
    Found,
    ImportSource,
    ReadOptions,
    Skipped,
    SourceChat,
    SourceItem,
)
from recollect.ingest.sources.values import Repeats, moment
from recollect.types.regex import lazy_regex

LIST: Final = ".recollect.jsonl"
"""The file that lists what Recollect wrote into a folder of Markdown."""
_EXPORTED: Final = (b"---\nrecollect: ", b'{"format": "recollect-markdown"')
_MAX_NOTE: Final = 1 << 24
"""Bytes of a note. Chosen by hand."""
_FRONT: Final = lazy_regex(
    r"\A---[ \t]*\n(?P<lines>.*?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE
)
_KEY: Final = lazy_regex(r"(?P<key>[\w -]{1,60}):[ \t]*(?P<value>.*)")
_HEADING: Final = lazy_regex(r"(?P<level>#{1,6})[ \t]+(?P<title>.+)")
_FENCE: Final = lazy_regex(r"[ \t]{0,3}(?:```|~~~)")
_EMBED: Final = lazy_regex(r"!\[\[[^\[\]\n]{0,500}\]\]")
_LINK: Final = lazy_regex(
    r"\[\[(?P<note>[^\[\]|#\n]{0,300})(?P<place>#[^\[\]|\n]{0,300})?(?:\|(?P<label>[^\[\]\n]{0,300}))?\]\]"
)
_TAG: Final = lazy_regex(r"(?<![\w/#&])#(?P<tag>[^\W\d][\w/-]{0,80})")
_DAY: Final = lazy_regex(r"(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)")
_TIMES: Final = ("created", "date", "created_at", "date created")
_MOST_LABELS: Final = 20


class _Section(NamedTuple):
    headings: tuple[str, ...]
    words: str


def _names(files: SourceFiles) -> list[str]:
    notes = files.ending(".md", ".markdown")
    return [name for name in notes if not (is_hidden(name) or _is_exported(files, name))]


def exported_pages(files: SourceFiles) -> list[str]:
    """Those of some files that Recollect wrote as a folder of Markdown, which ``apply`` reads back."""
    return [name for name in files.ending(".md", LIST) if _is_exported(files, name)]


def _is_exported(files: SourceFiles, name: str) -> bool:
    return files.beginning(name).replace(b"\r\n", b"\n").startswith(_EXPORTED)


def _read(files: SourceFiles, names: Sequence[str], options: ReadOptions) -> Iterator[Found]:
    hidden = [name for name in files.ending(".md") if is_hidden(name)]
    if hidden:
        yield Skipped(reason="notes in hidden folders and the trash", count=len(hidden))
    for name in names:
        try:
            note = files.read(name, most=_MAX_NOTE).decode("utf-8-sig").replace("\r\n", "\n")
        except InvalidInputError as error:
            yield BrokenRecord(where=name, reason=str(error))
        except UnicodeDecodeError:
            yield BrokenRecord(where=name, reason="it is not UTF-8 text")
        else:
            written = files.written_at(name, zone=options.timezone)
            for found in _sections_of(note, name, files.place(name), options):
                yield replace(found, written_at=written) if isinstance(found, SourceItem) else found


def _sections_of(note: str, name: str, place: str, options: ReadOptions) -> Iterator[Found]:
    front, body = _front_of(note)
    at = _time_of(front, name, options)
    stem = PurePosixPath(name).stem
    chat = SourceChat(id=place, title=(front.get("title") or [stem])[0], started_at=at)
    repeats = Repeats()
    empty = True
    for section in _cut(body):
        words = _EMBED.sub("", section.words)
        plain = _LINK.sub(_link_text, words).strip()
        if not plain:
            continue
        empty = False
        notes = [found["note"].strip() for found in _LINK.finditer(words)]
        tags = [*front.get("tags", []), *(found["tag"] for found in _TAG.finditer(words))]
        yield SourceItem(
            id=f"{place}#{repeats.id_of(*section.headings)}",
            content="\n".join([*section.headings[-1:], plain]),
            where=f"{name}, {section.headings[-1]}" if section.headings else name,
            chat=chat,
            at=at,
            concepts=tuple(dict.fromkeys(filter(None, notes)))[:_MOST_LABELS],
            tags=tuple(dict.fromkeys(one.lstrip("#") for one in tags if one.strip("#")))[:_MOST_LABELS],
            metadata={"note": name},
        )
    if empty:
        yield Skipped(reason="notes without words")


def _front_of(note: str) -> tuple[dict[str, list[str]], str]:
    """The properties at the beginning of a note, each a list of texts, and what follows them."""
    found = _FRONT.match(note)
    if found is None:
        return {}, note
    front: dict[str, list[str]] = {}
    key = ""
    for line in found["lines"].splitlines():
        if line.lstrip().startswith("- ") and key:
            front[key].append(_unquoted(line.lstrip()[2:]))
        elif named := _KEY.fullmatch(line):
            key = named["key"].strip().lower()
            value = named["value"].strip()
            parts = value[1:-1].split(",") if value[:1] == "[" and value[-1:] == "]" else [value]
            front[key] = [one for one in map(_unquoted, parts) if one]
    return front, note[found.end() :]


def _unquoted(value: str) -> str:
    return value.strip().strip("\"'").strip()


def _time_of(front: dict[str, list[str]], name: str, options: ReadOptions) -> datetime | None:
    """When a note was written: as it says, or by the day in its name."""
    told = [value for key in _TIMES for value in front.get(key, [])]
    days = _DAY.findall(PurePosixPath(name).stem)
    return next((at for one in [*told, *days] if (at := moment(one, zone=options.timezone))), None)


def _link_text(found: re.Match[str]) -> str:
    return found["label"] or found["note"] or (found["place"] or "").lstrip("#")


def _cut(body: str) -> Iterator[_Section]:
    """The sections of a note: its words up to each heading, outside of code."""
    headings: dict[int, str] = {}
    lines: list[str] = []
    fenced = False
    for line in body.splitlines():
        if _FENCE.match(line):
            fenced = not fenced
        found = None if fenced else _HEADING.fullmatch(line.rstrip())
        if found is None:
            lines.append(line)
            continue
        yield _Section(tuple(headings.values()), "\n".join(lines))
        level = len(found["level"])
        headings = {one: title for one, title in headings.items() if one < level}
        headings[level] = found["title"].rstrip("# ").strip()
        lines = []
    yield _Section(tuple(headings.values()), "\n".join(lines))


MARKDOWN: Final = ImportSource(name="markdown", title="Markdown notes", names=_names, read=_read)
