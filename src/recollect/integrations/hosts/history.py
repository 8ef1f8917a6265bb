"""Conversations that a host wrote before it was installed, or while its hooks did not run."""

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from recollect.errors import InvalidInputError
from recollect.ingest.message_files import Imported
from recollect.integrations.hosts.capture import with_projects
from recollect.integrations.hosts.catalog import Host
from recollect.integrations.hosts.drain import store_said
from recollect.integrations.hosts.installer import transcripts_of
from recollect.integrations.hosts.transcripts import Format, Utterance, format_of
from recollect.memory.memory import Memory
from recollect.types import AddResult

_STATE: Final = "import-{}"
"""Under which name a store keeps how far each transcript of a host was read."""


def import_history(
    memory: Memory,
    host: Host,
    *,
    user_id: str,
    path: Path | None,
    environ: Mapping[str, str],
    report: Callable[[int, int], None],
) -> Imported:
    """Store what was said in a host's transcripts; of a transcript that was read before only what is new.

    Args:
        memory: Where to.
        host: Whose transcripts.
        user_id: The user.
        path: A transcript, or a folder with some; by default the host's own folder.
        environ: The environment, which may move that.
        report: Called with the transcripts done and their number.

    Raises:
        InvalidInputError: There is nothing at the path, or the host has no transcripts that can be read.
    """
    form = format_of(host.name)
    if form is None:
        raise InvalidInputError(
            f"the transcripts of {host.title} cannot be read; its hooks capture what is said"
        )
    files = _files(path or transcripts_of(host, environ), form, host)
    store, scope, name = memory.parts.store, memory.parts.scope(user_id), _STATE.format(host.name)
    done = Imported()
    for number, file in enumerate(files):
        report(number, len(files))
        offset = _offsets(store.state(scope, name)).get(file, 0)
        while True:
            said, end = form.read(file, offset)
            results = store_said(
                memory, with_projects(said, folder=os.path.dirname(file)), host=host.name, user_id=user_id
            )
            _count(done, file, said, results)
            if end == offset:
                break
            offset = end
            store.change_state(scope, name, _with_offset(file, offset))
    return done


def _count(done: Imported, file: str, said: Sequence[Utterance], results: Sequence[AddResult]) -> None:
    for one, result in zip(said, results, strict=True):
        done.counts[result.status] += 1
        if result.status == "refused":
            done.refusals.append({"where": f"{file} {one.id}", "reason": result.reason})


def _files(path: Path, form: Format, host: Host) -> list[str]:
    """The transcripts at a path, by name."""
    if path.is_file():
        return [str(path.absolute())]
    found = sorted(str(one.absolute()) for one in _below(path, form) if one.is_file())
    if not found:
        raise InvalidInputError(f"there are no transcripts of {host.title} in {path}")
    return found


def _below(path: Path, form: Format) -> Iterator[Path]:
    """The files of a settings folder that match, else those of a part of it that have the same ending."""
    found = [one for pattern in form.patterns for one in path.glob(pattern)]
    endings = map(os.path.basename, form.patterns)
    return iter(found or (one for ending in endings for one in path.rglob(ending)))


def _offsets(text: str | None) -> dict[str, int]:
    read = json.loads(text) if text else {}
    return read if isinstance(read, dict) else {}


def _with_offset(file: str, offset: int) -> Callable[[str | None], str]:
    return lambda text: json.dumps(_offsets(text) | {file: offset})
