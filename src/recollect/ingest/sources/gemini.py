"""Gemini's activity from Google Takeout: a list as JSON, or a page, the newest first, without conversations.

Conversations are cut where nobody spoke for ``PAUSE``. Pages tell times to the second, so this is as far as
JSON is read, too: what is imported from one is known in the other.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from recollect.errors import InvalidInputError
from recollect.ingest.sources.files import SourceFiles
from recollect.ingest.sources.gemini_html import HtmlActivity, html_activities, is_gemini_page
from recollect.ingest.sources.html_text import words_of_html
from recollect.ingest.sources.json_records import records_of
from recollect.ingest.sources.source import (
    BrokenRecord,
    Found,
    ImportSource,
    ReadOptions,
    Skipped,
    SourceItem,
)
from recollect.ingest.sources.takeout_dates import moment_of, order_of
from recollect.ingest.sources.values import Talks, digest_of, elements, moment, objects, text
from recollect.types.regex import lazy_regex

_PROMPTED: Final = lazy_regex(r"(?:Prompted|Asked|Said|Gav instruktionen|送信したメッセージ:)\s")
"""How titles of prompts begin, where known; in other languages they are known by their answer, and whole."""
_LISTED: Final = re.compile(rb'"(?:header|products)"\s*:\s*\[?\s*"[^"]{0,60}(?:Gemini|Bard)')
_PAGES: Final = (".html", ".htm")
_OURS: Final = ("Gemini", "Bard")


def _names(files: SourceFiles) -> list[str]:
    lists = [name for name in files.like(".json") if _is_ours(files.beginning(name))]
    return [*lists, *(name for name in files.like(*_PAGES) if is_gemini_page(files, name))]


def _is_ours(start: bytes) -> bool:
    return start.lstrip()[:1] == b"[" and b'"time"' in start and _LISTED.search(start) is not None


def _read(files: SourceFiles, names: Sequence[str], options: ReadOptions) -> Iterator[Found]:
    for name in names:
        is_page = files.beginning(name).lstrip()[:1] == b"<"
        read = _page(files, name, options) if is_page else records_of(files, name, _record)
        pairs: list[tuple[SourceItem, ...]] = []
        for found in read:
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


def _record(_: str, value: Any, where: str) -> list[Found]:
    """An activity of a list."""
    answers = [words for one in objects(value, "safeHtmlItem") if (words := words_of_html(text(one, "html")))]
    products = [text(value, "header"), *map(str, elements(value, "products"))]
    if not any(word in one for one in products for word in _OURS):
        return [Skipped(reason="activities of other products")]
    return _pair(text(value, "title"), moment(value["time"]), answers, where)


def _page(files: SourceFiles, name: str, options: ReadOptions) -> Iterator[Found]:
    """The activities of a page."""
    try:
        activities = list(html_activities(files, name))
    except InvalidInputError as error:
        yield BrokenRecord(where=name, reason=str(error), is_end=True)
        return
    ours = [one for one in activities if any(word in one.product for word in _OURS)]
    order = order_of((one.stamp for one in reversed(ours) if one.stamp), name, options)
    if others := len(activities) - len(ours):
        yield Skipped(reason="activities of other products", count=others)
    for one in ours:
        at = moment_of(one.stamp, name, order=order, options=options) if one.stamp else None
        yield from (
            [_undated(one)]
            if at is None
            else _pair(one.title, at, [one.answer][: bool(one.answer)], one.where)
        )
        if one.attached:
            yield Skipped(reason="attachments", count=one.attached)


def _undated(activity: HtmlActivity) -> BrokenRecord:
    why = (
        f"its time {activity.stamp.text!r} cannot be read"
        if activity.stamp
        else "it has no time that can be read"
    )
    return BrokenRecord(where=activity.where, reason=f"{why}; ask Takeout for JSON")


def _pair(title: str, at: datetime | None, answers: list[str], where: str) -> list[Found]:
    """A prompt and its answer."""
    prefix = _PROMPTED.match(title)
    prompt = title[prefix.end() :] if prefix else title
    if at is None or (prefix is None and not answers) or not prompt.strip():
        return [Skipped(reason="activities without a prompt")]
    at = at.replace(microsecond=0)
    key = digest_of(int(at.timestamp()), " ".join(title.split()))
    asked = SourceItem(id=f"{key}-prompt", content=prompt, where=where, role="user", at=at)
    found: list[Found] = [asked]
    if answers:
        found.append(replace(asked, id=f"{key}-answer", content=answers[-1], role="assistant"))
    if answers[1:]:
        found.append(Skipped(reason="repeated answers", count=len(answers) - 1))
    return found


GEMINI: Final = ImportSource(name="gemini", title="Gemini activity", names=_names, read=_read)
