"""What a process does that is killed while it learns, and a model that never words a fact twice the same."""

import itertools
import json
import os
import re
from datetime import UTC, datetime, timedelta

from recollect import Memory
from recollect.models import ChatMessage, Completion, ModelRouter, Usage
from recollect.stores.reference.store import InMemoryStore

BEGINS = datetime(2026, 1, 1, tzinfo=UTC)
_NEW_TURN = re.compile(r"\[\d+\] user: (.*)")
_WORDINGS = (
    "User really likes {}",
    "User likes {}",
    "User really likes {} very much",
    "User likes {} very much",
)


class Wordy:
    """Finds what the user likes, each time in other words: after another process, too."""

    name = "wordy"

    def __init__(self):
        self._wordings = itertools.cycle(_WORDINGS[os.getpid() % len(_WORDINGS) :] + _WORDINGS)

    def complete(self, messages: list[ChatMessage], *, max_tokens=None, json_schema=None):
        page = messages[1].content
        first = int(re.search(r"turns (\d+) to \d+\.\Z", page)[1])
        facts = []
        for number, said in enumerate(_NEW_TURN.findall(page), 1):
            hobby = re.search(r"hobby\w+", said)
            if hobby and number >= first:
                facts.append(
                    {
                        "fact": next(self._wordings).format(hobby[0]),
                        "category": "preference",
                        "confidence": 0.9,
                        "turns": [number],
                        "subject": "User",
                        "relation": "likes",
                        "object": hobby[0],
                    }
                )
        text = json.dumps({"semantic": facts, "episodic": []})
        return Completion(text=text, finish_reason="stop", usage=Usage(calls=1))

    def stream(self, messages, *, max_tokens=None):
        yield self.complete(messages).text


def opened(place, hour, *, wordy=False):
    """A memory so many hours after it began, whose facts the rules or a wordy model find."""

    def clock():
        return BEGINS + timedelta(hours=hour)

    models = ModelRouter({"memory_extraction": Wordy()}, clock=clock) if wordy else None
    store = InMemoryStore(clock=clock) if place is None else place
    return Memory(store, embedder="hashing", clock=clock, models=models)


def learn_until_killed(place, hour, wordy, begun):
    """Learn what is queued; what is sent says that it begins."""
    with opened(place, hour, wordy=wordy) as memory:
        begun.send_bytes(b"begun")
        memory.jobs.drain()
        begun.send_bytes(b"done")
