"""Gemini's activity from Google Takeout: ``My Activity.json``, the newest first, without conversations.

They are cut where nobody spoke for ``PAUSE``.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from recollect.ingest.sources.files import SourceFiles
from recollect.ingest.sources.html_text import words_of_html
from recollect.ingest.sources.json_records import records_of
from recollect.ingest.sources.source import Found, ImportSource, ReadOptions, Skipped, SourceItem
from recollect.ingest.sources.values import Talks, digest_of, elements, moment, objects, text

_PROMPTED: Final = ("Prompted ", "Asked ", "Said ")
"""How titles of prompts begin in English; other languages keep theirs, and are known by their answer."""


def _names(files: SourceFiles) -> list[str]:
    return [name for name in files.like(".json") if _is_ours(files.beginning(name))]


def _is_ours(start: bytes) -> bool:
    named = b'"Gemini' in start or b'"Bard' in start
    return start.lstrip()[:1] == b"[" and named and b'"header"' in start and b'"time"' in start


def _read(files: SourceFiles, names: Sequence[str], _: ReadOptions) -> Iterator[Found]:
    for name in names:
        pairs: list[tuple[SourceItem, ...]] = []
        for found in records_of(files, name, _activity):
            if isinstance(found, SourceItem):
                pairs.append((found,) if found.role == "user" else (*pairs.pop(), found))
            else:
                yield found
        yield from _in_order(pairs)


def _in_order(pairs: list[tuple[SourceItem, ...]]) -> Iterator[Found]:
    """Prompts with their answers, the oldest first, in conversations."""
    talks = Talks("talk", None)
    pairs.reverse()
    for pair in sorted(pairs, key=lambda one: one[0].at.timestamp() if one[0].at else 0.0):
        chat = talks.chat_at(pair[0].at)
        yield from (replace(item, chat=chat) for item in pair)


def _activity(_: str, value: Any, where: str) -> list[Found]:
    """A prompt and its answer."""
    title, at = text(value, "title"), moment(value["time"])
    prompt = next((title.removeprefix(one) for one in _PROMPTED if title.startswith(one)), None)
    answers = [words for one in objects(value, "safeHtmlItem") if (words := words_of_html(text(one, "html")))]
    products = [text(value, "header"), *map(str, elements(value, "products"))]
    if not any(one.startswith(("Gemini", "Bard")) for one in products):
        return [Skipped(reason="activities of other products")]
    if at is None or (prompt is None and not answers) or not (prompt or title):
        return [Skipped(reason="activities that are no prompts")]
    key = digest_of(value["time"], title)
    asked = SourceItem(id=f"{key}-prompt", content=prompt or title, where=where, role="user", at=at)
    found: list[Found] = [asked]
    if answers:
        found.append(replace(asked, id=f"{key}-answer", content=answers[-1], role="assistant"))
    if answers[1:]:
        found.append(Skipped(reason="answers that were made again", count=len(answers) - 1))
    return found


GEMINI: Final = ImportSource(name="gemini", title="Gemini activity", names=_names, read=_read)
