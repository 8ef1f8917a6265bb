"""Settings of the HTTP and MCP servers."""

from dataclasses import dataclass
from ipaddress import ip_address
from typing import Final

from recollect.errors import InvalidInputError, as_given
from recollect.types.regex import lazy_regex

MEGABYTE: Final = 1 << 20
DEFAULT_PORT: Final = 8377
"""RECL on a telephone's keys begins 7325, which is taken; free in IANA's list. Chosen by hand."""
_ORIGIN: Final = lazy_regex(r"[a-z][a-z0-9+.-]*://(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:[0-9]+)?")
"""An origin as browsers send it, those of extensions included."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerSettings:
    """Limits and permissions of a server. The numbers are chosen by hand.

    Attributes:
        host: The address to bind; on a loopback address the ``Host`` header must name this machine.
        port: The port to bind.
        default_user: The user of a request that names none and sends no key.
        allowed_hosts: Other host names accepted on a loopback address.
        cors_origins: Other origins whose pages may call the API, such as ``https://app.example``; none by
            default.
        rate_per_minute: Requests per minute and key; a key may have its own limit.
        max_body_bytes: Maximum size of a request's body; a key may have its own limit.
        max_import_bytes: The same for a file to import, or a folder of edits, of an admin.
        body_timeout_s: Seconds a request may take to arrive; a large file longer, see ``server.gate``.
        preset: The preset of chats whose requests name none, see ``recollect.presets.open_preset``.
        lifecycle: Whether an answer of the chat counts as use and may archive, see ``MemoryAgent``.
        learn: Whether a thread of the server processes the learning queue.
        poll_s: Seconds between two polls of the queue.
        max_queue: Above this many waiting jobs the server reports that it is not ready.
        shutdown_s: Seconds from a signal to the end of the process; half of them for requests in progress.

    Raises:
        InvalidInputError: One of ``cors_origins`` is no origin, but an address with a path, or ``*``.
    """

    host: str = "127.0.0.1"
    port: int = DEFAULT_PORT
    default_user: str = "default"
    allowed_hosts: tuple[str, ...] = ()
    cors_origins: tuple[str, ...] = ()
    rate_per_minute: int = 6_000
    max_body_bytes: int = 16 * MEGABYTE
    max_import_bytes: int = 1024 * MEGABYTE
    body_timeout_s: float = 30.0
    preset: str = "default"
    lifecycle: bool = False
    learn: bool = True
    poll_s: float = 2.0
    max_queue: int = 100_000
    shutdown_s: float = 10.0

    def __post_init__(self) -> None:
        """Refuse an origin that no browser sends, and one that means all."""
        for origin in self.cors_origins:
            if not _ORIGIN.fullmatch(origin):
                raise InvalidInputError(
                    f"{as_given(origin)} is no origin of pages: name each by its scheme, host and port in "
                    "small letters, such as https://app.example"
                )

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine can reach the server."""
        return is_loopback(self.host)


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach an address.

    >>> [is_loopback(host) for host in ("127.0.0.1", "::1", "localhost", "0.0.0.0", "example.org")]
    [True, True, True, False, False]
    """
    if host == "localhost":
        return True
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def check_bind(host: str, *, keys: int) -> None:
    """Refuse to bind an address that other machines can reach unless there are keys, by their number.

    Raises:
        InvalidInputError: Other machines can reach the address and there are no keys.
    """
    if not is_loopback(host) and not keys:
        raise InvalidInputError(
            f"{host} can be reached from other machines, and there are no keys: make one with "
            "'recollect keys create --user NAME --role writer', or bind to 127.0.0.1"
        )
