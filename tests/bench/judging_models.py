"""Models by script, which answer and judge with every temper, in this process or served."""

import json
import re
import threading
from contextlib import closing

from tests.models.server import fails, says

from recollect.errors import ModelError
from recollect.models import Completion, Usage
from recollect_bench.datasets.shapes import sha256_of
from recollect_bench.journal import Journal
from recollect_bench.judged.calls import ServedModel
from recollect_bench.judged.handmade import hand_made

BUSY = ModelError("busy", transient=True)
BY_HAND = {(one.question, one.answer): one.verdict == "right" for one in hand_made()}


def parts(page):
    """The quoted texts of a prompt's message, in order."""
    blocks = re.findall(r"(?:^> .*\n?)+", page, re.MULTILINE)
    return ["\n".join(line[2:] for line in block.splitlines()) for block in blocks]


def answers(text):
    return json.dumps({"answer": text})


def decides(right):
    return json.dumps({"reason": "By script.", "verdict": "right" if right else "wrong"})


def finds_words(page):
    """Answers with the last word of the first turn; knows nothing where nothing was found."""
    turn = re.search(r"^\[1\] [^:]+: (.+)$", page, re.MULTILINE)
    return answers(turn[1].rstrip(".").split()[-1] if turn else "I don't know.")


def is_vague(page):
    return answers("Some name or other.")


def careful(page):
    """Judges as was judged by hand, and else by whether the gold stands in the answer."""
    question, gold, answer = parts(page)
    return decides(BY_HAND.get((question, answer), gold.lower() in answer.lower()))


def passes_everything(page):
    return decides(right=True)


def obeys(page):
    """Does whatever a line of the prompt's own asks for."""
    orders = [line for line in page.splitlines() if line.startswith("Mark")]
    return decides(right=True) if orders else careful(page)


class Scripted:
    """A language model in this process; ``asked`` counts what it was asked."""

    def __init__(self, name, script):
        self.name, self.script = name, script
        self.asked = []
        self._lock = threading.Lock()

    def complete(self, messages, *, max_tokens=None, json_schema=None):
        with self._lock:
            self.asked.append(messages[-1].content)
        said = self.script(messages[-1].content)
        if isinstance(said, BaseException):
            raise said
        return Completion(
            text=said, finish_reason="stop", usage=Usage(calls=1, input_tokens=100, output_tokens=10)
        )


def model(name, script):
    return ServedModel(name=name, server="http://here/v1", model=Scripted(name, script))


def serves(**scripts):
    """What a server does that has these models, each by its script; a script may return a behaviour."""

    def behave(exchange, request):
        script = scripts.get(request["model"])
        if script is None:
            return fails(404, "model not found")(exchange, request)
        said = script(request["messages"][-1]["content"])
        return (says(said) if isinstance(said, str) else said)(exchange, request)

    return behave


def found(bench, talks, name, ids):
    """What a run keeps of a system that finds the same turns for every question."""
    path = bench.out / "runs" / talks.name / f"{name}.jsonl"
    head = {"data": [sha256_of(one) for one in talks.paths], "commit": "c0ffee"}
    asked = [{"number": number, "found": [[id_, 1.0] for id_ in ids]} for number in (0, 1)]
    with closing(Journal(path, made_of=head, fresh=True, fields=["conversation"])) as journal:
        for conversation in ("parrot", "tortoise", "pony"):
            journal.keep({"conversation": conversation, "asked": asked})
