"""Processes that help to find the labels of a large batch; they end with it.

Labels are found by Python alone, which uses one core however many threads there are. A helper is a new
interpreter: it is given words, answers with their labels, and ends. What a helper fails to do is done here.
"""

import pickle
import sys
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from threading import Thread
from typing import Final

from recollect.ingest.word_labels import FoundLabels, Known, WordLabels
from recollect.interpreters import MOST_PROCESSES, cores, start_interpreter
from recollect.text.analyse import Analyser

START_CHARACTERS: Final = 600_000
"""Labelled by a process while another one starts and compiles its patterns: some half a second. This and
the next are chosen by measurement."""
LEAST_CHARACTERS: Final = 400_000
"""For a helper: less is done sooner here."""
_CODE: Final = "from recollect.ingest.helpers import main; main()"


def find_labels(words: WordLabels, known: Sequence[Known]) -> list[FoundLabels]:
    """What ``words.find`` finds, of a large batch with helpers on the other cores."""
    mine, *others = _shares(known)
    helpers = [_Helper(words, share) for share in others]
    try:
        found = words.find(mine)
        for helper in helpers:
            found += helper.found()
    finally:
        for helper in helpers:
            helper.end()
    return found


class _Helper:
    """A process that finds the labels of a share."""

    def __init__(self, words: WordLabels, share: Sequence[Known]) -> None:
        self._words, self._share = words, share
        self._answer = b""
        self._process = start_interpreter(_CODE)
        self._thread = Thread(target=self._ask, daemon=True)
        self._thread.start()

    def found(self) -> list[FoundLabels]:
        """Its answer; without one its share is done here."""
        self._thread.join()
        if self._process is None or self._process.returncode != 0 or not self._answer:
            return self._words.find(self._share)
        found: list[FoundLabels] = pickle.loads(self._answer)  # noqa: S301 - of a process that we started
        return found

    def end(self) -> None:
        """End the process, also one that is at work."""
        if self._process is not None and self._process.poll() is None:
            self._process.kill()
        self._thread.join()

    def _ask(self) -> None:
        if self._process is not None:
            self._answer, _ = self._process.communicate(_request(self._words, self._share))


def _request(words: WordLabels, share: Sequence[Known]) -> bytes:
    """What a helper is asked; nothing, at which it fails, where a caller's time zone cannot be sent."""
    try:
        return pickle.dumps((words.analyser.language, words.timezone, words.corpus, words.now, share))
    except (AttributeError, TypeError, pickle.PicklingError):
        return b""


def _shares(known: Sequence[Known]) -> Iterator[Sequence[Known]]:
    """Parts for this process and each helper; a small batch is one.

    The first one is larger, by what is done while the helpers start.
    """
    sizes = list(accumulate((len(each.record.content) for each in known), initial=0))
    to_share = sizes[-1] - START_CHARACTERS
    if to_share < LEAST_CHARACTERS:
        yield known
        return
    count = max(1, min(MOST_PROCESSES, cores(), to_share // LEAST_CHARACTERS))
    ends = [bisect_left(sizes, START_CHARACTERS + to_share * part / count) for part in range(1, count)]
    for start, end in pairwise([0, *ends, len(known)]):
        yield known[start:end]


def main() -> None:
    """Be a helper: read what is asked from standard input, write what was found to standard output."""
    language, timezone, corpus, now, share = pickle.load(sys.stdin.buffer)  # noqa: S301 - of who started us
    words = WordLabels(analyser=Analyser(language), timezone=timezone, corpus=corpus, now=now)
    pickle.dump(words.find(share), sys.stdout.buffer)
