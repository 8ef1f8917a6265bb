"""Runs systems on data sets, each by itself: what fails ends its own row, and the rest goes on."""

import hashlib
import shlex
import tempfile
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from recollect.errors import MissingExtraError
from recollect_bench import CALL_S, OUT
from recollect_bench.asking import CONTEXT_TURNS, DEPTH, Given, live_through, strangers_to
from recollect_bench.catalogue import DataFile, SystemFile
from recollect_bench.datasets.shapes import Dataset, sha256_of
from recollect_bench.embedding import SharedEmbedder
from recollect_bench.environments import python_of
from recollect_bench.errors import DatasetError, SystemFailedError
from recollect_bench.journal import Journal
from recollect_bench.process import SystemProcess
from recollect_bench.provenance import library_state
from recollect_bench.results import data_result, system_result, write_result

FIELDS: Final = ("conversation", "added", "asked", "strange", "packages")
"""What a journal has of each conversation."""
_SHOWN: Final = ("recollect", "numpy")
_ROWS: Final = 2
"""The shape of a journal's rows: since 2 they have the versions of packages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """Where and how systems are run.

    Attributes:
        out: Takes journals, logs and results.
        cache: Takes the environments.
        timeout_s: Seconds that one call of a system may take.
        fresh: Whether to begin anew instead of going on.
        report: Told what is under way, one line at a time.
    """

    out: Path
    cache: Path
    timeout_s: float
    fresh: bool
    report: Callable[[str], None]

    def run(self, systems: Sequence[SystemFile], data: Sequence[DataFile]) -> list[dict[str, Any]]:
        """Run every system on every data set.

        Returns:
            One result for each data set, as written to ``out``; rows that failed say why.

        Raises:
            OSError: The results themselves cannot be written.
        """
        embedder = SharedEmbedder()
        return [self._on_data(one, systems, embedder) for one in data]

    def _on_data(
        self, data: DataFile, systems: Sequence[SystemFile], embedder: SharedEmbedder
    ) -> dict[str, Any]:
        try:
            loaded = data.load()
        except (DatasetError, OSError) as error:
            self.report(f"{data.name}: {error}")
            return {"dataset": data.name, "title": data.title, "failed": str(error), "systems": {}}
        rows = {one.name: self._row(one, data, loaded, embedder) for one in systems}
        command = self._command(systems, data)
        result = data_result(data, loaded, rows, vectors=embedder.name, command=command)
        result["out"] = str(self.out)
        write_result(result, self.out / f"{data.name}.json")
        return result

    def _command(self, systems: Sequence[SystemFile], data: DataFile) -> str:
        """What to type to make a result again, as it was typed; options where they were not left alone."""
        words = ["recollect", "bench", "run", "--systems", ",".join(one.named for one in systems)]
        words += ["--data", data.named]
        words += [] if self.out == Path(OUT) else ["--out", str(self.out)]
        words += [] if self.timeout_s == CALL_S else ["--timeout-s", f"{self.timeout_s:g}"]
        return shlex.join(words)

    def _row(
        self, system: SystemFile, data: DataFile, loaded: Dataset, embedder: SharedEmbedder
    ) -> dict[str, Any]:
        """A system's figures, or why there are none."""
        told = {"about": system.about, "requirements": list(system.requirements)}
        try:
            journal, packages = self._ask_all(system, data, loaded, embedder)
        except (SystemFailedError, MissingExtraError, OSError) as error:
            self.report(f"{data.name}, {system.name}: {error}")
            return {**told, "failed": str(error)}
        return {**told, "packages": packages, **system_result(loaded, journal.done)}

    def _ask_all(
        self, system: SystemFile, data: DataFile, loaded: Dataset, embedder: SharedEmbedder
    ) -> tuple[Journal, dict[str, str]]:
        """Ask what the journal does not have yet; a system of which it has all is not started."""
        if system.fault:
            raise SystemFailedError(system.fault)
        with closing(
            Journal(
                self.out / "runs" / data.name / f"{system.name}.jsonl",
                made_of=self._made_of(system, data, embedder),
                fresh=self.fresh,
                fields=FIELDS,
            )
        ) as journal:
            if any(one.id not in journal.done for one in loaded.conversations):
                self._start(system, data, loaded, embedder, journal)
        return journal, next(reversed(journal.done.values()))["packages"]

    def _start(
        self,
        system: SystemFile,
        data: DataFile,
        loaded: Dataset,
        embedder: SharedEmbedder,
        journal: Journal,
    ) -> None:
        """Start the system in a folder of its own, ask it, and end it."""
        python = python_of(system, cache=self.cache)
        log = self.out / "logs" / f"{data.name}-{system.name}.log"
        log.parent.mkdir(parents=True, exist_ok=True)
        with (
            tempfile.TemporaryDirectory(dir=self.out, ignore_cleanup_errors=True) as folder,
            log.open("wb") as file,
        ):
            process = SystemProcess(
                python,
                system.path,
                Path(folder).resolve(),
                embedder=embedder,
                log=file,
                timeout_s=self.timeout_s,
            )
            try:
                self._go_on(process, loaded, journal, system, f"{data.name}, {system.name}")
                process.close()
            finally:
                process.kill()

    def _go_on(
        self, process: SystemProcess, loaded: Dataset, journal: Journal, system: SystemFile, name: str
    ) -> None:
        """Live through the conversations that are left, and keep each with the versions that lived it."""
        given, packages = Given(), _shown(process.packages, system)
        for place, conversation in enumerate(loaded.conversations):
            if conversation.id not in journal.done:
                strangers = strangers_to(loaded.conversations, place)
                row = live_through(process, conversation, strangers=strangers, given=given)
                journal.keep({**row, "packages": packages})
                self.report(f"{name}: {len(journal.done)} of {len(loaded.conversations)}")

    def _made_of(self, system: SystemFile, data: DataFile, embedder: SharedEmbedder) -> dict[str, object]:
        """Whatever would make other figures."""
        own = {} if system.requirements else {"commit": library_state()}
        return {
            "system": hashlib.sha256(system.path.read_bytes()).hexdigest(),
            "requirements": list(system.requirements),
            "data": [sha256_of(path) for path in data.paths],
            "vectors": embedder.name,
            "depth": [DEPTH, CONTEXT_TURNS],
            "rows": _ROWS,
            **own,
        }


def _shown(packages: dict[str, str], system: SystemFile) -> dict[str, str]:
    """The versions of what the system asked for; all others are in its log's environment."""
    asked = {one.partition("==")[0].partition("[")[0].lower() for one in system.requirements} or set(_SHOWN)
    return {name: version for name, version in packages.items() if name.lower() in asked}
