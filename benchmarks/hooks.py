"""``python -m benchmarks.hooks [RUNS]``: what a hook that captures takes beyond the start of the interpreter.

For each kind of message: wall-clock and CPU time, p50 and p99, in milliseconds, without the same of an
interpreter that does nothing, and how many times as long as one that writes one file to the disk. The runs
take turns, so that other work of the machine meets all alike.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np

from recollect.integrations.hosts.folder import INSTALL

MESSAGES: Final = {
    "plain": "Rename the queue, please, and look at the tests.",
    "key": f"Deploy with AKIA{'QZ3WXE4CRV5TBY6N'}, please.",
    "address": "The database is postgres://app:swordfish7@db/app, id 5f0c7a54-1f0e-4a57-9a3b-2f6f4c1d9e01",
    "command": "export DB_PASSWORD=swordfish7 && make ship",
}
_NOTHING, _WRITE = "empty interpreter", "one write"
_WRITING: Final = (
    "import os, sys; handle = os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT | os.O_TRUNC);"
    " os.write(handle, b'x' * 500); os.fsync(handle)"
)


def main(runs: int) -> None:
    """Measure, and print a row for each kind of message."""
    taken: defaultdict[str, list[tuple[float, float]]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        installed = {"host": "claude-code", "secrets": "redact", "user_id": "ada", "db": "none.db"}
        (folder / INSTALL).write_text(json.dumps({**installed, "home": made, "files": {}}))
        events = {name: _event(folder, name, words) for name, words in MESSAGES.items()}
        hook = [sys.executable, "-E", "-P", "-m", "recollect.integrations.hosts.hook", made]
        for number in range(runs):
            taken[_NOTHING].append(_timed([sys.executable, "-E", "-P", "-c", "pass"], b""))
            write = [sys.executable, "-E", "-P", "-c", _WRITING, str(folder / "written")]
            taken[_WRITE].append(_timed(write, b""))
            for name, event in events.items():
                told = json.dumps({**event, "session_id": f"s{number}"}).encode()
                taken[name].append(_timed(hook, told))
        assert len(list((folder / "spool").iterdir())) == runs * len(MESSAGES)
    load = " ".join(f"{one:.1f}" for one in os.getloadavg())
    print(f"{runs} runs, {os.cpu_count()} cores, load {load}")
    found = {name: np.percentile(times, [50, 99], axis=0) for name, times in taken.items()}
    for name, both in found.items():
        (wall, cpu), (slow, slow_cpu) = both - (0 if name == _NOTHING else found[_NOTHING])
        ratio, slow_ratio = (both / found[_WRITE])[:, 0]
        line = f"{name:18} wall {wall:6.1f} / {slow:6.1f} ms   CPU {cpu:6.1f} / {slow_cpu:6.1f} ms"
        print(f"{line}   {ratio:.2f} / {slow_ratio:.2f} x one write")


def _event(folder: Path, name: str, words: str) -> dict[str, str]:
    """The end of a turn, and the transcript with what was said in it."""
    line = {"type": "user", "uuid": name, "sessionId": "s", "message": {"role": "user", "content": words}}
    path = folder / f"{name}.jsonl"
    path.write_text(json.dumps(line) + "\n")
    return {"hook_event_name": "Stop", "cwd": "/", "transcript_path": str(path)}


def _timed(command: Sequence[str], given: bytes) -> tuple[float, float]:
    """Wall-clock and CPU time of a process in milliseconds."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)  # noqa: S603
    assert process.stdin is not None
    process.stdin.write(given)
    process.stdin.close()
    _, _, used = os.wait4(process.pid, 0)
    process.returncode = 0
    return (time.perf_counter() - start) * 1_000, (used.ru_utime + used.ru_stime) * 1_000


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
