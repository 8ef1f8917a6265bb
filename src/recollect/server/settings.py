"""What a server is told when it starts."""

from dataclasses import dataclass
from ipaddress import ip_address
from typing import Final

from recollect.errors import InvalidInputError

MEGABYTE: Final = 1 << 20
DEFAULT_PORT: Final = 8377
"""RECL on a telephone's keys begins 7325, which is taken; free in IANA's list. Chosen by hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerSettings:
    """Limits of a server, and what it allows. The numbers are chosen by hand.

    Attributes:
        host: The address it is bound to; a loopback one only takes requests that name it so.
        port: The port it is bound to.
        default_user: Whose memories are meant when neither a request nor its key says so.
        allowed_hosts: Further names under which a loopback server may be asked.
        cors_origins: Web pages of other origins that may ask; none by default.
        rate_per_minute: Requests a key may make in a minute, unless the key has a rate of its own.
        max_body_bytes: The longest body of a request, unless the key has a limit of its own.
        body_timeout_s: How long a request may take to arrive.
        learn: Whether a thread of the server learns what is queued.
        poll_s: Seconds between its looks at the queue.
        max_queue: With more jobs waiting than this the server is not ready.
        shutdown_s: How long requests under way may take when the server stops.
    """

    host: str = "127.0.0.1"
    port: int = DEFAULT_PORT
    default_user: str = "default"
    allowed_hosts: tuple[str, ...] = ()
    cors_origins: tuple[str, ...] = ()
    rate_per_minute: int = 6_000
    max_body_bytes: int = 16 * MEGABYTE
    body_timeout_s: float = 30.0
    learn: bool = True
    poll_s: float = 2.0
    max_queue: int = 100_000
    shutdown_s: float = 30.0

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine reaches it."""
        return is_loopback(self.host)


def is_loopback(host: str) -> bool:
    """Whether an address is reached from this machine alone.

    >>> [is_loopback(host) for host in ("127.0.0.1", "::1", "localhost", "0.0.0.0", "example.org")]
    [True, True, True, False, False]
    """
    if host == "localhost":
        return True
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def check_bind(host: str, *, has_keys: bool) -> None:
    """Refuse to be reachable from elsewhere without keys.

    Raises:
        InvalidInputError: It would be.
    """
    if not is_loopback(host) and not has_keys:
        raise InvalidInputError(
            f"{host} can be reached from other machines, and there are no keys: make one with "
            "'recollect keys create --user NAME --role writer', or bind to 127.0.0.1"
        )
