"""A long history, read in by the command: how long it takes, and what it holds in memory meanwhile."""

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from random import Random
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import Any, Final

from recollect import Memory
from recollect_bench.datasets import Dataset, Turn
from recollect_bench.provenance import provenance

MESSAGES: Final = 50_000
TURNS: Final = 20
"""Messages of a conversation."""
_BEGIN: Final = datetime(2023, 1, 1, tzinfo=UTC)
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+")

HOW: Final = (
    f"`recollect import` of a ChatGPT export into a new SQLite file, by itself on the machine. The messages "
    f"are the turns of a person and an assistant of the data sets, {TURNS} a conversation, gone through "
    "again with the sentences of each in another order until there are enough. CPU: of the command and all "
    "processes that it starts. Peak: the resident memory of all of them together, looked at four times a "
    "second, what they share counted once for each."
)


def run_importing(datasets: Sequence[Dataset], *, messages: int = MESSAGES) -> dict[str, Any]:
    """Import a small export and one of ``messages``; returns what the JSON file holds."""
    made = provenance()
    texts = [(turn.role, turn.text) for turn in assistant_turns(datasets)]
    return {
        "benchmark": "importing",
        "made": made,
        "how": HOW,
        "cores": len(os.sched_getaffinity(0)),
        "imports": [_imported(texts, size) for size in (messages // 10, messages)],
    }


def assistant_turns(datasets: Sequence[Dataset]) -> Iterator[Turn]:
    """The turns of all conversations of a person and an assistant."""
    for conversation in (one for dataset in datasets for one in dataset.conversations):
        if {turn.role for turn in conversation.turns} == {"user", "assistant"}:
            yield from conversation.turns


def _imported(texts: Sequence[tuple[str, str]], size: int) -> dict[str, object]:
    with TemporaryDirectory() as made:
        folder = Path(made)
        said = list(islice(_in_other_orders(texts), size))
        file = folder / "conversations.json"
        file.write_text(json.dumps(list(_conversations(said))))
        store = folder / "memory.db"
        recollect = str(Path(sys.executable).with_name("recollect"))
        command = [recollect, "import", str(file), "--db", str(store), "-u", "ada"]
        spent = _watched(command)
        with Memory(store) as memory:
            stored = memory.stats(user_id="ada").kinds["message"]
    assert stored == size
    length = fmean(len(text) for _, text in said)
    return {"messages": size, "characters": round(length), **spent}


def _in_other_orders(texts: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    random = Random(1)
    yield from texts
    while True:
        for role, text in texts:
            sentences = _SENTENCE.split(text)
            random.shuffle(sentences)
            yield role, " ".join(sentences)


def _conversations(said: Sequence[tuple[str, str]]) -> Iterator[Mapping[str, object]]:
    for number, first in enumerate(range(0, len(said), TURNS)):
        turns = said[first : first + TURNS]
        begin = (_BEGIN + timedelta(hours=7 * number)).timestamp()
        ids = [f"{number}-{place}" for place in range(len(turns))]
        nodes = {
            node: {
                "id": node,
                "parent": ids[place - 1] if place else None,
                "children": ids[place + 1 : place + 2],
                "message": {
                    "id": node,
                    "author": {"role": role},
                    "create_time": begin + 60 * place,
                    "content": {"content_type": "text", "parts": [text]},
                },
            }
            for place, (node, (role, text)) in enumerate(zip(ids, turns, strict=True))
        }
        yield {
            "conversation_id": str(number),
            "title": f"Conversation {number}",
            "create_time": begin,
            "update_time": begin + 60 * len(turns),
            "mapping": nodes,
            "current_node": ids[-1],
        }


def _watched(command: Sequence[str]) -> dict[str, float]:
    """Run a command in a session of its own; its times, and the most memory of its processes."""
    before, started = os.times(), time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, start_new_session=True)  # noqa: S603
    peak = 0
    while process.poll() is None:
        peak = max(peak, _resident(process.pid))
        time.sleep(0.25)
    spent, after = time.perf_counter() - started, os.times()
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    worked = sum(after[2:4]) - sum(before[2:4])
    return {"seconds": round(spent, 1), "cpu_seconds": round(worked, 1), "peak_mb": round(peak / 1e6, 1)}


def _resident(session: int) -> int:
    """The bytes of memory that the processes of a session hold; what ended meanwhile holds none."""
    held = 0
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if os.getsid(int(entry.name)) == session:
                held += int((entry / "statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        except (OSError, IndexError):
            continue
    return held
