"""Rows of hostile characters through every function that reads text: it costs what its length costs."""

import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any, Final

from benchmarks.torture.figures import Figures, Ground
from recollect import Memory
from recollect.documents.html import html_text
from recollect.errors import InvalidInputError
from recollect.learning.extraction.extract import extract_new
from recollect.learning.extraction.facts import Turn
from recollect.text.analyse import words
from recollect.text.blocks import blocks_of
from recollect.text.chunks import chunks_of
from recollect.text.context_type import detect_context_type
from recollect.text.dates import find_dates
from recollect.text.entities import find_entities
from recollect.text.memory_questions import read_memory_question
from recollect.text.parameters import find_parameters
from recollect.text.pii.find import find_pii
from recollect.text.priority import find_priority
from recollect.text.quoting import indented, quoted, reads_like_an_instruction
from recollect.text.secrets import mask_secrets
from recollect.text.summary import summarise
from recollect.text.tokens import estimate_tokens
from recollect.text.traits import is_bare_question, traits_of, wish_of

_PIECES: Final = (
    *".?!…,;:-\u2013—_*#|/\\'\"“”\u2018\u2019«»„()[]{}<>@&=+%$€\t\n \u00a0\u2028", "\r\n", "a", "A", "é",
    "你", "1", "½", "😀", "\u0301", "\u00ad", "\u200d", "\u2800", "<a b='", "</", "<!--", "&#", "```",
    "http://", "www.", "a@b.", "+49 ", "12 May ", "my ", "I live in ", "my pin is ", "not ", "who ", ", and ",
    "'s ", "Dr. ", "3/4/", "- ", "1. ", "|-",
)  # fmt: skip
_SHORT: Final = 5_000
_TIMES: Final = 8
_MOST: Final = 3 * _TIMES
"""A text eight times as long may take so many times as long; the square would be 64. Chosen by hand."""
_TOO_SHORT_S: Final = 0.2
"""What takes less is not measured: other work on the machine would be. Chosen by hand."""
_ROWS: Final = 4
_IMPORTED: Final = {
    "whatsapp": ("chat.txt", "[12.05.24, 10:30:00] Ada: {}\n"),
    "mbox": ("mail.mbox", "From ada Mon May 12 10:30:00 2024\nFrom: ada@x.org\nSubject: {}\n\n{}\n"),
    "markdown": ("note.md", "# Notes\n\n{}\n"),
    "csv": ("rows.csv", 'content,name\n"{}",Ada\n'),
}
"""Files that another program could have made, with a text in them."""
_SAID_AT: Final = datetime(2024, 5, 15, 10, 30, tzinfo=UTC)


def _learned(text: str) -> object:
    return extract_new([Turn(text=text[:19_000], role="user", id="1")], known=0)


def _summarised(text: str) -> object:
    return summarise(text, [])


def _dates(text: str) -> object:
    return find_dates(text, now=_SAID_AT)


_READERS: Final[tuple[Callable[[str], object], ...]] = (
    words, blocks_of, chunks_of, detect_context_type, estimate_tokens, find_entities, find_parameters,
    find_pii, find_priority, html_text, indented, is_bare_question, mask_secrets, quoted,
    read_memory_question, reads_like_an_instruction, traits_of, wish_of, _dates, _learned, _summarised,
)  # fmt: skip


def hostile_rows(ground: Ground, chance: Random) -> Figures:
    """Repeat one to three pieces, and compare what each reader takes of a text and of eight times as much."""
    figures = Figures(name="hostile texts")
    with Memory(ground.new_store(), embedder="hashing") as memory:
        readers = {one.__name__.strip("_"): one for one in _READERS}
        readers["add"] = lambda text: memory.add(text, user_id="ada")
        readers["search"] = lambda text: memory.search(text[:16_000], user_id="ada")
        readers |= {f"import of {name}": _importer(memory, ground.folder, name) for name in _IMPORTED}
        for _ in range(_ROWS):
            unit = "".join(chance.choices(_PIECES, k=chance.randint(1, 3)))
            for name, read in readers.items():
                short, long = (_seconds(read, _row(unit, size)) for size in (_SHORT, _TIMES * _SHORT))
                figures.counts["texts read"] += 2
                is_linear = long < _TOO_SHORT_S or long < _MOST * short
                figures.check(is_linear, f"{name} of rows of {unit!r}: {short:.3f} s, then {long:.3f} s")
    return figures


def _importer(memory: Memory, folder: Path, name: str) -> Callable[[str], object]:
    """What reads a text in a file of another program."""
    file, shape = _IMPORTED[name]

    def read(text: str) -> None:
        (folder / file).write_text(shape.replace("{}", text), encoding="utf-8")
        with suppress(InvalidInputError):  # a format that this text breaks
            memory.import_file(folder / file, user_id="eve", format=name, me="Ada", dry_run=True)

    return read


def _row(unit: str, size: int) -> str:
    return f"Tea is hot. {unit * (size // len(unit))} in Rome"


def _seconds(read: Callable[[str], Any], text: str) -> float:
    """The processor's seconds: what other programs take does not count."""
    started = time.thread_time()
    found = read(text)
    if isinstance(found, Iterator):
        deque(found, maxlen=0)
    return time.thread_time() - started
