"""Running the application: uvicorn, with logs as JSON lines and no patience for slow clients."""

import json
import logging
import sys
from asyncio import TimerHandle, Transport
from datetime import UTC, datetime
from typing import Any, Final, TextIO, cast

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from recollect.server.settings import ServerSettings

HEADERS_S: Final = 15.0
"""How long the head of a request may take, and how long a connection may idle. Chosen by hand."""
_MOST_AT_ONCE: Final = 512
"""Connections and requests under way; more are told to come back (503). Chosen by hand."""
_HEAD_BYTES: Final = 1 << 16
_PLAIN: Final = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "color_message"}


class JsonLines(logging.Formatter):
    """A record as one line of JSON, with whatever was given as ``extra``."""

    def format(self, record: logging.LogRecord) -> str:
        """See ``logging.Formatter``."""
        told: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        told |= {name: value for name, value in vars(record).items() if name not in _PLAIN}
        if record.exc_info and record.exc_info[0] is not None:
            told["error"] = record.exc_info[0].__name__
            told["trace"] = _places(record.exc_info[2])
        return json.dumps(told, default=str)


class ImpatientProtocol(H11Protocol):
    """HTTP/1.1 that closes a connection whose next request does not come in time, drip by drip or not."""

    _timer: TimerHandle | None = None

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        """A client connected."""
        super().connection_made(transport)
        self._wait()

    def handle_events(self) -> None:
        """Bytes came."""
        super().handle_events()
        if self._is_busy():
            self._stop_waiting()

    def on_response_complete(self) -> None:
        """An answer was sent."""
        self._wait()
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """The client went away."""
        self._stop_waiting()
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
    """Let the server's logs go to a stream as JSON lines."""
    handler = logging.StreamHandler(out)
    handler.setFormatter(JsonLines())
    for name in ("recollect", "uvicorn"):
        logger = logging.getLogger(name)
        logger.handlers[:] = [handler]
        logger.setLevel(level.upper())
        logger.propagate = False


def make_server(app: ASGIApp, settings: ServerSettings) -> uvicorn.Server:
    """The server for an application; ``run`` serves until it is stopped, and finishes what is under way."""
    config = uvicorn.Config(
        app,
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
        timeout_graceful_shutdown=int(settings.shutdown_s),
        h11_max_incomplete_event_size=_HEAD_BYTES,
    )
    return uvicorn.Server(config)


def _places(trace: Any) -> list[str]:
    """Where an error came from, without the values that were there."""
    places = []
    while trace is not None:
        code = trace.tb_frame.f_code
        places.append(f"{code.co_filename}:{trace.tb_lineno} {code.co_name}")
        trace = trace.tb_next
    return places
