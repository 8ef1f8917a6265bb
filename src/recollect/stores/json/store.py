"""A store in one JSON file."""

from os import PathLike
from pathlib import Path

from recollect.checks import check_text
from recollect.errors import InvalidInputError
from recollect.protocols import Clock
from recollect.stores.json.log import FileLog
from recollect.stores.logged.store import LoggedStore
from recollect.types.clock import utc_now

_URL = "json:///"


class JSONStore(LoggedStore):
    """Keeps memories in one JSON file, ``{"shortTermMemory": [...], "longTermMemory": [...], ...}``.

    Every process that has it open holds all of it in memory. A write is added to a log beside the file,
    which is folded into the file when it has grown, and when the store is closed. Several processes and
    threads may use one file; each sees at once what the others wrote.

    Args:
        path: The file; made when missing, its folder must exist.
        busy_timeout_s: How long to wait for other processes before ``StoreBusyError``.
        clock: Dates the change log and the leases of jobs.

    Raises:
        InvalidInputError: The path is blank or no file's.
        StoreBusyError: Another process kept the file locked.
        StoreReadOnlyError: It cannot be written.
        StoreCorruptError: It is damaged, and so is what could have mended it.
        StoreFormatError: It is not such a file, or a newer Recollect wrote it.
    """

    def __init__(
        self, path: str | PathLike[str], *, busy_timeout_s: float = 30.0, clock: Clock = utc_now
    ) -> None:
        check_text("the path of the store", str(path))
        self.path = Path(path).expanduser()
        if not self.path.name:
            raise InvalidInputError(f"{str(path)!r} is not a file; name one, such as brain.json")
        super().__init__(FileLog(self.path, busy_timeout_s=busy_timeout_s), clock=clock)

    @classmethod
    def from_url(cls, url: str, *, clock: Clock = utc_now) -> "JSONStore":
        """The store of ``json:///brain.json``, or of ``json:////var/lib/brain.json`` from the root.

        Raises:
            InvalidInputError: It names no file.
        """
        return cls(path_of(url), clock=clock)

    def __repr__(self) -> str:
        return f"JSONStore({str(self.path)!r})"


def path_of(url: str) -> Path:
    """The file that a URL names.

    >>> path_of("json:////var/lib/brain.json").as_posix()
    '/var/lib/brain.json'

    Raises:
        InvalidInputError: It names none.
    """
    path = url.removeprefix(_URL)
    if path == url or not path.strip():
        raise InvalidInputError(
            "the URL of a JSON store is json:///brain.json, or json:////var/lib/brain.json"
        )
    return Path(path)
