"""Run the application in uvicorn, with plain or JSON lines as logs and a timeout for slow clients."""

import gc
import json
import logging
import os
import socket
import sys
import threading
from asyncio import TimerHandle, Transport
from collections import Counter
from datetime import UTC, datetime
from types import FrameType
from typing import Any, Final, TextIO, cast

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from recollect.errors import InvalidInputError
from recollect.server.gate import Turns
from recollect.server.settings import ServerSettings
from recollect.types.characters import one_line

HEADERS_S: Final = 15.0
"""Timeout in seconds for the head of a request and for an idle connection. Chosen by hand."""
WRITE_S: Final = 30.0
"""Timeout in seconds for a client to read what was sent, as for a request to arrive. Chosen by hand."""
_MOST_AT_ONCE: Final = 512
"""Concurrent connections and requests; more get a 503. Chosen by hand."""
MOST_OF_AN_ADDRESS: Final = 256
"""Open connections of one address; more get a 503. Chosen by hand: half of all, so that others are served. A
reverse proxy, whose clients share an address, should keep fewer."""
_REFUSAL: Final = b"HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
_CONNECTIONS: Final[Counter[str]] = Counter()
"""Open connections by address, of all servers of the process."""
_HEAD_BYTES: Final = 1 << 16
_SWITCH_S: Final = 0.0005
"""How long a thread may keep the interpreter while others wait for it. A request waits each time it gets back
from SQLite, once for every thread of a busy user: with Python's 5 ms too long. Chosen by hand."""
_GARBAGE: Final = (5_000, 10, 100)
"""Python's thresholds for garbage. What a request leaves is mostly freed at once; the look through all that
lives, which stops every thread, is due every five million objects. Chosen by hand."""
_PLAIN: Final = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "color_message"}


class JsonLines(logging.Formatter):
    """Formats a log record as one line of JSON, with the fields of ``extra``."""

    def format(self, record: logging.LogRecord) -> str:
        """See ``logging.Formatter``."""
        told: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        told |= _extras(record)
        if record.exc_info and record.exc_info[0] is not None:
            told["error"] = record.exc_info[0].__name__
            told["trace"] = _places(record.exc_info[2])
        return json.dumps(told, default=str)


class PlainLines(logging.Formatter):
    """Formats a log record as one line for people: time, level, message and the fields of ``extra``."""

    def format(self, record: logging.LogRecord) -> str:
        """See ``logging.Formatter``."""
        at = datetime.fromtimestamp(record.created).astimezone()
        fields = " ".join(f"{name}={value}" for name, value in _extras(record).items())
        line = one_line(f"{at:%H:%M:%S} {record.levelname.lower()} {record.getMessage()} {fields}")
        return f"{line}\n{self.formatException(record.exc_info)}" if record.exc_info else line


class ImpatientProtocol(H11Protocol):
    """HTTP/1.1 that closes a connection if the next request is not complete in time."""

    _timer: TimerHandle | None = None
    _unread: TimerHandle | None = None
    _address: str | None = None

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        """Start the timeout when a client connects; refuse one more of an address with too many."""
        super().connection_made(transport)
        self._address = self.client[0] if self.client else None
        if self._address is not None:
            _CONNECTIONS[self._address] += 1
            if _CONNECTIONS[self._address] > MOST_OF_AN_ADDRESS:
                transport.write(_REFUSAL)
                transport.close()
                return
        self._wait()

    def handle_events(self) -> None:
        """Stop the timeout when a whole request has arrived."""
        super().handle_events()
        if self._is_busy():
            self._stop_waiting()

    def on_response_complete(self) -> None:
        """Start the timeout for the next request."""
        self._wait()
        super().on_response_complete()

    def pause_writing(self) -> None:
        """Start the timeout for a client that does not read."""
        super().pause_writing()
        self._unread = self.loop.call_later(WRITE_S, self.transport.abort)

    def resume_writing(self) -> None:
        """Stop it when the client has read."""
        super().resume_writing()
        self._stop_unread()

    def _stop_unread(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timeouts when the client disconnects."""
        if self._address is not None:
            _CONNECTIONS[self._address] -= 1
            if not _CONNECTIONS[self._address]:
                del _CONNECTIONS[self._address]
        self._stop_waiting()
        self._stop_unread()
        super().connection_lost(exc)

    def _wait(self) -> None:
        self._stop_waiting()
        self._timer = self.loop.call_later(HEADERS_S, self._close_if_idle)

    def _stop_waiting(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _close_if_idle(self) -> None:
        if not self._is_busy():
            self.transport.close()

    def _is_busy(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete


def configure_logs(*, level: str = "info", out: TextIO = sys.stderr) -> None:
    """Send the server's logs to a stream: plain lines on a terminal, else JSON lines."""
    handler = logging.StreamHandler(out)
    handler.setFormatter(PlainLines() if out.isatty() else JsonLines())
    for name in ("recollect", "uvicorn"):
        logger = logging.getLogger(name)
        logger.handlers[:] = [handler]
        logger.setLevel(level.upper())
        logger.propagate = False


class PunctualServer(uvicorn.Server):
    """A server that ends its process some seconds after a signal, whatever is still under way.

    A thread that waits for a silent model cannot be stopped otherwise. What was acknowledged is stored.
    """

    def __init__(self, config: uvicorn.Config, *, within_s: float) -> None:
        super().__init__(config)
        self._within_s = within_s

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop, and set the end."""
        super().handle_exit(sig, frame)
        end = threading.Timer(self._within_s, os._exit, (0,))
        end.daemon = True
        end.start()


def tune_process() -> None:
    """Have the threads of a process that only serves take turns quickly, and seldom stop for garbage."""
    sys.setswitchinterval(_SWITCH_S)
    gc.freeze()
    gc.set_threshold(*_GARBAGE)


def check_free(host: str, port: int) -> None:
    """Raise ``InvalidInputError`` where nobody can listen, so that a command says so before it serves."""
    try:
        ((family, kind, protocol, _, address), *_) = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
        with socket.socket(family, kind, protocol) as tried:
            tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            tried.bind(address)
    except OSError as error:
        raise InvalidInputError(
            f"cannot serve on {host}:{port}: {error.strerror or error}; use another --port or --host"
        ) from error


def make_server(app: ASGIApp, settings: ServerSettings) -> uvicorn.Server:
    """Make a server; its ``run`` serves until stopped, then finishes the requests in progress."""
    config = uvicorn.Config(
        Turns(app),
        host=settings.host,
        port=settings.port,
        http=cast("Any", ImpatientProtocol),
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        limit_concurrency=_MOST_AT_ONCE,
        timeout_keep_alive=int(HEADERS_S),
        timeout_graceful_shutdown=max(1, int(settings.shutdown_s / 2)),
        h11_max_incomplete_event_size=_HEAD_BYTES,
    )
    return PunctualServer(config, within_s=settings.shutdown_s)


def _extras(record: logging.LogRecord) -> dict[str, Any]:
    return {name: value for name, value in vars(record).items() if name not in _PLAIN}


def _places(trace: Any) -> list[str]:
    """Return the file, line and function of each frame, without local values."""
    places = []
    while trace is not None:
        code = trace.tb_frame.f_code
        places.append(f"{code.co_filename}:{trace.tb_lineno} {code.co_name}")
        trace = trace.tb_next
    return places
